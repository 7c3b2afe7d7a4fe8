//! Pages for browsers on this machine: a match that people play and watch, and a wall of reports.
//!
//! One thread answers requests. It reads the log at its own pace, and passes what people touch on to the desk, as the
//! screen of a terminal does; it decides nothing. `guard.rs` says who is answered at all. One `Door` leads to a match, or to the
//! menu and then to one match after the other.

mod door;
mod feed;
mod guard;
mod menu;
mod playing;
mod socket;
mod token;
mod wall;

pub(crate) use door::Door;
pub(crate) use menu::Menu;
pub(crate) use token::{Guest, Link};
pub(crate) use wall::{Reports, Wall};

use crate::player::Desk;
use crate::ui::After;
use crate::ui::log::Log;
use axum::Router;
use door::{Host, Room, with_pages};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use playing::Playing;
use scopeguard::defer;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::task::{AbortHandle, yield_now};
use tokio::time::timeout;

/// Connections for requests at the same time, and pages of one link that stay connected.
const MOST_AT_ONCE: usize = 64;
/// The time for the head of a request, and for its body.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection for requests stays open: the largest reports are read for a minute on a busy machine.
const LONGEST: Duration = Duration::from_secs(600);
const LARGEST_HEAD: usize = 16 << 10;
/// What pages are told when nothing is played any more.
const ENDED: &str = "arbiter has ended.";
/// How long pages have to hear the end.
const FAREWELL: Duration = Duration::from_secs(2);

/// What is played, for those who look at it.
pub(crate) struct Show {
    pub log: Arc<Log>,
    /// Where people play through pages.
    pub desk: Arc<Desk>,
    pub guests: Vec<Guest>,
    /// How many games there can be.
    pub games: u32,
    /// What it is called until the first game begins.
    pub title: String,
    /// The rules of the games, where they all have the same.
    pub rules: String,
    /// Whether a pass waits until somebody goes on.
    pub asks_after_pass: bool,
}

/// A match that pages see, until this is dropped.
pub(crate) struct Server {
    playing: Arc<Playing>,
    thread: Answering,
}

impl Server {
    /// Begins to answer at this door.
    pub(crate) fn start(show: Show, door: &Arc<Door>) -> io::Result<Server> {
        let playing = Arc::new(Playing::new(show, Arc::clone(door))?);
        Ok(Server { thread: Answering::start(&playing)?, playing })
    }

    /// What people open: the owner's link first, one for each guest where there are several, and one to watch.
    pub(crate) fn links(&self) -> Vec<Link> {
        let room = &self.playing.room;
        room.tokens.links(room.door.address())
    }

    /// The links of those among several guests who each play with one of their own.
    pub(crate) fn links_of_guests(&self) -> Vec<Link> {
        let Room { door, tokens, .. } = &self.playing.room;
        tokens.alone().map(|(whom, token)| Link::new(whom, door.address(), token)).collect()
    }

    /// Tells pages the end in a sentence, such as where the games are saved, and asks the owner's what is played next; nothing
    /// where that is the end. Everything can be looked at meanwhile.
    pub(crate) fn ask(&self, sentence: &str) -> Option<After> {
        let (answered, next) = channel();
        self.playing.is_over(sentence, Some(answered));
        let after = next.recv().ok().flatten();
        if after.is_some() {
            self.playing.make_way();
            self.thread.join();
        } else {
            self.finish(ENDED);
        }
        after
    }

    /// Nobody is [asked](Server::ask) any more what is played next, once this is called.
    pub(crate) fn hang_up(&self) -> impl Fn() + Send + 'static {
        let playing = Arc::clone(&self.playing);
        move || playing.is_over(ENDED, None)
    }

    /// Tells pages the end in a sentence, and answers nobody any more.
    pub(crate) fn finish(&self, sentence: &str) {
        self.playing.is_over(sentence, None);
        self.thread.join();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.finish("The match was broken off.");
    }
}

/// The thread that answers.
struct Answering(Mutex<Option<JoinHandle<()>>>);

impl Answering {
    /// Begins to answer pages at the door of a host, until that comes to its end.
    fn start<H: Host>(host: &Arc<H>) -> io::Result<Answering> {
        let (listener, runtime) = (host.room().door.listener()?, runtime()?);
        let host = Arc::clone(host);
        let run = move || {
            defer!(host.nobody_answers());
            runtime.block_on(async {
                tokio::select! {
                    () = host.end() => {
                        host.room().shut();
                        // Pages that are slow to read hear of the end, but nobody waits for them for long.
                        let _ = timeout(FAREWELL, host.room().nobody_is_left()).await;
                    }
                    () = accept(listener, with_pages(&host)) => {}
                }
            });
        };
        let thread = std::thread::Builder::new().name("pages".to_owned()).spawn(run)?;
        Ok(Answering(Mutex::new(Some(thread))))
    }

    fn join(&self) {
        if let Some(thread) = self.0.lock().take() {
            // A panic in there has been told, and has changed no result.
            drop(thread.join());
        }
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

async fn converse(stream: TcpStream, router: Router) {
    // What fails is the connection of somebody who is gone.
    let _ = stream.set_nodelay(true);
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIMEOUT)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades()
        .await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Refused;
    use door::News;
    use serde_json::Value;
    use socket::Said;
    use std::io::{Read, Write};
    use std::sync::mpsc::{Receiver, Sender};
    use token::Rights;
    use tokio::sync::watch;

    /// Nothing comes from it any more, and it is over when that is decided.
    struct Ending {
        room: Room,
        /// Whether it is over, or a bug of ours has ended it.
        over: watch::Sender<Option<bool>>,
        nobody_answers: Sender<()>,
    }

    impl Ending {
        fn start() -> (Arc<Ending>, Answering, Receiver<()>) {
            let door = Arc::new(Door::open(None).unwrap());
            let room = Room::new(Arc::clone(&door), door.keys.tokens(&[]).unwrap()).unwrap();
            let (nobody_answers, told) = channel();
            let ending = Arc::new(Ending { room, over: watch::Sender::default(), nobody_answers });
            let thread = Answering::start(&ending).unwrap();
            (ending, thread, told)
        }
    }

    impl Host for Ending {
        fn room(&self) -> &Room {
            &self.room
        }

        fn hello(&self, _: &Rights, _: u64) -> (Value, u64) {
            (Value::Null, 0)
        }

        fn news(&self, _: &Rights, _: u64) -> News {
            News::End
        }

        fn act(&self, _: &Rights, _: &Said) -> Result<(), Refused> {
            Ok(())
        }

        fn nobody_answers(&self) {
            self.nobody_answers.send(()).unwrap();
        }

        async fn end(&self) {
            let is_over = self.over.subscribe().wait_for(Option::is_some).await.unwrap().unwrap();
            assert!(is_over, "a bug of ours, made for a test");
        }
    }

    const LIMIT: Duration = Duration::from_secs(60);

    /// The program would otherwise wait for ever for what nobody can say any more.
    #[test]
    fn whoever_waits_for_pages_hears_when_nobody_answers_them_any_more() {
        let (ending, thread, told) = Ending::start();
        ending.over.send_replace(Some(false));
        told.recv_timeout(LIMIT).expect("a panic is told");
        thread.join();
    }

    /// A page connects again as soon as it hears of the end. It would find what has ended, instead of what comes next.
    #[test]
    fn pages_hear_of_the_end_once_nobody_comes_in_any_more() {
        let (ending, thread, _told) = Ending::start();
        let (address, token) = (ending.room.door.address(), ending.room.door.keys.owner_and_watch()[0]);
        let mut page = std::net::TcpStream::connect(address).unwrap();
        write!(
            page,
            "GET /api/page HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
             Sec-WebSocket-Protocol: arbiter, {token}\r\n\r\n"
        )
        .unwrap();
        let hello = br#"{"act":"hello"}"#;
        page.write_all(&[&[0x81, 0x80 | hello.len() as u8, 0, 0, 0, 0][..], hello].concat()).unwrap();
        // Until it has been said hello to.
        let (mut heard, mut byte) = (Vec::new(), [0]);
        while !heard.ends_with(b"null") {
            page.read_exact(&mut byte).expect("it has not ended");
            heard.extend(byte);
        }
        page.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        let early = page.read(&mut byte).expect_err("it is told before the end");
        assert!(matches!(early.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut), "{early}");
        ending.over.send_replace(Some(true));
        page.set_read_timeout(Some(LIMIT)).unwrap();
        page.read_to_end(&mut heard).expect("it is told of the end");
        thread.join();
    }

    #[test]
    fn a_match_that_has_lost_its_pages_asks_nobody_what_is_played_next() {
        let show = Show {
            log: Arc::default(),
            desk: Arc::new(Desk::new(|_| {})),
            guests: Vec::new(),
            games: 1,
            title: String::new(),
            rules: String::new(),
            asks_after_pass: false,
        };
        let server = Server::start(show, &Arc::new(Door::open(None).unwrap())).unwrap();
        server.playing.nobody_answers();
        let (sender, told) = channel();
        std::thread::spawn(move || sender.send(server.ask("The match is over.").is_none()));
        assert_eq!(told.recv_timeout(LIMIT), Ok(true));
    }
}
