//! The command line: arguments become a plan, everything in the plan is checked, then it runs.

mod anchor;
mod boards;
mod circumstances;
mod colour;
mod exit_code;
mod failure;
mod isolation;
mod json_lines;
mod live;
mod output;
mod pages;
mod people;
mod pictures;
mod plan;
mod position;
mod presentation;
mod rehearsal;
mod runner;
mod runtimes;
mod saved;
mod shown;
mod signals;
mod time;
mod tournament_file;
mod verbs;

pub use exit_code::ExitCode;
pub use failure::Failure;

use crate::host::Host;
use crate::ui::talk;
use arbiter_rules::did_you_mean;
use clap::{CommandFactory, Parser};
use output::Output;
use verbs::Verb;

const EXAMPLES: &str = "\
Examples:
  arbiter greedy minimax --game othello --games 10       ten games between two bots that came with arbiter
  arbiter greedy --game othello                          you against a bot
  arbiter greedy --game othello --web                    the same in a browser: each person gets a link
  arbiter ./a.so ./b.py --game othello --clock 60s+0.5s  bots of your own, with clocks
  arbiter report results/                                what was played

Environment: SMPATH=DIR is the default of --pictures; NO_COLOR and CLICOLOR_FORCE decide about colours.

Exit codes: 0 done, 1 a check failed, 2 wrong use, 3 a bot cannot be loaded, or the machine \
cannot run it, 4 a file cannot be written or read, 5 an empty seat, 101 a bug in arbiter, 130 and 143 stopped by a signal.";

/// A tournament referee for board-game AIs.
#[derive(Parser, Debug)]
#[command(name = "arbiter", version, propagate_version = true, max_term_width = 110, after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    play: plan::PlayArgs,
}

/// Runs the program with these arguments and reports what went wrong.
#[must_use]
pub fn run(args: &Args) -> ExitCode {
    let (mut out, host) = (Output::stdout(), Host::new());
    let done = dispatch(args, &host, &mut out).and_then(|code| out.flush().map(|()| code));
    // Ends all bots that are left.
    drop(host);
    done.unwrap_or_else(|failure| {
        if failure.code() != ExitCode::Done {
            talk(failure.text().trim_end());
        }
        failure.code()
    })
}

fn dispatch(args: &Args, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    match &args.verb {
        Some(verb) => verb.run(Args::command(), host, out),
        None => mistyped(&args.play, host).map_or_else(|| verbs::play(&args.play, host, out), Err),
    }
}

/// A first word that is no bot, but nearly a command.
fn mistyped(args: &plan::PlayArgs, host: &Host) -> Option<Failure> {
    let word = args.first_word().filter(|word| host.own_bot(word).is_none())?;
    let program = Args::command();
    let similar = did_you_mean(word, program.get_subcommands().map(clap::Command::get_name));
    let message = format!("there is no command and no file '{word}'{similar}");
    (!similar.is_empty())
        .then(|| Failure::new(ExitCode::Usage, message).hint("arbiter --help lists the commands"))
}
