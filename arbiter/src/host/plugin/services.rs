//! The functions of the host table: what a bot may call.
//!
//! To a bot a position is an opaque pointer; it points to a [`PosHandle`]. Every function checks for null, for numbers
//! out of range and for buffers that are too small, and catches our own panics. The header forbids what cannot be checked,
//! such as a pointer to freed memory; a bot that does it harms its own process.

use super::context::HostContext;
use crate::host::message::{Finding, LONGEST_EXPECTED, LONGEST_MESSAGE, Values, end_within};
use arbiter_plugin_api::bridge::{self, InstructionsV1};
use arbiter_plugin_api::raw::{self, Host, Pos, Report};
use arbiter_rules::{Chance, ChanceSource, Move, MoveList, Position, Seat, SeatResult};
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

pub(super) struct PosHandle {
    owner: Owner,
    pub(super) position: Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// The arbiter's: to be read and copied, never changed or freed by the bot.
    Arbiter,
    Bot,
}

impl PosHandle {
    /// A position that the bot may read and copy.
    pub(super) fn lent(position: Position) -> PosHandle {
        PosHandle { owner: Owner::Arbiter, position }
    }

    /// The pointer that the bot sees.
    pub(super) fn as_pos(&self) -> *const Pos {
        std::ptr::from_ref(self).cast()
    }

    fn given(position: Position) -> *mut Pos {
        Box::into_raw(Box::new(PosHandle { owner: Owner::Bot, position })).cast()
    }
}

pub(super) fn table(context: &HostContext) -> Host {
    Host {
        struct_size: size_of::<Host>() as u32,
        abi: raw::ABI,
        name: c"arbiter".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        ctx: std::ptr::from_ref(context).cast_mut().cast(),
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
    }
}

static PATH_V1: raw::PathV1 = raw::PathV1 { answer: path_answer };
static CHANCE_V1: raw::ChanceV1 = raw::ChanceV1 { apply_sampled };
static INSTRUCTIONS_V1: InstructionsV1 = InstructionsV1 { used: used_instructions };
static ROOT_MOVES_V1: raw::RootMovesV1 = raw::RootMovesV1 { report: report_root_moves };

thread_local! {
    /// A list to generate moves into: clearing it is free, a new one would cost more than most generators.
    static MOVES: RefCell<MoveList> = const { RefCell::new(MoveList::new()) };
}

/// Runs our side of a call. None where we panic.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// The context behind a host table.
///
/// # Safety
/// `h` is null, or points to a table that [`table`] made, or to a copy of one; its context lives.
unsafe fn context<'a>(h: *const Host) -> Option<&'a HostContext> {
    // SAFETY: null, or a table, as the caller promises.
    let host = unsafe { h.as_ref() }?;
    // SAFETY: `ctx` of our tables points to a context that outlives every call of the bot.
    unsafe { host.ctx.cast::<HostContext>().as_ref() }
}

/// Does something with the context behind a host table. None for a null.
///
/// # Safety
/// As for [`context`].
unsafe fn with<T>(h: *const Host, work: impl FnOnce(&HostContext) -> T) -> Option<T> {
    // SAFETY: as the caller promises.
    unsafe { context(h) }.and_then(|context| guarded(|| work(context)))
}

/// Asks something of a position. None for a null.
///
/// # Safety
/// `p` is null or came from us, has not been freed, and nobody changes it during the call.
unsafe fn about<T>(p: *const Pos, ask: impl FnOnce(&Position) -> T) -> Option<T> {
    // SAFETY: null, or one of our handles, as the caller promises.
    let handle = unsafe { p.cast::<PosHandle>().as_ref() }?;
    guarded(|| ask(&handle.position))
}

/// Changes a position of the bot's own, and gives a status.
///
/// # Safety
/// As for [`change`].
unsafe fn changing(p: *mut Pos, work: impl FnOnce(&mut Position) -> i32) -> i32 {
    // SAFETY: as the caller promises.
    let Some(position) = (unsafe { change(p) }) else { return raw::ERR_ARGUMENT };
    guarded(|| work(position)).unwrap_or(raw::ERR_FAILED)
}

/// A position to change: none if it is the arbiter's.
///
/// # Safety
/// `p` is null or came from us, has not been freed, and nobody else uses it during the call.
unsafe fn change<'a>(p: *mut Pos) -> Option<&'a mut Position> {
    // SAFETY: null, or one of our handles, as the caller promises; the owner never changes.
    let handle = unsafe { p.cast::<PosHandle>().as_ref() }?;
    if handle.owner == Owner::Arbiter {
        return None;
    }
    // SAFETY: one of our handles, which nobody else uses during the call.
    unsafe { p.cast::<PosHandle>().as_mut() }.map(|handle| &mut handle.position)
}

/// The bytes of a text, up to its zero or to a limit.
///
/// # Safety
/// `text` is null, or readable up to its zero byte or `limit` bytes, whichever is first.
pub(super) unsafe fn bytes_of<'a>(text: *const c_char, limit: usize) -> Option<&'a [u8]> {
    if text.is_null() {
        return None;
    }
    // SAFETY: readable up to its zero byte or the limit, as the caller promises.
    let length = unsafe { libc::strnlen(text, limit) };
    // SAFETY: as above; what was counted can be read.
    Some(unsafe { std::slice::from_raw_parts(text.cast(), length) })
}

/// Copies what fits into a buffer of the bot and says how much there was.
///
/// # Safety
/// `buffer` is null, or `cap` values long.
unsafe fn fill<T: Copy>(items: impl ExactSizeIterator<Item = T>, buffer: *mut T, cap: u32) -> u32 {
    let count = items.len();
    let room = if buffer.is_null() { 0 } else { cap as usize };
    for (i, item) in items.take(room).enumerate() {
        // SAFETY: `i` is below `cap`, and the buffer is that long.
        unsafe { buffer.add(i).write(item) };
    }
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Copies what fits of a text into a buffer of the bot, with a zero byte, and says how long the text is.
///
/// # Safety
/// `buffer` is null, or `cap` bytes long.
unsafe fn fill_text(text: &str, buffer: *mut c_char, cap: u32) -> u32 {
    if let Some(room) = (cap as usize).checked_sub(1).filter(|_| !buffer.is_null()) {
        let end = end_within(text, room);
        // SAFETY: `end` is below `cap`, the buffer is that long, and it is not ours.
        unsafe {
            buffer.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), end);
            buffer.add(end).write(0);
        }
    }
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

unsafe extern "C" fn extension(h: *const Host, id: *const c_char) -> *const c_void {
    // SAFETY: the header asks for a text or null; no name of ours is longer than the limit.
    let id = unsafe { bytes_of(id, LONGEST_MESSAGE) };
    match id {
        Some(id) if id == raw::PATH_V1.to_bytes() => std::ptr::from_ref(&PATH_V1).cast(),
        Some(id) if id == raw::CHANCE_V1.to_bytes() => std::ptr::from_ref(&CHANCE_V1).cast(),
        Some(id) if id == raw::ROOT_MOVES_V1.to_bytes() => std::ptr::from_ref(&ROOT_MOVES_V1).cast(),
        Some(id) if id == bridge::INSTRUCTIONS_V1.to_bytes() => std::ptr::from_ref(&INSTRUCTIONS_V1).cast(),
        Some(id) if id == raw::PAYLOAD_V1.to_bytes() => {
            // SAFETY: the header asks for the table that came with the call.
            unsafe { context(h) }.map_or(std::ptr::null(), |context| context.payload().cast())
        }
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn log(h: *const Host, level: i32, text: *const c_char) {
    // SAFETY: the header asks for a text or null.
    let Some(text) = (unsafe { bytes_of(text, LONGEST_MESSAGE) }) else { return };
    // SAFETY: the header asks for the table that came with the call.
    unsafe { with(h, |context| context.log(level, &String::from_utf8_lossy(text))) };
}

unsafe extern "C" fn should_stop(h: *const Host) -> i32 {
    // SAFETY: the header asks for the table that came with the call.
    unsafe { context(h) }.map_or(raw::ABANDON, HostContext::stop_level)
}

unsafe extern "C" fn time_left_ns(h: *const Host) -> i64 {
    // SAFETY: the header asks for the table that came with the call.
    unsafe { context(h) }.map_or(0, |context| context.clock.time_left_ns())
}

unsafe extern "C" fn random(h: *const Host) -> u64 {
    // SAFETY: the header asks for the table that came with the call.
    unsafe { context(h) }.map_or(0, HostContext::random)
}

unsafe extern "C" fn report(h: *const Host, r: *const Report) {
    // SAFETY: the header asks for the table that came with the call, and for a report or null, as long as it says itself.
    unsafe {
        with(h, |context| {
            finding(r).map(|finding| context.leave(|left| left.finding = Some(finding.into())))
        });
    }
}

/// Copies a report. Fields that are not wholly inside it are 0.
///
/// # Safety
/// `r` is null, or as long as its first field says, with good pointers inside.
unsafe fn finding(r: *const Report) -> Option<Finding> {
    if r.is_null() {
        return None;
    }
    // SAFETY: not null, and every report has this field.
    let size = unsafe { r.cast::<u32>().read_unaligned() };
    // SAFETY: the report is as long as it says. Any bytes are a report: numbers and pointers.
    let report = unsafe { known_part(r, size).assume_init() };
    let count = if report.pv.is_null() { 0 } else { (report.pv_count as usize).min(LONGEST_EXPECTED) };
    // SAFETY: the header asks for `pv_count` moves behind `pv`.
    let line = (0..count).map(|i| unsafe { report.pv.add(i).read() }).collect();
    // SAFETY: the header asks for a text or null.
    let text = unsafe { bytes_of(report.text, LONGEST_MESSAGE) };
    Some(Finding {
        depth: report.depth,
        nodes: report.nodes,
        score: (report.score != raw::NO_SCORE).then_some(report.score),
        line,
        text: String::from_utf8_lossy(text.unwrap_or_default()).into_owned(),
    })
}

/// Copies a struct of which so many bytes are there; fields that are not wholly inside are 0.
///
/// # Safety
/// So many bytes can be read.
pub(super) unsafe fn known_part<T>(from: *const T, size: u32) -> MaybeUninit<T> {
    // On 64 bits no field lies across a multiple of a pointer's size.
    let known = (size as usize / size_of::<usize>() * size_of::<usize>()).min(size_of::<T>());
    let mut whole = MaybeUninit::<T>::zeroed();
    // SAFETY: so many bytes are there, as the caller promises, and ours is that long.
    unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), whole.as_mut_ptr().cast(), known) };
    whole
}

unsafe extern "C" fn pos_copy(_h: *const Host, p: *const Pos) -> *mut Pos {
    // SAFETY: the header asks for a position or null that nobody changes during the call.
    unsafe { about(p, |position| PosHandle::given(position.clone())) }.unwrap_or(std::ptr::null_mut())
}

unsafe extern "C" fn pos_free(_h: *const Host, p: *mut Pos) {
    // SAFETY: the header asks for a position of the bot's own or null, which it does not use again.
    if unsafe { change(p) }.is_none() {
        return;
    }
    // SAFETY: the handle is the bot's, so `given` made it from a box, and it is freed once.
    let handle = unsafe { Box::from_raw(p.cast::<PosHandle>()) };
    guarded(|| drop(handle));
}

unsafe extern "C" fn pos_set(_h: *const Host, to: *mut Pos, from: *const Pos) -> i32 {
    if std::ptr::eq(to.cast_const(), from) {
        let renew = |position: &mut Position| {
            // A fresh copy of itself, which knows no moves to take back.
            *position = position.clone();
            raw::OK
        };
        // SAFETY: the header asks for a position of the bot's own that nobody else uses.
        return unsafe { changing(to, renew) };
    }
    let copy = |from: &Position| {
        // SAFETY: the header asks for a position of the bot's own that nobody else uses.
        unsafe { changing(to, |to| if to.copy_from(from) { raw::OK } else { raw::ERR_ARGUMENT }) }
    };
    // SAFETY: the header asks for a position that nobody changes during the call; it is not the other one.
    unsafe { about(from, copy) }.unwrap_or(raw::ERR_ARGUMENT)
}

unsafe extern "C" fn legal_moves(_h: *const Host, p: *const Pos, moves: *mut u64, cap: u32) -> u32 {
    let fill_moves = |position: &Position| {
        MOVES.with_borrow_mut(|list| {
            position.legal_moves(list);
            // SAFETY: the header asks for a buffer of `cap` moves or null.
            unsafe { fill(list.iter().map(|m| m.bits()), moves, cap) }
        })
    };
    // SAFETY: the header asks for a position or null that nobody changes during the call.
    unsafe { about(p, fill_moves) }.unwrap_or(0)
}

unsafe extern "C" fn apply(_h: *const Host, p: *mut Pos, m: u64) -> i32 {
    // SAFETY: the header asks for a position of the bot's own or null that nobody else uses.
    unsafe { changing(p, |position| played(position, m, &Chance::NONE)) }
}

fn played(position: &mut Position, m: u64, chance: &Chance) -> i32 {
    if position.play(Move::from_bits(m), chance).is_ok() { raw::OK } else { raw::ERR_ILLEGAL }
}

unsafe extern "C" fn undo(_h: *const Host, p: *mut Pos) -> i32 {
    // SAFETY: the header asks for a position of the bot's own or null that nobody else uses.
    unsafe { changing(p, |position| if position.undo() { raw::OK } else { raw::ERR_STATE }) }
}

unsafe extern "C" fn to_move(_h: *const Host, p: *const Pos) -> i32 {
    let seat = |position: &Position| position.to_move().map_or(raw::SEAT_NONE, |seat| seat.index() as i32);
    // SAFETY: the header asks for a position or null that nobody changes during the call.
    unsafe { about(p, seat) }.unwrap_or(raw::SEAT_NONE)
}

unsafe extern "C" fn outcome(_h: *const Host, p: *const Pos, seat: i32) -> i32 {
    let outcome_of = |position: &Position| {
        let seat = usize::try_from(seat).ok().filter(|&seat| seat < position.seats());
        let seat = seat.and_then(Seat::new)?;
        Some(match position.end() {
            Some(end) => result_code(end.outcome.of(seat)),
            None if !position.is_in(seat) => raw::LOSS,
            None => raw::RUNNING,
        })
    };
    // SAFETY: the header asks for a position or null that nobody changes during the call.
    unsafe { about(p, outcome_of) }.flatten().unwrap_or(raw::ERR_ARGUMENT)
}

/// The number that stands for a result in the ABI.
pub(super) fn result_code(result: SeatResult) -> i32 {
    match result {
        SeatResult::Win => raw::WIN,
        SeatResult::Draw => raw::DRAW,
        SeatResult::Loss => raw::LOSS,
    }
}

unsafe extern "C" fn cells(_h: *const Host, p: *const Pos, cells: *mut u8, cap: u32) -> u32 {
    let fill_cells = |position: &Position| {
        let count = position.shape().cells();
        if !cells.is_null() && cap as usize >= count {
            // SAFETY: the header asks for a buffer of `cap` bytes, which only this call uses.
            position.write_cells(unsafe { std::slice::from_raw_parts_mut(cells, count) });
            return count as u32;
        }
        let mut whole = vec![0; count];
        position.write_cells(&mut whole);
        // SAFETY: the header asks for a buffer of `cap` bytes or null.
        unsafe { fill(whole.into_iter(), cells, cap) }
    };
    // SAFETY: the header asks for a position or null that nobody changes during the call.
    unsafe { about(p, fill_cells) }.unwrap_or(0)
}

unsafe extern "C" fn column(_h: *const Host, p: *const Pos, cell: u32, pieces: *mut u8, cap: u32) -> u32 {
    let Ok(cell) = u16::try_from(cell) else { return 0 };
    // SAFETY: the header asks for a position or null that nobody changes meanwhile, and for a buffer of `cap` bytes or null.
    unsafe { about(p, |position| fill(position.column(cell).into_iter(), pieces, cap)) }.unwrap_or(0)
}

unsafe extern "C" fn hash(_h: *const Host, p: *const Pos) -> u64 {
    // SAFETY: the header asks for a position or null that nobody changes during the call.
    unsafe { about(p, |position| position.key() as u64) }.unwrap_or(0)
}

unsafe extern "C" fn pos_text(_h: *const Host, p: *const Pos, text: *mut c_char, cap: u32) -> u32 {
    // SAFETY: the header asks for a position or null that nobody changes meanwhile, and for a buffer of `cap` bytes or null.
    unsafe { fill_text(&about(p, Position::text).unwrap_or_default(), text, cap) }
}

unsafe extern "C" fn pos_parse(h: *const Host, text: *const c_char) -> *mut Pos {
    // SAFETY: the header asks for the table that came with the call, and for a text or null.
    let position = unsafe { with(h, |context| context.read_position(whole_text(text)?)) };
    position.flatten().map_or(std::ptr::null_mut(), PosHandle::given)
}

/// A text of any length, if it is UTF-8.
///
/// # Safety
/// `text` is null, or ends with a zero byte.
unsafe fn whole_text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: ends with a zero byte, as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

unsafe extern "C" fn move_text(_h: *const Host, p: *const Pos, m: u64, text: *mut c_char, cap: u32) -> u32 {
    let m = Move::from_bits(m);
    let write = |position: &Position| could_be_a_move(position, m).then(|| position.move_text(m));
    // SAFETY: the header asks for a position or null that nobody changes meanwhile, and for a buffer of `cap` bytes or null.
    unsafe { fill_text(&about(p, write).flatten().unwrap_or_default(), text, cap) }
}

/// Whether a number can be a move on this board: its kind exists, and so do its cells.
fn could_be_a_move(position: &Position, m: Move) -> bool {
    let cells = position.shape().cells();
    m.kind().is_some()
        && (m == Move::PASS || [m.from(), m.to()].iter().all(|&cell| usize::from(cell) < cells))
}

unsafe extern "C" fn move_parse(_h: *const Host, p: *const Pos, text: *const c_char) -> u64 {
    // SAFETY: the header asks for a position or null that nobody changes during the call, and for a text or null.
    let choice = unsafe { about(p, |position| position.read_move(whole_text(text)?).ok()) };
    choice.flatten().map_or(raw::NO_MOVE, |choice| choice.played.bits())
}

unsafe extern "C" fn move_path(_h: *const Host, p: *const Pos, m: u64, cells: *mut u16, cap: u32) -> u32 {
    let m = Move::from_bits(m);
    let path = |position: &Position| position.judge(m).is_ok().then(|| position.path(m));
    // SAFETY: the header asks for a position or null that nobody changes meanwhile, and for a buffer of `cap` cells or null.
    unsafe { fill(about(p, path).flatten().unwrap_or_default().into_iter(), cells, cap) }
}

unsafe extern "C" fn path_answer(h: *const Host, cells: *const i32, count: u32) -> i32 {
    // SAFETY: the header asks for the table that came with the call.
    let Some(context) = (unsafe { context(h) }) else { return raw::ERR_ARGUMENT };
    if cells.is_null() || count > raw::MAX_ANSWER {
        return raw::ERR_ARGUMENT;
    }
    let status = context.paths.load(Ordering::Acquire);
    if status == raw::OK {
        // SAFETY: the header asks for `count` cells.
        let cells = unsafe { std::slice::from_raw_parts(cells, count as usize) };
        context.leave(|left| left.path = Some(cells.to_vec()));
    }
    status
}

unsafe extern "C" fn report_root_moves(h: *const Host, depth: u32, moves: *const raw::RootMove, count: u32) {
    let count = if moves.is_null() { 0 } else { count.min(raw::MAX_MOVES) as usize };
    // SAFETY: the header asks for the table that came with the call, and for `count` moves.
    unsafe {
        with(h, |context| {
            let known = (0..count).map(|i| moves.add(i).read());
            let moves = known.map(|known| (known.r#move, known.score, known.bound)).collect();
            context.leave(|left| left.values = Some(Values { depth, moves }.into()));
        });
    }
}

unsafe extern "C" fn used_instructions(h: *const Host, instructions: u64) {
    // SAFETY: the contract of bridges asks for the table that came with the call.
    unsafe { with(h, |context| context.leave(|left| left.used = Some(instructions))) };
}

unsafe extern "C" fn apply_sampled(_h: *const Host, p: *mut Pos, m: u64, random: u64) -> i32 {
    let draw_and_play = |position: &mut Position| {
        let played_move = Move::from_bits(m);
        if position.judge(played_move).is_err() {
            return raw::ERR_ILLEGAL;
        }
        let chance = position.draw_chance(played_move, ChanceSource::Sample(random));
        played(position, m, &chance)
    };
    // SAFETY: the header asks for a position of the bot's own or null that nobody else uses.
    unsafe { changing(p, draw_and_play) }
}
