//! Turning and mirroring the board.

use super::oracle::{HOLES, Star, number};
use super::{legal, position, random_text, start};
use arbiter_rules::{Chance, Move, Random};
use std::collections::BTreeSet;

/// Where a hole comes to lie when the board is turned by 60 degrees clockwise about hole 60.
fn turned(hole: usize) -> usize {
    let (row, column) = (HOLES[hole].0 - 8, HOLES[hole].1 - 12);
    // In steps to the right and down to the right; the turn makes these down to the right and down to the left.
    let (along, down) = ((column - row) / 2, row);
    let (along, down) = (-down, along + down);
    number((8 + down, 12 + 2 * along + down))
}

/// A position with its holes exchanged and its branches renamed.
fn image(text: &str, place: impl Fn(usize) -> usize, branch: impl Fn(char) -> char) -> String {
    let star = Star::read(text);
    let letter = |owner: usize| branch(char::from(b'A' + owner as u8));
    let mut board = ['.'; 121];
    for (&hole, &owner) in &star.pawns {
        board[place(number(hole))] = letter(owner);
    }
    let standing: BTreeSet<_> = star.standing.iter().map(|&owner| letter(owner)).collect();
    format!("{} {} {}", super::field(&board), String::from_iter(standing), letter(star.mover))
}

fn next_branch(letter: char) -> char {
    char::from(b'A' + (letter as u8 - b'A' + 1) % 6)
}

#[test]
fn turning_the_board_turns_the_legal_list() {
    assert_eq!([0, 1, 6, 60, 110, 10].map(turned), [22, 21, 19, 60, 120, 0]);
    let mut random = Random::new(30);
    for _ in 0..500 {
        let mut text = random_text(&mut random);
        let mut moves = legal(&position(&text, &[]));
        for _ in 0..6 {
            text = image(&text, turned, next_branch);
            let turn = |m: &Move| match *m {
                Move::PASS => Move::PASS,
                m => Move::shift(turned(m.from().into()) as u16, turned(m.to().into()) as u16),
            };
            moves = moves.iter().map(turn).collect();
            moves.sort_unstable();
            let here = position(&text, &[]);
            assert_eq!(legal(&here), moves, "{text}");
        }
    }
}

#[test]
fn mirrored_openings_of_two_players_count_as_one() {
    let mirrored = |hole: usize| {
        let (row, column) = HOLES[hole];
        number((row, 24 - column))
    };
    let mut random = Random::new(31);
    for _ in 0..300 {
        let text = random_text(&mut random);
        let here = position(&text, &[]);
        let image = image(&text, mirrored, |letter| match letter {
            'B' => 'F',
            'F' => 'B',
            'C' => 'E',
            'E' => 'C',
            other => other,
        });
        let image = position(&image, &[]);
        assert!(here.symmetric_key() <= here.key());
        if text.contains(" AD ") {
            assert_eq!(here.symmetric_key(), image.symmetric_key(), "{text}");
        } else {
            assert_eq!(here.symmetric_key(), here.key(), "a mirror would turn the order of play");
        }
    }
    let after = |players, m| {
        let mut game = start(players, &[]);
        game.play(m, &Chance::NONE).unwrap();
        game.symmetric_key()
    };
    let (left, right) = (Move::shift(6, 14), Move::shift(9, 18));
    assert_eq!(after(2, left), after(2, right));
    assert_ne!(after(3, left), after(3, right));
    assert_ne!(after(2, left), after(2, Move::shift(6, 15)));
}

#[test]
fn a_key_tells_apart_who_moves_and_who_is_in() {
    let field = "A/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/1";
    let key = |seats: &str| position(&format!("{field} {seats}"), &[]).key();
    let keys = ["ABCDEF A", "ABCDEF B", "ABCDE A", "ABDEF A", "AF A", "AF F"].map(key);
    for (i, a) in keys.iter().enumerate() {
        assert!(keys[..i].iter().all(|b| b != a));
    }
}
