//! A bot in a confined process of its own: the usual way to run one.

use super::{BotCommand, check_game, game_end, has_failed, news_of, reply};
use crate::host::bot_process::BotProcess;
use crate::host::{LoadError, message};
use crate::player::{Briefing, GameResult, Player, Reply, Turn};
use crate::verdict::{Event, Failure, Fault};
use std::time::Duration;

/// A bot in a process of its own.
///
/// The process serves any number of games, one after another, and is replaced after a fault. It is killed when the
/// player is dropped.
pub struct Sandboxed {
    command: BotCommand,
    process: Result<BotProcess, LoadError>,
    /// It has been told why the process could not be started.
    is_told: bool,
    news: Vec<u8>,
}

impl Sandboxed {
    /// Starts a process for the bot, and does not wait for it: whatever goes wrong is told by
    /// [`new_game`](Player::new_game).
    pub fn start(command: &BotCommand) -> Sandboxed {
        let (process, command) = (command.host.start(command), command.clone());
        Sandboxed { command, process, is_told: false, news: Vec::new() }
    }

    /// Ends the process, and gives the end of what it printed, all of it. Hostile text.
    pub fn into_output(mut self) -> String {
        self.leave();
        self.output()
    }

    /// The pid of the bot's process, while there is one.
    pub fn pid(&self) -> Option<i32> {
        self.process.as_ref().ok().filter(|process| !process.is_ended)?.pid()
    }

    /// Processor time that the bot's process used while nothing was asked of it: thinking on the opponent's time. None
    /// where the system does not count it, and for a bot without a process.
    pub fn used_between_turns(&self) -> Option<Duration> {
        self.process.as_ref().ok().and_then(BotProcess::used_between_turns)
    }

    /// Has the bot destroy its instance, ends its process, and waits until that is gone.
    ///
    /// # Errors
    /// What the bot did wrong in `destroy`. What the machine does wrong then is only logged.
    pub fn finish(self) -> Result<(), Fault> {
        match self.process {
            Ok(process) if process.is_seated() => own_fault(process.quit()),
            _ => Ok(()),
        }
    }

    /// The process with the bot's instance: a new one if the one before has failed.
    fn sit_down(&mut self) -> Result<&mut BotProcess, Failure> {
        if self.process.as_ref().map_or(self.is_told, |process| process.is_ended) {
            self.process = self.command.host.start(&self.command);
        }
        self.is_told = true;
        let process = self.process.as_mut().map_err(|error| error.clone())?;
        process.greeting()?;
        process.create()?;
        Ok(process)
    }

    /// Gives the process up after a fault.
    fn leave(&mut self) {
        if let Ok(process) = &mut self.process {
            process.end();
        }
    }

    fn begin(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        self.news.clear();
        let (text, command) = (game.start.text(), self.command.clone());
        let process = self.sit_down()?;
        check_game(process.greeting()?, game)?;
        process.new_game(command.game_start(game, &text), game.time)
    }
}

impl Player for Sandboxed {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        self.begin(game).inspect_err(|_| self.leave())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let process = self.process.as_mut().expect("new_game has succeeded before a turn");
        let answered = process.choose(&self.news, turn);
        let spent = process.spent;
        self.news.clear();
        if has_failed(&answered) {
            self.leave();
        }
        reply(answered, turn.position, spent)
    }

    fn told(&mut self, event: &Event<'_>) {
        news_of(event).iter().for_each(|news| message::write(news, &mut self.news));
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        let news = std::mem::take(&mut self.news);
        match &mut self.process {
            Ok(process) if process.is_seated() => {
                let over = process.game_over(game_end(result), &news);
                own_fault(over.inspect_err(|_| process.end()))
            }
            _ => Ok(()),
        }
    }

    /// Of the last process, if there has been more than one. After a fault it is all there.
    fn output(&self) -> String {
        self.process.as_ref().map(BotProcess::output_tail).unwrap_or_default()
    }

    fn printed(&self) -> u64 {
        self.process.as_ref().map(BotProcess::printed).unwrap_or_default()
    }

    fn prepared(&self) -> Option<Duration> {
        self.process.as_ref().ok()?.prepared()
    }
}

/// What the bot did wrong at the end of its game or life. What the machine did is only logged.
fn own_fault(over: Result<(), Failure>) -> Result<(), Fault> {
    match over {
        Err(Failure::Fault(fault)) => Err(fault),
        Err(Failure::Machine(failure)) => {
            tracing::warn!("a bot {}", failure.sentence());
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}
