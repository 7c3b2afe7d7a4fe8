//! What the thread that answers and whoever started it share.

use super::feed::Feed;
use super::token::{Tokens, random};
use super::{MOST_AT_ONCE, Show};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::{Notify, Semaphore, watch};

/// What is played, who may see it, and what has been told of it.
pub(super) struct Shared {
    pub(super) show: Show,
    pub(super) tokens: Tokens,
    /// Tells pages that connect again whether this is still the same match.
    pub(super) run: String,
    /// Pages that are connected.
    pub(super) places: Arc<Semaphore>,
    /// Wakes whoever reads the log.
    pub(super) new: Arc<Notify>,
    /// How many events there are for pages.
    pub(super) grown: watch::Sender<u64>,
    /// A page has gone.
    pub(super) gone: Notify,
    state: Mutex<State>,
}

/// What changes.
pub(super) struct State {
    pub(super) feed: Feed,
    /// The players of every page that is connected.
    pub(super) pages: Vec<Vec<usize>>,
    /// Whether whoever is to move has no page.
    pub(super) is_away: bool,
    /// What pages are told at the end.
    pub(super) end: Option<String>,
    /// Whether nothing comes any more.
    pub(super) is_over: bool,
}

impl Shared {
    pub(super) fn new(show: Show) -> io::Result<Shared> {
        let new = Arc::new(Notify::new());
        let wake = Arc::clone(&new);
        show.log.on_change(move || wake.notify_one());
        let tokens = Tokens::new(&show.guests)?;
        let state =
            State { feed: Feed::default(), pages: Vec::new(), is_away: false, end: None, is_over: false };
        Ok(Shared {
            show,
            tokens,
            run: random()?,
            places: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            new,
            grown: watch::Sender::new(0),
            gone: Notify::new(),
            state: Mutex::new(state),
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with the state")
    }

    /// The match is over, and this is what pages are told.
    pub(super) fn end(&self, sentence: &str) {
        self.state().end.get_or_insert_with(|| sentence.to_owned());
        self.show.log.close();
        self.new.notify_one();
    }

    /// Waits until no page is connected.
    pub(super) async fn nobody_is_left(&self) {
        loop {
            let gone = self.gone.notified();
            if self.state().pages.is_empty() {
                return;
            }
            gone.await;
        }
    }
}
