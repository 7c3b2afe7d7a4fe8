//! The bot's side: everything that happens in the process that a bot is loaded into.
//!
//! `library` judges a file without running anything of it. `serve` answers the referee's requests: it opens the library
//! with `table`, and from then on a `seat` makes every call of the bot's functions. The bot calls us back through the
//! functions of `services`, behind which stands its `context`: random numbers, log, reports and the rules being played.
//! `turn_clock` says how far the bot's turn has come, and `stop` tells a bot that wants to be called about it.
//! `in_process` is the same for bots in the referee's own process.

mod context;
mod in_process;
mod library;
mod load_error;
mod seat;
mod serve;
mod services;
mod stop;
mod table;
mod turn_clock;

pub use in_process::InProcess;
pub(super) use in_process::Libraries;
pub use library::Look;
pub(super) use library::{Purpose, look_at};
pub use load_error::{LoadError, NotLoaded};
pub(super) use serve::{say, serve_bot};
pub(super) use stop::stop_word;
pub(super) use table::LoadedBridge;
