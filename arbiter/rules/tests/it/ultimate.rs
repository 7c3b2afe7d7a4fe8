//! Ultimate: its texts, and what its players are told.

use crate::support::{after, ending, legal_texts, option_error, play, read, read_error, refusal, start};
use arbiter_rules::Move;
use arbiter_rules::draw::Charset;

/// The printed example, with no board forced.
const EXAMPLE: &str = "6xoxOOOX2xo1ox1oXx2xo4oox4ox o -";

#[test]
fn the_line_that_wins_is_told_as_its_three_grids() {
    let position = start("ultimate", &[]);
    assert_eq!(position.line_name(&[0, 8, 36, 44, 72, 80]), "grids 1, 5 and 9 in a line");
}

#[test]
fn the_cell_of_a_move_sends_the_opponent() {
    let position = after("ultimate", &[], "9b2");
    assert_eq!(position.text(), "999999994x4 o b2");
    assert_eq!(legal_texts(&position).join(" "), "5a1 5b1 5c1 5a2 5b2 5c2 5a3 5b3 5c3");
    assert_eq!(position.notes(Charset::Ascii), ["You are sent to grid 5."]);
    assert_eq!(start("ultimate", &[]).notes(Charset::Ascii), ["Play in any open grid."]);
    assert_eq!(start("ultimate", &[]).legal_count(), 81);
}

#[test]
fn a_player_who_is_sent_to_a_won_or_full_board_may_choose() {
    let mut won = read("ultimate", &[], "xx7o81o7999999 x a1");
    play(&mut won, "c1");
    assert_eq!(won.text(), "Xo81o7999999 o c1", "the cell in the third place sends to grid 3");
    play(&mut won, "a1");
    assert_eq!(won.text(), "Xo8oo7999999 x -");
    assert_eq!(won.legal_count(), 8 + 7 + 6 * 9);
    assert!(refusal(&won, "1b2").starts_with("board-finished"));
    let mut full = read("ultimate", &[], "xoxxoxo1o99999999 x a1");
    play(&mut full, "b3");
    assert_eq!(full.text(), "xoxxoxoxo99999999 o b3");
    play(&mut full, "8a1");
    assert_eq!(full.text(), "xoxxoxoxo999999o89 x -");
    assert_eq!(full.legal_count(), 8 * 9 - 1);
}

#[test]
fn every_refusal_has_its_code_and_a_sentence() {
    let forced = read("ultimate", &[], "9999x89999 o b2");
    for (m, expected) in [
        ("9a1", "wrong-board: You are sent to grid 5: grid 9 is not allowed."),
        ("5a1", "occupied: a1 in grid 5 is taken by X."),
        ("a1", "occupied: a1 in grid 5 is taken by X."),
        ("0a1", "off-board: There is no such grid: grids are numbered 1 to 9."),
        ("12b3", "off-board: There is no such grid: grids are numbered 1 to 9."),
        ("5d1", "off-board: There is no such cell: columns are a to c, rows 1 to 3; or type 1 to 9."),
        ("1", "occupied: a1 in grid 5 is taken by X."),
        ("x", "not-understood: 'x' is not a move. Moves look like: 9b2."),
        ("pass", "not-understood: A move in this game takes one cell."),
    ] {
        assert_eq!(refusal(&forced, m), expected);
    }
    let free = read("ultimate", &[], EXAMPLE);
    assert_eq!(refusal(&free, "2a1"), "board-finished: Grid 2 is finished: choose an open grid.");
    let cell_alone = "not-understood: Name the grid too: b2 may be in any open grid.";
    assert_eq!(refusal(&free, "b2"), cell_alone);
    let beyond = free.judge(Move::place(81)).unwrap_err();
    assert_eq!(beyond.to_string(), "off-board: There is no cell 81: cells are numbered 0 to 80.");
}

#[test]
fn moves_are_read_as_people_write_them() {
    let position = start("ultimate", &[]);
    for text in ["9b2", "9 b 2", "9 b2", "9B2", " 9b2 ", "9 5", "95"] {
        assert_eq!(position.read_move(text).unwrap().played, Move::place(76), "{text}");
    }
    let forced = after("ultimate", &[], "9b2");
    for text in ["5a3", "a3", "a 3", "5 a 3", "7", "5 7"] {
        assert_eq!(forced.read_move(text).unwrap().played, Move::place(42), "{text}");
    }
    assert_eq!(position.split_moves("9 b 2 a3, 7c1\n3 b2 b 1"), ["9 b 2", "a3", "7c1", "3 b2", "b 1"]);
    assert_eq!(position.split_moves("9b2 pass  b22 x"), ["9b2", "pass", "b22", "x"]);
    assert_eq!(
        position.split_moves("9 5 5  1 b2 13, 3 7,4\n2"),
        ["9 5", "5  1", "b2", "13", "3 7", "4", "2"]
    );
    assert_eq!(position.split_moves("9 51 a 4"), ["9", "51", "a 4"]);
    assert_eq!(after("ultimate", &[], "9 5 5 1").text(), after("ultimate", &[], "9b2 5a1").text());
}

#[test]
fn the_printed_example_reads_back_and_the_broken_one_is_refused() {
    assert_eq!(read("ultimate", &[], EXAMPLE).text(), EXAMPLE);
    let without_third_part = "6xoxOOOX2xo1ox1oXx2xo4oox4ox o";
    assert_eq!(read("ultimate", &[], without_third_part).text(), EXAMPLE);
    let broken = "6xoxOOX2xo1ox1oXx2xo4oox4ox o";
    assert_eq!(read_error("ultimate", &[], broken), "there are 8 boards instead of 9");
    let cells = read("ultimate", &[], EXAMPLE).cells();
    assert_eq!(cells[9..18], [2; 9], "a won board shows its winner in all nine cells");
}

#[test]
fn position_texts_are_refused_with_board_and_cell() {
    let fields =
        "expected nine boards, the side to move, and the last cell played or -, with one blank between";
    for (text, problem) in [
        ("999999999", fields),
        ("999999999 x - -", fields),
        ("9999998X9 x -", "board 7 has 8 cells instead of 9 (character 8)"),
        ("99999989 x -", "board 7 has 17 cells instead of 9 (character 8)"),
        ("999999998 x -", "board 9 has 8 cells instead of 9"),
        ("9999999999 x -", "there is more after the ninth board (character 10)"),
        ("99992q699999 x -", "expected x, o or a digit 1 to 9 for c1 of board 5, not 'q' (character 6)"),
        ("99xxx6999999 x -", "board 3 is won by x: write it as X (character 6)"),
        (
            "XXXOOO999 x -",
            "x and o both have three boards in line: only the side that moved last can have won",
        ),
        (
            "XXX9O99OO x -",
            "x is to move, but has three boards in line: only the side that moved last can have won",
        ),
        (
            "x8x89999999 x -",
            "x is to move, but is ahead by 2 signs: signs are put down in turn, so the side to move has as many or one less",
        ),
        (
            "oo7Xoo7ooxxoooxx9oo7oo7o89 x -",
            "o is ahead by 3 signs: signs are put down in turn, so the side to move has as many or one less",
        ),
        ("999999999 X -", "expected x or o for the side to move, not 'X' (character 11)"),
        ("999999999 x d1", "expected the last cell played or -, not 'd1' (character 13)"),
        ("999999999 x ", "expected the last cell played or -, not '' (character 13)"),
    ] {
        assert_eq!(read_error("ultimate", &[], text), problem, "{text}");
    }
    assert_eq!(
        option_error("ultimate", &[("tie_break", "on")]),
        "option tie_break takes off or boards, not 'on'"
    );
}

#[test]
fn being_sent_to_a_finished_board_by_a_text_is_a_free_choice() {
    let sent = read("ultimate", &[], "6xoxOOOX2xo1ox1oXx2xo4oox4ox o b1");
    assert_eq!(sent.text(), EXAMPLE);
    assert_eq!(sent.key(), read("ultimate", &[], EXAMPLE).key());
    assert_eq!(sent.notes(Charset::Ascii), ["Grid 2 is finished: play in any open grid."]);
}

#[test]
fn three_boards_in_line_win_and_nine_finished_ones_draw() {
    let mut won = read("ultimate", &[], "XXxx7OO9999 x -");
    play(&mut won, "3c1");
    assert_eq!(ending(&won), ("line", 1));
    assert_eq!(won.winning_cells(), (0..27).collect::<Vec<_>>());
    assert_eq!(won.text(), "XXXOO9999 o -", "a finished game forces nothing");
    assert_eq!((won.scores()[0].name, won.scores()[0].by_seat.as_slice()), ("boards_won", &[3, 2][..]));
    let drawn = read("ultimate", &[], "XOXXOOOXX x -");
    assert_eq!(ending(&drawn), ("all-boards-finished", 0));
    let boards = ("tie_break", "boards");
    assert_eq!(ending(&read("ultimate", &[boards], "XOXXOOOXX x -")), ("board-count", 1));
    let first_o = read("ultimate", &[boards, ("first", "o")], "XOXXOOOXX o -");
    assert_eq!(ending(&first_o), ("board-count", 2), "seat 2 plays x there");
    let level = read("ultimate", &[boards], "XOXXOOOXxoxxoxoxo x -");
    assert_eq!(ending(&level), ("all-boards-finished", 0), "equal numbers are a draw");
}

#[test]
fn the_first_seat_can_play_o() {
    let position = after("ultimate", &[("first", "o")], "9b2 5a1");
    assert_eq!(position.text(), "9999x89994o4 o a1");
    assert_eq!((position.cells()[76], position.cells()[36]), (1, 2));
}
