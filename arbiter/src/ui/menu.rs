//! What is chosen in the menu: the lines, their values, and the command line that they make. The terminal and the page show the
//! same lines; what is wrong with a choice is said by whoever checks it.

use arbiter_rules::options::{OptionInfo, OptionKind};
use arbiter_rules::{GameInfo, Position, Setup, registry};
use std::fmt;

/// Times that can be chosen; others can be given on the command line.
const TIMES: [&str; 5] = ["1s a move", "5s a move", "100ms a move", "60s+0.5s on the clock", "no limit"];
/// What the command line has said.
const AS_GIVEN: &str = "the time that was given";
/// How strong a bot with levels plays, and its level.
const LEVELS: [(&str, &str); 6] = [
    ("at full strength", "10"),
    ("as a beginner", "1"),
    ("easily", "3"),
    ("at medium strength", "5"),
    ("strongly", "7"),
    ("very strongly", "9"),
];
const LONGEST: usize = 40;

/// A bot that can be sat down. Its name and what it says of itself are harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the other fields are what they are called")]
pub struct BotChoice {
    pub file: String,
    pub name: String,
    /// The games that it plays; none for any.
    pub games: Vec<String>,
    /// Whether it has levels from 1 to 10.
    pub has_levels: bool,
    pub about: String,
}

/// A line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    Game,
    Players,
    Seat(usize),
    /// What the person in a seat is called.
    Name(usize),
    /// How strong the bot in a seat is to play.
    Level(usize),
    /// Other options of the bot in a seat.
    With(usize),
    Option(usize),
    Time,
    Games,
    Start,
}

/// What a page calls a line, which stays the same while others come and go.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Row::Game => f.write_str("game"),
            Row::Players => f.write_str("players"),
            Row::Seat(seat) => write!(f, "seat-{seat}"),
            Row::Name(seat) => write!(f, "name-{seat}"),
            Row::Level(seat) => write!(f, "level-{seat}"),
            Row::With(seat) => write!(f, "with-{seat}"),
            Row::Option(index) => write!(f, "option-{index}"),
            Row::Time => f.write_str("time"),
            Row::Games => f.write_str("games"),
            Row::Start => f.write_str("start"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What is chosen here.
    pub(crate) name: String,
    pub(crate) value: String,
    /// What may be chosen.
    pub(crate) range: String,
}

/// What can be chosen in a line, in the words in which it is shown, and which of it has been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) words: Vec<String>,
    pub(crate) here: usize,
}

/// Who sits in a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sitting {
    /// 0 for a person, otherwise a bot.
    who: usize,
    name: String,
    level: usize,
    with: String,
}

/// What has been chosen so far.
pub struct Choice {
    bots: Vec<BotChoice>,
    game: usize,
    players: usize,
    seats: [Sitting; 6],
    /// What was chosen for the options of the game; empty for the default.
    options: Vec<String>,
    times: Vec<&'static str>,
    time: usize,
    /// How many are played; empty for one.
    games: String,
}

impl Choice {
    /// Othello against a bot, or the game that was played last, whose lines these are. With `has_time`, the command line
    /// has said what time there is.
    pub fn new(bots: Vec<BotChoice>, has_time: bool, last: &[String]) -> Choice {
        let given = has_time.then_some(AS_GIVEN);
        let times = given.into_iter().chain(TIMES).collect();
        let (seats, options) = (Default::default(), Vec::new());
        let mut choice =
            Choice { bots, game: 0, players: 2, seats, options, times, time: 0, games: String::new() };
        choice.choose_game(registry::GAMES.iter().position(|info| info.id == "othello").unwrap_or(0));
        let fitting = choice.fitting();
        let graded = fitting.iter().find(|&&bot| choice.bots[bot - 1].has_levels);
        choice.seats[1].who = graded.or(fitting.first()).copied().unwrap_or(0);
        last.iter().for_each(|line| choice.recall(line));
        choice
    }

    /// What has been chosen, line by line, to begin with another time.
    pub(crate) fn remembered(&self) -> Vec<String> {
        let chosen = |row: Row| match self.values(row) {
            Some(_) => self.line(row).value,
            None => self.text(row).to_owned(),
        };
        self.rows().into_iter().map(|row| format!("{row} {}", chosen(row))).collect()
    }

    /// Chooses what such a line says, as far as that is there.
    fn recall(&mut self, line: &str) {
        let Some((name, chosen)) = line.split_once(' ') else { return };
        let Some(row) = self.rows().into_iter().find(|row| row.to_string() == name) else { return };
        let words = self.values(row).map_or_else(Vec::new, |values| values.words);
        match words.iter().position(|word| word == chosen) {
            Some(value) => self.choose(row, value),
            None => drop(self.fill(row, chosen)),
        }
    }

    pub(crate) fn info(&self) -> &'static GameInfo {
        registry::GAMES[self.game]
    }

    fn bot(&self, seat: usize) -> Option<&BotChoice> {
        self.bots.get(self.seats[seat].who.checked_sub(1)?)
    }

    /// The lines that there are with this game and so many players.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Game];
        rows.extend((self.info().seats.len() > 1).then_some(Row::Players));
        for seat in 0..self.players {
            rows.push(Row::Seat(seat));
            match self.bot(seat) {
                None => rows.push(Row::Name(seat)),
                Some(bot) => {
                    rows.extend(bot.has_levels.then_some(Row::Level(seat)));
                    rows.push(Row::With(seat));
                }
            }
        }
        // What is short for other options has no line beside theirs.
        let is_shorthand = |option: &OptionInfo| matches!(option.kind, OptionKind::Shorthand(_));
        let options = (0..).zip(self.info().options).filter(|(_, option)| !is_shorthand(option));
        rows.extend(options.map(|(index, _)| Row::Option(index)));
        rows.extend([Row::Time, Row::Games, Row::Start]);
        rows
    }

    /// Another game; who sits where stays, as far as they play it.
    fn choose_game(&mut self, game: usize) {
        self.game = game;
        self.players = self.info().seats.first().copied().unwrap_or(2);
        self.options = vec![String::new(); self.info().options.len()];
        let fitting = self.fitting();
        for sitting in &mut self.seats {
            if sitting.who > 0 && !fitting.contains(&sitting.who) {
                *sitting = Sitting { who: fitting.first().copied().unwrap_or(0), ..Sitting::default() };
            }
        }
    }

    /// The bots that play this game, by their places in the list.
    fn fitting(&self) -> Vec<usize> {
        let id = self.info().id;
        let plays = |bot: &BotChoice| bot.games.is_empty() || bot.games.iter().any(|game| game == id);
        self.bots.iter().enumerate().filter(|(_, bot)| plays(bot)).map(|(index, _)| index + 1).collect()
    }

    /// The next or the previous value of a line.
    pub(crate) fn change(&mut self, row: Row, by: isize) {
        if row == Row::Games {
            let games = self.games.parse().unwrap_or(1_u32);
            self.games = games.saturating_add_signed(by as i32).max(1).to_string();
        } else if let Some(Values { words, here }) = self.values(row) {
            let count = words.len().max(1) as isize;
            self.choose(row, (here as isize + by).rem_euclid(count) as usize);
        }
    }

    /// What can be chosen in a line without typing. A value that was typed counts as the first of them.
    pub(crate) fn values(&self, row: Row) -> Option<Values> {
        let (words, here): (Vec<String>, _) = match row {
            Row::Game => {
                (registry::GAMES.iter().map(|info| info.title.to_owned()).collect(), Some(self.game))
            }
            Row::Players => {
                let seats = self.info().seats;
                let words = seats.iter().map(|count| format!("{count} players")).collect();
                (words, seats.iter().position(|&count| count == self.players))
            }
            Row::Seat(seat) => {
                let sitters = self.sitters();
                let words = sitters.iter().map(|&who| self.sitter(who)).collect();
                (words, sitters.iter().position(|&who| who == self.seats[seat].who))
            }
            Row::Level(seat) => {
                (LEVELS.iter().map(|(words, _)| (*words).to_owned()).collect(), Some(self.seats[seat].level))
            }
            Row::Option(index) => {
                let option = &self.info().options[index];
                let values = values(option);
                let words = values.iter().map(|value| option_words(option, value)).collect();
                (words, values.iter().position(|value| *value == self.options[index]))
            }
            Row::Time => (self.times.iter().map(|&time| time.to_owned()).collect(), Some(self.time)),
            Row::Name(_) | Row::With(_) | Row::Games | Row::Start => return None,
        };
        Some(Values { words, here: here.unwrap_or(0) })
    }

    /// Chooses a value of a line, by its number.
    pub(crate) fn choose(&mut self, row: Row, value: usize) {
        match row {
            Row::Game => self.choose_game(value),
            Row::Players => self.players = self.info().seats[value],
            Row::Seat(seat) => {
                self.seats[seat] = Sitting { who: self.sitters()[value], ..Sitting::default() };
            }
            Row::Level(seat) => self.seats[seat].level = value,
            Row::Option(index) => {
                self.options[index] = values(&self.info().options[index]).swap_remove(value);
            }
            Row::Time => self.time = value,
            Row::Name(_) | Row::With(_) | Row::Games | Row::Start => {}
        }
    }

    /// Who may sit in a seat: 0 for a person, otherwise a bot.
    fn sitters(&self) -> Vec<usize> {
        std::iter::once(0).chain(self.fitting()).collect()
    }

    fn sitter(&self, who: usize) -> String {
        match who.checked_sub(1).map(|bot| &self.bots[bot]) {
            None => "a person here".to_owned(),
            Some(bot) if bot.name.to_lowercase() == bot.file => bot.name.clone(),
            Some(bot) => format!("{} ({})", bot.name, bot.file),
        }
    }

    /// Whether a letter is typed into a line, and does nothing else there.
    pub(crate) fn takes(&self, row: Row, c: char) -> bool {
        match row {
            Row::Name(_) | Row::With(_) => !c.is_control(),
            Row::Option(index) => {
                let kind = self.info().options[index].kind;
                matches!(kind, OptionKind::Number(..) | OptionKind::OffOrFrom(_)) && c.is_ascii_digit()
            }
            Row::Games => c.is_ascii_digit(),
            Row::Game | Row::Players | Row::Seat(_) | Row::Level(_) | Row::Time | Row::Start => false,
        }
    }

    /// What has been typed in a line.
    pub(crate) fn text(&self, row: Row) -> &str {
        match row {
            Row::Option(index) => &self.options[index],
            Row::Name(seat) => &self.seats[seat].name,
            Row::With(seat) => &self.seats[seat].with,
            Row::Games => &self.games,
            Row::Game | Row::Players | Row::Seat(_) | Row::Level(_) | Row::Time | Row::Start => "",
        }
    }

    fn typed(&mut self, row: Row) -> Option<&mut String> {
        match row {
            Row::Option(index) => Some(&mut self.options[index]),
            Row::Name(seat) => Some(&mut self.seats[seat].name),
            Row::With(seat) => Some(&mut self.seats[seat].with),
            Row::Games => Some(&mut self.games),
            Row::Game | Row::Players | Row::Seat(_) | Row::Level(_) | Row::Time | Row::Start => None,
        }
    }

    /// Writes a line anew, if all of the text can be typed there.
    pub(crate) fn fill(&mut self, row: Row, text: &str) -> bool {
        let is_typed = text.chars().count() <= LONGEST && text.chars().all(|c| self.takes(row, c));
        if let Some(line) = self.typed(row).filter(|_| is_typed) {
            text.clone_into(line);
        }
        is_typed
    }

    /// The last letter of a line is taken back.
    pub(crate) fn rub(&mut self, row: Row) {
        if self.text(row).chars().last().is_some_and(|c| self.takes(row, c)) {
            self.typed(row).map(String::pop);
        }
    }

    /// The command line that plays what has been chosen.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![format!("--game={}", self.info().id), format!("--players={}", self.players)];
        for (seat, sitting) in self.seats.iter().enumerate().take(self.players) {
            let number = seat + 1;
            let Some(bot) = self.bot(seat) else {
                let name = sitting.name.trim();
                let name = if name.is_empty() { String::new() } else { format!(":{name}") };
                arguments.push(format!("--seat={number}=human{name}"));
                continue;
            };
            arguments.push(format!("--seat={number}={}", bot.file));
            if bot.has_levels && sitting.level > 0 {
                arguments.push(format!("-B{number}:level={}", LEVELS[sitting.level].1));
            }
            arguments.extend(sitting.with.split_whitespace().map(|option| format!("-B{number}:{option}")));
        }
        for (option, value) in
            self.info().options.iter().zip(&self.options).filter(|(_, value)| !value.is_empty())
        {
            arguments.push(format!("-O{}={value}", option.name));
        }
        arguments.extend(time_argument(self.times[self.time]));
        if !matches!(self.games.as_str(), "" | "1") {
            arguments.push(format!("--games={}", self.games));
        }
        arguments
    }

    /// Whether nobody plays but bots, so that people watch.
    pub(crate) fn is_watched(&self) -> bool {
        (0..self.players).all(|seat| self.bot(seat).is_some())
    }

    /// Whether the time is one of the menu's, and not what the command line has said.
    pub(crate) fn has_chosen_time(&self) -> bool {
        self.times[self.time] != AS_GIVEN
    }

    pub(crate) fn line(&self, row: Row) -> Line {
        let value = match row {
            Row::Name(seat) => or(&self.seats[seat].name, "no name"),
            Row::With(seat) => or(&self.seats[seat].with, "no options"),
            Row::Option(index) => option_words(&self.info().options[index], &self.options[index]),
            Row::Games => or(&self.games, "1"),
            Row::Start => String::new(),
            Row::Game | Row::Players | Row::Seat(_) | Row::Level(_) | Row::Time => {
                self.values(row).map_or_else(String::new, |mut values| values.words.swap_remove(values.here))
            }
        };
        let (name, range) = match row {
            Row::Game => ("Let us play".to_owned(), format!("1 of {}", registry::GAMES.len())),
            Row::Players => {
                let seats: Vec<_> = self.info().seats.iter().map(usize::to_string).collect();
                ("with".to_owned(), seats.join(", "))
            }
            Row::Seat(seat) => {
                (format!("Player {} is", seat + 1), format!("or {} bots", self.fitting().len()))
            }
            Row::Name(_) => ("  called".to_owned(), "type a name".to_owned()),
            Row::Level(_) => ("  who plays".to_owned(), "beginner to full".to_owned()),
            Row::With(_) => ("  with".to_owned(), "type key=value".to_owned()),
            Row::Option(index) => {
                let option = &self.info().options[index];
                let mut name = option.name.replace('_', " ");
                name[..1].make_ascii_uppercase();
                let is_flag = option.kind == OptionKind::Flag;
                (name, if is_flag { "yes or no".to_owned() } else { option.kind.to_string() })
            }
            Row::Time => ("Bots have".to_owned(), String::new()),
            Row::Games => ("Games".to_owned(), "1 or more".to_owned()),
            Row::Start => ("Start".to_owned(), String::new()),
        };
        Line { name, value, range }
    }

    /// Where the game starts that is chosen, if its options fit each other.
    pub(crate) fn start(&self) -> Option<Position> {
        let given = self.info().options.iter().zip(&self.options).filter(|(_, value)| !value.is_empty());
        let options: Vec<_> = given.map(|(option, value)| (option.name, value.as_str())).collect();
        let setup = Setup { players: Some(self.players), options: &options, position: None };
        registry::start(self.info().id, &setup).ok()
    }

    /// The rules of the game that is chosen, and its options.
    pub(crate) fn rules(&self) -> String {
        let info = self.info();
        format!("{}\n{}", info.page, info.options_page())
    }

    /// What is to be said about a line, if anything.
    pub(crate) fn about(&self, row: Row) -> String {
        match row {
            Row::Option(index) => self.info().options[index].about.to_owned(),
            Row::Seat(_) if self.bots.is_empty() => {
                "No bots were found: arbiter --bots DIR looks into another folder.".to_owned()
            }
            Row::With(seat) | Row::Seat(seat) => {
                self.bot(seat).map(|bot| bot.about.clone()).unwrap_or_default()
            }
            _ => String::new(),
        }
    }
}

/// A text, or what stands for none.
fn or(text: &str, none: &str) -> String {
    if text.is_empty() { none.to_owned() } else { text.to_owned() }
}

/// The value of an option as people say it; the empty one is the default.
fn option_words(option: &OptionInfo, value: &str) -> String {
    let words = |value: &str| match (option.kind, value) {
        (OptionKind::Flag, "true") => "yes".to_owned(),
        (OptionKind::Flag, "false") => "no".to_owned(),
        _ => value.to_owned(),
    };
    if value.is_empty() { format!("{}, as usual", words(option.default)) } else { words(value) }
}

/// The argument that a time means.
fn time_argument(time: &str) -> Option<String> {
    let (amount, kind) = time.split_once(' ')?;
    Some(match kind {
        "a move" => format!("--move-time={amount}"),
        "on the clock" => format!("--clock={amount}"),
        "limit" => "--no-clock".to_owned(),
        _ => return None,
    })
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
