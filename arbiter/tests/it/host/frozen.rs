//! The bot that was built on the day on which version 1 of the interface was frozen plays as it did then.

use super::support::{host, play, start};
use arbiter::host::{BotCommand, InProcess, Sandboxed};
use arbiter::player::Player;
use arbiter_rules::registry;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn kept(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugin-api/tests/v1").join(file)
}

/// The bot as it was built, where this machine runs it; otherwise built now from what is kept.
fn bot() -> PathBuf {
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return kept("bot-x86_64-linux.so");
    }
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bot-of-version-1.so");
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "-shared", "-fPIC", "-fvisibility=hidden"])
        .arg(kept("bot.c"))
        .arg("-o")
        .arg(&library);
    assert!(cc.status().expect("these tests need a C compiler").success());
    library
}

#[test]
fn the_bot_that_is_kept_is_the_one_that_was_built() {
    let hash = Sha256::digest(fs::read(kept("bot-x86_64-linux.so")).unwrap());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let page = fs::read_to_string(kept("README.md")).unwrap();
    assert!(page.contains(&hash), "plugin-api/tests/v1/README.md has another hash than {hash}");
}

#[test]
fn a_bot_built_for_version_1_plays_every_game_to_its_end() {
    let mut command = BotCommand::new(host(), host().bot(bot()));
    command.options = vec![("built".to_owned(), "long ago".to_owned())];
    for game in registry::GAMES {
        let mut first = Sandboxed::start(&command);
        let mut second: Box<dyn Player> = match game.id {
            "tic-tac-toe" => Box::new(InProcess::trusting(command.clone())),
            _ => Box::new(Sandboxed::start(&command)),
        };
        assert!(play(&mut start(game.id), &mut [&mut first, &mut *second]) > 4, "{}", game.id);
        let output = first.into_output();
        assert!(output.contains("[info] played to the end"), "{}: {output}", game.id);
    }
}
