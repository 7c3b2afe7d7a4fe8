//! The guide for authors of bots does what it says, and the examples in it are bots.

use crate::support::{blocks, checkout, is_there, page, root, say_aloud, shell};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder in which the paths of the guide mean this build.
fn clone(test: &str) -> PathBuf {
    checkout(test, &["plugin-api"])
}

/// The bot of the guide that crashes in its third turn.
fn crash() -> String {
    let blocks = blocks("bots/README.md", "c");
    blocks.into_iter().find(|block| block.contains("\"Crash\"")).expect("the guide has a bot that crashes")
}

#[test]
fn every_command_of_the_guide_runs() {
    let folder = clone("guide");
    fs::write(folder.join("crash.c"), crash()).unwrap();
    let blocks = blocks("bots/README.md", "sh");
    assert!(blocks.len() >= 9, "the guide has lost its commands");
    for block in blocks.iter().filter(|block| !block.starts_with("alias")) {
        let run = shell(&folder, block);
        assert_eq!(run.code, 0, "{block}\n{}{}", run.out, run.err);
    }
    let asked = shell(&folder, "arbiter ask ./hopper/hopper.so --game tic-tac-toe --position 'xx1oo4 x'");
    assert_eq!(asked.expect(0), "c1\n");
    let again = shell(&folder, "arbiter again crash.json").expect(0);
    assert!(again.contains("crashed in choose_move (signal 11"), "{again}");
}

#[test]
fn a_debugger_sees_the_line_that_crashes() {
    if !is_there("gdb") {
        return;
    }
    let folder = clone("guide-gdb");
    fs::write(folder.join("crash.c"), crash()).unwrap();
    shell(&folder, "cc -g -shared -fPIC -fvisibility=hidden -Iplugin-api/include -o crash.so crash.c")
        .expect(0);
    let block = blocks("bots/README.md", "console").remove(0);
    let command = block.lines().next().unwrap().strip_prefix("$ ").unwrap();
    // In a session of its own, or a shell in the background would have it stopped.
    let run = shell(&folder, &format!("setsid -w timeout 300 {command} < /dev/null 2>&1 || true"));
    if run.out.contains("ptrace: Operation not permitted") {
        return say_aloud("skipped: nobody may look into a process here");
    }
    for seen in ["SIGSEGV", "#0  choose (", "crash.c:10"] {
        assert!(run.out.contains(seen), "{seen}: {}", run.out);
    }
}

#[test]
fn the_bots_in_the_guide_are_the_examples_that_are_tested() {
    let blocks = blocks("bots/README.md", "c");
    for example in ["greedy.c", "search.c"] {
        let text = page(&format!("plugin-api/examples/{example}"));
        assert!(blocks.iter().any(|block| block == text.trim_end()), "{example} has changed");
    }
}

/// Builds an example as its README says, and lets it play every game.
fn is_built_and_plays(folder: &str, library: &str) {
    let place = clone(folder);
    fs::create_dir(place.join("bots")).unwrap();
    let copy = place.join("bots").join(folder);
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(root().join("bots").join(folder)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.join(path.file_name().unwrap())).unwrap();
    }
    let build = blocks(&format!("bots/{folder}/README.md"), "sh").remove(0);
    // Whoever runs the tests has a cache that it may write to.
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-cache-of-the-guide");
    let built = shell(&copy, &format!("export GOCACHE='{}'\n{build}", cache.display()));
    assert_eq!(built.code, 0, "{build}\n{}{}", built.out, built.err);
    for info in arbiter_rules::registry::GAMES {
        let library = copy.join(library);
        let play = format!(
            "arbiter '{}' target/release/librandom.so --game {} --games 2 --margin 30s --max-plies 60 --quiet",
            library.display(),
            info.id
        );
        let played = shell(&place, &play);
        assert_eq!(played.code, 0, "{}: {}{}", info.id, played.out, played.err);
        assert!(
            !played.out.contains(" forfeit") && !played.out.contains("crashed"),
            "{}: {}",
            info.id,
            played.out
        );
    }
}

#[test]
fn the_example_in_cpp_plays_every_game() {
    if is_there("c++") {
        is_built_and_plays("lookahead-cpp", "lookahead.so");
    }
}

/// A bot that the guide shows in a language, built and played as it says there.
fn is_shown_and_plays(language: &str, ending: &str, compiler: &str, name: &str) {
    if !is_there(compiler) {
        return;
    }
    let folder = clone(&format!("guide-{language}"));
    let shown = |of: &str| blocks("bots/README.md", of).into_iter();
    fs::write(folder.join(format!("winner.{ending}")), shown(language).next().expect("a bot")).unwrap();
    let how = shown("bash").find(|block| block.starts_with(compiler)).expect("how it is built");
    let run = shell(&folder, &how);
    assert!(run.code == 0 && run.out.contains(name), "{how}\n{}{}", run.out, run.err);
    for game in arbiter_rules::registry::GAMES {
        let play = format!("arbiter ./libwinner.so random --game {} --games 2 --fail-on-fault", game.id);
        let run = shell(&folder, &play);
        assert_eq!(run.code, 0, "{play}\n{}{}", run.out, run.err);
    }
}

/// `pip install ziglang==0.15.2`, its folder on the path, and `cargo test -p arbiter --test it guide::the_bot_in_zig -- --ignored`
#[test]
#[ignore = "needs a compiler of 90 MB"]
fn the_bot_in_zig_plays_every_game() {
    is_shown_and_plays("zig", "zig", "zig", "Winner (Zig)");
}

#[test]
fn the_bot_in_pascal_plays_every_game() {
    is_shown_and_plays("pascal", "pas", "fpc", "Winner (Pascal)");
}

#[test]
fn the_example_in_go_plays_every_game() {
    if is_there("go") {
        is_built_and_plays("mobility-go", "mobility.so");
    }
}
