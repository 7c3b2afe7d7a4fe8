//! A bot's process as the referee sees it, by whatever means it was made and is held.

use super::launch::Launch;
use super::memory::Mapping;
use super::plain;
use super::sandbox::Call;
use super::wire::Block;
use super::{Isolation, LoadError};
#[cfg(target_os = "linux")]
use super::{
    Sandbox,
    clock::{after, now_ns},
    keeper,
};
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
#[cfg(target_os = "linux")]
use std::time::Duration;

/// Why a process that is held by little else is not isolated.
const CONTAINED_ONLY: &str = "only contained processes can be isolated, which only Linux has";

/// How much of the end of a bot's output is kept.
const KEPT_OUTPUT: usize = 8 << 10;

/// How soon a process is tried to be started again that there was no room for.
#[cfg(target_os = "linux")]
const TRY_AGAIN: Duration = Duration::from_millis(10);
/// For how long.
#[cfg(target_os = "linux")]
const LONGEST_SHORTAGE: Duration = Duration::from_secs(2);

/// A process that is held. Dropping it sends the kill, and does not wait.
pub(super) trait Held: Send + Sync {
    /// The number of the process.
    fn pid(&self) -> i32;

    /// Ends the process, whatever it is doing. Says nothing of when it will be gone.
    fn kill(&self);

    /// Stops the process until it is told to go on, as soon as it can be stopped. A kill reaches it all the same.
    fn stop(&self);

    /// Lets the process go on.
    fn go_on(&self);

    /// What has been found out about it.
    fn state(&self) -> &State;
}

/// What is found out about a process as it runs and ends.
#[derive(Debug, Default)]
pub(super) struct State {
    output: Mutex<Output>,
    exit: OnceLock<Exit>,
    forbidden: OnceLock<Call>,
    out_of_memory: AtomicBool,
    runs_on: AtomicBool,
    /// The referee is told of every forbidden call.
    is_listened_to: AtomicBool,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal, or by what the system has in its place.
    Signal(i32),
}

/// Starts a process. `prepare` is called before, with the block through which it will speak: what is put there is
/// never waited for.
///
/// # Errors
/// When the system has no room for another process for seconds, or cannot hold it as it shall be held.
pub(super) fn start(
    launch: &Launch<'_>,
    prepare: impl Fn(&Block),
) -> Result<(Arc<Mapping>, Box<dyn Held>), LoadError> {
    let not_started = |error: io::Error| LoadError::NotStarted { problem: error.to_string() };
    #[cfg(target_os = "linux")]
    if launch.limits.sandbox != Sandbox::Plain {
        let library = launch.library.open()?.copy.memory();
        let last = after(now_ns(), LONGEST_SHORTAGE);
        loop {
            match keeper::Child::start(launch, library, &prepare) {
                // Bots that are about to end may take the room: for that nobody loses a game.
                Err(error) if is_full(&error) && now_ns() < last => std::thread::sleep(TRY_AGAIN),
                started => {
                    let (block, child) = started.map_err(not_started)?;
                    return Ok((block, Box::new(child)));
                }
            }
        }
    }
    if launch.limits.isolation != Isolation::default() {
        return Err(not_started(io::Error::new(io::ErrorKind::Unsupported, CONTAINED_ONLY)));
    }
    launch.library.unchanged()?;
    let (block, child) = plain::Child::start(launch, prepare).map_err(not_started)?;
    Ok((block, Box::new(child)))
}

/// Whether the system has no room for another process at present.
#[cfg(target_os = "linux")]
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
}

#[cfg(target_os = "linux")]
pub(super) use keeper::try_process;

/// There are no such means elsewhere.
#[cfg(not(target_os = "linux"))]
pub(super) fn try_process(_isolation: Isolation) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, CONTAINED_ONLY))
}

impl State {
    /// How the process ended, once it is gone and its output read.
    pub(super) fn exit(&self) -> Option<Exit> {
        self.exit.get().copied()
    }

    /// Waits until the process is gone and all of its output is read.
    pub(super) fn wait(&self) -> Exit {
        *self.exit.wait()
    }

    /// Says how the process ended. The first call counts.
    pub(super) fn ended(&self, exit: Exit) {
        let _ = self.exit.set(exit);
    }

    /// The forbidden system call for which it was ended.
    pub(super) fn forbidden(&self) -> Option<Call> {
        self.forbidden.get().copied()
    }

    /// Says which call it was ended for. The first call counts.
    #[cfg(target_os = "linux")]
    pub(super) fn forbid(&self, call: Call) {
        let _ = self.forbidden.set(call);
    }

    /// Whether a forbidden system call would be known.
    pub(super) fn is_listened_to(&self) -> bool {
        self.is_listened_to.load(Ordering::Relaxed)
    }

    /// Says that it would.
    #[cfg(target_os = "linux")]
    pub(super) fn listen(&self) {
        self.is_listened_to.store(true, Ordering::Relaxed);
    }

    /// Whether it was ended because it used more memory than it may. To be asked when it has ended.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        self.out_of_memory.load(Ordering::SeqCst)
    }

    /// Says that it was. To be said before how it ended.
    pub(super) fn out_of_memory(&self) {
        self.out_of_memory.store(true, Ordering::SeqCst);
    }

    /// Whether it was ended because it did not stay stopped. To be asked when it has ended.
    pub(super) fn runs_on(&self) -> bool {
        self.runs_on.load(Ordering::SeqCst)
    }

    /// Says that it was. To be said before how it ended.
    pub(super) fn run_on(&self) {
        self.runs_on.store(true, Ordering::SeqCst);
    }

    /// The end of what it printed so far, and how much that was in all.
    pub(super) fn output(&self) -> (Vec<u8>, u64) {
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        (output.tail.iter().copied().collect(), output.total)
    }

    /// Takes note of what it printed.
    pub(super) fn printed(&self, bytes: &[u8]) {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).add(bytes);
    }
}

/// What a bot has printed.
#[derive(Debug, Default)]
struct Output {
    tail: VecDeque<u8>,
    total: u64,
}

impl Output {
    fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        self.tail.extend(&bytes[bytes.len().saturating_sub(KEPT_OUTPUT)..]);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT_OUTPUT));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_line_is_kept_to_its_end() {
        let mut output = Output::default();
        (0..1000).for_each(|_| output.add(&[b'x'; 777]));
        output.add(b"the end");
        assert_eq!((output.tail.len(), output.total), (KEPT_OUTPUT, 777_007));
        assert!(output.tail.iter().copied().collect::<Vec<_>>().ends_with(b"the end"));
    }
}
