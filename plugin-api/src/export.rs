//! From a [`Bot`] to the table that the arbiter reads.
//!
//! Every function of the table goes through [`guard`]: nothing unwinds out of a bot, and what went wrong is
//! in the match log.

use std::any::Any;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::{Bot, Error, Event, Game, GameResult, Host, LogLevel, Turn, Waker, raw};

/// What a bot tells about itself; the fields are the keys of [`export_bot!`](crate::export_bot). An empty
/// text is as good as none.
///
/// ```
/// # use arbiter_plugin_api::{Bot, Game, Move, Result, Turn};
/// use arbiter_plugin_api::export_bot;
/// # struct First;
/// # impl Bot for First {
/// #     fn new(_: &Game) -> Result<Self> { Ok(First) }
/// #     fn choose_move(&mut self, turn: &Turn) -> Result<Move> { Ok(turn.moves()[0]) }
/// # }
///
/// export_bot!(First, name: "First", author: "Ada", about: "Plays the first legal move.", games: "hex othello");
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Required, up to 63 bytes.
    pub name: &'static str,
    /// The bot's version; that of its package if nothing is said.
    pub version: &'static str,
    /// Who made it.
    pub author: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Ids of the games it plays, with spaces between; any game if nothing is said.
    pub games: &'static str,
    /// Whether it keeps nothing that changes outside its own value, so that several may play in one process
    /// at the same time. Nobody assumes that unless it is said.
    pub reentrant: bool,
}

impl About {
    /// An `About` with nothing but a version, which [`export_bot!`](crate::export_bot) fills up.
    #[must_use]
    pub const fn version(version: Option<&'static str>) -> About {
        let version = match version {
            Some(version) => version,
            None => "",
        };
        About { name: "", version, author: "", about: "", games: "", reentrant: false }
    }
}

/// Exports a [`Bot`] from a shared library.
///
/// The keys are the fields of [`About`], in any order; only `name` must be there. The symbol is written with
/// an `unsafe` attribute, which `#![forbid(unsafe_code)]` lets pass because it comes from this crate.
///
/// ```
/// # use arbiter_plugin_api::{Bot, Game, Move, Result, Turn, export_bot};
/// # struct Mine;
/// # impl Bot for Mine {
/// #     fn new(_: &Game) -> Result<Self> { Ok(Mine) }
/// #     fn choose_move(&mut self, turn: &Turn) -> Result<Move> { Ok(turn.moves()[0]) }
/// # }
/// export_bot!(Mine,
///     name: "Mine",
///     version: "2.1",
///     author: "Ada",
///     about: "Plays the first move there is",
///     games: "othello connect-four",
///     reentrant: true,
/// );
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! export_bot {
    ($bot:ty, $($about:tt)+) => {
        const _: () = {
            #[unsafe(no_mangle)]
            extern "C" fn arbiter_bot_v1(host_abi: u32) -> *const $crate::raw::Bot {
                if host_abi >> 16 == $crate::raw::ABI_MAJOR {
                    $crate::bot_table!($bot, $($about)+)
                } else {
                    ::core::ptr::null()
                }
            }
        };
    };
}

/// The table of a [`Bot`] that is linked into a program instead of loaded: what
/// [`export_bot!`](crate::export_bot) exports, with the same keys, as a `&'static` [`raw::Bot`].
///
/// ```
/// use arbiter_plugin_api::{bot_table, raw};
/// # use arbiter_plugin_api::{Bot, Game, Move, Result, Turn};
/// # struct Mine;
/// # impl Bot for Mine {
/// #     fn new(_: &Game) -> Result<Self> { Ok(Mine) }
/// #     fn choose_move(&mut self, turn: &Turn) -> Result<Move> { Ok(turn.moves()[0]) }
/// # }
///
/// let table: &'static raw::Bot = bot_table!(Mine, name: "Mine");
/// assert_eq!(table.abi, raw::ABI);
/// ```
#[macro_export]
macro_rules! bot_table {
    ($bot:ty, $($key:ident: $value:expr),+ $(,)?) => {{
        const ABOUT: $crate::About = $crate::About {
            $($key: $value,)+
            ..$crate::About::version(::core::option_env!("CARGO_PKG_VERSION"))
        };
        const NAME: [u8; ABOUT.name.len() + 1] = $crate::with_zero(ABOUT.name);
        const VERSION: [u8; ABOUT.version.len() + 1] = $crate::with_zero(ABOUT.version);
        const AUTHOR: [u8; ABOUT.author.len() + 1] = $crate::with_zero(ABOUT.author);
        const TEXT: [u8; ABOUT.about.len() + 1] = $crate::with_zero(ABOUT.about);
        const GAMES: [u8; ABOUT.games.len() + 1] = $crate::with_zero(ABOUT.games);
        static TABLE: $crate::raw::Bot = $crate::raw::Bot {
            name: $crate::text_or_null(&NAME),
            version: $crate::text_or_null(&VERSION),
            author: $crate::text_or_null(&AUTHOR),
            about: $crate::text_or_null(&TEXT),
            games: $crate::text_or_null(&GAMES),
            ..$crate::table::<$bot>(&ABOUT)
        };
        &TABLE
    }};
}

/// A text with the zero byte that C wants, made while compiling. `N` is one more than its length.
#[doc(hidden)]
#[must_use]
pub const fn with_zero<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut with_zero = [0; N];
    let mut i = 0;
    while i < bytes.len() {
        assert!(bytes[i] != 0, "what a bot tells about itself has no zero bytes");
        with_zero[i] = bytes[i];
        i += 1;
    }
    with_zero
}

/// What [`with_zero`] made, for the table.
#[doc(hidden)]
#[must_use]
pub const fn text_or_null(with_zero: &'static [u8]) -> *const c_char {
    if with_zero.len() > 1 { with_zero.as_ptr().cast() } else { ptr::null() }
}

/// The table of a bot, without its texts.
#[doc(hidden)]
#[must_use]
pub const fn table<B: Bot>(about: &About) -> raw::Bot {
    assert!(!about.name.is_empty(), "a bot has a name");
    assert!(about.name.len() <= 63, "a bot's name has at most 63 bytes");
    raw::Bot {
        magic: raw::MAGIC,
        abi: raw::ABI,
        #[expect(clippy::cast_possible_truncation, reason = "raw.rs asserts that it has 120 bytes at most")]
        struct_size: size_of::<raw::Bot>() as u32,
        flags: if about.reentrant { raw::BOT_REENTRANT } else { 0 },
        name: ptr::null(),
        version: ptr::null(),
        author: ptr::null(),
        about: ptr::null(),
        games: ptr::null(),
        create: Some(create::<B>),
        destroy: Some(destroy::<B>),
        new_game: Some(new_game::<B>),
        choose_move: Some(choose_move::<B>),
        played: Some(played::<B>),
        game_over: Some(game_over::<B>),
        stop: if B::WAKER.is_some() { Some(stop::<B>) } else { None },
        extension: None,
    }
}

/// What `self` points to.
struct Instance<B> {
    host: Host,
    /// `None` before the first game, after a refused one, and after a panic.
    player: Mutex<Option<B>>,
    /// The only part that another thread may touch, beside `host`.
    waker: Mutex<Option<Waker>>,
}

/// Why a call fails.
enum Fault {
    /// A null pointer, or a number out of range.
    Argument,
    /// No game is running.
    State,
    /// The bot says so.
    Bot(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Bot(error)
    }
}

impl Fault {
    /// The status to return, and what to write to the log.
    fn explain(self) -> (i32, String) {
        match self {
            Fault::Argument => (raw::ERR_ARGUMENT, "the arbiter's call is missing something".into()),
            Fault::State => (raw::ERR_STATE, "no game is running".into()),
            Fault::Bot(Error::Resign) => (raw::RESIGN, String::new()),
            Fault::Bot(Error::Unsupported(why)) => (raw::ERR_UNSUPPORTED, why),
            Fault::Bot(Error::Failed(why)) => (raw::ERR_FAILED, why),
        }
    }
}

/// Runs what may fail or panic, and turns it into a status; what there is to say goes to the log.
fn guard(host: Host, work: impl FnOnce() -> Result<(), Fault>) -> i32 {
    // A player that panics is dropped, so nothing sees what it has left half done.
    let (status, why) = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return raw::OK,
        Ok(Err(fault)) => fault.explain(),
        Err(panic) => (raw::ERR_PANIC, format!("panicked: {}", message(panic))),
    };
    if !why.is_empty() {
        host.log(LogLevel::Error, &why);
    }
    status
}

fn message(panic: Box<dyn Any + Send>) -> String {
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => match panic.downcast::<&str>() {
            Ok(text) => text.to_string(),
            Err(panic) => {
                // Dropping a value of unknown type could panic once more, out of reach of the guard.
                std::mem::forget(panic);
                "without a message".into()
            }
        },
    }
}

/// The guard of a call to an instance: hands over its player, and drops that if it panics.
///
/// # Safety
///
/// `this` is null or came from `create::<B>` and has not been destroyed; only `stop` runs meanwhile.
unsafe fn enter<B: Bot>(
    this: *mut c_void,
    work: impl FnOnce(&Instance<B>, &mut Option<B>) -> Result<(), Fault>,
) -> i32 {
    // SAFETY: the caller promises an instance or null. Other threads share it at most: see `stop`.
    let Some(instance) = (unsafe { this.cast::<Instance<B>>().as_ref() }) else {
        return raw::ERR_ARGUMENT;
    };
    let Some(mut player) = try_lock(&instance.player) else { return raw::ERR_STATE };
    let status = guard(instance.host, || work(instance, &mut player));
    if status == raw::ERR_PANIC {
        *lock(&instance.waker) = None;
        let gone = player.take();
        guard(instance.host, || {
            drop(gone);
            Ok(())
        });
    }
    status
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `None` if the arbiter calls while another call lasts, which it never does.
fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// In WebAssembly no panic can be caught: its message is written to the log before it ends the bot.
#[cfg(target_family = "wasm")]
fn tell_panics(host: Host) {
    std::panic::set_hook(Box::new(move |panic| {
        host.log(LogLevel::Error, &panic.to_string().replace('\n', " "));
    }));
}

/// # Safety
///
/// As the header says of `create`.
unsafe extern "C" fn create<B: Bot>(host: *const raw::Host, this: *mut *mut c_void) -> i32 {
    // SAFETY: the arbiter's table lives until the process ends.
    let Some(host) = (unsafe { Host::read(host) }) else { return raw::ERR_ARGUMENT };
    if this.is_null() {
        return raw::ERR_ARGUMENT;
    }
    #[cfg(target_family = "wasm")]
    tell_panics(host);
    let instance = Box::new(Instance::<B> { host, player: Mutex::new(None), waker: Mutex::new(None) });
    // SAFETY: the arbiter gives a place for the pointer.
    unsafe { this.write(Box::into_raw(instance).cast()) };
    raw::OK
}

/// # Safety
///
/// As the header says of `destroy`.
unsafe extern "C" fn destroy<B: Bot>(this: *mut c_void) {
    if this.is_null() {
        return;
    }
    // SAFETY: the arbiter gives back what `create` made, once, and no other call lasts.
    let instance = unsafe { Box::from_raw(this.cast::<Instance<B>>()) };
    guard(instance.host, move || {
        drop(instance);
        Ok(())
    });
}

/// # Safety
///
/// As the header says of `new_game`.
unsafe extern "C" fn new_game<B: Bot>(this: *mut c_void, game: *const raw::Game) -> i32 {
    let sit_down = |instance: &Instance<B>, player: &mut Option<B>| {
        let last = player.take();
        *lock(&instance.waker) = None;
        // SAFETY: what the arbiter hands over is good during the call.
        let game = unsafe { Game::read(game) }.ok_or(Fault::Argument)?;
        let next = match last {
            Some(last) => last.next_game(&game)?,
            None => B::new(&game)?,
        };
        *lock(&instance.waker) = B::WAKER.map(|make| make(&next));
        *player = Some(next);
        Ok(())
    };
    // SAFETY: the arbiter gives back what `create` made.
    unsafe { enter(this, sit_down) }
}

/// # Safety
///
/// As the header says of `choose_move`.
unsafe extern "C" fn choose_move<B: Bot>(this: *mut c_void, turn: *const raw::Turn, answer: *mut u64) -> i32 {
    let think = |_: &Instance<B>, player: &mut Option<B>| {
        // SAFETY: what the arbiter hands over is good during the call.
        let turn = unsafe { Turn::read(turn) }.ok_or(Fault::Argument)?;
        if answer.is_null() || turn.moves().is_empty() {
            return Err(Fault::Argument);
        }
        let chosen = player.as_mut().ok_or(Fault::State)?.choose_move(&turn)?;
        // SAFETY: the arbiter gives a place for the move.
        unsafe { answer.write(chosen.to_raw()) };
        Ok(())
    };
    // SAFETY: the arbiter gives back what `create` made.
    unsafe { enter(this, think) }
}

/// # Safety
///
/// As the header says of `played`.
unsafe extern "C" fn played<B: Bot>(this: *mut c_void, event: *const raw::Event) {
    let listen = |_: &Instance<B>, player: &mut Option<B>| {
        // SAFETY: what the arbiter hands over is good during the call.
        let event = unsafe { Event::read(event) }.ok_or(Fault::Argument)?;
        if let Some(player) = player {
            player.played(&event);
        }
        Ok(())
    };
    // SAFETY: the arbiter gives back what `create` made.
    unsafe { enter(this, listen) };
}

/// # Safety
///
/// As the header says of `game_over`.
unsafe extern "C" fn game_over<B: Bot>(this: *mut c_void, result: *const raw::GameResult) {
    let listen = |_: &Instance<B>, player: &mut Option<B>| {
        // SAFETY: what the arbiter hands over is good during the call.
        let result = unsafe { GameResult::read(result) }.ok_or(Fault::Argument)?;
        if let Some(player) = player {
            player.game_over(&result);
        }
        Ok(())
    };
    // SAFETY: the arbiter gives back what `create` made.
    unsafe { enter(this, listen) };
}

/// # Safety
///
/// As the header says of `stop`.
unsafe extern "C" fn stop<B: Bot>(this: *mut c_void) {
    if this.is_null() {
        return;
    }
    let instance = this.cast::<Instance<B>>();
    // SAFETY: the arbiter gives back what `create` made, and does not destroy it meanwhile. The player may be
    // thinking in its own thread, so this one looks at nothing but these two.
    let (host, waker) = unsafe { ((*instance).host, &(*instance).waker) };
    guard(host, || {
        let waker = lock(waker).clone();
        if let Some(wake) = waker {
            wake();
        }
        Ok(())
    });
}
