//! Connect four on a grid of any size.
//!
//! [`board`] holds the rules, [`word`] the bits, [`notation`] the texts; here are the options.

mod board;
mod notation;
mod word;

use crate::game::AnyGame;
use crate::info::{GameInfo, Setup, SetupError, set_up};
use crate::naming::shown;
use crate::options::{Given, OptionError, OptionInfo, OptionKind, OptionValue, Options};
use board::ConnectFour;
use word::{Wide, Word};

/// Connect four as the registry lists it.
pub(crate) static INFO: GameInfo = GameInfo {
    id: "connect-four",
    title: "Connect four",
    aliases: &["connect4", "four-in-a-row", "puissance-4"],
    version: 1,
    seats: &[2],
    options: &[
        OptionInfo {
            name: "columns",
            kind: OptionKind::Number(1, LONGEST),
            default: "7",
            about: "columns of the grid",
        },
        OptionInfo {
            name: "rows",
            kind: OptionKind::Number(1, LONGEST),
            default: "6",
            about: "rows of the grid",
        },
        OptionInfo {
            name: "connect",
            kind: OptionKind::Number(1, LONGEST),
            default: "4, or the longer side if that is less",
            about: "how many discs in line win, at most the longer side",
        },
        OptionInfo {
            name: "size",
            kind: OptionKind::Shorthand("COLUMNSxROWS, such as 7x6"),
            default: "",
            about: "short for columns and rows",
        },
    ],
    trials: &[
        &[("size", "4x4")],
        &[("size", "5x8")],
        &[("size", "10x4"), ("connect", "5")],
        &[("size", "20x20"), ("connect", "20")],
    ],
    opening_plies: |_| 4,
    example: "4",
    page: include_str!("../connect_four.md"),
    set_up: start,
};

/// Most columns, most rows.
const LONGEST: u32 = 20;

/// What the options say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    columns: u8,
    rows: u8,
    /// How many discs in line win.
    connect: u8,
    /// 2^16 / columns, rounded up, for dividing without a division.
    inverse: u32,
}

impl Grid {
    /// The column of a cell. With at most 400 cells the rounding is too small to matter.
    #[inline]
    fn column(self, cell: u16) -> u16 {
        let row = ((u32::from(cell) * self.inverse) >> 16) as u16;
        cell - row * u16::from(self.columns)
    }

    /// Bits from one column to the next: its cells, and a sentinel on top that is never set.
    #[inline]
    fn stride(self) -> u32 {
        u32::from(self.rows) + 1
    }

    fn bits(self) -> u32 {
        u32::from(self.columns) * self.stride()
    }
}

/// Chooses the smallest word that holds the grid.
fn start(setup: &Setup<'_>) -> Result<(Box<dyn AnyGame>, Options), SetupError> {
    let (grid, _) = read_options(setup.options)?;
    match grid.bits() {
        bits if bits <= <u64 as Word>::BITS => set_up::<ConnectFour<u64>>(setup),
        bits if bits <= <u128 as Word>::BITS => set_up::<ConnectFour<u128>>(setup),
        _ => set_up::<ConnectFour<Wide>>(setup),
    }
}

fn read_options(given: &[Given<'_>]) -> Result<(Grid, Options), OptionError> {
    let mut plain: Vec<Given<'_>> = Vec::new();
    for &(name, value) in given {
        match (name, value.split_once('x')) {
            ("size", Some((columns, rows))) => plain.extend([("columns", columns), ("rows", rows)]),
            _ => plain.push((name, value)),
        }
    }
    let is_given = |wanted| given.iter().any(|&(name, _)| name == wanted);
    if is_given("size") && (is_given("columns") || is_given("rows")) {
        let problem = "option size is short for columns and rows: give either it or them";
        return Err(OptionError(problem.to_owned()));
    }
    // How long a line can be follows from the sides, so they are read first.
    let (connect, sides): (Vec<_>, Vec<_>) = plain.into_iter().partition(|(name, _)| *name == "connect");
    let mut options = Options::read(INFO.options, &sides)?;
    let (columns, rows) = (options.number("columns"), options.number("rows"));
    let longer = columns.max(rows);
    let connect = match connect[..] {
        [] => OptionValue::Number(longer.min(4)),
        [(_, text)] => OptionKind::Number(1, longer).read(text).ok_or_else(|| {
            OptionError(format!(
                "option connect takes a number from 1 to {longer} on a grid of {columns}x{rows}, not '{}'",
                shown(text)
            ))
        })?,
        _ => return Err(OptionError::twice("connect")),
    };
    options.default_to("connect", connect);
    let connect = options.number("connect");
    let inverse = 65_536_u32.div_ceil(columns);
    let grid = Grid { columns: columns as u8, rows: rows as u8, connect: connect as u8, inverse };
    Ok((grid, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_every_grid_is_in_its_column() {
        for columns in 1..=20 {
            let (grid, _) = read_options(&[("size", &format!("{columns}x20"))]).unwrap();
            for cell in 0..columns * 20 {
                assert_eq!(grid.column(cell), cell % columns, "cell {cell} of {columns} columns");
            }
        }
    }
}
