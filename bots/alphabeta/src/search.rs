//! Alpha-beta, deeper and deeper, for two sides.
//!
//! Principal variation search: all moves but the first are only asked whether they are better. Moves are tried in the
//! order of what is remembered, what refuted siblings ("killers"), what the board promises, and what has often been
//! good ("history"); late ones are searched less deeply first. Where the side to move has hardly a choice, the search
//! goes on below its depth.

use arbiter_rules::{Chance, Move};
use bot_engine::{Finding, SURE, Value, Watch};

use crate::board::{Board, Candidate};
use crate::transpositions::{Bound, TO_THE_END, Transpositions};

/// Beyond every score.
const INFINITE: i32 = 2 * SURE;
/// A better score than this is a win that has been seen to the end; one in n moves is worth n less than [`SURE`].
pub(crate) const SEEN: i32 = SURE / 2;
/// Deeper than any search goes.
pub(crate) const DEEPEST: u32 = 96;
/// Plies below the depth to which forced moves are followed.
const FURTHER: i32 = 6;
/// Entries of the table of how good moves have been.
const HISTORY: usize = 1 << 14;
/// Numbers in that table stay between plus and minus this.
const PRAISE: i32 = 1 << 14;

/// How a search is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Plies to look ahead at most.
    pub(crate) depth: u32,
    /// Positions between two looks at the clock.
    pub(crate) look: u64,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The best move and the line that it begins.
    pub(crate) line: Vec<Move>,
    pub(crate) depth: u32,
    pub(crate) score: i32,
    /// Whether everything was seen to the end of the game.
    pub(crate) is_complete: bool,
}

/// The search of one turn.
pub(crate) struct Search<'a, B> {
    board: &'a mut B,
    transpositions: &'a mut Transpositions,
    watch: &'a mut dyn Watch,
    plan: Plan,
    nodes: u64,
    next_look: u64,
    stopped: bool,
    /// Whether a line was cut off by the depth and not by the end of the game.
    cut_off: bool,
    levels: Vec<Level>,
    history: Vec<i32>,
}

/// What belongs to each move of the line that is being looked at.
#[derive(Default)]
struct Level {
    moves: Vec<Candidate>,
    line: Vec<Move>,
    killers: [Option<Move>; 2],
}

/// The window in which a score counts, and the depth.
#[derive(Clone, Copy)]
struct Window {
    low: i32,
    high: i32,
    depth: i32,
}

impl<'a, B: Board> Search<'a, B> {
    pub(crate) fn new(
        board: &'a mut B,
        transpositions: &'a mut Transpositions,
        watch: &'a mut dyn Watch,
        plan: Plan,
    ) -> Search<'a, B> {
        transpositions.grow_older();
        let levels = (0..DEEPEST as usize + FURTHER as usize + 2).map(|_| Level::default()).collect();
        let history = vec![0; HISTORY];
        Search {
            board,
            transpositions,
            watch,
            plan,
            nodes: 0,
            next_look: plan.look,
            stopped: false,
            cut_off: false,
            levels,
            history,
        }
    }

    /// The best of the moves at the root, as far as time and depth allow to see.
    pub(crate) fn best(mut self, mut moves: Vec<Candidate>) -> Found {
        moves.sort_by_key(|candidate| -candidate.promise);
        let mut found = Found { line: vec![moves[0].m], depth: 0, score: 0, is_complete: false };
        for depth in 1..=self.plan.depth.min(DEEPEST) {
            self.cut_off = false;
            let mut best = -INFINITE;
            let mut values = Vec::with_capacity(moves.len());
            for i in 0..moves.len() {
                let window = Window { low: best, high: INFINITE, depth: depth.cast_signed() };
                let Some(score) = self.root_move(moves[i].m, window, i == 0) else { return found };
                // Of a move that is no better than the best, alpha-beta knows just that.
                values.push(Value { m: moves[i].m, score, is_exact: score > best });
                if score > best {
                    best = score;
                    moves[..=i].rotate_right(1);
                    self.extend_line(0, moves[0].m);
                    found = Found { line: self.levels[0].line.clone(), depth, score, is_complete: false };
                    self.tell(&found, &[]);
                }
            }
            self.tell(&found, &values);
            found.is_complete = !self.cut_off;
            if best.abs() > SEEN || !self.cut_off {
                break;
            }
        }
        found
    }

    /// What a move of ours is worth with what chance does after it; `None` if the time is over.
    pub(crate) fn value_of(&mut self, m: Move, chance: &Chance, depth: u32) -> Option<i32> {
        self.board.play_with(m, chance);
        let window = Window { low: -INFINITE, high: INFINITE, depth: depth.cast_signed() };
        let score = self.after(0, true, window);
        self.board.undo();
        (!self.stopped).then_some(score)
    }

    /// The score of a move at the root, if it is better than `low`; `None` if the time is over.
    fn root_move(&mut self, m: Move, window: Window, is_first: bool) -> Option<i32> {
        self.board.play(m);
        let below = Window { depth: window.depth - 1, ..window };
        let mut score = 0;
        if !is_first {
            score = self.after(0, true, Window { high: window.low + 1, ..below });
        }
        if is_first || score > window.low {
            score = self.after(0, true, below);
        }
        self.board.undo();
        (!self.stopped).then_some(score)
    }

    /// The score of the position that a move has led to, for the side that has moved.
    fn after(&mut self, level: usize, ours: bool, Window { low, high, depth }: Window) -> i32 {
        if let Some(result) = self.board.ended() {
            self.nodes += 1;
            self.levels[level + 1].line.clear();
            let soon = i32::try_from(level).expect("no search goes that deep");
            let score = if result == 0 { self.board.draw() } else { result * (SURE - soon - 1) };
            return if ours { score } else { -score };
        }
        if self.board.is_ours() == ours {
            self.score(level + 1, Window { low, high, depth })
        } else {
            -self.score(level + 1, Window { low: -high, high: -low, depth })
        }
    }

    /// The score of a position for the side to move: exact between `low` and `high`, a bound beyond them.
    fn score(&mut self, level: usize, window: Window) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + self.plan.look;
            self.stopped |= self.watch.is_enough();
        }
        if self.stopped {
            return 0;
        }
        self.levels[level].line.clear();
        let Window { mut low, mut high, depth } = window;
        if depth <= 0 && (depth <= -FURTHER || !self.board.is_forced()) {
            self.cut_off = true;
            let score = self.board.evaluate().clamp(-SEEN, SEEN);
            return if self.board.is_ours() { score } else { -score };
        }

        let key = self.board.key();
        let known = self.transpositions.get(key);
        if let Some(entry) = known
            && i32::from(entry.depth) >= depth
        {
            let score = from_table(entry.score, level);
            match entry.bound {
                Bound::Exact => (low, high) = (score, score),
                Bound::Lower => low = low.max(score),
                Bound::Upper => high = high.min(score),
            }
            if low >= high {
                self.cut_off |= entry.depth != TO_THE_END;
                return score;
            }
        }

        let cut_off_before = std::mem::replace(&mut self.cut_off, false);
        let (best, best_move) = self.best_of_moves(level, Window { low, high, depth }, known.map(|e| e.best));
        if !self.stopped {
            let bound = match best {
                _ if best >= high => Bound::Lower,
                _ if best > low => Bound::Exact,
                _ => Bound::Upper,
            };
            let depth = if self.cut_off { depth.clamp(0, 254) as u8 } else { TO_THE_END };
            self.transpositions.put(key, best_move, to_table(best, level), depth, bound);
        }
        self.cut_off |= cut_off_before;
        best
    }

    /// The best score among the moves, and the move.
    fn best_of_moves(&mut self, level: usize, window: Window, known: Option<Move>) -> (i32, Move) {
        let ours = self.board.is_ours();
        let mut moves = std::mem::take(&mut self.levels[level].moves);
        self.board.moves(&mut moves);
        self.sort(level, &mut moves, known);
        let Window { mut low, high, depth } = window;
        let (mut best, mut best_move) = (-INFINITE, moves[0].m);
        for (i, &Candidate { m, .. }) in moves.iter().enumerate() {
            self.board.play(m);
            let whole = Window { low, high, depth: depth - 1 };
            let narrow = Window { high: low + 1, ..whole };
            let less = reduction(i, depth);
            let mut score = low + 1;
            if less > 0 {
                score = self.after(level, ours, Window { depth: depth - 1 - less, ..narrow });
            }
            if score > low && i > 0 {
                score = self.after(level, ours, narrow);
            }
            if i == 0 || score > low && score < high {
                score = self.after(level, ours, whole);
            }
            self.board.undo();
            if self.stopped {
                break;
            }
            if score > best {
                (best, best_move) = (score, m);
                self.extend_line(level, m);
            }
            low = low.max(best);
            if low >= high {
                self.praise(level, &moves[..=i], depth);
                break;
            }
        }
        self.levels[level].moves = moves;
        (best, best_move)
    }

    /// Best first, as far as can be told before anything is searched.
    fn sort(&self, level: usize, moves: &mut [Candidate], known: Option<Move>) {
        let killers = self.levels[level].killers;
        for candidate in moves.iter_mut() {
            let Candidate { m, promise } = candidate;
            *promise += match Some(*m) {
                m if m == known => 1_000_000,
                m if killers.contains(&m) => 300,
                _ => 0,
            };
            *promise += self.history[slot(*m)] * 512 / PRAISE;
        }
        moves.sort_by_key(|candidate| -candidate.promise);
    }

    /// The last of these moves caused a cutoff: it gains in the killer and history tables, and those before it lose.
    fn praise(&mut self, level: usize, moves: &[Candidate], depth: i32) {
        let Some((&Candidate { m, .. }, others)) = moves.split_last() else { return };
        let killers = &mut self.levels[level].killers;
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let weight = (16 * depth.max(0) * depth.max(0)).min(PRAISE / 2);
        for (m, by) in others.iter().map(|other| (other.m, -weight)).chain([(m, weight)]) {
            let praise = &mut self.history[slot(m)];
            // The more a move has already, the less is added, so that no number overflows.
            *praise += by - *praise * weight / PRAISE;
        }
    }

    /// The best line from a level on begins with a move and goes on with the best line after it.
    fn extend_line(&mut self, level: usize, m: Move) {
        let (before, after) = self.levels.split_at_mut(level + 1);
        let line = &mut before[level].line;
        line.clear();
        line.push(m);
        line.extend_from_slice(&after[0].line);
    }

    /// Tells what has been found so far.
    pub(crate) fn tell(&mut self, found: &Found, values: &[Value]) {
        let Found { line, depth, score, .. } = found;
        let (depth, score) = (*depth, *score);
        self.watch.tell(&Finding { line, depth, score, nodes: self.nodes, text: "", values });
    }
}

/// Where a move's history is counted.
fn slot(m: Move) -> usize {
    (usize::from(m.from()) * 127 + usize::from(m.to())) & (HISTORY - 1)
}

/// Late move reduction: by how many plies less a late move is searched at first.
fn reduction(i: usize, depth: i32) -> i32 {
    match (i, depth) {
        (4.., 3..=5) => 1,
        (4..12, 6..) => 1,
        (12.., 6..) => 2,
        _ => 0,
    }
}

/// Wins count from the root; in the table they count from the position.
fn to_table(score: i32, level: usize) -> i32 {
    let level = level as i32;
    if score > SEEN {
        score + level
    } else if score < -SEEN {
        score - level
    } else {
        score
    }
}

/// The other way round.
fn from_table(score: i32, level: usize) -> i32 {
    let level = level as i32;
    if score > SEEN {
        score - level
    } else if score < -SEEN {
        score + level
    } else {
        score
    }
}
