//! Games as the page replays them: what every move changed, what it took, and what the bot said of it. The page holds no
//! rules; they are applied here.

use super::columns::{Column, Columns, Recent, pack, steps, zigzag};
use super::scene::{Pile, ahead, scene, scores};
use crate::record::schema::{ChosenBy, GameRecord, MatchReport, PlayerKind, PlyRecord};
use crate::record::{Step, ending_from_record, play_recorded};
use crate::report::player_name;
use crate::sanitize::sanitize;
use crate::ui;
use crate::ui::log::Sitter;
use arbiter_rules::Position;
use arbiter_rules::layout::{Layout, Point};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Packed bytes of the games of a file. Ten thousand games of ordinary bots take a third of that; what bots say of their
/// searches is not limited by anything else.
const MOST_BYTES: usize = 12 << 20;
/// Games that are packed together: enough to compress well, few enough to be unpacked at once.
const BLOCK: usize = 128;
/// Refused answers of a game that are told.
const MOST_ERRORS: usize = 40;

/// The games of one report.
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
    starts: Numbered<String>,
    columns: Columns,
    extras: Vec<Value>,
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
    fn of(&mut self, thing: T) -> u64 {
        if let Some(&number) = self.numbers.get(&thing) {
            return number as u64;
        }
        self.all.push(thing.clone());
        self.numbers.insert(thing, self.all.len() - 1);
        self.all.len() as u64 - 1
    }
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
        // The columns keep nothing of a game that turns out to break the rules; what it named stays in the lists.
        let before = std::mem::take(&mut self.columns);
        let written = self.write(report, game);
        let own = std::mem::replace(&mut self.columns, before);
        let extra = match written {
            Ok(extra) => {
                self.columns.append(&own);
                extra
            }
            Err(problem) => json!({ "problem": sanitize(&problem) }),
        };
        self.extras.push(extra);
        if self.extras.len() == BLOCK {
            self.close();
        }
    }

    fn close(&mut self) {
        let extras = std::mem::take(&mut self.extras);
        if !extras.is_empty() {
            let columns = std::mem::take(&mut self.columns);
            let block = columns.pack(&Value::from(extras).to_string());
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
        let player = |player: &crate::record::schema::Player| {
            json!({
                "name": sanitize(&player.name),
                "kind": if player.kind == PlayerKind::Human { "human" } else { "bot" },
                "move_ms": ms(player.time.move_ns),
                "base_ms": ms(player.time.base_ns),
                "increment_ms": ms(player.time.increment_ns),
            })
        };
        let moves: Vec<Value> = self.moves.all.iter().map(|(text, path)| json!([text, path])).collect();
        let starts: Vec<Value> =
            self.starts.all.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
        let scene = self.start.as_ref().map(|start| scene(&start.0, &start.1));
        let index = json!({
            "file": file,
            "title": title,
            "game": sanitize(&plan.game),
            "seats": plan.seats,
            "max_errors": plan.max_errors,
            "players": plan.players.iter().map(player).collect::<Vec<_>>(),
            "scene": scene,
            "moves": moves,
            "texts": self.texts.all,
            "starts": starts,
            "games": self.rows,
            "left_out": self.left_out,
            "block": BLOCK,
            "ahead": self.most_ahead,
        });
        pack(index.to_string().as_bytes())
    }

    /// Plays a game once more and writes what every move changed; returns what stands in it beside moves.
    fn write(&mut self, report: &MatchReport, game: &GameRecord) -> Result<Value, String> {
        let start = self.start.clone().ok_or("its plan is none that can be played")?;
        let (start, layout) = &*start;
        let mut position = game.start(start)?;
        let mut now = Pile::of(&position, layout);
        let first = self.starts.of(now.json());
        let mut all_scores: Vec<Vec<i64>> = scores(&position).into_iter().collect();
        let mut is_counted = game.eliminations.is_empty() && all_scores.iter().all(|of| counts(of, &now));
        let count = game.seats.len() as u64;
        let (mut ply, mut next_seat) = (0, 0);
        let mut values = vec![0; game.seats.len()];
        let mut recent = Recent::new();
        let mut falls: Vec<(usize, Vec<(u16, u32)>)> = Vec::new();
        for step in game.steps() {
            let (seat, played) = match step {
                Step::Refused(_) => continue,
                Step::Out(out) => {
                    position.eliminate(game.seat(out.seat)?);
                    let pile = Pile::of(&position, layout);
                    self.changes(&now, &pile, out.seat as u8 + 1, &[], layout);
                    now = pile;
                    continue;
                }
                Step::Played(seat, played) => (game.seat(seat)?, played),
            };
            let line = played.search.as_ref().map_or(&[][..], |search| &search.line);
            let ahead = ahead(&position, line, self.most_ahead);
            let (path, chance) = play_recorded(&mut position, played)?;
            let pile = Pile::of(&position, layout);
            let by = match played.by {
                ChosenBy::Player => 0,
                ChosenBy::Opening => 1,
                ChosenBy::Rules => 2,
            };
            let index = seat.index() as u64;
            self.columns.add(Column::Seat, (index + count - next_seat) % count);
            next_seat = (index + 1) % count;
            self.columns.add(Column::By, by);
            let number = self.moves.of((sanitize(&played.played), path.clone()));
            self.columns.add(Column::Move, recent.take(number));
            let charged = played.times().charged();
            self.columns.add_rounded(Column::TimePower, Column::TimeDigits, charged);
            self.said(played, ahead, number, &mut values[seat.index()], &mut recent);
            self.changes(&now, &pile, seat.index() as u8 + 1, &path, layout);
            let note = self.text(ui::prompt(&position));
            self.columns.add(Column::Note, note);
            let scores = scores(&position);
            is_counted &= scores.iter().all(|of| counts(of, &pile));
            all_scores.extend(scores);
            falls.extend((!chance.fallen.is_empty()).then_some((ply, chance.fallen)));
            (now, ply) = (pile, ply + 1);
        }
        self.write_scores(&all_scores, is_counted);
        let sitter = |player| Sitter { name: player_name(report, player), is_person: false, player: None };
        let seats: Vec<Sitter> = game.seats.iter().map(|seat| sitter(seat.player as usize)).collect();
        let ending = ending_from_record(game, &position, &report.plan)?;
        let ending = ui::ended(&ending, &position, &seats);
        Ok(extra(game, first, &ending, position.winning_cells().to_vec(), &falls))
    }

    /// The number of a text, from 1, which lies in the file outside the blocks; 0 for none.
    fn text(&mut self, text: String) -> u64 {
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

    /// What a bot said of its search. `value` is what its seat has said before.
    fn said(
        &mut self,
        played: &PlyRecord,
        ahead: Vec<(String, Vec<u16>)>,
        own: u64,
        value: &mut i64,
        recent: &mut Recent,
    ) {
        let Some(search) = &played.search else { return self.columns.add(Column::Depth, 0) };
        self.columns.add(Column::Depth, u64::from(search.depth) + 1);
        let nodes = Some(search.nodes).filter(|&nodes| nodes > 0);
        self.columns.add_rounded(Column::NodesPower, Column::NodesDigits, nodes);
        let before = std::mem::replace(value, search.score.map_or(*value, steps));
        self.columns.add(Column::Value, search.score.map_or(0, |_| zigzag(*value - before) + 1));
        // Nearly every line is as long as the search was deep, and begins with the move that was played.
        let line: Vec<u64> = ahead.into_iter().map(|step| self.moves.of(step)).collect();
        let begins = line.first() == Some(&own);
        let short = i64::from(search.depth) - search.line.len() as i64;
        self.columns.add(Column::LineLength, 2 * zigzag(short) + u64::from(!begins));
        let told = &line[usize::from(begins)..];
        told.iter().for_each(|&number| self.columns.add(Column::Line, recent.take(number)));
        recent.expect(told.len());
        let text = self.text(sanitize(&search.text));
        self.columns.add(Column::Text, text);
    }

    /// Which cells and boards within the board are other than before: 0 where that is usual, or how many cells and 1.
    fn changes(&mut self, before: &Pile, after: &Pile, mover: u8, path: &[u16], layout: &Layout) {
        let turns = self.start.as_ref().is_some_and(|start| start.0.turns_pieces());
        if usual(before, mover, path, turns, layout) == after.cells {
            self.columns.add(Column::Changes, 0);
        } else {
            let cells = before.cells.iter().zip(&after.cells).enumerate();
            let changed: Vec<_> = cells.filter(|(_, (old, new))| old != new).collect();
            self.columns.add(Column::Changes, changed.len() as u64 + 1);
            for (cell, (_, pile)) in changed {
                self.columns.add(Column::Cell, cell as u64);
                self.columns.add(Column::Pile, pile.len() as u64);
                pile.iter().for_each(|&owner| self.columns.add(Column::Pile, owner.into()));
            }
        }
        if layout.groups.is_empty() {
            return;
        }
        let groups = before.groups.iter().zip(&after.groups).enumerate();
        let changed: Vec<_> = groups.filter(|(_, (old, new))| old != new).collect();
        self.columns.add(Column::Group, changed.len() as u64);
        for (group, (_, &state)) in changed {
            self.columns.add(Column::Group, group as u64);
            self.columns.add(Column::Group, state);
        }
    }

    /// Scores from the start on. Those that count what can be seen on the board are not said.
    fn write_scores(&mut self, all: &[Vec<i64>], is_counted: bool) {
        let kind = match all {
            [] => 0,
            _ if is_counted => 1,
            _ => 2,
        };
        self.columns.add(Column::Score, kind);
        let mut last: &[i64] = &[];
        for scores in all.iter().filter(|_| kind == 2) {
            for (seat, score) in scores.iter().enumerate() {
                self.columns.add(Column::Score, zigzag(score - last.get(seat).unwrap_or(&0)));
            }
            last = scores;
        }
    }
}

/// Whether scores count the pieces of each seat that can be seen.
fn counts(scores: &[i64], pile: &Pile) -> bool {
    let seen = |seat: usize| pile.cells.iter().filter(|cell| cell.last() == Some(&(seat as u8 + 1))).count();
    scores.iter().enumerate().all(|(seat, &score)| score == seen(seat) as i64)
}

/// What lies on the board after most moves: the piece has gone along its path or was put at its end, and where pieces turn
/// over, those have that it encloses. The page expects the same (`usual` in `assets/unpack.js`), so that only other changes
/// need to be said.
fn usual(before: &Pile, mover: u8, path: &[u16], turns: bool, layout: &Layout) -> Vec<Vec<u8>> {
    let mut cells = before.cells.clone();
    let Some(&last) = path.last() else { return cells };
    let last = usize::from(last);
    if path.len() > 1 {
        cells[usize::from(path[0])].pop();
    }
    cells[last].push(mover);
    if !turns {
        return cells;
    }
    let board = &layout.cells;
    let width = board.iter().take_while(|at| at.y == board[0].y).count() as i32;
    let unit = board[1].x - board[0].x;
    for (x, y) in AROUND {
        let mut enclosed = Vec::new();
        let mut cell = last;
        loop {
            let next = (cell as i32 + y * width + x) as usize;
            let beside = Point { x: board[cell].x + x * unit, y: board[cell].y + y * unit };
            let Some(owner) =
                before.cells.get(next).filter(|_| board[next] == beside).and_then(|pile| pile.last())
            else {
                break;
            };
            if *owner == mover {
                enclosed.into_iter().for_each(|turned: usize| cells[turned] = vec![mover]);
                break;
            }
            enclosed.push(next);
            cell = next;
        }
    }
    cells
}

/// Steps to the cells around one.
const AROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

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

/// What is said of a game once: what stands in it beside moves. What is not there is left out.
fn extra(
    game: &GameRecord,
    start: u64,
    ending: &str,
    winning: Vec<u16>,
    falls: &[(usize, Vec<(u16, u32)>)],
) -> Value {
    let error = |error: &crate::record::schema::ErrorRecord| {
        let answer = sanitize(&error.answer);
        json!([error.ply, error.seat, answer, sanitize(&error.reason), sanitize(&error.sentence)])
    };
    let errors: Vec<Value> = game.errors.iter().take(MOST_ERRORS).map(error).collect();
    let said = |fault: &crate::record::schema::FaultRecord| {
        json!({
            "kind": sanitize(&fault.kind),
            "sentence": sanitize(fault.sentence.as_deref().unwrap_or(&fault.kind)),
            "again": fault.again.as_deref().map(sanitize),
        })
    };
    let outs: Vec<Value> =
        game.eliminations.iter().map(|out| json!([out.ply, out.seat, said(&out.fault)])).collect();
    let mut extra = serde_json::Map::new();
    let mut say = |name: &str, value: Value| {
        let is_nothing = value.is_null() || value.as_array().is_some_and(Vec::is_empty) || value == 0_u32;
        if !is_nothing {
            extra.insert(name.to_owned(), value);
        }
    };
    say("start", start.into());
    say("end", ending.into());
    say("errors", errors.into());
    say("outs", outs.into());
    say("fault", game.ending.fault.as_ref().map_or(Value::Null, said));
    say("winning", winning.into());
    say("falls", json!(falls));
    extra.into()
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
