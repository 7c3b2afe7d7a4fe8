//! The bot's process on Linux: a copy of a template, which confines itself before it loads the bot.

use super::{Line, serve_bot};
use crate::host::Core;
use crate::host::bot_file::path_of;
use crate::host::clock::now_ns;
use crate::host::cores;
use crate::host::crash;
use crate::host::handover;
use crate::host::memory::Mapping;
use crate::host::message::Setup;
use crate::host::sandbox::{self, Bounds, Prepared};
use crate::host::template::{APART, Belongings, Waiting};
use crate::host::wire::Block;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::ExitCode;

/// Waits for a referee's orders, and runs bots in copies of this process. `parent` is the number of the referee's
/// process, and `words` say whether the copies get namespaces of their own. None if nobody gave this process what a referee gives.
pub(super) fn run(parent: &str, words: &[&str]) -> Option<ExitCode> {
    let parent = parent.parse().ok()?;
    let socket = referee().ok()?;
    // Before anything can be waited for: whoever would answer may be gone. The copies ask for the same themselves.
    if sandbox::die_with(parent).is_err() {
        return Some(ExitCode::FAILURE);
    }
    let Some(waiting) = Waiting::begin(socket, words == [APART], parent) else {
        return Some(ExitCode::FAILURE);
    };
    let prepared = Prepared::new();
    // To find the clock takes longer than to read it: the copies shall know where it is.
    now_ns();
    Some(match waiting.for_orders().map(|belongings| run_bot(belongings, prepared, parent)) {
        Some(Err(_)) => ExitCode::FAILURE,
        Some(Ok(())) | None => ExitCode::SUCCESS,
    })
}

/// Takes the socket to the referee away from standard input, and puts nothing in its place. Every other file is
/// closed: the referee may have inherited some itself and passed them on unknowingly.
fn referee() -> io::Result<OwnedFd> {
    sandbox::close_other_files()?;
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    rustix::net::sockopt::socket_type(&socket)?;
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(socket)
}

/// Runs one bot from its first request to its last.
fn run_bot(belongings: Belongings<OwnedFd>, prepared: io::Result<Prepared>, parent: u32) -> io::Result<()> {
    sandbox::die_with(parent)?;
    let Belongings { block, library, output, bell, .. } = belongings;
    rustix::stdio::dup2_stdout(&output)?;
    rustix::stdio::dup2_stderr(output)?;
    rustix::process::setpgid(None, None)?;
    let block = Mapping::of(block)?.forever();
    let mut line = Line::new(block);
    match line.first_request() {
        Ok(Setup { name, memory, threads, core, sandbox, counted, patience }) => {
            line.patience = patience;
            show_as(&name);
            let bounds = Bounds { memory, threads, sandbox, counted, parent };
            let path = path_of(library.as_fd(), sandbox::number()?);
            match prepared.and_then(|prepared| confine(prepared, block, core, bell, &bounds)) {
                Ok(()) => {
                    // Never closed: the bot may have done that already, and nobody can change what is in it.
                    let _library = std::mem::ManuallyDrop::new(library);
                    serve_bot(&mut line, &path, Path::new(&name), || sandbox::narrow(sandbox));
                }
                Err(error) => line.refuse(&error),
            }
        }
        Err(problem) => line.give_up(problem),
    }
    Ok(())
}

/// Gives this process the name of its library in lists of processes.
fn show_as(library: &str) {
    let name = Path::new(library).file_name().unwrap_or_default().to_string_lossy();
    if let Ok(name) = CString::new(&*name) {
        // It is cut to what the system has room for, and nothing depends on it.
        let _ = rustix::thread::set_name(&name);
    }
}

/// Does what must come before the bot is loaded.
fn confine(
    prepared: Prepared,
    block: &'static Block,
    core: Option<Core>,
    socket: OwnedFd,
    bounds: &Bounds,
) -> io::Result<()> {
    core.map_or(Ok(()), cores::keep_bot_on)?;
    crash::note_in(block)?;
    if let Some(listener) = prepared.confine(bounds)? {
        handover::give(socket, b"!", &[listener.as_fd()])?;
    }
    Ok(())
}
