//! Colours of boards, pieces and marks.

use arbiter_rules::Seat;

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// The colour as SVG, CSS and DOT write it.
    pub(crate) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// A part of this colour, the rest of another: 0 is all this, 1 all the other.
    pub(crate) fn towards(self, other: Colour, part: f32) -> Colour {
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part).round() as u8;
        Colour(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

pub(super) const WHITE: Colour = Colour(0xff, 0xff, 0xff);
pub(super) const BLACK: Colour = Colour(0x14, 0x17, 0x1a);
/// Texts and lines on paper.
pub(crate) const INK: Colour = Colour(0x26, 0x2f, 0x3a);
/// Coordinates.
pub(crate) const FAINT: Colour = Colour(0x6b, 0x74, 0x80);
pub(crate) const LAST: Colour = Colour(0xff, 0xcc, 0x1a);
pub(crate) const WINNING: Colour = Colour(0xe0, 0x3c, 0x31);

/// Blue, amber, green, red-brown, light blue and pink: colour-blind people can tell them apart, and the signs say the same.
const SEATS: [Colour; 6] = [
    Colour(0x00, 0x59, 0xa6),
    Colour(0xe6, 0x9f, 0x00),
    Colour(0x00, 0x7a, 0x5a),
    Colour(0xc2, 0x41, 0x0c),
    Colour(0x7c, 0xc8, 0xf5),
    Colour(0xd8, 0x9b, 0xc2),
];

pub(crate) fn of_seat(seat: Seat) -> Colour {
    SEATS[seat.index()]
}

/// The colour of signs on a seat's pieces.
pub(crate) fn on_seat(seat: Seat) -> Colour {
    if matches!(seat.index(), 0 | 2 | 3) { WHITE } else { BLACK }
}

/// The colour in which a seat writes on paper: dark enough to be read.
pub(crate) fn pen_of(seat: Seat) -> Colour {
    match seat.index() {
        1 => Colour(0xa8, 0x5f, 0x00),
        4 => Colour(0x1a, 0x6f, 0x9f),
        5 => Colour(0xa0, 0x4a, 0x7e),
        _ => of_seat(seat),
    }
}
