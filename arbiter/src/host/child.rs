//! The bot's process: confine, load, serve, end. This is the whole life of the hidden verb.

use super::bot::{Loan, SeatedBot};
use super::clock::NEVER;
use super::cores;
use super::crash;
use super::handover;
use super::lender::{Lender, Level, StopLevel};
use super::message::{GameStart, LONGEST_MESSAGE, Reply, Request, Returned, Setup, cut, write};
use super::sandbox::{self, Bounds, Prepared};
use super::table::LoadedBot;
use super::template::{APART, Belongings, Waiting};
use super::wire::{self, Block, Mapping, Part, Patience, Seen};
use super::{Core, LoadError};
use arbiter_rules::{Position, Setup as GameSetup, registry};
use std::ffi::{CString, OsString};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// The exit code of a process that was not started by a referee.
const NOT_FOR_PEOPLE: u8 = 2;

/// Waits for a referee's orders, and runs bots in copies of this process. `args` are the arguments after the verb: the
/// number of the referee's process, and whether the copies get namespaces of their own.
pub fn child_main(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let parent = args.next().and_then(|text| text.to_str()?.parse().ok());
    let (Some(parent), Ok(socket)) = (parent, referee()) else {
        say("this verb is for arbiter itself: it runs bots in processes of their own");
        return ExitCode::from(NOT_FOR_PEOPLE);
    };
    // Before anything can be waited for: whoever would answer may be gone. The copies ask for the same themselves.
    if sandbox::die_with(parent).is_err() {
        return ExitCode::FAILURE;
    }
    let has_namespaces = args.next().is_some_and(|word| word == APART);
    let Some(waiting) = Waiting::begin(socket, has_namespaces, parent) else {
        return ExitCode::FAILURE;
    };
    let prepared = Prepared::new();
    match waiting.for_orders().map(|belongings| run_bot(belongings, prepared, parent)) {
        Some(Err(_)) => ExitCode::FAILURE,
        Some(Ok(())) | None => ExitCode::SUCCESS,
    }
}

/// Takes the socket to the referee away from standard input, and puts nothing in its place. Every other file is
/// closed: the referee may have inherited some itself and passed them on unknowingly.
fn referee() -> io::Result<OwnedFd> {
    sandbox::close_other_files()?;
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    rustix::net::sockopt::socket_type(&socket)?;
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(socket)
}

/// Runs one bot from its first request to its last.
fn run_bot(belongings: Belongings<OwnedFd>, prepared: io::Result<Prepared>, parent: u32) -> io::Result<()> {
    sandbox::die_with(parent)?;
    let Belongings { block, library, output, bell, .. } = belongings;
    rustix::stdio::dup2_stdout(&output)?;
    rustix::stdio::dup2_stderr(output)?;
    rustix::process::setpgid(None, None)?;
    let block = Mapping::of(block)?.forever();
    let mut line = Line::new(block);
    match line.first_request() {
        Ok(Setup { name, memory, threads, core, sandbox, counted, patience }) => {
            line.patience = patience;
            show_as(&name);
            let bounds = Bounds { memory, threads, sandbox, counted, parent };
            let library = Library { name: name.into(), memory: library, process: sandbox::number()? };
            match prepared.and_then(|prepared| confine(prepared, block, core, bell, &bounds)) {
                Ok(()) => serve_bot(line, library, &bounds),
                Err(error) => line.refuse(&error),
            }
        }
        Err(problem) => line.give_up(problem),
    }
    Ok(())
}

/// The library to be loaded.
struct Library {
    /// The file that it was read from.
    name: PathBuf,
    /// A copy of it.
    memory: OwnedFd,
    /// The number of this process for the referee.
    process: u32,
}

fn serve_bot(mut line: Line, library: Library, bounds: &Bounds) {
    let bot = match LoadedBot::open(&library.memory, library.process, &library.name) {
        Ok(bot) => bot,
        Err(error) => return line.reply(&Reply::NotLoaded(error)),
    };
    // Not closed: the bot may have done that already, and nobody can change what is in it.
    std::mem::forget(library);
    if let Err(error) = sandbox::narrow(bounds.sandbox) {
        return line.refuse(&error);
    }
    line.reply(&Reply::Loaded(bot.greeting.clone()));
    if let Err(problem) = serve_seat(&mut line, bot) {
        line.give_up(problem);
    }
}

/// Gives this process the name of its library in lists of processes.
fn show_as(library: &str) {
    let name = Path::new(library).file_name().unwrap_or_default().to_string_lossy();
    if let Ok(name) = CString::new(&*name) {
        // It is cut to what the system has room for, and nothing depends on it.
        let _ = rustix::thread::set_name(&name);
    }
}

/// Does what must come before the bot is loaded.
fn confine(
    prepared: Prepared,
    block: &'static Block,
    core: Option<Core>,
    socket: OwnedFd,
    bounds: &Bounds,
) -> io::Result<()> {
    core.map_or(Ok(()), cores::keep_bot_on)?;
    crash::note_in(block, bounds.memory, bounds.counted)?;
    if let Some(listener) = prepared.confine(bounds)? {
        handover::give(socket, b"!", &[listener.as_fd()])?;
    }
    Ok(())
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
