//! What a bot said of its search, line by line.

use crate::sanitize::sanitize;
use crate::verdict::{BotReport, Bound, MoveValue};
use arbiter_rules::Position;

/// What a bot thought in this position, harmless to show: numbers, the line it expects, its own words, and what its moves
/// are worth, the best first.
#[must_use]
pub fn thoughts(report: &BotReport, position: &Position) -> Vec<String> {
    let BotReport { depth, nodes, score, line, text, values } = report;
    let known = |number: u64| if number == 0 { "not said".to_owned() } else { number.to_string() };
    let score = score.map_or("not said".to_owned(), |score| score.to_string());
    let mut lines = vec![format!("depth {}  score {score}  nodes {}", known((*depth).into()), known(*nodes))];
    if !line.is_empty() {
        lines.push(format!("line {}", sanitize(&line.join(" "))));
    }
    if !text.is_empty() {
        lines.push(sanitize(text));
    }
    if !values.moves.is_empty() {
        lines.push(format!("values at depth {}:", known(values.depth.into())));
        let mut moves: Vec<&MoveValue> = values.moves.iter().collect();
        moves.sort_by_key(|value| std::cmp::Reverse(value.score));
        lines.extend(moves.iter().map(|value| {
            format!("  {:<6} {} {}", position.move_text(value.played), sign(value), value.score)
        }));
    }
    lines
}

fn sign(value: &MoveValue) -> &'static str {
    match value.bound {
        Bound::Exact => "=",
        Bound::AtMost => "<=",
        Bound::AtLeast => ">=",
    }
}
