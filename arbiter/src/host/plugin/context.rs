//! What stands behind the host table of one bot: clock, random numbers, log, reports, and the rules being played.

use super::services::{self, PosHandle};
use super::turn_clock::TurnClock;
use crate::host::message::{Answered, TurnStart};
use crate::host::payload::Brought;
use arbiter_plugin_api::raw;
use arbiter_rules::{Position, Random};
use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};

const MESSAGES_A_GAME: u64 = 1 << 20;

/// What stands behind the host table of one bot. Every field may be used from any thread.
pub(super) struct HostContext {
    /// The stop word of the turn: in the shared block, where the referee raises its level, or in our own process.
    stop: &'static AtomicU32,
    pub(super) clock: TurnClock,
    random: AtomicU64,
    rules: RwLock<Option<Arc<PosHandle>>>,
    /// Whether a path may be given as the answer now.
    paths: AtomicU8,
    left: Letterbox<Answered>,
    payload: AtomicPtr<raw::PayloadV1>,
    logged: AtomicU64,
    last_error: Letterbox<String>,
    write_log: fn(i32, &str),
}

/// A context and the table that a bot is given for it. A thread of a bot may use the table after the bot is gone, so both
/// stay where they are for ever, and can be given to another bot.
#[derive(Clone, Copy)]
pub(super) struct HostHandle {
    pub(super) context: &'static HostContext,
    pub(super) table: &'static raw::Host,
}

// SAFETY: the table is only read, and its functions may be called from any thread, with the context behind it.
unsafe impl Send for HostHandle {}
// SAFETY: as above.
unsafe impl Sync for HostHandle {}

/// Whether a path may be given as the answer now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum PathState {
    /// No: it is not the bot's turn.
    NoTurn,
    /// No: the moves of this game have no paths.
    NoPaths,
    Open,
}

/// Something that a bot seldom leaves, and from any thread. That there is nothing shows without a lock.
#[derive(Default)]
struct Letterbox<T> {
    is_full: AtomicBool,
    content: Mutex<T>,
}

impl<T: Default> Letterbox<T> {
    fn put(&self, put: impl FnOnce(&mut T)) {
        let mut content = self.content.lock();
        put(&mut content);
        self.is_full.store(true, Ordering::Release);
    }

    fn take(&self) -> T {
        if !self.is_full.load(Ordering::Acquire) {
            return T::default();
        }
        let mut content = self.content.lock();
        self.is_full.store(false, Ordering::Release);
        std::mem::take(&mut content)
    }
}

impl HostHandle {
    pub(super) fn new(context: HostContext) -> HostHandle {
        let context = Box::leak(Box::new(context));
        HostHandle { context, table: Box::leak(Box::new(services::table(context))) }
    }
}

impl HostContext {
    pub(super) fn new(stop: &'static AtomicU32, write_log: fn(i32, &str)) -> HostContext {
        HostContext {
            stop,
            clock: TurnClock::new(),
            random: AtomicU64::new(0),
            rules: RwLock::new(None),
            paths: AtomicU8::new(PathState::NoTurn as u8),
            left: Letterbox::default(),
            payload: AtomicPtr::new(std::ptr::null_mut()),
            logged: AtomicU64::new(0),
            last_error: Letterbox::default(),
            write_log,
        }
    }

    /// The bot has this payload, or none.
    pub(super) fn set_payload(&self, payload: Option<&'static Brought>) {
        let table = payload.map_or(std::ptr::null(), |brought| &raw const brought.table);
        self.payload.store(table.cast_mut(), Ordering::Release);
    }

    /// The payload of the bot; null if it has none.
    pub(super) fn payload(&self) -> *const raw::PayloadV1 {
        self.payload.load(Ordering::Acquire)
    }

    /// Forgets the bot that used it.
    pub(super) fn renew(&self) {
        self.set_payload(None);
        *self.rules.write() = None;
        self.random.store(0, Ordering::Relaxed);
        self.logged.store(0, Ordering::Relaxed);
        self.end_turn();
        self.clock.reset();
        self.last_error();
    }

    /// A game begins: random numbers and the count of messages start afresh.
    pub(super) fn new_game(&self, start: Arc<PosHandle>, seed: u64) {
        *self.rules.write() = Some(start);
        self.random.store(seed, Ordering::Relaxed);
        self.logged.store(0, Ordering::Relaxed);
    }

    pub(super) fn begin_turn(&self, turn: &TurnStart) {
        self.clock.begin_turn(turn);
        self.left.take();
    }

    /// From here on the bot may answer with a path, if its moves have any.
    pub(super) fn open_path(&self, paths: PathState) {
        self.paths.store(paths as u8, Ordering::Release);
    }

    /// Whether it may.
    pub(super) fn paths(&self) -> PathState {
        match self.paths.load(Ordering::Acquire) {
            open if open == PathState::Open as u8 => PathState::Open,
            none if none == PathState::NoPaths as u8 => PathState::NoPaths,
            _ => PathState::NoTurn,
        }
    }

    /// The turn is over: what the bot left of its answer.
    pub(super) fn end_turn(&self) -> Answered {
        self.clock.end_turn();
        self.open_path(PathState::NoTurn);
        self.left.take()
    }

    /// The turn leaves something behind beside the move and the status. Of several reports, and of several lists of moves, the last
    /// one counts.
    pub(super) fn leave(&self, leave: impl FnOnce(&mut Answered)) {
        self.left.put(leave);
    }

    /// A position under the rules being played, from its text.
    pub(super) fn read_position(&self, text: &str) -> Option<Position> {
        let rules = self.rules.read();
        rules.as_ref()?.position.read_position(text).ok()
    }

    pub(super) fn stop_level(&self) -> i32 {
        self.clock.level(self.stop.load(Ordering::Relaxed))
    }

    /// The next random number: the generator of the rules, its state in an atomic.
    pub(super) fn random(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let state = self.random.load(Ordering::Relaxed);
        self.random.store(state.wrapping_add(STEP), Ordering::Relaxed);
        Random::new(state).bits()
    }

    /// Writes a message of the bot, unless it has written too much in this game.
    pub(super) fn log(&self, level: i32, text: &str) {
        let before = self.logged.fetch_add(text.len() as u64 + 1, Ordering::Relaxed);
        if level >= raw::LOG_ERROR {
            self.last_error.put(|last| text.clone_into(last));
        }
        if before.saturating_add(text.len() as u64) < MESSAGES_A_GAME {
            (self.write_log)(level, text);
        }
    }

    /// The last error that the bot has logged since the last time this was asked.
    pub(super) fn last_error(&self) -> String {
        self.last_error.take()
    }
}
