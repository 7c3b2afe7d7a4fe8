//! The player: its options, and what it keeps from turn to turn.

use arbiter_plugin_api::{Error, Game, Random, Result};
use arbiter_rules::{MAX_SEATS, Move, MoveList, Position};
use bot_engine::evaluation::{self, Evaluation, chance_of};
use bot_engine::{Level, Prover, Seating, Thinker, Watch, blunder};

use crate::search::Search;
use crate::tree::{Rewards, Tree};

/// What each level does: moves at random, in percent; games at most; and whether it looks at the positions after moves before
/// it tries them, with which even a few games play too well for low levels. `STRENGTH.md` has the Elo between them.
const LEVELS: [(usize, u32, bool); 10] = [
    (65, 4, false),
    (40, 10, false),
    (20, 10, false),
    (15, 30, false),
    (4, 30, false),
    (5, 60, false),
    (2, 100, false),
    (1, 250, true),
    (0, 700, true),
    (0, u32::MAX, true),
];

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
    /// Moves at random, in percent.
    blunders: usize,
    /// Games at most.
    games: u32,
    /// Whether it looks at the positions after moves before it tries them.
    looks_ahead: bool,
    tree: Tree,
    prover: Prover,
    random: Random,
    evaluation: Box<dyn Evaluation>,
    scratch: Position,
}

impl Thinker for Mcts {
    const OPTIONS: &'static [&'static str] = &["level", "plain"];

    fn sit_down(game: &Game<'_>, start: &Position, seating: Seating) -> Result<Mcts> {
        let level = game.parse_option("level")?.unwrap_or(Level::FULL);
        let style = match game.option("plain") {
            None | Some("false") => Style::Clever,
            Some("true") => Style::Plain,
            Some(other) => {
                return Err(Error::unsupported(format!("option plain={other}: try true or false")));
            }
        };
        Ok(Mcts::new(start, seating, level, style))
    }

    fn choose(&mut self, position: &Position, watch: &mut dyn Watch) -> Move {
        if let Some(m) = blunder(self.blunders, position, &mut self.random) {
            return m;
        }
        let mut prover = std::mem::take(&mut self.prover);
        let m = prover.choose(position, watch, |hopeful, watch| self.find(position, hopeful, watch));
        self.prover = prover;
        m
    }
}

impl Mcts {
    /// The best of the hopeful moves that a search finds.
    fn find(&mut self, position: &Position, hopeful: &[Move], watch: &mut dyn Watch) -> Move {
        let of_draw = self.of_draw(position.seats());
        let mut search = Search {
            root: position,
            hopeful,
            seat: self.seat,
            is_clever: self.style == Style::Clever,
            looks_ahead: self.looks_ahead,
            has_chance: position.has_chance(),
            tree: &mut self.tree,
            random: &mut self.random,
            of_draw,
            evaluation: &mut *self.evaluation,
            moves: MoveList::new(),
            promises: Vec::new(),
            weights: Vec::new(),
            path: Vec::new(),
            steps: 0,
        };
        search.best(&mut self.scratch, self.games, watch)
    }

    /// A player of this strength and style, for the game of this position.
    #[must_use]
    pub fn new(start: &Position, seating: Seating, level: Level, style: Style) -> Mcts {
        let proves = level.is_full() && style == Style::Clever && Prover::knows(start);
        let bytes = if proves { seating.memory / 2 } else { seating.memory };
        let (blunders, games, looks_ahead) = level.pick(LEVELS);
        Mcts {
            seat: seating.seat,
            style,
            blunders,
            games,
            looks_ahead,
            tree: Tree::of(bytes),
            prover: if proves { Prover::of(start, bytes) } else { Prover::default() },
            random: Random::new(seating.seed),
            evaluation: evaluation::of(start),
            scratch: start.clone(),
        }
    }

    /// What each seat gets of a draw: one of two gives up a little rather than draw.
    fn of_draw(&self, seats: usize) -> Rewards {
        let evaluation = &*self.evaluation;
        let mut of_draw = [0.5; MAX_SEATS];
        if seats == 2 && self.style == Style::Clever && evaluation.draw().is_some() {
            let own = chance_of(-evaluation.dislike_of_draws(), evaluation.clear_lead());
            (of_draw[self.seat], of_draw[1 - self.seat]) = (own, 1.0 - own);
        }
        of_draw
    }
}
