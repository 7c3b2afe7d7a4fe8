//! A strong bot that is asked for advice: hints, and reviews of games.

use crate::ask::{Question, ask};
use crate::host::{BotCommand, Host, Sandboxed};
use crate::player::TimeControl;
use crate::sanitize::sanitize;
use crate::tournament::MatchSeed;
use crate::ui::{Advice, Adviser};
use arbiter_rules::Position;
use clap::Args;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Who gives advice if `--review` names nobody: the first of these that is installed and plays the game.
const USUAL: [&str; 2] = ["alphabeta", "mcts"];
/// Overrun that is forgiven. It is generous, because no result depends on advice.
const MARGIN: Duration = Duration::from_millis(200);

/// The bot that is asked.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ReviewArgs {
    /// Go over the game afterwards with this bot: the three moves of yours that cost most. It gives the hints, too [default: where
    /// you ask for it, alphabeta, else mcts]
    #[arg(long, value_name = "BOT", help_heading = "People")]
    pub(crate) review: Option<String>,
}

impl ReviewArgs {
    /// An adviser for this game. Its bot is looked up when it is asked for the first time.
    pub(crate) fn adviser(&self, host: &Host, game: &str) -> Arc<dyn Adviser> {
        let (host, named, game) = (host.clone(), self.review.clone(), game.to_owned());
        Arc::new(BotAdviser { host, named, game, found: OnceLock::new() })
    }
}

/// An adviser that is a bot: contained and timed as in a match, a fresh process for each question.
struct BotAdviser {
    host: Host,
    named: Option<String>,
    game: String,
    found: OnceLock<Result<(String, BotCommand), String>>,
}

impl BotAdviser {
    fn found(&self) -> Result<&(String, BotCommand), String> {
        self.found.get_or_init(|| self.find()).as_ref().map_err(Clone::clone)
    }

    fn find(&self) -> Result<(String, BotCommand), String> {
        if let Some(bot) = &self.named {
            return self.load(bot).map_err(|why| sanitize(&why));
        }
        let nobody =
            || format!("no bot that came with arbiter advises on {}; --review BOT names one", self.game);
        let mut installed = USUAL.into_iter().filter(|bot| self.host.own_bot(bot).is_some());
        installed.find_map(|bot| self.load(bot).ok()).ok_or_else(nobody)
    }

    fn load(&self, named: &str) -> Result<(String, BotCommand), String> {
        let command = BotCommand::new(&self.host, self.host.bot(named));
        let greeting = self.host.identify(&command);
        let greeting = greeting.map_err(|error| format!("{named} cannot be loaded: {}", error.error))?;
        match greeting.plays(&self.game) {
            true => Ok((sanitize(&greeting.name), command)),
            false => Err(format!("{named} does not play {}", self.game)),
        }
    }
}

impl Adviser for BotAdviser {
    fn name(&self) -> Result<String, String> {
        self.found().map(|(name, _)| name.clone())
    }

    fn answer(&self, position: &Position, time: Duration) -> Result<Advice, String> {
        let (name, command) = self.found()?;
        let time = TimeControl::MoveTime(time);
        let seed = MatchSeed::new("advice").player(1, 0);
        let question = Question { position, time, at_most: None, margin: MARGIN, seed };
        let answered = ask(&question, Box::new(Sandboxed::start(command)));
        let answered =
            answered.map_err(|failed| sanitize(&format!("{name} {}", failed.failure.sentence())))?;
        Ok(Advice { text: answered.text, score: answered.report.and_then(|report| report.score) })
    }
}
