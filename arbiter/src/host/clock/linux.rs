//! What Linux tells of another process: its processor time, exact to the nanosecond once it blocks, and how long its
//! threads waited for a processor.

use super::between;
use super::charge::{Observations, ProcessState};
use super::observe::Times;
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
    /// The main thread since the question began.
    main: Seen,
    /// The same when its [slice](Times::slice) was asked for last.
    main_before: Scheduled,
    /// What it had run at the first look of this question, once there was one.
    main_ran: Option<Duration>,
    /// Each other thread that was seen since, by its number. The kernel tells nothing of a thread that has ended.
    others: HashMap<u32, Seen>,
    /// When threads were looked at last, or the question began.
    looked_at: i64,
    /// How long threads have waited since the question began, as far as it [excuses](excused) the bot.
    delay: Duration,
    /// Involuntary context switches of all threads, at the first look and when they were counted last.
    switches: HashMap<u32, (u64, u64)>,
    /// How long the worker's own thread had waited when that was asked last, or the question began.
    referee: Duration,
}

/// A thread, from some point in time to the last look.
#[derive(Clone, Copy, Default)]
struct Seen {
    first: Scheduled,
    last: Scheduled,
    /// Whether it was ready to run at the last look.
    is_ready: bool,
    /// For how long it has been ready from look to look without running. The kernel counts a wait once it is over.
    waiting: Duration,
}

impl Seen {
    fn from(first: Scheduled, is_ready: bool) -> Seen {
        Seen { first, last: first, is_ready, waiting: Duration::ZERO }
    }

    /// What it shows so long after the last look, and whether it is ready to run. Gives how long it has waited since then.
    fn look(&mut self, shown: Scheduled, gap: Duration, is_ready: bool) -> Duration {
        let before = self.since_first().waited;
        let waits_on = self.is_ready && is_ready && shown == self.last;
        self.waiting = if waits_on { self.waiting.saturating_add(gap) } else { Duration::ZERO };
        (self.last, self.is_ready) = (shown, is_ready);
        self.since_first().waited.saturating_sub(before)
    }

    fn since_first(&self) -> Scheduled {
        let since = self.last.since(self.first);
        Scheduled { waited: since.waited.saturating_add(self.waiting), ..since }
    }
}

thread_local! {
    static THIS_THREAD: ProcessRecord = ProcessRecord::of_this_thread();
}

/// How long the calling thread has been ready to run without running, where that is known.
pub(in crate::host) fn waited_here() -> Option<Duration> {
    THIS_THREAD.with(|thread| Some(thread.main()?.waited))
}

impl ProcessTimes {
    pub(super) fn of(pid: i32) -> Option<ProcessTimes> {
        let (clock, bot) = (ProcessorClock::of(pid)?, ProcessRecord::of(pid));
        Some(ProcessTimes {
            clock,
            main: Seen::default(),
            main_before: bot.main().unwrap_or_default(),
            main_ran: None,
            others: HashMap::new(),
            looked_at: 0,
            delay: Duration::ZERO,
            switches: HashMap::new(),
            referee: waited_here().unwrap_or_default(),
            bot,
        })
    }
}

impl Times for ProcessTimes {
    fn used(&self) -> Option<Duration> {
        self.clock.read()
    }

    fn mark_main(&mut self, now: i64) {
        (self.main_ran, self.looked_at, self.delay) = (None, now, Duration::ZERO);
        // It has just been asked, or is asked next.
        self.main = Seen::from(self.bot.main().unwrap_or(self.main.last), true);
        self.main_before = self.main.first;
        self.referee = waited_here().unwrap_or_default();
    }

    fn mark_all(&mut self) {
        self.main_ran = Some(self.bot.main().unwrap_or_default().ran);
        self.others =
            self.bot.others().into_iter().map(|(thread, seen)| (thread, Seen::from(seen, false))).collect();
        self.switches = self.bot.involuntary_switches().map(|(thread, n)| (thread, (n, n))).collect();
    }

    fn add_threads(&mut self, now: i64, observed: &mut Observations) {
        let ProcessTimes { bot, main, main_ran, others, looked_at, delay, .. } = self;
        let gap = between(std::mem::replace(looked_at, now), now);
        let mut waits = vec![main.look(bot.main().unwrap_or(main.last), gap, bot.is_ready(None))];
        let ran = main_ran.map_or(Duration::ZERO, |before| main.last.ran.saturating_sub(before));
        let mut all = vec![Scheduled { ran, ..main.since_first() }];
        if main_ran.is_some() {
            for (thread, shown) in bot.others() {
                let seen = others.entry(thread).or_default();
                waits.push(seen.look(shown, gap, bot.is_ready(Some(thread))));
            }
            all.extend(others.values().map(Seen::since_first));
        }
        *delay = delay.saturating_add(excused(&waits, gap));
        observed.run_delay = *delay;
        observed.never_slept = main.since_first().times == 1;
        for thread in all {
            observed.longest_delay = observed.longest_delay.max(thread.waited);
            observed.busiest = observed.busiest.max(thread.ran);
        }
    }

    fn referee_waited(&mut self) -> Option<Duration> {
        let now = waited_here()?;
        Some(now.saturating_sub(std::mem::replace(&mut self.referee, now)))
    }

    fn slice(&mut self) -> Duration {
        let now = self.bot.main().unwrap_or(self.main_before);
        let since = now.since(std::mem::replace(&mut self.main_before, now));
        // The first slice may have begun before.
        since.ran / u32::try_from(since.times).unwrap_or(u32::MAX).saturating_add(1)
    }

    fn is_main_ready(&self) -> bool {
        self.main.is_ready
    }

    fn has_several_threads(&self) -> bool {
        !self.others.is_empty()
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

/// How long the machine has kept a bot from running between two looks, by what each of its threads has waited: threads that wake
/// together wait for each other, and all of that would excuse far more than lies between. The kernel counts a wait once it is
/// over, so a single one may have begun before.
fn excused(waits: &[Duration], gap: Duration) -> Duration {
    let longest = waits.iter().copied().max().unwrap_or_default();
    waits.iter().sum::<Duration>().min(gap.max(longest))
}

/// An honest bot would otherwise be charged for what it waited, or a sleeper for nothing.
#[test]
fn threads_excuse_what_lies_between_two_looks_and_one_of_them_its_whole_wait() {
    let excused = |waits: &[u64], gap| {
        let waits: Vec<_> = waits.iter().copied().map(Duration::from_millis).collect();
        excused(&waits, Duration::from_millis(gap)).as_millis()
    };
    assert_eq!(excused(&[2, 2], 5), 4, "two that hand work to each other");
    assert_eq!(excused(&[4; 60], 5), 5, "sixty that woke together");
    assert_eq!(excused(&[29, 1], 1), 29, "one that had waited before the last look too");
}

/// A bot that sleeps would otherwise wake a thread before each look, and pay for nothing.
#[test]
fn only_a_thread_that_was_ready_at_both_looks_has_waited() {
    const GAP: Duration = Duration::from_millis(5);
    let shown = |ran: u64| Scheduled { ran: Duration::from_millis(ran), ..Scheduled::default() };
    let waited = |mut seen: Seen, looks: &[(u64, bool)]| {
        looks.iter().for_each(|&(ran, is_ready)| _ = seen.look(shown(ran), GAP, is_ready));
        seen.since_first().waited
    };
    let (sleeper, asked) = (Seen::from(shown(1), false), Seen::from(shown(1), true));
    assert_eq!(waited(sleeper, &[(1, true)]), Duration::ZERO, "it may have woken just now");
    assert_eq!(waited(Seen::default(), &[(0, true)]), Duration::ZERO, "it may have been started just now");
    assert_eq!(waited(sleeper, &[(1, true), (1, true), (1, true)]), 2 * GAP);
    assert_eq!(waited(asked, &[(1, true), (1, true)]), 2 * GAP);
    assert_eq!(waited(asked, &[(1, true), (1, false), (1, true)]), Duration::ZERO);
    assert_eq!(
        waited(asked, &[(1, true), (3, true)]),
        Duration::ZERO,
        "the kernel has counted it when it runs"
    );
}
