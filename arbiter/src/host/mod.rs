//! Bots: libraries that are looked at, loaded and called, each in a confined process of its own.
//!
//! This is the only part of the program with `unsafe` code. All of it relies on three promises: a bot's table holds
//! functions of the types in `arbiter_bot.h`; pointers that a bot passes to us are as the header demands; memory
//! shared with a bot's process is atomic and as long as we made it. A bot that breaks one of the first two harms the
//! process that it is loaded into. That is why bots are not loaded into ours.
//!
//! A [`Host`] owns everything that bots need, and ends it when it is dropped. In reading order: `players` are bots as
//! the referee knows them; `bot_process` asks one and waits for its answer, by the rule of `clock`; `wire` is how both
//! sides talk. A `supervisor` for each core starts the processes, copies of a `template`; `sandbox`
//! takes away from them what no bot may have, and in them `plugin` loads the library and calls it. On systems that
//! cannot contain bots, `plain` makes processes that can be killed.

mod bot_process;
mod clock;
mod cores;
#[cfg(target_os = "linux")]
mod crash;
mod isolation;
mod limits;
pub mod machine;
mod memory;
mod message;
mod plain;
mod players;
mod plugin;
mod process;
#[cfg(target_os = "linux")]
mod procfs;
mod program;
mod sandbox;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod template;
mod waiting;
mod wire;

pub use cores::{cores, stay_on};
pub use isolation::{Isolation, Means, Unavailable};
pub use limits::{CAN_STOP, Limits, Sandbox};
pub use message::Greeting;
pub use players::{BotCommand, InProcess, Sandboxed};
pub use plugin::{BotFile, FieldName, LoadError, Look, NotLoaded, TextField};
pub use program::VERB;

use crate::verdict::MachineFailure;
use bot_process::{BotProcess, NotBegun};
use message::{Request, write};
use plugin::{Libraries, say, stop_word};
use process::ProcessHandle;
use program::Program;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use wire::{Block, Part, Patience};

/// Everything that bots need while they play. Clones are the same host; dropping the last one ends all processes that
/// it has started, as far as they can be ended.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

struct Inner {
    program: Program,
    /// What bots in our own process are loaded from.
    libraries: Arc<Libraries>,
    #[cfg(target_os = "linux")]
    contained: contained::Supervisors,
}

impl Host {
    /// A host whose bots' processes run this program.
    #[must_use]
    pub fn new() -> Host {
        Host::of(Program::default())
    }

    /// A host whose bots' processes run another program than this one: for programs that use this library without
    /// being `arbiter`, such as tests and benchmarks.
    pub fn with_program(path: impl Into<PathBuf>) -> Host {
        Host::of(Program::at(path.into()))
    }

    fn of(program: Program) -> Host {
        Host(Arc::new(Inner {
            #[cfg(target_os = "linux")]
            contained: contained::Supervisors::new(program.clone()),
            program,
            libraries: Arc::default(),
        }))
    }

    /// Looks at a file, and then loads it in a process of its own to hear what it says of itself.
    ///
    /// # Errors
    /// When it is no bot that can play here, with what it printed.
    pub fn identify(&self, file: impl Into<BotFile>, limits: &Limits) -> Result<Identity, NotLoaded> {
        let core = cores().first().copied();
        let command = BotCommand { limits: *limits, core, ..BotCommand::new(self, file.into()) };
        // Its supervisor and the template start while we read the file.
        self.known_of(&command);
        let file = command.library.look()?.clone();
        let not_begun = |error: NotBegun, printed: String| match error {
            NotBegun::NotLoaded(error) => NotLoaded { error, printed },
            NotBegun::Machine(failure) => {
                let problem = match failure {
                    MachineFailure::NotStarted { problem } => problem,
                    other => other.sentence(),
                };
                NotLoaded { error: LoadError::NotStarted { problem }, printed }
            }
        };
        let mut process = self.start(&command).map_err(|error| not_begun(error, String::new()))?;
        let greeting = process.greeting().map_err(|error| {
            process.end();
            not_begun(error, process.output_tail())
        })?;
        self.learn(&command, process.patience());
        Ok(Identity { file, greeting })
    }

    /// Starts and ends a process without a bot for each of the means of isolation, and so finds out whether they can
    /// be had here.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check(&self, isolation: Isolation) -> Result<(), Unavailable> {
        isolation.means().try_for_each(|means| {
            let tried = self.try_process(Isolation::of(&[means]));
            tried.map_err(|error| Unavailable { means, problem: error.to_string() })
        })
    }

    /// Starts a process for a bot, and does not wait for it.
    fn start(&self, command: &BotCommand) -> Result<BotProcess, NotBegun> {
        let path = std::path::absolute(command.library.path());
        let name = path.map_err(|error| LoadError::unreadable(command.library.path(), &error))?;
        command.library.open()?;
        let (patience, housekeeping) = self.known_of(command);
        let (sequence, mut request) = (wire::next(0), Vec::new());
        write(&Request::Load(&name.display().to_string()), &mut request);
        let prepare = |block: &Block| {
            block.request.put(sequence, &request, Part::Last);
            block.stop.store(stop_word(sequence, arbiter_plugin_api::raw::ABANDON), Ordering::SeqCst);
        };
        let handle = self.launch(command, prepare)?;
        Ok(BotProcess::of(handle, command.limits, housekeeping, patience))
    }

    fn launch(
        &self,
        command: &BotCommand,
        prepare: impl FnOnce(&Block),
    ) -> Result<Box<dyn ProcessHandle>, NotBegun> {
        let not_started =
            |error: io::Error| NotBegun::Machine(MachineFailure::NotStarted { problem: error.to_string() });
        #[cfg(target_os = "linux")]
        if command.limits.sandbox.is_contained() {
            return self.0.contained.launch(command, prepare).map_err(not_started);
        }
        command.library.unchanged()?;
        let child = plain::Child::start(&self.0.program, command, prepare).map_err(not_started)?;
        Ok(Box::new(child))
    }

    /// What is known of the core that a bot is to run on: how long to yield before sleeping, and how much processor time
    /// our own side of a bot's process needs between questions.
    fn known_of(&self, command: &BotCommand) -> (Patience, Duration) {
        #[cfg(target_os = "linux")]
        if command.limits.sandbox.is_contained() {
            return self.0.contained.known_of(command);
        }
        let _ = command;
        (Patience::default(), Duration::ZERO)
    }

    /// Stores what a game has learnt about its core, for the next game there.
    fn learn(&self, command: &BotCommand, patience: Patience) {
        #[cfg(target_os = "linux")]
        self.0.contained.learn(command, patience);
        let _ = (command, patience);
    }

    fn try_process(&self, isolation: Isolation) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        return self.0.contained.try_process(isolation);
        #[cfg(not(target_os = "linux"))]
        {
            let _ = isolation;
            Err(io::Error::new(io::ErrorKind::Unsupported, isolation::CONTAINED_ONLY))
        }
    }

    fn libraries(&self) -> &Arc<Libraries> {
        &self.0.libraries
    }
}

impl Default for Host {
    fn default() -> Host {
        Host::new()
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Host")
    }
}

/// Who a bot is, for `arbiter inspect` and for match records: what its file shows, and what it says of itself. All texts
/// are the bot's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// What the file shows.
    pub file: Look,
    /// What the bot says.
    pub greeting: Greeting,
}

/// The exit code of a process that was not started by a referee.
const NOT_FOR_PEOPLE: u8 = 2;

/// The whole life of the hidden verb: runs bots as a referee orders. `args` are the arguments after the verb.
pub fn child_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    let args: Option<Vec<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    let ran = match args.as_deref() {
        Some([plain::MARK, words @ ..]) => plain::run(words),
        #[cfg(target_os = "linux")]
        Some([parent, words @ ..]) => template::process::run(parent, words),
        _ => None,
    };
    ran.unwrap_or_else(|| {
        say("this verb is for arbiter itself: it runs bots in processes of their own");
        ExitCode::from(NOT_FOR_PEOPLE)
    })
}

/// Contained processes, which Linux alone has.
#[cfg(target_os = "linux")]
mod contained {
    use super::process::ProcessHandle;
    use super::program::Program;
    use super::sandbox::{self, Bounds, Counted, Group, Groups};
    use super::supervisor::Supervisor;
    use super::template::Kind;
    use super::wire::{Block, Part, Patience};
    use super::{BotCommand, Isolation, Limits};
    use std::io;
    use std::sync::atomic::AtomicU32;
    use std::sync::{Arc, Mutex, Once, PoisonError};
    use std::time::Duration;

    /// The supervisors of a host, made as they are needed.
    pub(super) struct Supervisors {
        program: Program,
        known: Mutex<Vec<(Kind, Arc<Supervisor>)>>,
        groups: Groups,
        /// How many filters of system calls have been installed.
        filters: Arc<AtomicU32>,
    }

    impl Supervisors {
        pub(super) fn new(program: Program) -> Supervisors {
            Supervisors {
                program,
                known: Mutex::default(),
                groups: Groups::default(),
                filters: Arc::default(),
            }
        }

        pub(super) fn launch(
            &self,
            command: &BotCommand,
            prepare: impl FnOnce(&Block),
        ) -> io::Result<Box<dyn ProcessHandle>> {
            let kind = kind(&command.limits, command.core);
            let group = self.group(&command.limits, &kind)?;
            Ok(Box::new(self.of(kind)?.launch(Some(&command.library), group, prepare)?))
        }

        /// Starts a process and sends it a request that it cannot read, so that it ends at once.
        pub(super) fn try_process(&self, isolation: Isolation) -> io::Result<()> {
            const LONGEST: Duration = Duration::from_millis(2500);
            if super::procfs::stuck_workers().is_some() {
                return Err(super::template::does_not_answer());
            }
            let limits = Limits { isolation, ..Limits::default() };
            let kind = kind(&limits, None);
            let group = self.group(&limits, &kind)?;
            let nonsense = |block: &Block| block.request.put(super::wire::next(0), &[], Part::Last);
            let tried = self.of(kind)?.launch(None, group, nonsense)?;
            let ended = tried.report().exit_within(LONGEST);
            match (tried.report().start_problem(), ended) {
                (Some(problem), _) => Err(io::Error::other(problem)),
                (None, Some(_)) => Ok(()),
                (None, None) => Err(super::template::does_not_answer()),
            }
        }

        pub(super) fn known_of(&self, command: &BotCommand) -> (Patience, Duration) {
            self.of(kind(&command.limits, command.core))
                .map_or_else(|_| Default::default(), |known| known.known())
        }

        pub(super) fn learn(&self, command: &BotCommand, patience: Patience) {
            let kind = kind(&command.limits, command.core);
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, supervisor)) = known.iter().find(|(known, _)| *known == kind) {
                supervisor.learn(patience);
            }
        }

        /// The control group of a bot, where it is to have one.
        fn group(&self, limits: &Limits, kind: &Kind) -> io::Result<Option<Group>> {
            let Bounds { memory, threads, .. } = kind.bounds;
            limits.isolation.cgroup.then(|| self.groups.make(memory, threads)).transpose()
        }

        /// The supervisor of bots of a kind.
        fn of(&self, kind: Kind) -> io::Result<Arc<Supervisor>> {
            guard_referee();
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.retain(|(_, supervisor)| !supervisor.has_ended());
            if let Some((_, supervisor)) = known.iter().find(|(known, _)| *known == kind) {
                return Ok(Arc::clone(supervisor));
            }
            let supervisor =
                Arc::new(Supervisor::start(kind, self.program.clone(), Arc::clone(&self.filters))?);
            known.push((kind, Arc::clone(&supervisor)));
            Ok(supervisor)
        }
    }

    fn kind(limits: &Limits, core: Option<usize>) -> Kind {
        let threads = limits.threads.saturating_add(Limits::SPARE_THREADS);
        let counted = if limits.isolation.cgroup { Counted::AsUsed } else { Counted::AsReserved };
        let bounds = Bounds { memory: limits.memory, threads, counted };
        Kind { core, sandbox: limits.sandbox, namespaces: limits.isolation.namespaces, bounds }
    }

    /// Sets up the referee's own process before its first bot.
    fn guard_referee() {
        static DONE: Once = Once::new();
        DONE.call_once(|| {
            sandbox::guard_referee();
            hear_of_ends();
        });
    }

    /// If our parent ignored SIGCHLD (`trap '' CHLD`), we have inherited that, and the kernel would not keep the exit
    /// status of bots for us.
    fn hear_of_ends() {
        // SAFETY: asks for the action of a signal, into a variable of ours; all zeros is a valid one.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: as above.
        unsafe { libc::sigaction(libc::SIGCHLD, std::ptr::null(), &raw mut action) };
        if action.sa_sigaction == libc::SIG_IGN || action.sa_flags & libc::SA_NOCLDWAIT != 0 {
            // SAFETY: no handler is installed.
            unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
        }
    }
}
