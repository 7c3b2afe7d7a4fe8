//! The commands and programs of the README do what it says.

use crate::support::{blocks, checkout, page, shell};
use std::path::{Path, PathBuf};

/// A folder in which the paths of the README mean this build.
fn clone(test: &str) -> PathBuf {
    checkout(test, &["plugin-api", "bots"])
}

/// Runs lines of shell, but for cargo: this test is run by it.
#[track_caller]
fn without_cargo(folder: &Path, script: &str) -> String {
    shell(folder, &format!("cargo() {{ :; }}\n{script}")).expect(0)
}

#[test]
fn the_first_command_prints_what_the_readme_shows() {
    let folder = clone("readme-first");
    for block in blocks("README.md", "console") {
        let (commands, shown): (Vec<_>, Vec<_>) = block.lines().partition(|line| line.starts_with("$ "));
        let script: Vec<_> = commands.iter().map(|command| &command[2..]).collect();
        let printed = without_cargo(&folder, &script.join("\n"));
        // On a busy machine a paragraph about the clocks is added, which is no part of the promise.
        let printed: Vec<_> =
            printed.split("\n\n").filter(|paragraph| !paragraph.starts_with("Clocks:")).collect();
        let printed = printed.join("\n\n");
        // Times, and what follows from the random seed, differ from run to run; the form does not.
        assert_eq!(printed.lines().count(), shown.len(), "{printed}");
        let told = |line: &&str| line.contains("errors");
        assert!(shown.iter().any(told), "the form of a line is compared: {shown:?}");
        for (printed, shown) in printed.lines().zip(shown).filter(|(_, shown)| told(shown)) {
            assert_eq!(
                printed.split_whitespace().collect::<Vec<_>>(),
                shown.split_whitespace().collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn every_other_command_of_the_readme_runs() {
    let folder = clone("readme-others");
    let blocks = blocks("README.md", "sh");
    assert!(blocks.len() >= 3, "the README has lost its commands");
    for block in blocks {
        without_cargo(&folder, &block);
    }
}

#[test]
fn the_bot_of_the_readme_is_the_one_that_the_tests_build() {
    assert_eq!(blocks("README.md", "c"), [page("bots/first-c/first.c").trim_end()]);
}

#[test]
fn every_game_has_its_place_where_games_are_listed() {
    for (file, before, after) in [
        ("README.md", "`", "`"),
        ("plugin-api/include/arbiter_bot.h", " *   ", " "),
        ("bots/README.md", "| `", "` |"),
        ("results/README.md", "--game ", ""),
        ("arbiter/tests/page/games.test.js", ", \"", "\""),
    ] {
        let text = page(file);
        for info in arbiter_rules::registry::GAMES {
            let listed = format!("{before}{}{after}", info.id);
            assert!(text.contains(&listed), "{file} does not list {}: '{listed}' is missing", info.id);
        }
    }
}
