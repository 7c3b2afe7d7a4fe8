//! What a board is painted on: every character has four dots, so that discs are round, and may bear a sign.

use arbiter_rules::draw::Charset;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// Characters of which these dots are filled: top left 1, top right 2, bottom left 4, bottom right 8.
const QUADRANTS: [&str; 16] =
    [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// A form, by the part of its area: from -1 to 1 in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Whole,
    Disc,
    Ring,
    Cross,
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
    dots: Vec<[Option<Color>; 4]>,
    /// The colour that was painted last in each character.
    front: Vec<Option<Color>>,
    pub(super) signs: Buffer,
}

impl Canvas {
    pub(super) fn new((width, height): (u16, u16)) -> Canvas {
        let signs = Buffer::empty(Rect::new(0, 0, width, height));
        let length = signs.content.len();
        Canvas { dots: vec![[None; 4]; length], front: vec![None; length], signs }
    }

    fn index(&self, x: u16, y: u16) -> Option<usize> {
        self.signs.area.contains((x, y).into()).then(|| self.signs.index_of(x, y))
    }

    /// Paints a form from a half of a row. Lengths count in columns; a row is as high as two of them are wide.
    pub(super) fn paint(&mut self, form: Form, at: (u16, u16), size: (u16, u16), colour: Color) {
        let (width, height) = size;
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
    pub(super) fn square(&mut self, (x, y): (u16, u16), colour: Color) {
        (0..8).for_each(|dot| self.dot(x + dot % 4, y + dot / 4, colour));
    }

    /// Whole characters, with a colour or with nothing: most of a board is its ground.
    pub(super) fn fill(&mut self, area: Rect, colour: impl Into<Option<Color>>) {
        let colour = colour.into();
        for at in area.intersection(self.signs.area).positions() {
            let index = self.signs.index_of(at.x, at.y);
            (self.dots[index], self.front[index]) = ([colour; 4], colour);
            self.signs.content[index].reset();
        }
    }

    pub(super) fn polygon(&mut self, corners: &[(f64, f64)], colour: Color) {
        for y in 0..2 * self.signs.area.height {
            for x in 0..2 * self.signs.area.width {
                if is_within((f64::from(x) / 2.0 + 0.25, f64::from(y) / 2.0 + 0.25), corners) {
                    self.dot(x, y, colour);
                }
            }
        }
    }

    /// One dot, of which a character has two in a row and two above each other.
    fn dot(&mut self, x: u16, y: u16, colour: Color) {
        if let Some(index) = self.index(x / 2, y / 2) {
            self.dots[index][usize::from(x % 2 + 2 * (y % 2))] = Some(colour);
            self.front[index] = Some(colour);
            self.signs.content[index].reset();
        }
    }

    pub(super) fn write(&mut self, x: u16, y: u16, text: &str, style: Style) {
        if self.index(x, y).is_some() {
            self.signs.set_string(x, y, text, anew(style));
        }
    }

    pub(super) fn is_free(&self, area: Rect) -> bool {
        let is_free =
            |index: usize| self.dots[index] == [None; 4] && self.signs.content[index] == Cell::EMPTY;
        area.positions().all(|at| self.index(at.x, at.y).is_some_and(is_free))
    }

    pub(super) fn show(&self, origin: (u16, u16), charset: Charset, buf: &mut Buffer) {
        for (at, cell) in self.signs.area.positions().zip(&self.signs.content) {
            let index = self.signs.index_of(at.x, at.y);
            let (x, y) = (origin.0 + at.x, origin.1 + at.y);
            if let Some(shown) = buf.cell_mut((x, y)) {
                let dots = &self.dots[index];
                let (text, style) = match cell == &Cell::EMPTY {
                    true => dotted(dots, self.front[index], charset),
                    false => (cell.symbol(), on(dots, cell.style())),
                };
                shown.set_symbol(text).set_style(style);
            }
        }
    }
}

/// A style that keeps nothing of what was there.
pub(super) fn anew(style: Style) -> Style {
    Style::reset().patch(style)
}

/// Text on the colour that most of the dots have; where there are no colours, on the other one.
fn on(dots: &[Option<Color>; 4], style: Style) -> Style {
    match most(dots).or(dots.iter().find_map(|dot| *dot)) {
        Some(Color::Reset) => style.add_modifier(Modifier::REVERSED),
        Some(ground) if style.bg == Some(Color::Reset) => style.bg(ground),
        _ => style,
    }
}

fn most(dots: &[Option<Color>; 4]) -> Option<Color> {
    let count = |colour: &Option<Color>| dots.iter().filter(|dot| *dot == colour).count();
    dots.iter().rev().max_by_key(|colour| count(colour)).copied().flatten()
}

/// Four dots in at most two colours: the one that was painted last, and the one that most of the others have.
fn dotted(dots: &[Option<Color>; 4], front: Option<Color>, charset: Charset) -> (&'static str, Style) {
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
        (_, None) => (" ", style),
        // Full characters are drawn as their ground, which has no seams.
        (_, Some(colour)) if quadrant == 15 && colour != Color::Reset => {
            (" ", Style { bg: Some(colour), ..Style::default() })
        }
        (Charset::Unicode, _) => (QUADRANTS[quadrant], style),
        (Charset::Ascii, Some(Color::Reset)) => (if quadrant.count_ones() > 1 { "#" } else { " " }, style),
        (Charset::Ascii, _) => {
            let is_mostly = quadrant.count_ones() > 2;
            (" ", Style { bg: if is_mostly { front } else { ground }, ..Style::default() })
        }
    }
}

pub(super) fn is_within((x, y): (f64, f64), corners: &[(f64, f64)]) -> bool {
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let crossings = edges
        .filter(|((ax, ay), (bx, by))| (ay > &y) != (by > &y) && x < (bx - ax) * (y - ay) / (by - ay) + ax);
    crossings.count() % 2 == 1
}
