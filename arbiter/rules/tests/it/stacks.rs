//! Stacks: the worked examples of its rules, and what its players are told.

use crate::support::{
    after, ending, legal, legal_texts, option_error, play, read, read_error, refusal, start,
};
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::{Chance, ChanceSource, EndReason, Move, Position, Random};

const N3: &[(&str, &str)] = &[("n", "3")];
const TOP3: &[(&str, &str)] = &[("n", "3"), ("variant", "top")];
const SHAKING_TOP3: &[(&str, &str)] = &[("n", "3"), ("variant", "top"), ("earthquake", "true")];

/// Who has a line, found in the slow and obvious way: every line is tried on every level.
pub(crate) fn slow_lines(position: &Position) -> Vec<&'static str> {
    let n = i64::from(position.shape().width);
    let columns: Vec<Vec<u8>> = (0..n * n).map(|cell| position.column(cell as u16)).collect();
    let token = |cell: i64, level: i64| -> u8 {
        usize::try_from(level).ok().and_then(|level| columns[cell as usize].get(level)).copied().unwrap_or(0)
    };
    let highest = columns.iter().map(Vec::len).max().unwrap_or(0) as i64;
    let mut straight: Vec<Vec<i64>> = Vec::new();
    straight.extend((0..n).map(|row| (0..n).map(|i| row * n + i).collect()));
    straight.extend((0..n).map(|column| (0..n).map(|i| i * n + column).collect()));
    straight.push((0..n).map(|i| i * n + i).collect());
    straight.push((0..n).map(|i| i * n + n - 1 - i).collect());
    let has_line = |seat: u8| {
        if position.options().word("variant") == "top" {
            let is_top = |&cell: &i64| columns[cell as usize].last() == Some(&seat);
            return straight.iter().any(|line| line.iter().all(is_top));
        }
        (0..highest).any(|base| {
            let upright = (0..n * n).any(|cell| (0..n).all(|i| token(cell, base + i) == seat));
            let along = |slope: i64| {
                straight.iter().any(|line| {
                    let start = if slope < 0 { base + n - 1 } else { base };
                    line.iter().zip(0..).all(|(&cell, i)| token(cell, start + slope * i) == seat)
                })
            };
            upright || along(0) || along(1) || along(-1)
        })
    };
    [("x", 1), ("o", 2)].into_iter().filter(|&(_, seat)| has_line(seat)).map(|(sign, _)| sign).collect()
}

#[test]
fn the_legal_list_is_the_printed_one_under_every_option() {
    let placements = "+a1 +b1 +c1 +a2 +b2 +c2 +a3 +b3 +c3";
    let text = "xo,-,x/-,ox,-/-,-,o x c3";
    for (option, removals) in [
        (("removal", "any"), " -a1 -c1 -b2"),
        (("removal", "own"), " -c1 -b2"),
        (("removal", "off"), ""),
        (("ko", "false"), " -a1 -c1 -b2 -c3"),
    ] {
        let position = read("stacks", &[("n", "3"), option], text);
        assert_eq!(legal_texts(&position).join(" "), format!("{placements}{removals}"), "{option:?}");
    }
    let position = read("stacks", &[("n", "3"), ("ko", "false")], "xo,-,x/-,ox,-/-,-,o x -");
    assert_eq!(legal_texts(&position).join(" "), format!("{placements} -a1 -c1 -b2 -c3"));
}

#[test]
fn every_refusal_has_its_code_and_a_sentence() {
    let text = "xo,-,x/-,ox,-/-,-,o x c3";
    let position = read("stacks", N3, text);
    let own = read("stacks", &[("n", "3"), ("removal", "own")], text);
    let off = read("stacks", &[("n", "3"), ("removal", "off")], text);
    for (position, m, expected) in [
        (
            &position,
            "-c3",
            "just-placed: The token on c3 has just been placed: it may be removed from the next turn on.",
        ),
        (&position, "-b1", "empty-stack: The stack on b1 is empty: there is nothing to remove."),
        (&position, "+d1", "off-board: There is no such cell: columns are a to c, rows 1 to 3."),
        (&position, "-a4", "off-board: There is no such cell: columns are a to c, rows 1 to 3."),
        (&position, "b2", "not-understood: 'b2' is not a move. Moves look like: +b2 or -b2."),
        (&position, "pass", "not-understood: A move in this game places a token on a stack or removes one."),
        (&own, "-a1", "not-your-token: The top of a1 is not yours."),
        (&off, "-a1", "removal-off: In this game nothing is removed."),
        (&off, "-b1", "removal-off: In this game nothing is removed."),
    ] {
        assert_eq!(refusal(position, m), expected);
    }
    let beyond = position.judge(Move::place(9)).unwrap_err();
    assert_eq!(beyond.to_string(), "off-board: There is no cell 9: cells are numbered 0 to 8.");
    assert_eq!(position.judge(Move::remove(9)).unwrap_err().reason.code(), "off-board");
    assert_eq!(position.judge_path(&[4]).unwrap().played, Move::place(4));
}

#[test]
fn lines_are_the_printed_ones_in_both_variants() {
    for (text, space, top) in [
        ("-,-,-/xo,xo,xx/-,-,-", "x", ""),
        ("x,ox,oox/-,-,-/-,-,-", "x", "x"),
        ("ox,oxx,xoox/-,-,-/-,-,-", "x", "x"),
        ("oox,ox,x/-,-,-/-,-,-", "x", "x"),
        ("-,-,oox/-,ox,-/x,-,-", "x", "x"),
        ("-,-,-/-,oxxxo,-/-,-,-", "x", ""),
        ("x,oox,xooxx/-,-,-/-,-,-", "", "x"),
        ("x,ox,x/-,-,-/-,-,-", "", "x"),
        ("xo,-,-/-,o,-/-,-,xxo", "", "o"),
        ("x,x,x/o,o,o/-,-,-", "xo", "xo"),
    ] {
        for (variant, expected) in [("3d", space), ("top", top)] {
            let options = [("n", "3"), ("variant", variant)];
            let mut position = read("stacks", &options, &format!("{text} x -"));
            assert_eq!(slow_lines(&position).concat(), expected, "{variant} {text}");
            assert_eq!(position.end(), None, "a position that was set up is never over");
            // A token on a3, or beside it where that makes a line, leaves all lines of the board as they are.
            play(&mut position, if text.ends_with("x,-,-") { "+a1" } else { "+a3" });
            let end = position.end().map(|end| (end.reason.code(), end.outcome.winner()));
            let expected = match expected {
                "" => None,
                "x" => Some(("line", Some(arbiter_rules::Seat::FIRST))),
                "o" => Some(("line", Some(arbiter_rules::Seat::SECOND))),
                _ => Some(("both-lines", None)),
            };
            assert_eq!(end, expected, "{variant} {text}");
        }
    }
}

#[test]
fn a_removal_wins_for_the_seat_that_gets_the_line() {
    for side in ["x", "o"] {
        let mut position = read("stacks", TOP3, &format!("x,x,xo/-,-,-/o,-,- {side} -"));
        play(&mut position, "-c1");
        assert_eq!(ending(&position), ("line", 1), "{side} to move");
        assert_eq!(position.winning_cells(), [0, 1, 2]);
        assert!(position.undo());
        assert_eq!((position.end(), position.text()), (None, format!("x,x,xo/-,-,-/o,-,- {side} -")));
    }
}

/// On a board that is seen from above nobody finds a line by its cells alone.
#[test]
fn a_line_in_space_is_called_by_its_levels() {
    for (options, text, m, name) in [
        (N3, "x,x,-/-,-,-/o,o,- x -", "+c1", "3 in a line on level 1, a1 to c1"),
        (N3, "x,ox,oo/-,-,-/-,-,- x -", "+c1", "3 in a line, a1 on level 1 to c1 on level 3"),
        (N3, "oox,-,-/-,ox,-/-,-,- x -", "+c3", "3 in a line, a1 on level 3 to c3 on level 1"),
        (N3, "oxx,-,-/-,-,-/-,-,- x -", "+a1", "3 in a line on a1, levels 2 to 4"),
        (TOP3, "x,ox,-/-,-,-/-,-,- x -", "+c1", "3 in a line, a1 to c1"),
    ] {
        let mut position = read("stacks", options, text);
        play(&mut position, m);
        assert_eq!(position.line_name(&position.winning_cells()), name, "{text}");
    }
}

#[test]
fn a_token_just_placed_is_safe_for_one_turn() {
    let mut position = after("stacks", N3, "+b2");
    assert!(refusal(&position, "-b2").starts_with("just-placed"));
    play(&mut position, "+a1");
    assert!(refusal(&position, "-a1").starts_with("just-placed"));
    play(&mut position, "-b2");
    assert_eq!(position.text(), "o,-,-/-,-,-/-,-,- o -", "after a removal nothing is protected");
}

#[test]
fn a_fresh_token_that_falls_protects_nothing() {
    let mut position = start("stacks", &[("n", "3"), ("earthquake", "true")]);
    play(&mut position, "+b2");
    let m = position.read_move("+b2").unwrap().played;
    position.play(m, &Chance { fallen: vec![(4, 1)] }).unwrap();
    assert_eq!(position.text(), "-,-,-/-,x,-/-,-,- x -");
    play(&mut position, "-b2");
    assert!(position.undo() && position.undo());
    assert_eq!(
        position.text(),
        "-,-,-/-,x,-/-,-,- o b2",
        "the fallen token is back, and so is its protection"
    );
}

#[test]
fn both_sides_can_get_a_line_in_one_earthquake() {
    let set_up = || read("stacks", SHAKING_TOP3, "xo,x,x/ox,o,o/-,-,- x -");
    let shaken = |fallen: &[(u16, u32)]| {
        let mut position = set_up();
        let m = position.read_move("+c3").unwrap().played;
        let chance = Chance { fallen: fallen.to_vec() };
        assert_eq!(position.judge_chance(m, &chance), Ok(()));
        position.play(m, &chance).unwrap();
        position
    };
    let both = shaken(&[(0, 1), (3, 1)]);
    assert_eq!(ending(&both), ("both-lines", 0));
    assert_eq!(both.winning_cells(), [0, 1, 2, 3, 4, 5]);
    let opponent = shaken(&[(3, 1)]);
    assert_eq!(ending(&opponent), ("line-after-earthquake", 2));
    assert_eq!(opponent.winning_cells(), [3, 4, 5]);
    assert_eq!(shaken(&[]).end(), None);
}

#[test]
fn an_impossible_earthquake_is_refused_with_the_reason() {
    let position = read("stacks", SHAKING_TOP3, "xo,x,x/ox,o,o/-,-,- x -");
    let m = position.read_move("+c3").unwrap().played;
    let problem = |fallen: &[(u16, u32)]| position.judge_chance(m, &Chance { fallen: fallen.to_vec() });
    assert_eq!(problem(&[(0, 2), (8, 1)]), Ok(()), "the height after the move counts");
    assert_eq!(problem(&[(9, 1)]).unwrap_err(), "there is no cell 9");
    assert_eq!(problem(&[(8, 2)]).unwrap_err(), "2 tokens cannot fall off c3, which has 1");
    assert_eq!(problem(&[(0, 0)]).unwrap_err(), "0 tokens cannot fall off a1, which has 2");
    assert_eq!(problem(&[(3, 1), (3, 1)]).unwrap_err(), "a2 is listed twice or after a later cell");
    assert_eq!(problem(&[(3, 1), (0, 1)]).unwrap_err(), "a1 is listed twice or after a later cell");
    let wins = position.read_move("-a1").unwrap().played;
    let fallen = Chance { fallen: vec![(1, 1)] };
    assert_eq!(position.judge_chance(wins, &fallen).unwrap_err(), "the game ends before an earthquake");
    assert_eq!(position.draw_chance(wins, ChanceSource::GameSeed(1)), Chance::NONE);
    let calm = read("stacks", TOP3, "xo,x,x/ox,o,o/-,-,- x -");
    assert_eq!(calm.judge_chance(m, &fallen).unwrap_err(), "there are no earthquakes in this game");
    assert_eq!(calm.draw_chance(m, ChanceSource::GameSeed(1)), Chance::NONE);
}

#[test]
fn a_stack_collapses_as_often_as_its_chance_says() {
    let position = read("stacks", &[("n", "3"), ("earthquake", "true")], "xxooxx,-,-/-,-,-/-,-,- x -");
    let m = position.read_move("+c3").unwrap().played;
    let mut random = Random::new(3);
    let mut falls = [0u32; 7];
    for _ in 0..12_000 {
        let chance = position.draw_chance(m, ChanceSource::Sample(random.bits()));
        let tall = chance.fallen.iter().find(|(cell, _)| *cell == 0);
        falls[tall.map_or(0, |&(_, count)| count as usize)] += 1;
    }
    assert!((5800..6200).contains(&falls[0]), "six tokens stand every other time: {falls:?}");
    assert!(falls[1..].iter().all(|fallen| (900..1100).contains(fallen)), "{falls:?}");
}

#[test]
fn draws_come_by_repetition_and_by_the_turn_limit() {
    let there_and_back = "+a1 +b1 -a1 -b1 ";
    let mut position = after("stacks", &[("n", "3"), ("ko", "false")], &there_and_back.repeat(2));
    assert_eq!(ending(&position), ("repetition", 0));
    assert!(position.undo() && position.end().is_none());
    let twice = after("stacks", &[("n", "3"), ("repetition", "2")], there_and_back);
    assert_eq!(ending(&twice), ("repetition", 0));
    let never = after("stacks", &[("n", "3"), ("repetition", "0")], &there_and_back.repeat(5));
    assert_eq!(never.end(), None);
    let shaking = after("stacks", &[("n", "3"), ("earthquake", "true")], &there_and_back.repeat(5));
    assert_eq!(shaking.end(), None, "with earthquakes repetition is off");
    let limited = after("stacks", &[("n", "3"), ("max_turns", "5")], "+a1 +b1 +c1 +a2 +b2");
    assert_eq!(ending(&limited), ("turn-limit", 0));
    let won = after("stacks", &[("n", "3"), ("max_turns", "5")], "+a1 +a2 +b1 +b2 +c1");
    assert_eq!(ending(&won), ("line", 1), "a line on the last turn counts");
    assert_eq!(start("stacks", &[("n", "5")]).options().number("max_turns"), 500);
}

#[test]
fn a_seat_that_leaves_loses() {
    let mut position = start("stacks", &[]);
    position.eliminate(arbiter_rules::Seat::FIRST);
    assert_eq!(ending(&position), (EndReason::LastStanding.code(), 2));
}

#[test]
fn stacks_grow_without_a_limit() {
    let mut position = start("stacks", &[("n", "3"), ("max_turns", "0"), ("variant", "top")]);
    for _ in 0..500 {
        play(&mut position, "+a1 +a1");
    }
    assert_eq!(position.column(0).len(), 1000);
    let text = position.text();
    assert_eq!(read("stacks", &[("n", "3"), ("max_turns", "0"), ("variant", "top")], &text).text(), text);
    while position.undo() {}
    assert_eq!(position.text(), start("stacks", N3).text());
}

#[test]
fn a_stack_is_chosen_first_and_then_what_happens_to_it() {
    let position = after("stacks", N3, "+b2 +a1");
    let view = position.draft_view(&Draft::default());
    assert_eq!((view.targets.len(), view.actions.len()), (9, 0));
    let chosen = match position.pick(&Draft::default(), 4) {
        Ok(DraftStep::Unfinished(draft)) => draft,
        other => panic!("a stack alone is no move: {other:?}"),
    };
    let ids = |draft: &Draft| -> Vec<_> {
        position.draft_view(draft).actions.iter().map(|action| action.id).collect()
    };
    assert_eq!(ids(&chosen), ["place", "remove"]);
    assert_eq!(ids(&Draft { cells: vec![0] }), ["place"], "the fresh token cannot be removed");
    let removed = position.act(&chosen, "remove");
    assert_eq!(removed, Ok(DraftStep::Finished(Move::remove(4).into())));
    assert_eq!(position.act(&chosen, "place"), Ok(DraftStep::Finished(Move::place(4).into())));
    assert_eq!(position.pick(&chosen, 8), Ok(DraftStep::Unfinished(Draft { cells: vec![8] })));
    let nothing = position.act(&Draft::default(), "place").unwrap_err();
    assert_eq!(nothing.sentence, "Choose a stack first.");
    assert_eq!(position.act(&chosen, "finish").unwrap_err().reason.code(), "not-understood");
    assert_eq!(position.pick(&chosen, 9).unwrap_err().reason.code(), "off-board");
}

#[test]
fn position_texts_are_refused_with_the_place_of_the_mistake() {
    for (text, problem) in [
        (
            "",
            "expected the rows, the side to move, and the cell protected by ko or -, with one blank between",
        ),
        ("-,-,-/-,-,- x -", "the board has 2 rows instead of 3"),
        ("-,-,-/-,-,-/-,-,-/-,-,- x -", "the board has 4 rows instead of 3"),
        ("-,-,-/-,-/-,-,- x -", "row 2 has 2 stacks instead of 3 (character 7)"),
        ("-,-,-/-,x-,-/-,-,- x -", "expected x and o, or -, for b2, not '-' (character 10)"),
        ("-,-,-/-,,-/-,-,- x -", "the stack on b2 is missing: an empty one is written - (character 9)"),
        ("-,-,-/-,xX,-/-,-,- x -", "expected x and o, or -, for b2, not 'X' (character 10)"),
        ("-,-,-/-,-,-/-,-,- y -", "expected x or o for the side to move, not 'y' (character 19)"),
        ("-,-,-/-,-,-/-,-,o x d1", "expected the cell protected by ko or -, not 'd1' (character 21)"),
        ("-,-,-/-,-,-/-,-,o x b2", "b2 is empty: ko protects nothing there (character 21)"),
        (
            "-,-,-/-,-,-/-,-,x x c3",
            "the top of c3 is x's own: ko protects the opponent's token (character 21)",
        ),
    ] {
        assert_eq!(read_error("stacks", N3, text), problem, "{text}");
    }
}

#[test]
fn too_large_a_number_is_refused_with_the_largest_and_not_as_if_any_would_do() {
    let problem = "option max_turns takes numbers up to 4294967295, not '4294967296'";
    assert_eq!(option_error("stacks", &[("max_turns", "4294967296")]), problem);
    start("stacks", &[("max_turns", "4294967295")]);
}

#[test]
fn options_are_refused_with_their_limits() {
    for (name, value, problem) in [
        ("n", "2", "option n takes a number from 3 to 9, not '2'"),
        ("n", "10", "option n takes a number from 3 to 9, not '10'"),
        ("variant", "2d", "option variant takes 3d or top, not '2d'"),
        ("earthquake", "yes", "option earthquake takes true or false, not 'yes'"),
        ("earthquake_rate", "0", "option earthquake_rate takes a number from 1 to 100, not '0'"),
        ("earthquake_rate", "101", "option earthquake_rate takes a number from 1 to 100, not '101'"),
        ("removal", "all", "option removal takes any, own or off, not 'all'"),
        ("max_turns", "-1", "option max_turns takes 0 for off, or a number, not '-1'"),
        ("repetition", "1", "option repetition takes 0 for off, or a number from 2, not '1'"),
        (
            "max_turn",
            "4",
            "there is no option 'max_turn' (did you mean max_turns?): this game has n, variant, earthquake, \
             earthquake_rate, removal, ko, max_turns, repetition",
        ),
    ] {
        assert_eq!(option_error("stacks", &[(name, value)]), problem);
    }
    let strange = "there is no option 'height': this game has ";
    assert!(option_error("stacks", &[("height", "4")]).starts_with(strange));
    let listed: Vec<String> =
        start("stacks", N3).options().iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(
        listed.join(" "),
        "n=3 variant=3d earthquake=false earthquake_rate=100 removal=any ko=true max_turns=180 repetition=3"
    );
}

#[test]
fn the_fast_line_test_finds_what_the_slow_one_finds() {
    let mut random = Random::new(11);
    for (n, variant) in [("3", "3d"), ("3", "top"), ("4", "3d"), ("4", "top"), ("5", "3d")] {
        for game in 0..60 {
            let options = [("n", n), ("variant", variant), ("earthquake", "true")];
            let mut position = start("stacks", &options);
            while position.end().is_none() {
                // Few stacks grow high, so that lines in space come about.
                let moves = legal(&position);
                let near = random.below(moves.len().min(8));
                let m = moves[if game % 2 == 0 { near } else { random.below(moves.len()) }];
                let chance = position.draw_chance(m, ChanceSource::Sample(random.bits()));
                position.play(m, &chance).unwrap();
                let by_line = position.end().filter(|end| end.reason != EndReason::TurnLimit);
                let found = by_line.map_or(vec![], |end| match end.outcome.winner() {
                    Some(seat) => vec![["x", "o"][seat.index()]],
                    None => vec!["x", "o"],
                });
                assert_eq!(found, slow_lines(&position), "{position:?}");
            }
        }
    }
}
