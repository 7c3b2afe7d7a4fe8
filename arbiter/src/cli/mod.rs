//! The command line: arguments become a plan, everything in the plan is checked, then it runs.

mod again;
mod arena;
mod ask;
mod batch;
mod bots;
mod check;
mod demo;
mod doctor;
mod draw;
mod dry_run;
mod environment;
mod exit_code;
mod failure;
mod game_name;
mod ggf;
mod inspect;
mod isolation;
mod live;
mod manual;
mod menu;
mod merge;
mod new_bot;
mod output;
mod people;
mod pictures;
mod plan;
mod play;
mod pool;
mod position;
mod rehearsal;
mod replay;
mod report;
mod rules;
mod saved;
mod schema;
mod shards;
mod signals;
mod stage;
mod standings;
mod stats;
mod stats_batch;
mod stats_question;
mod time;
mod tournament;
mod tournament_file;
mod tree;
mod verify;

pub use exit_code::ExitCode;
pub use failure::Failure;

use crate::host::Host;
use crate::ui::talk;
use arbiter_rules::did_you_mean;
use clap::{CommandFactory, Parser, Subcommand};
use output::Output;

const EXAMPLES: &str = "\
Examples:
  arbiter ./greedy.so ./minimax.so --game othello --games 10  ten games
  arbiter ./greedy.so --game othello                          you against a bot
  arbiter ./a.so ./b.so --game othello --clock 60s+0.5s       with clocks
  arbiter report results/                                     what was played

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

#[derive(Subcommand, Debug)]
enum Verb {
    /// Play a tournament: round robin, gauntlet, Swiss, knockout, double elimination
    Tournament(Box<plan::TournamentArgs>),
    /// Print the standings of a tournament or match, from reports and journals
    Standings(standings::StandingsArgs),
    /// Make one report of the parts of a tournament
    Merge(merge::MergeArgs),
    /// Judge a match report again, without the bots
    Verify(verify::VerifyArgs),
    /// Play the moment in which a bot failed once more, with the real bot
    Again(again::AgainArgs),
    /// Print what happened in a match
    Report(report::ReportArgs),
    /// Show the games of a match move by move
    Replay(replay::ReplayArgs),
    /// Show all boards, one after another
    Demo(demo::DemoArgs),
    /// Begin a bot: a project that builds and plays at once
    NewBot(new_bot::NewBotArgs),
    /// Ask a bot for its move in a position
    Ask(ask::AskArgs),
    /// Tell what a plugin is, or why it cannot be loaded
    Inspect(inspect::InspectArgs),
    /// Try a bot out in every situation that trips bots up, with advice
    Check(check::CheckArgs),
    /// Tell what this machine offers for containing bots and for fair clocks
    Doctor(doctor::DoctorArgs),
    /// List the bots in a folder
    Bots(bots::BotsArgs),
    /// List the games, or explain the rules of one
    Rules(rules::RulesArgs),
    /// Draw a position as a picture: SVG, PNG or DOT
    Draw(draw::DrawArgs),
    /// Draw the tree of decisions from a position, with the value of each: SVG or DOT
    Tree(tree::TreeArgs),
    /// Show a position: the board and the legal moves
    Position(position::ShowArgs),
    /// Count the move sequences of a given length
    Perft(position::PerftArgs),
    /// Calculate ratings, errors, stopping rules and pairings from numbers
    Stats(stats::StatsArgs),
    /// Print the JSON Schema of match reports
    Schema,
    /// Print what makes a shell complete this command line
    Completions(manual::CompletionsArgs),
    /// Write the man pages
    Man(manual::ManArgs),
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
        None if args.play.is_empty() && stage::has_screen() => menu::menu(&args.play, host, out),
        None => mistyped(&args.play).map_or_else(|| play::play(&args.play, host, out), Err),
        Some(Verb::Tournament(args)) => tournament::tournament(args, host, out),
        Some(Verb::Standings(args)) => standings::standings(args, out),
        Some(Verb::Merge(args)) => merge::merge(args, out),
        Some(Verb::Verify(args)) => verify::verify(args, out),
        Some(Verb::Again(args)) => again::again(args, host, out),
        Some(Verb::Report(args)) => report::report(args, out),
        Some(Verb::NewBot(args)) => new_bot::new_bot(args, out),
        Some(Verb::Ask(args)) => ask::ask(args, host, out),
        Some(Verb::Inspect(args)) => inspect::inspect(args, host, out),
        Some(Verb::Check(args)) => check::check(args, host, out),
        Some(Verb::Doctor(args)) => doctor::doctor(args, host, out),
        Some(Verb::Bots(args)) => bots::bots(args, host, out),
        Some(Verb::Rules(args)) => rules::rules(args, out),
        Some(Verb::Draw(args)) => draw::draw(args, out),
        Some(Verb::Tree(args)) => tree::tree(args, out),
        Some(Verb::Position(args)) => position::show(args, out),
        Some(Verb::Perft(args)) => position::perft(args, out),
        Some(Verb::Stats(args)) => stats::stats(args, out),
        Some(Verb::Schema) => schema::schema(out),
        Some(Verb::Replay(args)) => replay::replay(args, out),
        Some(Verb::Demo(args)) => demo::demo(args, out),
        Some(Verb::Completions(args)) => manual::completions(args, out),
        Some(Verb::Man(args)) => manual::man(args, out),
    }
}

/// A first word that is no bot's file, but nearly a command.
fn mistyped(args: &plan::PlayArgs) -> Option<Failure> {
    let word = args.first_word()?;
    let program = Args::command();
    let similar = did_you_mean(word, program.get_subcommands().map(clap::Command::get_name));
    let message = format!("there is no command and no file '{word}'{similar}");
    (!similar.is_empty())
        .then(|| Failure::new(ExitCode::Usage, message).hint("arbiter --help lists the commands"))
}
