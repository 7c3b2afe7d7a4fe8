//! Where the cells of any game lie on the screen: in the size that fits, turned, and found again by arrows and mouse.
//! Everything follows from the layout that the rules give; nothing here knows a game.

use arbiter_rules::Seat;
use arbiter_rules::layout::{Field, GroupState, Layout, Point, STEP};
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Margin, Rect};

/// The largest cells that are tried: twice so many columns, so many rows.
const LARGEST: u16 = 14;

/// Two points of a turned board that are so near are the same place: coordinates are rounded.
const NEAR: i32 = 40;

/// Where a board is laid out before it is moved to the top left, so that nothing of it lies beyond zero.
const FAR: i32 = 1000;

/// Columns and rows from one cell to the next. The last column is free for marks and lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pitch {
    pub(super) columns: u16,
    pub(super) rows: u16,
}

impl Pitch {
    const fn new(columns: u16, rows: u16) -> Pitch {
        Pitch { columns, rows }
    }

    pub(super) const SMALL: Pitch = Pitch::new(2, 1);

    /// One row, but room for the number of a cell.
    const FLAT: Pitch = Pitch::new(4, 1);

    /// Cells that look like squares, the largest first; the smallest of them are two rows high.
    pub(super) fn squares() -> impl Iterator<Item = Pitch> {
        (2..=LARGEST).rev().map(|rows| Pitch::new(2 * rows, rows))
    }

    /// What is tried where no squares fit, the most readable first: numbers beat the list beside the board.
    pub(super) fn lines(layout: &Layout) -> Vec<(Pitch, bool)> {
        let small = [(Pitch::SMALL, true), (Pitch::SMALL, false)];
        if !layout.named {
            return small.to_vec();
        }
        [(Pitch::FLAT, true), (Pitch::FLAT, false)].into_iter().chain(small).collect()
    }

    /// Whether the cells alone could have room in so many columns and rows: what need not be tried is told quickly.
    pub(super) fn may_fit(self, layout: &Layout, (columns, rows): (u16, u16)) -> bool {
        let Some((low, high)) = corners(layout) else { return false };
        let fits = |length: i32, pitch: u16, room: u16| length / STEP * i32::from(pitch) <= i32::from(room);
        fits(high.x - low.x, self.columns, columns) && fits(high.y - low.y, self.rows, rows)
    }

    /// The columns of a cell that are its own.
    pub(super) fn inner(self) -> u16 {
        self.columns - 1
    }

    pub(super) fn is_drawn(self) -> bool {
        self.rows > 1
    }
}

/// The places of all cells and labels, relative to the top left of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The layout, turned as the board is.
    pub(super) layout: Layout,
    pub(super) pitch: Pitch,
    /// What belongs to each cell, without the columns for marks.
    pub(super) areas: Vec<Rect>,
    pub(super) labels: Vec<(Rect, String)>,
    /// The sides that belong to seats, in strips as long as one cell.
    pub(super) strips: Vec<(Seat, Rect)>,
    /// Columns and rows that the board takes, marks included.
    pub(super) size: (u16, u16),
    across: Scale,
    down: Scale,
}

impl Board {
    /// Lays out everything from the cells outwards, then moves it so that the top left is at the origin.
    pub(super) fn new(layout: Layout, pitch: Pitch) -> Board {
        // Where there are lines between cells, those between boards take no further row.
        let between = i32::from(layout.field != Field::Ruled || !pitch.is_drawn());
        let across = Scale::of(layout.cells.iter().map(|at| at.x), pitch.columns, 2);
        let down = Scale::of(layout.cells.iter().map(|at| at.y), pitch.rows, between);
        let (areas, labels, strips) = (Vec::new(), Vec::new(), Vec::new());
        let mut board = Board { layout, pitch, areas, labels, strips, size: (0, 0), across, down };
        let (width, height) = (pitch.inner(), pitch.rows - u16::from(board.has_lines()));
        let area = |at: &Point| Rect { x: board.across.at(at.x), y: board.down.at(at.y), width, height };
        board.areas = board.layout.cells.iter().map(area).collect();
        board.strips = board.strips_of();
        let marked = board.areas.iter().map(|area| area.outer(Margin::new(1, 0)));
        let strips = board.strips.iter().map(|(_, area)| *area);
        let grounds: Vec<Rect> = marked.chain(board.frames().map(|(area, ..)| area)).chain(strips).collect();
        board.labels = board.labels_of(&grounds);
        let all = grounds.into_iter().chain(board.labels.iter().map(|(area, _)| *area)).reduce(Rect::union);
        let all = all.unwrap_or(Rect::new(0, 0, 1, 1));
        let strips = board.strips.iter_mut().map(|(_, area)| area);
        for area in board.areas.iter_mut().chain(strips).chain(board.labels.iter_mut().map(|(area, _)| area))
        {
            (area.x, area.y) = (area.x - all.x, area.y - all.y);
        }
        board.across.from -= i32::from(all.x);
        board.down.from -= i32::from(all.y);
        board.size = (all.width, all.height);
        board
    }

    /// Whether lines are drawn between the cells, in the last row of each.
    pub(super) fn has_lines(&self) -> bool {
        self.layout.field == Field::Ruled && self.pitch.is_drawn()
    }

    pub(super) fn area(&self, cell: u16) -> Rect {
        self.areas[usize::from(cell)]
    }

    pub(super) fn middle(&self, cell: u16) -> (u16, u16) {
        let (area, (x, y)) = (self.area(cell), self.half());
        (area.x + x, area.y + y)
    }

    fn half(&self) -> (u16, u16) {
        (self.pitch.columns / 2 - 1, (self.pitch.rows - 1) / 2)
    }

    fn middles(&self) -> impl Iterator<Item = (u16, (u16, u16))> {
        (0..self.areas.len() as u16).map(|cell| (cell, self.middle(cell)))
    }

    /// A point of the layout in columns and rows.
    pub(super) fn at(&self, point: Point) -> (f64, f64) {
        let half = if self.pitch.is_drawn() { f64::from(self.pitch.rows) / 2.0 - 0.25 } else { 0.5 };
        (
            f64::from(self.across.place(point.x)) + f64::from(self.pitch.inner()) / 2.0,
            f64::from(self.down.place(point.y)) + half,
        )
    }

    /// The frames of boards within the board, a column away from their marks, with how they stand.
    pub(super) fn frames(&self) -> impl Iterator<Item = (Rect, GroupState, &[u16])> {
        self.layout.groups.iter().map(|group| {
            let cells = group.cells.iter().map(|&cell| self.area(cell)).reduce(Rect::union);
            (cells.unwrap_or_default().outer(Margin::new(2, 1)), group.state, group.cells.as_slice())
        })
    }

    /// The sides of a board of hexagons, a strip beside every cell at an edge.
    fn strips_of(&self) -> Vec<(Seat, Rect)> {
        let mut strips = Vec::new();
        let homes = self.layout.homes.iter().filter(|_| self.layout.field == Field::Hexagons);
        for (home, seat) in homes.filter_map(|home| Some((home, home.seat?))) {
            let [a, b, c, d] = home.corners[..] else { continue };
            // The last two corners are the middles of the cells at the ends, the others lie outside of them.
            let (out_x, out_y) = (a.x + b.x - c.x - d.x, a.y + b.y - c.y - d.y);
            let at_side = |at: &Point| {
                let (along, off) = ((c.x - d.x, c.y - d.y), (at.x - d.x, at.y - d.y));
                i64::from(along.0) * i64::from(off.1) - i64::from(along.1) * i64::from(off.0)
            };
            let length = i64::from((c.x - d.x).abs().max((c.y - d.y).abs())).max(1);
            let cells = self.layout.cells.iter().zip(&self.areas);
            for (_, area) in cells.filter(|(at, _)| at_side(at).abs() / length < i64::from(STEP) / 10) {
                let area = if out_y == 0 || out_x.abs() > 2 * out_y.abs() {
                    let x = if out_x < 0 { area.x - 2 } else { area.right() + 1 };
                    Rect { x, width: 1, ..*area }
                } else {
                    let y = if out_y < 0 { area.y - 1 } else { area.bottom() };
                    // Half a cell further along, as a row beyond the edge would lie.
                    let half = self.pitch.columns / 2;
                    let x = if out_x < 0 { area.x - half } else { area.x + half };
                    Rect { x, y, width: area.width, height: 1 }
                };
                strips.push((seat, area));
            }
        }
        strips
    }

    /// Names of rows and columns, as near to the board as they can be.
    fn labels_of(&self, grounds: &[Rect]) -> Vec<(Rect, String)> {
        let (top, bottom) =
            (grounds.iter().map(|area| area.y).min(), grounds.iter().map(|area| area.bottom()).max());
        let (Some(top), Some(bottom), Some((low, high))) = (top, bottom, corners(&self.layout)) else {
            return Vec::new();
        };
        let half = self.half();
        let gap = 1 + u16::from(self.pitch.is_drawn() || !self.strips.is_empty());
        let label = |(at, text): &(Point, String)| {
            let width = text.chars().count() as u16;
            if at.y < low.y || at.y > high.y {
                let y = if at.y < low.y { top - 1 } else { bottom };
                let x = self.across.at(at.x) + half.0 - width.saturating_sub(1) / 2;
                return (Rect { x, y, width, height: 1 }, text.clone());
            }
            let cells = self.layout.cells.iter().zip(&self.areas);
            let row = cells.min_by_key(|(cell, _)| ((cell.y - at.y).abs(), (cell.x - at.x).abs()));
            let (cell, area) = row.expect("a board has cells");
            let beside = grounds.iter().filter(|ground| ground.y <= area.y && area.y < ground.bottom());
            let x = if at.x < cell.x {
                beside.map(|ground| ground.x).min().unwrap_or(0) - width - gap + 1
            } else {
                beside.map(|ground| ground.right()).max().unwrap_or(0) + gap - 1
            };
            (Rect { x, y: area.y + half.1, width, height: 1 }, text.clone())
        };
        let mut labels: Vec<(Rect, String)> = Vec::new();
        for (area, text) in self.layout.labels.iter().map(label) {
            // Where numbers would run into each other, every other one is left out.
            let touches =
                |(last, _): &(Rect, String)| last.y == area.y && (last.x..=last.right()).contains(&area.x);
            if !labels.last().is_some_and(touches) {
                labels.push((area, text));
            }
        }
        labels
    }

    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<u16> {
        let reach = (self.pitch.columns / 2).max(1);
        let (above, below) = ((self.pitch.rows - 1) / 2, self.pitch.rows / 2);
        let is_near = |&(_, (cx, cy)): &(u16, (u16, u16))| {
            cx.abs_diff(x) <= reach && cy <= y + above && y <= cy + below
        };
        let found = self.middles().filter(is_near);
        found.min_by_key(|(_, (cx, cy))| (cx.abs_diff(x), cy.abs_diff(y))).map(|(cell, _)| cell)
    }

    /// The cell that an arrow leads to, wishing for a column.
    pub(super) fn beside(&self, cell: u16, arrow: KeyCode, wished: u16) -> Option<u16> {
        let (x, y) = self.middle(cell);
        let rows = || self.middles().map(|(_, (_, row))| row);
        let row = match arrow {
            KeyCode::Up => rows().filter(|&row| row < y).max()?,
            KeyCode::Down => rows().filter(|&row| row > y).min()?,
            _ => y,
        };
        let row = self.middles().filter(|(_, at)| at.1 == row);
        let found = match arrow {
            KeyCode::Left => row.filter(|(_, at)| at.0 < x).max_by_key(|(_, at)| at.0),
            KeyCode::Right => row.filter(|(_, at)| at.0 > x).min_by_key(|(_, at)| at.0),
            _ => row.min_by_key(|(_, at)| at.0.abs_diff(wished)),
        };
        found.map(|(cell, _)| cell)
    }

    /// The cell that a number leads to: in the row or column that bears it, or the cell whose `name` it is.
    pub(super) fn numbered(&self, cell: u16, number: &str, name: impl Fn(u16) -> String) -> Option<u16> {
        let from = self.layout.cells[usize::from(cell)];
        let places = || (0..).zip(&self.layout.cells);
        if self.layout.named {
            return places().map(|(cell, _)| cell).find(|&cell| name(cell) == number);
        }
        let mut labels = self.layout.labels.iter().filter(|(_, text)| text == number);
        let (Some((at, _)), None) = (labels.next(), labels.next()) else { return None };
        let (low, high) = corners(&self.layout)?;
        let in_line = |(_, place): &(u16, &Point)| match (low.x..=high.x).contains(&at.x) {
            true => (place.x - at.x).abs() < NEAR,
            false => (place.y - at.y).abs() < NEAR,
        };
        let away = |place: &Point| (place.x - from.x).abs() + (place.y - from.y).abs();
        places().filter(in_line).min_by_key(|(_, place)| away(place)).map(|(cell, _)| cell)
    }
}

/// From coordinates of a layout to characters, along one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scale {
    places: Vec<i32>,
    pitch: i32,
    /// The distance of the layout that this is.
    step: i32,
    /// Characters that a gap between boards takes besides.
    gap: i32,
    /// Where the first place is.
    from: i32,
}

impl Scale {
    fn of(places: impl Iterator<Item = i32>, pitch: u16, gap: i32) -> Scale {
        let mut places: Vec<i32> = places.collect();
        places.sort_unstable();
        places.dedup();
        // Rows of triangles are nearer to each other than a step; columns may be half a step apart.
        let step = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > STEP * 3 / 4).min();
        Scale { places, pitch: pitch.into(), step: step.unwrap_or(STEP), gap, from: FAR }
    }

    fn at(&self, place: i32) -> u16 {
        self.place(place) as u16
    }

    /// The same for points beyond the edge, too.
    fn place(&self, place: i32) -> i32 {
        let first = self.places.first().copied().unwrap_or(0);
        let is_gap = |pair: &&[i32]| pair[1] - pair[0] > STEP * 5 / 4 && place >= pair[1];
        let gaps: Vec<i32> =
            self.places.windows(2).filter(is_gap).map(|pair| pair[1] - pair[0] - self.step).collect();
        let length = place - first - gaps.iter().sum::<i32>();
        let characters = f64::from(length * self.pitch) / f64::from(self.step);
        self.from + characters.round() as i32 + gaps.len() as i32 * self.gap
    }
}

/// The layout turned so often: by 60 degrees where that leads from cell to cell, otherwise upside down.
pub(super) fn turned(layout: &Layout, times: u8) -> Layout {
    let turn = |layout: Layout| turned_by_60(&layout).unwrap_or_else(|| upside_down(&layout));
    (0..times).fold(layout.clone(), |layout, _| turn(layout))
}

/// Whether the board looks the same after a sixth of a circle.
pub(super) fn is_round(layout: &Layout) -> bool {
    turned_by_60(layout).is_some()
}

fn turned_by_60(layout: &Layout) -> Option<Layout> {
    if !layout.labels.is_empty() {
        return None;
    }
    let (low, high) = corners(layout)?;
    let (x, y) = (f64::from(low.x + high.x) / 2.0, f64::from(low.y + high.y) / 2.0);
    let (sin, cos) = std::f64::consts::FRAC_PI_3.sin_cos();
    let turn = |at: &Point| {
        let (dx, dy) = (f64::from(at.x) - x, f64::from(at.y) - y);
        Point::new((x + dx * cos - dy * sin).round() as i32, (y + dx * sin + dy * cos).round() as i32)
    };
    let is_near = |a: Point, b: &&Point| (a.x - b.x).abs() < NEAR && (a.y - b.y).abs() < NEAR;
    let cell = |at: &Point| layout.cells.iter().find(|other| is_near(turn(at), other)).copied();
    let cells: Option<Vec<Point>> = layout.cells.iter().map(cell).collect();
    let mut turned = Layout { cells: cells?, ..layout.clone() };
    turned.homes.iter_mut().for_each(|home| home.corners = home.corners.iter().map(turn).collect());
    Some(turned)
}

/// Names stay on the side on which they are, in the opposite order.
fn upside_down(layout: &Layout) -> Layout {
    let Some((low, high)) = corners(layout) else { return layout.clone() };
    let flip = |at: &mut Point| *at = Point::new(low.x + high.x - at.x, low.y + high.y - at.y);
    let mut turned = layout.clone();
    turned.cells.iter_mut().for_each(flip);
    turned.homes.iter_mut().for_each(|home| home.corners.iter_mut().for_each(flip));
    for of_columns in [true, false] {
        let is_of_side = |at: &Point| (at.y < low.y || at.y > high.y) == of_columns;
        let names: Vec<&String> =
            layout.labels.iter().filter(|(at, _)| is_of_side(at)).map(|(_, text)| text).collect();
        let places = turned.labels.iter_mut().filter(|(at, _)| is_of_side(at));
        places.zip(names.iter().rev()).for_each(|((_, text), name)| text.clone_from(name));
    }
    turned
}

fn corners(layout: &Layout) -> Option<(Point, Point)> {
    let (xs, ys) = (layout.cells.iter().map(|at| at.x), layout.cells.iter().map(|at| at.y));
    Some((Point::new(xs.clone().min()?, ys.clone().min()?), Point::new(xs.max()?, ys.max()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Setup, registry};
    use std::collections::HashSet;

    fn layout(game: &str) -> Layout {
        registry::start(game, &Setup::default()).unwrap().layout()
    }

    fn boards() -> impl Iterator<Item = (&'static str, Board)> {
        registry::GAMES.iter().flat_map(|info| {
            let layout = layout(info.id);
            let sizes = [Pitch::SMALL, Pitch::FLAT].into_iter().chain(Pitch::squares());
            sizes.map(move |pitch| (info.id, Board::new(layout.clone(), pitch)))
        })
    }

    #[test]
    fn arrows_reach_every_cell_of_every_game() {
        for (game, board) in boards() {
            let mut reached = HashSet::from([0]);
            let mut open = vec![0];
            while let Some(cell) = open.pop() {
                for arrow in [KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right] {
                    let wished = board.middle(cell).0;
                    open.extend(board.beside(cell, arrow, wished).filter(|&next| reached.insert(next)));
                }
            }
            assert_eq!(reached.len(), board.areas.len(), "{game} {:?}", board.pitch);
        }
    }

    #[test]
    fn a_click_on_any_part_of_a_cell_is_a_click_on_that_cell() {
        for (game, board) in boards() {
            for cell in 0..board.areas.len() as u16 {
                for at in board.area(cell).positions() {
                    assert_eq!(board.cell_at(at.x, at.y), Some(cell), "{game} {:?}, {at}", board.pitch);
                }
            }
        }
    }

    #[test]
    fn no_cell_covers_another_or_a_name() {
        for (game, board) in boards() {
            let mut taken = HashSet::new();
            let names = board.labels.iter().map(|(area, _)| area);
            for at in board.areas.iter().chain(names).flat_map(|area| area.positions()) {
                assert!(taken.insert(at), "{game} {:?}, {at}", board.pitch);
            }
        }
    }

    #[test]
    fn the_star_turns_by_sixths_and_squares_turn_upside_down() {
        let star = layout("chinese-checkers");
        assert_eq!(Board::new(star.clone(), Pitch::FLAT).size, (53, 17));
        assert_eq!(Board::new(star.clone(), Pitch::SMALL).size, (27, 17));
        assert!(is_round(&star) && turned(&star, 1).cells != star.cells);
        assert_eq!(turned(&star, 6).cells, star.cells);
        let othello = layout("othello");
        assert!(!is_round(&othello));
        assert_eq!(turned(&othello, 1).cells[0], othello.cells[63]);
        assert_eq!(turned(&othello, 2), othello);
        let hex = layout("hex");
        assert_eq!(turned(&hex, 2), hex);
        assert_eq!(turned(&hex, 1).labels[0].1, "k", "the last column is the first one now");
    }

    #[test]
    fn a_number_leads_to_its_column_its_row_or_its_hole() {
        let name = |cell: u16| cell.to_string();
        let rack = Board::new(layout("connect-four"), Pitch::SMALL);
        assert_eq!(rack.numbered(0, "4", name), Some(3));
        assert_eq!(rack.numbered(14, "4", name), Some(17));
        assert_eq!(rack.numbered(0, "9", name), None);
        let othello = Board::new(layout("othello"), Pitch::SMALL);
        assert_eq!(othello.numbered(3, "5", name), Some(35));
        let star = Board::new(layout("chinese-checkers"), Pitch::SMALL);
        assert_eq!(star.numbered(0, "117", name), Some(117));
    }
}
