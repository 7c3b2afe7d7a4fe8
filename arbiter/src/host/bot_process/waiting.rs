//! Waits for an answer: looks at the bot's process from time to time, raises the stop level by the charged clock, and
//! gives up when `clock::charge` says so.

use super::BotProcess;
use crate::host::clock::charge::{Allowance, ProcessState, Verdict, charge_answer, judge};
use crate::host::clock::observe::HEARTBEAT;
use crate::host::clock::{after, between, now_ns};
use crate::host::futex::wake;
use crate::host::machine::private_memory;
use crate::host::plugin::stop_word;
use crate::host::wire::Seen;
use crate::player::Budget;
use crate::verdict::Phase;
use arbiter_plugin_api::raw;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long it may take until a process has a pid: its template may have to be started.
pub(super) const LONGEST_START: Duration = Duration::from_secs(9);

/// A question that is not answered soon is looked at first after half of its time, or this; after the shortest step where the
/// bot has several threads.
const FIRST_LOOK: Duration = Duration::from_millis(10);
/// From one look to the next, once the bot's time is over, on average.
const LOOK_AGAIN: Duration = Duration::from_millis(5);
/// Looks are never closer together than this.
const SHORTEST_STEP: Duration = Duration::from_millis(1);
/// On any machine a sleeper wakes a little late. Only what is beyond this counts as oversleeping.
const PUNCTUAL: Duration = Duration::from_micros(500);
/// What the kernel may need to clear a MiB that a bot touches first: two or three times as long as it usually takes, since it may have
/// to find free memory before.
const A_MIB: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The bot has used up its time.
    TimeIsUp,
    /// It has answered, and too late.
    LateAnswer,
    /// The machine has kept it from running until the cap, or keeps it in state `D`.
    Stuck {
        waited: Duration,
    },
    Gone,
    /// The number of its answer makes no sense.
    OutOfStep,
}

/// What holds for one question, and how far the waiting for its answer has come.
pub(super) struct Timing {
    allowance: Allowance,
    /// Charged time after which the stop level rises, and what it rises to.
    levels: [(Duration, i32); 3],
    pub(super) during: Phase,
    /// The limit that a fault names.
    pub(super) told: Duration,
    /// Nothing is looked at before this point in time.
    look_at: i64,
    /// The stop level that the bot has been told.
    level: i32,
    /// Idle time beyond the limit, which the pool has to pay for.
    forgiven: Duration,
}

impl Timing {
    /// The charged time after which a bot is told to stop.
    fn stop(&self) -> Duration {
        self.levels.iter().find(|(_, level)| *level == raw::STOP).map_or(Duration::ZERO, |(at, _)| *at)
    }

    /// The stop level after so much charged time, if there is one.
    fn level(&self, charged: Duration) -> Option<i32> {
        self.levels.iter().filter(|(at, _)| charged >= *at).map(|(_, level)| *level).max()
    }

    /// The shortest time that is over the limit.
    pub(super) fn too_late(&self) -> Duration {
        self.allowance.limit().saturating_add(Duration::from_nanos(1))
    }

    /// When this much has been charged: how long until the next look.
    fn next(&self, charged: Duration) -> Duration {
        let dues = self.levels.iter().map(|(at, _)| *at).chain([self.too_late()]);
        let next = dues.filter(|at| *at > charged).min();
        next.map_or(LOOK_AGAIN, |at| (at - charged).max(SHORTEST_STEP))
    }
}

impl BotProcess {
    /// For a call with this limit.
    pub(super) fn timing(&self, during: Phase, limit: Duration) -> Timing {
        let (threads, idle_pool) = (self.threads, self.idle_pool);
        Timing {
            allowance: Allowance { time: Some(limit), margin: Duration::ZERO, threads, idle_pool },
            levels: [(Duration::MAX, raw::ABANDON); 3],
            during,
            told: limit,
            look_at: 0,
            level: raw::GO_ON,
            forgiven: Duration::ZERO,
        }
    }

    pub(super) fn timing_of_turn(&self, budget: &Budget) -> Timing {
        let Budget { hard, soft, margin } = *budget;
        let time = hard.unwrap_or(Duration::MAX);
        let timing = self.timing(Phase::Move, time);
        let stop = budget.stop().unwrap_or(Duration::MAX);
        let levels = [(soft, raw::ENOUGH), (stop, raw::STOP), (time, raw::ABANDON)];
        Timing { allowance: Allowance { time: hard, margin, ..timing.allowance }, levels, ..timing }
    }

    /// Waits for the reply to the last part, and gives what is charged for it. The stop level rises on the way.
    pub(super) fn await_reply(&mut self, timing: &mut Timing) -> Result<Duration, Silence> {
        let started = self.observer.started;
        let latest = if self.observer.times.has_several_threads() { SHORTEST_STEP } else { FIRST_LOOK };
        let first_look = timing.allowance.time.map_or(latest, |time| (time / 2).min(latest));
        // A part after the first is waited for from the answer to the one before.
        let mut now = started.max(self.observer.read_at);
        (timing.look_at, timing.level) = (after(started, first_look).max(now), raw::GO_ON);
        loop {
            let until = timing.look_at.min(after(now, HEARTBEAT));
            match self.handle.block().reply.wait(self.sequence, until, &self.handle.core.back_off) {
                Seen::Here => return self.answered(timing, until),
                Seen::NotYet => {}
                Seen::Gone => return Err(Silence::Gone),
                Seen::OutOfStep => return Err(Silence::OutOfStep),
            }
            now = now_ns();
            self.oversleep(until, now);
            if now >= timing.look_at {
                let began = now;
                self.look(timing, now)?;
                now = now_ns();
                // No look takes this long: the machine stood still meanwhile, or the referee was stopped.
                self.oversleep(after(began, HEARTBEAT), now);
                timing.look_at = timing.look_at.max(now);
            } else {
                self.observer.heartbeat(now);
            }
        }
    }

    fn look(&mut self, timing: &mut Timing, now: i64) -> Result<(), Silence> {
        let state = self.state();
        // If it has answered in the meantime, the answer counts and not what was seen.
        if self.handle.block().reply.look(self.sequence) != Seen::NotYet {
            // By how much this wait was too long has been counted: the next one begins now.
            timing.look_at = now;
            return Ok(());
        }
        self.note_unanswered();
        let is_asleep = state == ProcessState::Asleep;
        let threads = timing.allowance.threads;
        let (mut observed, late) = self.observer.look(now);
        // What kept us from looking has kept no bot from running that sleeps. But one that sleeps until it is told to stop is
        // told late then.
        let unexcused = observed.charge(threads);
        if !is_asleep || timing.level(unexcused) > Some(timing.level) {
            observed.lateness = self.observer.excuse(late);
        }
        let (charged, strict) = (observed.charge(threads), observed.strict_charge(threads));
        let told = if is_asleep { unexcused } else { charged };
        // A bot that the machine starves may still answer before the cap.
        let is_starved = observed.watched() >= timing.allowance.cap() / 2;
        self.raise(timing, if is_starved { told.max(timing.stop()) } else { told });
        let mut next = timing.next(charged).min(timing.next(strict));
        if strict > timing.allowance.limit() || observed.watched() >= timing.allowance.cap() {
            // They are counted at each look, since threads end.
            let switches = self.observer.times.involuntary_switches();
            match judge(&observed, state, switches, &self.allowance(timing)) {
                Verdict::WaitOn { forgiven } => timing.forgiven = timing.forgiven.max(forgiven),
                Verdict::Stuck => return Err(Silence::Stuck { waited: observed.wall }),
                Verdict::Late => return Err(Silence::TimeIsUp),
            }
            next = unforeseen(now);
        }
        // The kernel tells nothing of a thread that has ended, so threads are looked at before they do.
        if self.observer.times.has_several_threads() {
            next = next.min((observed.wall / 4).clamp(SHORTEST_STEP, LOOK_AGAIN.max(observed.wall / 16)));
        }
        timing.look_at = after(now, next);
        Ok(())
    }

    /// What its threads are doing. One that waits for an answer of ours is not asleep.
    fn state(&self) -> ProcessState {
        match self.observer.times.state() {
            ProcessState::Asleep if self.handle.may_be_unanswered() => ProcessState::Runnable,
            state => state,
        }
    }

    /// What holds for a bot that is over its time.
    fn allowance(&self, timing: &Timing) -> Allowance {
        // It has learnt how much memory it may take when its game begins.
        let is_for_memory = timing.during == Phase::NewGame;
        let held = is_for_memory.then(|| private_memory(self.pid()?)).flatten().unwrap_or(0);
        let for_memory = A_MIB.saturating_mul(u32::try_from(held >> 20).unwrap_or(u32::MAX));
        let allowance = timing.allowance;
        Allowance { margin: allowance.margin.saturating_add(for_memory), ..allowance }
    }

    fn answered(&mut self, timing: &mut Timing, until: i64) -> Result<Duration, Silence> {
        let now = now_ns();
        self.incoming.clear();
        self.handle.block().reply.take(&mut self.incoming);
        self.oversleep(until, now);
        self.note_unanswered();
        let observed = self.observer.end(now);
        self.idle_pool = self.idle_pool.saturating_sub(std::mem::take(&mut timing.forgiven));
        let charged = charge_answer(&observed, &timing.allowance)
            .or_else(|| charge_answer(&observed, &self.allowance(timing)));
        charged.ok_or(Silence::LateAnswer)
    }

    fn note_unanswered(&mut self) {
        let unanswered = std::mem::take(&mut self.handle.state().unanswered);
        self.observer.question.unanswered += unanswered;
    }

    fn oversleep(&mut self, until: i64, now: i64) {
        let late = between(until, now);
        if late > PUNCTUAL {
            self.observer.overslept(late);
        }
    }

    /// Raises the stop level to what this much charged time asks for, and wakes a bot that sleeps.
    fn raise(&self, timing: &mut Timing, charged: Duration) {
        if let Some(level) = timing.level(charged).filter(|level| *level > timing.level) {
            timing.level = level;
            let stop = &self.handle.block().stop;
            stop.store(stop_word(self.sequence, level), Ordering::SeqCst);
            wake(stop);
        }
    }
}

/// How long until the next look at a bot whose time is over: a bot that knew when it is looked at could sleep in between.
/// A bot does not know the point in time of this one to the nanosecond.
fn unforeseen(now: i64) -> Duration {
    // Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4).
    let share = (now.unsigned_abs().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as f64 / f64::from(u32::MAX);
    SHORTEST_STEP + (2 * (LOOK_AGAIN - SHORTEST_STEP)).mul_f64(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Limits;
    use crate::host::clock::observe::{Feigned, Observer};
    use crate::host::memory::Mapping;
    use crate::host::process::{End, Handle, Process};
    use crate::verdict::{Failure, Fault, MachineFailure, Spent};
    use std::sync::Arc;

    /// A bot's process that never answers, and whose threads are seen to do this.
    fn silent(state: ProcessState) -> BotProcess {
        let (block, _name) = Mapping::named().unwrap();
        let process = Process::new(&Arc::default(), block, Arc::default());
        process.started(i32::MAX, Box::new(|_| {}), false);
        let mut bot = BotProcess::of(Handle(Arc::new(process)), Limits::default(), 1, false);
        bot.observer = Observer::seeing(Box::new(Feigned::seen(state)));
        bot
    }

    /// A disk that does not answer is not the bot's doing, but a bot may choose to read from one. So it must be what is excused
    /// once, or one bot stops a whole tournament.
    #[test]
    fn a_bot_that_does_not_come_out_of_the_kernel_is_given_up_soon_and_taken_to_be_stalled() {
        const SECOND: Duration = Duration::from_secs(1);
        let mut bot = silent(ProcessState::Blocked);
        let mut timing = bot.timing(Phase::Move, SECOND);
        let started = bot.observer.begin(None);
        let mut look = |at| bot.look(&mut timing, after(started, at));
        assert_eq!((look(2 * SECOND), look(3 * SECOND)), (Ok(()), Ok(())), "it may still come out");
        let silence = look(4 * SECOND).unwrap_err();
        let stalled = MachineFailure::Stalled { during: Phase::Move, waited: 4 * SECOND };
        assert_eq!(bot.explain(silence, Phase::Move, SECOND), Failure::Machine(stalled));
    }

    /// Otherwise a bot that is ended for its memory would be told that it is too slow.
    #[test]
    fn what_a_bot_is_ended_for_counts_more_than_its_time() {
        let mut bot = silent(ProcessState::Runnable);
        let mut explained = || bot.explain(Silence::TimeIsUp, Phase::Move, Duration::MAX);
        assert!(matches!(explained(), Failure::Fault(Fault::TimedOut { .. })));
        bot.handle.end_for(End::TooBig);
        let explained = bot.explain(Silence::TimeIsUp, Phase::Move, Duration::MAX);
        assert!(matches!(explained, Failure::Fault(Fault::OutOfMemory { .. })));
    }

    /// The record of its turn would otherwise show the time of an earlier question.
    #[test]
    fn a_bot_that_has_ended_before_a_question_is_charged_nothing_for_it() {
        let mut bot = silent(ProcessState::Runnable);
        bot.spent.charged = Duration::from_secs(1);
        bot.handle.end_for(End::TooBig);
        assert!(bot.create().is_err());
        assert_eq!(bot.spent, Spent::default());
    }

    /// `stop` is for bots that wait until they are told to.
    #[test]
    fn a_bot_that_sleeps_until_it_is_told_to_stop_loses_nothing_where_the_referee_is_stopped_once() {
        const MS: Duration = Duration::from_millis(1);
        let mut bot = silent(ProcessState::Asleep);
        let budget = Budget { hard: Some(300 * MS), soft: 100 * MS, margin: 5 * MS };
        let mut timing = bot.timing_of_turn(&budget);
        let started = bot.observer.begin(None);
        let mut look = |at: Duration, overslept: Duration| {
            bot.observer.overslept(overslept);
            bot.look(&mut timing, after(started, at))
        };
        assert_eq!(look(850 * MS, 800 * MS), Ok(()), "it hears of it now");
        assert_eq!(look(860 * MS, Duration::ZERO), Ok(()), "and may still answer");
        assert_eq!(look(1700 * MS, 830 * MS), Err(Silence::TimeIsUp), "it does not");
        assert_eq!(timing.level, raw::ABANDON);
    }

    #[test]
    fn a_bot_that_sleeps_does_not_know_when_it_is_looked_at() {
        let looks: Vec<Duration> = (0..1000).map(|n| unforeseen(1_000_000_000 + n)).collect();
        assert!(looks.iter().all(|next| (SHORTEST_STEP..=2 * LOOK_AGAIN).contains(next)));
        let within = |from: u32| {
            looks.iter().filter(|next| (from..from + 1).contains(&(next.as_micros() as u32 / 1000))).count()
        };
        for from in 1..9 {
            let share = within(from);
            assert!((75..175).contains(&share), "{share} of 1000 looks come after {from} ms");
        }
    }
}
