//! Going on with what was interrupted: the journal that fits, and why others do not.

use super::place::{JOURNAL, journal_of, of_part};
use super::read::no_stranger;
use super::unlike::{begun_with, told};
use super::{Opened, Saved, course, header_of, isolation, not_before, openings};
use crate::cli::plan::{Plan, Show};
use crate::cli::{ExitCode, Failure, Output};
use crate::record::schema::{self, GameRecord, JournalHeader, MatchReport};
use crate::record::{
    Journal, Reader, RecordError, Scored, Unread, date, live_file, read, read_live, replace, write_line,
};
use crate::report::{Ledger, Tally};
use crate::tournament::MatchSeed;
use crate::ui::talk;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The end of a report's name, unless somebody has named it.
const REPORT: &str = ".json";

/// Goes on with the newest journal of the same plan. Without one a report may have all games already, or some of them; otherwise
/// there is nothing to go on with, and the match begins. So the same command can be given again and again.
pub(super) fn resume(plan: &Plan) -> Result<Option<Opened>, Failure> {
    let mut others = Others::default();
    if let Some(path) = candidates(plan, JOURNAL).into_iter().find(|path| others.fits(path, plan)) {
        return go_on(&path, read_live(&path), plan).map(Some);
    }
    for path in candidates(plan, REPORT) {
        // A file that is no report is dealt with when the match begins.
        let Ok(report) = Reader::open(&path) else { continue };
        match why_not(report.frame(), None, plan) {
            None => {
                if let Some(opened) = of_report(&path, report, plan)? {
                    return Ok(Some(opened));
                }
            }
            Some(what) if plan.run.output.is_some() => others.add(&path, &what),
            Some(_) => {}
        }
    }
    others.nothing_fits(plan).map(|()| None)
}

/// What becomes of a report of this plan: it is finished, or gets its journal again. One that is merged of parts cannot, as a journal
/// says of one machine what all games were played on; it is passed over, unless it was named.
fn of_report(path: &Path, report: Reader, plan: &Plan) -> Result<Option<Opened>, Failure> {
    let (is_finished, has_people) = (is_finished(report)?, plan.games.has_people());
    let finished = || Ok(Some(Opened::Finished(path.to_owned())));
    if is_finished && !has_people {
        return finished();
    }
    let mut report = read(path)?;
    // The last game of people goes on if they have left it.
    let left = report.games.pop_if(|game| has_people && game.was_left());
    if is_finished && left.is_none() {
        return finished();
    }
    if report.parts.is_empty() {
        reopen(path, report, left.as_ref(), plan)?;
        return go_on(&journal_of(path), left, plan).map(Some);
    }
    if plan.run.output.is_none() {
        return Ok(None);
    }
    let message = format!("{} is merged of parts, and lacks games", path.display());
    Err(Failure::file(message).hint(
        "--after with it instead of --resume, and another --output: that plays the rest, and arbiter merge makes one report of both",
    ))
}

/// Whether `--resume` would go on with something now: a match that was broken off, or one whose last game a person has left.
pub(crate) fn is_left(plan: &Plan) -> bool {
    let mut others = Others::default();
    if let Some(path) = candidates(plan, JOURNAL).iter().find(|path| others.fits(path, plan)) {
        return Journal::check_free(path).is_ok();
    }
    let is_same =
        |path: &PathBuf| Reader::open(path).is_ok_and(|of| why_not(of.frame(), None, plan).is_none());
    let newest =
        if plan.games.has_people() { candidates(plan, REPORT).into_iter().find(is_same) } else { None };
    newest.is_some_and(|path| read(&path).is_ok_and(|of| of.games.last().is_some_and(GameRecord::was_left)))
}

/// The files that may be of a plan: the one that is named, or those in the folder whose names end so, newest first. They begin with
/// the time.
fn candidates(plan: &Plan, end: &str) -> Vec<PathBuf> {
    if let Some(report) = &plan.run.output {
        let report = of_part(report, plan);
        return vec![if end == JOURNAL { journal_of(&report) } else { report }];
    }
    let entries = fs::read_dir(&plan.run.results).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(end)).collect();
    paths.sort_by(|one, other| other.cmp(one));
    paths
}

/// What is there and is something else.
#[derive(Default)]
struct Others {
    different: Vec<String>,
    /// How each was begun.
    commands: Vec<String>,
}

impl Others {
    fn add(&mut self, path: &Path, what: &str) {
        self.different.push(format!("{} has {what}", path.display()));
    }

    /// Whether a journal is one of this plan.
    fn fits(&mut self, path: &Path, plan: &Plan) -> bool {
        match Journal::header(path) {
            Ok(begun) => {
                let part = begun.shard.as_deref();
                let Some(what) = why_not(&MatchReport::of_journal(&begun), part, plan) else {
                    return true;
                };
                // Every part has a journal of its own in the folder of results.
                let own = plan.run.part.shard.map(|shard| shard.to_string());
                if plan.run.output.is_none() && own.is_some() && part != own.as_deref() {
                    return false;
                }
                self.add(path, &what);
                let part = part.map_or_else(String::new, |shard| format!(" --shard {shard}"));
                // Where the command is the one that was typed now, the files of its bots have changed, and it would lead here again.
                let seed = plan.games.seed.clone().unwrap_or_else(|| MatchSeed::new(&begun.plan.seed));
                let command = begun.command.filter(|command| *command != plan.command(&seed));
                self.commands.extend(command.map(|command| command + &part));
            }
            Err(RecordError::Journal { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.different.push(error.to_string()),
        }
        false
    }

    /// Says that there is nothing to go on with. That is a failure where a file was named and something else is in it.
    fn nothing_fits(self, plan: &Plan) -> Result<(), Failure> {
        let place = plan.run.output.as_deref().unwrap_or(&plan.run.results).display();
        let other = match &self.commands[..] {
            [one] => {
                let option = if plan.run.output.is_some() { "--output" } else { "--results" };
                format!("{one} {option} {place} --resume")
            }
            _ => "the same command as before, with arbiter and the files of bots as they were, and --resume added"
                .to_owned(),
        };
        if plan.run.output.is_some() && !self.different.is_empty() {
            let message = format!("there is no interrupted match or tournament of these players at {place}");
            let failure = Failure::file(message);
            return Err(self.different.iter().fold(failure, |failure, what| failure.cause(what)).hint(other));
        }
        // That something else is there is a warning, and not left out by --quiet.
        let is_told = match plan.view.show {
            Show::Everything => plan.run.part.shard.is_none() || !self.different.is_empty(),
            Show::Result => !self.different.is_empty(),
            Show::Json => false,
        };
        if is_told {
            talk("there is nothing to go on with: this begins");
            self.different.iter().for_each(|what| talk(&format!("  {what}")));
            if !self.different.is_empty() {
                talk(&format!("  to go on with that: {other}"));
            }
        }
        Ok(())
    }
}

/// Says so of a report that has all of its games. The exit code is that of the run that played the last one.
pub(crate) fn finished(plan: &Plan, report: &Path, out: &mut Output) -> Result<ExitCode, Failure> {
    let path = report.display().to_string();
    if plan.view.show == Show::Json {
        out.json(&serde_json::json!({ "ev": "report", "path": path }))?;
    } else {
        talk("this is finished: the report has all of its games");
        out.line(&path)?;
    }
    let mut games = Reader::open(report)?;
    let mut tally = Tally::under(games.plan());
    games.by_ref().try_for_each(|game| game?.game().map(|game| tally.add(&game)))?;
    Ok(plan.checked(&games.end()?, tally.faults))
}

/// Gives a report a journal again: one that lacks games and whose journal is gone, or whose last game a person has left.
/// The report stays until the journal has all that is in it.
fn reopen(path: &Path, report: MatchReport, left: Option<&GameRecord>, plan: &Plan) -> Result<(), Failure> {
    let MatchReport { games, plan: begun, started, machine, .. } = report;
    let seated = plan.games.seated_again(&begun);
    let (_, mut course) = course(plan, &seated)?;
    let header = header_of(plan, &seated, &begun, &course);
    games.iter().for_each(|game| _ = course.hear(game));
    no_stranger(&course, games.iter().map(|game| (game.number, path)))?;
    let mut lines = Vec::new();
    let header = JournalHeader {
        started: started.unwrap_or(header.started),
        machine: machine.unwrap_or(header.machine),
        ..header
    };
    write_line(&header, &mut lines);
    games.iter().for_each(|game| write_line(game, &mut lines));
    let path = journal_of(path);
    // The game that goes on, then the journal, each all at once: without its games the journal would have the whole match
    // played again, over the report.
    let begun =
        left.map_or(Ok(()), |left| replace(&live_file(&path), |out| Ok(serde_json::to_writer(out, left)?)));
    let written = begun.and_then(|()| replace(&path, |out| out.write_all(&lines)));
    Ok(written.map_err(|source| RecordError::NotWritten { path, source })?)
}

fn is_finished(mut report: Reader) -> Result<bool, Failure> {
    let games = report.by_ref().try_fold(0, |games, game| game.map(|_| games + 1))?;
    Ok(games == report.end()?.games_asked)
}

/// Whether a file is a report of this plan, seed included, all of whose games are known, and which lacks some.
fn is_within(report: &Path, plan: &schema::Plan, known: &HashSet<u32>) -> bool {
    let Ok(mut report) = Reader::open(report) else { return false };
    let is_known = |game: Result<Unread, RecordError>| {
        game.and_then(|game| game.number()).is_ok_and(|number| known.contains(&number))
    };
    report.plan() == plan
        && report.by_ref().all(is_known)
        && report.end().is_ok_and(|report| report.games_ended < report.games_asked)
}

/// What a journal or report of this part has that this plan has not. Without `--seed` its seed is taken.
fn why_not(begun: &MatchReport, part: Option<&str>, plan: &Plan) -> Option<String> {
    let wanted = plan.saved(&plan.games.seated_again(&begun.plan));
    begun_with(&begun.plan, &begun.arbiter, begun.format_version, &wanted).or_else(|| {
        let shard = plan.run.part.shard.map(|shard| shard.to_string());
        if part != shard.as_deref() {
            return Some(told("--shard", part.map(str::to_owned), shard));
        }
        // A report says how bots were held, of all of its games.
        let typed = |means: &[String]| (!means.is_empty()).then(|| means.join(","));
        let (held, asked) = (&begun.machine.as_ref()?.isolation, &isolation(plan));
        (held != asked).then(|| told("--isolate", typed(held), typed(asked)))
    })
}

/// Goes on with a journal, and with the game that has been begun.
fn go_on(path: &Path, begun: Option<GameRecord>, plan: &Plan) -> Result<Opened, Failure> {
    let header = Journal::header(path)?;
    date(&header.started).into_iter().for_each(not_before);
    let seated = plan.games.seated_again(&header.plan);
    let (_, mut course) = course(plan, &seated)?;
    // What bots said of themselves when this was begun is what the report will say.
    let saved = header.plan;
    let (mut ledger, mut seen) = (Ledger::under(&saved), HashSet::new());
    let (journal, _) = Journal::reopen(path, |game| {
        game.ended().into_iter().for_each(not_before);
        if let Some(scored) = Scored::of(&game)
            && seen.insert(game.number)
        {
            course.ended(game.number, scored);
            ledger.add(&game);
        }
    })?;
    no_stranger(&course, seen.iter().map(|&number| (number, path)))?;
    let name = path.to_string_lossy();
    let report = PathBuf::from(name.strip_suffix(JOURNAL).unwrap_or(&name));
    if is_within(&report, &saved, &seen) {
        // Others would take it for the whole match; without it they read the journal. One that cannot be removed is written again
        // at the end.
        drop(fs::remove_file(&report));
    }
    let begun = begun.filter(|_| plan.games.has_people());
    let openings = openings(plan, &seated);
    let saved = Saved { journal, seated, plan: saved, course, openings, begun, made: None, report };
    Ok(Opened::ToPlay(Box::new((saved, ledger))))
}
