//! What people see while games are played. Everything here listens to events; nothing can change a result.

mod json;
mod keyboard;
mod line;
pub mod log;
mod progress;
pub mod story;
mod talk;
pub mod terminal;
mod wishes;
mod words;

pub use json::entry_json;
pub use keyboard::{Heard, LineKeyboard, say};
pub use line::{LineView, Table, Tongue};
pub use progress::{Progress, Room};
pub use talk::talk;
pub use wishes::{AfterPass, Leaving};
pub use words::ended;
