//! Move generators at full depth: `cargo bench -p arbiter-rules --bench perft`, with a game's name behind `--` for
//! one game. Counts that differ from the tables stop it, so that wrong rules cannot look fast.
//!
//! `ARBITER_PERFT_NODES` is the largest count of a depth that is tried.
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "the rules themselves may not, what tests them may")]
#![expect(clippy::disallowed_types, reason = "the rules themselves may not, what measures them may")]
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use arbiter_rules::registry;
use std::time::Instant;

#[path = "../tests/it/perft_table.rs"]
mod perft_table;

fn main() {
    let budget = match std::env::var("ARBITER_PERFT_NODES") {
        Ok(nodes) => nodes.parse().expect("ARBITER_PERFT_NODES is a number"),
        Err(_) => 40_000_000,
    };
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_wanted = |game: &str| wanted.as_ref().is_none_or(|wanted| wanted == game);
    for info in registry::GAMES.iter().filter(|info| is_wanted(info.id)) {
        let cases = perft_table::read(info.id);
        let began = Instant::now();
        let mut nodes = 0;
        for case in &cases {
            let within = (1..).zip(&case.counts).take_while(|&(_, &count)| count <= budget);
            let (depth, &count) = within.last().expect("the first depth is within the budget");
            assert_eq!(
                case.position().perft(depth),
                count,
                "{} to depth {depth}, {}",
                case.name(),
                case.source
            );
            nodes += count;
        }
        let (seconds, cases) = (began.elapsed().as_secs_f64(), cases.len());
        println!(
            "{:16} {cases:>3} cases {nodes:>12} nodes {:>12.0} nodes/s",
            info.id,
            nodes as f64 / seconds
        );
    }
}
