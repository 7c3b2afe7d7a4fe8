//! The line protocol: one line out, one fact, English keywords first, for scripts and people alike.

use super::keyboard::say;
use crate::sanitize::sanitize;
use crate::verdict::{ChosenBy, Event, Played};
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::{MoveList, Position, Seat};
use std::time::Duration;

/// Prints a game line by line for the people who play it.
#[derive(Debug)]
pub struct LineView {
    /// The seats that people sit in.
    people: Vec<Seat>,
    /// How to draw the board before every turn of a person; `None` where a script reads.
    board: Option<Charset>,
}

impl LineView {
    /// A view for the people in these seats.
    #[must_use]
    pub fn new(people: Vec<Seat>, board: Option<Charset>) -> LineView {
        LineView { people, board }
    }

    /// Prints one event.
    pub fn event(&self, event: &Event<'_>) {
        match event {
            Event::Started { position } => {
                let people: Vec<_> = self.people.iter().map(Seat::to_string).collect();
                let (game, seats) = (position.info().id, position.seats());
                say(&format!("game {game} players {seats} you {}", people.join(",")));
                say(&format!("position {}", position.text()));
            }
            Event::Asked { seat, attempt: 0, clocks, position } if self.people.contains(seat) => {
                self.turn(*seat, clocks[seat.index()], *position);
            }
            Event::Asked { .. } => {}
            Event::Played(played) => self.played(played),
            Event::Refused(error) => {
                say(&format!(
                    "error {} {}: {}",
                    error.seat,
                    error.fault.code(),
                    sanitize(&error.fault.sentence())
                ));
            }
            Event::Eliminated { seat, fault, .. } => {
                say(&format!("out {seat} {}: seat {seat} {}", fault.code(), sanitize(&fault.sentence())));
            }
            Event::Ended { ending, position, .. } => {
                if let Some(charset) = self.board {
                    show(*position, charset);
                }
                let winner = match ending.outcome() {
                    Some(outcome) => outcome.winner().map_or("none".to_owned(), |seat| seat.to_string()),
                    None => "abandoned".to_owned(),
                };
                let score = position.scores().first().map_or(String::new(), |score| {
                    score.by_seat.iter().fold(" score".to_owned(), |line, number| format!("{line} {number}"))
                });
                say(&format!("end winner {winner}{score} reason {}", ending.reason()));
            }
        }
    }

    fn turn(&self, seat: Seat, left: Option<Duration>, position: &dyn Position) {
        if let Some(charset) = self.board {
            show(position, charset);
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let legal: Vec<_> = moves.iter().map(|&m| position.move_text(m)).collect();
        let clock = left.map_or("none".to_owned(), |left| format!("{:.3}s", left.as_secs_f64()));
        say(&format!("turn {seat} legal {} clock {clock}", legal.join(" ")));
    }

    fn played(&self, played: &Played<'_>) {
        let (seat, text) = (played.seat, played.text);
        match played.by {
            ChosenBy::Rules => {
                say(&format!("pass {seat} no-move: seat {seat} has no legal move and passes."))
            }
            ChosenBy::Opening => say(&format!("opening {seat} {text}")),
            ChosenBy::Player if self.people.contains(&seat) => say(&format!("move {seat} {text}")),
            ChosenBy::Player => {
                say(&format!("move {seat} {text} took {:.3}s", played.spent.wall.as_secs_f64()));
            }
        }
        for &(cell, tokens) in &played.chance.fallen {
            say(&format!("earthquake {} {tokens}", played.position.cell_name(cell)));
        }
    }
}

fn show(position: &dyn Position, charset: Charset) {
    draw(position, charset, &Marks::default()).lines().for_each(say);
}
