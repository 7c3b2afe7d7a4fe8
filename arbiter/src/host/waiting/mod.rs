//! How one process waits until another writes into the memory that they share.

#[cfg(target_os = "linux")]
mod futex;
#[cfg(any(test, not(target_os = "linux")))]
mod naps;

#[cfg(target_os = "linux")]
pub(super) use futex::{sleep_while, wake};
#[cfg(not(target_os = "linux"))]
pub(super) use naps::{sleep_while, wake};
