//! Plays games out in its head, and looks where they go well: Monte Carlo tree search (UCT), for any game and any number
//! of seats.
//!
//! What is clever about it, and switched off by the option `plain=true`:
//!
//! - **Leaves are evaluated** ([`bot_engine::evaluation`]) instead of played out at random, as far as a game
//!   has an evaluation that can be trusted.
//! - **Solver backup** (Winands, Björnsson and Saito 2008): what is won, drawn or lost for sure is never looked at again,
//!   and a position is won as soon as one of its moves is.
//! - **Moves that look good are tried first** (the "PUCT" rule), and a move that wins at once is seen at once. With
//!   more than two seats each of the others is expected to play one of the two moves that bring it most; with more than
//!   four seats, the one. In ultimate the positions after the moves tell which look good, in Hex the current through the cells.
//! - **What can be solved is solved** ([`bot_engine::proof`]): endgames of Othello, connect four, small boards of Hex, with half
//!   of the time. So a lost endgame of Othello is played for the best score, too.
//! - **A draw of ultimate is worth less than half a win**, so that chances to win are kept while there are any.
//!
//! What stays is plain UCT: random games to the end, and the rule UCB1. Every seat looks for its own best in both.
//! Earthquakes are drawn anew each time a move is played, in the tree and in random games: a node stands for the moves
//! that lead to it, and its value is the average over what chance did.
//!
//! Options: `level` from 1 to 10 (10: full strength; below it the number of games is limited), `plain`.
#![forbid(unsafe_code)]

mod leaf;
mod player;
mod search;
mod tree;

use arbiter_plugin_api::export_bot;
use bot_engine::Seated;

pub use player::{Mcts, Style};

export_bot!(
    Seated<Mcts>,
    name: "Mcts",
    author: "arbiter",
    about: "Monte Carlo tree search with solver backup; options level=1..10, plain=true for UCT and nothing else",
    reentrant: true,
);
