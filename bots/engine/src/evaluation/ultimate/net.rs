//! What a position looks worth to a small neural network.
//!
//! It looks at every board alone first: [`FIRST`] neurons see what is on it ([`sights`]), and make [`WORDS`] numbers of it,
//! the same wherever the board lies. A board has 3^9 states, so that these numbers come from a table. [`HIDDEN`] neurons
//! then add up what the numbers of the nine boards mean in their places, and once more those of the boards that matter
//! most ([`Part`]). Two outputs tell the odds to win and how likely a draw is.
//!
//! A neuron adds up its inputs by their weights, is held between 0 and 1, and gives its square. All numbers are integers,
//! and what a move changes is added to the sums of the neurons, as in the networks of chess programs ("NNUE", Y. Nasu
//! 2018): a position looks the same on every machine and on whatever way it was come to.

use super::{ALL, Boards, cells, completing};
use crate::evaluation::state;
use std::sync::LazyLock;

/// What can be seen of a board: own cells, the other's, empty cells that complete a line of one's own, those that complete one
/// of the other's, and whether it is won, lost, or full.
pub const SIGHTS: usize = 39;

/// Neurons that look at a board alone.
pub const FIRST: usize = 32;

/// Numbers that sum up a board.
pub const WORDS: usize = 16;

/// Neurons that look at all boards together.
pub const HIDDEN: usize = 32;

/// What boards mean to the neurons: in each of the nine places, and as one that matters.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// As the board in this place.
    Place(usize),
    /// As the only board that may be played on.
    Next,
    /// As a board that would complete a line of one's own.
    Ours,
    /// As a board that would complete a line of the other's.
    Theirs,
}

/// How many parts there are.
pub const PARTS: usize = 12;

impl Part {
    /// Its number, below [`PARTS`].
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Part::Place(place) => place,
            Part::Next => 9,
            Part::Ours => 10,
            Part::Theirs => 11,
        }
    }
}

/// Where the numbers of a network begin: weights by input and neuron, followed by what the neurons begin with.
pub const FIRST_AT: usize = 0;
/// Weights from the first neurons to the words, and what the words begin with.
pub const WORDS_AT: usize = FIRST_AT + (SIGHTS + 1) * FIRST;
/// Weights by part, word and neuron; what the neurons begin with, and what is added where all boards are free to choose from.
pub const HIDDEN_AT: usize = WORDS_AT + (FIRST + 1) * WORDS;
/// Weights towards the odds to win, and what these begin with.
pub const ODDS_AT: usize = HIDDEN_AT + (PARTS * WORDS + 2) * HIDDEN;
/// The same for the odds of a draw.
pub const DRAW_AT: usize = ODDS_AT + HIDDEN + 1;
/// How many numbers make a network.
pub const NUMBERS: usize = DRAW_AT + HIDDEN + 1;

/// What 1 is as an integer.
pub const ONE: i16 = 256;

/// The numbers of the inputs that are on, one after another, of a board in which these cells are one's own and those the
/// other's.
pub fn sights(own: u16, other: u16, mut on: impl FnMut(usize)) {
    if own == ALL {
        on(36);
    } else if other == ALL {
        on(37);
    } else if own | other == ALL {
        on(38);
    } else {
        let empty = ALL & !(own | other);
        let sets = [own, other, completing(own) & empty, completing(other) & empty];
        for (i, set) in sets.into_iter().enumerate() {
            cells(set).for_each(|cell| on(9 * i + usize::from(cell)));
        }
    }
}

/// The parts in which boards matter to the side to move, and the boards; these may be the only ones to play on.
pub fn parts(boards: &Boards, seat: usize, allowed: u16) -> [(Part, u16); 3] {
    let next = if allowed.is_power_of_two() { allowed } else { 0 };
    let [ours, theirs] = [seat, 1 - seat].map(|side| completing(boards.won[side]) & boards.open);
    [(Part::Next, next), (Part::Ours, ours), (Part::Theirs, theirs)]
}

/// States of a board.
pub const STATES: usize = 19_683;

/// How good a position looks to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// A hundred points are one in the logarithm of the odds, half of a draw counting as won.
    pub lead: i32,
    /// How likely a draw is, in thousandths.
    pub draw: i32,
}

/// A network: its weights, and the words of every state of a board.
#[derive(Debug)]
pub struct Net {
    words: Vec<[i16; WORDS]>,
    parts: Vec<Vec<[[i16; 2]; HIDDEN]>>,
    start: [i32; HIDDEN],
    free: [i32; HIDDEN],
    odds: [i16; HIDDEN + 1],
    draw: [i16; HIDDEN + 1],
}

/// The network that `cargo run --release -p bot-alphabeta --example learn-ultimate` has learned.
///
/// It was fitted in 4 rounds, by a share of 0.6, to the 7.2 million positions of 188,000 games in which `alphabeta` searched 768
/// positions for each move. In 86,000 of them it had a network of 32 neurons that saw the cells of all boards, which came
/// from 110,000 games in five turns; in the others it had one like this that was fitted to the first 86,000. At 20 ms a
/// move that one won 61 % of the points in 60 games against the old, and this one 56 % in 200 games against that.
static NET: LazyLock<Net> = LazyLock::new(|| Net::of(include_bytes!("net.bin")));

impl Net {
    /// The network that is built in.
    #[must_use]
    pub fn built_in() -> &'static Net {
        &NET
    }

    /// Reads a network.
    #[must_use]
    pub fn of(bytes: &[u8; 2 * NUMBERS]) -> Net {
        let number = |i: usize| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        let row = |at: usize, i: usize| std::array::from_fn(|j| i32::from(number(at + i * HIDDEN + j)));
        let part = |part: usize| {
            pairs(WORDS, |word, neuron| number(HIDDEN_AT + (part * WORDS + word) * HIDDEN + neuron))
        };
        Net {
            words: words(&number),
            parts: (0..PARTS).map(part).collect(),
            start: row(HIDDEN_AT, PARTS * WORDS).map(|start: i32| start * i32::from(ONE)),
            free: row(HIDDEN_AT, PARTS * WORDS + 1).map(|free: i32| free * i32::from(ONE)),
            odds: std::array::from_fn(|j| number(ODDS_AT + j)),
            draw: std::array::from_fn(|j| number(DRAW_AT + j)),
        }
    }

    /// What the neurons add up to for a seat before anything is known but the boards.
    #[must_use]
    pub fn sums(&self, boards: &Boards, seat: usize) -> Sums {
        let mut sums = Sums(self.start);
        for board in 0..9 {
            add(&mut sums.0, &self.parts[board], self.words(boards, seat, board));
        }
        sums
    }

    /// Brings the sums of a seat up to date after a board has changed, of which the seats had these cells before.
    pub fn change(&self, sums: &mut Sums, seat: usize, board: usize, before: [u16; 2], after: &Boards) {
        let old = &self.words[state(before[seat], before[1 - seat])];
        let new = self.words(after, seat, board);
        let change: [i16; WORDS] = std::array::from_fn(|word| new[word] - old[word]);
        add(&mut sums.0, &self.parts[board], &change);
    }

    /// How good a position looks for the side to move, which may play on some of the boards, from the sums of its seat.
    #[must_use]
    pub fn outlook(&self, mut sums: Sums, boards: &Boards, seat: usize, allowed: u16) -> Outlook {
        for (part, set) in parts(boards, seat, allowed) {
            for board in cells(set) {
                add(&mut sums.0, &self.parts[part.index()], self.words(boards, seat, board.into()));
            }
        }
        if !allowed.is_power_of_two() {
            sums.0.iter_mut().zip(&self.free).for_each(|(sum, free)| *sum += free);
        }
        let squares = sums.0.map(|sum| {
            let held = (sum / i32::from(ONE)).clamp(0, ONE.into());
            held * held / i32::from(ONE)
        });
        let [odds, draw] = [&self.odds, &self.draw].map(|weights| {
            let sum: i32 =
                squares.iter().zip(weights).map(|(square, &weight)| square * i32::from(weight)).sum();
            sum / i32::from(ONE) + i32::from(weights[HIDDEN])
        });
        Outlook { lead: odds * 100 / i32::from(ONE), draw: 500 + 500 * draw / (i32::from(ONE) + draw.abs()) }
    }

    /// How good a position looks for the side to move, from nothing but the position.
    #[must_use]
    pub fn look(&self, boards: &Boards, seat: usize, allowed: u16) -> Outlook {
        self.outlook(self.sums(boards, seat), boards, seat, allowed)
    }

    fn words(&self, boards: &Boards, seat: usize, board: usize) -> &[i16; WORDS] {
        &self.words[state(boards.taken[seat][board], boards.taken[1 - seat][board])]
    }
}

/// The words of all states of a board.
fn words(number: &impl Fn(usize) -> i16) -> Vec<[i16; WORDS]> {
    let first = |i: usize| std::array::from_fn::<_, FIRST, _>(|j| number(FIRST_AT + i * FIRST + j));
    let first: Vec<_> = (0..=SIGHTS).map(first).collect();
    let second = pairs::<WORDS>(FIRST, |i, j| number(WORDS_AT + i * WORDS + j));
    let start: [i32; WORDS] =
        std::array::from_fn(|j| i32::from(number(WORDS_AT + FIRST * WORDS + j)) * i32::from(ONE));
    let mut words = vec![[0; WORDS]; STATES];
    for own in 0..=ALL {
        for other in (0..=ALL).filter(|other| own & other == 0) {
            let mut sums = first[SIGHTS];
            sights(own, other, |sight| {
                sums.iter_mut()
                    .zip(&first[sight])
                    .for_each(|(sum, &weight)| *sum = sum.saturating_add(weight));
            });
            let squares = sums.map(|sum| {
                let held = i32::from(sum.clamp(0, ONE));
                (held * held / i32::from(ONE)) as i16
            });
            let mut outputs = start;
            add(&mut outputs, &second, &squares);
            // Half of the range, so that differences are in it, too.
            let held = |output: i32| (output / i32::from(ONE)).clamp(-(1 << 14), 1 << 14) as i16;
            words[state(own, other)] = outputs.map(held);
        }
    }
    words
}

/// Weights of so many inputs, as [`add`] takes them.
fn pairs<const N: usize>(inputs: usize, weight: impl Fn(usize, usize) -> i16) -> Vec<[[i16; 2]; N]> {
    let pair = |i: usize| std::array::from_fn(|j| [weight(i, j), weight(i + 1, j)]);
    (0..inputs).step_by(2).map(pair).collect()
}

/// Adds inputs by their weights: two at once, which processors have an instruction for.
fn add<const N: usize>(sums: &mut [i32; N], weights: &[[[i16; 2]; N]], inputs: &[i16]) {
    for (pairs, two) in weights.iter().zip(inputs.as_chunks::<2>().0) {
        let [first, second] = two.map(i32::from);
        for (sum, pair) in sums.iter_mut().zip(pairs) {
            *sum += i32::from(pair[0]) * first + i32::from(pair[1]) * second;
        }
    }
}

/// What the neurons add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums([i32; HIDDEN]);

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Chance, Random, Setup, registry};

    #[test]
    fn the_same_position_for_the_other_seat_looks_the_same_to_it() {
        let (net, mut random) = (Net::built_in(), Random::new(6));
        for _ in 0..20 {
            let mut position = registry::start("ultimate", &Setup::default()).unwrap();
            let mut cells = vec![0; 81];
            while position.end().is_none() {
                position.write_cells(&mut cells);
                let boards = Boards::of(&cells);
                let [first, second] = boards.taken;
                let exchanged = Boards::of_taken([second, first]);
                let seen = |boards, seat| net.look(boards, seat, 1 << 4);
                assert_eq!(seen(&boards, 0), seen(&exchanged, 1), "{boards:?}");
                let m = position.nth_legal(random.below(position.legal_count()));
                position.play(m, &Chance::NONE).unwrap();
            }
        }
    }

    #[test]
    fn states_of_a_board_have_numbers_of_their_own_and_what_is_seen_of_them_is_in_range() {
        let mut numbers = vec![0; STATES];
        for own in 0..=ALL {
            for other in (0..=ALL).filter(|other| own & other == 0) {
                numbers[state(own, other)] += 1;
                sights(own, other, |sight| assert!(sight < SIGHTS, "{own:b} {other:b}"));
            }
        }
        assert!(numbers.iter().all(|&count| count == 1));
    }

    #[test]
    fn cells_that_complete_a_line_are_seen_and_boards_that_are_over_hide_their_cells() {
        let seen = |own, other| {
            let mut on = Vec::new();
            sights(own, other, |sight| on.push(sight));
            on
        };
        assert_eq!(seen(0b000_000_011, 0b000_110_000), [0, 1, 9 + 4, 9 + 5, 18 + 2, 27 + 3]);
        assert_eq!((seen(ALL, 0), seen(0, ALL)), (vec![36], vec![37]));
        assert_eq!(seen(0b001_110_011, 0b110_001_100), [38]);
    }
}
