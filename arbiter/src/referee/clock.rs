//! What time every seat has left. A pure value: nothing here reads a clock.

use crate::player::{Budget, TimeControl};
use arbiter_rules::{MAX_SEATS, Seat};
use std::time::Duration;

/// Time to think where nobody sets a limit: long enough for a good move, short enough for a spectator.
const UNLIMITED_SOFT: Duration = Duration::from_secs(1);

/// Moves for which a clock with a base time should last.
const MOVES_TO_GO: u32 = 30;

/// The clocks of one game.
#[derive(Clone, Debug)]
pub struct GameClock {
    seats: usize,
    controls: [TimeControl; MAX_SEATS],
    left: [Option<Duration>; MAX_SEATS],
    /// Time beyond all that was left, by seat: what a seat has used of the margin since it last moved.
    overrun: [Duration; MAX_SEATS],
}

impl GameClock {
    /// Clocks at the start of a game.
    #[inline]
    pub fn new(seats: &[TimeControl]) -> GameClock {
        let mut controls = [TimeControl::Unlimited; MAX_SEATS];
        controls[..seats.len()].copy_from_slice(seats);
        let mut left = [None; MAX_SEATS];
        left.iter_mut().zip(seats).for_each(|(left, control)| *left = control.at_start());
        GameClock { seats: seats.len(), controls, left, overrun: [Duration::ZERO; MAX_SEATS] }
    }

    /// What every seat has left, by seat; `None` without a limit.
    pub fn left(&self) -> &[Option<Duration>] {
        &self.left[..self.seats]
    }

    /// The time for the next answer of a seat. The margin is granted once a turn, whatever number of answers it takes.
    pub fn budget(&self, seat: Seat, margin: Duration) -> Budget {
        let hard = self.left[seat.index()];
        let soft = match (self.controls[seat.index()], hard) {
            (TimeControl::Unlimited, _) | (_, None) => UNLIMITED_SOFT,
            (TimeControl::MoveTime(_), Some(left)) => left * 4 / 5,
            (TimeControl::Clock { increment, .. }, Some(left)) => {
                (left / MOVES_TO_GO + increment * 3 / 4).min(left * 4 / 5)
            }
        };
        Budget { hard, soft, margin: margin.saturating_sub(self.overrun[seat.index()]) }
    }

    /// Takes the time of an answer off a seat's clock. Overrun leaves the clock at zero, and less of the margin.
    pub fn charge(&mut self, seat: Seat, wall: Duration) {
        if let Some(left) = &mut self.left[seat.index()] {
            let overrun = &mut self.overrun[seat.index()];
            *overrun = overrun.saturating_add(wall.saturating_sub(*left));
            *left = left.saturating_sub(wall);
        }
    }

    /// The seat has moved: its clock gains the increment, or is set anew for the next move.
    pub fn moved(&mut self, seat: Seat) {
        self.overrun[seat.index()] = Duration::ZERO;
        match (self.controls[seat.index()], &mut self.left[seat.index()]) {
            (TimeControl::MoveTime(time), left) => *left = Some(time),
            (TimeControl::Clock { increment, .. }, Some(left)) => *left = left.saturating_add(increment),
            (TimeControl::Clock { .. } | TimeControl::Unlimited, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_soft_time_is_never_the_whole_budget() {
        for control in
            [TimeControl::MoveTime(SECOND), TimeControl::Clock { base: SECOND, increment: 10 * SECOND }]
        {
            let budget = GameClock::new(&[control]).budget(Seat::FIRST, MS);
            assert!(budget.soft < budget.stop().unwrap() && budget.stop() < budget.hard, "{budget:?}");
        }
    }
}
