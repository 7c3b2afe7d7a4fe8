//! The verbs of the command line, one file or folder each. What several verbs need lies beside this folder.

mod abi;
mod again;
mod ask;
mod bots;
mod check;
mod cluster;
mod compare;
mod demo;
mod doctor;
mod draw;
mod inspect;
mod league;
mod manual;
mod merge;
mod new_bot;
mod perft;
mod play;
mod position;
mod replay;
mod report;
mod rules;
mod serve;
mod standings;
mod stats;
mod tournament;
mod tree;
mod verify;

pub(super) use play::play;

use super::plan;
use crate::cli::said::Said;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::Host;
use clap::{Command, Subcommand};

#[derive(Subcommand, Debug)]
pub(super) enum Verb {
    /// Play a tournament: round robin, gauntlet, Swiss, knockout, double elimination
    Tournament(Box<plan::TournamentArgs>),
    /// Play a league: every bot in a folder, those that come later too, until it is clear who is stronger
    League(Box<plan::LeagueArgs>),
    /// Tell whether a bot has got stronger: play its two versions until that is known
    Compare(compare::CompareArgs),
    /// Print the standings of a tournament or match, from reports and journals
    Standings(standings::StandingsArgs),
    /// Make one report of the parts of a tournament
    Merge(merge::MergeArgs),
    /// Print what plays a tournament file on many machines
    #[command(subcommand)]
    Cluster(cluster::ClusterArgs),
    /// Judge a match report again, without the bots
    Verify(verify::VerifyArgs),
    /// Play the moment in which a bot failed once more, with the real bot
    Again(again::AgainArgs),
    /// Print what happened in a match
    Report(report::ReportArgs),
    /// Show the reports of a folder, and what is being played, on a page that renews itself
    Serve(serve::ServeArgs),
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
    Perft(perft::PerftArgs),
    /// Calculate ratings, errors, stopping rules and pairings from numbers
    Stats(stats::StatsArgs),
    /// Print the JSON Schema of match reports
    Schema,
    /// Tell other languages where everything of arbiter_bot.h lies in memory
    Abi(abi::AbiArgs),
    /// Print what makes a shell complete this command line
    Completions(manual::CompletionsArgs),
    /// Write the man pages
    Man(manual::ManArgs),
}

impl Verb {
    /// Does what the verb says. `said` is how it says that, and `program` is the whole command line, for those that describe it.
    pub(super) fn run(
        &self,
        said: &Said,
        program: Command,
        host: &Host,
        out: &mut Output,
    ) -> Result<ExitCode, Failure> {
        // Those that return have more to say than that all is done.
        match self {
            Verb::Tournament(args) => return tournament::tournament(args, said, host, out),
            Verb::League(typed) => {
                let written = league::with_its_file(typed, said)?;
                let args = written.as_ref().unwrap_or(typed);
                if !args.finals {
                    return league::league(args, host, out);
                }
                let (finals, said) = league::finals(args)?;
                let code = tournament::tournament(&finals, &said, host, out)?;
                league::write_page(args);
                return Ok(code);
            }
            Verb::Compare(args) => {
                let (args, said) = args.tournament()?;
                return tournament::tournament(&args, &said, host, out);
            }
            Verb::Standings(args) => standings::standings(args, out),
            Verb::Merge(args) => return merge::merge(args, out),
            Verb::Cluster(args) => cluster::cluster(args, host, out),
            Verb::Verify(args) => return verify::verify(args, out),
            Verb::Again(args) => again::again(args, host, out),
            Verb::Report(args) => report::report(args, out),
            Verb::Serve(args) => serve::serve(args),
            Verb::Replay(args) => return replay::replay(args, host, out),
            Verb::Demo(args) => demo::demo(args, out),
            Verb::NewBot(args) => new_bot::new_bot(args, out),
            Verb::Ask(args) => return ask::ask(args, host, out),
            Verb::Inspect(args) => inspect::inspect(args, host, out),
            Verb::Check(args) => return check::check(args, said, host, out),
            Verb::Doctor(args) => return doctor::doctor(args, host, out),
            Verb::Bots(args) => bots::bots(args, host, out),
            Verb::Rules(args) => rules::rules(args, out),
            Verb::Draw(args) => draw::draw(args),
            Verb::Tree(args) => return tree::tree(args),
            Verb::Position(args) => position::show(args, out),
            Verb::Perft(args) => perft::perft(args, out),
            Verb::Stats(args) => stats::stats(args, out),
            Verb::Schema => manual::schema(out),
            Verb::Abi(args) => abi::abi(args, out),
            Verb::Completions(args) => manual::completions(args, program, out),
            Verb::Man(args) => manual::man(args, program, out),
        }
        .map(|()| ExitCode::Done)
    }
}
