//! The full-screen view in a real terminal: the program runs in a pseudo-terminal, and the tests see what a person
//! would see.

mod games;
mod hand;
mod manners;
mod pty;
