//! What people see of each game, in both sets of characters.

use crate::support::{after, play, read, start};
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::{Chance, Position};

/// Draws with the last move marked, as (Unicode, ASCII).
fn drawings(position: &Position, last: &[u16], targets: &[u16]) -> [String; 2] {
    let marks = Marks { last: last.to_vec(), targets: targets.to_vec(), must: Vec::new() };
    [Charset::Unicode, Charset::Ascii].map(|charset| draw(position, charset, &marks))
}

#[test]
fn othello_shows_discs_cells_to_play_on_and_both_counts() {
    let position = after("othello", &[], "f5");
    let [unicode, ascii] = drawings(&position, &[37], &[29, 43, 45]);
    assert_eq!(
        unicode,
        "    a b c d e f g h
  1 · · · · · · · ·
  2 · · · · · · · ·
  3 · · · · · · · ·
  4 · · · ○ ● ◆ · ·
  5 · · · ● ●‹●›· ·
  6 · · · ◆ · ◆ · ·
  7 · · · · · · · ·
  8 · · · · · · · ·
  ● 4  ○ 1
"
    );
    assert_eq!(
        ascii,
        "    a b c d e f g h
  1 . . . . . . . .
  2 . . . . . . . .
  3 . . . . . . . .
  4 . . . O X * . .
  5 . . . X X<X>. .
  6 . . . * . * . .
  7 . . . . . . . .
  8 . . . . . . . .
  X 4  O 1
"
    );
}

#[test]
fn connect_four_shows_column_numbers_and_the_last_disc() {
    let position = after("connect-four", &[("size", "11x4"), ("connect", "3")], "4 11 4");
    let [unicode, ascii] = drawings(&position, &[25], &[]);
    assert_eq!(
        unicode,
        "   1  2  3  4  5  6  7  8  9 10 11
   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
   ·  ·  · ‹X› ·  ·  ·  ·  ·  ·  ·
   ·  ·  ·  X  ·  ·  ·  ·  ·  ·  O
  3 in a row wins
"
    );
    assert!(ascii.contains(" .  . <X> .  . "), "{ascii}");
}

#[test]
fn tic_tac_toe_shows_x_o_and_dots() {
    let [_, ascii] = drawings(&after("tic-tac-toe", &[], "b2 a1"), &[], &[]);
    assert_eq!(ascii, "    a b c\n  1 o . .\n  2 . x .\n  3 . . .\n");
}

#[test]
fn ultimate_shows_won_grids_as_one_big_sign_and_frames_the_forced_one() {
    let position = read("ultimate", &[], "6xoxOOOX2xo1ox1oXx2xo4oox4ox o a1");
    let [unicode, ascii] = drawings(&position, &[], &[]);
    assert_eq!(
        unicode,
        "    a b c   a b c   a b c
  ╔═══════╗───────┬───────┐   main grid
1 ║ · · · ║ O O O │ O O O │    · O O
2 ║ · · · ║ O O O │ O O O │    O X ·
3 ║ x o x ║ O O O │ O O O │    X · ·
  ╚═══════╝───────┼───────┤
1 │ O O O │ X X X │ · · x │
2 │ O O O │ X X X │ o · o │
3 │ O O O │ X X X │ x · o │
  ├───────┼───────┼───────┤
1 │ X X X │ x · · │ o o x │
2 │ X X X │ x o · │ · · · │
3 │ X X X │ · · · │ · o x │
  └───────┴───────┴───────┘
You are sent to grid 1.
"
    );
    assert!(ascii.contains("1 # . . . # O O O | O O O |    . O O\n"), "{ascii}");
    assert!(ascii.contains("  #=======#-------+-------+\n"), "{ascii}");
}

#[test]
fn stacks_show_tops_heights_and_what_lies_in_tall_stacks() {
    let options = [("n", "3"), ("max_turns", "0"), ("repetition", "0"), ("removal", "off")];
    let mut position = start("stacks", &options);
    play(&mut position, "+b2 +b2 +b2 +c3 +a1 +c3");
    assert_eq!(
        draw(&position, Charset::Ascii, &Marks::default()),
        "      a   b   c     heights

  1   X   .   .     1 0 0

  2   .   X   .     0 3 0

  3   .   .   O     0 0 2

  from the bottom:  b2 XOX  c3 OO
"
    );
}

#[test]
fn stacks_align_heights_of_two_digits_and_wrap_long_lists() {
    let stack = "xo".repeat(6);
    let row = [&*stack; 9].join(",");
    let text = format!("{} x -", [&*row; 9].join("/"));
    let position = read("stacks", &[("n", "9"), ("variant", "top")], &text);
    let drawn = draw(&position, Charset::Ascii, &Marks::default());
    assert!(
        drawn.contains("  1   O   O   O   O   O   O   O   O   O     12 12 12 12 12 12 12 12 12\n"),
        "{drawn}"
    );
    assert!(drawn.lines().all(|line| line.len() <= 80), "{drawn}");
    let listed = drawn.matches(&*stack.to_uppercase()).count();
    assert_eq!(listed, 81, "{drawn}");
}

#[test]
fn stacks_say_which_token_ko_protects() {
    let mut position = start("stacks", &[("n", "3")]);
    let b2 = position.read_move("+b2").expect("b2 is empty").played;
    position.play(b2, &Chance::NONE).expect("it has just been read");
    let drawn = draw(&position, Charset::Ascii, &Marks::default());
    assert!(
        drawn.ends_with("\n  The token on b2 has just been placed: it may not be removed now.\n"),
        "{drawn}"
    );
}
