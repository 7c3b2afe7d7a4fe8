//! The loop in a bot's process: requests of the referee come in, calls of the bot are made, replies go out.

use super::context::HostContext;
use super::seat::SeatedBot;
use super::table::LoadedBot;
use super::{LoadError, LoadedBridge};
use crate::host::clock::NEVER;
use crate::host::file::read_again;
use crate::host::message::{
    GameStart, Happening, LONGEST_MESSAGE, Load, LoadPayload, Reply, Request, Returned, cut, write,
};
use crate::host::payload::Brought;
use crate::host::wire::{self, Block, Part, Seen};
use crate::verdict::MachineFailure;
use arbiter_plugin_api::raw;
use arbiter_rules::{Position, Setup as GameSetup, registry};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// What a bot is made of, as far as it is there before the process is confined.
pub(in crate::host) struct Ready {
    bridge: Option<LoadedBridge>,
    payload: Option<&'static Brought>,
}

impl Load {
    /// Gets ready what may need more than a bot may: nothing of the bot runs here. `bytes` are those of the payload, where
    /// it is handed over.
    pub(in crate::host) fn prepare(
        &self,
        library: &Path,
        bytes: Option<&'static [u8]>,
    ) -> Result<Ready, LoadError> {
        let read = |payload: &LoadPayload| {
            let bytes = match bytes {
                Some(bytes) => bytes,
                None => read_again(Path::new(&payload.path), &payload.sha256)?.leak(),
            };
            Ok(Brought::new(bytes, &payload.name, &payload.sha256))
        };
        let payload = self.payload.as_ref().map(read).transpose()?;
        let start = |found: &String| {
            let bridge = LoadedBridge::open(library, Path::new(&self.name))?;
            bridge.start(found).map(|()| bridge)
        };
        Ok(Ready { bridge: self.found.as_ref().map(start).transpose()?, payload })
    }
}

impl Ready {
    fn load(&self, library: &Path, name: &str) -> Result<LoadedBot, LoadError> {
        match (&self.bridge, self.payload) {
            (Some(bridge), Some(payload)) => bridge.bot(&payload.0),
            _ => LoadedBot::open(library, Path::new(name)),
        }
    }
}

/// The process of one bot, from its first request to its last. `confine` keeps the process from all that the bot may not have,
/// and says where the library is then.
pub(in crate::host) fn serve_bot(
    block: &'static Block,
    confine: impl FnOnce(&Load) -> Result<(PathBuf, Ready), LoadError>,
) {
    let mut channel = Channel { block, sequence: 0, incoming: Vec::new(), outgoing: Vec::new() };
    if let Err(mut problem) = serve_all(&mut channel, confine) {
        // This process cannot go on. The bot is to blame only if it has overwritten our memory.
        cut(&mut problem, LONGEST_MESSAGE);
        channel.reply(&Reply::Lost(problem));
    }
}

fn serve_all(
    channel: &mut Channel,
    confine: impl FnOnce(&Load) -> Result<(PathBuf, Ready), LoadError>,
) -> Result<(), String> {
    let first = match channel.next_request()?.0 {
        Request::Load(load) => load,
        other => return Err(format!("{other:?} as the first request")),
    };
    let loaded =
        confine(&first).and_then(|(library, ready)| Ok((ready.load(&library, &first.name)?, ready.payload)));
    match loaded {
        Ok((mut bot, payload)) => {
            channel.reply(&Reply::Loaded(std::mem::take(&mut bot.greeting)));
            serve_seat(channel, &bot, payload)
        }
        Err(error) => {
            channel.reply(&match error {
                LoadError::Machine(MachineFailure::NotStarted { problem }) => Reply::NotReady(problem),
                error => Reply::NotLoaded(error.shortened()),
            });
            Ok(())
        }
    }
}

/// Serves requests from `create` to `destroy`.
fn serve_seat(
    channel: &mut Channel,
    bot: &LoadedBot,
    payload: Option<&'static Brought>,
) -> Result<(), String> {
    match channel.next_request()?.0 {
        Request::Create => {}
        other => return Err(format!("{other:?} before create")),
    }
    let context = HostContext::new(&channel.block.stop, print_message);
    context.set_payload(payload);
    let mut bot = match bot.create(context) {
        Ok(bot) => bot,
        Err(returned) => {
            channel.reply(&Reply::Returned(returned));
            return Ok(());
        }
    };
    if let Err(message) = bot.notify() {
        channel.reply(&Reply::Returned(Returned { status: raw::ERR_MEMORY, message }));
        return Ok(());
    }
    channel.reply(&Reply::Returned(Returned::default()));
    loop {
        let reply = match channel.next_request()? {
            (Request::Quit, _) => break,
            (request, news) => serve(&mut bot, request, news)?,
        };
        channel.reply(&reply);
    }
    bot.destroy();
    channel.reply(&Reply::Returned(Returned::default()));
    Ok(())
}

fn serve(bot: &mut SeatedBot, request: Request<'_>, news: &[u8]) -> Result<Reply, String> {
    match request {
        Request::NewGame(game) => {
            let start = start_of(&game)?;
            Ok(Reply::Returned(bot.new_game(&game, &start)))
        }
        Request::Turn(turn) => {
            bot.begin_turn(&turn);
            follow(bot, news)?;
            Ok(Reply::Answered(bot.choose(&turn)?))
        }
        Request::GameOver(end) => {
            follow(bot, news)?;
            Ok(Reply::Returned(bot.game_over(&end)?))
        }
        Request::Load(_) | Request::Create | Request::Quit => {
            Err(format!("{request:?} in the middle of play"))
        }
    }
}

fn follow(bot: &mut SeatedBot, mut news: &[u8]) -> Result<(), String> {
    while !news.is_empty() {
        let (happening, rest) = postcard::take_from_bytes::<Happening>(news)
            .map_err(|error| format!("news cannot be read: {error}"))?;
        bot.follow(happening)?;
        news = rest;
    }
    Ok(())
}

fn start_of(game: &GameStart<'_>) -> Result<Position, String> {
    let options: Vec<_> = game.rules.iter().map(|(name, value)| (*name, value.as_ref())).collect();
    let players = Some(usize::from(game.players));
    let setup = GameSetup { players, options: &options, position: Some(game.text) };
    registry::start(game.game, &setup).map_err(|error| error.to_string())
}

/// The bot's end of the conversation with the referee.
struct Channel {
    block: &'static Block,
    sequence: u32,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
}

impl Channel {
    /// Waits for all parts of the next request. Returns it and the news that came with it.
    fn next_request(&mut self) -> Result<(Request<'_>, &[u8]), String> {
        self.incoming.clear();
        loop {
            let expected = wire::next(self.sequence);
            match self.block.request.sleep(expected, NEVER) {
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
        postcard::take_from_bytes(&self.incoming)
            .map_err(|error| format!("a request cannot be read: {error}"))
    }

    fn reply(&mut self, reply: &Reply) {
        self.outgoing.clear();
        write(reply, &mut self.outgoing);
        self.block.reply.put(self.sequence, &self.outgoing, Part::Last);
    }
}

/// Writes a message of the bot where its other output goes.
fn print_message(level: i32, text: &str) {
    let level = match level {
        raw::LOG_ERROR.. => "error",
        raw::LOG_WARN => "warning",
        raw::LOG_INFO => "info",
        _ => "debug",
    };
    say(&format!("[{level}] {text}"));
}

pub(in crate::host) fn say(text: &str) {
    // If standard error is closed, there is nowhere to report it.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
