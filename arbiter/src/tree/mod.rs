//! The tree of decisions from a position: every move, every answer, and what each position is worth with best play.
//!
//! Values are those of minimax, from the view of the seat that is to move at the root: 1 is a win, 0 a draw, -1 a loss.
//! Nothing is guessed: where the depth ends before the game does, a value is unknown, and above it values may be bounds
//! only. Trees are grown for two seats without chance. No file here knows a game.

mod dot;
mod place;
mod svg;

pub use dot::dot;
pub use svg::picture;

use arbiter_rules::{Chance, Move, MoveList, Position, Seat, SeatResult};
use std::fmt;
use thiserror::Error;

/// Most positions that are looked at to find the values of those that are drawn.
pub const MOST_SEEN: u64 = 5_000_000;

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum TreeError {
    #[error("a tree of wins and losses is for two players; {game} is played by {seats} here")]
    Seats { game: &'static str, seats: usize },
    #[error("a tree of wins and losses is for games without chance, and {game} has some with these options")]
    Chance { game: &'static str },
    #[error("the tree has more than {MOST_SEEN} nodes within {depth} moves")]
    TooLarge { depth: u32 },
}

/// What a position is worth with best play, as far as the tree shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// It is no less.
    pub low: i8,
    /// It is no more.
    pub high: i8,
}

impl Value {
    const UNKNOWN: Value = Value { low: -1, high: 1 };
}

/// `1`, `0`, `-1`, a bound such as `≥0`, or `?`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (low, high) if low == high => write!(f, "{low}"),
            (-1, 1) => f.write_str("?"),
            (-1, high) => write!(f, "≤{high}"),
            (low, _) => write!(f, "≥{low}"),
        }
    }
}

/// A position of the tree.
#[derive(Debug)]
pub struct Node {
    /// The position.
    pub position: Position,
    /// The move that led to it; none at the root.
    pub played: Option<(Move, String)>,
    /// What it is worth.
    pub value: Value,
    /// The positions after each legal move, as far as the tree is drawn.
    pub children: Vec<Node>,
    /// Which of the children the seat to move prefers, where that is known: the first of the best.
    pub best: Option<usize>,
}

/// A tree, as far as it is drawn.
#[derive(Debug)]
pub struct Tree {
    /// The position that it grows from.
    pub root: Node,
    /// The seat that values are for.
    pub seat: Option<Seat>,
    /// How many moves deep it was searched.
    pub depth: u32,
    /// How many levels below the root are drawn.
    pub drawn_depth: u32,
    /// Nodes in each level, the root's first.
    pub levels: Vec<u64>,
}

impl Tree {
    /// Grows a tree of so many moves, of which at most so many nodes are drawn: whole levels, the root at least.
    ///
    /// # Errors
    /// Games for which there is no such tree, and trees that are too large to be searched.
    pub fn grow(position: &Position, depth: u32, most_drawn: u64) -> Result<Tree, TreeError> {
        let game = position.info().id;
        if position.seats() != 2 {
            return Err(TreeError::Seats { game, seats: position.seats() });
        }
        if position.has_chance() {
            return Err(TreeError::Chance { game });
        }
        let mut position = position.clone();
        let mut levels = Vec::new();
        count(&mut position, depth, 0, &mut levels).ok_or(TreeError::TooLarge { depth })?;
        let sums = levels.iter().scan(0, |sum, level| {
            *sum += level;
            Some(*sum)
        });
        let drawn = sums.take_while(|&sum| sum <= most_drawn).count().max(1) as u32 - 1;
        let seat = position.to_move();
        let root = node(&mut position, seat, depth, drawn, None);
        Ok(Tree { root, seat, depth, drawn_depth: drawn, levels })
    }

    /// Nodes of the whole tree.
    pub fn nodes(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// Nodes that are drawn.
    pub fn drawn(&self) -> u64 {
        self.levels.iter().take(self.drawn_depth as usize + 1).sum()
    }

    /// What the numbers of the tree mean.
    fn legend(&self) -> String {
        let who = self.seat.map_or_else(String::new, |seat| {
            let sign = self.root.position.sign(seat.index(), arbiter_rules::draw::Charset::Ascii);
            format!("values for {sign}: 1 win, 0 draw, -1 loss")
        });
        let unknown = if self.root.has_unknown() { ", ? the tree ends before the game" } else { "" };
        format!("{who}{unknown}")
    }
}

impl Node {
    /// Whether the value of any node is not known.
    fn has_unknown(&self) -> bool {
        self.value.low < self.value.high || self.children.iter().any(Node::has_unknown)
    }

    /// The cells of the move that led here.
    fn last(&self) -> Vec<u16> {
        match &self.played {
            Some((m, _)) if *m != Move::PASS => vec![m.from(), m.to()],
            _ => Vec::new(),
        }
    }
}

/// Counts the nodes of every level; `None` where there are too many.
fn count(position: &mut Position, depth: u32, level: usize, levels: &mut Vec<u64>) -> Option<()> {
    if levels.len() <= level {
        levels.push(0);
    }
    levels[level] += 1;
    if depth == 0 {
        return (levels.iter().sum::<u64>() <= MOST_SEEN).then_some(());
    }
    for_each_move(position, |position, _| count(position, depth - 1, level + 1, levels))
}

/// Does something in the position after each legal move, until it says that it is enough.
fn for_each_move(
    position: &mut Position,
    mut work: impl FnMut(&mut Position, Move) -> Option<()>,
) -> Option<()> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    for &m in moves.iter() {
        position.play(m, &Chance::NONE).expect("it is from the legal list");
        let done = work(position, m);
        position.undo();
        done?;
    }
    Some(())
}

/// The better of two values for the seat to move.
fn better(mover: Option<Seat>, seat: Option<Seat>, a: Value, b: Value) -> Value {
    let pick = |a: i8, b: i8| if mover == seat { a.max(b) } else { a.min(b) };
    Value { low: pick(a.low, b.low), high: pick(a.high, b.high) }
}

/// The value of a position whose moves are not drawn.
fn value(position: &mut Position, seat: Option<Seat>, depth: u32) -> Value {
    if depth == 0 || position.end().is_some() {
        let (Some(end), Some(seat)) = (position.end(), seat) else { return Value::UNKNOWN };
        let value = match end.outcome.of(seat) {
            SeatResult::Win => 1,
            SeatResult::Draw => 0,
            SeatResult::Loss => -1,
        };
        return Value { low: value, high: value };
    }
    let mover = position.to_move();
    let mut found: Option<Value> = None;
    for_each_move(position, |position, _| {
        let after = value(position, seat, depth - 1);
        found = Some(found.map_or(after, |best| better(mover, seat, best, after)));
        Some(())
    });
    found.unwrap_or(Value::UNKNOWN)
}

fn node(
    position: &mut Position,
    seat: Option<Seat>,
    depth: u32,
    drawn: u32,
    played: Option<(Move, String)>,
) -> Node {
    let copy = position.clone();
    if depth == 0 || drawn == 0 || position.end().is_some() {
        let value = value(position, seat, depth);
        return Node { position: copy, played, value, children: Vec::new(), best: None };
    }
    let mover = position.to_move();
    let mut children: Vec<Node> = Vec::new();
    for_each_move(position, |position, m| {
        let text = copy.move_text(m);
        children.push(node(position, seat, depth - 1, drawn - 1, Some((m, text))));
        Some(())
    });
    let values = children.iter().map(|child| child.value);
    let value = values.reduce(|a, b| better(mover, seat, a, b)).unwrap_or(Value::UNKNOWN);
    let best = best(&children, mover == seat).filter(|_| value != Value::UNKNOWN);
    Node { position: copy, played, value, children, best }
}

/// The first of the best children for the seat to move.
fn best(children: &[Node], is_own: bool) -> Option<usize> {
    // More is certain, or more is possible.
    let rank = |node: &Node| {
        let Value { low, high } = node.value;
        if is_own { (low, high) } else { (-high, -low) }
    };
    let highest = children.iter().map(rank).max()?;
    children.iter().position(|child| rank(child) == highest)
}
