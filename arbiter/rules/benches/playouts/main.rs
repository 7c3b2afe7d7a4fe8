//! How many random games a second each game plays on one core: `cargo bench -p arbiter-rules --bench playouts`.
//!
//! A name behind `--` picks one game. Every line first checks a known perft count, so that wrong rules cannot look fast.
//! Where there is a yardstick (`plain.rs`), both play in turns, and the line says how the rules compare with it.
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "the rules themselves may not, what tests them may")]
#![expect(clippy::disallowed_types, reason = "the rules themselves may not, what measures them may")]
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod plain;

use arbiter_rules::{Position, Random, Setup, registry};
use plain::Plain;
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
    Run { game: "hex", options: &[], depth: 3, count: 1_742_400 },
    Run { game: "stacks", options: &[], depth: 4, count: 77_056 },
    Run { game: "stacks", options: &[("variant", "top"), ("removal", "off")], depth: 4, count: 65_536 },
];

/// Games between two looks at the clock, and between the rules and the yardstick.
const BATCH: u64 = 2048;
/// Long enough for figures that hold still within a few percent.
const MEASURED: Duration = Duration::from_millis(1500);

/// What was played in some time.
#[derive(Default)]
struct Played {
    games: u64,
    plies: u64,
    time: Duration,
}

impl Played {
    /// Plays a batch of games.
    fn batch(&mut self, mut game: impl FnMut() -> u32) {
        let began = Instant::now();
        self.plies += (0..BATCH).map(|_| u64::from(game())).sum::<u64>();
        self.games += BATCH;
        self.time += began.elapsed();
    }

    fn a_second(&self, count: u64) -> f64 {
        count as f64 / self.time.as_secs_f64()
    }
}

/// Plays through the rules, and on the yardstick in turns with them.
fn measure(start: &Position, plain: Option<Plain>) -> (Played, Played) {
    let (mut rules, mut yardstick) = (Played::default(), Played::default());
    let (mut random, mut same) = (Random::new(1), Random::new(1));
    let mut position = start.clone();
    while rules.time < MEASURED {
        rules.batch(|| {
            position.copy_from(start);
            position.playout(&mut random)
        });
        if let Some(plain) = plain {
            yardstick.batch(|| plain(&mut same));
            assert_eq!(rules.plies, yardstick.plies, "the yardstick plays other games");
        }
    }
    (rules, yardstick)
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_wanted = |game: &str| wanted.as_ref().is_none_or(|wanted| wanted == game);
    for &Run { game, options, depth, count } in RUNS.iter().filter(|run| is_wanted(run.game)) {
        let start = registry::start(game, &Setup { options, ..Setup::default() }).expect("options are known");
        assert_eq!(start.perft(depth), count, "{game} {options:?} has another perft count at depth {depth}");
        let (rules, yardstick) = measure(&start, plain::of(game).filter(|_| options.is_empty()));
        let (games, plies) = (rules.a_second(rules.games), rules.a_second(rules.plies));
        let options: Vec<_> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        print!("{game:12} {games:>10.0} games/s {plies:>12.0} plies/s  {}", options.join(" "));
        match yardstick.games {
            0 => println!(),
            games => {
                let plain = yardstick.a_second(games);
                println!("{:.2} of {plain:.0} on bare bitboards", rules.a_second(rules.games) / plain);
            }
        }
    }
}
