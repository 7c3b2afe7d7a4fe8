//! `arbiter check`: whether a bot would get through a tournament, step by step, with advice.

use crate::check::{Finding, Level, STEPS, Step, Subject};
use crate::cli::failure::{last_lines, machine_failed};
use crate::cli::options::{GameName, RuntimeArgs, key_value, start, time};
use crate::cli::plan::Words;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{BotCommand, Host, Limits, Sandbox};
use crate::report::count;
use crate::sanitize::sanitize;
use crate::ui::talk;
use arbiter_rules::{GameInfo, registry};
use clap::Args;
use serde_json::json;
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
    #[arg(long, value_name = "STEP", value_parser = step)]
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

fn step(text: &str) -> Result<String, String> {
    let known: Vec<_> = STEPS.iter().map(|step| step.id).collect();
    if known.contains(&text) {
        Ok(text.to_owned())
    } else {
        Err(format!("the steps are {}", known.join(", ")))
    }
}

/// A step on one game, or on the file.
type Task = (&'static Step, Option<&'static GameInfo>);

pub(crate) fn check(args: &CheckArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let game = match &args.game {
        Some(game) => Some(start(game, None, &[], None)?.info()),
        None => None,
    };
    let subject = open(args, host)?;
    let tasks = tasks(args, &subject, game)?;
    let mut counts = [0; 4];
    let mut tasks = tasks.into_iter();
    while let Some((step, game)) = tasks.next() {
        let findings = step.run(&subject, game);
        if let Some(failure) = findings.iter().find_map(|finding| finding.machine.as_deref()) {
            let failure = machine_failed(&args.file, failure);
            return Err(failure.cause(&format!("the step {} was not done", step.id)));
        }
        let level = Level::of(&findings);
        counts[level as usize] += 1;
        let told = Told { step, game, level, findings: &findings, again: again(args, step, game) };
        if args.json {
            out.json(&told.json())?
        } else {
            told.print(out)?
        }
        out.flush()?;
        if findings.iter().any(|finding| finding.is_of_every_step) && tasks.len() > 0 {
            talk("the other steps would end like this one, and are left out");
            break;
        }
    }
    summary(counts, args.json, out)?;
    Ok(if counts[Level::Fail as usize] == 0 { ExitCode::Done } else { ExitCode::CheckFailed })
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
fn tasks(args: &CheckArgs, subject: &Subject, game: Option<&'static GameInfo>) -> Result<Vec<Task>, Failure> {
    if let Some(game) = game.filter(|game| !subject.plays(game)) {
        let games = subject.greeting.games.join(", ");
        let message = sanitize(&format!("{} does not play {}; it plays {games}", args.file, game.id));
        return Err(Failure::usage(message).hint("another --game, or add it to its field games"));
    }
    let games = registry::GAMES.iter().copied().filter(|info| match game {
        Some(game) => game.id == info.id,
        None => subject.plays(info),
    });
    let is_wanted = |(step, _): &Task| args.only.is_empty() || args.only.iter().any(|id| id == step.id);
    let tasks: Vec<Task> = Step::all(games).filter(is_wanted).collect();
    if tasks.is_empty() {
        let message = format!("there is no such step here: {}", args.only.join(", "));
        return Err(Failure::usage(message).hint("another --game, or none"));
    }
    Ok(tasks)
}

/// The command that repeats one step alone.
fn again(args: &CheckArgs, step: &Step, game: Option<&GameInfo>) -> String {
    let mut words = Words::default();
    ["arbiter", "check", &args.file].iter().for_each(|word| words.word(word));
    words.maybe("--game", game.map(|game| game.id));
    words.option("--only", step.id);
    for (key, value) in &args.options {
        words.option("-B", format!("{key}={value}"));
    }
    let is_usual = args.move_time == Duration::from_secs(1);
    words.maybe("--move-time", (!is_usual).then(|| format!("{}us", args.move_time.as_micros())));
    words.maybe("--sandbox", (args.sandbox == Sandbox::Wide).then_some("wide"));
    words.extend(args.languages.words());
    words.line()
}

/// How many of the last lines are shown that a bot printed before it failed.
const MOST_PRINTED: usize = 4;

struct Told<'a> {
    step: &'a Step,
    game: Option<&'a GameInfo>,
    level: Level,
    findings: &'a [Finding],
    again: String,
}

impl Told<'_> {
    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        let game = self.game.map_or("the file", |game| game.id);
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
fn summary(counts: [u32; 4], is_json: bool, out: &mut Output) -> Result<(), Failure> {
    let [ok, notes, warnings, fails] =
        [Level::Ok, Level::Note, Level::Warning, Level::Fail].map(|level| counts[level as usize]);
    if is_json {
        let summary = json!({ "ok": ok, "note": notes, "warning": warnings, "FAIL": fails });
        return out.json(&json!({ "summary": summary }));
    }
    let fit = match (fails, warnings) {
        (0, 0) => "it would get through",
        (0, _) => "it would get through, but look at the warnings",
        _ => "it would lose games that it need not lose",
    };
    let (notes, warnings) = (count(notes, "note"), count(warnings, "warning"));
    out.line(&format!("{ok} ok, {notes}, {warnings}, {fails} FAIL: {fit}"))
}
