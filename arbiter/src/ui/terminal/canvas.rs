//! What a board is painted on: every character has four dots, so that discs are round, and may bear a sign.

use super::board::Area;
use super::screen::columns;
use arbiter_rules::draw::Charset;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::merge::MergeStrategy;

/// Characters of which these dots are filled: top left 1, top right 2, bottom left 4, bottom right 8.
const QUADRANTS: [&str; 16] =
    [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// A form, by the part of its area: from -1 to 1 in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Whole,
    /// As round as dots are.
    Disc,
    /// A disc with a hole.
    Ring,
    Cross,
    /// A square on its tip.
    Diamond,
}

impl Form {
    fn covers(self, x: f64, y: f64) -> bool {
        match self {
            Form::Whole => true,
            Form::Disc => x * x + y * y <= 1.0,
            Form::Ring => (0.4..=1.0).contains(&(x * x + y * y)),
            Form::Cross => (x.abs() - y.abs()).abs() <= 0.27,
            Form::Diamond => x.abs() + y.abs() <= 1.0,
        }
    }
}

pub(super) struct Canvas {
    size: (i32, i32),
    dots: Vec<[Option<Color>; 4]>,
    /// The colour that was painted last in each character.
    front: Vec<Option<Color>>,
    signs: Vec<Option<(char, Style)>>,
}

impl Canvas {
    pub(super) fn new((width, height): (u16, u16)) -> Canvas {
        let length = usize::from(width) * usize::from(height);
        Canvas {
            size: (width.into(), height.into()),
            dots: vec![[None; 4]; length],
            front: vec![None; length],
            signs: vec![None; length],
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let is_inside = (0..self.size.0).contains(&x) && (0..self.size.1).contains(&y);
        is_inside.then(|| (y * self.size.0 + x) as usize)
    }

    /// Paints a form from the top of a character. Lengths count in columns; a row is as high as two of them are wide.
    pub(super) fn paint(&mut self, form: Form, (x, y): (i32, i32), size: (i32, i32), colour: Color) {
        self.paint_at(form, (x, 2 * y), size, colour);
    }

    /// The same from a half of a row.
    pub(super) fn paint_at(
        &mut self,
        form: Form,
        at: (i32, i32),
        (width, height): (i32, i32),
        colour: Color,
    ) {
        for row in 0..height {
            for dot in 0..2 * width {
                let (x, y) = (f64::from(dot) + 0.5, f64::from(row) + 0.5);
                let (x, y) = (x / f64::from(width) - 1.0, 2.0 * y / f64::from(height) - 1.0);
                if form.covers(x, y) {
                    self.dot(2 * at.0 + dot, at.1 + row, colour);
                }
            }
        }
    }

    /// Fills two columns of a row, from a dot on.
    pub(super) fn square(&mut self, (x, y): (i32, i32), colour: Color) {
        (0..8).for_each(|dot| self.dot(x + dot % 4, y + dot / 4, colour));
    }

    pub(super) fn fill(&mut self, area: Area, colour: Color) {
        self.paint(Form::Whole, (area.x, area.y), (area.width, 2 * area.height), colour);
    }

    pub(super) fn polygon(&mut self, corners: &[(f64, f64)], colour: Color) {
        for y in 0..2 * self.size.1 {
            for x in 0..2 * self.size.0 {
                if is_within((f64::from(x) / 2.0 + 0.25, f64::from(y) / 2.0 + 0.25), corners) {
                    self.dot(x, y, colour);
                }
            }
        }
    }

    /// One dot, of which a character has two in a row and two above each other.
    fn dot(&mut self, x: i32, y: i32, colour: Color) {
        if let Some(index) = self.index(x.div_euclid(2), y.div_euclid(2)) {
            let part = x.rem_euclid(2) + 2 * y.rem_euclid(2);
            self.dots[index][part as usize] = Some(colour);
            (self.front[index], self.signs[index]) = (Some(colour), None);
        }
    }

    pub(super) fn clear(&mut self, area: Area) {
        for (x, y) in
            (area.y..area.y + area.height).flat_map(|y| (area.x..area.x + area.width).map(move |x| (x, y)))
        {
            if let Some(index) = self.index(x, y) {
                (self.dots[index], self.front[index], self.signs[index]) = ([None; 4], None, None);
            }
        }
    }

    /// Writes on whatever is there.
    pub(super) fn write(&mut self, x: i32, y: i32, text: &str, style: Style) {
        let mut x = x;
        for sign in text.chars() {
            let width = columns(sign.encode_utf8(&mut [0; 4])) as i32;
            if width > 0
                && let Some(index) = self.index(x, y)
            {
                self.signs[index] = Some((sign, style));
            }
            x += width;
        }
    }

    /// Writes a line of a frame, which may join one that is there. ASCII has one sign for all joints.
    pub(super) fn join(&mut self, x: i32, y: i32, line: &str, style: Style, joins: MergeStrategy) {
        let there = self.index(x, y).and_then(|index| self.signs[index]).map(|(sign, _)| sign.to_string());
        match there.as_deref() {
            Some(there) if joins != MergeStrategy::Replace => {
                let is_ascii = there.is_ascii() && there != line;
                self.write(x, y, if is_ascii { "+" } else { joins.merge(there, line) }, style);
            }
            _ => self.write(x, y, line, style),
        }
    }

    pub(super) fn is_free(&self, area: Area) -> bool {
        let is_free = |x, y| {
            self.index(x, y).is_some_and(|index| self.dots[index] == [None; 4] && self.signs[index].is_none())
        };
        (area.y..area.y + area.height).all(|y| (area.x..area.x + area.width).all(|x| is_free(x, y)))
    }

    pub(super) fn show(&self, origin: (u16, u16), charset: Charset, buf: &mut Buffer) {
        let area = buf.area;
        let parts = self.dots.iter().zip(&self.front).zip(&self.signs);
        for (index, ((dots, front), sign)) in parts.enumerate() {
            let (x, y) = (index as i32 % self.size.0, index as i32 / self.size.0);
            let (x, y) = (origin.0 + x as u16, origin.1 + y as u16);
            if x >= area.right() || y >= area.bottom() {
                continue;
            }
            let (text, style) = match sign {
                Some((sign, style)) => (sign.to_string(), on(dots, *style)),
                None => dotted(dots, *front, charset),
            };
            buf.set_string(x, y, text, style);
        }
    }
}

/// Text on the colour that most of the dots have; where there are no colours, on the other one.
fn on(dots: &[Option<Color>; 4], style: Style) -> Style {
    let Some(ground) = most(dots).or(dots.iter().find_map(|dot| *dot)) else { return style };
    match ground {
        Color::Reset => style.add_modifier(Modifier::REVERSED),
        ground => Style { bg: style.bg.or(Some(ground)), ..style },
    }
}

/// The colour that most of four dots have.
fn most(dots: &[Option<Color>; 4]) -> Option<Color> {
    let count = |colour: &Option<Color>| dots.iter().filter(|dot| *dot == colour).count();
    dots.iter().rev().max_by_key(|colour| count(colour)).copied().flatten()
}

/// Four dots in at most two colours: the one that was painted last, and the one that most of the others have.
fn dotted(dots: &[Option<Color>; 4], front: Option<Color>, charset: Charset) -> (String, Style) {
    let behind = dots.iter().filter(|dot| **dot != front);
    let ground = behind.clone().max_by_key(|dot| behind.clone().filter(|other| other == dot).count());
    let (ground, front) = match (ground.copied().flatten(), front) {
        // A colour of the terminal itself can only be in front.
        (Some(Color::Reset), front) => (front, Some(Color::Reset)),
        both => both,
    };
    let parts = dots.iter().enumerate().filter(|(_, dot)| **dot == front && front.is_some());
    let quadrant: usize = parts.map(|(part, _)| 1 << part).sum();
    let style = Style { fg: front, bg: ground, ..Style::default() };
    match (charset, front) {
        (_, None) => (" ".to_owned(), style),
        // Full characters are drawn as their ground, which has no seams.
        (_, Some(colour)) if quadrant == 15 && colour != Color::Reset => {
            (" ".to_owned(), Style { bg: Some(colour), ..Style::default() })
        }
        (Charset::Unicode, _) => (QUADRANTS[quadrant].to_owned(), style),
        (Charset::Ascii, Some(Color::Reset)) => {
            (if quadrant.count_ones() > 1 { "#" } else { " " }.to_owned(), style)
        }
        (Charset::Ascii, _) => {
            let is_mostly = quadrant.count_ones() > 2;
            (" ".to_owned(), Style { bg: if is_mostly { front } else { ground }, ..Style::default() })
        }
    }
}

pub(super) fn is_within((x, y): (f64, f64), corners: &[(f64, f64)]) -> bool {
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let crossings = edges
        .filter(|((ax, ay), (bx, by))| (ay > &y) != (by > &y) && x < (bx - ax) * (y - ay) / (by - ay) + ax);
    crossings.count() % 2 == 1
}
