//! The command line: arguments become a plan, everything in the plan is checked, then it runs.

mod failure;
mod options;
mod output;
mod parsing;
mod plan;
mod rehearsal;
mod runner;
mod said;
mod saved;
mod show;
mod signals;
mod stamp;
mod verbs;

pub use failure::ExitCode;
use failure::Failure;

use crate::host::Host;
use crate::ui::talk;
use clap::{CommandFactory, Parser};
use output::Output;
use said::Said;
use verbs::Verb;

const EXAMPLES: &str = "\
Examples:
  arbiter greedy minimax --game othello --games 10       ten games of two bots
  arbiter greedy --game othello                          you against a bot
  arbiter greedy --game othello --web                    the same in a browser
  arbiter ./a.so ./b.py --game othello --clock 60s+0.5s  bots of your own, with clocks
  arbiter report results/                                what was played

Environment: DEBUG=1 means --debug; SMPATH=DIR is the default of --pictures; NO_COLOR and CLICOLOR_FORCE decide about colours, \
NO_MOTION=1 leaves out the fall of discs; ARBITER_BRIDGES=DIR is a folder of bridges beside those that came with arbiter, by its whole \
path; RUST_LOG=arbiter=debug says what arbiter does.

Exit codes: 0 done, 1 a check failed, 2 wrong use, 3 a bot cannot be loaded, or the machine \
cannot run it, 4 a file cannot be written or read, 5 an empty seat, 101 a bug in arbiter, 130 and 143 stopped by a signal.";

/// A tournament referee for board-game AIs.
#[derive(Parser, Debug)]
#[command(name = "arbiter", version, propagate_version = true, max_term_width = 110, after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    play: plan::PlayArgs,
}

/// Runs the program with its arguments and reports what went wrong.
pub fn run() -> ExitCode {
    let (args, said) = match parsing::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) if error.use_stderr() => {
            // It quotes words that may be names of strangers' files, as in `arbiter report *`.
            error.to_string().trim_end().lines().for_each(talk);
            return ExitCode::Usage;
        }
        Err(help) => {
            return code_of(help.print().map(|()| ExitCode::Done).map_err(|problem| output::lost(&problem)));
        }
    };
    #[cfg(unix)]
    signals::outlive_large_files();
    let (mut out, host) = (Output::stdout(), Host::default());
    let done = dispatch(&args, &said, &host, &mut out).and_then(|code| out.flush().map(|()| code));
    // Ends all bots that are left.
    drop(host);
    code_of(done)
}

/// The code to end with. What went wrong is told.
fn code_of(done: Result<ExitCode, Failure>) -> ExitCode {
    done.unwrap_or_else(|failure| {
        if failure.code != ExitCode::Done {
            failure.tell();
        }
        failure.code
    })
}

fn dispatch(args: &Args, said: &Said, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    match &args.verb {
        Some(verb) => verb.run(said, Args::command(), host, out),
        None => match args.play.mistyped(host, Args::command) {
            Some(failure) => Err(failure),
            None => verbs::play(&args.play, said, host, out),
        },
    }
}
