//! A page of text over the board: rules, keys, a list, an error. Arrows leaf through it.

use super::screen::{Text, blank, broken, inner, outline, put};
use crate::ui::with_tables;
use arbiter_rules::draw::Charset;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::cell::Cell;

#[derive(Default)]
pub(super) struct Page {
    title: String,
    lines: Vec<Text>,
    /// Lines above the first that is shown.
    top: usize,
    /// How large `top` can be before nothing new is shown, as of the last drawing: it depends on the window.
    bottom: Cell<usize>,
}

impl Page {
    pub(super) fn new(title: impl Into<String>, text: &str) -> Page {
        let lines = text.lines().map(|line| (line.to_owned(), Style::new())).collect();
        Page { title: title.into(), lines, ..Page::default() }
    }

    /// A page from a text with the marks of Markdown: headings lose theirs, and the lines of a paragraph are put together,
    /// to be broken where the window ends.
    pub(super) fn of_markdown(title: impl Into<String>, text: &str) -> Page {
        let mut lines: Vec<Text> = Vec::new();
        let mut goes_on = false;
        for line in with_tables(text).lines() {
            let is_text = begins_with_text(line);
            match lines.last_mut() {
                Some((before, _)) if goes_on && is_text => {
                    before.push(' ');
                    before.push_str(line.trim_start());
                }
                _ => lines.push(match line.trim_start_matches('#') {
                    heading if heading.len() < line.len() => {
                        (heading.trim_start().to_owned(), Style::new().bold())
                    }
                    _ => (line.to_owned(), Style::new()),
                }),
            }
            goes_on = is_text || is_item(line);
        }
        Page { title: title.into(), lines, ..Page::default() }
    }

    pub(super) fn at_its_end(self) -> Page {
        Page { top: usize::MAX, ..self }
    }

    /// Leafs through the page. False for a key that does not.
    pub(super) fn leaf(&mut self, key: KeyCode) -> bool {
        let bottom = self.bottom.get();
        self.top = self.top.min(bottom);
        let top = match key {
            KeyCode::Up => self.top.saturating_sub(1),
            KeyCode::Down => self.top + 1,
            KeyCode::PageUp => self.top.saturating_sub(10),
            KeyCode::PageDown | KeyCode::Char(' ') => self.top + 10,
            KeyCode::Home => 0,
            KeyCode::End => bottom,
            _ => return false,
        };
        self.top = top.min(bottom);
        true
    }

    /// Draws the page over whatever is there, long lines broken.
    pub(super) fn draw(&self, area: Rect, charset: Charset, buf: &mut Buffer) {
        blank(area, buf);
        outline(area, charset, &format!(" {} ", self.title), buf);
        let inside = inner(area);
        let parts = |(line, style): &(String, Style)| {
            let style = *style;
            broken(line, inside.width).into_iter().map(move |part| (part, style))
        };
        let lines: Vec<Text> = self.lines.iter().flat_map(parts).collect();
        self.bottom.set(lines.len().saturating_sub(usize::from(inside.height)));
        let top = self.top.min(self.bottom.get());
        let shown = lines.iter().skip(top).take(usize::from(inside.height));
        for (row, (line, style)) in (inside.y..).zip(shown) {
            put(buf, Rect { y: row, height: 1, ..inside }, 0, line, *style);
        }
        if lines.len() > usize::from(inside.height) {
            let last = (top + usize::from(inside.height)).min(lines.len());
            let more = format!(" {}-{} of {} ", top + 1, last, lines.len());
            let row = Rect { y: area.bottom() - 1, height: 1, ..area };
            put(buf, row, 2, &more, Style::new());
        }
    }
}

/// Whether a line is part of a paragraph or of an item: no heading, row of a table, drawing, or beginning of an item.
fn begins_with_text(line: &str) -> bool {
    let indent = line.len() - line.trim_start().len();
    indent < 4 && !line.trim().is_empty() && !line.starts_with('#') && !is_item(line)
}

fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || number.len() < line.len() && number.starts_with(". ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(page: &Page, width: u16, height: u16) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        page.draw(area, Charset::Ascii, &mut buf);
        let row = |y| (1..width - 1).map(|x| buf[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (1..height - 1).map(row).collect()
    }

    const TEXT: &str = "# Rules\n\nA long sentence that is\nbroken somewhere.\n\n- one item that\n  goes on\n- two\n\n\
                        | a | b |\n| --- | --- |\n| c | d |\n\n    x   y\n    z\n";

    #[test]
    fn paragraphs_and_items_are_broken_where_the_window_ends_and_nothing_else_is() {
        let page = Page::of_markdown("Rules", TEXT);
        let lines = [
            "Rules",
            "",
            "A long sentence that is broken",
            "somewhere.",
            "",
            "- one item that goes on",
            "- two",
            "",
            "    a   b",
            "    c   d",
            "",
            "    x   y",
            "    z",
        ];
        assert_eq!(shown(&page, 33, 15), lines);
    }

    #[test]
    fn what_a_key_does_is_told_in_its_own_column_in_a_narrow_window() {
        let page = Page::new("Keys", "  Space, click   pick; pick again to press\n");
        let lines = ["  Space, click   pick; pick again", "                 to press"];
        assert_eq!(shown(&page, 36, 4), lines);
    }

    #[test]
    fn the_last_line_can_be_reached_in_any_window_and_left_at_once() {
        let mut page = Page::of_markdown("Rules", TEXT);
        shown(&page, 14, 6);
        for _ in 0..100 {
            assert!(page.leaf(KeyCode::Down));
        }
        assert_eq!(shown(&page, 14, 6).last().unwrap(), "    z");
        page.leaf(KeyCode::Up);
        assert_eq!(shown(&page, 14, 6).last().unwrap(), "    x   y");
        assert!(!page.leaf(KeyCode::Esc), "what does not leaf closes the page");
    }
}
