//! What the kernel's clocks and `/proc` tell about a bot's process while it is asked something.

use super::charge::{Observations, Seen, free_between_questions};
use super::{ProcessorClock, Waits, now_ns};
use std::time::Duration;

/// A gap between two questions shorter than this is not worth reading the clocks again.
const SHORT_GAP_NS: i64 = 50_000;
/// After a turn shorter than this, run delays are not read again.
const SHORT_TURN_NS: i64 = 1_000_000;

/// Processor time between two questions that is free, beside a hundredth of the gap.
const HOUSEKEEPING: Duration = Duration::from_micros(500);
/// The same after the bot began its game: threads that it has started may still be settling down.
const SETTLING: Duration = Duration::from_millis(5);

/// The observer of one bot's process.
#[derive(Debug)]
pub(in crate::host) struct Observer {
    /// Its processor clock; none where only wall time counts.
    clock: Option<ProcessorClock>,
    /// What the clock showed when it was last read, and when that was.
    used: Duration,
    read_at: i64,
    /// Processor time that is free between two questions, whatever the gap.
    least: Duration,
    is_settling: bool,
    /// Processor time between questions so far.
    between_questions: Duration,
    question: Question,
    /// What was observed of the last question that is over.
    last: Observations,
    waits: Waits,
}

/// What holds for the question that is being asked.
#[derive(Clone, Copy, Debug, Default)]
struct Question {
    started: i64,
    carried: Duration,
    lateness: Duration,
    unanswered: Duration,
}

impl Observer {
    /// For a process that is asked its first question now. It is charged by its processor time, where the kernel tells
    /// that. `least` is what our side of it needs between two questions on this machine; it counts where it is more than
    /// usual.
    pub(in crate::host) fn of(pid: i32, least: Duration) -> Observer {
        Observer::new(ProcessorClock::of(pid), Waits::of(pid), least)
    }

    /// For a process that is charged by wall time.
    pub(in crate::host) fn by_wall_time() -> Observer {
        Observer::new(None, Default::default(), Duration::ZERO)
    }

    fn new(clock: Option<ProcessorClock>, waits: Waits, least: Duration) -> Observer {
        Observer {
            clock,
            used: Duration::ZERO,
            read_at: i64::MIN,
            least: least.max(HOUSEKEEPING),
            is_settling: false,
            between_questions: Duration::ZERO,
            question: Question { started: now_ns(), ..Question::default() },
            last: Observations::default(),
            waits,
        }
    }

    /// A question is asked now, of a bot that is given this time to answer. Gives the point in time.
    pub(in crate::host) fn begin(&mut self, time: Option<Duration>) -> i64 {
        let mut started = now_ns();
        let gap = started.saturating_sub(self.read_at);
        self.question = Question { started, ..Question::default() };
        if gap >= SHORT_GAP_NS && self.clock.is_some() {
            let (before, is_first) = (self.used, self.read_at == i64::MIN);
            self.read(started);
            if !is_first {
                let used = self.used.saturating_sub(before);
                self.between_questions = self.between_questions.saturating_add(used);
                let least = if self.is_settling { SETTLING.max(self.least) } else { self.least };
                let free = free_between_questions(Duration::from_nanos(gap.unsigned_abs()), time, least);
                self.question.carried = used.saturating_sub(free);
            }
            self.waits.mark_main();
            started = now_ns();
            self.question.started = started;
        }
        self.is_settling = false;
        started
    }

    /// A call such as `new_game` is over. Threads that it started may still be settling down, so more is free before the
    /// next question.
    pub(in crate::host) fn settle(&mut self) {
        self.is_settling = true;
    }

    /// The first look at a bot that does not answer soon. Run delays of all its threads are counted from here on.
    pub(in crate::host) fn mark(&mut self) {
        self.waits.mark_all();
    }

    /// The referee has waited for longer than it meant to.
    pub(in crate::host) fn overslept(&mut self, time: Duration) {
        self.question.lateness = self.question.lateness.saturating_add(time);
    }

    /// A system call of the bot has waited for its answer because the supervisor waited for a processor.
    pub(in crate::host) fn answered_late(&mut self, time: Duration) {
        self.question.unanswered = self.question.unanswered.saturating_add(time);
    }

    /// When the question that is being asked began.
    pub(in crate::host) fn started(&self) -> i64 {
        self.question.started
    }

    /// A look at a process that has not answered.
    pub(in crate::host) fn look(&mut self, now: i64) -> Observations {
        let used = self.clock.as_ref().and_then(ProcessorClock::read);
        self.observations(now, used, true)
    }

    /// The question is over: answered at this point in time, or given up. Without a look before, `was_looked_for` is
    /// false, and no run delays are read.
    pub(in crate::host) fn end(&mut self, now: i64, was_looked_for: bool) -> Observations {
        let used = self.clock.as_ref().and_then(ProcessorClock::read);
        self.last = self.observations(now, used, was_looked_for);
        if let Some(used) = used {
            (self.used, self.read_at) = (used, now);
            if now.saturating_sub(self.question.started) >= SHORT_TURN_NS {
                self.waits.mark_main();
            }
        }
        self.last
    }

    /// What was observed of the last question that is over.
    pub(in crate::host) fn last(&self) -> &Observations {
        &self.last
    }

    fn observations(&mut self, now: i64, used: Option<Duration>, with_waits: bool) -> Observations {
        let Question { started, carried, lateness, unanswered } = self.question;
        let wall = Duration::from_nanos(now.saturating_sub(started).max(0).unsigned_abs());
        let used = used.map(|used| used.saturating_sub(self.used));
        let run_delay = Duration::ZERO;
        let mut observed = Observations { wall, used, carried, run_delay, lateness, unanswered };
        if with_waits {
            observed.run_delay = self.waits.since_mark();
            observed.lateness = lateness.max(self.waits.of_referee());
        }
        observed
    }

    /// What the threads of the process are doing.
    pub(in crate::host) fn seen(&self) -> Seen {
        self.waits.seen()
    }

    /// How often the kernel took the processor from a thread of the process to give it to another, since the first look.
    pub(in crate::host) fn involuntary_switches(&self) -> u64 {
        self.waits.involuntary_switches()
    }

    /// Processor time between questions that was beyond what is free, before the question that is being asked.
    pub(in crate::host) fn carried(&self) -> Duration {
        self.question.carried
    }

    /// What the bot's own processor clock showed when nothing of this question had been charged; none by wall time.
    pub(in crate::host) fn clock_at_start(&self) -> Option<Duration> {
        self.clock.as_ref().map(|_| self.used.saturating_sub(self.question.carried))
    }

    /// Processor time between questions so far; none by wall time.
    pub(in crate::host) fn between_questions(&self) -> Option<Duration> {
        self.clock.as_ref().map(|_| self.between_questions)
    }

    /// All the processor time of the process when it was last read.
    pub(in crate::host) fn used(&self) -> Option<Duration> {
        self.clock.as_ref().map(|_| self.used)
    }

    fn read(&mut self, now: i64) {
        if let Some(used) = self.clock.as_ref().and_then(ProcessorClock::read) {
            (self.used, self.read_at) = (used, now);
        }
    }
}
