//! Times that hold where nobody asks for others, and the longest that can be asked for.

use super::TimeControl;
use std::time::Duration;

/// The longest time that can be asked for.
pub const LONGEST_TIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// Time for a bot to load and make its instance, together.
pub const TIME_TO_PREPARE: Duration = Duration::from_secs(5);

/// Time for a bot to hear that the game is over, or to go.
pub const TIME_TO_LEAVE: Duration = Duration::from_secs(5);

/// Time for a bot to begin a game: that of one move, but no less than 100 ms; without a time for every move as much as there
/// is to prepare.
#[must_use]
pub fn time_to_begin(control: TimeControl, prepare: Duration) -> Duration {
    const LEAST: Duration = Duration::from_millis(100);
    match control {
        TimeControl::MoveTime(time) => time.max(LEAST),
        TimeControl::Clock { .. } | TimeControl::Unlimited => prepare,
    }
}
