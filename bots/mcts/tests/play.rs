//! What mcts plays, without an arbiter.

use arbiter_rules::{Chance, ChanceSource, MoveList, Position, Random, Seat, SeatResult, Setup, registry};
use bot_engine::{Level, Patience, Seating, Thinker};
use mcts::{Mcts, Style};

fn player(seat: usize, level: Level, style: Style) -> Mcts {
    Mcts::new(Seating { seat, seed: 1, memory: 4 << 20 }, level, style)
}

/// Plays on against every reply, and counts the games that the player did not lose, and those that it lost.
fn games(player: &mut Mcts, seat: Seat, position: &mut dyn Position) -> [u32; 2] {
    if let Some(end) = position.end() {
        let is_lost = end.outcome.of(seat) == SeatResult::Loss;
        return [u32::from(!is_lost), u32::from(is_lost)];
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let replies = if position.to_move() == Some(seat) {
        vec![player.choose(position, &mut Patience::of(600))]
    } else {
        moves.to_vec()
    };
    let mut sum = [0, 0];
    for m in replies {
        position.play(m, &Chance::NONE).unwrap();
        let more = games(player, seat, position);
        sum = [sum[0] + more[0], sum[1] + more[1]];
        position.undo();
    }
    sum
}

#[test]
fn tic_tac_toe_is_never_lost_whatever_the_opponent_does() {
    for seat in [Seat::FIRST, Seat::SECOND] {
        let mut start = registry::start("tic-tac-toe", &Setup::default()).unwrap();
        let [kept, lost] = games(&mut player(seat.index(), Level::FULL, Style::Clever), seat, &mut *start);
        assert!(kept > 50 && lost == 0, "in seat {seat}: {kept} games kept, {lost} lost");
    }
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
            let position =
                registry::start(game, &Setup { position: Some(text), ..Setup::default() }).unwrap();
            let seat = position.to_move().unwrap().index();
            let m = player(seat, Level::FULL, style).choose(&*position, &mut Patience::of(400));
            assert_eq!(position.move_text(m), best, "{style:?} in {game} {text}");
        }
    }
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
                (0..players).map(|seat| player(seat, "2".parse().unwrap(), style)).collect();
            while let Some(seat) = position.to_move() {
                let m = seats[seat.index()].choose(&*position, &mut Patience::default());
                let chance = position.draw_chance(m, ChanceSource::Sample(random.bits()));
                position.play(m, &chance).unwrap_or_else(|error| panic!("{position:?}: {error}"));
            }
        }
    }
}
