//! The slanted board, with the sides that belong together marked.

use super::Hex;
use crate::draw::{Charset, Scene};
use crate::layout::{Field, Home, Layout, Pieces, Point, STEP};
use crate::notation::column_letter;
use crate::seat::Seat;

/// From one row to the next.
const ROW: i32 = 866;

/// How far the board goes on beyond the middles of its outermost cells, along its sides.
const RIM: i32 = 830;

/// The middle of a cell, or of a place beyond the board.
fn place(row: i32, column: i32) -> Point {
    Point::new(column * STEP + row * STEP / 2, row * ROW)
}

pub(super) fn layout(position: &Hex) -> Layout {
    let size = position.size as i32;
    let cells = (0..size * size).map(|cell| place(cell / size, cell % size));
    let beside = |at: Point, x: i32, y: i32| Point::new(at.x + x, at.y + y);
    let columns = (0..size).map(|column| {
        let letter = column_letter(column as u16).to_string();
        (beside(place(-1, column), 0, -STEP / 4), letter)
    });
    let rows = (0..size).map(|row| (beside(place(row, -1), -STEP / 3, 0), (row + 1).to_string()));
    Layout {
        cells: cells.collect(),
        field: Field::Hexagons,
        pieces: Pieces::Discs,
        groups: Vec::new(),
        homes: homes(size),
        labels: columns.chain(rows).collect(),
        named: false,
        piles: false,
    }
}

/// A strip along each side, from the middles of its cells outwards.
fn homes(size: i32) -> Vec<Home> {
    let corner = |bottom: i32, right: i32, by: i32| {
        let at = place(bottom * (size - 1), right * (size - 1));
        let (down, across) = ((2 * bottom - 1) * by, (2 * right - 1) * by);
        Point::new(at.x + across + down / 2, at.y + down * ROW / STEP)
    };
    let strip = |seat: Seat, from: (i32, i32), to: (i32, i32)| Home {
        corners: vec![
            corner(from.0, from.1, RIM),
            corner(to.0, to.1, RIM),
            corner(to.0, to.1, 0),
            corner(from.0, from.1, 0),
        ],
        seat: Some(seat),
    };
    vec![
        strip(Seat::FIRST, (0, 0), (0, 1)),
        strip(Seat::FIRST, (1, 0), (1, 1)),
        strip(Seat::SECOND, (0, 0), (1, 0)),
        strip(Seat::SECOND, (0, 1), (1, 1)),
    ]
}

/// Each row half a cell further to the right; around them the signs of those who connect the sides, as if they had stones
/// there.
pub(super) fn scene(position: &Hex, _: Charset) -> Scene {
    let size = position.size as u16;
    let at = |row: u16, column: u16| (6 + 2 * column + row, 2 + row);
    let cells = (0..size * size).map(|cell| at(cell / size, cell % size)).collect();
    let columns = (0..size).map(|column| (4 + 2 * column, 0, column_letter(column).to_string()));
    let rows = (0..size).map(|row| {
        let number = (row + 1).to_string();
        (2 + row - number.len() as u16, 2 + row, number)
    });
    let edge = vec!["x"; position.size].join(" ");
    let top_and_bottom = [(5, 1, edge.clone()), (7 + size - 1, 2 + size, edge)];
    let left_and_right = (0..size)
        .flat_map(|row| [(4 + row, 2 + row, "o".to_owned()), (6 + 2 * size + row, 2 + row, "o".to_owned())]);
    let labels = columns.chain(rows).chain(top_and_bottom).chain(left_and_right).collect();
    Scene { cells, labels }
}
