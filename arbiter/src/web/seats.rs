//! Who plays through pages, and which of them are there.

use super::shared::Shared;
use super::token::Rights;
use std::sync::Arc;
use std::time::Duration;

/// Somebody who plays through a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// The number of the player, from 0, in the order of the command line.
    pub player: usize,
    /// The name, made harmless.
    pub name: String,
}

/// A page that is connected. It counts as somebody's presence until it is dropped.
pub(super) struct Presence {
    shared: Arc<Shared>,
    players: Vec<usize>,
}

impl Presence {
    pub(super) fn new(shared: &Arc<Shared>, rights: &Rights) -> Presence {
        let players = rights.players.clone();
        shared.state().pages.push(players.clone());
        shared.look_who_is_there();
        Presence { shared: Arc::clone(shared), players }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        if let Some(at) = state.pages.iter().position(|players| *players == self.players) {
            state.pages.swap_remove(at);
        }
        drop(state);
        self.shared.look_who_is_there();
        self.shared.gone.notify_waiters();
    }
}

impl Shared {
    /// Lets the clock of the open turn stand still while no page of whoever is to move is connected, and says so.
    pub(super) fn look_who_is_there(&self) {
        let Some(turn) = self.show.desk.turn() else { return };
        let mut state = self.state();
        let Some(player) = state.feed.player(turn.id.game, turn.id.seat) else { return };
        let is_there = state.pages.iter().any(|players| players.contains(&player));
        let was_away = std::mem::replace(&mut state.is_away, !is_there);
        drop(state);
        if !is_there && !was_away {
            self.show.desk.away();
            self.note(
                turn.id.game,
                turn.hard.is_some(),
                "No page of player {} is open: its clock stands still.",
                turn.id.seat,
            );
        } else if is_there && was_away {
            let absence = self.show.desk.back();
            if absence.is_some_and(|absence| absence > Duration::from_secs(1)) {
                self.note(turn.id.game, turn.hard.is_some(), "Player {} is there again.", turn.id.seat);
            }
        }
    }

    fn note(&self, game: u32, is_timed: bool, sentence: &str, seat: arbiter_rules::Seat) {
        if is_timed {
            let sentence = sentence.replace("{}", &seat.to_string());
            self.show.log.append(game, crate::ui::log::What::Noted(sentence));
        }
    }
}
