//! Hex: how well current would flow across the board.
//!
//! Between a seat's two sides stands a circuit: its own stones are wires, empty cells resist, stones of the other are gaps
//! (V. V. Anshelevich, "A hierarchical approach to computer Hex", Artificial Intelligence 134 (2002)). Cells that two empty ones
//! link, a *bridge*, count as neighbours, since the opponent can close only one of the two; and what lies between two stones
//! of the opponent's that are so linked, or between a stone and its side, is hardly a way through.

use super::{Cells, Evaluation, Points};
use arbiter_rules::{Move, MoveKind, Position};

/// What a stone of one's own resists, where an empty cell resists 1.
const WIRE: f32 = 0.02;
/// What a cell of an opponent's bridge resists.
const WALL: f32 = 2.0;
/// How well a bridge conducts, where neighbours are 1.
const BRIDGE: f32 = 0.8;
/// Current that is lost in every cell, so that those without any connection have a potential, too.
const LEAK: f32 = 1e-6;
/// Points for a circuit that conducts e times as well.
const SCALE: f32 = 350.0;
/// Points of the side to move. With these numbers positions of 6x6 and 7x7 that were solved outright are told best.
const TEMPO: i32 = 180;
/// Points of promise for a cell through which all of both currents flow.
const FLOW: f32 = 600.0;

/// The circuits of a board of some size.
#[derive(Debug)]
pub struct Circuits {
    size: usize,
    cells: Cells,
    links: Vec<Link>,
    circuits: [Circuit; 2],
    /// What part of the currents flows through each cell.
    shares: Vec<f32>,
}

/// Two cells that touch, or could be linked by two others. Cells are counted row by row.
#[derive(Debug)]
struct Link {
    from: usize,
    to: End,
    carriers: Option<[usize; 2]>,
}

/// Where a link leads.
#[derive(Clone, Copy, Debug)]
enum End {
    Cell(usize),
    /// The side where current comes in, and the one where it leaves.
    First,
    Last,
}

/// The circuit of one seat, on a board turned so that it connects the first row with the last.
#[derive(Debug, Default)]
struct Circuit {
    /// What each cell resists; nothing conducts through stones of the opponent's.
    resists: Vec<Option<f32>>,
    /// The equations of the potentials: from the diagonal on, a row of the matrix after the other.
    rows: Vec<f32>,
    potentials: Vec<f32>,
    /// How well each link conducts, or 0.
    conducts: Vec<f32>,
    /// What flows from side to side with a potential of 1 between them.
    current: f32,
}

impl Circuits {
    /// The circuits of a position's board.
    #[must_use]
    pub fn of(position: &Position) -> Circuits {
        let size = usize::from(position.shape().width);
        Circuits {
            size,
            cells: Cells::default(),
            links: links(size),
            circuits: Default::default(),
            shares: Vec::new(),
        }
    }

    /// Lets current flow.
    fn flow(&mut self, position: &Position) {
        let Circuits { size, cells, links, circuits, .. } = self;
        let cells = cells.read(position);
        let turned: Vec<u8> = (0..cells.len()).map(|at| cells[at % *size * *size + at / *size]).collect();
        circuits[0].flow(*size, links, cells, 1);
        circuits[1].flow(*size, links, &turned, 2);
    }
}

/// All links of a board of so many rows.
fn links(size: usize) -> Vec<Link> {
    let cell = |row: usize, column: usize, (down, right): (isize, isize)| {
        let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        (row < size && column < size).then_some(row * size + column)
    };
    let mut links = Vec::new();
    for (row, column) in (0..size * size).map(|at| (at / size, at % size)) {
        let from = row * size + column;
        let at = |offset| cell(row, column, offset);
        let neighbours = [(0, 1), (1, 0), (1, -1)];
        let bridges = [((1, 1), (0, 1), (1, 0)), ((2, -1), (1, 0), (1, -1)), ((1, -2), (1, -1), (0, -1))];
        links.extend(neighbours.into_iter().filter_map(at).map(|to| Link {
            from,
            to: End::Cell(to),
            carriers: None,
        }));
        for (to, one, other) in bridges {
            if let (Some(to), Some(one), Some(other)) = (at(to), at(one), at(other)) {
                links.push(Link { from, to: End::Cell(to), carriers: Some([one, other]) });
            }
        }
        for (to, edge, beside) in
            [(End::First, 0, [(-1, 0), (-1, 1)]), (End::Last, size - 1, [(1, 0), (1, -1)])]
        {
            if row == edge {
                links.push(Link { from, to, carriers: None });
            } else if let (1, [Some(one), Some(other)]) = (row.abs_diff(edge), beside.map(at)) {
                links.push(Link { from, to, carriers: Some([one, other]) });
            }
        }
    }
    links
}

impl Link {
    /// How well it conducts; nothing where it is closed.
    fn conducts(&self, resists: &[Option<f32>], cells: &[u8]) -> Option<f32> {
        let from = resists[self.from]?;
        let to = match self.to {
            End::Cell(to) => resists[to]?,
            End::First | End::Last => WIRE,
        };
        match self.carriers {
            Some(carriers) if carriers.iter().any(|&at| cells[at] != 0) => None,
            Some(_) => Some(BRIDGE / (from + to)),
            None => Some(1.0 / (from + to)),
        }
    }
}

impl Circuit {
    /// Finds the potentials and the current for a seat's stones.
    fn flow(&mut self, size: usize, links: &[Link], cells: &[u8], own: u8) {
        // The width of the matrix is that of the longest link, a bridge two rows down and one column back.
        let (count, width) = (cells.len(), 2 * size);
        self.resists.clear();
        self.resists.extend(cells.iter().map(|&cell| match cell {
            0 => Some(1.0),
            cell if cell == own => Some(WIRE),
            _ => None,
        }));
        self.raise_walls(size, links, cells, own);
        self.rows.clear();
        self.rows.resize(count * width, 0.0);
        self.potentials.clear();
        self.potentials.resize(count, 0.0);
        for at in 0..count {
            self.rows[at * width] = LEAK;
        }
        let Circuit { rows, potentials, resists, .. } = self;
        self.conducts.clear();
        self.conducts.extend(links.iter().map(|link| link.conducts(resists, cells).unwrap_or(0.0)));
        for (link, &conducts) in links.iter().zip(&self.conducts) {
            rows[link.from * width] += conducts;
            match link.to {
                End::Cell(to) => {
                    rows[link.from * width + to - link.from] -= conducts;
                    rows[to * width] += conducts;
                }
                End::First => potentials[link.from] += conducts,
                End::Last => {}
            }
        }
        self.solve(width);
        let come_in = links.iter().zip(&self.conducts).filter(|(link, _)| matches!(link.to, End::First));
        self.current = come_in.map(|(link, conducts)| conducts * (1.0 - self.potentials[link.from])).sum();
    }

    /// What lies between two stones of the opponent's that are bridged is hardly a way through, nor what links one with a side
    /// of theirs, the first and the last column here.
    fn raise_walls(&mut self, size: usize, links: &[Link], cells: &[u8], own: u8) {
        let is_theirs = |at: usize| cells[at] != 0 && cells[at] != own;
        let mut raise = |carriers: [usize; 2]| {
            if carriers.iter().all(|&at| cells[at] == 0) {
                carriers.iter().for_each(|&at| self.resists[at] = Some(WALL));
            }
        };
        for link in links {
            if let &Link { from, to: End::Cell(to), carriers: Some(carriers) } = link
                && is_theirs(from)
                && is_theirs(to)
            {
                raise(carriers);
            }
        }
        for row in 0..size.saturating_sub(1) {
            let (near, far) = (row * size + 1, (row + 1) * size + size - 2);
            if is_theirs(near) {
                raise([near - 1, near - 1 + size]);
            }
            if is_theirs(far) {
                raise([far + 1, far + 1 - size]);
            }
        }
    }

    /// Solves the equations by elimination. The matrix is symmetric and positive, so any order of cells will do.
    fn solve(&mut self, width: usize) {
        let Circuit { rows, potentials, .. } = self;
        let count = potentials.len();
        for at in 0..count {
            let (done, rest) = rows.split_at_mut((at + 1) * width);
            let row = &done[at * width..];
            for distance in 1..width.min(count - at) {
                let share = row[distance] / row[0];
                if share == 0.0 {
                    continue;
                }
                let other = &mut rest[(distance - 1) * width..];
                for (other, row) in other.iter_mut().zip(&row[distance..]) {
                    *other -= share * row;
                }
                potentials[at + distance] -= share * potentials[at];
            }
        }
        for at in (0..count).rev() {
            let row = &rows[at * width..];
            let known: f32 = (1..width.min(count - at)).map(|far| row[far] * potentials[at + far]).sum();
            potentials[at] = (potentials[at] - known) / row[0];
        }
    }

    /// Adds to each cell the share of the current that flows through it.
    fn add_shares(&self, links: &[Link], shares: &mut [f32], place: impl Fn(usize) -> usize) {
        for (link, conducts) in links.iter().zip(&self.conducts) {
            let potential = match link.to {
                End::Cell(to) => self.potentials[to],
                End::First => 1.0,
                End::Last => 0.0,
            };
            // What comes in goes out again, so each cell sees all of its current twice.
            let share = conducts * (potential - self.potentials[link.from]).abs() / (2.0 * self.current);
            shares[place(link.from)] += share;
            if let End::Cell(to) = link.to {
                shares[place(to)] += share;
            }
        }
    }
}

impl Evaluation for Circuits {
    fn points(&mut self, position: &Position) -> Points {
        self.flow(position);
        let mut points = [0; 6];
        for (circuit, points) in self.circuits.iter().zip(&mut points) {
            *points = (SCALE * circuit.current.max(1e-4).ln()) as i32;
        }
        if let Some(seat) = position.to_move() {
            points[seat.index()] += TEMPO;
        }
        points
    }

    fn clear_lead(&self) -> i32 {
        100
    }

    /// The nearer to the middle the better.
    fn promise(&self, m: Move, _: usize, _: usize) -> i32 {
        let (row, column) = (usize::from(m.to()) / self.size, usize::from(m.to()) % self.size);
        let from_middle = |at: usize| (2 * at + 1).abs_diff(self.size) as i32;
        -2 * (from_middle(row) + from_middle(column) + from_middle((row + column) / 2))
    }

    /// A move is the better the more current flows through its cell: it gets on with one's own way and stands in the other's.
    fn promises(&mut self, position: &Position, _: usize, moves: &[Move], list: &mut Vec<i32>) {
        self.flow(position);
        let Circuits { size, links, circuits, shares, .. } = self;
        shares.clear();
        shares.resize(*size * *size, 0.0);
        circuits[0].add_shares(links, shares, |at| at);
        circuits[1].add_shares(links, shares, |at| at % *size * *size + at / *size);
        list.clear();
        list.extend(moves.iter().map(|m| match m.kind() {
            Some(MoveKind::Place) => (FLOW * shares[usize::from(m.to())]) as i32,
            // Swapping leaves the board as it is, but for whose stone it is.
            _ => 0,
        }));
    }
}

#[cfg(test)]
mod tests {
    use crate::evaluation::tests::lead;

    const SIZE: &[(&str, &str)] = &[("size", "5")];

    #[test]
    fn who_is_closer_to_the_other_side_is_ahead() {
        assert!(lead("hex", SIZE, "..x../o..../..x../o..../..... x") > 100);
        assert!(lead("hex", SIZE, "oooo./x..x./...../x...x/..... o") < -100);
    }

    #[test]
    fn whoever_is_linked_by_bridges_alone_has_all_but_won() {
        // From top to bottom the opponent can close only one of two cells everywhere; where the stones stand otherwise, more.
        let bridged = lead("hex", SIZE, "...../..x../...../.x.../...o. o");
        let apart = lead("hex", SIZE, "...../..x../...../..x../...o. o");
        assert!(bridged > apart + 300, "{bridged} and {apart}");
    }

    #[test]
    fn a_second_way_counts() {
        let one = lead("hex", SIZE, "..x../..x../..xo./.o..o/..x.o o");
        let two = lead("hex", SIZE, "..x../..x../..x.o/....o/..x.o o");
        assert!(two > one, "{two} and {one}");
    }
}
