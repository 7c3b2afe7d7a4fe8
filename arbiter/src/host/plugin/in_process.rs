//! A trusted bot in our own process: faster, and without any containment.
//!
//! Whatever such a bot does wrong, it does to the whole program: a crash ends every game, an endless loop is never
//! ended, and nothing keeps it from files and other bots. Its time is looked at only when it returns.

use super::LoadError;
use super::context::HostContext;
use super::seat::SeatedBot;
use super::stop::stop_word;
use super::table::LoadedBot;
use crate::host::clock::{between, now_ns};
use crate::host::file::{BotFile, FileCopy};
use crate::host::message::{Answered, Happening, TurnStart};
use crate::host::payload::Payload;
use crate::host::players::{BotCommand, check_game, game_end, has_failed, news_of, reply, turn_start};
use crate::player::{Briefing, GameResult, Player, Reply, Turn};
use crate::verdict::{Event, Failure, Fault, Phase, Spent};
use arbiter_plugin_api::raw;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A trusted bot in our own process. Its limits are not enforced.
pub struct InProcess {
    command: Arc<BotCommand>,
    bot: Option<Bot>,
    /// What it is told before its next move.
    news: Vec<Happening>,
}

struct Bot {
    seat: Option<SeatedBot>,
    claim: Claim,
}

impl InProcess {
    /// A bot that is loaded when its first game begins. It must be trusted: see the module's page.
    pub fn trusting(command: impl Into<Arc<BotCommand>>) -> InProcess {
        InProcess { command: command.into(), bot: None, news: Vec::new() }
    }

    fn begin(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        self.news.clear();
        let bot = match &mut self.bot {
            Some(bot) => bot,
            empty => empty.insert(Bot::load(&self.command)?),
        };
        check_game(&bot.claim.0.bot.greeting, game)?;
        let (text, memory) = (game.start.text(), self.command.limits.memory);
        let start = self.command.game_start(game, &text);
        Ok(bot.seat().new_game(&start, game.start).judge(Phase::NewGame, memory)?)
    }
}

impl Player for InProcess {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        self.begin(game).inspect_err(|_| self.bot = None)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let bot = self.bot.as_mut().expect("new_game has succeeded before a turn");
        let started = now_ns();
        let answered = bot.choose(&turn_start(turn, started), self.news.drain(..));
        let spent = Spent::of_wall(between(started, now_ns()));
        let memory = self.command.limits.memory;
        let answered = answered.map_err(out_of_step).and_then(|answered| answered.judged(memory));
        let answered = answered.map_err(Failure::from);
        if has_failed(&answered) {
            self.bot = None;
        }
        reply(answered, turn.position, spent)
    }

    fn told(&mut self, event: &Event<'_>) {
        let Some(news) = news_of(event) else { return };
        // What a bot is not told of need not wait for its turn.
        let is_followed = self.news.is_empty()
            && self
                .bot
                .as_mut()
                .is_some_and(|bot| !bot.seat().is_told() && bot.seat().follow(news.clone()).is_ok());
        if !is_followed {
            self.news.push(news);
        }
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        let Some(bot) = &mut self.bot else { return Ok(()) };
        let seat = bot.seat();
        let followed = self.news.drain(..).try_for_each(|news| seat.follow(news));
        let returned = followed.and_then(|()| seat.game_over(&game_end(result)));
        let memory = self.command.limits.memory;
        let over = returned.map_err(out_of_step).and_then(|it| it.judge(Phase::GameOver, memory));
        over.inspect_err(|_| self.bot = None)
    }
}

impl Bot {
    /// Loads a bot and makes an instance. Bots of one library share its global variables, so each that plays at the same
    /// time gets a copy of the library, unless the library says that it is REENTRANT.
    fn load(command: &BotCommand) -> Result<Bot, Failure> {
        let claim = command.host.0.libraries.claim(command.core, &command.file)?;
        let payload = command.file.open()?.payload.as_ref().map(Payload::here).transpose()?;
        claim.0.context.set_payload(payload);
        let created = claim.0.bot.create(claim.0.context);
        let seat =
            created.map_err(|returned| match returned.judge(Phase::Create, command.limits.memory) {
                Err(fault) => fault,
                Ok(()) => unreachable!("create fails only with a status that is not OK"),
            })?;
        // From here on dropping the value destroys the instance.
        let mut bot = Bot { seat: Some(seat), claim };
        bot.seat().notify().map_err(|problem| Fault::NotLoaded { problem })?;
        Ok(bot)
    }

    fn choose(
        &mut self,
        turn: &TurnStart,
        mut news: impl Iterator<Item = Happening>,
    ) -> Result<Answered, String> {
        let instance = self.claim.0;
        let seat = self.seat();
        instance.begin_turn();
        seat.begin_turn(turn);
        let followed = news.try_for_each(|news| seat.follow(news));
        let answered = followed.and_then(|()| seat.choose(turn));
        instance.end_turn();
        answered
    }

    fn seat(&mut self) -> &mut SeatedBot {
        self.seat.as_mut().expect("the instance goes only when the bot is dropped")
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        if let Some(seat) = self.seat.take() {
            seat.destroy();
        }
    }
}

/// The instances of bots in our own process. They stay for ever, each for one bot after another.
#[derive(Default)]
pub(in crate::host) struct Libraries {
    /// By core: a worker that has one comes back to its own instances, and waits for no other there.
    shelves: [Shelf; 32],
    /// Every library that has been loaded, and the SHA-256 of the file that it came from.
    loaded: Mutex<Vec<(String, LoadedBot)>>,
}

/// The instances of one core, in a line of the cache to themselves.
#[derive(Default)]
#[repr(align(64))]
struct Shelf(Mutex<Vec<&'static Instance>>);

/// An instance of a library: the library as it was loaded, and a host table.
#[repr(align(64))]
struct Instance {
    /// The SHA-256 of the file that the library came from.
    sha256: String,
    bot: LoadedBot,
    context: &'static HostContext,
    /// The number of its last turn.
    turn: AtomicU32,
    is_taken: AtomicBool,
}

/// The right to an instance.
struct Claim(&'static Instance);

impl Drop for Claim {
    fn drop(&mut self) {
        self.0.context.renew();
        self.0.is_taken.store(false, Ordering::Release);
    }
}

/// Numbers of turns that one instance takes at once.
const TURNS_AT_ONCE: u32 = 1 << 12;

impl Instance {
    /// An instance that is taken.
    fn of(sha256: &str, bot: LoadedBot) -> Instance {
        let word = Box::leak(Box::new(AtomicU32::new(stop_word(0, raw::ABANDON))));
        let context = HostContext::new(word, trace_message);
        let (turn, is_taken) = (u32::MAX.into(), true.into());
        Instance { sha256: sha256.to_owned(), bot, context, turn, is_taken }
    }

    /// The bot is asked for a move: nobody but its own clock raises the level.
    fn begin_turn(&self) {
        self.context.stop.store(stop_word(self.next_turn(), raw::GO_ON), Ordering::Release);
    }

    /// Turns of all bots have numbers of their own, since what a thread remembers of a turn goes by its number. Each instance
    /// takes many at once, so that workers do not wait for each other.
    fn next_turn(&self) -> u32 {
        static TURNS: AtomicU32 = AtomicU32::new(TURNS_AT_ONCE);
        let mut turn = self.turn.load(Ordering::Relaxed).wrapping_add(1);
        if turn.is_multiple_of(TURNS_AT_ONCE) {
            turn = TURNS.fetch_add(TURNS_AT_ONCE, Ordering::Relaxed);
        }
        self.turn.store(turn, Ordering::Relaxed);
        turn
    }

    fn end_turn(&self) {
        let word = self.context.stop.load(Ordering::Relaxed);
        self.context.stop.store(word | raw::ABANDON as u32, Ordering::Release);
    }
}

impl Libraries {
    /// An instance that is free, or a new one.
    fn claim(&self, core: Option<usize>, file: &BotFile) -> Result<Claim, LoadError> {
        let opened = file.open()?;
        if opened.bridge.is_some() {
            return Err(LoadError::NeedsProcess);
        }
        let copy = &opened.library.copy;
        let mut instances = self.shelves[core.unwrap_or(0) % self.shelves.len()].0.lock();
        let is_free = |instance: &&&'static Instance| {
            !instance.is_taken.load(Ordering::Acquire) && instance.sha256 == copy.sha256
        };
        if let Some(instance) = instances.iter().find(is_free) {
            instance.is_taken.store(true, Ordering::Relaxed);
            return Ok(Claim(instance));
        }
        let instance: &'static Instance =
            Box::leak(Box::new(Instance::of(&copy.sha256, self.load(copy, file)?)));
        instances.push(instance);
        Ok(Claim(instance))
    }

    /// The same library again if it says that it is REENTRANT, else another copy of it.
    fn load(&self, copy: &FileCopy, file: &BotFile) -> Result<LoadedBot, LoadError> {
        let mut loaded = self.loaded.lock();
        let of_file = || loaded.iter().filter(|(sha256, _)| *sha256 == copy.sha256).map(|(_, bot)| bot);
        if let Some(bot) = of_file().find(|bot| bot.greeting.flags & raw::BOT_REENTRANT != 0) {
            return Ok(bot.clone());
        }
        let bot = copy.load(of_file().count(), |path| LoadedBot::open(path, file.path()))?;
        loaded.push((copy.sha256.clone(), bot.clone()));
        Ok(bot)
    }
}

fn out_of_step(problem: String) -> Fault {
    Fault::BadReply { problem: format!("it could not follow the game: {problem}") }
}

fn trace_message(level: i32, text: &str) {
    match level {
        raw::LOG_ERROR.. => tracing::error!(target: "bot", "{text}"),
        raw::LOG_WARN => tracing::warn!(target: "bot", "{text}"),
        raw::LOG_INFO => tracing::info!(target: "bot", "{text}"),
        _ => tracing::debug!(target: "bot", "{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Host tables are never freed: one bot after another has the same.
    #[test]
    fn the_next_bot_gets_the_host_table_of_one_that_is_gone_as_if_it_were_new() {
        let word = Box::leak(Box::new(AtomicU32::new(stop_word(0, raw::ABANDON))));
        let context = HostContext::new(word, trace_message);
        let fresh = context.random();
        context.log(raw::LOG_ERROR, "alas");
        context.renew();
        assert_eq!((context.random(), &*context.last_error()), (fresh, ""));
        assert_eq!(context.stop_level(), raw::ABANDON, "nobody wants an answer between turns");
    }
}
