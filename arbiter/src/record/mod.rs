//! The saved form of a match or tournament: what is in the files, how they are written so that nothing is lost, how
//! they are read.

mod canonical;
mod closing;
mod date;
mod derived;
mod fault;
mod file;
mod following;
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
mod source;
mod threads;
mod totals;

pub use canonical::{canonical, canonical_game, plan_hash};
pub use closing::{ReportError, replace, write_report};
pub use date::{date, date_text, later};
pub use fault::{
    Step, command_again, ending_from_record, error_from_record, fault_from_record, is_command_again,
    play_recorded,
};
pub use file::{RecordError, is_foreign, is_report, read};
pub use following::{Appended, Following};
pub use journal::{Journal, write_line};
pub use live::{Live, RENEWED, live_file, read_live};
pub use lock::is_taken;
pub use merged::{Merged, Shared};
pub use packed::split_name;
pub use print::Printer;
pub use reader::{Reader, Unread};
pub use recorder::{KEPT_ERRORS, Recorder, seed_text};
pub use source::read_text;
pub use threads::in_threads;
pub use totals::{Duplicates, Effort, MOST_COMPARED, PARTS_OF_A_POINT, Scored, Sums, totals_of_seat};
