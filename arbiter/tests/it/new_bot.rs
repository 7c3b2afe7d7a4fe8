//! `arbiter new-bot`: from an empty folder to a bot that plays, with nothing but a compiler.

use crate::support::{Run, arbiter, is_there, scratch, shell};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs lines of shell, in which cargo finds no registry and no cache.
fn offline(folder: &Path, script: &str) -> Run {
    let home = folder.join("empty-cargo-home");
    let inherited = "CARGO_TARGET_DIR RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET_DIR";
    let environment =
        format!("unset {inherited}\nexport CARGO_NET_OFFLINE=true CARGO_HOME='{}'", home.display());
    shell(folder, &format!("{environment}\ncargo() {{ '{}' \"$@\"; }}\n{script}", env!("CARGO")))
}

/// Begins a bot, then types what that printed: one command builds it, one lets it play; then everything else that its
/// README says.
fn built_and_played_in_two_commands(language: &str, library: &str) {
    let folder = scratch(&format!("new-{language}"));
    let printed = arbiter(&folder, &["new-bot", "my-bot", "--lang", language]).expect(0);
    let commands: Vec<&str> = printed.lines().collect();
    assert!(commands.len() == 3 && commands[0] == "cd my-bot", "{printed}");
    let played = offline(&folder, &printed).expect(0);
    assert!(played.contains("winner") && played.contains("my-bot"), "{played}");
    let project = folder.join("my-bot");
    assert!(project.join(library).exists(), "{library} is not where the README says");
    let look = arbiter(&project, &["check", &format!("./{library}"), "--only", "load"]).expect(0);
    assert!(!look.starts_with("warning"), "{look}");
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    assert!(!readme.contains("{name}") && !readme.contains("{lib}"), "{readme}");
    let later = readme.split("\n```").filter_map(|block| block.strip_prefix("sh\n")).nth(1).unwrap();
    // A person would play on; here nobody sits at the keyboard.
    let later: String =
        later.lines().filter(|line| !line.contains(" human ")).map(|line| format!("{line}\n")).collect();
    let run = offline(&project, &later);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("c1"), "the bot wins where it can: {}", run.out);
    // The project is the user's: it is not touched again.
    let again = arbiter(&folder, &["new-bot", "my-bot", "--lang", language]);
    assert_eq!((again.code, again.out.as_str()), (4, ""));
    again.and_says("there is something called my-bot here already");
}

#[test]
fn a_rust_bot_is_built_and_plays_in_two_commands_without_a_network() {
    built_and_played_in_two_commands("rust", "target/release/libmy_bot.so");
}

#[test]
fn a_c_bot_is_built_and_plays_in_two_commands() {
    if is_there("cc") {
        built_and_played_in_two_commands("c", "my-bot.so");
    }
}

#[test]
fn a_cpp_bot_is_built_and_plays_in_two_commands() {
    if is_there("c++") {
        built_and_played_in_two_commands("cpp", "my-bot.so");
    }
}

#[test]
fn a_rust_bot_for_webassembly_is_built_and_plays_in_two_commands_without_a_network() {
    crate::support::sample_bot("random");
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", "wasm32-unknown-unknown"]);
    let libraries = rustc.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if libraries.is_ok_and(|folder| Path::new(folder.trim()).is_dir()) {
        built_and_played_in_two_commands("wasm", "target/wasm32-unknown-unknown/release/my_bot.wasm");
    } else {
        crate::support::say_aloud("skipped: no standard library for wasm32-unknown-unknown");
    }
}

#[test]
fn a_c_bot_for_webassembly_is_built_and_plays_in_two_commands() {
    crate::support::sample_bot("random");
    if is_there("clang") && is_there("wasm-ld") {
        built_and_played_in_two_commands("wasm-c", "my-bot.wasm");
    }
}

#[test]
fn a_go_bot_is_built_and_plays_in_two_commands() {
    if is_there("go") && is_there("cc") {
        built_and_played_in_two_commands("go", "my-bot.so");
    }
}

#[test]
fn a_python_bot_plays_in_two_commands() {
    // The bridge lies beside the program.
    crate::support::sample_bot("random");
    let run = arbiter(&scratch("new-python-there"), &["doctor"]);
    if run.out.contains("bots in Python run in") {
        built_and_played_in_two_commands("python", "my-bot.py");
    } else {
        crate::support::say_aloud("skipped: no Python that can play");
    }
}

#[test]
fn names_that_no_compiler_takes_are_refused() {
    let folder = scratch("new-names");
    for name in
        ["Bot", "1bot", "a b", "a/b", "../a", "bot-", "a--b", "fn", "core", "arbiter-plugin-api", "é", ""]
    {
        let run = arbiter(&folder, &["new-bot", name, "--lang", "c"]);
        assert_eq!(run.code, 2, "{name}: {}", run.err);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left behind");
    assert_eq!(arbiter(&folder, &["new-bot", "a", "--lang", "pascal"]).code, 2);
}

#[test]
fn projects_compile_without_a_warning() {
    let folder = scratch("new-warnings");
    for language in ["c", "cpp"] {
        arbiter(&folder, &["new-bot", &format!("w-{language}"), "--lang", language]).expect(0);
    }
    let strict = "-shared -fPIC -Wall -Wextra -Wpedantic -Wconversion -Werror -O2 -o /dev/null";
    if is_there("cc") {
        shell(&folder, &format!("cc -std=c99 {strict} w-c/w-c.c")).expect(0);
    }
    if is_there("c++") {
        shell(&folder, &format!("c++ -std=c++11 {strict} w-cpp/w-cpp.cpp")).expect(0);
    }
}
