//! A copy of the template: it gives up its rights and becomes the process of one bot.

use super::Handed;
use crate::host::crash;
use crate::host::memory::Mapping;
use crate::host::plugin::{Channel, serve_bot};
use crate::host::sandbox::{self, Prepared};
use rustix::fs::{Mode, OFlags, open};
use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// The number of the library's file in a bot's process, the only one that is open beside the standard files.
const LIBRARY: i32 = 3;

/// Runs one bot from its first request to its last. `socket` is the template's.
pub(super) fn run(
    handed: Handed<OwnedFd>,
    socket: OwnedFd,
    prepared: Prepared,
    parent: u32,
) -> io::Result<()> {
    sandbox::die_with(parent)?;
    drop(socket);
    let Handed { block, library, output, .. } = handed;
    rustix::stdio::dup2_stdout(&output)?;
    rustix::stdio::dup2_stderr(output)?;
    // An inherited description would have one offset and one set of flags for all copies.
    rustix::stdio::dup2_stdin(open("/dev/null", OFlags::RDONLY, Mode::empty())?)?;
    let library = reopened(library)?;
    let block = Mapping::of(block)?.forever();
    crash::note_in(block)?;
    let mut channel = Channel::new(block);
    match channel.first_request() {
        Ok(name) => {
            show_as(&name);
            let path = library_path()?;
            match prepared.confine(parent, || keep_only(library)) {
                Ok(()) => serve_bot(&mut channel, &path, Path::new(&name)),
                Err(error) => channel.refuse(&error),
            }
        }
        Err(problem) => channel.give_up(problem),
    }
    Ok(())
}

/// The same file with an offset of its own.
fn reopened(file: OwnedFd) -> io::Result<OwnedFd> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Closes everything but the standard files and the library. The library is not closed later either: the bot may have
/// closed it already and have another file under its number. Nobody can change what is in it.
fn keep_only(library: OwnedFd) -> io::Result<()> {
    if library.as_raw_fd() != LIBRARY {
        // SAFETY: whatever has this number is used no more; it is closed by this.
        let moved = unsafe { libc::dup3(library.as_raw_fd(), LIBRARY, libc::O_CLOEXEC) };
        if moved != LIBRARY {
            return Err(io::Error::last_os_error());
        }
    }
    std::mem::forget(library);
    // SAFETY: what this process goes on with are the standard files, the library, and memory.
    unsafe { sandbox::close_files_from(LIBRARY.unsigned_abs() + 1) }
}

/// The path that the loader opens. It does not go through `/proc/self`, because a debugger opens the same path and would
/// find a file of its own.
fn library_path() -> io::Result<PathBuf> {
    Ok(format!("/proc/{}/fd/{LIBRARY}", sandbox::number()?).into())
}

/// Gives this process the name of its library in lists of processes.
fn show_as(library: &str) {
    let name = Path::new(library).file_name().unwrap_or_default().to_string_lossy();
    if let Ok(name) = CString::new(&*name) {
        // It is cut to what the system has room for, and nothing depends on it.
        let _ = rustix::thread::set_name(&name);
    }
}
