//! Pictures of positions, as SVG, PNG and DOT.
//!
//! A position becomes one list of shapes (`board`), which `svg` writes and `png` paints; letters and digits are
//! lines too, so that a picture is the same on a machine without fonts. DOT (`dot`) knows no shapes, only tables:
//! it is made from the same layout. No file here knows a game.

mod board;
mod colour;
mod dot;
pub(crate) mod glyphs;
mod ground;
mod png;
mod shape;
mod svg;

pub(crate) use board::{Detail, board};
pub(crate) use colour::{Colour, FAINT, INK, LAST, WINNING, of_seat, on_seat, pen_of};
pub(crate) use dot::{dot, table};
pub use png::{PngError, png};
pub(crate) use shape::At;
pub use shape::{Form, Picture, Shape};
pub(crate) use svg::{escaped, svg};

use arbiter_rules::{Position, Seat};
use clap::ValueEnum;

/// What a picture is written as.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Shapes
    Svg,
    /// Pixels
    Png,
    /// Tables for Graphviz
    Dot,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Svg, Format::Png, Format::Dot];

    /// The ending of its files: its name on the command line.
    pub fn ending(self) -> String {
        self.to_possible_value().expect("none is left out").get_name().to_owned()
    }

    /// The format of files with this ending.
    pub fn of_ending(ending: &str) -> Option<Format> {
        Format::from_str(ending, true).ok()
    }
}

/// A position as the contents of a file. `last` are the cells of the last move in order, `scale` the pixels of a PNG for
/// each unit.
///
/// # Errors
/// A PNG that would be too large.
pub fn render(position: &Position, last: &[u16], format: Format, scale: f32) -> Result<Vec<u8>, PngError> {
    match format {
        Format::Svg => Ok(svg(&board(position, last, Detail::Everything)).into_bytes()),
        Format::Png => png(&board(position, last, Detail::Everything), scale),
        Format::Dot => Ok(dot(position, last).into_bytes()),
    }
}

/// Whose turn it is or who has won, with what is said of that; nobody where it is a draw.
fn standing(position: &Position) -> Option<(Option<Seat>, String)> {
    if let Some(seat) = position.to_move() {
        return Some((Some(seat), "to move".to_owned()));
    }
    let end = position.end()?;
    let word = if end.outcome.winner().is_some() { "wins" } else { "draw" };
    Some((end.outcome.winner(), format!("{word} ({})", end.reason)))
}
