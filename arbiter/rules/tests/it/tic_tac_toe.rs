//! Tic-tac-toe: its texts, and what its players are told.

use crate::support::{after, ending, legal_texts, option_error, read, read_error, refusal, start};
use arbiter_rules::Move;

const FIRST_O: &[(&str, &str)] = &[("first", "o")];

#[test]
fn three_in_line_win_and_a_full_board_is_a_draw() {
    let won = after("tic-tac-toe", &[], "b2 a1 c3 a3 b1 c1 b3");
    assert_eq!(ending(&won), ("line", 1));
    assert_eq!(won.winning_cells(), [1, 4, 7]);
    let lost = after("tic-tac-toe", &[], "1 5 2 3 4 7");
    assert_eq!(ending(&lost), ("line", 2));
    assert_eq!(lost.winning_cells(), [2, 4, 6]);
    let drawn = after("tic-tac-toe", &[], "5 1 3 7 4 6 2 8 9");
    assert_eq!((ending(&drawn), drawn.winning_cells()), (("full", 0), vec![]));
    let last_cell = after("tic-tac-toe", &[], "1 2 3 4 5 7 6 8 9");
    assert_eq!(ending(&last_cell), ("line", 1), "also on the last cell");
}

#[test]
fn cells_have_names_and_digits() {
    let position = start("tic-tac-toe", &[]);
    assert_eq!(legal_texts(&position).join(" "), "a1 b1 c1 a2 b2 c2 a3 b3 c3");
    for (digit, name) in (1..=9).zip(legal_texts(&position)) {
        let m = Move::place(digit - 1);
        assert_eq!(position.read_move(&digit.to_string()).unwrap().played, m);
        assert_eq!(position.read_move(&name).unwrap().played, m);
        assert_eq!(position.read_move(&name.to_uppercase()).unwrap().played, m);
    }
}

#[test]
fn every_refusal_has_its_code_and_a_sentence() {
    let position = after("tic-tac-toe", &[], "b2");
    let no_cell = "off-board: There is no such cell: columns are a to c, rows 1 to 3; or type 1 to 9.";
    for (m, expected) in [
        ("b2", "occupied: b2 is taken by X."),
        ("5", "occupied: b2 is taken by X."),
        ("d1", no_cell),
        ("a4", no_cell),
        ("0", no_cell),
        ("10", no_cell),
        ("foo", "not-understood: 'foo' is not a move. Moves look like: b2."),
        ("", "not-understood: '' is not a move. Moves look like: b2."),
        ("pass", "not-understood: A move in this game takes one cell."),
    ] {
        assert_eq!(refusal(&position, m), expected);
    }
    let beyond = position.judge(Move::place(9)).unwrap_err();
    assert_eq!(beyond.to_string(), "off-board: There is no cell 9: cells are numbered 0 to 8.");
    let over = after("tic-tac-toe", &[], "1 4 2 5 3");
    assert_eq!(refusal(&over, "9"), "game-over: The game is over: player 1 won.");
}

#[test]
fn the_first_seat_can_play_o() {
    let position = after("tic-tac-toe", FIRST_O, "a1 b2");
    assert_eq!(position.text(), "o3x4 o");
    assert_eq!(position.cells(), [1, 0, 0, 0, 2, 0, 0, 0, 0]);
    let sign = |seat| position.sign(seat, arbiter_rules::draw::Charset::Ascii);
    assert_eq!((sign(0), sign(1)), ('o', 'x'));
    assert_eq!(refusal(&position, "a1"), "occupied: a1 is taken by O.");
}

#[test]
fn position_texts_round_trip_and_tell_the_side_to_move() {
    let position = read("tic-tac-toe", &[], "oxx1xo3 o");
    assert_eq!(position.text(), "oxx1xo3 o");
    assert_eq!(position.to_move().unwrap().index(), 1);
    for (text, side) in [("oxx1xo3", 1), ("9", 0), ("xo7", 0), ("xo7 o", 1), ("o8", 0), ("x8", 1)] {
        let position = read("tic-tac-toe", &[], text);
        assert_eq!(position.to_move().unwrap().index(), side, "{text}");
    }
    assert_eq!(read("tic-tac-toe", FIRST_O, "9").to_move().unwrap().index(), 0);
    assert_eq!(read("tic-tac-toe", FIRST_O, "9").text(), "9 o");
    assert_eq!(ending(&read("tic-tac-toe", &[], "xxxoo4")), ("line", 1), "the board decides");
    assert_eq!(ending(&read("tic-tac-toe", FIRST_O, "ooox1x3")), ("line", 1));
    assert_eq!(ending(&read("tic-tac-toe", &[], "xoxxoxoxo")), ("full", 0));
}

#[test]
fn position_texts_are_refused_with_the_place_of_the_mistake() {
    for (text, problem) in [
        ("oxx1xo2 o", "the board has 8 cells instead of 9"),
        ("oxx1xo4 o", "the board has 10 cells instead of 9"),
        ("xoxoxoxoxo", "the board has 10 cells instead of 9"),
        ("", "the board has 0 cells instead of 9"),
        ("oxx-xo3 o", "expected x, o or a digit 1 to 9, not '-' (character 4)"),
        ("0xx1xo3 o", "expected x, o or a digit 1 to 9, not '0' (character 1)"),
        ("xx7 o", "there are 2 x and 0 o: the numbers may differ by one at most"),
        ("oxx1xo3 x", "there are 3 x and 2 o: o is to move (character 9)"),
        ("oxx1xo3 O", "expected x or o for the side to move, not 'O' (character 9)"),
        ("oxx1xo3 o ", "expected x or o for the side to move, not 'o ' (character 9)"),
        ("xxxooo3 x", "x and o both have three in line: only the side that moved last can have won"),
        ("xxxo2o1o x", "x is to move, but has three in line: only the side that moved last can have won"),
        ("xxxo2o1o", "x is to move, but has three in line: only the side that moved last can have won"),
    ] {
        assert_eq!(read_error("tic-tac-toe", &[], text), problem, "{text}");
    }
    assert_eq!(option_error("tic-tac-toe", &[("first", "X")]), "option first takes x or o, not 'X'");
    let twice = option_error("tic-tac-toe", &[("first", "x"), ("first", "o")]);
    assert_eq!(twice, "option first is given twice");
}
