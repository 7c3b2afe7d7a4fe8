//! Sets of cells, a word a row: bit 0 is column a.

use std::ops::BitAnd;

/// Most rows and columns.
pub(super) const LONGEST: usize = 19;

/// The columns of a row of cells, ascending.
pub(super) fn set_bits(mut cells: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let column = (cells != 0).then(|| cells.trailing_zeros() as usize)?;
        cells &= cells - 1;
        Some(column)
    })
}

/// Cells of a board of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells(pub(super) [u32; LONGEST]);

impl Cells {
    pub(super) const NONE: Cells = Cells([0; LONGEST]);

    pub(super) fn has(&self, row: usize, column: usize) -> bool {
        self.0[row] >> column & 1 == 1
    }

    pub(super) fn add(&mut self, row: usize, column: usize) {
        self.0[row] |= 1 << column;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; LONGEST]
    }

    pub(super) fn without(self, other: Cells) -> Cells {
        Cells(std::array::from_fn(|row| self.0[row] & !other.0[row]))
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Rows and columns, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().enumerate().flat_map(|(row, &cells)| set_bits(cells).map(move |column| (row, column)))
    }

    /// The columns of a row that touch one of the cells or are one: beside them in the row, above to the right, and
    /// below to the left.
    #[inline]
    fn reach(&self, row: usize) -> u32 {
        let here = self.0[row];
        let above = if row > 0 { self.0[row - 1] } else { 0 };
        let below = if row + 1 < LONGEST { self.0[row + 1] } else { 0 };
        here | here << 1 | here >> 1 | above | above >> 1 | below | below << 1
    }

    /// Those of these cells that touch one of the others or are one.
    pub(super) fn touching(self, others: Cells) -> Cells {
        Cells(std::array::from_fn(|row| others.reach(row) & self.0[row]))
    }

    /// The cells of the set that hang together with one of them.
    #[inline]
    pub(super) fn chain(self, row: usize, column: usize) -> Cells {
        let mut chain = Cells::NONE;
        chain.add(row, column);
        // The rows that the chain has come to, and those beside them.
        let (mut top, mut bottom) = (row.saturating_sub(1), (row + 1).min(LONGEST - 1));
        loop {
            let mut has_grown = false;
            for row in (top..=bottom).chain((top..bottom).rev()) {
                let more = chain.reach(row) & self.0[row] & !chain.0[row];
                if more != 0 {
                    chain.0[row] |= more;
                    has_grown = true;
                    (top, bottom) = (top.min(row.saturating_sub(1)), bottom.max((row + 1).min(LONGEST - 1)));
                }
            }
            if !has_grown {
                return chain;
            }
        }
    }

    /// The columns in which there is a cell.
    pub(super) fn columns(&self) -> u32 {
        self.0.iter().fold(0, |columns, row| columns | row)
    }
}

impl BitAnd for Cells {
    type Output = Cells;

    fn bitand(self, other: Cells) -> Cells {
        Cells(std::array::from_fn(|row| self.0[row] & other.0[row]))
    }
}
