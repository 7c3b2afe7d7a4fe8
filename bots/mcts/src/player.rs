//! The player: its options, and what it keeps from turn to turn.

use arbiter_plugin_api::{Error, Game, Random, Result};
use arbiter_rules::{MAX_SEATS, Move, MoveList, Position};
use bot_engine::evaluation::{self, Evaluation, chance_of};
use bot_engine::{Level, Seating, Thinker, Watch};

use crate::search::Search;
use crate::tree::{Rewards, Tree};

/// How it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With everything that helps.
    Clever,
    /// UCT and nothing else.
    Plain,
}

/// A player of any game.
pub struct Mcts {
    seat: usize,
    style: Style,
    /// Games at most.
    games: u32,
    /// Whether it looks at the positions after moves before it tries them: who does would be no beginner with two games.
    looks_ahead: bool,
    tree: Tree,
    random: Random,
    evaluation: Option<Box<dyn Evaluation>>,
    scratch: Option<Position>,
}

impl Thinker for Mcts {
    const OPTIONS: &'static [&'static str] = &["level", "plain"];

    fn sit_down(game: &Game<'_>, seating: Seating) -> Result<Mcts> {
        let level = game.parse_option("level")?.unwrap_or(Level::FULL);
        let style = match game.option("plain") {
            None | Some("false") => Style::Clever,
            Some("true") => Style::Plain,
            Some(other) => {
                return Err(Error::unsupported(format!("option plain={other}: try true or false")));
            }
        };
        evaluation::prepare(game.id());
        Ok(Mcts::new(seating, level, style))
    }

    fn choose(&mut self, position: &Position, watch: &mut dyn Watch) -> Move {
        let mut scratch = self.scratch.take().unwrap_or_else(|| position.clone());
        let mut evaluation = self.evaluation.take().unwrap_or_else(|| evaluation::of(position));
        let of_draw = self.of_draw(position.seats(), &*evaluation);
        let mut search = Search {
            root: position,
            seat: self.seat,
            is_clever: self.style == Style::Clever,
            looks_ahead: self.looks_ahead,
            has_chance: position.has_chance(),
            tree: &mut self.tree,
            random: &mut self.random,
            of_draw,
            evaluation: &mut *evaluation,
            moves: MoveList::new(),
            promises: Vec::new(),
            weights: Vec::new(),
            path: Vec::new(),
            steps: 0,
        };
        let chosen = search.best(&mut scratch, self.games, watch);
        (self.scratch, self.evaluation) = (Some(scratch), Some(evaluation));
        chosen
    }
}

impl Mcts {
    /// A player of this strength and style.
    #[must_use]
    pub fn new(seating: Seating, level: Level, style: Style) -> Mcts {
        Mcts {
            seat: seating.seat,
            style,
            games: level.pick([2, 4, 8, 16, 40, 100, 300, 1_000, 4_000, u32::MAX]),
            looks_ahead: level.pick([false, false, false, false, false, false, true, true, true, true]),
            tree: Tree::of(seating.memory),
            random: Random::new(seating.seed),
            evaluation: None,
            scratch: None,
        }
    }

    /// What each seat gets of a draw: one of two gives up a little rather than draw.
    fn of_draw(&self, seats: usize, evaluation: &dyn Evaluation) -> Rewards {
        let mut of_draw = [0.5; MAX_SEATS];
        if seats == 2 && self.style == Style::Clever && evaluation.draw().is_some() {
            let own = chance_of(-evaluation.dislike_of_draws(), evaluation.clear_lead());
            (of_draw[self.seat], of_draw[1 - self.seat]) = (own, 1.0 - own);
        }
        of_draw
    }
}
