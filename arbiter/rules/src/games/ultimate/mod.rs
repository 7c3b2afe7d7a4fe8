//! Ultimate tic-tac-toe: nine boards of nine bits.
//!
//! A board that is won keeps no single signs: its winner holds all nine cells. Positions that differ only in how a
//! board was won are the same.

mod drawing;
mod notation;

use super::nine;
use super::tic_tac_toe::{FIRST, signs};
use crate::appearance::Appearance;
use crate::chance::Chance;
use crate::draft::Input;
use crate::draw::{Charset, Scene};
use crate::game::{Best, Extras, Game, Score, Shape};
use crate::info::{GameInfo, Setup, SetupError, set_up};
use crate::layout::Layout;
use crate::moves::{Choice, IllegalMove, Move, MoveKind, MoveList, Refusal};
use crate::notation::{Notation, all_of};
use crate::options::{OptionInfo, OptionKind, Options};
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::random::key_of;
use crate::seat::Seat;
use std::cmp::Ordering;

/// Ultimate as the registry lists it.
pub(crate) static INFO: GameInfo = GameInfo {
    id: "ultimate",
    title: "Ultimate tic-tac-toe",
    aliases: &["ultimate-tic-tac-toe", "super-morpion"],
    version: 1,
    seats: &[2],
    options: &[
        OptionInfo {
            name: "tie_break",
            kind: OptionKind::Word(&["off", "boards"]),
            default: "off",
            about: "what decides when all grids are finished without a line: nothing, or who has won more",
        },
        FIRST,
    ],
    trials: &[&[("tie_break", "boards")]],
    opening_plies: |_| 4,
    example: "9b2",
    page: include_str!("../ultimate.md"),
    set_up: set_up::<Ultimate>,
};

/// A position, copied rather than undone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ultimate {
    /// Cells by seat and board; all nine of a won board.
    taken: [[u16; 9]; 2],
    /// Won boards by seat.
    won: [u16; 2],
    /// Who has a line of boards.
    winner: Option<Seat>,
    /// Boards that are neither won nor full.
    open: u16,
    /// How many cells of open boards are empty.
    empty: u8,
    /// The board that the last move sends to, open or not.
    sent: Option<u8>,
    /// The same if it is open and the game goes on: nothing else may be played on.
    forced: Option<u8>,
    to_move: Seat,
    signs: [char; 2],
    count_boards: bool,
}

impl Ultimate {
    #[inline]
    fn empty_cells(&self, board: usize) -> u16 {
        nine::ALL & !(self.taken[0][board] | self.taken[1][board])
    }

    /// Closes a board for the seat that has won it, or for nobody.
    fn close(&mut self, board: usize, winner: Option<Seat>) {
        self.empty -= self.empty_cells(board).count_ones() as u8;
        self.open &= !(1 << board);
        if let Some(seat) = winner {
            self.taken[seat.index()][board] = nine::ALL;
            self.taken[seat.opponent().index()][board] = 0;
            self.won[seat.index()] |= 1 << board;
            if nine::has_line(self.won[seat.index()]) {
                self.winner = Some(seat);
            }
        }
    }

    /// Sends the seat to move to a board, where that means something.
    #[inline]
    fn send_to(&mut self, board: u8) {
        self.sent = Some(board);
        self.forced = (self.open >> board & 1 == 1 && self.winner.is_none()).then_some(board);
    }

    /// Puts the sign of the seat to move on an empty cell.
    #[inline]
    fn put(&mut self, board: usize, cell: u16) {
        let seat = self.to_move;
        let taken = &mut self.taken[seat.index()][board];
        *taken |= 1 << cell;
        self.empty -= 1;
        if nine::has_line(*taken) {
            self.close(board, Some(seat));
        } else if self.empty_cells(board) == 0 {
            self.close(board, None);
        }
        self.to_move = seat.opponent();
        self.send_to(cell as u8);
    }

    /// Board and cell of the n-th legal move.
    #[inline]
    fn nth_place(&self, mut n: usize) -> (usize, u16) {
        if let Some(board) = self.forced {
            return (usize::from(board), nine::nth_cell(self.empty_cells(usize::from(board)), n));
        }
        let mut open = self.open;
        loop {
            let board = open.trailing_zeros() as usize;
            let empty = self.empty_cells(board);
            let count = empty.count_ones() as usize;
            if n < count {
                return (board, nine::nth_cell(empty, n));
            }
            n -= count;
            open &= open - 1;
        }
    }

    fn boards_won(&self) -> [u32; 2] {
        self.won.map(u16::count_ones)
    }

    /// The key of an image of this position: boards and cells are turned and mirrored alike.
    fn image_key(&self, symmetry: usize) -> u128 {
        let mut words = [0; 4];
        for board in 0..9 {
            let place = nine::IMAGES[symmetry][board];
            let [first, second] = self.taken.map(|boards| u64::from(nine::image(boards[board], symmetry)));
            words[place / 3] |= (first | second << 9) << (place % 3 * 18);
        }
        let forced = self.forced.map_or(9, |board| nine::IMAGES[symmetry][usize::from(board)]);
        words[3] = (forced << 1 | self.to_move.index()) as u64;
        key_of(words)
    }
}

impl Game for Ultimate {
    fn start(setup: &Setup<'_>) -> Result<(Ultimate, Options), SetupError> {
        let options = Options::read(INFO.options, setup.options)?;
        let start = Ultimate {
            taken: [[0; 9]; 2],
            won: [0, 0],
            winner: None,
            open: nine::ALL,
            empty: 81,
            sent: None,
            forced: None,
            to_move: Seat::FIRST,
            signs: signs(&options),
            count_boards: options.word("tie_break") == "boards",
        };
        let position = match setup.position {
            Some(text) => notation::read(text, start)?,
            None => start,
        };
        Ok((position, options))
    }

    fn shape(&self) -> Shape {
        Shape { width: 3, height: 3, depth: 9 }
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.to_move
    }

    #[inline]
    fn ending(&self) -> Option<GameEnd> {
        if let Some(winner) = self.winner {
            return Some(GameEnd { outcome: Outcome::win(2, winner), reason: EndReason::Line });
        }
        if self.open != 0 {
            return None;
        }
        let [first, second] = self.boards_won();
        Some(match first.cmp(&second) {
            Ordering::Greater if self.count_boards => {
                GameEnd { outcome: Outcome::win(2, Seat::FIRST), reason: EndReason::BoardCount }
            }
            Ordering::Less if self.count_boards => {
                GameEnd { outcome: Outcome::win(2, Seat::SECOND), reason: EndReason::BoardCount }
            }
            _ => GameEnd { outcome: Outcome::draw(2, |_| true), reason: EndReason::AllBoardsFinished },
        })
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        for board in nine::cells(self.forced.map_or(self.open, |board| 1 << board)) {
            for cell in nine::cells(self.empty_cells(usize::from(board))) {
                moves.push(Move::place(board * 9 + cell));
            }
        }
    }

    #[inline]
    fn legal_count(&self) -> usize {
        match self.forced {
            Some(board) => self.empty_cells(usize::from(board)).count_ones() as usize,
            None => usize::from(self.empty),
        }
    }

    #[inline]
    fn nth_legal(&self, n: usize) -> Move {
        let (board, cell) = self.nth_place(n);
        Move::place(board as u16 * 9 + cell)
    }

    #[inline]
    fn play_nth(&mut self, n: usize) {
        let (board, cell) = self.nth_place(n);
        self.put(board, cell);
    }

    fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        let (board, cell) = (m.to() / 9, m.to() % 9);
        let grid = board + 1;
        let (reason, sentence) = if m.kind() != Some(MoveKind::Place) || m != Move::place(m.to()) {
            (Refusal::NotUnderstood, "A move in this game takes one cell.".to_owned())
        } else if board >= 9 {
            (Refusal::OffBoard, format!("There is no cell {}: cells are numbered 0 to 80.", m.to()))
        } else if let Some(forced) = self.forced.filter(|&forced| u16::from(forced) != board) {
            let sentence = format!("You are sent to grid {}: grid {grid} is not allowed.", forced + 1);
            (Refusal::WrongBoard, sentence)
        } else if self.open >> board & 1 == 0 {
            (Refusal::BoardFinished, format!("Grid {grid} is finished: choose an open grid."))
        } else if self.empty_cells(usize::from(board)) >> cell & 1 == 0 {
            let owner = usize::from(self.taken[1][usize::from(board)] >> cell & 1);
            let (name, sign) = (nine::name(cell), self.signs[owner].to_ascii_uppercase());
            (Refusal::Occupied, format!("{name} in grid {grid} is taken by {sign}."))
        } else {
            return Ok(());
        };
        Err(IllegalMove { reason, sentence })
    }

    #[inline]
    fn play(&mut self, m: Move, _: &Chance) {
        self.put(usize::from(m.to() / 9), m.to() % 9);
    }

    fn key(&self) -> u128 {
        self.image_key(0)
    }

    fn symmetric_key(&self) -> u128 {
        (0..8).map(|symmetry| self.image_key(symmetry)).min().expect("there are eight symmetries")
    }

    fn write_cells(&self, cells: &mut [u8]) {
        for (index, cell) in cells.iter_mut().enumerate() {
            let [first, second] = self.taken.map(|boards| (boards[index / 9] >> (index % 9) & 1) as u8);
            *cell = first + 2 * second;
        }
    }

    fn write_text(&self, text: &mut String) {
        notation::write(self, text);
    }

    fn scores(&self, _: Option<Seat>) -> Vec<Score> {
        let by_seat = self.boards_won().map(i64::from).to_vec();
        vec![Score { name: "boards_won", by_seat, best: Best::Most }]
    }

    fn winning_cells(&self) -> Vec<u16> {
        let boards = self.won.into_iter().find_map(nine::line).unwrap_or(0);
        nine::cells(boards).flat_map(|board| board * 9..board * 9 + 9).collect()
    }
}

impl Extras for Ultimate {
    /// The cell of the last move is the grid that the next player is sent to.
    fn came_by(&mut self, last: Move) -> Result<(), String> {
        let grid = (last.to() % 9) as u8;
        match self.sent {
            Some(sent) if sent != grid => {
                Err(format!("the position says that {} was played last", nine::name(u16::from(sent))))
            }
            _ => {
                self.send_to(grid);
                Ok(())
            }
        }
    }
}

impl Notation for Ultimate {
    fn write_move(&self, m: Move, text: &mut String) {
        text.push_str(&self.cell_name(m.to()));
    }

    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        let m = notation::read_move(text, self.forced)?;
        self.judge(m).map(|()| m.into())
    }

    fn split_moves<'a>(&self, text: &'a str) -> Vec<&'a str> {
        notation::split_moves(text)
    }

    /// Grid and cell: `9b2`.
    fn write_cell_name(&self, cell: u16, text: &mut String) {
        text.push_str(&format!("{}{}", cell / 9 + 1, nine::name(cell % 9)));
    }
}

impl Appearance for Ultimate {
    fn sign(&self, seat: usize, _: Charset) -> char {
        self.signs[seat]
    }

    /// A grid that is won is full of capitals: one big sign.
    fn sign_on(&self, cell: u16, seat: usize, _: Charset) -> char {
        let is_won = self.won[seat] >> (cell / 9) & 1 == 1;
        if is_won { self.signs[seat].to_ascii_uppercase() } else { self.signs[seat] }
    }

    /// Grids make the line.
    fn line_name(&self, cells: &[u16]) -> String {
        let mut grids: Vec<u16> = cells.iter().map(|cell| cell / 9 + 1).collect();
        grids.dedup();
        format!("grids {} in a line", all_of(&grids))
    }

    fn scene(&self, charset: Charset) -> Scene {
        drawing::scene(self, charset)
    }

    fn layout(&self) -> Layout {
        drawing::layout(self)
    }

    fn prompt(&self) -> Vec<String> {
        let grid = match (self.forced, self.sent) {
            (Some(board), _) => format!("You are sent to grid {}.", board + 1),
            (None, Some(board)) => format!("Grid {} is finished: play in any open grid.", board + 1),
            (None, None) => "Play in any open grid.".to_owned(),
        };
        vec![grid]
    }
}

impl Input for Ultimate {}
