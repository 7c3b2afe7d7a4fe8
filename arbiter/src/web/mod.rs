//! Pages for browsers on this machine: a match that people play and watch, and a wall of reports.
//!
//! One thread answers requests. It reads the log at its own pace, and passes what people touch on to the desk, as the
//! screen of a terminal does; it decides nothing. `guard.rs` says who is answered at all. One `Door` leads to a match, or to the
//! menu and then to one match after the other.

mod answers;
mod door;
mod feed;
mod guard;
mod menu;
mod seats;
mod shared;
mod socket;
mod token;
mod wall;

pub use door::Door;
pub use menu::Menu;
pub use seats::Guest;
pub use token::Link;
pub use wall::{Reports, Wall};

use crate::player::Desk;
use crate::ui::After;
use crate::ui::log::Log;
use arbiter_rules::Position;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use shared::Shared;
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::task::{AbortHandle, yield_now};
use tokio::time::timeout;

/// Connections for requests at the same time, and pages of one link that stay connected.
const MOST_AT_ONCE: usize = 64;
/// The time for the head of a request, and for its body.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a connection for requests stays open: the largest reports are read for a minute on a busy machine.
const LONGEST: Duration = Duration::from_secs(600);
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

/// What is played after a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This.
    Play(After),
    /// Nothing any more.
    End,
}

impl Next {
    /// The words of pages for it are those that are typed at a terminal.
    fn named(word: &str) -> Option<Next> {
        match word {
            "again" => Some(Next::Play(After::Again)),
            "swap" => Some(Next::Play(After::Swapped)),
            "another" => Some(Next::Play(After::Another)),
            "quit" => Some(Next::End),
            _ => None,
        }
    }
}

/// The thread that answers, until this is dropped.
pub struct Server {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Server {
    /// Begins to answer at this door.
    ///
    /// # Errors
    /// A machine without a random source, or that has no room for another thread.
    pub fn start(show: Show, door: &Arc<Door>) -> io::Result<Server> {
        let (listener, runtime) = (door.listener()?, runtime()?);
        let shared = Arc::new(Shared::new(show, Arc::clone(door))?);
        let own = Arc::clone(&shared);
        let run = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, answers::with_pages(&own)) => {}
                    () = feed::follow(&own) => {
                        // Pages that are slow to read hear of the end, but nobody waits for them for long.
                        let _ = timeout(FAREWELL, own.nobody_is_left()).await;
                    }
                }
            });
        };
        let thread = std::thread::Builder::new().name("pages".to_owned()).spawn(run)?;
        Ok(Server { shared, thread: Mutex::new(Some(thread)) })
    }

    /// What people open: the owner's link first, one for each guest where there are several, and one to watch.
    #[must_use]
    pub fn links(&self) -> Vec<Link> {
        self.shared.tokens.links(self.shared.door.address())
    }

    /// The links of those among several guests who each play with one of their own.
    #[must_use]
    pub fn links_of_guests(&self) -> Vec<Link> {
        let address = self.shared.door.address();
        self.shared.tokens.alone().map(|(whom, token)| Link::new(whom, address, token)).collect()
    }

    /// Tells pages the end in a sentence, such as where the games are saved, and asks the owner's what is played next. Everything
    /// can be looked at meanwhile.
    #[must_use]
    pub fn ask(&self, sentence: &str) -> Next {
        let (answered, next) = channel();
        self.shared.ask(sentence, answered);
        let next = next.recv().unwrap_or(Next::End);
        if let Next::Play(_) = next {
            self.shared.make_way();
            self.join();
        } else {
            self.finish("arbiter has ended.");
        }
        next
    }

    /// Tells pages the end in a sentence, and answers nobody any more.
    pub fn finish(&self, sentence: &str) {
        self.shared.end(sentence);
        self.join();
    }

    fn join(&self) {
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

/// What runs everything that waits, in the thread that asks it to.
fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
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
        if open.len() >= MOST_AT_ONCE {
            // Whoever has asked by now is answered first.
            yield_now().await;
            open.retain(|connection| !connection.is_finished());
        }
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
