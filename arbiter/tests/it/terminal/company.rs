//! A person and a bot: advice, going over the game, one more.

use super::pty::{Setup, Terminal, contents};
use crate::program::{arbiter, arbiter_reading, only_file, sample_bot, scratch};

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
        (text.contains("[v Review]") || text.contains(" 2. o")).then_some(())
    });
    if !terminal.text().contains("[v Review]") {
        terminal.keys("Ry");
    }
    terminal.wait_for("[v Review]");
    terminal.keys("v");
    terminal.wait_for("move 1, a3: decided the game; c1 was better");
}

#[test]
fn lines_have_hints_and_reviews_too_and_so_has_a_replay() {
    let (folder, greedy) = (scratch("advice-lines"), sample_bot("greedy"));
    let args =
        ["--seat", "1=human", &greedy, "--game", "tic-tac-toe", "--position", CLEAR, "--review", "alphabeta"];
    let out = arbiter_reading(&folder, &args, "hint\na3\nresign\n").expect(0);
    assert!(out.contains("\nhint Hint: Alphabeta would play c1 (score +"), "{out}");
    let cost = "  move 1, a3: decided the game; c1 was better";
    assert!(out.contains(&format!("\nreview {cost}\n")), "{out}");
    let report = only_file(&folder.join("results"), ".json");
    let told = arbiter(&folder, &["replay", report.to_str().unwrap(), "--review", "alphabeta"]).expect(0);
    assert!(told.starts_with("What cost most, as Alphabeta sees it"), "{told}");
    assert!(told.lines().any(|line| line == cost), "{told}");
    let wrong = arbiter(&folder, &["replay", report.to_str().unwrap(), "--review", "./nobody.so"]);
    assert!(wrong.err.contains("there is no review: ./nobody.so cannot be loaded"), "{}", wrong.err);
    assert_eq!(wrong.code, 2);
}
