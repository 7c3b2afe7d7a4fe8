//! Which rule a fault breaks, and what its author can do about it.

use super::finding::Rule;
use crate::verdict::{Fault, Phase};
use arbiter_plugin_api::raw;
use std::ops::Range;

pub(super) const ONE_OF_THE_MOVES: Rule = Rule {
    place: "arbiter_bot.choose_move",
    says: "Put one of turn->moves in *move (ARBITER_NO_MOVE on entry) and return ARBITER_OK",
};
const WITHIN_THE_TIME: Rule =
    Rule { place: "arbiter_turn.hard_ns", says: "answer within this time, or you have lost" };
const ANY_OTHER_STATUS: Rule =
    Rule { place: "arbiter_bot.choose_move", says: "Any other status is a failure and loses the game" };
const NO_UNWINDING: Rule =
    Rule { place: "Unwinding", says: "No C++ exception, Rust panic or longjmp may leave a bot function" };
const NOT_WITH_THESE_OPTIONS: Rule =
    Rule { place: "arbiter_bot.new_game", says: "ARBITER_ERR_UNSUPPORTED: not with these options" };
const MEMORY: Rule = Rule { place: "arbiter_game.memory", says: "bytes your bot may use in all" };
const STATUS: Rule = Rule {
    place: "Errors",
    says: "a positive number that its own comment explains, or a negative ARBITER_ERR_ code",
};

/// Signals that have these numbers on every system.
const SIGABRT: i32 = 6;
const SIGSEGV: i32 = 11;
/// Where Linux puts the stack of the first thread: the last 16 GiB of what a process of x86-64 can have. Little else is there.
const OF_STACKS: Range<u64> = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
    0x7ffc_0000_0000..0x8000_0000_0000
} else {
    0..0
};

/// What the author of a bot in Python can do about a fault, where that is something else than in C.
pub(super) fn advice_in_python(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::IllegalMove { .. } | Fault::EndlessErrors { .. } => Some(
            "return one of turn.moves of this very turn; turn.position.parse_move gives it for a text such as d3",
        ),
        Fault::TimedOut { during: Phase::Move, .. } => Some(
            "ask turn.should_stop() in every loop, and return the best move so far as soon as it is true; numpy, or another \
             language, makes it faster",
        ),
        Fault::Panicked { message, .. } if !is_about_files(message) => {
            Some("mend the line that is named; what the bot prints is kept with --keep-output")
        }
        Fault::Crashed { .. } => Some(
            "`import faulthandler; faulthandler.enable()` prints the line in which it crashes, and --keep-output keeps that",
        ),
        Fault::Exited { .. } => Some("return from choose_move instead of leaving with exit()"),
        _ => None,
    }
}

fn is_about_files(message: &str) -> bool {
    ["FileNotFoundError", "PermissionError"].iter().any(|kind| message.starts_with(kind))
}

/// The rule that a fault breaks, where there is one for it, and what to do about it.
pub(crate) fn advice_on(fault: &Fault) -> (Option<Rule>, &'static str) {
    match fault {
        Fault::IllegalMove { answer, .. } if *answer == format!("{:#018x}", raw::NO_MOVE) => (
            Some(ONE_OF_THE_MOVES),
            "set the answer to a number out of turn->moves before choose_move returns ARBITER_OK; \
             move_parse gives it where a text names no legal move",
        ),
        Fault::IllegalMove { .. } | Fault::EndlessErrors { .. } => (
            Some(ONE_OF_THE_MOVES),
            "answer with a number out of turn->moves of this very turn; a board that the bot keeps itself must be the \
             one in turn->cells",
        ),
        Fault::TimedOut { during: Phase::Move, .. } | Fault::OutOfInstructions { .. } => (
            Some(WITHIN_THE_TIME),
            "ask should_stop at every node, and return as soon as it is not ARBITER_GO_ON",
        ),
        Fault::TimedOut { .. } => (
            None,
            "to load and create there are 5 s, for new_game 100 ms or the time of a move (--prepare-time gives more), for \
             game_over and destroy a few seconds: do long work in choose_move, on the clock",
        ),
        Fault::Crashed { address: Some(address), .. } if OF_STACKS.contains(address) => (
            None,
            "the stack is there, and probably full: look for a recursion that does not end, and for large arrays in functions",
        ),
        Fault::Crashed { signal: SIGABRT, .. } => (
            None,
            "in C++ it is mostly an exception that nobody catches: catch it, or write a class for ARBITER_BOT_CLASS of \
             arbiter_bot.hpp; otherwise a failed assert, or a write beyond the end of allocated memory",
        ),
        Fault::Crashed { signal: SIGSEGV, address: None, .. } if cfg!(target_os = "linux") => (
            None,
            "no address is known, so the stack of one of its threads is probably full: look for a recursion that does not end, \
             and for large arrays in functions; otherwise build it with -g -O0 and play the same game with `arbiter --in-process` \
             under a debugger",
        ),
        Fault::Crashed { .. } => {
            (None, "build it with -g -O0 and play the same game with `arbiter --in-process` under a debugger")
        }
        Fault::Exited { .. } => (None, "return from the function; a bot's process is not its own to end"),
        Fault::Failed { during: Phase::Move, .. } => (
            Some(ANY_OTHER_STATUS),
            "return ARBITER_OK with a move, or ARBITER_RESIGN: -Wall tells of functions that end without return; say in the log \
             (host->log) what went wrong",
        ),
        Fault::Failed { .. } => {
            (Some(STATUS), "return ARBITER_OK (0) when all is well; say in the log what went wrong")
        }
        Fault::Panicked { message, .. } if is_about_files(message) => (
            None,
            "a bot reads no files but its own: put them into a folder with bot.py, name the folder, and read them with \
             read_file",
        ),
        Fault::Panicked { .. } => (
            Some(NO_UNWINDING),
            "find the place by its message; in Rust, RUST_BACKTRACE=1 tells how it got there",
        ),
        Fault::OutOfMemory { .. } => {
            (Some(MEMORY), "size tables by arbiter_game.memory, and look at what every allocation returns")
        }
        // Opening a file for reading only fails.
        Fault::ForbiddenCall { call, .. } if ["open", "openat", "openat2", "creat"].contains(&&**call) => (
            None,
            "a bot writes no files: print instead, and --keep-output keeps it; a file to read comes as a payload, BOT+FILE",
        ),
        Fault::ForbiddenCall { .. } => (
            None,
            "a bot may compute, allocate, use threads and read the time; files, processes and networks are closed to it. For a \
             large runtime that only tries such a call out, --sandbox wide lets it fail instead",
        ),
        Fault::BadReply { .. } => (
            None,
            "the bot has overwritten memory that is not its own: look for writes beyond the end of an array",
        ),
        Fault::NotLoaded { .. } => (None, "run `arbiter inspect` on the file"),
        Fault::Unsupported { .. } => {
            (Some(NOT_WITH_THESE_OPTIONS), "name the games that it plays in the field games of its table")
        }
        Fault::Resigned | Fault::Left => (None, "play on while there are legal moves"),
    }
}
