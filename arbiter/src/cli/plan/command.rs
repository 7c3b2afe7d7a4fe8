//! A plan as the command that makes it again.

use super::entrants::names;
use super::{EntrantPlan, Plan, Seated};
use crate::cli::options::runtimes;
use crate::cli::options::time::{seconds, written};
use crate::host::{Limits, Sandbox};
use crate::player::TimeControl;
use crate::record::schema::{ScheduleKind, SprtModel, SprtPlan};
use crate::referee::{Agreement, AtMaxPlies};
use crate::sanitize::quoted;
use crate::tournament::{Book, Schedule};

/// The words of a command line.
#[derive(Default)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// Adds an argument, or an option without a value.
    pub(crate) fn word(&mut self, word: impl ToString) {
        self.0.push(word.to_string());
    }

    pub(crate) fn option(&mut self, option: &str, value: impl ToString) {
        self.0.extend([option.to_owned(), value.to_string()]);
    }

    /// Adds an option and its value, if it has one.
    pub(crate) fn maybe(&mut self, option: &str, value: Option<impl ToString>) {
        value.into_iter().for_each(|value| self.option(option, value));
    }

    /// Adds an option without a value, if it is set.
    fn flag(&mut self, option: &str, is_set: bool) {
        self.0.extend(is_set.then(|| option.to_owned()));
    }

    /// Adds words that have been made elsewhere.
    pub(crate) fn extend(&mut self, words: Vec<String>) {
        self.0.extend(words);
    }

    pub(crate) fn line(&self) -> String {
        line(&self.0)
    }
}

/// Words as a shell reads them.
pub(crate) fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

impl Plan {
    /// The command that plays the same games, with the entrants in the order of their seeds.
    pub(crate) fn command(&self, seated: &Seated) -> String {
        let mut words = Words::default();
        words.word("arbiter");
        match self.games.event.schedule {
            Schedule::Match { .. } => {}
            Schedule::League(_) => words.word("league"),
            _ => words.word("tournament"),
        }
        for entrant in &seated.entrants {
            words.word(entrant.named().unwrap_or_else(|| format!("human:{}", entrant.name)));
        }
        self.board_words(&mut words);
        self.schedule_words(&mut words);
        for (number, entrant) in (1..).zip(&seated.entrants) {
            for (key, value) in entrant.bot().into_iter().flat_map(|bot| &bot.options) {
                words.option("-B", format!("{number}:{key}={value}"));
            }
        }
        if self.takes_names() {
            let unnamed: Vec<EntrantPlan> = seated.entrants.iter().map(EntrantPlan::unnamed).collect();
            let usual = names(&unnamed, self.games.bot_time);
            for (number, (entrant, usual)) in (1..).zip(seated.entrants.iter().zip(usual)) {
                if entrant.name != usual {
                    words.option("--name", format!("{number}:{}", entrant.name));
                }
            }
        }
        words.option("--seed", &seated.seed);
        words.extend(runtimes::words(self.run.host.chosen_bridges()));
        self.time_words(&seated.entrants, &mut words);
        self.referee_words(&mut words);
        words.line()
    }

    /// Whether `--name` and `--seeding` are options of the verb.
    fn takes_names(&self) -> bool {
        !matches!(self.games.event.schedule, Schedule::Match { .. } | Schedule::League(_))
    }

    fn board_words(&self, words: &mut Words) {
        let start = &self.games.start;
        words.option("--game", start.info().id);
        if start.info().seats.first() != Some(&start.seats()) {
            words.option("--players", start.seats());
        }
        for (name, value) in start.options().iter() {
            words.option("-O", format!("{name}={value}"));
        }
        if let Some(text) = &self.games.position {
            words.option("--position", text);
        }
        let openings = match (&self.games.book, &self.games.openings_file) {
            (Book::None, _) => "none".to_owned(),
            (Book::Random(plies), _) => format!("random:{plies}"),
            (Book::List(_), file) => file.as_ref().map(|file| file.display().to_string()).unwrap_or_default(),
        };
        words.option("--openings", openings);
    }

    fn schedule_words(&self, words: &mut Words) {
        let event = &self.games.event;
        let schedule = event.schedule.to_record();
        if !matches!(schedule.kind, ScheduleKind::Match | ScheduleKind::RoundRobin | ScheduleKind::League) {
            words.option("--schedule", schedule.kind.word());
        }
        for (option, value) in [
            ("--games", schedule.games),
            ("--challengers", schedule.challengers),
            ("--rounds", schedule.rounds),
            ("--pairs", schedule.pairs),
            ("--max-pairs", schedule.most_pairs),
        ] {
            words.maybe(option, value);
        }
        // The entrants are in the order that lots have given them, or that was asked for.
        words.maybe("--seeding", self.takes_names().then_some("given"));
        words.maybe("--withdraw-after", Some(event.withdraw_after).filter(|games| *games > 0));
        if let Some(SprtPlan { model, elo0, elo1, alpha, beta }) = self.games.sprt {
            words.option("--sprt", format!("{elo0},{elo1}"));
            words.option("--sprt-errors", format!("{alpha},{beta}"));
            words.maybe("--sprt-model", (model == SprtModel::Normalized).then_some("normalized"));
        }
    }

    fn time_words(&self, entrants: &[EntrantPlan], words: &mut Words) {
        let usual = self.games.bot_time;
        match usual {
            TimeControl::Unlimited => words.word("--no-clock"),
            TimeControl::MoveTime(time) if self.run.limits.instructions => {
                words.option("--fuel", time.as_nanos());
            }
            TimeControl::MoveTime(_) => words.option("--move-time", written(usual, usual)),
            TimeControl::Clock { .. } => words.option("--clock", written(usual, usual)),
        }
        for (place, entrant) in (1..).zip(entrants) {
            if entrant.person().is_none() && entrant.time != usual {
                words.option("--time-odds", format!("{place}:{}", written(entrant.time, usual)));
            }
        }
        // People all have the same clock, or none.
        let person = entrants
            .iter()
            .find(|entrant| entrant.person().is_some() && entrant.time != TimeControl::Unlimited);
        words.maybe("--human-time", person.map(|person| written(person.time, person.time)));
        let limits = &self.run.limits;
        words.maybe("--margin", (!limits.instructions).then(|| seconds(self.games.policy.margin)));
        words.maybe("--prepare-time", limits.new_game.map(seconds));
    }

    fn referee_words(&self, words: &mut Words) {
        let (policy, limits, usual) = (&self.games.policy, &self.run.limits, Limits::default());
        words.option("--max-errors", policy.max_errors);
        words.option("--max-plies", policy.max_plies);
        words.option("--max-repetitions", policy.max_repetitions);
        let agreement = |Agreement { score, plies }| format!("{score},{plies}");
        words.maybe("--resign-score", policy.resign_score.map(agreement));
        words.maybe("--draw-score", policy.draw_score.map(agreement));
        words.maybe("--at-max-plies", (policy.at_max_plies == AtMaxPlies::Score).then_some("score"));
        words.maybe("--memory", (limits.memory != usual.memory).then_some(limits.memory >> 20));
        words.maybe("--threads", (limits.threads != usual.threads).then_some(limits.threads));
        words.maybe("--sandbox", (limits.sandbox == Sandbox::Wide).then_some("wide"));
        words.maybe("--isolate", (limits.isolation != usual.isolation).then_some(limits.isolation));
        words.flag("--stop-between-turns", limits.stop_between_turns);
        words.flag("--in-process", self.games.in_process);
        words.flag("--casual", policy.take_backs);
    }
}
