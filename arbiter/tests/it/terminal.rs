//! The full-screen view in a real terminal: the program runs in a pseudo-terminal, and the tests see what a person
//! would see.

mod agreed;
mod company;
mod games;
mod hand;
mod manners;
pub(crate) mod pty;
mod screens;
mod shows;
