//! What mcts plays, without an arbiter.

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use arbiter_rules::{ChanceSource, Position, Random, Setup, registry};
use bot_engine::{Level, Patience, Thinker};
use mcts::{Mcts, Style};
use support::{never_loses_tic_tac_toe, read, seating};

fn player(start: &Position, seat: usize, level: Level, style: Style) -> Mcts {
    Mcts::new(start, seating(seat), level, style)
}

#[test]
fn tic_tac_toe_is_never_lost_whatever_the_opponent_does() {
    never_loses_tic_tac_toe(
        |start, seat| player(start, seat, Level::FULL, Style::Clever),
        || Patience::of(600),
    );
}

#[test]
fn a_win_and_a_threat_are_seen_at_once_by_both_styles() {
    for style in [Style::Clever, Style::Plain] {
        for (game, text, best) in [
            ("tic-tac-toe", "xx1oo4 x", "c1"),
            ("tic-tac-toe", "xx1o5 o", "c1"),
            ("connect-four", "......./......./......./......./ooo..../xxx.... x", "4"),
            ("stacks", "x,x,x,-/o,o,-,-/o,-,-,-/-,-,-,- x -", "+d1"),
        ] {
            let position = read(game, &[], text);
            let seat = position.to_move().unwrap().index();
            let m = player(&position, seat, Level::FULL, style).choose(&position, &mut Patience::of(400));
            assert_eq!(position.move_text(m), best, "{style:?} in {game} {text}");
        }
    }
}

#[test]
fn a_lost_endgame_of_othello_is_played_for_the_best_score() {
    let text = "-OOXXX-O-OOXX-XOOOXOOXXX-OOXXXX--OOOOXOOOOXOOXOO-OOXOO-O-OOOOOOO X";
    let position = read("othello", &[], text);
    let m = player(&position, 0, Level::FULL, Style::Clever).choose(&position, &mut Patience::default());
    assert_eq!(position.move_text(m), "h4");
}

#[test]
fn every_game_is_played_to_its_end_with_any_seats_and_with_earthquakes() {
    let mut random = Random::new(9);
    let mut setups = vec![("stacks", 2, vec![("earthquake", "true"), ("n", "3"), ("max_turns", "40")])];
    for info in registry::GAMES {
        for &players in info.seats {
            let short = if info.id == "chinese-checkers" { vec![("max_rounds", "4")] } else { vec![] };
            setups.push((info.id, players, short));
        }
    }
    for (game, players, options) in setups {
        for style in [Style::Clever, Style::Plain] {
            let setup = Setup { players: Some(players), options: &options, position: None };
            let mut position = registry::start(game, &setup).unwrap();
            let mut seats: Vec<_> =
                (0..players).map(|seat| player(&position, seat, "2".parse().unwrap(), style)).collect();
            while let Some(seat) = position.to_move() {
                let m = seats[seat.index()].choose(&position, &mut Patience::default());
                let chance = position.draw_chance(m, ChanceSource::Sample(random.bits()));
                position.play(m, &chance).unwrap_or_else(|error| panic!("{position:?}: {error}"));
            }
        }
    }
}
