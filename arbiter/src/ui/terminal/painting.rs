//! A board as a painting: the ground, the lines and names on it, and the pieces. How they look comes from the layout;
//! nothing here knows a game.

use super::board::Board;
use super::canvas::{Canvas, Form, anew, is_within};
use super::colours::{Look, Palette, Tone};
use super::marks::Scene;
use super::screen::{ASCII, columns, framed};
use arbiter_rules::Seat;
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::{Field, GroupState, Pieces, Point};
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Color, Style};
use ratatui::symbols::border::{self, Set};
use ratatui::symbols::merge::MergeStrategy;
use ratatui::widgets::{Block, Widget};

const NAME: usize = 16;

pub(super) struct Painter<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) canvas: Canvas,
    pub(super) board: &'a Board,
    palette: Palette,
    charset: Charset,
}

impl<'a> Painter<'a> {
    pub(super) fn new(scene: &'a Scene<'a>, board: &'a Board) -> Painter<'a> {
        let Look { palette, charset } = scene.look;
        Painter { scene, canvas: Canvas::new(board.size), board, palette, charset }
    }

    /// Everything below the marks.
    pub(super) fn paint(&mut self) {
        self.ground();
        self.strips();
        self.lines();
        self.labels();
        self.cells();
        self.frames();
        self.home_names();
    }

    fn has_colour(&self) -> bool {
        self.palette != Palette::None
    }

    fn tone(&self, tone: Tone) -> Color {
        self.palette.tone(tone)
    }

    fn ground(&mut self) {
        if !self.has_colour() {
            return;
        }
        let (board, is_drawn) = (self.board, self.board.pitch.is_drawn());
        let (panel, cell) = match board.layout.field {
            Field::Ruled => return,
            Field::Cloth => (Tone::SEAM, Tone::CLOTH),
            Field::Rack => (Tone::RACK, Tone::OPENING),
            Field::Tiles | Field::Hexagons => (Tone::JOINT, Tone::TILE),
            Field::Holes => (Tone::WOOD, Tone::WOOD),
        };
        // On a board of small cells there is no room for anything between them.
        let is_plain = !is_drawn && board.layout.field != Field::Rack;
        let panel = self.tone(if is_plain { cell } else { panel });
        board.areas.iter().for_each(|area| self.canvas.fill(area.outer(Margin::new(1, 0)), panel));
        if board.layout.field == Field::Holes {
            for home in &board.layout.homes {
                let colour =
                    home.seat.map_or_else(|| self.tone(Tone::VACANT), |seat| self.palette.seat(seat)[2]);
                let corners: Vec<(f64, f64)> = home.corners.iter().map(|&at| board.at(at)).collect();
                let own = |at: &Point| is_within(board.at(*at), &corners);
                for (_, area) in board.layout.cells.iter().zip(&board.areas).filter(|(at, _)| own(at)) {
                    self.canvas.fill(area.outer(Margin::new(1, 0)), colour);
                }
                if is_drawn {
                    self.canvas.polygon(&corners, colour);
                }
            }
        }
        let form = if board.layout.field == Field::Rack { Form::Disc } else { Form::Whole };
        if is_drawn && board.layout.field != Field::Holes {
            let colour = self.tone(cell);
            board.areas.iter().for_each(|area| self.disc(form, *area, colour));
        }
    }

    fn disc(&mut self, form: Form, area: Rect, colour: Color) {
        self.canvas.paint(form, (area.x, 2 * area.y), (area.width, area.width), colour);
    }

    /// The sides that belong to seats, each with the seat's sign.
    fn strips(&mut self) {
        for &(owner, area) in &self.board.strips {
            let [seat, on, ..] = self.palette.seat(owner);
            if self.has_colour() {
                self.canvas.fill(area, seat);
            }
            let (x, y) = (area.x + area.width / 2, area.y + (area.height - 1) / 2);
            self.canvas.write(x, y, &self.sign(owner), Style::new().fg(on));
        }
    }

    /// Lines between cells, within each board.
    fn lines(&mut self) {
        let board = self.board;
        if !board.has_lines() {
            return;
        }
        let style = Style::new().dim();
        let [across, down, crossing] = self.charset.pick(["─", "│", "┼"], ["-", "|", "+"]);
        let all: Vec<u16> = (0..board.areas.len() as u16).collect();
        let groups: Vec<&[u16]> = match board.layout.groups.is_empty() {
            true => vec![&all],
            false => board.layout.groups.iter().map(|group| group.cells.as_slice()).collect(),
        };
        for group in groups {
            let areas: Vec<Rect> = group.iter().map(|&cell| board.area(cell)).collect();
            let (right, bottom) =
                (areas.iter().map(|area| area.x).max(), areas.iter().map(|area| area.y).max());
            for area in areas {
                let (x, y) = (area.x + area.width, area.y + area.height);
                let (has_right, has_below) = (Some(area.x) < right, Some(area.y) < bottom);
                if has_right {
                    (area.y..y).for_each(|row| self.canvas.write(x, row, down, style));
                }
                if has_below {
                    (area.x..x).for_each(|column| self.canvas.write(column, y, across, style));
                }
                if has_right && has_below {
                    self.canvas.write(x, y, crossing, style);
                }
            }
        }
    }

    fn labels(&mut self) {
        // Where cells bear their names, there are none beside the board.
        if self.scene.switches.hides_names {
            return;
        }
        let labels = self.board.labels.iter();
        labels.for_each(|(at, text)| self.canvas.write(at.x, at.y, text, Style::new()));
    }

    fn cells(&mut self) {
        let scene = self.scene;
        let (targets, preview, draft, falling) =
            (scene.targets(), scene.preview(), scene.drafted(), scene.falling);
        for (cell, content) in (0..).zip(scene.position().cells()) {
            let is_falling = falling.is_some_and(|falling| falling.to == cell && falling.at != cell);
            let seat = match falling {
                Some(falling) if falling.at == cell => Some(falling.seat),
                _ => Seat::new(usize::from(content).wrapping_sub(1)).filter(|_| !is_falling),
            };
            match seat {
                Some(seat) => self.piece(cell, seat),
                None if draft.last() == Some(&cell) => self.ghost(cell, Style::bold),
                None if preview.landing == Some(cell) => self.ghost(cell, Style::dim),
                None if draft.contains(&cell) => self.note(cell, self.charset.pick("•", "+")),
                None => self.empty(cell, targets.contains(&cell)),
            }
        }
    }

    fn sign(&self, seat: Seat) -> String {
        self.scene.position().sign(seat.index(), self.charset).to_string()
    }

    /// The style of something small on the ground.
    fn note_style(&self) -> Style {
        let tone = match self.board.layout.field {
            // The rack itself, and none of its openings.
            Field::Rack if !self.board.pitch.is_drawn() => Tone::mark(Field::Rack),
            field => Tone::target(field),
        };
        Style::new().fg(self.tone(tone))
    }

    fn note(&mut self, cell: u16, text: &str) {
        let (x, y) = self.board.middle(cell);
        self.canvas.write(x, y, text, self.note_style().bold());
    }

    fn ghost(&mut self, cell: u16, modified: fn(Style) -> Style) {
        let (x, y) = self.board.middle(cell);
        let seat = self.scene.draft.map_or(Seat::FIRST, |turn| turn.id.seat);
        let sign = self.sign(seat);
        self.canvas.write(x, y, &sign, modified(self.note_style()));
    }

    fn empty(&mut self, cell: u16, is_target: bool) {
        let (x, y) = self.board.middle(cell);
        let names = self.board.layout.named && !self.scene.switches.hides_names;
        let name = self.scene.position().cell_name(cell);
        let inner = usize::from(self.board.pitch.inner());
        let diamond = self.charset.pick("◆", "*");
        let has_room = names && name.len() <= inner;
        if is_target {
            let size = ((self.board.pitch.rows - 1) / 2 * 2).saturating_sub(1);
            if size > 3 && self.charset == Charset::Unicode {
                let area = self.board.area(cell);
                let (x, y) = (area.x + (area.width - size) / 2, 2 * area.y + (area.width - size) / 2);
                let colour = self.tone(Tone::target(self.board.layout.field));
                self.canvas.paint(Form::Diamond, (x, y), (size, size), colour);
                return;
            }
            self.note(cell, diamond);
            // The number goes beside the mark where both fit.
            if has_room && name.len() + 2 <= inner {
                self.canvas.write(x + 1, y, &name, self.note_style());
            }
            return;
        }
        if has_room {
            let style = match self.has_colour() {
                true => Style::new().fg(self.tone(Tone::NUMBER)),
                false => Style::new().dim(),
            };
            self.canvas.write(x - (name.len() as u16 - 1) / 2, y, &name, style);
            return;
        }
        let is_seen = self.has_colour() && self.board.pitch.is_drawn() || self.board.has_lines();
        if !is_seen || self.board.layout.field == Field::Holes {
            self.canvas.write(x, y, self.charset.pick("·", "."), self.note_style());
        }
    }

    fn piece(&mut self, cell: u16, seat: Seat) {
        let sign = self.scene.position().sign_on(cell, seat.index(), self.charset);
        let area = self.board.area(cell);
        match (self.board.layout.pieces, self.has_colour()) {
            (Pieces::Signs, _) => self.written(sign, seat, area, self.board.middle(cell)),
            (Pieces::Stones, true) => self.stone(cell, seat, sign),
            (Pieces::Discs, true) => self.token(cell, seat, sign),
            (Pieces::Stones | Pieces::Discs, false) => self.colourless(cell, seat, sign),
        }
        let height = self.scene.position().column(cell).len();
        if self.board.layout.piles && height > 1 && self.board.pitch.is_drawn() {
            let (x, y) = self.board.middle(cell);
            let height = height.to_string();
            let [seat, on, ..] = self.palette.seat(seat);
            let style = Style::new().fg(on).bg(seat);
            self.canvas.write(x - (height.len() as u16 - 1) / 2, y + 1, &height, style);
        }
    }

    /// A sign as if written with a pen, as large as there is room.
    fn written(&mut self, sign: char, seat: Seat, area: Rect, (x, y): (u16, u16)) {
        let [.., pen] = self.palette.seat(seat);
        let form = match sign.to_ascii_lowercase() {
            'x' => Some(Form::Cross),
            'o' => Some(Form::Ring),
            _ => None,
        };
        match form.filter(|_| area.height > 1) {
            Some(form) => {
                let (width, height) = (area.width, 2 * area.height);
                // The frame of a large sign.
                let rim = u16::from(width > 6);
                let at = (area.x + rim, 2 * area.y);
                self.canvas.paint(form, at, (width - 2 * rim, height), pen);
            }
            None => self.canvas.write(x, y, &sign.to_string(), Style::new().bold().fg(pen)),
        }
    }

    fn stone(&mut self, cell: u16, seat: Seat, sign: char) {
        let colour = self.tone(if seat == Seat::FIRST { Tone::BLACK } else { Tone::WHITE });
        if self.board.pitch.is_drawn() {
            return self.disc(Form::Disc, self.board.area(cell), colour);
        }
        let (x, y) = self.board.middle(cell);
        self.canvas.write(x, y, &sign.to_string(), Style::new().fg(colour).bold());
    }

    fn token(&mut self, cell: u16, seat: Seat, sign: char) {
        let ((x, y), area) = (self.board.middle(cell), self.board.area(cell));
        let [colour, on, ..] = self.palette.seat(seat);
        match (self.board.pitch.is_drawn(), area.width) {
            (true, _) => self.disc(Form::Disc, area, colour),
            (false, 1) => self.canvas.fill(area, colour),
            // One row high, two columns wide: a square, half a column from the edges.
            (false, _) => self.canvas.square((2 * area.x + 1, 2 * area.y), colour),
        }
        self.canvas.write(x, y, &sign.to_string(), Style::new().fg(on).bold());
    }

    /// The pieces of every other seat are full, those of the others are outlines.
    fn colourless(&mut self, cell: u16, seat: Seat, sign: char) {
        let ((x, y), area) = (self.board.middle(cell), self.board.area(cell));
        let bold = Style::new().bold();
        let round = self.charset.pick(border::ROUNDED, framed("/\\\\/", "-", "|"));
        if self.board.pitch.is_drawn() {
            match seat {
                Seat::FIRST if self.charset == Charset::Unicode => self.disc(Form::Disc, area, Color::Reset),
                Seat::FIRST => self.frame(area, framed("####", "#", "#"), bold, MergeStrategy::Replace),
                _ => self.frame(area, round, bold, MergeStrategy::Replace),
            }
            if self.board.layout.pieces == Pieces::Stones && self.charset == Charset::Unicode {
                return;
            }
        }
        self.canvas.write(x, y, &sign.to_string(), bold);
    }

    fn frame(&mut self, area: Rect, set: Set<'_>, style: Style, joins: MergeStrategy) {
        let block = Block::bordered().border_set(set).border_style(anew(style)).merge_borders(joins);
        block.render(area, &mut self.canvas.signs);
    }

    /// Frames of boards within the board: those that are won bear one large sign, and the one that must be played on comes
    /// last, so that nothing covers it.
    fn frames(&mut self) {
        let board = self.board;
        let winning = self.scene.winning();
        let mut frames: Vec<_> = board.frames().collect();
        let weight = |state: GroupState, cells: &[u16]| {
            (cells.iter().all(|cell| winning.contains(cell)), state == GroupState::Forced)
        };
        frames.sort_by_key(|&(_, state, cells)| weight(state, cells));
        for (area, state, cells) in frames {
            let (is_winning, is_forced) = weight(state, cells);
            if let GroupState::Won(seat) = state {
                let inside = area.inner(Margin::new(1, 1));
                self.canvas.fill(inside, None);
                let sign = self.scene.position().sign(seat.index(), self.charset);
                let middle = (inside.x + inside.width / 2, inside.y + inside.height / 2);
                let width = (2 * inside.height - 1 + inside.width % 2).min(inside.width);
                let width = width - (inside.width - width) % 2;
                let form = Rect { x: inside.x + (inside.width - width) / 2, width, ..inside };
                self.written(sign, seat, form, middle);
            }
            let loud = |tone| match self.has_colour() {
                true => Style::new().fg(self.tone(tone)),
                false => Style::new().bold(),
            };
            let (unicode, ascii, style, joins) = match (is_winning, is_forced) {
                (true, _) => {
                    (border::THICK, framed("****", "*", "*"), loud(Tone::WINNING), MergeStrategy::Replace)
                }
                (_, true) => {
                    (border::DOUBLE, framed("####", "=", "#"), loud(Tone::FORCED), MergeStrategy::Replace)
                }
                _ => (border::PLAIN, ASCII, Style::new().dim(), MergeStrategy::Exact),
            };
            self.frame(area, self.charset.pick(unicode, ascii), style, joins);
        }
    }

    /// The names of those who play, each as near to the tip of its home as there is room.
    fn home_names(&mut self) {
        let (board, story) = (self.board, self.scene.story);
        if board.layout.field != Field::Holes {
            return;
        }
        let middle = (f64::from(board.size.0) / 2.0, f64::from(board.size.1) / 2.0);
        let away = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).powi(2) + 4.0 * (a.1 - b.1).powi(2);
        for home in &board.layout.homes {
            let Some((seat, sitter)) =
                home.seat.and_then(|seat| Some((seat, story.seats.get(seat.index())?)))
            else {
                continue;
            };
            let name: String = sitter.name.chars().take(NAME).collect();
            let text = format!("{seat} {name}");
            let tips = home.corners.iter().map(|&at| board.at(at));
            let Some(tip) = tips.max_by(|a, b| away(*a, middle).total_cmp(&away(*b, middle))) else {
                continue;
            };
            let (width, height) = (columns(&text) as u16, 1);
            let (right, bottom) = board.size;
            let places = (0..bottom).flat_map(|y| {
                (0..(right + 1).saturating_sub(width)).map(move |x| Rect { x, y, width, height })
            });
            // A column is left free on either side, where the marks of cells stand.
            let wide = |area: &Rect| area.outer(Margin::new(1, 0));
            let is_free = |area: &Rect| {
                self.canvas.is_free(wide(area).intersection(self.canvas.signs.area))
                    && !board.areas.iter().any(|cell| wide(cell).intersects(*area))
            };
            let near = |area: &Rect| {
                let nearest = tip.0.clamp(f64::from(area.x), f64::from(area.right()));
                away((nearest, f64::from(area.y) + 0.5), tip)
            };
            let place = places.filter(is_free).min_by(|a, b| near(a).total_cmp(&near(b)));
            if let Some(place) = place {
                self.canvas.write(place.x, place.y, &text, Style::new().bold());
            }
        }
    }
}
