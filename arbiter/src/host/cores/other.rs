//! Systems on which threads go where the system puts them.

/// The cores that this program may use. Empty: this system does not tell.
#[must_use]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// Keeps the calling thread on a core where the system has a way to.
pub fn stay_on(_core: usize) {}

/// Runs the calling thread as soon as it is woken where the system has a way to.
pub(in super::super) fn be_prompt() {}
