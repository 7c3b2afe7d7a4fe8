//! Texts of positions and turns, and what is said about wrong ones.

use super::{position, random_text, start, verdict};
use arbiter_rules::{Move, Random, Refusal, Setup, registry};

/// What is said of a text that is no position.
fn problem(players: Option<usize>, text: &str) -> String {
    let setup = Setup { players, options: &[], position: Some(text) };
    registry::start("chinese-checkers", &setup).map_or_else(|error| error.to_string(), |_| "fine".to_owned())
}

#[test]
fn the_fewest_players_whose_branches_are_named_play() {
    let seats =
        |seats: &str| position(&format!("1/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/1 {seats}"), &[]).seats();
    let counts =
        ["AD A", "D D", "ACE A", "CE E", "ABDE B", "BE B", "AB A", "ABCDEF A", "CD C", "F F"].map(seats);
    assert_eq!(counts, [2, 2, 3, 3, 4, 4, 4, 6, 6, 6]);
}

#[test]
fn the_number_of_players_can_be_given_with_a_position() {
    let text = "A/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/1 AD A";
    for (players, told) in [
        (2, "fine"),
        (4, "fine"),
        (6, "fine"),
        (3, "branch D does not play in a game for 3 players (A, C, E) (character 43)"),
    ] {
        assert_eq!(problem(Some(players), text), told, "{players}");
    }
    let setup = Setup { players: Some(4), options: &[], position: Some(text) };
    let four = registry::start("chinese-checkers", &setup).unwrap();
    assert_eq!(four.seats(), 4);
    let is_in: Vec<_> = arbiter_rules::Seat::all(4).map(|seat| four.is_in(seat)).collect();
    assert_eq!(is_in, [true, false, true, false]);
    assert!(problem(Some(5), text).contains("not 5"));
    assert!(registry::start("chinese-checkers", &Setup { players: Some(1), ..Setup::default() }).is_err());
}

#[test]
fn a_wrong_position_is_refused_with_what_and_where() {
    let rest = "AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D";
    for (text, told) in [
        (
            String::new(),
            "expected 17 rows, one blank, the branches in the game, one blank, and the branch to move",
        ),
        (
            format!("A/{rest} AD A "),
            "expected 17 rows, one blank, the branches in the game, one blank, and the branch to move",
        ),
        (format!("{rest} AD A"), "the board has 16 rows instead of 17 (character 1)"),
        (format!("2/{rest} AD A"), "row 0 has 2 holes instead of 1 (character 1)"),
        (
            format!("A/{} AD A", rest.replace("/12/11", "/13/11")),
            "row 5 has 13 holes instead of 12 (character 18)",
        ),
        (
            format!("A/{} AD A", rest.replace("/9/", "/999/")),
            "row 8 has 999 holes instead of 9 (character 27)",
        ),
        (
            format!("A/{} AD A", rest.replace("AAA/AAAA", "AAA/AAAAAA")),
            "row 3 has 6 holes instead of 4 (character 10)",
        ),
        (format!("A/{} AD A", rest.replace("/9/", "//")), "row 8 has 0 holes instead of 9 (character 27)"),
        (
            format!("A/{} AD A", rest.replace("/9/", "/09/")),
            "a number of empty holes never begins with 0 (character 27)",
        ),
        (format!("x/{rest} AD A"), "expected a number or a branch A to F, not 'x' (character 1)"),
        (
            format!("A/{} AD A", rest.replace("/9/", "/8ü/")),
            "expected a number or a branch A to F, not 'ü' (character 28)",
        ),
        (format!("B/{rest} AD A"), "a pawn of B, but only A, D are in the game (character 1)"),
        (format!("A/{} AD A", rest.replace("/9/", "/8A/")), "more than 10 pawns of A (character 28)"),
        (
            format!("1/{} AD A", rest.replace("/13/12/", "/12A/12/")),
            "a pawn of A in hole 22: pawns rest in their start, in the hexagon and in their target only \
             (character 17)",
        ),
        (
            format!("A/{rest} DA A"),
            "branch A is out of turn: branches come once each, in order (character 56)",
        ),
        (
            format!("A/{rest} ADD A"),
            "branch D is out of turn: branches come once each, in order (character 57)",
        ),
        (format!("A/{rest} AX A"), "expected a branch A to F, not 'X' (character 56)"),
        (format!("A/{rest}  A"), "no branch is in the game (character 55)"),
        (format!("A/{rest} AD B"), "expected one of A, D for the branch to move, not 'B' (character 58)"),
        (format!("A/{rest} AD AD"), "expected one of A, D for the branch to move, not 'AD' (character 58)"),
        (format!("A/{rest} AD "), "expected one of A, D for the branch to move, not '' (character 58)"),
    ] {
        assert_eq!(problem(None, &text), told, "{text}");
    }
    let huge = "9".repeat(30);
    assert_ne!(
        problem(None, &format!("A/{} AD A", rest.replace("/9/", &format!("/{huge}A{huge}/")))),
        "fine"
    );
}

#[test]
fn every_refusal_says_what_is_wrong_and_with_which_hole() {
    let wing = "1/2/3/4/13/7AD3/8D2/10/9/10/11/12/13/4/3/2/1 AD A";
    let obliged = "D/DD/DDD/ADDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A";
    let inside = "A/D1/3/4/13/12/11/10/4A4/10/11/12/13/4/3/2/1 AD A";
    let stuck = "1/2/3/3D/8D4/6DDA3/7DD2/6D1D1/9/10/11/12/13/4/3/2/1 AD A";
    let several = "A/2/3/D3/13/12/11/10/9/10/11/12/13/4/3/2/A AD A";
    let ladder = "1/2/3/4/6A6/5D6/11/4D5/9/4D5/11/5D6/13/4/3/2/1 AD A";
    for (text, turn, told) in [
        (ladder, "pass", "pass-not-allowed: You may not pass: 16-7 and 9 other moves are legal."),
        (obliged, "pass", "pass-not-allowed: You may not pass: 6-15 and 6-26 are legal."),
        (stuck, "31-30", "must-pass: You have no legal move: the turn is passed."),
        (ladder, "16", "too-short: A move names at least two holes."),
        (ladder, "16-300", "off-board: There is no hole called '300': holes are numbered 0 to 120."),
        (ladder, "121>3", "off-board: There is no hole called '121': holes are numbered 0 to 120."),
        (ladder, "60-61", "empty-origin: Hole 60 is empty: choose one of your own pieces first."),
        (ladder, "28-29", "not-your-pawn: The piece on 28 belongs to player 2."),
        (ladder, "16-28", "occupied: Hole 28 is taken by player 2."),
        (ladder, "16>28", "occupied: Hole 28 is taken by player 2."),
        (
            ladder,
            "16-39-79",
            "not-in-reach: 79 cannot be reached from 39: a piece steps to a touching hole or jumps over exactly \
             one touching piece.",
        ),
        (ladder, "16-41", "nothing-to-jump: There is no piece between 16 and 41 to jump over."),
        (
            ladder,
            "16-39-40",
            "step-in-chain: After a jump only further jumps are allowed: 39 to 40 is a step.",
        ),
        (ladder, "16-17-18", "step-in-chain: A step is a whole turn: 16 to 17 is a step."),
        (
            wing,
            "30-32",
            "rest-in-wing: A piece may pass through 32 but not stop there: it is a side triangle.",
        ),
        (
            obliged,
            "112-111",
            "must-leave: You must move the piece on 6 out of your home first (rule: no blocking).",
        ),
        (
            inside,
            "60-61",
            "must-leave: You must move the piece on 0 to another hole of your home first (rule: no blocking).",
        ),
        (ladder, "16-x-60", "not-understood: 'x' is not a move. Moves look like: 5-16."),
        (ladder, "16--60", "off-board: There is no hole called '-60': holes are numbered 0 to 120."),
        (ladder, "-16-60", "off-board: There is no hole called '-16': holes are numbered 0 to 120."),
        (ladder, "16>-60", "off-board: There is no hole called '-60': holes are numbered 0 to 120."),
        (ladder, "16-60-", "not-understood: '16-60-' is not a move. Moves look like: 5-16."),
        (ladder, "16---60", "not-understood: '16---60' is not a move. Moves look like: 5-16."),
        (ladder, "", "not-understood: '' is not a move. Moves look like: 5-16."),
        (ladder, "16>39>60", "not-understood: '39>60' is not a move. Moves look like: 5-16."),
        (several, "0-1-2", "step-in-chain: A step is a whole turn: 0 to 1 is a step."),
    ] {
        let told_instead = position(text, &[]).read_move(turn).unwrap_err().to_string();
        assert_eq!(told_instead, told, "{turn}");
    }
    let no_return = position(wing, &[("allow_return", "false")]);
    assert_eq!(
        no_return.read_move("30-32-30").unwrap_err().to_string(),
        "returned-to-start: In this game a chain may not come back to the hole it began in."
    );
}

#[test]
fn a_path_may_hold_64_holes_and_no_more() {
    let game = start(2, &[]);
    let path: Vec<i64> = (0..65).map(|i| if i % 2 == 0 { 5 } else { 18 }).collect();
    assert_eq!(game.judge_path(&path).unwrap_err().reason, Refusal::TooLong);
    assert_eq!(game.judge_path(&path[..64]).unwrap().played, Move::shift(5, 18));
    assert_eq!(game.judge_path(&path[..63]).unwrap().played, Move::shift(5, 5));
}

#[test]
fn numbers_that_are_no_holes_are_off_the_board() {
    let game = start(2, &[]);
    for path in [[6, -1], [i64::MIN, i64::MAX], [6, 121], [-6, 15], [i64::from(u32::MAX) + 7, 15]] {
        assert_eq!(game.judge_path(&path).unwrap_err().reason, Refusal::OffBoard, "{path:?}");
    }
    for text in ["99999999999999999999-3", "6--99999999999999999999", "-0-121", "6>99999999999999999999"] {
        assert_eq!(game.read_move(text).unwrap_err().reason, Refusal::OffBoard, "{text}");
    }
    assert_eq!(game.judge_path(&[]).unwrap_err().reason, Refusal::PassNotAllowed);
    assert_eq!(game.judge(Move::place(6)).unwrap_err().reason, Refusal::NotUnderstood);
    assert_eq!(game.judge(Move::shift(6, u16::MAX)).unwrap_err().reason, Refusal::OffBoard);
}

#[test]
fn turns_are_parted_by_blanks_and_commas() {
    let game = start(2, &[]);
    assert_eq!(game.split_moves("6-15 111-102,\n5>16"), ["6-15", "111-102", "5>16"]);
    assert_eq!((game.cell_name(120), verdict(&game, " 6-15 ")), ("120".to_owned(), "legal"));
}

#[test]
fn no_text_and_no_number_makes_the_rules_fall_over() {
    let mut random = Random::new(41);
    let signs: Vec<char> = "0123456789-> ABCDEFG/x1\u{fc}\0".chars().collect();
    for _ in 0..3000 {
        let position = position(&random_text(&mut random), &[]);
        let mut text: String = (0..random.below(12)).map(|_| signs[random.below(signs.len())]).collect();
        let _ = position.read_move(&text);
        let path: Vec<_> = (0..random.below(80)).map(|_| random.below(130) as i64 - 5).collect();
        let _ = position.judge_path(&path);
        let _ = position.judge(Move::from_bits(random.bits() >> (8 * random.below(8))));
        text = position.text();
        for _ in 0..1 + random.below(3) {
            let places: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
            text.insert(places[random.below(places.len())], signs[random.below(signs.len())]);
        }
        let setup = Setup { players: None, options: &[], position: Some(&text) };
        if let Ok(read) = registry::start("chinese-checkers", &setup) {
            assert_eq!(read.text(), text, "only what is written is read");
        }
    }
}

#[test]
fn options_are_refused_outside_their_values() {
    for (name, value) in [("win", "all"), ("max_rounds", "-1"), ("repetition", "1"), ("allow_return", "yes")]
    {
        let setup = Setup { players: None, options: &[(name, value)], position: None };
        assert_eq!(registry::start("chinese-checkers", &setup).unwrap_err().code(), "bad-option", "{name}");
    }
    let all: Vec<_> = start(2, &[]).options().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let expected =
        ["allow_return=true", "no_blocking=true", "win=own-or-buried", "max_rounds=200", "repetition=3"];
    assert_eq!(all, expected);
    assert_eq!(registry::find("chinese_checkers").map(|info| info.id), Some("chinese-checkers"));
    assert!(registry::find("halma").is_none(), "halma is played on another board");
}
