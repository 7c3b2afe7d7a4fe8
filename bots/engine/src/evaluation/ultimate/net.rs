//! What a position looks worth to a small neural network: one layer of [`HIDDEN`] neurons between what can be seen of the
//! nine boards and one number.
//!
//! A neuron adds up the weights of all inputs that are on, is held between 0 and 1, and gives its square. The sum of these
//! squares, by the weights of the output, is the logarithm of the odds to win. The weights are integers, as in the
//! networks of chess programs ("NNUE", Y. Nasu 2018), so that a position looks the same on every machine.

use super::{ALL, Boards, cells, completing};
use std::sync::LazyLock;

/// Inputs for each board; [`inputs`] says which.
const FOR_A_BOARD: usize = 26;

/// What is seen of a position: so much of each board, and whether all are free to choose from.
pub const INPUTS: usize = 9 * FOR_A_BOARD + 1;

/// Neurons.
pub const HIDDEN: usize = 32;

/// What a weight of 1 towards a neuron is as an integer.
pub const ONE: i16 = 255;

/// What a weight of 1 towards the output is as an integer.
pub const ONE_OUT: i16 = 1024;

/// How many integers make a network: weights towards the neurons by input, what these begin with, weights towards the
/// output, and what that begins with.
pub const NUMBERS: usize = (INPUTS + 2) * HIDDEN + 1;

/// The numbers of the inputs that are on, one after another, for the side to move in a position in which it may play on
/// some of the boards.
pub fn inputs(boards: &Boards, seat: usize, allowed: u16, mut on: impl FnMut(usize)) {
    let sides = [seat, 1 - seat];
    let lines = sides.map(|side| completing(boards.won[side]) & boards.open);
    for board in 0..9 {
        let first = board * FOR_A_BOARD;
        let has = |set: u16| set >> board & 1 == 1;
        if has(boards.open) {
            for (i, side) in sides.into_iter().enumerate() {
                let taken = boards.taken[side][board];
                cells(taken).for_each(|cell| on(first + 9 * i + usize::from(cell)));
                if completing(taken) & boards.empty(board) != 0 {
                    on(first + 18 + i);
                }
                if has(lines[i]) {
                    on(first + 20 + i);
                }
            }
        } else if let Some(i) = sides.iter().position(|&side| has(boards.won[side])) {
            on(first + 22 + i);
        } else {
            on(first + 24);
        }
        if allowed == 1 << board {
            on(first + 25);
        }
    }
    if !allowed.is_power_of_two() {
        on(9 * FOR_A_BOARD);
    }
}

/// Weights.
#[derive(Debug)]
struct Net {
    from: Vec<[i16; HIDDEN]>,
    start: [i16; HIDDEN],
    to: [i16; HIDDEN],
    start_of_output: i16,
}

/// The network that `cargo run --release -p bot-alphabeta --example learn-ultimate` learns on from; earlier forms of that
/// program began it, so that it cannot be made again to the last bit.
///
/// It grew in five turns from games of `alphabeta` against itself: 20,000 with an evaluation made by hand, from which a
/// network of random weights learned the results alone, then 24,000, 24,000, 30,000 and 14,000 with the network of the
/// turn before. Each move searched 640 to 1,024 positions. In the last turn the odds to win and those not to lose were
/// learned apart; the output is the mean of both. At 20 ms a move the first network won 55 % of the points in 60 games
/// against the evaluation made by hand, and the second 66 % in 80 games against the first.
static NET: LazyLock<Net> = LazyLock::new(|| Net::of(include_bytes!("net.bin")));

/// The numbers of the network, to learn on from.
#[must_use]
pub fn numbers() -> Vec<f32> {
    let to_neurons = NET.from.iter().flatten().chain(&NET.start).map(|&weight| (weight, ONE));
    let to_output = NET.to.iter().chain([&NET.start_of_output]).map(|&weight| (weight, ONE_OUT));
    to_neurons.chain(to_output).map(|(weight, one)| f32::from(weight) / f32::from(one)).collect()
}

impl Net {
    /// Reads a network.
    fn of(bytes: &[u8; 2 * NUMBERS]) -> Net {
        let numbers: Vec<_> = bytes.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
        let layer = |i: usize| std::array::from_fn(|neuron| numbers[i * HIDDEN + neuron]);
        Net {
            from: (0..INPUTS).map(layer).collect(),
            start: layer(INPUTS),
            to: layer(INPUTS + 1),
            start_of_output: numbers[NUMBERS - 1],
        }
    }

    /// How good a position looks for the side to move: a hundred points are one in the logarithm of the odds.
    fn lead(&self, boards: &Boards, seat: usize, allowed: u16) -> i32 {
        let mut sums = self.start;
        inputs(boards, seat, allowed, |input| {
            let weights = &self.from[input];
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = sum.saturating_add(weight));
        });
        let squares = sums.iter().zip(&self.to).map(|(&sum, &weight)| {
            let held = i32::from(sum.clamp(0, ONE));
            held * held / i32::from(ONE) * i32::from(weight)
        });
        let scale = i32::from(ONE) * i32::from(ONE_OUT) / 100;
        (squares.sum::<i32>() + i32::from(self.start_of_output) * i32::from(ONE)) / scale
    }
}

/// How good a position looks for the side to move, which may play on some of the boards.
#[must_use]
pub fn lead(boards: &Boards, seat: usize, allowed: u16) -> i32 {
    NET.lead(boards, seat, allowed & ALL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Chance, Random, Setup, registry};

    #[test]
    fn the_same_position_for_the_other_seat_looks_the_same_to_it() {
        let mut random = Random::new(6);
        for _ in 0..20 {
            let mut position = registry::start("ultimate", &Setup::default()).unwrap();
            let mut cells = vec![0; 81];
            while position.end().is_none() {
                position.write_cells(&mut cells);
                let boards = Boards::of(&cells);
                let [first, second] = boards.taken;
                let [by_first, by_second] = boards.won;
                let exchanged = Boards { taken: [second, first], won: [by_second, by_first], ..boards };
                assert_eq!(lead(&boards, 0, 1 << 4), lead(&exchanged, 1, 1 << 4), "{}", position.text());
                let m = position.nth_legal(random.below(position.legal_count()));
                position.play(m, &Chance::NONE).unwrap();
            }
        }
    }

    #[test]
    fn inputs_are_in_range_and_each_is_on_once() {
        let mut boards = Boards::of(&[0; 81]);
        // Three boards of one's own in a row, the fourth nearly so, the fifth full.
        for (board, cell) in
            (0..3).flat_map(|board| (0..3).map(move |cell| (board, cell))).chain([(3, 0), (3, 1)])
        {
            boards.play(0, board, cell);
        }
        for (cell, seat) in [0, 1, 0, 0, 1, 1, 1, 0, 0].into_iter().enumerate() {
            boards.play(seat, 4, cell as u16);
        }
        let seen = |seat, allowed| {
            let mut on = Vec::new();
            inputs(&boards, seat, allowed, |input| on.push(input));
            assert!(on.iter().all(|&input| input < INPUTS), "{on:?}");
            on
        };
        let of_owner = [22, 26 + 22, 52 + 22, 78, 79, 78 + 18, 104 + 24];
        assert_eq!(seen(0, 1 << 8), [&of_owner[..], &[208 + 25]].concat());
        let of_other = [23, 26 + 23, 52 + 23, 78 + 9, 78 + 10, 78 + 19, 104 + 24];
        assert_eq!(seen(1, 0b1_1110_1000), [&of_other[..], &[234]].concat());
    }
}
