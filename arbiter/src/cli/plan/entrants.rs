//! Who takes part: the words of the command line become entrants, every bot's file is looked at, and each gets its place in the
//! order of seeds, and its name.

use super::args::{BoardArgs, TimeArgs};
use super::{MatchPlan, Seated, Seeding};
use crate::cli::options::time::written;
use crate::cli::options::{At, people};
use crate::cli::{ExitCode, Failure};
use crate::host::{BotCommand, BotFile, Greeting, Host, Limits, NotLoaded};
use crate::player::TimeControl;
use crate::program;
use crate::record::schema;
use crate::report::count;
use crate::tournament::{MatchSeed, Schedule};
use crate::verdict::MachineFailure;
use arbiter_rules::{GameInfo, Position};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::thread::Builder;
use std::time::Duration;

#[derive(Clone)]
pub(crate) struct EntrantPlan {
    /// Its place on the command line, from 1, where it has one: that of the folder in which it lies, if that is named.
    pub(crate) place: Option<usize>,
    pub(crate) name: String,
    pub(crate) who: Who,
    pub(crate) time: TimeControl,
}

#[derive(Clone)]
pub(crate) enum Who {
    Bot(Bot),
    Program(program::Command),
    Person(At),
}

#[derive(Clone)]
pub(crate) struct Bot {
    pub(crate) named: String,
    pub(crate) file: BotFile,
    pub(crate) sha256: String,
    /// What the bot says of itself; nothing where it cannot be loaded.
    pub(crate) greeting: Option<Greeting>,
    pub(crate) options: Vec<(String, String)>,
}

impl EntrantPlan {
    /// Whether it has a name that it does not say itself: from the user, or as a person.
    fn is_given_a_name(&self) -> bool {
        match &self.who {
            Who::Bot(_) => !self.name.is_empty(),
            Who::Program(program) => self.name != program.name(),
            Who::Person(_) => true,
        }
    }

    pub(crate) fn saved(&self) -> schema::Player {
        let (bot, file) = (self.bot(), self.bot().map(|bot| &bot.file));
        let payload = file.and_then(BotFile::payload);
        schema::Player {
            name: self.name.clone(),
            kind: match self.who {
                Who::Bot(_) => schema::PlayerKind::Bot,
                Who::Program(_) => schema::PlayerKind::Program,
                Who::Person(_) => schema::PlayerKind::Human,
            },
            author: self.said(|greeting| &greeting.author),
            version: self.said(|greeting| &greeting.version),
            file: self.named(),
            sha256: bot.map(|bot| bot.sha256.clone()),
            payload: payload
                .map(|(name, sha256)| schema::Payload { name: name.to_owned(), sha256: sha256.to_owned() }),
            runtime: file.and_then(BotFile::runtime).map(str::to_owned),
            options: bot.into_iter().flat_map(|bot| bot.options.iter().cloned()).collect(),
            time: saved_time(self.time),
        }
    }

    /// How it is named on the command line; a person has no other name than its own.
    pub(crate) fn named(&self) -> Option<String> {
        match &self.who {
            Who::Bot(bot) => Some(bot.named.clone()),
            Who::Program(program) => Some(program.to_string()),
            Who::Person(_) => None,
        }
    }

    /// What leads to it where others have its name: its file, or what a program is told besides its own.
    fn origin(&self) -> Option<String> {
        let Who::Program(program) = &self.who else { return self.named() };
        let named = program.to_string();
        let command = named.split_once(':').map_or(&*named, |(_, command)| command);
        Some(command.split_once(' ').map_or(command, |(_, rest)| rest).to_owned())
    }

    pub(crate) fn bot(&self) -> Option<&Bot> {
        if let Who::Bot(bot) = &self.who { Some(bot) } else { None }
    }

    /// Where a person plays, if it is one.
    pub(crate) fn person(&self) -> Option<At> {
        if let Who::Person(at) = self.who { Some(at) } else { None }
    }

    /// A text that a bot gives about itself, unless it is empty.
    fn said(&self, of: impl Fn(&Greeting) -> &String) -> Option<String> {
        let greeting = self.bot()?.greeting.as_ref()?;
        Some(of(greeting)).filter(|text| !text.is_empty()).cloned()
    }
}

/// Whom a word of the command line names.
pub(super) enum Named<'a> {
    Bot(&'a str),
    Program(program::Command),
    Person(people::Person<'a>),
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Named::Bot(file) => f.write_str(file),
            Named::Program(program) => program.fmt(f),
            Named::Person(person) if person.name == people::HUMAN => f.write_str(people::HUMAN),
            Named::Person(person) => write!(f, "{}:{}", people::HUMAN, person.name),
        }
    }
}

impl<'a> Named<'a> {
    /// Reads the word for an entrant, and checks that a program can play this game.
    pub(super) fn read(who: &'a str, start: &Position) -> Result<Named<'a>, Failure> {
        if let Some(person) = people::person(who) {
            return Ok(Named::Person(person));
        }
        Ok(program_named(who, start)?.map_or(Named::Bot(who), Named::Program))
    }

    pub(super) fn file(&self) -> Option<&'a str> {
        match self {
            Named::Bot(file) => Some(file),
            Named::Program(_) | Named::Person(_) => None,
        }
    }
}

/// The program that a word of the command line names, if it names one that is there and can play this game.
pub(crate) fn program_named(who: &str, start: &Position) -> Result<Option<program::Command>, Failure> {
    if !program::Command::is_meant(who) || Path::new(who).exists() {
        return Ok(None);
    }
    let usage = |problem: String| {
        let failure = Failure::usage(format!("{who} cannot play: {problem}"));
        failure.hint("'program:python3 bot.py', or 'gtp:CMD' for an engine that plays Othello")
    };
    let command: program::Command =
        who.parse().map_err(|error: program::CommandError| usage(error.to_string()))?;
    if !command.is_there() {
        let nobody =
            format!("{who} cannot play: there is no program `{}` that may be run", command.program());
        let kind = who.split(':').next().unwrap_or_default();
        let hint = format!(
            "a program on the PATH, or its path from this folder, in quotation marks if it has blanks: {kind}:./bot"
        );
        return Err(Failure::new(ExitCode::Bot, nobody).hint(hint));
    }
    command.check(start).map_err(usage)?;
    Ok(Some(command))
}

/// What every bot's file is. Each is looked at once, however often it is named.
pub(super) struct Looked<'a> {
    files: BTreeMap<&'a str, (BotFile, Result<Greeting, NotLoaded>)>,
}

impl<'a> Looked<'a> {
    /// Asks every bot what it is. While one is read and asked, the files of the next are read.
    pub(super) fn at(
        named: impl Iterator<Item = &'a str>,
        host: &Host,
        limits: Limits,
        core: Option<usize>,
        identify: fn(&Host, &BotCommand) -> Result<Greeting, NotLoaded>,
    ) -> Looked<'a> {
        let files: BTreeMap<_, _> = named.map(|name| (name, host.bot(name))).collect();
        std::thread::scope(|scope| {
            // Errors show when the bot is asked. This thread only saves time, so it does no harm if it cannot start.
            let _ = Builder::new()
                .spawn_scoped(scope, || files.values().skip(1).for_each(|file| drop(file.look())));
            let mut in_the_way = None;
            let mut ask = |file: &BotFile| {
                let command = BotCommand { limits, core, ..BotCommand::new(host, file.clone()) };
                // Where no process can be had for one bot, there is none for another, and to find that out takes seconds.
                let asked = in_the_way.clone().map_or_else(|| identify(host, &command), Err);
                in_the_way =
                    asked.as_ref().err().filter(|failed| failed.error.of_machine().is_some()).cloned();
                (file.clone(), asked)
            };
            Looked { files: files.iter().map(|(&name, file)| (name, ask(file))).collect() }
        })
    }

    pub(super) fn error(&self, named: &str) -> Option<&NotLoaded> {
        self.files.get(named)?.1.as_ref().err()
    }

    /// A bot that could not be asked because the machine runs none, and why.
    pub(super) fn failed_by_the_machine(&self) -> Option<(&str, MachineFailure)> {
        self.files.iter().find_map(|(&named, (_, asked))| {
            let failed = asked.as_ref().err()?;
            Some((named, failed.error.of_machine()?))
        })
    }

    /// A bot with its options. One that cannot be loaded is told apart by its file's hash; `None` where there is no
    /// file.
    pub(super) fn bot(&self, named: &str, options: Vec<(String, String)>) -> Option<Bot> {
        let (file, greeting) = self.files.get(named)?;
        let sha256 = file.sha256()?;
        let greeting = greeting.as_ref().ok().cloned();
        Some(Bot { named: named.to_owned(), file: file.clone(), sha256, greeting, options })
    }
}

/// Checks that a bot plays the game, if it says which games it plays.
pub(super) fn check_game(bot: &Bot, info: &GameInfo) -> Result<(), Failure> {
    let Some(greeting) = bot.greeting.as_ref().filter(|greeting| !greeting.plays(info.id)) else {
        return Ok(());
    };
    let message = format!("bot {} does not play {}; it plays {}", bot.named, info.id, greeting.repertoire());
    Err(Failure::usage(message).hint("another bot, or another --game"))
}

/// The options of the bot in a place of the command line, from 1.
pub(super) fn options_of(given: &[(usize, String, String)], place: usize) -> Vec<(String, String)> {
    let own = given.iter().filter(|(of, ..)| *of == place);
    own.map(|(_, key, value)| (key.clone(), value.clone())).collect()
}

/// Checks that `-B` names the place of a bot, and `--time-odds` that of a bot or program. Only in a league nobody is named.
pub(super) fn check_places(board: &BoardArgs, time: &TimeArgs, named: &[Named<'_>]) -> Result<(), Failure> {
    let options = board.bot_options.iter().map(|(place, ..)| ("-B", *place, "key=value"));
    let odds = time.time_odds.iter().map(|(place, _)| ("--time-odds", *place, "20ms"));
    for (option, place, value) in options.chain(odds) {
        if named.is_empty() {
            let failure =
                Failure::usage(format!("{option} {place}:… names a place, and bots of a league have none"));
            return Err(failure.hint("the same command without it"));
        }
        let message = match place.checked_sub(1).and_then(|index| named.get(index)) {
            Some(Named::Bot(_)) => continue,
            Some(Named::Program(_)) if option == "--time-odds" => continue,
            Some(Named::Program(program)) => {
                format!("{option} {place}:… is for bots, and {program} takes its options in its own command")
            }
            Some(Named::Person(_)) | None => {
                let whose = (1..).zip(named).map(|(number, who)| format!("{number} is {who}"));
                let whose = whose.collect::<Vec<_>>().join(", ");
                let places = count(named.len() as u32, "place");
                format!("{option} {place}:… names a place without a bot; of {places}, {whose}")
            }
        };
        let failure = Failure::usage(message);
        let bot = (1..).zip(named).find_map(|(place, named)| Some((place, named.file()?)));
        return Err(match bot {
            Some((first, bot)) => failure.hint(format!("{option} {first}:{value} for {bot}")),
            None => failure.hint("the same command without it: no bot plays"),
        });
    }
    Ok(())
}

/// The name, with a number behind it where another player has it already.
pub(super) fn unused_name(wanted: &str, entrants: &[EntrantPlan]) -> String {
    let is_taken = |name: &str| entrants.iter().any(|entrant| entrant.name == name);
    unused(wanted, |number| numbered(wanted, number), is_taken)
}

fn numbered(name: &str, number: u32) -> String {
    format!("{name} ({number})")
}

/// What is wanted, or the first with a number from 2 on that is not taken.
pub(crate) fn unused(
    wanted: &str,
    numbered: impl Fn(u32) -> String,
    is_taken: impl Fn(&str) -> bool,
) -> String {
    let all = std::iter::once(wanted.to_owned()).chain((2..).map(numbered));
    all.into_iter().find(|name| !is_taken(name)).expect("numbers do not end")
}

pub(crate) fn saved_time(time: TimeControl) -> schema::TimeControl {
    let ns = |time: Duration| Some(time.as_nanos() as u64);
    let none = schema::TimeControl { move_ns: None, base_ns: None, increment_ns: None };
    match time {
        TimeControl::MoveTime(time) => schema::TimeControl { move_ns: ns(time), ..none },
        TimeControl::Clock { base, increment } => {
            schema::TimeControl { base_ns: ns(base), increment_ns: ns(increment), ..none }
        }
        TimeControl::Unlimited => none,
    }
}

impl MatchPlan {
    /// The entrants with their names, in the order that follows from a seed.
    pub(crate) fn seated(&self, seed: &MatchSeed) -> Seated {
        let entrants = self.in_order(seed).into_iter().map(|(entrant, name)| EntrantPlan { name, ..entrant });
        Seated { seed: seed.clone(), entrants: entrants.collect() }
    }

    /// The entrants as they were asked for, in the order that follows from a seed, each with its name. Where several have one name,
    /// the command line decides who is the second: a lot would call another bot so in the next tournament.
    fn in_order(&self, seed: &MatchSeed) -> Vec<(EntrantPlan, String)> {
        let mut names = names(&self.entrants, self.bot_time);
        if self.event.seeding == Seeding::NewFirst
            && let [old, new] = &mut names[..]
            && *new == numbered(old, 2)
        {
            (*old, *new) = (format!("{old} (old)"), format!("{old} (new)"));
        }
        let mut order: Vec<_> = self.entrants.iter().cloned().zip(names).enumerate().collect();
        match self.event.seeding {
            Seeding::Given => {}
            Seeding::NewFirst => order.reverse(),
            Seeding::Lot => {
                // Those who meet all others in a gauntlet come first.
                let first = match self.event.schedule {
                    Schedule::Gauntlet { challengers, .. } => challengers,
                    _ => 0,
                };
                let usual = self.bot_time;
                order
                    .sort_by_cached_key(|(index, (entrant, _))| (*index >= first, lot(seed, entrant, usual)));
            }
        }
        order.into_iter().map(|(_, named)| named).collect()
    }

    /// The same with the seed of what has been begun where none is asked for, and with the names in it: what a bot calls itself may
    /// be another thing each time, so that only a name that somebody gives it now can differ.
    pub(crate) fn seated_again(&self, begun: &schema::Plan) -> Seated {
        let seed = self.seed.clone().unwrap_or_else(|| MatchSeed::new(&begun.seed));
        let is_asked = |number: &str| number.is_empty() || number.starts_with(" (");
        let before = begun.players.iter().map(Some).chain(std::iter::repeat(None));
        let entrants = self.in_order(&seed).into_iter().zip(before).map(|((asked, name), before)| {
            let before = before.map(|before| &before.name).filter(|before| {
                !asked.is_given_a_name() || before.strip_prefix(&asked.name).is_some_and(is_asked)
            });
            EntrantPlan { name: before.cloned().unwrap_or(name), ..asked }
        });
        Seated { entrants: entrants.collect(), seed }
    }
}

/// What entrants are called, none like another: as the user says; else as they call themselves.
pub(super) fn names(entrants: &[EntrantPlan], usual: TimeControl) -> Vec<String> {
    let wanted = entrants.iter().map(|entrant| {
        let own_name = !entrant.is_given_a_name();
        // The time is part of the name, so that everybody sees which of two copies has more of it.
        let time = (own_name && entrant.time != usual).then(|| format!(" {}", written(entrant.time, usual)));
        (wanted_name(entrant), entrant.origin().filter(|_| own_name), time.unwrap_or_default())
    });
    distinct(&wanted.collect::<Vec<_>>())
}

/// Names, none like another: each has its file behind it where those of others are the same, so that every name leads to a file, then
/// what is said besides; and the same file once more gets a number.
pub(crate) fn distinct(wanted: &[(String, Option<String>, String)]) -> Vec<String> {
    let mut files: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    wanted.iter().for_each(|(name, file, _)| files.entry(name).or_default().extend(file.clone()));
    let mut names: Vec<String> = Vec::with_capacity(wanted.len());
    for (name, file, more) in wanted {
        let others = &files[&**name];
        let file = file.as_ref().filter(|_| others.len() > 1);
        let file = file.map_or_else(String::new, |file| format!(" ({})", told_apart(file, others)));
        let wanted = format!("{name}{file}{more}");
        let is_taken = |name: &str| names.iter().any(|of| of == name);
        names.push(unused(&wanted, |number| numbered(&wanted, number), is_taken));
    }
    names
}

/// The name that the user gave; else what the bot calls itself; else what its file is called.
fn wanted_name(entrant: &EntrantPlan) -> String {
    let Some(bot) = entrant.bot().filter(|_| entrant.name.is_empty()) else { return entrant.name.clone() };
    match &bot.greeting {
        Some(greeting) => greeting.name.clone(),
        None => stem(&bot.named),
    }
}

fn stem(file: &str) -> String {
    Path::new(file).file_stem().map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// As much of the end of a file's path as no other of these ends with: `alice`, or `alice/bot.py`.
fn told_apart(file: &str, others: &BTreeSet<String>) -> String {
    fn end(file: &str, parts: usize) -> String {
        let path: Vec<_> = Path::new(file).iter().map(|part| part.to_string_lossy()).collect();
        match parts {
            0 => stem(file),
            _ => path[path.len().saturating_sub(parts)..].join("/"),
        }
    }
    let is_own =
        |end_of: &String, parts| others.iter().all(|other| other == file || end(other, parts) != *end_of);
    let parts = 0..=Path::new(file).iter().count();
    let own = parts.map(|parts| (end(file, parts), parts)).find(|(end, parts)| is_own(end, *parts));
    own.map_or_else(|| file.to_owned(), |(end, _)| end)
}

/// The lot that an entrant draws: it depends on the seed, on what the bot is, and on its time if that is not the usual
/// one, not on where it was named.
fn lot(seed: &MatchSeed, entrant: &EntrantPlan, usual: TimeControl) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    };
    part(&seed.to_string());
    match &entrant.who {
        Who::Program(program) => part(&program.to_string()),
        Who::Bot(bot) => {
            part(&bot.sha256);
            bot.file.payload().into_iter().for_each(|(_, sha256)| part(sha256));
            bot.options.iter().flat_map(|(key, value)| [key, value]).for_each(|text| part(text));
        }
        Who::Person(_) => {}
    }
    if entrant.time != usual {
        part(&written(entrant.time, usual));
    }
    hash.finalize().into()
}
