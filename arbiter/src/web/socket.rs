//! The conversation with one page: news go there from a number on, and what a person touches comes back.

use super::door::{Host, News};
use super::token::Rights;
use crate::player::Refused;
use axum::extract::ws::{Message, WebSocket};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// Pages say every few seconds that they are there. One that has not for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a page may take to read a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// What a page says.
#[derive(Deserialize)]
pub(super) struct Said {
    /// The number that the answer bears.
    #[serde(default)]
    n: u64,
    pub(super) act: Act,
    #[serde(default)]
    pub(super) game: u32,
    #[serde(default)]
    pub(super) seat: u8,
    #[serde(default)]
    pub(super) ply: u32,
    #[serde(default)]
    pub(super) cell: u16,
    #[serde(default)]
    pub(super) text: String,
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
    Hello,
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
    fn answered(&self, done: Result<(), Refused>) -> Value {
        match done {
            Ok(()) => json!({ "re": self.n, "ok": true }),
            Err(refused) => {
                json!({ "re": self.n, "ok": false, "code": refused.code, "why": refused.sentence })
            }
        }
    }
}

/// Talks with a page until it leaves or nothing comes any more.
pub(super) async fn talk<H: Host>(mut socket: WebSocket, host: &H, rights: &Rights) {
    let mut grown = host.room().grown.subscribe();
    // Nothing is sent before the page has said what it knows.
    let mut next = None;
    loop {
        let heard = tokio::select! {
            // What a person touched is answered before anything else is told.
            biased;
            heard = hear(&mut socket) => heard,
            changed = grown.changed(), if next.is_some() => {
                let Some(from) = next.filter(|_| changed.is_ok()) else { return };
                next = tell(&mut socket, host, rights, from).await;
                if next.is_none() {
                    return;
                }
                continue;
            }
        };
        let Some(said) = heard else { return };
        let answer = match said.act {
            Act::Hello => {
                let from = if said.run == host.room().run { said.from } else { 0 };
                let (hello, from) = host.hello(rights, from);
                next = Some(from);
                grown.mark_changed();
                hello
            }
            _ => said.answered(host.act(rights, &said)),
        };
        if !send(&mut socket, &answer.to_string()).await {
            return;
        }
    }
}

/// What a page says next. Nothing if it is gone, or says what no page of ours does.
async fn hear(socket: &mut WebSocket) -> Option<Said> {
    loop {
        match timeout(SILENCE, socket.recv()).await.ok()??.ok()? {
            Message::Text(text) => return serde_json::from_str(&text).ok(),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Binary(_) | Message::Close(_) => return None,
        }
    }
}

/// Sends all that there is from a number on, and says up to where that was; nothing where there is an end of it.
async fn tell<H: Host>(socket: &mut WebSocket, host: &H, rights: &Rights, mut from: u64) -> Option<u64> {
    loop {
        let (text, next) = match host.news(rights, from) {
            News::Message(text, next) => (text, next),
            News::Nothing => return Some(from),
            News::End => {
                host.room().until_shut().await;
                return None;
            }
        };
        if !send(socket, &text).await {
            return None;
        }
        from = next;
    }
}

/// Sends a message; whoever does not read it for long is gone.
async fn send(socket: &mut WebSocket, text: &str) -> bool {
    matches!(timeout(SEND_TIMEOUT, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}
