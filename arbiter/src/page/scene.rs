//! The board and what lies on it, as `assets/board.js` draws it: the same for saved games and for those that are being
//! played.

use crate::sanitize::sanitize;
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::{Field, Group, GroupState, Layout, Pieces};
use arbiter_rules::{Chance, Position, Seat};
use serde::Serialize;
use serde_json::{Value, json};

/// Moves of an expected line that are shown.
pub(crate) const MOST_AHEAD: usize = 12;

pub(crate) fn scene(start: &Position, layout: &Layout) -> Value {
    let field = match layout.field {
        Field::Ruled => "ruled",
        Field::Cloth => "cloth",
        Field::Rack => "rack",
        Field::Tiles => "tiles",
        Field::Holes => "holes",
        Field::Hexagons => "hexagons",
    };
    let pieces = match layout.pieces {
        Pieces::Signs => "signs",
        Pieces::Stones => "stones",
        Pieces::Discs => "discs",
    };
    // Of a rack, columns alone have names on the board, and are what is typed.
    let name = |cell| match layout.field {
        Field::Rack => format!("{} row {}", start.place_name(cell), cell / start.shape().width + 1),
        _ => start.cell_name(cell),
    };
    let cell = |(at, cell): (&arbiter_rules::layout::Point, u16)| json!([at.x, at.y, name(cell)]);
    let signs =
        |charset| (0..start.seats()).map(|seat| start.sign(seat, charset).to_string()).collect::<Vec<_>>();
    let home = |home: &arbiter_rules::layout::Home| {
        let corners: Vec<_> = home.corners.iter().map(|at| [at.x, at.y]).collect();
        json!({ "corners": corners, "seat": home.seat.map(Seat::index) })
    };
    json!({
        "title": start.info().title,
        "field": field,
        "pieces": pieces,
        "cells": layout.cells.iter().zip(0..).map(cell).collect::<Vec<_>>(),
        "groups": layout.groups.iter().map(|group| &group.cells).collect::<Vec<_>>(),
        "homes": layout.homes.iter().map(home).collect::<Vec<_>>(),
        "labels": layout.labels.iter().map(|(at, text)| json!([at.x, at.y, text])).collect::<Vec<_>>(),
        "named": layout.named,
        "piles": layout.piles,
        "turns": start.turns_pieces(),
        "score": start.scores().first().map(|score| score.name.replace('_', " ")),
        "signs": signs(Charset::Unicode),
        "letters": signs(Charset::Ascii),
    })
}

/// What lies on a board: pieces from bottom to top, by cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Pile {
    pub(crate) cells: Vec<Vec<u8>>,
    pub(crate) groups: Vec<u64>,
}

/// Cells with what lies on them now, and boards within the board with how they stand now.
type Changes = (Vec<(usize, Vec<u8>)>, Vec<(usize, u64)>);

impl Pile {
    pub(crate) fn of(position: &Position, layout: &Layout) -> Pile {
        let count = position.shape().cells();
        let cells = if layout.piles {
            (0..count as u16).map(|cell| position.column(cell)).collect()
        } else {
            let mut owners = vec![0; count];
            position.write_cells(&mut owners);
            owners.into_iter().map(|owner| if owner == 0 { Vec::new() } else { vec![owner] }).collect()
        };
        let groups = if layout.groups.is_empty() { Vec::new() } else { states(&position.layout().groups) };
        Pile { cells, groups }
    }

    /// Other things lie there now. Returns which, by cell, and the boards within the board that stand otherwise.
    pub(crate) fn changed_to(&mut self, now: Pile) -> Changes {
        let changed = (changed(&self.cells, &now.cells), changed(&self.groups, &now.groups));
        *self = now;
        changed
    }
}

fn changed<T: Clone + PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, T)> {
    let pairs = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
    pairs.map(|(place, (_, new))| (place, new.clone())).collect()
}

fn states(groups: &[Group]) -> Vec<u64> {
    let state = |group: &Group| match group.state {
        GroupState::Open => 0,
        GroupState::Forced => 1,
        GroupState::Drawn => 2,
        GroupState::Won(seat) => 3 + seat.index() as u64,
    };
    groups.iter().map(state).collect()
}

/// The first of the numbers that games know of their seats.
pub(crate) fn scores(position: &Position) -> Option<Vec<i64>> {
    position.scores().first().map(|score| score.by_seat.clone())
}

/// The beginning of the line that a bot expected, with the cells of every move as long as they are legal: nothing in it is
/// checked.
pub(crate) fn ahead(position: &Position, line: &[String], most: usize) -> Vec<(String, Vec<u16>)> {
    if line.is_empty() {
        return Vec::new();
    }
    let mut position = Some(position.clone());
    let step = |text: &String| {
        let choice = position.as_ref().and_then(|position| position.read_move(text).ok());
        let path = match (&mut position, choice) {
            (Some(position), Some(choice)) => {
                let path = if choice.path.is_empty() { position.path(choice.played) } else { choice.path };
                position.play_legal(choice.played, &Chance::NONE);
                path
            }
            _ => {
                position = None;
                Vec::new()
            }
        };
        (sanitize(text), path)
    };
    line.iter().take(most).map(step).collect()
}
