//! Why a library is no bot that can play here.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// Why a bot cannot be loaded. The message says what is wrong; [`hint`](LoadError::hint) what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum LoadError {
    /// There is no such file.
    #[error("there is no file `{path}`")]
    NotFound {
        /// Where it was looked for.
        path: String,
    },
    /// The path is not a file.
    #[error("`{path}` is {what}, not a file")]
    NotAFile {
        /// Where it is.
        path: String,
        /// What it is instead.
        what: String,
    },
    /// The file cannot be read.
    #[error("`{path}` cannot be read: {problem}")]
    Unreadable {
        /// Where it is.
        path: String,
        /// What the system says.
        problem: String,
    },
    /// The file has been written since it was read first.
    #[error("`{path}` has been changed since the match began")]
    Changed {
        /// Where it is.
        path: String,
    },
    /// The file is something else than a shared library.
    #[error("it is {what}, not a shared library")]
    NotALibrary {
        /// What it looks like.
        what: String,
    },
    /// The library is for another operating system.
    #[error("it is a library for {found}; this arbiter runs on {ours}")]
    OtherSystem {
        /// What it was built for.
        found: String,
        /// What this program was built for.
        ours: String,
    },
    /// The library is for another processor.
    #[error("it was built for {found}; this arbiter runs on {ours}")]
    OtherMachine {
        /// What it was built for.
        found: String,
        /// What this program was built for.
        ours: String,
    },
    /// The file ends before the library does.
    #[error("the file is cut short: it has {found} bytes and needs {needed}")]
    CutShort {
        /// Bytes that the library's own tables speak of.
        needed: u64,
        /// Bytes in the file.
        found: u64,
    },
    /// The file's own tables make no sense.
    #[error("the file is damaged: {problem}")]
    Damaged {
        /// What is wrong.
        problem: String,
    },
    /// The entry point is a C++ function.
    #[error("it exports the C++ function `{symbol}` instead of the C function `arbiter_bot_v1`")]
    Mangled {
        /// The mangled name.
        symbol: String,
    },
    /// The entry point is there, but not for others to see.
    #[error("it has a function `arbiter_bot_v1` but does not export it")]
    NotExported,
    /// The bot is for a later arbiter.
    #[error("it exports `{symbol}` only: it was built for plugin ABI {major}; this arbiter speaks ABI 1")]
    TooNew {
        /// The entry point that was found.
        symbol: String,
        /// The version of the ABI in its name.
        major: u32,
    },
    /// There is no entry point.
    #[error("it does not export the function `arbiter_bot_v1`, so it is no bot")]
    NoEntryPoint,
    /// The system's loader does not open it.
    #[error("the system cannot load it: {message}")]
    NotOpened {
        /// What the loader says.
        message: String,
    },
    /// The entry point returned null.
    #[error("its `arbiter_bot_v1` returned null: it refuses this version of arbiter")]
    Refused,
    /// The table does not begin as it must.
    #[error("its table begins with 0x{magic:08x} instead of ARBITER_MAGIC")]
    WrongMagic {
        /// The first field.
        magic: u32,
    },
    /// The table is of another ABI.
    #[error("its table says plugin ABI {major}; `arbiter_bot_v1` must return one of ABI 1")]
    WrongAbi {
        /// The version it says.
        major: u32,
    },
    /// The table is too short.
    #[error("its table says that it is {size} bytes long, which leaves no room for `choose_move`")]
    TableTooShort {
        /// The length it says.
        size: u32,
    },
    /// A required field is missing.
    #[error("its table has no `{field}`, which is required")]
    FieldMissing {
        /// The name of the field.
        field: FieldName,
    },
    /// A text is longer than allowed.
    #[error("the `{field}` in its table is longer than {limit} bytes")]
    TextTooLong {
        /// The field.
        field: TextField,
        /// What is allowed.
        limit: usize,
    },
    /// Its process failed while it was being loaded.
    #[error("it {what}")]
    Failed {
        /// What happened, in words that continue a sentence.
        what: String,
    },
    /// Its process could not be started, which is not the bot's fault.
    #[error("no process could be started for it: {problem}")]
    NotStarted {
        /// What the system says.
        problem: String,
    },
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

/// A field of the table that must not be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldName {
    /// `name`.
    Name,
    /// `choose_move`.
    ChooseMove,
}

/// A text of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextField {
    /// `name`.
    Name,
    /// `version`.
    Version,
    /// `author`.
    Author,
    /// `about`.
    About,
    /// `games`.
    Games,
}

impl fmt::Display for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FieldName::Name => "name",
            FieldName::ChooseMove => "choose_move",
        })
    }
}

impl fmt::Display for TextField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextField::Name => "name",
            TextField::Version => "version",
            TextField::Author => "author",
            TextField::About => "about",
            TextField::Games => "games",
        })
    }
}

impl LoadError {
    /// A file that the system did not let us look at.
    pub(in crate::host) fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
        let path = path.display().to_string();
        match error.kind() {
            std::io::ErrorKind::NotFound => LoadError::NotFound { path },
            _ => LoadError::Unreadable { path, problem: error.to_string() },
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            LoadError::NotFound { .. } => "check the path; bots are shared libraries",
            LoadError::NotAFile { .. } => "name the library itself",
            LoadError::Unreadable { .. } => "check the permissions of the file and of the folders above it",
            LoadError::Changed { .. } => {
                "let bots alone while they play: build them into another folder, and play the match again"
            }
            LoadError::NotALibrary { .. } => {
                "build a shared library: with -shared in C, crate-type = [\"cdylib\"] in Rust"
            }
            LoadError::OtherSystem { .. } | LoadError::OtherMachine { .. } => "build the bot on this machine",
            LoadError::CutShort { .. } | LoadError::Damaged { .. } => "copy or build the file again",
            LoadError::Mangled { .. } => {
                "put extern \"C\" before the function, or use ARBITER_BOT_CLASS of arbiter_bot.hpp"
            }
            LoadError::NotExported => {
                "give the function default visibility: ARBITER_BOT does, and so does ARBITER_EXPORT"
            }
            LoadError::TooNew { .. } => "use a newer arbiter, or export `arbiter_bot_v1` as well",
            LoadError::NoEntryPoint => {
                "use ARBITER_BOT(...) of arbiter_bot.h in C, or export_bot! of arbiter-plugin-api in Rust"
            }
            LoadError::NotOpened { .. } => {
                "build the bot on this machine, or link what is missing into it (C++: -static-libstdc++ -static-libgcc)"
            }
            LoadError::Refused => "ask the author of the bot which arbiter it wants",
            LoadError::WrongMagic { .. }
            | LoadError::WrongAbi { .. }
            | LoadError::TableTooShort { .. }
            | LoadError::FieldMissing { .. } => {
                "fill the table with ARBITER_BOT of arbiter_bot.h, which sets magic, abi and struct_size"
            }
            LoadError::TextTooLong { .. } => "shorten the text",
            LoadError::Failed { .. } => {
                "constructors and arbiter_bot_v1 must only return the table: move work into create or new_game"
            }
            LoadError::NotStarted { .. } => {
                "this is a failure of the machine: look at its memory and its limits"
            }
        }
    }
}
