//! What there is to see beside one's own game: the menu, pages, replays, games of others, the tour.

use super::hand::words;
use super::pty::{Setup, Terminal, contents, find};
use crate::support::{arbiter, bots_in, c_bot, sample_bot, scratch, send};
use rustix::process::Signal;
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn the_menu_starts_a_game_by_keyboard_alone() {
    let folder = scratch("menu-keys");
    bots_in(&folder, &["greedy"]);
    let mut terminal = Terminal::start(&folder, &["--bots", "bots"], Setup::default());
    terminal.wait_for("What shall be played?");
    terminal.wait_for("< Othello >");
    terminal.wait_for("< Greedy (");
    // Down to the name of the person, which letters are typed into.
    terminal.keys("\x1b[B\x1b[BQui");
    terminal.wait_for("< Qui >");
    terminal.keys("\r");
    terminal.wait_for("Your move (●).");
    terminal.wait_for("1 ● Qui");
    terminal.keys("qy");
    terminal.ends_restored(0);
    let text = terminal.text().replace('\n', "");
    let told = "--game othello --players 2 --seat 1=human:Qui ";
    assert!(text.contains(told) && text.contains("--seat 2="), "{text}");
}

#[test]
fn the_menu_starts_a_game_by_mouse_alone_and_explains_the_rules() {
    let folder = scratch("menu-mouse");
    bots_in(&folder, &["greedy"]);
    let terminal = Terminal::start(&folder, &["--bots", "bots"], Setup::default());
    terminal.click_text("[F1 Rules]");
    terminal.wait_for("Rules of Othello");
    terminal.keys("\x1b");
    terminal.click_text("Othello >");
    terminal.wait_for("< Connect four >");
    terminal.wait_for("a number from 1 to 20");
    terminal.click_text("Greedy (");
    terminal.wait_until_gone("Greedy (");
    terminal.click_text("[Start]");
    terminal.wait_for("Player 1 (X) to move.");
    terminal.click_text("[q Quit]");
    terminal.click_text("[y Yes]");
    terminal.wait("the result", |screen| {
        (!screen.alternate_screen() && contents(screen).contains("saved 1 of 1 games")).then_some(())
    });
}

/// Otherwise only the first lines of what a bot says of itself, or of what is wrong with a choice, could be read.
#[test]
fn the_menu_names_its_own_keys_and_cuts_no_sentence_in_a_small_window() {
    let folder = scratch("menu-whole");
    bots_in(&folder, &["alphabeta"]);
    let terminal =
        Terminal::start(&folder, &["--bots", "bots"], Setup { columns: 50, rows: 18, ..Setup::default() });
    terminal.wait_for("< Othello >");
    terminal.keys("?");
    terminal.wait_for("In this menu");
    terminal.keys("\x1b");
    terminal.wait_until_gone("In this menu");
    terminal.keys("\x1b[B\x1b[B\x1b[B");
    terminal.wait_for("Searches as deep as time allows");
    terminal.keys("\x1b[B\x1b[B");
    terminal.wait("all options that the bot says it has", |screen| {
        let words = words(screen);
        (words.contains("level=1..10") && words.contains("mobility|captures")).then_some(())
    });
    // Letters are typed where they mean something, and nowhere else.
    terminal.keys("\x1b[Fx");
    terminal.wait_for("No key does 'x' here.");
}

#[test]
fn leaving_the_menu_leaves_nothing_behind() {
    let folder = scratch("menu-quit");
    let mut terminal = Terminal::start(&folder, &["--bots", "."], Setup::default());
    terminal.wait_for("What shall be played?");
    terminal.keys("q");
    terminal.ends_restored(0);
    assert!(!folder.join("results").exists());
}

#[test]
fn typed_moves_that_are_refused_say_why_and_can_be_mended() {
    let terminal = Terminal::open("typed", &["--game", "othello"]);
    terminal.wait_for("to move.");
    terminal.keys("te3\r");
    terminal.wait_for("e3 turns no disc");
    terminal.wait_for("Move: e3");
    terminal.keys("x y\x17\x15d3\r");
    terminal.wait_for("Player 1 plays d3, turning d4.");
}

#[test]
fn enter_plays_the_cell_under_the_cursor_and_digits_lead_to_columns() {
    let folder = scratch("enter");
    let terminal = Terminal::start(&folder, &["--game", "connect-four"], Setup::default());
    terminal.wait_for("[Enter Play]");
    terminal.keys("3");
    terminal.wait_for("Cursor on column 3");
    terminal.keys("\r");
    terminal.wait_for("Player 1 plays 3.");
    terminal.keys("9");
    terminal.wait_for("Nothing on this board is numbered 9");

    let star = Terminal::start(&folder, &["--game", "chinese-checkers"], Setup::default());
    star.wait_for("to move.");
    star.keys("117\r");
    star.wait_for("117 belongs to player 2");
    star.keys("6");
    star.wait_for("[Enter Choose]");
    star.keys("\r14\r");
    star.wait_for("Player 1 plays 6-14.");
}

#[test]
fn a_chain_for_which_the_list_has_no_room_does_not_seem_to_end_elsewhere() {
    let position = "1/A1/3/4/4A1A6/5A6/6A4/8A1/3A5/3AA3D1/11/4D1D1D3/5D1D5/D3/1DD/D1/A AD D";
    let args = ["--game", "chinese-checkers", "--position", position];
    let terminal = Terminal::open("long-chain", &args);
    terminal.wait_for("to move.");
    terminal.keys("t117>43\r");
    terminal.wait_for("Player 2 plays 117-115-102-104-106-83-64-43.");
    terminal.wait_for("1. 2 117-115-102-104-…");
}

#[test]
fn the_keys_of_a_game_are_named_where_they_work_and_say_why_where_they_do_not() {
    let folder = scratch("keys-now");
    let stacks = Terminal::start(&folder, &["--game", "stacks"], Setup::default());
    stacks.wait_for("[p Place]");
    assert!(!stacks.text().contains("Remove"), "{}", stacks.text());
    stacks.keys("?");
    stacks.wait_for("  p                    place");
    assert!(!stacks.text().contains("remove"), "{}", stacks.text());
    stacks.keys("\x1b");
    stacks.wait_until_gone("Shift+Tab");
    stacks.keys("r");
    stacks.wait_for("The stack on a1 is empty: there is nothing to remove.");

    let othello = Terminal::start(&folder, &["--game", "othello"], Setup::default());
    othello.wait_for("to move.");
    othello.keys("r");
    othello.wait_for("No key does 'r' here.");
}

#[test]
fn the_one_person_at_the_board_is_told_how_it_ended_for_them() {
    let bot = sample_bot("greedy");
    let position = "......./......./......./x....../x....../x.ooo.. x";
    let args = ["human", &bot, "--game", "connect-four", "--position", position];
    let terminal = Terminal::open("you-win", &args);
    terminal.wait_for("Your move");
    terminal.keys("1\r");
    terminal.wait_for("You win: 4 in column 1.");
    // What is over cannot be resigned any more.
    terminal.keys("R");
    terminal.wait_for("The game is over.");
}

#[test]
fn no_sentence_about_what_happened_is_cut_in_a_small_window() {
    let args = ["--game", "othello"];
    let terminal =
        Terminal::start(&scratch("whole-sentences"), &args, Setup { columns: 60, rows: 20, env: &[] });
    for (typed, next) in [("d3", "Player 2"), ("c5", "Player 1"), ("d6", "Player 2"), ("e3", "Player 1")] {
        terminal.wait_for("to move.");
        terminal.keys(&format!("t{typed}\r"));
        terminal.wait_for(&format!("{next} ("));
    }
    terminal.wait("the whole sentence, in the list or below the board", |screen| {
        let words = contents(screen).replace(['│', '\n'], " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        let text = words.join(" ");
        (text.contains("Player 2 plays") && text.contains("turning") && text.contains("to move."))
            .then_some(())
    });
}

/// Whoever reads why a move was refused wants to look for another one on the whole board.
#[test]
fn what_was_refused_and_why_covers_no_row_of_the_board() {
    let setup = || Setup { columns: 60, rows: 20, env: &[] };
    for (game, refused, last_row) in [
        ("othello", "disc must trap at", " 8 "),
        ("chinese-checkers", "! The piece on 0 cannot move: every touching hole is taken", "Player 1 [▐1▌]"),
    ] {
        let terminal = Terminal::start(&scratch("whole-board"), &["--game", game], setup());
        terminal.wait_for("to move.");
        terminal.keys("\r");
        terminal.wait_for(refused);
        assert!(terminal.text().contains(last_row), "{}", terminal.text());
        if let Some((_, behind)) = terminal.text().split_once("no jump.") {
            assert!(behind.trim_start().starts_with('▐'), "the end of a name: {behind}");
            assert!(behind.contains("1: 120 to go, 2: 120 to go. Player 1 to move."), "{behind}");
        }
        assert!(terminal.text().contains("to move."), "{}", terminal.text());
    }
}

#[test]
fn every_key_that_shows_something_shows_it() {
    let folder = scratch("keys");
    let args = ["--game", "ultimate", "-O", "first=x"];
    let terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("to move.");
    for (key, shown) in [
        ("?", "Shift+Tab"),
        ("\x1bOP", "Rules of"),
        ("L", "81 legal moves"),
        ("x", "No key does 'x' here. Press ? for the keys."),
        (".", "That key is for replays and live views."),
        ("a", "That key is for when the last game is over."),
        ("m", "The mouse is off: text can be selected."),
        ("m", "The mouse is on again."),
        ("y", "It is copied now"),
        ("g", "The board is saved in ultimate-game1-ply0.txt."),
        ("R", "Resign? The game is lost then. y/N"),
    ] {
        terminal.keys(key);
        terminal.wait_for(shown);
        terminal.keys("\x1b");
        terminal.wait_until_gone(shown);
    }
    let picture = std::fs::read_to_string(folder.join("ultimate-game1-ply0.txt")).unwrap();
    assert!(picture.contains("main grid"), "{picture}");
    assert!(!terminal.text().contains("◆"), "what can be played anywhere needs no mark");
    terminal.keys("\t\t ");
    terminal.wait_for("You are sent to grid 3.");
    terminal.wait_for("◆");
    terminal.keys("h");
    terminal.wait_until_gone("◆");
    terminal.keys("h");
    terminal.wait_for("◆");
    terminal.keys("t9a1\r");
    terminal.wait_for("You are sent to grid 3: grid 9 is not allowed.");
}

/// Otherwise a line of it stays behind each time the table is drawn anew, and pushes what was told off the screen.
#[test]
fn live_standings_leave_nothing_behind_where_a_name_has_wide_letters() {
    let random = sample_bot("random");
    let mut args = vec!["tournament", &random, &random, "--game", "tic-tac-toe", "--rounds", "400"];
    args.extend(["--name", "1:🚀 Rakete", "--name", "2:围棋"]);
    let setup = Setup { rows: 50, ..Setup::default() };
    let mut terminal = Terminal::start(&scratch("wide-letters"), &args, setup);
    assert_eq!(terminal.exit_code(), 0);
    let (raw, text) = (terminal.raw(), terminal.text());
    assert!(String::from_utf8_lossy(&raw).contains("games/s"), "nothing was drawn while games were played");
    assert_eq!(text.matches("round robin, tic-tac-toe, 2 players, 400 rounds").count(), 1, "{text}");
}

#[test]
fn people_have_a_clock_only_when_they_ask_for_one() {
    let folder = scratch("human-time");
    let args = ["--seat", "1=human:Ana", "--game", "othello", "--human-time", "9s+1s"];
    let terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("Player 1 (Ana) (●) to move. Time short: 8.");
    let mut late =
        Terminal::start(&folder, &["--game", "othello", "--human-time", "200ms"], Setup::default());
    late.wait_for("[Enter Close]");
    assert!(late.text().contains("had no answer within 0.2 s"), "{}", late.text());
    // Whoever has lost on time has none left.
    assert_eq!(late.text().matches("0.0 s").count(), 1, "{}", late.text());
    late.keys("\r");
    assert_eq!(late.exit_code(), 0);
    let args = ["--game", "hex", "--human-time", "5m"];
    let narrow = Terminal::start(&folder, &args, Setup { columns: 60, rows: 20, env: &[] });
    narrow.wait_for(" 4:5");
    // Whoever asks line by line sees it run, too.
    let args = ["--game", "othello", "--human-time", "5m", "--ui", "line"];
    let lines = Terminal::start(&folder, &args, Setup::default());
    lines.wait_for("to move.");
    // It tells milliseconds.
    std::thread::sleep(Duration::from_millis(20));
    lines.keys("clock\r");
    lines.wait("a clock that runs", |screen| {
        let text = contents(screen);
        (text.contains("s 300.000s") && !text.contains("300.000s 300.000s")).then_some(())
    });
}

fn report(folder: &Path) -> String {
    let bot = sample_bot("greedy");
    let args = [&bot, &bot, "--game", "stacks", "-O", "earthquake=true", "--games", "3", "--seed", "1"];
    arbiter(folder, &[&args[..], &["--output", "r.json", "--quiet"]].concat()).expect(0);
    "r.json".to_owned()
}

#[test]
fn a_replay_goes_back_and_forth_from_game_to_game_and_to_what_is_worth_seeing() {
    let folder = scratch("replay");
    let file = report(&folder);
    let mut terminal =
        Terminal::start(&folder, &["replay", &file, "--game-number", "2", "--ply", "4"], Setup::default());
    terminal.wait_for("game 2 of 3  move 4 of");
    terminal.keys("\x1b[C");
    terminal.wait_for("move 5 of");
    terminal.keys("\x1b[D\x1b[D");
    terminal.wait_for("move 3 of");
    terminal.click((3, 3), 65);
    terminal.wait_for("move 4 of");
    terminal.keys("\t");
    terminal.wait_for("Earthquake: ");
    terminal.keys("\x1b[B");
    terminal.wait_for("game 3 of 3  move 0 of");
    terminal.keys("t2\r");
    terminal.wait_for("move 2 of");
    terminal.keys("\x1b[F");
    terminal.wait("the end", |screen| find(screen, "wins").or_else(|| find(screen, "drawn")));
    terminal.keys("H");
    terminal.wait_for("That key is for games that you play.");
    terminal.keys("\x1b[H+++ ");
    terminal.wait_for("playing");
    terminal.wait_for("move 3 of");
    terminal.keys("q");
    terminal.ends_restored(0);
}

#[test]
fn the_page_of_errors_shows_what_lost_a_game_without_an_illegal_move() {
    let folder = scratch("replay-crash");
    let (faulty, bot) = (c_bot("faulty"), sample_bot("greedy"));
    let play = ["--game", "tic-tac-toe", "--output", "r.json", "--quiet", "-B", "1:choose_move=abort"];
    arbiter(&folder, &[&[&*faulty, &bot], &play[..]].concat()).expect(0);
    let terminal = Terminal::start(&folder, &["replay", "r.json"], Setup::default());
    terminal.wait_for("move 0 of");
    terminal.keys("e");
    terminal.wait_for("Error 1 of 1 in this game");
    terminal.wait_for("Lost by: crashed");
}

#[test]
fn a_replay_of_one_game_stays_where_it_is_when_another_game_is_asked_for() {
    let folder = scratch("replay-one");
    let bot = sample_bot("greedy");
    arbiter(&folder, &[&bot, &bot, "--game", "tic-tac-toe", "--output", "r.json", "--quiet"]).expect(0);
    let terminal = Terminal::start(&folder, &["replay", "r.json", "--ply", "2"], Setup::default());
    terminal.wait_for("move 2 of");
    terminal.keys("\x1b[B\x1b[A\x1b[C");
    terminal.wait("a move further on", |screen| {
        assert!(find(screen, "move 1 of").is_none(), "the replay has gone back to the start");
        find(screen, "move 3 of")
    });
}

#[test]
fn a_replay_of_a_folder_leaves_out_matches_in_which_nothing_has_been_played() {
    let folder = scratch("replay-folder");
    let bot = sample_bot("greedy");
    let play = ["--game", "tic-tac-toe", "--results", "."];
    arbiter(&folder, &[&[&bot[..], &bot], &play[..]].concat()).expect(0);
    // The newest report is of a match that a person has not begun.
    let idle = Terminal::start(&folder, &[&["human", &bot[..]], &play[..]].concat(), Setup::default());
    idle.wait_for("Your move");
    let shown = arbiter(&folder, &["replay", ".", "--text"]);
    drop(idle);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("game 1: 1 Greedy"), "{}", shown.out);
    shown.and_says("is the newest of 2 files");
}

#[test]
fn a_replay_without_a_terminal_prints_the_boards() {
    let folder = scratch("replay-text");
    let file = report(&folder);
    let out = arbiter(&folder, &["replay", &file, "--game-number", "2", "--ply", "1"]).expect(0);
    assert!(out.starts_with("game 2: 1 ") && out.contains("after 1 move  Player 1"), "{out}");
    let all = arbiter(&folder, &["replay", &file]).expect(0);
    assert!(all.contains("game 1: ") && all.contains("game 3: "));
    assert_eq!(arbiter(&folder, &["replay", &file, "--game-number", "4"]).code, 2);
    assert_eq!(arbiter(&folder, &["replay", "missing.json"]).code, 4);
}

#[test]
fn games_between_bots_are_watched_live_frozen_and_one_after_another() {
    let bot = sample_bot("random");
    let args =
        [&bot, &bot, "--game", "othello", "--games", "2", "--jobs", "2", "--watch", "--delay", "100ms"];
    let mut terminal = Terminal::open("watch", &args);
    terminal.wait_for("2 running");
    terminal.keys(" ");
    terminal.wait_for("frozen at");
    terminal.keys(".");
    terminal.wait_until_gone("frozen");
    let first = terminal.wait("a game", |screen| {
        ["game 1 of 2", "game 2 of 2"].into_iter().find(|text| find(screen, text).is_some())
    });
    terminal.keys("\t");
    terminal.wait_until_gone(first);
    terminal.keys("q");
    terminal.ends_restored(130);
    assert!(terminal.text().contains("saved 0 of 2 games"), "{}", terminal.text());
}

#[test]
fn the_tour_shows_all_boards_and_ends_by_itself() {
    let mut terminal = Terminal::open("tour", &["demo", "--speed", "5"]);
    for info in arbiter_rules::registry::GAMES {
        terminal.wait_for(info.id);
    }
    terminal.ends_restored(0);
}

#[test]
fn a_tour_and_a_replay_that_are_ended_give_the_terminal_back() {
    let folder = scratch("shows-ended");
    let file = report(&folder);
    for (verb, shown) in [(&["demo"][..], "[q Quit]"), (&["replay", &file], "game 1 of 3")] {
        let mut terminal = Terminal::start(&folder, verb, Setup::default());
        terminal.wait_for(shown);
        send(Signal::TERM, terminal.pid());
        terminal.ends_restored(143);
    }
}

/// Somebody who has stopped the terminal, or whose connection hangs, could otherwise only kill the program.
#[test]
fn a_tour_whose_terminal_takes_nothing_any_more_ends_all_the_same() {
    let mut terminal = Terminal::start(&scratch("shows-stopped"), &["demo"], Setup::default());
    let process = format!("/proc/{}", terminal.pid());
    let written = || std::fs::read_to_string(format!("{process}/io")).unwrap();
    let is_gone = || std::fs::read_to_string(format!("{process}/stat")).unwrap().contains(") Z ");
    // While it is looked at, nothing is read.
    terminal.wait("the end", |screen| {
        contents(screen).contains("[q Quit]").then(|| {
            let mut before = String::new();
            while std::mem::replace(&mut before, written()) != written() {
                std::thread::sleep(Duration::from_secs(2));
            }
            send(Signal::TERM, terminal.pid());
            let end = Instant::now() + Duration::from_secs(60);
            while !is_gone() {
                assert!(Instant::now() < end, "the program does not end");
                std::thread::sleep(Duration::from_millis(10));
            }
        })
    });
    assert_eq!(terminal.exit_code(), 143);
}

#[test]
fn the_tour_says_in_a_sentence_what_a_hand_does() {
    let terminal = Terminal::open("tour-hand", &["demo", "chinese-checkers", "--speed=-1"]);
    terminal.keys(" ");
    terminal.wait_for("paused");
    terminal.keys("\x1b[H");
    for said in ["Choosing: ", "A refusal says why", "Your move so far", "Undo: ", "The mouse alone will do"]
    {
        while !terminal.text().contains(said) {
            let before = terminal.text();
            terminal.keys("\x1b[C");
            terminal.wait("the next picture", |screen| (contents(screen) != before).then_some(()));
        }
    }
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_says_what_happened() {
    // The test program runs itself in a terminal, and panics there with the screen taken.
    const CHILD: &str = "ARBITER_TEST_PANICS";
    if std::env::var_os(CHILD).is_some() {
        let _session = arbiter::ui::terminal::Session::enter(true).unwrap();
        panic!("a bug in a view");
    }
    let program = std::env::current_exe().unwrap();
    let test = "terminal::shows::a_panic_gives_the_terminal_back_before_it_says_what_happened";
    let child = pty_process::blocking::Command::new(program).args(["--exact", test, "--nocapture"]);
    let mut terminal = Terminal::run(
        &scratch("terminal-panic"),
        child,
        Setup { env: &[(CHILD, "1"), ("RUST_BACKTRACE", "0")], ..Setup::default() },
    );
    terminal.ends_restored(101);
    assert!(terminal.text().contains("a bug in a view"), "{}", terminal.text());
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(raw.find("\x1b[?1049l") < raw.find("a bug in a view"), "the message comes on the usual screen");
}

#[test]
fn the_values_of_the_moves_that_a_bot_has_tried_stand_beside_the_board() {
    let minimax = sample_bot("minimax");
    let args = [&minimax, "--game", "tic-tac-toe", "--position", "xo7 x"];
    let terminal = Terminal::open("values-on-screen", &args);
    terminal.wait_for("1. x");
    // Whoever plays against it has to ask.
    assert!(!terminal.text().contains("values at depth"), "{}", terminal.text());
    terminal.keys("d");
    terminal.wait_for("values at depth");
    terminal.wait("the best move first", |screen| {
        let (_, row) = find(screen, "values at depth")?;
        let rows: Vec<String> = screen.rows(0, 80).collect();
        let value = |line: &String| line.split('=').nth(1)?.split_whitespace().next()?.parse::<i32>().ok();
        let first = value(&rows[usize::from(row) + 1])?;
        (first >= value(&rows[usize::from(row) + 2]).unwrap_or(i32::MIN)).then_some(())
    });
    terminal.keys("d");
    terminal.wait_until_gone("values at depth");
    // What it thinks of the position is a bar when somebody asks for that.
    assert!(!terminal.text().contains('█'), "{}", terminal.text());
    terminal.keys("b");
    terminal.wait_for("Player 1: ");
    terminal.wait_for("█");
    terminal.keys("b");
    terminal.wait_until_gone("█");
}

#[test]
fn what_bots_print_stands_beside_the_board_and_on_a_page() {
    let folder = scratch("printed-on-screen");
    let loud = crate::support::c_bot("loud");
    let args = [&*loud, "--game", "tic-tac-toe", "--show-output"];
    let terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("Loud prints:");
    terminal.wait_for("\\x1b[2Jthe first of");
    terminal.keys("o");
    terminal.wait_for("What bots print");
    terminal.wait_for("the first of    9 moves");
    terminal.keys("\x1b");
    terminal.wait_until_gone("What bots print");
    let without = Terminal::start(&folder, &["--game", "tic-tac-toe"], Setup::default());
    without.wait_for("to move.");
    without.keys("o");
    without.wait_for("What bots print is shown with --show-output.");
}

/// Otherwise nobody could see what was played before the opponent's last move, or the beginning of a long list.
#[test]
fn one_looks_back_while_one_plays_and_comes_back_with_any_key() {
    let terminal = Terminal::open("terminal-look-back", &["--game", "connect-four"]);
    for ply in 0..14 {
        terminal.wait_for(&format!("Player {} ", ply % 2 + 1));
        terminal.keys(&format!("t{}\r", ply % 7 + 1));
        terminal.wait_for(&format!("{:>3}. {} {}", ply + 1, ["X", "O"][ply % 2], ply % 7 + 1));
    }
    assert!(!terminal.text().contains("  1. X 1"), "the list is longer than the screen\n{}", terminal.text());
    terminal.keys(&"\x1b[5~".repeat(12));
    terminal.wait_for("Move 2 of 14: any other key comes back to the game.");
    terminal.wait_for("  1. X 1");
    terminal.wait_for(" >2. O 2");
    terminal.wait_for("  3. X 3");
    terminal.keys(" ");
    terminal.wait_until_gone("comes back to the game");
    terminal.wait_for(" 14. O 7");
    terminal.click((10, 10), 64);
    terminal.wait_for("Move 13 of 14");
    terminal.click((10, 10), 65);
    terminal.wait_until_gone("comes back to the game");
    assert!(!terminal.text().contains(" 15."), "coming back plays nothing\n{}", terminal.text());
}
