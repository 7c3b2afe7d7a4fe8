//! A player with a fixed list of answers.

use arbiter::player::{Answer, Briefing, Player, Reply, Turn};
use arbiter::verdict::{Failure, Fault, Spent};
use std::collections::VecDeque;

/// Gives its answers in order, each with the time it is said to have taken. A player whose list is used up has left.
pub(crate) struct Script {
    answers: VecDeque<(Answer, Spent)>,
    new_game: Option<Failure>,
}

impl Script {
    /// A player with these answers.
    pub(crate) fn new(answers: impl IntoIterator<Item = (Answer, Spent)>) -> Script {
        Script { answers: answers.into_iter().collect(), new_game: None }
    }

    /// A player that fails before the first move.
    pub(crate) fn failing(failure: impl Into<Failure>) -> Script {
        Script { answers: VecDeque::new(), new_game: Some(failure.into()) }
    }
}

impl Player for Script {
    fn new_game(&mut self, _: &Briefing<'_>) -> Result<(), Failure> {
        self.new_game.clone().map_or(Ok(()), Err)
    }

    fn choose(&mut self, _: &Turn<'_>) -> Reply {
        let left = (Answer::Fault(Fault::Left), Spent::default());
        let (answer, spent) = self.answers.pop_front().unwrap_or(left);
        Reply { answer, spent, report: None }
    }
}
