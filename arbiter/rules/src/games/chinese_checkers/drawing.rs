//! The star on a grid of characters.

use super::ChineseCheckers;
use super::blocking::Demand;
use super::board::{Branch, PLACES, holes};
use super::seats::Branches;
use crate::draw::Scene;
use crate::game::{Extras, Game};
use crate::layout::{Field, Home, Layout, Pieces, Point, STEP};
use crate::seat::Seat;

/// Pawns are drawn as the number of their player.
pub(super) fn sign(seat: usize) -> char {
    char::from(b'1' + seat as u8)
}

/// 51 by 17 characters: a hole every four, shifted by two from row to row.
pub(super) fn scene() -> Scene {
    let cells = PLACES.iter().map(|&(row, column)| (1 + 2 * column as u16, row as u16)).collect();
    Scene { cells, labels: Vec::new() }
}

/// The height of a triangle whose sides are a step long.
const ROW: i32 = 866;

/// From the middle of a triangle to the middle of the hole at its tip.
const TIP: i32 = 2 * ROW;

/// The star with the triangles of those who play.
pub(super) fn layout(seated: Branches) -> Layout {
    let place = |(row, column): (usize, usize)| Point::new(column as i32 * STEP / 2, row as i32 * ROW);
    let cells: Vec<Point> = PLACES.iter().map(|&at| place(at)).collect();
    let home = |branch: Branch| Home {
        corners: corners(branch, &cells),
        seat: seated.contains(branch).then(|| seated.seat(branch)),
    };
    Layout {
        homes: Branch::ALL.into_iter().map(home).collect(),
        cells,
        field: Field::Holes,
        pieces: Pieces::Discs,
        groups: Vec::new(),
        labels: Vec::new(),
        named: true,
        piles: false,
    }
}

/// The corners of a branch: its three outermost holes, pushed outwards by a hole's width.
fn corners(branch: Branch, cells: &[Point]) -> Vec<Point> {
    let home: Vec<Point> = holes(branch.start()).map(|hole| cells[hole]).collect();
    let middle = |of: fn(&Point) -> i32| home.iter().map(of).sum::<i32>() / home.len() as i32;
    let (x, y) = (middle(|point| point.x), middle(|point| point.y));
    let is_corner = |at: &&Point| (at.x - x).pow(2) + (at.y - y).pow(2) > (TIP - STEP / 3).pow(2);
    let outwards = |at: &Point| Point::new(x + (at.x - x) * 3 / 2, y + (at.y - y) * 3 / 2);
    home.iter().filter(is_corner).map(outwards).collect()
}

impl ChineseCheckers {
    /// How far everybody has to go.
    pub(super) fn distances(&self) -> String {
        let to_go = self.distances_to_go();
        let seats: Vec<_> = Seat::all(self.seats())
            .map(|seat| match self.is_in(seat) {
                true => format!("{seat}: {} to go", to_go[seat.index()]),
                false => format!("{seat}: out"),
            })
            .collect();
        format!("  {}", seats.join("   "))
    }

    /// Whose turn it is, and whom it must let in.
    pub(super) fn whose_turn(&self) -> Vec<String> {
        let mut lines = vec![format!("  Player {} to move.", self.to_move())];
        match self.duty().demand {
            Demand::Nothing | Demand::Lapsed => {}
            Demand::Leave | Demand::MoveInside => {
                let blocked = self.seat(self.to_move.opposite());
                let why = format!("Player {blocked} can only get on by entering your home");
                lines.push(format!("  {why}: move {} (rule: no blocking).", self.way_out()));
            }
        }
        lines
    }
}
