//! What is on the screen: a pure function from what is known to characters and colours, and the places that can be
//! clicked.

use super::board::Board;
use super::colours::Look;
use super::keys::Command;
use super::marks::{self, Marked};
use super::page::Page;
use super::side;
use crate::player::OpenTurn;
use crate::ui::story::{Frame, Story};
use crate::ui::words;
use arbiter_rules::draw::Charset;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Columns that the list of players and moves needs.
const SIDE: u16 = 24;
/// Columns that buttons and messages need.
const NARROWEST: u16 = 30;

/// Everything that is drawn.
pub(super) struct Screen<'a> {
    /// Colours and characters.
    pub look: Look,
    /// The game.
    pub story: &'a Story,
    /// Which picture of it.
    pub ply: usize,
    /// The right end of the first line.
    pub corner: &'a str,
    /// Where the cursor is, while somebody chooses.
    pub cursor: Option<u16>,
    /// The unfinished move.
    pub draft: Option<&'a OpenTurn>,
    /// Why something was refused, or what somebody has to answer.
    pub alert: &'a str,
    /// What has happened.
    pub happened: &'a str,
    /// Whose turn it is, and what else there is to say.
    pub message: &'a str,
    /// What is being typed, with its question.
    pub typing: Option<(&'a str, &'a str)>,
    /// The last lines that bots have printed.
    pub printed: Vec<String>,
    /// A page over the board.
    pub page: Option<&'a Page>,
    /// What can be pressed.
    pub buttons: &'a [Button],
    /// What is switched on.
    pub switches: Switches,
}

/// What the person has switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Switches {
    /// Cells that can be touched are marked.
    pub hints: bool,
    /// Coordinates are the other way than usual: hidden beside a board, shown in the cells of a board without any.
    pub named_cells: bool,
    /// What bots say is shown.
    pub bot: bool,
    /// How often the board is turned.
    pub turns: u8,
}

/// Something to press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Button {
    /// The key and what it does.
    pub label: String,
    /// What it does.
    pub command: Command,
}

impl Button {
    /// A button.
    pub(super) fn new(label: impl Into<String>, command: Command) -> Button {
        Button { label: label.into(), command }
    }
}

/// What can be clicked, and where the terminal's own cursor stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    /// Buttons by place.
    pub buttons: Vec<(Rect, Command)>,
    /// The board and its top left.
    pub board: Option<(Board, (u16, u16))>,
    /// Where the cursor is.
    pub cursor: Option<(u16, u16)>,
}

impl Drawn {
    /// The button at a place.
    #[must_use]
    pub(super) fn button_at(&self, x: u16, y: u16) -> Option<&Command> {
        let is_in = |area: &Rect| (area.x..area.right()).contains(&x) && (area.y..area.bottom()).contains(&y);
        self.buttons.iter().find(|(area, _)| is_in(area)).map(|(_, command)| command)
    }

    /// The cell at a place.
    #[must_use]
    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<u16> {
        let (board, (left, top)) = self.board.as_ref()?;
        board.cell_at(x.checked_sub(*left)?, y.checked_sub(*top)?)
    }
}

impl Screen<'_> {
    /// The picture that is shown.
    #[must_use]
    pub(super) fn frame(&self) -> &Frame {
        let last = self.story.frames.len() - 1;
        &self.story.frames[self.ply.min(last)]
    }

    /// The board as it is turned now.
    #[must_use]
    pub(super) fn board(&self) -> Board {
        Board::of(&self.frame().position.scene(self.look.charset)).turned(self.switches.turns)
    }

    /// Draws everything.
    pub(super) fn draw(&self, area: Rect, buf: &mut Buffer) -> Drawn {
        let board = self.board();
        let Some(plan) = Layout::of(area, &board) else { return too_small(area, &board, buf) };
        let mut drawn = Drawn::default();
        self.header(plan.header, buf);
        if let Some(frame) = plan.frame {
            outline(frame, self.look.charset, "", buf);
        }
        if let Some(side) = plan.side {
            outline(side, self.look.charset, " Players ", buf);
            side::draw(self, inner(side), buf);
        }
        let (left, top) = plan.origin;
        drawn.cursor = marks::draw(&self.marked(&plan.board), plan.origin, buf)
            .map(|(x, y)| (x + left, y + top))
            .filter(|_| self.cursor.is_some());
        drawn.board = Some((plan.board.clone(), plan.origin));
        // What is being typed takes the last line of the messages.
        let typed = u16::from(self.typing.is_some());
        let messages = Rect { height: plan.messages.height.saturating_sub(typed), ..plan.messages };
        self.messages(messages, plan.side.is_none(), buf);
        if let Some(page) = self.page {
            let over =
                if plan.frame.is_some() { plan.body } else { Rect { height: plan.body.height, ..plan.body } };
            page.draw(over, self.look.charset, buf);
        }
        drawn.buttons = buttons(self.buttons, plan.buttons, buf);
        if let Some((question, text)) = self.typing {
            let row = Rect { y: plan.messages.bottom() - 1, height: 1, ..plan.messages };
            blank(row, buf);
            let line = format!("{question} {text}");
            let at = put(buf, row, 0, &line, Style::default().add_modifier(Modifier::BOLD));
            drawn.cursor = Some((at.min(row.right().saturating_sub(1)), row.y));
            // If no other line is free, the error stands after the typed text.
            if messages.height == 0 && !self.alert.is_empty() {
                put(buf, row, at - row.x, &format!("  ! {}", self.alert), self.look.palette.alert());
            }
        }
        drawn
    }

    fn header(&self, area: Rect, buf: &mut Buffer) {
        let position = &self.frame().position;
        let (dot, more) = (self.look.charset.pick(" · ", " - "), self.look.charset.pick("…", "..."));
        let room = usize::from(area.width).saturating_sub(self.corner.chars().count() + 2);
        let mut text = format!(" arbiter   {}", position.info().id);
        let seats = format!("{} players", position.seats());
        for part in [seats].into_iter().chain(words::options(position)) {
            let longer = format!("{text}{dot}{part}");
            if longer.chars().count() + more.len() > room {
                text.push_str(more);
                break;
            }
            text = longer;
        }
        let row = Rect { width: room as u16, ..area };
        put(buf, row, 0, &text, Style::default().add_modifier(Modifier::BOLD));
        let from = area.width.saturating_sub(self.corner.chars().count() as u16 + 1);
        put(buf, area, from, self.corner, Style::default());
    }

    /// The newest sentences at the bottom, what is wrong in bold.
    fn messages(&self, area: Rect, with_players: bool, buf: &mut Buffer) {
        let plain = Style::default();
        let mut lines: Vec<(String, Style)> = Vec::new();
        if with_players {
            let notes = self.frame().position.notes(self.look.charset);
            lines.extend(
                notes
                    .iter()
                    .filter(|note| !note.trim().is_empty())
                    .map(|note| (note.trim().to_owned(), plain)),
            );
        }
        lines.extend(wrap(self.happened, area.width.saturating_sub(2)).into_iter().map(|line| (line, plain)));
        lines.extend(wrap(self.message, area.width.saturating_sub(2)).into_iter().map(|line| (line, plain)));
        let alert = self.look.palette.alert();
        let mark = if self.alert.is_empty() { "" } else { "! " };
        let alerts = wrap(&format!("{mark}{}", self.alert), area.width.saturating_sub(2));
        lines.extend(alerts.into_iter().map(|line| (line, alert)));
        let skip = lines.len().saturating_sub(usize::from(area.height));
        for (row, (line, style)) in lines.iter().skip(skip).enumerate() {
            put(buf, Rect { y: area.y + row as u16, height: 1, ..area }, 1, line, *style);
        }
    }

    fn marked<'s>(&'s self, board: &'s Board) -> Marked<'s> {
        Marked { screen: self, board }
    }
}

/// Where the parts of the screen are.
struct Layout {
    header: Rect,
    body: Rect,
    frame: Option<Rect>,
    side: Option<Rect>,
    origin: (u16, u16),
    board: Board,
    messages: Rect,
    buttons: Rect,
}

impl Layout {
    /// The best layout that fits: with everything, without the side, without frames, with a narrow board.
    fn of(area: Rect, board: &Board) -> Option<Layout> {
        let (width, height) = board.size;
        if area.width > width + 2 && area.height > height + 4 {
            return Some(Layout::framed(area, board));
        }
        if area.width >= width.max(NARROWEST) && area.height >= height + 2 {
            return Some(Layout::bare(area, board));
        }
        let narrow = board.narrow()?;
        let (width, height) = narrow.size;
        let fits = area.width >= width.max(NARROWEST) && area.height >= height + 2;
        fits.then(|| Layout::bare(area, &narrow))
    }

    fn framed(area: Rect, board: &Board) -> Layout {
        let (width, height) = board.size;
        let has_side = area.width >= width + 3 + SIDE;
        let widest = if has_side { area.width - SIDE - 2 } else { area.width };
        let frame_width = (width + 3).max(if has_side { NARROWEST } else { area.width }).min(widest);
        let body = Rect {
            y: area.y + 1,
            height: area.height.saturating_sub(5).max(height + 2).min(area.height - 3),
            ..area
        };
        let frame = Rect { width: frame_width, ..body };
        let side =
            has_side.then(|| Rect { x: area.x + frame_width, width: area.width - frame_width, ..body });
        let space = (frame_width - 2 - width, body.height - 2 - height);
        let origin = (frame.x + 1 + space.0 / 2, frame.y + 1 + space.1.min(1));
        Layout {
            header: Rect { height: 1, ..area },
            body,
            frame: Some(frame),
            side,
            origin,
            board: board.clone(),
            messages: Rect { y: body.bottom(), height: area.bottom() - body.bottom() - 1, ..area },
            buttons: Rect { y: area.bottom() - 1, height: 1, ..area },
        }
    }

    fn bare(area: Rect, board: &Board) -> Layout {
        let (width, height) = board.size;
        let has_side = area.width >= width + 2 + SIDE;
        let spare = area.height - height;
        let top = area.y + u16::from(spare > 2);
        let body = Rect { y: top, height, ..area };
        let board_width = if has_side { width + 2 } else { area.width };
        let side =
            has_side.then(|| Rect { x: area.x + board_width, width: area.width - board_width, ..body });
        Layout {
            header: Rect { height: u16::from(spare > 2), ..area },
            body,
            frame: None,
            side,
            origin: (area.x + (board_width - width) / 2, top),
            board: board.clone(),
            messages: Rect { y: body.bottom(), height: area.bottom() - body.bottom() - 1, ..area },
            buttons: Rect { y: area.bottom() - 1, height: 1, ..area },
        }
    }
}

/// What is shown if the window is too small for the board: the smallest size that is enough.
fn too_small(area: Rect, board: &Board, buf: &mut Buffer) -> Drawn {
    let (width, height) = board.narrow().map_or(board.size, |narrow| narrow.size);
    let (width, height) = (width.max(NARROWEST), height + 2);
    let text =
        format!("This window is {} by {}; this board needs {width} by {height}", area.width, area.height);
    for (row, line) in wrap(&text, area.width).iter().enumerate().take(usize::from(area.height)) {
        put(buf, Rect { y: area.y + row as u16, height: 1, ..area }, 0, line, Style::default());
    }
    Drawn::default()
}

/// Draws the buttons that fit, side by side.
pub(super) fn buttons(buttons: &[Button], row: Rect, buf: &mut Buffer) -> Vec<(Rect, Command)> {
    let mut places = Vec::new();
    let mut x = row.x;
    for button in buttons {
        let width = button.label.chars().count() as u16 + 2;
        if x + width > row.right() {
            break;
        }
        let area = Rect { x, y: row.y, width, height: 1 };
        put(buf, area, 0, &format!("[{}]", button.label), Style::default());
        places.push((area, button.command.clone()));
        x += width + 1;
    }
    places
}

/// A frame with a title.
pub(super) fn outline(area: Rect, charset: Charset, title: &str, buf: &mut Buffer) {
    if area.width < 2 || area.height < 2 {
        return;
    }
    let [top_left, top_right, bottom_left, bottom_right, across, down] =
        charset.pick(["┌", "┐", "└", "┘", "─", "│"], ["+", "+", "+", "+", "-", "|"]);
    let style = Style::default();
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    for x in area.x..=right {
        buf.set_string(x, area.y, across, style);
        buf.set_string(x, bottom, across, style);
    }
    for y in area.y..=bottom {
        buf.set_string(area.x, y, down, style);
        buf.set_string(right, y, down, style);
    }
    for (x, y, corner) in [
        (area.x, area.y, top_left),
        (right, area.y, top_right),
        (area.x, bottom, bottom_left),
        (right, bottom, bottom_right),
    ] {
        buf.set_string(x, y, corner, style);
    }
    put(buf, Rect { height: 1, ..area }, 1, title, style);
}

/// The inside of a frame.
pub(super) fn inner(area: Rect) -> Rect {
    Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    }
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
    let spaces = " ".repeat(usize::from(area.width));
    for y in area.y..area.bottom().min(buf.area.bottom()) {
        buf.set_string(area.x, y, &spaces, Style::reset());
    }
}

/// The text in lines of at most so many columns, broken between words; nothing for an empty text.
pub(super) fn wrap(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width.max(8));
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        for piece in pieces(word, width) {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + piece.chars().count() <= width => {
                    line.push(' ');
                    line.push_str(&piece);
                }
                _ => lines.push(piece),
            }
        }
    }
    lines
}

/// A word that is longer than a line, in pieces.
fn pieces(word: &str, width: usize) -> Vec<String> {
    let chars: Vec<char> = word.chars().collect();
    chars.chunks(width).map(|chunk| chunk.iter().collect()).collect()
}
