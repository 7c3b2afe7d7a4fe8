//! What lies under the pieces: paper, cloth, a rack, tiles or a board with holes.

use super::board::{CELL, Detail, Painter};
use super::colour::{BLACK, Colour, FAINT, INK, LAST, WHITE, of_seat, pen_of};
use super::glyphs;
use super::shape::{At, Shape};
use arbiter_rules::layout::{Field, Group, GroupState, Point, STEP};

const CLOTH: Colour = Colour(0x2f, 0x86, 0x57);
const CLOTH_LINE: Colour = Colour(0x1d, 0x5c, 0x3b);
const RACK: Colour = Colour(0x3b, 0x4d, 0x61);
const RACK_EDGE: Colour = Colour(0x25, 0x33, 0x42);
const OPENING: Colour = Colour(0xf2, 0xf4, 0xf7);
const TILE: Colour = Colour(0xf3, 0xe8, 0xd0);
const TILE_EDGE: Colour = Colour(0xc4, 0xac, 0x7c);
const WOOD: Colour = Colour(0xf2, 0xe4, 0xc4);
const WOOD_EDGE: Colour = Colour(0xb9, 0x9a, 0x62);
const HOLE: Colour = Colour(0xfd, 0xf8, 0xec);
const PAPER_LINE: Colour = Colour(0x9a, 0xa3, 0xae);

/// Paints the ground of a board whose cells hold these pieces.
pub(super) fn paint(painter: &mut Painter<'_>, contents: &[u8], detail: Detail) {
    match painter.layout.field {
        Field::Ruled => ruled(painter),
        Field::Cloth => cloth(painter),
        Field::Rack => rack(painter),
        Field::Tiles => tiles(painter),
        Field::Holes => holes(painter, contents, detail),
        Field::Hexagons => hexagons(painter),
    }
}

/// A panel under all cells, a little larger.
fn panel(painter: &mut Painter<'_>, by: f32, fill: Colour, edge: Colour) {
    let (low, high) = painter.frame.cells;
    let (width, height) = (high.x - low.x + 2.0 * by, high.y - low.y + 2.0 * by);
    let panel = Shape::tile(low.middle(high), width, height, by + 0.05 * CELL);
    painter.add(panel.filled(fill).lined(edge, 0.05 * CELL));
}

fn ruled(painter: &mut Painter<'_>) {
    let layout = painter.layout;
    let whole = Group { cells: (0..layout.cells.len() as u16).collect(), state: GroupState::Open };
    let groups = if layout.groups.is_empty() { std::slice::from_ref(&whole) } else { &layout.groups };
    for group in groups {
        let (low, high) = painter.extent(group);
        if !layout.groups.is_empty() {
            let (fill, edge) = match group.state {
                GroupState::Open => (WHITE, PAPER_LINE),
                GroupState::Forced => (LAST.towards(WHITE, 0.8), LAST),
                GroupState::Won(seat) => (pen_of(seat).towards(WHITE, 0.86), PAPER_LINE),
                GroupState::Drawn => (Colour(0xe6, 0xe8, 0xeb), PAPER_LINE),
            };
            let rim = 0.12 * CELL;
            let tile = Shape::tile(low.middle(high), high.x - low.x + rim, high.y - low.y + rim, 0.18 * CELL);
            let pen = if group.state == GroupState::Forced { 0.09 } else { 0.035 };
            painter.add(tile.filled(fill).lined(edge, pen * CELL));
        }
        if matches!(group.state, GroupState::Won(_)) {
            continue;
        }
        let (columns, rows) = ((high.x - low.x) / CELL, (high.y - low.y) / CELL);
        let pen = if layout.groups.is_empty() { 0.07 } else { 0.045 };
        let colour = if layout.groups.is_empty() { INK } else { PAPER_LINE };
        let gap = 0.06 * CELL;
        for i in 1..columns.round() as u32 {
            let x = low.x + i as f32 * CELL;
            rule(painter, [At::new(x, low.y + gap), At::new(x, high.y - gap)], colour, pen);
        }
        for i in 1..rows.round() as u32 {
            let y = low.y + i as f32 * CELL;
            rule(painter, [At::new(low.x + gap, y), At::new(high.x - gap, y)], colour, pen);
        }
    }
}

fn rule(painter: &mut Painter<'_>, line: [At; 2], colour: Colour, pen: f32) {
    painter.add(Shape::line_through(&line).lined(colour, pen * CELL));
}

fn cloth(painter: &mut Painter<'_>) {
    panel(painter, 0.1 * CELL, CLOTH, CLOTH_LINE.towards(BLACK, 0.4));
    let (low, high) = painter.frame.cells;
    let lines = |from: f32, to: f32| {
        std::iter::successors(Some(from), |at| Some(at + CELL)).take_while(move |at| *at < to + 1.0)
    };
    for x in lines(low.x, high.x) {
        rule(painter, [At::new(x, low.y), At::new(x, high.y)], CLOTH_LINE, 0.035);
    }
    for y in lines(low.y, high.y) {
        rule(painter, [At::new(low.x, y), At::new(high.x, y)], CLOTH_LINE, 0.035);
    }
}

fn rack(painter: &mut Painter<'_>) {
    panel(painter, 0.1 * CELL, RACK, RACK_EDGE);
    for cell in 0..painter.layout.cells.len() as u16 {
        let opening = Shape::circle(painter.cell(cell), 0.41 * CELL);
        painter.add(opening.filled(OPENING).lined(RACK_EDGE, 0.03 * CELL));
    }
}

fn tiles(painter: &mut Painter<'_>) {
    panel(painter, 0.08 * CELL, TILE_EDGE, TILE_EDGE.towards(BLACK, 0.3));
    for cell in 0..painter.layout.cells.len() as u16 {
        let tile = Shape::tile(painter.cell(cell), 0.94 * CELL, 0.94 * CELL, 0.08 * CELL);
        painter.add(tile.filled(TILE));
    }
}

/// Hexagons over the strips of those whose sides they are.
fn hexagons(painter: &mut Painter<'_>) {
    let layout = painter.layout;
    for home in &layout.homes {
        let corners: Vec<At> = home.corners.iter().map(|&corner| painter.frame.at(corner)).collect();
        let colour = home.seat.map_or(TILE_EDGE, of_seat);
        painter.add(Shape::area(&corners).filled(colour));
    }
    // From the middle to a corner, and half the width.
    let (reach, half) = (CELL / 3.0_f32.sqrt(), CELL / 2.0);
    let corners = [(0.0, -reach), (half, -reach / 2.0), (half, reach / 2.0)];
    for cell in 0..layout.cells.len() as u16 {
        let at = painter.cell(cell);
        let around = [1.0, -1.0].map(|side| corners.map(|(x, y)| at.moved(side * x, side * y))).concat();
        painter.add(Shape::area(&around).filled(TILE).lined(TILE_EDGE, 0.05 * CELL));
    }
}

/// A round board, the homes of those who play in their colours, and lines along which pieces go.
fn holes(painter: &mut Painter<'_>, contents: &[u8], detail: Detail) {
    let layout = painter.layout;
    let (low, high) = painter.frame.cells;
    let middle = low.middle(high);
    let rim = painter.frame.rim;
    painter.add(Shape::circle(middle, rim).filled(WOOD).lined(WOOD_EDGE, 0.08 * CELL));
    for home in &layout.homes {
        let corners: Vec<At> = home.corners.iter().map(|&corner| painter.frame.at(corner)).collect();
        let colour =
            home.seat.map_or(WOOD.towards(WOOD_EDGE, 0.22), |seat| of_seat(seat).towards(WOOD, 0.52));
        painter.add(Shape::area(&corners).filled(colour).lined(colour, 0.12 * CELL));
    }
    for (i, &from) in layout.cells.iter().enumerate() {
        for &to in layout.cells[i + 1..].iter().filter(|&&to| are_neighbours(from, to)) {
            rule(painter, [from, to].map(|end| painter.frame.at(end)), WOOD_EDGE.towards(WOOD, 0.35), 0.03);
        }
    }
    for (cell, &content) in (0..).zip(contents) {
        let at = painter.cell(cell);
        painter.add(Shape::circle(at, 0.3 * CELL).filled(HOLE).lined(WOOD_EDGE, 0.03 * CELL));
        if layout.named && content == 0 && detail == Detail::Everything {
            let name = painter.position.cell_name(cell);
            painter.add(glyphs::centred(&name, at, 0.15 * CELL, FAINT.towards(WHITE, 0.25)));
        }
    }
}

fn are_neighbours(a: Point, b: Point) -> bool {
    let (x, y) = (i64::from(a.x - b.x), i64::from(a.y - b.y));
    // A few thousandths more, for coordinates that had to be rounded.
    x * x + y * y < i64::from(STEP + 10).pow(2)
}
