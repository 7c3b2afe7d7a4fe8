//! A position as shapes: the ground, the marks, the pieces, and below them whose turn it is.
//!
//! Everything about a game comes from its [`Layout`]; nothing here knows one.

use super::colour::{BLACK, Colour, FAINT, INK, LAST, WHITE, WINNING, of_seat, on_seat, pen_of};
use super::glyphs;
use super::ground;
use super::shape::{At, Picture, Shape};
use super::standing;
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::{Field, Group, GroupState, Layout, Pieces, Point, STEP};
use arbiter_rules::{Position, Seat};

/// The distance between two cells, in the units of a picture.
pub(crate) const CELL: f32 = 48.0;

/// Around the board.
const MARGIN: f32 = 0.35 * CELL;
/// From one line of text to the next.
const LINE: f32 = 0.66 * CELL;
/// The height of capitals.
const TEXT: f32 = 0.27 * CELL;

/// How much a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The board with names around it, and whose turn it is.
    Everything,
    /// The board alone.
    Board,
}

/// A position with the cells of the last move in order; none where it is not known.
pub(crate) fn board(position: &Position, last: &[u16], detail: Detail) -> Picture {
    let layout = position.layout();
    let frame = Frame::around(&layout, detail);
    let mut painter = Painter { position, layout: &layout, frame, shapes: Vec::new() };
    painter.paint(last, detail);
    let footer = if detail == Detail::Everything { footer(position, &layout) } else { Vec::new() };
    let text_width = footer.iter().map(|line| line.width).fold(0.0, f32::max);
    let width = painter.frame.size.x.max(text_width + 2.0 * MARGIN);
    let mut height = painter.frame.size.y;
    let by = At::new((width - painter.frame.size.x) / 2.0, 0.0);
    let mut shapes: Vec<Shape> = painter.shapes.iter().map(|shape| shape.placed(1.0, by)).collect();
    for line in footer {
        let corner = At::new((width - line.width) / 2.0, height + LINE / 2.0 - 0.1 * CELL);
        shapes.extend(line.shapes.iter().map(|shape| shape.placed(1.0, corner)));
        height += LINE;
    }
    if detail == Detail::Everything {
        height += MARGIN / 2.0;
    }
    let title = format!("{}: {}", position.info().id, position.text());
    Picture { width, height, title, shapes }
}

pub(super) struct Frame {
    /// The point of the layout that is at the origin, and where the origin is.
    zero: At,
    /// The size of the board with its names and margins.
    pub(super) size: At,
    /// The corners of the area of the cells, half a cell around them.
    pub(super) cells: (At, At),
    /// How far a round board reaches from the middle of its cells.
    pub(super) rim: f32,
}

impl Frame {
    fn around(layout: &Layout, detail: Detail) -> Frame {
        let mut cells = Extent::NOTHING;
        layout.cells.iter().for_each(|&at| cells.stretch(at, STEP / 2));
        let mut all = cells;
        let corners = layout.homes.iter().flat_map(|home| &home.corners);
        corners.for_each(|&corner| all.stretch(corner, 0));
        match layout.field {
            // A round board reaches as far in all directions.
            Field::Holes => all.stretch(cells.middle(), round_reach(layout, cells.middle())),
            Field::Rack | Field::Cloth | Field::Tiles => {
                [cells.low, cells.high].into_iter().for_each(|corner| all.stretch(corner, STEP / 8));
            }
            Field::Ruled | Field::Hexagons => {}
        }
        if detail == Detail::Everything {
            layout.labels.iter().for_each(|(at, _)| all.stretch(*at, STEP / 6));
        }
        let margin = if detail == Detail::Everything { MARGIN } else { MARGIN / 3.0 };
        let zero = At::new(margin - scaled(all.low.x), margin - scaled(all.low.y));
        let size = At::new(
            scaled(all.high.x - all.low.x) + 2.0 * margin,
            scaled(all.high.y - all.low.y) + 2.0 * margin,
        );
        let rim = scaled(round_reach(layout, cells.middle()));
        let mut frame = Frame { zero, size, cells: (zero, zero), rim };
        frame.cells = (frame.at(cells.low), frame.at(cells.high));
        frame
    }

    pub(super) fn at(&self, point: Point) -> At {
        self.zero.moved(scaled(point.x), scaled(point.y))
    }
}

fn scaled(length: i32) -> f32 {
    length as f32 / STEP as f32 * CELL
}

/// How far a round board reaches from its middle: over everything, and a little more.
fn round_reach(layout: &Layout, middle: Point) -> i32 {
    let corners = layout.homes.iter().flat_map(|home| &home.corners).chain(&layout.cells);
    let squares = corners.map(|at| (at.x - middle.x).pow(2) + (at.y - middle.y).pow(2));
    squares.max().unwrap_or(0).isqrt() + STEP / 4
}

#[derive(Clone, Copy)]
struct Extent {
    low: Point,
    high: Point,
}

impl Extent {
    const NOTHING: Extent =
        Extent { low: Point::new(i32::MAX, i32::MAX), high: Point::new(i32::MIN, i32::MIN) };

    /// Makes room for a point and so much around it.
    fn stretch(&mut self, at: Point, by: i32) {
        self.low = Point::new(self.low.x.min(at.x - by), self.low.y.min(at.y - by));
        self.high = Point::new(self.high.x.max(at.x + by), self.high.y.max(at.y + by));
    }

    fn middle(self) -> Point {
        Point::new((self.low.x + self.high.x) / 2, (self.low.y + self.high.y) / 2)
    }
}

pub(super) struct Painter<'a> {
    pub(super) position: &'a Position,
    pub(super) layout: &'a Layout,
    pub(super) frame: Frame,
    pub(super) shapes: Vec<Shape>,
}

impl Painter<'_> {
    pub(super) fn add(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    pub(super) fn cell(&self, cell: u16) -> At {
        self.frame.at(self.layout.cells[usize::from(cell)])
    }

    fn paint(&mut self, last: &[u16], detail: Detail) {
        let contents = self.position.cells();
        let mut last: Vec<u16> =
            last.iter().copied().filter(|&cell| usize::from(cell) < contents.len()).collect();
        last.dedup();
        let winning = self.position.winning_cells();
        let lone = self.layout.lone(&winning);
        ground::paint(self, &contents, detail);
        // Elsewhere squares cannot be coloured, or not be seen beside the piece: there are rings around pieces.
        let has_squares = matches!(self.layout.field, Field::Ruled | Field::Tiles);
        if has_squares {
            self.mark_cells(&last, LAST.towards(WHITE, 0.45));
            self.mark_cells(&lone, WINNING.towards(WHITE, 0.62));
        }
        if last.len() > 1 {
            let road: Vec<At> = last.iter().map(|&cell| self.cell(cell)).collect();
            self.add(Shape::line_through(&road).lined(LAST, 0.1 * CELL));
            self.add(Shape::circle(road[0], 0.2 * CELL).filled(WHITE).lined(LAST, 0.08 * CELL));
        }
        let layout = self.layout;
        let won = layout.groups.iter().filter(|group| matches!(group.state, GroupState::Won(_)));
        let is_covered = |cell: u16| won.clone().any(|group| group.cells.contains(&cell));
        for (cell, content) in (0..).zip(&contents).filter(|&(cell, _)| !is_covered(cell)) {
            if let Some(seat) = content.checked_sub(1).and_then(|seat| Seat::new(seat.into())) {
                self.piece_on(cell, seat);
            }
        }
        if !has_squares {
            // Of a road the end is ringed.
            self.ring(&last[last.len().saturating_sub(1)..], LAST);
            self.ring(&lone, WINNING);
        }
        layout.groups.iter().for_each(|group| self.cover(group, &winning));
        if detail == Detail::Everything {
            for (at, text) in &layout.labels {
                self.add(glyphs::centred(text, self.frame.at(*at), 0.24 * CELL, FAINT));
            }
        }
    }

    fn mark_cells(&mut self, cells: &[u16], colour: Colour) {
        for &cell in cells {
            let tile = Shape::tile(self.cell(cell), 0.88 * CELL, 0.88 * CELL, 0.1 * CELL);
            self.add(tile.filled(colour));
        }
    }

    fn ring(&mut self, cells: &[u16], colour: Colour) {
        for &cell in cells {
            self.add(Shape::circle(self.cell(cell), 0.44 * CELL).lined(colour, 0.09 * CELL));
        }
    }

    fn piece_on(&mut self, cell: u16, seat: Seat) {
        let at = self.cell(cell);
        let sign = self.position.sign_on(cell, seat.index(), Charset::Ascii);
        let (middle, radius) =
            if self.layout.piles { (at.moved(-0.08 * CELL, 0.04 * CELL), 0.31) } else { (at, 0.39) };
        self.shapes.extend(piece(self.layout.pieces, seat, sign, middle, radius * CELL));
        let pile = self.position.column(cell);
        if self.layout.piles && pile.len() > 1 {
            self.pile(&pile, at);
        }
    }

    /// What lies in a pile, beside it, and how much it is. Of a high one the top is shown.
    fn pile(&mut self, pile: &[u8], at: At) {
        const SHOWN: usize = 7;
        let hidden = pile.len().saturating_sub(SHOWN);
        let mut foot = at.moved(0.35 * CELL, 0.34 * CELL);
        for &owner in &pile[hidden..] {
            let Some(seat) = Seat::new(usize::from(owner) - 1) else { continue };
            let token = Shape::tile(foot, 0.17 * CELL, 0.08 * CELL, 0.02 * CELL);
            self.add(token.filled(of_seat(seat)).lined(of_seat(seat).towards(BLACK, 0.45), 0.012 * CELL));
            foot = foot.moved(0.0, -0.1 * CELL);
        }
        let height = pile.len().to_string();
        self.add(glyphs::written(&height, at.moved(-0.4 * CELL, -0.4 * CELL), 0.16 * CELL, INK));
    }

    /// What shows the state of a board within the board, over its cells.
    fn cover(&mut self, group: &Group, winning: &[u16]) {
        let (low, high) = self.extent(group);
        let (middle, size) = (low.middle(high), high.x - low.x);
        if let GroupState::Won(seat) = group.state {
            let sign = self.position.sign(seat.index(), Charset::Ascii);
            self.shapes.extend(sign_shapes(sign, middle, 0.37 * size, 0.105 * size, pen_of(seat)));
        }
        if !group.cells.is_empty() && group.cells.iter().all(|cell| winning.contains(cell)) {
            let tile = Shape::tile(middle, size + 0.16 * CELL, high.y - low.y + 0.16 * CELL, 0.2 * CELL);
            self.add(tile.lined(WINNING, 0.09 * CELL));
        }
    }

    pub(super) fn extent(&self, group: &Group) -> (At, At) {
        let mut extent = Extent::NOTHING;
        group.cells.iter().for_each(|&cell| extent.stretch(self.layout.cells[usize::from(cell)], STEP / 2));
        (self.frame.at(extent.low), self.frame.at(extent.high))
    }
}

pub(super) fn piece(pieces: Pieces, seat: Seat, sign: char, at: At, radius: f32) -> Vec<Shape> {
    match pieces {
        Pieces::Signs => sign_shapes(sign, at, 0.72 * radius, 0.28 * radius, pen_of(seat)),
        Pieces::Stones => {
            let (fill, edge) = if seat == Seat::FIRST {
                (BLACK, Colour(0, 0, 0))
            } else {
                (Colour(0xf7, 0xf7, 0xf4), Colour(0x8b, 0x90, 0x96))
            };
            let shine = fill.towards(if seat == Seat::FIRST { WHITE } else { BLACK }, 0.16);
            vec![
                Shape::circle(at, radius).filled(fill).lined(edge, 0.06 * radius),
                Shape::circle(at, 0.74 * radius).lined(shine, 0.05 * radius),
            ]
        }
        Pieces::Discs => {
            let colour = of_seat(seat);
            let mut shapes = vec![
                Shape::circle(at, radius).filled(colour).lined(colour.towards(BLACK, 0.5), 0.07 * radius),
            ];
            shapes.extend(sign_shapes(sign, at, 0.36 * radius, 0.17 * radius, on_seat(seat)));
            shapes
        }
    }
}

/// A sign: a cross, a ring, or whatever letter or digit it is.
fn sign_shapes(sign: char, at: At, reach: f32, pen: f32, colour: Colour) -> Vec<Shape> {
    match sign.to_ascii_lowercase() {
        'x' => [1.0, -1.0]
            .map(|slope| {
                Shape::line_through(&[at.moved(-reach, -reach * slope), at.moved(reach, reach * slope)])
            })
            .map(|stroke| stroke.lined(colour, pen))
            .to_vec(),
        'o' => vec![Shape::circle(at, reach * 1.08).lined(colour, pen)],
        _ => vec![glyphs::centred(&sign.to_string(), at, reach * 2.6, colour)],
    }
}

/// A line of text with pieces in it, its top left corner at the origin.
struct Line {
    shapes: Vec<Shape>,
    width: f32,
}

impl Line {
    const EMPTY: Line = Line { shapes: Vec::new(), width: 0.0 };

    fn piece(&mut self, position: &Position, layout: &Layout, seat: Seat) {
        let radius = 0.21 * CELL;
        let at = At::new(self.width + radius, TEXT / 2.0);
        let sign = position.sign(seat.index(), Charset::Ascii);
        self.shapes.extend(piece(layout.pieces, seat, sign, at, radius));
        self.width += 2.0 * radius + 0.14 * CELL;
    }

    fn text(&mut self, text: &str, colour: Colour) {
        self.shapes.push(glyphs::written(text, At::new(self.width, 0.0), TEXT, colour));
        self.width += glyphs::width(text, TEXT) + 0.34 * CELL;
    }

    fn done(self) -> Line {
        Line { width: self.width - 0.34 * CELL, ..self }
    }
}

/// What everybody has, and whose turn it is or who has won.
fn footer(position: &Position, layout: &Layout) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(score) = position.scores().first() {
        let mut line = Line::EMPTY;
        for (seat, number) in Seat::all(position.seats()).zip(&score.by_seat) {
            line.piece(position, layout, seat);
            line.text(&if position.is_in(seat) { number.to_string() } else { "out".to_owned() }, INK);
        }
        line.text(&score.name.replace('_', " "), FAINT);
        lines.push(line.done());
    }
    if let Some((seat, words)) = standing(position) {
        let mut line = Line::EMPTY;
        if let Some(seat) = seat {
            line.piece(position, layout, seat);
        }
        line.text(&words, INK);
        lines.push(line.done());
    }
    lines
}
