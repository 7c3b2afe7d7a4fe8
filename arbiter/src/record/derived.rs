//! What a record leaves out because its reader can derive it, and how: the one place that decides.

use super::schema::{ChosenBy, FaultRecord, GameRecord, OutcomeRecord, PlyRecord, SearchRecord, SeatRecord};
use std::collections::BTreeMap;

impl GameRecord {
    /// Leaves out what a reader derives: of a game that has just been played, and of one in a file of format 1 or 2, which
    /// says all of it.
    pub fn leave_out_derivable(&mut self) {
        let mut next = 0;
        for ply in &mut self.plies {
            let seat = ply.seat.unwrap_or(next);
            ply.seat = ply.seat.filter(|&seat| seat != next);
            next = seat_after(seat, &self.seats);
            leave_out_charge(&mut ply.charged_ns, ply.wall_ns);
            if ply.by != ChosenBy::Player {
                ply.wall_ns = ply.wall_ns.filter(|&time| time != 0);
            }
            if ply.earthquake.as_ref().is_some_and(BTreeMap::is_empty) {
                ply.earthquake = None;
            }
            if ply.search.as_ref().is_some_and(|said| **said == SearchRecord::default()) {
                ply.search = None;
            }
        }
        self.errors.iter_mut().for_each(|error| leave_out_charge(&mut error.charged_ns, error.wall_ns));
        self.errors_left_out.iter_mut().for_each(|turn| leave_out_charge(&mut turn.charged_ns, turn.wall_ns));
        self.faults_mut().for_each(|(_, fault)| leave_out_charge(&mut fault.charged_ns, fault.wall_ns));
        if let Some(outcome) = &mut self.outcome {
            outcome.said_winner = outcome.said_winner.filter(|&said| Some(said) != outcome.winner());
        }
    }

    /// Every move with the seat that made it.
    pub fn turns(&self) -> impl Iterator<Item = (u32, &PlyRecord)> {
        let mut next = 0;
        self.plies.iter().map(move |ply| {
            let seat = ply.seat.unwrap_or(next);
            next = seat_after(seat, &self.seats);
            (seat, ply)
        })
    }

    /// The faults that took a seat out of the game or ended it, each with its seat.
    pub fn faults(&self) -> impl Iterator<Item = (u32, &FaultRecord)> {
        let eliminated = self.eliminations.iter().map(|out| (out.seat, &out.fault));
        eliminated.chain(self.ending.seat.zip(self.ending.fault.as_ref()))
    }

    /// The same faults, to be changed.
    pub(crate) fn faults_mut(&mut self) -> impl Iterator<Item = (u32, &mut FaultRecord)> {
        let eliminated = self.eliminations.iter_mut().map(|out| (out.seat, &mut out.fault));
        eliminated.chain(self.ending.seat.zip(self.ending.fault.as_mut()))
    }
}

impl OutcomeRecord {
    /// The seat that is first alone.
    pub fn winner(&self) -> Option<u32> {
        let mut first = (0..).zip(&self.ranks).filter(|(_, rank)| **rank == 1).map(|(seat, _)| seat);
        first.next().filter(|_| first.next().is_none())
    }
}

/// Whose turn comes after a seat's, as long as nobody is out and nobody has to pass.
fn seat_after(seat: u32, seats: &[SeatRecord]) -> u32 {
    seat.checked_add(1).filter(|&next| (next as usize) < seats.len()).unwrap_or(0)
}

fn leave_out_charge(charged_ns: &mut Option<u64>, wall_ns: Option<u64>) {
    *charged_ns = charged_ns.filter(|_| *charged_ns != wall_ns);
}
