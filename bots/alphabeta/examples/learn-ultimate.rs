//! Learns the network by which positions of ultimate tic-tac-toe are evaluated.
//!
//! ```sh
//! cargo run --release -p bot-alphabeta --example learn-ultimate -- GAMES LOOKS SHARE NET
//! ```
//!
//! `alphabeta` plays GAMES games against itself with the network that it has, and searches 128 positions times LOOKS for
//! each move; a few moves are drawn at random. Then the network is fitted to the positions of these games: to how the game
//! ended, and by SHARE (0 to 1; 0.6 is good) to what the search thought. It is written to NET. Copied to
//! `bots/engine/src/evaluation/ultimate/net.bin` and built in, it is what `alphabeta` learns on from in the next turn.
#![expect(clippy::print_stdout, reason = "it is a program of its own")]

use std::error::Error;

use alphabeta::Alphabeta;
use arbiter_rules::{Chance, MoveList, Random, Seat, SeatResult, Setup, registry};
use bot_engine::evaluation::ultimate::net::{HIDDEN, INPUTS, NUMBERS, ONE, ONE_OUT, inputs, numbers};
use bot_engine::evaluation::ultimate::{Boards, boards_of};
use bot_engine::{Finding, Level, Patience, SURE, Seating, Thinker, Watch};

/// A position, and how it went on for the side to move: 1 is a win.
#[derive(Clone, Copy)]
struct Sample {
    boards: Boards,
    seat: usize,
    allowed: u16,
    result: f32,
    searched: f32,
}

/// Hears what the search thinks.
struct Listener {
    patience: Patience,
    score: i32,
}

impl Watch for Listener {
    fn is_enough(&self) -> bool {
        self.patience.is_enough()
    }

    fn tell(&mut self, finding: &Finding<'_>) {
        self.score = finding.score;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [games, looks, share, file] = &arguments[..] else { return Err("give GAMES LOOKS SHARE NET".into()) };
    let samples = play(games.parse()?, looks.parse()?);
    let fitted = fit(&samples, share.parse()?);
    std::fs::write(file, as_bytes(&fitted))?;
    Ok(())
}

/// Positions of games that `alphabeta` plays against itself.
fn play(games: u32, looks: u64) -> Vec<Sample> {
    let mut random = Random::new(1);
    let mut samples = Vec::new();
    let player = |seat| Alphabeta::new(Seating { seat, seed: 1, memory: 4 << 20 }, Level::FULL);
    let mut players = [0, 1].map(player);
    let mut ends = [0; 3];
    for game in 0..games {
        let mut position = registry::start("ultimate", &Setup::default()).expect("it is a game");
        let (mut moves, mut cells) = (MoveList::new(), vec![0; 81]);
        let first = samples.len();
        let mut opening = random.below(10);
        let mut winner = None;
        while let Some(seat) = position.to_move().map(Seat::index) {
            position.legal_moves(&mut moves);
            let mut m = moves[random.below(moves.len())];
            if opening > 0 {
                opening -= 1;
            } else {
                let mut listener = Listener { patience: Patience::of(looks), score: 0 };
                let best = players[seat].choose(&*position, &mut listener);
                if listener.score.abs() > SURE / 2 {
                    winner = Some(if listener.score > 0 { seat } else { 1 - seat });
                    break;
                }
                position.write_cells(&mut cells);
                let allowed = boards_of(&moves);
                let searched = 1.0 / (1.0 + (-0.01 * listener.score as f32).exp());
                samples.push(Sample { boards: Boards::of(&cells), seat, allowed, result: 0.0, searched });
                if random.below(25) > 0 {
                    m = best;
                }
            }
            position.play(m, &Chance::NONE).expect("it is legal");
        }
        if let Some(end) = position.end() {
            winner = [0, 1]
                .into_iter()
                .find(|&seat| end.outcome.of(Seat::new(seat).expect("there are two")) == SeatResult::Win);
        }
        ends[winner.unwrap_or(2)] += 1;
        for sample in &mut samples[first..] {
            sample.result = winner.map_or(0.5, |winner| if winner == sample.seat { 1.0 } else { 0.0 });
        }
        if (game + 1) % 1000 == 0 {
            println!(
                "{} games, won {}, lost {}, drawn {}: {} positions",
                game + 1,
                ends[0],
                ends[1],
                ends[2],
                samples.len()
            );
        }
    }
    samples
}

/// Rounds through all positions.
const ROUNDS: usize = 8;
/// Positions between two steps.
const BATCH: usize = 256;

/// The numbers of the network that was fitted.
fn fit(samples: &[Sample], share: f32) -> Vec<f32> {
    let mut numbers = numbers();
    // The last games are left out, to see how good the network is with those that it does not know.
    let (known, unknown) = samples.split_at(samples.len() / 20 * 19);
    let mut order: Vec<usize> = (0..known.len()).collect();
    let mut random = Random::new(3);
    let mut steps = Adam::default();
    let total = (ROUNDS * known.len() / BATCH) as f32;
    println!("the present network: {:.4}", loss(unknown, |sample| chance(&numbers, sample).0));
    for round in 0..ROUNDS {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        for batch in order.chunks_exact(BATCH) {
            let mut slope = vec![0.0; NUMBERS];
            for &i in batch {
                let sample = turned(&known[i], random.below(8));
                let target = sample.result + share * (sample.searched - sample.result);
                add_slope(&numbers, &sample, target, &mut slope);
            }
            let done = steps.taken as f32 / total;
            steps.take(&mut numbers, &slope, 0.001 * (1.0 - done).max(0.01));
        }
        println!("round {}: {:.4}", round + 1, loss(unknown, |sample| chance(&numbers, sample).0));
    }
    numbers
}

/// The mean of the logarithms of what was given to the results.
fn loss(samples: &[Sample], chance: impl Fn(&Sample) -> f32) -> f32 {
    let of_one = |sample: &Sample| {
        let chance = chance(sample).clamp(0.001, 0.999);
        -(sample.result * chance.ln() + (1.0 - sample.result) * (1.0 - chance).ln())
    };
    samples.iter().map(of_one).sum::<f32>() / samples.len() as f32
}

/// The chance of the side to move, and what the neurons add up to.
fn chance(numbers: &[f32], sample: &Sample) -> (f32, [f32; HIDDEN]) {
    let layer = |i: usize| &numbers[i * HIDDEN..(i + 1) * HIDDEN];
    let mut sums: [f32; HIDDEN] = layer(INPUTS).try_into().expect("it is as long");
    inputs(&sample.boards, sample.seat, sample.allowed, |input| {
        sums.iter_mut().zip(layer(input)).for_each(|(sum, weight)| *sum += weight);
    });
    let output = sums.iter().zip(layer(INPUTS + 1)).map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight);
    let odds = output.sum::<f32>() + numbers[NUMBERS - 1];
    (1.0 / (1.0 + (-odds).exp()), sums)
}

/// Adds how the loss of one position changes with each of the numbers.
fn add_slope(numbers: &[f32], sample: &Sample, target: f32, slope: &mut [f32]) {
    let (chance, sums) = chance(numbers, sample);
    let error = chance - target;
    let mut of_sums = [0.0; HIDDEN];
    for neuron in 0..HIDDEN {
        let held = sums[neuron].clamp(0.0, 1.0);
        let to = (INPUTS + 1) * HIDDEN + neuron;
        slope[to] += error * held * held;
        if sums[neuron] > 0.0 && sums[neuron] < 1.0 {
            of_sums[neuron] = error * numbers[to] * 2.0 * held;
        }
    }
    slope[NUMBERS - 1] += error;
    let mut add = |i: usize| {
        slope[i * HIDDEN..(i + 1) * HIDDEN].iter_mut().zip(&of_sums).for_each(|(slope, of)| *slope += of);
    };
    add(INPUTS);
    inputs(&sample.boards, sample.seat, sample.allowed, add);
}

/// Steps down the slope by the rule "Adam" (D. Kingma and J. Ba 2015).
#[derive(Default)]
struct Adam {
    taken: i32,
    means: Vec<[f32; 2]>,
}

impl Adam {
    fn take(&mut self, numbers: &mut [f32], slope: &[f32], size: f32) {
        self.taken += 1;
        self.means.resize(numbers.len(), [0.0; 2]);
        let begun = [0.9_f32, 0.999].map(|kept| 1.0 - kept.powi(self.taken));
        for ((number, slope), [mean, square]) in numbers.iter_mut().zip(slope).zip(&mut self.means) {
            let slope = slope / BATCH as f32;
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            *number -= size * (*mean / begun[0]) / ((*square / begun[1]).sqrt() + 1e-8);
            *number = number.clamp(-4.0, 4.0);
        }
    }
}

/// A position turned or reflected in one of eight ways.
fn turned(sample: &Sample, way: usize) -> Sample {
    let cell = |cell: usize| {
        let (mut row, mut column) = (cell / 3, cell % 3);
        if way & 1 != 0 {
            row = 2 - row;
        }
        if way & 2 != 0 {
            column = 2 - column;
        }
        if way & 4 != 0 { 3 * column + row } else { 3 * row + column }
    };
    let set = |set: u16| (0..9).filter(|&c| set >> c & 1 == 1).fold(0, |turned, c| turned | 1 << cell(c));
    let Boards { taken, won, open } = sample.boards;
    let mut boards = Boards { taken, won: won.map(set), open: set(open) };
    for (turned, cells) in boards.taken.iter_mut().zip(&taken) {
        cells.iter().enumerate().for_each(|(board, &cells)| turned[cell(board)] = set(cells));
    }
    Sample { boards, allowed: set(sample.allowed), ..*sample }
}

/// The numbers as integers, as the evaluation reads them.
fn as_bytes(numbers: &[f32]) -> Vec<u8> {
    let integer = |(i, number): (usize, &f32)| {
        let one = if i / HIDDEN > INPUTS { ONE_OUT } else { ONE };
        ((number * f32::from(one)).round() as i16).to_le_bytes()
    };
    numbers.iter().enumerate().flat_map(integer).collect()
}
