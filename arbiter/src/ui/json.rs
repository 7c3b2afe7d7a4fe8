//! Events as JSON, one object each, for programs that follow a match.

use crate::verdict::{ChosenBy, Event};
use serde_json::{Value, json};

/// One event of a game as an object. Seats count from 0; times are nanoseconds.
#[must_use]
pub fn event_json(game: u32, event: &Event<'_>) -> Value {
    match event {
        Event::Started { position } => json!({
            "ev": "start",
            "game": game,
            "rules": position.info().id,
            "seats": position.seats(),
            "position": position.text(),
        }),
        Event::Asked { seat, attempt, clocks, position } => json!({
            "ev": "turn",
            "game": game,
            "ply": position.ply(),
            "seat": seat.index(),
            "attempt": attempt,
            "clocks_ns": clocks.iter().map(|left| left.map(|left| left.as_nanos() as u64)).collect::<Vec<_>>(),
        }),
        Event::Played(played) => json!({
            "ev": if played.by == ChosenBy::Rules { "pass" } else { "move" },
            "game": game,
            "ply": played.ply,
            "seat": played.seat.index(),
            "move": played.text,
            "forced": played.by != ChosenBy::Player,
            "wall_ns": played.spent.wall.as_nanos() as u64,
            "cpu_ns": played.spent.cpu.map(|cpu| cpu.as_nanos() as u64),
            "fallen": played.chance.fallen.iter().map(|&(cell, tokens)| (played.position.cell_name(cell), json!(tokens))).collect::<Value>(),
            "position": played.position.text(),
        }),
        Event::Refused(error) => json!({
            "ev": "fault",
            "game": game,
            "ply": error.ply,
            "seat": error.seat.index(),
            "code": error.fault.code(),
            "sentence": error.fault.sentence(),
            "count": error.count,
        }),
        Event::Eliminated { seat, ply, fault, position, .. } => json!({
            "ev": "out",
            "game": game,
            "ply": ply,
            "seat": seat.index(),
            "code": fault.code(),
            "sentence": fault.sentence(),
            "position": position.text(),
        }),
        Event::Ended { ending, duration, position, .. } => json!({
            "ev": "end",
            "game": game,
            "ranks": ending.outcome().map(|outcome| outcome.ranks().to_vec()),
            "winner": ending.outcome().and_then(|outcome| outcome.winner()).map(|seat| seat.index()),
            "reason": ending.reason(),
            "duration_ns": duration.as_nanos() as u64,
            "position": position.text(),
        }),
    }
}
