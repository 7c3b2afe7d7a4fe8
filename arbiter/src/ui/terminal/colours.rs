//! Which colours a terminal shows: decided once, and never the only sign of anything.

use arbiter_rules::Seat;
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::Field;
use ratatui::style::{Color, Style};
use std::env;

/// A colour of a board: of the 256, and of the sixteen where a terminal has no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tone(Color, Color);

const fn tone(many: u8, sixteen: Color) -> Tone {
    Tone(Color::Indexed(many), sixteen)
}

/// The colours of each seat: of its pieces (blue, amber, green, red, light blue and pink), of the sign on them, of its
/// home, and of what it writes with, which is readable on light and dark.
const SEATS: [[Tone; 4]; 6] = [
    [tone(25, Color::Blue), tone(231, Color::White), tone(110, Color::LightBlue), tone(33, Color::LightBlue)],
    [tone(214, Color::Yellow), tone(16, Color::Black), tone(221, Color::LightYellow), tone(166, Color::Red)],
    [tone(29, Color::Green), tone(231, Color::Black), tone(115, Color::LightGreen), tone(36, Color::Green)],
    [tone(160, Color::Red), tone(231, Color::White), tone(209, Color::LightRed), tone(160, Color::Magenta)],
    [tone(117, Color::Cyan), tone(16, Color::Black), tone(153, Color::LightCyan), tone(74, Color::Cyan)],
    [
        tone(175, Color::Magenta),
        tone(16, Color::White),
        tone(182, Color::LightMagenta),
        tone(169, Color::Yellow),
    ],
];

impl Tone {
    pub(super) const CLOTH: Tone = tone(29, Color::Green);
    /// Between green squares.
    pub(super) const SEAM: Tone = tone(22, Color::DarkGray);
    pub(super) const RACK: Tone = tone(60, Color::DarkGray);
    pub(super) const OPENING: Tone = tone(254, Color::Gray);
    pub(super) const TILE: Tone = tone(230, Color::Gray);
    /// Between tiles.
    pub(super) const JOINT: Tone = tone(180, Color::DarkGray);
    pub(super) const WOOD: Tone = tone(223, Color::Gray);
    /// A home that is nobody's.
    pub(super) const VACANT: Tone = tone(187, Color::Gray);
    pub(super) const NUMBER: Tone = tone(94, Color::DarkGray);
    /// A stone, or the ink of marks.
    pub(super) const BLACK: Tone = tone(16, Color::Black);
    /// The other stone.
    pub(super) const WHITE: Tone = tone(231, Color::White);
    pub(super) const WINNING: Tone = tone(160, Color::Red);
    pub(super) const FORCED: Tone = tone(172, Color::Yellow);
    pub(super) const CURSOR: Tone = tone(226, Color::LightYellow);

    /// A small sign in a cell of such a board.
    pub(super) fn target(field: Field) -> Tone {
        match field {
            Field::Cloth => tone(121, Color::White),
            Field::Rack => tone(28, Color::Green),
            Field::Ruled => tone(34, Color::Green),
            Field::Tiles | Field::Hexagons | Field::Holes => tone(22, Color::Black),
        }
    }

    pub(super) fn mark(field: Field) -> Tone {
        match field {
            Field::Cloth | Field::Rack => Tone::CURSOR,
            Field::Ruled => Tone(Color::Reset, Color::Reset),
            Field::Tiles | Field::Hexagons | Field::Holes => Tone::BLACK,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    /// None: bold, underline and reverse only.
    None,
    /// The sixteen that every colour terminal has.
    Sixteen,
    /// The 256 of xterm.
    Many,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub palette: Palette,
    pub charset: Charset,
}

impl Palette {
    /// The colours that a terminal shows, as the user says with `is_wanted`, or else the environment, of which `get` reads a variable.
    pub(crate) fn choose(is_wanted: Option<bool>, get: impl Fn(&str) -> Option<String>) -> Palette {
        let is_set = |name: &str| get(name).is_some_and(|value| !value.is_empty());
        let is_forced = |name: &str| get(name).is_some_and(|value| !value.is_empty() && value != "0");
        let term = get("TERM").unwrap_or_default();
        let has_colour =
            !is_set("NO_COLOR") && (is_forced("CLICOLOR_FORCE") || term != "dumb" && !term.is_empty());
        match is_wanted.unwrap_or(has_colour) {
            false => Palette::None,
            true if term.contains("256") || is_set("COLORTERM") => Palette::Many,
            true => Palette::Sixteen,
        }
    }

    pub(crate) fn of_environment(is_wanted: Option<bool>) -> Palette {
        Palette::choose(is_wanted, |name| env::var(name).ok())
    }

    /// The sign of a seat, as it is written on its pieces.
    pub(super) fn piece(self, seat: Seat) -> Style {
        let [back, front, ..] = self.seat(seat);
        Style::new().bold().bg(back).fg(front)
    }

    /// The colours of a seat: of its pieces, of signs on them, of its home, and of what it writes.
    pub(super) fn seat(self, seat: Seat) -> [Color; 4] {
        SEATS[seat.index()].map(|tone| self.tone(tone))
    }

    /// The colour of a part of a board; that of the terminal itself where there are none.
    pub(super) fn tone(self, Tone(many, sixteen): Tone) -> Color {
        match self {
            Palette::None => Color::Reset,
            Palette::Sixteen => sixteen,
            Palette::Many => many,
        }
    }

    /// A reason why something is refused.
    pub(super) fn alert(self) -> Style {
        let style = Style::new().bold();
        if self == Palette::None { style } else { style.fg(Color::Red) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(variables: &[(&str, &str)]) -> Palette {
        let get = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        Palette::choose(None, get)
    }

    #[test]
    fn the_user_decides_about_colour_and_then_the_environment() {
        let term = ("TERM", "xterm-256color");
        assert_eq!(palette(&[term]), Palette::Many);
        assert_eq!(palette(&[("TERM", "xterm")]), Palette::Sixteen);
        assert_eq!(palette(&[("TERM", "dumb")]), Palette::None);
        assert_eq!(palette(&[term, ("NO_COLOR", "1")]), Palette::None);
        assert_eq!(palette(&[term, ("NO_COLOR", "")]), Palette::Many);
        assert_eq!(palette(&[("TERM", "dumb"), ("CLICOLOR_FORCE", "1")]), Palette::Sixteen);
        assert_eq!(palette(&[term, ("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]), Palette::None);
        assert_eq!(
            Palette::choose(Some(true), |name| (name == "NO_COLOR").then(|| "1".to_owned())),
            Palette::Sixteen
        );
        assert_eq!(Palette::choose(Some(false), |_| Some("xterm-256color".to_owned())), Palette::None);
    }

    /// The red, green and blue of an index from 16 on: a cube of six steps, then greys.
    fn rgb(index: u8) -> [f64; 3] {
        let step = |n: u8| if n == 0 { 0.0 } else { (55.0 + 40.0 * f64::from(n)) / 255.0 };
        match index {
            16..=231 => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(step),
            _ => [(8.0 + 10.0 * f64::from(index - 232)) / 255.0; 3],
        }
    }

    fn linear(c: f64) -> f64 {
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }

    fn luminance(index: u8) -> f64 {
        let [r, g, b] = rgb(index).map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// CIE L*a*b* of linear red, green and blue, for the white of a screen.
    fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// What full protanopia, deuteranopia and tritanopia leave of a colour (Machado, Oliveira and Fernandes, 2009).
    const BLINDNESS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    fn distance(a: u8, b: u8, sight: &[[f64; 3]; 3]) -> f64 {
        let seen = |index: u8| {
            let colour = rgb(index).map(linear);
            lab(sight.map(|row| row.iter().zip(colour).map(|(m, c)| m * c).sum::<f64>().clamp(0.0, 1.0)))
        };
        seen(a).iter().zip(seen(b)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    /// The indices of the colours of each seat.
    fn seats() -> [(u8, u8); 6] {
        SEATS.map(|[back, front, ..]| match (back, front) {
            (Tone(Color::Indexed(back), _), Tone(Color::Indexed(front), _)) => (back, front),
            _ => panic!("colours of seats have an index"),
        })
    }

    #[test]
    fn six_seats_can_be_told_apart_by_people_of_every_sight() {
        for (sight, least) in BLINDNESS.iter().zip([37.0, 14.0, 14.0, 14.0]) {
            for (index, (a, _)) in seats().iter().enumerate() {
                for (b, _) in &seats()[..index] {
                    let apart = distance(*a, *b, sight);
                    assert!(apart >= least, "colours {a} and {b} are {apart:.1} apart, not {least}");
                }
            }
        }
    }

    #[test]
    fn signs_stand_out_from_the_pieces_they_are_written_on() {
        for (back, front) in seats() {
            let (a, b) = (luminance(back), luminance(front));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(contrast >= 4.5, "{front} on {back}: {contrast:.1} to 1");
        }
    }
}
