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
    /// The error that loses the game; 0 for none but the [last](Policy::MOST_ERRORS) of all.
    pub max_errors: u32,
    /// Plies after which the game is adjudicated.
    pub max_plies: u32,
    /// How it is adjudicated then.
    pub at_max_plies: AtMaxPlies,
    /// The game is over once both bots have said for a while that one of them wins; none where what they say counts for nothing.
    pub resign_score: Option<Agreement>,
    /// The game is drawn once both bots have said for a while that neither wins.
    pub draw_score: Option<Agreement>,
    /// How often a position may occur before the game is a draw by adjudication; 0 for any number.
    pub max_repetitions: u32,
}

/// What two bots have to say of a game, and for how long, so that it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The score of a search: a win from here on, or a draw up to here.
    pub score: u32,
    /// Plies in a row that are chosen by bots who say so, of both.
    pub plies: u32,
}

impl Policy {
    /// What the referee allows where nobody says otherwise, with these times by seat.
    #[must_use]
    pub fn usual(time: Vec<TimeControl>) -> Policy {
        Policy {
            time,
            margin: Policy::MARGIN,
            max_errors: 3,
            max_plies: 10_000,
            at_max_plies: AtMaxPlies::Draw,
            resign_score: None,
            draw_score: None,
            max_repetitions: 0,
        }
    }

    /// Overrun that is forgiven.
    pub const MARGIN: Duration = Duration::from_millis(5);

    /// Errors of a seat in one game after which nobody waits for a legal move of it any more, whatever is allowed: without
    /// a clock the game would go on for ever.
    pub const MOST_ERRORS: u32 = 10_000;

    /// The error that loses the game.
    #[must_use]
    pub fn last_error(&self) -> u32 {
        if self.max_errors == 0 { Policy::MOST_ERRORS } else { self.max_errors }
    }
}

/// How a game is adjudicated that goes on for too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtMaxPlies {
    /// A draw among the seats that are in.
    #[default]
    Draw,
    /// The seats that are in are ranked by the first of the game's scores; a draw in games that count nothing.
    Score,
}
