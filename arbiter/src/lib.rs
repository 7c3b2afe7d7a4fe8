//! arbiter, a tournament referee for board-game AIs: the program as a library.
//!
//! In reading order: [`verdict`] is what can happen in a game, [`player`] whoever fills a seat, [`referee`] the judge
//! of one game, [`host`] the process around a bot; [`tournament`] plays many games, [`record`] saves them and
//! [`statistics`] says what they mean; [`verify`] judges a record again, `check` tries a bot out and [`ask`] asks one
//! for its move, [`report`] prints a record and `page` shows one in a browser, `web` lets people play and watch in one,
//! [`picture`] draws positions and [`tree`] decisions; [`ui`] shows games while they are played; [`cli`] turns arguments into
//! all of this. `ARCHITECTURE.md` says which module may use which.
#![deny(unsafe_code)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "a test may write files and panic"))]

pub mod verdict;

pub mod player;
pub mod referee;

#[expect(unsafe_code, reason = "loading libraries and sharing memory with other processes is what it is for")]
pub mod host;
pub mod program;

pub mod record;
pub mod statistics;
pub mod tournament;
pub mod verify;

pub mod ask;
mod check;

pub mod picture;
pub mod tree;

mod sanitize;

pub mod report;
pub mod ui;

pub(crate) mod page;

pub(crate) mod web;

pub mod cli;
