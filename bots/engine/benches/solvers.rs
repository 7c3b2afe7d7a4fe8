//! How long exact solutions take: `cargo bench -p bot-engine --bench solvers -- othello 14 200`.
//!
//! The words are the game, the empty cells (Othello, Hex) or the discs (connect four), and how many positions. Half of these
//! come from random games, half from games of sensible moves, which are harder: in Othello the move that looks best, in
//! connect four any move that does not lose at once. Every tenth position is solved again after its best move, which must
//! give the same result.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use arbiter_rules::{Chance, MoveList, Position, Random, Setup, registry};
use bot_engine::evaluation;
use bot_engine::evaluation::connect_four::grid::Grid;
use bot_engine::proof::connect_four::Lines;
use bot_engine::proof::hex::Chains;
use bot_engine::proof::othello::Endgame;
use bot_engine::proof::{Proof, Solver};
use std::time::{Duration, Instant};

/// What the solvers remember in: as much as a bot gives them that has half a second for a move.
const MEMORY: usize = 64 << 20;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number =
        |at: usize, usual: usize| words.get(at).map_or(usual, |word| word.parse().expect("a number"));
    let game = words.first().map_or("", String::as_str);
    if !matches!(game, "connect-four" | "hex") {
        let empty = number(1, 14);
        let new = || Box::new(Endgame::new(MEMORY)) as Box<dyn Solver>;
        solve("othello", 60 - empty, number(2, 40), new).print(&format!("othello with {empty} empty cells"));
    }
    if !matches!(game, "othello" | "connect-four") {
        let empty = number(1, 20);
        let new = || Box::new(Chains::new(&start("hex"), MEMORY)) as Box<dyn Solver>;
        solve("hex", 49 - empty, number(2, 40), new).print(&format!("hex on 7x7 with {empty} empty cells"));
    }
    if !matches!(game, "othello" | "hex") {
        let discs = number(1, 16);
        let grid = Grid::new(7, 6).expect("the usual board");
        let new = || Box::new(Lines::new(grid, MEMORY)) as Box<dyn Solver>;
        solve("connect-four", discs, number(2, 40), new).print(&format!("connect-four with {discs} discs"));
    }
}

/// Times and positions of many solutions.
#[derive(Default)]
struct Figures {
    times: Vec<Duration>,
    nodes: Vec<u64>,
}

impl Figures {
    fn print(mut self, what: &str) {
        self.times.sort_unstable();
        self.nodes.sort_unstable();
        let total: Duration = self.times.iter().sum();
        let place = |percent: usize| (self.times.len() - 1) * percent / 100;
        let at = |percent: usize| self.times[place(percent)];
        let sum: u64 = self.nodes.iter().sum();
        println!(
            "{what}: {} positions, median {:.1?} and {} nodes, 95 % below {:.1?}, worst {:.1?} and {} nodes; {:.1} million nodes/s",
            self.times.len(),
            at(50),
            self.nodes[place(50)],
            at(95),
            at(100),
            self.nodes[place(100)],
            sum as f64 / total.as_secs_f64() / 1e6,
        );
    }
}

/// Solves so many positions after so many discs were placed.
fn solve(game: &str, placed: usize, count: usize, new: impl Fn() -> Box<dyn Solver>) -> Figures {
    let mut figures = Figures::default();
    let mut random = Random::new(1);
    while figures.times.len() < count {
        let is_sensible = figures.times.len() % 2 == 1;
        let Some(mut position) = position(game, &mut random, placed, is_sensible) else { continue };
        // A new one each time: no position profits from another.
        let mut solver = new();
        let began = Instant::now();
        let (m, result) = Proof::of(&mut *solver, &position).go_on(&|| false).expect("nobody stops it");
        figures.times.push(began.elapsed());
        figures.nodes.push(solver.nodes());
        if figures.times.len() % 10 == 0 {
            let text = position.text();
            position.play(m, &Chance::NONE).expect("the solver plays legal moves");
            if position.end().is_none() {
                let (_, reply) =
                    Proof::of(&mut *solver, &position).go_on(&|| false).expect("nobody stops it");
                assert_eq!(reply, -result, "{text}");
            }
        }
    }
    figures
}

/// The start of a game; Hex on 7x7 without swapping.
fn start(game: &str) -> Position {
    let options: &[_] = if game == "hex" { &[("size", "7"), ("swap", "false")] } else { &[] };
    registry::start(game, &Setup { options, ..Setup::default() }).expect("a game of ours")
}

/// A position of a game that goes on, and in which there is a choice; `None` if it ended before.
fn position(game: &str, random: &mut Random, placed: usize, is_sensible: bool) -> Option<Position> {
    let mut position = start(game);
    let mut evaluation = evaluation::of(&position);
    let mut moves = MoveList::new();
    let mut discs = 0;
    loop {
        position.to_move()?;
        position.legal_moves(&mut moves);
        if discs == placed && !position.must_pass() {
            return Some(position);
        }
        if is_sensible {
            evaluation.narrow(&position, &mut moves);
        }
        if is_sensible && game == "hex" {
            let mut promises = Vec::new();
            evaluation.promises(&position, 0, &moves, &mut promises);
            let best = promises.iter().max().copied()?;
            let mut promises = promises.into_iter();
            moves.retain(|_| promises.next().is_some_and(|promise| promise > best - 20));
        }
        let mut m = moves[random.below(moves.len())];
        if is_sensible && game == "othello" && discs > 12 {
            let sign = if position.to_move()?.index() == 0 { 1 } else { -1 };
            let mut worth = |m| {
                position.play_legal(m, &Chance::NONE);
                let worth = if position.end().is_some() { 0 } else { sign * evaluation.points(&position)[0] };
                position.undo();
                worth
            };
            m = *moves.iter().max_by_key(|&&m| worth(m))?;
        }
        discs += usize::from(!position.must_pass());
        position.play_legal(m, &Chance::NONE);
    }
}
