//! What Linux tells of another process: its processor time, exact to the nanosecond once it blocks, and how long its
//! threads waited for a processor.

use super::charge::ProcessState;
use super::observe::{OfThreads, Times};
use crate::host::procfs::{ProcessRecord, Scheduled};
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
    /// The main thread when the question began.
    main: Scheduled,
    /// The same at the first look of this question, once there was one.
    looked_at: Option<Scheduled>,
    /// Each other thread that was seen since, by its number: at the first look, and when it was last seen. The kernel tells
    /// nothing of a thread that has ended.
    others: HashMap<u32, (Scheduled, Scheduled)>,
    /// Involuntary context switches of all threads, at the same times.
    switches: HashMap<u32, (u64, u64)>,
    /// How long the worker's own thread had waited when the question began.
    referee: Duration,
}

thread_local! {
    static THIS_THREAD: ProcessRecord = ProcessRecord::of_this_thread();
}

/// How long the calling thread has been ready to run without running.
fn waited_here() -> Duration {
    THIS_THREAD.with(|thread| thread.main().unwrap_or_default().waited)
}

impl ProcessTimes {
    pub(super) fn of(pid: i32) -> Option<ProcessTimes> {
        let (clock, bot) = (ProcessorClock::of(pid)?, ProcessRecord::of(pid));
        let (main, looked_at, others, switches, referee) = Default::default();
        Some(ProcessTimes { clock, bot, main, looked_at, others, switches, referee })
    }
}

impl Times for ProcessTimes {
    fn used(&self) -> Option<Duration> {
        self.clock.read()
    }

    fn mark_main(&mut self) {
        self.looked_at = None;
        if let Some(main) = self.bot.main() {
            self.main = main;
        }
        self.referee = waited_here();
    }

    fn mark_all(&mut self) {
        self.looked_at = Some(self.bot.main().unwrap_or_default());
        let twice = |(thread, seen)| (thread, (seen, seen));
        self.others = self.bot.others().into_iter().map(twice).collect();
        self.switches = self.bot.involuntary_switches().map(|(thread, n)| (thread, (n, n))).collect();
    }

    fn threads(&mut self) -> OfThreads {
        let main = self.bot.main().unwrap_or(self.main);
        let mut all = vec![Scheduled { ran: Duration::ZERO, waited: main.since(self.main).waited }];
        if let Some(looked_at) = self.looked_at {
            all[0].ran = main.since(looked_at).ran;
            for (thread, now) in self.bot.others() {
                self.others.entry(thread).or_default().1 = now;
            }
            all.extend(self.others.values().map(|(first, last)| last.since(*first)));
        }
        all.iter().fold(OfThreads::default(), |sum, thread| OfThreads {
            run_delay: sum.run_delay.saturating_add(thread.waited),
            longest_delay: sum.longest_delay.max(thread.waited),
            busiest: sum.busiest.max(thread.ran),
        })
    }

    fn has_several_threads(&self) -> bool {
        !self.others.is_empty()
    }

    fn delay_of_referee(&mut self) -> Duration {
        waited_here().saturating_sub(self.referee)
    }

    /// Threads are looked at one after the other. Of two that wake each other both may be seen asleep, but not again and again.
    fn state(&self) -> ProcessState {
        const LOOKS: u32 = 5;
        let mut seen = (0..LOOKS).map(|_| self.bot.state());
        seen.find(|state| *state != ProcessState::Asleep).unwrap_or(ProcessState::Asleep)
    }

    fn involuntary_switches(&mut self) -> u64 {
        for (thread, count) in self.bot.involuntary_switches() {
            self.switches.entry(thread).or_insert((0, 0)).1 = count;
        }
        self.switches.values().map(|(marked, count)| count.saturating_sub(*marked)).sum()
    }
}
