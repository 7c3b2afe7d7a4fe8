//! The rule of a bot's clock: what a bot is charged with, and whether it has lost on time. Nothing here reads a clock.
//!
//! A bot's clock stands still while the machine keeps the bot from running, and only then. What counts is for how
//! long it ran, by the processor time of its whole process and by its busiest thread, plus the time in which it chose
//! not to run. So a busy machine, a quota, Ctrl-Z or a hypervisor cost nobody a game, helper threads buy nothing, and
//! sleeping is not free.

use std::time::Duration;

/// What is known of a question that a bot was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::host) struct Observations {
    /// Wall time since the question.
    pub(in crate::host) wall: Duration,
    /// Processor time of the bot's process since the question; `None` where only wall time counts.
    pub(in crate::host) used: Option<Duration>,
    /// Processor time that it used before the question, when nothing was asked of it, and that is charged now.
    pub(in crate::host) carried: Duration,
    /// How long its busiest thread has run since the first look. The bot has been running for no less.
    pub(in crate::host) busiest: Duration,
    /// How long its threads have waited in the run queue, as far as that has been seen: from look to look no longer than that
    /// took.
    pub(in crate::host) run_delay: Duration,
    /// How long one of them alone waited: the one that waited longest.
    pub(in crate::host) longest_delay: Duration,
    /// All the bot's threads share a core, and its main thread was given that once since the question, and has not slept since. What
    /// it did not run, the machine kept, as a hypervisor does.
    pub(in crate::host) never_slept: bool,
    /// By how much the referee's own waits and stops were longer than they were meant to be.
    pub(in crate::host) lateness: Duration,
    /// How long the supervisor waited in the run queue while a system call of the bot waited for its answer.
    pub(in crate::host) unanswered: Duration,
}

impl Observations {
    /// What is charged: the time for which it ran, and that in which it did not and the machine did not keep it from it.
    pub(in crate::host) fn charge(&self, threads: u32) -> Duration {
        self.charge_but_for(self.run_delay, threads)
    }

    /// The same for a bot that sleeps when it is looked at. Threads that wake together wait for each other, so the sum of their
    /// waits would excuse far longer sleep; the longest wait is longer than what the machine kept by no more than what the
    /// others ran.
    pub(in crate::host) fn strict_charge(&self, threads: u32) -> Duration {
        self.charge_but_for(self.longest_delay, threads)
    }

    fn charge_but_for(&self, delay: Duration, threads: u32) -> Duration {
        let ran = self.ran(threads);
        let kept = if self.never_slept {
            Duration::MAX
        } else {
            delay.saturating_add(self.lateness).saturating_add(self.unanswered)
        };
        // The machine kept it from running for no longer than it did not run.
        let chosen = self.wall.saturating_sub(ran).saturating_sub(kept);
        ran.saturating_add(chosen).saturating_add(self.carried / threads.max(1))
    }

    /// Wall time in which the referee itself was there to see the answer.
    pub(in crate::host) fn watched(&self) -> Duration {
        self.wall.saturating_sub(self.lateness)
    }

    /// For how long it has been running at least: as if all its threads had run together, or as long as one of them.
    fn ran(&self, threads: u32) -> Duration {
        let used = self.used.unwrap_or_default();
        (used / threads.max(1)).max(self.busiest.min(used))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) struct Allowance {
    /// Its time; `None` without a limit.
    pub(in crate::host) time: Option<Duration>,
    pub(in crate::host) margin: Duration,
    /// Cores that it may keep busy.
    pub(in crate::host) threads: u32,
    /// What is left of the idle time that is forgiven in a game.
    pub(in crate::host) idle_pool: Duration,
}

/// Idle time that is forgiven in a game, since the kernel's clocks can make an honest bot look idle beyond its time.
pub(in crate::host) const IDLE_POOL: Duration = Duration::from_millis(100);

impl Allowance {
    pub(in crate::host) fn limit(&self) -> Duration {
        self.time.map_or(Duration::MAX, |time| time.saturating_add(self.margin))
    }

    /// The wall time after which the referee stops waiting, whatever the machine does with the bot.
    pub(in crate::host) fn cap(&self) -> Duration {
        const LEAST: Duration = Duration::from_secs(10);
        // The margin counts, too: `check` gives a wide one, and who runs all the time would not use it up before.
        LEAST.saturating_add(self.limit().saturating_mul(10))
    }
}

/// What the threads of a process are doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum ProcessState {
    /// A thread runs or is ready to.
    Runnable,
    /// No thread does, and one waits for a device, in state `D`.
    #[cfg_attr(not(any(test, target_os = "linux")), expect(dead_code, reason = "no other system tells"))]
    Blocked,
    /// All threads sleep or are stopped.
    Asleep,
}

/// What follows from a look at a bot that has not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum Verdict {
    /// It may go on. If it answers, this much is taken from the pool of idle time.
    WaitOn {
        /// Idle time beyond its limit.
        forgiven: Duration,
    },
    /// It has used more than its time.
    Late,
    /// The machine has kept it from running until the cap, or keeps it in state `D`.
    Stuck,
}

/// Whether a bot has used its time up, whatever the machine did. Where only wall time is known, nothing tells what kept it, and
/// that counts as it is.
fn is_used_up(observed: &Observations, allowance: &Allowance) -> bool {
    // Everything but what it ran is excused, where that is known.
    let excused = if observed.used.is_some() { Duration::MAX } else { Duration::ZERO };
    observed.charge_but_for(excused, allowance.threads) > allowance.limit()
}

/// What a bot is charged that has answered; nothing where that was too late.
pub(in crate::host) fn charge_answer(observed: &Observations, allowance: &Allowance) -> Option<Duration> {
    if is_used_up(observed, allowance) {
        return None;
    }
    let charged = observed.charge(allowance.threads);
    // No look found it idle beyond its time, so time that nothing explains is put down to the machine.
    Some(if charged <= allowance.limit() { charged } else { allowance.time.unwrap_or(charged) })
}

/// A bot that is over its time by this much and waits for a device is not waited for until the cap.
const LONGEST_BLOCK: Duration = Duration::from_secs(3);

/// Judges a bot that has not answered, by a look at its threads and by how often the kernel switched from one of them to another
/// thread against its will.
pub(in crate::host) fn judge(
    observed: &Observations,
    state: ProcessState,
    involuntary_switches: u64,
    allowance: &Allowance,
) -> Verdict {
    let over = observed.strict_charge(allowance.threads).saturating_sub(allowance.limit());
    let is_at_cap = observed.watched() >= allowance.cap();
    match state {
        _ if is_used_up(observed, allowance) => Verdict::Late,
        ProcessState::Asleep if over > allowance.idle_pool => Verdict::Late,
        _ if is_at_cap && has_given_away(observed, involuntary_switches) => Verdict::Late,
        _ if is_at_cap => Verdict::Stuck,
        ProcessState::Blocked if over >= LONGEST_BLOCK => Verdict::Stuck,
        ProcessState::Asleep => Verdict::WaitOn { forgiven: over },
        ProcessState::Blocked | ProcessState::Runnable => Verdict::WaitOn { forgiven: Duration::ZERO },
    }
}

/// Whether a bot that has reached the cap has given its processor away: on average it ran for less than `SHORTEST`
/// before the kernel switched to another thread. A loop on `sched_yield` runs for 3 µs at a time, a bot that others keep
/// from running for more than a millisecond.
fn has_given_away(observed: &Observations, involuntary_switches: u64) -> bool {
    const SHORTEST: Duration = Duration::from_micros(300);
    let switches = u32::try_from(involuntary_switches).unwrap_or(u32::MAX);
    switches > 0 && observed.used.unwrap_or_default() < SHORTEST.saturating_mul(switches)
}

/// What a process can have used in this much wall time of what the kernel says, since it does not run while the machine stands still:
/// the kernel counts that as the time of whoever was running. It runs on so many cores at most; where it shows more than these can
/// give, pauses are taken off for so many.
pub(in crate::host) fn without_pauses(
    used: Duration,
    wall: Duration,
    paused: Duration,
    threads: u32,
) -> Duration {
    let (wall, paused) = (wall.saturating_mul(threads), paused.saturating_mul(threads));
    used.min(used.max(wall).saturating_sub(paused))
}

/// Processor time that a bot may use between two questions without being charged, since its runtime has some work of its
/// own. `least` is what our side of its process needs on this machine, whatever the bot does.
pub(in crate::host) fn free_between_questions(
    gap: Duration,
    next: Option<Duration>,
    least: Duration,
) -> Duration {
    let free = least.saturating_add(gap / 100);
    next.map_or(free, |time| free.min((time / 20).max(least / 10)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn ms(wall: u32, used: u32, run_delay: u32, lateness: u32) -> Observations {
        let [wall, used, run_delay, lateness] = [wall, used, run_delay, lateness].map(|n| n * MS);
        let longest_delay = run_delay;
        Observations { wall, used: Some(used), run_delay, longest_delay, lateness, ..Observations::default() }
    }

    const ALLOWANCE: Allowance = Allowance {
        time: Some(Duration::from_millis(20)),
        margin: Duration::from_millis(5),
        threads: 1,
        idle_pool: IDLE_POOL,
    };

    /// No bot may lose by what others do, or gain by tricks of its own.
    #[test]
    fn what_is_charged() {
        let cases = [
            ("an idle machine charges wall time", ms(12, 12, 0, 0), 12),
            ("sleeping is not free", ms(12, 2, 0, 0), 12),
            ("waiting for a processor is", ms(40, 12, 28, 0), 12),
            ("and so is what the referee overslept", ms(40, 12, 0, 28), 12),
            ("but no more than the time in which it did not run", ms(40, 30, 40, 40), 30),
            ("helper threads are paid for", ms(10, 25, 0, 0), 25),
            ("helpers that keep the main thread waiting buy nothing", ms(40, 40, 35, 0), 40),
            ("who sleeps while others are busy pays for what is not explained", ms(40, 5, 10, 0), 30),
        ];
        for (why, observed, expected) in cases {
            assert_eq!(observed.charge(1), expected * MS, "{why}");
        }
        assert_eq!(ms(20, 40, 0, 0).charge(2), 20 * MS, "two cores are worth two");
        assert_eq!(ms(20, 40, 0, 0).charge(4), 20 * MS, "wall time counts where it is longer");
        let alone = Observations { busiest: 30 * MS, ..ms(40, 32, 40, 0) };
        assert_eq!(alone.charge(4), 30 * MS, "one thread does not run for less because three others sleep");
        let never_slept = Observations { never_slept: true, ..ms(40, 12, 0, 0) };
        assert_eq!(never_slept.charge(1), 12 * MS, "a hypervisor tells nobody what it takes");
        let unanswered = |wall| Observations { unanswered: 28 * MS, ..ms(wall, 12, 0, 0) };
        assert_eq!(unanswered(40).charge(1), 12 * MS, "who waits for an answer of ours is not idle");
        assert_eq!(unanswered(60).charge(1), 32 * MS, "but it may be besides");
        let carried = Observations { carried: 4 * MS, ..ms(10, 10, 0, 0) };
        assert_eq!((carried.charge(1), carried.charge(2)), (14 * MS, 12 * MS), "thinking before is paid for");
        let wall = Observations { used: None, ..ms(20, 0, 0, 3) };
        assert_eq!(
            wall.charge(1),
            17 * MS,
            "where only wall time is known, only stops of the referee are excused"
        );
    }

    /// A simpler rule would charge each of these bots wrongly.
    #[test]
    fn what_an_answer_is_charged() {
        let by_wall_time = Observations { used: None, ..ms(26, 0, 0, 0) };
        let cases = [
            ("an answer in time", ms(15, 15, 0, 0), Some(15)),
            ("within the margin", ms(24, 24, 0, 0), Some(24)),
            ("over by 25 %, and the margin", ms(26, 26, 0, 0), None),
            ("a starved bot", ms(900, 12, 888, 0), Some(12)),
            ("time that nobody explains", ms(90, 12, 0, 0), Some(20)),
            ("by wall time nothing is forgiven", by_wall_time, None),
        ];
        for (what, observed, expected) in cases {
            assert_eq!(charge_answer(&observed, &ALLOWANCE), expected.map(|ms: u32| ms * MS), "{what}");
        }
        let four = Allowance { threads: 4, ..ALLOWANCE };
        let answered = |busiest: u32| {
            let observed = Observations { busiest: busiest * MS, ..ms(90, 88, 0, 0) };
            charge_answer(&observed, &four)
        };
        assert_eq!(answered(80), None, "one thread that works for longer than the turn lasts");
        assert_eq!(answered(22), Some(20 * MS), "four that share a core");
    }

    /// A simpler rule would judge each of these bots wrongly.
    #[test]
    fn the_verdict_on_a_bot() {
        let (runnable, asleep, blocked) =
            (ProcessState::Runnable, ProcessState::Asleep, ProcessState::Blocked);
        let wait = |forgiven: u32| Verdict::WaitOn { forgiven: forgiven * MS };
        let cases = [
            ("it still has time", ms(20, 3, 0, 0), asleep, wait(0)),
            ("it waits for a processor", ms(900, 3, 0, 0), runnable, wait(0)),
            ("it sleeps beyond its time", ms(60, 3, 0, 0), asleep, wait(35)),
            ("for longer than is forgiven", ms(126, 3, 0, 0), asleep, Verdict::Late),
            ("its time is used up", ms(30, 26, 0, 0), runnable, Verdict::Late),
            ("it waits for a device", ms(3_024, 3, 0, 0), blocked, wait(0)),
            ("for longer than anybody waits for one", ms(3_025, 3, 0, 0), blocked, Verdict::Stuck),
            ("nothing comes to an end", ms(10_250, 3, 9_000, 0), runnable, Verdict::Stuck),
            ("a sleeper has lost before that", ms(10_250, 3, 9_000, 0), asleep, Verdict::Late),
            ("and so has who used its time up", ms(10_250, 26, 9_000, 0), runnable, Verdict::Late),
            (
                "forty threads that kept each other waiting excuse no sleep",
                Observations { longest_delay: 10 * MS, ..ms(900, 15, 880, 0) },
                asleep,
                Verdict::Late,
            ),
        ];
        for (what, observed, state, expected) in cases {
            assert_eq!(judge(&observed, state, 0, &ALLOWANCE), expected, "{what}");
        }
        let wide = Allowance { margin: 5000 * MS, ..ALLOWANCE };
        let a_third_ran = |wall: u32| judge(&ms(wall, wall / 3, wall / 3 * 2, 0), runnable, 0, &wide);
        assert_eq!(
            (a_third_ran(15_000), a_third_ran(15_100)),
            (wait(0), Verdict::Late),
            "with a wide margin, one that never ends is not put down to a busy machine"
        );
        let endless = Allowance { time: None, ..ALLOWANCE };
        assert_eq!(
            judge(&ms(u32::MAX, 0, 0, 0), asleep, 0, &endless),
            wait(0),
            "without a clock nobody is late"
        );
    }

    #[test]
    fn a_bot_that_gives_its_processor_away_is_told_from_one_that_is_kept_from_it() {
        let at_the_cap = |used: u32, switches: u64| {
            judge(&ms(10_250, used, 9_000, 0), ProcessState::Runnable, switches, &ALLOWANCE)
        };
        assert_eq!(at_the_cap(3, 1000), Verdict::Late, "a loop on sched_yield");
        assert_eq!(at_the_cap(13, 10), Verdict::Stuck, "a bot beside busy loops");
        assert_eq!(at_the_cap(0, 0), Verdict::Stuck, "a bot that never ran");
    }

    /// A bot would otherwise lose by a pause that began while it ran.
    #[test]
    fn no_more_was_used_than_there_was_time_for_beside_the_pauses() {
        let left = |used: u32, wall: u32, paused: u32, threads| {
            without_pauses(used * MS, wall * MS, paused * MS, threads).as_millis()
        };
        assert_eq!(left(30, 50, 0, 1), 30);
        assert_eq!(left(30, 50, 10, 1), 30, "others ran when the machine paused, or nobody");
        assert_eq!(left(30, 50, 40, 1), 10);
        assert_eq!(left(110, 50, 20, 4), 110, "it has run for 27 ms on four cores");
        assert_eq!(left(190, 50, 20, 4), 120);
        assert_eq!(left(90, 50, 20, 1), 70, "helpers on other cores");
    }

    #[test]
    fn little_is_free_between_questions() {
        let free = |gap: u32, time: u32| free_between_questions(gap * MS, Some(time * MS), MS / 2);
        assert_eq!(free(0, 1000), MS / 2);
        assert_eq!(free(1000, 1000), MS * 21 / 2);
        assert_eq!(free(1000, 20), MS, "at most a twentieth of the next turn");
        assert_eq!(free_between_questions(1000 * MS, None, MS / 2), MS * 21 / 2);
    }
}
