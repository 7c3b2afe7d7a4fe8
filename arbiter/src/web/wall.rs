//! The wall: the reports of a folder, and the journals of what is being played, on a page that renews itself.

use super::door::{Door, file, page};
use super::guard::guard;
use super::token::{Link, Tokens};
use super::{accept, runtime};
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::io;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

/// Where the wall gets what hangs on it.
pub(crate) trait Reports: Send + Sync + 'static {
    /// The cards as JSON, if they are others than those with this number, and their own number.
    fn cards(&self, but: u64) -> Option<(u64, Arc<str>)>;
    /// A report as the contents of a page; it may take its time.
    fn report(&self, number: usize) -> Option<String>;
}

/// A wall that can be looked at for as long as it [runs](Wall::run).
pub(crate) struct Wall {
    door: Door,
    hung: Arc<Hung>,
}

struct Hung {
    reports: Arc<dyn Reports>,
    tokens: Tokens,
    /// Whoever reads a report holds it.
    turn: Arc<Mutex<()>>,
}

impl Wall {
    /// Begins to listen on this port of this machine alone, or on any that is free.
    pub(crate) fn new(reports: Arc<dyn Reports>, port: Option<u16>) -> io::Result<Wall> {
        let door = Door::open(port)?;
        let tokens = door.keys.tokens(&[])?;
        Ok(Wall { door, hung: Arc::new(Hung { reports, tokens, turn: Arc::default() }) })
    }

    /// What people open.
    pub(crate) fn link(&self) -> Link {
        self.hung.tokens.links(self.door.address()).remove(0)
    }

    /// Answers for ever.
    pub(crate) fn run(self) -> io::Result<()> {
        let open = Router::new()
            .route("/", get(|| async { page("wall") }))
            .route("/report/{number}", get(|| async { page("served") }))
            .route("/{name}", get(|Path(name): Path<String>| async move { file(&name) }));
        let closed = Router::new()
            .route("/api/wall/{known}", get(cards))
            .route("/api/report/{number}", get(report))
            .layer(from_fn_with_state(Arc::clone(&self.hung), with_token))
            .with_state(self.hung);
        let listener = self.door.listener()?;
        runtime()?.block_on(accept(listener, open.merge(closed).layer(from_fn(guard))));
        Ok(())
    }
}

/// Answers those alone who name the token of the wall.
async fn with_token(State(hung): State<Arc<Hung>>, request: Request, next: Next) -> Response {
    let said = request.headers().get(AUTHORIZATION).and_then(|said| said.to_str().ok());
    match said.and_then(|said| said.strip_prefix("Bearer ")).and_then(|token| hung.tokens.rights(token)) {
        Some(_) => next.run(request).await,
        None => (StatusCode::UNAUTHORIZED, "Open the link that arbiter has printed.").into_response(),
    }
}

/// The cards, where the page does not have them already.
async fn cards(State(hung): State<Arc<Hung>>, Path(known): Path<u64>) -> Response {
    match hung.reports.cards(known) {
        Some((number, cards)) => {
            let text = format!("{{\"number\":{number},\"cards\":{cards}}}");
            ([(CONTENT_TYPE, "application/json")], text).into_response()
        }
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

async fn report(State(hung): State<Arc<Hung>>, Path(number): Path<usize>) -> Response {
    let reports = Arc::clone(&hung.reports);
    // A large report takes a while to read. Whoever asks for less must not wait for it, and one at a time is work enough.
    let turn = Arc::clone(&hung.turn).lock_owned().await;
    let read = move || {
        let contents = reports.report(number);
        drop(turn);
        contents
    };
    match spawn_blocking(read).await {
        Ok(Some(contents)) => ([(CONTENT_TYPE, "text/html; charset=utf-8")], contents).into_response(),
        _ => (StatusCode::NOT_FOUND, "This report is not there any more.").into_response(),
    }
}
