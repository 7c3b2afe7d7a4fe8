//! Why a library is no bot that can play here.

use super::library::is_of_std;
use crate::host::machine::is_full;
use crate::host::message::{LONGEST_MESSAGE, cut};
use crate::verdict::{Failure, Fault, MachineFailure};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// Why a bot cannot be loaded. The message says what is wrong; [`hint`](LoadError::hint) what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum LoadError {
    /// `similar` is nothing, or asks in parentheses whether another name was meant.
    #[error("there is no file `{path}`{similar}")]
    NotFound { path: String, similar: String },
    #[error("it is a program, which talks through pipes: there is nothing to load")]
    IsProgram,
    #[error("its name `{0}` is not text in UTF-8; give it another one")]
    NotText(String),
    #[error("`{path}` is {what}, not a file")]
    NotAFile { path: String, what: String },
    #[error("`{path}` cannot be read: {problem}")]
    Unreadable { path: String, problem: String },
    #[error("`{0}` has been changed since the match began")]
    Changed(String),
    #[error("it is {0}, not a shared library")]
    NotALibrary(String),
    #[error("it is a library for {found}; this arbiter runs on {ours}")]
    OtherSystem { found: String, ours: String },
    #[error("it was built for {found}; this arbiter runs on {ours}")]
    OtherMachine { found: String, ours: String },
    #[error("the file is cut short: it has {found} bytes and needs {needed}")]
    CutShort { needed: u64, found: u64 },
    #[error("the file is damaged: {0}")]
    Damaged(String),
    #[error("it exports `{0}` instead of the C function `arbiter_bot_v1`")]
    Mangled(String),
    #[error("it has a function `arbiter_bot_v1` but does not export it")]
    NotExported,
    #[error("it exports `arbiter_bot_v{0}` only: it was built for plugin ABI {0}; this arbiter speaks ABI 1")]
    TooNew(u32),
    #[error("it does not export the function `arbiter_bot_v1`, so it is no bot")]
    NoEntryPoint,
    #[error("the system cannot load it: {0}")]
    NotOpened(String),
    #[error("its `arbiter_bot_v1` returned null: it refuses this version of arbiter")]
    Refused,
    #[error("its table begins with 0x{0:08x} instead of ARBITER_MAGIC")]
    WrongMagic(u32),
    #[error("its table says plugin ABI {0}; `arbiter_bot_v1` must return one of ABI 1")]
    WrongAbi(u32),
    #[error("its table says that it is {0} bytes long, which leaves no room for `choose_move`")]
    TableTooShort(u32),
    #[error("its table has no `{0}`, which is required")]
    FieldMissing(String),
    #[error("the `{field}` in its table is longer than {limit} bytes")]
    TextTooLong { field: String, limit: usize },
    #[error("it is a bridge, which lets files in another language play, and no bot by itself")]
    Bridge,
    #[error("bots in {language} need the bridge {library}, which is not in {looked_in}")]
    NoBridge { language: String, library: String, looked_in: String },
    #[error("ARBITER_BRIDGES names {0}, which is no folder, or not by its whole path")]
    NoBridgeFolder(String),
    #[error("bots in {language} cannot run here: {problem}")]
    NoRuntime { language: String, problem: String },
    /// The bridge does not make a bot of its file: an error of the script, for instance.
    #[error("{0}")]
    NotBegun(String),
    #[error("`{0}` is not a library, and cannot be given a file of its own")]
    TwoPayloads(String),
    #[error("bots that are not libraries run in processes of their own")]
    NeedsProcess,
    /// Its process failed while it was being loaded.
    #[error("it {0}")]
    Failed(String),
    /// What the machine did, which is not the bot's fault. No process of a bot can say this, only our own side.
    #[serde(skip)]
    #[error("{}", of_machine(.0))]
    Machine(MachineFailure),
}

fn of_machine(failure: &MachineFailure) -> String {
    match failure {
        MachineFailure::NotStarted { problem } => format!("no process could be started for it: {problem}"),
        other => format!("it {}", other.sentence()),
    }
}

/// Why a bot cannot be loaded, and the end of what it printed until then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct NotLoaded {
    /// Why.
    pub error: LoadError,
    /// What it printed, from constructors or its entry point. Hostile text.
    pub printed: String,
}

impl From<LoadError> for NotLoaded {
    fn from(error: LoadError) -> NotLoaded {
        NotLoaded { error, printed: String::new() }
    }
}

/// What it means for a game that a bot is not loaded.
impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        match error {
            LoadError::Machine(failure) => failure.into(),
            error => Fault::NotLoaded { problem: error.to_string() }.into(),
        }
    }
}

impl LoadError {
    /// What keeps the machine from starting a process for it.
    pub(in crate::host) fn not_started(problem: impl ToString) -> LoadError {
        LoadError::Machine(MachineFailure::not_started(problem))
    }

    /// A process has failed while a bot was being loaded in it.
    pub(in crate::host) fn of_process(failure: Failure) -> LoadError {
        match failure {
            Failure::Machine(failure) => LoadError::Machine(failure),
            Failure::Fault(fault) => LoadError::Failed(fault.sentence()),
        }
    }

    /// A file that the system did not let us look at.
    pub(in crate::host) fn unreadable(path: &Path, error: &io::Error) -> LoadError {
        let path = path.display().to_string();
        match error.kind() {
            io::ErrorKind::NotFound if ["program:", "gtp:"].iter().any(|kind| path.starts_with(kind)) => {
                LoadError::IsProgram
            }
            io::ErrorKind::NotFound => LoadError::NotFound { path, similar: String::new() },
            io::ErrorKind::OutOfMemory => {
                LoadError::not_started(format!("there is too little memory to read `{path}`"))
            }
            io::ErrorKind::FileTooLarge => {
                LoadError::not_started(format!("`{path}` is larger than a file may be here (ulimit -f)"))
            }
            _ if is_full(error) => LoadError::not_started(format!("`{path}` cannot be read: {error}")),
            _ => LoadError::Unreadable { path, problem: error.to_string() },
        }
    }

    /// A bot's process says that the machine did not let it get ready. That is believed of our own code alone: a bot may
    /// have overwritten it.
    pub(in crate::host) fn not_ready(problem: String, has_run_our_code_only: bool) -> LoadError {
        let error = LoadError::not_started(problem);
        if has_run_our_code_only { error } else { LoadError::NotBegun(error.to_string()).shortened() }
    }

    /// With a limit: what a script raises may be as long as it likes, and what a bot forges.
    pub(in crate::host) fn shortened(self) -> LoadError {
        let mut text = self.to_string();
        if text.len() <= LONGEST_MESSAGE {
            return self;
        }
        cut(&mut text, LONGEST_MESSAGE);
        LoadError::NotBegun(text)
    }

    /// What the machine could not do, where the bot is not to blame: it may be loaded another time.
    pub fn of_machine(&self) -> Option<MachineFailure> {
        if let LoadError::Machine(failure) = self { Some(failure.clone()) } else { None }
    }

    /// What to do about it, where its message does not say so.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            LoadError::IsProgram => {
                "a plugin or script; a program is tried out by playing: arbiter 'program:CMD' random --game GAME --games 4"
            }
            LoadError::NotFound { .. } => {
                "check the path; bots are shared libraries, scripts such as ./bot.py, or those that `arbiter bots` names"
            }
            LoadError::NotText(_) => "rename the file: reports and commands name it",
            LoadError::NotAFile { .. } => {
                "name the library itself; a folder is a bot where a bot.py lies in it, and `arbiter bots DIR` lists those in it"
            }
            LoadError::Unreadable { .. } => {
                "see that it is an ordinary file which you may read, in folders which you may enter"
            }
            LoadError::Changed(_) => {
                "let bots alone while they play: build them into another folder, and play the match again"
            }
            LoadError::NotALibrary(_) => {
                "build a shared library (with -shared in C, crate-type = [\"cdylib\"] in Rust), or let a program play through \
                 pipes, not contained: 'program:CMD'"
            }
            LoadError::OtherSystem { .. } | LoadError::OtherMachine { .. } => "build the bot on this machine",
            LoadError::CutShort { .. } | LoadError::Damaged(_) => "copy or build the file again",
            LoadError::Mangled(_) => {
                "have the compiler leave the name as it is: extern \"C\" or ARBITER_BOT_CLASS of arbiter_bot.hpp in C++, extern(C) in D, bind(c) in Fortran"
            }
            LoadError::NotExported => {
                "give the function default visibility: ARBITER_BOT does, and so does ARBITER_EXPORT"
            }
            LoadError::TooNew(_) => "use a newer arbiter, or export `arbiter_bot_v1` as well",
            LoadError::NoEntryPoint => {
                "use ARBITER_BOT(...) of arbiter_bot.h in C, ARBITER_BOT_CLASS of arbiter_bot.hpp in C++, or export_bot! of arbiter-plugin-api in \
                 Rust; a program that talks over pipes is named as program:CMD"
            }
            LoadError::NotOpened(problem) if is_left_out(problem) => {
                "a source file or a library is missing from the command that links the bot"
            }
            LoadError::NotOpened(problem) if problem.contains("failed to map segment") => {
                "give it more memory than its static arrays take (--memory MIB), or allocate them by arbiter_game.memory"
            }
            LoadError::NotOpened(_) => {
                "build the bot on this machine, or link what is missing into it (C++: -static-libstdc++ -static-libgcc)"
            }
            LoadError::Refused => "ask the author of the bot which arbiter it wants",
            LoadError::WrongMagic(_) | LoadError::WrongAbi(_) | LoadError::TableTooShort(_) => {
                "fill the table with ARBITER_BOT of arbiter_bot.h, which sets magic, abi and struct_size"
            }
            LoadError::FieldMissing(_) => {
                "name it where the table is filled: ARBITER_BOT(.name = \"Mine\", .choose_move = choose)"
            }
            LoadError::TextTooLong { .. } => "shorten the text",
            LoadError::Bridge => "name the file that it is to play: ./bot.py",
            LoadError::NoBridge { .. } => {
                "build all of arbiter (cargo build --release), name the bridge (--bridge .ext=PLUGIN) or put its folder into \
                 ARBITER_BRIDGES"
            }
            LoadError::NoBridgeFolder(_) => {
                "set it to the whole path of a folder with bridges in it, or unset it"
            }
            LoadError::NoRuntime { .. } => "arbiter doctor tells what each language lacks here",
            // The script's own words.
            LoadError::NotBegun(_) => return None,
            LoadError::TwoPayloads(_) => "put both into a folder, and name that",
            LoadError::NeedsProcess => "leave --in-process out",
            LoadError::Failed(_) => {
                "loading must do no work: that is constructors and arbiter_bot_v1 of a library, and what a script does outside its class; \
                 move it into create (__init__) or new_game; a large runtime may need more time, --prepare-time 30s in a match, or \
                 --sandbox wide where a system call ends it"
            }
            LoadError::Machine(_) => {
                "this is a failure of the machine: look at its memory and its limits (ulimit -f, -n, -u, -v); `arbiter doctor` says more"
            }
        })
    }
}

/// Whether a library cannot be loaded for want of a function that is none of the standard library of C++.
fn is_left_out(problem: &str) -> bool {
    let Some((_, symbol)) = problem.split_once("undefined symbol: ") else { return false };
    let is_of_cpp = is_of_std(symbol.as_bytes()) || symbol.starts_with("__") || symbol.contains("__cxxabiv1");
    !is_of_cpp
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_was_not_linked_is_told_from_a_library_that_is_not_here() {
        let hint = |symbol: &str| {
            let problem = format!("./bot.so: undefined symbol: {symbol}");
            LoadError::NotOpened(problem).hint().unwrap_or_default()
        };
        for own in ["_Z8evaluateRK12arbiter_turn", "evaluate", "_Z1fRKSt6vectorIiSaIiEE"] {
            assert!(hint(own).contains("a source file or a library is missing"), "{own}");
        }
        for of_cpp in
            ["_ZNSt6thread4joinEv", "_ZSt4cout", "__cxa_throw", "_ZTVN10__cxxabiv117__class_type_infoE"]
        {
            assert!(hint(of_cpp).contains("-static-libstdc++"), "{of_cpp}");
        }
    }

    #[test]
    fn a_bot_that_forges_why_it_is_not_loaded_fills_no_screen() {
        let forged = LoadError::NotOpened("x".repeat(100_000)).shortened();
        assert_eq!(forged.to_string().len(), LONGEST_MESSAGE);
        assert_eq!(LoadError::not_ready("x".repeat(100_000), false).to_string().len(), LONGEST_MESSAGE);
        assert_eq!(LoadError::NoEntryPoint.shortened(), LoadError::NoEntryPoint);
    }

    /// Otherwise a bot could end a league for everybody.
    #[test]
    fn a_bot_that_blames_the_machine_is_not_believed() {
        let said =
            |has_run_our_code_only| LoadError::not_ready("no memory".to_owned(), has_run_our_code_only);
        assert!(said(true).of_machine().is_some());
        assert!(matches!(said(false).into(), Failure::Fault(Fault::NotLoaded { .. })));
        assert!(postcard::to_stdvec(&said(true)).is_err(), "it says this in no other way");
    }

    /// Otherwise an honest bot would lose because there is too little memory to read its file, or too many files are open.
    #[test]
    fn a_bot_that_the_machine_cannot_read_does_not_lose() {
        let mut full = vec![io::ErrorKind::OutOfMemory.into()];
        #[cfg(unix)]
        full.extend([libc::EMFILE, libc::ENFILE].map(io::Error::from_raw_os_error));
        for error in full {
            let failure: Failure = LoadError::unreadable(Path::new("bot.so"), &error).into();
            assert!(matches!(failure, Failure::Machine(MachineFailure::NotStarted { .. })), "{error}");
        }
    }
}
