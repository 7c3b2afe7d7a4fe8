//! Trees of decisions: what they say, and that Graphviz can read them.

use crate::support::golden;
use crate::support::{arbiter, is_there, scratch};
use arbiter::tree::{MOST_SEEN, Node, Tree, TreeError, dot, picture};
use arbiter_rules::registry::GAMES;
use arbiter_rules::{Position, Setup, registry};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::Command;

fn start(game: &str, options: &[(&str, &str)], position: Option<&str>) -> Position {
    registry::start(game, &Setup { players: None, options, position }).unwrap()
}

fn best_line(node: &Node) -> Vec<String> {
    let Some(child) = node.best.map(|best| &node.children[best]) else { return Vec::new() };
    let mut line = vec![child.played.as_ref().unwrap().1.clone()];
    line.extend(best_line(child));
    line
}

#[test]
fn the_whole_tree_of_a_lost_position_is_the_golden_file() {
    let folder = scratch("golden-tree");
    let which = ["tree", "--game", "tic-tac-toe", "--position", "oxx1xo3 o", "--depth", "9", "-o"];
    for file in ["tree.dot", "tree.svg"] {
        arbiter(&folder, &[&which[..], &[file]].concat()).expect(0);
        let text = fs::read_to_string(folder.join(file)).unwrap();
        golden::compare(&format!("trees/{file}"), &text);
    }
}

/// The values by hand: o is to move and has a win of x on a3 and on b3 to stop, and cannot stop both.
#[test]
fn values_and_the_best_line_are_those_of_perfect_play() {
    let tree = Tree::grow(&start("tic-tac-toe", &[], Some("oxx1xo3 o")), 9, 2000).unwrap();
    assert_eq!((tree.nodes(), tree.drawn(), &tree.levels[..]), (39, 39, &[1, 4, 12, 12, 10][..]));
    assert_eq!(tree.root.value.to_string(), "-1");
    let values: Vec<_> = tree.root.children.iter().map(|child| child.value.to_string()).collect();
    assert_eq!(values, ["-1"; 4]);
    assert_eq!(best_line(&tree.root), ["a2", "a3"]);
    // Perfect play from the empty board is a draw; here the tree is searched deeper than it is drawn.
    let start = start("tic-tac-toe", &[], None);
    let tree = Tree::grow(&start, 9, 10).unwrap();
    assert_eq!((tree.drawn_depth, tree.nodes(), tree.drawn()), (1, 549_946, 10));
    assert!(tree.root.children.iter().all(|child| child.value.to_string() == "0"), "every first move draws");
    // One that wins at once is preferred to others, whoever moves.
    let win = registry::start("tic-tac-toe", &Setup { position: Some("xx1oo4 x"), ..Setup::default() });
    let tree = Tree::grow(&win.unwrap(), 1, 100).unwrap();
    assert_eq!((best_line(&tree.root), tree.root.value.to_string()), (vec!["c1".to_owned()], "1".to_owned()));
}

#[test]
fn what_the_depth_hides_is_unknown_and_not_a_draw() {
    let tree = Tree::grow(&start("othello", &[], None), 2, 2000).unwrap();
    assert_eq!((tree.root.value.to_string(), tree.root.best), ("?".to_owned(), None));
    assert!(dot(&tree).contains("? the tree ends before the game"));
    // x can win at once or do something else: with one ply the others are unknown, and the win is certain.
    let tree = Tree::grow(&start("tic-tac-toe", &[], Some("xx1oo4 o")), 1, 100);
    let tree = tree.unwrap_or_else(|error| panic!("{error}"));
    let values: Vec<_> = tree.root.children.iter().map(|child| child.value.to_string()).collect();
    assert_eq!(values, ["?", "1", "?", "?", "?"], "o takes the middle of its row and wins");
    // In a tree one ply deeper o's other moves are bounds: x may win after them, if o lets it.
    let deeper = Tree::grow(&start("tic-tac-toe", &[], Some("xx1oo4 o")), 2, 100).unwrap();
    let values: Vec<_> = deeper.root.children.iter().map(|child| child.value.to_string()).collect();
    assert_eq!(values, ["?", "1", "-1", "-1", "-1"]);
}

#[test]
fn nodes_of_a_level_never_lie_on_one_another() {
    for (game, depth) in [("stacks", 2), ("othello", 3), ("connect-four", 3)] {
        let tree = Tree::grow(&start(game, &[], None), depth, 2000).unwrap();
        let drawn = picture(&tree);
        assert!(drawn.width > 0.0 && drawn.height > 0.0);
        let boxes = drawn.shapes.iter().filter_map(|shape| match shape.form {
            arbiter::picture::Form::Box { corner, width, height, .. } if shape.fill.is_some() => {
                Some([corner.x, corner.y, corner.x + width, corner.y + height])
            }
            _ => None,
        });
        let boxes: Vec<[f32; 4]> = boxes.collect();
        let widest = boxes.iter().map(|[left, _, right, _]| right - left).fold(0.0, f32::max);
        let boards: Vec<_> = boxes.iter().filter(|[left, _, right, _]| right - left > widest - 0.1).collect();
        assert_eq!(boards.len() as u64, tree.drawn(), "{game}: every node has its board");
        for (index, one) in boards.iter().enumerate() {
            for other in &boards[index + 1..] {
                let is_apart =
                    one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1];
                assert!(is_apart, "{game}: {one:?} and {other:?}");
            }
        }
        let outside = |shape: &&arbiter::picture::Shape| match &shape.form {
            arbiter::picture::Form::Box { corner, width, height, .. } => {
                corner.x < 0.0
                    || corner.y < 0.0
                    || corner.x + width > drawn.width
                    || corner.y + height > drawn.height
            }
            _ => false,
        };
        assert_eq!(
            drawn.shapes.iter().filter(outside).count(),
            0,
            "{game}: something lies outside the picture"
        );
    }
}

#[test]
fn limits_are_said_in_words_with_their_exit_codes() {
    let folder = scratch("tree-limits");
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["--game", "tic-tac-toe", "--depth", "9", "--max-nodes", "100", "-o", "t.svg"],
            1,
            "this tree has 549,946 nodes; 82 were drawn, to depth 2: use a smaller --depth, or a larger --max-nodes",
        ),
        (
            &["--game", "connect-four", "--depth", "12", "-o", "t.svg"],
            2,
            "more than 5000000 nodes within 12 moves",
        ),
        (&["--game", "chinese-checkers", "--players", "3", "-o", "t.svg"], 2, "is played by 3 here"),
        (&["--game", "stacks", "-O", "earthquake=true", "-o", "t.svg"], 2, "games without chance"),
        (&["--game", "othello", "-o", "t.png"], 2, "a file that ends in .svg, .dot"),
        (&["--game", "othello", "-o", "none/t.svg"], 4, "cannot write the picture none/t.svg"),
    ];
    for (arguments, code, words) in cases {
        let run = arbiter(&folder, &[&["tree"], *arguments].concat());
        assert_eq!(run.code, *code, "{arguments:?}: {}", run.err);
        assert!(run.out.is_empty() && run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    let six = Setup { players: Some(6), ..Setup::default() };
    let six = registry::start("chinese-checkers", &six).unwrap();
    assert!(matches!(Tree::grow(&six, 1, 10), Err(TreeError::Seats { seats: 6, .. })));
    assert_eq!(MOST_SEEN, 5_000_000, "the message above names it");
}

#[test]
fn a_tree_of_hundreds_of_thousands_of_nodes_is_written_whole_when_that_is_asked_for() {
    let folder = scratch("tree-large");
    let args = ["tree", "--game", "tic-tac-toe", "--depth", "7", "--max-nodes", "300000", "-o", "t.dot"];
    let run = arbiter(&folder, &args);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "nothing was left out");
    let dot = BufReader::new(File::open(folder.join("t.dot")).unwrap());
    let edges = dot.lines().filter(|line| line.as_ref().unwrap().contains(" -> ")).count();
    // Nobody needs so large a file any more.
    fs::remove_file(folder.join("t.dot")).unwrap();
    // 9·8·…·(10 - n) games of n moves, less those that would go on behind a line of three.
    assert_eq!(edges, 9 + 72 + 504 + 3024 + 15120 + 54720 + 148_176);
}

#[test]
fn graphviz_draws_the_tree_of_every_game() {
    if !is_there("dot") {
        return;
    }
    let folder = scratch("graphviz-trees");
    for info in GAMES {
        let tree = Tree::grow(&start(info.id, &[], None), 1, 100).unwrap();
        let file = folder.join(format!("{}.dot", info.id));
        fs::write(&file, dot(&tree)).unwrap();
        let run = Command::new("dot").arg("-Tsvg").arg(&file).output().unwrap();
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success() && told.is_empty(), "{}: {told}", file.display());
    }
}
