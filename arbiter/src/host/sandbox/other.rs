//! Systems where a bot's process is only a process: nothing is taken from it.

use super::Bounds;
use crate::host::Sandbox;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Leaves it to the process to notice that nobody speaks to it any more.
pub(in super::super) fn die_with(_parent: u32) -> io::Result<()> {
    Ok(())
}

/// Closes nothing.
pub(in super::super) fn close_other_files() -> io::Result<()> {
    Ok(())
}

/// Nothing is made ready.
pub(in super::super) struct Prepared;

impl Prepared {
    /// Makes nothing ready.
    pub(in super::super) fn new() -> io::Result<Prepared> {
        Ok(Prepared)
    }

    /// Confines nothing.
    pub(in super::super) fn confine(self, _bounds: &Bounds) -> io::Result<Option<Listener>> {
        Ok(None)
    }
}

/// Takes nothing away.
pub(in super::super) fn narrow(_sandbox: Sandbox) -> io::Result<()> {
    Ok(())
}

/// Leaves the referee as it is.
pub(in super::super) fn guard_referee() {}

/// How the system calls of bots can be filtered: not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Filters {
    /// They cannot.
    None,
}

/// There are no filters.
pub(in super::super) fn filters() -> Filters {
    Filters::None
}

/// There is no Landlock.
pub(in super::super) fn landlock() -> Option<u32> {
    None
}

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

/// Where a referee would be told of calls: there is none.
#[derive(Debug)]
pub(in super::super) struct Listener(OwnedFd);

/// What a referee would be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Told {
    /// The bot wants another thread.
    WantsThread(u64),
    /// The bot has made a forbidden call.
    Forbidden(Call),
}

impl Listener {
    /// Nothing is ever told.
    pub(in super::super) fn next(&self) -> io::Result<Told> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Nothing is ever asked.
    pub(in super::super) fn answer(&self, _question: u64, _is_allowed: bool) {}
}

impl From<OwnedFd> for Listener {
    fn from(file: OwnedFd) -> Listener {
        Listener(file)
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
