//! The services of the arbiter that are not about one position.

use std::ffi::CStr;
use std::fmt;
use std::ptr::NonNull;
use std::time::Duration;

use crate::{IllegalMove, Move, Position, Report, RootMove, raw, read};

/// How far the time for a turn has run. Later ones compare greater.
///
/// ```
/// use arbiter_plugin_api::{StopLevel, Turn};
///
/// /// Thinks on after the soft time while the best move still changes.
/// fn is_over(turn: &Turn, still_changes: bool) -> bool {
///     turn.stop_level() >= if still_changes { StopLevel::Stop } else { StopLevel::Enough }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StopLevel {
    /// Keep thinking.
    GoOn,
    /// The soft time is over: a good moment to answer.
    Enough,
    /// Answer now.
    Stop,
    /// The answer is no longer wanted: just return. Also between turns.
    Abandon,
}

/// How much a message matters.
///
/// ```
/// use arbiter_plugin_api::{LogLevel, Turn};
///
/// fn tell(turn: &Turn) {
///     turn.host().log(LogLevel::Info, &format!("{} moves to choose from", turn.moves().len()));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Of interest to the bot's author only.
    Debug,
    /// Worth knowing.
    Info,
    /// Odd, but the game goes on.
    Warn,
    /// Why something failed.
    Error,
}

/// The arbiter's clock, log and report, from any thread.
///
/// ```
/// use arbiter_plugin_api::Turn;
///
/// /// Counts on every core that the bot may use, until the time is over.
/// fn count(turn: &Turn) -> u64 {
///     let host = turn.host();
///     let work = move || (0_u64..).find(|_| host.should_stop()).unwrap_or(0);
///     std::thread::scope(|scope| {
///         let workers: Vec<_> = (0..turn.game().threads()).map(|_| scope.spawn(work)).collect();
///         workers.into_iter().map(|worker| worker.join().unwrap_or(0)).sum()
///     })
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Host(NonNull<raw::Host>);

// SAFETY: the header marks every function behind the public methods as good from any thread at any time, and
// the table as good until the process ends.
unsafe impl Send for Host {}
// SAFETY: as above; the table never changes.
unsafe impl Sync for Host {}

impl Host {
    /// # Safety
    ///
    /// A pointer that is not null is to a table that lives until the process ends.
    pub(crate) unsafe fn read(at: *const raw::Host) -> Option<Host> {
        // SAFETY: the caller promises the table.
        unsafe { read::structure(at) }?;
        NonNull::new(at.cast_mut()).map(Host)
    }

    pub(crate) fn as_ptr(self) -> *const raw::Host {
        self.0.as_ptr()
    }

    pub(crate) fn table(self) -> &'static raw::Host {
        // SAFETY: `read` saw a whole table, and the arbiter keeps it, unchanged, until the process ends.
        unsafe { self.0.as_ref() }
    }

    /// The arbiter's name and version.
    #[must_use]
    pub fn program(self) -> (&'static str, &'static str) {
        // SAFETY: the table's texts live as long as the table.
        unsafe { (read::text(self.table().name), read::text(self.table().version)) }
    }

    /// Writes to the match log, which keeps 4096 bytes of a message and a mebibyte of a game.
    pub fn log(self, level: LogLevel, text: &str) {
        let level = match level {
            LogLevel::Debug => raw::LOG_DEBUG,
            LogLevel::Info => raw::LOG_INFO,
            LogLevel::Warn => raw::LOG_WARN,
            LogLevel::Error => raw::LOG_ERROR,
        };
        let text = read::c_text(text);
        // SAFETY: the table is the function's own, and the text outlives the call.
        unsafe { (self.table().log)(self.as_ptr(), level, text.as_ptr()) };
    }

    /// How far the time for this turn has run. Cheap: ask at every node.
    #[must_use]
    pub fn stop_level(self) -> StopLevel {
        // SAFETY: the table is the function's own.
        match unsafe { (self.table().should_stop)(self.as_ptr()) } {
            ..=raw::GO_ON => StopLevel::GoOn,
            raw::ENOUGH => StopLevel::Enough,
            raw::STOP => StopLevel::Stop,
            _ => StopLevel::Abandon,
        }
    }

    /// Whether it is time to answer: the soft time is over, or worse. Cheap: ask at every node.
    #[must_use]
    pub fn should_stop(self) -> bool {
        self.stop_level() >= StopLevel::Enough
    }

    /// What is left of the hard time; `None` if there is no limit.
    #[must_use]
    pub fn time_left(self) -> Option<Duration> {
        // SAFETY: the table is the function's own.
        read::span(unsafe { (self.table().time_left_ns)(self.as_ptr()) })
    }

    /// Tells what the bot has found so far, as often as it likes. Shown live and saved with the move.
    pub fn report(self, report: &Report<'_>) {
        report.with_raw(|report| {
            // SAFETY: the table is the function's own, and the report is whole during the call.
            unsafe { (self.table().report)(self.as_ptr(), report) }
        });
    }

    /// Tells what every move is worth after a search of `depth` plies (0 if that means nothing). Of several lists in a
    /// turn the last one counts. Does nothing where the arbiter does not take such lists.
    pub fn report_root_moves(self, depth: u32, moves: &[RootMove]) {
        let Some(table) = self.extension::<raw::RootMovesV1>(raw::ROOT_MOVES_V1) else { return };
        // SAFETY: the table is the function's own, and as many moves are there as we say.
        unsafe { (table.report)(self.as_ptr(), depth, RootMove::as_raw(moves), read::c_len(moves.len())) };
    }

    /// The draw of chance events ahead of time, if this arbiter offers it.
    #[must_use]
    pub fn chance(self) -> Option<Chance> {
        self.extension::<raw::ChanceV1>(raw::CHANCE_V1).map(Chance)
    }

    /// The file that the bot was given beside its library, if it was given one.
    #[must_use]
    pub fn payload(self) -> Option<Payload> {
        self.extension::<raw::PayloadV1>(raw::PAYLOAD_V1).map(Payload)
    }

    pub(crate) fn path(self) -> Option<&'static raw::PathV1> {
        self.extension::<raw::PathV1>(raw::PATH_V1)
    }

    /// `id` must be the name of the extension whose table is `T`.
    fn extension<T>(self, id: &CStr) -> Option<&'static T> {
        // SAFETY: the table is the function's own, and the name outlives the call.
        let table = unsafe { (self.table().extension)(self.as_ptr(), id.as_ptr()) };
        // SAFETY: under a released name the arbiter gives null or the table of that name, good until the
        // process ends.
        unsafe { table.cast::<T>().as_ref() }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, version) = self.program();
        write!(f, "Host({name} {version})")
    }
}

/// Looks ahead in games with chance: stacks with earthquakes.
///
/// ```
/// use arbiter_plugin_api::{Error, Move, Outcome, Result, Turn};
///
/// /// How often a move wins at once, in a hundred draws of the chance after it.
/// fn wins(turn: &Turn, m: Move) -> Result<usize> {
///     let chance = turn.host().chance().ok_or_else(|| Error::unsupported("this arbiter draws no chance"))?;
///     let mut position = turn.position();
///     let mut wins = 0;
///     for _ in 0..100 {
///         chance.apply(&mut position, m, turn.random())?;
///         wins += usize::from(position.outcome(turn.seat()) == Some(Outcome::Win));
///         position.undo();
///     }
///     Ok(wins)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chance(&'static raw::ChanceV1);

impl Chance {
    /// Plays a move and then what chance does after it, drawn from a number of the bot's own. The same number
    /// draws the same on the same position; one [`undo`](Position::undo) takes back both.
    ///
    /// # Errors
    ///
    /// The move is not legal; nothing has changed.
    pub fn apply(self, position: &mut Position, m: Move, random: u64) -> Result<(), IllegalMove> {
        let (host, pos) = position.as_raw_mut();
        // SAFETY: the position is a live copy of ours, and the table that came with it is its own.
        let status = unsafe { (self.0.apply_sampled)(host.as_ptr(), pos, m.to_raw(), random) };
        if status == raw::OK { Ok(()) } else { Err(IllegalMove(m)) }
    }
}

/// A file that the bot was given beside its library: `./bot.so+weights.bin`. It stays in memory until the process ends.
///
/// ```
/// # use arbiter_plugin_api::{Error, Game, Result};
/// fn weights(game: &Game) -> Result<&'static [u8]> {
///     let weights = game.host().payload().ok_or_else(|| Error::unsupported("name my weights: bot.so+weights.bin"))?;
///     Ok(weights.bytes())
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Payload(&'static raw::PayloadV1);

// SAFETY: the table and what it points to are only read, and never change.
unsafe impl Send for Payload {}
// SAFETY: as above.
unsafe impl Sync for Payload {}

impl Payload {
    /// What is in it.
    #[must_use]
    pub fn bytes(self) -> &'static [u8] {
        let length = usize::try_from(self.0.size).unwrap_or_default();
        if self.0.data.is_null() {
            return &[];
        }
        // SAFETY: the header promises so many bytes, which stay unchanged until the process ends.
        unsafe { std::slice::from_raw_parts(self.0.data.cast(), length) }
    }

    /// Its name without folders.
    #[must_use]
    pub fn name(self) -> &'static str {
        // SAFETY: the texts live as long as the table.
        unsafe { read::text(self.0.name) }
    }

    /// SHA-256 of the bytes, as 64 hexadecimal digits.
    #[must_use]
    pub fn sha256(self) -> &'static str {
        // SAFETY: the texts live as long as the table.
        unsafe { read::text(self.0.sha256) }
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Payload({}, {} bytes)", self.name(), self.0.size)
    }
}
