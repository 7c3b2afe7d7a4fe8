//! What Linux tells of another process: its processor time, exact to the nanosecond once it blocks, and how long its
//! threads waited for a processor.

use super::charge::State;
use super::observe::Times;
use crate::host::procfs::ProcessRecord;
use std::collections::HashMap;
use std::time::Duration;

/// The clock that counts a process's processor time.
#[derive(Debug)]
pub(in crate::host) struct ProcessorClock(libc::clockid_t);

impl ProcessorClock {
    pub(in crate::host) fn of(pid: i32) -> Option<ProcessorClock> {
        let mut clock = 0;
        // SAFETY: the clock is written to a variable of ours.
        let status = unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) };
        (status == 0).then_some(ProcessorClock(clock))
    }

    pub(in crate::host) fn read(&self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the time is written to a variable of ours; a clock of a process that is gone is an error.
        match unsafe { libc::clock_gettime(self.0, &raw mut time) } {
            0 => Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?)),
            _ => None,
        }
    }
}

/// The times of one process, by its processor clock and by `schedstat`.
pub(super) struct ProcessTimes {
    clock: ProcessorClock,
    bot: ProcessRecord,
    /// How long the main thread had waited in all when the question began.
    main: Duration,
    /// The same for the other threads, at the first look of this question.
    others: Option<HashMap<u32, Duration>>,
    /// Involuntary context switches of all threads at the first look.
    switches: u64,
    /// The worker's own thread, and how long it had waited at the first look.
    referee: Option<(ProcessRecord, Duration)>,
}

impl ProcessTimes {
    pub(super) fn of(pid: i32) -> Option<ProcessTimes> {
        let (clock, bot) = (ProcessorClock::of(pid)?, ProcessRecord::of(pid));
        Some(ProcessTimes { clock, bot, main: Duration::ZERO, others: None, switches: 0, referee: None })
    }
}

impl Times for ProcessTimes {
    fn used(&self) -> Option<Duration> {
        self.clock.read()
    }

    fn mark_main(&mut self) {
        self.others = None;
        if let Some(delay) = self.bot.main_delay() {
            self.main = delay;
        }
    }

    fn mark_all(&mut self) {
        self.others = Some(self.bot.delays_of_others().into_iter().collect());
        self.switches = self.bot.involuntary_switches();
        let of_this_thread = || (ProcessRecord::of_this_thread(), Duration::ZERO);
        let (referee, waited) = self.referee.get_or_insert_with(of_this_thread);
        *waited = referee.main_delay().unwrap_or_default();
    }

    fn run_delay(&mut self) -> Duration {
        let main = self.bot.main_delay().unwrap_or(self.main).saturating_sub(self.main);
        let Some(marked) = &self.others else { return main };
        let since = |(thread, delay): (u32, Duration)| {
            delay.saturating_sub(marked.get(&thread).copied().unwrap_or_default())
        };
        self.bot.delays_of_others().into_iter().map(since).fold(main, Duration::saturating_add)
    }

    fn delay_of_referee(&mut self) -> Duration {
        match (&mut self.referee, &self.others) {
            (Some((referee, marked)), Some(_)) => {
                referee.main_delay().unwrap_or_default().saturating_sub(*marked)
            }
            _ => Duration::ZERO,
        }
    }

    fn state(&self) -> State {
        self.bot.state()
    }

    fn involuntary_switches(&self) -> u64 {
        self.bot.involuntary_switches().saturating_sub(self.switches)
    }
}
