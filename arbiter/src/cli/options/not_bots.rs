//! What is no bot in a folder of bots: it is named, so that nobody looks for a bot in vain.

use crate::host::Host;
use crate::ui::talk;
use std::path::Path;

/// How many files are named that are no bots: as many as a class hands in wrongly.
const MOST_NAMED: usize = 30;

/// Why what lies in a folder of bots takes no part where it is a link: it could lead to what its author may not read.
pub(crate) const LINK: &str = "it is a link; put the file itself there";

/// The names of what lies in a folder and is no bot by its name, but for hidden files.
pub(crate) fn not_bots(folder: &Path, host: &Host) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let others = files.filter(|file| !host.may_be_bot(&file.path()));
    let names = others.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

pub(crate) fn tell_not_bots(names: &[String]) {
    if names.is_empty() {
        return;
    }
    let mut named: Vec<String> = names.iter().take(MOST_NAMED).cloned().collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    named.extend((more > 0).then(|| format!("{more} more")));
    talk(&format!(
        "left out: {}. Bots are .{}, .py and .wasm files, and folders and .zip archives with a bot.py",
        named.join(", "),
        std::env::consts::DLL_EXTENSION
    ));
}
