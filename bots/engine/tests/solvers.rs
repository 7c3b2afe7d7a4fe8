//! The exact solvers against slow ones that are written differently, and against results that others published.

use arbiter_rules::{Chance, Move, MoveList, Position, Random, Seat, Setup, registry};
use bot_engine::evaluation::connect_four::grid::Grid;
use bot_engine::proof::connect_four::Lines;
use bot_engine::proof::hex::Chains;
use bot_engine::proof::othello::Endgame;
use bot_engine::proof::{Proof, Solver};
use std::collections::HashMap;

fn read(game: &str, text: &str) -> Position {
    registry::start(game, &Setup { position: Some(text), ..Setup::default() }).expect(text)
}

/// The best move of a position and its score in points.
fn best(solver: &mut dyn Solver, position: &Position) -> (Move, i32) {
    let points = solver.points();
    let (m, result) = Proof::of(solver, position).go_on(&|| false).expect("nobody stops it");
    (m, result * points)
}

fn solve(text: &str) -> (String, i32) {
    let position = read("othello", text);
    let (m, score) = best(&mut Endgame::new(8 << 20), &position);
    (position.move_text(m), score)
}

/// The final difference for the side to move, empty cells to the winner, by the rules alone and without any cut-off.
fn slow_othello(position: &mut Position) -> i64 {
    if position.end().is_some() {
        let scores = position.scores();
        let score =
            scores.iter().find(|score| score.name == "discs_empties_to_winner").expect("it is counted");
        return score.by_seat[0] - score.by_seat[1];
    }
    let sign = if position.to_move().unwrap().index() == 0 { 1 } else { -1 };
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let after = |&m: &Move| {
        position.play(m, &Chance::NONE).unwrap();
        let score = slow_othello(position);
        position.undo();
        sign * score
    };
    sign * moves.iter().map(after).max().unwrap()
}

/// Positions of random games that are nearly over: with up to eight empty cells any, some in which the mover has to pass,
/// and the last ones of games that end with empty cells; with nine, some in which a move makes the other side pass.
fn endings() -> Vec<String> {
    let mut random = Random::new(5);
    let mut wanted = [30, 10, 10, 5];
    let mut endings = Vec::new();
    while wanted.iter().any(|&number| number > 0) {
        let mut position = registry::start("othello", &Setup::default()).unwrap();
        let mut late = Vec::new();
        while position.end().is_none() {
            let (text, empty) = (position.text(), position.text().matches('-').count());
            let m = position.nth_legal(random.below(position.legal_count()));
            let passes = position.must_pass();
            position.play(m, &Chance::NONE).unwrap();
            match empty {
                1..=8 => late.push((usize::from(passes), text)),
                9 if position.must_pass() => late.push((3, text)),
                _ => {}
            }
        }
        if position.text().contains('-') {
            late.drain(..late.len().saturating_sub(1));
            late.iter_mut().for_each(|(kind, _)| *kind = 2);
        }
        let (kind, text) = match late.iter().max() {
            Some(rare) if rare.0 > 0 => rare.clone(),
            None => continue,
            Some(_) => late.swap_remove(random.below(late.len())),
        };
        if wanted[kind] > 0 {
            wanted[kind] -= 1;
            endings.push(text);
        }
    }
    endings
}

/// Positions in which one side comes to own everything but what is settled for the other: the bound that settled discs
/// give is the score there, and a lower one would be wrong.
const LOPSIDED: [&str; 2] = [
    "XXXXXXXXXXOXXXXXXX--XX-OXXXOX-X-XXXXX-XXXXXXXXXXXXX-XXX-OXXXXXXX X",
    "XX-XXXXOXXXXXXXXXX-XX-XXXXXXXXXX-XXX-XXXXXXXXXXXXXXXXX-XXXXXXXXX O",
];

#[test]
fn othello_endgames_agree_with_the_rules_played_out() {
    for text in endings().into_iter().chain(LOPSIDED.map(String::from)) {
        let mut position = read("othello", &text);
        let slow = slow_othello(&mut position);
        let expected = if position.to_move() == Some(Seat::FIRST) { slow } else { -slow };
        let (best, score) = solve(&text);
        assert_eq!(i64::from(score), expected, "{text}");
        let choice = position.read_move(&best).unwrap();
        position.play(choice.played, &Chance::NONE).unwrap();
        assert_eq!(slow_othello(&mut position), slow, "{best} in {text}");
    }
}

/// The first position of the French federation's collection of endgames, with the move and score published there.
#[test]
fn a_published_othello_endgame_has_the_published_score() {
    let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    assert_eq!(solve(text), ("g8".to_owned(), 18), "{text}");
}

/// Number 40 to 42 of the same collection, with 20 to 22 empty cells.
#[test]
#[ignore = "takes seconds: cargo test --release -p bot-engine --test solvers -- --ignored"]
fn published_othello_endgames_that_are_harder_have_the_published_scores() {
    for (text, best, score) in [
        ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", "a2", 38),
        ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", "h4", 0),
        ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", "g2", 6),
    ] {
        assert_eq!(solve(text), (best.to_owned(), score), "{text}");
    }
}

/// The score by the rules alone: plain negamax with a table of everything seen.
fn slow_connect_four(position: &mut Position, seen: &mut HashMap<u128, i32>) -> i32 {
    let cells = position.shape().cells() as i32;
    let mut now = vec![0; cells as usize];
    position.write_cells(&mut now);
    let discs = now.iter().filter(|&&cell| cell != 0).count() as i32;
    if let Some(end) = position.end() {
        // The last disc won: it was played after `discs - 1` others.
        return if end.outcome.winner().is_some() { -(cells + 2 - discs) / 2 } else { 0 };
    }
    if let Some(&score) = seen.get(&position.key()) {
        return score;
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut best = i32::MIN;
    for &m in moves.iter() {
        position.play(m, &Chance::NONE).unwrap();
        best = best.max(-slow_connect_four(position, seen));
        position.undo();
    }
    seen.insert(position.key(), best);
    best
}

#[test]
fn connect_four_agrees_with_the_rules_played_out_on_boards_of_many_sizes() {
    let mut random = Random::new(11);
    for (size, width, height, discs) in
        [("7x6", 7, 6, 31), ("5x5", 5, 5, 13), ("4x6", 4, 6, 12), ("9x4", 9, 4, 25)]
    {
        let grid = Grid::new(width, height).unwrap();
        let mut solver = Lines::new(grid, 1 << 20);
        let mut solved = 0;
        while solved < 8 {
            let options = [("size", size)];
            let mut position =
                registry::start("connect-four", &Setup { options: &options, ..Setup::default() }).unwrap();
            while position.to_move().is_some() && position.ply() < discs {
                let m = position.nth_legal(random.below(position.legal_count()));
                position.play(m, &Chance::NONE).unwrap();
            }
            if position.to_move().is_none() {
                continue;
            }
            let mut seen = HashMap::new();
            let expected = slow_connect_four(&mut position, &mut seen);
            let (m, score) = best(&mut solver, &position);
            assert_eq!(score, expected, "{size}: {}", position.text());
            position.play(m, &Chance::NONE).unwrap();
            assert_eq!(
                -slow_connect_four(&mut position, &mut seen),
                score,
                "{size}: after {}",
                position.text()
            );
            solved += 1;
        }
    }
}

/// Whether the side to move wins, by the rules alone: plain negamax with a table of everything seen.
fn slow_hex(position: &mut Position, seen: &mut HashMap<String, bool>) -> bool {
    if position.end().is_some() {
        // The other side has just connected its sides.
        return false;
    }
    let text = position.text();
    if let Some(&wins) = seen.get(&text) {
        return wins;
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let wins = moves.iter().any(|&m| {
        position.play(m, &Chance::NONE).unwrap();
        let wins = !slow_hex(position, seen);
        position.undo();
        wins
    });
    seen.insert(text, wins);
    wins
}

#[test]
fn hex_agrees_with_the_rules_played_out_with_and_without_swapping() {
    let mut random = Random::new(12);
    for (size, swap, stones, positions) in [
        ("2", "true", 0, 1),
        ("3", "true", 0, 1),
        ("3", "true", 1, 9),
        ("3", "false", 0, 1),
        ("4", "false", 6, 30),
    ] {
        let options = [("size", size), ("swap", swap)];
        let mut seen = HashMap::new();
        for _ in 0..positions {
            let mut position =
                registry::start("hex", &Setup { options: &options, ..Setup::default() }).unwrap();
            while position.to_move().is_some() && position.ply() < stones {
                let m = position.nth_legal(random.below(position.legal_count()));
                position.play(m, &Chance::NONE).unwrap();
            }
            if position.end().is_some() {
                continue;
            }
            let expected = slow_hex(&mut position, &mut seen);
            let (m, score) = best(&mut Chains::new(&position, 1 << 20), &position);
            assert_eq!(score > 0, expected, "{size}: {}", position.text());
            position.play(m, &Chance::NONE).unwrap();
            assert_eq!(!slow_hex(&mut position, &mut seen), expected, "{size}: after {}", position.text());
        }
    }
}

/// Breaks a proof off again and again, and says how often it took.
fn patiently(solver: &mut dyn Solver, position: &Position) -> (Move, i32, u32) {
    let mut proof = Proof::of(solver, position);
    for breaks in 0..10_000 {
        let looks = std::cell::Cell::new(0);
        let is_enough = || {
            looks.set(looks.get() + 1);
            looks.get() > 20 + breaks
        };
        if let Some((m, result)) = proof.go_on(&is_enough) {
            return (m, result, breaks);
        }
    }
    panic!("it never ends");
}

#[test]
fn a_proof_that_was_broken_off_goes_on_and_remembers_nothing_that_is_wrong() {
    let position = read("connect-four", "......./...o.../.o.o.x./.x.x.o./.x.o.x./.oxxxo. o");
    let mut solver = Lines::new(Grid::of(&position).unwrap(), 4 << 20);
    let (m, result, breaks) = patiently(&mut solver, &position);
    assert!(
        ["5", "6"].contains(&&*position.move_text(m)) && result == 0 && breaks > 0,
        "{m:?} {result} {breaks}"
    );
    let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let position = read("othello", text);
    let (m, result, breaks) = patiently(&mut Endgame::new(4 << 20), &position);
    assert_eq!((&*position.move_text(m), result), ("g8", 9), "{breaks}");
    let options = [("size", "4"), ("swap", "true")];
    let position = registry::start("hex", &Setup { options: &options, ..Setup::default() }).unwrap();
    let (_, result, breaks) = patiently(&mut Chains::new(&position, 4 << 20), &position);
    assert!(result == -1 && breaks > 0, "{result} {breaks}");
}

/// J. Nash's theorem: without swapping the first seat wins. With it the second does, since it may take the better side.
#[test]
fn hex_on_four_rows_is_won_by_the_first_seat_and_with_swapping_by_the_second() {
    for (swap, wins) in [("false", true), ("true", false)] {
        let options = [("size", "4"), ("swap", swap)];
        let position = registry::start("hex", &Setup { options: &options, ..Setup::default() }).unwrap();
        assert_eq!(best(&mut Chains::new(&position, 8 << 20), &position).1 > 0, wins, "swap={swap}");
    }
}
