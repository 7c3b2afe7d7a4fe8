//! A plan as the command that makes it again.

use super::super::options::runtimes;
use super::super::options::time::{seconds, written};
use super::{Place, Plan, Seated};
use crate::host::{Limits, Sandbox};
use crate::player::TimeControl;
use crate::program;
use crate::record::schema::{SprtModel, SprtPlan};
use crate::referee::{Agreement, AtMaxPlies};
use crate::tournament::{Book, Schedule};

impl Plan {
    /// The command that plays the same games, with the entrants in the order of their seeds.
    pub(crate) fn command(&self, seated: &Seated) -> String {
        let mut words = vec!["arbiter".to_owned()];
        match self.games.event.schedule {
            Schedule::Match { .. } => {}
            Schedule::League(_) => words.push("league".to_owned()),
            _ => words.push("tournament".to_owned()),
        }
        let files = seated.places.iter();
        let files = files.map(|place| place.named().unwrap_or_else(|| format!("human:{}", place.name)));
        words.extend(files);
        words.extend(self.board_words());
        words.extend(self.schedule_words());
        for (place, option) in (1..).zip(&seated.places).flat_map(|(number, place)| {
            place.bot.iter().flat_map(|bot| &bot.options).map(move |option| (number, option))
        }) {
            words.extend(["-B".to_owned(), format!("{place}:{}={}", option.0, option.1)]);
        }
        if self.takes_names() {
            // Bots of a tournament have no name here but what somebody gave them; programs have the one of their command.
            let given = |name: &str| self.games.places.iter().any(|place| place.name == name);
            let usual = |place: &Place| place.program.as_ref().map(program::Command::name);
            for (number, place) in (1..).zip(&seated.places) {
                if given(&place.name) && usual(place).as_ref() != Some(&place.name) {
                    words.extend(["--name".to_owned(), format!("{number}:{}", place.name)]);
                }
            }
        }
        words.extend(["--seed".to_owned(), seated.seed.to_string()]);
        words.extend(runtimes::words(self.run.host.chosen_bridges()));
        words.extend(self.time_words(&seated.places));
        words.extend(self.referee_words());
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// Whether `--name` and `--seeding` are options of the verb.
    fn takes_names(&self) -> bool {
        !matches!(self.games.event.schedule, Schedule::Match { .. } | Schedule::League(_))
    }

    fn board_words(&self) -> Vec<String> {
        let start = &self.games.start;
        let mut words = vec!["--game".to_owned(), start.info().id.to_owned()];
        if start.info().seats.first() != Some(&start.seats()) {
            words.extend(["--players".to_owned(), start.seats().to_string()]);
        }
        for (name, value) in start.options().iter() {
            words.extend(["-O".to_owned(), format!("{name}={value}")]);
        }
        if let Some(text) = &self.games.position {
            words.extend(["--position".to_owned(), text.clone()]);
        }
        let openings = match (&self.games.book, &self.games.openings_file) {
            (Book::None, _) => "none".to_owned(),
            (Book::Random(plies), _) => format!("random:{plies}"),
            (Book::List(_), file) => file.as_ref().map(|file| file.display().to_string()).unwrap_or_default(),
        };
        words.extend(["--openings".to_owned(), openings]);
        words
    }

    fn schedule_words(&self) -> Vec<String> {
        let number = |option: &str, number: u32| [option.to_owned(), number.to_string()];
        let kind = |kind: &str| ["--schedule".to_owned(), kind.to_owned()];
        let mut words = Vec::new();
        match &self.games.event.schedule {
            Schedule::Match { games } => words.extend(number("--games", *games)),
            Schedule::RoundRobin { rounds } => words.extend(number("--rounds", *rounds)),
            Schedule::Gauntlet { challengers, rounds } => {
                words.extend(kind("gauntlet"));
                words.extend(number("--challengers", *challengers as u32));
                words.extend(number("--rounds", *rounds));
            }
            Schedule::Swiss { rounds, pairs, .. } => {
                words.extend(kind("swiss"));
                words.extend(number("--rounds", *rounds));
                words.extend(number("--pairs", *pairs));
            }
            Schedule::League(league) => {
                words.extend(number("--pairs", league.pairs));
                words.extend(number("--max-pairs", league.most_pairs));
            }
            Schedule::Knockout(ties) | Schedule::DoubleElimination(ties) => {
                let is_double = matches!(self.games.event.schedule, Schedule::DoubleElimination(_));
                words.extend(kind(if is_double { "double-elimination" } else { "knockout" }));
                words.extend(number("--pairs", ties.pairs));
                words.extend(number("--max-pairs", ties.most_pairs));
            }
        }
        if self.takes_names() {
            // The entrants are in the order that lots have given them, or that was asked for.
            words.extend(["--seeding".to_owned(), "given".to_owned()]);
        }
        if self.games.event.withdraw_after > 0 {
            words.extend(number("--withdraw-after", self.games.event.withdraw_after));
        }
        if let Some(SprtPlan { model, elo0, elo1, alpha, beta }) = self.games.sprt {
            words.extend(["--sprt".to_owned(), format!("{elo0},{elo1}")]);
            words.extend(["--sprt-errors".to_owned(), format!("{alpha},{beta}")]);
            if model == SprtModel::Normalized {
                words.extend(["--sprt-model".to_owned(), "normalized".to_owned()]);
            }
        }
        words
    }

    fn time_words(&self, places: &[Place]) -> Vec<String> {
        let usual = self.games.bot_time;
        let mut words = match usual {
            TimeControl::Unlimited => vec!["--no-clock".to_owned()],
            TimeControl::MoveTime(time) if self.run.limits.instructions => {
                return vec!["--fuel".to_owned(), time.as_nanos().to_string()];
            }
            TimeControl::MoveTime(_) => vec!["--move-time".to_owned(), written(usual, usual)],
            TimeControl::Clock { .. } => vec!["--clock".to_owned(), written(usual, usual)],
        };
        for (place, entrant) in (1..).zip(places) {
            if !entrant.is_person() && entrant.time != usual {
                let time = written(entrant.time, usual);
                words.extend(["--time-odds".to_owned(), format!("{place}:{time}")]);
            }
        }
        words.extend(["--margin".to_owned(), seconds(self.games.policy.margin)]);
        if let Some(time) = self.run.limits.new_game {
            words.extend(["--prepare-time".to_owned(), seconds(time)]);
        }
        words
    }

    fn referee_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let policy = &self.games.policy;
        for (option, number) in [
            ("--max-errors", policy.max_errors),
            ("--max-plies", policy.max_plies),
            ("--max-repetitions", policy.max_repetitions),
        ] {
            words.extend([option.to_owned(), number.to_string()]);
        }
        for (option, asked) in [("--resign-score", policy.resign_score), ("--draw-score", policy.draw_score)]
        {
            if let Some(Agreement { score, plies }) = asked {
                words.extend([option.to_owned(), format!("{score},{plies}")]);
            }
        }
        if policy.at_max_plies == AtMaxPlies::Score {
            words.extend(["--at-max-plies".to_owned(), "score".to_owned()]);
        }
        let usual = Limits::default();
        if self.run.limits.memory != usual.memory {
            words.extend(["--memory".to_owned(), (self.run.limits.memory >> 20).to_string()]);
        }
        if self.run.limits.threads != usual.threads {
            words.extend(["--threads".to_owned(), self.run.limits.threads.to_string()]);
        }
        if self.run.limits.sandbox == Sandbox::Wide {
            words.extend(["--sandbox".to_owned(), "wide".to_owned()]);
        }
        if self.run.limits.isolation != usual.isolation {
            words.extend(["--isolate".to_owned(), self.run.limits.isolation.to_string()]);
        }
        if self.run.limits.stop_between_turns {
            words.push("--stop-between-turns".to_owned());
        }
        if self.games.in_process {
            words.push("--in-process".to_owned());
        }
        words
    }
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+%@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
