//! What a position on 7x6 looks worth to a small neural network.
//!
//! [`FIRST`] neurons see the discs of either side, the empty cells that complete a line for either, and who is to move. A
//! neuron adds up the weights of what is there, is held between 0 and 1, and gives its square. [`SECOND`] neurons add up
//! these squares by their weights, are held in the same way, and their sum is the logarithm of the first mover's odds.
//!
//! All numbers are integers: a position looks the same on every machine. What a column adds depends on nothing but the
//! column, so it comes from tables: one by its discs, and one for each side by the cells in it that win.

use super::grid::{Discs, Grid};
use std::sync::LazyLock;

/// The size of the board.
pub const WIDTH: usize = 7;
/// The same upwards.
pub const HEIGHT: usize = 6;

const CELLS: usize = WIDTH * HEIGHT;

/// What can be seen: discs of the first mover and of the second, cells that win for either, and who is to move.
pub const INPUTS: usize = 4 * CELLS + 2;

/// Neurons that see the position.
pub const FIRST: usize = 64;

/// Neurons that see those.
pub const SECOND: usize = 16;

/// Where the numbers of a network begin: weights by input and neuron.
pub const FIRST_AT: usize = 0;
/// Weights by second neuron: of the first neurons, then what it begins with.
pub const SECOND_AT: usize = FIRST_AT + INPUTS * FIRST;
/// Weights of the second neurons, and what the sum begins with.
pub const ODDS_AT: usize = SECOND_AT + SECOND * (FIRST + 1);
/// How many numbers make a network.
pub const NUMBERS: usize = ODDS_AT + SECOND + 1;

/// What 1 is as an integer.
pub const ONE: i16 = 256;

/// The numbers of the inputs that are on, one after another.
pub fn inputs(grid: &Grid, discs: Discs, mut on: impl FnMut(usize)) {
    let [first, second] = by_mover(discs);
    let sets = [first, second, grid.completing(first, discs.all), grid.completing(second, discs.all)];
    for (i, mut set) in sets.into_iter().enumerate() {
        while set != 0 {
            let at = set.trailing_zeros() as usize;
            on(CELLS * i + at / (HEIGHT + 1) * HEIGHT + at % (HEIGHT + 1));
            set &= set - 1;
        }
    }
    on(to_move(discs));
}

/// The input that says who is to move.
fn to_move(discs: Discs) -> usize {
    4 * CELLS + usize::from(discs.count() % 2 != 0)
}

/// The discs of the first mover and of the second.
fn by_mover(discs: Discs) -> [u64; 2] {
    let Discs { own, all } = discs;
    if discs.count() % 2 == 0 { [own, own ^ all] } else { [own ^ all, own] }
}

type Row = [i16; FIRST];

/// A network, as it is used.
#[derive(Debug)]
pub struct Net {
    /// By column and its discs: those of the first mover, with one bit more, above the highest disc.
    discs: Vec<[Row; 1 << (HEIGHT + 1)]>,
    /// By side and column: what the cells add that win.
    wins: [Vec<[Row; 1 << HEIGHT]>; 2],
    /// By who is to move.
    start: [Row; 2],
    second: Vec<(Row, i32)>,
    odds: [i32; SECOND + 1],
}

/// The network that `cargo run --release -p bot-engine --example learn-connect-four -- GAMES FILE` has learned; see
/// `STRENGTH.md`.
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
        let row = |at: usize| -> Row { std::array::from_fn(|j| number(at + j)) };
        let input = |i: usize| row(FIRST_AT + i * FIRST);
        // What the discs or winning cells of a kind add in a column.
        let part = |sum: &mut Row, kind: usize, column: usize, cells: usize| {
            for up in (0..HEIGHT).filter(|up| cells >> up & 1 == 1) {
                add(sum, &input(CELLS * kind + column * HEIGHT + up));
            }
        };
        let discs = |column: usize| {
            std::array::from_fn(|code: usize| {
                let (mut sum, below) = ([0; FIRST], (1 << code.checked_ilog2().unwrap_or(0)) - 1);
                part(&mut sum, 0, column, code & below);
                part(&mut sum, 1, column, !code & below);
                sum
            })
        };
        let wins = |kind: usize| {
            let column = |column: usize| {
                std::array::from_fn(|cells| {
                    let mut sum = [0; FIRST];
                    part(&mut sum, kind, column, cells);
                    sum
                })
            };
            (0..WIDTH).map(column).collect()
        };
        let second = |j: usize| {
            let at = SECOND_AT + j * (FIRST + 1);
            (row(at), i32::from(number(at + FIRST)) * i32::from(ONE))
        };
        Net {
            discs: (0..WIDTH).map(discs).collect(),
            wins: [wins(2), wins(3)],
            start: [input(4 * CELLS), input(4 * CELLS + 1)],
            second: (0..SECOND).map(second).collect(),
            odds: std::array::from_fn(|j| number(ODDS_AT + j).into()),
        }
    }

    /// How good a position looks for the side to move: a hundred points are one in the logarithm of the odds.
    #[must_use]
    pub fn evaluate(&self, grid: &Grid, position: Discs) -> i32 {
        let [first, second] = by_mover(position);
        let codes = grid.columns(first, position.all);
        let wins = [first, second].map(|discs| grid.completing(discs, position.all));
        let is_second = position.count() % 2 != 0;
        let mut sums = self.start[usize::from(is_second)];
        for column in 0..WIDTH {
            let of = |set: u64, bits: usize| (set >> (column * (HEIGHT + 1))) as usize & ((1 << bits) - 1);
            add(&mut sums, &self.discs[column][of(codes, HEIGHT + 1)]);
            add(&mut sums, &self.wins[0][column][of(wins[0], HEIGHT)]);
            add(&mut sums, &self.wins[1][column][of(wins[1], HEIGHT)]);
        }
        let squares = sums.map(|sum| {
            let held = i32::from(sum.clamp(0, ONE));
            (held * held / i32::from(ONE)) as i16
        });
        let mut odds = self.odds[SECOND] * i32::from(ONE);
        for ((weights, start), weight) in self.second.iter().zip(self.odds) {
            let products =
                squares.iter().zip(weights).map(|(&square, &weight)| i32::from(square) * i32::from(weight));
            let held = ((start + products.sum::<i32>()) / i32::from(ONE)).clamp(0, ONE.into());
            odds += weight * (held * held / i32::from(ONE));
        }
        let lead = 100 * odds / (i32::from(ONE) * i32::from(ONE));
        if is_second { -lead } else { lead }
    }
}

fn add(sums: &mut Row, row: &Row) {
    sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Proof;
    use crate::proof::connect_four::Lines;
    use arbiter_rules::{Chance, Position, Random, Setup, registry};

    /// Positions of random games in which nobody can win at once or has let the other side do so, from so many discs on.
    fn positions(games: usize, from: u32) -> Vec<Position> {
        let (mut random, mut positions) = (Random::new(11), Vec::new());
        let grid = Grid::new(7, 6).unwrap();
        for _ in 0..games {
            let mut position = registry::start("connect-four", &Setup::default()).unwrap();
            loop {
                let mut moves = grid.sensible(grid.discs_of(&position));
                if moves == 0 {
                    break;
                }
                if position.ply() >= from {
                    positions.push(position.clone());
                }
                (0..random.below(moves.count_ones() as usize)).for_each(|_| moves &= moves - 1);
                position.play(grid.move_of(moves & moves.wrapping_neg()), &Chance::NONE).unwrap();
            }
        }
        positions
    }

    #[test]
    fn tables_of_columns_add_up_to_what_is_on_the_board() {
        let bytes = include_bytes!("net.bin");
        let number =
            |i: usize| f64::from(i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])) / f64::from(ONE);
        let grid = Grid::new(7, 6).unwrap();
        let held = |sum: f64| sum.clamp(0.0, 1.0).powi(2);
        for position in positions(20, 0) {
            let discs = grid.discs_of(&position);
            let mut sums = [0.0; FIRST];
            inputs(&grid, discs, |input| {
                (0..FIRST).for_each(|i| sums[i] += number(FIRST_AT + input * FIRST + i));
            });
            let mut odds = number(ODDS_AT + SECOND);
            for j in 0..SECOND {
                let at = SECOND_AT + j * (FIRST + 1);
                let sum: f64 = (0..FIRST).map(|i| held(sums[i]) * number(at + i)).sum();
                odds += number(ODDS_AT + j) * held(sum + number(at + FIRST));
            }
            let lead = if discs.count() % 2 == 0 { odds } else { -odds };
            let seen = f64::from(Net::built_in().evaluate(&grid, discs)) / 100.0;
            assert!((seen - lead).abs() < 0.2, "{}: {seen} {lead}", position.text());
        }
    }

    #[test]
    fn no_neuron_adds_up_to_more_than_its_numbers_hold() {
        let net = Net::built_in();
        for i in 0..FIRST {
            let most = |rows: &[Row]| rows.iter().map(|row| i32::from(row[i]).abs()).max().unwrap();
            let columns = |column: usize| {
                most(&net.discs[column]) + most(&net.wins[0][column]) + most(&net.wins[1][column])
            };
            let all = most(&net.start) + (0..WIDTH).map(columns).sum::<i32>();
            assert!(all <= i32::from(i16::MAX), "neuron {i}: {all}");
        }
    }

    #[test]
    fn who_wins_is_told_more_often_than_by_counting_lines() {
        let grid = Grid::new(7, 6).unwrap();
        let mut solver = Lines::new(grid, 1 << 22);
        let (mut net, mut lines) = (0, 0);
        for position in positions(100, 20) {
            let discs = grid.discs_of(&position);
            let result = Proof::of(&mut solver, &position).go_on(&|| false).unwrap().1;
            let is_told = |looks: i32| i32::from(result != 0 && looks.signum() == result.signum());
            net += is_told(Net::built_in().evaluate(&grid, discs));
            lines += is_told(grid.evaluate(discs));
        }
        assert!(net > lines, "{net} {lines}");
    }
}
