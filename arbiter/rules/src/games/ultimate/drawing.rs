//! Nine boards in a frame, the forced one marked, and the main board beside them.

use super::Ultimate;
use crate::draw::{Charset, Scene};
use crate::games::nine;
use crate::layout::{Field, Group, GroupState, LABEL, Layout, Pieces, Point, STEP as WIDTH};
use crate::seat::Seat;

/// From one board of a picture to the next.
const BOARD: i32 = 3 * WIDTH + WIDTH / 2;

/// Columns and rows from one board to the next.
const STEP: (u16, u16) = (8, 4);
/// Where the main board begins.
const MAIN: u16 = 30;

/// Where the frames of the nine boards meet.
const CORNERS: [[char; 4]; 4] =
    [['┌', '┬', '┬', '┐'], ['├', '┼', '┼', '┤'], ['├', '┼', '┼', '┤'], ['└', '┴', '┴', '┘']];

/// What the frame of a board is drawn with.
struct Pen {
    /// Top left, top right, bottom left, bottom right.
    corners: [char; 4],
    across: char,
    down: char,
}

pub(super) fn scene(position: &Ultimate, charset: Charset) -> Scene {
    let place = |cell: u16| {
        let (board, cell) = (cell / 9, cell % 9);
        (4 + board % 3 * STEP.0 + cell % 3 * 2, 2 + board / 3 * STEP.1 + cell / 3)
    };
    let mut labels = Vec::new();
    for i in 0..9 {
        let (x, _) = place(i / 3 * 9 + i % 3);
        labels.push((x, 0, nine::name(i % 3)[..1].to_owned()));
        let (_, y) = place(i / 3 * 27 + i % 3 * 3);
        labels.push((0, y, (i % 3 + 1).to_string()));
    }
    (0..9).for_each(|board| frame(board, &plain(board, charset), &mut labels));
    if let Some(board) = position.forced {
        frame(u16::from(board), &marked(charset), &mut labels);
    }
    labels.push((MAIN, 1, "main grid".to_owned()));
    for row in 0..3 {
        let signs: Vec<_> = (0..3).map(|column| main_sign(position, row * 3 + column, charset)).collect();
        labels.push((MAIN + 1, 2 + row, signs.join(" ")));
    }
    Scene { cells: (0..81).map(place).collect(), labels }
}

fn plain(board: u16, charset: Charset) -> Pen {
    let (row, column) = (usize::from(board / 3), usize::from(board % 3));
    let corners = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| CORNERS[row + down][column + right]);
    charset.pick(Pen { corners, across: '─', down: '│' }, Pen { corners: ['+'; 4], across: '-', down: '|' })
}

fn marked(charset: Charset) -> Pen {
    charset.pick(
        Pen { corners: ['╔', '╗', '╚', '╝'], across: '═', down: '║' },
        Pen { corners: ['#'; 4], across: '=', down: '#' },
    )
}

/// Draws the frame of one board.
fn frame(board: u16, pen: &Pen, labels: &mut Vec<(u16, u16, String)>) {
    let (x, y) = (2 + board % 3 * STEP.0, 1 + board / 3 * STEP.1);
    let edge = |left, right| String::from_iter([left].into_iter().chain([pen.across; 7]).chain([right]));
    let [top_left, top_right, bottom_left, bottom_right] = pen.corners;
    labels.push((x, y, edge(top_left, top_right)));
    labels.push((x, y + STEP.1, edge(bottom_left, bottom_right)));
    for row in 1..STEP.1 {
        labels.push((x, y + row, pen.down.to_string()));
        labels.push((x + STEP.0, y + row, pen.down.to_string()));
    }
}

/// The winner of a board, a dot where it is open, a stroke where it is full.
fn main_sign(position: &Ultimate, board: u16, charset: Charset) -> String {
    let winner = Seat::all(2).find(|seat| position.won[seat.index()] >> board & 1 == 1);
    let sign = match winner {
        Some(seat) => position.signs[seat.index()].to_ascii_uppercase(),
        None if position.open >> board & 1 == 1 => charset.pick('·', '.'),
        None => '-',
    };
    sign.to_string()
}

/// Nine boards with gaps between them.
pub(super) fn layout(position: &Ultimate) -> Layout {
    let place = |cell: u16| {
        let (board, cell) = (i32::from(cell / 9), i32::from(cell % 9));
        Point::new(board % 3 * BOARD + cell % 3 * WIDTH, board / 3 * BOARD + cell / 3 * WIDTH)
    };
    let along = |i: u16| i32::from(i / 3) * BOARD + i32::from(i % 3) * WIDTH;
    let columns = (0..9).map(|i| (Point::new(along(i), -LABEL), nine::name(i % 3)[..1].to_owned()));
    let rows = (0..9).map(|i| (Point::new(-LABEL, along(i)), (i % 3 + 1).to_string()));
    let group =
        |board: u16| Group { cells: (board * 9..board * 9 + 9).collect(), state: state(position, board) };
    Layout {
        cells: (0..81).map(place).collect(),
        field: Field::Ruled,
        pieces: Pieces::Signs,
        groups: (0..9).map(group).collect(),
        homes: Vec::new(),
        labels: columns.chain(rows).collect(),
        named: false,
        piles: false,
    }
}

fn state(position: &Ultimate, board: u16) -> GroupState {
    match Seat::all(2).find(|seat| position.won[seat.index()] >> board & 1 == 1) {
        Some(seat) => GroupState::Won(seat),
        None if position.forced.map(u16::from) == Some(board) => GroupState::Forced,
        None if position.open >> board & 1 == 1 => GroupState::Open,
        None => GroupState::Drawn,
    }
}
