//! Learns what the patterns of Othello are worth, from nothing but the rules:
//! `cargo run --release -p bot-engine --example learn-othello -- 3 12000 bots/engine/src/evaluation/othello/patterns.bin`
//!
//! The words are how many times it plays and learns, how many games it plays each time, and where the numbers go. It plays
//! against itself with what it has learned before, at first at random; twelve cells before the end the result is solved, and
//! all positions of the game, some fewer as the end draws near, are to predict it. The same words give the same numbers.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a tool says how far it has come")]

use arbiter_rules::{Random, Setup, registry};
use bot_engine::evaluation::othello::patterns::{
    Patterns, SIZE, STAGES, STEP, UNIT, representatives, stage, states,
};
use bot_engine::evaluation::othello::{captures, turned};
use bot_engine::proof::Proof;
use bot_engine::proof::othello::Endgame;

/// So many discs are placed at random, and one of so many afterwards.
const OPENING: usize = 12;
const SELDOM: usize = 40;
/// So many cells before the end a game is solved.
const SOLVED: u32 = STEP;
/// Times through all samples.
const ROUNDS: usize = 10;
/// How far a prediction moves towards the result, in the first round.
const RATE: f32 = 0.01;

/// A position, and the final difference of discs for the side to move.
#[derive(Clone, Copy)]
struct Sample {
    own: u64,
    other: u64,
    result: f32,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [generations, games, file] = &words[..] else {
        println!("learn-othello GENERATIONS GAMES FILE");
        return;
    };
    let (generations, games): (u64, u64) =
        (generations.parse().expect("a number of generations"), games.parse().expect("a number of games"));
    let mut bytes = Vec::new();
    let mut samples = Vec::new();
    for generation in 1..=generations {
        let patterns = (!bytes.is_empty()).then(|| Patterns::of(&bytes));
        // Games of the generation before are as good as those of its own; older ones are not.
        samples.drain(..samples.len() / 2);
        let mut endgame = Endgame::new(4 << 20);
        let mut random = Random::new(generation);
        for _ in 0..games {
            play(patterns.as_ref(), &mut endgame, &mut random, &mut samples);
        }
        bytes = fit(&samples, &mut random);
        std::fs::write(file, &bytes).expect("the file can be written");
        println!("generation {generation}: {} positions, {} numbers", samples.len(), bytes.len());
    }
}

/// Plays a game and keeps its positions.
fn play(patterns: Option<&Patterns>, endgame: &mut Endgame, random: &mut Random, samples: &mut Vec<Sample>) {
    let (mut own, mut other) = (0x0000_0008_1000_0000_u64, 0x0000_0010_0800_0000_u64);
    let opening = 4 + random.below(OPENING);
    let mut is_first = true;
    let mut seen = Vec::new();
    let result = loop {
        let moves = captures(own, other);
        let left = (!(own | other)).count_ones();
        if moves == 0 {
            if captures(other, own) == 0 {
                let difference = own.count_ones() as f32 - other.count_ones() as f32;
                break difference + left as f32 * if difference == 0.0 { 0.0 } else { difference.signum() };
            }
            (own, other, is_first) = (other, own, !is_first);
            continue;
        }
        seen.push((own, other, is_first));
        if left <= SOLVED {
            break solved(own, other, endgame) as f32;
        }
        let placed = 60 - left as usize;
        let cell = match patterns {
            Some(patterns) if placed >= opening && random.below(SELDOM) > 0 => {
                best_cell(patterns, own, other, moves)
            }
            _ => nth(moves, random.below(moves.count_ones() as usize)),
        };
        (own, other) = after(own, other, cell);
        is_first = !is_first;
    };
    for (own, other, was_first) in seen {
        samples.push(Sample { own, other, result: if was_first == is_first { result } else { -result } });
    }
}

/// The final difference of discs with best play.
fn solved(own: u64, other: u64, endgame: &mut Endgame) -> i32 {
    let sign = |cell: u32| match (own >> cell & 1, other >> cell & 1) {
        (0, 0) => '-',
        (0, _) => 'O',
        _ => 'X',
    };
    let text: String = (0..64).map(sign).chain(" X".chars()).collect();
    let setup = Setup { position: Some(&text), ..Setup::default() };
    let position = registry::start("othello", &setup).expect("the position is one of Othello");
    2 * Proof::of(endgame, &position).go_on(&|| false).expect("nobody stops it").1
}

/// The move that looks best after the best reply.
fn best_cell(patterns: &Patterns, own: u64, other: u64, moves: u64) -> u32 {
    let worth = |&cell: &u32| {
        let (own, other) = after(own, other, cell);
        let replies = captures(own, other);
        let reply = |cell| {
            let (own, other) = after(own, other, cell);
            patterns.evaluate(own, other)
        };
        cells(replies).map(reply).min().unwrap_or_else(|| -patterns.evaluate(own, other))
    };
    cells(moves).max_by_key(worth).expect("there is a move")
}

fn after(own: u64, other: u64, cell: u32) -> (u64, u64) {
    let turned = turned(own, other, cell);
    (other ^ turned, own | turned | 1 << cell)
}

fn cells(set: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |cell| set >> cell & 1 == 1)
}

fn nth(set: u64, n: usize) -> u32 {
    cells(set).nth(n).expect("there are so many")
}

/// Fits the numbers by stochastic gradient descent; as bytes, as the evaluation reads them.
fn fit(samples: &[Sample], random: &mut Random) -> Vec<u8> {
    let representatives = representatives();
    let mut numbers = vec![[0.0_f32; STAGES]; SIZE];
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, ((random.bits() >> 32) % (i as u64 + 1)) as usize);
    }
    // The last of them are not learned from: they tell how good the rest has become.
    let (known, unknown) = order.split_at(order.len() / 50 * 49);
    let mut list = Vec::new();
    for round in 0..ROUNDS {
        let rate = RATE * (1.0 - round as f32 / ROUNDS as f32);
        for &i in known {
            let sample = &samples[i as usize];
            let (error, shares) = error(sample, &numbers, &representatives, &mut list);
            for &state in &list {
                for (number, share) in numbers[state].iter_mut().zip(shares) {
                    *number += rate * share * error;
                }
            }
        }
        let errors =
            unknown.iter().map(|&i| error(&samples[i as usize], &numbers, &representatives, &mut list).0);
        let sum: f64 = errors.map(|error| f64::from(error * error)).sum();
        println!("round {}: off by {:.2} discs", round + 1, (sum / unknown.len() as f64).sqrt());
    }
    let held = |number: f32| (number * UNIT as f32).round().clamp(-127.0, 127.0) as i8;
    (0..SIZE)
        .filter(|&state| representatives[state] as usize == state)
        .flat_map(|state| numbers[state].map(|number| held(number).cast_unsigned()))
        .collect()
}

/// By how many discs a prediction is too low, and how much each stage counts; the states of the patterns are listed.
fn error(
    sample: &Sample,
    numbers: &[[f32; STAGES]],
    representatives: &[u32],
    list: &mut Vec<usize>,
) -> (f32, [f32; STAGES]) {
    list.clear();
    states(sample.own, sample.other, |state| list.push(representatives[state] as usize));
    let (at, part) = stage((!(sample.own | sample.other)).count_ones());
    let part = part as f32 / STEP as f32;
    let mut shares = [0.0; STAGES];
    shares[at] = 1.0 - part;
    if part > 0.0 {
        shares[at + 1] = part;
    }
    let predicted: f32 = list
        .iter()
        .map(|&state| numbers[state].iter().zip(shares).map(|(number, share)| number * share).sum::<f32>())
        .sum();
    (sample.result - predicted, shares)
}
