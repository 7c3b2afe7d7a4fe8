//! The player: its options, and what it keeps from turn to turn.

use arbiter_plugin_api::{Error, Game, Random, Result};
use arbiter_rules::{Move, MoveList, Position};
use bot_engine::evaluation::{self, Evaluation};
use bot_engine::{Level, Seating, Thinker, Watch};

use crate::search::Search;
use crate::tree::Tree;

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
    tree: Tree,
    random: Random,
    evaluation: Option<Box<dyn Evaluation>>,
    scratch: Option<Box<dyn Position>>,
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

    fn choose(&mut self, position: &dyn Position, watch: &mut dyn Watch) -> Move {
        let mut scratch = self.scratch.take().unwrap_or_else(|| position.copy());
        let mut evaluation = self.evaluation.take().unwrap_or_else(|| evaluation::of(position));
        let mut search = Search {
            root: position,
            seat: self.seat,
            is_clever: self.style == Style::Clever,
            has_chance: position.has_chance(),
            tree: &mut self.tree,
            random: &mut self.random,
            evaluation: &mut *evaluation,
            moves: MoveList::new(),
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
            tree: Tree::of(seating.memory),
            random: Random::new(seating.seed),
            evaluation: None,
            scratch: None,
        }
    }
}
