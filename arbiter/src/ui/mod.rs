//! What people see while games are played. Everything here listens to events; nothing can change a result.

mod json;
mod keyboard;
mod line;
mod progress;
mod talk;

pub use json::event_json;
pub use keyboard::{LineKeyboard, say};
pub use line::LineView;
pub use progress::Progress;
pub use talk::talk;
