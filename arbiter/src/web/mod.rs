//! Pages for browsers on this machine: a match that people play and watch, and a wall of reports.
//!
//! One thread answers requests. It reads the log at its own pace, and passes what people touch on to the desk, as the
//! screen of a terminal does; it decides nothing. `guard.rs` says who is answered at all.

mod answers;
mod feed;
mod guard;
mod seats;
mod shared;
mod socket;
mod token;
mod wall;

pub use seats::Guest;
pub use token::Link;
pub use wall::{Reports, Wall};

use crate::player::Desk;
use crate::ui::log::Log;
use arbiter_rules::Position;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use shared::Shared;
use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// Connections for requests at the same time, and pages that stay connected.
const MOST_AT_ONCE: usize = 64;
/// The time for the head of a request, and for its answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a connection for requests stays open.
const LONGEST: Duration = Duration::from_secs(60);
/// The largest head of a request.
const LARGEST_HEAD: usize = 16 << 10;
/// How long pages have to hear the end.
const FAREWELL: Duration = Duration::from_secs(2);

/// What is played, for those who look at it.
pub struct Show {
    /// Everything that happens.
    pub log: Arc<Log>,
    /// Where people play through pages.
    pub desk: Arc<Desk>,
    /// Who plays through pages.
    pub guests: Vec<Guest>,
    /// Where games start.
    pub start: Position,
    /// How many games there can be.
    pub games: u32,
    /// What it is called until the first game begins.
    pub title: String,
    /// The rules of the games, where they all have the same.
    pub rules: String,
    /// Whether a pass waits until somebody goes on.
    pub asks_after_pass: bool,
}

/// The thread that answers, until this is dropped.
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Server {
    /// Begins to answer on this port of this machine alone, or on any that is free.
    ///
    /// # Errors
    /// A port that is taken, or a machine without a random source.
    pub fn start(show: Show, port: Option<u16>) -> io::Result<Server> {
        let (listener, address, runtime) = listen(port)?;
        let shared = Arc::new(Shared::new(show)?);
        let own = Arc::clone(&shared);
        let run = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, answers::router(&own)) => {}
                    () = feed::follow(&own) => {
                        // Pages that are slow to read hear of the end, but nobody waits for them for long.
                        let _ = timeout(FAREWELL, own.nobody_is_left()).await;
                    }
                }
            });
        };
        let thread = std::thread::Builder::new().name("pages".to_owned()).spawn(run)?;
        Ok(Server { shared, address, thread: Mutex::new(Some(thread)) })
    }

    /// What people open: the host's link first, one for each guest where there are several, and one to watch.
    #[must_use]
    pub fn links(&self) -> Vec<Link> {
        self.shared.tokens.links(self.address)
    }

    /// An address that opens the host's page once: command lines of browsers can be read by others on this machine.
    #[must_use]
    pub fn address_for_once(&self) -> String {
        self.shared.tokens.address_for_once(self.address)
    }

    /// Tells pages the end in a sentence, such as where the games are saved, and answers nobody any more.
    pub fn finish(&self, sentence: &str) {
        self.shared.end(sentence);
        if let Some(thread) = self.thread.lock().expect("nobody panics with the thread").take() {
            // A panic in there has been told, and has changed no result.
            drop(thread.join());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.finish("The match was broken off.");
    }
}

/// A port of this machine that nobody else can reach, and what answers there in one thread.
fn listen(port: Option<u16>) -> io::Result<(std::net::TcpListener, SocketAddr, Runtime)> {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok((listener, address, runtime))
}

/// Answers requests for ever. Where there are too many connections the oldest one goes: pages that are connected are not
/// counted, and a page that asks for something has its answer soon, so that it is somebody who only holds the place.
async fn accept(listener: std::net::TcpListener, router: Router) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let mut open: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        open.retain(|connection| !connection.is_finished());
        if open.len() >= MOST_AT_ONCE
            && let Some(oldest) = open.pop_front()
        {
            oldest.abort();
        }
        open.push_back(tokio::spawn(timeout(LONGEST, converse(stream, router.clone()))).abort_handle());
    }
}

/// Answers the requests of one connection.
async fn converse(stream: TcpStream, router: Router) {
    // What fails is the connection of somebody who is gone.
    let _ = stream.set_nodelay(true);
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades()
        .await;
}
