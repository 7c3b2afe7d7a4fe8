//! The first two fields of every file of ours: what it is, and in which version.

use super::schema::FORMAT_VERSION;
use serde::Deserialize;

/// What every file of ours begins with; the rest may be of any version.
#[derive(Debug, Deserialize)]
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
    /// Whether the file is in a format.
    pub(super) fn is(&self, format: &str) -> bool {
        self.format.as_deref() == Some(format)
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
