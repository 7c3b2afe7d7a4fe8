//! Perft tables as text: blocks of `name: value` lines.

use arbiter_rules::{Chance, Position, Setup, registry};
use std::fs;
use std::path::Path;

/// One position with its counts.
pub(crate) struct Case {
    game: String,
    options: Vec<(String, String)>,
    players: Option<usize>,
    position: Option<String>,
    moves: String,
    /// Where the counts come from.
    pub(crate) source: String,
    /// Move sequences by length, from 1.
    pub(crate) counts: Vec<u64>,
    /// How many of them end in a win with the last move; empty where nobody has counted.
    pub(crate) wins: Vec<u64>,
}

impl Case {
    /// The position that is counted.
    pub(crate) fn position(&self) -> Position {
        let options: Vec<_> = self.options.iter().map(|(name, value)| (&**name, &**value)).collect();
        let setup = Setup { players: self.players, options: &options, position: self.position.as_deref() };
        let mut position =
            registry::start(&self.game, &setup).unwrap_or_else(|error| panic!("{}: {error}", self.name()));
        for text in position.split_moves(&self.moves) {
            let choice =
                position.read_move(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", self.name()));
            position.play(choice.played, &Chance::NONE).expect("a move that has been read is legal");
        }
        position
    }

    /// What to call it in messages.
    pub(crate) fn name(&self) -> String {
        let options: String = self.options.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let position = self.position.as_deref().map_or(String::new(), |text| format!(" from {text}"));
        let moves = if self.moves.is_empty() { String::new() } else { format!(" after {}", self.moves) };
        format!("{}{options}{position}{moves}", self.game)
    }
}

/// The table of a game.
pub(crate) fn read(game: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/perft/{game}.perft"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let blocks = text.split("\n\n").map(|block| block.lines().filter(|line| !line.starts_with('#')));
    blocks.filter_map(|block| read_case(game, block)).collect()
}

fn read_case<'a>(game: &str, lines: impl Iterator<Item = &'a str>) -> Option<Case> {
    let mut case = Case {
        game: game.to_owned(),
        options: Vec::new(),
        players: None,
        position: None,
        moves: String::new(),
        source: String::new(),
        counts: Vec::new(),
        wins: Vec::new(),
    };
    let numbers = |text: &str| text.split(' ').map(|number| number.parse().expect("a count")).collect();
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap_or_else(|| panic!("{game}.perft: {line}"));
        match name {
            "options" => {
                let pairs = value.split(' ').map(|pair| pair.split_once('=').expect("name=value"));
                case.options = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            }
            "players" => case.players = Some(value.parse().expect("a number of players")),
            "position" => case.position = Some(value.to_owned()),
            "moves" => case.moves = value.to_owned(),
            "source" => case.source = value.to_owned(),
            "counts" => case.counts = numbers(value),
            "wins" => case.wins = numbers(value),
            _ => panic!("{game}.perft: unknown line: {line}"),
        }
    }
    (!case.counts.is_empty()).then_some(case)
}
