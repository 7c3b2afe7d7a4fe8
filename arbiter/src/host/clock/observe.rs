//! What the kernel's clocks and `/proc` tell about a bot's process while it is asked something.

use super::charge::{Observations, ProcessState, free_between_questions, without_pauses};
use super::{between, now_ns};
use std::cell::Cell;
use std::time::Duration;

/// A referee that waits for an answer sleeps for no longer than this at a time. If it was stopped, or the machine stood still, it then
/// wakes late and knows for how long, to within this.
pub(in crate::host) const HEARTBEAT: Duration = Duration::from_millis(10);

/// No thread keeps a core for longer than this while another waits for it: the kernel's slices are 3 to 24 ms. The referee wants its
/// core at every heartbeat.
const LONGEST_SLICE: Duration = Duration::from_millis(50);

/// A sleeper that wakes by less than this too late has seen no pause: timers come late on any machine.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

/// A gap between two questions shorter than this is not worth reading the clocks again.
const SHORT_GAP: Duration = Duration::from_micros(50);
/// After a turn shorter than this, run delays are not read again.
const SHORT_TURN: Duration = Duration::from_millis(1);

/// Processor time between two questions that is free, beside a hundredth of the gap.
const HOUSEKEEPING: Duration = Duration::from_micros(500);
/// The same after the bot began its game: threads that it has started may still be settling down.
const SETTLING: Duration = Duration::from_millis(5);

/// What a system tells of a bot's process: nothing, unless it says otherwise. Only Linux tells it finely enough to accuse anybody
/// with it.
pub(in crate::host) trait Times: Send {
    /// Processor time of the whole process; none once it is gone.
    fn used(&self) -> Option<Duration> {
        None
    }

    /// A question begins or ends: from here on run delays of the main thread and of the referee's own are counted.
    fn mark_main(&mut self, _now: i64) {}

    /// The same for all threads.
    fn mark_all(&mut self) {}

    /// Adds what threads did since they were marked. Of a wait that goes on, and of threads that have ended, it knows what an
    /// earlier call has seen.
    fn add_threads(&mut self, _now: i64, _observed: &mut Observations) {}

    /// How long the referee's own thread waited in the run queue, since this was asked last or a question began; none where that
    /// is not known.
    fn referee_waited(&mut self) -> Option<Duration> {
        None
    }

    /// How long the main thread had a core at once, at least, since this was asked last or a question began.
    fn slice(&mut self) -> Duration {
        Duration::ZERO
    }

    /// Whether more than one thread was seen since they were marked, in this question or one before. The one that calls the
    /// bot's `stop` counts.
    fn has_several_threads(&self) -> bool {
        false
    }

    /// Whether its main thread was ready to run when it was looked at last.
    fn is_main_ready(&self) -> bool {
        false
    }

    /// What its threads are doing.
    fn state(&self) -> ProcessState {
        ProcessState::Runnable
    }

    /// How often the kernel took the processor from a thread to give it to another, since all were marked. Of threads that
    /// have ended it counts what was there when this was asked before.
    fn involuntary_switches(&mut self) -> u64 {
        0
    }
}

/// Nothing is known where wall time is the clock.
impl Times for () {}

thread_local! {
    /// For how long the machine has stood still, as this thread has seen it, which asks all the bots of a game.
    static PAUSED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

pub(in crate::host) struct Observer {
    pub(in crate::host) times: Box<dyn Times>,
    /// How many threads of the process can run at the same time.
    threads: u32,
    /// It is kept on the core of the referee, which runs while the process is marked.
    shares_core: bool,
    /// All [pauses](PAUSED) that there were when the last question was over.
    paused_before: Duration,
    /// All the processor time of the process when it was last read, and when that was; none by wall time.
    pub(in crate::host) used: Option<Duration>,
    pub(in crate::host) read_at: i64,
    /// Processor time that is free between two questions, whatever the gap.
    least: Duration,
    /// A call such as `new_game` is over. Threads that it started may still be settling down, so more is free before the next
    /// question.
    pub(in crate::host) is_settling: bool,
    between_questions: Duration,
    /// When the question that is being asked began.
    pub(in crate::host) started: i64,
    /// There was a look at the bot since then.
    has_looked: bool,
    /// What is known of that question without a look.
    pub(in crate::host) question: Observations,
    /// By how much the referee's last wait was longer than it was meant to be.
    late: Duration,
    /// What has kept the referee from looking, since the last look.
    held: Duration,
    /// For how long the machine has stood still in this question, or the referee was stopped.
    paused: Duration,
    /// Processor time that the kernel has put down to the bot meanwhile.
    used_in_pauses: Duration,
    /// When the referee was awake last, or the question began, and what the process had used then.
    beat: (i64, Duration),
    /// What was observed of the last question that is over.
    pub(in crate::host) last: Observations,
}

impl Observer {
    /// For a process that is asked its first question now. It is charged by its processor time, where the kernel tells
    /// that. `least` is what our side of it needs between two questions on this machine; it counts where it is more than
    /// usual.
    pub(in crate::host) fn of(pid: i32, least: Duration, threads: u32, shares_core: bool) -> Observer {
        #[cfg(target_os = "linux")]
        if let Some(times) = super::linux::ProcessTimes::of(pid) {
            let least = least.max(HOUSEKEEPING);
            return Observer { least, threads, shares_core, ..Observer::seeing(Box::new(times)) };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (pid, least, threads, shares_core);
        Observer::by_wall_time()
    }

    /// For a process of which this is seen.
    #[cfg(any(test, target_os = "linux"))]
    pub(in crate::host) fn seeing(times: Box<dyn Times>) -> Observer {
        Observer { times, used: Some(Duration::ZERO), ..Observer::by_wall_time() }
    }

    /// For a process that is charged by wall time.
    pub(in crate::host) fn by_wall_time() -> Observer {
        let now = now_ns();
        Observer {
            times: Box::new(()),
            threads: 1,
            shares_core: false,
            paused_before: PAUSED.get(),
            used: None,
            read_at: now,
            least: HOUSEKEEPING,
            is_settling: false,
            between_questions: Duration::ZERO,
            started: now,
            has_looked: false,
            question: Observations::default(),
            late: Duration::ZERO,
            held: Duration::ZERO,
            paused: Duration::ZERO,
            used_in_pauses: Duration::ZERO,
            beat: (now, Duration::ZERO),
            last: Observations::default(),
        }
    }

    /// A question is asked now, of a bot that is given this time to answer. Gives the point in time.
    pub(in crate::host) fn begin(&mut self, time: Option<Duration>) -> i64 {
        self.started = now_ns();
        (self.question, self.paused) = Default::default();
        let gap = between(self.read_at, self.started);
        if let Some(before) = self.used.filter(|_| gap >= SHORT_GAP) {
            let now = self.times.used().unwrap_or(before);
            (self.used, self.read_at) = (Some(now), self.started);
            let paused = PAUSED.get().saturating_sub(self.paused_before);
            let used = without_pauses(now.saturating_sub(before), gap, paused, self.threads);
            self.between_questions = self.between_questions.saturating_add(used);
            let least = if self.is_settling { SETTLING.max(self.least) } else { self.least };
            let free = free_between_questions(gap, time, least);
            self.question.carried = used.saturating_sub(free);
            self.times.mark_main(self.started);
            self.started = now_ns();
        }
        self.is_settling = false;
        self.beat = (self.started, self.used.unwrap_or_default());
        self.started
    }

    /// The referee has waited for longer than it meant to.
    pub(in crate::host) fn overslept(&mut self, time: Duration) {
        self.late = self.late.saturating_add(time);
    }

    /// The referee is awake. Notes what has kept it from that. A bot can make it wait for a processor, by many threads on one core. Where
    /// it is late without that, the machine stood still.
    pub(in crate::host) fn heartbeat(&mut self, now: i64) {
        let (late, waited) = (std::mem::take(&mut self.late), self.times.referee_waited());
        let held = late.max(waited.unwrap_or_default());
        self.held = self.held.saturating_add(held);
        let seen = waited.map_or(Duration::ZERO, |waited| late.saturating_sub(waited));
        let pause = if self.times.slice() > LONGEST_SLICE && self.shares_core {
            // No other thread ran in between, so all of the referee's wait was a pause.
            held
        } else if seen >= HEARTBEAT {
            // It may have begun before the referee was to wake.
            seen.saturating_add(HEARTBEAT)
        } else if seen >= SHORTEST_PAUSE {
            seen
        } else {
            Duration::ZERO
        };
        let Some(used) = self.times.used() else { return };
        let (at, before) = std::mem::replace(&mut self.beat, (now, used));
        let used = used.saturating_sub(before);
        let left = without_pauses(used, between(at, now), pause, self.threads);
        self.used_in_pauses = self.used_in_pauses.saturating_add(used - left);
        self.paused = self.paused.saturating_add(pause);
        PAUSED.set(PAUSED.get().saturating_add(pause));
    }

    /// A look at a bot that has not answered. From the first one on the run delays of all its threads are counted. Beside what is
    /// seen it gives what kept the referee from this look, which counts where it is [excused](Observer::excuse).
    pub(in crate::host) fn look(&mut self, now: i64) -> (Observations, Duration) {
        if !std::mem::replace(&mut self.has_looked, true) {
            self.times.mark_all();
        }
        let used = self.times.used();
        self.heartbeat(now);
        let late = std::mem::take(&mut self.held);
        let mut observed = self.observations(now, used, true);
        // It may sleep now, and other threads run.
        observed.never_slept &= self.times.is_main_ready();
        (observed, late)
    }

    /// What kept the referee from a look is not charged. Gives all that is not.
    pub(in crate::host) fn excuse(&mut self, late: Duration) -> Duration {
        self.question.lateness = self.question.lateness.saturating_add(late);
        self.question.lateness
    }

    /// The question is over: answered at this point in time, or given up. Without a look before, run delays are those of the
    /// main thread, and are not read after a short turn.
    pub(in crate::host) fn end(&mut self, now: i64) -> Observations {
        let used = self.times.used();
        let is_short = between(self.started, now) < SHORT_TURN;
        let with_waits = std::mem::take(&mut self.has_looked) || !is_short;
        if with_waits {
            self.heartbeat(now);
        }
        let late = std::mem::take(&mut self.held).max(std::mem::take(&mut self.late));
        self.excuse(late);
        self.last = self.observations(now, used, with_waits);
        if used.is_some() {
            (self.used, self.read_at, self.paused_before) = (used, now, PAUSED.get());
            self.used_in_pauses = Duration::ZERO;
            if !is_short {
                self.times.mark_main(now);
            }
        }
        self.last
    }

    fn observations(&mut self, now: i64, used: Option<Duration>, with_waits: bool) -> Observations {
        let wall = between(self.started, now);
        let used = used.zip(self.used).map(|(now, before)| now.saturating_sub(before));
        let mut observed = Observations { wall, used, ..self.question };
        if with_waits {
            self.times.add_threads(now, &mut observed);
        }
        // On another core it may run while it is marked. Then the first time that it is given a processor is not the only one.
        observed.never_slept &= self.shares_core;
        observed.used = used.map(|used| used.saturating_sub(self.used_in_pauses));
        observed.busiest = without_pauses(observed.busiest, wall, self.paused, 1);
        observed
    }

    /// What the bot's own processor clock showed when nothing of this question had been charged; none by wall time.
    pub(in crate::host) fn clock_at_start(&self) -> Option<Duration> {
        self.used.map(|used| used.saturating_sub(self.question.carried))
    }

    /// Processor time between questions so far; none by wall time.
    pub(in crate::host) fn between_questions(&self) -> Option<Duration> {
        self.used.map(|_| self.between_questions)
    }
}

/// A bot's process of which no more is known than what its threads are doing.
#[cfg(test)]
pub(in crate::host) struct Feigned {
    pub(in crate::host) state: ProcessState,
    /// How long the referee waits for its processor before each look.
    pub(in crate::host) referee_waits: Duration,
    /// How long its main thread has a core at once.
    pub(in crate::host) slice: Duration,
}

#[cfg(test)]
impl Feigned {
    pub(in crate::host) fn seen(state: ProcessState) -> Feigned {
        Feigned { state, referee_waits: Duration::ZERO, slice: Duration::ZERO }
    }
}

#[cfg(test)]
impl Times for Feigned {
    fn used(&self) -> Option<Duration> {
        Some(Duration::from_millis(1))
    }

    fn referee_waited(&mut self) -> Option<Duration> {
        Some(self.referee_waits)
    }

    fn slice(&mut self) -> Duration {
        self.slice
    }

    fn add_threads(&mut self, _now: i64, observed: &mut Observations) {
        observed.never_slept = true;
    }

    fn is_main_ready(&self) -> bool {
        self.state == ProcessState::Runnable
    }

    fn state(&self) -> ProcessState {
        self.state
    }
}

/// Otherwise a bot on a busy machine could sleep for most of its time and pay for little of it.
#[test]
fn what_keeps_the_referee_from_looking_is_no_time_of_a_bot_that_sleeps() {
    const MS: Duration = Duration::from_millis(1);
    let feigned = Feigned { referee_waits: 20 * MS, ..Feigned::seen(ProcessState::Asleep) };
    let mut observer = Observer::seeing(Box::new(feigned));
    let now = observer.begin(Some(1000 * MS));
    assert_eq!(observer.look(now).1, 20 * MS, "we waited for a processor");
    observer.overslept(30 * MS);
    assert_eq!(observer.look(now).1, 30 * MS, "which makes us oversleep, and counts once");
    assert_eq!(observer.look(now).0.lateness, Duration::ZERO, "nothing of that has been excused");
    assert_eq!(observer.excuse(5 * MS), 5 * MS);
    assert_eq!(observer.end(now).lateness, 25 * MS, "it has answered, and we hear it late");
}

/// A bot would otherwise lose by a pause of a virtual machine, which is as long as the one who pauses it likes.
#[test]
fn a_bot_has_used_nothing_while_the_machine_stood_still() {
    const MS: Duration = Duration::from_millis(1);
    let used = |overslept, referee_waits, slice| {
        let feigned = Feigned { state: ProcessState::Runnable, referee_waits, slice };
        let mut observer = Observer { shares_core: true, ..Observer::seeing(Box::new(feigned)) };
        observer.overslept(overslept);
        observer.end(super::after(observer.started, 50 * MS)).used
    };
    const NONE: Duration = Duration::ZERO;
    let late = 39 * MS + MS / 2;
    assert_eq!(used(NONE, NONE, NONE), Some(MS), "the kernel says 1 ms");
    assert_eq!(used(late, NONE, NONE), Some(MS / 2), "it may have begun 10 ms before");
    assert_eq!(used(49 * MS + MS / 2, late, 10 * MS), Some(MS), "others ran, this one perhaps");
    assert_eq!(
        used(49 * MS + MS / 2, late, 51 * MS),
        Some(MS / 2),
        "no kernel lets it run for so long while the referee waits"
    );
}

/// On a busy machine every timer comes late, and a bot would otherwise run for nothing in between.
#[test]
fn a_timer_that_comes_late_is_no_pause() {
    const MS: Duration = Duration::from_millis(1);
    let mut observer = Observer::seeing(Box::new(Feigned::seen(ProcessState::Runnable)));
    let mut now = observer.started;
    for _ in 0..50 {
        observer.overslept(MS * 9 / 10);
        now = super::after(now, MS);
        observer.heartbeat(now);
    }
    assert_eq!(observer.end(now).used, Some(MS));
}

/// A thread that collects garbage after its turn would otherwise pay for a pause in its opponent's.
#[test]
fn pauses_in_the_turns_of_others_are_not_carried_on() {
    const SECOND: Duration = Duration::from_secs(1);
    let carried = |paused| {
        let feigned = Feigned::seen(ProcessState::Asleep);
        let read_at = now_ns() - 1_000_000_000;
        let mut observer = Observer { read_at, ..Observer::seeing(Box::new(feigned)) };
        let mut opponents = Observer::seeing(Box::new(Feigned::seen(ProcessState::Asleep)));
        opponents.overslept(paused);
        opponents.look(now_ns());
        observer.begin(Some(Duration::from_millis(1)));
        observer.question.carried
    };
    assert!(carried(Duration::ZERO) > Duration::ZERO);
    assert_eq!(carried(SECOND), Duration::ZERO);
}

/// Helpers that run would otherwise excuse the sleep of the one that waits for them.
#[test]
fn a_main_thread_that_does_not_want_to_run_has_not_been_kept_from_it() {
    let never_slept = |state| {
        let feigned = Feigned::seen(state);
        let mut observer = Observer { shares_core: true, ..Observer::seeing(Box::new(feigned)) };
        let now = now_ns();
        (observer.look(now).0.never_slept, observer.end(now).never_slept)
    };
    assert_eq!(never_slept(ProcessState::Runnable), (true, true));
    assert_eq!(never_slept(ProcessState::Asleep), (false, true), "it may have answered, and sleep since");
}
