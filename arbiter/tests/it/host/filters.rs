//! How many filters of system calls are installed: kernels of many years can hang when filters are installed and freed
//! by the thousand.

use super::support::c_bot;
use crate::support::{Run, command, scratch};

/// How many filters the program's log tells of, in a match of so many games at a time.
fn installed(jobs: &str) -> usize {
    let (first, older) = (c_bot("first"), c_bot("witness"));
    let mut args = vec![&*first, &*older, "--game", "tic-tac-toe"];
    args.extend(["--games", "20", "--jobs", jobs, "--progress", "none", "--quiet"]);
    let folder = scratch(&format!("filters-{jobs}"));
    let output = command(&folder, &args).env("RUST_LOG", "arbiter=debug").output();
    let run = Run::from(output.expect("the program starts"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.err.contains('\x1b'), "colours where there is no terminal: {}", run.err);
    run.err.lines().filter(|line| line.contains("filter installed")).count()
}

/// A worker that works alone lets the bots of its next game start on another core, if there is one.
#[test]
fn each_core_installs_one_filter_and_no_game_installs_any() {
    for jobs in ["1", "2"] {
        let filters = installed(jobs);
        assert!([1, 2].contains(&filters), "{filters} with --jobs {jobs}");
    }
}
