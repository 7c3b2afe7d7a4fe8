//! Plain data about a game: what happened, what a player did wrong, how it ended, and the sentences for that.

mod ending;
mod event;
mod failure;
mod fault;

pub use ending::{Abandoned, Adjudication, Ending};
pub use event::{BotReport, Bound, ChosenBy, Error, Event, MoveValue, Played, Spent, Values};
pub use failure::{Failure, MachineFailure};
pub use fault::{
    Fault, KEPT_OUTPUT, MEMORY_MIB, MOST_THREADS, Phase, Shortage, hint_on_number, instructions,
};
