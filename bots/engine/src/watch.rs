//! When to stop thinking.

use arbiter_plugin_api::{StopLevel, Turn};

use std::time::Duration;

use crate::Finding;

/// Says when it is time to answer, and hears what has been found so far.
pub trait Watch {
    /// Whether a sensible time has been spent. Costs a look at the clock: ask after some thousand cheap steps.
    fn is_enough(&self) -> bool;

    /// Whether so many quarters of that time have been spent: what may fail gets no more, so that something else can do
    /// without it.
    fn has_spent(&self, quarters: u32) -> bool;

    /// Whether an answer cannot wait any longer. Where all the time of a move would be lost if it were not used,
    /// an exact result is worth waiting for until then.
    fn must_stop(&self) -> bool {
        self.is_enough()
    }

    /// How much of a sensible time is left; `None` where nobody has set a limit.
    fn left(&self) -> Option<Duration> {
        None
    }

    /// Takes note of the best so far.
    fn tell(&mut self, finding: &Finding<'_>) {
        let _ = finding;
    }
}

/// Stops after a number of questions instead of a time, and remembers the last that it was told: for tests and measurements.
#[derive(Debug, Default)]
pub struct Patience {
    /// How often it may be asked before it says stop; `None` for no limit.
    pub questions: Option<u64>,
    /// The score that was told last.
    pub score: i32,
    /// The plies searched for it.
    pub depth: u32,
    asked: std::cell::Cell<u64>,
}

impl Patience {
    /// Stops after so many questions.
    #[must_use]
    pub fn of(questions: u64) -> Patience {
        Patience { questions: Some(questions), ..Patience::default() }
    }
}

impl Watch for Patience {
    fn is_enough(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.questions.is_some_and(|questions| self.asked.get() > questions)
    }

    fn has_spent(&self, quarters: u32) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.questions.is_some_and(|questions| self.asked.get() > questions * u64::from(quarters) / 4)
    }

    fn tell(&mut self, finding: &Finding<'_>) {
        (self.score, self.depth) = (finding.score, finding.depth);
    }
}

/// The time of a turn.
///
/// The referee raises the stop level, and shares a core with us: where that is busy, its word may come late. So the
/// clock is looked at as well.
pub(crate) struct TurnWatch<'a> {
    turn: &'a Turn<'a>,
    until: StopLevel,
    ends: Option<Ends>,
    /// What was left when the turn began.
    given: Option<Duration>,
}

/// What is left of the time for a turn when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    /// When a sensible time has been spent.
    enough: Duration,
    /// When an answer cannot wait.
    stop: Duration,
}

/// Below this, a fifth of the time for a move is less than a busy machine may hold a process up.
const SHORT: Duration = Duration::from_millis(50);

impl Ends {
    fn of(hard: Duration, soft: Duration) -> Ends {
        // Of 10 ms this leaves 3.5: a process that has slept and works no longer than that is seldom sent back into the
        // queue for a processor.
        let short = if hard < SHORT { (SHORT / 5).min(hard * 13 / 20) } else { Duration::ZERO };
        let enough = hard.saturating_sub(soft).max(short);
        let stop = if saves_time(hard, soft) { enough } else { (hard / 50).max(short) };
        Ends { enough, stop }
    }
}

impl<'a> TurnWatch<'a> {
    pub(crate) fn of(turn: &'a Turn<'a>) -> TurnWatch<'a> {
        let (hard, soft) = (turn.hard_limit(), turn.soft_limit());
        let saves = hard.is_some_and(|hard| saves_time(hard, soft));
        let until = if saves { StopLevel::Enough } else { StopLevel::Stop };
        let ends = hard.map(|hard| Ends::of(hard, soft));
        TurnWatch { turn, until, ends, given: turn.time_left() }
    }

    /// Whether no more than one of the ends is left.
    fn is_over(&self, end: impl Fn(Ends) -> Duration) -> bool {
        self.ends.is_some_and(|ends| self.turn.time_left().is_some_and(|left| left <= end(ends)))
    }
}

/// Whether time that is not used now can be used later, or the whole of it is too short to be cut finely.
fn saves_time(hard: Duration, soft: Duration) -> bool {
    soft < hard / 2 || hard.as_millis() < 1000
}

/// Whether a turn runs on a clock that has to last for the whole game.
pub(crate) fn is_on_a_clock(turn: &Turn<'_>) -> bool {
    turn.hard_limit().is_some_and(|hard| turn.soft_limit() < hard / 2)
}

impl Watch for TurnWatch<'_> {
    fn is_enough(&self) -> bool {
        self.turn.should_stop() || self.is_over(|ends| ends.enough)
    }

    fn has_spent(&self, quarters: u32) -> bool {
        let given = self.given.unwrap_or(Duration::MAX);
        let rest = |ends: Ends| given - given.saturating_sub(ends.enough) / 4 * quarters;
        self.turn.should_stop() || self.is_over(rest)
    }

    fn must_stop(&self) -> bool {
        self.turn.stop_level() >= self.until || self.is_over(|ends| ends.stop)
    }

    fn left(&self) -> Option<Duration> {
        Some(self.turn.time_left()?.saturating_sub(self.ends?.enough))
    }

    fn tell(&mut self, finding: &Finding<'_>) {
        finding.report_to(self.turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_ends_its_turn_in_time_even_if_nobody_tells_it() {
        let ends = |hard, soft| {
            let Ends { enough, stop } = Ends::of(Duration::from_millis(hard), Duration::from_millis(soft));
            (enough.as_micros(), stop.as_micros())
        };
        assert_eq!(ends(10, 8), (6_500, 6_500), "a short turn");
        assert_eq!(ends(100, 80), (20_000, 20_000));
        assert_eq!(ends(10_000, 8_000), (2_000_000, 200_000), "an exact result is worth waiting for");
        assert_eq!(ends(60_000, 2_000), (58_000_000, 58_000_000), "a clock has to last");
    }
}
