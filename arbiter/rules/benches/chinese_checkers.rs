//! How fast Chinese checkers is on one core: `cargo bench -p arbiter-rules --bench chinese_checkers`.
//!
//! Known perft counts are checked first, so that wrong rules cannot look fast. Then every line plays random games in
//! one way; those that look at every result (from, to) of a position say how many they generated.
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_types, reason = "the rules themselves may not, what measures them may")]
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use arbiter_rules::{Chance, MoveList, Position, Random, Setup, registry};
use std::time::{Duration, Instant};

/// Players and the number of lines of four and five turns from the start.
const COUNTS: [(usize, u64, u64); 4] =
    [(2, 212_521, 6_689_571), (3, 133_229, 3_612_857), (4, 85_264, 2_324_904), (6, 86_131, 1_479_272)];

/// Long enough for figures that hold still within a few percent.
const MEASURED: Duration = Duration::from_millis(1500);

/// Plays a random game to its end and returns how many results were generated, if they were, and turns taken.
type Play = fn(&mut Position, &mut Random) -> (u64, u64);

const WAYS: [(&str, Play); 4] = [
    ("count and pick", |game, random| {
        let (mut results, mut turns) = (0, 0);
        while game.end().is_none() {
            let count = game.legal_count();
            let played = game.nth_legal(random.below(count));
            game.play(played, &Chance::NONE).expect("the move is legal");
            (results, turns) = (results + count as u64, turns + 1);
        }
        (results, turns)
    }),
    ("list and pick", |game, random| {
        let (mut results, mut turns) = (0, 0);
        let mut moves = MoveList::new();
        while game.end().is_none() {
            game.legal_moves(&mut moves);
            let played = moves[random.below(moves.len())];
            game.play(played, &Chance::NONE).expect("the move is legal");
            (results, turns) = (results + moves.len() as u64, turns + 1);
        }
        (results, turns)
    }),
    ("playout", |game, random| (0, u64::from(game.playout(random)))),
    ("play and undo", |game, random| {
        let mut turns = 0;
        while game.end().is_none() {
            for _ in 0..8 {
                let played = game.nth_legal(random.below(game.legal_count()));
                game.play(played, &Chance::NONE).expect("the move is legal");
                game.undo();
            }
            let played = game.nth_legal(random.below(game.legal_count()));
            game.play(played, &Chance::NONE).expect("the move is legal");
            turns += 9;
        }
        (0, turns)
    }),
];

fn main() {
    for (players, four, five) in COUNTS {
        let setup = Setup { players: Some(players), ..Setup::default() };
        let start = registry::start("chinese-checkers", &setup).expect("so many can play");
        assert_eq!(start.perft(4), four, "{players} players have another number of lines of four turns");
        let began = Instant::now();
        assert_eq!(start.perft(5), five, "{players} players have another number of lines of five turns");
        println!("{players} players  perft 5 {:>20.0} lines/s", five as f64 / began.elapsed().as_secs_f64());
        for (way, play) in WAYS {
            let mut random = Random::new(1);
            let mut game = start.clone();
            let (mut results, mut turns) = (0, 0);
            let began = Instant::now();
            while began.elapsed() < MEASURED {
                game.copy_from(&start);
                let (generated, taken) = play(&mut game, &mut random);
                (results, turns) = (results + generated, turns + taken);
            }
            let a_second = |count: u64| count as f64 / began.elapsed().as_secs_f64();
            let turns = format!("{players} players  {way:15} {:>12.0} turns/s", a_second(turns));
            match results {
                0 => println!("{turns}"),
                results => println!("{turns} {:>14.0} results/s", a_second(results)),
            }
        }
    }
}
