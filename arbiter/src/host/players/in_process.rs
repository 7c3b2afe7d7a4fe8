//! A trusted bot in our own process: faster, and without any containment.
//!
//! Whatever such a bot does wrong, it does to the whole program: a crash ends every game, an endless loop is never
//! ended, and nothing keeps it from files and other bots. Its time is looked at only when it returns.

use super::{BotCommand, alarm, check_game, game_end, happening, has_failed, reply, turn_start};
use crate::host::Greeting;
use crate::host::bot_process::TurnClock;
use crate::host::clock::now_ns;
use crate::host::message::write_happening;
use crate::host::plugin::InProcessBot;
use crate::player::{Briefing, GameResult, News, Player, Reply, Turn};
use crate::verdict::{Failure, Fault, Spent};
use std::time::Duration;

/// A trusted bot in our own process. Its limits are not enforced.
pub struct InProcess {
    command: BotCommand,
    bot: Option<InProcessBot>,
    news: Vec<u8>,
}

impl InProcess {
    /// A bot that is loaded when its first game begins. It must be trusted: see the module's page.
    #[must_use]
    pub fn trusting(command: &BotCommand) -> InProcess {
        InProcess { command: command.clone(), bot: None, news: Vec::new() }
    }

    /// What the bot says of itself, once it has been loaded.
    #[must_use]
    pub fn greeting(&self) -> Option<&Greeting> {
        self.bot.as_ref().map(InProcessBot::greeting)
    }

    fn begin(&mut self, game: &Briefing<'_>) -> Result<(), Fault> {
        self.news.clear();
        let bot = match &mut self.bot {
            Some(bot) => bot,
            empty => empty.insert({
                let BotCommand { host, library, limits, .. } = &self.command;
                InProcessBot::seat(host.libraries(), library, limits.memory)?
            }),
        };
        check_game(bot.greeting(), game)?;
        let text = game.start.text();
        bot.new_game(&self.command.game_start(game, &text), game.start)
    }
}

impl Player for InProcess {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        Ok(self.begin(game).inspect_err(|_| self.bot = None)?)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let bot = self.bot.as_mut().expect("new_game has succeeded before a turn");
        let started = now_ns();
        let clock = TurnClock { started_ns: started, cpu: None, threads: 1 };
        let answered = bot.choose(&turn_start(turn, clock), &self.news, &alarm(&turn.budget, started));
        let answered = answered.map_err(Failure::from);
        let wall = Duration::from_nanos(now_ns().abs_diff(started));
        self.news.clear();
        if has_failed(&answered) {
            self.bot = None;
        }
        reply(answered, turn.position, Spent::of_wall(wall))
    }

    fn told(&mut self, news: &News) {
        write_happening(&happening(news), &mut self.news);
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        let news = std::mem::take(&mut self.news);
        let Some(bot) = &mut self.bot else { return Ok(()) };
        bot.game_over(&game_end(result), &news).inspect_err(|_| self.bot = None)
    }
}
