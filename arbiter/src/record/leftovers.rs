//! Temporary files of programs that were killed while they wrote a report.

use std::fs;
use std::path::{Path, PathBuf};

/// Where this process writes a report before it is renamed: `cup.json.4711.tmp`.
pub(super) fn temporary(report: &Path) -> PathBuf {
    let mut name = report.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    PathBuf::from(name)
}

/// Removes the temporary files of a report whose processes are gone. One that cannot be removed does no harm.
pub(super) fn remove(report: &Path) {
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

/// Nothing tells here without unsafe code, so such a file stays until somebody removes it.
#[cfg(not(unix))]
fn is_gone(_: i32) -> bool {
    false
}
