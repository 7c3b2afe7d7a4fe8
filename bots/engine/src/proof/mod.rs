//! Exact results beside a search: endgames of Othello, connect four, and Hex on small boards or near its end.
//!
//! A [`Prover`] has half of the time for a turn, and three quarters where proofs usually succeed in the time that there is. What
//! it proves it plays; otherwise a search has the rest, among the moves that the proof has not refuted by then. So a proof that
//! fails costs the search a ply or two, and never costs it the game. What was remembered on the way serves the next turn.
//!
//! A proof asks of one move after another whether its result is better than some number, and keeps between which numbers
//! the result of each must lie. First it asks who wins, which is told most quickly and worth most; then by how much, in
//! each step halving what is possible towards a draw.

pub mod connect_four;
pub mod hex;
pub mod othello;

use std::time::Duration;

use arbiter_rules::{Move, Position};

use crate::evaluation::connect_four::grid::Grid;
use crate::{Finding, Value, Watch};

/// Whether it is time to stop.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// A game that can be solved outright: it is asked about the moves of one position until another is set up.
pub trait Solver: std::fmt::Debug + Send {
    /// Takes up a position that is not over, and says which moves there are to choose from, the most promising first.
    fn set_up(&mut self, position: &Position) -> Vec<Move>;

    /// Whether a move's result for the side that makes it is at most `low` or more: a bound on that side. `None` when it
    /// was time to stop.
    fn bound(&mut self, m: Move, low: i32, stop: Stop<'_>) -> Option<i32>;

    /// No result is better than this, or worse than its opposite.
    fn most(&self) -> i32;

    /// How many points a result of one is in reports.
    fn points(&self) -> i32;

    /// Positions looked at so far.
    fn nodes(&self) -> u64;
}

/// A move, and between which numbers its result lies.
#[derive(Clone, Copy, Debug)]
struct Branch {
    m: Move,
    low: i32,
    high: i32,
}

/// How far a proof of one position has come.
#[derive(Debug)]
pub struct Proof<'a> {
    solver: &'a mut dyn Solver,
    branches: Vec<Branch>,
}

impl<'a> Proof<'a> {
    /// Nothing is known yet of a position that is not over.
    pub fn of(solver: &'a mut dyn Solver, position: &Position) -> Proof<'a> {
        let moves = solver.set_up(position);
        let most = solver.most();
        Proof { solver, branches: moves.into_iter().map(|m| Branch { m, low: -most, high: most }).collect() }
    }

    /// Goes on from where it stood, to the best move and the result; `None` when it was time to stop.
    pub fn go_on(&mut self, stop: Stop<'_>) -> Option<(Move, i32)> {
        loop {
            let (low, high) = self.range();
            if low == high {
                let best = self.branches.iter().find(|branch| branch.low == low);
                return best.map(|best| (best.m, low));
            }
            self.ask(between(low, high), stop)?;
        }
    }

    /// Between which numbers the result lies.
    fn range(&self) -> (i32, i32) {
        self.branches
            .iter()
            .fold((i32::MIN, i32::MIN), |(low, high), branch| (low.max(branch.low), high.max(branch.high)))
    }

    /// Asks whether the result is more than `low`, of the moves first that have been found best so far.
    fn ask(&mut self, low: i32, stop: Stop<'_>) -> Option<()> {
        self.branches.sort_by_key(|branch| (-branch.low, -branch.high));
        for branch in self.branches.iter_mut().filter(|branch| branch.high > low) {
            let bound = self.solver.bound(branch.m, low, stop)?;
            if bound > low {
                branch.low = branch.low.max(bound);
                break;
            }
            branch.high = branch.high.min(bound);
        }
        Some(())
    }

    /// The moves that may be best as far as is known: none that another is better than for sure, none that loses while
    /// others may not.
    #[must_use]
    pub fn hopeful(&self) -> Vec<Move> {
        let (low, high) = self.range();
        let is_refuted = |branch: &Branch| branch.high < low || branch.high < 0 && high >= 0;
        self.branches.iter().filter(|branch| !is_refuted(branch)).map(|branch| branch.m).collect()
    }
}

/// The number to ask about next of a result from `low` to `high`: who wins, then the half that is furthest from a draw.
fn between(low: i32, high: i32) -> i32 {
    match (low, high) {
        (..0, 1..) => 0,
        (..0, 0) => -1,
        (..0, _) => (low / 2).min(high - 1),
        (0.., _) => (high / 2).max(low),
    }
}

/// What a bot keeps of its proofs from turn to turn.
#[derive(Debug, Default)]
pub struct Prover {
    solver: Option<Box<dyn Solver>>,
}

impl Prover {
    /// Whether there is a solver for the game of a position.
    #[must_use]
    pub fn knows(position: &Position) -> bool {
        usual_time(position).is_some()
    }

    /// A prover for the game of a position that remembers what fits into so many bytes, which are all touched now and not
    /// during a turn. Where there is no solver, nor in one made by default, it leaves everything to the search.
    #[must_use]
    pub fn of(position: &Position, bytes: usize) -> Prover {
        Prover { solver: Prover::knows(position).then(|| solver_of(position, bytes)) }
    }

    /// A best move if that can be proven in time; otherwise what the search finds in the rest of it, among the moves that
    /// it is given: all that may be best, at least one.
    pub fn choose(
        &mut self,
        position: &Position,
        watch: &mut dyn Watch,
        search: impl FnOnce(&[Move], &mut dyn Watch) -> Move,
    ) -> Move {
        // Nearly all proofs take less than the usual time, half of them a fifth of it; and one that fails refutes some moves.
        let time = watch.left();
        let usual = usual_time(position).filter(|&usual| usual <= 4 * time.unwrap_or(UNLIMITED));
        let (Some(usual), Some(solver)) = (usual, &mut self.solver) else {
            return search(&legal(position), watch);
        };
        let quarters = if time.is_some_and(|time| usual <= time) { 3 } else { 2 };
        let before = solver.nodes();
        let mut proof = Proof::of(&mut **solver, position);
        let mut chosen = None;
        let mut proven = proof.go_on(&|| watch.has_spent(quarters));
        if proven.is_none() {
            chosen = Some(search(&proof.hopeful(), watch));
            proven = proof.go_on(&|| watch.must_stop());
        }
        if let Some((m, result)) = proven {
            let score = result * proof.solver.points();
            let values = &[Value { m, score, is_exact: true }];
            let nodes = proof.solver.nodes() - before;
            let depth = left(position);
            watch.tell(&Finding { line: &[m], depth, score, nodes, text: "solved", values });
            return m;
        }
        chosen.expect("there was a search if there is no proof")
    }
}

/// The time that a turn is taken to have where nobody has set a limit.
const UNLIMITED: Duration = Duration::from_millis(2_500);

fn legal(position: &Position) -> Vec<Move> {
    let mut list = arbiter_rules::MoveList::new();
    position.legal_moves(&mut list);
    list.to_vec()
}

/// How many cells are empty.
fn left(position: &Position) -> u32 {
    let mut cells = vec![0; position.shape().cells()];
    position.write_cells(&mut cells);
    cells.iter().filter(|&&cell| cell == 0).count() as u32
}

/// The solver of a position's game, which [`usual_time`] knows.
fn solver_of(position: &Position, bytes: usize) -> Box<dyn Solver> {
    match position.info().id {
        "connect-four" => {
            let grid = Grid::of(position).expect("others are not solved");
            Box::new(connect_four::Lines::new(grid, bytes))
        }
        "hex" => Box::new(hex::Chains::new(position, bytes)),
        _ => Box::new(othello::Endgame::new(bytes)),
    }
}

/// The time in which nearly all positions with so many empty cells are solved, as the bench `solvers` finds it; `None` where
/// nothing can be solved.
fn usual_time(position: &Position) -> Option<Duration> {
    let left = left(position).cast_signed();
    match position.info().id {
        "othello" => Some(Duration::from_secs_f64(0.03 * 2.2_f64.powi(left - 14))),
        "connect-four" if connect_four::is_known(position) => Some(Duration::ZERO),
        "connect-four" if Grid::of(position).is_some() => {
            Some(Duration::from_secs_f64(0.05 * 1.5_f64.powi(left - 26)))
        }
        "hex" if hex::Chains::fits(position.shape().width.into()) => {
            Some(Duration::from_secs_f64(0.02 * 1.7_f64.powi(left - 16)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game whose moves have these results, and of which one may ask so often.
    #[derive(Debug)]
    struct Told {
        results: Vec<i32>,
        questions: u64,
    }

    impl Solver for Told {
        fn set_up(&mut self, _: &Position) -> Vec<Move> {
            (0..self.results.len() as u16).map(Move::place).collect()
        }

        fn bound(&mut self, m: Move, _: i32, _: Stop<'_>) -> Option<i32> {
            self.questions = self.questions.checked_sub(1)?;
            Some(self.results[usize::from(m.to())])
        }

        fn most(&self) -> i32 {
            20
        }

        fn points(&self) -> i32 {
            1
        }

        fn nodes(&self) -> u64 {
            0
        }
    }

    fn proof(told: &mut Told) -> Proof<'_> {
        let position =
            arbiter_rules::registry::start("tic-tac-toe", &arbiter_rules::Setup::default()).unwrap();
        Proof::of(told, &position)
    }

    #[test]
    fn the_best_of_all_results_is_found_whatever_they_are() {
        for shift in -15..=15 {
            let results: Vec<_> = [-3, 2, -5, 5, 0, 5].iter().map(|result| result + shift).collect();
            let mut told = Told { results, questions: 1000 };
            let (m, result) = proof(&mut told).go_on(&|| false).unwrap();
            assert_eq!((m.to() == 3 || m.to() == 5, result), (true, 5 + shift));
        }
    }

    #[test]
    fn a_proof_that_is_broken_off_leaves_no_move_that_is_known_to_lose_and_never_none() {
        let results = vec![-3, -3, -2, -3, 0, 0, -2];
        for questions in 0..20 {
            let mut told = Told { results: results.clone(), questions };
            let mut proof = proof(&mut told);
            let _ = proof.go_on(&|| false);
            let hopeful = proof.hopeful();
            assert!(hopeful.contains(&Move::place(4)) || hopeful.contains(&Move::place(5)), "{questions}");
            // After seven questions nothing wins, and what loses is known.
            assert!(
                questions < 12 || hopeful.iter().all(|m| matches!(m.to(), 4 | 5)),
                "{questions}: {hopeful:?}"
            );
        }
        let mut lost = Told { results: vec![-3, -2], questions: 5 };
        let mut proof = proof(&mut lost);
        let _ = proof.go_on(&|| false);
        assert!(!proof.hopeful().is_empty());
    }
}
