//! Environment variables that stand for arguments, as the programs before arbiter had them.

/// `DEBUG`: whether bots shall say what they thought. Empty and `0` mean no.
pub(super) fn debug() -> bool {
    std::env::var_os("DEBUG").is_some_and(|value| !value.is_empty() && value != "0")
}
