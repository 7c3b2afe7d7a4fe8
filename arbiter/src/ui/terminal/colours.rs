//! Which colours a terminal shows: decided once, and never the only sign of anything.

use arbiter_rules::Seat;
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::Field;
use ratatui::style::{Color, Style};
use std::env;

/// Blue, amber, green, red, light blue and pink of the 256 colours; the second is that of the sign on it.
const SEATS_256: [(u8, u8); 6] = [(25, 231), (214, 16), (29, 231), (160, 231), (117, 16), (175, 16)];

/// The same for terminals of 16 colours.
const SEATS_16: [(Color, Color); 6] = [
    (Color::Blue, Color::White),
    (Color::Yellow, Color::Black),
    (Color::Green, Color::Black),
    (Color::Red, Color::White),
    (Color::Cyan, Color::Black),
    (Color::Magenta, Color::White),
];

/// What a colour of a board is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// A green square.
    Cloth,
    /// Between green squares.
    Seam,
    /// An upright rack.
    Rack,
    /// An opening of the rack.
    Opening,
    /// A wooden square or hexagon.
    Tile,
    /// Between them.
    Joint,
    /// A board with holes.
    Wood,
    /// The home of a seat.
    Home(Seat),
    /// A home that is nobody's.
    Vacant,
    /// The number of a hole.
    Number,
    /// A stone, or the ink of marks.
    Black,
    /// The other stone.
    White,
    /// What a seat writes with: readable on light and dark.
    Pen(Seat),
    /// A small sign in a cell of such a board.
    Target(Field),
    /// A mark between cells of such a board.
    Mark(Field),
    /// What decided the game.
    Winning,
    /// The board within the board that must be played on.
    Forced,
    /// The cursor.
    Cursor,
}

/// How many colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// None: bold, underline and reverse only.
    None,
    /// The sixteen that every colour terminal has.
    Sixteen,
    /// The 256 of xterm.
    Many,
}

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colours.
    pub palette: Palette,
    /// Characters.
    pub charset: Charset,
}

impl Palette {
    /// The colours that a terminal shows: none or some, as the user says with `is_wanted`, or else the environment. `get` reads a
    /// variable.
    pub fn choose(is_wanted: Option<bool>, get: impl Fn(&str) -> Option<String>) -> Palette {
        let is_set = |name: &str| get(name).is_some_and(|value| !value.is_empty());
        let is_forced = |name: &str| get(name).is_some_and(|value| !value.is_empty() && value != "0");
        let term = get("TERM").unwrap_or_default();
        let has_colour = !is_set("NO_COLOR")
            && (is_forced("CLICOLOR_FORCE")
                || is_forced("FORCE_COLOR")
                || term != "dumb" && !term.is_empty());
        match is_wanted.unwrap_or(has_colour) {
            false => Palette::None,
            true if term.contains("256") || is_set("COLORTERM") => Palette::Many,
            true => Palette::Sixteen,
        }
    }

    /// The same for the environment of this process.
    pub fn of_environment(is_wanted: Option<bool>) -> Palette {
        Palette::choose(is_wanted, |name| env::var(name).ok())
    }

    /// The sign of a seat, as it is written on its pieces.
    pub(super) fn piece(self, seat: Seat) -> Style {
        let (back, front) = self.pair(seat);
        Style::new().bold().bg(back).fg(front)
    }

    /// The colour of a seat's pieces, and that of signs on them.
    pub(super) fn pair(self, seat: Seat) -> (Color, Color) {
        match self {
            Palette::None => (Color::Reset, Color::Reset),
            Palette::Sixteen => SEATS_16[seat.index()],
            Palette::Many => {
                let (back, front) = SEATS_256[seat.index()];
                (Color::Indexed(back), Color::Indexed(front))
            }
        }
    }

    /// The colour of a part of a board; that of the terminal itself where there are none.
    pub(super) fn tone(self, tone: Tone) -> Color {
        let seat = |seat: Seat, of_many: [u8; 6], of_sixteen: [Color; 6]| {
            (of_many[seat.index()], of_sixteen[seat.index()])
        };
        let (many, sixteen) = match tone {
            Tone::Cloth => (29, Color::Green),
            Tone::Seam => (22, Color::DarkGray),
            Tone::Rack => (60, Color::DarkGray),
            Tone::Opening => (254, Color::Gray),
            Tone::Tile => (230, Color::Gray),
            Tone::Joint => (180, Color::DarkGray),
            Tone::Wood => (223, Color::Gray),
            Tone::Home(owner) => seat(
                owner,
                [110, 221, 115, 209, 153, 182],
                [
                    Color::LightBlue,
                    Color::LightYellow,
                    Color::LightGreen,
                    Color::LightRed,
                    Color::LightCyan,
                    Color::LightMagenta,
                ],
            ),
            Tone::Vacant => (187, Color::Gray),
            Tone::Number => (94, Color::DarkGray),
            Tone::Black => (16, Color::Black),
            Tone::White => (231, Color::White),
            Tone::Pen(owner) => seat(
                owner,
                [33, 166, 36, 160, 74, 169],
                [Color::LightBlue, Color::Red, Color::Green, Color::Magenta, Color::Cyan, Color::Yellow],
            ),
            Tone::Target(field) => match field {
                Field::Cloth => (121, Color::White),
                Field::Rack => (28, Color::Green),
                Field::Ruled => (34, Color::Green),
                Field::Tiles | Field::Hexagons | Field::Holes => (22, Color::Black),
            },
            Tone::Mark(field) => match field {
                Field::Cloth | Field::Rack => (226, Color::LightYellow),
                Field::Ruled => return Color::Reset,
                Field::Tiles | Field::Hexagons | Field::Holes => (16, Color::Black),
            },
            Tone::Winning => (160, Color::Red),
            Tone::Forced => (172, Color::Yellow),
            Tone::Cursor => (226, Color::LightYellow),
        };
        match self {
            Palette::None => Color::Reset,
            Palette::Sixteen => sixteen,
            Palette::Many => Color::Indexed(many),
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

    #[test]
    fn six_seats_can_be_told_apart_by_people_of_every_sight() {
        for (sight, least) in BLINDNESS.iter().zip([37.0, 14.0, 14.0, 14.0]) {
            for (index, (a, _)) in SEATS_256.iter().enumerate() {
                for (b, _) in &SEATS_256[..index] {
                    let apart = distance(*a, *b, sight);
                    assert!(apart >= least, "colours {a} and {b} are {apart:.1} apart, not {least}");
                }
            }
        }
    }

    #[test]
    fn signs_stand_out_from_the_pieces_they_are_written_on() {
        for (back, front) in SEATS_256 {
            let (a, b) = (luminance(back), luminance(front));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(contrast >= 4.5, "{front} on {back}: {contrast:.1} to 1");
        }
    }
}
