//! What parts a screen has: where the board goes and what fits beside it, buttons, frames, lines.

use super::board::{Board, Pitch};
use super::colours::Look;
use super::keys;
use super::marks::{self, Scene, Switches};
use crate::ui::log::Sitter;
use crate::ui::story::Story;
use arbiter_rules::Position;
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::Layout as Appearance;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::text::Span;
use ratatui::widgets::{Block, Clear, Widget};
use std::sync::Arc;

/// Columns that the list of players and moves needs, and more than which it does not take.
const SIDE: u16 = 24;
const WIDEST_SIDE: u16 = 48;
const MESSAGES: u16 = 3;
const NARROWEST: u16 = 30;

/// What can be clicked, and where the terminal's own cursor stands.
#[derive(Default)]
pub(super) struct Drawn {
    /// Buttons by place, each with the key that it stands for.
    pub(super) buttons: Vec<(Rect, KeyCode)>,
    /// The board and its top left.
    pub(super) board: Option<(Board, (u16, u16))>,
    pub(super) cursor: Option<(u16, u16)>,
}

impl Drawn {
    pub(super) fn button_at(&self, x: u16, y: u16) -> Option<KeyCode> {
        self.buttons.iter().find(|(area, _)| area.contains((x, y).into())).map(|&(_, key)| key)
    }

    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<u16> {
        let (board, (left, top)) = self.board.as_ref()?;
        board.cell_at(x.checked_sub(*left)?, y.checked_sub(*top)?)
    }
}

pub(super) struct Layout {
    pub(super) header: Rect,
    pub(super) body: Rect,
    pub(super) side: Option<Rect>,
    pub(super) origin: (u16, u16),
    pub(super) board: Board,
    pub(super) messages: Rect,
    pub(super) buttons: Rect,
}

impl Layout {
    /// The largest board that fits, if possible with the list of players and moves beside it; otherwise the columns and rows
    /// that are needed at least.
    pub(super) fn of(area: Rect, layout: &Appearance) -> Result<Layout, (u16, u16)> {
        let squares = Pitch::squares().map(|pitch| (pitch, true));
        let smallest_square = Pitch::squares().last().map(|pitch| (pitch, false));
        let lines = Pitch::lines(layout);
        let mut needed = (0, 0);
        let may_fit =
            |pitch: &Pitch| *pitch == Pitch::SMALL || pitch.may_fit(layout, (area.width, area.height));
        for (pitch, has_side) in
            squares.chain(smallest_square).chain(lines).filter(|(pitch, _)| may_fit(pitch))
        {
            let board = Board::new(layout.clone(), pitch);
            let (width, height) = board.size;
            // Large boards leave room for messages, small ones for a line of them.
            let spare = if pitch.rows > 2 || pitch.is_drawn() && !has_side { 4 } else { 2 };
            needed = (width.max(NARROWEST), height + spare);
            if has_side {
                needed.0 = width + 1 + SIDE;
            }
            if area.width >= needed.0 && area.height >= needed.1 {
                return Ok(Layout::with(area, board, has_side));
            }
        }
        Err(needed)
    }

    fn with(area: Rect, board: Board, has_side: bool) -> Layout {
        let (width, height) = board.size;
        let spare = area.height - height - 1;
        let header = Rect { height: u16::from(spare > 1), ..area };
        let messages = (spare - header.height).clamp(1, MESSAGES);
        let body = Rect { y: header.bottom(), height: area.height - header.height - messages - 1, ..area };
        let side = if has_side { (area.width - width - 1).clamp(SIDE, WIDEST_SIDE) } else { 0 };
        let room = area.width - side;
        Layout {
            header,
            body,
            side: has_side.then(|| Rect { x: area.x + room, width: side, ..body }),
            origin: (area.x + (room - width).div_ceil(2), body.y + (body.height - height) / 2),
            board,
            messages: Rect { y: body.bottom(), height: messages, ..area },
            buttons: Rect { y: area.bottom() - 1, height: 1, ..area },
        }
    }
}

/// Draws a position alone, as large as it fits into this room; nothing where it does not.
pub(super) fn picture(position: Position, look: Look, area: Rect, buf: &mut Buffer) {
    let layout = position.layout();
    let pitches = Pitch::squares().chain([Pitch::SMALL]);
    let may_fit = |pitch: &Pitch| pitch.may_fit(&layout, (area.width, area.height));
    let mut boards = pitches.filter(may_fit).map(|pitch| Board::new(layout.clone(), pitch));
    let Some(board) = boards.find(|board| board.size.0 <= area.width && board.size.1 <= area.height) else {
        return;
    };
    let nobody = Sitter { name: String::new(), is_person: true, player: None };
    let story = Story::begin(0, vec![nobody; position.seats()].into(), 1, Arc::new(position));
    let switches = Switches::default();
    let scene = Scene { look, story: &story, ply: 0, cursor: None, draft: None, switches, falling: None };
    let (width, height) = board.size;
    let origin = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    marks::draw(&scene, &board, origin, buf);
}

/// A line or a sentence, and how it looks.
pub(super) type Text = (String, Style);

/// Draws lines below a board or a menu; where there are too many, they take its last rows.
pub(super) fn tell(lines: &[Text], area: Rect, buf: &mut Buffer) {
    let height = (lines.len() as u16).clamp(area.height, area.bottom());
    let area = Rect { y: area.bottom() - height, height, ..area };
    blank(area, buf);
    for (row, (line, style)) in (area.y..area.bottom()).zip(lines) {
        put(buf, Rect { y: row, height: 1, ..area }, 1, line, *style);
    }
}

/// What is shown if the window is too small for the board: the smallest size that is enough, and what is asked.
pub(super) fn too_small(
    area: Rect,
    (width, height): (u16, u16),
    question: Option<String>,
    buf: &mut Buffer,
) -> Drawn {
    let asked = question.unwrap_or_else(|| "q leaves.".to_owned());
    let Rect { width: columns, height: rows, .. } = area;
    let text = format!("This window is {columns} by {rows}; this board needs {width} by {height}. {asked}");
    for (row, line) in wrap(&text, area.width).iter().enumerate().take(usize::from(area.height)) {
        put(buf, Rect { y: area.y + row as u16, height: 1, ..area }, 0, line, Style::new());
    }
    Drawn::default()
}

/// Draws the buttons that fit, side by side: the first, and before others the one that shows all keys. Each names its key first.
pub(super) fn buttons(
    labels: impl IntoIterator<Item = impl AsRef<str>>,
    row: Rect,
    buf: &mut Buffer,
) -> Vec<(Rect, KeyCode)> {
    let mut labels: Vec<_> = labels.into_iter().collect();
    let needed = |label: &str| columns(label) + 3;
    let room = usize::from(row.width) + 1;
    while labels.iter().map(|label| needed(label.as_ref())).sum::<usize>() > room && labels.len() > 1 {
        let others = labels.iter().skip(1).rposition(|label| label.as_ref() != keys::STANDING[0]);
        labels.remove(others.unwrap_or(0) + 1);
    }
    let mut x = row.x;
    let place = |label: &str| {
        let area = Rect { x, y: row.y, width: columns(label) as u16 + 2, height: 1 }.intersection(row);
        put(buf, area, 0, &format!("[{label}]"), Style::new());
        x = area.right() + 1;
        (area, keys::of_button(label))
    };
    labels.iter().map(AsRef::as_ref).map(place).collect()
}

/// A frame of these corners, from the top left to the bottom right, and lines across and down.
pub(super) const fn framed(
    corners: &'static str,
    across: &'static str,
    down: &'static str,
) -> border::Set<'static> {
    let (top, bottom) = corners.split_at(2);
    border::Set {
        top_left: top.split_at(1).0,
        top_right: top.split_at(1).1,
        bottom_left: bottom.split_at(1).0,
        bottom_right: bottom.split_at(1).1,
        vertical_left: down,
        vertical_right: down,
        horizontal_top: across,
        horizontal_bottom: across,
    }
}

pub(super) const ASCII: border::Set<'static> = framed("++++", "-", "|");

pub(super) fn outline(area: Rect, charset: Charset, title: &str, buf: &mut Buffer) {
    Block::bordered().border_set(charset.pick(border::PLAIN, ASCII)).title(title).render(area, buf);
}

pub(super) fn inner(area: Rect) -> Rect {
    area.inner(Margin::new(1, 1))
}

/// Writes within the first row of an area, and says where the text ended.
pub(super) fn put(buf: &mut Buffer, area: Rect, from: u16, text: &str, style: Style) -> u16 {
    let room = usize::from(area.width.saturating_sub(from));
    if room == 0 || area.height == 0 || area.y >= buf.area.bottom() {
        return area.x;
    }
    buf.set_stringn(area.x + from, area.y, text, room, style).0
}

pub(super) fn blank(area: Rect, buf: &mut Buffer) {
    Clear.render(area.intersection(buf.area), buf);
}

/// The text in lines of at most so many columns, broken between words; nothing for an empty text.
pub(super) fn wrap(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width.max(8));
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        for piece in pieces(word, width) {
            match lines.last_mut() {
                Some(line) if columns(line) + 1 + columns(&piece) <= width => {
                    line.push(' ');
                    line.push_str(&piece);
                }
                _ => lines.push(piece),
            }
        }
    }
    lines
}

/// The same for a line that may have columns: what fits stays as it is, and what is broken goes on below its last column.
pub(crate) fn broken(text: &str, width: u16) -> Vec<String> {
    if columns(text) <= usize::from(width) {
        return vec![text.to_owned()];
    }
    let (first, last) = text.split_at(text.rfind("  ").map_or(0, |gap| gap + 2));
    let indent = columns(first) as u16;
    if indent > width / 2 {
        return wrap(text, width);
    }
    let mut lines = wrap(last, width - indent);
    for (number, line) in lines.iter_mut().enumerate() {
        let before = if number == 0 { first.to_owned() } else { " ".repeat(columns(first)) };
        line.insert_str(0, &before);
    }
    lines
}

/// A word that is longer than a line, in pieces.
fn pieces(word: &str, width: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for c in word.chars() {
        match pieces.last_mut() {
            Some(piece) if columns(piece) + columns(c.encode_utf8(&mut [0; 4])) <= width => piece.push(c),
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

/// How many columns a text takes: signs of some scripts take two, accents none.
pub(super) fn columns(text: &str) -> usize {
    Span::raw(text).width()
}
