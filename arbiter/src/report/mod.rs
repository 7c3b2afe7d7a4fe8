//! What a person wants to know of a match, from its report alone.

mod summary;

pub use summary::{Detail, FEW_GAMES, Format, summary};
