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
mod bridges;
mod clock;
mod cores;
mod executable;
mod file;
mod futex;
mod limits;
pub mod machine;
mod memory;
mod message;
mod payload;
mod plain;
mod players;
mod plugin;
mod process;
#[cfg(target_os = "linux")]
mod procfs;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod signal_handlers;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod stand_ins;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod template;
mod wire;

pub use bridges::BridgeChoice;
pub use cores::{cores, stay_on};
pub use executable::VERB;
pub use file::BotFile;
pub use limits::{CAN_STOP, Isolation, Limits, Means, Sandbox, Unavailable};
pub use message::Greeting;
pub(crate) use message::HOW_IDS_ARE_WRITTEN;
pub use players::{BotCommand, Sandboxed};
pub use plugin::{InProcess, LoadError, Look, NotLoaded};

use crate::verdict::MachineFailure;
use bot_process::BotProcess;
use bridges::Bridges;
use executable::Executable;
use message::{Load, LoadPayload, Request, write};
use parking_lot::Mutex;
use plugin::{Libraries, say, stop_word};
use process::Handle;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use wire::{Block, Part};

/// Everything that bots need while they play. Clones are the same host; dropping the last one ends all processes that
/// it has started, as far as they can be ended.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

struct Inner {
    executable: Executable,
    bridges: Arc<Bridges>,
    libraries: Libraries,
    cores: Vec<usize>,
    /// Processes of bots that have said who they are and are about to play, each with its file and its core.
    early: Mutex<Vec<(BotFile, Option<usize>, BotProcess)>>,
    #[cfg(target_os = "linux")]
    contained: supervisor::Supervisors,
}

impl Host {
    /// Another host, for the same program, with bridges as the user wants them.
    pub fn choosing(&self, bridges: BridgeChoice) -> Host {
        Host::of(self.0.executable.clone(), bridges)
    }

    /// A host whose bots' processes have another executable than this program's: for programs that use this library without
    /// being `arbiter`, such as tests and benchmarks.
    pub fn with_executable(path: impl Into<PathBuf>) -> Host {
        Host::of(Executable(Some(path.into())), BridgeChoice::default())
    }

    fn of(executable: Executable, bridges: BridgeChoice) -> Host {
        Host(Arc::new(Inner {
            #[cfg(target_os = "linux")]
            contained: supervisor::Supervisors::new(executable.clone()),
            bridges: Arc::new(Bridges::new(executable.clone(), bridges)),
            executable,
            libraries: Libraries::default(),
            cores: cores::cores(),
            early: Mutex::default(),
        }))
    }

    /// The cores that games may be played on, by their numbers, in the order in which workers take them. Empty where the
    /// system does not tell.
    pub fn cores(&self) -> &[usize] {
        &self.0.cores
    }

    /// How many threads of a bot with these limits can run at the same time here. That is what it is told, and what its
    /// processor time is divided by: threads that have to share a core buy no time.
    pub(crate) fn threads_at_once(&self, limits: &Limits) -> u32 {
        let cores = u32::try_from(self.cores().len()).unwrap_or(u32::MAX);
        if cores == 0 { limits.threads } else { limits.threads.min(cores) }
    }

    /// A bot as people name it: `./bot.so`, `./bot.so+weights.bin`, `./bot.py`, or `greedy` for one that came with the
    /// program, where there is no file of that name.
    pub fn bot(&self, named: impl Into<PathBuf>) -> BotFile {
        let named = named.into();
        let own = if named.exists() { None } else { named.to_str().and_then(|name| self.own_bot(name)) };
        BotFile::named(own.unwrap_or(named), &self.0.bridges)
    }

    /// The names of the bots that came with the program.
    pub fn own_bots(&self) -> Vec<String> {
        self.0.executable.libraries().into_keys().collect()
    }

    /// The file of a bot that came with the program, by its name.
    pub fn own_bot(&self, name: &str) -> Option<PathBuf> {
        self.0.executable.libraries().remove(name)
    }

    /// What may be a bot in a folder, but for hidden files. Without a folder: in the current one, and the names of the bots
    /// that came with the program.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn bots_in(&self, folder: Option<&Path>) -> io::Result<Vec<PathBuf>> {
        let files = std::fs::read_dir(folder.unwrap_or(Path::new(".")))?;
        let mut bots: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        // What macOS puts beside every file that is copied begins with a dot and ends as the file does.
        let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
        bots.retain(|path| self.may_be_bot(path) && !is_hidden(path));
        bots.sort();
        if folder.is_none() {
            bots.extend(self.own_bots().into_iter().map(PathBuf::from));
        }
        Ok(bots)
    }

    /// Every language that has a bridge of ours: its name, and what runs it here or why nothing does.
    pub fn languages(&self) -> Vec<(&'static str, Result<String, LoadError>)> {
        self.0.bridges.all()
    }

    /// Whether a file or folder can be a bot by its name: a library, or what a bridge plays.
    pub fn may_be_bot(&self, file: &Path) -> bool {
        file.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION)
            || self.0.bridges.play(file)
    }

    /// Looks at a bot's file, and then loads it in a process of its own to hear what it says of itself.
    ///
    /// # Errors
    /// When it is no bot that can play here, with what it printed.
    pub fn identify(&self, command: &BotCommand) -> Result<Greeting, NotLoaded> {
        self.greet(command).map(|(greeting, _)| greeting)
    }

    /// The same of a bot that is about to play. Its process stays: it is the one that is started first for a bot of the
    /// same file with the same limits on the same core.
    ///
    /// # Errors
    /// As above.
    pub fn identify_to_play(&self, command: &BotCommand) -> Result<Greeting, NotLoaded> {
        let (greeting, process) = self.greet(command)?;
        self.0.early.lock().push((command.file.clone(), command.core, process));
        Ok(greeting)
    }

    fn greet(&self, command: &BotCommand) -> Result<(Greeting, BotProcess), NotLoaded> {
        // Its supervisor and the template start while we read the file, on another core than ours where there is one: the
        // system would leave them here.
        #[cfg(target_os = "linux")]
        self.0
            .contained
            .warm_up(command, self.cores().iter().copied().find(|core| Some(*core) != command.core));
        let mut process = self.start(command)?;
        let greeting = process.greeting().cloned().map_err(|error| {
            process.end();
            let error = command.file.explained(error);
            NotLoaded { error, printed: process.output_tail() }
        })?;
        Ok((greeting, process))
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

    /// Starts and ends a contained process without a bot.
    ///
    /// # Errors
    /// What is in the way of every bot.
    pub fn can_start(&self) -> Result<(), MachineFailure> {
        let tried = self.try_process(Isolation::default());
        tried.map_err(MachineFailure::not_started)
    }

    /// Starts a process for a bot, and does not wait for it.
    fn start(&self, command: &BotCommand) -> Result<BotProcess, LoadError> {
        if let Some(early) = self.early(command) {
            return Ok(early);
        }
        let path = std::path::absolute(command.file.path());
        let name = path.map_err(|error| LoadError::unreadable(command.file.path(), &error))?;
        let opened = command.file.open()?;
        let (sequence, mut request) = (wire::next(0), Vec::new());
        let load = Load {
            name: name.display().to_string(),
            library: opened.library.copy.path.display().to_string(),
            found: opened.bridge.as_ref().map(|bridge| bridge.found.told(&command.limits)),
            payload: opened.payload.as_ref().map(|payload| LoadPayload {
                name: payload.name.clone(),
                sha256: payload.copy.sha256.clone(),
                path: payload.copy.path.display().to_string(),
            }),
        };
        write(&Request::Load(load), &mut request);
        let prepare = |block: &Block| {
            block.request.put(sequence, &request, Part::Last);
            block.stop.store(stop_word(sequence, arbiter_plugin_api::raw::ABANDON), Ordering::SeqCst);
        };
        let threads = self.threads_at_once(&command.limits);
        let shares_core = threads <= 1 && command.core.is_some();
        Ok(BotProcess::of(self.launch(command, prepare)?, command.limits, threads, shares_core))
    }

    /// The process in which a bot said who it is, if it has been asked nothing else and is as it would be started now.
    fn early(&self, command: &BotCommand) -> Option<BotProcess> {
        let mut early = self.0.early.lock();
        let at = early.iter().position(|(file, core, _)| (file, *core) == (&command.file, command.core))?;
        let (_, _, process) = early.swap_remove(at);
        Some(process).filter(|process| command.printed.is_none() && process.is_ready_for(&command.limits))
    }

    fn launch(&self, command: &BotCommand, prepare: impl FnOnce(&Block)) -> Result<Handle, LoadError> {
        #[cfg(target_os = "linux")]
        if command.limits.sandbox.is_contained() {
            return self.0.contained.launch(command, prepare).map_err(LoadError::not_started);
        }
        command.file.unchanged()?;
        plain::start(&self.0.executable, command, prepare).map_err(LoadError::not_started)
    }

    fn try_process(&self, isolation: Isolation) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        return self.0.contained.try_process(isolation);
        // Where no process is contained, the first one of a bot tells whether any can start.
        #[cfg(not(target_os = "linux"))]
        match isolation.means().next() {
            None => Ok(()),
            Some(_) => Err(io::Error::other(limits::CONTAINED_ONLY)),
        }
    }
}

impl Default for Host {
    /// A host whose bots' processes run what comes with this program: `arbiter-host`, or the program itself.
    fn default() -> Host {
        Host::of(Executable::default(), BridgeChoice::default())
    }
}

/// The exit code of a process that was not started by a referee.
const NOT_FOR_PEOPLE: u8 = 2;

/// Runs the hidden verb, under which this program is the process of a bot. `args` are the arguments after the verb.
pub fn child_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    let args: Option<Vec<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    let ran = match args.as_deref() {
        Some([plain::MARK, words @ ..]) => plain::run(words),
        Some([bridges::MARK, words @ ..]) => bridges::answer(words),
        #[cfg(target_os = "linux")]
        Some(words) => template::process::run(words),
        _ => None,
    };
    ran.unwrap_or_else(|| {
        say("this verb is for arbiter itself: it runs bots in processes of their own");
        ExitCode::from(NOT_FOR_PEOPLE)
    })
}
