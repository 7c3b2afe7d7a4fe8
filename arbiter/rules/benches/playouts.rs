//! How many random games a second each game plays on one core: `cargo bench -p arbiter-rules --bench playouts`.
//!
//! A name behind `--` picks one game. Every line first checks a known perft count, so that wrong rules cannot look fast.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use arbiter_rules::{Random, Setup, registry};
use std::time::{Duration, Instant};

/// A game, its options, and the number of move sequences of some length from its start.
const RUNS: &[(&str, &[(&str, &str)], u32, u64)] = &[
    ("tic-tac-toe", &[], 9, 127_872),
    ("connect-four", &[], 8, 5_673_234),
    ("connect-four", &[("size", "10x8")], 6, 1_000_000),
    ("connect-four", &[("size", "20x20")], 4, 160_000),
    ("ultimate", &[], 5, 473_256),
    ("othello", &[], 7, 55_092),
    ("stacks", &[], 4, 77_056),
    ("stacks", &[("variant", "top"), ("removal", "off")], 4, 65_536),
];

/// Long enough for figures that hold still within a few percent.
const MEASURED: Duration = Duration::from_millis(1500);

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_wanted = |game: &str| wanted.as_ref().is_none_or(|wanted| wanted == game);
    for &(game, options, depth, count) in RUNS.iter().filter(|run| is_wanted(run.0)) {
        let start = registry::start(game, &Setup { options, ..Setup::default() }).expect("options are known");
        assert_eq!(start.perft(depth), count, "{game} {options:?} has another perft count at depth {depth}");
        let mut random = Random::new(1);
        let mut position = start.copy();
        let (mut games, mut plies) = (0u64, 0u64);
        let began = Instant::now();
        while games % 256 != 0 || began.elapsed() < MEASURED {
            position.copy_from(&*start);
            plies += u64::from(position.playout(&mut random));
            games += 1;
        }
        let seconds = began.elapsed().as_secs_f64();
        let (games, plies) = (games as f64 / seconds, plies as f64 / seconds);
        let options: Vec<_> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        println!("{game:12} {games:>10.0} games/s {plies:>12.0} plies/s  {}", options.join(" "));
    }
}
