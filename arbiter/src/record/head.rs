//! The first two fields of every file of ours: what it is, and in which version.

use super::file::ReadError;
use super::schema::{FORMAT_VERSION, MatchReport};
use super::split::{SplitError, Splitter};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// What every file of ours begins with; the rest may be of any version.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Head {
    format: Option<String>,
    format_version: Option<u64>,
}

/// Why a file cannot be read by this version.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// It is something else.
    NotOurs(String),
    /// It comes from a newer arbiter.
    TooNew(u64),
}

impl Head {
    /// The head of a report that has been read.
    pub(super) fn of_report(report: &MatchReport) -> Head {
        let version = u64::from(report.format_version);
        Head { format: Some(report.format.clone()), format_version: Some(version) }
    }

    /// The head of a file: of a journal and a report that arbiter wrote, its first line or lines. Nothing is in it where
    /// there is no JSON.
    pub(super) fn of_file(path: &Path) -> Head {
        let mut head = Head::default();
        if let Ok(file) = File::open(path) {
            // What is wrong with the file is told by whoever reads all of it.
            let _ = head.read_all(BufReader::new(file));
        }
        head
    }

    fn read_all(&mut self, text: impl BufRead) -> Result<(), SplitError> {
        let mut json = Splitter::new(text, 0)?;
        json.object()?;
        while let Some(key) = json.key()? {
            if !self.read(&key, &mut json)? {
                json.pass()?;
            } else if self.is_whole() {
                break;
            }
        }
        Ok(())
    }

    /// Reads the value of a field, if it belongs to the head.
    pub(super) fn read<R: BufRead>(&mut self, key: &str, json: &mut Splitter<R>) -> Result<bool, SplitError> {
        match key {
            "format" => self.format = json.parse()?,
            "format_version" => self.format_version = json.parse()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether both fields have been read.
    pub(super) fn is_whole(&self) -> bool {
        self.format.is_some() && self.format_version.is_some()
    }

    /// Whether the file is in a format.
    pub(super) fn is(&self, format: &str) -> bool {
        self.format.as_deref() == Some(format)
    }

    /// Whether the file is in any format of ours.
    pub(super) fn has_mark(&self) -> bool {
        self.format.as_deref().is_some_and(|format| format.starts_with("arbiter-"))
    }

    /// What is known to be foreign about the file before all of it has been read.
    pub(super) fn foreign(&self, format: &str) -> Option<Foreign> {
        self.is_whole().then(|| self.check(format).err()).flatten()
    }

    /// Refuses other formats and newer versions.
    pub(super) fn check(&self, format: &str) -> Result<(), Foreign> {
        if !self.is(format) {
            return Err(Foreign::NotOurs(format!("it has no \"format\": \"{format}\"")));
        }
        match self.format_version {
            Some(version) if version > u64::from(FORMAT_VERSION) => Err(Foreign::TooNew(version)),
            Some(1..) => Ok(()),
            Some(0) | None => Err(Foreign::NotOurs("it has no \"format_version\" from 1".to_owned())),
        }
    }
}

impl Foreign {
    /// The error about a file that is no report.
    pub(super) fn told(self, path: PathBuf) -> ReadError {
        match self {
            Foreign::NotOurs(problem) => ReadError::NotAReport { path, problem },
            Foreign::TooNew(found) => ReadError::TooNew { path, found },
        }
    }
}
