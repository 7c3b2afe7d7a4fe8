//! `arbiter tournament`: many bots, one schedule.

use super::Args as CommandLine;
use super::arena::{STOP, play_games, stopped};
use super::exit_code::ExitCode;
use super::failure::Failure;
use super::live::LiveView;
use super::output::Output;
use super::plan::{Plan, Show, TournamentArgs};
use super::rehearsal::rehearse;
use super::saved::{Opened, Saved, course, finished, seed};
use super::signals::Signals;
use super::standings::circumstances;
use super::{Verb, dry_run, tournament_file};
use crate::host::Host;
use crate::player::Desk;
use crate::record::schema::MatchReport;
use crate::report::{Standings, Tally, standings_text};
use crate::sanitize::sanitize;
use crate::ui::talk;
use clap::Parser;
use clap::error::{ContextKind, ErrorKind};
use std::path::Path;
use std::sync::Arc;

/// Runs `arbiter tournament`.
///
/// # Errors
/// Whatever is wrong with the plan, before the first move; later only what cannot be saved.
pub(super) fn tournament(args: &TournamentArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let with_file = args.file.as_deref().map(with_file).transpose()?;
    let args = with_file.as_deref().unwrap_or(args);
    let mut plan = Plan::of_tournament(args, host)?;
    rehearse(&plan)?;
    if args.dry_run {
        let seed = seed(&plan)?;
        plan.seat_by(&seed);
        let (saved, course) = course(&plan, &seed)?;
        return dry_run::print(&plan, &saved, &course, &seed, out);
    }
    let saved = match Saved::open(&mut plan)? {
        Opened::ToPlay(saved) => *saved,
        Opened::Finished(report) => return finished(&plan, &report, out),
    };
    if plan.show == Show::Everything {
        talk(&sanitize(&format!("plays {}", plan.command(&saved.seed))));
    }
    if let Some(warning) = plan.oversubscribed().filter(|_| plan.show == Show::Everything) {
        talk(&warning);
    }
    let (report, journal) = (saved.report().to_owned(), saved.journal.path().to_owned());
    let signals = Signals::listen(&STOP, false, &journal, || {})?;
    let view = LiveView::new(&plan, &saved);
    let saved_plan = saved.plan.clone();
    let (course, played) = play_games(&plan, saved, &Arc::new(Desk::new(|_| {})), &STOP, &view);
    view.finish();
    if let Err(error) = played {
        return Err(stopped(&error, &journal));
    }
    if let Some(shard) = plan.shard {
        return end_of_part(&plan, shard, &journal, &signals, out);
    }
    let tally = Tally::under(&saved_plan);
    let (result, tally) = Saved::write_report(&report, &journal, &course, tally)?;
    let repeated = result.duplicates.iter().map(|group| group.len().saturating_sub(1) as u32).sum();
    let standings = Standings::new(&tally, circumstances(&saved_plan, &course, repeated));
    show(&plan, &standings, &report, out)?;
    Ok(ending(&plan, &result, &signals))
}

/// The arguments of a tournament file, and those that were typed behind them.
fn with_file(path: &Path) -> Result<Box<TournamentArgs>, Failure> {
    let mut words = vec!["arbiter".to_owned(), "tournament".to_owned()];
    words.extend(tournament_file::words(path)?);
    words.extend(std::env::args().skip_while(|word| word != "tournament").skip(1));
    let parsed = CommandLine::try_parse_from(words).map_err(|error| {
        Failure::new(ExitCode::Usage, format!("{}: {}", path.display(), mistake(&error)))
            .hint("arbiter tournament --help shows a file's keys")
    })?;
    match parsed.verb {
        Some(Verb::Tournament(args)) => Ok(args),
        _ => unreachable!("the words begin with the verb"),
    }
}

/// What is wrong with the words of a file, in the file's own terms.
fn mistake(error: &clap::Error) -> String {
    let said = |kind| error.get(kind).map(|value| value.to_string().trim_start_matches('-').to_owned());
    if let (ErrorKind::UnknownArgument, Some(key)) = (error.kind(), said(ContextKind::InvalidArg)) {
        let similar = said(ContextKind::SuggestedArg).map(|similar| format!(" (did you mean {similar}?)"));
        return format!("there is no key '{key}'{}", similar.unwrap_or_default());
    }
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

fn show(plan: &Plan, standings: &Standings, report: &Path, out: &mut Output) -> Result<(), Failure> {
    let path = report.display().to_string();
    if plan.show == Show::Json {
        let event = serde_json::json!({ "ev": "report", "path": path, "result": standings.json() });
        return out.line(&event.to_string());
    }
    out.text(&standings_text(standings, plan.format, out.charset()))?;
    if plan.format == crate::report::Format::Table {
        out.line("")?;
        out.line(&path)
    } else {
        talk(&path);
        Ok(())
    }
}

/// What remains to be said, and the exit code.
fn ending(plan: &Plan, result: &MatchReport, signals: &Signals) -> ExitCode {
    let (ended, asked) = (result.games_ended, result.games_asked);
    if ended == asked {
        return plan.checked(result);
    }
    let how = if plan.wave.is_some() && signals.heard().is_none() {
        "the same command with --after and this report plays the next"
    } else {
        "the same command with --resume plays the rest"
    };
    talk(&format!("{ended} of {asked} games ended and are saved; {how}"));
    if plan.wave.is_some() && signals.heard().is_none() {
        return ExitCode::Done;
    }
    // What nobody has stopped was broken off by a bug of ours, which has been told.
    signals.heard().unwrap_or(ExitCode::Bug)
}

/// A part ends with its journal; the report is made of all parts.
fn end_of_part(
    plan: &Plan,
    shard: crate::tournament::Shard,
    journal: &Path,
    signals: &Signals,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    out.line(&journal.display().to_string())?;
    if let Some(code) = signals.heard() {
        talk(&format!("part {shard} was stopped; the same command with --resume plays the rest"));
        return Ok(code);
    }
    if plan.show == Show::Everything {
        talk(&format!("part {shard} is done; `arbiter merge` makes a report of all parts"));
    }
    Ok(ExitCode::Done)
}

impl Plan {
    /// The exit code of a finished match or tournament, with the checks that were asked for.
    pub(super) fn checked(&self, result: &MatchReport) -> ExitCode {
        use crate::record::schema::SprtDecision;
        let accepts = result.sprt.as_ref().is_some_and(|test| test.decision == SprtDecision::H1);
        let codes = result.totals.iter().flat_map(|totals| totals.errors.keys());
        let has_fault = codes.into_iter().any(|code| code != "resigned");
        if self.sprt_exit && !accepts || self.fail_on_fault && has_fault {
            ExitCode::CheckFailed
        } else {
            ExitCode::Done
        }
    }
}
