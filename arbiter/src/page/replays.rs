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
    start: Option<Position>,
    layout: Option<Layout>,
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
        let layout = start.as_ref().map(|start| start.layout());
        Replays { start, layout, most, most_ahead, ..Replays::default() }
    }

    /// Adds a game, or counts it as left out.
    pub(super) fn add(&mut self, report: &MatchReport, game: &GameRecord) {
        if self.rows.len() >= self.most || self.bytes >= MOST_BYTES {
            self.left_out += 1;
            return;
        }
        self.rows.push(row(game));
        let told = match (&self.start, &self.layout) {
            (Some(start), Some(layout)) => Told::of(report, game, start, layout, self.most_ahead),
            _ => Err("its plan is none that can be played".to_owned()),
        };
        let extra = match told {
            Ok(told) => self.write(game, told),
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
        let scene = self.start.as_ref().zip(self.layout.as_ref()).map(|(start, layout)| scene(start, layout));
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

    fn write(&mut self, game: &GameRecord, told: Told) -> Value {
        let layout = self.layout.clone().expect("nothing is told without a board");
        let first = self.starts.of(told.first.json());
        self.write_scores(&told);
        let mut now = told.first;
        let mut plies = told.plies.into_iter().peekable();
        let mut outs = told.outs.into_iter().peekable();
        let mut next_seat = 0;
        let mut values = vec![0; game.seats.len()];
        let mut recent = Recent::new();
        for number in 0..=game.plies.len() {
            while let Some((_, seat, pile)) = outs.next_if(|(ply, ..)| *ply == number) {
                self.changes(&now, &pile, seat as u8 + 1, &[], &layout);
                now = pile;
            }
            let Some(ply) = plies.next() else { continue };
            let count = game.seats.len() as u64;
            let played = &game.plies[number];
            self.columns.add(Column::Seat, (u64::from(ply.seat) + count - next_seat) % count);
            next_seat = (u64::from(ply.seat) + 1) % count;
            let by = match played.by {
                ChosenBy::Player => 0,
                ChosenBy::Opening => 1,
                ChosenBy::Rules => 2,
            };
            self.columns.add(Column::By, by);
            let number = self.moves.of((sanitize(&played.played), ply.path.clone()));
            self.columns.add(Column::Move, recent.take(number));
            let charged = played.times().charged();
            self.columns.add_rounded(Column::TimePower, Column::TimeDigits, charged);
            self.said(played, ply.ahead, number, &mut values[ply.seat as usize], &mut recent);
            self.changes(&now, &ply.pile, ply.seat as u8 + 1, &ply.path, &layout);
            let note = ply.note.map_or(0, |note| self.text(note) + 1);
            self.columns.add(Column::Note, note);
            now = ply.pile;
        }
        extra(game, first, &told.ending, told.winning, &told.falls)
    }

    /// The number of a text, which lies in the file outside the blocks.
    fn text(&mut self, text: String) -> u64 {
        let (known, length) = (self.texts.all.len(), text.len());
        let number = self.texts.of(text);
        if self.texts.all.len() > known {
            self.bytes += length;
        }
        number
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
        let text = sanitize(&search.text);
        let text = if text.is_empty() { 0 } else { self.text(text) + 1 };
        self.columns.add(Column::Text, text);
    }

    /// Which cells and boards within the board are other than before: 0 where that is usual, or how many cells and 1.
    fn changes(&mut self, before: &Pile, after: &Pile, mover: u8, path: &[u16], layout: &Layout) {
        let turns = self.start.as_ref().is_some_and(|start| start.turns_pieces());
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

    /// Scores that count what can be seen on the board are not said.
    fn write_scores(&mut self, told: &Told) {
        let counted = |scores: &Vec<i64>, pile: &Pile| {
            let owned = |seat: usize| {
                pile.cells.iter().filter(|cell| cell.last() == Some(&(seat as u8 + 1))).count() as i64
            };
            scores.iter().enumerate().all(|(seat, &score)| score == owned(seat))
        };
        let Some(first) = &told.scores else { return self.columns.add(Column::Score, 0) };
        let is_counted = counted(first, &told.first)
            && told.outs.is_empty()
            && told.plies.iter().all(|ply| counted(&ply.scores, &ply.pile));
        self.columns.add(Column::Score, if is_counted { 1 } else { 2 });
        if is_counted {
            return;
        }
        let mut last = vec![0; first.len()];
        for scores in std::iter::once(first).chain(told.plies.iter().map(|ply| &ply.scores)) {
            for (last, score) in last.iter_mut().zip(scores) {
                self.columns.add(Column::Score, zigzag(score - *last));
                *last = *score;
            }
        }
    }
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

/// A game that has been followed.
#[derive(Default)]
struct Told {
    first: Pile,
    scores: Option<Vec<i64>>,
    plies: Vec<ToldPly>,
    /// Seats that were taken out: after how many plies, and what is left on the board.
    outs: Vec<(usize, u32, Pile)>,
    falls: Vec<(usize, Vec<(u16, u32)>)>,
    ending: String,
    winning: Vec<u16>,
}

struct ToldPly {
    seat: u32,
    path: Vec<u16>,
    pile: Pile,
    scores: Vec<i64>,
    note: Option<String>,
    ahead: Vec<(String, Vec<u16>)>,
}

impl Told {
    fn of(
        report: &MatchReport,
        game: &GameRecord,
        start: &Position,
        layout: &Layout,
        most_ahead: usize,
    ) -> Result<Told, String> {
        let mut position = game.start(start)?;
        let (first, scores) = (Pile::of(&position, layout), scores(&position));
        let mut told = Told { first, scores, ..Told::default() };
        for step in game.steps() {
            match step {
                Step::Refused(_) => {}
                Step::Out(out) => {
                    position.eliminate(game.seat(out.seat)?);
                    told.outs.push((told.plies.len(), out.seat, Pile::of(&position, layout)));
                }
                Step::Played(seat, played) => {
                    game.seat(seat)?;
                    told.play(&mut position, seat, played, layout, most_ahead)?;
                }
            }
        }
        let name = |player: u32| player_name(report, player as usize);
        let sitter = |player| Sitter { name: name(player), is_person: false, player: None };
        let seats: Vec<Sitter> = game.seats.iter().map(|seat| sitter(seat.player)).collect();
        let ending = ending_from_record(game, &position, &report.plan)?;
        told.ending = ui::ended(&ending, &position, &seats);
        told.winning = position.winning_cells().to_vec();
        Ok(told)
    }

    fn play(
        &mut self,
        position: &mut Position,
        seat: u32,
        played: &PlyRecord,
        layout: &Layout,
        most_ahead: usize,
    ) -> Result<(), String> {
        let line = played.search.as_ref().map_or(&[][..], |search| &search.line);
        let ahead = ahead(position, line, most_ahead);
        let (path, chance) = play_recorded(position, played)?;
        if !chance.fallen.is_empty() {
            self.falls.push((self.plies.len(), chance.fallen));
        }
        let note = ui::prompt(position);
        self.plies.push(ToldPly {
            seat,
            path,
            pile: Pile::of(position, layout),
            scores: scores(position).unwrap_or_default(),
            note: Some(note).filter(|note| !note.is_empty()),
            ahead,
        });
        Ok(())
    }
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
        let start = start(&report);
        let told = Told::of(&report, &report.games[0], &start, &start.layout(), MOST_AHEAD);
        let problem = told.err().unwrap();
        assert!(problem.starts_with("move 6, a1: "), "{problem}");
    }
}
