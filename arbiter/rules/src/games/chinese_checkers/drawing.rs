//! The star on a grid of characters.

use super::ChineseCheckers;
use super::blocking::Demand;
use super::board::PLACES;
use crate::draw::Scene;
use crate::game::Game;
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

impl ChineseCheckers {
    /// How far everybody has to go.
    pub(super) fn distances(&self) -> String {
        let to_go = self.scores().remove(0).by_seat;
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
