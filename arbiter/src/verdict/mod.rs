//! Plain data about a game: what happened, what a player did wrong, how it ended. No behaviour.

mod ending;
mod event;
mod fault;

pub use ending::{Abandoned, Adjudication, Ending};
pub use event::{BotReport, ChosenBy, Error, Event, EventSink, Played, Spent};
pub use fault::{Fault, Phase};
