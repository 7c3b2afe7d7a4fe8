//! Reading what the arbiter hands over. Every pointer that a bot gets goes through here.

use std::ffi::{CStr, CString, c_char};
use std::time::Duration;

use crate::raw;

/// Structs that begin with their own size.
///
/// # Safety
///
/// The first field is a `u32`, and the arbiter sets it to the size of the whole struct.
pub(crate) unsafe trait SelfSized {}

// SAFETY: `struct_size` comes first in the header.
unsafe impl SelfSized for raw::Host {}
// SAFETY: as above.
unsafe impl SelfSized for raw::Game {}
// SAFETY: as above.
unsafe impl SelfSized for raw::Turn {}
// SAFETY: as above.
unsafe impl SelfSized for raw::Event {}
// SAFETY: as above.
unsafe impl SelfSized for raw::GameResult {}

/// The struct behind a pointer; `None` if that is null, misaligned, or to something smaller than we know.
///
/// # Safety
///
/// A pointer that is not null leads to as many bytes as its first field says, good for `'a`.
pub(crate) unsafe fn structure<'a, T: SelfSized>(at: *const T) -> Option<&'a T> {
    if at.is_null() || !at.is_aligned() {
        return None;
    }
    // SAFETY: by `SelfSized` a `u32` comes first, and the caller promises that it is there.
    let size = unsafe { at.cast::<u32>().read() };
    // SAFETY: the whole of T lies within the bytes that the caller promises.
    (usize::try_from(size).ok()? >= size_of::<T>()).then(|| unsafe { &*at })
}

/// The list behind a pointer and a length; `None` if the length is not 0 and the pointer is null or misaligned.
///
/// # Safety
///
/// A pointer that is not null leads to `len` values, good and unchanged for `'a`.
pub(crate) unsafe fn list<'a, T>(at: *const T, len: u32) -> Option<&'a [T]> {
    if len == 0 {
        return Some(&[]);
    }
    if at.is_null() || !at.is_aligned() {
        return None;
    }
    // SAFETY: the caller promises `len` values; null and misaligned pointers are gone.
    Some(unsafe { std::slice::from_raw_parts(at, usize::try_from(len).ok()?) })
}

/// The text behind a pointer, up to the first bytes that are not UTF-8; empty if the pointer is null.
///
/// # Safety
///
/// A pointer that is not null leads to bytes that end with a zero, good and unchanged for `'a`.
pub(crate) unsafe fn text<'a>(at: *const c_char) -> &'a str {
    if at.is_null() {
        return "";
    }
    // SAFETY: the caller promises the zero.
    let bytes = unsafe { CStr::from_ptr(at) }.to_bytes();
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    std::str::from_utf8(&bytes[..valid]).unwrap_or_default()
}

/// Text for the arbiter: zero bytes cannot cross and are left out.
pub(crate) fn c_text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// A length for the arbiter. Nothing in any game is longer than a `u32` can say.
pub(crate) fn c_len(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// A seat from the arbiter, unless it is nobody.
pub(crate) fn seat(number: i32) -> Option<usize> {
    usize::try_from(number).ok()
}

/// A span of time from the arbiter; `None` if there is no limit, zero if it is over.
pub(crate) fn span(ns: i64) -> Option<Duration> {
    (ns != raw::NO_LIMIT).then(|| Duration::from_nanos(u64::try_from(ns).unwrap_or(0)))
}

/// Fills a vector by the rule for buffers: ask with the room there is, and again if it was too little.
///
/// # Safety
///
/// `ask(at, room)` writes as many values at `at` as it returns, or `room` if that is less.
pub(crate) unsafe fn fill<T>(buffer: &mut Vec<T>, room: usize, mut ask: impl FnMut(*mut T, u32) -> u32) {
    buffer.clear();
    buffer.reserve(room);
    loop {
        let room = c_len(buffer.capacity());
        let there = ask(buffer.as_mut_ptr(), room);
        if there <= room {
            // SAFETY: there is room for `there` values, and the caller promises that they were written.
            unsafe { buffer.set_len(there as usize) };
            return;
        }
        buffer.reserve(there as usize);
    }
}

/// Fills a text by the rule for buffers.
///
/// # Safety
///
/// `ask(at, room)` writes at most `room` bytes at `at` and returns how long the text is without its zero.
pub(crate) unsafe fn fill_text(room: usize, mut ask: impl FnMut(*mut c_char, u32) -> u32) -> String {
    let mut bytes = vec![0_u8; room];
    let mut there = ask(bytes.as_mut_ptr().cast(), c_len(bytes.len())) as usize;
    if there >= bytes.len() {
        bytes = vec![0; there + 1];
        there = ask(bytes.as_mut_ptr().cast(), c_len(bytes.len())) as usize;
    }
    bytes.truncate(there);
    String::from_utf8_lossy(&bytes).into_owned()
}
