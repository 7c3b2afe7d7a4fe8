//! Values on their way between Rust and Python.

use super::{Shared, WORLD, load};
use crate::python::{Ref, api};
use arbiter_plugin_api::raw;
use std::ffi::{CStr, CString};
use std::ptr::null_mut;
use std::sync::PoisonError;

/// Moves that are kept as objects, since a search makes the same ones again and again. Beyond these they are made anew.
const MOST_MOVES: usize = 1 << 16;

/// What a function returns when it has set an exception.
pub(super) const RAISED: Ref = null_mut();

/// Raises one of Python's own exceptions.
pub(crate) fn raise(kind: &CStr, message: &str) -> Ref {
    let message = CString::new(message.replace('\0', "")).unwrap_or_default();
    // SAFETY: a class, and a text that outlives the call.
    unsafe { (api().PyErr_SetString)(builtin(kind), message.as_ptr()) };
    RAISED
}

/// One of Python's own classes.
fn builtin(name: &CStr) -> Ref {
    let py = api();
    // SAFETY: the builtins have every class that this crate names.
    unsafe { (py.PyDict_GetItemString)((py.PyEval_GetBuiltins)(), name.as_ptr()) }
}

/// Whether an object is of one of Python's own classes.
pub(crate) fn is_a(object: Ref, class: &CStr) -> bool {
    // SAFETY: any object may be asked.
    unsafe { (api().PyObject_IsInstance)(object, builtin(class)) == 1 }
}

/// A reference more, for a call that takes its arguments over.
pub(crate) fn shared(object: Ref) -> Ref {
    // SAFETY: an object that lives.
    unsafe { (api().Py_IncRef)(object) };
    object
}

/// A new `None`.
pub(crate) fn nothing() -> Ref {
    shared(api().none)
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

pub(crate) fn new_uint(number: u64) -> Ref {
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
        return shared(known.0);
    }
    let new = call(load(&WORLD.move_type), &[new_uint(number)]);
    if new.is_null() {
        return RAISED;
    }
    let mut moves = locked();
    let moves = moves.get_or_insert_default();
    if moves.len() < MOST_MOVES
        && let Some(old) = moves.insert(number, Shared(shared(new)))
    {
        // SAFETY: another thread was faster; the map's reference to that one goes.
        unsafe { (py.Py_DecRef)(old.0) };
    }
    new
}

pub(crate) fn new_moves(numbers: &[u64]) -> Ref {
    new_list(numbers.iter().map(|&number| new_move(number)))
}

/// The number of a move; None with an exception where it is none.
pub(crate) fn number_of(object: Ref) -> Option<u64> {
    // SAFETY: a whole number may be asked.
    whole(object, |number| unsafe { (api().PyLong_AsUnsignedLongLong)(number) }, u64::MAX)
}

pub(crate) fn integer_of(object: Ref) -> Option<i64> {
    // SAFETY: a whole number may be asked.
    whole(object, |number| unsafe { (api().PyLong_AsLongLong)(number) }, -1)
}

/// What `read` says of any object that Python takes for a whole number, such as numpy's `int64`. `failed` is what `read` says
/// with an exception.
fn whole<T: PartialEq>(object: Ref, read: impl Fn(Ref) -> T, failed: T) -> Option<T> {
    let py = api();
    // SAFETY: any object may be asked; the reference is given back below.
    let number = unsafe { (py.PyNumber_Index)(object) };
    if number.is_null() {
        return None;
    }
    let value = read(number);
    // SAFETY: ours.
    unsafe { (py.Py_DecRef)(number) };
    // SAFETY: it only looks.
    (value != failed || unsafe { (py.PyErr_Occurred)() }.is_null()).then_some(value)
}

/// All items of a list or tuple, by a function that says None with an exception.
pub(super) fn items_of<T>(object: Ref, item: impl Fn(Ref) -> Option<T>) -> Option<Vec<T>> {
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
pub(super) unsafe fn arguments<'a>(at: *const Ref, count: isize, wanted: usize) -> Option<&'a [Ref]> {
    if usize::try_from(count) != Ok(wanted) {
        raise(c"TypeError", &format!("this function takes {wanted} arguments, and was given {count}"));
        return None;
    }
    // SAFETY: so many references, which live until the function returns.
    Some(unsafe { std::slice::from_raw_parts(at, wanted) })
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
