//! Standard input and output as a keyboard for people and scripts: one line in, one line out.

use crate::player::LONGEST_LINE;
use crate::sanitize::shown_json;
use parking_lot::Mutex;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Line(String),
    /// A line longer than [`LONGEST_LINE`], thrown away.
    TooLong,
    End,
}

/// How long it takes at most until a line that is there has been read.
const AT_ONCE: Duration = Duration::from_millis(200);

/// Lines from standard input, read by a thread of their own so that waiting for one can be broken off. It reads a line when one is
/// asked for, so that nothing is taken from a screen that has the keyboard afterwards.
pub(crate) struct LineKeyboard {
    reading: Mutex<Reading>,
    has_spoken: AtomicBool,
}

struct Reading {
    ask: SyncSender<()>,
    lines: Receiver<Heard>,
    is_asked: bool,
    /// A line that was heard before anybody was asked.
    first: Option<Heard>,
}

impl Reading {
    /// The next line, if it comes by then; nothing then, and an error at the end of the input.
    fn next(&mut self, longest: Duration) -> Result<Heard, RecvTimeoutError> {
        if !std::mem::replace(&mut self.is_asked, true) && self.ask.send(()).is_err() {
            return Err(RecvTimeoutError::Disconnected);
        }
        let heard = self.lines.recv_timeout(longest);
        self.is_asked = heard.is_err();
        heard
    }
}

impl LineKeyboard {
    /// Standard input, for all matches. A thread reads it from the first time on that somebody asks for it.
    pub(crate) fn stdin() -> io::Result<Arc<LineKeyboard>> {
        static STDIN: Mutex<Option<Arc<LineKeyboard>>> = Mutex::new(None);
        let mut stdin = STDIN.lock();
        if let Some(keyboard) = &*stdin {
            return Ok(Arc::clone(keyboard));
        }
        let ((ask, asked), (sender, lines)) = (sync_channel(1), sync_channel(1));
        Builder::new().spawn(move || {
            let mut input = BufReader::new(io::stdin());
            while asked.recv().is_ok() {
                if read_line(&mut input).is_none_or(|heard| sender.send(heard).is_err()) {
                    break;
                }
            }
        })?;
        let reading = Mutex::new(Reading { ask, lines, is_asked: false, first: None });
        let keyboard = LineKeyboard { reading, has_spoken: AtomicBool::new(false) };
        Ok(Arc::clone(stdin.insert(Arc::new(keyboard))))
    }

    /// Whether nothing will ever be typed: standard input is closed, or at its end before the first line. False while nothing has come yet.
    pub(crate) fn is_dead(&self) -> bool {
        if !has_something(&io::stdin()) {
            return false;
        }
        let reading = &mut *self.reading.lock();
        let heard = reading.first.take().map_or_else(|| reading.next(AT_ONCE), Ok);
        // Of a line that somebody has only begun, more may come.
        let is_over = heard == Err(RecvTimeoutError::Disconnected);
        reading.first = heard.ok();
        is_over
    }

    pub(crate) fn hear(&self, longest: Duration) -> Option<Heard> {
        let reading = &mut *self.reading.lock();
        let heard = match reading.first.take().map_or_else(|| reading.next(longest), Ok) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => return Some(Heard::End),
        };
        self.has_spoken.store(true, Ordering::Relaxed);
        Some(heard)
    }

    pub(crate) fn has_spoken(&self) -> bool {
        self.has_spoken.load(Ordering::Relaxed)
    }
}

/// Whether reading would not wait: there is something, or the end.
#[cfg(unix)]
fn has_something(input: &io::Stdin) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // An error means a closed descriptor: reading it does not wait either.
    poll(&mut [PollFd::new(input, PollFlags::IN)], Some(&now)).map_or(true, |ready| ready > 0)
}

/// Elsewhere the end of the input shows when the first move is asked for.
#[cfg(not(unix))]
fn has_something(_: &io::Stdin) -> bool {
    false
}

/// One line, or `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Option<Heard> {
    let mut line = Vec::new();
    input
        .by_ref()
        .take(LONGEST_LINE as u64 + 1)
        .read_until(b'\n', &mut line)
        .ok()
        .filter(|&bytes| bytes > 0)?;
    if line.len() > LONGEST_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n').ok()?;
        return Some(Heard::TooLong);
    }
    Some(Heard::Line(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()))
}

/// A line on standard output, at once. A reader that went away misses it: the game goes on and is saved.
#[expect(clippy::let_underscore_must_use, reason = "nobody listens any more, and that is no error")]
pub(crate) fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// The same of JSON.
pub(crate) fn say_json(of: &Value) {
    say(&shown_json(&of.to_string()));
}
