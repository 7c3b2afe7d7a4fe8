//! Games, positions and judgements that other programs recorded.

use super::{compact, legal};
use crate::data::lines;
use arbiter_rules::{Chance, Move, Obligation, Position, Seat};
use serde_json::Value;

fn set_up(line: &Value, field: &str) -> Position {
    crate::data::start("chinese-checkers", line, field)
}

fn path(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|hole| hole.as_i64().unwrap()).collect()
}

/// The tier and the pawns in the way; a line of a game leaves them out where there is no obligation.
fn assert_obligation(position: &Position, line: &Value) {
    let holes = line["in_the_way"].as_array().into_iter().flatten();
    let in_the_way: Vec<_> = holes.map(|hole| hole.as_u64().unwrap() as u16).collect();
    let tier = line["tier"].as_u64().unwrap_or(0) as u8;
    assert_eq!(position.obligation().unwrap(), Obligation { tier, in_the_way }, "{}", position.text());
}

#[test]
fn a_recorded_game_is_refereed_as_it_was_played() {
    for game in lines("cc-games.jsonl") {
        let mut position = set_up(&game, "start");
        assert_eq!(position.text(), game["start"]);
        for turn in game["turns"].as_array().unwrap() {
            assert_eq!(position.end(), None, "game {} goes on", game["id"]);
            if let Some(seat) = turn["eliminate"].as_u64() {
                position.eliminate(Seat::new(seat as usize).unwrap());
                assert_eq!(position.text(), turn["position"]);
                continue;
            }
            assert_eq!(position.to_move().unwrap().index() as u64, turn["seat"]);
            assert_eq!(compact(&position), turn["legal"], "{}", position.text());
            assert_eq!(position.must_pass(), turn["legal"] == "");
            assert_obligation(&position, turn);
            let path = path(&turn["path"]);
            let choice = position.judge_path(&path).unwrap();
            assert!(choice.path.iter().map(|&hole| i64::from(hole)).eq(path.iter().copied()));
            if choice.played != Move::PASS {
                let text = position.choice_text(&choice);
                assert_eq!(position.read_move(&text).unwrap(), choice, "{text}");
            }
            position.play(choice.played, &Chance::NONE).unwrap();
            if let Some(after) = turn["position_after"].as_str() {
                assert_eq!(position.text(), after);
            }
        }
        let end = position.end().unwrap_or_else(|| panic!("game {} has ended", game["id"]));
        assert_eq!(position.text(), game["final"]);
        assert_eq!(end.reason.code(), game["result"]["reason"]);
        let winner = end.outcome.winner().map(Seat::index);
        assert_eq!(winner.map(|seat| seat as u64), game["result"]["winner"].as_u64());
    }
}

#[test]
fn a_recorded_position_has_the_legal_list_and_the_obligation_that_were_recorded() {
    for line in lines("cc-positions.jsonl") {
        let position = set_up(&line, "position");
        assert_eq!(position.text(), line["position"]);
        assert_eq!(compact(&position), line["legal"], "{}", position.text());
        assert_eq!(position.legal_count(), legal(&position).len());
        assert_obligation(&position, &line);
    }
}

#[test]
fn a_recorded_submission_gets_the_verdict_that_was_recorded() {
    for line in lines("cc-judgements.jsonl") {
        let position = set_up(&line, "position");
        let judged = position.judge_path(&path(&line["path"]));
        let verdict = judged.map_or_else(|error| error.reason.code(), |_| "legal");
        assert_eq!(verdict, line["verdict"], "{} in {}", line["path"], position.text());
    }
}
