//! Positions as tables of Graphviz: each cell a cell of an HTML table, boards within boards as tables in tables. A board
//! that is won is one field, white for a ring and black for any other sign.

use super::colour::{Colour, LAST, WINNING, of_seat, on_seat, pen_of};
use super::standing;
use super::svg::escaped;
use arbiter_rules::draw::Charset;
use arbiter_rules::layout::{Field, Group, GroupState, Layout, Pieces, Point};
use arbiter_rules::{Position, Seat};
use std::collections::{BTreeMap, BTreeSet};

/// How large a cell is, in points.
const SIDE: u32 = 22;

pub(crate) fn dot(position: &Position, last: &[u16]) -> String {
    let id = position.info().id;
    let sign = |seat: Seat| position.sign(seat.index(), Charset::Unicode);
    let words = standing(position).map_or_else(String::new, |(seat, words)| match seat {
        Some(seat) => format!("{} {words}", sign(seat)),
        None => words,
    });
    let (title, words) = (escaped(&position.text()), escaped(&words));
    let table = table(position, last);
    format!(
        "graph \"{id}\" {{\n  node [shape=plaintext, fontname=\"Helvetica\"];\n  label=<{words}<BR/><FONT POINT-SIZE=\"8\">{title}</FONT>>;\n  \
         fontname=\"Helvetica\";\n  position [label=<{table}>];\n}}\n"
    )
}

/// The board as an HTML-like table.
pub(crate) fn table(position: &Position, last: &[u16]) -> String {
    let layout = position.layout();
    let (cells, winning) = (position.cells(), position.winning_cells());
    let drawer = Drawer { position, layout: &layout, cells, last, winning };
    let mut text = String::new();
    if layout.groups.is_empty() {
        let places: Vec<_> = (0..layout.cells.len() as u16).map(|cell| (drawer.place(cell), cell)).collect();
        drawer.lattice(&places, &mut text, |cell, wide, text| drawer.cell(cell, wide, text));
    } else {
        let middle = |group: &Group| {
            let count = group.cells.len().max(1) as i32;
            let sum =
                |of: fn(Point) -> i32| group.cells.iter().map(|&cell| of(drawer.place(cell))).sum::<i32>();
            Point::new(sum(|at| at.x) / count, sum(|at| at.y) / count)
        };
        let places: Vec<_> =
            (0..).zip(&layout.groups).map(|(number, group)| (middle(group), number)).collect();
        drawer.lattice(&places, &mut text, |number, _, text| {
            drawer.group(&layout.groups[usize::from(number)], text)
        });
    }
    text
}

struct Drawer<'a> {
    position: &'a Position,
    layout: &'a Layout,
    cells: Vec<u8>,
    last: &'a [u16],
    winning: Vec<u16>,
}

impl Drawer<'_> {
    fn place(&self, cell: u16) -> Point {
        self.layout.cells[usize::from(cell)]
    }

    /// A table with one row for each height and one column for each place along it. Where neighbours in a row are
    /// several columns apart, they are so wide.
    fn lattice(&self, places: &[(Point, u16)], text: &mut String, write: impl Fn(u16, &str, &mut String)) {
        let columns: BTreeSet<i32> = places.iter().map(|(at, _)| at.x).collect();
        let columns: Vec<i32> = columns.into_iter().collect();
        let mut rows: BTreeMap<i32, Vec<(usize, u16)>> = BTreeMap::new();
        for (at, number) in places {
            let column = columns.binary_search(&at.x).expect("every place is in a column");
            rows.entry(at.y).or_default().push((column, *number));
        }
        rows.values_mut().for_each(|row| row.sort_unstable());
        let gaps = rows.values().flat_map(|row| row.windows(2)).map(|pair| pair[1].0 - pair[0].0);
        let span = gaps.min().unwrap_or(1);
        let is_dense = places.len() == columns.len() * rows.len();
        let (border, spacing) = if is_dense { (1, 0) } else { (0, 1) };
        text.push_str(&format!(
            "<TABLE BORDER=\"{border}\" CELLBORDER=\"{border}\" CELLSPACING=\"{spacing}\" CELLPADDING=\"1\">"
        ));
        let empty = |columns: usize| match columns {
            0 => String::new(),
            columns => format!("<TD COLSPAN=\"{columns}\"></TD>"),
        };
        let wide = if span > 1 { format!(" COLSPAN=\"{span}\"") } else { String::new() };
        for row in rows.values() {
            text.push_str("<TR>");
            let mut at = 0;
            for &(column, number) in row {
                text.push_str(&empty(column - at));
                write(number, &wide, text);
                at = column + span;
            }
            text.push_str(&empty((columns.len() + span - 1).saturating_sub(at)));
            text.push_str("</TR>");
        }
        text.push_str("</TABLE>");
    }

    fn group(&self, group: &Group, text: &mut String) {
        let size = SIDE * 3;
        let is_winning = group.cells.iter().all(|cell| self.winning.contains(cell));
        let edge = if is_winning { WINNING } else { LAST };
        let is_marked = is_winning || group.state == GroupState::Forced;
        let frame = if is_marked { framed(3, edge) } else { String::new() };
        if let GroupState::Won(seat) = group.state {
            let sign = self.position.sign(seat.index(), Charset::Ascii).to_ascii_lowercase();
            let fill = if sign == 'o' { "white" } else { "black" };
            let sides = format!("FIXEDSIZE=\"TRUE\" WIDTH=\"{size}\" HEIGHT=\"{size}\"");
            return text.push_str(&format!("<TD {sides} BGCOLOR=\"{fill}\"{frame}></TD>"));
        }
        let ground = if group.state == GroupState::Drawn { " BGCOLOR=\"#dddddd\"" } else { "" };
        text.push_str(&format!("<TD{frame}{ground}>"));
        let places: Vec<_> = group.cells.iter().map(|&cell| (self.place(cell), cell)).collect();
        self.lattice(&places, text, |cell, wide, text| self.cell(cell, wide, text));
        text.push_str("</TD>");
    }

    fn cell(&self, cell: u16, wide: &str, text: &mut String) {
        let content = self.cells[usize::from(cell)];
        let seat = content.checked_sub(1).and_then(|seat| Seat::new(seat.into()));
        let ground = match self.layout.field {
            Field::Ruled => Colour(255, 255, 255),
            Field::Cloth => Colour(0x8f, 0xc7, 0xa6),
            Field::Rack => Colour(0xf2, 0xf4, 0xf7),
            Field::Tiles | Field::Holes | Field::Hexagons => Colour(0xf7, 0xee, 0xdb),
        };
        let (mut fill, mut ink) = (ground, Colour(0, 0, 0));
        if let (Some(seat), Pieces::Discs) = (seat, self.layout.pieces) {
            (fill, ink) = (of_seat(seat), on_seat(seat));
        } else if let (Some(seat), Pieces::Signs) = (seat, self.layout.pieces) {
            ink = pen_of(seat);
        }
        let edge = if self.winning.contains(&cell) {
            framed(2, WINNING)
        } else if self.last.contains(&cell) {
            framed(2, LAST)
        } else {
            String::new()
        };
        let words = seat.map(|seat| self.words(cell, seat)).filter(|words| !words.is_empty());
        let coloured = |words| format!("<FONT COLOR=\"{}\">{words}</FONT>", ink.hex());
        let words = words.map_or_else(String::new, coloured);
        let sides = format!("FIXEDSIZE=\"TRUE\" WIDTH=\"{SIDE}\" HEIGHT=\"{SIDE}\"");
        text.push_str(&format!("<TD{wide} {sides} BGCOLOR=\"{}\"{edge}>{words}</TD>", fill.hex()));
    }

    /// The sign on a cell, and of a pile also its height.
    fn words(&self, cell: u16, seat: Seat) -> String {
        let sign = escaped(&self.position.sign_on(cell, seat.index(), Charset::Unicode).to_string());
        if !self.layout.piles {
            return sign;
        }
        let height = self.position.column(cell).len();
        let number =
            if height > 1 { format!("<FONT POINT-SIZE=\"7\">{height}</FONT>") } else { String::new() };
        format!("<FONT POINT-SIZE=\"10\">{sign}</FONT>{number}")
    }
}

fn framed(width: u32, colour: Colour) -> String {
    format!(" BORDER=\"{width}\" COLOR=\"{}\"", colour.hex())
}
