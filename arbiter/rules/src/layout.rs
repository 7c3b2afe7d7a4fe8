//! Where everything lies on a picture that is drawn with shapes: points instead of characters.
//!
//! A game describes its board ([`Layout`]); writers of pictures fill it in. Nothing here knows a game.

use crate::game::Shape;
use crate::notation::column_letter;
use crate::seat::Seat;

/// A point in thousandths of the distance between neighbouring cells: x to the right, y downwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

impl Point {
    /// The point with these coordinates.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }
}

/// The distance between neighbouring cells.
pub const STEP: i32 = 1000;

/// A board as a picture shows it.
///
/// ```
/// use arbiter_rules::Shape;
/// use arbiter_rules::layout::{Field, Layout, Pieces, Point, STEP};
///
/// let layout = Layout::lettered(Shape { width: 8, height: 8, depth: 1 }, Field::Cloth, Pieces::Stones);
/// assert_eq!(layout.cells[9], Point::new(STEP, STEP));
/// assert_eq!(layout.labels[0].1, "a");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The centre of each cell, by cell index.
    pub cells: Vec<Point>,
    /// What the cells look like.
    pub field: Field,
    /// What the pieces look like.
    pub pieces: Pieces,
    /// Boards within the board, in no order; empty where there is only one.
    pub groups: Vec<Group>,
    /// Areas that belong to somebody.
    pub homes: Vec<Home>,
    /// Names of columns and rows, by the point of their middle.
    pub labels: Vec<(Point, String)>,
    /// Whether empty cells bear their names.
    pub named: bool,
    /// Whether a cell can hold several pieces, one on top of another.
    pub piles: bool,
}

/// What the cells of a board look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Squares on paper, with lines between them.
    Ruled,
    /// Green squares.
    Cloth,
    /// Round openings in an upright rack.
    Rack,
    /// Wooden squares.
    Tiles,
    /// Holes in a board, neighbours joined by lines.
    Holes,
    /// Hexagons with a corner at the top.
    Hexagons,
}

/// What the pieces of a game look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// The signs of the seats, as if written with a pen.
    Signs,
    /// Black and white stones.
    Stones,
    /// Discs in the colour of the seat, with its sign.
    Discs,
}

/// A board within the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its cells.
    pub cells: Vec<u16>,
    /// How it stands.
    pub state: GroupState,
}

/// How a board within the board stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupState {
    /// It is being played on.
    Open,
    /// The next move must be here.
    Forced,
    /// Somebody has won it.
    Won(Seat),
    /// It is over, and nobody has won it.
    Drawn,
}

/// An area that belongs to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// Its corners, outside its cells.
    pub corners: Vec<Point>,
    /// Whose it is; nobody's where a seat is not taken.
    pub seat: Option<Seat>,
}

impl Layout {
    /// Those of `cells` that are in no group all of whose cells are among them: the others can be marked with their group.
    #[must_use]
    pub fn lone(&self, cells: &[u16]) -> Vec<u16> {
        let whole = self.groups.iter().filter(|group| group.cells.iter().all(|cell| cells.contains(cell)));
        let is_lone = |cell: &u16| !whole.clone().any(|group| group.cells.contains(cell));
        cells.iter().copied().filter(is_lone).collect()
    }

    /// A board of squares without names.
    #[must_use]
    pub fn grid(shape: Shape, field: Field, pieces: Pieces) -> Layout {
        let place = |cell: i32| {
            let width = i32::from(shape.width);
            Point::new(cell % width * STEP, cell / width * STEP)
        };
        Layout {
            cells: (0..shape.cells() as i32).map(place).collect(),
            field,
            pieces,
            groups: Vec::new(),
            homes: Vec::new(),
            labels: Vec::new(),
            named: false,
            piles: false,
        }
    }

    /// A board of squares whose columns have letters, and whose rows have numbers from the top.
    #[must_use]
    pub fn lettered(shape: Shape, field: Field, pieces: Pieces) -> Layout {
        let columns =
            (0..shape.width).map(|x| (Point::new(i32::from(x) * STEP, -LABEL), column_letter(x).to_string()));
        let rows = (0..shape.height).map(|y| (Point::new(-LABEL, i32::from(y) * STEP), (y + 1).to_string()));
        Layout { labels: columns.chain(rows).collect(), ..Layout::grid(shape, field, pieces) }
    }
}

/// From the middle of a cell at the edge to the middle of its label.
pub const LABEL: i32 = 880;
