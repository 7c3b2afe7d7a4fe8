//! What stands behind the host table of one bot: clock, random numbers, log, reports, and the rules being played.

use super::services::{self, PosHandle};
use super::stop::StopNotifier;
use super::turn_clock::TurnClock;
use crate::host::message::{Answered, TurnStart};
use crate::host::payload::Brought;
use arbiter_plugin_api::raw;
use arbiter_rules::{Position, Random};
use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Bytes of a bot's messages that are written in one game.
const MOST_LOGGED: u64 = 1 << 20;

/// Every field may be used from any thread. A thread of a bot may use the host table after the bot is gone, so both stay where they
/// are for ever, and can be given to another bot.
pub(super) struct HostContext {
    table: AtomicPtr<raw::Host>,
    /// The stop word of the turn: in the shared block, where the referee raises its level, or in our own process.
    pub(super) stop: &'static AtomicU32,
    pub(super) clock: TurnClock,
    pub(super) notifier: StopNotifier,
    random: AtomicU64,
    rules: RwLock<Option<Arc<PosHandle>>>,
    /// What it means now that the bot gives a path as its answer: `OK`, or why it may not.
    pub(super) paths: AtomicI32,
    /// What the bot leaves beside a move and a status, seldom, and from any thread. That there is nothing shows without a lock.
    left: Mutex<Answered>,
    has_left: AtomicBool,
    payload: AtomicPtr<raw::PayloadV1>,
    /// Bytes of messages in this game.
    logged: AtomicU64,
    write_log: fn(i32, &str),
}

impl HostContext {
    pub(super) fn new(stop: &'static AtomicU32, write_log: fn(i32, &str)) -> &'static HostContext {
        let context = Box::leak(Box::new(HostContext {
            table: AtomicPtr::new(std::ptr::null_mut()),
            stop,
            clock: TurnClock::new(),
            notifier: StopNotifier::new(),
            random: AtomicU64::new(0),
            rules: RwLock::new(None),
            paths: AtomicI32::new(raw::ERR_STATE),
            left: Mutex::default(),
            has_left: AtomicBool::new(false),
            payload: AtomicPtr::new(std::ptr::null_mut()),
            logged: AtomicU64::new(0),
            write_log,
        }));
        context.table.store(Box::leak(Box::new(services::table(context))), Ordering::Release);
        context
    }

    /// The table that a bot is given for it.
    pub(super) fn table(&self) -> *const raw::Host {
        self.table.load(Ordering::Acquire)
    }

    pub(super) fn set_payload(&self, payload: Option<&'static Brought>) {
        let table = payload.map_or(std::ptr::null(), |brought| &raw const brought.0);
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
    }

    /// A game begins: random numbers and the count of messages start afresh.
    pub(super) fn new_game(&self, start: Arc<PosHandle>, seed: u64) {
        *self.rules.write() = Some(start);
        self.random.store(seed, Ordering::Relaxed);
        self.logged.store(0, Ordering::Relaxed);
    }

    /// A turn begins. Of what was left before it only the last error may still be of interest.
    pub(super) fn begin_turn(&self, turn: &TurnStart) {
        self.clock.write(turn.time);
        self.notifier.turn_begins(&self.clock, self.stop);
        let message = self.last_error();
        if !message.is_empty() {
            self.leave(|left| left.returned.message = message);
        }
    }

    /// The turn is over: what the bot left of its answer.
    pub(super) fn end_turn(&self) -> Answered {
        self.clock.end_turn();
        self.paths.store(raw::ERR_STATE, Ordering::Release);
        self.take_left()
    }

    /// The bot leaves something. Of several reports, and of several lists of moves, the last one counts.
    pub(super) fn leave(&self, leave: impl FnOnce(&mut Answered)) {
        let mut left = self.left.lock();
        leave(&mut left);
        self.has_left.store(true, Ordering::Release);
    }

    fn take_left(&self) -> Answered {
        if !self.has_left.load(Ordering::Acquire) {
            return Answered::default();
        }
        let mut left = self.left.lock();
        self.has_left.store(false, Ordering::Release);
        std::mem::take(&mut left)
    }

    /// The last error that the bot has logged since it was last asked for anything.
    pub(super) fn last_error(&self) -> String {
        self.take_left().returned.message
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
            self.leave(|left| text.clone_into(&mut left.returned.message));
        }
        if before.saturating_add(text.len() as u64) < MOST_LOGGED {
            (self.write_log)(level, text);
        }
    }
}
