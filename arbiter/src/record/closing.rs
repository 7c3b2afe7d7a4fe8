//! A report made of journals and other reports: written to a temporary file and renamed.
#![expect(clippy::disallowed_methods, reason = "files are replaced here")]

use super::error::RecordError;
use super::merged::Merged;
use super::packed::Packing;
use super::print::Printer;
use super::schema::MatchReport;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A report that could not be made of journals and other reports.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum ReportError {
    #[error(transparent)]
    Read(#[from] RecordError),
    #[error("cannot write the report {}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Writes a report with those games of journals and reports of one plan that count, and keeps them in it if they are no more
/// than `most`. It says already what they add up to, so that their lines are copied. A game that is in several files is taken
/// from the first.
pub fn write_report(
    path: &Path,
    mut merged: Merged,
    report: &mut MatchReport,
    counts: impl Fn(u32) -> bool,
    most: usize,
) -> Result<(), ReportError> {
    let (mut games, mut unreadable) = (Vec::new(), None);
    let written = replace(path, |out| {
        let mut printer = Printer::begin(report, out)?;
        while let Some((number, text)) = merged.next_text().map_err(|error| {
            unreadable = Some(error);
            io::ErrorKind::InvalidData
        })? {
            if counts(number) {
                printer.text(&text)?;
                if report.games_ended as usize <= most {
                    games.push(serde_json::from_slice(&text)?);
                }
            }
        }
        printer.end(report)
    });
    if let Some(error) = unreadable {
        return Err(error.into());
    }
    written.map_err(|source| ReportError::Write { path: path.to_owned(), source })?;
    merged.end()?;
    report.games = games;
    Ok(())
}

/// Writes a file so that a reader finds the old one or the whole new one, never a part: to a temporary file in the same
/// folder, which is then renamed. If that fails, the temporary file is removed. It is packed as its name says.
pub fn replace(path: &Path, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    remove_leftovers(path);
    let temporary = temporary(path);
    // What lies there is not ours: a link would lead elsewhere.
    let _ = fs::remove_file(&temporary);
    let written = File::create_new(&temporary).and_then(|file| {
        Packing::of_name(path).write(file, print)?.sync_all()?;
        fs::rename(&temporary, path)
    });
    written.inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// Where this process writes a file before it is renamed: `cup.json.4711.tmp`.
fn temporary(report: &Path) -> PathBuf {
    let mut name = report.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    PathBuf::from(name)
}

/// Removes the temporary files of a report whose processes are gone. One that cannot be removed does no harm.
fn remove_leftovers(report: &Path) {
    let Some(name) = report.file_name().and_then(|name| name.to_str()) else { return };
    let folder = report.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for entry in entries {
        let process = entry.file_name().to_str().and_then(|file| {
            file.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".tmp")?.parse::<i32>().ok()
        });
        if process.is_some_and(is_gone) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    Pid::from_raw(process).is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
}

/// Here only unsafe code could tell, so such a file stays until somebody removes it.
#[cfg(not(unix))]
fn is_gone(_: i32) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The names of temporary files can be guessed, and folders be open to others.
    #[test]
    fn a_link_in_the_place_of_the_temporary_file_costs_nobody_what_it_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        let [report, precious] = ["cup.json", "precious"].map(|name| folder.path().join(name));
        fs::write(&precious, "precious").unwrap();
        std::os::unix::fs::symlink(&precious, temporary(&report)).unwrap();
        replace(&report, |out| out.write_all(b"{}")).unwrap();
        assert_eq!(fs::read_to_string(precious).unwrap(), "precious");
        assert_eq!(fs::read_to_string(report).unwrap(), "{}");
    }
}
