//! What people are shown: a match while it is played, and results on screens and pages.

pub(super) mod circumstances;
pub(super) mod names;
pub(super) mod pages;
pub(super) mod presentation;
pub(super) mod progress;
pub(super) mod results;

use crate::cli::{Failure, Output};
use crate::report::count;
use crate::ui::story::{Frame, Story};
use arbiter_rules::draw::{Marks, draw};

/// Every picture of a game by its number, or the one that is wanted.
pub(crate) fn frames(story: &Story, only: Option<usize>) -> impl Iterator<Item = (usize, &Frame)> {
    story.frames.iter().enumerate().filter(move |(ply, _)| only.is_none_or(|only| only == *ply))
}

pub(crate) fn print(story: &Story, only: Option<usize>, out: &mut Output) -> Result<(), Failure> {
    let names = (1..).zip(&*story.seats).map(|(seat, sitter)| format!("{seat} {}", sitter.name));
    out.line(&format!("game {}: {}", story.game, names.collect::<Vec<_>>().join(", ")))?;
    for (ply, frame) in frames(story, only) {
        out.line("")?;
        out.line(format!("after {}  {}", count(ply as u32, "move"), frame.sentences.join(" ")).trim_end())?;
        let marks = Marks { last: frame.last().to_vec(), ..Marks::default() };
        out.text(&draw(&frame.position, out.charset(), &marks))?;
    }
    out.line("")
}
