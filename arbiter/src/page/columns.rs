//! What games are packed into: numbers of one kind side by side, so that they compress well, as the page reads them
//! (`assets/unpack.js`).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

/// The kinds of numbers, in the order in which `assets/unpack.js` names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// How many seats after the expected one.
    Seat,
    /// A line of the table of moves.
    Move,
    /// Who chose it.
    By,
    /// Time: the power of ten, from 1; 0 where it is not known.
    TimePower,
    /// Time: its first two digits.
    TimeDigits,
    /// Depth and 1; 0 where the bot said nothing.
    Depth,
    /// Nodes: the power of ten, from 1.
    NodesPower,
    /// Nodes: the first two digits.
    NodesDigits,
    /// How much the value has changed since the seat's last one, in zigzag, and 1; 0 for none. The lowest seven bits.
    Value,
    /// The others: they have little in common with the lowest, which are noise.
    ValueRest,
    /// Twice how long the expected line is, and 1 if it begins with the move itself, which is then not said again.
    LineLength,
    /// Its other moves.
    Line,
    /// A line of the table of texts, from 1.
    Text,
    /// How many cells change, and 1; 0 where that is usual.
    Changes,
    /// Which, as steps from one to the next in zigzag.
    Cell,
    /// How.
    Change,
    /// What else has to be said of a change.
    More,
    /// Boards within the board that change, and to what.
    Group,
    /// Scores, as steps in zigzag.
    Score,
    /// A line of the table of texts, from 1: what the next turn is about.
    Note,
}

const COLUMNS: usize = Column::Note as usize + 1;

/// Numbers that grow.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    bytes: [Vec<u8>; COLUMNS],
}

impl Columns {
    /// Appends a number: seven bits a byte, the lowest first.
    pub(super) fn add(&mut self, column: Column, number: u64) {
        varint(number, &mut self.bytes[column as usize]);
    }

    /// Appends a number that may be negative.
    pub(super) fn add_signed(&mut self, column: Column, number: i64) {
        self.add(column, zigzag(number));
    }

    /// Appends the first two digits of a number and its power of ten; nothing is a number too.
    pub(super) fn add_rounded(&mut self, power: Column, digits: Column, number: Option<u64>) {
        let Some(mut number) = number else { return self.add(power, 0) };
        let mut tens = 1;
        while number >= 100 {
            number = if number < 1000 { (number + 5) / 10 } else { number / 10 };
            tens += 1;
        }
        self.add(power, tens);
        self.add(digits, number);
    }

    /// All columns, each behind its length, and a text behind them, packed.
    pub(super) fn pack(&self, text: &str) -> String {
        let columns = self.bytes.iter().map(|column| {
            let mut part = Vec::new();
            varint(column.len() as u64, &mut part);
            part.extend_from_slice(column);
            part
        });
        pack_parts(columns.chain([text.as_bytes().to_vec()]))
    }
}

/// A negative number as an odd one.
pub(super) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// Bytes as a page holds them: deflated, in letters.
pub(super) fn pack(bytes: &[u8]) -> String {
    pack_parts([bytes.to_vec()])
}

/// The same of parts that have little in common: each is deflated by frequencies of its own, which saves a tenth.
fn pack_parts(parts: impl IntoIterator<Item = Vec<u8>>) -> String {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let written =
        parts.into_iter().try_for_each(|part| packed.write_all(&part).and_then(|()| packed.flush()));
    let packed = written.and_then(|()| packed.finish());
    STANDARD.encode(packed.expect("memory can be written"))
}

fn varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
