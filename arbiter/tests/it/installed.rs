//! A program that has been installed finds the bots that came with it.

use crate::support::{Run, sample_bot, scratch, script};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program in `bin` and one bot in `lib/arbiter` of a prefix.
fn install(prefix: &Path) -> PathBuf {
    let (bin, lib) = (prefix.join("bin"), prefix.join("lib").join("arbiter"));
    [&bin, &lib].into_iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
    let program = bin.join(format!("arbiter{EXE_SUFFIX}"));
    // A link and no copy: a program that somebody has open to write cannot be run.
    fs::hard_link(env!("CARGO_BIN_EXE_arbiter"), &program).unwrap();
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
    run(&program, &here, &["greedy", "greedy", "--game", "tic-tac-toe"]).says(3, "not a shared library");
}

/// A program that was built again without the smaller one for bots must not speak with the old one, and one that was copied
/// somewhere by itself must play all the same.
#[test]
fn the_small_program_for_bots_is_used_where_it_is_of_the_same_build() {
    let prefix = scratch("installed-small");
    let (program, marker) = (install(&prefix), prefix.join("was-run"));
    let small = prefix.join("lib").join("arbiter").join("arbiter-host");
    let same = format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_arbiter-host"));
    let other = format!("exec '{}' \"$1\" \"$2\" \"$3\" other", env!("CARGO_BIN_EXE_arbiter-host"));
    for (does, is_used) in [(same, true), (other, false), ("exit 1".to_owned(), false)] {
        script(&small, &format!("#!/bin/sh\n: > '{}'\n{does}\n", marker.display()));
        let mut command = Command::new(&program);
        command.args(["greedy", "greedy", "--game", "tic-tac-toe", "--quiet"]);
        command.current_dir(&prefix).stdin(Stdio::null()).env("RUST_LOG", "arbiter=debug");
        let run: Run = command.output().expect("the program starts").into();
        assert_eq!(run.code, 0, "{does}: {}", run.err);
        assert_eq!(!run.err.contains("is not of this build"), is_used, "{does}: {}", run.err);
        fs::remove_file(&marker).unwrap();
    }
}
