//! Events as JSON, one object each, for programs that follow a match.

use super::log::{Entry, Moved, Sitter, What};
use super::thoughts::thoughts_json;
use super::words;
use crate::player::OpenTurn;
use crate::verdict::ChosenBy;
use arbiter_rules::Position;
use arbiter_rules::draw::Charset;
use serde_json::{Value, json};
use std::time::Duration;

/// One event of a game as an object. Seats count from 0; times are nanoseconds, but `t` is seconds since the start.
pub(crate) fn entry_json(entry: &Entry) -> Value {
    let mut object = match &entry.what {
        What::Started { seats, max_errors, position } => started(position, seats, *max_errors),
        What::Asked { seat, ply, attempt, clocks } => json!({
            "ev": "turn",
            "ply": ply,
            "seat": seat.index(),
            "attempt": attempt,
            "clocks_ns": clocks.iter().map(|left| left.map(nanos)).collect::<Vec<_>>(),
        }),
        What::Drafted(turn) => drafted(turn),
        What::Moved(moved) => moved_json(moved),
        What::Refused { seat, ply, fault, count } => {
            let illegal = fault.illegal_move();
            json!({
                "ev": "fault",
                "ply": ply,
                "seat": seat.index(),
                "code": fault.code(),
                "answer": illegal.map(|(answer, _)| answer),
                "reason": illegal.map(|(_, why)| why.reason.code()),
                "sentence": fault.sentence(),
                "count": count,
            })
        }
        What::Out { seat, ply, fault, position } => json!({
            "ev": "out",
            "ply": ply,
            "seat": seat.index(),
            "code": fault.code(),
            "sentence": fault.sentence(),
            "position": position.text(),
        }),
        What::Ended { ending, duration, position } => json!({
            "ev": "end",
            "ranks": ending.outcome().map(|outcome| outcome.ranks().to_vec()),
            "winner": ending.outcome().and_then(|outcome| outcome.winner()).map(|seat| seat.index()),
            "reason": ending.reason(),
            "sentence": words::ended(ending, position, &[], None),
            "winning": position.winning_cells(),
            "duration_ns": nanos(*duration),
            "position": position.text(),
        }),
        What::TakenBack { seat, plies, position } => json!({
            "ev": "taken-back",
            "ply": position.ply(),
            "seat": seat.index(),
            "plies": plies,
            "position": position.text(),
        }),
        What::Noted(text) => json!({ "ev": "note", "text": text }),
    };
    object["id"] = json!(entry.id);
    object["t"] = json!(entry.at.as_secs_f64());
    object["game"] = json!(entry.game);
    object
}

fn started(position: &Position, seats: &[Sitter], max_errors: u32) -> Value {
    let options: Value = position.options().iter().map(|(name, value)| (name, value.to_string())).collect();
    let scene = position.scene(Charset::Unicode);
    let cell =
        |(cell, (x, y)): (u16, &(u16, u16))| json!({ "x": x, "y": y, "label": position.cell_name(cell) });
    let player = |sitter: &Sitter| json!({ "name": sitter.name, "kind": if sitter.is_person { "human" } else { "bot" } });
    json!({
        "ev": "start",
        "rules": position.info().id,
        "rules_version": position.info().version,
        "options": options,
        "seats": position.seats(),
        "players": seats.iter().map(player).collect::<Vec<_>>(),
        "max_errors": max_errors,
        "scene": {
            "cells": (0..).zip(&scene.cells).map(cell).collect::<Vec<_>>(),
            "texts": scene.labels.iter().map(|(x, y, text)| json!({ "x": x, "y": y, "text": text })).collect::<Vec<_>>(),
        },
        "position": position.text(),
        "cells": position.cells(),
    })
}

/// A person's unfinished move.
pub(crate) fn drafted(turn: &OpenTurn) -> Value {
    let action =
        |action: &arbiter_rules::draft::DraftAction| json!({ "id": action.id, "label": action.label });
    json!({
        "ev": "draft",
        "ply": turn.id.ply,
        "seat": turn.id.seat.index(),
        "draft": turn.draft.cells,
        "pending": turn.pending,
        "targets": turn.view.targets,
        "actions": turn.view.actions.iter().map(action).collect::<Vec<_>>(),
        "can_finish": turn.view.can_finish,
        "must": turn.view.must,
    })
}

fn moved_json(moved: &Moved) -> Value {
    let position = &moved.position;
    json!({
        "ev": if moved.by == ChosenBy::Rules { "pass" } else { "move" },
        "ply": moved.ply,
        "seat": moved.seat.index(),
        "move": moved.text,
        "path": moved.path,
        "forced": moved.by != ChosenBy::Player,
        "wall_ns": nanos(moved.spent.wall),
        "cpu_ns": moved.spent.cpu.map(nanos),
        "charged_ns": nanos(moved.spent.charged),
        "fallen": moved.chance.fallen.iter().map(|&(cell, tokens)| (position.cell_name(cell), json!(tokens))).collect::<Value>(),
        "search": moved.report.as_ref().map(thoughts_json),
        "position": position.text(),
        "cells": position.cells(),
    })
}

fn nanos(time: Duration) -> u64 {
    time.as_nanos() as u64
}
