//! The saved form of a match: what is in the files, how they are written so that nothing is lost, how they are read.

mod canonical;
mod file;
mod head;
mod journal;
mod lock;
mod option_value;
mod recorder;
pub mod schema;
mod totals;

pub use canonical::{canonical, canonical_game};
pub use file::{ReadError, ReportError, Saved, is_report, print_report, read, write_report};
pub use journal::{Journal, JournalError, Reopened};
pub use recorder::{KEPT_ERRORS, Recorder, fault_from_record};
pub use totals::{Duplicates, Sums};
