//! The bot's process: confine, load, serve, end. This is the whole life of the hidden verb.
//!
//! How it comes to be confined, or not, and where its library is, depends on how it was started: [`contained`] or
//! [`plain`].

#[cfg(target_os = "linux")]
mod contained;
mod plain;

use super::LoadError;
use super::bot::{Loan, SeatedBot};
use super::clock::NEVER;
use super::lender::{Lender, Level, StopLevel};
use super::message::{GameStart, LONGEST_MESSAGE, Reply, Request, Returned, Setup, cut, write};
use super::table::LoadedBot;
use super::wire::{self, Block, Part, Patience, Seen};
use arbiter_rules::{Position, Setup as GameSetup, registry};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

pub(super) use plain::MARK;

/// The exit code of a process that was not started by a referee.
const NOT_FOR_PEOPLE: u8 = 2;

/// Runs bots as a referee orders. `args` are the arguments after the verb.
pub fn child_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    let args: Option<Vec<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    let ran = match args.as_deref() {
        Some([plain::MARK, block]) => plain::run(block),
        #[cfg(target_os = "linux")]
        Some([parent, words @ ..]) => contained::run(parent, words),
        _ => None,
    };
    ran.unwrap_or_else(|| {
        say("this verb is for arbiter itself: it runs bots in processes of their own");
        ExitCode::from(NOT_FOR_PEOPLE)
    })
}

/// Loads a bot and plays, if this process has been made what it shall be. `narrow` takes away what only loading needs.
fn serve_bot(line: &mut Line, path: &Path, name: &Path, narrow: impl FnOnce() -> io::Result<()>) {
    let bot = match LoadedBot::open(path, name) {
        Ok(bot) => bot,
        Err(error) => return line.reply(&Reply::NotLoaded(error)),
    };
    if let Err(error) = narrow() {
        return line.refuse(&error);
    }
    line.reply(&Reply::Loaded(bot.greeting.clone()));
    if let Err(problem) = serve_seat(line, bot) {
        line.give_up(problem);
    }
}

/// Serves requests from `create` to `destroy`.
fn serve_seat(line: &mut Line, bot: LoadedBot) -> Result<(), String> {
    match line.next_request()?.0 {
        Request::Create => {}
        other => return Err(format!("{other:?} before create")),
    }
    let loan = Loan::new(Lender::new(StopLevel::Raised(line.block), print_message));
    let mut bot = match bot.create(loan) {
        Ok(bot) => bot,
        Err(returned) => {
            line.reply(&Reply::Returned(returned));
            return Ok(());
        }
    };
    if let Some(stopper) = bot.stopper() {
        stopper.follow(line.block).map_err(|error| format!("no thread for stop: {error}"))?;
    }
    line.reply(&Reply::Returned(Returned::default()));
    loop {
        let reply = match line.next_request()? {
            (Request::Quit, _) => break,
            (request, news) => serve(&mut bot, request, news)?,
        };
        line.reply(&reply);
    }
    bot.destroy();
    line.reply(&Reply::Returned(Returned::default()));
    Ok(())
}

fn serve(bot: &mut SeatedBot, request: Request<'_>, news: &[u8]) -> Result<Reply, String> {
    match request {
        Request::NewGame(game) => {
            let start = start_of(&game)?;
            Ok(Reply::Returned(bot.new_game(&game, start.as_ref())))
        }
        Request::Turn(turn) => {
            bot.begin_turn(&turn);
            bot.hear_all(news)?;
            Ok(Reply::Answered(bot.choose(&turn)?))
        }
        Request::GameOver(end) => {
            bot.hear_all(news)?;
            Ok(Reply::Returned(bot.game_over(&end)?))
        }
        Request::Load(_) | Request::Create | Request::Quit => {
            Err(format!("{request:?} in the middle of play"))
        }
    }
}

/// The position that a game starts from.
fn start_of(game: &GameStart<'_>) -> Result<Box<dyn Position>, String> {
    let options: Vec<_> = game.rules.iter().map(|(name, value)| (*name, value.as_ref())).collect();
    let players = Some(usize::from(game.players));
    let setup = GameSetup { players, options: &options, position: Some(game.text) };
    registry::start(game.game, &setup).map_err(|error| error.to_string())
}

/// The child's end of the conversation.
struct Line {
    block: &'static Block,
    sequence: u32,
    patience: Patience,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
}

impl Line {
    fn new(block: &'static Block) -> Line {
        let patience = Patience::default();
        Line { block, sequence: 0, patience, incoming: Vec::new(), outgoing: Vec::new() }
    }

    fn first_request(&mut self) -> Result<Setup, String> {
        match self.next_request()?.0 {
            Request::Load(setup) => Ok(setup),
            other => Err(format!("{other:?} as the first request")),
        }
    }

    /// Waits for the next request, however many parts it has, and for the news that came with it.
    fn next_request(&mut self) -> Result<(Request<'_>, &[u8]), String> {
        self.incoming.clear();
        loop {
            let expected = wire::next(self.sequence);
            match self.block.request.wait(expected, NEVER, &mut self.patience) {
                Seen::Here => {}
                other => return Err(format!("the next request is {other:?}")),
            }
            self.sequence = expected;
            self.block.serving.store(expected, Ordering::SeqCst);
            if self.block.request.take(&mut self.incoming) == Part::Last {
                break;
            }
            self.block.reply.put(self.sequence, &[], Part::Last);
        }
        postcard::take_from_bytes(&self.incoming).map_err(unreadable)
    }

    fn reply(&mut self, reply: &Reply) {
        self.outgoing.clear();
        write(reply, &mut self.outgoing);
        self.block.reply.put(self.sequence, &self.outgoing, Part::Last);
    }

    /// Tells the referee that the machine does not let the bot be loaded.
    fn refuse(&mut self, error: &io::Error) {
        self.reply(&Reply::NotLoaded(LoadError::NotStarted { problem: error.to_string() }));
    }

    /// Tells the referee that this process cannot go on, which is no fault of the bot unless it has scribbled here.
    fn give_up(&mut self, mut problem: String) {
        cut(&mut problem, LONGEST_MESSAGE);
        self.reply(&Reply::Lost(problem));
    }
}

fn unreadable(error: postcard::Error) -> String {
    format!("a request cannot be read: {error}")
}

/// Writes a message of the bot where its other output goes.
fn print_message(level: Level, text: &str) {
    let level = match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warn => "warning",
        Level::Error => "error",
    };
    say(&format!("[{level}] {text}"));
}

fn say(text: &str) {
    // Nobody is told when standard error is closed: it was the place to tell it.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
