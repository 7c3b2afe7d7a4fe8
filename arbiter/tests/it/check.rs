//! `arbiter check`: what an author learns before strangers see the bot lose.

use crate::support::{Run, arbiter, c_bot, compiled, marked_faulty, sample_bot, scratch, shell};
use serde_json::Value;
use std::path::Path;

/// More time for a move than a loaded machine takes.
const PATIENT: [&str; 2] = ["--move-time", "30s"];

fn check(bot: &str, args: &[&str]) -> Run {
    let mut all = vec!["check", bot];
    all.extend(PATIENT);
    all.extend(args);
    arbiter(Path::new(env!("CARGO_TARGET_TMPDIR")), &all)
}

/// What was told of each step, and the summary last.
fn steps(run: &Run) -> Vec<Value> {
    let lines = run.out.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

/// The steps that ended in this way, with what was found.
fn that_are<'a>(steps: &'a [Value], level: &str) -> Vec<&'a Value> {
    steps.iter().filter(|step| step["level"] == level).collect()
}

fn tripping(mistake: &str, game: &str) -> Run {
    let option = format!("mistake={mistake}");
    check(&c_bot("tripping"), &["--game", game, "-B", &option, "--json"])
}

/// A bot with this mistake fails one step of a game and no other, hears what it did and what to do, and fails again
/// by the command that it is told.
#[track_caller]
fn trips(mistake: &str, game: &str, step: &str, did: &str, advice: &str) {
    let run = tripping(mistake, game);
    let told = steps(&run);
    let failed = that_are(&told, "FAIL");
    let names: Vec<_> = failed.iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!((names.as_slice(), run.code), ([step].as_slice(), 1), "{mistake}: {}", run.out);
    let finding = failed[0]["findings"].as_array().unwrap().last().unwrap();
    for (field, words) in [("did", did), ("try", advice)] {
        let text = finding[field].as_str().unwrap();
        assert!(text.contains(words), "{mistake}: '{words}' is not in {text}");
    }
    assert_ne!(finding["asked"], "", "{mistake}: what was asked is told");
    let again = failed[0]["again"].as_str().unwrap();
    let again = shell(Path::new("."), again);
    assert_eq!(again.code, 1, "{mistake}: {}{}", again.out, again.err);
    assert!(again.out.lines().any(|line| line.starts_with("FAIL")), "{mistake}: {}", again.out);
}

#[test]
fn bots_that_play_well_get_through_everything() {
    let first = c_bot("../../../bots/first-c/first");
    let bots = [
        (first, &[] as &[&str]),
        (sample_bot("random"), &[]),
        (sample_bot("greedy"), &[]),
        (sample_bot("minimax"), &["-B", "depth=2"]),
        (sample_bot("alphabeta"), &["-B", "depth=2"]),
        (sample_bot("mcts"), &["-B", "level=3"]),
    ];
    let gets_through = |(bot, options): (String, &[&str])| {
        let args: Vec<&str> = options.iter().copied().chain(["--json"]).collect();
        let run = check(&bot, &args);
        let told = steps(&run);
        let failed = that_are(&told, "FAIL");
        assert_eq!((run.code, failed.len()), (0, 0), "{bot}: {failed:?}{}", run.err);
        for info in arbiter_rules::registry::GAMES {
            assert!(told.iter().any(|step| step["game"] == info.id), "{} was left out", info.id);
        }
        assert!(told.last().unwrap()["summary"]["ok"].as_u64().unwrap() > 80, "{}", run.out);
    };
    // Most of the time of a check is spent in waiting for clocks.
    std::thread::scope(|scope| {
        for bot in bots {
            scope.spawn(|| gets_through(bot));
        }
    });
}

#[test]
fn a_bot_that_answers_a_refusal_with_nonsense_hears_of_attempts() {
    trips("repeats a move", "tic-tac-toe", "asked-again", "taken", "board has not changed");
}

#[test]
fn a_bot_made_for_two_hears_that_there_are_more_seats() {
    trips("knows two seats", "chinese-checkers", "seats", "crashed in choose_move", "game->players");
}

#[test]
fn a_bot_made_for_one_size_of_board_hears_where_sizes_are_told() {
    trips("knows seven columns", "connect-four", "options", "played", "game->width");
}

#[test]
fn a_bot_that_dies_of_its_second_game_is_told_before_a_match_has_one() {
    trips("plays one game only", "othello", "second-game", "crashed in new_game", "anew in new_game");
}

#[test]
fn a_bot_that_relies_on_game_over_is_told_that_games_are_broken_off() {
    trips(
        "cleans up in game_over only",
        "othello",
        "broken-off",
        "crashed in new_game",
        "not only in game_over",
    );
}

#[test]
fn a_bot_that_thinks_on_after_stop_hears_of_should_stop() {
    trips("ignores STOP", "tic-tac-toe", "stop-level", "after ARBITER_STOP", "should_stop");
}

#[test]
fn a_bot_that_is_too_slow_for_short_times_is_told_how_slow() {
    trips("takes its time", "tic-tac-toe", "tiny-clock", "of 8 answers were late", "should_stop");
}

#[test]
fn a_bot_that_plans_by_the_clock_of_the_start_hears_which_clock_counts() {
    trips(
        "plans by the first clock",
        "tic-tac-toe",
        "clock-nearly-out",
        "of 8 answers were late",
        "turn->hard_ns",
    );
}

#[test]
fn a_bot_that_stumbles_over_an_elimination_hears_what_that_event_is() {
    trips(
        "takes every event for a move",
        "chinese-checkers",
        "opponent-out",
        "failed in choose_move",
        "no move here",
    );
}

#[test]
fn a_bot_that_overlooks_opening_moves_hears_that_they_are_on_the_board() {
    trips("ignores forced moves", "connect-four", "opening", "failed in choose_move", "ARBITER_EVENT_FORCED");
}

#[test]
fn a_bot_that_overlooks_earthquakes_hears_how_they_are_told() {
    trips("ignores chance", "stacks", "earthquake", "failed in choose_move", "event->pos");
}

#[test]
fn a_bot_that_knows_no_passes_is_told_of_its_own_and_of_the_others() {
    // Whole games of othello have passes of the opponent as well.
    let mistakes = [("never passes", "othello"), ("never passes", "chinese-checkers")];
    for (mistake, game) in mistakes.into_iter().chain([("never sees a pass", "chinese-checkers")]) {
        trips(mistake, game, "pass", "crashed in", "told by played");
    }
}

#[test]
fn a_bot_with_room_for_500_moves_is_told_that_games_are_longer() {
    trips("remembers 500 moves", "stacks", "long-game", "crashed in choose_move", "no limit");
}

#[test]
fn a_failure_names_the_seat_it_was_asked_for() {
    let run = tripping("cannot begin as the second", "tic-tac-toe");
    let told = steps(&run);
    let first = that_are(&told, "FAIL")[0];
    assert_eq!(first["step"], "begin");
    assert!(first["findings"][0]["asked"].as_str().unwrap().contains("new_game as seat 2 of 2"), "{first}");
}

/// Every other step would say the same once more, and take 5 s where the bot hangs.
#[test]
fn a_bot_that_cannot_be_created_hears_so_once() {
    let run = check(&marked_faulty(&[("create", "segfault")]), &["--json"]);
    let told = steps(&run);
    let [load, begin, _summary] = &told[..] else { panic!("{}", run.out) };
    assert_eq!((&load["level"], &begin["level"], run.code), (&"ok".into(), &"FAIL".into(), 1), "{}", run.out);
    assert!(begin["findings"][0]["did"].as_str().unwrap().contains("crashed in create"), "{begin}");
    run.and_says("are left out");
}

/// Another game may begin all the same.
#[test]
fn a_bot_that_cannot_begin_a_game_hears_so_once_a_game() {
    let run = check(&c_bot("faulty"), &["--json", "-B", "new_game=segfault"]);
    let told = steps(&run);
    let failed = that_are(&told, "FAIL");
    let games: Vec<_> = failed.iter().map(|step| step["game"].as_str().unwrap()).collect();
    assert_eq!(games, arbiter_rules::registry::GAMES.iter().map(|info| info.id).collect::<Vec<_>>());
    assert_eq!(told.len(), 1 + games.len() + 1, "{}", run.out);
    run.and_says("the other steps of othello would end");
}

/// Otherwise one mistake would fill twenty screens.
#[test]
fn what_many_steps_find_is_told_once() {
    let run = check(&c_bot("tripping"), &["-B", "mistake=answers nothing"]);
    let lines: Vec<&str> = run.out.lines().collect();
    let folded = lines.iter().filter(|line| line.starts_with("FAIL") && line.contains("the same as in "));
    assert!(folded.count() >= 6, "{}", run.out);
    let advice = lines.iter().filter(|line| line.contains("that is ARBITER_NO_MOVE")).count();
    assert!((1..=7).contains(&advice) && lines.len() < 120 && run.code == 1, "{}", run.out);
}

/// Otherwise an author would look for the fault in the wrong function.
#[test]
fn a_failure_names_the_call_in_which_the_bot_fell() {
    for (misdeed, asked) in [
        ("choose_move=segfault", "a move as seat 1 of 2"),
        ("choose_move=fork", "a move as seat 1 of 2"),
        ("game_over=segfault", "game_over as seat 1 of 2"),
    ] {
        let only = ["--game", "tic-tac-toe", "--only", "whole-game", "--json", "-B", misdeed];
        let told = steps(&check(&c_bot("faulty"), &only));
        let finding = &that_are(&told, "FAIL")[0]["findings"][0];
        assert!(finding["asked"].as_str().unwrap().starts_with(asked), "{misdeed}: {finding}");
    }
}

/// The commonest mistake of a first bot.
#[test]
fn an_author_whose_bot_answers_with_an_index_is_asked_whether_it_is_one() {
    let folder = scratch("index");
    let bot = &*c_bot("stumbling");
    let sample = sample_bot("random");
    let game = ["--game", "tic-tac-toe"];
    let said = "is turn.moves[3] meant?";
    let options = ["-B", "illegal=3", "-B", "bits=3"];
    arbiter(&folder, &[&["ask", bot], &game[..], &options].concat()).and_says(said);
    let checked = arbiter(&folder, &[&["check", bot], &game[..], &options].concat());
    assert!(checked.out.contains(said), "{}", checked.out);
    let options = ["-B", "1:illegal=3", "-B", "1:bits=3"];
    arbiter(&folder, &[&[bot, &sample], &game[..], &options].concat()).and_says(said);
}

/// Its author would otherwise look in the wrong place.
#[test]
#[cfg(target_arch = "x86_64")]
fn one_crash_is_told_from_another() {
    let advice = [
        "the stack is there, and probably full",
        "the stack of one of its threads is probably full",
        "an exception that nobody catches",
        "under a debugger",
    ];
    for (misdeed, expected) in [
        ("overflow", 0),
        ("overflow in a thread", 1),
        ("abort", 2),
        ("segfault", 3),
        ("segfault in a thread", 3),
    ] {
        let option = format!("choose_move={misdeed}");
        let only = ["--game", "tic-tac-toe", "--only", "first-move", "-B", &option];
        let run = check(&c_bot("faulty"), &only);
        assert!(run.out.contains("crashed in choose_move"), "{misdeed}: {}", run.out);
        let given = advice.iter().position(|advice| run.out.contains(advice));
        assert_eq!(given, Some(expected), "{misdeed}: {}", run.out);
    }
}

/// The usual reason is a log.
#[test]
fn a_bot_that_opens_a_file_for_writing_hears_of_printing() {
    let misdeed = ["--game", "tic-tac-toe", "-B", "choose_move=write own memory"];
    let only = [misdeed.as_slice(), &["--only", "first-move"]].concat();
    let run = check(&c_bot("faulty"), &only);
    assert!(run.out.contains("openat") && run.out.contains("--keep-output keeps it"), "{}", run.out);
    let asked = arbiter(&scratch("writes"), &[&["ask", &*c_bot("faulty")], &misdeed[..]].concat());
    asked.and_says("--keep-output keeps it");
}

#[test]
fn what_a_bot_prints_before_it_falls_is_shown() {
    let only = ["--game", "tic-tac-toe", "--only", "whole-game", "-B", "choose_move=complain and exit"];
    let run = check(&c_bot("faulty"), &only);
    assert!(
        run.out.contains("said   line 20") && run.out.contains("said   \\x1b[31mno openings"),
        "{}",
        run.out
    );
}

#[test]
fn a_bot_that_came_along_is_checked_by_its_name() {
    sample_bot("random");
    let run = check("random", &["--game", "tic-tac-toe", "--only", "first-move"]);
    assert!(run.code == 0 && run.out.contains("1 ok"), "{}{}", run.out, run.err);
}

#[test]
fn habits_that_lose_no_game_are_told_without_failing_the_bot() {
    let told = |mistake, game, level, step: &str, words: &str| {
        let run = tripping(mistake, game);
        let all = steps(&run);
        let found: Vec<_> = that_are(&all, level).into_iter().filter(|told| told["step"] == step).collect();
        let did = found.first().map(|step| step["findings"][0]["did"].to_string()).unwrap_or_default();
        assert!(did.contains(words) && run.code == 0, "{mistake}: {}", run.out);
    };
    told("ponders", "tic-tac-toe", "warning", "between-turns", "processor time between its");
    told("talks", "tic-tac-toe", "note", "output", "prints");
    told("declines other sizes", "connect-four", "note", "options", "does not play this game");
}

/// `return true` in place of a status resigns.
#[test]
fn a_bot_that_was_not_tried_does_not_get_through() {
    let run = tripping("resigns at once", "tic-tac-toe");
    let told = steps(&run);
    let warned = that_are(&told, "warning");
    let finding = &warned[0]["findings"][0];
    assert_eq!((&warned[0]["step"], run.code), (&"first-move".into(), 1), "{}", run.out);
    assert!(finding["did"].as_str().unwrap().contains("ARBITER_RESIGN is 1"), "{finding}");
    assert!(finding["try"].as_str().unwrap().contains("ARBITER_OK (0)"), "{finding}");
    let only = ["--game", "tic-tac-toe", "--only", "first-move"];
    let option = |option| [only.as_slice(), &["-B", option]].concat();
    let last =
        |option_of| check(&c_bot("tripping"), &option(option_of)).out.lines().last().unwrap().to_owned();
    let line = last("mistake=resigns at once");
    assert!(line.ends_with("not tried: it resigns at its first turn: ARBITER_RESIGN is 1"), "{line}");
    let line = last("mistake=declines other sizes");
    assert!(line.ends_with("not tried: it refuses the usual tic-tac-toe"), "{line}");
    let whole = tripping("declines other sizes", "tic-tac-toe");
    assert!(whole.code == 1 && whole.out.contains("\"untried\":\"it refuses"), "{}", whole.out);
    let only = ["--game", "tic-tac-toe", "--only", "odd-position", "-B", "mistake=resigns at once"];
    check(&c_bot("tripping"), &only).expect(0);
}

#[test]
fn what_a_bot_prints_cannot_colour_the_report() {
    let run =
        check(&c_bot("tripping"), &["--game", "tic-tac-toe", "--only", "output", "-B", "mistake=talks"]);
    let out = run.expect(0);
    assert!(out.contains("\\x1b[31mred") && !out.contains('\x1b'), "{out}");
}

#[test]
fn symbols_that_libc_may_have_too_are_named_with_the_option_that_hides_them() {
    let run = check(&compiled("tripping", &["-shared", "-fPIC"]), &["--only", "load"]);
    let out = run.expect(0);
    assert!(
        out.starts_with("warning") && out.contains("makes") && out.contains("-fvisibility=hidden"),
        "{out}"
    );
    assert!(out.contains("libc.so.6 (GLIBC_"), "what it needs is listed: {out}");
}

#[test]
fn a_check_that_cannot_be_done_says_why_before_it_begins() {
    let folder = scratch("check-refused");
    std::fs::write(folder.join("text.so"), "hello\n").unwrap();
    let first = &*c_bot("first");
    for (args, code, words) in [
        (["check", "./text.so", "--json", "--json"].as_slice(), 2, "--json"),
        (&["check", "./text.so"], 3, "text file"),
        (&["check", "./missing.so"], 3, "no file"),
        (&["check", "program:./bot"], 3, "it is a program, which talks through pipes"),
        (&["check", first, "--game", "othelo"], 2, "did you mean othello"),
        (&["check", first, "--only", "everything"], 2, "first-move"),
        (&["check", first, "--game", "tic-tac-toe", "--only", "pass"], 2, "no such step"),
    ] {
        let run = arbiter(&folder, args);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{args:?}: {}", run.err);
        assert!(run.err.contains(words), "{args:?}: '{words}' is missing in {}", run.err);
    }
}

#[test]
fn a_doctor_says_which_containment_bots_get_and_what_to_do_about_the_rest() {
    let folder = scratch("doctor");
    let run = arbiter(&folder, &["doctor", "--json"]);
    let lines = steps(&run);
    let topic = |name| lines.iter().find(|line| line["topic"] == name);
    let held = topic("containment").expect("the first question is answered")["level"] != "warning";
    assert_eq!(run.code, if held { 0 } else { 1 }, "{}", run.out);
    assert!(topic("cores").is_some() && topic("timing").is_some(), "{}", run.out);
    let text = arbiter(&folder, &["doctor"]);
    assert_eq!(text.out.lines().filter(|line| !line.starts_with(' ')).count(), lines.len());
}
