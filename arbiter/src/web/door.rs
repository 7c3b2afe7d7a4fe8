//! Where browsers come in: a port of this machine, and the tokens of those whom it lets in. It stays open while matches begin
//! and end behind it, so that a page need not be opened anew.

use super::MOST_AT_ONCE;
use super::token::{Keys, Link, Rights, Tokens};
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::http::header::SEC_WEBSOCKET_PROTOCOL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The protocol that pages speak. Beside it they name their token: a browser lets them set nothing else.
const PROTOCOL: &str = "arbiter";

/// The longest message of a page.
const LONGEST_MESSAGE: usize = 64 << 10;

/// A port that answers nobody from other machines.
pub struct Door {
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
    pub fn open(port: Option<u16>) -> io::Result<Door> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Door { listener, address, keys: Keys::new()?, places: Mutex::default() })
    }

    /// What whoever chooses what is played opens, and what others open to watch.
    #[must_use]
    pub fn links(&self) -> [Link; 2] {
        let [owner, watch] = self.keys.owner_and_watch();
        [("to choose and to play", owner), ("to watch", watch)]
            .map(|(whom, token)| Link::new(whom, self.address, token))
    }

    /// An address that opens the owner's page once: command lines of browsers can be read by others on this machine.
    #[must_use]
    pub fn address_for_once(&self) -> String {
        format!("http://{}/#once={}", self.address, self.keys.code())
    }

    /// A place for a page with this token, if there is one.
    fn place(&self, token: &str) -> Option<OwnedSemaphorePermit> {
        let mut places = self.places.lock().expect("nobody panics with the places");
        let own = places.entry(token.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(MOST_AT_ONCE)));
        Arc::clone(own).try_acquire_owned().ok()
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What accepts connections.
    pub(super) fn listener(&self) -> io::Result<TcpListener> {
        self.listener.try_clone()
    }
}

/// What lies behind a door: who may come in, and how one talks with them.
pub(super) trait Host: Send + Sync + 'static {
    fn door(&self) -> &Door;
    fn tokens(&self) -> &Tokens;
    /// Talks with a page until one of both goes.
    fn talk(self: Arc<Self>, socket: WebSocket, rights: Rights) -> impl Future<Output = ()> + Send;
}

/// Lets a page in that has a token, and answers others why they may not come in.
pub(super) async fn admit<H: Host>(
    State(host): State<Arc<H>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let offered =
        headers.get(SEC_WEBSOCKET_PROTOCOL).and_then(|offered| offered.to_str().ok()).unwrap_or_default();
    let mut offered = offered.split(',').map(str::trim).filter(|word| *word != PROTOCOL);
    let Some((token, rights)) = offered.find_map(|token| Some((token, host.tokens().rights(token)?.clone())))
    else {
        return (StatusCode::UNAUTHORIZED, "Open the link that arbiter has printed.").into_response();
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.protocols([PROTOCOL]),
        Err(rejection) => return rejection.into_response(),
    };
    let Some(place) = host.door().place(token) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.").into_response();
    };
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    upgrade.on_upgrade(|socket| async move {
        host.talk(socket, rights).await;
        drop(place);
    })
}
