//! A folder of bots: what lies in it is named once, and what is no bot by its name is said, so that nobody looks for one in vain.

use crate::host::Host;
use crate::sanitize::sanitize;
use crate::ui::talk;
use std::io;
use std::path::{Path, PathBuf};

/// How many files are named that are no bots: as many as a class hands in wrongly.
const MOST_NAMED: usize = 30;

/// What may be a bot in a folder, or without one in the current folder and among those that came with the program, and the names of
/// what else lies there.
pub(crate) fn bots_in(folder: Option<&Path>, host: &Host) -> io::Result<(Vec<PathBuf>, Vec<String>)> {
    let (mut bots, others) = host.bots_in(folder)?;
    // What macOS puts beside every file that is copied begins with a dot and ends as the file does.
    bots.retain(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((bots, others.into_iter().map(name).collect()))
}

/// Says which files are no bots.
pub(crate) fn tell_left_out(names: &[String]) {
    if names.is_empty() {
        return;
    }
    let mut named: Vec<String> = names.iter().take(MOST_NAMED).cloned().collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    named.extend((more > 0).then(|| format!("{more} more")));
    talk(&sanitize(&format!(
        "left out: {}. Bots are .{}, .py and .wasm files, and folders and .zip archives with a bot.py",
        named.join(", "),
        std::env::consts::DLL_EXTENSION
    )));
}
