//! Moves that a person takes back, in games in which that was agreed on.

use super::{GameClock, Opinions, Table};
use crate::verdict::{ChosenBy, Ending, Event, Played, Spent};
use arbiter_rules::{Chance, Choice, Seat};
use std::ops::ControlFlow;

/// What has been played, as far as it may be taken back.
pub(super) type Past = Vec<Ply>;

pub(super) struct Ply {
    seat: Seat,
    choice: Choice,
    by: ChosenBy,
    spent: Spent,
    chance: Chance,
    /// The clocks and errors at the beginning of the turn.
    clock: GameClock,
    errors: Vec<u32>,
}

impl Table<'_, '_> {
    /// The last turn in which a seat chose a move, in plies from the start.
    pub(super) fn last_choice(&self, seat: Seat) -> Option<usize> {
        self.past.iter().rposition(|ply| ply.seat == seat && ply.by == ChosenBy::Player)
    }

    /// Remembers a move that is about to be played.
    pub(super) fn remember(
        &mut self,
        seat: Seat,
        choice: &Choice,
        by: ChosenBy,
        spent: Spent,
        chance: &Chance,
    ) {
        let Some((clock, errors)) = self.turn_began.clone() else { return };
        let (choice, chance) = (choice.clone(), chance.clone());
        self.past.push(Ply { seat, choice, by, spent, chance, clock, errors });
    }

    /// Takes back the last move of a seat and everything after it. For the players the game begins anew.
    pub(super) fn take_back(&mut self, seat: Seat) -> ControlFlow<Ending> {
        let Some(kept) = self.last_choice(seat) else { return ControlFlow::Continue(()) };
        let taken = self.past.split_off(kept);
        (self.clock, self.opinions) = (taken[0].clock.clone(), Opinions::default());
        for (chair, errors) in self.chairs.iter_mut().zip(&taken[0].errors) {
            chair.errors = *errors;
        }
        let failed = self.seat_players()?;
        self.position = self.game.start.clone();
        self.seen.clear();
        self.count_position();
        for ply in std::mem::take(&mut self.past) {
            self.tell_again(&ply);
            self.past.push(ply);
        }
        let (ply, plies) = (kept as u32, taken.len() as u32);
        (self.events)(&Event::TakenBack { seat, ply, plies, position: &self.position });
        for (seat, fault) in failed {
            self.lose(seat, fault)?;
        }
        ControlFlow::Continue(())
    }

    /// Plays a ply that is kept, and tells the players of it, and nobody else.
    fn tell_again(&mut self, past: &Ply) {
        let ply = self.position.ply();
        let text = self.position.choice_text(&past.choice);
        self.position.play(past.choice.played, &past.chance).expect("it has been played before");
        self.count_position();
        let played = Event::Played(Played {
            seat: past.seat,
            ply,
            choice: &past.choice,
            text: &text,
            by: past.by,
            obligation: None,
            spent: past.spent,
            chance: &past.chance,
            report: None,
            position: &self.position,
        });
        super::tell(&mut self.chairs, &self.position, &played);
    }
}
