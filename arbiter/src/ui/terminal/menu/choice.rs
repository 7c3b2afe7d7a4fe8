//! What is chosen in the menu: the lines, their values, and the command line that they make.

use arbiter_rules::options::{OptionInfo, OptionKind};
use arbiter_rules::{GameInfo, registry};

/// Times that can be chosen; others can be given on the command line.
const TIMES: [&str; 5] = ["1s a move", "5s a move", "100ms a move", "60s+0.5s clock", "no clock"];
/// Longest value that can be typed.
const LONGEST: usize = 40;

/// A bot that can be sat down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotChoice {
    /// Its file.
    pub file: String,
    /// Its name, made harmless.
    pub name: String,
    /// The games that it plays; none for any.
    pub games: Vec<String>,
}

/// A line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    Game,
    Players,
    Seat(usize),
    Option(usize),
    Time,
    Games,
    Start,
}

/// A line as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// What is chosen here.
    pub(super) name: String,
    /// What has been chosen.
    pub(super) value: String,
    /// What may be chosen.
    pub(super) range: String,
}

/// What has been chosen so far.
pub(super) struct Choice {
    pub(super) bots: Vec<BotChoice>,
    game: usize,
    players: usize,
    /// Who sits in each seat: 0 for a person, otherwise a bot.
    seats: [usize; 6],
    /// What was chosen for the options of the game; empty for the default.
    options: Vec<String>,
    time: usize,
    games: u32,
}

impl Choice {
    /// The first game, with people in all seats.
    pub(super) fn new(bots: Vec<BotChoice>) -> Choice {
        let mut choice =
            Choice { bots, game: 0, players: 2, seats: [0; 6], options: Vec::new(), time: 0, games: 1 };
        choice.choose_game(0);
        choice
    }

    /// The game that is chosen.
    pub(super) fn info(&self) -> &'static GameInfo {
        registry::GAMES[self.game]
    }

    /// The lines that there are with this game and so many players.
    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Game, Row::Players];
        rows.extend((0..self.players).map(Row::Seat));
        rows.extend((0..self.info().options.len()).map(Row::Option));
        rows.extend([Row::Time, Row::Games, Row::Start]);
        rows
    }

    fn choose_game(&mut self, game: usize) {
        self.game = game;
        self.players = self.info().seats.first().copied().unwrap_or(2);
        self.options = vec![String::new(); self.info().options.len()];
        self.seats = [0; 6];
    }

    /// The bots that play this game, by their places in the list.
    fn fitting(&self) -> Vec<usize> {
        let id = self.info().id;
        let plays = |bot: &BotChoice| bot.games.is_empty() || bot.games.iter().any(|game| game == id);
        self.bots.iter().enumerate().filter(|(_, bot)| plays(bot)).map(|(index, _)| index + 1).collect()
    }

    /// The next or the previous value of a line.
    pub(super) fn change(&mut self, row: Row, by: isize) {
        let turn =
            |value: usize, count: usize| (value as isize + by).rem_euclid(count.max(1) as isize) as usize;
        match row {
            Row::Game => self.choose_game(turn(self.game, registry::GAMES.len())),
            Row::Players => {
                let seats = self.info().seats;
                let here = seats.iter().position(|&count| count == self.players).unwrap_or(0);
                self.players = seats[turn(here, seats.len())];
            }
            Row::Seat(seat) => {
                let choices: Vec<usize> = std::iter::once(0).chain(self.fitting()).collect();
                let here = choices.iter().position(|&choice| choice == self.seats[seat]).unwrap_or(0);
                self.seats[seat] = choices[turn(here, choices.len())];
            }
            Row::Option(index) => {
                let values = values(&self.info().options[index]);
                let here = values.iter().position(|value| *value == self.options[index]).unwrap_or(0);
                self.options[index].clone_from(&values[turn(here, values.len())]);
            }
            Row::Time => self.time = turn(self.time, TIMES.len()),
            Row::Games => self.games = self.games.saturating_add_signed(by as i32).max(1),
            Row::Start => {}
        }
    }

    /// A letter or a digit was typed in a line.
    pub(super) fn type_on(&mut self, row: Row, c: char) {
        match row {
            Row::Option(index) if self.options[index].len() < LONGEST => self.options[index].push(c),
            Row::Games => {
                let typed = u64::from(self.games) * 10 + u64::from(c.to_digit(10).unwrap_or(0));
                self.games = u32::try_from(typed).unwrap_or(self.games).min(1_000_000);
            }
            Row::Option(_) | Row::Game | Row::Players | Row::Seat(_) | Row::Time | Row::Start => {}
        }
    }

    /// The last letter of a line is taken back.
    pub(super) fn rub(&mut self, row: Row) {
        match row {
            Row::Option(index) => drop(self.options[index].pop()),
            Row::Games => self.games /= 10,
            Row::Game | Row::Players | Row::Seat(_) | Row::Time | Row::Start => {}
        }
    }

    /// The command line that plays what has been chosen.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["--game".to_owned(), self.info().id.to_owned()];
        arguments.extend(["--players".to_owned(), self.players.to_string()]);
        for (seat, &who) in self.seats.iter().enumerate().take(self.players) {
            let who = who.checked_sub(1).and_then(|bot| self.bots.get(bot)).map_or("human", |bot| &bot.file);
            arguments.push(format!("--seat={}={who}", seat + 1));
        }
        for (option, value) in
            self.info().options.iter().zip(&self.options).filter(|(_, value)| !value.is_empty())
        {
            arguments.push(format!("-O{}={value}", option.name));
        }
        let time = TIMES[self.time].split(' ').next().unwrap_or_default();
        arguments.push(match TIMES[self.time] {
            "no clock" => "--no-clock".to_owned(),
            text if text.ends_with("clock") => format!("--clock={time}"),
            _ => format!("--move-time={time}"),
        });
        if self.games > 1 {
            arguments.push(format!("--games={}", self.games));
        }
        if self.seats[..self.players].iter().all(|&who| who != 0) {
            arguments.extend(["--watch".to_owned(), "--delay=300ms".to_owned()]);
        }
        arguments
    }

    /// A line as people read it.
    pub(super) fn line(&self, row: Row) -> Line {
        let line = |name: &str, value: String, range: String| Line { name: name.to_owned(), value, range };
        match row {
            Row::Game => {
                line("Game", self.info().title.to_owned(), format!("1 of {}", registry::GAMES.len()))
            }
            Row::Players => {
                let seats: Vec<_> = self.info().seats.iter().map(usize::to_string).collect();
                line("Players", self.players.to_string(), seats.join(", "))
            }
            Row::Seat(seat) => {
                let bot = self.seats[seat].checked_sub(1).and_then(|bot| self.bots.get(bot));
                let who =
                    bot.map_or("a person here".to_owned(), |bot| format!("{} ({})", bot.name, bot.file));
                let range = format!("a person, or {} bots found", self.fitting().len());
                line(&format!("Seat {}", seat + 1), who, range)
            }
            Row::Option(index) => {
                let option = &self.info().options[index];
                let value = &self.options[index];
                let value =
                    if value.is_empty() { format!("{} (default)", option.default) } else { value.clone() };
                line(option.name, value, option.kind.to_string())
            }
            Row::Time => line("Time of bots", TIMES[self.time].to_owned(), String::new()),
            Row::Games => line("Games", self.games.to_string(), "1 or more".to_owned()),
            Row::Start => line("Start", String::new(), String::new()),
        }
    }

    /// What is to be said about a line, if anything.
    pub(super) fn about(&self, row: Row) -> &'static str {
        match row {
            Row::Option(index) => self.info().options[index].about,
            Row::Seat(_) if self.bots.is_empty() => {
                "No bots were found: arbiter --bots DIR looks into another folder."
            }
            Row::Seat(_) | Row::Game | Row::Players | Row::Time | Row::Games | Row::Start => "",
        }
    }
}

/// What can be chosen for an option without typing; the empty text stands for the default.
fn values(option: &OptionInfo) -> Vec<String> {
    let mut values = vec![String::new()];
    match option.kind {
        OptionKind::Flag => values.extend(["true", "false"].map(str::to_owned)),
        OptionKind::Number(least, most) => {
            values.extend((least..=most.min(least + 100)).map(|n| n.to_string()))
        }
        OptionKind::OffOrFrom(least) => {
            values.extend(std::iter::once(0).chain(least..least + 100).map(|n| n.to_string()));
        }
        OptionKind::Word(words) => values.extend(words.iter().map(|&word| word.to_owned())),
        OptionKind::Shorthand(_) => {}
    }
    values
}
