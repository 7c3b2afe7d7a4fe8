//! What the referee allows: time, errors, length.

use crate::player::TimeControl;
use std::time::Duration;

/// The rules of refereeing for one game, stated before it and saved with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The time control of each seat.
    pub time: Vec<TimeControl>,
    /// Overrun that is forgiven.
    pub margin: Duration,
    /// The error that loses the game; 0 for none.
    pub max_errors: u32,
    /// Plies after which the game is a draw by adjudication.
    pub max_plies: u32,
}
