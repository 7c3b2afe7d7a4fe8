//! One readable game of each kind, position by position.
//!
//! The lines up to the first empty one say what is played; the rest follows from the rules. `UPDATE_GOLDEN=1`
//! writes it anew, and the difference is read before it is committed.

use crate::support::{legal_texts, tests_folder};
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::{ChanceSource, Position, Setup, registry};
use std::fmt::Write;
use std::fs;

#[test]
fn transcripts_show_what_players_see() {
    for info in registry::GAMES {
        let path = tests_folder().join(format!("transcripts/{}.txt", info.id));
        let written = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let told = tell(info.id, written.split("\n\n").next().unwrap_or(""));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, told).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        } else {
            let differs = (1..).zip(told.lines().zip(written.lines())).find(|(_, (a, b))| a != b);
            let at = differs.map(|(number, (new, old))| format!("line {number} was '{old}' and is '{new}'"));
            let at = at.unwrap_or("one is longer".to_owned());
            assert_eq!(told, written, "{}: {at}; UPDATE_GOLDEN=1 accepts it", path.display());
        }
    }
}

/// The whole transcript that a header asks for.
fn tell(game: &str, header: &str) -> String {
    let header = header.trim_end();
    let line = |name: &str| header.lines().find_map(|line| line.strip_prefix(name));
    let options: Vec<_> =
        line("options: ").unwrap_or("").split_whitespace().filter_map(|pair| pair.split_once('=')).collect();
    let players = line("players: ").map(|players| players.parse().expect("a number of players"));
    let setup = Setup { players, options: &options, position: line("position: ") };
    let mut position = registry::start(game, &setup).unwrap_or_else(|error| panic!("{game}: {error}"));
    let seed = line("seed: ").and_then(|seed| seed.strip_prefix("0x"));
    let seed = seed.map_or(0, |seed| u64::from_str_radix(seed, 16).expect("16 hexadecimal digits"));
    let mut told = format!("{header}\n\n");
    show(&position, &Marks::default(), &mut told);
    for text in position.split_moves(line("moves: ").expect("a transcript has moves")) {
        let seat = position.to_move().unwrap_or_else(|| panic!("{game}: the game is over before {text}"));
        let choice = position.read_move(text).unwrap_or_else(|error| panic!("{game}: {text}: {error}"));
        let chance = position.draw_chance(choice.played, ChanceSource::GameSeed(seed));
        let name = position.choice_text(&choice);
        writeln!(told, "{}. seat {seat} plays {name}", position.ply() + 1).expect("a text can grow");
        for &(cell, count) in &chance.fallen {
            writeln!(told, "   {} loses {count}", position.cell_name(cell)).expect("a text can grow");
        }
        let last = position.path(choice.played);
        position.play(choice.played, &chance).expect("a move that has been read is legal");
        show(&position, &Marks { last, ..Marks::default() }, &mut told);
    }
    told.truncate(told.trim_end().len());
    told.push('\n');
    told
}

/// The drawing, the text, and what can be played or how it ended.
fn show(position: &Position, marks: &Marks, told: &mut String) {
    let drawing = draw(position, Charset::Unicode, marks);
    let rest = match position.end() {
        None => format!("legal: {}", legal_texts(position).join(" ")),
        Some(end) => {
            let winning = position.winning_cells().into_iter().map(|cell| position.cell_name(cell));
            let winning: Vec<_> = winning.collect();
            format!("end: {}, ranks {:?} {}", end.reason, end.outcome.ranks(), winning.join(" "))
        }
    };
    let text = position.text();
    writeln!(told, "{drawing}\n{text}\n{}\n", rest.trim_end()).expect("a text can grow");
}
