//! Drawing the earthquake of a turn with integers alone, so that every machine draws the same.

use super::board::Board;
use crate::chance::{Chance, ChanceSource};
use crate::random::{GOLDEN, Random, mix};

/// The chance that a single token holds, 2^(-1/(2n)), as a 64-bit fraction for n = 3 to 9.
const HOLD: [u64; 7] = [
    16434180649130740277, 16915738899553466670, 17211420807207096429, 17411407883787705788,
    17555676923776752229, 17664662643191237676, 17749896860809138061,
];

/// Draws which stacks of the board collapse after the given turn, counted from 1, and how many tokens fall. `rate` is the
/// chance of a collapse in per cent of the chance that the rules give.
///
/// A [`ChanceSource::Sample`] is the state that the turn's generator starts with, in place of the one that the seed gives.
pub(super) fn draw(board: &Board, rate: u32, turn: u32, source: ChanceSource) -> Chance {
    let mut random = Random::new(match source {
        ChanceSource::GameSeed(seed) => mix(seed.wrapping_add(u64::from(turn).wrapping_mul(GOLDEN))),
        ChanceSource::Sample(state) => state,
    });
    let stacks = (0..board.cells()).map(|cell| (cell, board.height(cell))).filter(|&(_, height)| height > 0);
    let collapsed = stacks.filter_map(|(cell, height)| {
        let stands = random.bits() < threshold(board.n, height, rate);
        (!stands).then(|| (cell, 1 + below(&mut random, height)))
    });
    Chance { fallen: collapsed.collect() }
}

/// The chance that a stack stands, as a 64-bit fraction, where it collapses with `rate` per cent of the usual chance.
fn threshold(n: u16, height: u32, rate: u32) -> u64 {
    let hold = HOLD[usize::from(n) - 3];
    let stands = (1..height).fold(hold, |all, _| ((u128::from(all) * u128::from(hold)) >> 64) as u64);
    let collapses = (1 << 64) - u128::from(stands);
    ((1 << 64) - collapses * u128::from(rate) / 100) as u64
}

/// A number below `bound`, each equally likely: numbers from the incomplete last cycle are drawn again.
fn below(random: &mut Random, bound: u32) -> u32 {
    let bound = u64::from(bound);
    let excess = (u64::MAX % bound + 1) % bound;
    loop {
        let number = random.bits();
        if number <= u64::MAX - excess {
            return (number % bound) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::cell_name;
    use crate::seat::Seat;

    const SEED: u64 = 0x0123_4567_89AB_CDEF;

    fn heights(n: u16, heights: &[u32]) -> Board {
        let mut board = Board::empty(n);
        for (cell, &height) in (0..).zip(heights) {
            (0..height).for_each(|_| board.push(cell, Seat::FIRST));
        }
        board
    }

    #[test]
    fn every_turn_draws_the_earthquake_that_the_rules_print() {
        let board = heights(3, &[4, 0, 1, 2, 6, 3, 1, 0, 5]);
        let drawn = |turn| draw(&board, 100, turn, ChanceSource::GameSeed(SEED)).fallen;
        assert_eq!(drawn(1), [(8, 2)]);
        assert_eq!(drawn(2), [(3, 1)]);
        assert_eq!(drawn(3), [(0, 2), (6, 1)]);
        assert_eq!(drawn(4), [(2, 1), (8, 5)]);
        assert_eq!(drawn(5), [(0, 1), (3, 2), (4, 6)]);
    }

    #[test]
    fn a_number_of_ones_own_is_the_state_that_the_generator_starts_with() {
        let board = heights(3, &[4, 0, 1, 2, 6, 3, 1, 0, 5]);
        let turn_1 = draw(&board, 100, 77, ChanceSource::Sample(0x157A_3807_A48F_AA9D));
        assert_eq!(turn_1.fallen, [(8, 2)]);
    }

    #[test]
    fn stacks_stand_with_the_chances_that_the_rules_print() {
        let printed = [
            (4, 11620720580245083919),
            (1, 16434180649130740277),
            (2, 14641190473997345813),
            (6, 9223372036854775806),
            (3, 13043817825332782211),
            (5, 10352885068807405236),
        ];
        for (height, chance) in printed {
            assert_eq!(threshold(3, height, 100), chance, "height {height}");
        }
        let table = [
            (3, [0.109, 0.206, 0.293, 0.370, 0.500, 0.603, 0.750]),
            (4, [0.083, 0.159, 0.229, 0.293, 0.405, 0.500, 0.646]),
            (6, [0.056, 0.109, 0.159, 0.206, 0.293, 0.370, 0.500]),
        ];
        for (n, chances) in table {
            for (height, collapses) in [1, 2, 3, 4, 6, 8, 12].into_iter().zip(chances) {
                let chance = 1.0 - threshold(n, height, 100) as f64 / 2f64.powi(64);
                assert!((chance - collapses).abs() < 0.0005_f64, "n {n}, height {height}: {chance}");
            }
        }
    }

    /// The numbers come from whole numbers of any length in Python: `2**64 - (2**64 - S) * rate // 100`.
    #[test]
    fn with_a_rate_stacks_collapse_with_so_many_per_cent_of_the_chance() {
        for (n, height, rate, stands) in [
            (3, 1, 1, 18426618439463763503),
            (3, 4, 50, 15033732326977317768),
            (4, 2, 33, 17478212847731471015),
            (4, 12, 99, 6641157264276822704),
            (6, 3, 10, 18153249762807102949),
            (9, 9, 7, 18068539236323177758),
            (3, 40, 100, 181573759066329432),
            (3, 200, 37, 11621448767067667310),
        ] {
            assert_eq!(threshold(n, height, rate), stands, "n {n}, height {height}, {rate} %");
        }
    }

    /// A stack that stands draws one number at any rate, so earthquakes of a lower rate begin with the same numbers.
    #[test]
    fn a_lower_rate_lets_stacks_stand_that_would_have_collapsed() {
        let board = heights(3, &[4, 0, 1, 2, 6, 3, 1, 0, 5]);
        let fallen = |rate| {
            let turns = 1..=2000;
            turns
                .map(|turn| draw(&board, rate, turn, ChanceSource::GameSeed(SEED)).fallen.len())
                .sum::<usize>()
        };
        let (all, half, few) = (fallen(100), fallen(50), fallen(1));
        assert!((all * 45 / 100..all * 55 / 100).contains(&half), "{half} of {all}");
        assert!(few > 0 && few < all / 50, "{few} of {all}");
    }

    #[test]
    fn generators_give_the_numbers_that_the_rules_print() {
        let state = |turn: u64| mix(SEED.wrapping_add(turn.wrapping_mul(GOLDEN)));
        assert_eq!((state(1), state(2)), (0x157A_3807_A48F_AA9D, 0xD573_529B_34A1_D093));
        for (state, numbers) in [
            (0, vec![0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
            (state(1), vec![0x021C_88D0_A3FD_73B6, 0x498D_3E51_E781_CDE0]),
            (state(2), vec![0x77A6_486D_FF4E_0F94, 0xD27A_6A41_6AD6_B4E8]),
        ] {
            let mut random = Random::new(state);
            numbers.into_iter().for_each(|number: u64| assert_eq!(random.bits(), number));
        }
    }

    #[test]
    fn another_program_draws_the_same_earthquakes() {
        for line in include_str!("../../../tests/data/stacks-chance.jsonl").lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("one object a line");
            let number = |value: &serde_json::Value| value.as_u64().expect("a number");
            let n = number(&line["n"]) as u16;
            let given: Vec<_> =
                line["heights"].as_array().expect("heights").iter().map(|h| number(h) as u32).collect();
            let seed = line["seed"].as_str().and_then(|seed| seed.strip_prefix("0x")).expect("a seed");
            let seed = u64::from_str_radix(seed, 16).expect("hexadecimal digits");
            let drawn =
                draw(&heights(n, &given), 100, number(&line["turn"]) as u32, ChanceSource::GameSeed(seed));
            let named = drawn.fallen.into_iter().map(|(cell, count)| (cell_name(cell, n), count.into()));
            assert_eq!(serde_json::Value::Object(named.collect()), line["earthquake"], "{line}");
        }
    }

    #[test]
    fn every_number_of_falling_tokens_is_drawn() {
        let mut random = Random::new(1);
        let mut seen = [0; 5];
        (0..1000).for_each(|_| seen[below(&mut random, 5) as usize] += 1);
        assert!(seen.iter().all(|&count| count > 150), "{seen:?}");
    }
}
