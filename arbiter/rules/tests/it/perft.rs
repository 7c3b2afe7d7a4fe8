//! The fingerprint of the move generators.
//!
//! Everyday runs count up to [`EVERYDAY`] nodes a depth; `ARBITER_PERFT_NODES=100000000` counts deeper, best in a
//! release build, and the bench `perft` does so by itself.

use crate::perft_table;
use arbiter_rules::{Chance, MoveList, Position, registry};

/// Most nodes of a depth that is counted without being asked for.
const EVERYDAY: u64 = 60_000;

fn budget() -> u64 {
    match std::env::var("ARBITER_PERFT_NODES") {
        Ok(nodes) => nodes.parse().expect("ARBITER_PERFT_NODES is a number"),
        Err(_) => EVERYDAY,
    }
}

#[test]
fn every_game_counts_its_move_sequences_right() {
    for case in registry::GAMES.iter().flat_map(|info| perft_table::read(info.id)) {
        let position = case.position();
        assert!(case.counts[0] <= budget(), "{} is beyond the budget at once", case.name());
        for (depth, &count) in (1..).zip(&case.counts).take_while(|&(_, &count)| count <= budget()) {
            assert_eq!(position.perft(depth), count, "{} to depth {depth}", case.name());
        }
    }
}

#[test]
fn every_game_counts_its_wins_right() {
    let mut counted = 0;
    for case in registry::GAMES.iter().flat_map(|info| perft_table::read(info.id)) {
        let mut position = case.position().without_limits();
        let depths = (1..).zip(&case.wins).zip(&case.counts).take_while(|&(_, &count)| count <= budget());
        for ((depth, &wins), _) in depths {
            assert_eq!(count_wins(&mut position, depth), wins, "{} wins at depth {depth}", case.name());
            counted += u32::from(wins > 0);
        }
    }
    assert!(counted > 1, "wins are counted at {counted} depths only");
}

/// How many move sequences of exactly so many moves end in a win with the last one.
fn count_wins(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return u64::from(position.end().is_some_and(|end| end.outcome.winner().is_some()));
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut wins = 0;
    for &m in moves.iter() {
        position.play(m, &Chance::NONE).expect("listed moves are legal");
        wins += count_wins(position, depth - 1);
        position.undo();
    }
    wins
}

#[test]
fn tic_tac_toe_has_as_many_games_and_positions_as_everybody_says() {
    let mut position = crate::support::start("tic-tac-toe", &[]);
    let mut seen = std::collections::HashSet::new();
    let mut ends = std::collections::BTreeMap::new();
    walk(&mut position, &mut seen, &mut ends);
    assert_eq!(seen.len(), 5478);
    assert_eq!(ends.values().sum::<u32>(), 255_168);
    let expected = [(5, 1, 1440), (6, 2, 5328), (7, 1, 47952), (8, 2, 72576), (9, 0, 46080), (9, 1, 81792)];
    let counted: Vec<_> = ends.iter().map(|(&(length, winner), &games)| (length, winner, games)).collect();
    assert_eq!(counted, expected);
}

type Ends = std::collections::BTreeMap<(u32, usize), u32>;

fn walk(position: &mut Position, seen: &mut std::collections::HashSet<u128>, ends: &mut Ends) {
    seen.insert(position.key());
    if position.end().is_some() {
        *ends.entry((position.ply(), crate::support::ending(position).1)).or_default() += 1;
        return;
    }
    for m in crate::support::legal(position) {
        position.play(m, &Chance::NONE).expect("listed moves are legal");
        walk(position, seen, ends);
        position.undo();
    }
}
