//! Games as the page replays them: what every move changed, what it took, and what the bot said of it. The page holds no
//! rules; they are applied here.
//!
//! A game is JSON in which things of one kind stand side by side, those of the first move first: so it is deflated best.

use super::scene::{Pile, ahead, scene, scores};
use crate::record::schema::{
    ChosenBy, ErrorRecord, FaultRecord, GameRecord, MatchReport, Player, PlayerKind,
};
use crate::record::{Step, ending_from_record, play_recorded};
use crate::report::player_name;
use crate::sanitize::sanitize;
use crate::ui;
use crate::ui::log::Sitter;
use arbiter_rules::Position;
use arbiter_rules::layout::Layout;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::Hash;
use std::io::Write;
use std::sync::Arc;

/// Packed bytes of the games of a file. Ten thousand games of ordinary bots take half of that; what bots say of their
/// searches is not limited by anything else.
const MOST_BYTES: usize = 24 << 20;
/// Games that are packed together: enough to compress well, few enough to be unpacked at once.
const BLOCK: usize = 128;
/// Refused answers of a game that are told.
const MOST_ERRORS: usize = 40;

#[derive(Debug, Default)]
pub(super) struct Replays {
    /// Where the games start from, and the board.
    start: Option<Arc<(Position, Layout)>>,
    most: usize,
    /// Moves of an expected line that are kept.
    most_ahead: usize,
    /// A row for each game that can be replayed, as lists show it.
    pub(super) rows: Vec<Value>,
    moves: Numbered<(String, Vec<u16>)>,
    texts: Numbered<String>,
    starts: Numbered<Pile>,
    /// Games of the block that is not full yet.
    games: Vec<Value>,
    blocks: Vec<String>,
    bytes: usize,
    /// Games that cannot be replayed from the file.
    pub(super) left_out: u32,
}

/// Things with numbers, each once.
#[derive(Debug, Default)]
struct Numbered<T> {
    numbers: HashMap<T, usize>,
    all: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn of(&mut self, thing: T) -> usize {
        *self.numbers.entry(thing).or_insert_with_key(|thing| {
            self.all.push(thing.clone());
            self.all.len() - 1
        })
    }
}

/// The moves of a game. Where a bot said nothing, its depth is `null`.
#[derive(Default, Serialize)]
struct Plies {
    seats: Vec<usize>,
    by: Vec<u8>,
    moves: Vec<usize>,
    ms: Vec<Option<f64>>,
    depths: Vec<Option<u32>>,
    nodes: Vec<u64>,
    values: Vec<Option<i32>>,
    /// The beginnings of the lines that bots expected, and how long they were.
    lines: Vec<Vec<usize>>,
    lengths: Vec<usize>,
    /// Lines of the table of texts, from 1: what bots said, and what the next turn is about.
    texts: Vec<usize>,
    notes: Vec<usize>,
    cells: Vec<Vec<(usize, Vec<u8>)>>,
    groups: Vec<Vec<(usize, u64)>>,
    scores: Vec<Option<Vec<i64>>>,
    fallen: Vec<Vec<(u16, u32)>>,
}

impl Replays {
    /// No games yet; no more than `most` of them will be kept, and of every line that a bot expected `most_ahead` moves.
    /// Without a start, which a forged plan may lack, none can be replayed.
    pub(super) fn new(start: Option<Position>, most: usize, most_ahead: usize) -> Replays {
        let start = start.map(|start| {
            let layout = start.layout();
            Arc::new((start, layout))
        });
        Replays { start, most, most_ahead, ..Replays::default() }
    }

    /// Adds a game, or counts it as left out.
    pub(super) fn add(&mut self, report: &MatchReport, game: &GameRecord) {
        if self.rows.len() >= self.most || self.bytes >= MOST_BYTES {
            self.left_out += 1;
            return;
        }
        self.rows.push(row(game));
        let told = self.write(report, game);
        self.games.push(told.unwrap_or_else(|problem| json!({ "problem": sanitize(&problem) })));
        if self.games.len() == BLOCK {
            self.close();
        }
    }

    fn close(&mut self) {
        let games = std::mem::take(&mut self.games);
        if !games.is_empty() {
            let block = pack(&Value::from(games));
            self.bytes += block.len();
            self.blocks.push(block);
        }
    }

    /// What is known of the games without a look at their moves, and the games; both packed.
    pub(super) fn packed(mut self, report: &MatchReport, file: &str, title: &str) -> (String, Vec<String>) {
        self.close();
        (self.index(report, file, title), self.blocks)
    }

    fn index(&self, report: &MatchReport, file: &str, title: &str) -> String {
        let plan = &report.plan;
        let ms = |ns: Option<u64>| ns.map(|ns| ns as f64 / 1e6);
        let player = |player: &Player| {
            json!({
                "name": sanitize(&player.name),
                "kind": if player.kind == PlayerKind::Human { "human" } else { "bot" },
                "move_ms": ms(player.time.move_ns),
                "base_ms": ms(player.time.base_ns),
                "increment_ms": ms(player.time.increment_ns),
            })
        };
        pack(&json!({
            "file": file,
            "title": title,
            "game": sanitize(&plan.game),
            "seats": plan.seats,
            "max_errors": plan.max_errors,
            "players": plan.players.iter().map(player).collect::<Vec<_>>(),
            "scene": self.start.as_ref().map(|start| scene(&start.0, &start.1)),
            "moves": self.moves.all,
            "texts": self.texts.all,
            "starts": self.starts.all,
            "games": self.rows,
            "left_out": self.left_out,
            "block": BLOCK,
        }))
    }

    /// Plays a game once more and says what every move changed, and what else is said of the game.
    fn write(&mut self, report: &MatchReport, game: &GameRecord) -> Result<Value, String> {
        let start = self.start.clone().ok_or("its plan is none that can be played")?;
        let (start, layout) = &*start;
        let mut position = game.start(start)?;
        let mut now = Pile::of(&position, layout);
        let (start, score) = (self.starts.of(now.clone()), scores(&position));
        let (mut plies, mut outs) = (Plies::default(), Vec::new());
        for step in game.steps() {
            let (seat, played) = match step {
                Step::Refused(_) => continue,
                Step::Out(out) => {
                    position.eliminate(game.seat(out.seat)?);
                    let (cells, groups) = now.changed_to(Pile::of(&position, layout));
                    outs.push(json!([out.ply, out.seat, said(&out.fault), cells, groups]));
                    continue;
                }
                Step::Played(seat, played) => (game.seat(seat)?, played),
            };
            let search = played.search.as_deref();
            let line = ahead(&position, search.map_or(&[][..], |search| &search.line), self.most_ahead);
            let (path, chance) = play_recorded(&mut position, played)?;
            plies.seats.push(seat.index());
            plies.by.push(match played.by {
                ChosenBy::Player => 0,
                ChosenBy::Opening => 1,
                ChosenBy::Rules => 2,
            });
            plies.moves.push(self.moves.of((sanitize(&played.played), path)));
            plies.ms.push(played.times().charged().map(|ns| rounded(ns) as f64 / 1e6));
            plies.depths.push(search.map(|search| search.depth));
            plies.nodes.push(search.map_or(0, |search| rounded(search.nodes)));
            plies.values.push(search.and_then(|search| search.score));
            plies.lines.push(line.into_iter().map(|step| self.moves.of(step)).collect());
            plies.lengths.push(search.map_or(0, |search| search.line.len()));
            plies.texts.push(self.text(search.map_or_else(String::new, |search| sanitize(&search.text))));
            plies.notes.push(self.text(ui::prompt(&position)));
            let (cells, groups) = now.changed_to(Pile::of(&position, layout));
            plies.cells.push(cells);
            plies.groups.push(groups);
            plies.scores.push(scores(&position));
            plies.fallen.push(chance.fallen);
        }
        let sitter = |player| Sitter { name: player_name(report, player), is_person: false, player: None };
        let seats: Vec<Sitter> = game.seats.iter().map(|seat| sitter(seat.player as usize)).collect();
        let ending = ending_from_record(game, &position, &report.plan)?;
        let error = |error: &ErrorRecord| {
            let answer = sanitize(&error.answer);
            json!([error.ply, error.seat, answer, sanitize(&error.reason), sanitize(&error.sentence)])
        };
        Ok(json!({
            "start": start,
            "score": score,
            "plies": plies,
            "errors": game.errors.iter().take(MOST_ERRORS).map(error).collect::<Vec<_>>(),
            "outs": outs,
            "end": ui::ended(&ending, &position, &seats, None),
            "fault": game.ending.fault.as_ref().map(said),
            "winning": position.winning_cells(),
        }))
    }

    /// The number of a text, from 1, which lies in the file outside the blocks; 0 for none.
    fn text(&mut self, text: String) -> usize {
        if text.is_empty() {
            return 0;
        }
        let (known, length) = (self.texts.all.len(), text.len());
        let number = self.texts.of(text);
        if self.texts.all.len() > known {
            self.bytes += length;
        }
        number + 1
    }
}

fn said(fault: &FaultRecord) -> Value {
    json!({
        "kind": sanitize(&fault.kind),
        "sentence": sanitize(fault.sentence.as_deref().unwrap_or(&fault.kind)),
        "again": fault.again.as_deref().map(sanitize),
    })
}

/// A number with its first two digits: pages show no more of it.
fn rounded(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(1).ilog10().saturating_sub(1));
    number.saturating_add(unit / 2) / unit * unit
}

/// JSON as a page holds it: deflated, in base64.
fn pack(value: &Value) -> String {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = packed.write_all(value.to_string().as_bytes()).and_then(|()| packed.finish());
    STANDARD.encode(written.expect("a list takes everything"))
}

/// What a list of games says of one.
fn row(game: &GameRecord) -> Value {
    let ranks = game.outcome.as_ref().map_or(&[][..], |outcome| &outcome.ranks);
    let has_fault = !game.eliminations.is_empty() || game.ending.fault.is_some();
    let kinds = u8::from(has_fault)
        | u8::from(!game.errors.is_empty()) << 1
        | u8::from(game.plies.iter().any(|ply| ply.earthquake.is_some())) << 2
        | u8::from(game.plies.iter().any(|ply| ply.by == ChosenBy::Rules)) << 3;
    json!([
        game.number,
        game.round.unwrap_or(0),
        game.seats.iter().map(|seat| seat.player).collect::<Vec<_>>(),
        ranks,
        game.plies.len(),
        game.duration_ns.map(|ns| ns / 1_000_000),
        sanitize(&game.ending.reason),
        game.ending.seat,
        game.refused(),
        kinds,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::scene::MOST_AHEAD;
    use crate::record::read;
    use arbiter_rules::{Setup, registry};
    use std::path::Path;

    fn sample(name: &str) -> MatchReport {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/samples").join(name)).unwrap()
    }

    fn start(report: &MatchReport) -> Position {
        let setup = Setup { position: Some(&report.plan.position), ..Setup::default() };
        registry::start(&report.plan.game, &setup).unwrap()
    }

    #[test]
    fn a_file_that_is_full_counts_the_games_that_it_leaves_out() {
        let report = sample("tic-tac-toe.json");
        let mut replays = Replays::new(Some(start(&report)), 1, MOST_AHEAD);
        report.games.iter().for_each(|game| replays.add(&report, game));
        assert_eq!((replays.rows.len(), replays.left_out as usize), (1, report.games.len() - 1));
        assert_eq!(replays.packed(&report, "", "").1.len(), 1);
    }

    #[test]
    fn a_game_that_breaks_the_rules_is_told_and_not_shown() {
        let mut report = sample("othello.json");
        report.games[0].plies[5].played = "a1".to_owned();
        let mut replays = Replays::new(Some(start(&report)), 1, MOST_AHEAD);
        let problem = replays.write(&report, &report.games[0]).unwrap_err();
        assert!(problem.starts_with("move 6, a1: "), "{problem}");
    }
}
