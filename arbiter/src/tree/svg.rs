//! A tree as shapes, with a board at every node.

use super::place::{Placed, place};
use super::{Node, Tree, Value};
use crate::picture::{At, Colour, Detail, FAINT, INK, Picture, Shape, board, glyphs};

const BOARD: f32 = 78.0;
/// From one board to the next in a level.
const STEP: f32 = 100.0;
/// From the foot of a level to the boards of the next.
const DROP: f32 = 62.0;
const MARGIN: f32 = 24.0;
const TEXT: f32 = 11.0;
/// Room for the value below a board.
const VALUE: f32 = 22.0;

const EDGE: Colour = Colour(0xa9, 0xb1, 0xbb);
const WIN: Colour = Colour(0x00, 0x7a, 0x5a);
const LOSS: Colour = Colour(0xb3, 0x2d, 0x1f);

/// A tree as a picture, its best line in bold.
pub fn picture(tree: &Tree) -> Picture {
    let placed = place(&tree.root);
    let sample = board(&tree.root.position, &[], Detail::Board);
    let scale = BOARD / sample.width;
    let tall = sample.height * scale;
    let mut painter = Painter { scale, tall, below: Vec::new(), above: Vec::new(), right: 0.0, bottom: 0.0 };
    painter.paint(&placed, true);
    let legend = tree.legend();
    let legend_at = At::new(MARGIN, painter.bottom + MARGIN);
    let width = (painter.right + MARGIN).max(glyphs::width(&legend, TEXT) + 2.0 * MARGIN);
    let height = legend_at.y + TEXT + MARGIN;
    let mut shapes = painter.below;
    shapes.append(&mut painter.above);
    shapes.push(glyphs::written(&legend, legend_at, TEXT, FAINT));
    let root = &tree.root.position;
    let title = format!("tree of {} from {}, {} moves deep", root.info().id, root.text(), tree.depth);
    Picture { width, height, title, shapes }
}

struct Painter {
    scale: f32,
    tall: f32,
    /// Lines, under everything.
    below: Vec<Shape>,
    above: Vec<Shape>,
    right: f32,
    bottom: f32,
}

impl Painter {
    /// The top left corner of a node's board.
    fn corner(&self, placed: &Placed<'_>) -> At {
        let drop = self.tall + VALUE + DROP;
        At::new(MARGIN + placed.x * STEP, MARGIN + placed.level as f32 * drop)
    }

    fn paint(&mut self, placed: &Placed<'_>, is_best: bool) {
        let corner = self.corner(placed);
        let node = placed.node;
        let middle = corner.x + BOARD / 2.0;
        for (number, child) in placed.children.iter().enumerate() {
            let is_best = is_best && node.best == Some(number);
            self.join(At::new(middle, corner.y + self.tall + VALUE - 2.0), child, is_best);
            self.paint(child, is_best);
        }
        let small = board(&node.position, &node.last(), Detail::Board);
        self.above.extend(small.shapes.iter().map(|shape| shape.placed(self.scale, corner)));
        if is_best {
            let frame =
                Shape::tile(At::new(middle, corner.y + self.tall / 2.0), BOARD + 4.0, self.tall + 4.0, 5.0);
            self.above.push(frame.lined(INK, 2.4));
        }
        self.value(node, At::new(middle, corner.y + self.tall + VALUE / 2.0), is_best);
        self.right = self.right.max(corner.x + BOARD);
        self.bottom = self.bottom.max(corner.y + self.tall + VALUE);
    }

    /// A line from a node down to a child, with the move beside its end.
    fn join(&mut self, from: At, child: &Placed<'_>, is_best: bool) {
        let top = self.corner(child).moved(BOARD / 2.0, 0.0);
        let (colour, width) = if is_best { (INK, 3.2) } else { (EDGE, 1.2) };
        let label_y = top.y - 13.0;
        let end = At::new(top.x, label_y - 9.0);
        self.below.push(Shape::line_through(&[from, end]).lined(colour, width));
        if let Some((_, text)) = &child.node.played {
            let colour = if is_best { INK } else { FAINT };
            self.words(text, At::new(top.x, label_y), 9.0, colour, is_best);
        }
    }

    fn value(&mut self, node: &Node, middle: At, is_best: bool) {
        let colour = match node.value {
            Value { low: 1, .. } => WIN,
            Value { high: -1, .. } => LOSS,
            Value { low: 0, high: 0 } => INK,
            _ => FAINT,
        };
        self.words(&node.value.to_string(), middle, TEXT, colour, is_best);
    }

    /// A text around a point, in bold along the best line.
    fn words(&mut self, text: &str, middle: At, height: f32, colour: Colour, is_best: bool) {
        let mut text = glyphs::centred(text, middle, height, colour);
        if let (true, Some((_, pen))) = (is_best, &mut text.line) {
            *pen *= 1.6;
        }
        self.above.push(text);
    }
}
