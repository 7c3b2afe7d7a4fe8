//! Where the nodes of a tree lie: parents above the middle of their children, subtrees as close as they can be.

use super::Node;

/// A node with its place: columns from the left, levels from the top.
pub(super) struct Placed<'a> {
    pub(super) node: &'a Node,
    pub(super) x: f32,
    pub(super) level: u32,
    pub(super) children: Vec<Placed<'a>>,
}

/// The left and the right edge of a subtree in each of its levels, from its root's place.
type Outline = Vec<(f32, f32)>;

/// Places a tree; the leftmost node is at 0, and two nodes of a level are at least 1 apart.
pub(super) fn place(root: &Node) -> Placed<'_> {
    let (mut placed, outline) = subtree(root, 0);
    let leftmost = outline.iter().fold(0.0_f32, |a, &(left, _)| a.min(left));
    shift(&mut placed, -leftmost);
    placed
}

/// A subtree with its root at 0.
fn subtree(node: &Node, level: u32) -> (Placed<'_>, Outline) {
    let mut children: Vec<Placed<'_>> = Vec::with_capacity(node.children.len());
    let mut all = Outline::new();
    for child in &node.children {
        let (mut placed, outline) = subtree(child, level + 1);
        // A little more room between cousins than between siblings.
        let gap = if outline.len() > 1 || all.len() > 1 { 1.15 } else { 1.0 };
        let apart = all.iter().zip(&outline).map(|((_, right), (left, _))| right - left + gap);
        let by = if children.is_empty() { 0.0 } else { apart.fold(f32::MIN, f32::max) };
        shift(&mut placed, by);
        for (depth, (left, right)) in outline.iter().enumerate() {
            match all.get_mut(depth) {
                Some((_, edge)) => *edge = right + by,
                None => all.push((left + by, right + by)),
            }
        }
        children.push(placed);
    }
    let middle = match (children.first(), children.last()) {
        (Some(first), Some(last)) => (first.x + last.x) / 2.0,
        _ => 0.0,
    };
    children.iter_mut().for_each(|child| shift(child, -middle));
    let below = all.into_iter().map(|(left, right)| (left - middle, right - middle));
    let outline = std::iter::once((0.0, 0.0)).chain(below).collect();
    (Placed { node, x: 0.0, level, children }, outline)
}

fn shift(placed: &mut Placed<'_>, by: f32) {
    placed.x += by;
    placed.children.iter_mut().for_each(|child| shift(child, by));
}
