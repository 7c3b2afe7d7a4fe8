//! Stacks: lines that one side alone has tokens on, by how many tokens it has and how many more it takes.
//!
//! Earthquakes are left out but for this: where there are any, a token weighs less the higher it lies.

use super::{Cells, Evaluation, Points};
use arbiter_rules::{Move, MoveKind, OptionValue, Position};

/// Every line of a board of some size.
#[derive(Debug)]
pub struct Towers {
    n: usize,
    /// Rows, columns and main diagonals.
    straights: Vec<Vec<u16>>,
    only_tops: bool,
    shakes: bool,
    cells: Cells,
    stacks: Vec<Vec<u8>>,
}

impl Towers {
    /// The lines of a position's board under its options.
    #[must_use]
    pub fn of(position: &Position) -> Towers {
        let n = usize::from(position.shape().width);
        Towers {
            n,
            straights: super::connect_four::lines(n, n, n),
            only_tops: position.options().get("variant") == Some(OptionValue::Word("top")),
            shakes: position.has_chance(),
            cells: Cells::default(),
            stacks: Vec::new(),
        }
    }

    /// Lines of tops: what is covered does not count.
    fn tops(&mut self, position: &Position) -> Points {
        let cells = self.cells.read(position);
        let mut points = [0; 6];
        for line in &self.straights {
            for (seat, points) in (1..).zip(&mut points[..2]) {
                let own = line.iter().filter(|&&cell| cells[usize::from(cell)] == seat).count();
                *points += worth(own, self.n - own);
            }
        }
        points
    }

    /// Lines in space.
    fn space(&mut self, position: &Position) -> Points {
        self.stacks.resize(self.n * self.n, Vec::new());
        for (cell, stack) in (0..).zip(&mut self.stacks) {
            stack.clear();
            position.write_column(cell, stack);
        }
        let highest = self.stacks.iter().map(Vec::len).max().unwrap_or(0);
        let mut points = [0; 6];
        for line in &self.straights {
            let stacks = || line.iter().map(|&cell| &self.stacks[usize::from(cell)][..]);
            for bottom in 0..=highest {
                self.count(stacks().zip(std::iter::repeat(bottom)), bottom, &mut points);
                self.count(stacks().zip(bottom..), bottom, &mut points);
                self.count(stacks().rev().zip(bottom..), bottom, &mut points);
            }
        }
        for stack in &self.stacks {
            let run = |seat: u8| stack.iter().rev().take_while(|&&token| token == seat).count();
            for (seat, points) in (1..).zip(&mut points[..2]) {
                let run = run(seat);
                *points += if run > 0 { worth(run, self.n - run) } else { 0 };
            }
        }
        points
    }

    /// Gives the points of a line of places, each a stack and a level, to the one seat that has tokens there.
    fn count<'a>(&self, places: impl Iterator<Item = (&'a [u8], usize)>, bottom: usize, points: &mut Points) {
        let (mut owner, mut tokens, mut missing) = (0, 0, 0);
        for (stack, level) in places {
            match stack.get(level) {
                None => missing += level - stack.len() + 1,
                Some(&token) if owner == 0 || token == owner => (owner, tokens) = (token, tokens + 1),
                Some(_) => return,
            }
        }
        if owner != 0 {
            let worth = worth(tokens, missing);
            let seat = usize::from(owner) - 1;
            points[seat] += if self.shakes { worth * 4 / (4 + bottom as i32) } else { worth };
        }
    }
}

/// A line with some tokens that takes some more.
fn worth(tokens: usize, missing: usize) -> i32 {
    const BY_TOKENS: [i32; 10] = [0, 2, 9, 32, 80, 150, 240, 350, 480, 600];
    BY_TOKENS[tokens.min(9)] * 4 / (3 + missing.max(1)) as i32
}

impl Evaluation for Towers {
    fn points(&mut self, position: &Position) -> Points {
        if self.only_tops { self.tops(position) } else { self.space(position) }
    }

    fn clear_lead(&self) -> i32 {
        120
    }

    fn dislike_of_draws(&self) -> i32 {
        60
    }

    fn promise(&self, m: Move, _: usize, _: usize) -> i32 {
        super::promise_of_column(m, self.n) - if m.kind() == Some(MoveKind::Remove) { 50 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lead;

    const SIZE: &[(&str, &str)] = &[("n", "3")];

    #[test]
    fn tokens_in_line_count_more_than_apart_and_blocked_lines_for_nothing() {
        let in_line = lead("stacks", SIZE, "x,x,-/-,-,-/o,-,o x -");
        let blocked = lead("stacks", SIZE, "x,x,o/-,-,-/o,-,- x -");
        assert!(in_line > blocked, "{in_line} {blocked}");
        let top = [("n", "3"), ("variant", "top")];
        assert!(
            lead("stacks", &top, "x,x,-/-,-,-/-,o,o x -") >= lead("stacks", &top, "xo,x,-/-,-,-/-,o,o x -")
        );
    }

    #[test]
    fn a_rising_line_is_seen() {
        let rising = lead("stacks", SIZE, "x,ox,oo/-,-,-/-,-,- x -");
        let broken = lead("stacks", SIZE, "x,xo,oo/-,-,-/-,-,- x -");
        assert!(rising > broken, "{rising} {broken}");
    }
}
