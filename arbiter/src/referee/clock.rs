//! What time every seat has left. A pure value: nothing here reads a clock.

use crate::player::{Budget, TimeControl};
use arbiter_rules::Seat;
use std::time::Duration;

/// Time to think where nobody sets a limit: long enough for a good move, short enough for a spectator.
const UNLIMITED_SOFT: Duration = Duration::from_secs(1);

/// Moves that a clock with a base time is thought to have to last for.
const MOVES_TO_GO: u32 = 30;

/// The clocks of one game.
#[derive(Clone, Debug)]
pub struct GameClock {
    seats: Vec<TimeControl>,
    left: Vec<Option<Duration>>,
}

impl GameClock {
    /// Clocks at the start of a game.
    #[must_use]
    pub fn new(seats: &[TimeControl]) -> GameClock {
        let left = seats.iter().map(|control| control.at_start()).collect();
        GameClock { seats: seats.to_vec(), left }
    }

    /// What every seat has left, by seat; `None` without a limit.
    #[must_use]
    pub fn left(&self) -> &[Option<Duration>] {
        &self.left
    }

    /// The time for the next answer of a seat.
    #[must_use]
    pub fn budget(&self, seat: Seat, margin: Duration) -> Budget {
        let hard = self.left[seat.index()];
        let soft = match (self.seats[seat.index()], hard) {
            (TimeControl::Unlimited, _) | (_, None) => UNLIMITED_SOFT,
            (TimeControl::MoveTime(_), Some(left)) => left * 4 / 5,
            (TimeControl::Clock { increment, .. }, Some(left)) => {
                (left / MOVES_TO_GO + increment * 3 / 4).min(left * 4 / 5)
            }
        };
        Budget { hard, soft, margin }
    }

    /// Takes the time of an answer off a seat's clock. Overrun within the margin leaves nothing.
    pub fn charge(&mut self, seat: Seat, wall: Duration) {
        if let Some(left) = &mut self.left[seat.index()] {
            *left = left.saturating_sub(wall);
        }
    }

    /// The seat has moved: its clock gains the increment, or is set anew for the next move.
    pub fn moved(&mut self, seat: Seat) {
        match (self.seats[seat.index()], &mut self.left[seat.index()]) {
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

    fn budget(clock: &GameClock) -> Option<Duration> {
        clock.budget(Seat::FIRST, MS).hard
    }

    #[test]
    fn refused_answers_run_on_the_same_move_time() {
        let mut clock = GameClock::new(&[TimeControl::MoveTime(SECOND)]);
        clock.charge(Seat::FIRST, 300 * MS);
        clock.charge(Seat::FIRST, 300 * MS);
        assert_eq!(budget(&clock), Some(400 * MS));
        clock.moved(Seat::FIRST);
        assert_eq!(budget(&clock), Some(SECOND));
    }

    #[test]
    fn an_increment_is_added_after_the_move_and_overrun_is_never_owed() {
        let mut clock = GameClock::new(&[TimeControl::Clock { base: SECOND, increment: 100 * MS }]);
        clock.charge(Seat::FIRST, SECOND + MS);
        assert_eq!(budget(&clock), Some(Duration::ZERO));
        clock.moved(Seat::FIRST);
        assert_eq!(budget(&clock), Some(100 * MS));
    }

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
