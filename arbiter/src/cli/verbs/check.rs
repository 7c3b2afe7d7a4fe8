//! `arbiter check`: whether a bot would get through a tournament, step by step, with advice.

use crate::check::{Finding, Level, Reach, STEPS, Step, Subject};
use crate::cli::failure::{last_lines, machine_failed};
use crate::cli::options::{GameName, RuntimeArgs, key_value, start, time};
use crate::cli::said::Said;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{BotCommand, Host, Limits, Sandbox};
use crate::report::count;
use crate::sanitize::sanitize;
use crate::ui::talk;
use arbiter_rules::{GameInfo, registry};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;
use std::collections::VecDeque;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbiter check ./bot.so\n  arbiter check ./bot.so --game othello --only pass"
)]
pub(crate) struct CheckArgs {
    /// The plugin file, or the name of a bot that came with arbiter
    #[arg(value_name = "BOT")]
    file: String,
    /// Only this game [default: every game that the bot plays]
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: Option<String>,
    /// Only this step; may be given more than once
    #[arg(long, value_name = "STEP", value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.id)), hide_possible_values = true)]
    only: Vec<String>,
    /// An option for the bot
    #[arg(short = 'B', value_name = "KEY=VALUE", value_parser = key_value)]
    options: Vec<(String, String)>,
    /// Time for a move in steps that are not about time
    #[arg(long, value_name = "TIME", value_parser = time::positive, default_value = "1s")]
    move_time: Duration,
    /// How strictly the bot's system calls are judged
    #[arg(long, value_name = "HOW", default_value = "strict")]
    sandbox: Sandbox,
    #[command(flatten)]
    languages: RuntimeArgs,
    /// Print one JSON object for each step
    #[arg(long)]
    json: bool,
}

/// A step on one game, or on the file.
type Task = (&'static Step, Option<&'static GameInfo>);

pub(crate) fn check(
    args: &CheckArgs,
    said: &Said,
    host: &Host,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    let position = args.game.as_ref().map(|game| start(game, None, &[], None)).transpose()?;
    let subject = open(args, host)?;
    let mut tasks = tasks(args, &subject, position.map(|position| position.info()))?;
    let mut counts = [0; 4];
    let mut trial =
        Trial { plays_any: registry::GAMES.iter().any(|info| subject.plays(info)), ..Trial::default() };
    let mut known = Known::default();
    while let Some((step, game)) = tasks.pop_front() {
        let findings = step.run(&subject, game);
        if let Some(failure) = findings.iter().find_map(|finding| finding.machine.as_deref()) {
            let failure = machine_failed(&args.file, failure);
            return Err(failure.cause(&format!("the step {} was not done", step.id)));
        }
        let level = Level::of(&findings);
        counts[level as usize] += 1;
        trial.note(step, game, &findings);
        let told = Told { step, game, level, findings: &findings, again: again(said, step, game) };
        if args.json {
            out.json(&told.json())?
        } else if !known.folds(&told) {
            told.print(out)?
        }
        let before = tasks.len();
        let is_other = |of: Option<&GameInfo>| of.map(|info| info.id) != game.map(|info| info.id);
        let reach = |reach| findings.iter().any(|finding| finding.reach == reach);
        if reach(Reach::Every) {
            tasks.clear();
        } else if reach(Reach::Game) {
            tasks.retain(|(_, of)| is_other(*of));
        }
        if tasks.front().is_none_or(|(_, of)| is_other(*of)) {
            known.print(out)?;
        }
        out.flush()?;
        if tasks.len() < before {
            let of = if reach(Reach::Game) { format!(" of {}", told.place()) } else { String::new() };
            talk(&format!("the other steps{of} would end like this one, and are left out"));
        }
    }
    let untried = trial.result();
    summary(counts, untried.as_deref(), args.json, out)?;
    let is_fit = counts[Level::Fail as usize] == 0 && untried.is_none();
    Ok(if is_fit { ExitCode::Done } else { ExitCode::CheckFailed })
}

/// Whether there was anything to judge the bot by.
#[derive(Default)]
struct Trial {
    plays_any: bool,
    has_played: bool,
    /// What it did in place of playing, each once.
    refusals: Vec<String>,
}

impl Trial {
    fn note(&mut self, step: &Step, game: Option<&GameInfo>, findings: &[Finding]) {
        let Some(game) = game else { return };
        match findings.iter().find(|finding| finding.is_untried) {
            Some(finding) if finding.asked.starts_with("new_game") => {
                let refusal = format!("it refuses the usual {}", game.id);
                if !self.refusals.contains(&refusal) {
                    self.refusals.push(refusal);
                }
            }
            // To resign in an odd position can be right.
            Some(finding) if finding.level > Level::Note && self.refusals.is_empty() => {
                self.refusals.push(finding.did.to_string());
            }
            Some(_) => {}
            // A bot that plays nothing can be created and destroyed all the same.
            None => self.has_played |= step.id != "begin" && step.is_of_every_game(),
        }
    }

    /// Why nothing can be said of the bot, where it played no step.
    fn result(&self) -> Option<String> {
        if !self.plays_any {
            return Some("it plays none of the games that this arbiter knows".to_owned());
        }
        (!self.has_played && !self.refusals.is_empty()).then(|| sanitize(&self.refusals.join(", ")))
    }
}

fn open(args: &CheckArgs, host: &Host) -> Result<Subject, Failure> {
    let host = &args.languages.host(host);
    let limits = Limits { sandbox: args.sandbox, ..Limits::default() };
    let command =
        BotCommand { options: args.options.clone(), limits, ..BotCommand::new(host, host.bot(&args.file)) };
    Subject::open(command, args.move_time)
        .map_err(|error| Failure::new(ExitCode::Bot, format!("cannot load {}", args.file)).not_loaded(&error))
}

/// What is to be done, in order: first the file, then one game after another.
fn tasks(
    args: &CheckArgs,
    subject: &Subject,
    game: Option<&'static GameInfo>,
) -> Result<VecDeque<Task>, Failure> {
    if let Some(game) = game.filter(|game| !subject.plays(game)) {
        let games = subject.greeting.repertoire();
        let message = sanitize(&format!("{} does not play {}; it plays {games}", args.file, game.id));
        return Err(Failure::usage(message).hint("another --game, or add it to its field games"));
    }
    let games = registry::GAMES.iter().copied().filter(|info| match game {
        Some(game) => game.id == info.id,
        None => subject.plays(info),
    });
    let is_wanted = |(step, _): &Task| args.only.is_empty() || args.only.iter().any(|id| id == step.id);
    let tasks: VecDeque<Task> = Step::all(games).filter(is_wanted).collect();
    if tasks.is_empty() {
        let message = format!("there is no such step here: {}", args.only.join(", "));
        return Err(Failure::usage(message).hint("another --game, or none"));
    }
    Ok(tasks)
}

/// The command that repeats one step alone.
fn again(said: &Said, step: &Step, game: Option<&GameInfo>) -> String {
    let game = game.map_or_else(String::new, |game| format!(" --game {}", game.id));
    format!("{}{game} --only {}", said.command("check", &["game", "only", "json"]), step.id)
}

/// How many of the last lines are shown that a bot printed before it failed.
const MOST_PRINTED: usize = 4;

struct Told<'a> {
    step: &'static Step,
    game: Option<&'static GameInfo>,
    level: Level,
    findings: &'a [Finding],
    again: String,
}

/// What has been told, so that one mistake is told in full once, whatever steps and games it shows in.
#[derive(Default)]
struct Known {
    /// How bad, in which words, and by which step.
    findings: Vec<(Level, Box<str>, String)>,
    /// Steps of this game that found nothing else, by the step that was first.
    folded: Vec<Folded>,
}

struct Folded {
    level: Level,
    game: &'static str,
    first: String,
    steps: Vec<&'static str>,
}

impl Known {
    /// Whether a step found only what has been told; then it is kept for the one line that names all such steps.
    fn folds(&mut self, told: &Told<'_>) -> bool {
        let bad = || told.findings.iter().filter(|finding| finding.level != Level::Ok);
        let first = |finding: &Finding| {
            let is_it =
                |(level, did, _): &&(Level, Box<str>, String)| *level >= finding.level && *did == finding.did;
            self.findings.iter().find(is_it).map(|(.., step)| step.clone())
        };
        let known: Option<Vec<String>> = bad().map(first).collect();
        let Some(first) = known.and_then(|known| known.into_iter().next()) else {
            let step = format!("{} of {}", told.step.id, told.place());
            self.findings.extend(bad().map(|finding| (finding.level, finding.did.clone(), step.clone())));
            return false;
        };
        let (level, game, step) = (told.level, told.place(), told.step.id);
        match self.folded.iter_mut().find(|folded| (folded.level, &folded.first) == (level, &first)) {
            Some(folded) => folded.steps.push(step),
            None => self.folded.push(Folded { level, game, first, steps: vec![step] }),
        }
        true
    }

    fn print(&mut self, out: &mut Output) -> Result<(), Failure> {
        for Folded { level, game, first, steps } in self.folded.drain(..) {
            let number = count(steps.len() as u32, "step");
            let names = steps.join(", ");
            out.line(&format!(
                "{:<8} {game:<17} {number:<17} the same as in {first}: {names}",
                level.word()
            ))?;
        }
        Ok(())
    }
}

impl Told<'_> {
    fn place(&self) -> &'static str {
        self.game.map_or("the file", |game| game.id)
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        let game = self.place();
        let remark = self.findings.iter().find(|finding| finding.level == Level::Ok);
        let about = remark.map_or(self.step.about, |finding| &*finding.did);
        let line = format!("{:<8} {game:<17} {:<17} {about}", self.level.word(), self.step.id);
        out.line(&sanitize(&line))?;
        for finding in self.findings.iter().filter(|finding| finding.level != Level::Ok) {
            let rule = finding.rule.map(|rule| format!("arbiter_bot.h, {rule}"));
            // A bridge and the kit print the message of an exception or a panic, which is told already.
            let is_told = |line: &String| finding.did.ends_with(line.trim_start_matches("[error] "));
            let printed = last_lines(&finding.printed, MOST_PRINTED).filter(|line| !is_told(line));
            let printed: Vec<String> = printed.collect();
            let mut rows = vec![("asked", &*finding.asked), ("did", &*finding.did)];
            rows.extend(printed.iter().map(|line| ("said", line.as_str())));
            rows.extend([("rule", rule.as_deref().unwrap_or_default()), ("try", &finding.advice)]);
            for (name, text) in rows.iter().filter(|(_, text)| !text.is_empty()) {
                out.line(&sanitize(&format!("         {name:<6} {text}")))?;
            }
        }
        if self.level >= Level::Warning {
            out.line(&sanitize(&format!("         again  {}", self.again)))?;
        }
        Ok(())
    }

    fn json(&self) -> serde_json::Value {
        let findings: Vec<_> = self
            .findings
            .iter()
            .map(|finding| {
                json!({
                    "level": finding.level.word(),
                    "asked": finding.asked,
                    "did": finding.did,
                    "printed": finding.printed,
                    "rule": finding.rule.map(|rule| rule.to_string()),
                    "try": finding.advice,
                })
            })
            .collect();
        json!({
            "step": self.step.id,
            "game": self.game.map(|game| game.id),
            "level": self.level.word(),
            "about": self.step.about,
            "findings": findings,
            "again": self.again,
        })
    }
}

/// How many steps ended how, by level, and what that means.
fn summary(counts: [u32; 4], untried: Option<&str>, is_json: bool, out: &mut Output) -> Result<(), Failure> {
    let [ok, notes, warnings, fails] =
        [Level::Ok, Level::Note, Level::Warning, Level::Fail].map(|level| counts[level as usize]);
    if is_json {
        let summary = json!({ "ok": ok, "note": notes, "warning": warnings, "FAIL": fails });
        return out.json(&match untried {
            Some(why) => json!({ "summary": summary, "untried": why }),
            None => json!({ "summary": summary }),
        });
    }
    let fit = match (fails, warnings, untried) {
        (0, _, Some(why)) => format!("not tried: {why}"),
        (0, 0, None) => "it would get through".to_owned(),
        (0, _, None) => "it would get through, but look at the warnings".to_owned(),
        _ => "it would lose games by these faults".to_owned(),
    };
    let (notes, warnings) = (count(notes, "note"), count(warnings, "warning"));
    out.line(&format!("{ok} ok, {notes}, {warnings}, {fails} FAIL: {fit}"))
}
