//! Whatever becomes of the referee, no bot is left behind.

use super::support::{Watch, begin, brief, command, sandboxed, start};
use arbiter::host::{Isolation, Sandbox, Sandboxed};
use arbiter::player::Player;
use arbiter_rules::Seat;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

/// Set in a process that is to keep a bot until it is killed: to one of the words below.
const KEEP_A_BOT: &str = "ARBITER_TEST_KEEP_A_BOT";
/// A bot whose process has just been started.
const STARTING: &str = "starting";
/// A bot that has begun a game.
const SEATED: &str = "seated";
/// A bot that has begun a game in a plain process.
const PLAIN: &str = "plain";

fn seated(sandbox: Sandbox) -> Sandboxed {
    let mut command = command("first", &[]);
    command.limits.sandbox = sandbox;
    if sandbox == Sandbox::Plain {
        command.limits.isolation = Isolation::default();
    }
    let mut player = Sandboxed::start(&command);
    begin(&mut player, "othello");
    player
}

#[test]
fn a_player_that_is_dropped_leaves_no_process() {
    let player = seated(Sandbox::Strict);
    let watch = Watch::on(&player);
    drop(player);
    watch.wait_until_gone();
}

#[test]
fn a_bot_that_still_loads_is_ended_with_its_player() {
    let player = sandboxed("first", &[]);
    let watch = Watch::on(&player);
    drop(player);
    watch.wait_until_gone();
}

/// The other side of the test below: does nothing unless it is asked to.
#[test]
#[expect(clippy::print_stdout, reason = "the other process reads it")]
fn keeping_a_bot_until_killed() {
    let player = match std::env::var(KEEP_A_BOT).as_deref() {
        Ok(STARTING) => sandboxed("first", &[]),
        Ok(SEATED) => seated(Sandbox::Strict),
        Ok(PLAIN) => seated(Sandbox::Plain),
        _ => return,
    };
    println!("\nbot {}", player.pid().unwrap());
    // Nothing is ever written there: this ends with the process.
    let _ = std::io::stdin().read(&mut [0]);
}

/// A process of this very program that keeps a bot, and the bot's number.
fn keeper_of_a_bot(stage: &str) -> (Child, i32) {
    let mut keeper = Command::new(std::env::current_exe().unwrap());
    keeper.args(["--exact", "host::orphans::keeping_a_bot_until_killed", "--nocapture"]);
    let keeper = keeper.env(KEEP_A_BOT, stage).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut keeper = keeper.unwrap();
    let lines = BufReader::new(keeper.stdout.take().unwrap()).lines();
    let bot = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("bot ")?.parse().ok());
    (keeper, bot.expect("the process tells the number of its bot"))
}

/// Kills a referee that keeps a bot, and waits until the bot is gone.
fn kill_referee(stage: &str) {
    let (mut keeper, bot) = keeper_of_a_bot(stage);
    let watch = Watch::on_process(bot);
    keeper.kill().unwrap();
    keeper.wait().unwrap();
    watch.wait_until_gone();
}

#[test]
fn a_killed_referee_leaves_no_bot_behind() {
    [SEATED, STARTING, STARTING, STARTING, STARTING].into_iter().for_each(kill_referee);
}

/// Nothing but the end of its input tells a plain bot's process of it.
#[test]
fn a_killed_referee_leaves_no_plain_bot_behind() {
    kill_referee(PLAIN);
}

#[test]
fn the_hidden_verb_is_not_for_people() {
    let mut arbiter = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    let output = arbiter.args([arbiter::host::VERB, "./bot.so", "1"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = "this verb is for arbiter itself: it runs bots in processes of their own\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), text);
}

/// Whatever else the user has open would otherwise be ended on a machine without memory, or the referee itself.
#[test]
fn of_all_processes_the_kernel_ends_bots_first_when_memory_runs_out() {
    let score = |process: &str| std::fs::read_to_string(format!("/proc/{process}/oom_score_adj")).unwrap();
    let ours = score("self");
    let mut player = sandboxed("first", &[]);
    begin(&mut player, "othello");
    assert_eq!(score(&player.pid().unwrap().to_string()).trim(), "1000");
    assert_eq!(score("self"), ours, "the referee is none of them");
}

/// What is left open is within every bot's reach: with an end of the referee's sockets it could give orders.
#[test]
fn a_bot_holds_its_library_and_nothing_else_of_ours() {
    for _ in 0..2 {
        let mut player = sandboxed("witness", &[("do", "tell holdings")]);
        let refused = player.new_game(&brief(&start("othello"), Seat::FIRST));
        assert!(refused.is_err(), "it says what it holds");
        let output = player.into_output();
        assert!(output.contains("0 sockets, 0 pipes, 1 files, 0 others"), "{output}");
    }
}
