//! When to stop thinking.

use arbiter_plugin_api::{StopLevel, Turn};

use std::time::Duration;

use crate::Finding;

/// Says when it is time to answer, and hears what has been found so far.
pub trait Watch {
    /// Whether a sensible time has been spent. Costs a look at the clock: ask after some thousand cheap steps.
    fn is_enough(&self) -> bool;

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

/// As long as somebody likes to wait: for tests and measurements, without a clock.
#[derive(Debug, Default)]
pub struct Patience {
    /// How often the question may be asked; `None` for ever.
    pub questions: Option<u64>,
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
}

/// The time of a turn.
pub(crate) struct TurnWatch<'a> {
    turn: &'a Turn<'a>,
    until: StopLevel,
    /// Time that is kept back of a short turn.
    reserve: Option<Duration>,
}

/// Below this, a fifth of the time for a move is less than a busy machine may hold a process up.
const SHORT: Duration = Duration::from_millis(50);

/// What is kept back of a short turn. Of 10 ms it leaves 3.5: a process that has slept and works no longer than that
/// is seldom sent back into the queue for a processor.
fn reserve(hard: Duration) -> Option<Duration> {
    (hard < SHORT).then(|| (SHORT / 5).min(hard * 13 / 20))
}

impl<'a> TurnWatch<'a> {
    pub(crate) fn of(turn: &'a Turn<'a>) -> TurnWatch<'a> {
        let until = if saves_time(turn) { StopLevel::Enough } else { StopLevel::Stop };
        TurnWatch { turn, until, reserve: turn.hard_limit().and_then(reserve) }
    }

    /// Whether only the reserve is left of a short turn.
    fn is_short(&self) -> bool {
        self.reserve.is_some_and(|reserve| self.turn.time_left().is_some_and(|left| left <= reserve))
    }
}

/// Whether time that is not used now can be used later, or the whole of it is too short to be cut finely.
fn saves_time(turn: &Turn<'_>) -> bool {
    let Some(hard) = turn.hard_limit() else { return false };
    turn.soft_limit() < hard / 2 || hard.as_millis() < 1000
}

/// Whether a turn runs on a clock that has to last for the whole game.
pub(crate) fn is_on_a_clock(turn: &Turn<'_>) -> bool {
    turn.hard_limit().is_some_and(|hard| turn.soft_limit() < hard / 2)
}

impl Watch for TurnWatch<'_> {
    fn is_enough(&self) -> bool {
        self.turn.should_stop() || self.is_short()
    }

    fn must_stop(&self) -> bool {
        self.turn.stop_level() >= self.until || self.is_short()
    }

    fn left(&self) -> Option<Duration> {
        let (hard, left) = (self.turn.hard_limit()?, self.turn.time_left()?);
        let soft = self.turn.soft_limit().min(hard.saturating_sub(self.reserve.unwrap_or_default()));
        Some(soft.saturating_sub(hard.saturating_sub(left)))
    }

    fn tell(&mut self, finding: &Finding<'_>) {
        finding.report_to(self.turn);
    }
}
