//! A bot in a confined process of its own: the usual way to run one.

use super::bot::{self, BotCommand};
use super::{Answer, Briefing, GameResult, News, Player, Reply, Turn};
use crate::host::launch::{BotProcess, Launch};
use crate::host::message::{Answered, write_happening};
use crate::host::{Greeting, LoadError};
use crate::verdict::Fault;
use std::time::Duration;

/// A bot in a process of its own.
///
/// The process serves any number of games, one after another, and is replaced after a fault. It is killed when the
/// player is dropped.
pub struct Sandboxed {
    command: BotCommand,
    seat: Seat,
    greeting: Option<Greeting>,
    news: Vec<u8>,
    output: String,
    noted: Option<Fault>,
}

/// How far the process has come.
enum Seat {
    /// There is none, or it has failed.
    Empty,
    /// It could not be started.
    NotStarted(LoadError),
    /// It is loading the bot.
    Loading(BotProcess),
    /// The bot has made its instance.
    Taken(BotProcess),
}

impl Sandboxed {
    /// Starts a process for the bot, and does not wait for it: whatever goes wrong is told by
    /// [`new_game`](Player::new_game).
    #[must_use]
    pub fn start(command: &BotCommand) -> Sandboxed {
        let seat = launch(command).map_or_else(Seat::NotStarted, Seat::Loading);
        let (news, output) = (Vec::new(), String::new());
        Sandboxed { command: command.clone(), seat, greeting: None, news, output, noted: None }
    }

    /// What the bot says of itself, once it has been loaded.
    #[must_use]
    pub fn greeting(&self) -> Option<&Greeting> {
        self.greeting.as_ref()
    }

    /// The end of what the bot's process printed: of the last one, if there has been more than one. Hostile text.
    #[must_use]
    pub fn output_tail(&self) -> String {
        match &self.seat {
            Seat::Loading(process) | Seat::Taken(process) => process.output_tail(),
            Seat::Empty | Seat::NotStarted(_) => self.output.clone(),
        }
    }

    /// A fault that no call could return: in `game_over`.
    pub fn take_noted(&mut self) -> Option<Fault> {
        self.noted.take()
    }

    /// The number of the bot's process, while there is one.
    #[must_use]
    pub fn pid(&self) -> Option<i32> {
        match &self.seat {
            Seat::Loading(process) | Seat::Taken(process) => Some(process.pid()),
            Seat::Empty | Seat::NotStarted(_) => None,
        }
    }

    /// Processor time that the bot's process used while nothing was asked of it: thinking on the opponent's time.
    #[must_use]
    pub fn used_between_turns(&self) -> Duration {
        match &self.seat {
            Seat::Loading(process) | Seat::Taken(process) => process.used_between_turns(),
            Seat::Empty | Seat::NotStarted(_) => Duration::ZERO,
        }
    }

    /// Has the bot destroy its instance, and ends its process.
    ///
    /// # Errors
    /// What the bot did wrong in `destroy`.
    pub fn finish(mut self) -> Result<(), Fault> {
        match std::mem::replace(&mut self.seat, Seat::Empty) {
            Seat::Taken(process) => process.quit(),
            Seat::Empty | Seat::NotStarted(_) | Seat::Loading(_) => Ok(()),
        }
    }

    /// Has a process load the bot and make an instance.
    fn take_seat(&mut self, mut process: BotProcess) -> Result<BotProcess, Fault> {
        let greeting = process.greeting().map_err(not_loaded);
        let created = greeting.and_then(|greeting| {
            self.greeting = Some(greeting);
            process.create()
        });
        self.output = process.output_tail();
        created.map(|()| process)
    }

    /// The process with the bot's instance, made now if need be.
    fn seated(&mut self) -> Result<&mut BotProcess, Fault> {
        let process = match std::mem::replace(&mut self.seat, Seat::Empty) {
            Seat::NotStarted(error) => return Err(not_loaded(error)),
            Seat::Loading(process) => self.take_seat(process)?,
            Seat::Taken(process) => process,
            Seat::Empty => self.take_seat(launch(&self.command).map_err(not_loaded)?)?,
        };
        self.seat = Seat::Taken(process);
        Ok(self.taken().expect("the seat has just been taken"))
    }

    fn taken(&mut self) -> Option<&mut BotProcess> {
        match &mut self.seat {
            Seat::Taken(process) => Some(process),
            Seat::Empty | Seat::NotStarted(_) | Seat::Loading(_) => None,
        }
    }

    /// Gives the process up after a fault.
    fn leave(&mut self) {
        self.output = self.output_tail();
        self.seat = Seat::Empty;
    }

    fn begin(&mut self, game: &Briefing<'_>) -> Result<(), Fault> {
        self.news.clear();
        self.seated()?;
        if let Some(greeting) = &self.greeting {
            bot::check_game(greeting, game)?;
        }
        let text = game.start.text();
        let start = self.command.clone();
        self.seated()?.new_game(start.game_start(game, &text))
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<Answered, Fault> {
        let news = std::mem::take(&mut self.news);
        let process = self.taken().expect("new_game has succeeded before a turn");
        let budget = turn.budget.hard.unwrap_or(Duration::MAX);
        let answered = process.choose(&news, budget, |started| {
            (bot::turn_start(turn, started), bot::schedule(&turn.budget, started))
        });
        self.news = news;
        self.news.clear();
        answered
    }
}

impl Player for Sandboxed {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Fault> {
        self.begin(game).inspect_err(|_| self.leave())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let answered = self.ask(turn);
        let spent = self.taken().map(|process| process.spent()).unwrap_or_default();
        match answered {
            Ok(answered) => {
                let (answer, report) = bot::answer(answered, turn.position);
                Reply { answer, spent, report }
            }
            Err(fault) => {
                if fault != Fault::Resigned {
                    self.leave();
                }
                Reply { answer: Answer::Fault(fault), spent, report: None }
            }
        }
    }

    fn told(&mut self, news: &News) {
        write_happening(&bot::happening(news), &mut self.news);
    }

    fn game_over(&mut self, result: &GameResult<'_>) {
        let news = std::mem::take(&mut self.news);
        let Some(process) = self.taken() else { return };
        if let Err(fault) = process.game_over(bot::game_end(result), &news) {
            self.leave();
            self.noted = Some(fault);
        }
    }
}

fn launch(command: &BotCommand) -> Result<BotProcess, LoadError> {
    let launch = Launch { library: &command.library, limits: command.limits, core: command.core };
    BotProcess::start(&launch).map_err(|error| LoadError::NotStarted { problem: error.to_string() })
}

fn not_loaded(error: LoadError) -> Fault {
    Fault::NotLoaded { problem: error.to_string() }
}
