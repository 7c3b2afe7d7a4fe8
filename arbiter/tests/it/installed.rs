//! A program that has been installed finds the bots that came with it.

use crate::support::{Run, sample_bot, scratch};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program in `bin` and one bot in `lib/arbiter` of a prefix.
fn install(prefix: &Path) -> PathBuf {
    let (bin, lib) = (prefix.join("bin"), prefix.join("lib").join("arbiter"));
    [&bin, &lib].into_iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
    let program = bin.join(format!("arbiter{EXE_SUFFIX}"));
    fs::copy(env!("CARGO_BIN_EXE_arbiter"), &program).unwrap();
    fs::copy(sample_bot("greedy"), lib.join(format!("{DLL_PREFIX}greedy{DLL_SUFFIX}"))).unwrap();
    program
}

fn run(program: &Path, folder: &Path, args: &[&str]) -> Run {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.output().expect("the program starts").into()
}

/// Without this the first command that somebody types after an installation fails.
#[test]
fn bots_that_came_with_the_program_play_by_their_names() {
    let prefix = scratch("installed");
    let program = install(&prefix);
    let here = prefix.join("here");
    fs::create_dir(&here).unwrap();
    let listed = run(&program, &here, &["bots"]).expect(0);
    assert!(listed.starts_with("greedy "), "{listed}");
    run(&program, &here, &["greedy", "greedy", "--game", "tic-tac-toe", "--quiet"]).expect(0);
    fs::write(here.join("cup.toml"), "bots = ['greedy', 'greedy']\ngame = 'tic-tac-toe'\n").unwrap();
    run(&program, &here, &["tournament", "--file", "cup.toml", "--quiet"]).expect(0);
    // A file of that name is what is meant where there is one.
    fs::write(here.join("greedy"), "no library").unwrap();
    let refused = run(&program, &here, &["greedy", "greedy", "--game", "tic-tac-toe"]);
    assert!(refused.code == 3 && refused.err.contains("not a shared library"), "{}", refused.err);
}
