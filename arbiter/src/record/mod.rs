//! The saved form of a match: what is in the files, how they are written so that nothing is lost, how they are read.

mod canonical;
mod file;
mod journal;
mod option_value;
mod recorder;
pub mod schema;
mod totals;

pub use canonical::{canonical, canonical_game};
pub use file::{ReadError, Saved, print_report, read, write_report};
pub use journal::{Journal, JournalError};
pub use recorder::{Recorder, fault_from_record};
pub use totals::{Duplicates, Sums};
