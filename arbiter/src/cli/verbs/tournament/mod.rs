//! `arbiter tournament`: many bots, one schedule.

mod dry_run;

use crate::cli::options::{Printing, with_file};
use crate::cli::plan::{Plan, Show, TournamentArgs};
use crate::cli::rehearsal::rehearse;
use crate::cli::runner::{Desks, GO_ON, games_are_left, play_games, stopped};
use crate::cli::said::Said;
use crate::cli::saved::{Opened, Saved, course, finished, seated};
use crate::cli::show::circumstances::circumstances;
use crate::cli::show::names::Names;
use crate::cli::show::progress::ProgressView;
use crate::cli::show::results::print_standings;
use crate::cli::signals::{BY_RESUME, Signals};
use crate::cli::{ExitCode, Failure, Output};
use crate::host::Host;
use crate::player::Desk;
use crate::report::{Standings, same_files};
use crate::ui::talk;
use std::path::Path;

/// Plays what is typed, and what the file says, if one is named.
pub(crate) fn tournament(
    args: &TournamentArgs,
    said: &Said,
    host: &Host,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.file {
        let (args, said) = with_file(file, "tournament", [], said.words_without(&["file"]))?;
        return tournament(&args, &said, host, out);
    }
    let plan = Plan::of_tournament(args, said, host)?;
    if let Some(anchor) = &args.anchor {
        let names: Vec<String> = seated(&plan)?.entrants.into_iter().map(|entrant| entrant.name).collect();
        anchor.among(&names)?;
    }
    rehearse(&plan)?;
    if args.dry_run {
        let seated = seated(&plan)?;
        let (saved, course) = course(&plan, &seated)?;
        return dry_run::print(&plan, &saved, &course, &seated, out);
    }
    let (mut saved, ledger) = match Saved::open(&plan)? {
        Opened::ToPlay(begun) => *begun,
        Opened::Finished(report) => return finished(&plan, &report, out),
    };
    if plan.view.show == Show::Everything {
        talk(&format!("plays {}", plan.command(&saved.seated.seed)));
        same_files(&saved.plan).iter().for_each(|sentence| talk(&format!("warning: {sentence}")));
        plan.warnings().for_each(|warning| talk(&warning));
    }
    let (report, path) = (saved.report.clone(), saved.journal.path().to_owned());
    let signals = Signals::listen(false, &path, BY_RESUME, || {})?;
    let view = ProgressView::new(plan.view.show, plan.view.progress, &saved, ledger);
    let desks = Desks::each(|| Desk::new(|_| {}));
    let place = (&*report, saved.begins());
    let play = || play_games(&plan, &mut saved, &desks, None, &view);
    let played = Printing::during(plan.view.printing.as_ref(), place, true, |line| view.tell(line), play)?;
    let ledger = view.finish();
    if let Err(error) = played {
        return Err(stopped(&error, &path));
    }
    if let Some(shard) = plan.run.part.shard {
        return end_of_part(&plan, shard, &path, &signals, out);
    }
    let (result, tally, course) = saved.close(ledger)?;
    let own: Vec<String> = view.plan.players.iter().map(|player| player.name.clone()).collect();
    let anchor = args.anchor.as_ref().map(|anchor| anchor.among(&own)).transpose()?;
    let named = Names::named(&view.plan, &report);
    let standings =
        Standings::new(&tally, circumstances(&named, &course, result.repeated())).anchored(anchor);
    let shown = if plan.view.show == Show::Json {
        let path = report.display().to_string();
        out.json(&serde_json::json!({ "ev": "report", "path": path, "result": standings.json() }))
    } else {
        print_standings(&standings, args.format, &report, out)
    };
    shown.and_then(|()| out.flush()).map_err(|failure| failure.but_saved(&report))?;
    view.tell_again();
    if result.games_ended == result.games_asked {
        return Ok(plan.checked(&result, tally.faults));
    }
    let (how, unheard) = match (signals.heard(), plan.run.part.wave) {
        (None, Some(_)) => {
            ("the same command with --after and this report plays the next", Some(ExitCode::Done))
        }
        _ => (GO_ON, None),
    };
    Ok(games_are_left(&result, how, &signals, unheard))
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
        talk(&format!("part {shard} was stopped; {GO_ON}"));
        return Ok(code);
    }
    if plan.view.show == Show::Everything {
        talk(&format!("part {shard} is done; `arbiter merge` makes a report of all parts"));
    }
    Ok(ExitCode::Done)
}
