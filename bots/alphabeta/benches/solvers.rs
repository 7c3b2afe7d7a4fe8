//! How long exact solutions take: `cargo bench -p bot-alphabeta --bench solvers -- othello 14 200`.
//!
//! The words are the game, the empty cells (Othello) or the discs (connect four), and how many positions. Half of these
//! come from random games, half from games of sensible moves, which are harder: in Othello the move that looks best, in
//! connect four any move that does not lose at once. Every tenth position is solved again from the other side of its
//! best move, which must give the same score.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use alphabeta::connect_four::solver::Solver;
use alphabeta::othello::endgame::Endgame;
use arbiter_rules::Random;
use bot_engine::Patience;
use bot_engine::evaluation::connect_four::grid::{Discs, Grid};
use bot_engine::evaluation::othello::{captures, evaluate, turned};
use std::time::{Duration, Instant};

/// What the solvers remember in: as much as the bot gives each of them.
const MEMORY: usize = 32 << 20;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number =
        |at: usize, usual: usize| words.get(at).map_or(usual, |word| word.parse().expect("a number"));
    let game = words.first().map_or("", String::as_str);
    if game != "connect-four" {
        othello(number(1, 14) as u32, number(2, 40));
    }
    if game != "othello" {
        connect_four(number(1, 16) as i32, number(2, 40));
    }
}

/// Times and positions of many solutions.
#[derive(Default)]
struct Figures {
    times: Vec<Duration>,
    nodes: u64,
}

impl Figures {
    fn print(mut self, what: &str) {
        self.times.sort_unstable();
        let total: Duration = self.times.iter().sum();
        let at = |percent: usize| self.times[(self.times.len() - 1) * percent / 100];
        println!(
            "{what}: {} positions, median {:.1?}, 95 % below {:.1?}, worst {:.1?}, {:.1} million nodes/s",
            self.times.len(),
            at(50),
            at(95),
            at(100),
            self.nodes as f64 / total.as_secs_f64() / 1e6,
        );
    }
}

fn othello(empty: u32, count: usize) {
    let mut figures = Figures::default();
    let mut random = Random::new(1);
    while figures.times.len() < count {
        let is_sensible = figures.times.len() % 2 == 1;
        let Some((own, other)) = othello_position(&mut random, empty, is_sensible) else { continue };
        // A new one each time: no position profits from another.
        let mut endgame = Endgame::new(MEMORY);
        let began = Instant::now();
        let (cell, score) = endgame.best(own, other, &Patience::default()).expect("nobody stops it");
        figures.times.push(began.elapsed());
        figures.nodes += endgame.nodes();
        if figures.times.len() % 10 == 0 {
            let cell = cell.expect("the mover has a move");
            let turned = turned(own, other, cell);
            let (next, mover) = (other ^ turned, own | turned | 1 << cell);
            if captures(next, mover) | captures(mover, next) != 0 {
                let (_, reply) = endgame.best(next, mover, &Patience::default()).expect("nobody stops it");
                assert_eq!(reply, -score, "{own:#x} {other:#x}");
            }
        }
    }
    figures.print(&format!("othello with {empty} empty cells"));
}

/// A position of a game, with the side to move able to move; `None` if the game ended before.
fn othello_position(random: &mut Random, empty: u32, is_sensible: bool) -> Option<(u64, u64)> {
    let (mut own, mut other) = (0x0000_0008_1000_0000_u64, 0x0000_0010_0800_0000_u64);
    loop {
        let moves = captures(own, other);
        if moves == 0 {
            if captures(other, own) == 0 {
                return None;
            }
            (own, other) = (other, own);
            continue;
        }
        if (own | other).count_zeros() == empty {
            return Some((own, other));
        }
        let is_opening = (own | other).count_zeros() > 48;
        let cells: Vec<u32> = (0..64).filter(|cell| moves >> cell & 1 == 1).collect();
        let after = |cell: u32| {
            let turned = turned(own, other, cell);
            (other ^ turned, own | turned | 1 << cell)
        };
        let cell = if is_sensible && !is_opening {
            *cells
                .iter()
                .min_by_key(|&&cell| evaluate(after(cell).0, after(cell).1))
                .expect("there is a move")
        } else {
            cells[random.below(cells.len())]
        };
        (own, other) = after(cell);
    }
}

fn connect_four(count_of_discs: i32, count: usize) {
    let grid = Grid::new(7, 6).expect("the usual board");
    let mut figures = Figures::default();
    let mut random = Random::new(1);
    while figures.times.len() < count {
        let is_sensible = figures.times.len() % 2 == 1;
        let Some(discs) = connect_four_position(grid, &mut random, count_of_discs, is_sensible) else {
            continue;
        };
        let mut solver = Solver::new(grid, MEMORY);
        let began = Instant::now();
        let (landing, score) = solver.best(discs, &Patience::default()).expect("nobody stops it");
        figures.times.push(began.elapsed());
        figures.nodes += solver.nodes();
        let wins_now = grid.completing(discs.own, discs.all) & landing != 0;
        if figures.times.len() % 10 == 0 && !wins_now {
            let reply = solver.score(discs.after(landing), &Patience::default());
            assert_eq!(reply, Some(-score), "{discs:?}");
        }
    }
    figures.print(&format!("connect-four with {count_of_discs} discs"));
}

/// A position of a game that goes on; `None` if it ended before.
fn connect_four_position(grid: Grid, random: &mut Random, count: i32, is_sensible: bool) -> Option<Discs> {
    let mut discs = Discs { own: 0, all: 0 };
    while discs.count() < count {
        let landings = grid.landings(discs);
        let wins = grid.completing(discs.own, discs.all) & landings;
        let choice = if is_sensible { grid.sensible(discs) } else { landings };
        let landings: Vec<u64> = (0..64).map(|bit| 1 << bit).filter(|bit| choice & bit != 0).collect();
        let landing = *landings.get(random.below(landings.len().max(1)))?;
        if wins & if is_sensible { u64::MAX } else { landing } != 0 {
            return None;
        }
        discs = discs.after(landing);
    }
    Some(discs)
}
