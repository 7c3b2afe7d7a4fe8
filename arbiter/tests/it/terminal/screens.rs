//! Whole screens as text, one golden file for each game.

use super::pty::{Setup, Terminal};
use crate::support::{golden, scratch};
use arbiter_rules::registry;
use std::fmt::Write as _;

/// What is typed in each game, and what the screen says when that has been done.
const SCRIPTS: &[(&str, &[(&str, &str)])] = &[
    ("chinese-checkers", &[("t8-16\r", "Player 2 to move."), ("\t ", "Your move so far: ")]),
    (
        "othello",
        &[("td3\r", "Player 2 (○) to move."), ("tc5\r", "Player 1 (●) to move."), ("\t", "Cursor on b6")],
    ),
    ("connect-four", &[("t4\r", "Player 2 (O) to move."), ("t4\r", "Player 1 (X) to move.")]),
    ("tic-tac-toe", &[("tb2\r", "Player 2 (o) to move."), ("tb2\r", "b2 is taken by X.")]),
    ("ultimate", &[("t9b2\r", "Player 2 (o) to move."), ("ta1\r", "Player 1 (x) to move.")]),
    ("hex", &[("ta3\r", "Player 2 (O) to move."), ("s", "Player 1 (X) to move.")]),
    (
        "stacks",
        &[("t+b2\r", "Player 2 (O) to move."), ("t+b2\r", "Player 1 (X) to move."), ("lk ", "p: Place")],
    ),
];

/// Columns, rows, locale; without colours, so that the text alone shows whose pieces are whose.
const LOOKS: &[(u16, u16, &str)] =
    &[(80, 24, "C.UTF-8"), (80, 24, "C"), (60, 20, "C.UTF-8"), (40, 12, "C.UTF-8")];

/// What the screen shows at the end of the script. Smaller screens leave out what they have no room for, so the steps
/// are waited for at full size first.
fn screen(game: &str, steps: &[(&str, &str)], (columns, rows, locale): (u16, u16, &str)) -> String {
    let folder = scratch(&format!("screens-{game}-{columns}-{locale}"));
    let env = [("LC_ALL", locale), ("LANG", locale), ("NO_MOTION", "1"), ("NO_COLOR", "1")];
    let terminal = Terminal::start(&folder, &["--game", game], Setup { columns: 80, rows: 24, env: &env });
    terminal.wait_for("to move.");
    for (keys, said) in steps {
        let said =
            if locale == "C" { said.replace('○', "O").replace('●', "X") } else { (*said).to_owned() };
        terminal.keys(keys);
        terminal.wait_for(&said);
    }
    if (columns, rows) != (80, 24) {
        terminal.resize(columns, rows);
    }
    terminal.text().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn text_of(game: &str, steps: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for &(columns, rows, locale) in LOOKS {
        let look = if locale == "C" { "ASCII" } else { "Unicode" };
        let screen = screen(game, steps, (columns, rows, locale));
        writeln!(text, "== {columns} x {rows}, {look} ==\n{}\n", screen.trim_end()).expect("text grows");
    }
    text
}

#[test]
fn every_game_looks_as_it_did() {
    let games: Vec<&str> = SCRIPTS.iter().map(|(game, _)| *game).collect();
    assert!(registry::GAMES.iter().all(|info| games.contains(&info.id)), "a game has no screens");
    for (game, steps) in SCRIPTS {
        golden::compare(&format!("screens/{game}.txt"), &text_of(game, steps));
    }
}
