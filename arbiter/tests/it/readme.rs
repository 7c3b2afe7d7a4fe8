//! The commands and programs of the README do what it says.

use super::program::{sample_bot, scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap()
}

/// The contents of the README's blocks in one language.
fn blocks(language: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let parts = text.split("\n```").skip(1).step_by(2);
    parts.filter_map(|part| Some(part.strip_prefix(language)?.strip_prefix('\n')?.to_owned())).collect()
}

/// A folder in which the paths of the README mean this build.
fn checkout(test: &str) -> PathBuf {
    let folder = scratch(test);
    let built = Path::new(&sample_bot("greedy")).parent().unwrap().to_owned();
    fs::create_dir(folder.join("target")).unwrap();
    std::os::unix::fs::symlink(built, folder.join("target/release")).unwrap();
    for name in ["plugin-api", "bots"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).unwrap();
    }
    folder
}

/// Runs a line of shell, but for cargo: this test is run by it.
#[track_caller]
fn shell(folder: &Path, script: &str) -> String {
    let script = format!("set -e\ncargo() {{ :; }}\n{script}");
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{script}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn the_first_command_prints_what_the_readme_shows() {
    let folder = checkout("readme-first");
    for block in blocks("console") {
        let (commands, shown): (Vec<_>, Vec<_>) = block.lines().partition(|line| line.starts_with("$ "));
        let script: Vec<_> = commands.iter().map(|command| &command[2..]).collect();
        let printed = shell(&folder, &script.join("\n"));
        // On a busy machine a paragraph about the clocks is added, which is no part of the promise.
        let printed: Vec<_> =
            printed.split("\n\n").filter(|paragraph| !paragraph.starts_with("Clocks:")).collect();
        let printed = printed.join("\n\n");
        // Times, and what follows from the random seed, differ from run to run; the form does not.
        assert_eq!(printed.lines().count(), shown.len(), "{printed}");
        for (printed, shown) in printed.lines().zip(shown).filter(|(_, shown)| shown.contains("errors")) {
            assert_eq!(
                printed.split_whitespace().collect::<Vec<_>>(),
                shown.split_whitespace().collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn every_other_command_of_the_readme_runs() {
    let folder = checkout("readme-others");
    let blocks = blocks("sh");
    assert!(blocks.len() >= 3, "the README has lost its commands");
    for block in blocks {
        shell(&folder, &block);
    }
}

#[test]
fn the_bot_of_the_readme_is_the_one_that_the_tests_build() {
    let file = |name: &str| fs::read_to_string(root().join(name)).unwrap().trim_end().to_owned();
    assert_eq!(blocks("c"), [file("bots/first-c/first.c")]);
}

#[test]
fn every_game_has_its_place_in_the_readme() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    for info in arbiter_rules::registry::GAMES {
        assert!(text.contains(&format!("`{}`", info.id)), "the README does not name {}", info.id);
    }
}
