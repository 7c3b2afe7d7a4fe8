//! What is on the screen: a pure function from what is known to characters and colours, and the places that can be
//! clicked.

use super::board::{Board, Pitch, turned};
use super::colours::Look;
use super::keys::Command;
use super::marks::{self, Marked};
use super::page::Page;
use super::side;
use crate::player::OpenTurn;
use crate::ui::log::Sitter;
use crate::ui::story::{Frame, Story};
use crate::ui::words;
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::Layout as Appearance;
use arbiter_rules::{Position, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Span;
use ratatui::widgets::{Block, Clear, Widget};
use std::sync::Arc;

/// Columns that the list of players and moves needs, and more than which it does not take.
const SIDE: u16 = 24;
const WIDEST_SIDE: u16 = 48;
/// Rows of messages that are enough.
const MESSAGES: u16 = 3;
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
    /// What has happened, a sentence each, the newest last.
    pub happened: &'a [String],
    /// The last move in a word, where there is no room for more.
    pub brief: &'a str,
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
    /// A piece on its way down.
    pub falling: Option<Falling>,
}

/// A piece that is shown on its way down to where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Falling {
    /// Whose piece it is.
    pub seat: Seat,
    /// Where it lies.
    pub to: u16,
    /// Where it is shown.
    pub at: u16,
}

/// What the person has switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Switches {
    /// Cells that can be touched are marked.
    pub hints: bool,
    /// Names of rows, columns and cells are hidden.
    pub hides_names: bool,
    /// What bots say is shown.
    pub bot: bool,
    /// A bar shows what the strongest of them thinks.
    pub bar: bool,
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
    pub(super) fn button_at(&self, x: u16, y: u16) -> Option<&Command> {
        self.buttons.iter().find(|(area, _)| area.contains((x, y).into())).map(|(_, command)| command)
    }

    /// The cell at a place.
    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<u16> {
        let (board, (left, top)) = self.board.as_ref()?;
        board.cell_at(x.checked_sub(*left)?, y.checked_sub(*top)?)
    }
}

impl Screen<'_> {
    /// The picture that is shown.
    pub(super) fn frame(&self) -> &Frame {
        let last = self.story.frames.len() - 1;
        &self.story.frames[self.ply.min(last)]
    }

    /// Draws everything.
    pub(super) fn draw(&self, area: Rect, buf: &mut Buffer) -> Drawn {
        let layout = turned(&self.frame().position.layout(), self.switches.turns);
        let plan = match Layout::of(area, &layout) {
            Ok(plan) => plan,
            Err(needed) => return too_small(area, needed, buf),
        };
        let mut drawn = Drawn::default();
        self.header(plan.header, buf);
        let (left, top) = plan.origin;
        drawn.cursor = marks::draw(&Marked { screen: self, board: &plan.board }, plan.origin, buf)
            .map(|(x, y)| (x + left, y + top))
            .filter(|_| self.cursor.is_some() && self.page.is_none());
        // What is being typed takes the last line of the messages.
        let typed = u16::from(self.typing.is_some());
        let messages = Rect { height: plan.messages.height.saturating_sub(typed), ..plan.messages };
        let said = self.said(messages, plan.side.is_some());
        if let Some(side) = plan.side {
            outline(side, self.look.charset, " Players ", buf);
            side::draw(self, &said.beside, inner(side), buf);
        }
        if let Some(page) = self.page {
            page.draw(plan.body, self.look.charset, buf);
        }
        said.draw(messages, buf);
        drawn.board = Some((plan.board, plan.origin));
        drawn.buttons = buttons(self.buttons, plan.buttons, buf);
        if let Some((question, text)) = self.typing {
            let row = Rect { y: plan.messages.bottom() - 1, height: 1, ..plan.messages };
            blank(row, buf);
            // Of a long text the end is shown, where one types.
            let room = usize::from(row.width).saturating_sub(question.chars().count() + 2);
            let skip = text.chars().count().saturating_sub(room);
            let line = format!("{question} {}", text.chars().skip(skip).collect::<String>());
            let at = put(buf, row, 0, &line, Style::default().add_modifier(Modifier::BOLD));
            drawn.cursor = Some((at.min(row.right().saturating_sub(1)), row.y));
        }
        drawn
    }

    fn header(&self, area: Rect, buf: &mut Buffer) {
        let position = &self.frame().position;
        let (dot, more) = (self.look.charset.pick(" · ", " - "), self.look.charset.pick("…", "..."));
        let room = usize::from(area.width).saturating_sub(self.corner.chars().count() + 2);
        let game = position.info().id;
        let mut text = format!(" arbiter   {game}");
        if text.chars().count() > room {
            text = format!(" {game}");
        }
        let seats = (position.info().seats.len() > 1).then(|| format!("{} players", position.seats()));
        for part in seats.into_iter().chain(words::options(position)) {
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

    /// What is said where. No sentence is ever cut: what has happened goes beside the board where there is no room below it,
    /// or is told in fewer words.
    fn said(&self, area: Rect, has_side: bool) -> Said {
        let width = area.width.saturating_sub(2);
        let mark = if self.alert.is_empty() { "" } else { "! " };
        let alerts = wrap(&format!("{mark}{}", self.alert), width);
        let alert_style = self.look.palette.alert();
        let notes: Vec<String> = match has_side {
            true => Vec::new(),
            false => words::notes(&self.frame().position, self.look.charset),
        };
        let notes = notes.iter().map(|note| note.trim()).filter(|note| !note.is_empty());
        let told: Vec<&str> = notes.chain(self.happened.iter().map(String::as_str)).collect();
        let mut ways: Vec<(Vec<&str>, &[String])> = vec![(told.clone(), &[])];
        if has_side {
            ways.push((Vec::new(), self.happened));
        } else {
            ways.extend((1..told.len()).map(|from| (told[from..].to_vec(), &[][..])));
            ways.extend([(vec![self.brief], &[][..]), (Vec::new(), &[])]);
        }
        // What a tour tells of a picture is what the picture is for.
        if self.frame().pose.is_some() {
            ways.truncate(1);
        }
        let lines = |told: &[&str]| {
            let words: Vec<&str> = told.iter().copied().chain([self.message]).collect();
            wrap(&words.join(" "), width)
        };
        let fits = |(told, _): &&(Vec<&str>, &[String])| {
            lines(told).len() + alerts.len() <= usize::from(area.height)
        };
        let way = ways.iter().find(fits).or(ways.last()).expect("there is always a way");
        let below = lines(&way.0).into_iter().map(|line| (line, Style::default()));
        let alerts = alerts.into_iter().map(|line| (line, alert_style));
        Said { below: below.chain(alerts).collect(), beside: way.1.to_vec() }
    }
}

/// Sentences, in lines.
struct Said {
    below: Vec<(String, Style)>,
    beside: Vec<String>,
}

impl Said {
    /// The lines below the board; where there are too many, they take the last rows of the board.
    fn draw(&self, area: Rect, buf: &mut Buffer) {
        let height = (self.below.len() as u16).clamp(area.height, area.bottom());
        let area = Rect { y: area.bottom() - height, height, ..area };
        blank(area, buf);
        for (row, (line, style)) in (area.y..area.bottom()).zip(&self.below) {
            put(buf, Rect { y: row, height: 1, ..area }, 1, line, *style);
        }
    }
}

/// Where the parts of the screen are.
struct Layout {
    header: Rect,
    body: Rect,
    side: Option<Rect>,
    origin: (u16, u16),
    board: Board,
    messages: Rect,
    buttons: Rect,
}

impl Layout {
    /// The largest board that fits, if possible with the list of players and moves beside it; otherwise the columns and rows
    /// that are needed at least.
    fn of(area: Rect, layout: &Appearance) -> Result<Layout, (u16, u16)> {
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
    let seats = vec![nobody; position.seats()].into();
    let screen = Screen {
        look,
        story: &Story::begin(0, seats, 1, Arc::new(position)),
        ply: 0,
        corner: "",
        cursor: None,
        draft: None,
        alert: "",
        happened: &[],
        brief: "",
        message: "",
        typing: None,
        printed: Vec::new(),
        page: None,
        buttons: &[],
        switches: Switches { hints: false, hides_names: false, bot: false, bar: false, turns: 0 },
        falling: None,
    };
    let (width, height) = board.size;
    let origin = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    marks::draw(&Marked { screen: &screen, board: &board }, origin, buf);
}

/// What is shown if the window is too small for the board: the smallest size that is enough.
fn too_small(area: Rect, (width, height): (u16, u16), buf: &mut Buffer) -> Drawn {
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
    let ascii = border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: "|",
        vertical_right: "|",
        horizontal_top: "-",
        horizontal_bottom: "-",
    };
    Block::bordered().border_set(charset.pick(border::PLAIN, ascii)).title(title).render(area, buf);
}

/// The inside of a frame.
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
pub(super) fn broken(text: &str, width: u16) -> Vec<String> {
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
