//! What the module `arbiter_bot` is given beside its own source: the arbiter's functions as Python's, and the type of
//! positions. Everything here runs while its thread holds Python's global lock.

use crate::payload;
use crate::python::{Api, FASTCALL, HEAD, Method, NOARGS, ONE, Ref, Slot, Spec, TP_DEALLOC, TP_METHODS, api};
use arbiter_plugin_api::raw;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// Moves that are kept as objects, since a search makes the same ones again and again. Beyond these they are made anew.
const MOST_MOVES: usize = 1 << 16;

/// What the functions work with. One bot plays in a process.
pub(crate) struct World {
    pub(crate) host: AtomicPtr<raw::Host>,
    pub(crate) turn: AtomicPtr<raw::Turn>,
    pub(crate) event: AtomicPtr<raw::Event>,
    pub(crate) game: AtomicPtr<raw::Game>,
    /// The classes of the module, once it has told them.
    move_type: AtomicPtr<crate::python::Object>,
    illegal_move: AtomicPtr<crate::python::Object>,
    outcomes: [AtomicPtr<crate::python::Object>; 3],
    position_type: AtomicPtr<crate::python::Object>,
    moves: Mutex<Option<HashMap<u64, Shared>>>,
}

/// An object that is kept for ever.
struct Shared(Ref);
// SAFETY: it is used under Python's global lock.
unsafe impl Send for Shared {}

pub(crate) static WORLD: World = World {
    host: AtomicPtr::new(null_mut()),
    turn: AtomicPtr::new(null_mut()),
    event: AtomicPtr::new(null_mut()),
    game: AtomicPtr::new(null_mut()),
    move_type: AtomicPtr::new(null_mut()),
    illegal_move: AtomicPtr::new(null_mut()),
    outcomes: [const { AtomicPtr::new(null_mut()) }; 3],
    position_type: AtomicPtr::new(null_mut()),
    moves: Mutex::new(None),
};

/// What a function returns when it has set an exception.
const RAISED: Ref = null_mut();

/// A position as Python holds it.
#[repr(C)]
struct Position {
    head: [u8; HEAD],
    pos: *mut raw::Pos,
}

pub(crate) fn load<T>(at: &AtomicPtr<T>) -> *mut T {
    at.load(Ordering::Relaxed)
}

/// The host table, once there is one: from `create` on.
fn host() -> Option<&'static raw::Host> {
    // SAFETY: null, or the table that `create` was given, which is good until the process ends.
    unsafe { load(&WORLD.host).as_ref() }
}

/// Raises one of Python's own exceptions.
pub(crate) fn raise(kind: &CStr, message: &str) -> Ref {
    let py = api();
    let message = CString::new(message.replace('\0', "")).unwrap_or_default();
    // SAFETY: the builtins have every exception that this crate names; texts outlive the call.
    unsafe {
        let class = (py.PyDict_GetItemString)((py.PyEval_GetBuiltins)(), kind.as_ptr());
        (py.PyErr_SetString)(class, message.as_ptr());
    }
    RAISED
}

fn too_early() -> Ref {
    raise(c"RuntimeError", "the arbiter can be asked from __init__ on, not while the module is imported")
}

/// A new `None`.
fn nothing() -> Ref {
    let py = api();
    // SAFETY: it is always there.
    unsafe { (py.Py_IncRef)(py.none) };
    py.none
}

/// A text of Python's, if the object is one.
pub(crate) fn text_of<'a>(object: Ref) -> Option<&'a str> {
    let mut length = 0;
    // SAFETY: any object may be asked; the text lives as long as the object.
    let at = unsafe { (api().PyUnicode_AsUTF8AndSize)(object, &raw mut length) };
    if at.is_null() {
        return None;
    }
    // SAFETY: so many bytes, as it said.
    let bytes = unsafe { std::slice::from_raw_parts(at.cast::<u8>(), usize::try_from(length).ok()?) };
    std::str::from_utf8(bytes).ok()
}

/// A new text.
pub(crate) fn new_text(text: &str) -> Ref {
    // SAFETY: so many bytes of UTF-8.
    unsafe { (api().PyUnicode_FromStringAndSize)(text.as_ptr().cast(), text.len() as isize) }
}

pub(crate) fn new_bytes(bytes: &[u8]) -> Ref {
    // SAFETY: so many bytes.
    unsafe { (api().PyBytes_FromStringAndSize)(bytes.as_ptr().cast(), bytes.len() as isize) }
}

pub(crate) fn new_int(number: i64) -> Ref {
    // SAFETY: any number.
    unsafe { (api().PyLong_FromLongLong)(number) }
}

fn new_uint(number: u64) -> Ref {
    // SAFETY: any number.
    unsafe { (api().PyLong_FromUnsignedLongLong)(number) }
}

/// Seconds, or `None` where there is no limit.
pub(crate) fn seconds(ns: i64) -> Ref {
    if ns == raw::NO_LIMIT {
        return nothing();
    }
    // SAFETY: any number.
    unsafe { (api().PyFloat_FromDouble)(ns as f64 / 1e9) }
}

/// A list that takes over what it is made of; null if one of them is.
pub(crate) fn new_list(items: impl ExactSizeIterator<Item = Ref>) -> Ref {
    let py = api();
    // SAFETY: a new list, filled from the first place to the last.
    unsafe {
        let list = (py.PyList_New)(items.len() as isize);
        if list.is_null() {
            return RAISED;
        }
        for (at, item) in items.enumerate() {
            if item.is_null() {
                (py.Py_DecRef)(list);
                return RAISED;
            }
            (py.PyList_SetItem)(list, at as isize, item);
        }
        list
    }
}

/// Calls an object. `arguments` are taken over.
pub(crate) fn call(callee: Ref, arguments: &[Ref]) -> Ref {
    let py = api();
    // SAFETY: a new tuple takes the arguments over; a null among them means that an exception is set already.
    unsafe {
        let tuple = (py.PyTuple_New)(arguments.len() as isize);
        if tuple.is_null() || arguments.iter().any(|argument| argument.is_null()) {
            return RAISED;
        }
        for (at, argument) in arguments.iter().enumerate() {
            (py.PyTuple_SetItem)(tuple, at as isize, *argument);
        }
        let result = (py.PyObject_CallObject)(callee, tuple);
        (py.Py_DecRef)(tuple);
        result
    }
}

/// The object for a move: the same one for the same number.
pub(crate) fn new_move(number: u64) -> Ref {
    let py = api();
    let locked = || WORLD.moves.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = locked().as_ref().and_then(|moves| moves.get(&number)) {
        // SAFETY: the map holds a reference.
        unsafe { (py.Py_IncRef)(known.0) };
        return known.0;
    }
    let new = call(load(&WORLD.move_type), &[new_uint(number)]);
    if new.is_null() {
        return RAISED;
    }
    let mut moves = locked();
    let moves = moves.get_or_insert_default();
    if moves.len() < MOST_MOVES {
        // SAFETY: a second reference, for the map.
        unsafe { (py.Py_IncRef)(new) };
        if let Some(old) = moves.insert(number, Shared(new)) {
            // SAFETY: another thread was faster; the map's reference to that one goes.
            unsafe { (py.Py_DecRef)(old.0) };
        }
    }
    new
}

pub(crate) fn new_moves(numbers: &[u64]) -> Ref {
    new_list(numbers.iter().map(|&number| new_move(number)))
}

/// The number of a move; None with an exception where it is none.
pub(crate) fn number_of(object: Ref) -> Option<u64> {
    let py = api();
    // SAFETY: any object may be asked.
    let number = unsafe { (py.PyLong_AsUnsignedLongLong)(object) };
    // SAFETY: it only looks.
    (number != u64::MAX || unsafe { (py.PyErr_Occurred)() }.is_null()).then_some(number)
}

fn integer_of(object: Ref) -> Option<i64> {
    let py = api();
    // SAFETY: any object may be asked.
    let number = unsafe { (py.PyLong_AsLongLong)(object) };
    // SAFETY: it only looks.
    (number != -1 || unsafe { (py.PyErr_Occurred)() }.is_null()).then_some(number)
}

/// All items of a list or tuple, by a function that says None with an exception.
fn items_of<T>(object: Ref, item: impl Fn(Ref) -> Option<T>) -> Option<Vec<T>> {
    let py = api();
    // SAFETY: any object may be asked.
    let length = usize::try_from(unsafe { (py.PySequence_Size)(object) }).ok()?;
    let mut items = Vec::new();
    for at in 0..length {
        // SAFETY: any object may be asked; the reference is given back below.
        let one = unsafe { (py.PySequence_GetItem)(object, at as isize) };
        if one.is_null() {
            return None;
        }
        let read = item(one);
        // SAFETY: ours.
        unsafe { (py.Py_DecRef)(one) };
        items.push(read?);
    }
    Some(items)
}

/// The arguments of a function.
///
/// # Safety
/// Python has called a function of the kind [`FASTCALL`] with these.
unsafe fn arguments<'a>(at: *const Ref, count: isize, wanted: usize) -> Option<&'a [Ref]> {
    if usize::try_from(count) != Ok(wanted) {
        raise(c"TypeError", &format!("this function takes {wanted} arguments, and was given {count}"));
        return None;
    }
    // SAFETY: so many references, which live until the function returns.
    Some(unsafe { std::slice::from_raw_parts(at, wanted) })
}

// ---- Positions ----

/// A position that Python owns from now on. Null becomes a `MemoryError`.
pub(crate) fn new_position(pos: *mut raw::Pos) -> Ref {
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

unsafe extern "C" fn position_dealloc(object: Ref) {
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

/// Methods and functions without an argument, with one, and with several.
macro_rules! functions {
    ($(fn $name:ident($object:ident $(, $argument:ident)?) $body:block)+) => {
        $(unsafe extern "C" fn $name($object: Ref, _argument: Ref) -> Ref {
            $(let $argument = _argument;)?
            $body
        })+
    };
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
        let outcome = load(&WORLD.outcomes[at]);
        // SAFETY: the module told it, and keeps it.
        unsafe { (api().Py_IncRef)(outcome) };
        outcome
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
    // SAFETY: a name of ours; the answer is null or the table of that name.
    let chance = unsafe { (host.extension)(host, raw::CHANCE_V1.as_ptr()).cast::<raw::ChanceV1>().as_ref() };
    // SAFETY: a position of ours, and the table that it came from.
    match chance.map(|chance| unsafe { (chance.apply_sampled)(host, pos, number, random) }) {
        Some(raw::OK) => nothing(),
        Some(_) => illegal(host, pos, number),
        None => raise(c"RuntimeError", "this arbiter draws no chance ahead of time"),
    }
}

// ---- Functions of the module ----

functions! {
    fn stop_level(_module) {
        let Some(host) = host() else { return too_early() };
        // SAFETY: the table's own function.
        new_int(unsafe { (host.should_stop)(host) }.into())
    }

    fn should_stop(_module) {
        let Some(host) = host() else { return too_early() };
        // SAFETY: the table's own function.
        let level = unsafe { (host.should_stop)(host) };
        // SAFETY: any number.
        unsafe { (api().PyBool_FromLong)((level >= raw::ENOUGH).into()) }
    }

    fn time_left(_module) {
        let Some(host) = host() else { return too_early() };
        // SAFETY: the table's own function.
        seconds(unsafe { (host.time_left_ns)(host) })
    }

    fn random(_module) {
        let Some(host) = host() else { return too_early() };
        // SAFETY: the table's own function.
        new_uint(unsafe { (host.random)(host) })
    }

    fn parse_position(_module, text) {
        let Some(host) = host() else { return too_early() };
        let Some(text) = text_of(text) else { return RAISED };
        let text = CString::new(text).unwrap_or_default();
        // SAFETY: a text that outlives the call.
        let pos = unsafe { (host.pos_parse)(host, text.as_ptr()) };
        if pos.is_null() { nothing() } else { new_position(pos) }
    }

    fn answer_path(_module, cells) {
        let Some(host) = host() else { return too_early() };
        let cell = |cell| integer_of(cell).map(|cell| i32::try_from(cell).unwrap_or(-1));
        let Some(cells) = items_of(cells, cell) else { return RAISED };
        // SAFETY: a name of ours; the answer is null or the table of that name.
        let path = unsafe { (host.extension)(host, raw::PATH_V1.as_ptr()).cast::<raw::PathV1>().as_ref() };
        // SAFETY: as many cells as is said.
        match path.map(|path| unsafe { (path.answer)(host, cells.as_ptr(), cells.len() as u32) }) {
            Some(raw::OK) => new_move(raw::NO_MOVE),
            Some(raw::ERR_UNSUPPORTED) => raise(c"ValueError", "moves of this game go through no cells"),
            Some(raw::ERR_STATE) => raise(c"RuntimeError", "answer_path answers a turn: call it in choose_move"),
            Some(_) => raise(c"ValueError", &format!("a path has at most {} cells", raw::MAX_ANSWER)),
            None => raise(c"RuntimeError", "this arbiter takes no paths"),
        }
    }

    fn turn_history(_module) {
        // SAFETY: null, or the turn that is being played.
        match unsafe { load(&WORLD.turn).as_ref() } {
            // SAFETY: the turn holds as many.
            Some(turn) => new_moves(unsafe { list(turn.history, turn.history_count) }),
            None => over(),
        }
    }

    fn turn_cells(_module) {
        // SAFETY: null, or the turn that is being played.
        match unsafe { load(&WORLD.turn).as_ref() } {
            // SAFETY: the turn holds as many.
            Some(turn) => new_bytes(unsafe { list(turn.cells, turn.cell_count) }),
            None => over(),
        }
    }

    fn turn_text(_module) {
        // SAFETY: null, or the turn that is being played.
        match unsafe { load(&WORLD.turn).as_ref() } {
            // SAFETY: the turn's text.
            Some(turn) => new_text(&unsafe { CStr::from_ptr(turn.text) }.to_string_lossy()),
            None => over(),
        }
    }

    fn turn_clocks(_module) {
        // SAFETY: null, or the turn that is being played.
        match unsafe { load(&WORLD.turn).as_ref() } {
            // SAFETY: the turn holds one for each seat.
            Some(turn) => new_list(unsafe { list(turn.clocks_ns, turn.players) }.iter().map(|&ns| seconds(ns))),
            None => over(),
        }
    }

    fn turn_position(_module) {
        // SAFETY: null, or the turn that is being played.
        match unsafe { load(&WORLD.turn).as_ref() } {
            Some(turn) => copied(turn.pos),
            None => over(),
        }
    }

    fn event_position(_module) {
        // SAFETY: null, or the event that is being told.
        match unsafe { load(&WORLD.event).as_ref() } {
            Some(event) => copied(event.pos),
            None => over(),
        }
    }

    fn start_position(_module) {
        // SAFETY: null, or the game that is being played, which lives until the next one.
        match unsafe { load(&WORLD.game).as_ref() } {
            Some(game) => copied(game.start),
            None => too_early(),
        }
    }

    fn payload_names(_module) {
        let names = payload::names();
        new_list(names.iter().map(|name| new_text(name)))
    }

    fn payload_read(_module, name) {
        let Some(name) = text_of(name) else { return RAISED };
        match payload::read(name) {
            Some(bytes) => new_bytes(&bytes),
            None => nothing(),
        }
    }
}

fn over() -> Ref {
    raise(c"RuntimeError", "that turn is over: keep what you need of it while it lasts")
}

/// # Safety
/// `at` leads to so many values.
pub(crate) unsafe fn list<'a, T>(at: *const T, count: u32) -> &'a [T] {
    if count == 0 || at.is_null() {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(at, count as usize) }
}

unsafe extern "C" fn log(_module: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(&[level, text]) = (unsafe { arguments(at, count, 2) }) else { return RAISED };
    let Some(host) = host() else { return too_early() };
    let (Some(level), Some(text)) = (integer_of(level), text_of(text)) else { return RAISED };
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    // SAFETY: a text that outlives the call.
    unsafe { (host.log)(host, i32::try_from(level).unwrap_or(raw::LOG_INFO), text.as_ptr()) };
    nothing()
}

/// depth, best, nodes, score or `None`, line, text
unsafe extern "C" fn report(_module: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(&[depth, best, nodes, score, line, text]) = (unsafe { arguments(at, count, 6) }) else {
        return RAISED;
    };
    let Some(host) = host() else { return too_early() };
    let score = if score == api().none { Some(i64::from(raw::NO_SCORE)) } else { integer_of(score) };
    let (Some(depth), Some(best), Some(nodes), Some(score), Some(line), Some(text)) = (
        number_of(depth),
        number_of(best),
        number_of(nodes),
        score,
        items_of(line, number_of),
        text_of(text),
    ) else {
        return RAISED;
    };
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    let report = raw::Report {
        struct_size: size_of::<raw::Report>() as u32,
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        best,
        nodes,
        score: score.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
        pv_count: line.len() as u32,
        pv: line.as_ptr(),
        text: text.as_ptr(),
    };
    // SAFETY: the report and what it points to are whole during the call.
    unsafe { (host.report)(host, &raw const report) };
    nothing()
}

/// depth, moves, scores, bounds
unsafe extern "C" fn report_root_moves(_module: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(&[depth, moves, scores, bounds]) = (unsafe { arguments(at, count, 4) }) else { return RAISED };
    let Some(host) = host() else { return too_early() };
    let (Some(depth), Some(moves), Some(scores), Some(bounds)) = (
        number_of(depth),
        items_of(moves, number_of),
        items_of(scores, integer_of),
        items_of(bounds, number_of),
    ) else {
        return RAISED;
    };
    let told = moves.iter().zip(&scores).zip(&bounds).map(|((&number, &score), &bound)| raw::RootMove {
        r#move: number,
        score: score.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
        bound: u32::try_from(bound).unwrap_or(raw::EXACT),
    });
    let told: Vec<_> = told.collect();
    // SAFETY: a name of ours; the answer is null or the table of that name.
    let table =
        unsafe { (host.extension)(host, raw::ROOT_MOVES_V1.as_ptr()).cast::<raw::RootMovesV1>().as_ref() };
    if let Some(table) = table {
        // SAFETY: as many moves as is said.
        unsafe { (table.report)(host, depth as u32, told.as_ptr(), told.len() as u32) };
    }
    nothing()
}

/// Move, IllegalMove, and the outcomes LOSS, DRAW and WIN
unsafe extern "C" fn know(_module: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(classes) = (unsafe { arguments(at, count, 5) }) else { return RAISED };
    let [loss, draw, win] = &WORLD.outcomes;
    let places = [&WORLD.move_type, &WORLD.illegal_move, loss, draw, win];
    for (place, class) in places.into_iter().zip(classes) {
        // SAFETY: a reference of ours, for ever.
        unsafe { (api().Py_IncRef)(*class) };
        place.store(*class, Ordering::Relaxed);
    }
    nothing()
}

const fn method(name: &'static CStr, function: *const c_void, flags: c_int) -> Method {
    Method { name: name.as_ptr(), function, flags, doc: null() }
}

const END: Method = Method { name: null(), function: null(), flags: 0, doc: null() };

static POSITION: [Method; 16] = [
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

static FUNCTIONS: [Method; 19] = [
    method(c"know", know as *const c_void, FASTCALL),
    method(c"log", log as *const c_void, FASTCALL),
    method(c"report", report as *const c_void, FASTCALL),
    method(c"report_root_moves", report_root_moves as *const c_void, FASTCALL),
    method(c"stop_level", stop_level as *const c_void, NOARGS),
    method(c"should_stop", should_stop as *const c_void, NOARGS),
    method(c"time_left", time_left as *const c_void, NOARGS),
    method(c"random", random as *const c_void, NOARGS),
    method(c"parse_position", parse_position as *const c_void, ONE),
    method(c"answer_path", answer_path as *const c_void, ONE),
    method(c"turn_history", turn_history as *const c_void, NOARGS),
    method(c"turn_cells", turn_cells as *const c_void, NOARGS),
    method(c"turn_text", turn_text as *const c_void, NOARGS),
    method(c"turn_clocks", turn_clocks as *const c_void, NOARGS),
    method(c"turn_position", turn_position as *const c_void, NOARGS),
    method(c"event_position", event_position as *const c_void, NOARGS),
    method(c"start_position", start_position as *const c_void, NOARGS),
    method(c"payload_names", payload_names as *const c_void, NOARGS),
    method(c"payload_read", payload_read as *const c_void, ONE),
];

/// The module `_arbiter`, new and filled. None with an exception.
pub(crate) fn module() -> Option<Ref> {
    let py: &Api = api();
    // SAFETY: tables that stay for ever; every reference is given to the module's dictionary, which takes its own.
    unsafe {
        let module = (py.PyImport_AddModule)(c"_arbiter".as_ptr());
        if module.is_null() {
            return None;
        }
        let dict = (py.PyModule_GetDict)(module);
        for function in &FUNCTIONS {
            let object = (py.PyCFunction_NewEx)(function, null_mut(), null_mut());
            if object.is_null() || (py.PyDict_SetItemString)(dict, function.name, object) != 0 {
                return None;
            }
            (py.Py_DecRef)(object);
        }
        let mut slots = [
            Slot { slot: TP_DEALLOC, value: position_dealloc as *mut c_void },
            Slot { slot: TP_METHODS, value: POSITION.as_ptr().cast_mut().cast() },
            Slot { slot: 0, value: null_mut() },
        ];
        let mut spec = Spec {
            name: c"arbiter_bot.Position".as_ptr(),
            basicsize: size_of::<Position>() as c_int,
            itemsize: 0,
            flags: 0,
            slots: slots.as_mut_ptr(),
        };
        let class = (py.PyType_FromSpec)(&raw mut spec);
        if class.is_null() || (py.PyDict_SetItemString)(dict, c"Position".as_ptr(), class) != 0 {
            return None;
        }
        WORLD.position_type.store(class, Ordering::Relaxed);
        Some(module)
    }
}
