//! `arbiter ask`: the move that a bot would play, alone on standard output.

use crate::ask::{Answered, Failed, Question, ask as put};
use crate::check::advice_on;
use crate::cli::failure::{cannot_load, machine_failed};
use crate::cli::options::{
    DebugArg, Opened, Pictures, PicturesArgs, PositionArgs, RuntimeArgs, key_value, time,
};
use crate::cli::parsing::whole;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{BotCommand, Host, Limits, Sandbox, Sandboxed};
use crate::player::TimeControl;
use crate::sanitize::{quoted, sanitize};
use crate::tournament::MatchSeed;
use crate::ui::printouts::{LAST_WORDS, Printouts};
use crate::ui::{talk, thoughts, thoughts_json};
use crate::verdict::{self, Fault, MEMORY_MIB, MOST_THREADS, Phase};
use arbiter_rules::{Chance, Position};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const MORE: &str = "\
Examples:
  arbiter ask greedy --game othello
  arbiter ask ./minimax.so --game othello --time 300s --move-time 30s
  arbiter ask greedy --game ultimate --position '6xoxOOOX2xo1ox1oXx2xo4oox4ox o' --last 8a1
  DEBUG=1 arbiter ask ./minimax.so --game tic-tac-toe --position 'oxx1xo3 o'

Environment: DEBUG=1 means --debug, SMPATH=DIR is the default of --pictures.

Exit codes: 0 with the move; 1 the bot failed (late, illegal, crashed), and the sentence says how; 2 a wrong position or move, \
a game that is over, a game that the bot does not play; 3 a file that is no bot, or a machine \
that cannot run it.";

#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(crate) struct AskArgs {
    /// The plugin file, or the name of a bot that came with arbiter
    #[arg(value_name = "BOT")]
    bot: PathBuf,
    #[command(flatten)]
    which: PositionArgs,
    /// What the bot has left for the rest of the game
    #[arg(long, value_name = "TIME", value_parser = time::positive)]
    time: Option<Duration>,
    /// Most time for this move [default: 1s without --time]
    #[arg(long, value_name = "TIME", value_parser = time::positive)]
    move_time: Option<Duration>,
    /// Overrun that is forgiven
    #[arg(long, value_name = "TIME", value_parser = time::duration, default_value = time::MARGIN.as_str())]
    margin: Duration,
    /// An option for the bot
    #[arg(short = 'B', value_name = "KEY=VALUE", value_parser = key_value)]
    bot_options: Vec<(String, String)>,
    /// Any text from which the bot's own random numbers follow: the same question has the same answer
    #[arg(long, value_name = "TEXT", default_value = "ask")]
    seed: String,
    /// Memory that the bot may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().memory >> 20, value_parser = whole::<u64>(MEMORY_MIB))]
    memory: u64,
    /// Cores that the bot may keep busy; on its clock, the processor time of all its threads is divided by N, or by the
    /// cores there are where these are fewer
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=MOST_THREADS))]
    threads: u16,
    /// How strictly the bot's system calls are judged
    #[arg(long, value_name = "HOW", default_value = "strict")]
    sandbox: Sandbox,
    #[command(flatten)]
    languages: RuntimeArgs,
    /// Print one JSON object: the move, depth, score, nodes, the expected line and the values of all moves
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    debug: DebugArg,
    #[command(flatten)]
    pictures: PicturesArgs,
}

pub(crate) fn ask(args: &AskArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let Opened { position, last } = args.which.open()?;
    if let Some(end) = position.end() {
        let who = end.outcome.winner().map_or("nobody won".to_owned(), |seat| format!("player {seat} won"));
        let message = format!("the game is over: {who} ({})", end.reason);
        return Err(Failure::usage(message).hint("a position in which somebody is to move"));
    }
    let command = args.command(&position, host)?;
    let pictures = args.pictures.open()?;
    let (time, at_most) = match (args.time, args.move_time) {
        (Some(base), at_most) => (TimeControl::Clock { base, increment: Duration::ZERO }, at_most),
        (None, most) => (TimeControl::MoveTime(most.unwrap_or(Duration::from_secs(1))), None),
    };
    let seed = MatchSeed::new(&args.seed).player(1, position.to_move().map_or(0, |seat| seat.index()));
    let question = Question { position: &position, time, at_most, margin: args.margin, seed };
    let printouts = Printouts::default();
    let printed = Some(printouts.sit_down(1, &args.bot.display().to_string()));
    let bot = Sandboxed::start(&BotCommand { printed, ..command });
    let answered = put(&question, Box::new(bot)).map_err(|failed| no_answer(&args.bot, &failed))?;
    if args.debug.is_wanted() {
        printouts.await_end(LAST_WORDS);
        printouts.news(false, true, talk, |_| {});
        debug(&answered).iter().for_each(|line| talk(line));
    }
    if let Some(pictures) = &pictures {
        draw(&answered, &position, &last, pictures);
    }
    match args.json {
        true => out.json(&object(&answered))?,
        false => out.line(&answered.text)?,
    }
    Ok(pictures.map_or(ExitCode::Done, |pictures| pictures.end(ExitCode::Done)))
}

/// Saves the position before and after the answer.
fn draw(answered: &Answered, position: &Position, last: &[u16], pictures: &Pictures) {
    pictures.save(1, position, last);
    let mut after = position.clone();
    let path = position.path(answered.played);
    after.play(answered.played, &Chance::NONE).expect("the answer has been judged");
    pictures.save(1, &after, &path);
}

impl AskArgs {
    /// How the bot is run, if it can be loaded and plays the game at all.
    fn command(&self, position: &Position, host: &Host) -> Result<BotCommand, Failure> {
        let limits = Limits {
            memory: self.memory << 20,
            threads: u32::from(self.threads),
            sandbox: self.sandbox,
            ..Limits::default()
        };
        let host = &self.languages.host(host);
        let library = host.bot(self.bot.as_path());
        let seat = position.to_move().map_or(1, |seat| seat.index() + 1);
        let command =
            BotCommand { options: self.bot_options.clone(), limits, ..BotCommand::new(host, library) };
        host.identify(&command)
            .map_err(|error| cannot_load(&self.bot.display().to_string(), seat, &error))?;
        Ok(command)
    }
}

fn no_answer(bot: &Path, failed: &Failed) -> Failure {
    let named = bot.display().to_string();
    let fault = match &failed.failure {
        verdict::Failure::Fault(fault) => fault,
        verdict::Failure::Machine(failure) => return machine_failed(&named, failure),
    };
    let usual = || fault.hint_on_number().unwrap_or_else(|| format!("arbiter check {}", quoted(&named)));
    let (code, hint) = match fault {
        Fault::Unsupported { .. } => (ExitCode::Usage, "another bot, or another --game".to_owned()),
        Fault::NotLoaded { .. } => (ExitCode::Bot, usual()),
        Fault::TimedOut { during: Phase::Move | Phase::NewGame, .. } => {
            (ExitCode::CheckFailed, "more time: --move-time 10s".to_owned())
        }
        Fault::ForbiddenCall { .. } => (ExitCode::CheckFailed, advice_on(fault).1.to_owned()),
        _ => (ExitCode::CheckFailed, usual()),
    };
    let message = format!("bot {named} {}", fault.sentence());
    Failure::new(code, sanitize(&message)).printed(&failed.output).hint(hint)
}

fn debug(answered: &Answered) -> Vec<String> {
    let report = answered.report.clone().unwrap_or_default();
    let mut lines = thoughts(&report);
    if report.values.moves.is_empty() {
        lines.push("the bot does not say what its moves are worth (arbiter.root-moves/1)".to_owned());
    }
    lines.push(format!("played {} in {:.3} s", answered.text, answered.wall.as_secs_f64()));
    lines
}

fn object(answered: &Answered) -> Value {
    let mut object = thoughts_json(&answered.report.clone().unwrap_or_default());
    object["move"] = json!(answered.text);
    object["wall_ns"] = json!(u64::try_from(answered.wall.as_nanos()).unwrap_or(u64::MAX));
    object
}
