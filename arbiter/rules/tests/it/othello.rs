//! Othello: the printed examples, and what its players are told.

use crate::support::{after, ending, legal_texts, option_error, read, read_error, refusal, start};
use arbiter_rules::{Move, Position, Seat};

#[test]
fn black_begins_with_the_printed_moves() {
    assert_eq!(legal_texts(&start("othello", &[])).join(" "), "d3 c4 f5 e6");
    assert_eq!(
        start("othello", &[]).text(),
        "---------------------------OX------XO--------------------------- X"
    );
}

#[test]
fn every_refusal_has_its_code_and_a_sentence() {
    let position = start("othello", &[]);
    for (m, expected) in [
        (
            "e3",
            "not-a-capture: e3 turns no disc: a disc must trap at least one opposing disc in a straight line.",
        ),
        ("d4", "occupied: d4 is taken by white."),
        ("i1", "off-board: There is no cell i1: columns are a to h, rows 1 to 8."),
        ("a9", "off-board: There is no cell a9: columns are a to h, rows 1 to 8."),
        ("pass", "pass-not-allowed: You may not pass: d3 and 3 other moves are legal."),
        ("dd", "not-understood: 'dd' is not a move. Moves look like: d3."),
    ] {
        assert_eq!(refusal(&position, m), expected);
    }
}

/// Collections of games leave passes out, and could not be read otherwise.
#[test]
fn a_transcript_without_blanks_leaves_passes_out() {
    let game = include_str!("../transcripts/othello.txt").lines().next().unwrap();
    let moves: Vec<_> = game.strip_prefix("moves: ").unwrap().split(' ').collect();
    assert!(moves.contains(&"pass"));
    let transcript: String = moves.iter().filter(|text| **text != "pass").copied().collect();
    assert_eq!(start("othello", &[]).split_moves(&transcript), moves);
}

#[test]
fn a_player_who_can_turn_nothing_must_pass() {
    // The black disc on a1 and the white one on b1: black can capture on c1, white nowhere.
    let stuck = read("othello", &[], &format!("XO{} O", "-".repeat(62)));
    assert!(stuck.must_pass());
    assert_eq!(legal_texts(&stuck), ["pass"]);
    assert_eq!(refusal(&stuck, "c1"), "must-pass: You have no legal move: the turn is passed.");
    assert_eq!(stuck.read_move("pass").unwrap().played, Move::PASS);
}

#[test]
fn the_three_endings_have_their_names_and_both_scores() {
    let wipeout = after("othello", &[], "e6f4e3f6g5d6e7f5c5");
    assert_eq!(ending(&wipeout), ("wipeout", 1));
    let scores = wipeout.scores();
    assert_eq!((scores[0].name, scores[0].by_seat.as_slice()), ("discs", &[13, 0][..]));
    assert_eq!((scores[1].name, scores[1].by_seat.as_slice()), ("discs_empties_to_winner", &[64, 0][..]));
    let full = read("othello", &[], &format!("{}{} X", "X".repeat(30), "O".repeat(34)));
    assert_eq!(ending(&full), ("full", 2));
    let stuck = read("othello", &[], &format!("X{}O X", "-".repeat(62)));
    assert_eq!(ending(&stuck), ("no-moves", 0));
}

#[test]
fn empty_cells_go_to_the_winner_however_the_game_ends() {
    let scores = |position: &Position| -> Vec<_> {
        position.scores().into_iter().map(|score| score.by_seat).collect()
    };
    let ahead = after("othello", &[], "d3");
    assert_eq!(scores(&ahead), [[4, 1], [4, 1]], "nobody has won yet");
    for (out, expected) in [(Seat::FIRST, [[4, 1], [4, 60]]), (Seat::SECOND, [[4, 1], [63, 1]])] {
        let mut game = ahead.clone();
        game.eliminate(out);
        assert_eq!(scores(&game), expected, "without {out}");
    }
    let even = read("othello", &[], &format!("X{}O X", "-".repeat(62)));
    assert_eq!(scores(&even), [[1, 1], [1, 1]], "a draw leaves them to nobody");
}

#[test]
fn collections_of_test_positions_can_be_read_as_they_are() {
    let text = format!("X{}O X", "-".repeat(62));
    for obf in ["", ";", "; b1:+2; a2:-4;", ";b1:+2 % by hand", " % only a remark", ";\n"] {
        assert_eq!(read("othello", &[], &format!("{text}{obf}")).text(), text, "{obf:?}");
    }
    let problem = "behind the semicolon moves have values, as in d3:+2, not 'O'";
    assert_eq!(read_error("othello", &[], &format!("{text}; O")), problem);
}

#[test]
fn games_of_the_othello_server_can_be_read_as_they_are() {
    let game = |start: &str, moves: &str| {
        format!("(;GM[Othello]PC[GGS/os]PB[a]PW[b]RE[+2.0]TY[8r]BO[8 {start}]{moves};)")
    };
    let usual = "-------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
    let after_moves = after("othello", &[], "d3c5d6").text();
    for text in [
        game(usual, "B[d3//0.01]W[C5/-1.5/2]B[d6]"),
        game(&usual.replace(' ', "\n"), " B[d3]\nW[c5] B[d6]\n"),
        "(;GM[Othello]B[d3]W[c5]B[d6];)\n".to_owned(),
    ] {
        assert_eq!(read("othello", &[], &text).text(), after_moves, "{text}");
    }
    let must_pass = format!("*O{} O", "-".repeat(62));
    let passed = read("othello", &[], &game(&must_pass, "W[PA//0.1]B[c1]")).text();
    assert_eq!(passed, format!("XXX{} O", "-".repeat(61)));
    for (text, problem) in [
        ("(;GM[Amazons];)".to_owned(), "this is a game of Amazons (character 3)"),
        ("(;BO[10 ---];)".to_owned(), "only boards of 8 by 8 cells are played (character 3)"),
        ("(;B[d3]B[c5];)".to_owned(), "c5 is played out of turn (character 8)"),
        ("(;B[pass];)".to_owned(), "You may not pass: d3 and 3 other moves are legal (character 3)"),
        ("(;B[d3]".to_owned(), "expected NAME[value], or ;) at the end of the game (character 8)"),
    ] {
        assert_eq!(read_error("othello", &[], &text), problem);
    }
}

#[test]
fn position_texts_are_refused_with_the_place_of_the_mistake() {
    let dashes = |count| "-".repeat(count);
    for (text, problem) in [
        (format!("{} X", dashes(63)), "the board has 63 cells instead of 64"),
        (format!("{} X", dashes(65)), "the board has 65 cells instead of 64"),
        (format!("--x{} X", dashes(61)), "expected X, O or - for c1, not 'x' (character 3)"),
        (format!("{} x", dashes(64)), "expected X or O for the side to move, not 'x' (character 66)"),
        (dashes(64), "expected 64 cells, one blank, and the side to move, X or O"),
    ] {
        assert_eq!(read_error("othello", &[], &text), problem);
    }
    let no_options = "there is no option 'size': this game has no options";
    assert_eq!(option_error("othello", &[("size", "8")]), no_options);
}

#[test]
fn a_number_of_players_that_a_game_does_not_have_is_refused() {
    use arbiter_rules::{Setup, registry};
    let three = registry::start("othello", &Setup { players: Some(3), ..Setup::default() });
    assert_eq!(
        three.err().map(|error| error.to_string()).as_deref(),
        Some("othello is for 2 players, not 3")
    );
    assert!(registry::start("othello", &Setup { players: Some(2), ..Setup::default() }).is_ok());
}

#[test]
fn an_empty_path_is_a_pass() {
    let text = format!("XO{} O", "-".repeat(62));
    let choice = read("othello", &[], &text).judge_path(&[]).expect("white must pass");
    assert_eq!(choice.played, Move::PASS);
    let refused = start("othello", &[]).judge_path(&[]).expect_err("black can play");
    assert_eq!(refused.reason.code(), "pass-not-allowed");
}
