//! The process that bots' processes are copies of.
//!
//! To start a program and link it costs twice as much as all that makes a bot's process of it. So the program is
//! started once for each core, and waits there with nothing in its hands; every bot gets a copy of that process, which
//! then confines itself and loads the bot. Nothing of a bot ever runs in the template, so one copy is as fresh as any
//! other. The copies are children of the referee, not of the template: it sees how they end, and they die with it.
//!
//! What copies share is where the program and the system's libraries lie in memory, and the numbers that the system
//! gave the template to hide such things from attackers. That would matter only if somebody could send one bot the
//! knowledge of another; it is the same bot's own process that could use it.

use super::Core;
use super::cores;
use super::fork::{Fork, Side};
use super::handover;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::ffi::OsString;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread::Builder;

/// The hidden verb under which the program runs as a bot's process.
pub const VERB: &str = "host-bot";
/// What bots see of our environment: where libraries are, and how much of a panic is shown.
const KEPT_ENVIRONMENT: [&str; 2] = ["LD_LIBRARY_PATH", "RUST_BACKTRACE"];

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the program that bots' processes run, for programs that use this library without being `arbiter`: tests and
/// benchmarks. The first call counts.
pub fn use_program(path: impl Into<PathBuf>) {
    let _ = PROGRAM.set(path.into());
}

/// What a bot's process is given.
#[derive(Debug)]
pub(super) struct Belongings<File> {
    /// The shared block.
    pub(super) block: File,
    /// A copy of the library.
    pub(super) library: File,
    /// Where what it prints goes.
    pub(super) output: File,
    /// Where the referee listens.
    pub(super) bell: File,
}

/// The templates there are, by the cores they wait on.
static TEMPLATES: Mutex<Vec<(Option<usize>, Arc<Slot>)>> = Mutex::new(Vec::new());

type Slot = Mutex<Option<Template>>;

/// A process that waits for orders.
struct Template {
    socket: OwnedFd,
    copies: Copies,
}

/// Whether a template can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copies {
    /// It makes a copy of itself for every order.
    Any,
    /// The system does not let it: it becomes a bot's process itself, and is none of ours any more.
    None,
}

/// Starts a bot's process, which will bind itself to this core. The process is a child of ours, to be waited for.
///
/// # Errors
/// When the system has no room for another process.
pub(super) fn start_process(core: Option<usize>, files: &Belongings<BorrowedFd<'_>>) -> io::Result<Pid> {
    let slot = slot_of(core);
    let mut slot = lock(&slot);
    let waiting = slot.take().or_else(|| take_over(core));
    // One that has waited for long may have been ended by somebody; a new one has not.
    let answered = waiting.and_then(|template| Some((template.order(files).ok()?, template)));
    let (answer, template) = match answered {
        Some(answered) => answered,
        None => {
            let template = Template::start(core)?;
            (template.order(files)?, template)
        }
    };
    *slot = (template.copies == Copies::Any).then_some(template);
    answer.into_pid()
}

/// The template that waits on no core in particular, when one for this core is wanted: bots were looked at before the
/// games began. Its copies bind themselves to the core as all do.
fn take_over(core: Option<usize>) -> Option<Template> {
    core.and_then(|_| lock(&slot_of(None)).take())
}

fn slot_of(core: Option<usize>) -> Arc<Slot> {
    let mut templates = lock(&TEMPLATES);
    let at = templates.iter().position(|(known, _)| *known == core).unwrap_or_else(|| {
        templates.push((core, Arc::default()));
        templates.len() - 1
    });
    Arc::clone(&templates[at].1)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Template {
    /// Starts a template from a thread of its own: what a thread has started, and the copies of that, die with it.
    fn start(core: Option<usize>) -> io::Result<Template> {
        let (socket, theirs) = handover::pair()?;
        let command = command(theirs)?;
        let (report, started) = mpsc::sync_channel(1);
        Builder::new().name("template".to_owned()).spawn(move || {
            if let Some(number) = core {
                cores::stay_on(Core { number, bots: 1 });
            }
            keep(command, socket, &report);
        })?;
        started.recv().map_err(|_| io::Error::other("the thread that starts processes failed"))?
    }

    fn order(&self, files: &Belongings<BorrowedFd<'_>>) -> io::Result<Answer> {
        let Belongings { block, library, output, bell } = *files;
        handover::give(&self.socket, &[block, library, output, bell])?;
        Answer::hear(&self.socket)
    }
}

/// The whole life of the thread that a template and its copies die with.
fn keep(mut command: Command, socket: OwnedFd, report: &mpsc::SyncSender<io::Result<Template>>) {
    let process = command.spawn();
    // It holds the other end of the socket too, and the template shall be the only one.
    drop(command);
    let started = process.and_then(|process| Ok((process, Answer::hear(&socket)?)));
    let (mut process, answer) = match started {
        Ok(started) => started,
        Err(error) => return drop(report.send(Err(error))),
    };
    let copies = if answer == Answer::READY { Copies::Any } else { Copies::None };
    // Nobody listens only if the starting thread panicked.
    let _ = report.send(Ok(Template { socket, copies }));
    match copies {
        Copies::Any => {
            let _ = process.wait();
            loop {
                std::thread::park();
            }
        }
        Copies::None => {
            // Its end is for the keeper of the bot to hear.
            let number = WaitId::Pid(Pid::from_child(&process));
            while let Err(Errno::INTR) = waitid(number.clone(), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
            {
            }
        }
    }
}

fn command(socket: OwnedFd) -> io::Result<Command> {
    let mut command = Command::new(program()?);
    command.arg(VERB).arg(std::process::id().to_string());
    command.env_clear().envs(kept_environment()).current_dir("/");
    command.stdin(Stdio::from(socket)).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C goes to every process of the terminal's group; only the referee shall hear it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

/// Ourselves. On Linux by a name that still means this program when its file has been replaced.
fn program() -> io::Result<PathBuf> {
    match PROGRAM.get() {
        Some(program) => Ok(program.clone()),
        None if cfg!(target_os = "linux") => Ok("/proc/self/exe".into()),
        None => std::env::current_exe(),
    }
}

fn kept_environment() -> impl Iterator<Item = (&'static str, OsString)> {
    KEPT_ENVIRONMENT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))
}

/// What a template says: the number of the process that it has started, or the negative of the system's error. Its
/// first word is one of the two below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer(i32);

impl Answer {
    const READY: Answer = Answer(1);
    const READY_ONCE: Answer = Answer(0);

    fn hear(socket: &OwnedFd) -> io::Result<Answer> {
        let mut bytes = [0; size_of::<i32>()];
        match rustix::net::recv(socket, &mut bytes, RecvFlags::empty())? {
            (_, length) if length == bytes.len() => Ok(Answer(i32::from_ne_bytes(bytes))),
            _ => Err(io::Error::other("the process that bots are copied from is gone")),
        }
    }

    fn say(self, socket: &OwnedFd) -> io::Result<()> {
        rustix::net::send(socket, &self.0.to_ne_bytes(), SendFlags::NOSIGNAL)?;
        Ok(())
    }

    fn into_pid(self) -> io::Result<Pid> {
        match self.0 {
            error if error < 0 => Err(io::Error::from_raw_os_error(-error)),
            number => Pid::from_raw(number).ok_or_else(|| io::ErrorKind::InvalidData.into()),
        }
    }
}

/// The template's side: waits for orders, and returns in every process that is to run a bot. None when there will be
/// no more orders, or when the other side is no referee.
pub(super) fn wait_for_orders(socket: OwnedFd) -> Option<Belongings<OwnedFd>> {
    let fork = Fork::prepare();
    let ready = if fork.is_some() { Answer::READY } else { Answer::READY_ONCE };
    ready.say(&socket).ok()?;
    loop {
        let files = <[OwnedFd; 4]>::try_from(handover::take(&socket).ok()?);
        let [block, library, output, bell] = files.ok()?;
        let belongings = Belongings { block, library, output, bell };
        let answer = match fork.as_ref().map(Fork::fork) {
            Some(Ok(Side::Copy)) => return Some(belongings),
            Some(Ok(Side::Original(copy))) => Answer(copy.as_raw_pid()),
            Some(Err(error)) => Answer(-error.raw_os_error().unwrap_or(libc::EIO)),
            None => Answer(rustix::process::getpid().as_raw_pid()),
        };
        answer.say(&socket).ok()?;
        if fork.is_none() {
            return Some(belongings);
        }
    }
}
