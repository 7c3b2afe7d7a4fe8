//! The whole program as a user starts it: games with fresh processes on all cores, its start and its end.

use crate::{Result, build, line, median};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const GAMES: u32 = 1_000;
const LONG_GAMES: u32 = 300;
/// Games in our own process, of bots that play the first move of the list, and the plies of each.
const OWN_GAMES: u32 = 200_000;
const OWN_PLIES: u32 = 7;

pub(crate) fn report(rounds: usize) -> Result<()> {
    let bots = [build::rust_bot("random")?, build::rust_bot("greedy")?];
    let first = build::c_bot("bots/first-c/first.c")?;
    let instant = [&first, &first];
    let mut figures: [Vec<f64>; 7] = Default::default();
    for _ in 0..rounds {
        let all = run(&bots, &["--games", &GAMES.to_string()])?;
        let one_core = run(&bots, &["--games", &GAMES.to_string(), "--jobs", "1"])?;
        let own = run(&instant, &["--games", &OWN_GAMES.to_string(), "--in-process"])?;
        let own_one = run(&instant, &["--games", &OWN_GAMES.to_string(), "--in-process", "--jobs", "1"])?;
        let (one, played) = one_game(&bots)?;
        let round = [
            f64::from(GAMES) / all.as_secs_f64(),
            f64::from(GAMES) / one_core.as_secs_f64(),
            f64::from(OWN_GAMES * OWN_PLIES) / own.as_secs_f64(),
            f64::from(OWN_GAMES * OWN_PLIES) / own_one.as_secs_f64(),
            nothing()?.as_secs_f64() * 1e3,
            one.saturating_sub(played).as_secs_f64() * 1e3,
            ply(&bots)?,
        ];
        figures.iter_mut().zip(round).for_each(|(figures, figure)| figures.push(figure));
    }
    let [all, one_core, own, own_one, nothing, around, ply] = figures.map(median);
    println!("the whole program, medians of {rounds} rounds; tic-tac-toe, two fresh processes a game");
    line("games a second on all cores", all, &format!("{GAMES} games, start and end included"));
    line("games a second, one at a time", one_core, "");
    line(
        "plies a second in our own process, on all cores",
        own,
        &format!("{OWN_GAMES} games, report included"),
    );
    line("plies a second in our own process, one worker", own_one, "");
    line("start and end with nothing to do, in ms", nothing, "arbiter --version");
    line("start and end around one game, in ms", around, "the game itself left out");
    line("a ply over a whole run of Othello, in µs", ply, &format!("{LONG_GAMES} games on all cores"));
    Ok(())
}

fn nothing() -> Result<Duration> {
    timed(Command::new(build::PROGRAM).arg("--version"))
}

fn run(bots: &[impl AsRef<Path>], more: &[&str]) -> Result<Duration> {
    let report = build::scratch().join("cost.json");
    let _ = std::fs::remove_file(&report);
    let mut arbiter = Command::new(build::PROGRAM);
    arbiter.args(bots.iter().map(AsRef::as_ref)).args(["--seed", "cost"]);
    if !more.contains(&"--game") {
        arbiter.args(["--game", "tic-tac-toe"]);
    }
    timed(arbiter.args(["--quiet", "--openings", "none", "--output"]).arg(report).args(more))
}

/// The time for a match of one game, and how much of it the game took by its own record.
fn one_game(bots: &[impl AsRef<Path>]) -> Result<(Duration, Duration)> {
    let time = run(bots, &["--games", "1"])?;
    let report = saved()?;
    let played = report["games"][0]["duration_ns"].as_u64().ok_or("a game has a duration")?;
    Ok((time, Duration::from_nanos(played)))
}

/// Microseconds for each ply of a match with fresh processes, start and end included.
fn ply(bots: &[impl AsRef<Path>]) -> Result<f64> {
    let time = run(bots, &["--games", &LONG_GAMES.to_string(), "--game", "othello"])?;
    let report = saved()?;
    let games = report["games"].as_array().ok_or("a report has games")?;
    let plies: usize = games.iter().filter_map(|game| Some(game["plies"].as_array()?.len())).sum();
    Ok(time.as_secs_f64() * 1e6 / plies as f64)
}

fn saved() -> Result<serde_json::Value> {
    Ok(serde_json::from_str(&std::fs::read_to_string(build::scratch().join("cost.json"))?)?)
}

fn timed(command: &mut Command) -> Result<Duration> {
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
    let time = started.elapsed();
    if output.status.success() {
        Ok(time)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}
