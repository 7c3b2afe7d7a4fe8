//! Somebody who plays at a terminal: finds the board on the screen by looking, and plays by arrows or by mouse alone.

use super::pty::{Terminal, find};
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::draw::{Charset, Scene};
use arbiter_rules::{Chance, Move, MoveKind, MoveList, Position, Random};

/// What the hand touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Keyboard,
    Mouse,
}

/// What follows a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    MoreToTouch,
    Played,
}

/// A player at a terminal, with a board of its own that must always agree with the screen.
pub(crate) struct Hand<'t> {
    terminal: &'t Terminal,
    pub(crate) position: Position,
    charset: Charset,
    by: By,
    /// Where each cell is on the screen.
    places: Vec<(u16, u16)>,
    random: Random,
}

impl<'t> Hand<'t> {
    /// Finds the board on the screen.
    pub(crate) fn new(terminal: &'t Terminal, position: Position, charset: Charset, by: By) -> Hand<'t> {
        let places = terminal.wait("the board and a question", |screen| {
            let is_asked = find(screen, "[t Type]").is_some();
            find_board(screen, &position, charset).filter(|_| is_asked)
        });
        Hand { terminal, position, charset, by, places, random: Random::new(7) }
    }

    /// Plays a move of the own choice for the seat to move.
    pub(crate) fn play(&mut self) {
        let m = self.choose();
        self.play_move(m);
    }

    /// Plays this move.
    pub(crate) fn play_move(&mut self, m: Move) {
        let mut draft = Draft::default();
        let mut is_done = false;
        for cell in self.position.path(m) {
            match self.position.pick(&draft, cell).expect("the move is legal") {
                DraftStep::Unfinished(next) => {
                    self.touch(cell, Then::MoreToTouch);
                    draft = next;
                }
                DraftStep::Finished(_) => {
                    self.touch(cell, Then::Played);
                    is_done = true;
                }
            }
        }
        let actions = self.position.draft_view(&draft).actions;
        if !is_done && !actions.is_empty() {
            let removes = m.kind() == Some(MoveKind::Remove);
            match (self.by, removes) {
                (By::Keyboard, true) => self.terminal.keys("r"),
                (By::Keyboard, false) => self.terminal.keys("p"),
                (By::Mouse, true) => self.terminal.click_text("[r Remove]"),
                (By::Mouse, false) => self.terminal.click_text("[p Place]"),
            }
        } else if !is_done {
            self.terminal.wait_for("Enter plays it.");
            match (self.by, self.position.ply() % 2) {
                (By::Keyboard, _) => self.terminal.keys("\r"),
                (By::Mouse, 0) => self.terminal.click(self.places[0], 2),
                (By::Mouse, _) => self.terminal.click_text("[Enter Finish]"),
            }
        }
        self.position.play(m, &Chance::NONE).unwrap();
        while self.position.must_pass() {
            self.position.play(Move::PASS, &Chance::NONE).unwrap();
        }
    }

    /// Waits until the screen shows the own board, and asks the next seat.
    #[track_caller]
    pub(crate) fn check(&self) {
        let what = format!("the board of {}", self.position.text());
        self.terminal.wait(&what, |screen| {
            let text = super::pty::contents(screen);
            let asks = match self.position.to_move() {
                Some(seat) => text
                    .lines()
                    .any(|line| line.starts_with(&format!(" Player {seat}")) && line.contains("to move.")),
                None => text.contains("[Enter Close]"),
            };
            (asks && self.agrees(screen, &self.position)).then_some(())
        });
    }

    /// Finds out by looking what others have played, up to the turn of a seat or the end.
    #[track_caller]
    pub(crate) fn watch_until(&mut self, seat: usize) {
        let found = self.terminal.wait("a move of the bot", |screen| {
            let text = super::pty::contents(screen);
            if !text.contains("Your move") && !text.contains("[Enter Close]") {
                return None;
            }
            // The list tells what the board does not: which cell won a grid, what lies under a stack. Long chains are
            // cut off there, but the board tells those.
            let listed = self.listed(&text, seat).filter(|position| self.agrees(screen, position));
            listed.or_else(|| match self.position.info().id {
                "chinese-checkers" => self.reachable(screen, self.position.clone(), seat, 4),
                _ => None,
            })
        });
        self.position = found;
    }

    /// The moves in the list beside the board.
    fn listed(&self, text: &str, seat: usize) -> Option<Position> {
        let mut position = self.position.clone();
        while !is_at(&position, seat) {
            if position.must_pass() {
                position.play(Move::PASS, &Chance::NONE).ok()?;
                continue;
            }
            let number = format!("{}. ", position.ply() + 1);
            let mut entries = text.lines().filter_map(|line| line.rsplit(['│', '|']).nth(1));
            let entry = entries.find_map(|entry| entry.trim_start().strip_prefix(&number))?;
            let word = entry.split_whitespace().nth(1)?;
            let choice = position.read_move(word).ok()?;
            position.play(choice.played, &Chance::NONE).ok()?;
        }
        Some(position)
    }

    /// A position that can come about, looks like the screen, and waits for the seat.
    fn reachable(
        &self,
        screen: &vt100::Screen,
        position: Position,
        seat: usize,
        depth: u32,
    ) -> Option<Position> {
        if is_at(&position, seat) {
            return self.agrees(screen, &position).then_some(position);
        }
        if depth == 0 {
            return None;
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        moves.iter().find_map(|&m| {
            let mut next = position.clone();
            next.play(m, &Chance::NONE).ok()?;
            let is_near = is_at(&next, seat) || next.must_pass() || m == Move::PASS;
            if is_near { self.reachable(screen, next, seat, depth - 1) } else { None }
        })
    }

    /// A move that gets on: towards the end where there is a way, any otherwise.
    fn choose(&mut self) -> Move {
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        let seat = self.position.to_move().expect("the game goes on").index();
        let worth = |m: Move| {
            let mut next = self.position.clone();
            next.play(m, &Chance::NONE).unwrap();
            let is_won =
                next.end().is_some_and(|end| end.outcome.winner().is_some_and(|w| w.index() == seat));
            let to_go =
                next.scores().iter().find(|score| score.name.contains("go")).map_or(0, |s| s.by_seat[seat]);
            (is_won, -to_go)
        };
        let best = moves.iter().map(|&m| worth(m)).max().expect("there is a move");
        let good: Vec<Move> = moves.iter().copied().filter(|&m| worth(m) == best).collect();
        good[self.random.below(good.len())]
    }

    /// Touches a cell.
    fn touch(&self, cell: u16, then: Then) {
        let place = self.places[usize::from(cell)];
        if self.by == By::Mouse {
            self.terminal.click(place, 0);
            if then == Then::Played {
                return;
            }
            self.terminal
                .wait("the cursor where it was clicked", |screen| (cursor(screen) == place).then_some(()));
            return;
        }
        loop {
            let at = self.terminal.wait("the cursor on a cell", |screen| {
                Some(cursor(screen)).filter(|at| self.places.contains(at))
            });
            let key = match (place.1.cmp(&at.1), place.0.cmp(&at.0)) {
                (std::cmp::Ordering::Less, _) => "i",
                (std::cmp::Ordering::Greater, _) => "\x1b[B",
                (_, std::cmp::Ordering::Less) => "j",
                (_, std::cmp::Ordering::Greater) => "\x1b[C",
                _ => break,
            };
            self.terminal.keys(key);
            self.terminal.wait("the cursor to move", |screen| (cursor(screen) != at).then_some(()));
        }
        self.terminal.keys(" ");
    }

    fn agrees(&self, screen: &vt100::Screen, position: &Position) -> bool {
        agrees(screen, position, self.charset, &self.places)
    }
}

fn is_at(position: &Position, seat: usize) -> bool {
    position.end().is_some()
        || position.to_move().is_some_and(|to| to.index() == seat) && !position.must_pass()
}

fn cursor(screen: &vt100::Screen) -> (u16, u16) {
    let (row, column) = screen.cursor_position();
    (column, row)
}

/// Whether every piece is where it should be, and nothing where nothing should be.
fn agrees(screen: &vt100::Screen, position: &Position, charset: Charset, places: &[(u16, u16)]) -> bool {
    let mut cells = vec![0; position.shape().cells()];
    position.write_cells(&mut cells);
    places.iter().zip(cells).all(|(&(x, y), content)| {
        let Some(cell) = screen.cell(y, x) else { return false };
        match content {
            0 => ["·", "◆", ".", "*"].contains(&cell.contents()) || cell.dim(),
            piece => {
                let sign = position.sign(usize::from(piece) - 1, charset).to_string();
                cell.contents() == sign && !cell.dim()
            }
        }
    })
}

/// Looks for the board everywhere, and for boards of triangles in all six directions.
fn find_board(screen: &vt100::Screen, position: &Position, charset: Charset) -> Option<Vec<(u16, u16)>> {
    let scene = position.scene(charset);
    let (rows, columns) = (screen.size().0.get(), screen.size().1.get());
    for cells in directions(&scene) {
        for top in 0..rows {
            for left in 0..columns {
                let places: Vec<_> = cells.iter().map(|&(x, y)| (x + left, y + top)).collect();
                let is_inside = places.iter().all(|&(x, y)| x < columns && y < rows);
                let has_labels = scene.labels.iter().all(|(x, y, text)| {
                    let cell = screen.cell(y + top, x + left);
                    let first = text.chars().next().map(String::from).unwrap_or_default();
                    text.starts_with(' ')
                        || !first.chars().all(char::is_alphanumeric)
                        || cell.is_some_and(|cell| cell.contents() == first)
                });
                if is_inside && has_labels && agrees(screen, position, charset, &places) {
                    return Some(places);
                }
            }
        }
    }
    None
}

/// The cells as they are, and turned by sixths of a circle where that leads from cell to cell.
fn directions(scene: &Scene) -> Vec<Vec<(u16, u16)>> {
    let cells = &scene.cells;
    if !scene.labels.is_empty() {
        return vec![cells.clone()];
    }
    let middle = |of: fn(&(u16, u16)) -> u16| {
        let (least, most) = (cells.iter().map(of).min().unwrap(), cells.iter().map(of).max().unwrap());
        f64::from(least + most) / 2.0
    };
    let (cx, cy) = (middle(|cell| cell.0), middle(|cell| cell.1));
    // Four columns are as wide as one side of a triangle, one row is as high as the triangle.
    let height = 0.75_f64.sqrt();
    let turned = |sixths: i32| -> Vec<(u16, u16)> {
        let (sin, cos) = (f64::from(sixths) * std::f64::consts::FRAC_PI_3).sin_cos();
        let turn = |&(x, y): &(u16, u16)| {
            let (x, y) = ((f64::from(x) - cx) / 4.0, (f64::from(y) - cy) * height);
            let (x, y) = (x * cos - y * sin, x * sin + y * cos);
            ((x * 4.0 + cx).round() as u16, (y / height + cy).round() as u16)
        };
        cells.iter().map(turn).collect()
    };
    (0..6).map(turned).collect()
}
