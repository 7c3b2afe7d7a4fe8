//! How many filters of system calls are installed: kernels of many years can hang when filters are installed and freed
//! by the thousand.

use super::support::c_bot;
use crate::support::{Run, command, scratch};

/// The numbers that the program gives to filters in its log, in a match of so many games at a time.
fn installed(jobs: &str) -> Vec<u32> {
    let (first, older) = (c_bot("first"), c_bot("witness"));
    let mut args = vec![first.to_str().unwrap(), older.to_str().unwrap(), "--game", "tic-tac-toe"];
    args.extend(["--games", "20", "--jobs", jobs, "--progress", "none", "--quiet"]);
    let folder = scratch(&format!("filters-{jobs}"));
    let output = command(&folder, &args).env("RUST_LOG", "arbiter=debug").env("NO_COLOR", "1").output();
    let run = Run::from(output.expect("the program starts"));
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = run.err.lines().filter(|line| line.contains("filter installed"));
    let number = |line: &str| {
        let (_, after) = line.split_once("installed=").expect("every filter has a number");
        after.split_whitespace().next().and_then(|word| word.parse().ok()).expect("it is one")
    };
    lines.map(number).collect()
}

/// A worker that works alone lets the bots of its next game start on another core, if there is one.
#[test]
fn each_core_installs_one_filter_and_no_game_installs_any() {
    for jobs in ["1", "2"] {
        let mut filters = installed(jobs);
        filters.sort_unstable();
        assert!([&[1][..], &[1, 2]].contains(&&*filters), "{filters:?} with --jobs {jobs}");
    }
}
