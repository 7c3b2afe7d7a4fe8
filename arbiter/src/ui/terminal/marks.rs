//! Every mark on the board, in the columns between cells. Each mark has a shape of its own, so that none is told by colour
//! alone: `[ ]` the cursor, `( )` the chosen piece, `‹ ›` the last move, `'` what it turned, `{ }` the winning cells, `!`
//! what must be dealt with, `~` what would turn over, `*` what has fallen, a diamond where one can go.

use super::board::{Area, Board};
use super::colours::{Palette, Tone};
use super::painting::Painter;
use super::screen::Screen;
use crate::ui::preview::{Preview, preview};
use arbiter_rules::Position;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

/// A screen and the board on it.
pub(super) struct Marked<'a> {
    pub(super) screen: &'a Screen<'a>,
    pub(super) board: &'a Board,
}

/// Draws the board with its marks; returns the place of the cursor on it.
pub(super) fn draw(marked: &Marked<'_>, origin: (u16, u16), buf: &mut Buffer) -> Option<(u16, u16)> {
    let mut painter = Painter::new(marked);
    painter.paint();
    painter.marks();
    painter.canvas.show(origin, marked.screen.look.charset, buf);
    marked.screen.cursor.map(|cell| marked.board.cells[usize::from(cell)])
}

/// A mark on the left of a cell and one on the right; an empty one leaves what is there.
type Sides = (&'static str, &'static str);

impl Painter<'_> {
    /// All marks, the most important last.
    fn marks(&mut self) {
        let (marked, screen) = (self.marked, self.marked.screen);
        let look = screen.look;
        let plain = match look.palette {
            Palette::None => Style::default(),
            palette => Style::default().fg(palette.tone(Tone::Mark(self.board.layout.field))),
        };
        let bold = plain.add_modifier(Modifier::BOLD);
        let last: Sides = look.charset.pick(("‹", "›"), ("<", ">"));
        let mut all: Vec<(u16, Sides, Style)> = Vec::new();
        if screen.falling.is_none() {
            all.extend(screen.frame().turned.iter().map(|&cell| (cell, ("'", ""), bold)));
            all.extend(screen.frame().last().iter().map(|&cell| (cell, last, bold)));
            let style = match look.palette {
                Palette::None => bold,
                palette => bold.fg(palette.tone(Tone::White)).bg(palette.tone(Tone::Winning)),
            };
            all.extend(marked.lone_winning().into_iter().map(|cell| (cell, ("{", "}"), style)));
        }
        all.extend(marked.draft().iter().take(1).map(|&cell| (cell, ("(", ")"), bold)));
        all.extend(marked.preview().turned.iter().map(|&cell| (cell, ("", "~"), bold)));
        let must = screen.draft.iter().flat_map(|turn| &turn.view.must);
        all.extend(must.map(|&cell| (cell, ("", "!"), look.palette.alert())));
        for (cell, sides, style) in all {
            self.mark(cell, sides, style);
        }
        for cell in screen.frame().fallen() {
            let area = self.board.area(cell);
            let rows = area.y..area.y + area.height;
            rows.for_each(|y| self.beside(area, y, ("*", "*"), look.palette.alert()));
        }
        if let Some(cell) = screen.cursor {
            self.cursor(cell, bold);
        }
    }

    /// A bracket as high as the cell.
    fn cursor(&mut self, cell: u16, style: Style) {
        let look = self.marked.screen.look;
        let style = match look.palette {
            Palette::None => style,
            palette => style.fg(palette.tone(Tone::Black)).bg(palette.tone(Tone::Cursor)),
        };
        let area = self.board.area(cell);
        let bottom = area.y + area.height - 1;
        for y in area.y..=bottom {
            let sides: Sides = match look.charset.pick((area.height, y - area.y), (1, 0)) {
                (1, _) => ("[", "]"),
                (_, 0) => ("┌", "┐"),
                _ if y == bottom => ("└", "┘"),
                _ => ("│", "│"),
            };
            self.beside(area, y, sides, style);
        }
    }

    fn mark(&mut self, cell: u16, sides: Sides, style: Style) {
        let y = self.board.cells[usize::from(cell)].1;
        self.beside(self.board.area(cell), y.into(), sides, style);
    }

    fn beside(&mut self, area: Area, y: i32, (left, right): Sides, style: Style) {
        self.canvas.write(area.x - 1, y, left, style);
        self.canvas.write(area.x + area.width, y, right, style);
    }
}

impl<'a> Marked<'a> {
    pub(super) fn position(&self) -> &'a Position {
        &self.screen.frame().position
    }

    /// The cells of the unfinished move.
    pub(super) fn draft(&self) -> &'a [u16] {
        self.screen.draft.map_or(&[], |turn| &turn.draft.cells)
    }

    /// The cells that can be picked next; none where any empty cell can, which needs no mark.
    pub(super) fn targets(&self) -> &'a [u16] {
        let turn = self.screen.draft.filter(|_| self.screen.switches.hints);
        let targets: &[u16] = turn.map_or(&[], |turn| &turn.view.targets);
        let mut empty = (0..).zip(self.position().cells()).filter(|(_, content)| *content == 0);
        if empty.all(|(cell, _)| targets.contains(&cell)) { &[] } else { targets }
    }

    pub(super) fn winning(&self) -> Vec<u16> {
        if self.position().end().is_some() { self.position().winning_cells() } else { Vec::new() }
    }

    /// The winning cells that are not marked together with their whole board.
    fn lone_winning(&self) -> Vec<u16> {
        let winning = self.winning();
        let is_whole = |cells: &[u16]| cells.iter().all(|cell| winning.contains(cell));
        let in_whole = |cell: &u16| {
            self.board.layout.groups.iter().any(|group| group.cells.contains(cell) && is_whole(&group.cells))
        };
        winning.iter().copied().filter(|cell| !in_whole(cell)).collect()
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
