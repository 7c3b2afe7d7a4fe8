//! A bot in a confined process of its own: the usual way to run one.

use super::bot::{self, BotCommand};
use super::{Briefing, GameResult, News, Player, Reply, Turn};
use crate::host::launch::{BotProcess, Launch};
use crate::host::message::{Answered, write_happening};
use crate::host::{Greeting, LoadError};
use crate::verdict::{Fault, Phase};
use std::time::Duration;

/// A bot in a process of its own.
///
/// The process serves any number of games, one after another, and is replaced after a fault. It is killed when the
/// player is dropped.
pub struct Sandboxed {
    command: BotCommand,
    process: Result<BotProcess, LoadError>,
    stage: Stage,
    greeting: Option<Greeting>,
    news: Vec<u8>,
}

/// How far the process has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It is loading the bot.
    Loading,
    /// The bot has made its instance.
    Seated,
    /// It has failed and was ended; what it printed is still of interest.
    Left,
}

impl Sandboxed {
    /// Starts a process for the bot, and does not wait for it: whatever goes wrong is told by
    /// [`new_game`](Player::new_game).
    #[must_use]
    pub fn start(command: &BotCommand) -> Sandboxed {
        let (process, command) = (launch(command), command.clone());
        Sandboxed { command, process, stage: Stage::Loading, greeting: None, news: Vec::new() }
    }

    /// What the bot says of itself, once it has been loaded.
    #[must_use]
    pub fn greeting(&self) -> Option<&Greeting> {
        self.greeting.as_ref()
    }

    /// The end of what the bot's process printed: of the last one, if there has been more than one. After a fault it
    /// is all there. Hostile text.
    #[must_use]
    pub fn output_tail(&self) -> String {
        self.process.as_ref().map(BotProcess::output_tail).unwrap_or_default()
    }

    /// Ends the process, and gives the end of what it printed, all of it. Hostile text.
    #[must_use]
    pub fn into_output(mut self) -> String {
        self.leave();
        self.output_tail()
    }

    /// The number of the bot's process, while there is one.
    #[must_use]
    pub fn pid(&self) -> Option<i32> {
        self.process.as_ref().ok().filter(|_| self.stage != Stage::Left).map(BotProcess::pid)
    }

    /// Processor time that the bot's process used while nothing was asked of it: thinking on the opponent's time. None
    /// where the system does not count it, and for a bot without a process.
    #[must_use]
    pub fn used_between_turns(&self) -> Option<Duration> {
        self.process.as_ref().ok().and_then(BotProcess::used_between_turns)
    }

    /// Has the bot destroy its instance, ends its process, and waits until that is gone.
    ///
    /// # Errors
    /// What the bot did wrong in `destroy`.
    pub fn finish(self) -> Result<(), Fault> {
        match self.process {
            Ok(process) if self.stage == Stage::Seated => process.quit(),
            _ => Ok(()),
        }
    }

    /// The process with the bot's instance: a new one if the one before has failed.
    fn sit_down(&mut self) -> Result<&mut BotProcess, Fault> {
        if self.stage == Stage::Left {
            self.process = launch(&self.command);
            self.stage = Stage::Loading;
        }
        let process = self.process.as_mut().map_err(|error| not_begun(error))?;
        if self.stage == Stage::Loading {
            self.greeting = Some(process.greeting().map_err(|error| not_loaded(&error))?);
            process.create()?;
            self.stage = Stage::Seated;
        }
        Ok(process)
    }

    /// The process, if the bot is in its seat.
    fn seated(&mut self) -> Option<&mut BotProcess> {
        self.process.as_mut().ok().filter(|_| self.stage == Stage::Seated)
    }

    /// Gives the process up after a fault.
    fn leave(&mut self) {
        if let Ok(process) = &mut self.process {
            process.end();
        }
        self.stage = Stage::Left;
    }

    fn begin(&mut self, game: &Briefing<'_>) -> Result<(), Fault> {
        self.news.clear();
        self.sit_down()?;
        if let Some(greeting) = &self.greeting {
            bot::check_game(greeting, game)?;
        }
        let (text, command) = (game.start.text(), self.command.clone());
        self.sit_down()?.new_game(command.game_start(game, &text))
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<Answered, Fault> {
        let news = std::mem::take(&mut self.news);
        let process = self.seated().expect("new_game has succeeded before a turn");
        let budget = turn.budget.hard.unwrap_or(Duration::MAX);
        let answered = process.choose(&news, budget, |started| {
            (bot::turn_start(turn, started), bot::schedule(&turn.budget, started))
        });
        self.news = news;
        self.news.clear();
        match (answered, turn.limit) {
            // How little refused answers left of it is not what the bot had.
            (Err(Fault::TimedOut { during: during @ Phase::Move, .. }), Some(limit)) => {
                Err(Fault::TimedOut { during, budget: limit })
            }
            (answered, _) => answered,
        }
    }
}

impl Player for Sandboxed {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Fault> {
        self.begin(game).inspect_err(|_| self.leave())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let answered = self.ask(turn);
        let spent = self.seated().map(|process| process.spent()).unwrap_or_default();
        if bot::has_failed(&answered) {
            self.leave();
        }
        bot::reply(answered, turn.position, spent)
    }

    fn told(&mut self, news: &News) {
        write_happening(&bot::happening(news), &mut self.news);
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        let news = std::mem::take(&mut self.news);
        let Some(process) = self.seated() else { return Ok(()) };
        process.game_over(bot::game_end(result), &news).inspect_err(|_| self.leave())
    }

    fn output(&self) -> String {
        self.output_tail()
    }

    fn printed(&self) -> u64 {
        self.process.as_ref().map(BotProcess::printed).unwrap_or_default()
    }
}

fn launch(command: &BotCommand) -> Result<BotProcess, LoadError> {
    let launch = Launch { library: &command.library, limits: command.limits, core: command.core };
    BotProcess::start(&launch)
}

/// Why there is no process, which nothing of the bot has had a say in yet.
fn not_begun(error: &LoadError) -> Fault {
    match error {
        LoadError::NotStarted { .. } => Fault::NotStarted { problem: error.to_string() },
        _ => not_loaded(error),
    }
}

/// Why the bot did not come up. What its process says may be forged, so that no such word can abandon a game.
fn not_loaded(error: &LoadError) -> Fault {
    Fault::NotLoaded { problem: error.to_string() }
}
