//! A report or journal as it hangs on the wall: who leads, what went wrong last, and the last games to look at.

use super::overview;
use super::replays::Replays;
use super::scene::MOST_AHEAD;
use crate::record::schema::{GameRecord, MatchReport};
use crate::report::{Circumstances, Standings, Tally, player_name, points};
use crate::sanitize::sanitize;
use arbiter_rules::Position;
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Games that are shown move by move, and faults that are told.
const GAMES: usize = 3;
const FAULTS: usize = 3;
/// Players whose places are told.
const PLAYERS: usize = 12;

/// A card that is being written, game by game.
pub(crate) struct Card {
    start: Option<Position>,
    tally: Tally,
    /// Faults that lost a game or a seat.
    all_faults: u64,
    last: VecDeque<GameRecord>,
    faults: VecDeque<Value>,
}

impl Card {
    /// A report without games yet. `start` is where its games start from, if its plan makes sense.
    pub(crate) fn new(frame: &MatchReport, start: Option<Position>) -> Card {
        let tally = Tally::under(&frame.plan);
        Card { start, tally, all_faults: 0, last: VecDeque::new(), faults: VecDeque::new() }
    }

    pub(crate) fn games(&mut self, frame: &MatchReport, games: &[GameRecord]) {
        for game in games {
            self.tally.add(game);
            self.all_faults += game.faults().count() as u64;
            self.fault(frame, game);
        }
        self.last.extend(games[games.len().saturating_sub(GAMES)..].iter().cloned());
        self.last.drain(..self.last.len().saturating_sub(GAMES));
    }

    fn fault(&mut self, frame: &MatchReport, game: &GameRecord) {
        let Some((seat, fault)) = game.lost_by() else { return };
        let player = game.seats.get(seat as usize).map_or(0, |seat| seat.player as usize);
        let (name, sentence) =
            (player_name(frame, player), sanitize(fault.sentence.as_deref().unwrap_or(&fault.kind)));
        // A bot that cannot be loaded would have all the room for faults to itself.
        self.faults.retain(|told| told["player"] != name || told["sentence"] != sentence);
        self.faults.push_back(json!({ "game": game.number, "player": name, "sentence": sentence }));
        if self.faults.len() > FAULTS {
            self.faults.pop_front();
        }
    }

    /// The card with the games that have been added. `report` is what the file says besides, and `file` its name. `anchor`
    /// is a player whose rating is known.
    pub(crate) fn hang(
        self,
        report: &MatchReport,
        circumstances: Circumstances,
        anchor: Option<(usize, f64)>,
        file: &str,
    ) -> Value {
        let standings = Standings::new(&self.tally, circumstances).anchored(anchor);
        let game =
            self.start.as_ref().map_or(report.plan.game.clone(), |start| start.info().title.to_owned());
        let title = overview::title(report, &game);
        let lines: Vec<Value> = (standings.lines.iter().take(PLAYERS))
            .map(|line| {
                let totals = &self.tally.totals()[line.player];
                json!({
                    "place": line.place,
                    "name": player_name(report, line.player),
                    "points": points(line.points),
                    "percent": format!("{:.1}", line.percent),
                    "rating": line.rating,
                    "low": line.interval.map(|interval| interval.low),
                    "high": line.interval.map(|interval| interval.high),
                    "games": totals.games,
                    "faults": totals.faults(),
                })
            })
            .collect();
        let mut replays = Replays::new(self.start, GAMES, MOST_AHEAD);
        self.last.iter().for_each(|game| replays.add(report, game));
        let (index, blocks) = replays.packed(report, file, &title);
        json!({
            "file": file,
            "title": title,
            "summary": overview::summary(report, &standings, self.all_faults),
            "ended": report.games_ended,
            "asked": report.games_asked,
            "players": report.plan.players.len(),
            "standings": lines,
            "faults": self.faults.iter().rev().collect::<Vec<_>>(),
            "index": index,
            "blocks": blocks,
        })
    }
}

/// A game that is still being played, for the card of its report: how far it is, and what its board shows.
pub(crate) fn live(frame: &MatchReport, start: Option<Position>, game: &GameRecord) -> Value {
    let mut replays = Replays::new(start, 1, MOST_AHEAD);
    replays.add(frame, game);
    let (index, blocks) = replays.packed(frame, "", "");
    json!({
        "game": game.number,
        "plies": game.plies.len(),
        "index": index,
        "blocks": blocks,
    })
}
