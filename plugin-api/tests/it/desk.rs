//! A small arbiter for one table of tic-tac-toe: enough to drive a bot that is linked into the test.
//!
//! It notes what the bot asks of it, and it counts positions, so that a leak shows.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicIsize, AtomicU64, Ordering::SeqCst};

use arbiter_plugin_api::raw;

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// What stands behind the handle: the cells in the order they were taken.
#[derive(Clone, Default)]
pub(crate) struct Board {
    taken: Vec<u64>,
    undoable: usize,
}

impl Board {
    /// The position after these cells were taken in turn.
    pub(crate) fn after(cells: &[u64]) -> Board {
        Board { taken: cells.to_vec(), undoable: 0 }
    }

    /// The winner or nobody, once the game is over.
    pub(crate) fn ended(&self) -> Option<Option<u8>> {
        self.moves().is_empty().then(|| self.winner())
    }

    fn cells(&self) -> [u8; 9] {
        let mut cells = [0; 9];
        for (ply, &cell) in self.taken.iter().enumerate() {
            cells[cell as usize] = (ply % 2) as u8 + 1;
        }
        cells
    }

    fn winner(&self) -> Option<u8> {
        let cells = self.cells();
        let full =
            |line: &&[usize; 3]| line.iter().all(|&cell| cells[cell] == cells[line[0]] && cells[cell] > 0);
        LINES.iter().find(full).map(|line| cells[line[0]] - 1)
    }

    fn moves(&self) -> Vec<u64> {
        if self.winner().is_some() {
            return Vec::new();
        }
        (0..9).filter(|cell| !self.taken.contains(cell)).map(place).collect()
    }

    fn text(&self) -> String {
        self.cells().map(|cell| ['.', 'x', 'o'][cell as usize]).iter().collect()
    }
}

/// The move that takes a cell.
pub(crate) fn place(cell: u64) -> u64 {
    u64::from(raw::KIND_PLACE) << 48 | cell << 16 | cell
}

/// A report: best move, depth, score, line, text.
pub(crate) type Heard = (u64, u32, i32, Vec<u64>, String);

/// What the arbiter has heard, and what it will say.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) log: Mutex<Vec<String>>,
    pub(crate) reports: Mutex<Vec<Heard>>,
    pub(crate) path: Mutex<Option<Vec<i32>>>,
    pub(crate) sampled: Mutex<Vec<u64>>,
    pub(crate) root_moves: Mutex<Vec<(u32, Vec<raw::RootMove>)>>,
    pub(crate) positions: AtomicIsize,
    pub(crate) stop_level: AtomicI32,
    pub(crate) time_left: AtomicI64,
    pub(crate) has_extensions: bool,
    /// Stands in for games with longer lists and texts than this one.
    pub(crate) repeat: usize,
    pub(crate) random: AtomicU64,
}

/// The host table and its notes. Pointers are kept as such, so that they stay as good as they were made.
pub(crate) struct Desk {
    table: *mut raw::Host,
    notes: *mut Notes,
}

impl Desk {
    pub(crate) fn new() -> Desk {
        Desk::with(Notes { has_extensions: true, repeat: 1, ..Notes::default() })
    }

    pub(crate) fn with(notes: Notes) -> Desk {
        let notes = Box::into_raw(Box::new(notes));
        let table = raw::Host {
            struct_size: size_of::<raw::Host>() as u32,
            abi: raw::ABI,
            name: c"desk".as_ptr(),
            version: c"0.0.1".as_ptr(),
            ctx: notes.cast(),
            extension,
            log,
            should_stop,
            time_left_ns,
            random,
            report,
            pos_copy,
            pos_free,
            pos_set,
            legal_moves,
            apply,
            undo,
            to_move,
            outcome,
            cells,
            column,
            hash,
            pos_text,
            pos_parse,
            move_text,
            move_parse,
            move_path,
        };
        Desk { table: Box::into_raw(Box::new(table)), notes }
    }

    pub(crate) fn notes(&self) -> &Notes {
        // SAFETY: made by `with`, freed by `drop`.
        unsafe { &*self.notes }
    }

    pub(crate) fn log(&self) -> String {
        self.notes().log.lock().unwrap().join("\n")
    }

    /// The table, to be handed over or spoilt.
    pub(crate) fn table(&self) -> *mut raw::Host {
        self.table
    }

    /// Lends a game for the time of a call.
    pub(crate) fn game<R>(&self, options: &[(&str, &str)], call: impl FnOnce(&mut raw::Game) -> R) -> R {
        let texts: Vec<[CString; 2]> = options
            .iter()
            .map(|&(key, value)| [CString::new(key).unwrap(), CString::new(value).unwrap()])
            .collect();
        let options: Vec<raw::Setting> = texts
            .iter()
            .map(|[key, value]| raw::Setting { key: key.as_ptr(), value: value.as_ptr() })
            .collect();
        let rules = [raw::Setting { key: c"columns".as_ptr(), value: c"3".as_ptr() }];
        let start = Board::default();
        call(&mut raw::Game {
            struct_size: size_of::<raw::Game>() as u32,
            seat: 0,
            players: 2,
            width: 3,
            height: 3,
            depth: 1,
            game: c"tic-tac-toe".as_ptr(),
            host: self.table,
            start: (&raw const start).cast(),
            start_text: c".........".as_ptr(),
            rules: rules.as_ptr(),
            options: options.as_ptr(),
            rule_count: 1,
            option_count: options.len() as u32,
            threads: 1,
            max_errors: 3,
            memory: u64::MAX,
            seed: 7,
            time_ns: raw::NO_LIMIT,
            increment_ns: 0,
            move_limit_ns: 5_000_000_000,
        })
    }

    /// Lends a turn for the time of a call.
    pub(crate) fn turn<R>(&self, board: &Board, call: impl FnOnce(&mut raw::Turn) -> R) -> R {
        let (moves, cells, clocks) = (board.moves(), board.cells(), [raw::NO_LIMIT, -5]);
        let text = CString::new(board.text()).unwrap();
        let history: Vec<u64> = board.taken.iter().map(|&cell| place(cell)).collect();
        self.game(&[], |game| {
            call(&mut raw::Turn {
                struct_size: size_of::<raw::Turn>() as u32,
                seat: (history.len() % 2) as i32,
                ply: history.len() as u32,
                move_count: moves.len() as u32,
                moves: moves.as_ptr(),
                pos: (&raw const *board).cast(),
                cells: cells.as_ptr(),
                text: text.as_ptr(),
                cell_count: 9,
                players: 2,
                attempt: 0,
                history_count: history.len() as u32,
                hard_ns: raw::NO_LIMIT,
                soft_ns: 1_000_000_000,
                clocks_ns: clocks.as_ptr(),
                history: history.as_ptr(),
                host: self.table,
                game,
            })
        })
    }

    /// Lends an event for the time of a call.
    pub(crate) fn event<R>(&self, board: &Board, call: impl FnOnce(&mut raw::Event) -> R) -> R {
        self.game(&[], |game| {
            call(&mut raw::Event {
                struct_size: size_of::<raw::Event>() as u32,
                seat: 1,
                ply: 0,
                flags: 0,
                r#move: place(4),
                time_ns: 1_000,
                pos: (&raw const *board).cast(),
                text: c"b2".as_ptr(),
                host: self.table,
                game,
            })
        })
    }

    /// Lends a result for the time of a call.
    pub(crate) fn result<R>(&self, call: impl FnOnce(&mut raw::GameResult) -> R) -> R {
        let (outcomes, ranks) = ([raw::WIN, raw::LOSS], [1, 2]);
        self.game(&[], |game| {
            call(&mut raw::GameResult {
                struct_size: size_of::<raw::GameResult>() as u32,
                outcome: raw::WIN,
                players: 2,
                seat: 0,
                outcomes: outcomes.as_ptr(),
                ranks: ranks.as_ptr(),
                scores: null(),
                reason: c"three in a row".as_ptr(),
                host: self.table,
                game,
            })
        })
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let left = self.notes().positions.load(SeqCst);
        // SAFETY: made by `with`; no bot is seated any more.
        unsafe {
            drop(Box::from_raw(self.table));
            drop(Box::from_raw(self.notes));
        }
        assert!(left == 0 || std::thread::panicking(), "the bot kept {left} positions for ever");
    }
}

/// A bot in its seat. Its player leaves when the seat is dropped.
pub(crate) struct Seat<'a> {
    pub(crate) desk: &'a Desk,
    pub(crate) bot: &'static raw::Bot,
    pub(crate) this: *mut c_void,
}

impl<'a> Seat<'a> {
    pub(crate) fn take(desk: &'a Desk, bot: &'static raw::Bot) -> Seat<'a> {
        let mut this = null_mut();
        // SAFETY: the table is whole, and outlives the seat.
        let status = unsafe { bot.create.unwrap()(desk.table, &mut this) };
        assert_eq!(status, raw::OK);
        Seat { desk, bot, this }
    }

    pub(crate) fn new_game(&self, options: &[(&str, &str)]) -> i32 {
        // SAFETY: the game is whole during the call.
        self.desk.game(options, |game| unsafe { self.bot.new_game.unwrap()(self.this, game) })
    }

    /// The status and the move.
    pub(crate) fn choose(&self, board: &Board) -> (i32, u64) {
        let mut chosen = raw::NO_MOVE;
        let status = self.desk.turn(board, |turn| {
            // SAFETY: the turn is whole during the call.
            unsafe { self.bot.choose_move.unwrap()(self.this, turn, &mut chosen) }
        });
        (status, chosen)
    }

    pub(crate) fn played(&self, flags: u32) {
        self.desk.event(&Board::after(&[4]), |event| {
            event.flags = flags;
            // SAFETY: the event is whole during the call.
            unsafe { self.bot.played.unwrap()(self.this, event) }
        });
    }

    pub(crate) fn game_over(&self) {
        // SAFETY: the result is whole during the call.
        self.desk.result(|result| unsafe { self.bot.game_over.unwrap()(self.this, result) });
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        // SAFETY: `create` made it, and nobody else destroys it.
        unsafe { self.bot.destroy.unwrap()(self.this) };
    }
}

/// # Safety
///
/// `h` is the table of a desk.
unsafe fn notes<'a>(h: *const raw::Host) -> &'a Notes {
    // SAFETY: a desk puts its notes there, and outlives every call.
    unsafe { &*(*h).ctx.cast::<Notes>() }
}

/// # Safety
///
/// `p` is a board.
unsafe fn board<'a>(p: *const raw::Pos) -> &'a Board {
    // SAFETY: every position of a desk is a board.
    unsafe { &*p.cast::<Board>() }
}

/// # Safety
///
/// `p` is a board that `pos_copy` made.
unsafe fn board_mut<'a>(p: *mut raw::Pos) -> &'a mut Board {
    // SAFETY: as for `board`; the bot has it to itself.
    unsafe { &mut *p.cast::<Board>() }
}

/// Fills a buffer by the header's rule.
///
/// # Safety
///
/// `to` has room for `cap` values.
unsafe fn fill<T: Copy>(values: &[T], to: *mut T, cap: u32) -> u32 {
    for (i, &value) in values.iter().take(cap as usize).enumerate() {
        // SAFETY: `i` is below `cap`.
        unsafe { to.add(i).write(value) };
    }
    values.len() as u32
}

/// # Safety
///
/// `to` has room for `cap` bytes.
unsafe fn fill_text(text: &str, to: *mut c_char, cap: u32) -> u32 {
    if let Some(room) = cap.checked_sub(1) {
        // SAFETY: one byte less than there is, and then the zero.
        unsafe {
            fill(text.as_bytes(), to.cast(), room);
            to.add(text.len().min(room as usize)).write(0);
        }
    }
    text.len() as u32
}

/// # Safety
///
/// `at` ends with a zero.
unsafe fn text(at: *const c_char) -> String {
    // SAFETY: as promised.
    unsafe { CStr::from_ptr(at) }.to_str().unwrap().to_owned()
}

/// The functions of the table. All trust the bot as the header allows an arbiter to trust it.
macro_rules! table {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block)+) => {
        $(
            /// # Safety
            ///
            /// As the header says.
            unsafe extern "C" fn $name($($argument: $kind),*) $(-> $result)? {
                // SAFETY: the pointers are those the header asks for.
                unsafe { $body }
            }
        )+
    };
}

static PATH: raw::PathV1 = raw::PathV1 { answer };
static CHANCE: raw::ChanceV1 = raw::ChanceV1 { apply_sampled };
static ROOT_MOVES: raw::RootMovesV1 = raw::RootMovesV1 { report: root_moves };
/// The payload of every bot here: a table that may be read from any thread.
struct Brought(raw::PayloadV1);
// SAFETY: nothing behind it ever changes.
unsafe impl Sync for Brought {}
static PAYLOAD: Brought = Brought(raw::PayloadV1 {
    data: b"three".as_ptr().cast(),
    name: c"weights.bin".as_ptr(),
    sha256: c"00ff".as_ptr(),
    size: 5,
});

table! {
    fn extension(h: *const raw::Host, id: *const c_char) -> *const c_void {
        match CStr::from_ptr(id) {
            _ if !notes(h).has_extensions => null(),
            id if id == raw::PATH_V1 => (&raw const PATH).cast(),
            id if id == raw::CHANCE_V1 => (&raw const CHANCE).cast(),
            id if id == raw::ROOT_MOVES_V1 => (&raw const ROOT_MOVES).cast(),
            id if id == raw::PAYLOAD_V1 => (&raw const PAYLOAD.0).cast(),
            _ => null(),
        }
    }

    fn answer(h: *const raw::Host, cells: *const i32, count: u32) -> i32 {
        if count > raw::MAX_ANSWER {
            return raw::ERR_ARGUMENT;
        }
        *notes(h).path.lock().unwrap() = Some(std::slice::from_raw_parts(cells, count as usize).to_vec());
        raw::OK
    }

    fn root_moves(h: *const raw::Host, depth: u32, moves: *const raw::RootMove, count: u32) {
        let list = std::slice::from_raw_parts(moves, count as usize).to_vec();
        notes(h).root_moves.lock().unwrap().push((depth, list));
    }

    fn apply_sampled(h: *const raw::Host, p: *mut raw::Pos, m: u64, random: u64) -> i32 {
        notes(h).sampled.lock().unwrap().push(random);
        apply(h, p, m)
    }

    fn log(h: *const raw::Host, level: i32, message: *const c_char) {
        notes(h).log.lock().unwrap().push(format!("{level} {}", text(message)));
    }

    fn should_stop(h: *const raw::Host) -> i32 {
        notes(h).stop_level.load(SeqCst)
    }

    fn time_left_ns(h: *const raw::Host) -> i64 {
        notes(h).time_left.load(SeqCst)
    }

    fn random(h: *const raw::Host) -> u64 {
        notes(h).random.fetch_add(1, SeqCst)
    }

    fn report(h: *const raw::Host, r: *const raw::Report) {
        let report = &*r;
        let line = std::slice::from_raw_parts(report.pv, report.pv_count as usize).to_vec();
        let text = if report.text.is_null() { String::new() } else { text(report.text) };
        notes(h).reports.lock().unwrap().push((report.best, report.depth, report.score, line, text));
    }

    fn pos_copy(h: *const raw::Host, p: *const raw::Pos) -> *mut raw::Pos {
        notes(h).positions.fetch_add(1, SeqCst);
        Box::into_raw(Box::new(Board { undoable: 0, ..board(p).clone() })).cast()
    }

    fn pos_free(h: *const raw::Host, p: *mut raw::Pos) {
        if !p.is_null() {
            notes(h).positions.fetch_sub(1, SeqCst);
            drop(Box::from_raw(p.cast::<Board>()));
        }
    }

    fn pos_set(_h: *const raw::Host, to: *mut raw::Pos, from: *const raw::Pos) -> i32 {
        *board_mut(to) = Board { undoable: 0, ..board(from).clone() };
        raw::OK
    }

    fn legal_moves(h: *const raw::Host, p: *const raw::Pos, moves: *mut u64, cap: u32) -> u32 {
        fill(&board(p).moves().repeat(notes(h).repeat), moves, cap)
    }

    fn apply(_h: *const raw::Host, p: *mut raw::Pos, m: u64) -> i32 {
        let board = board_mut(p);
        if !board.moves().contains(&m) {
            return raw::ERR_ILLEGAL;
        }
        board.taken.push(m & 0xffff);
        board.undoable += 1;
        raw::OK
    }

    fn undo(_h: *const raw::Host, p: *mut raw::Pos) -> i32 {
        let board = board_mut(p);
        if board.undoable == 0 {
            return raw::ERR_STATE;
        }
        board.undoable -= 1;
        board.taken.pop();
        raw::OK
    }

    fn to_move(_h: *const raw::Host, p: *const raw::Pos) -> i32 {
        if board(p).ended().is_some() { raw::SEAT_NONE } else { (board(p).taken.len() % 2) as i32 }
    }

    fn outcome(_h: *const raw::Host, p: *const raw::Pos, seat: i32) -> i32 {
        match board(p).winner() {
            _ if !(0..2).contains(&seat) => raw::ERR_ARGUMENT,
            Some(winner) if i32::from(winner) == seat => raw::WIN,
            Some(_) => raw::LOSS,
            None if board(p).taken.len() == 9 => raw::DRAW,
            None => raw::RUNNING,
        }
    }

    fn cells(_h: *const raw::Host, p: *const raw::Pos, cells: *mut u8, cap: u32) -> u32 {
        fill(&board(p).cells(), cells, cap)
    }

    fn column(_h: *const raw::Host, p: *const raw::Pos, cell: u32, pieces: *mut u8, cap: u32) -> u32 {
        let piece = board(p).cells()[cell as usize];
        fill(if piece == 0 { &[] } else { std::slice::from_ref(&piece) }, pieces, cap)
    }

    fn hash(_h: *const raw::Host, p: *const raw::Pos) -> u64 {
        board(p).cells().iter().fold(0, |hash, &cell| hash * 3 + u64::from(cell))
    }

    fn pos_text(h: *const raw::Host, p: *const raw::Pos, text: *mut c_char, cap: u32) -> u32 {
        fill_text(&board(p).text().repeat(notes(h).repeat), text, cap)
    }

    fn pos_parse(h: *const raw::Host, from: *const c_char) -> *mut raw::Pos {
        let empty = Board::default();
        if text(from) == empty.text() { pos_copy(h, (&raw const empty).cast()) } else { null_mut() }
    }

    fn move_text(_h: *const raw::Host, _p: *const raw::Pos, m: u64, text: *mut c_char, cap: u32) -> u32 {
        fill_text(&(m & 0xffff).to_string(), text, cap)
    }

    fn move_parse(_h: *const raw::Host, p: *const raw::Pos, from: *const c_char) -> u64 {
        let m = text(from).parse().map_or(raw::NO_MOVE, place);
        if board(p).moves().contains(&m) { m } else { raw::NO_MOVE }
    }

    fn move_path(_h: *const raw::Host, _p: *const raw::Pos, m: u64, cells: *mut u16, cap: u32) -> u32 {
        fill(&[(m & 0xffff) as u16], cells, cap)
    }
}
