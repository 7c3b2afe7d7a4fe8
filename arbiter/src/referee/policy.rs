//! What the referee allows: time, errors, length.

use crate::player::TimeControl;
use clap::ValueEnum;
use std::time::Duration;

/// The rules of refereeing for one game, stated before it and saved with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The time control of each seat.
    pub time: Vec<TimeControl>,
    /// Overrun that is forgiven.
    pub margin: Duration,
    /// The number of the error that loses the game; 0 for [`MOST_ERRORS`](Policy::MOST_ERRORS).
    pub max_errors: u32,
    /// Plies after which the game is adjudicated.
    pub max_plies: u32,
    /// How it is adjudicated then.
    pub at_max_plies: AtMaxPlies,
    /// The game is over once both bots have said for a while that one of them wins; `None` where their scores
    /// decide nothing.
    pub resign_score: Option<Agreement>,
    /// The game is drawn once both bots have said for a while that neither wins.
    pub draw_score: Option<Agreement>,
    /// How often a position may occur before the game is a draw by adjudication; 0 for any number.
    pub max_repetitions: u32,
    /// People may take back their moves.
    pub take_backs: bool,
}

/// What two bots have to say of a game, and for how long, so that it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The score of a search, from the bot's side, 100 being about one piece. For a win it is the least that
    /// counts as one, for a draw the largest, of either sign, that counts as one.
    pub score: u32,
    /// Plies in a row that the bots chose with such a score, both of them.
    pub plies: u32,
}

impl Policy {
    /// What the referee allows where nobody says otherwise, with these times by seat.
    pub fn usual(time: Vec<TimeControl>) -> Policy {
        Policy {
            time,
            margin: Policy::MARGIN,
            max_errors: Policy::MAX_ERRORS,
            max_plies: Policy::MAX_PLIES,
            at_max_plies: AtMaxPlies::Draw,
            resign_score: None,
            draw_score: None,
            max_repetitions: 0,
            take_backs: false,
        }
    }

    /// The illegal move that loses a game.
    pub const MAX_ERRORS: u32 = 3;
    /// Plies after which a game is adjudicated.
    pub const MAX_PLIES: u32 = 10_000;
    /// Overrun that is forgiven.
    pub const MARGIN: Duration = Duration::from_millis(5);

    /// Errors of a seat in one game after which nobody waits for a legal move of it any more, whatever is allowed: without
    /// a clock the game would go on for ever.
    pub const MOST_ERRORS: u32 = 10_000;

    /// The error that loses the game.
    pub fn last_error(&self) -> u32 {
        if self.max_errors == 0 { Policy::MOST_ERRORS } else { self.max_errors }
    }
}

/// How a game is adjudicated that goes on for too long. Seats that are out stay behind those that are in. The first paragraphs
/// are help texts of `--at-max-plies`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AtMaxPlies {
    /// As a draw
    #[default]
    Draw,
    /// Whoever leads by the game's score wins; a draw in games that count nothing
    ///
    /// The others are ranked by it, too. Of several scores, it is the first.
    Score,
}
