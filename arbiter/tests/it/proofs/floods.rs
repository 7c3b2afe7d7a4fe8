//! Whatever a bot sends to the referee, the referee takes no more memory than for an honest game.

use super::tell;
use crate::support::{c_bot, command, scratch, verify};
use arbiter::record::read;
use arbiter::record::schema::GameRecord;
use std::path::Path;
use std::process::Stdio;

/// What a flood may add: pages that the allocator has not given back.
const NOISE: u64 = 6 << 10;

/// The most memory that a process has had so far, in KiB; none when it is gone.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim_end_matches("kB").trim().parse().ok()
}

/// Plays one game against an honest bot and gives the most memory that the referee has had, in KiB.
fn play(name: &str, bot: &str, option: &str, args: &[&str]) -> (u64, GameRecord) {
    let folder = scratch(&format!("flood-{}", name.replace(' ', "-")));
    let (bot, first) = (c_bot(bot), c_bot("first"));
    let mut all = vec![&*bot, &*first, "--game", "othello"];
    all.extend(["--quiet", "--output", "report.json", "-B", option]);
    all.extend(args);
    let mut referee =
        command(&folder, &all).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut most = 0;
    while referee.try_wait().unwrap().is_none() {
        most = peak(referee.id()).unwrap_or(0).max(most);
        std::thread::yield_now();
    }
    assert!(referee.wait().unwrap().success(), "{name}");
    tell(&format!("{name}: {most} KiB"));
    (most, game(&folder))
}

fn game(folder: &Path) -> GameRecord {
    let report = read(&folder.join("report.json")).unwrap();
    assert_eq!(verify(&report), [], "the report is judged again");
    report.games[0].clone()
}

#[test]
fn no_flood_takes_memory_of_the_referee() {
    let time = ["--move-time", "400ms"];
    let (honest, _) = play("nothing", "faulty", "1:nothing=1", &[]);
    let floods = [
        ("one line on both streams", "1:choose_move=flood for ever"),
        ("short lines", "1:choose_move=print for ever"),
        ("log", "1:choose_move=log for ever"),
        ("report", "1:choose_move=report for ever"),
    ];
    for (name, option) in floods {
        let (most, game) = play(name, "faulty", option, &time);
        assert!(most <= honest + NOISE, "{name}: {most} KiB, {honest} KiB for an honest game");
        assert_eq!(game.ending.reason, "timed-out", "{name}");
        let noted = game.seats[0].printed.is_some();
        assert_eq!(noted, name != "report", "{name}: what it printed is noted");
    }
}

#[test]
fn endless_errors_and_long_reports_take_no_memory_of_the_referee() {
    let (honest, _) = play("nothing much", "faulty", "1:nothing=1", &[]);
    let without_end = ["--max-errors", "0", "--no-clock", "--max-plies", "1"];
    let (most, game) = play("errors", "stumbling", "1:illegal=5000", &without_end);
    assert!(most <= honest + NOISE, "errors: {most} KiB, {honest} KiB for an honest game");
    assert_eq!((game.errors.len(), game.refused()), (1000, 5000));
    let (most, game) = play("long report", "faulty", "1:choose_move=long report", &["--no-clock"]);
    assert!(most <= honest + NOISE, "reports: {most} KiB, {honest} KiB for an honest game");
    assert!(game.plies.iter().any(|ply| ply.search.as_ref().is_some_and(|search| !search.text.is_empty())));
}
