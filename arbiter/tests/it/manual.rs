//! What shells and readers of manuals get.

use crate::support::{arbiter, c_bot, checkout, page, sample_bot, scratch, shell};
use arbiter_rules::registry::GAMES;
use std::fs;
use std::path::PathBuf;

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
    arbiter(&folder, &["position", "--game", "otello"]).and_says("did you mean othello?");
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

/// Every verb, with what the list of verbs says that it does.
fn verbs(test: &str) -> Vec<(String, String)> {
    let list = arbiter(&scratch(test), &["-h"]).expect(0);
    let lines = list.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let begun = lines.filter(|line| !line.starts_with("   ") && !line.starts_with("  help"));
    let verbs = begun.map(|line| line.trim().split_once(' ').expect("a verb and what it does"));
    let verbs: Vec<_> = verbs.map(|(verb, does)| (verb.to_owned(), does.trim().to_owned())).collect();
    assert!(verbs.len() > 20, "{list}");
    verbs
}

/// What options that verbs share are called in our code is nobody's help.
#[test]
fn the_help_of_a_verb_begins_with_what_the_list_of_verbs_says_it_does() {
    let folder = scratch("help-of-verbs");
    for (verb, does) in verbs("verbs") {
        for help in ["-h", "--help"] {
            let page = arbiter(&folder, &[&*verb, help]).expect(0);
            assert!(page.starts_with(&does), "{verb} {help} says:\n{page}");
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

/// What examples say that a test cannot do: they wait for people, for months or for a cluster, or play for minutes.
const NOT_HERE: [&str; 10] = [
    "arbiter greedy --game othello",
    "league course/",
    "season",
    "--finals",
    "--sprt",
    "--shard",
    "sbatch",
    "bash cup.sh",
    "--web",
    "-Tpdf",
];

/// The lines of a help's examples, as a shell reads them: without what is said about them.
fn examples(help: &str) -> String {
    let lines = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    let lines = lines.take_while(|line| !line.is_empty()).map(str::trim_start);
    let lines = lines.filter(|line| !line.ends_with(':'));
    let lines = lines.map(|line| line.split("  ").next().unwrap_or_default());
    let can_be_done =
        |line: &&str| !NOT_HERE.iter().any(|what| line.ends_with(what) || line.contains(&format!("{what} ")));
    lines.filter(can_be_done).map(|line| format!("{line}\n")).collect()
}

/// A folder with everything that examples name.
fn with_all_that_examples_name(verb: &str) -> PathBuf {
    let folder = checkout(&format!("examples-{verb}"), &[]);
    let (greedy, random, first) = (sample_bot("greedy"), sample_bot("random"), c_bot("first"));
    for place in ["bots", "course", "cup", "results"] {
        fs::create_dir(folder.join(place)).unwrap();
    }
    let copies = [
        ("minimax.so", &*sample_bot("minimax")),
        ("bot.so", &first),
        ("a.so", &first),
        ("old.so", &first),
        ("new.so", &greedy),
        ("bots/greedy.so", &greedy),
        ("bots/random.so", &random),
        ("course/first.so", &first),
        ("course/random.so", &random),
    ];
    for (to, from) in copies {
        fs::copy(from, folder.join(to)).unwrap();
    }
    let texts = [
        (
            "b.py",
            "from arbiter_bot import Bot\n\n\nclass First(Bot):\n    def choose_move(self, turn):\n        return turn.moves[0]\n",
        ),
        ("course/league.toml", "game = \"tic-tac-toe\"\n"),
        ("cup.toml", "game = \"tic-tac-toe\"\nbots = [\"greedy\", \"random\"]\n"),
        ("problems.obf", "---------------------------OX------XO--------------------------- X; d3:+2;\n"),
        ("questions.jsonl", "{\"kind\":\"elo-summary\",\"model\":\"trinomial\",\"counts\":[0,0,10]}\n"),
        ("results/othello.json", &page("results/samples/othello.json")),
        ("cup/swiss.json", &page("results/samples/swiss.json")),
    ];
    texts.iter().for_each(|(to, text)| fs::write(folder.join(to), text).unwrap());
    folder
}

/// Who copies an example from a help gets what it says.
#[test]
fn the_examples_of_every_help_run() {
    let verbs = verbs("verbs-of-examples").into_iter().map(|(verb, _)| vec![verb]);
    let pages = verbs.chain([vec![], vec!["cluster".to_owned(), "slurm".to_owned()]]);
    let mut tried = 0;
    for words in pages {
        let help =
            arbiter(&scratch("help-of-examples"), &[&*words, &["--help".to_owned()]].concat()).expect(0);
        let script = examples(&help);
        if script.is_empty() {
            continue;
        }
        tried += script.lines().count();
        let folder = with_all_that_examples_name(&words.concat());
        let run = shell(&folder, &script);
        assert_eq!(run.code, 0, "{words:?}\n{script}\n{}{}", run.out, run.err);
    }
    assert!(tried > 15, "the helps have lost their examples: {tried}");
}
