//! What is on the screen: the picture, its sentences, and what can be pressed.

use super::pages::About;
use super::{Mode, Open, Viewer};
use crate::ui::log::What;
use crate::ui::story::Story;
use crate::ui::terminal::board::turned;
use crate::ui::terminal::keys;
use crate::ui::terminal::marks::{self, Falling, Scene};
use crate::ui::terminal::screen::{
    Drawn, Layout, Text, blank, buttons, inner, outline, put, tell, too_small, wrap,
};
use crate::ui::terminal::side;
use crate::ui::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::time::Instant;

impl Viewer {
    /// Draws everything and remembers what can be clicked; says where the cursor is.
    pub(crate) fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        self.go_on_with_page();
        let ply = self.ply();
        self.drawn = match self.stories.get(&self.shown.game) {
            Some(story) => {
                let falling = self.fall.show(story, ply);
                self.draw_story(story, falling, area, buf)
            }
            None => {
                put(buf, area, 1, "Waiting for the first game...", Style::new());
                Drawn::default()
            }
        };
        self.drawn.cursor
    }

    fn draw_story(&self, story: &Story, falling: Option<Falling>, area: Rect, buf: &mut Buffer) -> Drawn {
        let (ply, look, switches) = (self.ply(), self.look, self.switches);
        let pose = story.frames[ply].pose.as_ref();
        let draft = self.turn().or(pose.map(|pose| &pose.turn));
        let cursor = self.turn().map(|_| self.shown.cursor).or(pose.map(|pose| pose.cursor));
        let scene = Scene { look, story, ply, cursor, draft, switches, falling };
        let layout = turned(&scene.position().layout(), switches.turns);
        let Layout { header, body, side, origin, board, messages, buttons: row } =
            match Layout::of(area, &layout) {
                Ok(layout) => layout,
                Err(needed) => {
                    let elsewhere = || "q leaves; --ui line plays in any window.".to_owned();
                    let asked = self.question().or_else(|| (self.mode == Mode::Play).then(elsewhere));
                    return too_small(area, needed, asked, buf);
                }
            };
        // Where no list of players is beside the board, the clock of whoever is to move is above it.
        let mover = scene.position().to_move().filter(|_| side.is_none());
        let left = mover.and_then(|seat| side::left(story, seat));
        let clock = left.map_or(String::new(), |left| side::clock(Some(left)));
        self.header(story, &clock, header, buf);
        marks::draw(&scene, &board, origin, buf);
        let mut cursor = cursor.filter(|_| !matches!(self.open, Open::Page(..))).map(|cell| {
            let (x, y) = board.middle(cell);
            (x + origin.0, y + origin.1)
        });
        // What is being typed takes the last line of the messages.
        let typed = u16::from(matches!(self.open, Open::Typing(_)));
        let told = Rect { height: messages.height.saturating_sub(typed), ..messages };
        let (below, elsewhere) = self.said(story, told, side.is_some());
        if let Some(area) = side {
            outline(area, look.charset, " Players ", buf);
            side::draw(&scene, &elsewhere, self.printed(), inner(area), buf);
        } else {
            tell_above(&elsewhere, header, buf);
        }
        if let Open::Page(page, _) = &self.open {
            page.draw(body, look.charset, buf);
        }
        tell(&below, told, buf);
        let buttons = buttons(self.buttons(story), row, buf);
        if let Open::Typing(text) = &self.open {
            let question = if self.mode == Mode::Play { "Move:" } else { "Go to move:" };
            let row = Rect { y: messages.bottom() - 1, height: 1, ..messages };
            blank(row, buf);
            // Of a long text the end is shown, where one types.
            let room = usize::from(row.width).saturating_sub(question.len() + 2);
            let skip = text.chars().count().saturating_sub(room);
            let line = format!("{question} {}", text.chars().skip(skip).collect::<String>());
            let at = put(buf, row, 0, &line, Style::new().bold());
            cursor = Some((at.min(row.right().saturating_sub(1)), row.y));
        }
        Drawn { buttons, board: Some((board, origin)), cursor }
    }

    /// Whether news may wait for the next picture: not for somebody whose move it is.
    pub(crate) fn may_wait(&self) -> bool {
        self.turn().is_none()
    }

    pub(crate) fn look_away(&self) {
        if let Some(desk) = &self.company.desk {
            desk.away();
        }
    }

    pub(crate) fn look_back(&self) {
        let has_clock = self.turn().is_some_and(|turn| turn.hard.is_some());
        let absence = self.company.desk.as_ref().and_then(|desk| desk.back());
        if let Some(absence) = absence.filter(|absence| has_clock && absence.as_secs() > 0) {
            let text = format!("The clock stood still for {:.0} s.", absence.as_secs_f64());
            self.log.append(self.shown.game, What::Noted(text));
        }
    }

    /// A picture has been drawn that was begun at this time: a person's clock runs from now on, if the board is on it.
    pub(crate) fn was_shown(&mut self, begun: Instant) {
        if self.drawn.board.is_none() {
            if self.story().is_some() {
                self.look_away();
            }
            return;
        }
        self.look_back();
        if let Some(id) = self.turn().map(|turn| turn.id)
            && self.seen.is_none_or(|(seen, _)| seen != id)
        {
            self.seen = Some((id, begun));
        }
        let Some(id) = self.turn().filter(|turn| turn.shown.is_none()).map(|turn| turn.id) else {
            return;
        };
        let Some(desk) = &self.company.desk else { return };
        desk.shown(id);
        let shown = desk.turn().filter(|turn| turn.id == id).and_then(|turn| turn.shown);
        let draft = self.stories.get_mut(&self.shown.game).and_then(|story| story.draft.as_mut());
        if let Some(draft) = draft {
            draft.shown = shown;
        }
    }

    fn question(&self) -> Option<String> {
        match self.open {
            Open::Question(question) => Some(question.sentence()),
            Open::Board | Open::Page(..) | Open::Typing(_) => None,
        }
    }

    fn corner(&self, story: &Story) -> String {
        let game = format!("game {} of {}", story.game, self.company.games.max(story.game));
        match self.mode {
            Mode::Play if self.company.games <= 1 => String::new(),
            Mode::Play => game,
            Mode::Watch if self.shown.ply.is_some() => format!("{game}  frozen at {}", self.ply()),
            Mode::Watch => match self.stories.values().filter(|story| story.ended.is_none()).count() {
                0 => format!("{game}  over"),
                1 => format!("{game}  live"),
                running => format!("{game}  {running} running"),
            },
            Mode::Replay | Mode::Tour => {
                let state = if self.stepped.is_some() { "playing" } else { "paused" };
                format!("{game}  move {} of {}  {state}", self.ply(), self.newest())
            }
        }
    }

    /// What has happened since the person's own last move, or in the picture that is shown.
    fn happened(&self, story: &Story) -> Vec<String> {
        let shown = self.ply();
        let is_own = |index: usize| {
            let moved = story.frames[index].moved.as_ref();
            moved.is_some_and(|moved| story.seats[moved.seat.index()].is_person)
        };
        let first = match self.mode {
            Mode::Play => (1..=shown).rev().find(|&index| is_own(index)).unwrap_or(0),
            Mode::Watch | Mode::Replay | Mode::Tour => shown,
        };
        let first = first.max(shown.saturating_sub(5));
        story.frames[first..=shown].iter().flat_map(|frame| frame.sentences.iter().cloned()).collect()
    }

    /// Whose turn it is and what else the person must know.
    fn status(&self, story: &Story) -> String {
        let mut parts = Vec::new();
        let position = &story.frames[self.ply()].position;
        if self.mode == Mode::Play {
            match (self.turn(), position.to_move()) {
                (Some(turn), Some(seat)) => {
                    parts.push(words::to_move(seat, position, &story.seats, self.look.charset));
                    if position.legal_count() == 1 {
                        parts.push("Only move.".to_owned());
                    }
                    parts.extend(side::time_short(story));
                    if turn.draft.cells.is_empty() && !turn.view.must.is_empty() {
                        let cells = turn.view.must.iter().map(|&cell| position.cell_name(cell));
                        let cells: Vec<_> = cells.collect();
                        parts.push(format!("Pieces marked ! must leave: {}.", cells.join(" or ")));
                    }
                }
                _ if self.shown.ply.is_some() => {
                    let back =
                        if story.ended.is_none() { ": any other key comes back to the game" } else { "" };
                    parts.push(format!("Move {} of {}{back}.", self.ply(), self.newest()));
                }
                (None, Some(seat)) if story.ended.is_none() && !story.seats[seat.index()].is_person => {
                    parts.push(format!("{} is thinking.", words::who(seat, &story.seats)));
                }
                _ => {}
            }
            if self.asks_to_go_on() {
                parts.push("Press Enter to go on.".to_owned());
            }
        }
        if !self.message.is_empty() {
            parts.push(self.message.clone());
        }
        parts.join(" ")
    }

    fn buttons(&self, story: &Story) -> Vec<String> {
        let fixed = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect();
        match &self.open {
            Open::Question(_) => return fixed(&["y Yes", "n No"]),
            Open::Typing(_) => return fixed(&["Enter OK", "Esc Cancel"]),
            Open::Page(_, About::Error(_)) if story.misdeeds.len() > 1 => {
                return fixed(&["< Previous", "> Next", "Esc Close"]);
            }
            Open::Page(..) => return fixed(&["Esc Close"]),
            Open::Board => {}
        }
        let mut buttons: Vec<String> = match (self.mode, self.turn()) {
            (Mode::Play, Some(turn)) => {
                let actions = self.actions();
                let is_action = |done: &&str| actions.iter().any(|action| action.label == *done);
                let done = self.what_enter_does().filter(|done| !is_action(done));
                let mut buttons: Vec<_> = done.iter().map(|done| format!("Enter {done}")).collect();
                buttons.extend(actions.iter().map(|action| format!("{} {}", &action.id[..1], action.label)));
                if !turn.draft.cells.is_empty() {
                    buttons.push("u Undo".to_owned());
                } else if turn.may_take_back {
                    buttons.push("u Take back".to_owned());
                }
                buttons.extend(["t Type", "h Marks"].map(str::to_owned));
                buttons
            }
            (Mode::Play, None) if self.asks_to_go_on() => fixed(&["Enter Go on"]),
            (Mode::Play, None) if story.ended.is_none() => Vec::new(),
            (Mode::Play, None) if self.has_more() => fixed(&["Enter Next game", "v Review"]),
            (Mode::Play, None) => fixed(&["Enter Close", "a Again", "w Swap", "n New", "v Review"]),
            (Mode::Watch, _) if self.shown.ply.is_some() => fixed(&[". Live", "Tab Next game"]),
            (Mode::Watch, _) => fixed(&["Space Freeze", "Tab Next game"]),
            (Mode::Replay | Mode::Tour, _) if self.stories.len() > 1 => {
                fixed(&["< Back", "> On", "Space Play", "Down Next game"])
            }
            (Mode::Replay | Mode::Tour, _) => fixed(&["< Back", "> On", "Space Play"]),
        };
        if !story.misdeeds.is_empty() {
            buttons.push("e Errors".to_owned());
        }
        buttons.extend(keys::STANDING.map(str::to_owned));
        if self.company.adviser.is_some() && self.turn().is_some() {
            buttons.push("H Hint".to_owned());
        }
        buttons
    }

    fn header(&self, story: &Story, clock: &str, area: Rect, buf: &mut Buffer) {
        let position = &story.frames[self.ply()].position;
        let corner = format!("{}  {clock}", self.corner(story)).trim().to_owned();
        let (dot, more) = (self.look.charset.pick(" · ", " - "), self.look.charset.pick("…", "..."));
        let room = usize::from(area.width).saturating_sub(corner.chars().count() + 2);
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
        put(buf, row, 0, &text, Style::new().bold());
        let from = area.width.saturating_sub(corner.chars().count() as u16 + 1);
        put(buf, area, from, &corner, Style::new());
    }

    /// What is said in lines below the board, and in sentences elsewhere. No sentence is ever cut: what has happened goes
    /// beside the board where there is no room below it, or is told in fewer words; what was refused and why goes beside it
    /// too, or takes the place of the header.
    fn said(&self, story: &Story, area: Rect, has_side: bool) -> (Vec<Text>, Vec<Text>) {
        let width = area.width.saturating_sub(2);
        let alert = self.question().unwrap_or_else(|| self.alert.clone());
        let mark = if alert.is_empty() { "" } else { "! " };
        let alert = format!("{mark}{alert}");
        let alerts = wrap(&alert, width);
        let alert_style = self.look.palette.alert();
        let frame = &story.frames[self.ply()];
        let (happened, status) = (self.happened(story), self.status(story));
        // The last move in the fewest words: `2: c5.`.
        let brief =
            frame.moved.as_ref().map_or(String::new(), |moved| format!("{}: {}.", moved.seat, moved.text));
        let notes: Vec<String> = match has_side {
            true => Vec::new(),
            false => words::notes(&frame.position, self.look.charset),
        };
        let notes: Vec<String> = notes.iter().map(|note| as_sentence(note)).collect();
        let notes = notes.iter().map(String::as_str).filter(|note| !note.is_empty());
        let told: Vec<&str> = notes.chain(happened.iter().map(String::as_str)).collect();
        // What is said below the board, and what elsewhere.
        let (status, nothing) = (status.as_str(), &[][..]);
        let all: Vec<&str> = told.iter().copied().chain([status]).collect();
        let mut ways: Vec<(Vec<&str>, &[&str])> = vec![(all.clone(), nothing)];
        if has_side {
            ways.extend([(vec![status], &told[..]), (Vec::new(), &all)]);
        } else {
            ways.extend((1..told.len()).map(|from| (all[from..].to_vec(), nothing)));
            ways.extend([(vec![&brief, status], nothing), (vec![status], nothing)]);
            ways.extend((!alert.is_empty()).then_some((Vec::new(), nothing)));
        }
        // What a tour tells of a picture is what the picture is for.
        if frame.pose.is_some() {
            ways.truncate(1);
        }
        let fits = |(told, _): &&(Vec<&str>, &[&str]), alerts: usize| {
            wrap(&told.join(" "), width).len() + alerts <= usize::from(area.height)
        };
        let with_alert = ways.iter().find(|way| fits(way, alerts.len()));
        let without_it = || ways.iter().find(|way| fits(way, 0));
        let (below, elsewhere) = with_alert.or_else(without_it).or(ways.last()).expect("there is a way");
        let plain = |line: String| (line, Style::new());
        let mut below: Vec<_> = wrap(&below.join(" "), width).into_iter().map(plain).collect();
        let mut elsewhere: Vec<_> = elsewhere.iter().map(|&told| plain(told.to_owned())).collect();
        match with_alert {
            Some(_) => below.extend(alerts.into_iter().map(|line| (line, alert_style))),
            None => elsewhere.extend((!alert.is_empty()).then_some((alert, alert_style))),
        }
        (below, elsewhere)
    }
}

/// A line that has columns, such as `1: 120 to go   2: 119 to go`, as others can go on behind it.
fn as_sentence(note: &str) -> String {
    let text = note.trim().replace("   ", ", ");
    if text.ends_with(char::is_alphanumeric) { format!("{text}.") } else { text }
}

/// Sentences above a board without a list beside it, in place of the header.
fn tell_above(said: &[Text], header: Rect, buf: &mut Buffer) {
    if !said.is_empty() {
        blank(header, buf);
    }
    let lines = said.iter().flat_map(|(sentence, style)| {
        wrap(sentence, header.width.saturating_sub(2)).into_iter().map(move |line| (line, *style))
    });
    for (row, (line, style)) in (header.y..buf.area.bottom()).zip(lines) {
        let end = put(buf, Rect { y: row, height: 1, ..header }, 1, &line, style);
        // The end of a name that is covered would be read as a part of the sentence.
        for x in end..header.right().saturating_sub(1) {
            if buf[(x, row)].symbol() == " " && buf[(x + 1, row)].symbol() == " " {
                break;
            }
            buf[(x, row)].reset();
        }
    }
}
