//! Systems where a bot's process is only a process: nothing is taken from it.

/// No signal is sent for forbidden calls.
pub(in super::super) const FORBIDDEN: Option<i32> = None;

/// A system call that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Call {
    /// Its number.
    pub(in super::super) number: u32,
    /// The architecture whose number it is.
    pub(in super::super) arch: u32,
}

impl Call {
    /// Its number.
    pub(in super::super) fn name(self) -> String {
        format!("number {}", self.number)
    }
}
