//! Ultimate tic-tac-toe as the search sees it: nine boards of nine bits, copied rather than undone.

use crate::board::{Board, Candidate};
use arbiter_rules::{Move, MoveList, OptionValue, Position};
use bot_engine::evaluation::ultimate::{
    Boards, boards_of, cells, completing, has_line,
    net::{Net, Outlook, Sums},
};

/// A position for one side.
#[derive(Debug)]
pub(crate) struct BitBoard {
    net: &'static Net,
    now: Turn,
    us: usize,
    /// Whether the side with more boards wins where nobody has three in line.
    counts_boards: bool,
    dislike_of_draws: i32,
    past: Vec<Turn>,
}

/// What a move changes.
#[derive(Clone, Copy, Debug)]
struct Turn {
    boards: Boards,
    seat: usize,
    /// The boards that may be played on.
    allowed: u16,
    /// What the neurons of the network added up to for both seats before the last move.
    sums: [Sums; 2],
    /// The last move's board, and who had which of its cells before; nothing if the sums are those of now.
    last: Option<(usize, [u16; 2])>,
}

impl BitBoard {
    /// The board of a position in which we are to move, and to which a draw is worth so much less than an even position.
    pub(crate) fn of(position: &Position, dislike_of_draws: i32) -> BitBoard {
        let mut list = vec![0; position.shape().cells()];
        position.write_cells(&mut list);
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let allowed = boards_of(&moves);
        let us = position.to_move().map_or(0, |seat| seat.index());
        let (net, boards) = (Net::built_in(), Boards::of(&list));
        BitBoard {
            net,
            now: Turn {
                boards,
                seat: us,
                allowed,
                sums: [0, 1].map(|seat| net.sums(&boards, seat)),
                last: None,
            },
            us,
            counts_boards: position.options().get("tie_break") == Some(OptionValue::Word("boards")),
            dislike_of_draws,
            past: Vec::new(),
        }
    }

    /// What the neurons add up to now. Of most positions one seat's sums are asked for, once, so that they are not brought up to
    /// date before.
    fn sums(&self, seat: usize) -> Sums {
        let Turn { boards, sums, last, .. } = &self.now;
        let mut sums = sums[seat];
        if let Some((board, before)) = *last {
            self.net.change(&mut sums, seat, board, before, boards);
        }
        sums
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
        -self.dislike_of_draws
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
        if self.now.last.is_some() {
            self.now.sums = [0, 1].map(|seat| self.sums(seat));
            self.now.last = None;
        }
        self.past.push(self.now);
        let (board, cell) = (usize::from(m.to() / 9), m.to() % 9);
        let Turn { boards, seat, allowed, last, .. } = &mut self.now;
        *last = Some((board, boards.taken.map(|taken| taken[board])));
        boards.play(*seat, board, cell);
        *allowed = boards.after(cell);
        *seat = 1 - *seat;
    }

    fn undo(&mut self) {
        self.now = self.past.pop().expect("a move was played");
    }

    fn evaluate(&mut self) -> i32 {
        let Turn { boards, seat, allowed, .. } = &self.now;
        let Outlook { lead, draw } = self.net.outlook(self.sums(*seat), boards, *seat, *allowed);
        let lead = if self.is_ours() { lead } else { -lead };
        lead - draw * self.dislike_of_draws / 1000
    }

    fn key(&self) -> u64 {
        let Turn { boards, seat, allowed, .. } = self.now;
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
                let mut board = BitBoard::of(&position, 0);
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
