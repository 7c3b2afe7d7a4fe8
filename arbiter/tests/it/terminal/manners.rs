//! A terminal that is given back whatever happens, in every size.

use super::pty::{Setup, Terminal, contents};
use crate::support::{arbiter, arbiter_reading, c_bot, json, only_file, sample_bot, scratch, send};
use arbiter::record::read_live;
use rustix::process::Signal;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

fn othello(test: &str, setup: Setup<'_>) -> Terminal {
    let folder = scratch(test);
    let terminal = Terminal::start(&folder, &[&sample_bot("greedy"), "--game", "othello"], setup);
    terminal.wait_for("Your move");
    terminal
}

#[test]
fn leaving_asks_first_forfeits_the_seat_and_saves_the_game() {
    let folder = scratch("terminal-leave");
    let mut terminal =
        Terminal::start(&folder, &[&sample_bot("greedy"), "--game", "othello"], Setup::default());
    terminal.wait_for("Your move");
    terminal.keys("q");
    terminal.wait_for("Leave? Seat 2 forfeits, but --resume can go on later. y/N");
    terminal.keys("n");
    terminal.wait_until_gone("Leave?");
    terminal.keys("q");
    terminal.wait_for("Leave? Seat 2 forfeits, but --resume can go on later. y/N");
    terminal.keys("y");
    terminal.ends_restored(0);
    let text = terminal.text();
    assert!(text.contains("player 2 left the game") && text.contains("saved 1 of 1 games"), "{text}");
    let report = fs::read_to_string(only_file(&folder.join("results"), ".json")).unwrap();
    assert!(report.contains("\"left\""), "the record says that somebody left");
}

#[test]
fn a_game_that_was_left_goes_on_where_it_was_left_when_it_is_resumed() {
    let folder = scratch("terminal-left");
    let bot = sample_bot("greedy");
    let args = ["human", &bot, "--game", "tic-tac-toe"];
    let mut terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("Your move");
    terminal.keys("tb2\r");
    terminal.wait_for("  2. o ");
    terminal.wait_for("Your move");
    terminal.keys("q");
    terminal.wait_for("Leave?");
    terminal.keys("y");
    assert_eq!(terminal.exit_code(), 0);
    // Lines go on with it too, and leave it once more.
    let resumed = [&args[..], &["--resume"]].concat();
    let told = arbiter_reading(&folder, &resumed, "quit\n").expect(0);
    assert!(told.contains("move 1 b2") && told.contains("turn 1 legal "), "{told}");
    resign_after_b2(&folder, &resumed);
    let told = arbiter_reading(&folder, &resumed, "a1\n");
    assert!(told.err.contains("this is finished"), "a game is gone on with until its end: {}", told.err);
}

#[test]
fn a_game_goes_on_after_the_program_was_killed() {
    let folder = scratch("terminal-killed");
    let bot = sample_bot("greedy");
    let args = ["human", &bot, "--game", "tic-tac-toe", "--human-time", "5m"];
    let mut terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("Your move");
    terminal.keys("tb2\r");
    terminal.wait_for("  2. o ");
    terminal.wait_for("Your move");
    send(Signal::KILL, terminal.pid());
    assert_eq!(terminal.exit_code(), -9);
    let resumed = [&args[..], &["--resume"]].concat();
    // Killed again as soon as there is a picture, whatever has been played again by then.
    let mut terminal = Terminal::start(&folder, &resumed, Setup::default());
    terminal.wait_for("tic-tac-toe");
    send(Signal::KILL, terminal.pid());
    assert_eq!(terminal.exit_code(), -9);
    resign_after_b2(&folder, &resumed);
}

/// Nobody waits for a game that does not come.
#[test]
fn a_game_that_was_over_when_the_program_was_killed_is_saved_when_it_is_resumed() {
    let folder = scratch("terminal-killed-late");
    let args = ["--game", "tic-tac-toe"];
    let mut terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("to move.");
    for (played, cell) in ["a1", "b1", "a2", "b2", "a3"].into_iter().enumerate() {
        terminal.keys(&format!("t{cell}\r"));
        terminal.wait_for(&format!("{}. {} {cell}", played + 1, ["x", "o"][played % 2]));
    }
    terminal.wait_for("[Enter Close]");
    send(Signal::KILL, terminal.pid());
    assert_eq!(terminal.exit_code(), -9);
    let mut resumed = Terminal::start(&folder, &[&args[..], &["--resume"]].concat(), Setup::default());
    assert_eq!(resumed.exit_code(), 0);
    assert!(resumed.text().contains("saved 1 of 1 games"), "{}", resumed.text());
    only_file(&folder.join("results"), ".json");
}

/// Who leaves a game of three is out, one after the other; the game was left all the same.
#[test]
fn a_game_of_three_people_goes_on_after_it_was_left() {
    let folder = scratch("terminal-left-three");
    let args = ["--game", "chinese-checkers", "--players", "3"];
    let left = arbiter_reading(&folder, &args, "9-18\n108-106\nquit\n");
    left.and_says("--resume goes on with the game that was left");
    let resumed = [&args[..], &["--resume"]].concat();
    let told = arbiter_reading(&folder, &resumed, "101-102\nquit\n").expect(0);
    assert!(told.contains("move 2 108-106\nturn 3 ") && told.contains("move 3 101-102\nturn 1 "), "{told}");
    only_file(&folder.join("results"), ".json");
}

/// Otherwise somebody who is out would be asked again, and everything after that be another game.
#[test]
fn who_is_out_of_a_game_of_three_stays_out_of_it_when_it_is_resumed() {
    for (typed, out) in [
        ("resign", "out 2 resigned: "),
        (
            "1-2",
            "error 2 illegal-move: played 1-2: The piece on 1 belongs to player 1.\nout 2 illegal-move: ",
        ),
    ] {
        let folder = scratch(&format!("terminal-left-out-{typed}"));
        let args = ["--game", "chinese-checkers", "--players", "3", "--max-errors", "1", "--count-slips"];
        arbiter_reading(&folder, &args, format!("9-18\n{typed}\nquit\n")).expect(0);
        let resumed = [&args[..], &["--resume"]].concat();
        let told = arbiter_reading(&folder, &resumed, "101-102\nresign\n").expect(0);
        assert!(told.contains(&format!("move 1 9-18\n{out}")) && !told.contains("turn 2 "), "{told}");
        assert!(told.contains("move 3 101-102\n") && told.contains("\nend winner 3 "), "{told}");
        let report = only_file(&folder.join("results"), ".json");
        arbiter(&folder, &["verify", report.to_str().unwrap()]).expect(0);
    }
}

/// Resumes a game in which b2 was played and answered, and resigns it; the record has the whole game.
fn resign_after_b2(folder: &Path, resumed: &[&str]) {
    let mut terminal = Terminal::start(folder, resumed, Setup::default());
    terminal.wait_for("  2. o ");
    terminal.wait_for("Your move");
    terminal.keys("tb2\r");
    terminal.wait_for("b2 is taken by X.");
    terminal.keys("\x1b");
    terminal.wait_until_gone("Move:");
    terminal.keys("R");
    terminal.wait_for("Resign?");
    terminal.keys("y");
    terminal.wait_for("[Enter Close]");
    terminal.keys("\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    let report = only_file(&folder.join("results"), ".json");
    let game = &json(&report)["games"][0];
    assert_eq!(game["plies"].as_array().map(Vec::len), Some(2), "{game}");
    assert_eq!((&game["plies"][0]["move"], &game["ending"]["reason"]), (&"b2".into(), &"resigned".into()));
    arbiter(folder, &["verify", &report.display().to_string()]).expect(0);
    assert_eq!(fs::read_dir(folder.join("results")).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn leaving_one_of_three_games_says_how_many_are_saved() {
    let bot = sample_bot("greedy");
    let args = ["human", &bot, "--game", "tic-tac-toe", "--games", "3", "--openings", "none"];
    let mut terminal = Terminal::open("terminal-leave-three", &args);
    terminal.wait_for("Your move");
    terminal.keys("\x03");
    terminal.wait_for("Leave? Seat 1 forfeits, but --resume can go on later. y/N");
    terminal.keys("y");
    assert_eq!(terminal.exit_code(), 130);
    assert!(terminal.text().contains("saved 1 of 3 games"), "{}", terminal.text());
}

#[test]
fn the_question_whether_to_leave_stays_when_the_bot_moves() {
    let slow = c_bot("stumbling");
    let args = [&*slow, "--game", "connect-four", "-B", "1:sleep_ms=3000", "--move-time", "5s"];
    let terminal = Terminal::open("terminal-asks-on", &args);
    terminal.wait_for("is thinking.");
    terminal.keys("q");
    terminal.wait_for("Leave? Seat 2 forfeits, but --resume can go on later. y/N");
    terminal.wait_for("  1. X");
    terminal.wait_for("Your move");
    assert!(
        terminal.text().contains("Leave? Seat 2 forfeits, but --resume can go on later. y/N"),
        "{}",
        terminal.text()
    );
    terminal.keys("n");
    terminal.wait_until_gone("Leave?");
}

/// The next game begins while somebody still looks at the last one: leaving then loses it.
#[test]
fn leaving_asks_about_the_game_that_has_begun_behind_the_one_that_is_over() {
    let folder = scratch("terminal-leave-next");
    let bot = sample_bot("greedy");
    let args = ["human", &bot, "--game", "tic-tac-toe", "--games", "2", "--openings", "none"];
    let mut terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("Your move");
    terminal.keys("Ry");
    terminal.wait_for("[Enter Next game]");
    let has_begun = || {
        let mut files = fs::read_dir(folder.join("results")).unwrap().flatten();
        files.any(|file| read_live(&file.path()).is_some_and(|game| game.number == 2))
    };
    let end = Instant::now() + Duration::from_secs(60);
    while !has_begun() {
        assert!(Instant::now() < end, "the second game does not begin");
        std::thread::sleep(Duration::from_millis(2));
    }
    // What is drawn after that has heard of it.
    terminal.keys("?");
    terminal.wait_for("Shift+Tab");
    terminal.keys("q");
    terminal.wait_for("Leave? Seat 2 forfeits, but --resume can go on later. y/N");
    terminal.keys("y");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn ctrl_c_twice_leaves_at_once() {
    let mut terminal = othello("terminal-ctrl-c", Setup::default());
    terminal.keys("\x03");
    terminal.wait_for("Leave?");
    terminal.keys("\x03");
    terminal.ends_restored(130);
    assert!(terminal.text().contains("saved 0 of 1 games"), "{}", terminal.text());
    // Line by line, nobody is asked what to play next by a program that ends.
    let mut lines = Terminal::open("terminal-ctrl-c-lines", &["--game", "othello", "--ui", "line"]);
    lines.wait_for("to move.");
    lines.keys("\x03");
    assert_eq!(lines.exit_code(), 130);
    assert!(!lines.text().contains("Type again"), "{}", lines.text());
}

#[test]
fn sigterm_and_a_hang_up_give_the_terminal_back() {
    for sent in [Signal::TERM, Signal::HUP] {
        let mut terminal = othello(&format!("terminal-signal-{}", sent.as_raw()), Setup::default());
        send(sent, terminal.pid());
        if sent == Signal::HUP {
            // So does the shell of a window that is closed.
            send(sent, terminal.pid());
        }
        terminal.ends_restored(143);
        assert!(terminal.text().contains("saved 0 of 1 games"), "{}", terminal.text());
    }
}

/// Whoever has closed the window cannot insist.
#[test]
fn a_hang_up_does_not_wait_for_a_bot_that_thinks_without_a_limit() {
    let silent = r#"program:sh -c 'while read line; do case $line in ready?) echo ready;; go*) touch asked;; esac; done'"#;
    let folder = scratch("terminal-hung-up-thinking");
    let words = [silent, "human", "--game", "tic-tac-toe", "--no-clock"];
    let mut terminal = Terminal::start(&folder, &words, Setup::default());
    terminal.wait("the program is asked", |_| folder.join("asked").exists().then_some(()));
    send(Signal::HUP, terminal.pid());
    send(Signal::HUP, terminal.pid());
    assert_eq!(terminal.exit_code(), 143);
}

/// What was said to the window that is gone must not end the program before the game is saved.
#[test]
fn a_window_that_is_closed_when_the_game_is_over_leaves_a_report() {
    let folder = scratch("terminal-closed");
    let (pty, pts) = pty_process::blocking::open().unwrap();
    pty.resize(pty_process::Size::new(24, 80)).unwrap();
    let program = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["--game", "tic-tac-toe"])
        .current_dir(&folder)
        .env("XDG_STATE_HOME", &folder)
        .env("TERM", "xterm-256color");
    let mut child = program.spawn(pts).unwrap();
    let mut screen = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
    let mut wait_for = |text: &str| {
        let mut bytes = [0; 4096];
        while !screen.screen().contents().contains(text) {
            let count = (&pty).read(&mut bytes).unwrap();
            screen.process(&bytes[..count]);
        }
    };
    wait_for("to move.");
    for (played, cell) in ["a1", "b1", "a2", "b2", "a3"].into_iter().enumerate() {
        (&pty).write_all(format!("t{cell}\r").as_bytes()).unwrap();
        wait_for(&format!("{}. {} {cell}", played + 1, ["x", "o"][played % 2]));
    }
    wait_for("[Enter Close]");
    drop(pty);
    child.wait().unwrap();
    only_file(&folder.join("results"), ".json");
}

#[test]
fn a_bot_that_refuses_to_begin_gives_the_terminal_back_and_is_told() {
    let folder = scratch("terminal-refusal");
    let minimax = sample_bot("minimax");
    let args = [&minimax, "--game", "othello", "-B", "1:depth=999"];
    let mut terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.ends_restored(2);
    assert!(terminal.text().contains("refuses to begin in seat 1"), "{}", terminal.text());
    assert_eq!(folder.read_dir().unwrap().count(), 0, "a match that never began left something behind");
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_somebody_goes_on() {
    let terminal = Terminal::in_shell("terminal-ctrl-z", "--game othello");
    terminal.wait_for("Player 1 (●) to move.");
    terminal.suspend();
    terminal.assert_restored();
    terminal.keys("fg\n");
    terminal.wait("the board", |screen| {
        (screen.alternate_screen() && contents(screen).contains("Player 1 (●) to move.")).then_some(())
    });
    terminal.keys("?");
    terminal.wait_for("Shift+Tab");
}

/// The system tells a program once, which may be before it listens, or while it reads a key.
#[test]
fn a_window_whose_new_size_nobody_heard_of_is_drawn_anew() {
    let program = pty_process::blocking::Command::new("env").arg("--block-signal=WINCH").args([
        env!("CARGO_BIN_EXE_arbiter"),
        "--game",
        "othello",
    ]);
    let terminal = Terminal::run(&scratch("terminal-unheard-size"), program, Setup::default());
    terminal.wait_for("to move.");
    terminal.resize(54, 22);
}

#[test]
fn a_window_of_any_size_shows_the_board_or_says_what_it_needs() {
    let args = ["--game", "chinese-checkers"];
    let terminal = Terminal::open("terminal-sizes", &args);
    terminal.wait_for("to move.");
    terminal.resize(54, 22);
    terminal.wait("the star without a list", |screen| {
        let text = contents(screen);
        (!text.contains("Players") && text.contains("64  63  62") && text.contains("[t Type]")).then_some(())
    });
    terminal.resize(40, 20);
    terminal.wait("a narrow star", |screen| {
        let text = contents(screen);
        (text.contains("· · · ·") && !text.contains("64  63  62")).then_some(())
    });
    terminal.resize(30, 19);
    terminal.wait_for("· · · ·");
    terminal.resize(28, 15);
    terminal.wait("the size that is needed", |screen| {
        let text = contents(screen).split_whitespace().collect::<Vec<_>>().join(" ");
        text.contains("This window is 28 by 15; this board needs 30 by 19").then_some(())
    });
    terminal.resize(120, 40);
    terminal.wait_for("Players");
}

/// Its picture would shine through. Not every terminal clears the other screen when it is entered once more.
#[test]
fn what_a_program_that_was_killed_has_left_on_the_screen_is_cleared() {
    let terminal =
        Terminal::start(&scratch("terminal-old-picture"), &["--game", "tic-tac-toe"], Setup::default());
    terminal.wait_for("to move.");
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let (_, entered) = raw.split_once("\x1b[?1049h").expect("there is a screen of its own");
    let (before, _) = entered.split_once("\x1b[?2026h").expect("there is a picture");
    assert!(before.contains("\x1b[2J"), "{before:?}");
}

#[test]
fn a_persons_name_cannot_clear_the_screen_of_the_others() {
    let args = [&*c_bot("first"), "--seat", "2=human:\u{1b}[2JAna\u{7}", "--game", "othello"];
    let terminal = Terminal::open("terminal-hostile", &args);
    terminal.wait_for("\\x1b[2JAna\\x07");
}

#[test]
fn what_is_wrong_with_a_typed_move_is_told_in_the_smallest_window_too() {
    let setup = Setup { columns: 50, rows: 16, env: &[] };
    let terminal = Terminal::start(&scratch("smallest-window"), &["--game", "ultimate"], setup);
    terminal.wait_for("to move.");
    terminal.keys("t9b2\r");
    terminal.wait_for("Player 2 (o) to move.");
    terminal.keys("t1b2\r");
    terminal.wait_for("Move: 1b2");
    terminal.wait_for("! You are sent to grid 5: grid 1 is not allowed.");
}

/// A letter of what was pasted by mistake could leave the game.
#[test]
fn what_is_pasted_is_typed_and_never_taken_for_keys() {
    let terminal = othello("terminal-paste", Setup::default());
    terminal.keys(&format!("\x1b[200~qy{}\x1b[201~", "\nqy".repeat(30_000)));
    terminal.wait_for("Move: qy");
    terminal.keys("\x15d3");
    terminal.wait_for("Move: d3");
    assert!(!terminal.text().contains("Leave?"), "{}", terminal.text());
}

#[test]
fn names_of_wide_signs_and_accents_stand_whole_at_their_homes() {
    let args = ["--seat", "1=human:名前名前", "--seat", "2=human:e\u{301}ric", "--game", "chinese-checkers"];
    let terminal = Terminal::open("terminal-wide-names", &args);
    terminal.wait_for("Player 1 (名前名前) to move.");
    terminal.wait("the names on the star", |screen| {
        let text = contents(screen);
        let stands = |name: &str| text.matches(name).count() == 2;
        (stands("1 名前名前") && stands("2 e\u{301}ric")).then_some(())
    });
    let menu = Terminal::open("terminal-wide-names-menu", &["--bots", "."]);
    menu.wait_for("< Othello >");
    menu.keys(&format!("\x1b[B\x1b[B{}\u{200d}", "名前".repeat(7)));
    menu.wait_for(&format!("< {} > ", "名前".repeat(7)));
    menu.keys("\r");
    menu.wait_for(&format!("1 ● {} ", "名前".repeat(7)));
}
