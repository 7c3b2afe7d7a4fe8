//! How games end, and what happens to a seat that is taken out.

use super::{Given, STARTS, play, position, start};
use arbiter_rules::{EndReason, Position, Seat};

/// A board without pawns: everybody passes.
const NOBODY: &str = "1/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/1";

/// Pawns of A and D that can go back and forth for ever.
const TWO: &str = "A/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/D AD A";

fn seat(index: usize) -> Seat {
    Seat::new(index).unwrap()
}

/// The reason for which a game has ended, and the ranks.
fn end(position: &Position) -> Option<(EndReason, Vec<u8>)> {
    position.end().map(|end| (end.reason, end.outcome.ranks().to_vec()))
}

fn after(text: &str, options: &Given<'_>, turns: &str) -> Option<(EndReason, Vec<u8>)> {
    let mut position = position(text, options);
    play(&mut position, turns);
    end(&position)
}

#[test]
fn a_position_from_a_text_goes_on_however_it_looks() {
    let full = position("D/DD/DDD/DDDD/13/12/11/10/9/10/11/12/13/AAAA/AAA/AA/A AD A", &[]);
    assert_eq!((full.end(), full.to_move()), (None, Some(seat(0))));
    let alone = position("A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/4/3/2/1 A A", &[]);
    assert_eq!((alone.seats(), alone.end(), alone.is_in(seat(1))), (2, None, false));
}

#[test]
fn the_game_is_a_deadlock_when_everybody_in_a_row_has_passed() {
    let mut game = position(&format!("{NOBODY} ACE C"), &[]);
    play(&mut game, "pass pass");
    assert_eq!((game.end(), game.to_move()), (None, Some(seat(0))));
    play(&mut game, "pass");
    assert_eq!(end(&game), Some((EndReason::Deadlock, vec![1, 1, 1])));
    assert_eq!((game.to_move(), game.legal_count()), (None, 0));
    assert!(game.undo());
    assert_eq!((game.end(), game.to_move()), (None, Some(seat(0))));
}

#[test]
fn passes_are_counted_afresh_after_any_other_turn() {
    let mut game = position(&format!("{} ACE C", NOBODY.replacen('1', "A", 1)), &[]);
    play(&mut game, "pass pass 0-1 pass pass 1-0");
    assert_eq!(game.end(), None);
}

#[test]
fn passes_are_counted_afresh_after_an_elimination() {
    let mut game = position(&format!("{NOBODY} ACE C"), &[]);
    play(&mut game, "pass pass");
    game.eliminate(seat(2));
    assert_eq!((game.end(), game.to_move()), (None, Some(seat(0))));
    play(&mut game, "pass");
    assert_eq!(game.end(), None);
    play(&mut game, "pass");
    assert_eq!(end(&game), Some((EndReason::Deadlock, vec![1, 1, 2])));
}

#[test]
fn the_game_is_drawn_when_everybody_has_taken_the_last_turn_allowed() {
    assert_eq!(after(TWO, &[("max_rounds", "2")], "0-1 120-118 1-0"), None);
    let drawn = Some((EndReason::RoundLimit, vec![1, 1]));
    assert_eq!(after(TWO, &[("max_rounds", "2")], "0-1 120-118 1-0 118-119"), drawn);
    assert_eq!(
        after(TWO, &[("max_rounds", "0"), ("repetition", "0")], &"0-1 120-118 1-0 118-120 ".repeat(300)),
        None
    );
}

#[test]
fn rounds_are_those_of_the_seats_still_in_the_game() {
    let mut game = start(3, &[("max_rounds", "1")]);
    play(&mut game, "6-15");
    game.eliminate(seat(1));
    assert_eq!((game.end(), game.to_move()), (None, Some(seat(2))));
    play(&mut game, "65-66");
    assert_eq!(end(&game), Some((EndReason::RoundLimit, vec![1, 2, 1])));
}

#[test]
fn the_first_reason_of_several_ends_the_game() {
    let both = [("max_rounds", "1"), ("repetition", "2")];
    let nobody = format!("{NOBODY} AD A");
    assert_eq!(after(&nobody, &both, "pass pass").unwrap().0, EndReason::Deadlock);
    let null_turns = "5-18-5 117-106-117";
    assert_eq!(after(STARTS[0].1, &both, null_turns).unwrap().0, EndReason::Repetition);
    assert_eq!(after(STARTS[0].1, &both[..1], null_turns).unwrap().0, EndReason::RoundLimit);
    let last = "D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/13/4/3/2/A AD D";
    assert_eq!(after(last, &both, "17-9"), Some((EndReason::Home, vec![2, 1])));
    let alone = position("D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/13/4/3/2/1 D D", &both);
    let mut alone = alone.clone();
    play(&mut alone, "17-9");
    assert_eq!(end(&alone), Some((EndReason::Home, vec![2, 1])));
}

#[test]
fn a_position_may_occur_as_often_as_the_option_says() {
    let round = "0-1 120-118 1-0 118-120 ";
    for (limit, rounds) in [("2", 1), ("3", 2), ("5", 4)] {
        let options = [("repetition", limit)];
        assert_eq!(after(TWO, &options, &round.repeat(rounds - 1)), None);
        let drawn = Some((EndReason::Repetition, vec![1, 1]));
        assert_eq!(after(TWO, &options, &round.repeat(rounds)), drawn, "{limit}");
    }
}

#[test]
fn nobody_wins_in_another_seats_turn() {
    let mut game =
        position("D/AA/AAA/AAA1/7A5/12/11/10/9/10/11/12/13/DDDD/DDD/DD/1 AD A", &[("win", "filled")]);
    play(&mut game, "17-9");
    assert_eq!(game.end(), None, "the home of A is full, but it was not the turn of D");
    play(&mut game, "111-102");
    assert_eq!(end(&game), Some((EndReason::Home, vec![2, 1])));
}

#[test]
fn a_win_can_be_taken_back() {
    let mut game = position("D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/13/4/3/2/A AD D", &[]);
    let before = (game.text(), game.key(), game.winning_cells());
    play(&mut game, "17-9");
    assert!(game.end().is_some() && game.winning_cells().len() == 10);
    assert!(game.undo());
    assert_eq!((game.text(), game.key(), game.winning_cells()), before);
    play(&mut game, "17-9");
    assert!(game.end().is_some());
}

#[test]
fn an_eliminated_seat_leaves_the_board_and_its_turns_are_skipped() {
    let mut game = start(6, &[]);
    play(&mut game, "6-15");
    game.eliminate(seat(1));
    game.eliminate(seat(3));
    assert_eq!(game.text(), "A/AA/AAA/1AAA/FFFF1A7/FFF9/FF9/F9/9/E8C/EE7CC/EEE6CCC/EEEE5CCCC/4/3/2/1 ACEF C");
    assert_eq!((game.is_in(seat(1)), game.is_in(seat(2)), game.ply()), (false, true, 1));
    play(&mut game, "74-73");
    assert_eq!(game.to_move(), Some(seat(4)));
    assert!(game.undo() && !game.undo(), "turns before an elimination stay");
    let same = game.read_position(&game.text()).unwrap();
    assert_eq!((same.key(), same.text(), same.is_in(seat(3))), (game.key(), game.text(), false));
}

#[test]
fn the_last_one_left_has_won() {
    let mut game = start(3, &[]);
    game.eliminate(seat(0));
    assert_eq!((game.end(), game.to_move()), (None, Some(seat(1))));
    game.eliminate(seat(1));
    assert_eq!(end(&game), Some((EndReason::LastStanding, vec![2, 2, 1])));
    game.eliminate(seat(2));
    assert_eq!(end(&game), Some((EndReason::LastStanding, vec![2, 2, 1])));
    let mut game = start(2, &[]);
    game.eliminate(seat(1));
    assert_eq!(end(&game), Some((EndReason::LastStanding, vec![1, 2])));
}

/// A match from there would never end once that seat is to be taken out.
#[test]
fn the_only_one_left_in_a_position_has_won_when_it_is_to_be_taken_out() {
    let text = "A/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/1 A A";
    let mut game = position(text, &[]);
    game.eliminate(seat(0));
    assert_eq!((game.text(), end(&game)), (text.to_owned(), Some((EndReason::LastStanding, vec![1, 2]))));
}

#[test]
fn the_player_opposite_need_not_be_let_in_once_it_is_out() {
    let mut game = position("D/DD/DDD/ADDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A ABDE A", &[]);
    assert_eq!((game.obligation().unwrap().tier, game.legal_count()), (1, 2));
    game.eliminate(seat(2));
    assert_eq!(game.obligation().unwrap().tier, 0);
    assert!(game.legal_count() > 2);
    let three = position("A/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/1 ACE A", &[]);
    assert_eq!(three.obligation().unwrap().tier, 0, "with three players nobody is opposite");
}

#[test]
fn an_elimination_forgets_which_positions_have_occurred() {
    let mut game = start(3, &[]);
    play(&mut game, "5-18-5 108-83-108 100-77-100 5-18-5 108-83-108");
    game.eliminate(seat(2));
    assert_eq!(game.end(), None);
    play(&mut game, "5-18-5 108-83-108");
    assert_eq!(game.end(), None);
    play(&mut game, "5-18-5 108-83-108");
    assert_eq!(end(&game), Some((EndReason::Repetition, vec![1, 1, 2])));
}

#[test]
fn distance_to_go_is_120_at_the_start_and_0_at_home() {
    let to_go = |position: &Position| position.scores()[0].by_seat.clone();
    for (players, _) in STARTS {
        assert_eq!(to_go(&start(players, &[])), vec![120; players]);
    }
    let mut game = position("D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/13/AAAA/AAA/AA/A AD D", &[]);
    assert_eq!((game.scores()[0].name, to_go(&game)), ("distance_to_go", vec![0, 1]));
    play(&mut game, "17-9");
    assert_eq!(to_go(&game), [0, 0]);
}

#[test]
fn who_is_taken_out_has_no_fewer_steps_to_go_than_before() {
    let to_go = |position: &Position| position.scores()[0].by_seat.clone();
    let mut game = start(3, &[]);
    play(&mut game, "5-18 108-83");
    let before = to_go(&game);
    game.eliminate(seat(0));
    assert_eq!(to_go(&game), before);
    let read = game.read_position(&game.text()).unwrap();
    assert_eq!(to_go(&read), [120, before[1], before[2]], "a text does not tell how far it came");
}
