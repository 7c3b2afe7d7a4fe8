//! What a bridge exports: a library that lets bots play which are not libraries themselves, such as scripts.
//!
//! `arbiter ./bot.py` loads the bridge for `.py` into the bot's process and gives it the file as a payload. From then on
//! the bridge is the bot: it answers with a table like any other. So the referee knows no language, and what a bot in one
//! may do is what every bot may do.
//!
//! A bridge belongs to the program and not to the bot, so it may do a little more than a bot: it finds and starts what it
//! needs of the system before the process is confined. No code of the bot has run by then.

use crate::raw;
use std::ffi::{CStr, c_char};

/// The one symbol that a bridge exports, of type [`EntryPoint`].
pub const ENTRY_POINT: &CStr = c"arbiter_bridge_v1";

/// `arbiter_bridge_v1`: gives the bridge's table, or null to refuse this arbiter. It must stay unchanged for ever.
pub type EntryPoint = unsafe extern "C" fn(host_abi: u32) -> *const Bridge;

/// Size in bytes of the buffers that [`Bridge::find`] and the other functions write into.
pub const MAX_SAID: usize = 48 << 10;

/// A bridge's table. Texts go both ways as in `arbiter_bot.h`: UTF-8 with a zero byte, written into a buffer of `room`
/// bytes and cut to that. The functions return [`raw::OK`], or another status with a sentence in the buffer that says what
/// is missing and what to do about it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bridge {
    /// [`raw::MAGIC`].
    pub magic: u32,
    /// [`raw::ABI`].
    pub abi: u32,
    /// Size of this struct.
    pub struct_size: u32,
    /// 0.
    pub flags: u32,
    /// Finds what the bridge needs of the system. Called once, in a process of its own, as the user and with the user's
    /// environment. `runtime` is the runtime that the user has named, or null. The answer has lines: `runtime`, a space
    /// and the runtime's name for people; `read`, a space and a path, for each file or folder that bots may read; any
    /// others are the bridge's own. All of it goes to [`start`](Bridge::start). A line `counts instructions` says that
    /// the bridge can be a clock: see [`InstructionsV1`].
    pub find: unsafe extern "C" fn(runtime: *const c_char, found: *mut c_char, room: u32) -> i32,
    /// Gets ready, in a bot's process that is not confined yet. `found` is the answer of `find` with lines that the
    /// arbiter has added: `memory` with the bytes that a bot may use, and `clock instructions` where the match counts
    /// instructions.
    pub start: unsafe extern "C" fn(found: *const c_char, problem: *mut c_char, room: u32) -> i32,
    /// The table of the bot that this payload is, or null with a sentence. Called once, when the process is confined: from
    /// here on the bot may run. The table and its texts must stay unchanged for ever.
    pub open: unsafe extern "C" fn(
        payload: *const raw::PayloadV1,
        problem: *mut c_char,
        room: u32,
    ) -> *const raw::Bot,
}

/// The name of [`InstructionsV1`] among the extensions of the arbiter.
pub const INSTRUCTIONS_V1: &CStr = c"arbiter.instructions/1";

/// For bridges that count a bot's instructions (`--fuel`) instead of having it timed. A bridge offers this by the line
/// `counts instructions` of [`Bridge::find`]; the line `clock instructions` for [`Bridge::start`] says that the match wants
/// it. Every nanosecond of a time that a bot is told then stands for one instruction.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct InstructionsV1 {
    /// Tells how many instructions the turn has used, including what the bot did since its last turn. Called once a
    /// turn, by `choose_move`.
    pub used: unsafe extern "C" fn(h: *const raw::Host, instructions: u64),
}

/// Writes a text and a zero byte into a buffer. A text that does not fit is cut between two characters.
///
/// # Safety
/// `at` is null or has room for `room` bytes.
pub unsafe fn say(text: &str, at: *mut c_char, room: u32) {
    let Some(most) = (room as usize).checked_sub(1).filter(|_| !at.is_null()) else { return };
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    // SAFETY: `end` bytes and the zero are no more than the room that the caller promises.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), at.cast(), end);
        at.add(end).write(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_cut_to_its_buffer_between_letters() {
        for (room, said) in [(1, ""), (2, "a"), (3, "a"), (4, "aé"), (9, "aé!")] {
            let mut buffer = [c_char::MAX; 9];
            // SAFETY: there is more room than is said.
            unsafe { say("aé!", buffer.as_mut_ptr(), room) };
            // SAFETY: `say` ends with a zero.
            assert_eq!(unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_str(), Ok(said));
        }
    }
}
