//! What games are packed into: numbers of one kind side by side, so that they compress well, as the page reads them
//! (`assets/unpack.js`).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params,
};

/// The kinds of numbers, in the order in which `assets/unpack.js` names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// How many seats after the expected one.
    Seat,
    /// A move, as [`Recent`] tells it.
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
    /// How much the value has changed since the seat's last one, in steps that can be seen and in zigzag, and 1; 0 for none.
    Value,
    /// By how much the expected line is shorter than the search was deep, in zigzag and twice; and 1 if it does not begin
    /// with the move itself, which is not said again.
    LineLength,
    /// Its other moves, those that are kept.
    Line,
    /// A line of the table of texts, from 1.
    Text,
    /// How many cells change, and 1; 0 where that is usual.
    Changes,
    /// Which.
    Cell,
    /// What lies on them then: how many pieces, and whose.
    Pile,
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

    /// Appends the first two digits of a number and its power of ten; nothing is a number too.
    pub(super) fn add_rounded(&mut self, power: Column, digits: Column, number: Option<u64>) {
        let Some(number) = number else { return self.add(power, 0) };
        let (number, tens) = rounded(number);
        self.add(power, tens + 1);
        self.add(digits, number);
    }

    /// Appends other columns to these.
    pub(super) fn append(&mut self, others: &Columns) {
        for (own, other) in self.bytes.iter_mut().zip(&others.bytes) {
            own.extend_from_slice(other);
        }
    }

    /// All columns, each behind its length, and a text behind them, packed.
    pub(super) fn pack(&self, text: &str) -> String {
        let columns = self.bytes.iter().map(|column| {
            let mut part = Vec::new();
            varint(column.len() as u64, &mut part);
            part.extend_from_slice(column);
            part
        });
        // Short repetitions are chance in numbers, and cost more than they save.
        pack_parts(columns.chain([text.as_bytes().to_vec()]), CompressionStrategy::Filtered)
    }
}

/// A negative number as an odd one.
pub(super) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// The first two digits of a number, and how many follow.
fn rounded(mut number: u64) -> (u64, u64) {
    let mut tens = 0;
    while number >= 100 {
        number = if number < 1000 { (number + 5) / 10 } else { number / 10 };
        tens += 1;
    }
    (number, tens)
}

/// The value of a search as pages show it, in steps: a tenth of a piece below ten pieces, two digits from there on.
pub(super) fn steps(value: i32) -> i64 {
    let (digits, tens) = rounded((u64::from(value.unsigned_abs()) + 5) / 10);
    i64::from(value.signum()) * (digits + 90 * tens) as i64
}

/// Moves of a game in the order in which they came up last, which tells them apart in fewer bits than their numbers do:
/// what a bot has expected is what is played and expected next, and what was played hardly comes again.
#[derive(Clone, Debug)]
pub(super) struct Recent {
    order: Vec<u64>,
}

impl Recent {
    /// The order at the beginning of a game.
    pub(super) fn new() -> Recent {
        Recent { order: (0..256).collect() }
    }

    /// The place of a move in the order, or its number behind all places. From now on it is the last.
    pub(super) fn take(&mut self, number: u64) -> u64 {
        let place = self.order.iter().position(|&other| other == number);
        let told = place.map_or(self.order.len() as u64 + number, |place| place as u64);
        place.map(|place| self.order.remove(place));
        self.order.push(number);
        told
    }

    /// Those that were taken last are expected next.
    pub(super) fn expect(&mut self, last: usize) {
        self.order.rotate_right(last);
    }
}

/// Bytes as a page holds them: deflated, in base64.
pub(super) fn pack(bytes: &[u8]) -> String {
    pack_parts([bytes.to_vec()], CompressionStrategy::Default)
}

/// The same of parts that have little in common: each is deflated by frequencies of its own, which saves a tenth.
fn pack_parts(parts: impl IntoIterator<Item = Vec<u8>>, strategy: CompressionStrategy) -> String {
    let mut packed = Vec::new();
    let mut deflate = |compressor: &mut CompressorOxide, part: &[u8], flush| {
        compress_to_output(compressor, part, flush, |some| {
            packed.extend_from_slice(some);
            true
        })
    };
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(9, 15, strategy.into()));
    for part in parts {
        deflate(&mut compressor, &part, TDEFLFlush::Sync);
    }
    deflate(&mut compressor, &[], TDEFLFlush::Finish);
    STANDARD.encode(packed)
}

fn varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
