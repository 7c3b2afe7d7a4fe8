//! The saved form of a match or tournament: what is in the files (`schema`), how they are written so that nothing is lost, how
//! they are read.
//!
//! Written: `recorder` makes a record of the events of a game, `derived` leaves out what a reader derives, `journal` has it as a
//! line, and `closing` makes the report, which `print` prints and `packed` packs. Read: `source` opens a file, `reader` reads its
//! games one by one, those of a journal by number (`ordered`), `merged` those of several files, `file` all at once; `steps` goes
//! through a game.

mod canonical;
mod closing;
mod date;
mod derived;
mod duplicates;
mod error;
mod fault;
mod file;
mod head;
mod journal;
mod lines;
mod live;
mod lock;
mod merged;
mod ordered;
mod packed;
mod print;
mod reader;
mod recorder;
pub mod schema;
mod scored;
mod source;
mod steps;
mod threads;
mod totals;

pub use canonical::{canonical, canonical_game, known_of, plan_hash};
pub use closing::{ReportError, replace, write_report};
pub use date::{date, date_text, later};
pub use duplicates::{Duplicates, MOST_COMPARED};
pub use error::RecordError;
pub use fault::{command_again, error_from_record, fault_from_record, is_command_again};
pub use file::{is_foreign, is_report, read};
pub use journal::{Journal, write_line};
pub use live::{Live, RENEWED, live_file, read_live};
pub use lock::is_taken;
pub use merged::{Merged, Shared};
pub use packed::split_name;
pub use print::Printer;
pub use reader::{Reader, Unread};
pub use recorder::{KEPT_ERRORS, Recorder, seed_text};
pub use scored::Scored;
pub use source::{read_found_text, read_text};
pub use steps::{Step, ending_from_record, play_recorded};
pub use threads::in_threads;
pub use totals::{Effort, Sums, totals_of_seat};
