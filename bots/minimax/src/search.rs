//! Alpha-beta, deeper and deeper.

use std::collections::HashMap;
use std::mem;

use arbiter_plugin_api::{Cell, Move, MoveList, Outcome, Position, Report, RootMove, Turn};

use super::evaluation::Evaluation;

/// The score of a win now; one in n moves is worth n less.
const SURE: i32 = 100_000;
/// Beyond every score.
const INFINITE: i32 = 2 * SURE;
/// A better score than this is a win that has been seen to the end.
const SEEN: i32 = SURE / 2;
/// Positions whose best move is remembered.
const MEMORY: usize = 1 << 20;

/// The search for one move.
pub(crate) struct Search<'a> {
    turn: &'a Turn<'a>,
    evaluation: &'a Evaluation,
    depth: u32,
    position: Position,
    nodes: u64,
    /// Whether a line was cut off by the depth and not by the end of the game.
    cut_off: bool,
    /// The best move that was found in a position before, to be tried first.
    known: HashMap<u64, Move>,
    /// What belongs to each move of the line that is being looked at.
    levels: Vec<Level>,
    cells: Vec<Cell>,
}

/// Memory that is used again at the same depth.
#[derive(Default)]
struct Level {
    moves: MoveList,
    /// The best line from here on.
    line: Vec<Move>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(turn: &'a Turn<'a>, evaluation: &'a Evaluation, depth: u32) -> Search<'a> {
        Search {
            turn,
            evaluation,
            depth,
            position: turn.position(),
            nodes: 0,
            cut_off: false,
            known: HashMap::new(),
            levels: (0..=depth).map(|_| Level::default()).collect(),
            cells: Vec::new(),
        }
    }

    /// The best of these moves, as far as the time allows to see.
    pub(crate) fn best_of(mut self, mut moves: Vec<Move>) -> Move {
        if moves.len() == 1 {
            return moves[0];
        }
        for depth in 1..=self.depth {
            self.cut_off = false;
            let mut best = -INFINITE;
            let mut values = Vec::with_capacity(moves.len());
            for i in 0..moves.len() {
                let m = moves[i];
                let Some(score) = self.after(m, 0, depth, best, INFINITE) else { return moves[0] };
                // Of a move that is no better than the best, alpha-beta knows just that.
                let is_better = score > best;
                values.push(if is_better { RootMove::exact(m, score) } else { RootMove::at_most(m, score) });
                if is_better {
                    best = score;
                    // The best comes first: it is the answer, and the first to be looked at more deeply.
                    moves[..=i].rotate_right(1);
                    self.extend_line(0, moves[0]);
                    self.report(depth, score);
                }
            }
            self.turn.report_root_moves(depth, &values);
            if best.abs() > SEEN || !self.cut_off {
                break;
            }
        }
        moves[0]
    }

    /// The score of a move; `None` if the time is over.
    fn after(&mut self, m: Move, level: usize, depth: u32, low: i32, high: i32) -> Option<i32> {
        self.position.apply(m).expect("a listed move is legal");
        let score = self.score(level + 1, depth - 1, low, high)?;
        self.position.undo();
        Some(score)
    }

    /// The score of the position, for the seat that is to answer: exact between `low` and `high`, a bound
    /// beyond them; `None` if the time is over.
    fn score(&mut self, level: usize, depth: u32, mut low: i32, mut high: i32) -> Option<i32> {
        if self.turn.should_stop() {
            return None;
        }
        self.nodes += 1;
        self.levels[level].line.clear();
        if let Some(outcome) = self.position.outcome(self.turn.seat()) {
            return Some(sure(outcome, level));
        }
        if depth == 0 {
            self.cut_off = true;
            self.position.cells_into(&mut self.cells);
            return Some(self.evaluation.score(&self.cells).clamp(-SEEN, SEEN));
        }

        let mine = self.position.to_move() == Some(self.turn.seat());
        let mut best = if mine { -INFINITE } else { INFINITE };
        let mut best_move = Move::NONE;
        let moves = self.moves(level);
        for &m in &moves {
            let score = self.after(m, level, depth, low, high)?;
            let better = if mine { score > best } else { score < best };
            if better {
                (best, best_move) = (score, m);
                self.extend_line(level, m);
            }
            if mine {
                low = low.max(best);
            } else {
                high = high.min(best);
            }
            if low >= high {
                break;
            }
        }
        self.levels[level].moves = moves;
        self.remember(best_move);
        Some(best)
    }

    /// The legal moves, the one that was best before in front.
    fn moves(&mut self, level: usize) -> MoveList {
        let mut moves = mem::take(&mut self.levels[level].moves);
        self.position.legal_moves_into(&mut moves);
        if let Some(known) = self.known.get(&self.position.hash())
            && let Some(place) = moves.iter().position(|m| m == known)
        {
            moves[..=place].rotate_right(1);
        }
        moves
    }

    fn remember(&mut self, best: Move) {
        if self.known.len() == MEMORY {
            self.known.clear();
        }
        self.known.insert(self.position.hash(), best);
    }

    /// The best line from a level on begins with a move and goes on with the best line after it.
    fn extend_line(&mut self, level: usize, m: Move) {
        let mut line = mem::take(&mut self.levels[level].line);
        line.clear();
        line.push(m);
        line.extend_from_slice(&self.levels[level + 1].line);
        self.levels[level].line = line;
    }

    fn report(&self, depth: u32, score: i32) {
        let line = &self.levels[0].line;
        let report = Report::new(line[0]).depth(depth).score(score).nodes(self.nodes).line(line);
        self.turn.report(&report);
    }
}

/// The score of a game that is over: a quick win is better, and so is a slow loss.
fn sure(outcome: Outcome, level: usize) -> i32 {
    let level = i32::try_from(level).expect("no search goes that deep");
    match outcome {
        Outcome::Win => SURE - level,
        Outcome::Draw => 0,
        Outcome::Loss => level - SURE,
    }
}
