//! The template itself: a process that waits for orders and makes a copy of itself for each.

use super::fork::{Fork, Side};
use super::{Answer, Handed, Kind, copy, descriptors};
use crate::host::clock::now_ns;
use crate::host::sandbox::{self, Apart, Bounds, Counted, Namespaces, Prepared};
use crate::host::{Sandbox, cores, crash};
use rustix::process::PidfdFlags;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::ExitCode;

/// The words for how memory is counted, and for the namespaces of copies.
const USED: &str = "used";
const RESERVED: &str = "reserved";
const OWN: &str = "own";
const SHARED: &str = "shared";

/// The arguments of the hidden verb that start a template of this kind for the referee with this number.
pub(super) fn words(kind: Kind, referee: u32) -> Vec<String> {
    let sandbox = match kind.sandbox {
        Sandbox::Wide => "wide",
        Sandbox::Off => "off",
        Sandbox::Strict | Sandbox::Plain => "strict",
    };
    let Bounds { memory, threads, counted } = kind.bounds;
    let counted = if counted == Counted::AsUsed { USED } else { RESERVED };
    let namespaces = if kind.namespaces { OWN } else { SHARED };
    let words = [referee.to_string(), memory.to_string(), threads.to_string()];
    words.into_iter().chain([sandbox, counted, namespaces].map(str::to_owned)).collect()
}

/// Waits for the referee's orders, and runs bots in copies of this process. `parent` is the number of the referee's
/// process. None if this process was not started by a referee.
pub(in crate::host) fn run(parent: &str, words: &[&str]) -> Option<ExitCode> {
    let parent = parent.parse().ok()?;
    let [memory, threads, sandbox, counted, namespaces] = *words else { return None };
    let counted = if counted == USED { Counted::AsUsed } else { Counted::AsReserved };
    let bounds = Bounds { memory: memory.parse().ok()?, threads: threads.parse().ok()?, counted };
    let has_namespaces = namespaces == OWN;
    let sandbox = match sandbox {
        "strict" => Sandbox::Strict,
        "wide" => Sandbox::Wide,
        "off" => Sandbox::Off,
        _ => return None,
    };
    let socket = referee().ok()?;
    // Before the first wait, since the supervisor may be gone already. The copies do the same for themselves.
    if sandbox::die_with(parent).is_err() {
        return Some(ExitCode::FAILURE);
    }
    // The supervisor's short slices were inherited, and are not for bots.
    let _ = cores::take_usual_slices();
    let prepared = prepare(sandbox, &bounds, has_namespaces, parent, &socket)
        .map_err(|error| Answer::say_error(&socket, &error, &[]));
    let Ok(template) = prepared else { return Some(ExitCode::FAILURE) };
    let fork = &template.fork;
    let copied = for_orders(&socket, fork, template.namespaces.as_ref(), parent);
    Some(match copied.map(|handed| copy::run(handed, socket, template.prepared, parent)) {
        Some(Err(_)) => ExitCode::FAILURE,
        Some(Ok(())) | None => ExitCode::SUCCESS,
    })
}

/// What a template needs for its copies.
struct Ready {
    fork: Fork,
    namespaces: Option<Namespaces>,
    prepared: Prepared,
}

/// Does everything that need not be done in every copy, and tells the supervisor.
fn prepare(
    sandbox: Sandbox,
    bounds: &Bounds,
    has_namespaces: bool,
    parent: u32,
    socket: &OwnedFd,
) -> io::Result<Ready> {
    let fork = Fork::prepare().ok_or_else(|| {
        io::Error::other("this kernel does not let bots' processes be copied (CONFIG_CHECKPOINT_RESTORE)")
    })?;
    // SAFETY: nothing has started a thread in this process.
    let namespaces = has_namespaces.then(|| unsafe { Namespaces::enter(&fork, parent) }).transpose()?;
    let own = namespaces
        .is_some()
        .then(|| rustix::process::pidfd_open(rustix::process::getpid(), PidfdFlags::empty()));
    let own = own.transpose()?;
    crash::handle_signals()?;
    // The first call looks the clock up in the vDSO; the copies inherit what it has found.
    now_ns();
    let (prepared, listener) = Prepared::new(sandbox, bounds, has_namespaces)?;
    let ready = if listener.is_some() { Answer::READY_AND_HEARD } else { Answer::READY };
    // The copies must not have the listener: it is closed here.
    let files: Vec<_> = listener.iter().map(AsFd::as_fd).chain(own.iter().map(AsFd::as_fd)).collect();
    Answer::say(socket, ready, "", &files)?;
    Ok(Ready { fork, namespaces, prepared })
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
fn for_orders(
    socket: &OwnedFd,
    fork: &Fork,
    namespaces: Option<&Namespaces>,
    parent: u32,
) -> Option<Handed<OwnedFd>> {
    loop {
        let mut files = descriptors::take(socket, &mut [0]).ok()?.1.into_iter();
        let mut file = || files.next();
        let (block, library, output) = (file()?, file()?, file()?);
        let group = file();
        let copied = make_copy(fork, namespaces, group.as_ref().map(AsFd::as_fd), parent);
        drop(group);
        match copied {
            Ok(Copied::Numbered(pid)) => Answer::say(socket, pid, "", &[]),
            Ok(Copied::Handled(processes)) => {
                let processes: Vec<_> = processes.iter().map(AsFd::as_fd).collect();
                Answer::say(socket, 0, "", &processes)
            }
            Ok(Copied::Here) => return Some(Handed { block, library, output, group: None }),
            Err((error, first)) => {
                let first: Vec<_> = first.iter().map(AsFd::as_fd).collect();
                Answer::say_error(socket, &error, &first)
            }
        }
        .ok()?;
    }
}

/// Which process goes on after an order.
enum Copied {
    /// The template; the copy has this number.
    Numbered(i32),
    /// The template; these are handles on the copy and on the first process of its namespace.
    Handled(Vec<OwnedFd>),
    /// The copy.
    Here,
}

/// Makes a copy. With an error comes the process that was to be the first of its namespace.
fn make_copy(
    fork: &Fork,
    namespaces: Option<&Namespaces>,
    group: Option<BorrowedFd<'_>>,
    parent: u32,
) -> Result<Copied, (io::Error, Option<OwnedFd>)> {
    let fails = |error| (error, None);
    if let Some(namespaces) = namespaces {
        // SAFETY: the template has one thread only.
        return match unsafe { namespaces.fork(fork, group, parent) }.map_err(fails)? {
            Side::Copy => Ok(Copied::Here),
            Side::Original(Apart { process: Ok(process), first }) => {
                Ok(Copied::Handled(vec![process, first]))
            }
            Side::Original(Apart { process: Err(error), first }) => Err((error, Some(first))),
        };
    }
    if group.is_some() {
        // SAFETY: as above.
        return match unsafe { fork.fork_apart(0, group) } {
            Ok(Side::Copy) => Ok(Copied::Here),
            Ok(Side::Original(process)) => Ok(Copied::Handled(vec![process])),
            Err(error) => Err(fails(error)),
        };
    }
    // SAFETY: as above.
    match unsafe { fork.fork() }.map_err(fails)? {
        Side::Copy => Ok(Copied::Here),
        Side::Original(pid) => Ok(Copied::Numbered(pid.as_raw_pid())),
    }
}
