//! What shells and readers of manuals get.

use crate::support::{arbiter, scratch};
use arbiter_rules::registry::GAMES;
use std::fs;

#[test]
fn nobody_has_to_type_the_name_of_a_game_to_its_end() {
    let folder = scratch("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = arbiter(&folder, &["completions", shell]).expect(0);
        for game in GAMES {
            assert!(script.contains(game.id), "{shell} does not complete {}", game.id);
        }
    }
    let reversi = arbiter(&folder, &["position", "--game", "reversi"]).expect(0);
    assert!(reversi.contains("seat 1 to move"), "other names are still taken: {reversi}");
    let mistyped = arbiter(&folder, &["position", "--game", "otello"]);
    assert!(mistyped.err.contains("did you mean othello?"), "{}", mistyped.err);
}

#[test]
fn who_reads_a_page_of_the_manual_knows_of_which_version_it_speaks() {
    let folder = scratch("man");
    arbiter(&folder, &["man", "--output", "pages"]).expect(0);
    assert!(folder.join("pages/arbiter-replay.1").exists(), "every verb has its page");
    for page in fs::read_dir(folder.join("pages")).unwrap() {
        let text = fs::read_to_string(page.unwrap().path()).unwrap();
        let title = text.lines().find(|line| line.starts_with(".TH")).unwrap();
        assert!(title.contains(env!("CARGO_PKG_VERSION")), "{title}");
    }
}

/// What options that verbs share are called in our code is nobody's help.
#[test]
fn the_help_of_a_verb_begins_with_what_the_list_of_verbs_says_it_does() {
    let folder = scratch("verbs");
    let wide = |words: &[&str]| arbiter(&folder, words).expect(0);
    let list = wide(&["-h"]);
    let verbs =
        list.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> =
        verbs.filter(|line| !line.starts_with("   ") && !line.starts_with("  help")).collect();
    assert!(verbs.len() > 20, "{list}");
    for verb in verbs {
        let (verb, does) = verb.trim().split_once(' ').unwrap();
        for help in ["-h", "--help"] {
            let page = wide(&[verb, help]);
            assert!(page.starts_with(does.trim()), "{verb} {help} says:\n{page}");
        }
    }
}

#[test]
fn completions_and_man_pages_name_every_option() {
    let folder = scratch("every-option");
    let help = arbiter(&folder, &["--help"]).expect(0);
    let options: Vec<&str> = help
        .split_whitespace()
        .filter(|word| word.starts_with("--") && word.len() > 3)
        .map(|word| word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()))
        .collect();
    assert!(options.len() > 20, "{options:?}");
    let page = arbiter(&folder, &["man"]).expect(0).replace("\\-", "-");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = arbiter(&folder, &["completions", shell]).expect(0);
        for option in &options {
            let name = if shell == "fish" { &option[2..] } else { option };
            assert!(script.contains(name), "{shell} does not complete {option}");
            assert!(page.contains(option), "the man page does not name {option}");
        }
    }
}
