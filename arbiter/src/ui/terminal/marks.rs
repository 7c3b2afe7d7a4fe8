//! The board itself: pieces, and every mark on them. Each mark has a shape of its own, so that none is told by colour
//! alone: `[ ]` the cursor, `( )` the chosen piece, `‹ ›` the last move, `{ }` the winning cells, `!` what must be
//! dealt with, `~` what would turn over, a diamond where one can go.

use super::board::Board;
use super::screen::Screen;
use crate::ui::preview::{Preview, preview};
use crate::ui::words::cells;
use arbiter_rules::{Position, Seat};
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

/// A screen and the board on it.
pub(super) struct Marked<'a> {
    pub(super) screen: &'a Screen<'a>,
    pub(super) board: &'a Board,
}

/// Draws labels, cells and marks; returns the place of the cursor on the board.
pub(super) fn draw(marked: &Marked<'_>, origin: (u16, u16), buf: &mut Buffer) -> Option<(u16, u16)> {
    let mut pen = Pen { origin, buf };
    marked.labels(&mut pen);
    marked.cells(&mut pen);
    marked.sides(&mut pen);
    marked.rings(&mut pen);
    marked.screen.cursor.map(|cell| marked.board.cells[usize::from(cell)])
}

/// Writes on the screen in the coordinates of the board.
struct Pen<'a> {
    origin: (u16, u16),
    buf: &'a mut Buffer,
}

impl Pen<'_> {
    fn put(&mut self, x: i32, y: i32, text: &str, style: Style) {
        let (x, y) = (x + i32::from(self.origin.0), y + i32::from(self.origin.1));
        let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) else { return };
        let area = self.buf.area;
        if x < area.right() && y < area.bottom() {
            self.buf.set_stringn(x, y, text, usize::from(area.right() - x), style);
        }
    }
}

impl Marked<'_> {
    fn position(&self) -> &Position {
        &self.screen.frame().position
    }

    fn place(&self, cell: u16) -> (i32, i32) {
        let (x, y) = self.board.cells[usize::from(cell)];
        (i32::from(x), i32::from(y))
    }

    fn pick<T>(&self, unicode: T, ascii: T) -> T {
        self.screen.look.charset.pick(unicode, ascii)
    }

    fn labels(&self, pen: &mut Pen<'_>) {
        // Frames are labels too, but coordinates are letters and digits.
        let is_shown = |text: &str| {
            !self.screen.switches.named_cells || !text.chars().all(|c| c.is_ascii_alphanumeric())
        };
        for (x, y, text) in self.board.labels.iter().filter(|(_, _, text)| is_shown(text)) {
            pen.put(i32::from(*x), i32::from(*y), text, Style::default());
        }
    }

    fn cells(&self, pen: &mut Pen<'_>) {
        let (position, look) = (self.position(), self.screen.look);
        let targets = self.targets();
        let draft = self.screen.draft.map_or(&[][..], |turn| &turn.draft.cells);
        let preview = self.preview();
        let winning = self.winning();
        for (cell, content) in (0..).zip(cells(position)) {
            let (x, y) = self.place(cell);
            let seat = Seat::new(usize::from(content).wrapping_sub(1));
            let (text, mut style) = match seat {
                Some(seat) => {
                    (position.sign(seat.index(), look.charset).to_string(), look.palette.piece(seat))
                }
                None if draft.last() == Some(&cell) => (self.own_sign(), Style::default()),
                None if preview.landing == Some(cell) => {
                    (self.own_sign(), Style::default().add_modifier(Modifier::DIM))
                }
                None if draft.contains(&cell) => (self.pick("•", "+").to_owned(), Style::default()),
                None if targets.contains(&cell) => (self.pick("◆", "*").to_owned(), look.palette.target()),
                None if self.names_cells() => (String::new(), Style::default()),
                None => (self.pick("·", ".").to_owned(), Style::default()),
            };
            if draft.contains(&cell) {
                style = style.add_modifier(Modifier::UNDERLINED);
            }
            if winning.contains(&cell) {
                style = style.add_modifier(Modifier::REVERSED);
            }
            if text.is_empty() {
                let name = position.cell_name(cell);
                pen.put(
                    x - i32::from(name.len() > 1),
                    y,
                    &name,
                    Style::default().add_modifier(Modifier::DIM),
                );
                continue;
            }
            // Where there is room, a piece is three columns wide.
            if seat.is_some() && self.board.step.0 >= 4 {
                pen.put(x - 1, y, "   ", style.remove_modifier(Modifier::UNDERLINED));
            }
            pen.put(x, y, &text, style);
            if targets.contains(&cell) && seat.is_some() && draft.is_empty() && self.picks_pieces() {
                pen.put(x, y, &text, style.add_modifier(Modifier::UNDERLINED));
            }
        }
    }

    /// Marks to the left and right of cells, the most important last.
    fn sides(&self, pen: &mut Pen<'_>) {
        let screen = self.screen;
        let bold = Style::default().add_modifier(Modifier::BOLD);
        let draft = screen.draft;
        let (open, shut) = self.pick(("‹", "›"), ("<", ">"));
        let mut mark = |cell: u16, left: &str, right: &str| {
            let (x, y) = self.place(cell);
            pen.put(x - 1, y, left, bold);
            pen.put(x + 1, y, right, bold);
        };
        for &cell in screen.frame().last() {
            mark(cell, open, shut);
        }
        for &cell in self.winning().iter() {
            mark(cell, "{", "}");
        }
        for &cell in draft.iter().flat_map(|turn| &turn.draft.cells).take(1) {
            mark(cell, "(", ")");
        }
        for &cell in &self.preview().turned {
            let (x, y) = self.place(cell);
            pen.put(x + 1, y, "~", bold);
        }
        for &cell in draft.iter().flat_map(|turn| &turn.view.must) {
            let (x, y) = self.place(cell);
            pen.put(x + 1, y, "!", screen.look.palette.alert());
        }
        if let Some(cell) = screen.cursor {
            let (x, y) = self.place(cell);
            pen.put(x - 1, y, "[", bold);
            pen.put(x + 1, y, "]", bold);
        }
    }

    /// Rings around the cursor and around what has fallen, where there is room for them.
    fn rings(&self, pen: &mut Pen<'_>) {
        if !self.board.has_rings() {
            return;
        }
        for cell in self.screen.frame().fallen() {
            let (x, y) = self.place(cell);
            let style = self.screen.look.palette.alert();
            pen.put(x - 2, y - 1, "*****", style);
            pen.put(x - 2, y, "*", style);
            pen.put(x + 2, y, "*", style);
            pen.put(x - 2, y + 1, "*****", style);
        }
        let Some(cell) = self.screen.cursor else { return };
        let (x, y) = self.place(cell);
        let style = Style::default().add_modifier(Modifier::BOLD);
        match self.pick(true, false) {
            true => {
                pen.put(x - 2, y - 1, "┌───┐", style);
                pen.put(x - 2, y, "│", style);
                pen.put(x + 2, y, "│", style);
                pen.put(x - 2, y + 1, "└───┘", style);
            }
            false => {
                for (x, y) in [(x - 2, y), (x + 2, y), (x, y - 1), (x, y + 1)] {
                    pen.put(x, y, "+", style);
                }
            }
        }
    }

    fn targets(&self) -> &[u16] {
        match self.screen.draft {
            Some(turn) if self.screen.switches.hints => &turn.view.targets,
            _ => &[],
        }
    }

    /// Whether a move begins with a piece that is on the board: some, but not all of the targets are pieces.
    fn picks_pieces(&self) -> bool {
        let cells = cells(self.position());
        let targets = self.targets();
        targets.iter().all(|&cell| cells[usize::from(cell)] != 0) && targets.len() < cells.len()
    }

    fn own_sign(&self) -> String {
        let seat = self.screen.draft.map_or(0, |turn| turn.id.seat.index());
        self.position().sign(seat, self.screen.look.charset).to_string()
    }

    /// Cells without coordinates around them are named themselves, where there is room.
    fn names_cells(&self) -> bool {
        self.screen.switches.named_cells && self.board.labels.is_empty() && self.board.step.0 >= 4
    }

    fn winning(&self) -> Vec<u16> {
        if self.position().end().is_some() { self.position().winning_cells() } else { Vec::new() }
    }

    pub(super) fn preview(&self) -> Preview {
        match (self.screen.draft, self.screen.cursor) {
            (Some(turn), Some(cell)) if self.screen.switches.hints => {
                preview(self.position(), &turn.draft, cell)
            }
            _ => Preview::default(),
        }
    }
}
