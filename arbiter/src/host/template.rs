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
use super::program;
use super::sandbox::{Apart, Namespaces, join};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, waitid};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::Builder;

/// What follows the number of the referee where copies are to have namespaces of their own.
pub(super) const APART: &str = "namespaces";

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
    /// The folder of its control group, if it has one. Not for the bot's process itself.
    pub(super) group: Option<File>,
}

/// A process that has been started for a bot. It is a child of ours, to be waited for.
pub(super) struct Started {
    /// Its number.
    pub(super) pid: Pid,
    /// A handle on it.
    pub(super) process: OwnedFd,
    /// The first process of its namespace, if it has one: a child of ours too, that stays until it is killed.
    pub(super) first: Option<OwnedFd>,
}

/// What makes templates differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// The core that it and its copies are bound to.
    pub(super) core: Option<usize>,
    /// Whether its copies get namespaces of their own.
    pub(super) namespaces: bool,
}

/// The templates there are.
static TEMPLATES: Mutex<Vec<(Kind, Arc<Slot>)>> = Mutex::new(Vec::new());

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

/// Starts a bot's process, which will bind itself to its core.
///
/// # Errors
/// When the system has no room for another process, or does not give it what it is to have.
pub(super) fn start_process(kind: Kind, files: &Belongings<BorrowedFd<'_>>) -> io::Result<Started> {
    let slot = slot_of(kind);
    let mut slot = lock(&slot);
    let waiting = slot.take().or_else(|| take_over(kind));
    // One that has waited for long may have been ended by somebody; a new one has not.
    let answered = waiting.and_then(|template| Some((template.order(files).ok()?, template)));
    let (answer, template) = match answered {
        Some(answered) => answered,
        None => {
            let template = Template::start(kind)?;
            (template.order(files)?, template)
        }
    };
    *slot = (template.copies == Copies::Any).then_some(template);
    drop(slot);
    answer.into_started()
}

/// The template that waits on no core in particular, when one for this core is wanted: bots were looked at before the
/// games began. Its copies bind themselves to the core as all do.
fn take_over(kind: Kind) -> Option<Template> {
    kind.core.and_then(|_| lock(&slot_of(Kind { core: None, ..kind })).take())
}

fn slot_of(kind: Kind) -> Arc<Slot> {
    let mut templates = lock(&TEMPLATES);
    let at = templates.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
        templates.push((kind, Arc::default()));
        templates.len() - 1
    });
    Arc::clone(&templates[at].1)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Template {
    /// Starts a template from a thread of its own: what a thread has started, and the copies of that, die with it.
    fn start(kind: Kind) -> io::Result<Template> {
        let (socket, theirs) = handover::pair()?;
        let command = command(theirs, kind)?;
        let (report, started) = mpsc::sync_channel(1);
        Builder::new().name("template".to_owned()).spawn(move || {
            if let Some(number) = kind.core {
                cores::stay_on(Core { number, bots: 1 });
            }
            keep(command, socket, &report);
        })?;
        started.recv().map_err(|_| io::Error::other("the thread that starts processes failed"))?
    }

    fn order(&self, files: &Belongings<BorrowedFd<'_>>) -> io::Result<Answer> {
        let Belongings { block, library, output, bell, group } = *files;
        let files = [Some(block), Some(library), Some(output), Some(bell), group];
        let files: Vec<_> = files.into_iter().flatten().collect();
        handover::give(&self.socket, b"!", &files)?;
        Answer::hear(&self.socket)
    }
}

/// The whole life of the thread that a template and its copies die with.
fn keep(mut command: Command, socket: OwnedFd, report: &mpsc::SyncSender<io::Result<Template>>) {
    let process = command.spawn();
    // It holds the other end of the socket too, and the template shall be the only one.
    drop(command);
    let started = process.and_then(|process| Ok((process, Answer::hear(&socket)?.or_problem()?)));
    let (mut process, mut answer) = match started {
        Ok(started) => started,
        Err(error) => return drop(report.send(Err(error))),
    };
    let copies = if answer.number == Answer::READY { Copies::Any } else { Copies::None };
    // Nobody listens only if the starting thread panicked.
    let _ = report.send(Ok(Template { socket, copies }));
    match copies {
        Copies::Any => {
            // Of a template in namespaces this is the process that has gone in; the template tells of itself.
            let _ = process.wait();
            answer.processes.drain(..).for_each(|template| wait_for(&template));
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

/// Ends a child of ours that nobody else waits for, and waits until it is gone.
pub(super) fn end(process: &OwnedFd) {
    // It fails when the process is gone already.
    let _ = rustix::process::pidfd_send_signal(process, Signal::KILL);
    wait_for(process);
}

fn wait_for(process: &OwnedFd) {
    while let Err(Errno::INTR) = waitid(WaitId::PidFd(process.as_fd()), WaitIdOptions::EXITED) {}
}

fn command(socket: OwnedFd, kind: Kind) -> io::Result<Command> {
    let mut command = program::command()?;
    command.arg(std::process::id().to_string());
    if kind.namespaces {
        command.arg(APART);
    }
    command.stdin(Stdio::from(socket)).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C goes to every process of the terminal's group; only the referee shall hear it.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

/// What a template says: at first one of the two words below, then for each order the number of the process that it has
/// started. A negative number is the system's error, with more words where there are any. Processes in namespaces have
/// other numbers for the template than for us, so it hands over handles on them.
struct Answer {
    number: i32,
    problem: String,
    processes: Vec<OwnedFd>,
}

impl Answer {
    const READY: i32 = 1;
    const READY_ONCE: i32 = 0;
    /// Bytes of an answer with its words.
    const LONGEST: usize = 256;

    fn hear(socket: &OwnedFd) -> io::Result<Answer> {
        let mut bytes = [0; Answer::LONGEST];
        let (bytes, processes) = handover::take(socket, &mut bytes)?;
        match bytes.split_first_chunk() {
            Some((number, problem)) => Ok(Answer {
                number: i32::from_ne_bytes(*number),
                problem: String::from_utf8_lossy(problem).into_owned(),
                processes,
            }),
            None => Err(io::Error::other("the process that bots are copied from is gone")),
        }
    }

    fn say(socket: &OwnedFd, number: i32, problem: &str, processes: &[BorrowedFd<'_>]) -> io::Result<()> {
        let text = [&number.to_ne_bytes(), problem.as_bytes()].concat();
        handover::give(socket, &text[..text.len().min(Answer::LONGEST)], processes)
    }

    fn say_error(socket: &OwnedFd, error: &io::Error, processes: &[BorrowedFd<'_>]) -> io::Result<()> {
        let number = -error.raw_os_error().unwrap_or(libc::EIO);
        let problem = if error.raw_os_error().is_some() { String::new() } else { error.to_string() };
        Answer::say(socket, number, &problem, processes)
    }

    fn or_problem(self) -> io::Result<Answer> {
        match self.number {
            0.. => Ok(self),
            error if self.problem.is_empty() => Err(io::Error::from_raw_os_error(-error)),
            _ => Err(io::Error::other(self.problem)),
        }
    }

    fn into_started(self) -> io::Result<Started> {
        if self.number < 0 {
            // All that was started of it is what was to come first.
            self.processes.iter().for_each(end);
        }
        let mut answer = self.or_problem()?;
        let mut processes = answer.processes.drain(..);
        let (process, first) = (processes.next(), processes.next());
        drop(processes);
        let (pid, process) = match process {
            Some(process) => (number_of(&process), Ok(process)),
            None => {
                let pid = Pid::from_raw(answer.number).ok_or(io::ErrorKind::InvalidData)?;
                (Ok(pid), rustix::process::pidfd_open(pid, PidfdFlags::empty()).map_err(io::Error::from))
            }
        };
        match (pid, process) {
            (Ok(pid), Ok(process)) => Ok(Started { pid, process, first }),
            (Ok(pid), Err(error)) => {
                // Nobody has waited for it, so the number is still its own.
                rustix::process::kill_process(pid, Signal::KILL)?;
                waitid(WaitId::Pid(pid), WaitIdOptions::EXITED)?;
                Err(error)
            }
            (Err(error), process) => {
                process.iter().chain(&first).for_each(end);
                Err(error)
            }
        }
    }
}

/// The number of a process that we have a handle on.
fn number_of(process: &OwnedFd) -> io::Result<Pid> {
    let about = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", process.as_raw_fd()))?;
    let number = about.lines().find_map(|line| line.strip_prefix("Pid:"));
    let number = number.and_then(|number| Pid::from_raw(number.trim().parse().ok()?));
    number.ok_or_else(|| io::Error::other("/proc does not tell the number of a bot's process"))
}

/// The template's side: a process that waits for orders.
pub(super) struct Waiting {
    socket: OwnedFd,
    /// The referee.
    parent: u32,
    /// What it is copied with, where the system lets it.
    fork: Option<Fork>,
    /// Where its copies get namespaces of their own.
    apart: Option<Namespaces>,
}

/// What has become of an order.
enum Done {
    /// A process with this number has been started.
    Numbered(Pid),
    /// These processes have been started: the bot's, and maybe the first of its namespace.
    Handled(Vec<OwnedFd>),
    /// None: this process is to run the bot.
    Here,
}

impl Waiting {
    /// Makes this process ready to be copied. With `namespaces` it goes on in another process. None when the referee has
    /// been told why that cannot be.
    pub(super) fn begin(socket: OwnedFd, namespaces: bool, parent: u32) -> Option<Waiting> {
        let fork = Fork::prepare();
        let apart = match (&fork, namespaces) {
            (_, false) => Ok(None),
            (Some(fork), true) => Namespaces::enter(fork, parent).map(Some),
            (None, true) => Err(io::Error::other(
                "this kernel does not let bots' processes be copied (CONFIG_CHECKPOINT_RESTORE)",
            )),
        };
        let apart = apart.map_err(|error| Answer::say_error(&socket, &error, &[])).ok()?;
        Some(Waiting { socket, parent, fork, apart })
    }

    /// Waits for orders, and returns in every process that is to run a bot. None when there will be no more orders, or
    /// when the other side is no referee.
    pub(super) fn for_orders(self) -> Option<Belongings<OwnedFd>> {
        let ready = if self.fork.is_some() { Answer::READY } else { Answer::READY_ONCE };
        let own = self
            .apart
            .is_some()
            .then(|| rustix::process::pidfd_open(rustix::process::getpid(), PidfdFlags::empty()));
        let own = own.transpose().ok()?;
        let own: Vec<_> = own.iter().map(AsFd::as_fd).collect();
        Answer::say(&self.socket, ready, "", &own).ok()?;
        drop(own);
        loop {
            let mut files = handover::take(&self.socket, &mut [0]).ok()?.1.into_iter();
            let mut file = || files.next();
            let (block, library, output, bell) = (file()?, file()?, file()?, file()?);
            let group = file();
            let done = self.copy(group.as_ref().map(AsFd::as_fd));
            drop(group);
            match done {
                Ok(Done::Numbered(pid)) => Answer::say(&self.socket, pid.as_raw_pid(), "", &[]),
                Ok(Done::Handled(processes)) => {
                    let processes: Vec<_> = processes.iter().map(AsFd::as_fd).collect();
                    Answer::say(&self.socket, 0, "", &processes)
                }
                Ok(Done::Here) => return Some(Belongings { block, library, output, bell, group: None }),
                Err((error, first)) => {
                    let first: Vec<_> = first.iter().map(AsFd::as_fd).collect();
                    Answer::say_error(&self.socket, &error, &first)
                }
            }
            .ok()?;
        }
    }

    /// Starts a process for a bot. With an error comes the process that was to be the first of its namespace.
    fn copy(&self, group: Option<BorrowedFd<'_>>) -> Result<Done, (io::Error, Option<OwnedFd>)> {
        let fails = |error| (error, None);
        Ok(match (&self.fork, &self.apart) {
            (Some(fork), Some(apart)) => match apart.fork(fork, group, self.parent).map_err(fails)? {
                Side::Copy => Done::Here,
                Side::Original(Apart { process: Ok(process), first }) => Done::Handled(vec![process, first]),
                Side::Original(Apart { process: Err(error), first }) => return Err((error, Some(first))),
            },
            (Some(fork), None) if group.is_some() => match fork.fork_apart(0, group).map_err(fails)? {
                Side::Copy => Done::Here,
                Side::Original(process) => Done::Handled(vec![process]),
            },
            (Some(fork), None) => match fork.fork().map_err(fails)? {
                Side::Copy => Done::Here,
                Side::Original(pid) => Done::Numbered(pid),
            },
            (None, _) => {
                group.map_or(Ok(()), join).map_err(fails)?;
                let own = rustix::process::getpid().as_raw_pid();
                Answer::say(&self.socket, own, "", &[]).map_err(fails)?;
                Done::Here
            }
        })
    }
}
