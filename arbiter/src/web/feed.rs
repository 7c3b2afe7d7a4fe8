//! The log as events for pages: the same events that saved games become (`assets/story.js` reads both), and beside them
//! whose turn it is, and what can be touched.

use super::door::Host;
use super::playing::{End, Playing};
use crate::page::scene::{MOST_AHEAD, Pile, ahead, scene, scores};
use crate::player::OpenTurn;
use crate::sanitize::sanitize;
use crate::ui::log::{Allowance, Entry, Moved, Next, Sitter, What};
use crate::ui::preview::preview;
use crate::ui::{drafted, ended, prompt};
use crate::verdict::{BotReport, ChosenBy, Ending, Fault};
use arbiter_rules::layout::Layout;
use arbiter_rules::{Position, Seat};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// Bytes of events that are kept for pages that come later.
const KEPT: usize = 64 << 20;
/// How long new events of games between bots are gathered: nobody looks that fast. People do not wait for a picture.
const PAUSE: Duration = Duration::from_millis(33);

#[derive(Default)]
pub(super) struct Feed {
    /// The next entry of the log.
    next: u64,
    games: HashMap<u32, Game>,
    events: VecDeque<Arc<str>>,
    bytes: usize,
    /// The number of the oldest event that is kept.
    oldest: u64,
    /// Which games between bots are followed.
    allowance: Allowance,
}

pub(super) struct Game {
    layout: Layout,
    pile: Pile,
    position: Arc<Position>,
    seats: Arc<[Sitter]>,
}

pub(super) async fn follow(playing: &Playing) {
    loop {
        let is_over = read(playing);
        playing.look_who_is_there();
        let end = playing.state().feed.end();
        playing.room.grown.send_replace(end);
        if is_over {
            return;
        }
        playing.new.notified().await;
        if playing.show.guests.is_empty() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Reads what is new; says whether nothing will come any more. The end is told once somebody has said what pages are told
/// of it; where they are asked what is played next, it is told again when that has been decided.
fn read(playing: &Playing) -> bool {
    let mut state = playing.state();
    loop {
        match playing.show.log.at(state.feed.next) {
            Next::Entry(entry) => state.feed.hear(&entry),
            Next::Nothing => return false,
            Next::End => break,
        }
    }
    if let Some(End { sentence, has_more }) = state.end.take() {
        let now = playing.show.log.now().as_secs_f64();
        state.feed.add(&json!({ "ev": "over", "t": now, "text": sentence, "more": has_more }));
        state.is_over = !has_more;
    }
    state.is_over
}

impl Feed {
    /// The number that the next event gets.
    pub(super) fn end(&self) -> u64 {
        self.oldest + self.events.len() as u64
    }

    /// The events from a number on, as long as their texts are no longer than this in all, and the number of the next one.
    pub(super) fn from(&self, number: u64, most: usize) -> (Vec<Arc<str>>, u64) {
        let number = number.max(self.oldest);
        let mut length = 0;
        let some = self.events.iter().skip((number - self.oldest) as usize).take_while(|event| {
            let is_first = length == 0;
            length += event.len();
            is_first || length <= most
        });
        let some: Vec<_> = some.cloned().collect();
        let next = number + some.len() as u64;
        (some, next)
    }

    /// The number of the player in a seat of a game, and the name.
    pub(super) fn person(&self, game: u32, seat: Seat) -> Option<(usize, String)> {
        let sitter = self.games.get(&game)?.seats.get(seat.index())?;
        Some((sitter.player?, sitter.name.clone()))
    }

    fn add(&mut self, event: &Value) {
        let event: Arc<str> = event.to_string().into();
        self.bytes += event.len();
        self.events.push_back(event);
        while self.bytes > KEPT
            && let Some(oldest) = self.events.pop_front()
        {
            self.bytes -= oldest.len();
            self.oldest += 1;
        }
    }

    fn hear(&mut self, entry: &Entry) {
        self.next = entry.id + 1;
        if let What::Started { seats, max_errors, position } = &entry.what {
            if seats.iter().all(|sitter| !sitter.is_person) && !self.allowance.takes() {
                return;
            }
            let game = Game::new(position, seats);
            let event = game.started(entry.game, *max_errors);
            self.games.insert(entry.game, game);
            self.say(entry, event);
            return;
        }
        let Some(game) = self.games.get_mut(&entry.game) else { return };
        let event = game.told(&entry.what);
        if matches!(entry.what, What::Ended { .. }) {
            self.games.remove(&entry.game);
        }
        self.say(entry, event);
    }

    fn say(&mut self, entry: &Entry, mut event: Value) {
        event["t"] = json!(entry.at.as_secs_f64());
        event["game"] = json!(entry.game);
        self.add(&event);
    }
}

impl Game {
    pub(super) fn new(position: &Arc<Position>, seats: &Arc<[Sitter]>) -> Game {
        let layout = position.layout();
        let pile = Pile::of(position, &layout);
        Game { pile, layout, position: Arc::clone(position), seats: Arc::clone(seats) }
    }

    pub(super) fn started(&self, number: u32, max_errors: u32) -> Value {
        let seat = |sitter: &Sitter| {
            json!({
                "name": sitter.name,
                "kind": if sitter.is_person { "human" } else { "bot" },
                "player": sitter.player,
                "move_ms": null,
                "base_ms": null,
                "increment_ms": null,
            })
        };
        json!({
            "ev": "start",
            "game": number,
            "round": 0,
            "max_errors": max_errors,
            "scene": scene(&self.position, &self.layout),
            "piles": self.pile.cells,
            "groups": self.pile.groups,
            "seats": self.seats.iter().map(seat).collect::<Vec<_>>(),
            "score": scores(&self.position),
            "note": prompt(&self.position),
        })
    }

    fn told(&mut self, what: &What) -> Value {
        match what {
            What::Started { .. } => Value::Null,
            What::Asked { seat, ply, attempt, clocks } => json!({
                "ev": "turn",
                "seat": seat.index(),
                "ply": ply,
                "attempt": attempt,
                "clocks": clocks.iter().map(|left| left.map(ms)).collect::<Vec<_>>(),
            }),
            What::Drafted(turn) => self.drafted(turn),
            What::Moved(moved) => self.moved(moved),
            What::Refused { seat, ply, fault, .. } => {
                let illegal = fault.illegal_move();
                json!({
                    "ev": "refused",
                    "seat": seat.index(),
                    "ply": ply,
                    "answer": illegal.map_or_else(String::new, |(answer, _)| sanitize(answer)),
                    "code": illegal.map_or(fault.code(), |(_, why)| why.reason.code()),
                    "sentence": sanitize(&illegal.map_or_else(|| fault.sentence(), |(_, why)| why.sentence.clone())),
                })
            }
            What::Out { seat, fault, position, .. } => {
                let mut event = self.changed(position);
                event["ev"] = json!("out");
                event["seat"] = json!(seat.index());
                event["fault"] = told(fault);
                event
            }
            What::TakenBack { seat, plies, position } => {
                // A page goes back to the picture that it had then.
                self.changed(position);
                json!({ "ev": "back", "seat": seat.index(), "plies": plies })
            }
            What::Ended { ending, position, .. } => {
                let (loser, fault) = match ending {
                    Ending::Forfeit { seat, fault, .. } => (Some(seat.index()), Some(told(fault))),
                    _ => (None, None),
                };
                json!({
                    "ev": "end",
                    "sentence": ended(ending, position, &self.seats, None),
                    "ranks": ending.outcome().map_or_else(Vec::new, |outcome| outcome.ranks().to_vec()),
                    "loser": loser,
                    "fault": fault,
                    "winning": position.winning_cells(),
                })
            }
            What::Noted(text) => json!({ "ev": "note", "text": text }),
        }
    }

    /// What lies otherwise than before.
    fn changed(&mut self, position: &Arc<Position>) -> Value {
        let (cells, groups) = self.pile.changed_to(Pile::of(position, &self.layout));
        self.position = Arc::clone(position);
        let cell = |(cell, pile)| json!({ "cell": cell, "pile": pile });
        let group = |(group, state)| json!({ "group": group, "state": state });
        let cells: Vec<Value> = cells.into_iter().map(cell).collect();
        json!({ "changes": cells, "groups": groups.into_iter().map(group).collect::<Vec<_>>() })
    }

    fn moved(&mut self, moved: &Moved) -> Value {
        let before = Arc::clone(&self.position);
        let mut event = self.changed(&moved.position);
        let (by, ev) = match moved.by {
            ChosenBy::Player => (0, "move"),
            ChosenBy::Opening => (1, "move"),
            ChosenBy::Rules => (2, "pass"),
        };
        event["ev"] = json!(ev);
        event["seat"] = json!(moved.seat.index());
        event["by"] = json!(by);
        event["move"] = json!({ "text": sanitize(&moved.text), "path": moved.path });
        event["ms"] = if moved.by == ChosenBy::Player { json!(ms(moved.spent.charged)) } else { Value::Null };
        event["search"] = moved.report.as_ref().map_or(Value::Null, |report| searched(&before, report));
        event["score"] = json!(scores(&moved.position));
        event["note"] = json!(prompt(&moved.position));
        event["fallen"] = json!(moved.chance.fallen);
        event
    }

    fn drafted(&self, turn: &OpenTurn) -> Value {
        // Where pieces turn over, a page shows which, before the move is made.
        let turned =
            |&cell: &u16| (cell.to_string(), json!(preview(&self.position, &turn.draft, cell).turned));
        let targets = turn.view.targets.iter().filter(|_| self.position.turns_pieces());
        // Other cells may mean one of them: all of a column, where pieces fall.
        let cells =
            (0..self.position.shape().cells() as u16).filter(|cell| !turn.view.targets.contains(cell));
        let land =
            |cell: u16| Some((cell.to_string(), json!(preview(&self.position, &turn.draft, cell).landing?)));
        let mut event = drafted(turn);
        event["turns"] = targets.map(turned).collect();
        event["lands"] = cells.filter_map(land).collect();
        event["may_take_back"] = json!(turn.may_take_back);
        event["hard"] = json!(turn.hard.map(ms));
        event["gone"] = json!(turn.hard.and(turn.gone()).map(ms));
        event["is_stopped"] = json!(turn.stopped_at.is_some());
        event
    }
}

fn searched(before: &Position, report: &BotReport) -> Value {
    let line = ahead(before, &report.line, MOST_AHEAD).into_iter();
    json!({
        "depth": report.depth,
        "nodes": Some(report.nodes).filter(|&nodes| nodes > 0),
        "value": report.score,
        "line": line.map(|(text, path)| json!({ "text": text, "path": path })).collect::<Vec<_>>(),
        "more": report.line.len().saturating_sub(MOST_AHEAD),
        "text": sanitize(&report.text),
    })
}

fn told(fault: &Fault) -> Value {
    json!({ "kind": fault.code(), "sentence": sanitize(&fault.sentence()), "again": null })
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
