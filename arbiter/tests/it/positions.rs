//! The commands that show positions, count move sequences and explain rules.

use crate::support::{arbiter, games, json, sample_bot, scratch};
use arbiter_rules::registry::GAMES;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What a command prints when all goes well.
fn printed(arguments: &[&str]) -> String {
    let run = arbiter(Path::new("."), arguments);
    assert_eq!((run.code, &*run.err), (0, ""), "{arguments:?}");
    run.out
}

/// What a command complains about.
fn complaint(arguments: &[&str]) -> String {
    let run = arbiter(Path::new("."), arguments);
    assert_eq!((run.code, &*run.out), (2, ""), "{arguments:?}: only data goes to standard output");
    run.err
}

#[test]
fn a_position_is_drawn_with_its_text_the_last_move_and_the_legal_ones() {
    assert_eq!(
        printed(&["position", "--game", "othello", "--moves", "f5"]),
        "    a b c d e f g h
  1 · · · · · · · ·
  2 · · · · · · · ·
  3 · · · · · · · ·
  4 · · · ○ ● ◆ · ·
  5 · · · ● ●‹●›· ·
  6 · · · ◆ · ◆ · ·
  7 · · · · · · · ·
  8 · · · · · · · ·
  ● 4  ○ 1
---------------------------OX------XXX-------------------------- O
seat 2 to move: f4 d6 f6
"
    );
    let line = ["position", "--game", "connect-four", "-O", "connect=3", "--moves", "41516"];
    assert!(printed(&line).ends_with("\nseat 1 has won (line)\n"));
    let over = printed(&["position", "--ascii", "--game", "tic-tac-toe", "--moves", "a1 a2 b1 b2 c1"]);
    assert!(over.is_ascii(), "{over}");
}

#[test]
fn pawns_that_must_leave_are_marked() {
    let text = "D/DD/DDD/ADDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A";
    let drawn = printed(&["position", "--game", "chinese-checkers", "--position", text]);
    assert!(drawn.lines().nth(3).is_some_and(|row| row.trim_start() == "1!  2   2   2"), "{drawn}");
}

#[test]
fn texts_of_positions_and_moves_may_begin_with_a_hyphen() {
    let start = "---------------------------OX------XO--------------------------- X";
    assert!(printed(&["position", "--game", "othello", "--position", start]).contains(start));
    let stacks = [
        "position", "--game", "stacks", "-O", "n=3", "--position", "-,-,-/-,x,-/-,-,- x -", "--moves", "-b2",
    ];
    assert!(printed(&stacks).contains("\n-,-,-/-,-,-/-,-,- o -\n"));
}

#[test]
fn perft_counts_and_leaves_limits_and_earthquakes_out() {
    for (arguments, nodes) in [
        (&["--game", "othello", "--depth", "4"][..], 244),
        (&["--game", "othello", "--moves", "f5", "--depth", "1"], 3),
        (&["--game", "connect-four", "-O", "size=4x4", "--depth", "3"], 64),
        (&["--game", "chinese-checkers", "--players", "6", "--depth", "3"], 5015),
        (&["--game", "chinese-checkers", "-O", "max_rounds=1", "-O", "repetition=2", "--depth", "3"], 7837),
        (
            &["--game", "stacks", "-O", "n=3", "-O", "earthquake=true", "-O", "max_turns=1", "--depth", "3"],
            801,
        ),
        (&["--game", "tic-tac-toe", "--position", "xxx1oo3", "--depth", "1"], 0),
        (&["--game", "tic-tac-toe", "--depth", "10"], 0),
        (&["--game", "tic-tac-toe", "--depth", "0"], 1),
    ] {
        let answer = printed(&[&["perft", "--json"], arguments].concat());
        let answer: Value = serde_json::from_str(&answer).expect("one JSON object");
        assert_eq!(answer["nodes"], nodes, "{arguments:?}");
        assert_eq!(answer["depth"].to_string(), *arguments.last().expect("a depth"), "{arguments:?}");
        assert!(answer["seconds"].is_number(), "{arguments:?}");
    }
}

#[test]
fn rules_list_every_game_and_explain_each_with_board_and_options() {
    let list = printed(&["rules"]);
    for info in GAMES {
        assert!(list.lines().any(|line| line.starts_with(info.id)), "{} is missing from {list}", info.id);
        let page = printed(&["rules", info.id]);
        for option in info.options {
            assert_eq!(page.matches(&format!("`-O {}=…`", option.name)).count(), 1, "{}: {page}", info.id);
        }
        for part in ["## The end\n", "## Notation\n", "## The board at the start\n"] {
            assert_eq!(page.matches(part).count(), 1, "{}: {part} in {page}", info.id);
        }
        let plain = printed(&["rules", info.id, "--ascii"]);
        assert!(plain.is_ascii(), "{}: {plain}", info.id);
    }
}

#[test]
fn what_is_unknown_is_refused_with_what_is_known() {
    let games = GAMES.iter().map(|info| info.id).collect::<Vec<_>>().join(", ");
    assert_eq!(
        complaint(&["position", "--game", "stack"]),
        format!(
            "error: there is no game 'stack' (did you mean stacks?); known games: {games}\n  try: arbiter rules\n"
        )
    );
    for (arguments, sentence) in [
        (
            &["position", "--game", "ultimate", "-O", "frist=o"][..],
            "error: there is no option 'frist' (did you mean first?): this game has tie_break, first\n  try: \
             arbiter rules ultimate\n",
        ),
        (
            &["perft", "--game", "chinese-checkers", "-O", "win=all", "--depth", "1"],
            "error: option win takes own, own-or-buried or filled, not 'all'\n  try: arbiter rules chinese-checkers\n",
        ),
        (
            &["position", "--game", "othello", "--moves", "d3d3"],
            "error: move 2 of --moves, d3, is refused\n  because: occupied: d3 is taken by black.\n  try: a legal \
             move in its place; arbiter position with the moves before it lists them\n",
        ),
        (
            &["position", "--game", "tic-tac-toe", "--moves", "a1 a2 b1 b2 c1 c2"],
            "error: move 6 of --moves, c2, is refused\n  because: game-over: The game is over: player 1 won.\n  try: \
             --moves without it and all that follow\n",
        ),
        (
            &["position", "--game", "connect-four", "-O", "size=1x1", "--moves", "1 1"],
            "error: move 2 of --moves, 1, is refused\n  because: game-over: The game is over: player 1 won.\n  try: \
             --moves without it and all that follow\n",
        ),
    ] {
        assert_eq!(complaint(arguments), sentence);
    }
    assert!(complaint(&["position"]).contains("--game <GAME>"));
    assert!(complaint(&["position", "--batch", "--game", "othello"]).contains("--batch"));
}

#[test]
fn games_of_othello_can_be_taken_to_other_programs_and_back() {
    let folder = scratch("ggf");
    let random = sample_bot("random");
    let run = |args: &[&str]| arbiter(&folder, args).expect(0);
    let seed = ["--games", "4", "--seed", "ggf", "--quiet", "--output"];
    run(&[&[&*random, &random, "--game", "othello"], &seed[..], &["othello.json"]].concat());
    let ggf = run(&["report", "othello.json", "--format", "ggf"]);
    fs::write(folder.join("games.ggf"), &ggf).unwrap();
    let report = json(folder.join("othello.json"));
    let shown = run(&["position", "--game", "othello", "--file", "games.ggf", "--json"]);
    let games = games(&report);
    assert_eq!((ggf.lines().count(), shown.lines().count()), (games.len(), games.len()));
    for ((game, shown), line) in games.iter().zip(shown.lines()).zip(ggf.lines()) {
        let shown: Value = serde_json::from_str(shown).unwrap();
        assert_eq!(shown["position"], game["final_position"], "{line}");
        let discs = &game["scores"]["discs_empties_to_winner"];
        let won_by = discs[0].as_i64().unwrap() - discs[1].as_i64().unwrap();
        assert!(line.contains(&format!("RE[{won_by:+}.00]")), "{line}");
        assert!(line.starts_with("(;GM[Othello]") && line.contains("PB[Random"), "{line}");
    }
    run(&[&[&*random, &random, "--game", "tic-tac-toe"], &seed[..], &["other.json"]].concat());
    arbiter(&folder, &["report", "other.json", "--format", "ggf"]).says(2, "GGF is for Othello");
    let begun = ggf.lines().next().unwrap().split("W[").take(3).collect::<Vec<_>>().join("W[");
    fs::write(folder.join("begun.ggf"), format!("{begun}\n;)\n")).unwrap();
    let openings = ["--openings", "begun.ggf", "--games", "2", "--quiet", "--output", "from.json"];
    run(&[&[&*random, &random, "--game", "othello"], &openings[..]].concat());
    run(&["verify", "from.json"]);
}
