//! Balanced groups for more than two seats: starter blocks developed modulo the number of entrants.
//!
//! A block names who sits where; adding 1, 2, 3 … modulo the number of entrants gives one round, in which everybody has
//! been in every place of the block once. How often two entrants meet depends on their distance alone, so a round is
//! balanced when the differences within its block are (cyclic designs: John & Williams, Cyclic and Computer Generated
//! Designs, 1995). Blocks are found by climbing from deterministic starts, and each is added to those before it, so that
//! more rounds never change earlier ones. Negated blocks come last: with them, everybody has sat before everybody else
//! as often as behind.

use arbiter_rules::Random;

/// Blocks after which perfect balance is given up and rounds repeat.
const MOST_BLOCKS: usize = 24;

/// How often hill climbing starts anew, for one block and for the last ones together.
const CLIMBS: usize = 30;

/// Sequences of blocks that are tried for one that ends in perfect balance.
const SEQUENCES: usize = 30;

/// The last blocks of a sequence are looked for together: one alone seldom fills what the others have left.
const TOGETHER: usize = 3;

/// Entrants up to whose number perfect balance is looked for; among more, a round is even enough by itself.
const MOST_ENTRANTS: usize = 48;

/// The blocks of so many seats for so many entrants, one a round; after the last, rounds begin again with the first.
/// There are at least as many entrants as seats.
pub fn starters(entrants: usize, seats: usize) -> Vec<Vec<usize>> {
    let blocks = if entrants == seats { vec![(0..seats).collect()] } else { balanced(entrants, seats) };
    let mirrored = |block: &Vec<usize>| block.iter().map(|&place| (entrants - place) % entrants).collect();
    let mirrors: Vec<Vec<usize>> = blocks.iter().map(mirrored).collect();
    blocks.into_iter().chain(mirrors).collect()
}

/// A sequence of blocks that ends in perfect balance, if one is found; otherwise the most even one.
fn balanced(entrants: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut random = Random::new((entrants * 8 + seats) as u64);
    let ideal = ideal(entrants, seats);
    if entrants > MOST_ENTRANTS || ideal > MOST_BLOCKS {
        return sequence(entrants, seats, 4, &mut random).1;
    }
    let mut best: Option<(Unevenness, Vec<Vec<usize>>)> = None;
    for length in (1..).map(|times| times * ideal).take_while(|length| *length <= MOST_BLOCKS) {
        for _ in 0..SEQUENCES {
            let found = sequence(entrants, seats, length, &mut random);
            if found.0.at_end == 0 && found.0.on_the_way < length {
                return found.1;
            }
            if best.as_ref().is_none_or(|(least, _)| found.0 < *least) {
                best = Some(found);
            }
        }
    }
    best.expect("at least one sequence is tried").1
}

/// The fewest blocks whose differences can be spread evenly. Half the circle is a distance that each pair has twice.
fn ideal(entrants: usize, seats: usize) -> usize {
    let (differences, distances) = (seats * (seats - 1), entrants - 1);
    let is_even = |blocks: &usize| {
        let sum = blocks * differences;
        sum.is_multiple_of(distances) && (entrants % 2 == 1 || (sum / distances).is_multiple_of(2))
    };
    (1..=2 * distances).find(is_even).unwrap_or(2 * distances)
}

/// How uneven the rounds of a sequence are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Unevenness {
    at_end: u32,
    on_the_way: usize,
}

/// So many blocks: first one after another, then the last ones together.
fn sequence(
    entrants: usize,
    seats: usize,
    length: usize,
    random: &mut Random,
) -> (Unevenness, Vec<Vec<usize>>) {
    let (mut counts, mut blocks) = (vec![0; entrants], Vec::new());
    let mut on_the_way = 0;
    let mut add = |block: Vec<usize>, counts: &mut Vec<u32>| {
        count(&block, counts);
        on_the_way += spread(counts) as usize;
        blocks.push(block);
    };
    for _ in TOGETHER..length {
        let block = best_blocks(1, entrants, seats, &counts, random).remove(0);
        add(block, &mut counts);
    }
    let mut last = best_blocks(length.min(TOGETHER), entrants, seats, &counts, random);
    while !last.is_empty() {
        // Of those that are left, the one that keeps things most even so far.
        let even = |index: &usize| unevenness(std::slice::from_ref(&last[*index]), &counts);
        let next = (0..last.len()).min_by_key(even).expect("some are left");
        add(last.remove(next), &mut counts);
    }
    (Unevenness { at_end: spread(&counts), on_the_way }, blocks)
}

fn differences(block: &[usize], entrants: usize) -> impl Iterator<Item = usize> + '_ {
    let from = move |&a: &usize| block.iter().map(move |&b| (b + entrants - a) % entrants);
    block.iter().flat_map(from).filter(|&difference| difference != 0)
}

fn count(block: &[usize], counts: &mut [u32]) {
    for difference in differences(block, counts.len()) {
        counts[difference] += 1;
    }
}

/// By how much the commonest meeting is commoner than the rarest.
fn spread(counts: &[u32]) -> u32 {
    let met = &counts[1..];
    met.iter().max().zip(met.iter().min()).map_or(0, |(most, least)| most - least)
}

/// The spread of meetings, then the sum of their squares.
type Cost = (u32, u64);

/// How uneven the meetings are with some blocks more.
fn unevenness(blocks: &[Vec<usize>], counts: &[u32]) -> Cost {
    let mut counts = counts.to_vec();
    blocks.iter().for_each(|block| count(block, &mut counts));
    (spread(&counts), counts.iter().map(|&met| u64::from(met).pow(2)).sum())
}

/// So many blocks that together leave the meetings as even as was found.
fn best_blocks(
    number: usize,
    entrants: usize,
    seats: usize,
    counts: &[u32],
    random: &mut Random,
) -> Vec<Vec<usize>> {
    let mut best: Option<(Cost, Vec<Vec<usize>>)> = None;
    for _ in 0..CLIMBS {
        let start = (0..number).map(|_| random_block(entrants, seats, random)).collect();
        let blocks = climb(start, counts);
        let cost = unevenness(&blocks, counts);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, blocks));
        }
        if cost.0 == 0 {
            break;
        }
    }
    best.expect("there is a climb").1
}

fn random_block(entrants: usize, seats: usize, random: &mut Random) -> Vec<usize> {
    let mut block = vec![0];
    while block.len() < seats {
        let place = random.below(entrants);
        if !block.contains(&place) {
            block.push(place);
        }
    }
    block
}

/// Changes one place of one block at a time for the better, by the sum of squares, until nothing helps.
fn climb(mut blocks: Vec<Vec<usize>>, before: &[u32]) -> Vec<Vec<usize>> {
    let mut counts = before.to_vec();
    blocks.iter().for_each(|block| count(block, &mut counts));
    loop {
        let mut best = (0, 0, 0, 0);
        for (number, block) in blocks.iter().enumerate() {
            for index in 1..block.len() {
                let out = shift(block, index, block[index], &mut counts, -1);
                for place in (1..before.len()).filter(|place| !block.contains(place)) {
                    let gain = out + shift(block, index, place, &mut counts, 1);
                    shift(block, index, place, &mut counts, -1);
                    if gain > best.0 {
                        best = (gain, number, index, place);
                    }
                }
                shift(block, index, block[index], &mut counts, 1);
            }
        }
        let (gain, number, index, place) = best;
        if gain <= 0 {
            return blocks;
        }
        let block = &mut blocks[number];
        shift(block, index, block[index], &mut counts, -1);
        block[index] = place;
        shift(block, index, place, &mut counts, 1);
    }
}

/// Counts the meetings of a place that stands at `index` of a block (`by` 1), or takes them out (−1). Returns by how much
/// the sum of squares falls.
fn shift(block: &[usize], index: usize, place: usize, counts: &mut [u32], by: i32) -> i64 {
    let entrants = counts.len();
    let mut fall = 0;
    for (_, &other) in block.iter().enumerate().filter(|(at, _)| *at != index) {
        let difference = if place > other { place - other } else { place + entrants - other };
        for distance in [difference, entrants - difference] {
            fall -= 2 * i64::from(by) * i64::from(counts[distance]) + 1;
            counts[distance] = counts[distance].wrapping_add_signed(by);
        }
    }
    fall
}
