//! Environment variables that stand for arguments, as the programs before arbiter had them.

use std::path::PathBuf;

/// `DEBUG`: whether bots shall say what they thought. Empty and `0` mean no.
pub(super) fn debug() -> bool {
    std::env::var_os("DEBUG").is_some_and(|value| !value.is_empty() && value != "0")
}

/// `SMPATH`: the folder for pictures where `--pictures` does not name one.
pub(super) fn pictures() -> Option<PathBuf> {
    std::env::var_os("SMPATH").filter(|value| !value.is_empty()).map(PathBuf::from)
}
