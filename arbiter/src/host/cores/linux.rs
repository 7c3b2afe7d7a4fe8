//! Threads and cores on Linux.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::sync::OnceLock;

/// The shortest time at once that a thread can ask for.
const SHORTEST_SLICE_NS: u64 = 100_000;

/// The cores that this program had before a thread of it was bound to one.
static ALL: OnceLock<CpuSet> = OnceLock::new();

/// The cores that this program may use, by their numbers. Empty where the system does not tell.
#[must_use]
pub fn cores() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
}

/// Keeps the calling thread on a core. Where that is refused, the thread goes where the system puts it.
pub fn stay_on(core: usize) {
    if let Ok(before) = sched_getaffinity(None) {
        ALL.get_or_init(|| before);
    }
    let mut only = CpuSet::new();
    only.set(core);
    if let Err(error) = sched_setaffinity(None, &only) {
        tracing::warn!(core, %error, "cannot stay on a core");
    }
}

/// Lets the calling thread run on any core again, and as soon as it is woken, however busy those are: it asks for so
/// little time at once that the kernel lets it go before others (from Linux 6.12 on). Otherwise a bot that never rests
/// would hold up its own end by tens of milliseconds. What the thread starts later gets nothing of it.
pub(in super::super) fn be_prompt() {
    if let Some(all) = ALL.get() {
        // Where that is refused, the thread stays where it is.
        let _ = sched_setaffinity(None, all);
    }
    let mut attributes = Attributes::default();
    let size = size_of::<Attributes>() as u32;
    // SAFETY: the kernel writes as many bytes as it is told, which is the size of the struct.
    if unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) } == 0 {
        attributes.flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
        attributes.runtime = SHORTEST_SLICE_NS;
        // SAFETY: the kernel reads as many bytes as the first field says: at most the size of the struct. Where it
        // refuses, the thread is as it was.
        let _ = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }
}

/// What the kernel calls `sched_attr`, in its first version.
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
