//! Positions as Python's objects.

use super::values::*;
use super::{END, WORLD, extension, host, load, method, too_early};
use crate::python::{FASTCALL, HEAD, Method, NOARGS, ONE, Ref, api};
use arbiter_plugin_api::raw;
use std::ffi::{CString, c_void};

/// A position as Python holds it.
#[repr(C)]
pub(super) struct Position {
    head: [u8; HEAD],
    pos: *mut raw::Pos,
}

/// A position that Python owns from now on. Null becomes a `MemoryError`.
pub(super) fn new_position(pos: *mut raw::Pos) -> Ref {
    let py = api();
    if pos.is_null() {
        return raise(c"MemoryError", "there is no memory for a position");
    }
    // SAFETY: an instance of our type, with room for the pointer behind its head.
    unsafe {
        let object = (py.PyType_GenericAlloc)(load(&WORLD.position_type), 0);
        if !object.is_null() {
            (*object.cast::<Position>()).pos = pos;
        }
        object
    }
}

/// A copy of one of the arbiter's own.
pub(crate) fn copied(pos: *const raw::Pos) -> Ref {
    let Some(host) = host() else { return too_early() };
    // SAFETY: a position of the arbiter's that lives during the call that it came with.
    new_position(unsafe { (host.pos_copy)(host, pos) })
}

/// The arbiter's functions and the position of an object; None with an exception.
fn opened(object: Ref) -> Option<(&'static raw::Host, *mut raw::Pos)> {
    // SAFETY: Python calls methods of a type with its instances only.
    let pos = unsafe { (*object.cast::<Position>()).pos };
    match host() {
        Some(host) if !pos.is_null() => Some((host, pos)),
        _ => {
            raise(
                c"RuntimeError",
                "a position comes from turn.position, position.copy() or game.parse_position()",
            );
            None
        }
    }
}

/// The same for an object that may be anything.
fn opened_if_position(object: Ref) -> Option<(&'static raw::Host, *mut raw::Pos)> {
    // SAFETY: any object may be asked.
    if unsafe { (api().PyObject_IsInstance)(object, load(&WORLD.position_type)) } != 1 {
        raise(c"TypeError", "a position is wanted here");
        return None;
    }
    opened(object)
}

/// Fills a buffer by the rule of `arbiter_bot.h`.
fn filled<T: Clone + Default>(usual: usize, ask: impl Fn(*mut T, u32) -> u32) -> Vec<T> {
    let mut buffer = vec![T::default(); usual];
    let there = ask(buffer.as_mut_ptr(), buffer.len() as u32) as usize;
    if there > buffer.len() {
        buffer.resize(there, T::default());
        ask(buffer.as_mut_ptr(), there as u32);
    }
    buffer.truncate(there);
    buffer
}

/// Text likewise, whose zero byte is not counted.
fn filled_text(usual: usize, ask: impl Fn(*mut u8, u32) -> u32) -> Ref {
    let mut buffer = vec![0_u8; usual];
    let mut there = ask(buffer.as_mut_ptr(), usual as u32) as usize;
    if there >= usual {
        buffer = vec![0; there + 1];
        there = ask(buffer.as_mut_ptr(), there as u32 + 1) as usize;
    }
    buffer.truncate(there);
    new_text(&String::from_utf8_lossy(&buffer))
}

pub(super) unsafe extern "C" fn position_dealloc(object: Ref) {
    let py = api();
    // SAFETY: an instance of our type that nobody refers to any more.
    unsafe {
        let pos = (*object.cast::<Position>()).pos;
        if let Some(host) = host().filter(|_| !pos.is_null()) {
            (host.pos_free)(host, pos);
        }
        let class = (py.PyObject_Type)(object);
        (py.PyObject_Free)(object.cast());
        // One reference is ours, the other was the instance's.
        (py.Py_DecRef)(class);
        (py.Py_DecRef)(class);
    }
}

functions! {
    fn copy(this) {
        let Some((_, pos)) = opened(this) else { return RAISED };
        copied(pos)
    }

    fn apply(this, played) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        let Some(number) = number_of(played) else { return RAISED };
        // SAFETY: a position of ours, and the table that it came from.
        match unsafe { (host.apply)(host, pos, number) } {
            raw::OK => nothing(),
            _ => illegal(host, pos, number),
        }
    }

    fn undo(this) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        // SAFETY: a position of ours, and the table that it came from.
        match unsafe { (host.undo)(host, pos) } {
            raw::OK => nothing(),
            _ => raise(c"IndexError", "there is no move to take back: this copy has played none"),
        }
    }

    fn set(this, from) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        let Some((_, from)) = opened_if_position(from) else { return RAISED };
        // SAFETY: positions of ours, and the table that they came from.
        match unsafe { (host.pos_set)(host, pos, from) } {
            raw::OK => nothing(),
            _ => raise(c"ValueError", "both positions must come from the same game"),
        }
    }

    fn to_move(this) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        // SAFETY: a position of ours, and the table that it came from.
        match unsafe { (host.to_move)(host, pos) } {
            seat @ 0.. => new_int(seat.into()),
            _ => nothing(),
        }
    }

    fn outcome(this, seat) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        let Some(seat) = integer_of(seat) else { return RAISED };
        // SAFETY: a position of ours, and the table that it came from.
        let outcome = unsafe { (host.outcome)(host, pos, i32::try_from(seat).unwrap_or(i32::MAX)) };
        let at = match outcome {
            raw::LOSS => 0,
            raw::DRAW => 1,
            raw::WIN => 2,
            raw::RUNNING => return nothing(),
            _ => return raise(c"IndexError", &format!("this game has no seat {seat}")),
        };
        shared(load(&WORLD.outcomes[at]))
    }

    fn legal_moves(this) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        let mut moves = [0_u64; raw::MAX_MOVES as usize];
        // SAFETY: a position of ours, and as much room as is said.
        let there = unsafe { (host.legal_moves)(host, pos, moves.as_mut_ptr(), raw::MAX_MOVES) } as usize;
        if there <= moves.len() {
            return new_moves(&moves[..there]);
        }
        // SAFETY: as above.
        let moves = filled(there, |at, room| unsafe { (host.legal_moves)(host, pos, at, room) });
        new_moves(&moves)
    }

    fn cells(this) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        // SAFETY: a position of ours, and as much room as is said.
        new_bytes(&filled(128, |at, room| unsafe { (host.cells)(host, pos, at, room) }))
    }

    fn column(this, cell) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        let Some(cell) = number_of(cell) else { return RAISED };
        let cell = u32::try_from(cell).unwrap_or(u32::MAX);
        // SAFETY: a position of ours, and as much room as is said.
        new_bytes(&filled(16, |at, room| unsafe { (host.column)(host, pos, cell, at, room) }))
    }

    fn hash(this) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        // SAFETY: a position of ours, and the table that it came from.
        new_uint(unsafe { (host.hash)(host, pos) })
    }

    fn text(this) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        // SAFETY: a position of ours, and as much room as is said.
        filled_text(256, |at, room| unsafe { (host.pos_text)(host, pos, at.cast(), room) })
    }

    fn move_text(this, played) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        let Some(number) = number_of(played) else { return RAISED };
        text_of_move(host, pos, number)
    }

    fn parse_move(this, text) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        let Some(text) = text_of(text) else { return RAISED };
        let text = CString::new(text).unwrap_or_default();
        // SAFETY: a position of ours, and a text that outlives the call.
        match unsafe { (host.move_parse)(host, pos, text.as_ptr()) } {
            raw::NO_MOVE => nothing(),
            number => new_move(number),
        }
    }

    fn move_path(this, played) {
        let Some((host, pos)) = opened(this) else { return RAISED };
        let Some(number) = number_of(played) else { return RAISED };
        // SAFETY: a position of ours, and as much room as is said.
        let path = filled(64, |at, room| unsafe { (host.move_path)(host, pos, number, at, room) });
        new_list(path.into_iter().map(|cell| new_int(cell.into())))
    }
}

fn text_of_move(host: &raw::Host, pos: *const raw::Pos, number: u64) -> Ref {
    // SAFETY: a position of ours, and as much room as is said.
    filled_text(256, |at, room| unsafe { (host.move_text)(host, pos, number, at.cast(), room) })
}

fn illegal(host: &raw::Host, pos: *const raw::Pos, number: u64) -> Ref {
    let name = text_of_move(host, pos, number);
    let name =
        text_of(name).filter(|name| !name.is_empty()).map_or_else(|| number.to_string(), str::to_owned);
    let message = CString::new(format!("{name} is not legal in this position")).unwrap_or_default();
    // SAFETY: a class that the module told, and a text that outlives the call.
    unsafe { (api().PyErr_SetString)(load(&WORLD.illegal_move), message.as_ptr()) };
    RAISED
}

unsafe extern "C" fn apply_sampled(this: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(&[played, random]) = (unsafe { arguments(at, count, 2) }) else { return RAISED };
    let Some((host, pos)) = opened(this) else { return RAISED };
    let (Some(number), Some(random)) = (number_of(played), number_of(random)) else { return RAISED };
    // SAFETY: the table of that name.
    let chance = unsafe { extension::<raw::ChanceV1>(host, raw::CHANCE_V1) };
    // SAFETY: a position of ours, and the table that it came from.
    match chance.map(|chance| unsafe { (chance.apply_sampled)(host, pos, number, random) }) {
        Some(raw::OK) => nothing(),
        Some(_) => illegal(host, pos, number),
        None => raise(c"RuntimeError", "this arbiter draws no chance ahead of time"),
    }
}

pub(super) static POSITION: [Method; 16] = [
    method(c"copy", copy as *const c_void, NOARGS),
    method(c"apply", apply as *const c_void, ONE),
    method(c"apply_sampled", apply_sampled as *const c_void, FASTCALL),
    method(c"undo", undo as *const c_void, NOARGS),
    method(c"set", set as *const c_void, ONE),
    method(c"to_move", to_move as *const c_void, NOARGS),
    method(c"outcome", outcome as *const c_void, ONE),
    method(c"legal_moves", legal_moves as *const c_void, NOARGS),
    method(c"cells", cells as *const c_void, NOARGS),
    method(c"column", column as *const c_void, ONE),
    method(c"hash", hash as *const c_void, NOARGS),
    method(c"text", text as *const c_void, NOARGS),
    method(c"move_text", move_text as *const c_void, ONE),
    method(c"parse_move", parse_move as *const c_void, ONE),
    method(c"move_path", move_path as *const c_void, ONE),
    END,
];
