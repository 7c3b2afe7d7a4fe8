//! How many random games a second each game plays on one core: `cargo bench -p arbiter-rules --bench playouts`.
//!
//! A name behind `--` picks one game. Every line first checks a known perft count, so that wrong rules cannot look fast.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use arbiter_rules::{Random, Setup, registry};
use std::time::{Duration, Instant};

/// A game with its options, and the number of move sequences of some length from its start.
struct Run {
    game: &'static str,
    options: &'static [(&'static str, &'static str)],
    depth: u32,
    count: u64,
}

const RUNS: &[Run] = &[
    Run { game: "tic-tac-toe", options: &[], depth: 9, count: 127_872 },
    Run { game: "connect-four", options: &[], depth: 8, count: 5_673_234 },
    Run { game: "connect-four", options: &[("size", "10x8")], depth: 6, count: 1_000_000 },
    Run { game: "connect-four", options: &[("size", "20x20")], depth: 4, count: 160_000 },
    Run { game: "ultimate", options: &[], depth: 5, count: 473_256 },
    Run { game: "othello", options: &[], depth: 7, count: 55_092 },
    Run { game: "stacks", options: &[], depth: 4, count: 77_056 },
    Run { game: "stacks", options: &[("variant", "top"), ("removal", "off")], depth: 4, count: 65_536 },
];

/// Long enough for figures that hold still within a few percent.
const MEASURED: Duration = Duration::from_millis(1500);

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_wanted = |game: &str| wanted.as_ref().is_none_or(|wanted| wanted == game);
    for &Run { game, options, depth, count } in RUNS.iter().filter(|run| is_wanted(run.game)) {
        let start = registry::start(game, &Setup { options, ..Setup::default() }).expect("options are known");
        assert_eq!(start.perft(depth), count, "{game} {options:?} has another perft count at depth {depth}");
        let mut random = Random::new(1);
        let mut position = start.clone();
        let (mut games, mut plies) = (0u64, 0u64);
        let began = Instant::now();
        while games % 256 != 0 || began.elapsed() < MEASURED {
            position.copy_from(&start);
            plies += u64::from(position.playout(&mut random));
            games += 1;
        }
        let seconds = began.elapsed().as_secs_f64();
        let (games, plies) = (games as f64 / seconds, plies as f64 / seconds);
        let options: Vec<_> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        println!("{game:12} {games:>10.0} games/s {plies:>12.0} plies/s  {}", options.join(" "));
    }
}
