//! What alphabeta plays, without an arbiter.

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use alphabeta::Alphabeta;
use arbiter_rules::Position;
use bot_engine::{Level, Patience, Thinker};
use support::{never_loses_tic_tac_toe, read, seating};

fn player(start: &Position, seat: usize) -> Alphabeta {
    Alphabeta::new(start, seating(seat), Level::FULL)
}

#[test]
fn tic_tac_toe_is_never_lost_whatever_the_opponent_does() {
    never_loses_tic_tac_toe(player, Patience::default);
}

/// The answer to a position, and what was told last.
fn ask(game: &str, text: &str) -> (String, Patience) {
    ask_with(game, &[], text)
}

fn ask_with(game: &str, options: &[(&str, &str)], text: &str) -> (String, Patience) {
    let position = read(game, options, text);
    let seat = position.to_move().unwrap().index();
    let mut patience = Patience::of(1000);
    let m = player(&position, seat).choose(&position, &mut patience);
    (position.move_text(m), patience)
}

/// With exact results of the columns -3 -3 -2 -3 0 0 -2, and its mirror image.
#[test]
fn a_proof_that_fails_neither_gives_a_draw_away_nor_leaves_a_shallow_search() {
    for (text, draws) in [
        ("......./...o.../.o.o.x./.x.x.o./.x.o.x./.oxxxo. o", ["5", "6"]),
        ("......./...o.../.x.o.o./.o.x.x./.x.o.x./.oxxxo. o", ["2", "3"]),
    ] {
        let position = read("connect-four", &[], text);
        for questions in [300, 440, 700] {
            let mut patience = Patience::of(questions);
            let m = position.move_text(player(&position, 1).choose(&position, &mut patience));
            assert!(patience.depth > 8, "{questions}: {}", patience.depth);
            assert!(questions < 700 || draws.contains(&&*m), "{m}");
        }
    }
}

#[test]
fn a_win_seen_to_its_end_is_worth_a_hundred_thousand_less_its_plies() {
    let (best, told) = ask("tic-tac-toe", "xx1oo4 x");
    assert_eq!((&*best, told.score), ("c1", 99_999));
    let (best, told) = ask("stacks", "x,x,x,-/o,o,-,-/o,-,-,-/-,-,-,- x -");
    assert_eq!((&*best, told.score), ("+d1", 99_999));
}

#[test]
fn an_opponents_win_is_parried() {
    let (best, _) = ask("stacks", "x,x,x,-/o,o,-,-/o,-,-,-/-,-,-,- o -");
    assert!(["+d1", "-a1", "-b1", "-c1"].contains(&&*best), "{best}");
}

#[test]
fn with_earthquakes_a_win_is_taken_and_an_opponents_is_parried() {
    for variant in ["3d", "top"] {
        let options = [("earthquake", "true"), ("variant", variant)];
        let (best, told) = ask_with("stacks", &options, "x,x,x,-/o,o,-,-/o,-,-,-/-,-,-,- x -");
        assert_eq!(best, "+d1", "{variant}");
        assert!(told.score > 500, "{variant}: {}", told.score);
        let (best, _) = ask_with("stacks", &options, "x,x,x,-/o,o,-,-/o,-,-,-/-,-,-,- o -");
        assert!(["+a1", "+b1", "+c1", "+d1", "-a1", "-b1", "-c1"].contains(&&*best), "{variant}: {best}");
    }
}
