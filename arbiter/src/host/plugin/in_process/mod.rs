//! Bots in our own process. Nothing contains them: whatever one does wrong, it does to us.

mod alarms;

pub(in crate::host) use alarms::Alarm;
pub(super) use alarms::Alarms;

use super::context::{HostContext, HostHandle, Level, StopLevel};
use super::seat::SeatedBot;
use super::table::LoadedBot;
use super::{BotFile, LoadError};
use crate::host::message::{Answered, GameEnd, GameStart, Greeting, TurnStart};
use crate::verdict::{Fault, Phase};
use arbiter_plugin_api::raw;
use arbiter_rules::Position;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What bots in our own process are made from.
#[derive(Default)]
pub(in crate::host) struct Libraries {
    /// The libraries that were loaded. They stay for ever.
    loaded: Mutex<Vec<Loaded>>,
    /// Host tables and alarms of bots that are gone, for the next bots.
    free_hosts: Mutex<Vec<(HostHandle, Arc<Alarms>)>>,
}

/// A library in our process.
struct Loaded {
    /// The SHA-256 of the file that it came from.
    sha256: String,
    bot: LoadedBot,
    /// How many bots of it are seated.
    seated: u32,
}

/// A bot of our own process, with an instance.
pub(crate) struct InProcessBot {
    bot: Option<SeatedBot>,
    host: PooledHost,
    greeting: Greeting,
    memory: u64,
    _claim: Claim,
}

/// A host table and the alarms behind it. Dropping it makes them free for the next bot.
struct PooledHost {
    handle: HostHandle,
    alarms: Arc<Alarms>,
    libraries: Arc<Libraries>,
}

/// The right to one instance of a library, by its index.
struct Claim {
    index: usize,
    libraries: Arc<Libraries>,
}

impl InProcessBot {
    /// Loads a bot and makes an instance. Bots of one library share its global variables, so each that plays at the same
    /// time gets a copy of the library, unless the library says that it is REENTRANT.
    pub(in crate::host) fn seat(
        libraries: &Arc<Libraries>,
        library: &BotFile,
        memory: u64,
    ) -> Result<InProcessBot, Fault> {
        let (claim, loaded) =
            libraries.claim(library).map_err(|error| Fault::NotLoaded { problem: error.to_string() })?;
        let host = libraries.take_host();
        let greeting = loaded.greeting.clone();
        let created = loaded.create(host.handle);
        let bot = created.map_err(|returned| match returned.judge(Phase::Create, memory) {
            Err(fault) => fault,
            Ok(()) => unreachable!("create fails only with a status that is not OK"),
        })?;
        let started = bot.notifier().map(|notifier| host.alarms.notify(notifier));
        // From here on dropping the value destroys the instance.
        let bot = InProcessBot { bot: Some(bot), host, greeting, memory, _claim: claim };
        match started {
            Some(Err(error)) => Err(Fault::NotLoaded { problem: format!("no thread for stop: {error}") }),
            Some(Ok(())) | None => Ok(bot),
        }
    }

    /// What the bot says of itself.
    pub(crate) fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Begins a game from this position.
    pub(crate) fn new_game(&mut self, game: &GameStart<'_>, start: &Position) -> Result<(), Fault> {
        let memory = self.memory;
        self.bot().new_game(game, start).judge(Phase::NewGame, memory)
    }

    /// Tells what happened since the last turn, as [`write_happening`](crate::host::message::write_happening) wrote it,
    /// and asks for a move.
    pub(crate) fn choose(&mut self, turn: &TurnStart, news: &[u8], alarm: &Alarm) -> Result<Answered, Fault> {
        self.host.alarms.set(alarm);
        let bot = self.bot();
        bot.begin_turn(turn);
        let answered = bot.follow_all(news).and_then(|()| bot.choose(turn));
        self.host.alarms.silence();
        answered.map_err(out_of_step)?.judge(self.memory)
    }

    /// Says how the game ended.
    pub(crate) fn game_over(&mut self, end: &GameEnd<'_>, news: &[u8]) -> Result<(), Fault> {
        let memory = self.memory;
        let bot = self.bot();
        let returned = bot.follow_all(news).and_then(|()| bot.game_over(end));
        returned.map_err(out_of_step)?.judge(Phase::GameOver, memory)
    }

    fn bot(&mut self) -> &mut SeatedBot {
        self.bot.as_mut().expect("the instance goes only when the bot is dropped")
    }
}

impl Drop for InProcessBot {
    fn drop(&mut self) {
        self.host.alarms.forget_bot();
        if let Some(bot) = self.bot.take() {
            bot.destroy();
        }
    }
}

impl Drop for PooledHost {
    fn drop(&mut self) {
        self.handle.context.renew();
        lock(&self.libraries.free_hosts).push((self.handle, Arc::clone(&self.alarms)));
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(loaded) = lock(&self.libraries.loaded).get_mut(self.index) {
            loaded.seated -= 1;
        }
    }
}

impl Libraries {
    /// A host table that is free, or a new one.
    fn take_host(self: &Arc<Libraries>) -> PooledHost {
        let (handle, alarms) = lock(&self.free_hosts).pop().unwrap_or_else(|| {
            let alarms = Arc::new(Alarms::silent());
            let context = HostContext::new(StopLevel::Alarms(Arc::clone(&alarms)), trace_message);
            (HostHandle::new(context), alarms)
        });
        PooledHost { handle, alarms, libraries: Arc::clone(self) }
    }

    /// A library with room for one more instance.
    fn claim(self: &Arc<Libraries>, file: &BotFile) -> Result<(Claim, LoadedBot), LoadError> {
        let opened = file.open()?;
        let mut loaded = lock(&self.loaded);
        let has_room =
            |known: &Loaded| known.seated == 0 || known.bot.greeting.flags & raw::BOT_REENTRANT != 0;
        let is_same = |known: &Loaded| known.sha256 == opened.look.sha256;
        let index = match loaded.iter().position(|known| is_same(known) && has_room(known)) {
            Some(index) => index,
            None => {
                let copies = loaded.iter().filter(|known| is_same(known)).count();
                let copy = opened.copy.for_loading(copies);
                let copy = copy.map_err(|error| LoadError::unreadable(file.path(), &error))?;
                let bot = LoadedBot::open(&copy.path(), file.path());
                copy.keep();
                loaded.push(Loaded { sha256: opened.look.sha256.clone(), bot: bot?, seated: 0 });
                loaded.len() - 1
            }
        };
        loaded[index].seated += 1;
        Ok((Claim { index, libraries: Arc::clone(self) }, loaded[index].bot.clone()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn out_of_step(problem: String) -> Fault {
    Fault::BadReply { problem: format!("it could not follow the game: {problem}") }
}

/// Writes a message of the bot to our own log.
fn trace_message(level: Level, text: &str) {
    match level {
        Level::Debug => tracing::debug!(target: "bot", "{text}"),
        Level::Info => tracing::info!(target: "bot", "{text}"),
        Level::Warn => tracing::warn!(target: "bot", "{text}"),
        Level::Error => tracing::error!(target: "bot", "{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Host tables are never freed. If each bot got a new one, a million games would take more than a gigabyte.
    #[test]
    fn the_next_bot_gets_the_host_table_of_one_that_is_gone_as_if_it_were_new() {
        let libraries = Arc::<Libraries>::default();
        let first = libraries.take_host();
        let context = first.handle.context;
        let fresh = context.random();
        context.log(Level::Error, "alas");
        drop(first);
        let second = libraries.take_host();
        assert!(std::ptr::eq(second.handle.context, context));
        assert_eq!((context.random(), &*context.last_error()), (fresh, ""));
    }
}
