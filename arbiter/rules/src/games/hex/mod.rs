//! Hex on a rhombus of hexagons.
//!
//! [`board`] holds sets of cells, [`chain`] finds the winner's chain, [`notation`] reads positions, [`drawing`] lays out the
//! board; here is the turn. Rules: P. Hein (1942) and J. Nash, with the swap that mirrors the stone.

mod board;
mod chain;
mod drawing;
mod notation;

use crate::appearance::Appearance;
use crate::chance::Chance;
use crate::draft::{Draft, DraftAction, DraftResult, DraftStep, DraftView, Input};
use crate::draw::{Charset, Scene};
use crate::game::{Extras, Game, Shape};
use crate::info::{GameInfo, Setup, SetupError, set_up};
use crate::layout::Layout;
use crate::moves::{Choice, IllegalMove, Move, MoveKind, MoveList, Refusal};
use crate::notation::{Notation, read_place, write_cell, write_rows};
use crate::options::{OptionInfo, OptionKind, Options};
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::random::key_of;
use crate::seat::Seat;
use board::{Cells, LONGEST, set_bits};

/// Hex as the registry lists it.
pub(crate) static INFO: GameInfo = GameInfo {
    id: "hex",
    title: "Hex",
    aliases: &["con-tac-tix", "nash"],
    version: 1,
    seats: &[2],
    options: &[
        OptionInfo {
            name: "size",
            kind: OptionKind::Number(1, LONGEST as u32),
            default: "11",
            about: "rows and columns of the board",
        },
        OptionInfo {
            name: "swap",
            kind: OptionKind::Flag,
            default: "true",
            about: "the second seat may take over the first stone, mirrored, as its first move",
        },
    ],
    trials: &[&[("size", "2")], &[("size", "5"), ("swap", "false")], &[("size", "19")]],
    opening_plies: |options| if options.flag("swap") { 1 } else { 2 },
    example: "d3",
    page: include_str!("../hex.md"),
    set_up: set_up::<Hex>,
};

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hex {
    size: usize,
    /// Whether the second seat may take over the first stone.
    swap: bool,
    /// Stones by seat.
    stones: [Cells; 2],
    /// Cells without a stone.
    empty: usize,
    /// The keys of all stones.
    key: u128,
    to_move: Seat,
    winner: Option<Seat>,
}

/// What a swap is called.
const SWAP: &str = "swap";

impl Hex {
    fn cell(&self, row: usize, column: usize) -> u16 {
        (row * self.size + column) as u16
    }

    fn place_of(&self, cell: u16) -> (usize, usize) {
        (usize::from(cell) / self.size, usize::from(cell) % self.size)
    }

    fn owner(&self, row: usize, column: usize) -> Option<Seat> {
        Seat::all(2).find(|seat| self.stones[seat.index()].has(row, column))
    }

    /// The columns of a row that have no stone.
    #[inline]
    fn empty_in(&self, row: usize) -> u32 {
        ((1 << self.size) - 1) & !(self.stones[0].0[row] | self.stones[1].0[row])
    }

    fn empty_cells(&self) -> impl Iterator<Item = u16> + '_ {
        let cells = move |row: usize| set_bits(self.empty_in(row)).map(move |column| self.cell(row, column));
        (0..self.size).flat_map(cells)
    }

    /// Puts a stone on an empty cell.
    #[inline]
    fn put(&mut self, seat: Seat, row: usize, column: usize) {
        self.stones[seat.index()].add(row, column);
        self.empty -= 1;
        self.key ^= stone_key(seat, row, column);
    }

    /// The swap, while it may be played: the one stone of the first seat goes to its mirror image.
    fn swap_now(&self) -> Option<Move> {
        let is_first_answer = self.to_move == Seat::SECOND && self.empty + 1 == self.size * self.size;
        if !self.swap || !is_first_answer {
            return None;
        }
        let (row, column) = self.stones[0].iter().next()?;
        Some(Move::shift(self.cell(row, column), self.cell(column, row)))
    }

    /// The swap, or why it may not be played.
    fn judge_swap(&self) -> Result<Move, IllegalMove> {
        if !self.swap {
            return Err(IllegalMove::new(Refusal::SwapOff, "There is no swapping in this game."));
        }
        let sentence = "Swapping is possible only as the first answer.";
        self.swap_now().ok_or_else(|| IllegalMove::new(Refusal::SwapNotNow, sentence))
    }

    /// The cells along the two sides that a seat connects: top and bottom, or left and right.
    fn sides(&self, seat: Seat) -> [Cells; 2] {
        [0, self.size - 1].map(|edge| {
            let mut side = Cells::NONE;
            for along in 0..self.size {
                match seat {
                    Seat::FIRST => side.add(edge, along),
                    _ => side.add(along, edge),
                }
            }
            side
        })
    }

    /// Whether a chain of a seat's stones connects its sides.
    fn connects(&self, seat: Seat) -> bool {
        !chain::shortest(self.stones[seat.index()], self.sides(seat)).is_empty()
    }
}

impl Game for Hex {
    fn start(setup: &Setup<'_>) -> Result<(Hex, Options), SetupError> {
        let options = Options::read(INFO.options, setup.options)?;
        let size = options.number("size") as usize;
        let start = Hex {
            size,
            swap: options.flag("swap"),
            stones: [Cells::NONE; 2],
            empty: size * size,
            key: 0,
            to_move: Seat::FIRST,
            winner: None,
        };
        let position = match setup.position {
            Some(text) => notation::read(text, start)?,
            None => start,
        };
        Ok((position, options))
    }

    fn shape(&self) -> Shape {
        Shape { width: self.size as u16, height: self.size as u16, depth: 1 }
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.to_move
    }

    #[inline]
    fn ending(&self) -> Option<GameEnd> {
        self.winner.map(|winner| GameEnd { outcome: Outcome::win(2, winner), reason: EndReason::Connected })
    }

    /// The empty cells, then the swap.
    fn legal_moves(&self, moves: &mut MoveList) {
        self.empty_cells().for_each(|cell| moves.push(Move::place(cell)));
        self.swap_now().into_iter().for_each(|swap| moves.push(swap));
    }

    #[inline]
    fn legal_count(&self) -> usize {
        self.empty + usize::from(self.swap_now().is_some())
    }

    #[inline]
    fn nth_legal(&self, mut n: usize) -> Move {
        for row in 0..self.size {
            let mut empty = self.empty_in(row);
            let count = empty.count_ones() as usize;
            if n < count {
                (0..n).for_each(|_| empty &= empty - 1);
                return Move::place(self.cell(row, empty.trailing_zeros() as usize));
            }
            n -= count;
        }
        self.swap_now().expect("there are so many legal moves")
    }

    fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        let (cell, (row, column)) = (m.to(), self.place_of(m.to()));
        let (reason, sentence) = if m.kind() == Some(MoveKind::Shift) && m == Move::shift(m.from(), cell) {
            if self.judge_swap()? == m {
                return Ok(());
            }
            (Refusal::NotUnderstood, "A swap takes the one stone there is to its mirror image.".to_owned())
        } else if m != Move::place(cell) {
            (Refusal::NotUnderstood, "A move in this game takes one cell, or swaps.".to_owned())
        } else if row >= self.size {
            let last = self.size * self.size - 1;
            (Refusal::OffBoard, format!("There is no cell {cell}: cells are numbered 0 to {last}."))
        } else if let Some(seat) = self.owner(row, column) {
            let sign = ['X', 'O'][seat.index()];
            (Refusal::Occupied, format!("{} is taken by {sign}.", self.cell_name(cell)))
        } else {
            return Ok(());
        };
        Err(IllegalMove { reason, sentence })
    }

    #[inline]
    fn play(&mut self, m: Move, _: &Chance) {
        let mover = self.to_move;
        if m.kind() == Some(MoveKind::Shift) {
            (self.stones[0], self.empty, self.key) = (Cells::NONE, self.size * self.size, 0);
        }
        let (row, column) = self.place_of(m.to());
        self.put(mover, row, column);
        let chain = self.stones[mover.index()].chain(row, column);
        let connects = match mover {
            Seat::FIRST => chain.0[0] != 0 && chain.0[self.size - 1] != 0,
            _ => chain.columns() & 1 != 0 && chain.columns() >> (self.size - 1) != 0,
        };
        self.winner = connects.then_some(mover);
        self.to_move = mover.opponent();
    }

    fn key(&self) -> u128 {
        self.key ^ side_key(self.to_move)
    }

    /// Turned by half a circle, the board has the same sides.
    fn symmetric_key(&self) -> u128 {
        let last = self.size - 1;
        let turned = Seat::all(2).flat_map(|seat| {
            let keys = self.stones[seat.index()].iter();
            keys.map(move |(row, column)| stone_key(seat, last - row, last - column)).collect::<Vec<_>>()
        });
        self.key().min(turned.fold(side_key(self.to_move), |key, stone| key ^ stone))
    }

    fn write_cells(&self, cells: &mut [u8]) {
        for (cell, content) in (0..).zip(cells) {
            let (row, column) = self.place_of(cell);
            *content = self.owner(row, column).map_or(0, |seat| seat.index() as u8 + 1);
        }
    }

    fn write_text(&self, text: &mut String) {
        let owner = |cell| {
            let (row, column) = self.place_of(cell);
            self.owner(row, column)
        };
        write_rows(self.shape(), owner, self.to_move, text);
    }

    fn winning_cells(&self) -> Vec<u16> {
        let chain =
            self.winner.map(|winner| chain::shortest(self.stones[winner.index()], self.sides(winner)));
        chain.iter().flat_map(Cells::iter).map(|(row, column)| self.cell(row, column)).collect()
    }
}

impl Extras for Hex {
    fn came_by(&mut self, last: Move) -> Result<(), String> {
        let may_be_swapped = self.swap && self.empty + 1 == self.size * self.size;
        match last.kind() {
            Some(MoveKind::Shift) if !may_be_swapped => Err("only the first stone can be swapped".to_owned()),
            _ => Ok(()),
        }
    }
}

impl Notation for Hex {
    fn write_move(&self, m: Move, text: &mut String) {
        let (row, column) = self.place_of(m.from());
        if m == Move::shift(m.from(), self.cell(column, row)) {
            text.push_str(SWAP);
        } else {
            write_cell(m.to(), self.shape().width, text);
        }
    }

    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        match text.eq_ignore_ascii_case(SWAP) {
            true => self.judge_swap().map(Choice::from),
            false => read_place(self, text, INFO.example),
        }
    }
}

impl Appearance for Hex {
    fn layout(&self) -> Layout {
        drawing::layout(self)
    }

    fn scene(&self, charset: Charset) -> Scene {
        drawing::scene(self, charset)
    }

    fn prompt(&self) -> Vec<String> {
        let swap = self.swap_now().map(|_| "  You may swap: the stone becomes yours, on its mirror image.");
        swap.into_iter().map(str::to_owned).collect()
    }
}

const SWAP_STONE: DraftAction = DraftAction { id: SWAP, label: "Swap" };

impl Input for Hex {
    fn actions(&self) -> &'static [DraftAction] {
        &[SWAP_STONE]
    }

    fn act(&self, _: &Draft, action: &str) -> DraftResult {
        match action {
            SWAP => self.judge_swap().map(|swap| DraftStep::Finished(swap.into())),
            _ => Err(IllegalMove::new(Refusal::NotUnderstood, "Choose a cell: that is the whole move.")),
        }
    }

    fn draft_view(&self, _: &Draft) -> DraftView {
        let targets = self.empty_cells().collect();
        let swap = self.swap_now().map(|_| SWAP_STONE);
        DraftView { targets, actions: swap.into_iter().collect(), ..DraftView::default() }
    }
}

/// The share of a stone in the key of a position.
fn stone_key(seat: Seat, row: usize, column: usize) -> u128 {
    key_of([(row << 16 | column << 8 | seat.index() << 1) as u64])
}

/// The share of the side to move.
fn side_key(to_move: Seat) -> u128 {
    key_of([1 << 32 | to_move.index() as u64])
}
