//! Every mark on the board, in the columns between cells. Each mark has a shape of its own, so that none is told by colour
//! alone: `[ ]` the cursor, `( )` the chosen piece, `‹ ›` the last move, `'` what it turned, `{ }` the winning cells, `!`
//! what must be dealt with, `~` what would turn over, `*` what has fallen, a diamond where one can go.

use super::board::Board;
use super::colours::{Look, Palette, Tone};
use super::painting::Painter;
use crate::player::OpenTurn;
use crate::ui::preview::{Preview, preview};
use crate::ui::story::{Frame, Story};
use arbiter_rules::{Position, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

pub(super) struct Scene<'a> {
    pub(super) look: Look,
    pub(super) story: &'a Story,
    /// Which picture of it.
    pub(super) ply: usize,
    pub(super) cursor: Option<u16>,
    pub(super) draft: Option<&'a OpenTurn>,
    pub(super) switches: Switches,
    pub(super) falling: Option<Falling>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Switches {
    pub(super) marks: bool,
    /// Names of rows, columns and cells are hidden.
    pub(super) hides_names: bool,
    /// What bots say is shown.
    pub(super) bot: bool,
    /// A bar shows what the strongest of them thinks.
    pub(super) bar: bool,
    pub(super) turns: u8,
}

/// A piece that is shown on its way down to where it lies.
#[derive(Clone, Copy)]
pub(super) struct Falling {
    pub(super) seat: Seat,
    pub(super) to: u16,
    pub(super) at: u16,
}

pub(super) fn draw(scene: &Scene<'_>, board: &Board, origin: (u16, u16), buf: &mut Buffer) {
    let mut painter = Painter::new(scene, board);
    painter.paint();
    painter.marks();
    painter.canvas.show(origin, scene.look.charset, buf);
}

/// A mark on the left of a cell and one on the right; an empty one leaves what is there.
type Sides = (&'static str, &'static str);

impl Painter<'_> {
    /// All marks, the most important last.
    fn marks(&mut self) {
        let (scene, Look { palette, charset }) = (self.scene, self.scene.look);
        let bold = Style::new().bold().fg(palette.tone(Tone::mark(self.board.layout.field)));
        let last: Sides = charset.pick(("‹", "›"), ("<", ">"));
        let mut all: Vec<(u16, Sides, Style)> = Vec::new();
        if scene.falling.is_none() {
            all.extend(scene.frame().turned.iter().map(|&cell| (cell, ("'", ""), bold)));
            all.extend(scene.frame().last().iter().map(|&cell| (cell, last, bold)));
            let style = match palette {
                Palette::None => bold,
                palette => bold.fg(palette.tone(Tone::WHITE)).bg(palette.tone(Tone::WINNING)),
            };
            all.extend(
                self.board.layout.lone(&scene.winning()).into_iter().map(|cell| (cell, ("{", "}"), style)),
            );
        }
        all.extend(scene.drafted().iter().take(1).map(|&cell| (cell, ("(", ")"), bold)));
        all.extend(scene.preview().turned.iter().map(|&cell| (cell, ("", "~"), bold)));
        let must = scene.draft.iter().flat_map(|turn| &turn.view.must);
        all.extend(must.map(|&cell| (cell, ("", "!"), palette.alert())));
        for (cell, sides, style) in all {
            self.beside(self.board.area(cell), self.board.middle(cell).1, sides, style);
        }
        for cell in scene.frame().fallen() {
            let area = self.board.area(cell);
            (area.y..area.bottom()).for_each(|y| self.beside(area, y, ("*", "*"), palette.alert()));
        }
        if let Some(cell) = scene.cursor {
            self.cursor(cell, bold);
        }
    }

    fn cursor(&mut self, cell: u16, style: Style) {
        let Look { palette, charset } = self.scene.look;
        let style = match palette {
            Palette::None => style,
            palette => style.fg(palette.tone(Tone::BLACK)).bg(palette.tone(Tone::CURSOR)),
        };
        let area = self.board.area(cell);
        for y in area.y..area.bottom() {
            let sides: Sides = match charset.pick((area.height, y - area.y), (1, 0)) {
                (1, _) => ("[", "]"),
                (_, 0) => ("┌", "┐"),
                _ if y + 1 == area.bottom() => ("└", "┘"),
                _ => ("│", "│"),
            };
            self.beside(area, y, sides, style);
        }
    }

    fn beside(&mut self, area: Rect, y: u16, (left, right): Sides, style: Style) {
        self.canvas.write(area.x - 1, y, left, style);
        self.canvas.write(area.right(), y, right, style);
    }
}

impl<'a> Scene<'a> {
    pub(super) fn frame(&self) -> &'a Frame {
        let last = self.story.frames.len() - 1;
        &self.story.frames[self.ply.min(last)]
    }

    pub(super) fn position(&self) -> &'a Position {
        &self.frame().position
    }

    pub(super) fn drafted(&self) -> &'a [u16] {
        self.draft.map_or(&[], |turn| &turn.draft.cells)
    }

    /// The cells that can be picked next; none where any empty cell can, which needs no mark.
    pub(super) fn targets(&self) -> &'a [u16] {
        let turn = self.draft.filter(|_| self.switches.marks);
        let targets: &[u16] = turn.map_or(&[], |turn| &turn.view.targets);
        let mut empty = (0..).zip(self.position().cells()).filter(|(_, content)| *content == 0);
        if empty.all(|(cell, _)| targets.contains(&cell)) { &[] } else { targets }
    }

    pub(super) fn winning(&self) -> Vec<u16> {
        if self.position().end().is_some() { self.position().winning_cells() } else { Vec::new() }
    }

    pub(super) fn preview(&self) -> Preview {
        match (self.draft, self.cursor) {
            (Some(turn), Some(cell)) if self.switches.marks => preview(self.position(), &turn.draft, cell),
            _ => Preview::default(),
        }
    }
}
