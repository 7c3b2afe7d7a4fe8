//! Systems whose programs are not stopped.

/// There is nothing to take notice of.
pub(super) fn listen() {}

/// It never has to be.
pub(super) fn take() -> bool {
    false
}

/// As above.
pub(super) fn look() -> bool {
    false
}
