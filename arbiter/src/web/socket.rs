//! The conversation with one page: events go there from a number on, and what a person touches comes back.

use super::door::{Door, Host};
use super::seats::Presence;
use super::shared::Shared;
use super::token::{Rights, Tokens};
use crate::player::{Desk, LONGEST_LINE, Refused, Touch, TurnId};
use arbiter_rules::Seat;
use axum::extract::ws::{Message, WebSocket};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The events of one message, in bytes.
const AT_ONCE: usize = 256 << 10;
/// Pages say every few seconds that they are there. One that has not for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a page may take to read a message.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a page says.
#[derive(Deserialize)]
pub(super) struct Said {
    /// The number that the answer bears.
    #[serde(default)]
    n: u64,
    pub(super) act: Act,
    #[serde(default)]
    game: u32,
    #[serde(default)]
    seat: u8,
    #[serde(default)]
    ply: u32,
    #[serde(default)]
    cell: u16,
    #[serde(default)]
    pub(super) text: String,
    /// A line of the menu.
    #[serde(default)]
    pub(super) row: String,
    /// Of the match that the page has seen events of, if any.
    #[serde(default)]
    run: String,
    /// The number of the next event that it has not seen.
    #[serde(default)]
    from: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Act {
    /// Begins.
    Hello,
    /// Is still there.
    Beat,
    /// Has the position of a turn on its screen.
    Shown,
    Pick,
    Action,
    Back,
    Clear,
    Finish,
    Typed,
    Resign,
    /// After a match: what is played next.
    Next,
    /// In the menu: writes a line anew.
    Set,
    /// In the menu: plays what has been chosen.
    Start,
}

impl Said {
    /// The answer to it.
    pub(super) fn answered(&self, done: Result<(), Refused>) -> Value {
        match done {
            Ok(()) => json!({ "re": self.n, "ok": true }),
            Err(refused) => {
                json!({ "re": self.n, "ok": false, "code": refused.code, "why": refused.sentence })
            }
        }
    }
}

impl Host for Shared {
    fn door(&self) -> &Door {
        &self.door
    }

    fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    async fn talk(self: Arc<Shared>, socket: WebSocket, rights: Rights) {
        let presence = Presence::new(&self, &rights);
        talk(socket, &self, &rights).await;
        drop(presence);
    }
}

async fn talk(mut socket: WebSocket, shared: &Shared, rights: &Rights) {
    let mut grown = shared.grown.subscribe();
    // Nothing is sent before the page has said what it knows.
    let mut next = None;
    loop {
        let heard = tokio::select! {
            // What a person touched is answered before anything else is told.
            biased;
            heard = hear(&mut socket) => heard,
            changed = grown.changed(), if next.is_some() => {
                let Some(from) = next.filter(|_| changed.is_ok()) else { return };
                match tell(&mut socket, shared, from).await {
                    Some(Told::All(then)) => next = Some(then),
                    Some(Told::End) | None => return,
                }
                continue;
            }
        };
        let Some(said) = heard else { return };
        let answer = match said.act {
            Act::Hello => {
                let from = if said.run == shared.run { said.from } else { 0 };
                next = Some(from);
                grown.mark_changed();
                hello(shared, rights, from)
            }
            _ => said.answered(act(shared, rights, &said)),
        };
        if !send(&mut socket, &answer.to_string()).await {
            return;
        }
    }
}

/// What a page says next. Nothing if it is gone, or says what no page of ours does.
pub(super) async fn hear(socket: &mut WebSocket) -> Option<Said> {
    loop {
        match timeout(SILENCE, socket.recv()).await.ok()??.ok()? {
            Message::Text(text) => return serde_json::from_str(&text).ok(),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Binary(_) | Message::Close(_) => return None,
        }
    }
}

/// How far the events have been told.
enum Told {
    /// Up to this one.
    All(u64),
    /// To their end, for ever.
    End,
}

/// Sends all events from a number on.
async fn tell(socket: &mut WebSocket, shared: &Shared, mut from: u64) -> Option<Told> {
    loop {
        let (events, next, is_over) = {
            let state = shared.state();
            let (events, next) = state.feed.from(from, AT_ONCE);
            (events, next, state.is_over)
        };
        if events.is_empty() {
            return Some(if is_over { Told::End } else { Told::All(next) });
        }
        let now = shared.show.log.now().as_secs_f64();
        let text = format!("{{\"events\":[{}],\"next\":{next},\"now\":{now}}}", events.join(","));
        if !send(socket, &text).await {
            return None;
        }
        from = next;
    }
}

/// Sends a message; whoever does not read it for long is gone.
pub(super) async fn send(socket: &mut WebSocket, text: &str) -> bool {
    matches!(timeout(PATIENCE, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

/// What a page needs to know beside the events.
fn hello(shared: &Shared, rights: &Rights, from: u64) -> Value {
    let show = &shared.show;
    json!({
        "hello": shared.run,
        "from": from,
        "now": show.log.now().as_secs_f64(),
        "plays": rights.players,
        "chooses": rights.chooses,
        "links": if rights.chooses { alone(shared) } else { Vec::new() },
        "games": show.games,
        "title": show.title,
        "rules": show.rules,
        "asks_after_pass": show.asks_after_pass,
    })
}

/// The tokens of those who play each with a link of their own, for the owner to pass on.
fn alone(shared: &Shared) -> Vec<Value> {
    shared.tokens.alone().map(|(whom, token)| json!({ "whom": whom, "token": token })).collect()
}

/// Does what a page says.
fn act(shared: &Shared, rights: &Rights, said: &Said) -> Result<(), Refused> {
    let desk: &Desk = &shared.show.desk;
    let seat = Seat::new(said.seat.into()).ok_or_else(Refused::stale)?;
    let id = TurnId { game: said.game, seat, ply: said.ply };
    let touch = match said.act {
        Act::Hello | Act::Beat => return Ok(()),
        Act::Next => return shared.choose_next(rights, &said.text),
        Act::Set | Act::Start => return Err(Refused::stale()),
        Act::Shown => None,
        Act::Pick if usize::from(said.cell) >= shared.show.start.shape().cells() => {
            return Err(Refused { code: "off-board", sentence: format!("There is no cell {}.", said.cell) });
        }
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
    let player = shared.state().feed.player(id.game, id.seat).ok_or_else(Refused::stale)?;
    if !rights.players.contains(&player) {
        return Err(Refused::not_your_turn(seat));
    }
    match touch {
        None => desk.shown(id),
        Some(touch) => desk.touch(id, &touch)?,
    }
    Ok(())
}
