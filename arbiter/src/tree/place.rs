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
struct Outline {
    left: Vec<f32>,
    right: Vec<f32>,
}

/// Places a tree; the leftmost node is at 0, and two nodes of a level are at least 1 apart.
pub(super) fn place(root: &Node) -> Placed<'_> {
    let (mut placed, outline) = subtree(root, 0);
    let leftmost = outline.left.iter().fold(0.0_f32, |a, &b| a.min(b));
    shift(&mut placed, -leftmost);
    placed
}

/// A subtree with its root at 0.
fn subtree(node: &Node, level: u32) -> (Placed<'_>, Outline) {
    let mut children: Vec<Placed<'_>> = Vec::with_capacity(node.children.len());
    let mut all = Outline { left: Vec::new(), right: Vec::new() };
    for child in &node.children {
        let (mut placed, outline) = subtree(child, level + 1);
        // A little more room between cousins than between siblings.
        let gap = if outline.left.len() > 1 || all.left.len() > 1 { 1.15 } else { 1.0 };
        let apart = all.right.iter().zip(&outline.left).map(|(right, left)| right - left + gap);
        let by = apart.fold(f32::MIN, f32::max);
        let by = if children.is_empty() { 0.0 } else { by };
        shift(&mut placed, by);
        for (depth, (left, right)) in outline.left.iter().zip(&outline.right).enumerate() {
            if depth < all.left.len() {
                all.right[depth] = right + by;
            } else {
                all.left.push(left + by);
                all.right.push(right + by);
            }
        }
        children.push(placed);
    }
    let middle = match (children.first(), children.last()) {
        (Some(first), Some(last)) => (first.x + last.x) / 2.0,
        _ => 0.0,
    };
    children.iter_mut().for_each(|child| shift(child, -middle));
    let mut outline = Outline { left: vec![0.0], right: vec![0.0] };
    outline.left.extend(all.left.iter().map(|x| x - middle));
    outline.right.extend(all.right.iter().map(|x| x - middle));
    (Placed { node, x: 0.0, level, children }, outline)
}

fn shift(placed: &mut Placed<'_>, by: f32) {
    placed.x += by;
    placed.children.iter_mut().for_each(|child| shift(child, by));
}
