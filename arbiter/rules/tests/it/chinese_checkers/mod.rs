//! Chinese checkers: what a player relies on, against recorded games and against slow rules written apart.

mod clicks;
mod drawing;
mod endings;
mod examples;
mod notation;
mod oracle;
mod recorded;
mod second_opinion;
mod symmetry;

use crate::support::{Given, legal, play, read};
use arbiter_rules::{Move, Position, Random, Setup, registry};
use std::fmt::Write;

/// The game for two, three, four and six from the start.
const STARTS: [(usize, &str); 4] = [
    (2, "A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/DDDD/DDD/DD/D AD A"),
    (3, "A/AA/AAA/AAAA/13/12/11/10/9/E8C/EE7CC/EEE6CCC/EEEE5CCCC/4/3/2/1 ACE A"),
    (4, "A/AA/AAA/AAAA/9BBBB/9BBB/9BB/9B/9/E9/EE9/EEE9/EEEE9/DDDD/DDD/DD/D ABDE A"),
    (6, "A/AA/AAA/AAAA/FFFF5BBBB/FFF6BBB/FF7BB/F8B/9/E8C/EE7CC/EEE6CCC/EEEE5CCCC/DDDD/DDD/DD/D ABCDEF A"),
];

fn start(players: usize, options: &Given<'_>) -> Position {
    let setup = Setup { players: Some(players), options, position: None };
    registry::start("chinese-checkers", &setup).unwrap()
}

fn position(text: &str, options: &Given<'_>) -> Position {
    read("chinese-checkers", options, text)
}

/// The legal list as the rules document writes it: `3:3,14,16 4:15`; nothing where the seat must pass.
fn compact(position: &Position) -> String {
    let (mut text, mut last) = (String::new(), None);
    for m in legal(position).into_iter().filter(|&m| m != Move::PASS) {
        match (last == Some(m.from()), text.is_empty()) {
            (true, _) => text.push(','),
            (false, true) => write!(text, "{}:", m.from()).unwrap(),
            (false, false) => write!(text, " {}:", m.from()).unwrap(),
        }
        write!(text, "{}", m.to()).unwrap();
        last = Some(m.from());
    }
    text
}

/// The reason code of a refused turn, or `legal`.
fn verdict(position: &Position, turn: &str) -> &'static str {
    position.read_move(turn).map_or_else(|error| error.reason.code(), |_| "legal")
}

/// Positions with any number of pawns up to ten a side, strewn over the holes in which they may rest or crowded into a part
/// of them, for two, three, four and six.
fn random_text(random: &mut Random) -> String {
    let branches = ["AD", "ACE", "ABDE", "ABCDEF"][random.below(4)];
    let crowd = [121, 121, 40, 60][random.below(4)];
    let centre = random.below(121);
    let near = {
        let mut holes: Vec<_> = (0..121).collect();
        let place = |hole: usize| oracle::HOLES[hole];
        let apart =
            |a: (i32, i32), b: (i32, i32)| (a.0 - b.0).abs().max(((a.0 - b.0).abs() + (a.1 - b.1).abs()) / 2);
        holes.sort_by_key(|&hole| apart(place(hole), place(centre)));
        holes.truncate(crowd);
        holes
    };
    let mut board = ['.'; 121];
    for branch in branches.chars() {
        for _ in 0..random.below(11) {
            let hole = near[random.below(near.len())];
            if board[hole] == '.' && oracle::may_rest(branch, hole) {
                board[hole] = branch;
            }
        }
    }
    let mover = branches.chars().nth(random.below(branches.len())).unwrap();
    format!("{} {branches} {mover}", field(&board))
}

/// The first field of a position text.
fn field(board: &[char]) -> String {
    let mut rows = Vec::new();
    let mut rest = board;
    for length in [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1] {
        let (row, others) = rest.split_at(length);
        let mut text = String::new();
        for cells in row.chunk_by(|a, b| (*a == '.') == (*b == '.')) {
            match cells[0] {
                '.' => write!(text, "{}", cells.len()).unwrap(),
                _ => text.extend(cells),
            }
        }
        rows.push(text);
        rest = others;
    }
    rows.join("/")
}
