//! Processor cores: which ones there are for us, staying on one, and taking turns there.
//!
//! A game's referee and bots take turns, so one core serves them best: waking an idle core costs ten times as much as
//! going on with the same one. A bot that waits sleeps, and the referee lets others run before it sleeps (`wire`). It asks
//! for the shortest slices, so that it waits for less time beside other programs that are busy on the core.

/// The cores that this program may use, by their numbers. The one comes first that the calling thread runs on: the system has
/// put it where there was least to do, and of two programs each begins on another. Empty where the system does not tell.
pub fn cores() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    return linux::cores();
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

/// Keeps the calling thread, the referee of a game or a supervisor, on the game's core. Where that is refused, the
/// thread goes where the system puts it.
pub fn stay_on(core: usize) {
    #[cfg(target_os = "linux")]
    if let Err(error) = linux::settle(core) {
        tracing::warn!(core, %error, "cannot stay on a core");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = core;
}

/// Keeps this process, a template, on the core of its supervisor, without the short slices of that. It leaves the
/// real-time policy that the program may have been started with: a bot in a loop would keep the referee from its core for
/// good.
#[cfg(target_os = "linux")]
pub(super) fn keep_to(core: Option<usize>) -> std::io::Result<()> {
    linux::leave_real_time()?;
    core.map_or(Ok(()), linux::stay_on)?;
    linux::take_slices_of(0)
}

#[cfg(target_os = "linux")]
mod linux {
    use crate::host::sandbox::check;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
    use std::io;

    const SHORTEST_SLICE_NS: u64 = 100_000;

    pub(super) fn cores() -> Vec<usize> {
        let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
        let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        let here = cores.iter().position(|&core| core == sched_getcpu()).unwrap_or(0);
        cores.rotate_left(here);
        cores
    }

    pub(super) fn settle(core: usize) -> io::Result<()> {
        stay_on(core)?;
        // Before Linux 6.12 there are no such slices.
        let _ = take_slices_of(SHORTEST_SLICE_NS);
        Ok(())
    }

    pub(super) fn stay_on(core: usize) -> io::Result<()> {
        if core >= CpuSet::MAX_CPU {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut only = CpuSet::new();
        only.set(core);
        Ok(sched_setaffinity(None, &only)?)
    }

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

    /// Asks for slices of this length for the calling thread and those that it will start; 0 is the usual length. Threads
    /// with another policy than the ordinary one are left alone.
    pub(super) fn take_slices_of(nanoseconds: u64) -> io::Result<()> {
        let attributes = attributes()?;
        if attributes.policy != libc::SCHED_OTHER.unsigned_abs() {
            return Ok(());
        }
        set(&Attributes { runtime: nanoseconds, ..attributes })
    }

    /// Goes back to the ordinary policy from one under which a thread runs for as long as it likes.
    pub(super) fn leave_real_time() -> io::Result<()> {
        let ordinary = [libc::SCHED_OTHER, libc::SCHED_BATCH, libc::SCHED_IDLE].map(i32::unsigned_abs);
        if ordinary.contains(&attributes()?.policy) {
            return Ok(());
        }
        set(&Attributes { size: size_of::<Attributes>() as u32, ..Attributes::default() })
    }

    fn attributes() -> io::Result<Attributes> {
        let size = size_of::<Attributes>();
        let mut attributes = Attributes::default();
        // SAFETY: the kernel writes no more than `size` bytes into a value of ours; 0 is the calling thread.
        check(unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) })?;
        Ok(attributes)
    }

    fn set(attributes: &Attributes) -> io::Result<()> {
        // SAFETY: the kernel reads a value of ours, which says how long it is; 0 is the calling thread.
        check(unsafe { libc::syscall(libc::SYS_sched_setattr, 0, std::ptr::from_ref(attributes), 0) })
            .map(drop)
    }

    #[test]
    fn a_thread_keeps_its_niceness_when_it_asks_for_short_slices() {
        let before = rustix::process::nice(0).unwrap();
        take_slices_of(3 * SHORTEST_SLICE_NS).unwrap();
        assert_eq!(rustix::process::nice(0).unwrap(), before);
    }
}
