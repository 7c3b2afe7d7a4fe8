//! `arbiter perft`: how many sequences of moves there are, the fingerprint of a rules engine.

use crate::cli::options::{Opened, PositionArgs};
use crate::cli::parsing::whole;
use crate::cli::{Failure, Output};
use arbiter_rules::{Chance, Move, MoveList};
use clap::Args;
use serde_json::json;
use std::time::Instant;

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbiter perft --game othello --depth 9")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    which: PositionArgs,
    /// Length of the move sequences that are counted
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..))]
    depth: u32,
    /// Also print the count behind each legal move
    #[arg(long)]
    split: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[expect(clippy::disallowed_methods, reason = "it tells how long it took")]
pub(crate) fn perft(args: &PerftArgs, out: &mut Output) -> Result<(), Failure> {
    let Opened { mut position, .. } = args.which.open_without_limits()?;
    let start = Instant::now();
    let mut split = Vec::new();
    if args.split && args.depth > 0 {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        for &m in moves.iter() {
            position.play(m, &Chance::NONE).expect("it is from the legal list");
            split.push((m, position.perft(args.depth - 1)));
            position.undo();
        }
    }
    let nodes = if split.is_empty() {
        position.perft(args.depth)
    } else {
        split.iter().map(|(_, nodes)| nodes).sum()
    };
    let seconds = start.elapsed().as_secs_f64();
    let name = |m: Move| position.move_text(m);
    if args.json {
        let mut answer = json!({ "depth": args.depth, "nodes": nodes, "seconds": seconds });
        if args.split {
            answer["split"] = split.iter().map(|&(m, nodes)| (name(m), json!(nodes))).collect();
        }
        return out.json(&answer);
    }
    split.iter().try_for_each(|&(m, nodes)| out.line(&format!("{}: {nodes}", name(m))))?;
    out.line(&format!("depth {}: {nodes} move sequences in {seconds:.3} s", args.depth))
}
