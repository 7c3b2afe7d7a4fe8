//! Somebody who plays at a terminal: finds the board on the screen by looking, and plays by arrows or by mouse alone.

use super::pty::{Terminal, find};
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::{Field, GroupState, Layout, Point, STEP};
use arbiter_rules::{Chance, Move, MoveKind, MoveList, Position, Random};
use std::cell::RefCell;

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
    found: RefCell<Found>,
    random: Random,
}

impl<'t> Hand<'t> {
    /// Finds the board on the screen.
    pub(crate) fn new(terminal: &'t Terminal, position: Position, charset: Charset, by: By) -> Hand<'t> {
        let found = terminal.wait("the board and a question", |screen| {
            let is_asked = find(screen, "[t Type]").is_some();
            find_board(screen, &position, charset).filter(|_| is_asked)
        });
        Hand { terminal, position, charset, by, found: RefCell::new(found), random: Random::new(7) }
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
                (By::Mouse, 0) => self.terminal.click(self.places()[0], 2),
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
            let text = words(screen);
            let asks = match self.position.to_move() {
                // The last sentence below the board.
                Some(seat) => text.rfind("to move.").is_some_and(|end| {
                    text[..end]
                        .rfind("Player ")
                        .is_some_and(|at| text[at..].starts_with(&format!("Player {seat}")))
                }),
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
            if !words(screen).contains("Your move") && !text.contains("[Enter Close]") {
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

    /// A move that gets on: towards the end where there is a way, any otherwise. Not one that comes back to where it began:
    /// nobody sees on the board whether that was played already.
    fn choose(&mut self) -> Move {
        let mut legal = MoveList::new();
        self.position.legal_moves(&mut legal);
        let comes_back = |m: Move| {
            let path = self.position.path(m);
            path.len() > 1 && path.first() == path.last()
        };
        let moves: Vec<Move> = legal.iter().copied().filter(|&m| !comes_back(m)).collect();
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
        let places = self.places();
        let place = places[usize::from(cell)];
        if self.by == By::Mouse {
            self.terminal.click(place, 0);
            if then == Then::Played {
                return;
            }
            // The cursor may have been there before the click; what it has done shows in the unfinished move.
            self.terminal.wait("what was clicked as part of the move", |screen| {
                (cursor(screen) == place && words(screen).contains("move so far")).then_some(())
            });
            return;
        }
        loop {
            let at = self
                .terminal
                .wait("the cursor on a cell", |screen| Some(cursor(screen)).filter(|at| places.contains(at)));
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

    /// Where each cell is on the screen.
    fn places(&self) -> Vec<(u16, u16)> {
        self.found.borrow().places.clone()
    }

    fn agrees(&self, screen: &vt100::Screen, position: &Position) -> bool {
        self.found.borrow_mut().agrees(screen, position, self.charset)
    }
}

/// What the screen says, wherever its lines end.
pub(super) fn words(screen: &vt100::Screen) -> String {
    super::pty::contents(screen).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_at(position: &Position, seat: usize) -> bool {
    position.end().is_some()
        || position.to_move().is_some_and(|to| to.index() == seat) && !position.must_pass()
}

fn cursor(screen: &vt100::Screen) -> (u16, u16) {
    let (row, column) = screen.cursor_position();
    (column, row)
}

/// What a character looks like: the text, its colours, whether it is bold, dim and inverted.
#[derive(Clone, Debug, PartialEq)]
struct Dot {
    text: String,
    colours: (vt100::Color, vt100::Color),
    style: (bool, bool, bool),
}

impl Dot {
    fn of(cell: &vt100::Cell) -> Dot {
        Dot {
            // Whether a blank was written or has always been there is no difference.
            text: if cell.has_contents() { cell.contents().to_owned() } else { " ".to_owned() },
            colours: (cell.fgcolor(), cell.bgcolor()),
            style: (cell.bold(), cell.dim(), cell.inverse()),
        }
    }
}

/// The middle row of a cell, its middle in the middle.
type Look = Vec<Dot>;

/// A board that has been found: where each cell is, and what the pieces of each seat look like.
#[derive(Clone, Debug, Default)]
struct Found {
    places: Vec<(u16, u16)>,
    /// Columns of a cell to the left and right of its middle.
    reach: u16,
    looks: Vec<(u8, Look)>,
}

impl Found {
    /// Whether all pieces of a seat look alike, different from those of other seats and from empty cells, and bear their sign
    /// where they bear any. Remembers what they look like.
    fn agrees(&mut self, screen: &vt100::Screen, position: &Position, charset: Charset) -> bool {
        let mut cells = vec![0; position.shape().cells()];
        position.write_cells(&mut cells);
        let layout = position.layout();
        let (groups, is_star) = (layout.groups, layout.field == Field::Holes);
        let is_covered = |cell: usize| {
            let won = groups.iter().filter(|group| matches!(group.state, GroupState::Won(_)));
            won.flat_map(|group| &group.cells).any(|&covered| usize::from(covered) == cell)
        };
        let (mut empty, mut looks) = (Vec::new(), self.looks.clone());
        for (cell, (&(x, y), content)) in self.places.iter().zip(cells).enumerate() {
            if is_covered(cell) {
                continue;
            }
            let columns = x.saturating_sub(self.reach)..=x + self.reach;
            let look: Option<Look> = columns.map(|x| screen.cell(y, x).map(Dot::of)).collect();
            let Some(mut look) = look else { return false };
            // What shows beside a piece is the ground, which differs from home to home.
            let middle_at = look.len() / 2;
            for (_, dot) in look.iter_mut().enumerate().filter(|(at, _)| is_star && *at != middle_at) {
                dot.colours.1 = vt100::Color::Default;
            }
            let middle = look[middle_at].clone();
            let Some(seat) = content.checked_sub(1) else {
                empty.push(look);
                continue;
            };
            let sign = position.sign_on(cell as u16, usize::from(seat), charset).to_string();
            let is_written = middle.text.chars().all(char::is_alphanumeric) && !middle.text.trim().is_empty();
            let is_other = looks.iter().any(|(other, known)| (*other == content) != (*known == look));
            if is_written && middle.text != sign || is_other || middle.style.1 {
                return false;
            }
            if !looks.iter().any(|(other, _)| *other == content) {
                looks.push((content, look));
            }
        }
        let agrees = !empty.iter().any(|look| looks.iter().any(|(_, known)| known == look));
        if agrees {
            self.looks = looks;
        }
        agrees
    }
}

/// Looks for the board everywhere, in every size, and for boards of triangles in all six directions.
fn find_board(screen: &vt100::Screen, position: &Position, charset: Charset) -> Option<Found> {
    let layout = position.layout();
    let (rows, columns) = (i32::from(screen.size().0.get()), i32::from(screen.size().1.get()));
    let sizes = (1..=10).rev().map(|rows| (2 * rows, rows)).chain([(4, 1)]);
    let boards: Vec<_> = sizes
        .flat_map(|size| [1, 0].map(|gap| (size, gap)))
        .flat_map(|(size, gap)| directions(&layout).into_iter().map(move |points| (size, gap, points)))
        .collect();
    for (size, gap, points) in &boards {
        let labels: Vec<(f64, f64)> = layout.labels.iter().map(|(at, _)| in_steps(at)).collect();
        let all = arranged(points, &labels, *size, *gap);
        for (left, top) in (0..columns).flat_map(|left| (0..rows).map(move |top| (left, top))) {
            let place = |&(x, y): &(i32, i32)| (x + left, y + top);
            let places: Vec<(i32, i32)> = all.iter().take(points.len()).map(place).collect();
            if !places.iter().all(|&(x, y)| (0..columns).contains(&x) && (0..rows).contains(&y)) {
                continue;
            }
            let names = layout.labels.iter().zip(all[points.len()..].iter().map(place));
            if !names.into_iter().all(|((at, text), place)| has_label(screen, &places, at, text, place)) {
                continue;
            }
            let places = places.iter().map(|&(x, y)| (x as u16, y as u16)).collect();
            let reach = (size.0 / 2 - 1) as u16;
            let mut found = Found { places, reach, looks: Vec::new() };
            if found.agrees(screen, position, charset) {
                return Some(found);
            }
        }
    }
    None
}

/// The name of a column stands above its cells, that of a row to the left of them.
fn has_label(
    screen: &vt100::Screen,
    places: &[(i32, i32)],
    at: &Point,
    text: &str,
    (x, y): (i32, i32),
) -> bool {
    let shows = |x: i32, y: i32| {
        let mut signs = (x..).zip(text.chars());
        signs.all(|(x, sign)| {
            let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) else { return false };
            screen.cell(y, x).is_some_and(|cell| cell.contents() == sign.to_string())
        })
    };
    let top = places.iter().map(|place| place.1).min().unwrap_or(0);
    if at.y < 0 && text.len() == 1 {
        let next = places.iter().map(|place| place.1).filter(|&y| y > top).min().unwrap_or(top + 1);
        let first = top - (next - top - 1) / 2;
        return shows(x, first - 1) || shows(x, first - 2);
    }
    at.y < 0 || (x - 9..x + 9).any(|x| shows(x, y))
}

fn in_steps(at: &Point) -> (f64, f64) {
    (f64::from(at.x) / f64::from(STEP), f64::from(at.y) / f64::from(STEP))
}

/// Cells and labels in characters: so many columns a step, so many rows from one height to the next, and something between
/// boards.
fn arranged(
    cells: &[(f64, f64)],
    labels: &[(f64, f64)],
    (columns, rows): (i32, i32),
    gap: i32,
) -> Vec<(i32, i32)> {
    let sorted = |of: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = cells.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|a, b| (*a - *b).abs() < 0.05);
        values
    };
    let (xs, ys) = (sorted(|at| at.0), sorted(|at| at.1));
    let gaps = |values: &[f64], value: f64| {
        values.windows(2).filter(|pair| pair[1] - pair[0] > 1.25 && value > pair[0] + 0.6).count() as f64
    };
    let place = |&(x, y): &(f64, f64)| {
        let across = (x - xs[0] - gaps(&xs, x) * 0.5) * f64::from(columns) + gaps(&xs, x) * 2.0;
        let height = ys.iter().filter(|height| **height < y - 0.05).count() as i32;
        (across.round() as i32, height * rows + gap * gaps(&ys, y) as i32)
    };
    cells.iter().chain(labels).map(place).collect()
}

/// The cells as they are, and turned by sixths of a circle where that leads from cell to cell.
fn directions(layout: &Layout) -> Vec<Vec<(f64, f64)>> {
    let cells: Vec<(f64, f64)> = layout.cells.iter().map(in_steps).collect();
    if !layout.labels.is_empty() {
        return vec![cells];
    }
    let middle = |of: fn(&(f64, f64)) -> f64| cells.iter().map(of).sum::<f64>() / cells.len() as f64;
    let (cx, cy) = (middle(|at| at.0), middle(|at| at.1));
    let turned = |sixths: i32| {
        let (sin, cos) = (f64::from(sixths) * std::f64::consts::FRAC_PI_3).sin_cos();
        let turn = |&(x, y): &(f64, f64)| ((x - cx) * cos - (y - cy) * sin, (x - cx) * sin + (y - cy) * cos);
        cells.iter().map(turn).collect()
    };
    (0..6).map(turned).collect()
}
