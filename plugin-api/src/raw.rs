//! The structs of `arbiter_bot.h`, field for field.
//!
//! The header is the contract and holds its wording; this module is the same contract for Rust, used by the
//! safe side of this crate and by the arbiter itself. A struct is named as in C without its prefix:
//! `arbiter_turn` is [`Turn`]. Its size is asserted here at compile time, and a test compares every field
//! with what a C compiler makes of the header.
//!
//! Functions that a bot may leave out are `Option`s. Those of the arbiter are always there.

use std::ffi::{CStr, c_char, c_void};

/// Major version of the interface; an incompatible one exports another symbol.
pub const ABI_MAJOR: u32 = 1;
/// Minor version of the interface.
pub const ABI_MINOR: u32 = 1;
/// Both versions in one number, as it stands in [`Bot::abi`] and [`Host::abi`].
pub const ABI: u32 = (ABI_MAJOR << 16) | ABI_MINOR;
/// The first field of every [`Bot`].
pub const MAGIC: u32 = 0x5442_5241;
/// The one symbol that a bot exports, of type [`EntryPoint`].
pub const ENTRY_POINT: &CStr = c"arbiter_bot_v1";

/// Most seats in one game.
pub const MAX_PLAYERS: u32 = 6;
/// Most legal moves in one position of any game.
pub const MAX_MOVES: u32 = 512;
/// Most cells in the path of a legal move, first and last included.
pub const MAX_PATH: u32 = 64;
/// Greatest length of a cells array.
pub const MAX_CELLS: u32 = 4096;
/// Room for the text of a position, its zero byte included.
pub const MAX_TEXT: u32 = 8192;
/// Room for the text of a move, its zero byte included.
pub const MAX_MOVE_TEXT: u32 = 256;
/// Most cells that [`PathV1::answer`] takes.
pub const MAX_ANSWER: u32 = 256;
/// A clock that never runs out.
pub const NO_LIMIT: i64 = i64::MAX;

/// Done.
pub const OK: i32 = 0;
/// From [`Bot::choose_move`]: the bot gives the game up.
pub const RESIGN: i32 = 1;
/// It went wrong; the log says how.
pub const ERR_FAILED: i32 = -1;
/// A pointer was null or a number out of range.
pub const ERR_ARGUMENT: i32 = -2;
/// That move is not legal in that position.
pub const ERR_ILLEGAL: i32 = -3;
/// Not now: nothing to undo, no game running.
pub const ERR_STATE: i32 = -4;
/// This game, option or request is not for this bot.
pub const ERR_UNSUPPORTED: i32 = -5;
/// Out of memory.
pub const ERR_MEMORY: i32 = -6;
/// A language wrapper caught a panic or exception.
pub const ERR_PANIC: i32 = -7;

/// No move.
pub const NO_MOVE: u64 = 0;
/// Put a piece on `to`.
pub const KIND_PLACE: u8 = 1;
/// Take a piece from `from` to `to`.
pub const KIND_MOVE: u8 = 2;
/// Take a piece off `from`.
pub const KIND_REMOVE: u8 = 3;
/// Do nothing.
pub const KIND_PASS: u8 = 4;
/// The one pass there is.
pub const MOVE_PASS: u64 = (KIND_PASS as u64) << 48;

/// An empty cell; 1 to 6 are the pieces of seats 0 to 5.
pub const CELL_EMPTY: u8 = 0;
/// A place in the array that is not on the board.
pub const CELL_OUTSIDE: u8 = 255;

/// Nobody: the game is over.
pub const SEAT_NONE: i32 = -1;
/// Dice, earthquakes.
pub const SEAT_CHANCE: i32 = -2;

/// Log level: of interest to the bot's author only.
pub const LOG_DEBUG: i32 = 0;
/// Log level: worth knowing.
pub const LOG_INFO: i32 = 1;
/// Log level: odd, but the game goes on.
pub const LOG_WARN: i32 = 2;
/// Log level: why something failed.
pub const LOG_ERROR: i32 = 3;

/// From [`Host::should_stop`]: keep thinking.
pub const GO_ON: i32 = 0;
/// From [`Host::should_stop`]: the soft time is over.
pub const ENOUGH: i32 = 1;
/// From [`Host::should_stop`]: answer now.
pub const STOP: i32 = 2;
/// From [`Host::should_stop`]: the answer is no longer wanted.
pub const ABANDON: i32 = 3;

/// In [`Report::score`]: no opinion.
pub const NO_SCORE: i32 = i32::MIN;

/// From [`Host::outcome`]: the game goes on for that seat.
pub const RUNNING: i32 = 2;
/// First alone.
pub const WIN: i32 = 1;
/// First together with others.
pub const DRAW: i32 = 0;
/// Anything else.
pub const LOSS: i32 = -1;

/// In [`Event::flags`]: not chosen by the player.
pub const EVENT_FORCED: u32 = 1;
/// In [`Event::flags`]: this seat is out; the game goes on without it.
pub const EVENT_ELIMINATED: u32 = 2;

/// In [`Bot::flags`]: keeps nothing outside its instances.
pub const BOT_REENTRANT: u32 = 1;

/// The name of the extension [`PathV1`].
pub const PATH_V1: &CStr = c"arbiter.path/1";
/// The name of the extension [`ChanceV1`].
pub const CHANCE_V1: &CStr = c"arbiter.chance/1";
/// The name of the extension [`RootMovesV1`].
pub const ROOT_MOVES_V1: &CStr = c"arbiter.root-moves/1";
/// The name of the extension [`PayloadV1`].
pub const PAYLOAD_V1: &CStr = c"arbiter.payload/1";

/// In [`RootMove::bound`]: the score is the value.
pub const EXACT: u32 = 0;
/// In [`RootMove::bound`]: the value is no higher than the score.
pub const AT_MOST: u32 = 1;
/// In [`RootMove::bound`]: the value is no lower than the score.
pub const AT_LEAST: u32 = 2;

/// `arbiter_bot_v1`: gives the bot's table, or null to refuse this arbiter.
pub type EntryPoint = unsafe extern "C" fn(host_abi: u32) -> *const Bot;

/// `arbiter_pos`: a position, whose inside only the arbiter knows.
#[repr(C)]
#[derive(Debug)]
pub struct Pos {
    _opaque: [u8; 0],
    _not_send: std::marker::PhantomData<*mut u8>,
}

/// `arbiter_report`: what a thinking bot has found so far.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Size of this struct where it was compiled.
    pub struct_size: u32,
    /// Plies searched, or 0.
    pub depth: u32,
    /// The best move so far, or [`NO_MOVE`].
    pub best: u64,
    /// Positions looked at, or 0.
    pub nodes: u64,
    /// From the bot's side, 100 to a piece, or [`NO_SCORE`].
    pub score: i32,
    /// Moves in `pv`.
    pub pv_count: u32,
    /// The expected line, or null.
    pub pv: *const u64,
    /// One line for a human, or null.
    pub text: *const c_char,
}

/// `arbiter_host`: what the arbiter lends to a bot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Size of this struct.
    pub struct_size: u32,
    /// The arbiter's [`ABI`].
    pub abi: u32,
    /// `"arbiter"`.
    pub name: *const c_char,
    /// The arbiter's version.
    pub version: *const c_char,
    /// The arbiter's own.
    pub ctx: *mut c_void,
    /// A named service that is not in this table, or null. Any thread.
    pub extension: unsafe extern "C" fn(h: *const Host, id: *const c_char) -> *const c_void,
    /// Writes to the match log. Any thread.
    pub log: unsafe extern "C" fn(h: *const Host, level: i32, text: *const c_char),
    /// [`GO_ON`], [`ENOUGH`], [`STOP`] or [`ABANDON`]. Any thread.
    pub should_stop: unsafe extern "C" fn(h: *const Host) -> i32,
    /// Nanoseconds left of the hard time, or [`NO_LIMIT`]. Any thread.
    pub time_left_ns: unsafe extern "C" fn(h: *const Host) -> i64,
    /// Random bits that repeat when the match is run again. One thread at a time.
    pub random: unsafe extern "C" fn(h: *const Host) -> u64,
    /// Tells what the bot has so far. Any thread.
    pub report: unsafe extern "C" fn(h: *const Host, r: *const Report),
    /// A copy, or null when memory is short.
    pub pos_copy: unsafe extern "C" fn(h: *const Host, p: *const Pos) -> *mut Pos,
    /// Frees a copy; null is fine.
    pub pos_free: unsafe extern "C" fn(h: *const Host, p: *mut Pos),
    /// Makes `to` a fresh copy of `from`, of the same game.
    pub pos_set: unsafe extern "C" fn(h: *const Host, to: *mut Pos, from: *const Pos) -> i32,
    /// Fills `moves` with up to `cap` legal moves and returns how many there are.
    pub legal_moves: unsafe extern "C" fn(h: *const Host, p: *const Pos, moves: *mut u64, cap: u32) -> u32,
    /// Plays a move, or returns [`ERR_ILLEGAL`] and changes nothing.
    pub apply: unsafe extern "C" fn(h: *const Host, p: *mut Pos, m: u64) -> i32,
    /// Takes back the last move played on this copy.
    pub undo: unsafe extern "C" fn(h: *const Host, p: *mut Pos) -> i32,
    /// The seat that moves next, or [`SEAT_NONE`].
    pub to_move: unsafe extern "C" fn(h: *const Host, p: *const Pos) -> i32,
    /// [`RUNNING`], [`WIN`], [`DRAW`] or [`LOSS`] for that seat.
    pub outcome: unsafe extern "C" fn(h: *const Host, p: *const Pos, seat: i32) -> i32,
    /// The board, one byte a cell.
    pub cells: unsafe extern "C" fn(h: *const Host, p: *const Pos, cells: *mut u8, cap: u32) -> u32,
    /// The pieces on one cell from bottom to top.
    pub column:
        unsafe extern "C" fn(h: *const Host, p: *const Pos, cell: u32, pieces: *mut u8, cap: u32) -> u32,
    /// A key for hash tables.
    pub hash: unsafe extern "C" fn(h: *const Host, p: *const Pos) -> u64,
    /// The position as text.
    pub pos_text: unsafe extern "C" fn(h: *const Host, p: *const Pos, text: *mut c_char, cap: u32) -> u32,
    /// A new position from text, or null.
    pub pos_parse: unsafe extern "C" fn(h: *const Host, text: *const c_char) -> *mut Pos,
    /// A move as people write it.
    pub move_text:
        unsafe extern "C" fn(h: *const Host, p: *const Pos, m: u64, text: *mut c_char, cap: u32) -> u32,
    /// A legal move from text, or [`NO_MOVE`].
    pub move_parse: unsafe extern "C" fn(h: *const Host, p: *const Pos, text: *const c_char) -> u64,
    /// The cells a legal move goes through, first and last included.
    pub move_path:
        unsafe extern "C" fn(h: *const Host, p: *const Pos, m: u64, cells: *mut u16, cap: u32) -> u32,
}

/// `arbiter_path_v1`, the extension [`PATH_V1`]: answer with a path of cells instead of a move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PathV1 {
    /// Keeps a path as the answer of the turn being played.
    pub answer: unsafe extern "C" fn(h: *const Host, cells: *const i32, count: u32) -> i32,
}

/// `arbiter_chance_v1`, the extension [`CHANCE_V1`]: look ahead in games with chance.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ChanceV1 {
    /// Plays a move and draws what chance does after it from `random`; one undo takes back both.
    pub apply_sampled: unsafe extern "C" fn(h: *const Host, p: *mut Pos, m: u64, random: u64) -> i32,
}

/// `arbiter_root_move`: one of the moves to choose from, and what the bot thinks of it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub r#move: u64,
    /// As in [`Report::score`].
    pub score: i32,
    /// [`EXACT`], [`AT_MOST`] or [`AT_LEAST`].
    pub bound: u32,
}

/// `arbiter_root_moves_v1`, the extension [`ROOT_MOVES_V1`]: tell what every move is worth.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RootMovesV1 {
    /// Keeps a copy of the list, the result of a search of `depth` plies. Any thread.
    pub report: unsafe extern "C" fn(h: *const Host, depth: u32, moves: *const RootMove, count: u32),
}

/// `arbiter_payload_v1`, the extension [`PAYLOAD_V1`]: a file that the bot was given beside its library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PayloadV1 {
    /// The bytes of the file; never null.
    pub data: *const c_void,
    /// Its name without folders.
    pub name: *const c_char,
    /// SHA-256 of the bytes, as 64 hexadecimal digits.
    pub sha256: *const c_char,
    /// How many bytes there are.
    pub size: u64,
}

/// `arbiter_option`: a key and its value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// What is set.
    pub key: *const c_char,
    /// What it is set to.
    pub value: *const c_char,
}

/// `arbiter_game`: a game begins.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Size of this struct.
    pub struct_size: u32,
    /// The bot's seat, from 0.
    pub seat: i32,
    /// Seats in this game.
    pub players: u32,
    /// Shape of the cells array: columns.
    pub width: u32,
    /// Shape of the cells array: rows.
    pub height: u32,
    /// Shape of the cells array: boards.
    pub depth: u32,
    /// `"othello"`.
    pub game: *const c_char,
    /// The same table that `create` got.
    pub host: *const Host,
    /// The position before the opening moves.
    pub start: *const Pos,
    /// The same as text.
    pub start_text: *const c_char,
    /// Every option of the game, defaults too.
    pub rules: *const Setting,
    /// Options given to this bot.
    pub options: *const Setting,
    /// Length of `rules`.
    pub rule_count: u32,
    /// Length of `options`.
    pub option_count: u32,
    /// Processor cores that the bot may keep busy.
    pub threads: u32,
    /// Refused answers after which the game is lost: 10,000 where the match sets no number. `u32::MAX` would mean no
    /// limit; it is not sent today.
    pub max_errors: u32,
    /// Bytes that the bot may use, or `u64::MAX`.
    pub memory: u64,
    /// For the bot's own random numbers.
    pub seed: u64,
    /// The clock at the start, or [`NO_LIMIT`].
    pub time_ns: i64,
    /// Added after each of the bot's moves.
    pub increment_ns: i64,
    /// Most time for one move, or [`NO_LIMIT`].
    pub move_limit_ns: i64,
}

/// `arbiter_turn`: it is the bot's turn.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Size of this struct.
    pub struct_size: u32,
    /// The bot's seat.
    pub seat: i32,
    /// Moves played since the start by all seats.
    pub ply: u32,
    /// Length of `moves`, never 0.
    pub move_count: u32,
    /// Every legal move.
    pub moves: *const u64,
    /// The position, to be read and copied.
    pub pos: *const Pos,
    /// The board, one byte a cell.
    pub cells: *const u8,
    /// The position as text.
    pub text: *const c_char,
    /// Length of `cells`.
    pub cell_count: u32,
    /// Seats in this game, and length of `clocks_ns`.
    pub players: u32,
    /// How many answers to this very turn were refused.
    pub attempt: u32,
    /// Length of `history`.
    pub history_count: u32,
    /// The bot must answer within this time, or [`NO_LIMIT`].
    pub hard_ns: i64,
    /// A sensible time to spend on this move.
    pub soft_ns: i64,
    /// What each seat has left, or [`NO_LIMIT`].
    pub clocks_ns: *const i64,
    /// The moves played so far, oldest first.
    pub history: *const u64,
    /// The same table that `create` got.
    pub host: *const Host,
    /// What `new_game` got.
    pub game: *const Game,
}

/// `arbiter_event`: something happened.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Size of this struct.
    pub struct_size: u32,
    /// Who, or [`SEAT_CHANCE`].
    pub seat: i32,
    /// Moves played before this one.
    pub ply: u32,
    /// [`EVENT_FORCED`], [`EVENT_ELIMINATED`].
    pub flags: u32,
    /// The move, or [`NO_MOVE`].
    pub r#move: u64,
    /// Time taken.
    pub time_ns: i64,
    /// The position after it.
    pub pos: *const Pos,
    /// The move as people write it.
    pub text: *const c_char,
    /// The same table that `create` got.
    pub host: *const Host,
    /// What `new_game` got.
    pub game: *const Game,
}

/// `arbiter_result`: the game is over.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GameResult {
    /// Size of this struct.
    pub struct_size: u32,
    /// The bot's: [`WIN`], [`DRAW`] or [`LOSS`].
    pub outcome: i32,
    /// Seats in this game, and length of the three lists.
    pub players: u32,
    /// The bot's seat.
    pub seat: i32,
    /// The outcome of every seat.
    pub outcomes: *const i32,
    /// The rank of every seat, 1 is best.
    pub ranks: *const i32,
    /// The score of every seat, or null.
    pub scores: *const i32,
    /// Why the game ended.
    pub reason: *const c_char,
    /// The same table that `create` got.
    pub host: *const Host,
    /// What `new_game` got.
    pub game: *const Game,
}

/// `arbiter_bot`: what a bot is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bot {
    /// [`MAGIC`].
    pub magic: u32,
    /// The [`ABI`] that the bot was built with.
    pub abi: u32,
    /// Size of this struct where the bot was compiled.
    pub struct_size: u32,
    /// [`BOT_REENTRANT`].
    pub flags: u32,
    /// Required, up to 63 bytes.
    pub name: *const c_char,
    /// The bot's version, or null.
    pub version: *const c_char,
    /// Who made it, or null.
    pub author: *const c_char,
    /// One line about it, or null.
    pub about: *const c_char,
    /// Ids of games with spaces between, or null for any.
    pub games: *const c_char,
    /// Makes an instance.
    pub create: Option<unsafe extern "C" fn(host: *const Host, this: *mut *mut c_void) -> i32>,
    /// Ends an instance.
    pub destroy: Option<unsafe extern "C" fn(this: *mut c_void)>,
    /// A new game for this instance.
    pub new_game: Option<unsafe extern "C" fn(this: *mut c_void, game: *const Game) -> i32>,
    /// Required: answers a turn.
    pub choose_move:
        Option<unsafe extern "C" fn(this: *mut c_void, turn: *const Turn, r#move: *mut u64) -> i32>,
    /// Hears what happened.
    pub played: Option<unsafe extern "C" fn(this: *mut c_void, event: *const Event)>,
    /// Hears how the game ended.
    pub game_over: Option<unsafe extern "C" fn(this: *mut c_void, result: *const GameResult)>,
    /// Wakes a bot that waits. Any thread.
    pub stop: Option<unsafe extern "C" fn(this: *mut c_void)>,
    /// A named service of this bot, or null.
    pub extension: Option<unsafe extern "C" fn(this: *mut c_void, id: *const c_char) -> *const c_void>,
}

// SAFETY: the table only says where things are: strings and functions that the header wants unchanged for
// ever. Reading its fields from any thread is harmless, and following them is unsafe in any case.
unsafe impl Send for Bot {}
// SAFETY: as above; nothing in the table can change behind a shared reference.
unsafe impl Sync for Bot {}

/// The same sums as in the header: fixed bytes and pointers.
const fn size(fixed: usize, pointers: usize) -> usize {
    fixed + pointers * size_of::<*const c_void>()
}

const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<Report>() == size(32, 2));
    assert!(size_of::<Host>() == size(8, 25));
    assert!(size_of::<Setting>() == size(0, 2));
    assert!(size_of::<Game>() == size(80, 6));
    assert!(size_of::<Turn>() == size(48, 8));
    assert!(size_of::<Event>() == size(32, 4));
    assert!(size_of::<GameResult>() == size(16, 6));
    assert!(size_of::<Bot>() == size(16, 13));
    assert!(size_of::<PathV1>() == size(0, 1));
    assert!(size_of::<ChanceV1>() == size(0, 1));
    assert!(size_of::<RootMove>() == size(16, 0));
    assert!(size_of::<RootMovesV1>() == size(0, 1));
    // Where pointers have four bytes, compilers disagree about padding before the size.
    assert!(size_of::<PayloadV1>() == offset_of!(PayloadV1, size) + 8);
    assert!(offset_of!(Host, legal_moves) == size(8, 12));
    assert!(offset_of!(Host, move_path) == size(8, 24));
    assert!(offset_of!(Game, memory) == size(40, 6));
    assert!(offset_of!(Turn, game) == size(48, 7));
    assert!(offset_of!(Event, pos) == size(32, 0));
    assert!(offset_of!(Bot, choose_move) == size(16, 8));
};
