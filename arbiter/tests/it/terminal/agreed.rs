//! What people can agree on before they play, and what never happens to them by mistake.

use super::pty::{Setup, Terminal, contents, find};
use crate::support::{arbiter_reading, c_bot, sample_bot, scratch};

/// Othello, white to move, in which black has no move after `c1`.
const BLACK_PASSES: &str = "OX------X------------------------------------------------------- O";

#[test]
fn what_is_pressed_before_ones_turn_is_not_played_and_not_lost_without_a_word() {
    let slow = c_bot("stumbling");
    let args = [&*slow, "--game", "connect-four", "-B", "1:sleep_ms=3000", "--move-time", "5s"];
    let terminal = Terminal::open("too-early", &args);
    terminal.wait_for("is thinking.");
    terminal.keys(" ");
    terminal.wait_for("It is player 1's turn.");
    terminal.wait_for("What you did before your turn began was not played.");
    terminal.wait_for("Your move");
    assert!(!terminal.text().contains("  2. "), "{}", terminal.text());
    terminal.keys(" ");
    terminal.wait_for("  2. ");
}

#[test]
fn a_double_click_plays_one_move() {
    let terminal = Terminal::open("double-click", &["--game", "connect-four"]);
    terminal.wait_for("Player 1 (X) to move.");
    let place = terminal.wait("the board", |screen| find(screen, "◆"));
    terminal.click_now(place, 0);
    terminal.click_now(place, 0);
    terminal.wait_for("A double click counts once.");
    terminal.wait_for("Player 2 (O) to move.");
    terminal.click(place, 0);
    terminal.wait_for("Player 1 (X) to move.");
}

#[test]
fn a_move_that_is_to_be_confirmed_waits_for_enter_and_can_be_taken_back() {
    let terminal = Terminal::open("confirm", &["--game", "tic-tac-toe", "--confirm"]);
    terminal.wait_for("to move.");
    terminal.keys(" ");
    terminal.wait_for("Your move so far: a1");
    terminal.wait_for("Enter plays it.");
    terminal.keys("u");
    terminal.wait_until_gone("Your move so far");
    terminal.keys("l ");
    terminal.wait_for("Your move so far: b1");
    terminal.click_text("[Enter Finish]");
    terminal.wait_for("Player 1 plays b1.");
    terminal.wait_for("Player 2 (o) to move.");
}

#[test]
fn the_only_move_plays_itself_when_people_agreed_on_that() {
    let folder = scratch("auto-forced");
    let args = ["human", "human", "--game", "tic-tac-toe", "--position", "xoxxoo1x1 o", "--auto-forced"];
    let out = arbiter_reading(&folder, &args, "c3\n").expect(0);
    assert!(out.contains("move 2 c3\nmove 1 a3\nend winner 1"), "{out}");
}

#[test]
fn a_pass_waits_for_enter_when_people_agreed_on_that() {
    let folder = scratch("ask-pass");
    let args = ["--game", "othello", "--position", BLACK_PASSES, "--ask-pass"];
    let terminal = Terminal::start(&folder, &args, Setup::default());
    terminal.wait_for("to move.");
    terminal.keys("tc1\r");
    terminal.wait_for("Player 1 has no legal move and passes.");
    terminal.wait_for("Press Enter to go on.");
    assert!(!terminal.text().contains("Player 2 (○) to move."), "{}", terminal.text());
    terminal.click_text("[Enter Go on]");
    terminal.wait_for("Player 2 (○) to move.");

    let lines = Terminal::start(&folder, &[&args[..], &["--ui", "line"]].concat(), Setup::default());
    lines.wait_for("to move.");
    lines.keys("c1\n");
    lines.wait_for("Press Enter to go on.");
    lines.keys("\n");
    lines.wait("the next turn", |screen| (contents(screen).matches("to move.").count() == 2).then_some(()));
}

#[test]
fn a_pass_of_bots_that_are_watched_stays_although_the_game_goes_on() {
    let bot = sample_bot("greedy");
    // White plays, black passes, white wins: all over long before the pass has been shown for as long as one needs to
    // read it.
    let args = [&bot, &bot, "--game", "othello", "--position", BLACK_PASSES, "--watch"];
    let terminal = Terminal::open("watched-pass", &args);
    terminal.wait("a pass alone", |screen| {
        let text = contents(screen);
        (text.contains("has no legal move and passes.") && !text.contains("wins")).then_some(())
    });
    terminal.wait_for("wins");
}

#[test]
fn every_error_of_a_bot_can_be_opened() {
    let bot = c_bot("stumbling");
    let args = [&*bot, "--game", "othello", "-B", "1:illegal=2"];
    let terminal = Terminal::open("errors", &args);
    terminal.wait_for("Your move");
    terminal.wait_for("errors 2 of 3");
    terminal.wait_for("(error 2 of 3)");
    terminal.click_text("[e Errors]");
    terminal.wait_for("Error 2 of 2 in this game");
    terminal.wait_for("error 2 of 3, in move 1");
    terminal.wait_for("Tried:");
    terminal.wait_for("Refused:");
    terminal.click_text("[< Previous]");
    terminal.wait_for("Error 1 of 2 in this game");
    terminal.keys("\x1b[C");
    terminal.wait_for("Error 2 of 2 in this game");
    terminal.keys("\x1b");
    terminal.wait_until_gone("in this game");
}

#[test]
fn whoever_was_away_for_too_long_has_left_and_nobody_elses_clock_ran() {
    for (away, said) in [("1ms", "left the game"), ("1h", "The clock stood still for")] {
        let args = format!("--game othello --human-time 5m --human-away {away}");
        let terminal = Terminal::in_shell("away", &args);
        terminal.wait_for("Player 1 (●) to move.");
        terminal.suspend();
        // It is told in whole seconds, of which this is one, or more on a machine that takes longer.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        terminal.keys("fg\n");
        terminal.wait("the board", |screen| {
            (screen.alternate_screen() && contents(screen).contains(said)).then_some(())
        });
    }
}
