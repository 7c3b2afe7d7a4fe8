//! What is chosen in the menu: the lines, their values, and the command line that they make. The terminal and the page show the
//! same lines; what is wrong with a choice is said by whoever checks it.

use arbiter_rules::options::{OptionInfo, OptionKind};
use arbiter_rules::{GameInfo, Position, Setup, registry};
use std::collections::HashMap;
use std::fmt;

/// Times that can be chosen, and their arguments; others can be given on the command line.
const TIMES: [(&str, &str); 5] = [
    ("1s a move", "--move-time=1s"),
    ("5s a move", "--move-time=5s"),
    ("100ms a move", "--move-time=100ms"),
    ("60s+0.5s on the clock", "--clock=60s+0.5s"),
    ("no limit", "--no-clock"),
];
/// The time that the command line has said, which needs no other argument.
const AS_GIVEN: (&str, &str) = ("the time that was given", "");
const LEVELS: [(&str, &str); 6] = [
    ("at full strength", "10"),
    ("as a beginner", "1"),
    ("easily", "3"),
    ("at medium strength", "5"),
    ("strongly", "7"),
    ("very strongly", "9"),
];
/// Whether a game that was left goes on, and the argument that says so.
const LEFT: [(&str, &str); 2] = [("go on with it", "--resume"), ("begin anew", "")];
/// Whether people take played moves back, and the argument that says so.
const TAKE_BACKS: [(&str, &str); 2] = [("no", ""), ("yes", "--casual")];
const SEATS: usize = 6;
const LONGEST: usize = 40;

/// A bot that can be sat down. Its name and what it says of itself are harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BotChoice {
    pub file: String,
    pub name: String,
    /// The games that it plays; none for any.
    pub games: Vec<String>,
    pub has_levels: bool,
    pub about: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    /// What becomes of the game that was left.
    Left,
    Game,
    Players,
    Seat(usize),
    Name(usize),
    Level(usize),
    /// Other options of the bot in a seat.
    With(usize),
    Option(usize),
    Time,
    Games,
    TakeBacks,
    Start,
}

/// What a page calls a line, which stays the same while others come and go.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Row::Left => f.write_str("left"),
            Row::Game => f.write_str("game"),
            Row::Players => f.write_str("players"),
            Row::Seat(seat) => write!(f, "seat-{seat}"),
            Row::Name(seat) => write!(f, "name-{seat}"),
            Row::Level(seat) => write!(f, "level-{seat}"),
            Row::With(seat) => write!(f, "with-{seat}"),
            Row::Option(index) => write!(f, "option-{index}"),
            Row::Time => f.write_str("time"),
            Row::Games => f.write_str("games"),
            Row::TakeBacks => f.write_str("take-backs"),
            Row::Start => f.write_str("start"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) range: String,
}

/// What can be chosen in a line without typing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) words: String,
    /// What arguments say for it.
    value: String,
}

impl Offer {
    fn new((words, value): (impl ToString, impl ToString)) -> Offer {
        Offer { words: words.to_string(), value: value.to_string() }
    }
}

#[derive(Clone)]
pub(crate) struct Choice {
    bots: Vec<BotChoice>,
    has_time: bool,
    /// What was chosen or typed in the lines in which that was done, as arguments say it.
    chosen: HashMap<Row, String>,
    /// What had been chosen for the game that was left, if one was.
    left: Option<HashMap<Row, String>>,
}

impl Choice {
    /// Othello against a bot, or the game that was played last, whose lines these are. With `has_time`, the command line
    /// has said what time there is.
    pub(crate) fn new(bots: Vec<BotChoice>, has_time: bool, last: &[String]) -> Choice {
        let mut choice = Choice { bots, has_time, chosen: HashMap::new(), left: None };
        choice.choose(Row::Game, "othello");
        let graded = choice.fitting().find(|bot| bot.has_levels).or(choice.fitting().next());
        if let Some(file) = graded.map(|bot| bot.file.clone()) {
            choice.choose(Row::Seat(1), &file);
        }
        for (name, chosen) in last.iter().filter_map(|line| line.split_once(' ')) {
            if let Some(row) = choice.row(name) {
                choice.write(row, chosen);
            }
        }
        choice
    }

    /// Played moves are taken back, unless somebody chooses otherwise.
    pub(crate) fn take_moves_back(&mut self) {
        self.choose(Row::TakeBacks, TAKE_BACKS[1].1);
    }

    /// The game that these lines say was left, and goes on, unless somebody chooses otherwise.
    pub(crate) fn offer_to_go_on(&mut self) {
        self.left = Some(self.chosen.clone());
    }

    /// Whether there is a line for that.
    pub(crate) fn offers_to_go_on(&self) -> bool {
        self.left.is_some()
    }

    /// Whether the lines still are those of the game that was left.
    fn is_left(&self) -> bool {
        let mut chosen = self.chosen.clone();
        chosen.remove(&Row::Left);
        self.left.as_ref() == Some(&chosen)
    }

    /// What has been chosen, line by line, to begin with another time.
    pub(crate) fn remembered(&self) -> Vec<String> {
        let chosen = |row: Row| match self.offer(row) {
            Some(_) => self.line(row).value,
            None => self.text(row),
        };
        let rows = self.rows().into_iter().filter(|row| *row != Row::Left);
        rows.map(|row| format!("{row} {}", chosen(row))).collect()
    }

    pub(crate) fn info(&self) -> &'static GameInfo {
        registry::find(&self.text(Row::Game)).expect("only games that there are can be chosen")
    }

    fn players(&self) -> usize {
        self.text(Row::Players).parse().expect("only numbers of players can be chosen")
    }

    fn bot(&self, seat: usize) -> Option<&BotChoice> {
        let file = self.chosen.get(&Row::Seat(seat))?;
        self.bots.iter().find(|bot| bot.file == *file)
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.offers_to_go_on().then_some(Row::Left).into_iter().collect();
        rows.push(Row::Game);
        rows.extend((self.info().seats.len() > 1).then_some(Row::Players));
        for seat in 0..self.players() {
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
        rows.extend([Row::Time, Row::Games]);
        rows.extend((!self.is_watched()).then_some(Row::TakeBacks));
        rows.push(Row::Start);
        rows
    }

    /// The line that a page calls so.
    pub(crate) fn row(&self, name: &str) -> Option<Row> {
        self.rows().into_iter().find(|row| row.to_string() == name)
    }

    fn fitting(&self) -> impl Iterator<Item = &BotChoice> {
        let id = self.info().id;
        self.bots.iter().filter(move |bot| bot.games.is_empty() || bot.games.iter().any(|game| game == id))
    }

    /// What can be chosen in a line without typing; the first of it is usual.
    pub(crate) fn offers(&self, row: Row) -> Vec<Offer> {
        match row {
            Row::Left if !self.is_left() => vec![Offer::new(LEFT[1])],
            Row::Left => LEFT.map(Offer::new).into(),
            Row::Game => registry::GAMES.iter().map(|info| Offer::new((info.title, info.id))).collect(),
            Row::Players => self
                .info()
                .seats
                .iter()
                .map(|count| Offer::new((format!("{count} players"), count)))
                .collect(),
            Row::Seat(_) => {
                let bots = self.fitting().map(|bot| Offer::new((called(bot), &bot.file)));
                std::iter::once(Offer::new(("a person here", ""))).chain(bots).collect()
            }
            Row::Level(_) => LEVELS.map(Offer::new).into(),
            Row::Option(index) => {
                let option = &self.info().options[index];
                values(option)
                    .into_iter()
                    .map(|value| Offer::new((option_words(option, &value), value)))
                    .collect()
            }
            Row::Time => self.has_time.then_some(AS_GIVEN).into_iter().chain(TIMES).map(Offer::new).collect(),
            Row::TakeBacks => TAKE_BACKS.map(Offer::new).into(),
            Row::Name(_) | Row::With(_) | Row::Games | Row::Start => Vec::new(),
        }
    }

    /// Which of the offers of a line has been chosen. A value that was typed counts as the first of them.
    pub(crate) fn here(&self, row: Row) -> usize {
        let chosen = self.text(row);
        self.offers(row).iter().position(|offer| offer.value == chosen).unwrap_or(0)
    }

    fn offer(&self, row: Row) -> Option<Offer> {
        self.offers(row).into_iter().nth(self.here(row))
    }

    pub(crate) fn change(&mut self, row: Row, by: isize) {
        let offers = self.offers(row);
        if row == Row::Games {
            let games = self.text(row).parse().unwrap_or(1_u32);
            self.choose(row, &games.saturating_add_signed(by as i32).max(1).to_string());
        } else if !offers.is_empty() {
            let next = (self.here(row) as isize + by).rem_euclid(offers.len() as isize);
            self.choose(row, &offers[next as usize].value);
        }
    }

    /// Writes what arguments say into a line. Another game begins as usual, but who sits where stays, as far as they play it.
    fn choose(&mut self, row: Row, value: &str) {
        self.chosen.insert(row, value.to_owned());
        match row {
            Row::Game => {
                self.chosen.retain(|row, _| !matches!(row, Row::Players | Row::Option(_)));
                let first = self.fitting().next().map_or(String::new(), |bot| bot.file.clone());
                for seat in 0..SEATS {
                    let bot = self.bot(seat).map(|bot| bot.file.clone());
                    if bot.is_some_and(|file| self.fitting().all(|fitting| fitting.file != file)) {
                        self.choose(Row::Seat(seat), &first);
                    }
                }
            }
            Row::Seat(seat) => {
                let of_the_last = [Row::Name(seat), Row::Level(seat), Row::With(seat)];
                self.chosen.retain(|row, _| !of_the_last.contains(row));
            }
            _ => {}
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
            Row::Left
            | Row::Game
            | Row::Players
            | Row::Seat(_)
            | Row::Level(_)
            | Row::Time
            | Row::TakeBacks
            | Row::Start => false,
        }
    }

    /// What has been typed or chosen in a line, as arguments say it.
    pub(crate) fn text(&self, row: Row) -> String {
        if row == Row::Left && !self.is_left() {
            return LEFT[1].1.to_owned();
        }
        let usual = || self.offers(row).into_iter().next().map_or(String::new(), |offer| offer.value);
        self.chosen.get(&row).cloned().unwrap_or_else(usual)
    }

    /// Writes a line anew: with one of its values, in the words in which it is shown, or with a text that can be typed there.
    pub(crate) fn write(&mut self, row: Row, text: &str) -> bool {
        if let Some(offer) = self.offers(row).into_iter().find(|offer| offer.words == text) {
            self.choose(row, &offer.value);
            return true;
        }
        let is_typed = text.chars().count() <= LONGEST && text.chars().all(|c| self.takes(row, c));
        if is_typed && matches!(row, Row::Name(_) | Row::With(_) | Row::Option(_) | Row::Games) {
            self.choose(row, text);
        }
        is_typed
    }

    /// The last letter of a line is taken back.
    pub(crate) fn rub(&mut self, row: Row) {
        let mut text = self.text(row);
        if text.pop().is_some_and(|c| self.takes(row, c)) {
            self.choose(row, &text);
        }
    }

    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        for row in self.rows() {
            let text = self.text(row);
            match row {
                Row::Game => {
                    arguments.extend([format!("--game={text}"), format!("--players={}", self.players())]);
                }
                Row::Seat(seat) if self.bot(seat).is_some() => {
                    arguments.push(format!("--seat={}={text}", seat + 1));
                }
                Row::Name(seat) => {
                    let name = text.trim();
                    let name = if name.is_empty() { String::new() } else { format!(":{name}") };
                    arguments.push(format!("--seat={}=human{name}", seat + 1));
                }
                Row::Level(seat) if text != LEVELS[0].1 => {
                    arguments.push(format!("-B{}:level={text}", seat + 1));
                }
                Row::With(seat) => {
                    let options = text.split_whitespace();
                    arguments.extend(options.map(|option| format!("-B{}:{option}", seat + 1)));
                }
                Row::Option(index) if !text.is_empty() => {
                    arguments.push(format!("-O{}={text}", self.info().options[index].name));
                }
                Row::Left | Row::Time | Row::TakeBacks if !text.is_empty() => arguments.push(text),
                Row::Games if !matches!(text.as_str(), "" | "1") => arguments.push(format!("--games={text}")),
                _ => {}
            }
        }
        arguments
    }

    /// Whether nobody plays but bots, so that people watch.
    pub(crate) fn is_watched(&self) -> bool {
        (0..self.players()).all(|seat| self.bot(seat).is_some())
    }

    /// Whether the time is one of the menu's, and not what the command line has said.
    pub(crate) fn has_chosen_time(&self) -> bool {
        !self.text(Row::Time).is_empty()
    }

    pub(crate) fn line(&self, row: Row) -> Line {
        let text = self.text(row);
        let (name, none, range) = match row {
            Row::Left => ("The last game".to_owned(), "", String::new()),
            Row::Game => {
                ("Let us play".to_owned(), "", format!("or {} other games", registry::GAMES.len() - 1))
            }
            Row::Players => {
                let seats: Vec<_> = self.info().seats.iter().map(usize::to_string).collect();
                ("with".to_owned(), "", seats.join(", "))
            }
            Row::Seat(seat) => {
                (format!("Player {} is", seat + 1), "", format!("or {} bots", self.fitting().count()))
            }
            Row::Name(_) => ("  called".to_owned(), "no name", "type a name".to_owned()),
            Row::Level(_) => ("  who plays".to_owned(), "", "beginner to full".to_owned()),
            Row::With(_) => ("  with".to_owned(), "no options", "type key=value".to_owned()),
            Row::Option(index) => {
                let option = &self.info().options[index];
                let mut name = option.name.replace('_', " ");
                name[..1].make_ascii_uppercase();
                let is_flag = option.kind == OptionKind::Flag;
                (name, "", if is_flag { "yes or no".to_owned() } else { option.kind.to_string() })
            }
            Row::Time => ("Bots have".to_owned(), "", String::new()),
            Row::Games => ("Games".to_owned(), "1", "1 or more".to_owned()),
            Row::TakeBacks => ("Take moves back".to_owned(), "", "no or yes".to_owned()),
            Row::Start => ("Start".to_owned(), "", String::new()),
        };
        let value = match self.offer(row).filter(|offer| offer.value == text) {
            Some(offer) => offer.words,
            None if text.is_empty() => none.to_owned(),
            None => text,
        };
        Line { name, value, range }
    }

    /// Where the game starts that is chosen, if its options fit each other.
    pub(crate) fn start(&self) -> Option<Position> {
        let values: Vec<_> =
            (0..self.info().options.len()).map(|index| self.text(Row::Option(index))).collect();
        let given = self.info().options.iter().zip(&values).filter(|(_, value)| !value.is_empty());
        let options: Vec<_> = given.map(|(option, value)| (option.name, value.as_str())).collect();
        let setup = Setup { players: Some(self.players()), options: &options, position: None };
        registry::start(self.info().id, &setup).ok()
    }

    pub(crate) fn rules(&self) -> String {
        let info = self.info();
        format!("{}\n{}", info.page, info.options_page())
    }

    pub(crate) fn about(&self, row: Row) -> String {
        match row {
            Row::Option(index) => self.info().options[index].about.to_owned(),
            Row::Seat(_) if self.bots.is_empty() => {
                "No bots were found: arbiter --bots DIR looks into another folder.".to_owned()
            }
            Row::With(seat) | Row::Seat(seat) => {
                let about = self.bot(seat).map_or("", |bot| &bot.about);
                // Options are told where they are typed.
                match (about.split_once("; options "), row) {
                    (Some((_, options)), Row::With(_)) => options.to_owned(),
                    (Some((rest, _)), _) => rest.to_owned(),
                    (None, _) => about.to_owned(),
                }
            }
            Row::Left if self.text(row).is_empty() => "It was left unfinished, and stays saved.".to_owned(),
            Row::Left => "It was left unfinished: Start goes on where it stopped.".to_owned(),
            Row::TakeBacks => {
                "People take back moves that have been played. The report says how often.".to_owned()
            }
            _ => String::new(),
        }
    }
}

/// A bot's name, and where it lies if that says more.
fn called(bot: &BotChoice) -> String {
    match bot.name.to_lowercase() == bot.file {
        true => bot.name.clone(),
        false => format!("{} ({})", bot.name, bot.file),
    }
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
