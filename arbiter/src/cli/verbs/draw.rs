//! `arbiter draw`: a position as a picture.

use crate::cli::options::{Opened, PositionArgs, SCALE, format_of, write_picture};
use crate::cli::{ExitCode, Failure};
use crate::picture::{Format, render};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbiter draw --game othello --moves f5d6c3 -o position.svg\n  arbiter draw --game ultimate --position '6xoxOOOX2xo1ox1oXx2xo4oox4ox o' -o position.png\n  arbiter draw --game stacks -o position.dot && dot -Tpdf position.dot -o position.pdf"
)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    which: PositionArgs,
    /// The file; its ending says the format: .svg, .png or .dot
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn draw(args: &DrawArgs) -> Result<(), Failure> {
    let format = format_of(&args.output, &Format::ALL)?;
    let Opened { position, last } = args.which.open()?;
    let picture = render(&position, &last, format, SCALE)
        .map_err(|error| Failure::of(ExitCode::Usage, &error).hint("an .svg"))?;
    write_picture(&args.output, &picture)
}
