//! What stands behind the host table of one bot: clock, random numbers, log, reports, and the rules being played.

use super::alarms::Alarms;
use super::clock::{NEVER, now_ns};
use super::message::{Finding, Values};
use super::wire::Block;
use arbiter_plugin_api::raw;
use arbiter_rules::{Position, Random};
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Most bytes of messages in one game.
const MESSAGES_A_GAME: u64 = 1 << 20;

/// The arbiter's side of one host table. Every field may be used from any thread.
pub(super) struct Lender {
    /// Where the stop level comes from.
    pub(super) stop: StopLevel,
    hard_at: AtomicI64,
    random: AtomicU64,
    rules: RwLock<Option<Box<dyn Position>>>,
    finding: Mutex<Option<Finding>>,
    values: Mutex<Option<Values>>,
    turn: AtomicU8,
    path: Mutex<Option<Vec<i32>>>,
    logged: AtomicU64,
    last_error: Mutex<String>,
    write_log: fn(Level, &str),
}

/// Where the stop level comes from.
pub(super) enum StopLevel {
    /// The referee raises it in the shared block.
    Raised(&'static Block),
    /// The clock tells it, against these points in time.
    Clock(Arc<Alarms>),
}

/// How loud a message of a bot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

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
    /// No turn is being played.
    NoTurn = 0,
    /// Moves of this game go through no cells.
    NoPaths = 1,
    /// It may.
    Open = 2,
}

impl Lender {
    pub(super) fn new(stop: StopLevel, write_log: fn(Level, &str)) -> Lender {
        Lender {
            stop,
            hard_at: AtomicI64::new(NEVER),
            random: AtomicU64::new(0),
            rules: RwLock::new(None),
            finding: Mutex::new(None),
            values: Mutex::new(None),
            turn: AtomicU8::new(PathState::NoTurn as u8),
            path: Mutex::new(None),
            logged: AtomicU64::new(0),
            last_error: Mutex::new(String::new()),
            write_log,
        }
    }

    /// Forgets whom it was lent to.
    pub(super) fn renew(&self) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.hard_at.store(NEVER, Ordering::Relaxed);
        self.random.store(0, Ordering::Relaxed);
        self.logged.store(0, Ordering::Relaxed);
        self.end_turn();
        self.last_error();
    }

    /// A game begins: random numbers and the allowance for messages start afresh.
    pub(super) fn new_game(&self, start: Box<dyn Position>, seed: u64) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = Some(start);
        self.random.store(seed, Ordering::Relaxed);
        self.logged.store(0, Ordering::Relaxed);
    }

    /// A turn begins that must be answered by a point in time.
    pub(super) fn begin_turn(&self, hard_at: i64) {
        self.hard_at.store(hard_at, Ordering::Relaxed);
        *lock(&self.finding) = None;
        *lock(&self.values) = None;
    }

    /// From here on the bot may answer with a path, if its moves have any.
    pub(super) fn open_path(&self, paths: PathState) {
        *lock(&self.path) = None;
        self.turn.store(paths as u8, Ordering::Release);
    }

    /// The turn is over: what the bot left of its answer.
    pub(super) fn end_turn(&self) -> Left {
        self.turn.store(PathState::NoTurn as u8, Ordering::Release);
        let (path, finding) = (lock(&self.path).take(), lock(&self.finding).take());
        Left { path, finding, values: lock(&self.values).take() }
    }

    /// A position under the rules being played, from its text.
    pub(super) fn read_position(&self, text: &str) -> Option<Box<dyn Position>> {
        let rules = self.rules.read().unwrap_or_else(PoisonError::into_inner);
        rules.as_ref()?.read_position(text).ok()
    }

    /// Nanoseconds left of the time for this turn.
    pub(super) fn time_left_ns(&self) -> i64 {
        match self.hard_at.load(Ordering::Relaxed) {
            NEVER => raw::NO_LIMIT,
            hard_at => hard_at - now_ns(),
        }
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
        match self.turn.load(Ordering::Acquire) {
            2 => PathState::Open,
            1 => PathState::NoPaths,
            _ => PathState::NoTurn,
        }
    }

    /// Keeps a path as the answer of this turn.
    pub(super) fn keep_path(&self, cells: &[i32]) {
        *lock(&self.path) = Some(cells.to_vec());
    }

    /// Writes a message of the bot, as far as its allowance goes.
    pub(super) fn log(&self, level: Level, text: &str) {
        let before = self.logged.fetch_add(text.len() as u64 + 1, Ordering::Relaxed);
        if level == Level::Error {
            text.clone_into(&mut lock(&self.last_error));
        }
        if before.saturating_add(text.len() as u64) < MESSAGES_A_GAME {
            (self.write_log)(level, text);
        }
    }

    /// The last error that the bot has logged since this was asked before.
    pub(super) fn last_error(&self) -> String {
        std::mem::take(&mut lock(&self.last_error))
    }
}

impl StopLevel {
    /// What `should_stop` says now.
    pub(super) fn level(&self) -> i32 {
        match self {
            StopLevel::Raised(block) => level_of(block.stop.load(Ordering::Relaxed)),
            StopLevel::Clock(alarms) => alarms.level(now_ns()),
        }
    }
}

/// The level in the stop word of a block.
pub(super) fn level_of(word: u32) -> i32 {
    (word & 3) as i32
}

/// The stop word of a turn at some level. Words of different turns differ.
pub(super) fn stop_word(turn: u32, level: i32) -> u32 {
    turn << 2 | level as u32
}

/// Locks what a panic of ours may have left locked: the values behind these locks are whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
