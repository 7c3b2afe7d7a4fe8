//! What can be wrong with a saved file.

use super::schema::FORMAT_VERSION;
use std::io;
use std::path::{Path, PathBuf};

/// A report or a journal that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum RecordError {
    #[error("cannot read {}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{} is not a match report: {problem}", path.display())]
    NotAReport { path: PathBuf, problem: String },
    #[error("{} has format version {found}; this arbiter reads versions up to {FORMAT_VERSION}", path.display())]
    TooNew { path: PathBuf, found: u64 },
    #[error("cannot read the journal {}", path.display())]
    Journal { path: PathBuf, source: io::Error },
    /// Lines count from 1.
    #[error("{} is no journal, or damaged: line {line}: {problem}", path.display())]
    Damaged { path: PathBuf, line: usize, problem: String },
    #[error("{} has a game {number}, which is none of this match", path.display())]
    Stranger { path: PathBuf, number: u32 },
    #[error("{} has game {number}, but not game {before}, which decides who plays it", path.display())]
    Early { path: PathBuf, number: u32, before: u32 },
    #[error("cannot write the journal {}", path.display())]
    NotWritten { path: PathBuf, source: io::Error },
    #[error("the match of {} is still being played by another arbiter", path.display())]
    InUse { path: PathBuf },
}

impl RecordError {
    /// A file that cannot be read.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> RecordError {
        |source| RecordError::File { path: path.to_owned(), source }
    }

    /// A journal that cannot be read.
    pub(super) fn journal(path: &Path) -> impl FnOnce(io::Error) -> RecordError {
        |source| RecordError::Journal { path: path.to_owned(), source }
    }

    /// A journal that cannot be written.
    pub(super) fn not_written(path: &Path) -> impl FnOnce(io::Error) -> RecordError {
        |source| RecordError::NotWritten { path: path.to_owned(), source }
    }

    /// A journal with a line that cannot be read; lines count from 1.
    pub(super) fn damaged(path: &Path, line: usize, problem: impl Into<String>) -> RecordError {
        RecordError::Damaged { path: path.to_owned(), line, problem: problem.into() }
    }
}
