//! The saved form of a match or tournament: what is in the files, how they are written so that nothing is lost, how they are read.

mod canonical;
mod closing;
mod derived;
mod fault;
mod file;
mod game_texts;
mod head;
mod journal;
mod lock;
mod numbers;
mod option_value;
mod origin;
mod plan_hash;
mod print;
mod recorder;
pub mod schema;
mod scored;
mod split;
mod stream;
mod totals;

pub use canonical::{canonical, canonical_game};
pub use closing::{Closing, ReportError, write_report};
pub use fault::fault_from_record;
pub use file::{ReadError, Saved, is_foreign, is_report, read};
pub use game_texts::GameTexts;
pub use journal::{Journal, JournalError, Reopened};
pub use numbers::Numbers;
pub use origin::{Origin, origin, scan};
pub use plan_hash::plan_hash;
pub use print::print_report;
pub use recorder::{KEPT_ERRORS, Recorder, seed_text};
pub use scored::Scored;
pub use totals::{Duplicates, PARTS_OF_A_POINT, Sums};
