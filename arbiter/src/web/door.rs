//! Where browsers come in: a port of this machine, and the tokens of those whom it lets in. It stays open while matches begin
//! and end behind it, so that a page need not be opened anew.

use super::guard::{LARGEST_BODY, guard};
use super::socket::{Said, talk};
use super::token::{Keys, Link, Rights, Tokens, random};
use super::{MOST_AT_ONCE, REQUEST_TIMEOUT};
use crate::page::assets;
use crate::player::Refused;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, SEC_WEBSOCKET_PROTOCOL};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use parking_lot::Mutex;
use scopeguard::defer;
use serde_json::Value;
use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

/// The protocol that pages speak. Beside it they name their token: a browser lets them set nothing else.
const PROTOCOL: &str = "arbiter";

const LONGEST_MESSAGE: usize = 64 << 10;

/// A port that answers nobody from other machines.
pub(crate) struct Door {
    listener: TcpListener,
    address: SocketAddr,
    pub(super) keys: Keys,
    /// Places for pages, by their tokens: whoever opens too many keeps nobody out who came by another link.
    places: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl Door {
    /// Opens this port, or any that is free.
    ///
    /// # Errors
    /// A port that is taken, or a machine without a random source.
    pub(crate) fn open(port: Option<u16>) -> io::Result<Door> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Door { listener, address, keys: Keys::new()?, places: Mutex::default() })
    }

    /// What whoever chooses what is played opens, and what others open to watch.
    pub(crate) fn links(&self) -> [Link; 2] {
        let [owner, watch] = self.keys.owner_and_watch();
        [("to choose and to play", owner), ("to watch", watch)]
            .map(|(whom, token)| Link::new(whom, self.address, token))
    }

    /// An address that opens the owner's page once: command lines of browsers can be read by others on this machine.
    pub(crate) fn address_for_once(&self) -> String {
        format!("http://{}/#once={}", self.address, self.keys.code())
    }

    fn place(&self, token: &str) -> Option<OwnedSemaphorePermit> {
        let mut places = self.places.lock();
        let own = places.entry(token.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(MOST_AT_ONCE)));
        Arc::clone(own).try_acquire_owned().ok()
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn listener(&self) -> io::Result<TcpListener> {
        self.listener.try_clone()
    }
}

/// What lies behind a door: a match, or the menu.
pub(super) trait Host: Send + Sync + 'static {
    fn room(&self) -> &Room;
    /// What a page is told that has seen everything before a number, and the number of what it is told next.
    fn hello(&self, rights: &Rights, from: u64) -> (Value, u64);
    /// What comes next for a page.
    fn news(&self, rights: &Rights, from: u64) -> News;
    fn act(&self, rights: &Rights, said: &Said) -> Result<(), Refused>;
    /// A page has come or gone.
    fn look_who_is_there(&self) {}
    /// Pages are answered no more, whatever the reason: whoever waits for them waits in vain.
    fn nobody_answers(&self);
    /// Waits until nothing comes any more.
    fn end(&self) -> impl Future<Output = ()>;
}

pub(super) enum News {
    /// This message; the number is that of what comes after it.
    Message(String, u64),
    Nothing,
    End,
}

/// What every host has: who may come in, and who is there.
pub(super) struct Room {
    pub(super) door: Arc<Door>,
    pub(super) tokens: Tokens,
    /// Tells pages that connect again whether this is still what they have seen.
    pub(super) run: String,
    /// How much there has been for pages.
    pub(super) grown: watch::Sender<u64>,
    /// The players of every page that is connected.
    pub(super) pages: watch::Sender<Vec<Vec<usize>>>,
    /// Whether nobody comes in any more.
    is_shut: watch::Sender<bool>,
}

impl Room {
    pub(super) fn new(door: Arc<Door>, tokens: Tokens) -> io::Result<Room> {
        Ok(Room {
            door,
            tokens,
            run: random()?,
            grown: watch::Sender::default(),
            pages: watch::Sender::default(),
            is_shut: watch::Sender::default(),
        })
    }

    /// Nobody comes in any more: whoever comes is answered by whoever has the door next.
    pub(super) fn shut(&self) {
        self.is_shut.send_replace(true);
    }

    /// Waits until nobody comes in any more. Pages that hear of the end come back at once.
    pub(super) async fn until_shut(&self) {
        let _ = self.is_shut.subscribe().wait_for(|is_shut| *is_shut).await;
    }

    pub(super) async fn nobody_is_left(&self) {
        let _ = self.pages.subscribe().wait_for(Vec::is_empty).await;
    }
}

/// Every address of a match, or of the menu: files of the page are for everybody, everything else for whoever has a token.
pub(super) fn with_pages<H: Host>(host: &Arc<H>) -> Router {
    Router::new()
        .route("/", get(|| async { page("live") }))
        .route("/{name}", get(|Path(name): Path<String>| async move { file(&name) }))
        .route("/api/once", post(once::<H>).layer(from_fn(in_time)))
        .route("/api/page", any(admit::<H>))
        .with_state(Arc::clone(host))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn(guard))
}

pub(super) fn page(entry: &str) -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], assets::page(entry)).into_response()
}

pub(super) fn file(name: &str) -> Response {
    match assets::file(name) {
        Some((kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.").into_response(),
    }
}

/// Waits for the rest of a request no longer than for its head.
async fn in_time(request: Request, next: Next) -> Response {
    match timeout(REQUEST_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => StatusCode::REQUEST_TIMEOUT.into_response(),
    }
}

/// The owner's token, for the code that opens a browser.
async fn once<H: Host>(State(host): State<Arc<H>>, code: String) -> Response {
    match host.room().door.keys.redeem(&code) {
        Some(token) => token.to_owned().into_response(),
        None => (StatusCode::UNAUTHORIZED, "This address has been opened before.").into_response(),
    }
}

/// Lets a page in that has a token, and answers others why they may not come in.
async fn admit<H: Host>(
    State(host): State<Arc<H>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let said = |name| headers.get(name).and_then(|said| said.to_str().ok()).unwrap_or_default();
    let offered = said(SEC_WEBSOCKET_PROTOCOL).split(',').map(str::trim).filter(|word| *word != PROTOCOL);
    // A page whose socket was refused asks without one: only so can it see why.
    let mut offered = offered.chain(said(AUTHORIZATION).strip_prefix("Bearer "));
    let Some((token, rights)) =
        offered.find_map(|token| Some((token, host.room().tokens.rights(token)?.clone())))
    else {
        return (StatusCode::UNAUTHORIZED, "Open the link that arbiter has printed.").into_response();
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.protocols([PROTOCOL]),
        Err(rejection) => return rejection.into_response(),
    };
    let Some(place) = host.room().door.place(token) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.").into_response();
    };
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    upgrade.on_upgrade(|socket| async move {
        let pages = &host.room().pages;
        pages.send_modify(|pages| pages.push(rights.players.clone()));
        host.look_who_is_there();
        defer! {
            pages.send_modify(|pages| {
                let at = pages.iter().position(|players| *players == rights.players);
                if let Some(at) = at {
                    pages.swap_remove(at);
                }
            });
            host.look_who_is_there();
            drop(place);
        }
        talk(socket, &*host, &rights).await;
    })
}
