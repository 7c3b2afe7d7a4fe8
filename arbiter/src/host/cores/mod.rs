//! Processor cores: which ones there are for us, staying on one, and coming to one in time.
//!
//! A game's referee and bots take turns, so one core serves them best: waking an idle core costs ten times as much as
//! going on with the same one, whatever they talk over. The threads that keep an eye on bots are the exception: they
//! have to run at once when something happens, whoever is busy on that core.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod system;

pub(super) use system::be_prompt;
pub use system::{cores, stay_on};
