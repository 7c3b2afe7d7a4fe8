//! A match behind a door: what has been told of it, who plays it through pages, and what these touch.

use super::Show;
use super::door::{Door, Host, News, Room};
use super::feed::{self, Feed};
use super::socket::{Act, Said};
use super::token::Rights;
use crate::player::{LONGEST_LINE, Refused, Touch, TurnId};
use crate::ui::After;
use crate::ui::log::What;
use arbiter_rules::Seat;
use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::sync::Notify;

/// The events of one message, in bytes.
const AT_ONCE: usize = 256 << 10;

/// What is played, who may see it, and what has been told of it.
pub(super) struct Playing {
    pub(super) room: Room,
    pub(super) show: Show,
    pub(super) new: Arc<Notify>,
    state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) feed: Feed,
    /// The player who is to move and has no page.
    away: Option<usize>,
    /// What pages are told at the end, once it has come.
    pub(super) end: Option<End>,
    /// Who waits for what is played next.
    asked: Option<Sender<Option<After>>>,
    pub(super) is_over: bool,
}

/// What pages are told at the end of a match.
pub(super) struct End {
    pub(super) sentence: String,
    /// Whether somebody chooses now what is played next.
    pub(super) has_more: bool,
}

impl Playing {
    pub(super) fn new(show: Show, door: Arc<Door>) -> io::Result<Playing> {
        let new = Arc::new(Notify::new());
        let wake = Arc::clone(&new);
        show.log.on_change(move || wake.notify_one());
        let tokens = door.keys.tokens(&show.guests)?;
        Ok(Playing { room: Room::new(door, tokens)?, show, new, state: Mutex::default() })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// The match is over, and this is what pages are told. Whoever may is asked what is played next, if somebody waits for that.
    pub(super) fn is_over(&self, sentence: &str, asked: Option<Sender<Option<After>>>) {
        let mut state = self.state();
        state.end = Some(End { sentence: sentence.to_owned(), has_more: asked.is_some() });
        state.asked = asked.filter(|_| !state.is_over);
        drop(state);
        self.show.log.close();
        self.new.notify_one();
    }

    /// Nothing comes any more from here: pages that connect again find what comes next.
    pub(super) fn make_way(&self) {
        self.state().is_over = true;
        self.new.notify_one();
    }

    /// A page says what is played next, in the words that are typed at a terminal.
    fn choose_next(&self, rights: &Rights, word: &str) -> Result<(), Refused> {
        if !rights.chooses {
            return Err(Refused::not_the_owner());
        }
        let after = After::named(word);
        if after.is_none() && word != "quit" {
            return Err(Refused::stale());
        }
        let asked = self.state().asked.take().ok_or_else(Refused::stale)?;
        // Whoever has asked and listens no more has ended.
        asked.send(after).map_err(|_| Refused::stale())
    }

    fn note(&self, turn: TurnId, sentence: String) {
        self.show.log.append(turn.game, What::Noted(sentence));
    }
}

impl Host for Playing {
    fn room(&self) -> &Room {
        &self.room
    }

    /// What a page needs to know beside the events.
    fn hello(&self, rights: &Rights, from: u64) -> (Value, u64) {
        let show = &self.show;
        // The tokens of those who play each with a link of their own, for the owner to pass on.
        let alone = self.room.tokens.alone().filter(|_| rights.chooses);
        let links: Vec<Value> = alone.map(|(whom, token)| json!({ "whom": whom, "token": token })).collect();
        let hello = json!({
            "hello": self.room.run,
            "from": from,
            "now": show.log.now().as_secs_f64(),
            "plays": rights.players,
            "chooses": rights.chooses,
            "links": links,
            "games": show.games,
            "title": show.title,
            "rules": show.rules,
            "asks_after_pass": show.asks_after_pass,
        });
        (hello, from)
    }

    fn news(&self, _: &Rights, from: u64) -> News {
        let state = self.state();
        let (events, next) = state.feed.from(from, AT_ONCE);
        if events.is_empty() {
            return if state.is_over { News::End } else { News::Nothing };
        }
        drop(state);
        let now = self.show.log.now().as_secs_f64();
        News::Message(format!("{{\"events\":[{}],\"next\":{next},\"now\":{now}}}", events.join(",")), next)
    }

    fn act(&self, rights: &Rights, said: &Said) -> Result<(), Refused> {
        let desk = &self.show.desk;
        let seat = Seat::new(said.seat.into()).ok_or_else(Refused::stale)?;
        let id = TurnId { game: said.game, seat, ply: said.ply };
        let touch = match said.act {
            Act::Hello | Act::Beat => return Ok(()),
            Act::Next => return self.choose_next(rights, &said.text),
            Act::Set | Act::Start => return Err(Refused::stale()),
            Act::Shown => None,
            Act::Pick => Some(Touch::Pick(said.cell)),
            Act::Action => Some(Touch::Act(said.text.clone())),
            Act::Back => Some(Touch::Back),
            Act::Clear => Some(Touch::Clear),
            Act::Finish => Some(Touch::Finish),
            Act::Typed if said.text.len() > LONGEST_LINE => {
                return Err(Refused { code: "too-long", sentence: "No move is that long.".to_owned() });
            }
            Act::Typed => Some(Touch::Typed(said.text.clone())),
            Act::Resign => Some(Touch::Resign),
        };
        let (player, _) = self.state().feed.person(id.game, id.seat).ok_or_else(Refused::stale)?;
        if !rights.players.contains(&player) {
            return Err(Refused::not_your_turn(seat));
        }
        match touch {
            None => desk.shown(id),
            Some(touch) => desk.touch(id, &touch)?,
        }
        Ok(())
    }

    /// Lets the clock of the open turn stand still while no page of whoever is to move is connected, and says so.
    fn look_who_is_there(&self) {
        let Some(turn) = self.show.desk.turn() else { return };
        let mut state = self.state();
        let Some((player, name)) = state.feed.person(turn.id.game, turn.id.seat) else { return };
        let is_there = self.room.pages.borrow().iter().any(|players| players.contains(&player));
        let away = (!is_there).then_some(player);
        let was_away = std::mem::replace(&mut state.away, away);
        drop(state);
        let is_timed = turn.hard.is_some();
        if away.is_some() && away != was_away {
            self.show.desk.away();
            if is_timed {
                self.note(turn.id, format!("No page of {name} is open: the clock stands still."));
            }
        } else if is_there && was_away.is_some() {
            let absence = self.show.desk.back();
            if is_timed && absence.is_some_and(|absence| absence > Duration::from_secs(1)) {
                self.note(turn.id, format!("{name} is there again."));
            }
        }
    }

    fn nobody_answers(&self) {
        let mut state = self.state();
        state.is_over = true;
        state.asked = None;
        drop(state);
        self.show.desk.close();
    }

    async fn end(&self) {
        feed::follow(self).await;
    }
}
