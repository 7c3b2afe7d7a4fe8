//! Whether a bot would get through a tournament: every situation that trips bots up, one after another, with advice.
//!
//! The bot plays in a confined process under the same referee that judges matches, against opponents that pick at
//! random, so what passes here passes there. Steps are data ([`STEPS`]); what they find is data too, and the command
//! line prints it. Everything but time repeats, so that a step does the same alone as among all others.

mod advice;
mod bench;
mod clocks;
mod file;
mod finding;
mod habits;
mod list;
mod play;
mod variants;
mod ways;

pub(crate) use advice::advice_on;
pub(crate) use finding::{Finding, Level, Reach, Rule};
pub(crate) use list::STEPS;

use crate::host::{BotCommand, Greeting, Look, NotLoaded};
use arbiter_rules::GameInfo;
use std::cell::RefCell;
use std::time::Duration;

/// The bot that is checked, and how.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(crate) command: BotCommand,
    pub(crate) greeting: Greeting,
    /// Time for a move in steps that are not about time.
    pub(crate) move_time: Duration,
    /// Whether nobody waits for findings any more: games are broken off then, and what is found means nothing.
    pub(crate) is_stopped: fn() -> bool,
}

impl Subject {
    /// Whether its author knows the words of Python, and not those of `arbiter_bot.h`.
    fn is_in_python(&self) -> bool {
        self.command.file.runtime().is_some_and(|runtime| runtime.contains("Python"))
    }

    /// Loads the bot once, to read its name, version and games.
    pub(crate) fn open(command: BotCommand, move_time: Duration) -> Result<Subject, NotLoaded> {
        let greeting = command.host.identify(&command)?;
        Ok(Subject { command, greeting, move_time, is_stopped: || false })
    }

    /// Whether the bot says that it plays a game, or names none.
    pub(crate) fn plays(&self, game: &GameInfo) -> bool {
        self.greeting.plays(game.id)
    }

    fn look(&self) -> &Look {
        self.command.file.look().expect("it has been loaded")
    }
}

/// One thing that is checked.
pub(crate) struct Step {
    /// The word after `--only`.
    pub(crate) id: &'static str,
    /// What is asked of the bot, as people read it in the list.
    pub(crate) about: &'static str,
    /// The rule that a bot breaks when it fails here, where this step is about one rule.
    rule: Option<Rule>,
    /// What usually mends a failure.
    hint: &'static str,
    run: Run,
}

#[derive(Clone, Copy)]
enum Games {
    Every,
    /// Games with options that are worth trying.
    WithTrials,
    Only(&'static [&'static str]),
}

enum Run {
    /// It looks at the bot's file without playing.
    Look(fn(&Subject) -> Vec<Finding>),
    Play(Games, Play),
}

type Play = fn(&bench::Bench<'_>) -> Found;

/// What a step comes to: what stopped it, if anything did.
type Found = Result<(), Finding>;

impl Step {
    /// The steps for a bot of these games, each with its game: first those on the bot's file, then one game after another.
    pub(crate) fn all(
        games: impl IntoIterator<Item = &'static GameInfo>,
    ) -> impl Iterator<Item = (&'static Step, Option<&'static GameInfo>)> {
        std::iter::once(None).chain(games.into_iter().map(Some)).flat_map(|place| {
            STEPS.iter().filter(move |step| step.applies_to(place)).map(move |step| (step, place))
        })
    }

    /// Whether the step is one for this game; `None` stands for the bot's file.
    fn applies_to(&self, game: Option<&GameInfo>) -> bool {
        match (&self.run, game) {
            (Run::Look(_), game) => game.is_none(),
            (Run::Play(..), None) => false,
            (Run::Play(games, _), Some(game)) => match games {
                Games::Every => true,
                Games::WithTrials => !game.trials.is_empty(),
                Games::Only(names) => names.contains(&game.id),
            },
        }
    }

    /// Whether every bot should be able to play it: it asks for no options or seats that few games have.
    pub(crate) fn is_of_every_game(&self) -> bool {
        matches!(self.run, Run::Play(Games::Every, _))
    }

    /// Does the step. One that plays needs a game.
    pub(crate) fn run(&self, subject: &Subject, game: Option<&'static GameInfo>) -> Vec<Finding> {
        match &self.run {
            Run::Look(look) => look(subject),
            Run::Play(_, play) => {
                let game = game.expect("a step that plays is about a game");
                let bench = bench::Bench { subject, game, step: self, found: RefCell::default() };
                play(&bench).map_or_else(|stopped| vec![stopped], |()| bench.found.into_inner())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Fault, Phase, Shortage};

    /// The header as running text.
    fn header() -> String {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../plugin-api/include/arbiter_bot.h");
        let text = std::fs::read_to_string(path).expect("the header lies where it always did");
        let lines =
            text.lines().map(|line| line.trim_start().trim_start_matches("/*").trim_start_matches('*'));
        let text = lines.collect::<Vec<_>>().join(" ").replace("*/", " ");
        text.replace("/*", " ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_rule_is_quoted_as_the_header_has_it() {
        let header = header();
        let faults = [
            Fault::TimedOut { during: Phase::Move, budget: Duration::ZERO },
            Fault::Failed { during: Phase::Move, status: -1 },
            Fault::Failed { during: Phase::Create, status: -1 },
            Fault::Panicked { during: Phase::Move, message: String::new() },
            Fault::OutOfMemory { during: Phase::Move, limit: 0, shortage: Shortage::Held },
            Fault::Unsupported { message: String::new() },
        ];
        let of_faults = faults.iter().filter_map(|fault| advice::advice_on(fault).0);
        let rules = STEPS.iter().filter_map(|step| step.rule).chain(of_faults);
        for rule in rules.chain([advice::ONE_OF_THE_MOVES, file::ONE_SYMBOL]) {
            assert!(header.contains(rule.says), "the header does not say: {}", rule.says);
        }
    }

    #[test]
    fn every_step_has_a_name_of_its_own_and_is_done_somewhere() {
        for (index, step) in STEPS.iter().enumerate() {
            assert!(STEPS[..index].iter().all(|other| other.id != step.id), "{} is there twice", step.id);
            let mut places =
                std::iter::once(None).chain(arbiter_rules::registry::GAMES.iter().copied().map(Some));
            assert!(places.any(|place| step.applies_to(place)), "{} is for nothing that exists", step.id);
        }
    }
}
