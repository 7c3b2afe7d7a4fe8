//! The processor time of another process, exact to the nanosecond once the process blocks.

use std::time::Duration;

/// The clock that counts a process's processor time.
#[derive(Debug)]
pub(in super::super) struct ProcessorClock(libc::clockid_t);

impl ProcessorClock {
    pub(in super::super) fn of(pid: i32) -> Option<ProcessorClock> {
        let mut clock = 0;
        // SAFETY: the clock is written to a variable of ours.
        let status = unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) };
        (status == 0).then_some(ProcessorClock(clock))
    }

    pub(in super::super) fn read(&self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the time is written to a variable of ours; a clock of a process that is gone is an error.
        match unsafe { libc::clock_gettime(self.0, &raw mut time) } {
            0 => Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?)),
            _ => None,
        }
    }
}
