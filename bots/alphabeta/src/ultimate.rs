//! Ultimate tic-tac-toe as the search sees it: nine boards of nine bits, copied rather than undone.

use crate::board::{Board, Candidate};
use arbiter_rules::{Move, MoveList, OptionValue, Position};
use bot_engine::evaluation::ultimate::{Boards, boards_of, cells, completing, has_line, net};

/// How many points a draw is worth less than a position that is even: who plays well enough to draw may still err, and
/// most games of equals are drawn. Against random games to the end (`mcts` with `plain=true` and a fifth of the time) 80
/// games with 0 had 7 draws and no loss, with 40 they had 4 and 1, with 100 they had 3 and 1; this lies between.
const DISLIKE_OF_DRAWS: i32 = 60;

/// A position for one side.
#[derive(Debug)]
pub(crate) struct BitBoard {
    now: Turn,
    us: usize,
    /// Whether the side with more boards wins where nobody has three in line.
    counts_boards: bool,
    past: Vec<Turn>,
}

/// What a move changes.
#[derive(Clone, Copy, Debug)]
struct Turn {
    boards: Boards,
    seat: usize,
    /// The boards that may be played on.
    allowed: u16,
}

impl BitBoard {
    /// The board of a position in which we are to move.
    pub(crate) fn of(position: &dyn Position) -> BitBoard {
        let mut list = vec![0; position.shape().cells()];
        position.write_cells(&mut list);
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let allowed = boards_of(&moves);
        let us = position.to_move().map_or(0, |seat| seat.index());
        BitBoard {
            now: Turn { boards: Boards::of(&list), seat: us, allowed },
            us,
            counts_boards: position.options().get("tie_break") == Some(OptionValue::Word("boards")),
            past: Vec::new(),
        }
    }

    /// How good a move looks: it wins a board or keeps the opponent from it, and it should not send the opponent to
    /// where he may choose, or can win a board.
    fn promise(&self, board: usize, cell: u16) -> i32 {
        let Turn { boards, seat, .. } = self.now;
        let (own, other) = (&boards.taken[seat], &boards.taken[1 - seat]);
        let has = |set: u16| (set >> cell & 1) != 0;
        if boards.wins(seat, board, cell) {
            return 1000;
        }
        let target = usize::from(cell);
        let mut promise = [6, 3, 6, 3, 9, 3, 6, 3, 6][target];
        promise += if has(completing(own[board])) { 300 } else { 0 };
        promise += if has(completing(other[board])) { 80 } else { 0 };
        if boards.open >> cell & 1 == 0 {
            promise - 120
        } else if completing(other[target]) & boards.empty(target) != 0 && target != board {
            promise - 80
        } else {
            promise
        }
    }
}

impl Board for BitBoard {
    fn is_ours(&self) -> bool {
        self.now.seat == self.us
    }

    fn ended(&self) -> Option<i32> {
        let Turn { boards, seat, .. } = self.now;
        if has_line(boards.won[1 - seat]) {
            return Some(if self.is_ours() { -1 } else { 1 });
        }
        let [ours, theirs] = [self.us, 1 - self.us].map(|seat| boards.won[seat].count_ones().cast_signed());
        (boards.open == 0).then(|| if self.counts_boards { (ours - theirs).signum() } else { 0 })
    }

    fn draw(&self) -> i32 {
        -DISLIKE_OF_DRAWS
    }

    fn moves(&mut self, list: &mut Vec<Candidate>) {
        list.clear();
        for board in cells(self.now.allowed) {
            for cell in cells(self.now.boards.empty(usize::from(board))) {
                let promise = self.promise(usize::from(board), cell);
                list.push(Candidate { m: Move::place(board * 9 + cell), promise });
            }
        }
    }

    fn play(&mut self, m: Move) {
        self.past.push(self.now);
        let (board, cell) = (usize::from(m.to() / 9), m.to() % 9);
        let Turn { boards, seat, allowed } = &mut self.now;
        boards.play(*seat, board, cell);
        *allowed = if boards.open >> cell & 1 == 1 { 1 << cell } else { boards.open };
        *seat = 1 - *seat;
    }

    fn undo(&mut self) {
        self.now = self.past.pop().expect("a move was played");
    }

    fn evaluate(&mut self) -> i32 {
        let Turn { boards, seat, allowed } = &self.now;
        let lead = net::lead(boards, *seat, *allowed);
        if self.is_ours() { lead } else { -lead }
    }

    fn key(&self) -> u64 {
        let Turn { boards, seat, allowed } = self.now;
        let start = u64::from(allowed) << 1 | seat as u64;
        (0..9).fold(start, |key, board| {
            let cells = u64::from(boards.taken[0][board]) << 9 | u64::from(boards.taken[1][board]);
            (key.rotate_left(23) ^ cells).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Chance, Random, Seat, SeatResult, Setup, registry};

    #[test]
    fn moves_and_ends_are_those_of_the_rules() {
        let mut random = Random::new(8);
        for tie_break in ["off", "boards"] {
            for _ in 0..200 {
                let setup = Setup { options: &[("tie_break", tie_break)], ..Setup::default() };
                let mut position = registry::start("ultimate", &setup).unwrap();
                let mut board = BitBoard::of(&*position);
                let (mut list, mut moves) = (Vec::new(), MoveList::new());
                while position.end().is_none() {
                    assert_eq!(
                        (board.ended(), board.is_ours()),
                        (None, position.to_move() == Some(Seat::FIRST))
                    );
                    board.moves(&mut list);
                    position.legal_moves(&mut moves);
                    let found: Vec<_> = list.iter().map(|candidate| candidate.m).collect();
                    assert_eq!(*moves, *found, "{}", position.text());
                    let m = position.nth_legal(random.below(position.legal_count()));
                    position.play(m, &Chance::NONE).unwrap();
                    board.play(m);
                }
                let result = match position.end().unwrap().outcome.of(Seat::FIRST) {
                    SeatResult::Win => 1,
                    SeatResult::Draw => 0,
                    SeatResult::Loss => -1,
                };
                assert_eq!(board.ended(), Some(result), "{}", position.text());
            }
        }
    }
}
