//! Names of people instead of those of their files: a table beside a report, or beside the bots of a league.

use crate::cli::Failure;
use crate::cli::saved::FINALS;
use crate::record::schema::{GameRecord, Plan, Player, PlayerKind, version_of};
use crate::record::{command_again, read_found_text};
use crate::sanitize::{quoted, sanitize};
use crate::ui::talk;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// The file with the table: columns `bot`, `name` and `pseudonym`, of which only the first is required.
pub(crate) const FILE: &str = "names.csv";

/// How many bots a warning names: early in a course most may still be missing.
const MOST_NAMED: usize = 5;

/// How many characters of a file's name a league takes for the name of a bot: a longer one would be cut in every table.
const LONGEST: usize = 40;

#[derive(Deserialize)]
struct Row {
    bot: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    pseudonym: String,
}

/// What bots are called, by the names of their files.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Names {
    table: BTreeMap<String, String>,
    /// Bots that are in the table without a name.
    unnamed: BTreeSet<String>,
    /// Whether bots are called by pseudonyms, and nothing is shown that may say whose they are: for a wall that others see.
    has_pseudonyms: bool,
    /// Whether the table is of more bots than play here, as in the finals of a season.
    is_of_more: bool,
    /// The report, as a shell reads it; nothing where it is not known.
    report: String,
}

/// What a league calls the bot of a file: its name with what may stand in the name of a folder everywhere.
pub(crate) fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    let plain: String = name.nfc().take(LONGEST).map(|c| if is_plain(c) { c } else { '_' }).collect();
    let plain = plain.trim_matches(['.', ' ']);
    if plain.is_empty() { "bot".to_owned() } else { plain.to_owned() }
}

/// What a player's file is called, without its ending, letter by letter as spreadsheets write it: files from a Mac may have the
/// dots of an ü in a character of their own.
fn stem(player: &Player) -> Option<String> {
    Some(Path::new(player.file.as_deref()?).file_stem()?.to_str()?.nfc().collect())
}

impl Names {
    /// The table in the folder of a report, if there is one.
    pub(crate) fn beside(report: &Path, has_pseudonyms: bool) -> Result<Names, Failure> {
        let folder = report.parent().unwrap_or(Path::new(""));
        // The finals of a season have the names of the season.
        let of_season = folder.parent().filter(|_| folder.ends_with(FINALS));
        let (is_of_more, season) = (of_season.is_some(), of_season.unwrap_or(folder));
        let path = &season.join(FILE);
        let is_standard_input = report == Path::new("-");
        let report = if is_standard_input { String::new() } else { quoted(&report.display().to_string()) };
        let mut table = BTreeMap::new();
        let failure = |problem: &str| {
            Failure::file(format!("cannot use {}", path.display())).cause(problem.trim_end()).hint(
                "a table with the columns bot, name and pseudonym, such as: alice,Alice Miller,Blue Fox",
            )
        };
        let text = match read_found_text(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Names { has_pseudonyms, is_of_more, report, ..Names::default() });
            }
            read => read.map_err(|error| failure(&error.to_string()))?,
        };
        // Where numbers have a comma, spreadsheets write semicolons between columns.
        let head = text.lines().next().unwrap_or_default();
        let delimiter = if head.contains(';') { b';' } else { b',' };
        let mut reader =
            csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::All).from_reader(text.as_bytes());
        let heading = reader.headers().map_err(|error| failure(&error.to_string()))?;
        if let Some(column) = heading.iter().find(|column| !["bot", "name", "pseudonym"].contains(column)) {
            return Err(failure(&format!(
                "its first line names the columns, and '{}' is none of them",
                sanitize(column)
            )));
        }
        let (mut taken, mut unnamed) = (BTreeSet::new(), BTreeSet::new());
        for row in reader.deserialize() {
            let Row { bot, name, pseudonym } = row.map_err(|error| failure(&error.to_string()))?;
            let bot: String = bot.nfc().collect();
            let wanted = if has_pseudonyms { pseudonym } else { name };
            // What stands behind an @ is the number of a version.
            let wanted = wanted.replace('@', " ");
            if wanted.is_empty() {
                unnamed.insert(bot);
                continue;
            }
            if !taken.insert(wanted.clone()) {
                return Err(failure(&format!("two bots are called '{}'", sanitize(&wanted))));
            }
            if table.insert(bot.clone(), wanted).is_some() {
                return Err(failure(&format!("'{}' is there twice", sanitize(&bot))));
            }
        }
        Ok(Names { table, unnamed, has_pseudonyms, is_of_more, report })
    }

    /// A plan with the names of the table beside its report. What is wrong with that table is said, and changes nothing else.
    pub(crate) fn named(plan: &Plan, report: &Path) -> Plan {
        let mut named = plan.clone();
        match Names::beside(report, false) {
            Ok(names) => {
                names.warn_of_strangers(&named);
                names.plan(&mut named);
            }
            Err(failure) => failure.warn(),
        }
        named
    }

    /// Gives the players of a plan their names; whoever has none that can be seen is called by a number.
    pub(crate) fn plan(&self, plan: &mut Plan) {
        self.plan_with(plan, &mut BTreeMap::new());
    }

    /// The same where several plans make one table: a bot without a pseudonym has the same number in all of them.
    pub(crate) fn plan_with(&self, plan: &mut Plan, numbers: &mut BTreeMap<String, usize>) {
        for (index, player) in plan.players.iter_mut().enumerate() {
            if player.name.trim().is_empty() {
                player.name = format!("player {}", index + 1);
            }
        }
        let staff = plan.schedule.staff();
        let is_staff = |index: usize| staff.contains(&index);
        // A bot without a row keeps its own name, so no other bot may be given that name.
        let wanted: Vec<Option<String>> =
            plan.players.iter().map(|player| self.called(player, plan).cloned()).collect();
        let own = plan.players.iter().zip(&wanted).filter(|(_, wanted)| wanted.is_none());
        let kept: BTreeSet<String> = own.map(|(player, _)| player.version_of_bot().0.to_owned()).collect();
        for (index, (player, wanted)) in plan.players.iter_mut().zip(wanted).enumerate() {
            let (bot, version) = version_of(&player.name);
            let numbered = |name: &str| match bot == player.name {
                true => name.to_owned(),
                false => format!("{name}@{version}"),
            };
            if let Some(name) = wanted.filter(|name| !kept.contains(name)) {
                player.name = numbered(&name);
            } else if self.has_pseudonyms && !is_staff(index) {
                let next = numbers.len() + 1;
                let number = numbers.entry(bot.to_owned()).or_insert(next);
                player.name = numbered(&format!("Bot {number}"));
            }
            if self.has_pseudonyms && player.kind != PlayerKind::Human && !is_staff(index) {
                (player.author, player.version, player.file) = (None, None, None);
                player.options.clear();
                player.payload.iter_mut().for_each(|payload| payload.name.clear());
            }
        }
    }

    /// What the table calls a player: by its name, unless it calls itself like the file of somebody else, or by the file that no
    /// other player has.
    fn called(&self, player: &Player, plan: &Plan) -> Option<&String> {
        let name = player.version_of_bot().0;
        let is_of_other = |other: &Player| {
            other.version_of_bot().0 != name && stem(other).is_some_and(|file| plain(&file) == plain(name))
        };
        let by_name = || self.wanted(name).filter(|_| !plan.players.iter().any(is_of_other));
        let has = |other: &Player, file: &str| stem(other).is_some_and(|of_other| of_other == file);
        let is_only_one = |file: &str| plan.players.iter().filter(|other| has(other, file)).count() == 1;
        let by_file = || stem(player).filter(|file| is_only_one(file)).and_then(|file| self.wanted(&file));
        by_name().or_else(by_file)
    }

    /// What the table calls a bot, by its name or by that of its file in a league.
    fn wanted(&self, bot: &str) -> Option<&String> {
        let mut files =
            self.table.iter().filter(|(file, _)| plain(file) == bot && !self.unnamed.contains(bot));
        // Of two files that fit, either may be meant.
        let by_file = || files.next().filter(|_| files.next().is_none()).map(|(_, name)| name);
        self.table.get(bot).or_else(by_file)
    }

    /// Warns of lines for bots that do not play, where all are to: they may have been meant for others.
    pub(crate) fn warn_of_strangers(&self, plan: &Plan) {
        if self.is_of_more {
            return;
        }
        let names = plan.players.iter().map(|player| player.version_of_bot().0);
        let known: BTreeSet<String> =
            names.map(str::to_owned).chain(plan.players.iter().filter_map(stem)).collect();
        let is_known = |bot: &str| known.contains(bot) || known.contains(&plain(bot));
        let strangers = self.table.keys().map(String::as_str).filter(|bot| !is_known(bot));
        let mut strangers: Vec<&str> = strangers.collect();
        let beyond = strangers.len().saturating_sub(MOST_NAMED);
        strangers.truncate(MOST_NAMED);
        if !strangers.is_empty() {
            let others = if beyond > 0 { format!(" and {beyond} more") } else { String::new() };
            let strangers = strangers.join(", ");
            talk(&format!("warning: nobody here is called {strangers}{others}, named in {FILE}"));
        }
    }

    /// Takes out of games what bots say of themselves, unless their names are shown, and makes the commands anew that play faults
    /// again: people copy them, and whoever wrote the report could have written anything there.
    pub(crate) fn games(&self, games: &mut [GameRecord]) {
        let report = if self.report.is_empty() { "REPORT" } else { &self.report };
        for game in games {
            let number = game.number;
            for (seat, fault) in game.faults_mut() {
                if self.has_pseudonyms {
                    (fault.sentence, fault.message, fault.output, fault.again) = (None, None, None, None);
                } else if let Some(again) = &mut fault.again {
                    *again = command_again(report, number, seat);
                }
            }
            let searches = game.plies.iter_mut().filter_map(|ply| ply.search.as_mut());
            searches.filter(|_| self.has_pseudonyms).for_each(|search| search.text.clear());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str, has_pseudonyms: bool) -> Result<Names, Failure> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), text).unwrap();
        Names::beside(&folder.path().join("season.json"), has_pseudonyms)
    }

    #[test]
    fn names_come_from_a_spreadsheet_and_a_mistake_in_it_is_said() {
        let text = "bot,name,pseudonym\r\nalice,\"Miller, Alice\",Blue Fox\r\nbob,Bob,\r\n";
        assert_eq!(table(text, false).unwrap().table["alice"], "Miller, Alice");
        assert_eq!(table(text, true).unwrap().table.len(), 1);
        let by_file = table("bot,name\nO'Brien,Conor\n🤖bot,Ro\n", false).unwrap();
        assert_eq!([by_file.wanted("O_Brien").unwrap(), by_file.wanted("_bot").unwrap()], ["Conor", "Ro"]);
        let european = "\u{feff}bot;name;pseudonym\r\nalice;Miller, Alice;Blue Fox\r\n";
        assert_eq!(table(european, false).unwrap().table["alice"], "Miller, Alice");
        for (text, problem) in [
            ("bot,name\na,X\nb,X\n", "two bots are called 'X'"),
            ("bot,nmae\na,X\n", "'nmae' is none of them"),
            ("alice,Alice Miller\n", "'alice' is none of them"),
            ("bot,name\na,X\na,Y\n", "'a' is there twice"),
        ] {
            let Err(failure) = table(text, false) else { panic!("{problem}") };
            assert!(format!("{failure:?}").contains(problem), "{failure:?}");
        }
    }
}
