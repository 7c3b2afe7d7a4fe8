//! What the kernel's clocks and `/proc` tell about a bot's process while it is asked something.

use super::charge::{Observations, ProcessState, free_between_questions};
use super::{between, now_ns};
use std::time::Duration;

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

    /// How long the referee's own thread waited in the run queue, since this was asked last or a question began.
    fn referee_waited(&mut self) -> Duration {
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

pub(in crate::host) struct Observer {
    pub(in crate::host) times: Box<dyn Times>,
    /// All the processor time of the process when it was last read, and when that was; none by wall time.
    pub(in crate::host) used: Option<Duration>,
    read_at: i64,
    /// Processor time that is free between two questions, whatever the gap.
    least: Duration,
    /// A call such as `new_game` is over. Threads that it started may still be settling down, so more is free before the next
    /// question.
    pub(in crate::host) is_settling: bool,
    between_questions: Duration,
    /// When the question that is being asked began.
    pub(in crate::host) started: i64,
    /// Since when a bot may be charged for it: what it used before the question counts too.
    pub(in crate::host) charged_since: i64,
    /// There was a look at the bot since then.
    has_looked: bool,
    /// What is known of that question without a look.
    pub(in crate::host) question: Observations,
    /// By how much the referee's waits since the last look were longer than they were meant to be.
    late: Duration,
    /// The longest of these waits, by how much it was longer.
    latest: Duration,
    /// The same before the last look, less what the referee waited for a processor: for so long the machine stood still.
    pub(in crate::host) stood_still: Duration,
    /// All of that in this question.
    paused: Duration,
    /// Bot and referee are kept on one core: where that stands still, the bot does not run.
    shares_core: bool,
    /// What was observed of the last question that is over.
    pub(in crate::host) last: Observations,
}

impl Observer {
    /// For a process that is asked its first question now. It is charged by its processor time, where the kernel tells
    /// that. `least` is what our side of it needs between two questions on this machine; it counts where it is more than
    /// usual.
    pub(in crate::host) fn of(pid: i32, least: Duration, shares_core: bool) -> Observer {
        #[cfg(target_os = "linux")]
        if let Some(times) = super::linux::ProcessTimes::of(pid) {
            let least = least.max(HOUSEKEEPING);
            return Observer { least, shares_core, ..Observer::seeing(Box::new(times)) };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (pid, least, shares_core);
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
            used: None,
            read_at: now,
            least: HOUSEKEEPING,
            is_settling: false,
            between_questions: Duration::ZERO,
            started: now,
            charged_since: now,
            has_looked: false,
            question: Observations::default(),
            late: Duration::ZERO,
            latest: Duration::ZERO,
            stood_still: Duration::ZERO,
            paused: Duration::ZERO,
            shares_core: false,
            last: Observations::default(),
        }
    }

    /// A question is asked now, of a bot that is given this time to answer. Gives the point in time.
    pub(in crate::host) fn begin(&mut self, time: Option<Duration>) -> i64 {
        self.started = now_ns();
        (self.question, self.late, self.latest, self.stood_still, self.paused) = Default::default();
        self.charged_since = self.used.map_or(self.started, |_| self.read_at);
        let gap = between(self.read_at, self.started);
        if let Some(before) = self.used.filter(|_| gap >= SHORT_GAP) {
            let now = self.times.used().unwrap_or(before);
            (self.used, self.read_at) = (Some(now), self.started);
            let used = now.saturating_sub(before);
            self.between_questions = self.between_questions.saturating_add(used);
            let least = if self.is_settling { SETTLING.max(self.least) } else { self.least };
            let free = free_between_questions(gap, time, least);
            self.question.carried = used.saturating_sub(free);
            self.times.mark_main(self.started);
            self.started = now_ns();
        }
        self.is_settling = false;
        self.started
    }

    /// The referee has waited for longer than it meant to.
    pub(in crate::host) fn overslept(&mut self, time: Duration) {
        self.late = self.late.saturating_add(time);
        self.latest = self.latest.max(time);
    }

    /// A look at a bot that has not answered. From the first one on the run delays of all its threads are counted. Beside what is
    /// seen it gives what kept the referee from this look, which counts where it is [excused](Observer::excuse).
    pub(in crate::host) fn look(&mut self, now: i64) -> (Observations, Duration) {
        if !std::mem::replace(&mut self.has_looked, true) {
            self.times.mark_all();
        }
        let used = self.times.used();
        let late = self.take_lateness();
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
        let late = if with_waits { self.take_lateness() } else { self.late };
        self.excuse(late);
        self.last = self.observations(now, used, with_waits);
        if used.is_some() {
            (self.used, self.read_at) = (used, now);
            if !is_short {
                self.times.mark_main(now);
            }
        }
        self.last
    }

    /// A bot can make its referee wait for a processor, by many threads on one core. The machine does not stand still then.
    fn take_lateness(&mut self) -> Duration {
        let waited = self.times.referee_waited();
        self.stood_still = std::mem::take(&mut self.latest).saturating_sub(waited);
        self.paused = self.paused.saturating_add(self.stood_still);
        std::mem::take(&mut self.late).max(waited)
    }

    fn observations(&mut self, now: i64, used: Option<Duration>, with_waits: bool) -> Observations {
        let wall = between(self.started, now);
        let used = used.zip(self.used).map(|(now, before)| now.saturating_sub(before));
        let mut observed = Observations { wall, used, ..self.question };
        if with_waits {
            self.times.add_threads(now, &mut observed);
        }
        // Elsewhere it may be running while it is marked, and sleep later.
        observed.never_slept &= self.shares_core;
        // The kernel counts the pauses of a virtual machine as the time of whoever was running.
        if self.shares_core && !self.paused.is_zero() {
            let alone = !self.times.has_several_threads();
            let waited = if alone { observed.longest_delay } else { Duration::ZERO };
            let most = wall.saturating_sub(self.paused).saturating_sub(waited);
            observed.used = used.map(|used| used.min(most));
        }
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
}

#[cfg(test)]
impl Times for Feigned {
    fn used(&self) -> Option<Duration> {
        Some(Duration::from_millis(1))
    }

    fn referee_waited(&mut self) -> Duration {
        self.referee_waits
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
    let feigned = Feigned { state: ProcessState::Asleep, referee_waits: 20 * MS };
    let mut observer = Observer::seeing(Box::new(feigned));
    let now = observer.begin(Some(1000 * MS));
    assert_eq!(observer.look(now).1, 20 * MS, "we waited for a processor");
    observer.overslept(30 * MS);
    assert_eq!(observer.look(now).1, 30 * MS, "which makes us oversleep, and counts once");
    assert_eq!(observer.look(now).0.lateness, Duration::ZERO, "nothing of that has been excused");
    assert_eq!(observer.excuse(5 * MS), 5 * MS);
    assert_eq!(observer.end(now).lateness, 25 * MS, "it has answered, and we hear it late");
}

/// A bot would otherwise lose by a pause that began while it ran, and ended before it could look at its clock.
#[test]
fn a_bot_does_not_run_on_a_core_that_stands_still() {
    const MS: Duration = Duration::from_millis(1);
    let used = |shares_core, referee_waits, bot_waited: Duration| {
        let feigned = Feigned { state: ProcessState::Runnable, referee_waits };
        let mut observer = Observer { shares_core, ..Observer::seeing(Box::new(feigned)) };
        observer.question.longest_delay = bot_waited;
        observer.overslept(19 * MS + MS / 2);
        observer.end(super::after(observer.started, 20 * MS + bot_waited)).used
    };
    const NONE: Duration = Duration::ZERO;
    assert_eq!(used(true, NONE, NONE), Some(MS / 2), "the kernel says 1 ms");
    assert_eq!(used(true, NONE, 60 * MS), Some(MS / 2), "nor does it run while it waits in the queue");
    assert_eq!(
        used(true, 19 * MS, NONE),
        Some(MS),
        "the referee waited while others ran there, this one perhaps"
    );
    assert_eq!(used(false, NONE, NONE), Some(MS), "it ran on another core");
}

/// Helpers that run would otherwise excuse the sleep of the one that waits for them.
#[test]
fn a_main_thread_that_does_not_want_to_run_has_not_been_kept_from_it() {
    let never_slept = |state| {
        let feigned = Feigned { state, referee_waits: Duration::ZERO };
        let mut observer = Observer { shares_core: true, ..Observer::seeing(Box::new(feigned)) };
        let now = now_ns();
        (observer.look(now).0.never_slept, observer.end(now).never_slept)
    };
    assert_eq!(never_slept(ProcessState::Runnable), (true, true));
    assert_eq!(never_slept(ProcessState::Asleep), (false, true), "it may have answered, and sleep since");
}
