//! `arbiter tree`: the tree of decisions from a position.

use crate::cli::options::{Opened, PositionArgs, format_of, write_picture};
use crate::cli::parsing::whole;
use crate::cli::{ExitCode, Failure};
use crate::picture::{Format, svg};
use crate::tree::{Tree, TreeError, dot, picture};
use crate::ui::talk;
use clap::Args;
use indicatif::HumanCount;
use std::path::PathBuf;

const MORE: &str = "\
Values are those of minimax for the seat to move at the root: 1 a win, 0 a draw, -1 a loss; ? where the tree ends before the \
game does, and bounds such as ≥0 above that. The best line is bold. Trees are for two players without chance.

Examples:
  arbiter tree --game tic-tac-toe --position 'oxx1xo3 o' --depth 9 -o tree.svg
  arbiter tree --game connect-four -O size=4x4 --depth 3 -o tree.dot && dot -Tpdf -O tree.dot

Exit codes: 0 with the whole tree; 1 where only its first levels were drawn (--max-nodes), which is said; 2 a wrong position, a \
game that has no such tree, a tree that is too large to be searched; 4 a file that cannot be written.";

#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    which: PositionArgs,
    /// How many moves deep
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<u32>(0..=64))]
    depth: u32,
    /// Most nodes that are drawn: of a larger tree the first levels
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = whole::<u64>(1..=10_000_000))]
    max_nodes: u64,
    /// The file; its ending says the format: .svg or .dot
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn tree(args: &TreeArgs) -> Result<ExitCode, Failure> {
    let format = format_of(&args.output, &[Format::Svg, Format::Dot])?;
    let Opened { position, .. } = args.which.open()?;
    let tree = Tree::grow(&position, args.depth, args.max_nodes).map_err(|error| {
        let failure = Failure::of(ExitCode::Usage, &error);
        match error {
            TreeError::Seats { .. } => failure.hint("--players 2"),
            TreeError::Chance { .. } => failure.hint("-O earthquake=false"),
            TreeError::TooLarge { .. } => failure.hint("a smaller --depth"),
        }
    })?;
    let text = match format {
        Format::Dot => dot(&tree),
        Format::Svg | Format::Png => svg(&picture(&tree)),
    };
    write_picture(&args.output, text.as_bytes())?;
    if tree.drawn() == tree.nodes() {
        return Ok(ExitCode::Done);
    }
    let (nodes, drawn, levels) = (HumanCount(tree.nodes()), HumanCount(tree.drawn()), tree.drawn_depth);
    talk(&format!(
        "this tree has {nodes} nodes; {drawn} were drawn, to depth {levels}: use a smaller --depth, or a larger --max-nodes"
    ));
    Ok(ExitCode::CheckFailed)
}
