//! The menu on the screen, and what can be clicked there.

use super::{Click, Menu};
use crate::ui::menu::Row;
use crate::ui::terminal::screen::{buttons, inner, outline, picture, put, tell, wrap};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The columns of a line that name it; a click there goes back, a click behind them goes on.
const NAME: u16 = 20;
/// Where the ranges begin, if values are not longer.
const RANGES: u16 = 48;
/// The columns that lines usually need, with their ranges.
const LINE: u16 = 74;

impl Menu {
    /// Draws everything and remembers what can be clicked; says where the cursor is.
    pub(super) fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        self.places.clear();
        let bold = Style::new().bold();
        put(buf, area, 1, "arbiter   a referee for board games", bold);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(4), ..area };
        outline(body, self.look.charset, " What shall be played? ", buf);
        let rows = self.choice.rows();
        let room = usize::from(body.height.saturating_sub(2)).max(1);
        self.top = self.top.min(self.row).max((self.row + 1).saturating_sub(room));
        // A line that is longer than most goes over the board.
        self.board(inner(body), rows.len() as u16, buf);
        let mut cursor = None;
        for (place, index) in (self.top..rows.len().min(self.top + room)).enumerate() {
            let y = body.y + 1 + place as u16;
            let line = Rect { x: body.x + 1, y, width: body.width.saturating_sub(2), height: 1 };
            self.line(index, rows[index], line, buf);
            if index == self.row {
                cursor = Some((line.x, y));
            }
        }
        let about = self.choice.about(rows[self.row]);
        let (message, style) = match self.alert.as_str() {
            "" => (about.as_str(), Style::new()),
            alert => (alert, self.look.palette.alert()),
        };
        let lines: Vec<_> =
            wrap(message, area.width.saturating_sub(2)).into_iter().map(|line| (line, style)).collect();
        tell(&lines, Rect { y: body.bottom(), height: 2, ..area }.intersection(area), buf);
        if let Some(page) = &self.page {
            page.draw(body, self.look.charset, buf);
        }
        let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        let pressed = buttons(["Enter Start", "F1 Rules", "? Keys", "q Quit"], row, buf);
        self.places.splice(0..0, pressed.into_iter().map(|(area, key)| (area, Click::Press(key))));
        cursor
    }

    /// The board that would be played on, beside the lines or below them, where there is more room.
    fn board(&self, body: Rect, lines: u16, buf: &mut Buffer) {
        let beside = Rect { x: body.x + LINE, width: body.width.saturating_sub(LINE), ..body };
        let height = body.height.saturating_sub(lines + 1);
        let below = Rect { y: body.bottom() - height, height, ..body };
        // A cell is twice as wide as high.
        let room = |area: &Rect| area.height.min(area.width / 2);
        let area = if room(&beside) > room(&below) { beside } else { below };
        if let Some(start) = self.choice.start() {
            picture(start, self.look, area, buf);
        }
    }

    fn line(&mut self, index: usize, row: Row, area: Rect, buf: &mut Buffer) {
        let line = self.choice.line(row);
        let is_here = index == self.row;
        let style = if is_here { Style::new().bold().reversed() } else { Style::new() };
        let mark = if is_here { ">" } else { " " };
        let text = match row {
            Row::Start => format!("{mark} [Start]"),
            _ => format!("{mark} {:<15} < {} >", line.name, line.value),
        };
        put(buf, area, 0, &text, style);
        let range = format!("  {}", line.range);
        let from =
            (text.chars().count() as u16).max(RANGES.min(area.width.saturating_sub(range.len() as u16)));
        if usize::from(from) + range.len() <= usize::from(area.width) {
            put(buf, area, from, &range, Style::new());
        }
        self.places.push((Rect { width: NAME, ..area }, Click::Change(index, -1)));
        let behind = Rect { x: area.x + NAME, width: area.width.saturating_sub(NAME), ..area };
        self.places.push((behind, Click::Change(index, 1)));
    }
}
