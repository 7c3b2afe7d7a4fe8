//! Bots in our own process. Nothing contains them: whatever one does wrong, it does to us.

use super::alarms::Alarms;
use super::bot::{Loan, SeatedBot};
use super::lender::{Lender, Level, StopLevel};
use super::message::{Answered, GameEnd, GameStart, Greeting, TurnStart};
use super::schedule::Schedule;
use super::table::LoadedBot;
use super::{BotFile, LoadError};
use crate::verdict::{Fault, Phase};
use arbiter_plugin_api::raw;
use arbiter_rules::Position;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The libraries that this process has loaded. They stay for ever.
static LOADED: Mutex<Vec<Loaded>> = Mutex::new(Vec::new());
/// What bots that are gone were lent, to be lent again.
static RETURNED: Mutex<Vec<Lent>> = Mutex::new(Vec::new());

/// A library in our process.
struct Loaded {
    /// The SHA-256 of the file that it came from.
    sha256: String,
    bot: LoadedBot,
    /// How many bots of it are seated.
    seated: u32,
}

/// What a bot is lent, and the alarms that tell its stop level.
#[derive(Clone)]
struct Lent {
    loan: Loan,
    alarms: Arc<Alarms>,
}

/// A bot of our own process, with an instance.
pub(crate) struct TrustedBot {
    bot: Option<SeatedBot>,
    lent: Borrowed,
    greeting: Greeting,
    memory: u64,
    _place: Place,
}

/// What is given back when its user goes.
struct Borrowed(Lent);

/// The right to have an instance of a library: its number in [`LOADED`].
struct Place(usize);

impl TrustedBot {
    /// Loads a bot and makes an instance. Bots of one library get a copy of it each while they play at the same
    /// time, unless it says that it is REENTRANT: the system would let them share their global variables.
    pub(crate) fn seat(library: &BotFile, memory: u64) -> Result<TrustedBot, Fault> {
        let (place, loaded) =
            claim(library).map_err(|error| Fault::NotLoaded { problem: error.to_string() })?;
        let lent = Borrowed::new();
        let greeting = loaded.greeting.clone();
        let created = loaded.create(lent.0.loan);
        let bot = created.map_err(|returned| match returned.judge(Phase::Create, memory) {
            Err(fault) => fault,
            Ok(()) => unreachable!("create fails only with a status that is not OK"),
        })?;
        let waker = bot.stopper().map(|stopper| lent.0.alarms.wake_bot(stopper));
        // From here on dropping the value destroys the instance.
        let bot = TrustedBot { bot: Some(bot), lent, greeting, memory, _place: place };
        match waker {
            Some(Err(error)) => Err(Fault::NotLoaded { problem: format!("no thread for stop: {error}") }),
            Some(Ok(())) | None => Ok(bot),
        }
    }

    /// What the bot says of itself.
    pub(crate) fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Begins a game from this position.
    pub(crate) fn new_game(&mut self, game: &GameStart<'_>, start: &dyn Position) -> Result<(), Fault> {
        let memory = self.memory;
        self.bot().new_game(game, start).judge(Phase::NewGame, memory)
    }

    /// Tells what happened since the last turn, as [`write_happening`](super::message::write_happening) wrote it,
    /// and asks for a move.
    pub(crate) fn choose(
        &mut self,
        turn: &TurnStart,
        news: &[u8],
        schedule: &Schedule,
    ) -> Result<Answered, Fault> {
        self.lent.0.alarms.set(schedule);
        let bot = self.bot();
        bot.begin_turn(turn);
        let answered = bot.hear_all(news).and_then(|()| bot.choose(turn));
        self.lent.0.alarms.silence();
        answered.map_err(out_of_step)?.judge(self.memory)
    }

    /// Says how the game ended.
    pub(crate) fn game_over(&mut self, end: &GameEnd<'_>, news: &[u8]) -> Result<(), Fault> {
        let memory = self.memory;
        let bot = self.bot();
        let returned = bot.hear_all(news).and_then(|()| bot.game_over(end));
        returned.map_err(out_of_step)?.judge(Phase::GameOver, memory)
    }

    fn bot(&mut self) -> &mut SeatedBot {
        self.bot.as_mut().expect("the instance goes only when the bot is dropped")
    }
}

impl Drop for TrustedBot {
    fn drop(&mut self) {
        self.lent.0.alarms.forget_bot();
        if let Some(bot) = self.bot.take() {
            bot.destroy();
        }
    }
}

impl Borrowed {
    /// Something that was given back, or else something new.
    fn new() -> Borrowed {
        Borrowed(lock(&RETURNED).pop().unwrap_or_else(|| {
            let alarms = Arc::new(Alarms::silent());
            let lender = Lender::new(StopLevel::Clock(Arc::clone(&alarms)), trace_message);
            Lent { loan: Loan::new(lender), alarms }
        }))
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        self.0.loan.lender.renew();
        lock(&RETURNED).push(self.0.clone());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(loaded) = lock(&LOADED).get_mut(self.0) {
            loaded.seated -= 1;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A library with room for one more instance.
fn claim(file: &BotFile) -> Result<(Place, LoadedBot), LoadError> {
    let opened = file.open()?;
    let mut loaded = lock(&LOADED);
    let has_room = |known: &Loaded| known.seated == 0 || known.bot.greeting.flags & raw::BOT_REENTRANT != 0;
    let is_same = |known: &Loaded| known.sha256 == opened.look.sha256;
    let place = match loaded.iter().position(|known| is_same(known) && has_room(known)) {
        Some(place) => place,
        None => {
            let copies = loaded.iter().filter(|known| is_same(known)).count();
            let copy = opened.copy.another(copies);
            let copy = copy.map_err(|error| LoadError::unreadable(file.path(), &error))?;
            let bot = LoadedBot::open(&copy.path(), file.path());
            copy.keep();
            loaded.push(Loaded { sha256: opened.look.sha256.clone(), bot: bot?, seated: 0 });
            loaded.len() - 1
        }
    };
    loaded[place].seated += 1;
    Ok((Place(place), loaded[place].bot.clone()))
}

fn out_of_step(problem: String) -> Fault {
    Fault::BadReply { problem: format!("it could not follow the game: {problem}") }
}

/// Puts a message of the bot among our own.
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

    /// Else a match of a million games in our own process would take more than a gigabyte.
    #[test]
    fn what_one_bot_has_given_back_is_lent_to_the_next_as_if_it_were_new() {
        let first = Borrowed::new();
        let lender = first.0.loan.lender;
        let fresh = lender.random();
        lender.log(Level::Error, "alas");
        drop(first);
        let second = Borrowed::new();
        assert!(std::ptr::eq(second.0.loan.lender, lender));
        assert_eq!((lender.random(), &*lender.last_error()), (fresh, ""));
    }
}
