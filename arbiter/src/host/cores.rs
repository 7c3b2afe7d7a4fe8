//! Processor cores: which ones there are for us, staying on one, and taking turns there.
//!
//! A game's referee and bots take turns, so one core serves them best: waking an idle core costs ten times as much as
//! going on with the same one, whatever they talk over. Who waits lets the others run (`wire`), and the system picks
//! the next by its queue. Left alone it would pick all of them in a ring, so that every ply of a game with two bots
//! would also visit the one that has nothing to do. A referee that asks for turns as many times shorter as there are
//! bots is picked after each of them: referee, bot, referee, other bot. The turns are the shortest that can be had,
//! so that a stranger with work to do on the core is soon interrupted again, and clocks stay fair beside it.

use super::watchman;
use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;

/// The core that a game is bound to: its referee's thread and the processes of its bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Core {
    /// Which one.
    pub number: usize,
    /// How many bots take turns on it.
    pub bots: u32,
}

/// Somebody who takes turns on a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Party {
    Referee,
    Bot,
}

/// The cores that this program may use, by their numbers. Empty where the system does not tell.
#[cfg(target_os = "linux")]
#[must_use]
pub fn cores() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
}

/// Keeps the calling thread, the referee of a game, on the game's core. Where that is refused, the thread goes where
/// the system puts it.
pub fn stay_on(core: Core) {
    // Whoever watches over all games is bound to none of their cores.
    watchman::begin();
    if let Err(error) = settle(core, Party::Referee) {
        tracing::warn!(core = core.number, %error, "cannot stay on a core");
    }
}

/// Keeps the process of a bot on the game's core.
///
/// # Errors
/// When the system refuses, or has no such core.
pub(super) fn keep_bot_on(core: Core) -> io::Result<()> {
    settle(core, Party::Bot)
}

#[cfg(target_os = "linux")]
fn settle(core: Core, party: Party) -> io::Result<()> {
    if core.number >= CpuSet::MAX_CPU {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut only = CpuSet::new();
    only.set(core.number);
    // What bots' processes are copies of is there already, and to ask takes less than to be put there again.
    if sched_getaffinity(None)? != only {
        sched_setaffinity(None, &only)?;
    }
    // Systems that do not know of this, before Linux 6.12, visit the idle bots as well.
    let _ = linux::take_turns_of(match party {
        Party::Referee => linux::SHORTEST_TURN_NS,
        Party::Bot => linux::SHORTEST_TURN_NS.saturating_mul(core.bots.into()),
    });
    Ok(())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;

    /// The shortest turn that the kernel gives.
    pub(super) const SHORTEST_TURN_NS: u64 = 100_000;

    /// What the kernel calls `struct sched_attr`, in its first version.
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        runtime: u64,
        deadline: u64,
        period: u64,
    }

    /// Asks for turns of this length for the calling thread and those that it will start. What a user has asked for
    /// by other means than `nice` is left alone.
    pub(super) fn take_turns_of(nanoseconds: u64) -> io::Result<()> {
        let size = size_of::<Attributes>();
        let mut attributes = Attributes::default();
        // SAFETY: the kernel writes no more than `size` bytes into a value of ours; 0 is the calling thread.
        check(unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) })?;
        let is_ordinary = attributes.policy == libc::SCHED_OTHER.unsigned_abs();
        if !is_ordinary {
            return Ok(());
        }
        attributes.runtime = nanoseconds;
        // SAFETY: the kernel reads a value of ours, which says how long it is.
        check(unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) })
    }

    fn check(status: libc::c_long) -> io::Result<()> {
        if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_thread_keeps_its_niceness_when_it_asks_for_short_turns() {
            let before = rustix::process::nice(0).unwrap();
            take_turns_of(3 * SHORTEST_TURN_NS).unwrap();
            assert_eq!(rustix::process::nice(0).unwrap(), before);
        }
    }
}

/// The cores that this program may use. Empty: this system does not tell.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// Systems without a way to bind a thread put it where they like.
#[cfg(not(target_os = "linux"))]
fn settle(_core: Core, _party: Party) -> io::Result<()> {
    Ok(())
}
