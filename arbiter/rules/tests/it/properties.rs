//! Nothing that anybody can type or send makes a parser panic, and mirrored games stay mirrored.

use crate::support::{Case, cases, legal, pick, random_move, start};
use arbiter_rules::draft::Draft;
use arbiter_rules::{Chance, Move, Position, Random, Setup, registry};
use std::collections::HashSet;

/// Texts tried on each parser of each case.
const TEXTS: usize = 400;

/// Characters that mean something somewhere, and some that mean nothing anywhere.
const CHARACTERS: &[char] = &[
    'a', 'b', 'c', 'h', 'i', 'o', 'x', 'O', 'X', 'A', 'D', 'F', 'p', '0', '1', '2', '5', '9', '-', '+', '/',
    ',', '.', '>', ' ', '\t', '\n', '\0', '\u{7f}', 'é', '²', '９', 'İ', '\u{202e}', '🙂',
];

/// Random characters.
fn noise(random: &mut Random) -> String {
    (0..random.below(12)).map(|_| *pick(CHARACTERS, random)).collect()
}

/// A text with a few characters changed, left out, doubled or added.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(characters.len() + 1);
        match random.below(4) {
            0 => characters.insert(at, *pick(CHARACTERS, random)),
            1 if at < characters.len() => drop(characters.remove(at)),
            2 if at < characters.len() => characters[at] = *pick(CHARACTERS, random),
            _ => characters.extend_from_within(..at.min(3)),
        }
    }
    characters.into_iter().collect()
}

/// Looks at positions of random games of every case, each with the move that is about to be played.
fn in_random_games(seed: u64, look: impl Fn(&Case, &Position, Move, &mut Random)) {
    for case in cases() {
        let mut random = Random::new(seed);
        let mut position = case.start();
        for _ in 0..TEXTS {
            if position.end().is_some() {
                position = case.start();
            }
            let m = random_move(&position, &mut random);
            look(&case, &position, m, &mut random);
            position.play(m, &Chance::NONE).expect("listed moves are legal");
        }
    }
}

#[test]
fn no_position_text_makes_a_reader_panic() {
    in_random_games(1, |case, before, m, random| {
        let mut position = before.clone();
        position.play(m, &Chance::NONE).expect("listed moves are legal");
        let valid = position.text();
        let text = if random.below(4) == 0 { noise(random) } else { mutated(&valid, random) };
        match position.read_position(&text) {
            Ok(read) => try_out(&read, random),
            Err(error) => {
                assert_eq!(error.code(), "bad-position", "{case}: {text:?}");
                assert!(!error.to_string().is_empty(), "{case}: {text:?}");
            }
        }
    });
}

/// A position that could be read can be played on, drawn and written.
fn try_out(position: &Position, random: &mut Random) {
    let text = position.text();
    let again = position.read_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!((again.text(), again.key()), (text, position.key()));
    assert_eq!(position.end().is_none(), position.legal_count() > 0, "{position:?}");
    let mut copy = position.clone();
    for _ in 0..3 {
        if copy.end().is_none() {
            let m = random_move(&copy, random);
            copy.play(m, &Chance::NONE).expect("listed moves are legal");
        }
    }
    position.winning_cells();
    position.symmetric_key();
    position.notes(arbiter_rules::draw::Charset::Ascii);
}

#[test]
fn no_move_text_makes_a_reader_panic() {
    in_random_games(2, |case, position, m, random| {
        let valid = position.move_text(m);
        let text = if random.below(3) == 0 { noise(random) } else { mutated(&valid, random) };
        match position.read_move(&text) {
            Ok(choice) => assert_eq!(position.judge(choice.played), Ok(()), "{case}: {text:?}"),
            Err(error) => assert!(!error.sentence.is_empty(), "{case}: {text:?}"),
        }
        for word in position.split_moves(&format!("{text} {}", noise(random))) {
            assert!(!word.is_empty(), "{case}: {text:?}");
        }
    });
}

#[test]
fn no_path_and_no_touch_makes_a_game_panic() {
    let extremes = [-1, i64::MIN, i64::MAX, 65_535, 65_536, 1 << 32];
    in_random_games(3, |case, position, _, random| {
        let number = |random: &mut Random| match random.below(10) {
            0 => *pick(&extremes, random),
            _ => random.below(position.shape().cells() + 1) as i64,
        };
        let length = random.below(5) * random.below(5) * random.below(5);
        let path: Vec<i64> = (0..length).map(|_| number(random)).collect();
        match position.judge_path(&path) {
            Ok(choice) => assert_eq!(position.judge(choice.played), Ok(()), "{case}: {path:?}"),
            Err(error) => assert!(!error.sentence.is_empty(), "{case}: {path:?}"),
        }
        let cell = |random: &mut Random| match random.below(10) {
            0 => u16::MAX,
            _ => random.below(position.shape().cells() + 1) as u16,
        };
        let draft = Draft { cells: (0..random.below(4)).map(|_| cell(random)).collect() };
        let _ = position.pick(&draft, cell(random));
        let _ = position.act(&draft, ["place", "remove", "finish", ""][random.below(4)]);
        position.draft_view(&draft);
    });
}

#[test]
fn no_option_makes_a_game_panic() {
    let mut random = Random::new(4);
    for info in registry::GAMES {
        let names: Vec<&str> =
            info.options.iter().map(|option| option.name).chain(["nonsense", ""]).collect();
        let values =
            ["true", "0", "1", "3", "7x6", "x", "20x20", "99999999999", "-1", "top", "o", "", " ", "٣", "3d"];
        for _ in 0..TEXTS {
            let one = |random: &mut Random| (*pick(&names, random), *pick(&values, random));
            let options: Vec<_> = (0..random.below(4)).map(|_| one(&mut random)).collect();
            let players = [None, Some(0), Some(2), Some(6), Some(usize::MAX)];
            let setup = Setup { players: *pick(&players, &mut random), options: &options, position: None };
            match info.start(&setup) {
                Ok(position) => assert!(position.legal_count() > 0, "{} {options:?}", info.id),
                Err(error) => assert_eq!(error.code(), "bad-option", "{} {options:?}: {error}", info.id),
            }
        }
    }
}

/// One of the eight images of a square board.
fn square(cell: u16, n: u16, symmetry: usize) -> u16 {
    let (mut row, mut column) = (cell / n, cell % n);
    if symmetry & 1 != 0 {
        column = n - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = n - 1 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * n + column
}

/// Plays random games and their image side by side.
fn mirrored_games_stay_mirrored(
    game: &str,
    options: &[(&str, &str)],
    symmetries: usize,
    image: impl Fn(u16, usize) -> u16,
) {
    let mut random = Random::new(6);
    let mut others = HashSet::new();
    for number in 0..5 * symmetries {
        let symmetry = number % symmetries;
        let mapped = |m: Move| {
            if m == Move::PASS {
                return m;
            }
            let [from, to] = [m.from(), m.to()].map(|cell| u64::from(image(cell, symmetry)));
            Move::from_bits(m.bits() & !0xffff_ffff | from << 16 | to)
        };
        let (mut position, mut mirror) = (start(game, options), start(game, options));
        while position.end().is_none() {
            assert_eq!(position.symmetric_key(), mirror.symmetric_key(), "{position:?} and {mirror:?}");
            let expected: HashSet<Move> = legal(&position).into_iter().map(mapped).collect();
            assert_eq!(expected, legal(&mirror).into_iter().collect(), "{position:?} and {mirror:?}");
            others.insert(position.symmetric_key());
            let m = random_move(&position, &mut random);
            position.play(m, &Chance::NONE).expect("listed moves are legal");
            mirror.play(mapped(m), &Chance::NONE).expect("the image of a legal move is legal");
        }
        assert_eq!(position.end(), mirror.end(), "{position:?} and {mirror:?}");
    }
    assert!(others.len() > 10, "{game}: symmetric keys tell different positions apart");
}

#[test]
fn square_boards_look_the_same_from_all_eight_sides() {
    mirrored_games_stay_mirrored("tic-tac-toe", &[], 8, |cell, symmetry| square(cell, 3, symmetry));
    for n in [3, 4, 7] {
        let size = n.to_string();
        let options = [("n", &*size), ("max_turns", "60")];
        mirrored_games_stay_mirrored("stacks", &options, 8, |cell, symmetry| square(cell, n, symmetry));
    }
    mirrored_games_stay_mirrored("ultimate", &[], 8, |cell, symmetry| {
        square(cell / 9, 3, symmetry) * 9 + square(cell % 9, 3, symmetry)
    });
}

#[test]
fn othello_looks_the_same_from_the_four_sides_that_keep_its_start() {
    let keeps_start = [0, 3, 4, 7];
    mirrored_games_stay_mirrored("othello", &[], 4, |cell, symmetry| square(cell, 8, keeps_start[symmetry]));
}

#[test]
fn connect_four_looks_the_same_in_a_mirror() {
    for columns in [7, 10, 20] {
        let size = format!("{columns}x6");
        mirrored_games_stay_mirrored("connect-four", &[("size", &size)], 2, |cell, symmetry| {
            if symmetry == 0 { cell } else { cell / columns * columns + columns - 1 - cell % columns }
        });
    }
}

/// Half a turn leaves both seats their sides, and a stone that is taken over its place.
#[test]
fn hex_looks_the_same_after_half_a_turn() {
    for (size, swap) in [(3, "true"), (5, "false"), (11, "true")] {
        let text = size.to_string();
        let options = [("size", &*text), ("swap", swap)];
        let last = size * size - 1;
        mirrored_games_stay_mirrored(
            "hex",
            &options,
            2,
            |cell, symmetry| {
                if symmetry == 0 { cell } else { last - cell }
            },
        );
    }
}
