//! The conversation with one page: events go there from a number on, and what a person touches comes back.

use super::seats::Presence;
use super::shared::Shared;
use super::token::Rights;
use crate::player::{Desk, LONGEST_LINE, Refused, Touch, TurnId};
use arbiter_rules::Seat;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::header::SEC_WEBSOCKET_PROTOCOL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The protocol that pages speak. Beside it they name their token: a browser lets them set nothing else.
const PROTOCOL: &str = "arbiter";
/// The longest message of a page.
const LONGEST_MESSAGE: usize = 64 << 10;
/// The events of one message, in bytes.
const AT_ONCE: usize = 256 << 10;
/// Pages say every few seconds that they are there. One that has not for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a page may take to read a message.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a page says.
#[derive(Deserialize)]
struct Said {
    /// The number that the answer bears.
    #[serde(default)]
    n: u64,
    act: Act,
    #[serde(default)]
    game: u32,
    #[serde(default)]
    seat: u8,
    #[serde(default)]
    ply: u32,
    #[serde(default)]
    cell: u16,
    #[serde(default)]
    text: String,
    /// Of the match that the page has seen events of, if any.
    #[serde(default)]
    run: String,
    /// The number of the next event that it has not seen.
    #[serde(default)]
    from: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Act {
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
}

/// Opens a socket for whoever has a token.
pub(super) async fn connect(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let offered =
        headers.get(SEC_WEBSOCKET_PROTOCOL).and_then(|offered| offered.to_str().ok()).unwrap_or_default();
    let mut tokens = offered.split(',').map(str::trim).filter(|word| *word != PROTOCOL);
    let Some(rights) = tokens.find_map(|token| shared.tokens.rights(token)).cloned() else {
        return (StatusCode::UNAUTHORIZED, "Open the link that arbiter has printed.").into_response();
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.").into_response();
    };
    upgrade
        .protocols([PROTOCOL])
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(move |socket| async move {
            let presence = Presence::new(&shared, &rights);
            talk(socket, &shared, &rights).await;
            drop((presence, place));
        })
}

/// Talks with a page until one of both goes.
async fn talk(mut socket: WebSocket, shared: &Shared, rights: &Rights) {
    let mut grown = shared.grown.subscribe();
    // Nothing is sent before the page has said what it knows.
    let mut next = None;
    loop {
        let heard = tokio::select! {
            // What a person touched is answered before anything else is told.
            biased;
            heard = timeout(SILENCE, socket.recv()) => heard,
            changed = grown.changed(), if next.is_some() => {
                let Some(from) = next.filter(|_| changed.is_ok()) else { return };
                match tell(&mut socket, shared, from).await {
                    Some(Told::All(then)) => next = Some(then),
                    Some(Told::End) | None => return,
                }
                continue;
            }
        };
        let Ok(Some(Ok(message))) = heard else { return };
        let said: Said = match message {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(said) => said,
                Err(_) => return,
            },
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Binary(_) | Message::Close(_) => return,
        };
        let answer = match said.act {
            Act::Hello => {
                let from = if said.run == shared.run { said.from } else { 0 };
                next = Some(from);
                grown.mark_changed();
                hello(shared, rights, from)
            }
            _ => answer(shared, rights, &said),
        };
        if !send(&mut socket, &answer.to_string()).await {
            return;
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
async fn send(socket: &mut WebSocket, text: &str) -> bool {
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
        "games": show.games,
        "title": show.title,
        "rules": show.rules,
        "asks_after_pass": show.asks_after_pass,
    })
}

/// Does what a page says.
fn answer(shared: &Shared, rights: &Rights, said: &Said) -> Value {
    match act(shared, rights, said) {
        Ok(()) => json!({ "re": said.n, "ok": true }),
        Err(refused) => json!({ "re": said.n, "ok": false, "code": refused.code, "why": refused.sentence }),
    }
}

fn act(shared: &Shared, rights: &Rights, said: &Said) -> Result<(), Refused> {
    let desk: &Desk = &shared.show.desk;
    let seat = Seat::new(said.seat.into()).ok_or_else(Refused::stale)?;
    let id = TurnId { game: said.game, seat, ply: said.ply };
    let touch = match said.act {
        Act::Hello | Act::Beat => return Ok(()),
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
        Some(touch) => drop(desk.touch(id, &touch)?),
    }
    Ok(())
}
