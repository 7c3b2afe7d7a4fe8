//! A tree for Graphviz, with a table for the board at every node.

use super::{Node, Tree};
use crate::picture::table;

/// A tree as the text of a DOT file, its best line in bold.
pub fn dot(tree: &Tree) -> String {
    let mut text = format!(
        "digraph \"{}\" {{\n  node [shape=plaintext, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\", arrowsize=0.6, \
         color=\"#8a939e\"];\n  fontname=\"Helvetica\";\n  label=\"{}\";\n",
        tree.root.position.info().id,
        tree.legend()
    );
    let mut next = 0;
    write_node(&tree.root, true, &mut next, &mut text);
    text.push_str("}\n");
    text
}

/// Writes a node and everything below it; returns its number.
fn write_node(node: &Node, is_best: bool, next: &mut u32, text: &mut String) -> u32 {
    let number = *next;
    *next += 1;
    let (board, value) = (table(&node.position, &node.last()), node.value);
    let value = if is_best { format!("<B>{value}</B>") } else { value.to_string() };
    text.push_str(&format!(
        "  n{number} [label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\"><TR><TD>{board}</TD></TR><TR><TD>{value}</TD></TR></TABLE>>];\n"
    ));
    for (at, child) in node.children.iter().enumerate() {
        let is_best = is_best && node.best == Some(at);
        let child_number = write_node(child, is_best, next, text);
        let m = child.played.as_ref().map_or("", |(_, text)| text);
        let style = if is_best { ", style=bold, penwidth=3, color=black" } else { "" };
        text.push_str(&format!("  n{number} -> n{child_number} [label=\" {m}\"{style}];\n"));
    }
    number
}
