//! The worked examples of the rules document; its counts are in the perft table.

use super::{STARTS, compact, play, position, start, verdict};
use arbiter_rules::{EndReason, Seat};

const NO_RETURN: &[(&str, &str)] = &[("allow_return", "false")];
const NO_RULE: &[(&str, &str)] = &[("no_blocking", "false")];

#[test]
fn the_first_player_has_17_turns_or_14_without_null_turns() {
    for (players, text) in STARTS {
        let position = start(players, &[]);
        assert_eq!(position.text(), text);
        assert_eq!(compact(&position), "3:3,14,16 4:4,15,17 5:5,16,18 6:14,15 7:15,16 8:16,17 9:17,18");
        let position = start(players, NO_RETURN);
        assert_eq!(compact(&position), "3:14,16 4:15,17 5:16,18 6:14,15 7:15,16 8:16,17 9:17,18");
    }
}

#[test]
fn a_chain_may_go_in_a_circle() {
    let text = "1/2/3/4/13/12/11/5DD3/4AD3/10/11/12/13/4/3/2/1 AD A";
    let circle = position(text, &[]);
    assert_eq!(compact(&circle), "60:41,50,59,60,62,69,70");
    let canonical = ["60>41", "60>62", "60>60"].map(|turn| {
        let choice = circle.read_move(turn).unwrap();
        (choice.path.len(), circle.choice_text(&choice))
    });
    assert_eq!(canonical, [(0, "60-41".to_owned()), (0, "60-62".to_owned()), (0, "60-41-60".to_owned())]);
    for turn in ["60-62-41", "60-62-41-62-41", "60-62-41-60-41", "60-41-60"] {
        let choice = circle.read_move(turn).unwrap();
        assert_eq!(circle.choice_text(&choice), turn, "a path is recorded as it was given");
    }
    assert_eq!(circle.read_move("60-62-41").unwrap().played, circle.read_move("60-41").unwrap().played);

    let no_return = position(text, NO_RETURN);
    assert_eq!(compact(&no_return), "60:41,50,59,62,69,70");
    assert_eq!(verdict(&no_return, "60-62-41-62-41"), "legal");
    assert_eq!(verdict(&no_return, "60-62-41-60-41"), "returned-to-start");
    assert_eq!(verdict(&no_return, "60>60"), "returned-to-start");
}

#[test]
fn a_chain_may_climb_a_ladder() {
    let ladder = position("1/2/3/4/6A6/5D6/11/4D5/9/4D5/11/5D6/13/4/3/2/1 AD A", NO_RETURN);
    assert_eq!(compact(&ladder), "16:7,8,15,17,29,39,60,79,104");
    let verdicts = [
        ("16-39-60-79-104", "legal"),
        ("16-104", "not-in-reach"),
        ("16>104", "legal"),
        ("16-39-60-79-104-103", "step-in-chain"),
        ("16-41", "nothing-to-jump"),
        ("16>103", "not-in-reach"),
        ("16>41", "nothing-to-jump"),
    ];
    for (turn, expected) in verdicts {
        assert_eq!(verdict(&ladder, turn), expected, "{turn}");
    }
    let choice = ladder.read_move("16>104").unwrap();
    assert_eq!(ladder.choice_text(&choice), "16-39-60-79-104");
    assert_eq!(ladder.move_text(choice.played), "16>104");
    assert_eq!(ladder.path(choice.played), [16, 39, 60, 79, 104]);
}

#[test]
fn a_chain_may_pass_through_a_wing_but_not_stop_there() {
    let field = "1/2/3/4/13/7AD3/8D2/10/9/10/11/12/13/4/3/2/1";
    let wing = position(&format!("{field} AD A"), &[]);
    assert_eq!(compact(&wing), "30:17,18,29,30,41,42,53");
    let verdicts = [
        ("30-32-53", "legal"),
        ("30-32", "rest-in-wing"),
        ("30>32", "rest-in-wing"),
        ("30-32-30", "legal"),
        ("30-19", "not-in-reach"),
    ];
    for (turn, expected) in verdicts {
        assert_eq!(verdict(&wing, turn), expected, "{turn}");
    }
    for (branches, mover) in [("ABDE", "B"), ("ABDE", "E")] {
        let text = format!("{} {branches} {mover}", field.replace('A', mover));
        assert_eq!(verdict(&position(&text, &[]), "30-32"), "legal", "{mover}");
    }
}

#[test]
fn a_seat_that_could_only_stop_in_a_wing_passes() {
    let mut stuck = position("1/2/3/3D/8D4/6DDA3/7DD2/6D1D1/9/10/11/12/13/4/3/2/1 AD A", &[]);
    assert!(stuck.must_pass());
    assert_eq!((verdict(&stuck, "pass"), verdict(&stuck, "31-19")), ("legal", "must-pass"));
    play(&mut stuck, "pass");
    assert_eq!(stuck.to_move(), Some(Seat::SECOND));
}

#[test]
fn a_pawn_in_the_way_must_leave() {
    let text = "D/DD/DDD/ADDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A";
    let mut obliged = position(text, &[]);
    assert_eq!(compact(&obliged), "6:15,26");
    let obligation = obliged.obligation().unwrap();
    assert_eq!((obligation.tier, obligation.in_the_way), (1, vec![6]));
    for turn in ["112-111", "6-26-6", "112>111", "6>6"] {
        assert_eq!(verdict(&obliged, turn), "must-leave", "{turn}");
    }
    assert_eq!(
        compact(&position(text, NO_RULE)),
        "6:6,15,26 112:103,104,111 113:104,105,111,113 114:105,106 115:104,111,115 116:103,105,116 \
         117:104,106,117 118:111,118"
    );
    play(&mut obliged, "6-15 14-6");
    let end = obliged.end().unwrap();
    assert_eq!((end.reason, end.outcome.winner()), (EndReason::Home, Some(Seat::SECOND)));
    assert_eq!(obliged.winning_cells(), (0..10).collect::<Vec<_>>());
}

#[test]
fn nobody_must_leave_while_that_would_not_help() {
    let free = position("D/DD/DDD/ADDD/8D4/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A", &[]);
    assert_eq!(free.obligation().unwrap().tier, 0);
    assert_eq!(
        compact(&free),
        "6:14,15 112:103,104,111 113:104,105,111,113 114:105,106 115:104,111,115 116:103,105,116 \
         117:104,106,117 118:111,118"
    );
}

#[test]
fn several_pawns_can_be_in_the_way_though_one_alone_can_get_out() {
    let text = "A/AA/ADD/DDDD/4D3D4/3D4D3/11/10/9/10/11/12/13/4/AAA/AA/A AD A";
    let obliged = position(text, &[]);
    assert_eq!(obliged.obligation().unwrap().in_the_way, [0, 1, 2, 3]);
    assert_eq!(compact(&obliged), "3:16");
    let free = position(text, NO_RULE);
    assert_eq!(compact(&free), "3:3,16 115:111,112 116:112,113 117:113,114 118:111,113,118 119:112,114,119");
}

#[test]
fn a_pawn_that_cannot_leave_must_move_inside() {
    let inside = position("A/D1/3/4/13/12/11/10/4A4/10/11/12/13/4/3/2/1 AD A", &[]);
    assert_eq!((compact(&inside).as_str(), inside.obligation().unwrap().tier), ("0:2,3", 2));
    assert_eq!((verdict(&inside, "60-61"), verdict(&inside, "0-3-0")), ("must-leave", "must-leave"));
}

#[test]
fn the_obligation_lapses_when_no_pawn_in_the_way_can_move() {
    let text = "A/DD/DDD/DDDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A";
    let lapsed = position(text, &[("win", "own")]);
    assert_eq!(lapsed.obligation().unwrap().tier, 3);
    assert_eq!(lapsed.obligation().unwrap().in_the_way, [0]);
    assert_eq!(
        compact(&lapsed),
        "112:103,104,111 113:104,105,111,113 114:105,106 115:104,111,115 116:103,105,116 117:104,106,117 \
         118:111,118"
    );
}

#[test]
fn a_buried_pawn_does_not_keep_the_other_player_from_winning() {
    let text = "A/DD/DDD/DDD1/7DD4/12/11/10/9/10/11/12/7A5/1AAA/AAA/AA/1 AD D";
    for (win, wins) in [("own", false), ("own-or-buried", true), ("filled", true)] {
        let mut buried = position(text, &[("win", win)]);
        assert_eq!(
            compact(&buried),
            "2:2,9,29,31 3:3,14,16 4:4,15 5:5,9,16 6:14,15 7:7,9,15,16,29,31 8:8,9,16,30 17:9,16,17,29,30 \
             18:9,16,18,30,31"
        );
        play(&mut buried, "17-9");
        assert_eq!(buried.end().and_then(|end| end.outcome.winner()), wins.then_some(Seat::SECOND), "{win}");
    }
}

#[test]
fn a_pawn_that_can_move_keeps_the_other_player_from_winning_and_must_go() {
    let mut open = position("D/DD/DDD/ADD1/7D5/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD D", &[]);
    play(&mut open, "17-9");
    assert_eq!(open.end(), None);
    let mut near = position("D/DD/DDD/ADD1/4D2D5/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD D", &[]);
    play(&mut near, "17-9");
    assert_eq!((near.end(), near.obligation().unwrap().tier), (None, 1), "14 waits for the hole of 6");
}

#[test]
fn a_raid_into_a_full_home_wins_only_where_the_option_says_so() {
    let text = "A/AA/AAA/AAA1/7D5/12/11/10/4A4/10/11/12/13/DDDD/DDD/DD/1 AD D";
    for (win, wins) in [("own", false), ("own-or-buried", false), ("filled", true)] {
        let mut raid = position(text, &[("win", win)]);
        play(&mut raid, "17-9");
        assert_eq!(raid.end().is_some(), wins, "{win}");
    }
}

#[test]
fn null_turns_repeat_the_start_until_the_game_is_drawn() {
    let mut game = start(2, &[]);
    play(&mut game, "5-18-5 117-106-117 5-18-5");
    assert_eq!(game.end(), None);
    play(&mut game, "117-106-117");
    assert_eq!(game.end().unwrap().reason, EndReason::Repetition);
    assert_eq!(game.end().unwrap().outcome.ranks(), [1, 1]);
}
