//! Games, positions and earthquakes that other programs have worked out, replayed line by line.

use crate::stacks::slow_lines;
use crate::support::{self, tests_folder};
use arbiter_rules::{Chance, ChanceSource, Position, Setup, registry};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// The objects of a file, one a line.
pub(crate) fn lines(file: &str) -> Vec<Value> {
    let path = tests_folder().join("data").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line"));
    let lines: Vec<_> = lines.collect();
    assert!(!lines.is_empty(), "{file} is empty");
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("expected a text, not {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("expected a list, not {value}"))
}

/// What a line has set up: its options, its players if it names them, and the position in a field if it has one.
pub(crate) fn start(game: &str, line: &Value, field: &str) -> Position {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let options = line["options"].as_object().expect("options are an object");
    let options: Vec<_> = options.iter().map(|(name, value)| (&**name, plain(value))).collect();
    let options: Vec<_> = options.iter().map(|(name, value)| (*name, &**value)).collect();
    let players = line["players"].as_u64().map(|players| players as usize);
    let setup = Setup { players, options: &options, position: line[field].as_str() };
    registry::start(game, &setup).unwrap_or_else(|error| panic!("{game} {options:?}: {error}"))
}

fn replay_transcripts(file: &str) {
    for (number, game) in (1..).zip(lines(file)) {
        let line = format!("{file}:{number}");
        let mut position = start(text(&game["game"]), &game, "start");
        let (moves, legal) = (list(&game["moves"]), list(&game["legal"]));
        assert_eq!(moves.len(), legal.len(), "{line}");
        for (m, legal) in moves.iter().zip(legal) {
            let expected: BTreeSet<&str> = list(legal).iter().map(text).collect();
            let listed = support::legal_texts(&position);
            assert_eq!(
                listed.iter().map(|m| &**m).collect::<BTreeSet<_>>(),
                expected,
                "{line}: {position:?}"
            );
            assert_eq!(listed.len(), expected.len(), "{line}: a move is listed twice: {position:?}");
            let choice = position.read_move(text(m)).unwrap_or_else(|error| panic!("{line}: {m}: {error}"));
            position.play(choice.played, &Chance::NONE).expect("a move that has been read is legal");
        }
        let result = &game["result"];
        let winner = result["winner"].as_u64().map_or(0, |seat| seat as usize + 1);
        let reason = text(&result["reason"]).replace('_', "-");
        assert_eq!(support::ending(&position), (&*reason, winner), "{line}");
        for score in position.scores() {
            let expected: Vec<_> = list(&result[score.name]).iter().map(|n| n.as_i64().unwrap()).collect();
            assert_eq!(score.by_seat, expected, "{line}: {}", score.name);
        }
        assert_eq!(picture(&position), expected_picture(&game), "{line}");
    }
}

/// The board in the manner of the data.
fn picture(position: &Position) -> String {
    let signs = match position.info().id {
        "othello" => ['-', 'X', 'O'],
        _ => ['.', 'x', 'o'],
    };
    let cells: Vec<char> = position.cells().into_iter().map(|seat| signs[usize::from(seat)]).collect();
    let row = match position.info().id {
        "othello" => 64,
        "ultimate" => 9,
        _ => usize::from(position.shape().width),
    };
    cells.chunks(row).map(String::from_iter).collect::<Vec<_>>().join("/")
}

/// The picture of the data, in which won boards are filled with the sign of the winner.
fn expected_picture(game: &Value) -> String {
    let drawn = text(&game["final"]);
    let Some(big) = game["big"].as_str() else { return drawn.to_owned() };
    let boards = drawn.split('/').zip(big.chars()).map(|(cells, winner)| match winner {
        'x' | 'o' => String::from_iter([winner; 9]),
        _ => cells.to_owned(),
    });
    boards.collect::<Vec<_>>().join("/")
}

#[test]
fn othello_games_go_as_other_programs_say() {
    replay_transcripts("transcripts-othello.jsonl");
}

#[test]
fn connect_four_games_go_as_other_programs_say() {
    replay_transcripts("transcripts-connect-four.jsonl");
}

#[test]
fn connect_four_games_of_other_sizes_go_as_other_programs_say() {
    replay_transcripts("transcripts-connect-four-sizes.jsonl");
}

#[test]
fn tic_tac_toe_games_go_as_other_programs_say() {
    replay_transcripts("transcripts-tic-tac-toe.jsonl");
}

#[test]
fn ultimate_games_go_as_other_programs_say() {
    replay_transcripts("transcripts-ultimate.jsonl");
}

#[test]
fn rare_endings_end_as_other_programs_say() {
    replay_transcripts("transcripts-rare-endings.jsonl");
}

/// An earthquake as data write it: `{"b2": 1}`.
fn earthquake(position: &Position, value: &Value) -> Chance {
    let names: Vec<String> =
        (0..position.shape().cells()).map(|cell| position.cell_name(cell as u16)).collect();
    let cell_of = |name: &str| names.iter().position(|known| known == name).expect("a cell") as u16;
    let fallen = value.as_object().map(|object| {
        let mut fallen: Vec<_> = object
            .iter()
            .map(|(name, count)| (cell_of(name), count.as_u64().expect("a number of tokens") as u32))
            .collect();
        fallen.sort_unstable();
        fallen
    });
    Chance { fallen: fallen.unwrap_or_default() }
}

fn seed(value: &Value) -> u64 {
    let digits = text(value).strip_prefix("0x").expect("seeds begin with 0x");
    u64::from_str_radix(digits, 16).expect("16 hexadecimal digits")
}

#[test]
fn stacks_games_go_and_shake_as_another_program_says() {
    for game in lines("stacks-games.jsonl") {
        let line = format!("game {}", game["id"]);
        let mut position = start("stacks", &game, "start");
        assert_eq!(position.text(), text(&game["start"]), "{line}");
        for turn in list(&game["turns"]) {
            let mover = ["x", "o"].iter().position(|&side| side == text(&turn["player"]));
            assert_eq!(position.to_move().map(|seat| seat.index()), mover, "{line}");
            assert_eq!(support::legal_texts(&position).join(" "), text(&turn["legal"]), "{line}");
            let m = position.read_move(text(&turn["move"])).expect("recorded moves are legal").played;
            let recorded = earthquake(&position, &turn["earthquake"]);
            let drawn = position.draw_chance(m, ChanceSource::GameSeed(seed(&game["seed"])));
            assert_eq!(drawn, recorded, "{line}: after {position:?} and {}", turn["move"]);
            assert_eq!(position.judge_chance(m, &recorded), Ok(()), "{line}");
            let before = position.text();
            position.play(m, &recorded).expect("recorded moves are legal");
            assert!(position.undo());
            assert_eq!(position.text(), before, "{line}: taking back {}", turn["move"]);
            position.play(m, &recorded).expect("recorded moves are legal");
            assert_eq!(position.text(), text(&turn["after"]), "{line}");
        }
        let winner = match game["result"]["winner"].as_str() {
            Some("x") => 1,
            Some(_) => 2,
            None => 0,
        };
        assert_eq!(support::ending(&position), (text(&game["result"]["reason"]), winner), "{line}");
    }
}

#[test]
fn stacks_positions_list_the_moves_and_lines_that_another_program_finds() {
    for line in lines("stacks-positions.jsonl") {
        let mut position = start("stacks", &line, "position");
        assert_eq!(support::legal_texts(&position).join(" "), text(&line["legal"]), "{position:?}");
        assert_eq!(position.end(), None, "a position that was set up is never over");
        let mut expected: Vec<&str> = list(&line["lines"]).iter().map(text).collect();
        expected.sort_unstable_by_key(|&sign| sign == "o");
        assert_eq!(slow_lines(&position), expected, "{position:?}");
        for m in support::legal(&position) {
            position.play(m, &Chance::NONE).expect("listed moves are legal");
            let found = match position.end().map(|end| end.outcome.winner().map(|seat| seat.index())) {
                None => vec![],
                Some(Some(winner)) => vec![["x", "o"][winner]],
                Some(None) => vec!["x", "o"],
            };
            assert_eq!(found, slow_lines(&position), "{position:?}");
            position.undo();
        }
    }
}
