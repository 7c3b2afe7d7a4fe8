//! What a person wants to know of a match, from its report alone.

mod summary;

pub use summary::{CSV_HEAD, Detail, FEW_GAMES, Format, Style, count, summary};
