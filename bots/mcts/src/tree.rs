//! The tree: nodes in one list of a fixed size.

use arbiter_rules::{MAX_SEATS, Move};

/// What each seat gets of a game: 1 for a win, 0 for a loss, and what lies between.
pub(crate) type Rewards = [f32; MAX_SEATS];

/// What is known for sure of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proven {
    /// Nothing.
    Open,
    /// Nobody wins.
    Drawn,
    /// This seat wins.
    Won(u8),
}

impl Proven {
    /// What a seat gets, to which a draw is worth so much.
    pub(crate) fn reward(self, seat: usize, of_draw: &Rewards) -> f32 {
        match self {
            Proven::Open => 0.5,
            Proven::Drawn => of_draw[seat],
            Proven::Won(winner) if usize::from(winner) == seat => 1.0,
            Proven::Won(_) => 0.0,
        }
    }
}

/// A position, by the moves that lead to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The move that leads here.
    pub(crate) m: Move,
    /// The seat that made it.
    pub(crate) mover: u8,
    pub(crate) proven: Proven,
    pub(crate) visits: u32,
    /// What the mover got in all visits together.
    pub(crate) total: f32,
    /// How likely the move was to be good before it was tried; the priors of siblings add up to 1.
    pub(crate) prior: f32,
    /// What the seat to move here is thought to get, before any of its moves was tried.
    pub(crate) guess: f32,
    first: u32,
    count: u16,
}

impl Node {
    /// A node that has not been visited.
    pub(crate) fn new(m: Move, mover: usize, prior: f32) -> Node {
        let mover = mover as u8;
        Node { m, mover, proven: Proven::Open, visits: 0, total: 0.0, prior, guess: 0.5, first: 0, count: 0 }
    }

    /// What the mover gets on average.
    pub(crate) fn mean(&self) -> f32 {
        if self.visits == 0 { 0.5 } else { self.total / self.visits as f32 }
    }

    pub(crate) fn is_leaf(&self) -> bool {
        self.count == 0
    }

    /// Its moves' nodes.
    pub(crate) fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }
}

/// All nodes; the first is the root.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// An empty tree that never takes more than so many bytes. They are touched one after another as it grows, a page for a
    /// hundred nodes.
    pub(crate) fn of(bytes: usize) -> Tree {
        Tree { nodes: Vec::with_capacity((bytes / size_of::<Node>()).max(2_000)) }
    }

    /// Forgets everything but a new root.
    pub(crate) fn plant(&mut self, root: Node) {
        self.nodes.clear();
        self.nodes.push(root);
    }

    /// Gives a leaf its children; none if there is no room left.
    pub(crate) fn grow(&mut self, at: usize, children: impl ExactSizeIterator<Item = Node>) {
        if self.nodes.len() + children.len() <= self.nodes.capacity() {
            self.nodes[at].first = self.nodes.len() as u32;
            self.nodes[at].count = children.len() as u16;
            self.nodes.extend(children);
        }
    }

    pub(crate) fn children(&self, at: usize) -> &[Node] {
        &self.nodes[self.nodes[at].children()]
    }

    /// Marks a position as known if its moves leave no doubt, and says whether they do: the seat to move takes a win if
    /// there is one, and otherwise the best once all moves are known.
    pub(crate) fn settle(&mut self, at: usize) -> bool {
        let children = self.children(at);
        let Some(seat) = children.first().map(|child| child.mover) else { return false };
        let proven = if children.iter().any(|child| child.proven == Proven::Won(seat)) {
            Proven::Won(seat)
        } else if children.iter().any(|child| child.proven == Proven::Open) {
            return false;
        } else if children.iter().any(|child| child.proven == Proven::Drawn) {
            Proven::Drawn
        } else {
            children[0].proven
        };
        self.nodes[at].proven = proven;
        true
    }
}

impl std::ops::Index<usize> for Tree {
    type Output = Node;

    fn index(&self, at: usize) -> &Node {
        &self.nodes[at]
    }
}

impl std::ops::IndexMut<usize> for Tree {
    fn index_mut(&mut self, at: usize) -> &mut Node {
        &mut self.nodes[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(children: &[Proven]) -> Tree {
        let mut tree = Tree::of(0);
        tree.plant(Node::new(Move::PASS, 1, 1.0));
        let nodes: Vec<_> =
            children.iter().map(|&proven| Node { proven, ..Node::new(Move::PASS, 0, 1.0) }).collect();
        tree.grow(0, nodes.into_iter());
        tree
    }

    #[test]
    fn a_position_is_won_by_one_move_and_lost_by_all() {
        use Proven::{Drawn, Open, Won};
        for (children, proven) in [
            (&[Open, Won(0)] as &[Proven], Won(0)),
            (&[Open, Won(1)], Open),
            (&[Won(1), Won(1)], Won(1)),
            (&[Won(1), Drawn], Drawn),
            (&[Open, Drawn], Open),
        ] {
            let mut tree = tree(children);
            assert_eq!(tree.settle(0), proven != Open, "{children:?}");
            assert_eq!(tree[0].proven, proven, "{children:?}");
        }
    }

    #[test]
    fn a_tree_never_grows_beyond_its_memory() {
        let mut tree = tree(&[Proven::Open; 10]);
        let room = tree.nodes.capacity();
        for at in 1..room {
            tree.grow(at.min(tree.nodes.len() - 1), (0..10).map(|_| Node::new(Move::PASS, 0, 1.0)));
        }
        assert!(tree.nodes.len() <= room && tree.nodes.capacity() == room);
    }
}
