//! Hex: sides and chains, the swap, what is refused, and a second opinion on who has won.

use crate::support::{
    ending, legal_texts, option_error, play, random_move, read, read_error, refusal, start,
};
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::last::came_about;
use arbiter_rules::{Chance, Move, Position, Random};

const THREE: &[(&str, &str)] = &[("size", "3")];
const NO_SWAP: &[(&str, &str)] = &[("size", "3"), ("swap", "false")];

fn after(options: &[(&str, &str)], moves: &str) -> Position {
    let mut position = start("hex", options);
    play(&mut position, moves);
    position
}

fn winning(position: &Position) -> String {
    let cells = position.winning_cells().into_iter().map(|cell| position.cell_name(cell));
    cells.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_first_seat_connects_top_and_bottom_and_the_second_left_and_right() {
    let down = after(NO_SWAP, "b1 a1 b2 c2 a3");
    assert_eq!((ending(&down), winning(&down)), (("connected", 1), "b1 b2 a3".to_owned()));
    let across = after(NO_SWAP, "a1 a2 c1 b2 b1 c2");
    assert_eq!((ending(&across), winning(&across)), (("connected", 2), "a2 b2 c2".to_owned()));
    assert_eq!(ending(&after(&[("size", "1")], "a1")), ("connected", 1));
}

#[test]
fn cells_touch_above_to_the_right_and_below_to_the_left() {
    assert_eq!(after(NO_SWAP, "a1 c1 b2 c2 c3 a2").end(), None, "below to the right is too far");
    assert_eq!(ending(&after(NO_SWAP, "c1 a1 b2 a2 a3")), ("connected", 1));
}

#[test]
fn of_several_shortest_chains_the_one_whose_cells_come_first_is_told() {
    let position = read("hex", NO_SWAP, "xox/xxo/xoo o");
    assert_eq!(winning(&position), "a1 a2 a3");
    let detour = read("hex", &[("size", "4"), ("swap", "false")], "x.o./xo.o/xxx./oox. o");
    assert_eq!(winning(&detour), "a1 a2 a3 b3 c3 c4");
}

#[test]
fn the_first_stone_may_be_taken_over_as_the_first_answer_only() {
    let position = after(THREE, "a2");
    assert_eq!(legal_texts(&position).join(" "), "a1 b1 c1 b2 c2 a3 b3 c3 swap");
    let swapped = after(THREE, "a2 SWAP");
    assert_eq!(swapped.text(), ".o./.../... x");
    assert_eq!(after(THREE, "b2 swap").text(), ".../.o./... x", "a stone in the middle stays where it is");
    let later = "swap-not-now: Swapping is possible only as the first answer.";
    for moves in ["", "a2 swap", "a2 b2", "a2 b2 c2"] {
        assert_eq!(refusal(&after(THREE, moves), "swap"), later, "after {moves}");
    }
    assert_eq!(refusal(&after(NO_SWAP, "a2"), "swap"), "swap-off: There is no swapping in this game.");
    assert_eq!(legal_texts(&after(NO_SWAP, "a2")).len(), 8);
    assert_eq!(legal_texts(&read("hex", THREE, ".../.x./... o")).last().unwrap(), "swap");
}

#[test]
fn a_swap_is_a_move_of_the_stone_and_an_action_beside_the_board() {
    let mut position = after(THREE, "c1");
    let swap = Move::shift(2, 6);
    assert_eq!(position.read_move("swap").unwrap().played, swap);
    assert_eq!(position.act(&Draft::default(), "swap"), Ok(DraftStep::Finished(swap.into())));
    assert!(position.judge(Move::shift(6, 2)).is_err() && position.judge(Move::shift(2, 5)).is_err());
    position.play(swap, &Chance::NONE).unwrap();
    assert_eq!((position.text(), position.to_move().unwrap().index()), (".../.../o.. x".to_owned(), 0));
    assert!(position.draft_view(&Draft::default()).actions.is_empty());
    assert!(position.undo());
    assert_eq!(position.text(), "..x/.../... o");
}

#[test]
fn a_swap_can_have_been_the_last_move() {
    let came_about = came_about(&read("hex", THREE, ".../.../o.. x"), "Swap").unwrap();
    assert_eq!(came_about.last, Move::shift(2, 6));
    assert!(came_about_error(".../.x./o.. o").contains("cannot have been the last move"));
}

fn came_about_error(text: &str) -> String {
    came_about(&read("hex", THREE, text), "swap").unwrap_err().to_string()
}

#[test]
fn refusals_say_what_is_wrong() {
    let position = after(THREE, "c3 b2");
    assert_eq!(refusal(&position, "c3"), "occupied: c3 is taken by X.");
    assert_eq!(refusal(&position, "b2"), "occupied: b2 is taken by O.");
    assert_eq!(refusal(&position, "d1"), "off-board: There is no cell d1: columns are a to c, rows 1 to 3.");
    assert_eq!(refusal(&position, "pass"), "not-understood: A move in this game takes one cell, or swaps.");
    assert_eq!(refusal(&position, "here"), "not-understood: 'here' is not a move. Moves look like: d3.");
    for (text, problem) in [
        ("... x", "the board has 1 rows instead of 3"),
        ("..../.../... x", "row 1 has 4 columns instead of 3 (character 1)"),
        (".../..z/... x", "expected x, o or . in row 2, not 'z' (character 7)"),
        (".../.../...", "expected the rows from the top, one blank, and the side to move, x or o"),
        (".../.../... y", "expected x or o for the side to move, not 'y' (character 13)"),
        ("x../.../... x", "there are 1 x and 0 o: x cannot be to move"),
        ("xo./.../... o", "there are 1 x and 1 o: o cannot be to move"),
        ("xx./oo./x.. x", "there are 3 x and 2 o: x cannot be to move"),
        (
            "x../xoo/x.o x",
            "x is to move, but has connected its sides: only the side that moved last can have won",
        ),
    ] {
        let options = if text.starts_with("xo.") { NO_SWAP } else { THREE };
        assert_eq!(read_error("hex", options, text), problem, "{text}");
    }
    assert_eq!(read("hex", THREE, "xo./.../... o").text(), "xo./.../... o", "as after a swap");
    assert!(option_error("hex", &[("size", "20")]).contains("a number from 1 to 19"));
}

/// Every chain of the fewest stones between two sides, by trying all; the first of them, sorted.
fn slow_chain(cells: &[u8], size: usize, seat: u8) -> Option<Vec<u16>> {
    let along = |cell: usize| if seat == 1 { cell / size } else { cell % size };
    let touch = |a: usize, b: usize| {
        let by = |of: fn(usize, usize) -> usize| of(b, size) as i32 - of(a, size) as i32;
        let (down, right) = (by(|cell, size| cell / size), by(|cell, size| cell % size));
        matches!((down, right), (0, 1 | -1) | (1 | -1, 0) | (-1, 1) | (1, -1))
    };
    let own: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell] == seat).collect();
    let mut chains: Vec<Vec<usize>> =
        own.iter().filter(|&&cell| along(cell) == 0).map(|&cell| vec![cell]).collect();
    // No shortest chain comes twice to the same cell, and none comes to a cell later than another one.
    let mut seen: Vec<usize> = Vec::new();
    while !chains.is_empty() {
        let done = chains.iter().filter(|chain| along(chain[chain.len() - 1]) == size - 1);
        let sorted = done.map(|chain| {
            let mut cells: Vec<u16> = chain.iter().map(|&cell| cell as u16).collect();
            cells.sort_unstable();
            cells
        });
        if let Some(first) = sorted.min() {
            return Some(first);
        }
        seen.extend(chains.iter().map(|chain| chain[chain.len() - 1]));
        let longer = |chain: &Vec<usize>| -> Vec<Vec<usize>> {
            let next =
                own.iter().filter(|&&cell| touch(chain[chain.len() - 1], cell) && !seen.contains(&cell));
            next.map(|&cell| chain.iter().copied().chain([cell]).collect()).collect()
        };
        chains = chains.iter().flat_map(longer).collect();
    }
    None
}

#[test]
fn a_slow_search_finds_the_same_winners_and_chains() {
    let mut random = Random::new(11);
    for game in 0..400 {
        let size = 1 + game % 6;
        let text = size.to_string();
        let mut position = start("hex", &[("size", &text)]);
        while position.end().is_none() {
            let m = random_move(&position, &mut random);
            position.play(m, &Chance::NONE).unwrap();
            let cells = position.cells();
            let chains = [1, 2].map(|seat| slow_chain(&cells, size, seat));
            let winner = position.end().map(|end| end.outcome.winner().unwrap().index());
            assert_eq!(chains.iter().position(Option::is_some), winner, "{position:?}");
            let told = position.winning_cells();
            assert_eq!(chains.into_iter().flatten().next().unwrap_or_default(), told, "{position:?}");
        }
    }
}
