//! The template itself: a process that waits for orders and makes a copy of itself for each. The copy gives up its rights
//! and becomes the process of one bot.

use super::copies::Copier;
use super::{Handed, Kind, answer, take};
use crate::host::clock::now_ns;
use crate::host::executable::BUILD;
use crate::host::memory::{Mapping, map_for_ever};
use crate::host::plugin::serve_bot;
use crate::host::sandbox::{self, Prepared};
use crate::host::{LoadError, cores, signal_handlers};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::PidfdFlags;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, IntoRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The number of the library's file in a bot's process, the only one that is open beside the standard files.
const LIBRARY: i32 = 3;

/// Waits for the referee's orders, and runs bots in copies of this process. The first word is the referee's pid,
/// the second says the [`Kind`], the third which build the referee is of. None if this process was not started by a
/// referee of the same build.
pub(in crate::host) fn run(words: &[&str]) -> Option<ExitCode> {
    let [parent, kind, BUILD] = *words else { return None };
    let (parent, kind) = (parent.parse().ok()?, serde_json::from_str::<Kind>(kind).ok()?);
    let socket = referee().ok()?;
    // Before the first wait, since the supervisor may be gone already. The copies do the same for themselves.
    if sandbox::die_with(parent).is_err() {
        return Some(ExitCode::FAILURE);
    }
    let (copier, prepared) = match prepare(&kind, parent, &socket) {
        Ok(ready) => ready,
        Err(error) => {
            // The supervisor may be gone.
            let _ = answer(&socket, Err(error), &[]);
            return Some(ExitCode::FAILURE);
        }
    };
    Some(match for_orders(&socket, &copier).map(|handed| run_copy(handed, socket, prepared, parent)) {
        Some(Err(_)) => ExitCode::FAILURE,
        Some(Ok(())) | None => ExitCode::SUCCESS,
    })
}

/// Does everything that need not be done in every copy, and tells the supervisor.
fn prepare(kind: &Kind, parent: u32, socket: &OwnedFd) -> io::Result<(Copier, Prepared)> {
    // SAFETY: nothing has started a thread in this process, and nothing of ours ever does.
    let mut copier = unsafe { Copier::new(parent) }?;
    // On a machine without memory the kernel ends bots first, and of them the one that holds most. It knows no such
    // file where it was built without; then it chooses as it likes.
    #[expect(clippy::disallowed_methods, reason = "the kernel is told by a file")]
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let mut own = None;
    if kind.isolation.namespaces {
        copier.enter_namespaces()?;
        own = Some(rustix::process::pidfd_open(rustix::process::getpid(), PidfdFlags::empty())?);
    }
    signal_handlers::install()?;
    // The first call looks the clock up in the vDSO; the copies inherit what it has found.
    now_ns();
    // The supervisor may have passed its short slices on, which are not for bots, but not its core. If that is refused, it
    // has warned of it.
    let _ = cores::keep_to(kind.core);
    let (prepared, listener) = Prepared::new(kind)?;
    // The copies must not have the listener: it is closed here.
    let files: Vec<_> =
        own.iter().map(AsFd::as_fd).chain(listener.iter().map(|listener| listener.0.as_fd())).collect();
    answer(socket, Ok(None), &files)?;
    Ok((copier, prepared))
}

/// Moves the socket to the referee away from standard input, and opens `/dev/null` there. Every other file is closed: the
/// referee may have inherited some and passed them on.
fn referee() -> io::Result<OwnedFd> {
    // SAFETY: it is the first that this process does, and the standard files are the only ones it knows of.
    unsafe { sandbox::close_files_from(3) }?;
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    rustix::net::sockopt::socket_type(&socket)?;
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(socket)
}

/// Waits for orders, and returns in every process that is to run a bot. None when there will be no more orders, or
/// when the other side is no referee.
fn for_orders(socket: &OwnedFd, copier: &Copier) -> Option<Handed<OwnedFd>> {
    loop {
        let mut there = [0; 2];
        let mut files = take(socket, &mut there).ok()?.1.into_iter();
        let mut file = || files.next();
        let (block, library, output) = (file()?, file()?, file()?);
        let [payload, group] = there.map(|is_there| if is_there == 1 { file() } else { None });
        let Some((pid, pidfds)) = copier.copy(group.as_ref().map(AsFd::as_fd)) else {
            return Some(Handed { block, library, payload, output, group: None });
        };
        answer(socket, pid, &pidfds.iter().map(AsFd::as_fd).collect::<Vec<_>>()).ok()?;
    }
}

/// Runs one bot from its first request to its last. `socket` is the template's.
fn run_copy(handed: Handed<OwnedFd>, socket: OwnedFd, prepared: Prepared, parent: u32) -> io::Result<()> {
    drop(socket);
    let Handed { block, library, payload, output, .. } = handed;
    rustix::stdio::dup2_stdout(&output)?;
    rustix::stdio::dup2_stderr(output)?;
    // An inherited description would have one offset and one set of flags for all copies.
    rustix::stdio::dup2_stdin(open("/dev/null", OFlags::RDONLY, Mode::empty())?)?;
    let library = reopened(library)?;
    let payload = payload.map(|payload| map_for_ever(&File::from(reopened(payload)?))).transpose()?;
    let block = Mapping::of(block)?.forever();
    signal_handlers::note_in(block);
    serve_bot(block, |first| {
        show_as(&first.name);
        let path = path_of(&library).map_err(LoadError::not_started)?;
        prepared.give_up_rights(parent).map_err(LoadError::not_started)?;
        let ready = first.prepare(&path, payload)?;
        prepared.confine(|| keep_only(library)).map_err(LoadError::not_started)?;
        Ok((path, ready))
    });
    Ok(())
}

/// The same file with an offset of its own.
fn reopened(file: OwnedFd) -> io::Result<OwnedFd> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Closes everything but the standard files and the library, which has the number that the template's socket had before.
/// The library is not closed later either: the bot may have closed it already and have another file under its number.
/// Nobody can change what is in it.
fn keep_only(library: OwnedFd) -> io::Result<()> {
    let number = library.into_raw_fd();
    if number != LIBRARY {
        return Err(io::Error::other(format!("its library is file {number} instead of {LIBRARY}")));
    }
    // SAFETY: what this process goes on with are the standard files, the library, and memory.
    unsafe { sandbox::close_files_from(LIBRARY.unsigned_abs() + 1) }
}

/// The path by which the loader opens a file that is open here. It does not go through `/proc/self`, because a debugger opens
/// the same path and would find a file of its own.
fn path_of(file: &OwnedFd) -> io::Result<PathBuf> {
    Ok(format!("/proc/{}/fd/{}", sandbox::own_pid()?, file.as_raw_fd()).into())
}

/// Gives this process the name of its library in lists of processes.
fn show_as(library: &str) {
    let name = Path::new(library).file_name().unwrap_or_default().to_string_lossy();
    if let Ok(name) = CString::new(&*name) {
        // It is cut to what the system has room for, and nothing depends on it.
        let _ = rustix::thread::set_name(&name);
    }
}
