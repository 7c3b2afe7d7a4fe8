//! Learns what positions of connect four on 7x6 are worth, from exact results:
//! `cargo run --release -p bot-engine --example learn-connect-four -- 43501 bots/engine/src/evaluation/connect_four/net.bin`
//!
//! The words are how many games are played, and where the numbers go. Games begin at random, go on by the evaluation of
//! boards of any size with a random move now and then, and end when somebody could win at once. Of every position from the
//! 12th disc on the solver says who wins, and the network is to predict it. The same words give the same numbers.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a tool says how far it has come")]

use arbiter_rules::{Random, Setup, registry};
use bot_engine::evaluation::connect_four::grid::{Discs, Grid};
use bot_engine::evaluation::connect_four::net::{self, FIRST, INPUTS, NUMBERS, ONE, SECOND};
use bot_engine::proof::Solver;
use bot_engine::proof::connect_four::Lines;

/// Times through all positions.
const ROUNDS: usize = 12;
/// So many positions are learned from at once.
const BATCH: usize = 256;
/// How far a weight moves at most in one step, in the first round.
const RATE: f32 = 0.002;
/// No weight of an input is larger, so that sums of them fit into 16 bits.
const MOST: f32 = 3.9;

/// What the network sees of a position, and how it ends for the first mover: 1, ½ or 0.
#[derive(Clone)]
struct Sample {
    inputs: Vec<u8>,
    result: f32,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [games, file] = &words[..] else {
        println!("learn-connect-four GAMES FILE");
        return;
    };
    let games: u64 = games.parse().expect("a number of games");
    let grid = Grid::new(7, 6).expect("7x6 fits");
    let mut solver = Lines::new(grid, 64 << 20);
    let mut random = Random::new(1);
    let mut samples = Vec::new();
    for game in 1..=games {
        for discs in play(&grid, &mut random).into_iter().rev() {
            let result = solved(&mut solver, &grid, discs);
            for discs in [discs, grid.mirrored(discs)] {
                let mut inputs = Vec::new();
                net::inputs(&grid, discs, |input| inputs.push(input as u8));
                samples.push(Sample { inputs, result });
            }
        }
        if game.is_multiple_of(1000) {
            println!("{game} games, {} positions", samples.len());
        }
    }
    let bytes = fit(&samples, &mut Random::new(2));
    std::fs::write(file, bytes).expect("the file can be written");
}

/// The positions of a game that are to be learned from.
fn play(grid: &Grid, random: &mut Random) -> Vec<Discs> {
    let opening = 2 + random.below(12) as i32;
    let from = if random.below(6) == 0 { 12 } else { 14 + random.below(3) as i32 };
    let seldom = [3, 6, 12][random.below(3)];
    let mut discs = Discs { own: 0, all: 0 };
    let mut seen = Vec::new();
    loop {
        let moves = grid.sensible(discs);
        if grid.wins(discs) != 0 || moves == 0 || discs.count() >= 38 {
            return seen;
        }
        if discs.count() >= from {
            seen.push(discs);
        }
        let landing = if discs.count() < opening || random.below(seldom) == 0 {
            let n = random.below(moves.count_ones() as usize);
            cells(moves).nth(n)
        } else {
            let mut best = (i32::MIN, None);
            for landing in cells(moves) {
                let looks = random.below(30) as i32 - grid.evaluate(discs.after(landing));
                if looks > best.0 {
                    best = (looks, Some(landing));
                }
            }
            best.1
        };
        discs = discs.after(landing.expect("there is a move"));
    }
}

fn cells(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = set & set.wrapping_neg();
        set ^= cell;
        (cell != 0).then_some(cell)
    })
}

/// What the first mover gets with best play.
fn solved(solver: &mut Lines, grid: &Grid, discs: Discs) -> f32 {
    let is_second = discs.count() % 2 != 0;
    let setup = Setup { position: Some(&text(grid, discs)), ..Setup::default() };
    let position = registry::start("connect-four", &setup).expect("the position is one of connect four");
    let moves = solver.set_up(&position);
    let mut is_more_than =
        |low| moves.iter().any(|&m| solver.bound(m, low, &|| false).expect("nobody stops it") > low);
    let result = if is_more_than(0) {
        1.0
    } else if is_more_than(-1) {
        0.5
    } else {
        0.0
    };
    if is_second { 1.0 - result } else { result }
}

fn text(grid: &Grid, discs: Discs) -> String {
    let mover = ["x", "o"][usize::from(discs.count() % 2 != 0)];
    let other = ["o", "x"][usize::from(discs.count() % 2 != 0)];
    let sign = |cell: u32| match grid.bit(cell) {
        bit if discs.all & bit == 0 => ".",
        bit if discs.own & bit != 0 => mover,
        _ => other,
    };
    let row = |row: u32| (0..grid.width).map(|column| sign(row * grid.width + column)).collect::<String>();
    let rows: Vec<String> = (0..grid.height).map(row).collect();
    format!("{} {mover}", rows.join("/"))
}

/// Numbers that are learned, and how each has moved so far (Adam: D. Kingma and J. Ba, 2015).
struct Weights {
    now: Vec<f32>,
    slope: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Weights {
    fn new(number: usize, mut first: impl FnMut(usize) -> f32) -> Weights {
        let zeros = || vec![0.0; number];
        Weights { now: (0..number).map(&mut first).collect(), slope: zeros(), mean: zeros(), square: zeros() }
    }

    /// Moves each weight against its slope, which is forgotten.
    fn step(&mut self, rate: f32, most: f32) {
        let Weights { now, slope, mean, square } = self;
        for (((now, slope), mean), square) in now.iter_mut().zip(slope).zip(mean).zip(square) {
            let mean_slope = std::mem::take(slope) / BATCH as f32;
            *mean = 0.9 * *mean + 0.1 * mean_slope;
            *square = 0.999 * *square + 0.001 * mean_slope * mean_slope;
            *now = (*now - rate * *mean / (square.sqrt() + 1e-8)).clamp(-most, most);
        }
    }
}

/// A network that learns, with what its neurons did last.
struct Learner {
    first: Weights,
    second: Weights,
    odds: Weights,
    sums: [f32; FIRST],
    squares: [f32; FIRST],
    second_sums: [f32; SECOND],
    second_squares: [f32; SECOND],
}

impl Learner {
    fn new(random: &mut Random) -> Learner {
        let mut between = |most: f32| (random.below(2001) as f32 / 1000.0 - 1.0) * most;
        Learner {
            first: Weights::new(INPUTS * FIRST, |i| if i / FIRST < INPUTS - 2 { between(0.1) } else { 0.3 }),
            second: Weights::new(SECOND * (FIRST + 1), |_| between(0.15)),
            odds: Weights::new(SECOND + 1, |_| between(1.0)),
            sums: [0.0; FIRST],
            squares: [0.0; FIRST],
            second_sums: [0.0; SECOND],
            second_squares: [0.0; SECOND],
        }
    }

    /// The first mover's share that is predicted.
    fn predict(&mut self, sample: &Sample) -> f32 {
        self.sums = [0.0; FIRST];
        for &input in &sample.inputs {
            let row = &self.first.now[usize::from(input) * FIRST..][..FIRST];
            self.sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        self.squares = self.sums.map(|sum| sum.clamp(0.0, 1.0).powi(2));
        let mut odds = self.odds.now[SECOND];
        for j in 0..SECOND {
            let weights = &self.second.now[j * (FIRST + 1)..][..=FIRST];
            let products = self.squares.iter().zip(weights).map(|(square, weight)| square * weight);
            self.second_sums[j] = weights[FIRST] + products.sum::<f32>();
            self.second_squares[j] = self.second_sums[j].clamp(0.0, 1.0).powi(2);
            odds += self.odds.now[j] * self.second_squares[j];
        }
        1.0 / (1.0 + (-odds).exp())
    }

    /// Adds to the slopes what a sample says that has just been predicted, too high by so much.
    fn learn(&mut self, sample: &Sample, error: f32) {
        let leak = |sum: f32| if (0.0..=1.0).contains(&sum) { 2.0 * sum } else { 0.0 };
        let mut slopes = [0.0; FIRST];
        self.odds.slope[SECOND] += error;
        for j in 0..SECOND {
            self.odds.slope[j] += error * self.second_squares[j];
            let slope = error * self.odds.now[j] * leak(self.second_sums[j]);
            let weights = &self.second.now[j * (FIRST + 1)..][..FIRST];
            let to_learn = &mut self.second.slope[j * (FIRST + 1)..][..=FIRST];
            to_learn[FIRST] += slope;
            for i in 0..FIRST {
                to_learn[i] += slope * self.squares[i];
                slopes[i] += slope * weights[i];
            }
        }
        slopes.iter_mut().zip(self.sums).for_each(|(slope, sum)| *slope *= leak(sum));
        for &input in &sample.inputs {
            let row = &mut self.first.slope[usize::from(input) * FIRST..][..FIRST];
            row.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        }
    }
}

/// Fits a network; as bytes, as the evaluation reads them.
fn fit(samples: &[Sample], random: &mut Random) -> Vec<u8> {
    // The last games are not learned from: they tell how good the rest has become.
    let (known, unknown) = samples.split_at(samples.len() / 50 * 49);
    let mut order: Vec<u32> = (0..known.len() as u32).collect();
    let mut learner = Learner::new(random);
    for round in 0..ROUNDS {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        for (at, batch) in order.chunks_exact(BATCH).enumerate() {
            for &i in batch {
                let sample = &known[i as usize];
                let error = learner.predict(sample) - sample.result;
                learner.learn(sample, error);
            }
            let done = (round as f32 + (at * BATCH) as f32 / known.len() as f32) / ROUNDS as f32;
            let rate = RATE * (1.0 - done);
            learner.first.step(rate, MOST);
            learner.second.step(rate, MOST);
            learner.odds.step(rate, 100.0);
        }
        let decided = unknown.iter().filter(|sample| sample.result != 0.5);
        let (mut told, mut all) = (0, 0);
        for sample in decided {
            told += u32::from((learner.predict(sample) > 0.5) == (sample.result > 0.5));
            all += 1;
        }
        println!(
            "round {}: tells {:.1} % of the winners",
            round + 1,
            100.0 * f64::from(told) / f64::from(all)
        );
    }
    let numbers = [&learner.first.now, &learner.second.now, &learner.odds.now].into_iter().flatten();
    let bytes: Vec<u8> =
        numbers.flat_map(|number| ((number * f32::from(ONE)).round() as i16).to_le_bytes()).collect();
    assert_eq!(bytes.len(), 2 * NUMBERS);
    bytes
}
