//! Bots in processes of their own, and what becomes of them when they misbehave.

mod faults;
mod plays;
mod support;

pub(crate) use support::c_bot;
