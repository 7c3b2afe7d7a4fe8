//! A person and a bot: advice, going over the game, one more.

use super::pty::{Setup, Terminal, contents};
use crate::support::{arbiter, arbiter_reading, bots_in, only_file, sample_bot, scratch};

/// In this position the person, X, wins with c1, and loses with a3.
const CLEAR: &str = "xx1oo4 x";

#[test]
fn a_hint_and_a_review_are_there_for_the_asking() {
    let (folder, random) = (scratch("advice"), sample_bot("random"));
    let alphabeta = sample_bot("alphabeta");
    let args =
        ["--seat", "1=human", &random, "--game", "tic-tac-toe", "--position", CLEAR, "--review", &alphabeta];
    let terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("Your move");
    terminal.keys("v");
    terminal.wait_for("The game can be gone over when it has ended");
    terminal.keys("H");
    terminal.wait_for("Hint: Alphabeta would play c1 (score +");
    terminal.keys("ta3\r");
    // The bot wins with c2, or plays something else.
    terminal.wait("the bot's move", |screen| {
        let text = contents(screen);
        let answered = text.contains(" 2. o") && text.contains("Your move");
        (text.contains("[v Review]") || answered).then_some(())
    });
    if !terminal.text().contains("[v Review]") {
        terminal.keys("Ry");
    }
    terminal.wait_for("[v Review]");
    terminal.keys("v");
    terminal.wait_for("move 1, a3: gave the game away; c1 was better");
}

#[test]
fn lines_have_hints_and_reviews_too_and_so_has_a_replay() {
    let (folder, greedy) = (scratch("advice-lines"), sample_bot("greedy"));
    let args =
        ["--seat", "1=human", &greedy, "--game", "tic-tac-toe", "--position", CLEAR, "--review", "alphabeta"];
    let out = arbiter_reading(&folder, &args, "hint\na3\nresign\n").expect(0);
    assert!(out.contains("\nhint Hint: Alphabeta would play c1 (score +"), "{out}");
    let cost = "  move 1, a3: gave the game away; c1 was better";
    assert!(out.contains(&format!("\nreview {cost}\n")), "{out}");
    assert_eq!(out.matches("\nreview   move ").count(), 1, "the bot's moves are not the person's: {out}");
    let report = only_file(&folder.join("results"), ".json");
    let told = arbiter(&folder, &["replay", report.to_str().unwrap(), "--review", "alphabeta"]).expect(0);
    assert!(told.starts_with("What cost most, as Alphabeta sees it"), "{told}");
    assert!(told.lines().any(|line| line == cost), "{told}");
    let wrong = arbiter(&folder, &["replay", report.to_str().unwrap(), "--review", "./nobody.so"]);
    wrong.and_says("there is no review: ./nobody.so cannot be loaded");
    assert_eq!(wrong.code, 2);
    let whole = ["human", &greedy, "--game", "tic-tac-toe", "--results", "whole"];
    let out = arbiter_reading(&folder, &whole, "a1\nthoughts\nresign\n").expect(0);
    assert!(out.contains("\nthoughts depth 1 "), "{out}");
}

/// Otherwise a report would say that somebody who had tried three ways to win had won.
#[test]
fn moves_are_taken_back_where_that_was_agreed_on_and_everybody_can_see_it() {
    let (folder, greedy) = (scratch("take-back"), sample_bot("greedy"));
    let args = ["--seat", "1=human:Ana", &greedy, "--game", "tic-tac-toe", "--casual"];
    let mut terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("Your move");
    assert!(!terminal.text().contains("Take back"), "nothing has been played");
    terminal.keys("tb2\r");
    terminal.wait_for("  2. o");
    terminal.wait_for("[u Take back]");
    terminal.keys("u");
    terminal.wait_for("Player 1 (Ana) takes back the last move.");
    terminal.wait_until_gone("1. x b2");
    terminal.keys("ta1\r");
    terminal.wait_for("  1. x a1");
    terminal.wait_for("  2. o");
    terminal.wait_for("[u Take back]");
    terminal.keys("Ry");
    terminal.wait_for("[Enter Close]");
    terminal.keys("\r");
    assert_eq!(terminal.exit_code(), 0);
    let report = only_file(&folder.join("results"), ".json");
    let report = report.to_str().unwrap();
    arbiter(&folder, &["verify", report]).expect(0);
    assert!(arbiter(&folder, &["report", report]).expect(0).contains("Ana took moves back, 1 time."));
    let text = std::fs::read_to_string(report).unwrap();
    // A report that hides what was agreed on is refused.
    std::fs::write(report, text.replace("\"casual\": true,", "")).unwrap();
    let forged = arbiter(&folder, &["verify", report]);
    assert!(forged.code == 1 && forged.out.contains("taken_back"), "{}{}", forged.out, forged.err);
}

#[test]
fn lines_take_moves_back_too_with_the_clocks_and_the_bots_memory_of_the_game() {
    let (folder, minimax) = (scratch("take-back-lines"), sample_bot("minimax"));
    let args = [
        "--seat", "1=human", &minimax, "--game", "connect-four", "--casual", "--clock", "60s+1s",
        "--human-time", "60s+1s",
    ];
    let out = arbiter_reading(&folder, &args, "back\n4\n4\nback\nback\n1\nclock\nresign\n").expect(0);
    // Nothing can be taken back at first, and then twice.
    assert!(out.contains("refused back "), "{out}");
    assert_eq!(out.matches("taken-back 1 2").count(), 2, "{out}");
    let after = out.rsplit("taken-back 1 2").next().unwrap();
    assert!(after.contains("move 1 1"), "{after}");
    let report = only_file(&folder.join("results"), ".json");
    arbiter(&folder, &["verify", report.to_str().unwrap()]).expect(0);
    let plain = ["--seat", "1=human", &minimax, "--game", "connect-four"];
    let out = arbiter_reading(&folder, &plain, "4\nback\nresign\n").expect(0);
    assert!(!out.contains("taken-back") && out.contains("in a casual game only (--casual)"), "{out}");
}

/// Otherwise the game would begin anew with the seat that has left, and go on with moves of other seats.
#[test]
fn nothing_is_taken_back_once_somebody_has_left_a_game_that_goes_on() {
    let folder = scratch("take-back-of-three");
    let args = ["human", "human", "human", "--game", "chinese-checkers", "--casual"];
    let out = arbiter_reading(&folder, &args, "3-14\nresign\n65-56\n0-3\nback\n56-47\nresign\n").expect(0);
    assert!(out.contains("refused back nothing-to-take-back"), "{out}");
    assert!(out.contains("\nmove 3 56-47\n") && out.contains("\nend winner 3 "), "{out}");
    let report = only_file(&folder.join("results"), ".json");
    arbiter(&folder, &["verify", report.to_str().unwrap()]).expect(0);
}

/// Otherwise a class would have to find out the command line anew for every game, or lose what it had agreed on.
#[test]
fn the_menu_keeps_what_the_command_line_said_sets_levels_and_begins_with_the_last_game() {
    let folder = scratch("menu-keeps");
    bots_in(&folder, &["mcts"]);
    let args = ["--bots", "bots", "--confirm", "--results", "games", "--move-time", "200ms"];
    let mut terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("< the time that was given >");
    terminal.click_text("Othello >");
    terminal.click_text("Connect four >");
    terminal.wait_for("< Tic-tac-toe >");
    terminal.click_text("at full strength >");
    terminal.wait_for("< as a beginner >");
    terminal.click_text("no >");
    terminal.wait_for("< yes >");
    terminal.click_text("[Start]");
    terminal.wait_for("Your move");
    terminal.keys("\x1b[A \x1b[B");
    // A move that is touched waits, as the command line wanted.
    terminal.wait_for("[Enter Finish]");
    terminal.keys("qy");
    assert_eq!(terminal.exit_code(), 0);
    let report = std::fs::read_to_string(only_file(&folder.join("games"), ".json")).unwrap();
    assert!(report.contains("\"level\": \"1\"") && report.contains("\"move_ns\": 200000000"), "{report}");
    assert!(report.contains("\"casual\": true"), "{report}");
    // The game that was left goes on, and is not begun once more, also where the command line says so too.
    let small = Setup { columns: 40, rows: 15, ..Setup::default() };
    let mut goes_on = Terminal::start(&folder, &[&args[..], &["--resume"]].concat(), small);
    goes_on.wait_for("The last game   < go on with it >");
    goes_on.wait_for("more below");
    goes_on.wait_for("[q Quit]");
    goes_on.resize(80, 24);
    goes_on.keys("\r");
    goes_on.wait_for("Your move");
    // What would go on is the newest, which is played here, not an older one.
    let older = folder.join("games/0.json.journal");
    std::fs::copy(only_file(&folder.join("games"), ".journal"), &older).unwrap();
    let beside = Terminal::start(&folder, &args, Setup::default());
    beside.wait_for("< Tic-tac-toe >");
    assert!(!beside.text().contains("The last game"), "{}", beside.text());
    std::fs::remove_file(older).unwrap();
    goes_on.keys("qy");
    assert_eq!(goes_on.exit_code(), 0);
    only_file(&folder.join("games"), ".json");
    let again = Terminal::start(&folder, &["--bots", "bots"], Setup::default());
    again.wait_for("< Tic-tac-toe >");
    assert!(!again.text().contains("The last game"), "there is none in this folder of results");
    again.wait_for("< as a beginner >");
    again.wait_for("< 1s a move >");
    again.wait_for("< yes >");
    // A folder that cannot be written to does no harm.
    let env = [("XDG_STATE_HOME", "/dev/null")];
    let elsewhere = Terminal::start(&folder, &["--bots", "bots"], Setup { env: &env, ..Setup::default() });
    elsewhere.wait_for("< Othello >");
    elsewhere.keys("\r");
    elsewhere.wait_for("Your move");
}

#[test]
fn after_a_game_one_looks_at_it_plays_again_swaps_seats_or_goes_to_the_menu() {
    let (folder, greedy) = (scratch("after"), sample_bot("greedy"));
    let args =
        ["--seat", "1=human:Ana", &greedy, "--game", "tic-tac-toe", "--position", CLEAR, "--seed", "s"];
    let mut terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("Your move");
    terminal.keys("tc1\r");
    terminal.wait_for("[a Again] [w Swap] [n New]");
    assert!(
        terminal.text().contains("1. X c1") || terminal.text().contains("1. x c1"),
        "{}",
        terminal.text()
    );
    terminal.keys("\x1b[D");
    terminal.wait_for("Move 0 of 1.");
    terminal.keys("a");
    terminal.wait_for("Your move");
    terminal.keys("tc1\r");
    terminal.wait_for("[w Swap]");
    terminal.keys("w");
    // The bot has the first seat now, and wins.
    terminal.wait_for("1 x Greedy");
    terminal.wait_for("[n New]");
    terminal.keys("n");
    terminal.wait_for("What shall be played?");
    terminal.keys("\x1b");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(std::fs::read_dir(folder.join("results")).unwrap().count(), 3);
    let lines = Terminal::start(&folder, &[&args[..], &["--ui", "line"]].concat(), Setup::default());
    lines.wait_for("Your move");
    lines.keys("c1\r");
    lines.wait_for("Type again, swap, another, review, moves, or quit.");
    lines.keys("moves\r");
    lines.wait_for("1. c1");
    lines.keys("swap\r");
    lines.wait_for("Game 1, Tic-tac-toe: Player 1 (Greedy) plays x, Player 2 (Ana) plays o.");
    let mut lines = Terminal::start(&folder, &[&args[..], &["--ui", "line"]].concat(), Setup::default());
    lines.wait_for("Your move");
    lines.keys("c1\r");
    lines.wait_for("or quit.");
    lines.keys("another\r");
    lines.wait_for("What shall be played?");
    // Nobody else takes keys from the menu.
    for _ in 0..3 {
        lines.keys("?");
        lines.wait_for("In this menu");
        lines.keys("\x1b");
        lines.wait_until_gone("In this menu");
    }
    lines.keys("q");
    assert_eq!(lines.exit_code(), 0);
}

/// A mistake that shows only when a bot begins would otherwise throw its player out of the menu each time.
#[test]
fn what_is_wrong_with_a_bot_is_said_in_the_menu() {
    let folder = scratch("menu-refused");
    bots_in(&folder, &["minimax"]);
    let mut terminal = Terminal::start(&folder, &["--bots", "bots"], Setup::default());
    terminal.wait_for("< no options >");
    terminal.keys("\x1b[B\x1b[B\x1b[B\x1b[B");
    terminal.wait_for(">   with");
    terminal.keys("foo=bar");
    terminal.wait_for("< foo=bar");
    terminal.keys("\r");
    terminal.wait_for("there is no option foo");
    // The menu is there, and what was typed.
    terminal.wait_for("< foo=bar >");
    terminal.keys("\x1b");
    assert_eq!(terminal.exit_code(), 2, "who gives up has not played");
}

#[test]
fn messages_say_which_game_place_sign_and_position_is_meant() {
    let (folder, greedy) = (scratch("said"), sample_bot("greedy"));
    let refused = |args: &[&str]| {
        let run = arbiter(&folder, args);
        assert_eq!(run.code, 2, "{}{}", run.out, run.err);
        run.err
    };
    assert!(refused(&["play", "othello"]).contains("'othello' is a game: it is named after --game"));
    assert!(refused(&["plya"]).contains("there is no command, no bot and no file 'plya'"));
    let args = ["--seat", "1=human:Ana", "greedy", "--game", "othello", "-B", "1:depth=3"];
    let whose = refused(&args);
    assert!(
        whose.contains("of 2 places, 1 is human:Ana, 2 is greedy")
            && whose.contains("-B 2:key=value for greedy"),
        "{whose}"
    );
    assert!(refused(&["--game", "tic-tac-toe", "--seat", "z=human"]).contains("the signs are x, o"));
    // Five games with a person begin as the person expects.
    let person = ["--seat", "x=human", &greedy, "--game", "othello", "--games", "5"];
    let first = arbiter_reading(&folder, &person, "resign\nresign\nresign\nresign\nresign\n").expect(0);
    assert!(!first.contains("opening "), "{first}");
    // Whoever is to move in a position is seated by the sign, and whoever leaves is told how to go on.
    let position = "6xoxOOOX2xo1ox1oXx2xo4oox4ox o";
    let args =
        ["--seat", "o=human", &greedy, "--game", "ultimate", "--position", position, "--output", "left.json"];
    let run = arbiter_reading(&folder, &args, "quit\n");
    assert!(run.out.contains("players 2 you 2\n") && run.out.contains("turn 2 "), "{}", run.out);
    run.and_says("--resume goes on with the game that was left");
    // Tables are set for people to read, not as a page's source.
    let shown = arbiter(&folder, &["rules", "chinese-checkers"]).expect(0);
    assert!(shown.contains("    2         top, bottom\n") && !shown.contains("| --"), "{shown}");
}
