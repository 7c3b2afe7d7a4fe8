//! What stands behind the host table of one bot: clock, random numbers, log, reports, and the rules being played.

use super::in_process::Alarms;
use super::services;
use super::turn_clock::TurnClock;
use crate::host::clock::now_ns;
use crate::host::message::{Finding, TurnStart, Values};
use crate::host::wire::Block;
use arbiter_plugin_api::raw;
use arbiter_rules::{Position, Random};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Most bytes of messages in one game.
const MESSAGES_A_GAME: u64 = 1 << 20;

/// What stands behind the host table of one bot. Every field may be used from any thread.
pub(super) struct HostContext {
    stop: StopLevel,
    clock: TurnClock,
    random: AtomicU64,
    rules: RwLock<Option<Position>>,
    finding: Mutex<Option<Finding>>,
    values: Mutex<Option<Values>>,
    path_state: AtomicU8,
    path: Mutex<Option<Vec<i32>>>,
    logged: AtomicU64,
    last_error: Mutex<String>,
    write_log: fn(Level, &str),
}

/// Where the stop level comes from.
pub(super) enum StopLevel {
    /// The clock of the turn, and the shared block, where the referee raises it.
    Raised(&'static Block),
    /// The alarms of a bot in our own process.
    Alarms(Arc<Alarms>),
}

/// How loud a message of a bot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Debug,
    Info,
    Warn,
    Error,
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

/// What a turn leaves behind beside the move.
pub(super) struct Left {
    /// The path that the bot gave.
    pub(super) path: Option<Vec<i32>>,
    /// Its report.
    pub(super) finding: Option<Finding>,
    /// What it thinks of its moves.
    pub(super) values: Option<Values>,
}

/// Whether a path may be given as the answer now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathState {
    /// No: it is not the bot's turn.
    NoTurn = 0,
    /// No: the moves of this game have no paths.
    NoPaths = 1,
    /// Yes.
    Open = 2,
}

impl HostHandle {
    pub(super) fn new(context: HostContext) -> HostHandle {
        let context = Box::leak(Box::new(context));
        HostHandle { context, table: Box::leak(Box::new(services::table(context))) }
    }
}

impl HostContext {
    pub(super) fn new(stop: StopLevel, write_log: fn(Level, &str)) -> HostContext {
        HostContext {
            stop,
            clock: TurnClock::new(),
            random: AtomicU64::new(0),
            rules: RwLock::new(None),
            finding: Mutex::new(None),
            values: Mutex::new(None),
            path_state: AtomicU8::new(PathState::NoTurn as u8),
            path: Mutex::new(None),
            logged: AtomicU64::new(0),
            last_error: Mutex::new(String::new()),
            write_log,
        }
    }

    /// Forgets the bot that used it.
    pub(super) fn renew(&self) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.random.store(0, Ordering::Relaxed);
        self.logged.store(0, Ordering::Relaxed);
        self.end_turn();
        self.clock.reset();
        self.last_error();
    }

    /// A game begins: random numbers and the count of messages start afresh.
    pub(super) fn new_game(&self, start: Position, seed: u64) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = Some(start);
        self.random.store(seed, Ordering::Relaxed);
        self.logged.store(0, Ordering::Relaxed);
    }

    /// A turn begins.
    pub(super) fn begin_turn(&self, turn: &TurnStart) {
        self.clock.begin_turn(turn);
        *lock(&self.finding) = None;
        *lock(&self.values) = None;
    }

    /// From here on the bot may answer with a path, if its moves have any.
    pub(super) fn open_path(&self, paths: PathState) {
        *lock(&self.path) = None;
        self.path_state.store(paths as u8, Ordering::Release);
    }

    /// The turn is over: what the bot left of its answer.
    pub(super) fn end_turn(&self) -> Left {
        self.path_state.store(PathState::NoTurn as u8, Ordering::Release);
        self.clock.end_turn();
        let (path, finding) = (lock(&self.path).take(), lock(&self.finding).take());
        Left { path, finding, values: lock(&self.values).take() }
    }

    /// A position under the rules being played, from its text.
    pub(super) fn read_position(&self, text: &str) -> Option<Position> {
        let rules = self.rules.read().unwrap_or_else(PoisonError::into_inner);
        rules.as_ref()?.read_position(text).ok()
    }

    /// What `should_stop` says now.
    pub(super) fn stop_level(&self) -> i32 {
        match &self.stop {
            StopLevel::Raised(block) => self.clock.level(block.stop.load(Ordering::Relaxed)),
            StopLevel::Alarms(alarms) => alarms.level(now_ns()),
        }
    }

    /// Nanoseconds left of the time for this turn.
    pub(super) fn time_left_ns(&self) -> i64 {
        self.clock.time_left_ns()
    }

    /// The next random number: the generator of the rules, its state in an atomic.
    pub(super) fn random(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let state = self.random.load(Ordering::Relaxed);
        self.random.store(state.wrapping_add(STEP), Ordering::Relaxed);
        Random::new(state).bits()
    }

    /// Keeps a report; of several, the last one counts.
    pub(super) fn keep(&self, finding: Finding) {
        *lock(&self.finding) = Some(finding);
    }

    /// Keeps what the bot thinks of its moves; of several lists, the last one counts.
    pub(super) fn keep_values(&self, values: Values) {
        *lock(&self.values) = Some(values);
    }

    /// Whether a path may be given now.
    pub(super) fn path_state(&self) -> PathState {
        match self.path_state.load(Ordering::Acquire) {
            2 => PathState::Open,
            1 => PathState::NoPaths,
            _ => PathState::NoTurn,
        }
    }

    /// Keeps a path as the answer of this turn.
    pub(super) fn keep_path(&self, cells: &[i32]) {
        *lock(&self.path) = Some(cells.to_vec());
    }

    /// Writes a message of the bot, unless it has written too much in this game.
    pub(super) fn log(&self, level: Level, text: &str) {
        let before = self.logged.fetch_add(text.len() as u64 + 1, Ordering::Relaxed);
        if level == Level::Error {
            text.clone_into(&mut lock(&self.last_error));
        }
        if before.saturating_add(text.len() as u64) < MESSAGES_A_GAME {
            (self.write_log)(level, text);
        }
    }

    /// The last error that the bot has logged since the last time this was asked.
    pub(super) fn last_error(&self) -> String {
        std::mem::take(&mut lock(&self.last_error))
    }
}

/// Locks also what a panic of ours has left locked: the values behind these locks are always whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
