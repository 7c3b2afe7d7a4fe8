//! What bot authors rely on: the header, its Rust mirror, and the guard around a bot.
//!
//! `guard` and `play` also run under Miri, which starts no compilers.

#[cfg(not(miri))]
mod compile;
mod desk;
#[cfg(not(miri))]
mod frozen;
mod guard;
#[cfg(not(miri))]
mod header;
#[cfg(not(miri))]
mod layout;
#[cfg(not(miri))]
mod moves;
mod play;
