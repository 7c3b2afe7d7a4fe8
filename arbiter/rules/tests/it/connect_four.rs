//! Connect four: its sizes, its texts, and what its players are told.

use crate::support::{after, ending, legal, legal_texts, option_error, read, read_error, refusal, start};
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::{Move, Position};

#[test]
fn discs_fall_and_four_in_line_win() {
    let position = after("connect-four", &[], "4455");
    assert_eq!(position.text(), "......./......./......./......./...oo../...xx.. x");
    let won = after("connect-four", &[], "4 4 5 5 6 6 7");
    assert_eq!(ending(&won), ("line", 1));
    assert_eq!(won.winning_cells(), [38, 39, 40, 41]);
    let rising = after("connect-four", &[], "1 2 2 3 4 3 3 4 5 4 4");
    assert_eq!(ending(&rising), ("line", 1));
    assert_eq!(rising.winning_cells(), [17, 23, 29, 35]);
    let upright = after("connect-four", &[], "1212121");
    assert_eq!(upright.winning_cells(), [14, 21, 28, 35]);
}

#[test]
fn legal_moves_come_by_column_with_the_cell_where_the_disc_rests() {
    let position = after("connect-four", &[], "444444 2");
    assert_eq!(legal_texts(&position).join(" "), "1 2 3 5 6 7");
    let cells: Vec<u16> = legal(&position).into_iter().map(Move::to).collect();
    assert_eq!(cells, [35, 29, 37, 39, 40, 41]);
    assert_eq!(position.judge(Move::place(36)).unwrap_err().reason.code(), "not-understood");
    assert_eq!(position.judge(Move::place(42)).unwrap_err().reason.code(), "no-such-column");
    assert_eq!(position.judge(Move::place(10)).unwrap_err().reason.code(), "column-full");
}

#[test]
fn every_refusal_has_its_code_and_a_sentence() {
    let position = after("connect-four", &[], "444444");
    for (m, expected) in [
        ("4", "column-full: Column 4 is full: choose another column."),
        ("0", "no-such-column: Columns are 1 to 7."),
        ("8", "no-such-column: Columns are 1 to 7."),
        ("99999999999", "no-such-column: Columns are 1 to 7."),
        ("d", "not-understood: 'd' is not a move. Moves look like: 4."),
        ("-1", "not-understood: '-1' is not a move. Moves look like: 4."),
        ("pass", "not-understood: A move in this game drops a disc into a column."),
    ] {
        assert_eq!(refusal(&position, m), expected);
    }
}

#[test]
fn lines_and_cells_are_called_by_the_columns_that_are_written_on_the_board() {
    for (moves, line) in [
        ("4 1 4 1 4 1 4", "4 in column 4"),
        ("2 2 3 3 4 4 5", "4 in a row, columns 2 to 5"),
        ("1 2 2 3 3 4 3 4 4 6 4", "4 on a diagonal, columns 1 to 4"),
    ] {
        let position = after("connect-four", &[], moves);
        assert_eq!(position.line_name(&position.winning_cells()), line, "{moves}");
    }
    assert_eq!(start("connect-four", &[]).place_name(9), "column 3");
}

#[test]
fn any_cell_of_a_column_picks_the_column() {
    let position = after("connect-four", &[], "444444");
    for cell in [0, 7, 35] {
        let step = position.pick(&Draft::default(), cell).unwrap();
        assert_eq!(step, DraftStep::Finished(Move::place(35).into()));
    }
    assert_eq!(position.pick(&Draft::default(), 38).unwrap_err().reason.code(), "column-full");
    assert_eq!(position.pick(&Draft::default(), 42).unwrap_err().reason.code(), "no-such-column");
    assert_eq!(position.draft_view(&Draft::default()).targets, [35, 36, 37, 39, 40, 41]);
}

#[test]
fn lists_without_blanks_are_cut_only_where_columns_are_digits() {
    let small = start("connect-four", &[("size", "9x6")]);
    assert_eq!(small.split_moves("4455, 9 12"), ["4", "4", "5", "5", "9", "1", "2"]);
    let large = start("connect-four", &[("size", "10x6")]);
    assert_eq!(large.split_moves("4 10 12"), ["4", "10", "12"]);
    assert_eq!(large.read_move("10").unwrap().played, Move::place(59));
}

#[test]
fn position_texts_are_refused_with_the_place_of_the_mistake() {
    let four = [("size", "4x3"), ("connect", "3")];
    for (text, problem) in [
        ("..../..../....", "expected the rows from the top, one blank, and the side to move, x or o"),
        ("..../.... x", "the grid has 2 rows instead of 3"),
        ("..../..../..../.... x", "the grid has 4 rows instead of 3"),
        ("..../.../.... x", "row 2 has 3 columns instead of 4 (character 6)"),
        ("..../.é../.... x", "expected x, o or . in row 2, not 'é' (character 7)"),
        ("..../x.../.xo. o", "the disc in column 1 of row 2 floats (character 6)"),
        (
            "..../..../xx.. x",
            "there are 2 x and 0 o: x moves first, so it has as many or one more (character 16)",
        ),
        (
            "..../..../oxo. x",
            "there are 1 x and 2 o: x moves first, so it has as many or one more (character 16)",
        ),
        ("..../..../xo.. o", "there are 1 x and 1 o: x is to move (character 16)"),
        ("..../..../x... x", "there are 1 x and 0 o: o is to move (character 16)"),
        ("..../..../.... X", "expected x or o for the side to move, not 'X' (character 16)"),
        ("..../ooo./xxx. x", "x and o both have a line: only the side that moved last can have won"),
        ("..o./..o./xxxo x", "x is to move, but has a line: only the side that moved last can have won"),
    ] {
        assert_eq!(read_error("connect-four", &four, text), problem, "{text}");
    }
    let over = read("connect-four", &four, "..../oo../xxx. o");
    assert_eq!(ending(&over), ("line", 1), "the board decides, also when it is read");
    let full = read("connect-four", &four, "oxox/oxox/xoxo x");
    assert_eq!(ending(&full), ("full", 0));
}

#[test]
fn options_say_the_size_of_the_grid_in_two_ways() {
    let listed = |options: &[(&str, &str)]| {
        let position = start("connect-four", options);
        let listed: Vec<_> =
            position.options().iter().map(|(name, value)| format!("{name}={value}")).collect();
        listed.join(" ")
    };
    assert_eq!(listed(&[]), "columns=7 rows=6 connect=4");
    assert_eq!(listed(&[("size", "10x8")]), "columns=10 rows=8 connect=4");
    assert_eq!(listed(&[("rows", "3"), ("columns", "2")]), "columns=2 rows=3 connect=3");
    assert_eq!(listed(&[("connect", "9"), ("size", "9x1")]), "columns=9 rows=1 connect=9");
    let both = "option size is short for columns and rows: give either it or them";
    for (options, problem) in [
        (&[("size", "7x6"), ("rows", "6")][..], both),
        (&[("columns", "7"), ("size", "7x6")], both),
        (&[("size", "7")], "option size takes COLUMNSxROWS, such as 7x6, not '7'"),
        (&[("size", "21x6")], "option columns takes a number from 1 to 20, not '21'"),
        (&[("size", "7x0")], "option rows takes a number from 1 to 20, not '0'"),
        (&[("size", "x")], "option columns takes a number from 1 to 20, not ''"),
        (&[("size", "7x6"), ("size", "7x6")], "option columns is given twice"),
        (
            &[("size", "5x6"), ("connect", "7")],
            "option connect takes a number from 1 to 6 on a grid of 5x6, not '7'",
        ),
    ] {
        assert_eq!(option_error("connect-four", options), problem);
    }
}

#[test]
fn an_impossible_line_is_refused_with_the_lengths_that_this_grid_has() {
    let problem = "option connect takes a number from 1 to 7 on a grid of 7x6, not '0'";
    assert_eq!(option_error("connect-four", &[("connect", "0")]), problem);
    let twice = &[("connect", "4"), ("connect", "4")];
    assert_eq!(option_error("connect-four", twice), "option connect is given twice");
}

/// Who has a line, found in the slow and obvious way.
fn slow_line(position: &Position) -> Option<u8> {
    let cells = position.cells();
    let (width, height) = (i32::from(position.shape().width), i32::from(position.shape().height));
    let connect = position.options().number("connect") as i32;
    let at = |x: i32, y: i32| -> u8 {
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        if inside { cells[(y * width + x) as usize] } else { 0 }
    };
    let lines = (0..width * height).flat_map(|cell| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|d| (cell, d)));
    lines
        .map(|(cell, (dx, dy))| (cell % width, cell / width, dx, dy))
        .find(|&(x, y, dx, dy)| at(x, y) != 0 && (1..connect).all(|i| at(x + i * dx, y + i * dy) == at(x, y)))
        .map(|(x, y, ..)| at(x, y))
}

#[test]
fn the_fast_line_test_finds_what_the_slow_one_finds_on_grids_of_every_width_of_word() {
    let mut random = arbiter_rules::Random::new(5);
    for (size, connect) in [
        ("7x6", "4"),
        ("1x1", "1"),
        ("1x20", "3"),
        ("20x1", "4"),
        ("20x2", "3"),
        ("3x15", "4"),
        ("8x7", "4"),
        ("9x7", "5"),
        ("10x8", "4"),
        ("11x10", "5"),
        ("13x9", "4"),
        ("20x20", "5"),
        ("20x20", "3"),
        ("2x3", "1"),
    ] {
        for _ in 0..20 {
            let mut position = start("connect-four", &[("size", size), ("connect", connect)]);
            while position.end().is_none() {
                let m = crate::support::random_move(&position, &mut random);
                position.play(m, &arbiter_rules::Chance::NONE).unwrap();
                let won = position.end().and_then(|end| end.outcome.winner());
                assert_eq!(won.map(|seat| seat.index() as u8 + 1), slow_line(&position), "{position:?}");
            }
            let line = position.winning_cells();
            let cells = position.cells();
            assert!(
                line.windows(2)
                    .all(|pair| pair[0] < pair[1] && cells[pair[0] as usize] == cells[pair[1] as usize])
            );
        }
    }
}
