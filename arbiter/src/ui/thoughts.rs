//! What a bot said of its search: line by line for people, an object for programs.

use crate::sanitize::sanitize;
use crate::verdict::{BotReport, Bound, MoveValue};
use serde_json::{Value, json};

/// What a bot thought, harmless to show: numbers, the line it expects, its own words, and its moves, the best first.
pub(crate) fn thoughts(report: &BotReport) -> Vec<String> {
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
        lines
            .extend(moves.iter().map(|value| format!("  {:<6} {} {}", value.text, sign(value), value.score)));
    }
    lines
}

/// What a bot thought, as JSON: depth, score, nodes, the line it expects, its own words, and the values of its moves.
pub(crate) fn thoughts_json(report: &BotReport) -> Value {
    let BotReport { depth, nodes, score, line, text, values } = report;
    let value = |value: &MoveValue| {
        let bound = match value.bound {
            Bound::Exact => "exact",
            Bound::AtMost => "at-most",
            Bound::AtLeast => "at-least",
        };
        json!({ "move": value.text, "score": value.score, "bound": bound })
    };
    json!({
        "depth": depth,
        "score": score,
        "nodes": nodes,
        "line": line,
        "text": text,
        "values": { "depth": values.depth, "moves": values.moves.iter().map(value).collect::<Vec<_>>() },
    })
}

fn sign(value: &MoveValue) -> &'static str {
    match value.bound {
        Bound::Exact => "=",
        Bound::AtMost => "<=",
        Bound::AtLeast => ">=",
    }
}
