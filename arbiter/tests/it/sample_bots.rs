//! The strong sample bots as people meet them: their options, their levels, and what they claim to know for sure.

use crate::support::{arbiter, sample_bot};
use serde_json::Value;
use std::path::Path;

/// The answer of a bot as `ask --json` prints it.
#[track_caller]
fn answer(bot: &str, args: &[&str]) -> Value {
    let bot = sample_bot(bot);
    arbiter(Path::new("."), &[&["ask", &bot, "--json", "--margin", "10s"], args].concat()).json()
}

#[test]
fn alphabeta_tells_the_exact_score_of_what_it_has_solved() {
    for (game, position, best, score) in [
        // Published in the collection of the French federation.
        ("othello", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", "g8", 18),
        // The winning disc is the 17th: (42 + 1 - 16) / 2.
        ("connect-four", "......./......./......./xo...ox/oox.oxo/xxx.oxo x", "4", 13),
    ] {
        let answer = answer("alphabeta", &["--game", game, "--position", position, "--move-time", "30s"]);
        assert_eq!((&answer["move"], &answer["score"]), (&best.into(), &score.into()), "{answer}");
        assert_eq!(answer["text"], "solved", "{answer}");
    }
}

#[test]
fn heuristics_of_othello_can_be_chosen_one_by_one_and_a_depth_fixed() {
    let answers = ["discs", "corners", "mobility", "captures"].map(|eval| {
        let eval = format!("eval={eval}");
        let answer =
            answer("alphabeta", &["--game", "othello", "--moves", "f5d6c3d3", "-B", &eval, "-B", "depth=3"]);
        assert_eq!(answer["depth"], 3, "{answer}");
        answer["score"].as_i64().expect("a score")
    });
    assert!(answers.iter().any(|score| score != &answers[0]), "each sees something else: {answers:?}");
}

#[test]
fn every_level_plays_and_options_that_make_no_sense_are_refused_in_words() {
    for bot in ["alphabeta", "mcts"] {
        for level in 1..=10 {
            let level = format!("level={level}");
            answer(bot, &["--game", "stacks", "-O", "n=3", "-B", &level, "--move-time", "50ms"]);
        }
    }
    for (bot, option, said) in [
        ("alphabeta", "level=11", "levels go from 1, the weakest, to 10, the strongest"),
        ("alphabeta", "depth=0", "it goes from 1 to 96"),
        ("alphabeta", "eval=beauty", "try all, discs, corners, mobility or captures"),
        ("alphabeta", "hash=1", "try level, depth, eval"),
        ("mcts", "level=0", "levels go from 1, the weakest, to 10, the strongest"),
        ("mcts", "plain=perhaps", "try true or false"),
    ] {
        let bot = sample_bot(bot);
        let run = arbiter(Path::new("."), &["ask", &bot, "--game", "othello", "-B", option]);
        assert_eq!(run.code, 2, "{option}: {}", run.err);
        assert!(run.err.contains(said), "{option}: {}", run.err);
    }
}
