//! A position as JSON.

use crate::record::schema::OptionValue;
use crate::ui::legal;
use arbiter_rules::Position;
use serde_json::{Value, json};

/// A position as one JSON object.
pub(super) fn describe(position: &Position) -> Value {
    let options: serde_json::Map<_, _> = position
        .options()
        .iter()
        .map(|(name, value)| (name.to_owned(), json!(OptionValue::from(value))))
        .collect();
    let mut object = json!({
        "game": position.info().id,
        "options": options,
        "players": position.seats(),
        "position": position.text(),
        "to_move": position.to_move().map(|seat| seat.index()),
        "ply": position.ply(),
        "legal": legal(position),
        "result": result(position),
    });
    add_obligation(position, &mut object);
    object
}

pub(super) fn add_obligation(position: &Position, object: &mut Value) {
    if let Some(obligation) = position.obligation() {
        object["obligation"] = json!({ "tier": obligation.tier, "in_the_way": obligation.in_the_way });
    }
}

fn result(position: &Position) -> Value {
    let Some(end) = position.end() else { return Value::Null };
    let scores = position.scores();
    let score = match scores.is_empty() {
        true => Value::Null,
        false => scores.into_iter().map(|score| (score.name.to_owned(), json!(score.by_seat))).collect(),
    };
    json!({
        "ranks": end.outcome.ranks(),
        "winner": end.outcome.winner().map(|seat| seat.index()),
        "reason": end.reason.code(),
        "score": score,
    })
}
