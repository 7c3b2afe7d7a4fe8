//! The saved form of a match or tournament: what is in the files, how they are written so that nothing is lost, how they are read.

mod canonical;
mod file;
mod head;
mod journal;
mod lock;
mod option_value;
mod origin;
mod plan_hash;
mod recorder;
pub mod schema;
mod scored;
mod stream;
mod totals;

pub use canonical::{canonical, canonical_game};
pub use file::{Closing, ReadError, ReportError, Saved, is_report, print_report, read, write_report};
pub use journal::{Journal, JournalError, Reopened};
pub use origin::{Origin, scan};
pub use plan_hash::plan_hash;
pub use recorder::{KEPT_ERRORS, Recorder, fault_from_record};
pub use scored::Scored;
pub use totals::{Duplicates, Sums};
