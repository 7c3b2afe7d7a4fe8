//! The training samples: positions of games, and how these games ended.

use std::error::Error;
use std::path::Path;

use bot_engine::evaluation::ultimate::Boards;

/// A position, and how it went on for the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) boards: Boards,
    pub(crate) seat: usize,
    pub(crate) allowed: u16,
    /// 1 is a win, a half a draw, 0 a loss.
    pub(crate) result: f32,
    /// What the search thought, in points.
    pub(crate) score: i16,
}

/// Bytes of a sample in a file.
const SIZE: usize = 42;

impl Sample {
    /// The form in a file: cells by seat and board, the boards to choose from, the seat, the result in halves, and the score.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let sets = self.boards.taken.iter().flatten().chain([&self.allowed]);
        sets.for_each(|set| bytes.extend(set.to_le_bytes()));
        bytes.extend([self.seat as u8, (2.0 * self.result) as u8]);
        bytes.extend(self.score.to_le_bytes());
    }

    fn read(bytes: &[u8; SIZE]) -> Sample {
        let set = |i: usize| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        let taken = [0, 9].map(|first| std::array::from_fn(|board| set(first + board)));
        Sample {
            boards: Boards::of_taken(taken),
            seat: bytes[38].into(),
            allowed: set(18),
            result: f32::from(bytes[39]) / 2.0,
            score: set(20).cast_signed(),
        }
    }

    /// All samples of a file.
    pub(crate) fn all_of(file: &Path) -> Result<Vec<Sample>, Box<dyn Error>> {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let (samples, []) = bytes.as_chunks::<SIZE>() else {
            return Err(format!("{}: it is not a file that `play` wrote", file.display()).into());
        };
        Ok(samples.iter().map(Sample::read).collect())
    }

    /// The same position turned or reflected in one of eight ways.
    pub(crate) fn turned(&self, way: usize) -> Sample {
        let cell = |cell: usize| {
            let (mut row, mut column) = (cell / 3, cell % 3);
            if way & 1 != 0 {
                row = 2 - row;
            }
            if way & 2 != 0 {
                column = 2 - column;
            }
            if way & 4 != 0 { 3 * column + row } else { 3 * row + column }
        };
        let set = |set: u16| (0..9).filter(|&c| set >> c & 1 == 1).fold(0, |turned, c| turned | 1 << cell(c));
        let Boards { taken, won, open } = self.boards;
        let mut boards = Boards { taken, won: won.map(set), open: set(open) };
        for (turned, cells) in boards.taken.iter_mut().zip(&taken) {
            cells.iter().enumerate().for_each(|(board, &cells)| turned[cell(board)] = set(cells));
        }
        Sample { boards, allowed: set(self.allowed), ..*self }
    }
}
