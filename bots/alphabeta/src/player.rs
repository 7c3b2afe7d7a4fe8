//! The player: which search or solver answers when.

use std::time::Duration;

use arbiter_plugin_api::{Error, Game, Random, Result};
use arbiter_rules::{Move, MoveList, Position, Seat};
use bot_engine::evaluation::connect_four::grid::Grid;
use bot_engine::evaluation::{self, Evaluation, othello::Heuristic};
use bot_engine::{Finding, Level, Seating, Thinker, Value, Watch};

use crate::any_game::AnyGame;
use crate::average::{self, Draws};
use crate::board::{Board, Candidate};
use crate::connect_four::{board as four, solver::Solver};
use crate::memory::Memory;
use crate::othello::{board as othello, endgame::Endgame};
use crate::search::{DEEPEST, Found, Plan, Search};
use crate::ultimate;

/// A player of any game.
pub struct Alphabeta {
    seat: Seat,
    depth: u32,
    level: Level,
    heuristic: Heuristic,
    /// Whether nothing was asked for but full strength.
    may_solve: bool,
    /// How many points a draw of ultimate is worth less than a position that is even.
    dislike_of_draws: i32,
    memory: Memory,
    bytes: usize,
    random: Random,
    evaluation: Option<Box<dyn Evaluation>>,
    endgame: Option<Endgame>,
    solver: Option<Solver>,
}

impl Thinker for Alphabeta {
    const OPTIONS: &'static [&'static str] = &["level", "depth", "eval"];

    fn sit_down(game: &Game<'_>, seating: Seating) -> Result<Alphabeta> {
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
        evaluation::prepare(game.id());
        let mut player = Alphabeta::new(seating, level);
        player.depth = player.depth.min(given.unwrap_or(DEEPEST));
        player.heuristic = heuristic.unwrap_or_default();
        player.may_solve &= given.is_none() && player.heuristic == Heuristic::All;
        Ok(player)
    }

    fn choose(&mut self, position: &Position, watch: &mut dyn Watch) -> Move {
        if let Some(m) = self.blunder(position) {
            return m;
        }
        match position.info().id {
            _ if position.has_chance() => self.choose_on_average(position, watch),
            "othello" => self.choose_in_othello(position, watch),
            "connect-four" => self.choose_in_connect_four(position, watch),
            "ultimate" => {
                let mut board = ultimate::BitBoard::of(position, self.dislike_of_draws);
                self.search(position, &mut board, watch, self.plan(128)).line[0]
            }
            _ => self.search_rules(position, watch, self.plan(16)).line[0],
        }
    }
}

impl Alphabeta {
    /// A player without options.
    #[must_use]
    pub fn new(seating: Seating, level: Level) -> Alphabeta {
        Alphabeta {
            seat: Seat::new(seating.seat).unwrap_or(Seat::FIRST),
            depth: level.pick([1, 1, 2, 2, 3, 3, 4, 5, 7, DEEPEST]),
            level,
            heuristic: Heuristic::All,
            may_solve: level.is_full(),
            dislike_of_draws: evaluation::ultimate::DISLIKE_OF_DRAWS,
            memory: Memory::of(seating.memory / 2),
            bytes: seating.memory / 2,
            random: Random::new(seating.seed),
            evaluation: None,
            endgame: None,
            solver: None,
        }
    }

    /// Takes a draw for no worse than an even position, in ultimate too: so that its scores are true for both seats.
    #[must_use]
    pub fn at_ease_with_draws(self) -> Alphabeta {
        Alphabeta { dislike_of_draws: 0, ..self }
    }

    fn plan(&self, look: u64) -> Plan {
        Plan { depth: self.depth, look }
    }

    /// On low levels now and then any move at all.
    fn blunder(&mut self, position: &Position) -> Option<Move> {
        let percent = self.level.pick([50, 25, 25, 15, 10, 5, 0, 0, 0, 0]);
        (self.random.below(100) < percent)
            .then(|| position.nth_legal(self.random.below(position.legal_count())))
    }

    /// The moves at the root, in an order that changes from game to game.
    fn root_moves(&mut self, position: &Position, board: &mut impl Board) -> Vec<Candidate> {
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        let mut sensible = Vec::new();
        board.moves(&mut sensible);
        debug_assert!(sensible.iter().all(|candidate| list.contains(&candidate.m)), "{position:?}");
        self.random.shuffle(&mut sensible);
        sensible
    }

    fn search(
        &mut self,
        position: &Position,
        board: &mut impl Board,
        watch: &mut dyn Watch,
        plan: Plan,
    ) -> Found {
        let moves = self.root_moves(position, board);
        Search::new(board, &mut self.memory, watch, plan).best(moves)
    }

    /// Searches on a position of the rules.
    fn search_rules(&mut self, position: &Position, watch: &mut dyn Watch, plan: Plan) -> Found {
        let evaluation = self.evaluation.take().unwrap_or_else(|| evaluation::of(position));
        let mut board = AnyGame::new(position, evaluation, self.seat);
        let found = self.search(position, &mut board, watch, plan);
        self.evaluation = Some(board.into_evaluation());
        found
    }

    /// Searches on a position of the rules after whose moves there is chance.
    fn choose_on_average(&mut self, position: &Position, watch: &mut dyn Watch) -> Move {
        let evaluation = self.evaluation.take().unwrap_or_else(|| evaluation::of(position));
        let clear_lead = evaluation.clear_lead();
        let mut board = AnyGame::new(position, evaluation, self.seat);
        let moves = self.root_moves(position, &mut board);
        let depth = (self.depth < DEEPEST).then_some(self.depth);
        let draws = Draws { depth, clear_lead, random: &mut self.random };
        let mut search =
            Search::new(&mut board, &mut self.memory, watch, Plan { depth: self.depth, look: 16 });
        let found = average::best(&mut search, position, moves, draws);
        self.evaluation = Some(board.into_evaluation());
        found.line[0]
    }

    fn choose_in_othello(&mut self, position: &Position, watch: &mut dyn Watch) -> Move {
        let (own, other) = othello::discs_of(position);
        let left = (!(own | other)).count_ones();
        let mut board = othello::BitBoard::of(position, self.heuristic);
        if self.may_solve && is_worth_solving(endgame_time(left), left <= 14, watch) {
            let quick = Plan { depth: 4, look: 128 };
            let fallback = self.search(position, &mut board, watch, quick).line[0];
            let endgame = self.endgame.get_or_insert_with(|| Endgame::new(self.bytes));
            let before = endgame.nodes();
            let Some((cell, score)) = endgame.best(own, other, watch) else { return fallback };
            let m = cell.map_or(Move::PASS, |cell| Move::place(cell as u16));
            tell_solved(watch, m, score, left, endgame.nodes() - before);
            return m;
        }
        self.search(position, &mut board, watch, self.plan(128)).line[0]
    }

    fn choose_in_connect_four(&mut self, position: &Position, watch: &mut dyn Watch) -> Move {
        let Some(mut board) = four::BitBoard::of(position) else {
            return self.search_rules(position, watch, self.plan(16)).line[0];
        };
        let grid = Grid::of(position).expect("there is a board of it");
        let discs = four::discs_of(position, grid);
        let left = (grid.cells() - discs.count()).unsigned_abs();
        if self.may_solve && is_worth_solving(solver_time(left), left <= 26, watch) {
            let quick = Plan { depth: 8, look: 128 };
            let fallback = self.search(position, &mut board, watch, quick).line[0];
            let solver = self.solver.get_or_insert_with(|| Solver::new(grid, self.bytes));
            let before = solver.nodes();
            let Some((landing, score)) = solver.best(discs, watch) else { return fallback };
            let m = four::move_of(grid, landing);
            tell_solved(watch, m, score, left, solver.nodes() - before);
            return m;
        }
        self.search(position, &mut board, watch, self.plan(128)).line[0]
    }
}

/// Whether there is time for a solver that usually takes so long. Within its promised reach it is tried whenever
/// there is a second.
fn is_worth_solving(usual: Duration, is_promised: bool, watch: &dyn Watch) -> bool {
    match watch.left() {
        None => is_promised,
        Some(left) => left >= usual || is_promised && left >= Duration::from_millis(900),
    }
}

/// The time in which nearly all Othello positions with so many empty cells are solved, as the bench `solvers` finds it.
fn endgame_time(left: u32) -> Duration {
    Duration::from_secs_f64(0.03 * 2.2_f64.powi(left.cast_signed() - 14))
}

/// The time in which nearly all positions of connect four with so many empty cells are solved, by the same bench.
fn solver_time(left: u32) -> Duration {
    Duration::from_secs_f64(0.05 * 1.5_f64.powi(left.cast_signed() - 26))
}

fn tell_solved(watch: &mut dyn Watch, m: Move, score: i32, left: u32, nodes: u64) {
    let values = &[Value { m, score, is_exact: true }];
    watch.tell(&Finding { line: &[m], depth: left, score, nodes, text: "solved", values });
}
