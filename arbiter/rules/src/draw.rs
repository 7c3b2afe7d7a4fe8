//! Any position as text.
//!
//! A game describes where its cells lie ([`Scene`]); this module fills them in. Nothing here knows a game.

use crate::layout::{Layout, Point, STEP};
use crate::position::Position;

/// Which characters may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Discs, dots and diamonds as people know them.
    Unicode,
    /// Nothing beyond 7 bits.
    Ascii,
}

/// Where everything lies on a grid of characters; `(0, 0)` is the top left.
///
/// ```
/// use arbiter_rules::draw::Charset;
/// use arbiter_rules::{Setup, registry};
///
/// let position = registry::start("tic-tac-toe", &Setup::default()).unwrap();
/// let scene = position.scene(Charset::Ascii);
/// let (column, row) = scene.cells[0];
/// assert_eq!(scene.cells[4], (column + 2, row + 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Column and row of each cell's own character, by cell index. The characters to its left and right are
    /// free for marks.
    pub cells: Vec<(u16, u16)>,
    /// Fixed texts (coordinates, rulers) with the column and row of their first character.
    pub labels: Vec<(u16, u16, String)>,
}

impl Scene {
    /// A picture's board in characters: two columns from a cell to its neighbour, one line for each height at which there
    /// are cells, and names around them.
    #[must_use]
    pub fn of(layout: &Layout) -> Scene {
        let mut heights: Vec<i32> = layout.cells.iter().map(|at| at.y).collect();
        heights.sort_unstable();
        heights.dedup();
        let column = |x: i32| ((4 * STEP + 2 * x + STEP / 2) / STEP) as u16;
        let line = |y: i32| heights.iter().filter(|&&height| height <= y).count() as u16;
        let label = |(at, text): &(Point, String)| {
            (column(at.x) + 1 - text.chars().count() as u16, line(at.y), text.clone())
        };
        Scene {
            cells: layout.cells.iter().map(|at| (column(at.x), line(at.y))).collect(),
            labels: layout.labels.iter().map(label).collect(),
        }
    }
}

/// What to mark on a drawing.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Cells that can be played on: `◆`, or `*` in ASCII, where they are empty.
    pub targets: Vec<u16>,
    /// Cells of the last move: `‹ ›`, or `< >`.
    pub last: Vec<u16>,
    /// Cells that must be dealt with: `!` to their right.
    pub must: Vec<u16>,
}

/// Draws the board, then what else there is to say about it, one line each. Lines have no trailing blanks.
///
/// ```
/// use arbiter_rules::draw::{Charset, Marks, draw};
/// use arbiter_rules::{Setup, registry};
///
/// let position = registry::start("tic-tac-toe", &Setup { position: Some("4x4"), ..Setup::default() }).unwrap();
/// let marks = Marks { last: vec![4], ..Marks::default() };
/// let drawn = draw(&position, Charset::Ascii, &marks);
/// assert!(drawn.contains("<x>"), "{drawn}");
/// ```
#[must_use]
pub fn draw(position: &Position, charset: Charset, marks: &Marks) -> String {
    let scene = position.scene(charset);
    let mut canvas = Canvas::default();
    for (x, y, text) in &scene.labels {
        canvas.write(*x, *y, text);
    }
    for (cell, (&(x, y), &content)) in scene.cells.iter().zip(&position.cells()).enumerate() {
        let cell = cell as u16;
        let sign = match content {
            0 if marks.targets.contains(&cell) => charset.pick('◆', '*'),
            0 => charset.pick('·', '.'),
            piece => position.sign_on(cell, usize::from(piece) - 1, charset),
        };
        canvas.put(x, y, sign);
        if marks.last.contains(&cell) && x > 0 {
            canvas.put(x - 1, y, charset.pick('‹', '<'));
            canvas.put(x + 1, y, charset.pick('›', '>'));
        }
        if marks.must.contains(&cell) {
            canvas.put(x + 1, y, '!');
        }
    }
    let mut text = canvas.into_text();
    for note in position.notes(charset) {
        text.push_str(&note);
        text.push('\n');
    }
    text
}

impl Charset {
    /// One of two ways to draw the same thing.
    #[must_use]
    pub fn pick<T>(self, unicode: T, ascii: T) -> T {
        match self {
            Charset::Unicode => unicode,
            Charset::Ascii => ascii,
        }
    }
}

#[derive(Default)]
struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    fn put(&mut self, x: u16, y: u16, c: char) {
        let (x, y) = (usize::from(x), usize::from(y));
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Vec::new());
        }
        let row = &mut self.rows[y];
        if row.len() <= x {
            row.resize(x + 1, ' ');
        }
        row[x] = c;
    }

    fn write(&mut self, x: u16, y: u16, text: &str) {
        for (offset, c) in text.chars().enumerate() {
            self.put(x + offset as u16, y, c);
        }
    }

    fn into_text(self) -> String {
        let mut text = String::new();
        for row in self.rows {
            let line: String = row.into_iter().collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
