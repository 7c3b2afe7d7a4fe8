//! What lies in a league's folder: files and folders that may be bots.

use super::FILE;
use super::season::REPORT;
use crate::cli::options::{LINK, not_bots};
use crate::cli::saved::journal_of;
use crate::cli::show::names;
use crate::cli::stamp::Stamp;
use crate::host::Host;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// Something that may be a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    /// Changes whenever somebody writes into it.
    pub(super) stamp: [u8; 32],
    /// Why it is refused without being looked into.
    pub(super) refused: Option<&'static str>,
}

/// Everything in the folder that may be a bot, by the name that its copy will have. Links are refused: they could make arbiter
/// read files that the author of the link may not read. On an error of the file system, nothing is known of the folder.
pub(super) fn look(folder: &Path, season: &Path, host: &Host) -> io::Result<BTreeMap<String, Candidate>> {
    let mut found = BTreeMap::new();
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // One that is not UTF-8 is refused when the bot is looked at, by this name.
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || path == season || !host.may_be_bot(&path) {
            continue;
        }
        // What has gone in the meantime is not there.
        let Ok(about) = fs::symlink_metadata(&path) else { continue };
        let key = if about.is_dir() { format!("{name}.zip") } else { name };
        let mut stamps = Stamps::default();
        stamps.add(&path, &about, 0);
        let refused = if about.is_symlink() {
            Some(LINK)
        } else if found.contains_key(&key) {
            continue;
        } else {
            None
        };
        found.insert(key, Candidate { path, stamp: stamps.0.finalize().into(), refused });
    }
    Ok(found)
}

/// The names of what lies in the folder and is no bot by its name, but for what a league itself has there.
pub(super) fn others(folder: &Path, season: &Path, host: &Host) -> Vec<String> {
    let is_of_league = |name: &String| {
        let path = folder.join(name);
        [FILE, names::FILE].contains(&name.as_str())
            || path == season
            || journal_of(&path.join(REPORT)).exists()
    };
    let mut others = not_bots(folder, host);
    others.retain(|name| !is_of_league(name));
    others
}

/// How deep folders are looked into: as deep as they are packed.
const DEEPEST: usize = 16;

/// Those of everything in a folder.
#[derive(Default)]
struct Stamps(Sha256);

impl Stamps {
    fn add(&mut self, path: &Path, about: &Metadata, depth: usize) {
        self.0.update(format!("{path:?} {:?}\n", Stamp::of(about)));
        if !about.is_dir() || depth > DEEPEST {
            return;
        }
        let mut inside: Vec<_> = fs::read_dir(path).into_iter().flatten().flatten().collect();
        inside.sort_by_key(fs::DirEntry::file_name);
        for entry in inside.into_iter().filter(|entry| entry.file_name() != "__pycache__") {
            if let Ok(about) = entry.metadata() {
                self.add(&entry.path(), &about, depth + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_written_in_a_folder_changes_its_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().join("alice");
        fs::create_dir(&bot).unwrap();
        fs::write(bot.join("bot.py"), "1").unwrap();
        let stamp = || look(folder.path(), Path::new("season"), &Host::default()).unwrap()["alice.zip"].stamp;
        let before = stamp();
        assert_eq!(before, stamp());
        fs::write(bot.join("bot.py"), "22").unwrap();
        assert_ne!(before, stamp());
    }

    /// Otherwise a bot could be made of a file that only the referee may read.
    #[test]
    #[cfg(unix)]
    fn a_link_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("a.py")).unwrap();
        let found = look(folder.path(), Path::new("season"), &Host::default()).unwrap();
        assert!(found["a.py"].refused.is_some());
    }
}
