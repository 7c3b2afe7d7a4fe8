//! What the thread that answers and whoever started it share.

use super::door::Door;
use super::feed::Feed;
use super::token::{Rights, Tokens, random};
use super::{Next, Show};
use crate::player::Refused;
use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::{Notify, watch};

/// What is played, who may see it, and what has been told of it.
pub(super) struct Shared {
    pub(super) show: Show,
    pub(super) door: Arc<Door>,
    pub(super) tokens: Tokens,
    /// Tells pages that connect again whether this is still the same match.
    pub(super) run: String,
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
    /// What pages are told at the end, once it has come.
    pub(super) end: Option<End>,
    /// Who waits for what is played next.
    asked: Option<Sender<Next>>,
    /// Whether nothing comes any more.
    pub(super) is_over: bool,
}

/// What pages are told at the end of a match.
pub(super) struct End {
    pub(super) sentence: String,
    /// Whether somebody chooses now what is played next.
    pub(super) has_more: bool,
}

impl Shared {
    pub(super) fn new(show: Show, door: Arc<Door>) -> io::Result<Shared> {
        let new = Arc::new(Notify::new());
        let wake = Arc::clone(&new);
        show.log.on_change(move || wake.notify_one());
        let tokens = door.keys.tokens(&show.guests)?;
        let state = State {
            feed: Feed::default(),
            pages: Vec::new(),
            is_away: false,
            end: None,
            asked: None,
            is_over: false,
        };
        Ok(Shared {
            show,
            door,
            tokens,
            run: random()?,
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
        self.end_with(End { sentence: sentence.to_owned(), has_more: false });
    }

    /// The match is over, and whoever may is asked what is played next.
    pub(super) fn ask(&self, sentence: &str, answered: Sender<Next>) {
        self.state().asked = Some(answered);
        self.end_with(End { sentence: sentence.to_owned(), has_more: true });
    }

    fn end_with(&self, end: End) {
        self.state().end = Some(end);
        self.show.log.close();
        self.new.notify_one();
    }

    /// Nothing comes any more from here: pages that connect again find what comes next.
    pub(super) fn make_way(&self) {
        self.state().is_over = true;
        self.new.notify_one();
    }

    /// A page says what is played next.
    pub(super) fn choose_next(&self, rights: &Rights, word: &str) -> Result<(), Refused> {
        if !rights.chooses {
            return Err(Refused::not_the_owner());
        }
        let next = Next::named(word).ok_or_else(Refused::stale)?;
        let asked = self.state().asked.take().ok_or_else(Refused::stale)?;
        // Whoever has asked and listens no more has ended.
        asked.send(next).map_err(|_| Refused::stale())
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
