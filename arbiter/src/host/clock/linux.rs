//! What the kernel tells of another process: its processor time, exact to the nanosecond once it blocks, and how long its
//! threads waited for a processor.

use super::charge::Seen;
use crate::host::procfs::{ProcessRecord, State};
use std::collections::HashMap;
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

/// How long threads waited in the run queue, by the kernel's `schedstat`.
#[derive(Debug, Default)]
pub(in super::super) struct Waits {
    bot: Option<ProcessRecord>,
    /// How long the main thread had waited in all when the question began.
    main: Duration,
    /// The same for the other threads, at the first look of this question.
    others: Option<HashMap<u32, Duration>>,
    /// Involuntary context switches of all threads at the first look.
    switches: u64,
    /// The worker's own thread, and how long it had waited at the first look.
    referee: Option<(ProcessRecord, Duration)>,
}

impl Waits {
    pub(in super::super) fn of(pid: i32) -> Waits {
        Waits { bot: Some(ProcessRecord::of(pid)), ..Waits::default() }
    }

    /// A question begins or ends.
    pub(in super::super) fn mark_main(&mut self) {
        self.others = None;
        if let Some(delay) = self.bot.as_mut().and_then(ProcessRecord::main_delay) {
            self.main = delay;
        }
    }

    pub(in super::super) fn mark_all(&mut self) {
        self.others = self.bot.as_ref().map(|bot| bot.delays_of_others().into_iter().collect());
        if let Some(bot) = &self.bot {
            self.switches = bot.involuntary_switches();
            let (referee, waited) =
                self.referee.get_or_insert_with(|| (ProcessRecord::of_this_thread(), Duration::ZERO));
            *waited = referee.main_delay().unwrap_or_default();
        }
    }

    /// The waits of all threads that have ended since then.
    pub(in super::super) fn since_mark(&mut self) -> Duration {
        let Some(bot) = &mut self.bot else { return Duration::ZERO };
        let main = bot.main_delay().unwrap_or(self.main).saturating_sub(self.main);
        let Some(marked) = &self.others else { return main };
        let since = |(thread, delay): (u32, Duration)| {
            delay.saturating_sub(marked.get(&thread).copied().unwrap_or_default())
        };
        bot.delays_of_others().into_iter().map(since).fold(main, Duration::saturating_add)
    }

    pub(in super::super) fn of_referee(&mut self) -> Duration {
        match (&mut self.referee, &self.others) {
            (Some((referee, marked)), Some(_)) => {
                referee.main_delay().unwrap_or_default().saturating_sub(*marked)
            }
            _ => Duration::ZERO,
        }
    }

    pub(in super::super) fn seen(&self) -> Seen {
        match self.bot.as_ref().map(ProcessRecord::state) {
            Some(State::Asleep) | None => Seen::Idle,
            Some(State::Blocked) => Seen::Blocked,
            Some(State::Runnable) => Seen::Busy,
        }
    }

    pub(in super::super) fn involuntary_switches(&self) -> u64 {
        self.bot.as_ref().map_or(0, |bot| bot.involuntary_switches().saturating_sub(self.switches))
    }
}
