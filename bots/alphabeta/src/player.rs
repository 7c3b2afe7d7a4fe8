//! The player: which search or solver answers when.

use arbiter_plugin_api::{Error, Game, Random, Result};
use arbiter_rules::{Move, Position, Seat};
use bot_engine::evaluation::{self, Evaluation, othello::Heuristic};
use bot_engine::{Level, Prover, Seating, Thinker, Watch, blunder};

use crate::any_game::AnyGame;
use crate::average::{self, Draws};
use crate::board::{Board, Candidate};
use crate::search::{DEEPEST, Plan, Search};
use crate::transpositions::Transpositions;
use crate::{connect_four, othello, ultimate};

/// Positions between two looks at the clock, on boards of bits and on those of the rules: a fraction of a millisecond.
const BITS_LOOK: u64 = 128;
const RULES_LOOK: u64 = 16;

/// What each level does: moves at random, in percent, and plies looked ahead. `STRENGTH.md` has the Elo between them.
const LEVELS: [(usize, u32); 10] =
    [(80, 1), (57, 1), (32, 1), (14, 1), (6, 1), (7, 2), (3, 3), (2, 4), (1, 6), (0, DEEPEST)];

/// What a search to this depth remembers at most, in bytes. All of it is touched in every game, which takes far longer than
/// a shallow search does, or a deep one on a small board.
fn useful_memory(start: &Position, depth: u32) -> usize {
    let to_depth = (16 << 10) << (2 * depth.min(8));
    // A cell is empty or of one of two colours in nearly all games.
    let positions = 3_usize.checked_pow(start.shape().cells() as u32).unwrap_or(usize::MAX);
    positions.saturating_mul(64).min(to_depth)
}

/// A player of any game.
pub struct Alphabeta {
    seat: Seat,
    depth: u32,
    /// Moves at random, in percent.
    blunders: usize,
    heuristic: Heuristic,
    /// How many points a draw of ultimate is worth less than a position that is even.
    dislike_of_draws: i32,
    /// Positions that the search has seen.
    transpositions: Transpositions,
    prover: Prover,
    random: Random,
    evaluation: Box<dyn Evaluation>,
}

impl Thinker for Alphabeta {
    const OPTIONS: &'static [&'static str] = &["level", "depth", "eval"];

    fn sit_down(game: &Game<'_>, start: &Position, seating: Seating) -> Result<Alphabeta> {
        let level = game.parse_option("level")?.unwrap_or(Level::FULL);
        let given: Option<u32> = game.parse_option("depth")?;
        if let Some(depth) = given
            && !(1..=DEEPEST).contains(&depth)
        {
            return Err(Error::unsupported(format!("option depth={depth}: it goes from 1 to {DEEPEST}")));
        }
        let heuristic: Option<Heuristic> = game.parse_option("eval")?;
        if heuristic.is_some() && game.id() != "othello" {
            return Err(Error::unsupported("option eval is for Othello only"));
        }
        let memory = seating.memory.min(useful_memory(start, given.unwrap_or(DEEPEST)));
        let mut player = Alphabeta::new(start, Seating { memory, ..seating }, level);
        player.depth = player.depth.min(given.unwrap_or(DEEPEST));
        player.heuristic = heuristic.unwrap_or_default();
        if given.is_some() || player.heuristic != Heuristic::All {
            player.prover = Prover::default();
        }
        Ok(player)
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

impl Alphabeta {
    /// A player without other options, for the game of this position.
    #[must_use]
    pub fn new(start: &Position, seating: Seating, level: Level) -> Alphabeta {
        let proves = level.is_full() && Prover::knows(start);
        let (blunders, depth) = level.pick(LEVELS);
        let memory = seating.memory.min(useful_memory(start, depth));
        let bytes = if proves { memory / 2 } else { memory };
        Alphabeta {
            seat: Seat::new(seating.seat).unwrap_or(Seat::FIRST),
            depth,
            blunders,
            heuristic: Heuristic::All,
            dislike_of_draws: evaluation::ultimate::DISLIKE_OF_DRAWS,
            transpositions: Transpositions::of(bytes),
            prover: if proves { Prover::of(start, bytes) } else { Prover::default() },
            random: Random::new(seating.seed),
            evaluation: evaluation::of(start),
        }
    }

    /// Values a draw like an even position, in ultimate too, so that scores mean the same for both seats.
    #[must_use]
    pub fn at_ease_with_draws(self) -> Alphabeta {
        Alphabeta { dislike_of_draws: 0, ..self }
    }

    /// The best of the hopeful moves that a search finds.
    fn find(&mut self, position: &Position, hopeful: &[Move], watch: &mut dyn Watch) -> Move {
        match position.info().id {
            _ if position.has_chance() => return self.find_on_average(position, watch),
            "othello" => {
                let mut board = othello::BitBoard::of(position, self.heuristic);
                return self.search(&mut board, hopeful, watch, BITS_LOOK);
            }
            "connect-four" => {
                if let Some(mut board) = connect_four::BitBoard::of(position) {
                    return self.search(&mut board, hopeful, watch, BITS_LOOK);
                }
            }
            "ultimate" => {
                let mut board = ultimate::BitBoard::of(position, self.dislike_of_draws);
                return self.search(&mut board, hopeful, watch, BITS_LOOK);
            }
            _ => {}
        }
        let evaluation = std::mem::replace(&mut self.evaluation, evaluation::none());
        let mut board = AnyGame::new(position, evaluation, self.seat);
        let m = self.search(&mut board, hopeful, watch, RULES_LOOK);
        self.evaluation = board.into_evaluation();
        m
    }

    /// The moves at the root, in an order that changes from game to game.
    fn root_moves(&mut self, board: &mut impl Board) -> Vec<Candidate> {
        let mut sensible = Vec::new();
        board.moves(&mut sensible);
        self.random.shuffle(&mut sensible);
        sensible
    }

    /// Searches, with so many positions between two looks at the clock.
    fn search(&mut self, board: &mut impl Board, hopeful: &[Move], watch: &mut dyn Watch, look: u64) -> Move {
        let mut moves = self.root_moves(board);
        moves.retain(|candidate| hopeful.contains(&candidate.m));
        let plan = Plan { depth: self.depth, look };
        Search::new(board, &mut self.transpositions, watch, plan).best(moves).line[0]
    }

    /// Searches on a position of the rules after whose moves there is chance.
    fn find_on_average(&mut self, position: &Position, watch: &mut dyn Watch) -> Move {
        let evaluation = std::mem::replace(&mut self.evaluation, evaluation::none());
        let clear_lead = evaluation.clear_lead();
        let mut board = AnyGame::new(position, evaluation, self.seat);
        let moves = self.root_moves(&mut board);
        let depth = (self.depth < DEEPEST).then_some(self.depth);
        let draws = Draws { depth, clear_lead, random: &mut self.random };
        let mut search = Search::new(
            &mut board,
            &mut self.transpositions,
            watch,
            Plan { depth: self.depth, look: RULES_LOOK },
        );
        let found = average::best(&mut search, position, moves, draws);
        self.evaluation = board.into_evaluation();
        found.line[0]
    }
}
