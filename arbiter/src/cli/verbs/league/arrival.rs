//! Who comes and who goes: what lies in the folder becomes versions of bots, each with a copy of its own.

use super::folder::{Candidate, look, others};
use super::season::{MAKE_ROOM, Season, file_of, hash_of, names_a_file};
use crate::check::{Level, Step, Subject};
use crate::cli::Failure;
use crate::cli::failure::machine_failed;
use crate::cli::options::tell_not_bots;
use crate::cli::plan::{Bot, EntrantPlan, Who, unused};
use crate::cli::rehearsal::try_out;
use crate::cli::show::circumstances::NOT_LET_IN;
use crate::cli::show::names::plain;
use crate::cli::signals::STOP;
use crate::host::{BotCommand, BotFile};
use crate::record::schema::{self, ChangeRecord, MOST_PLAYERS};
use crate::record::{read_found_text, replace};
use crate::sanitize::sanitize;
use crate::ui::talk;
use std::collections::{BTreeMap, BTreeSet};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The folder in which a copy is made before it gets its name.
const INCOMING: &str = ".incoming";

/// What `arbiter check` says of a version, beside its copy.
const CHECK: &str = "check.txt";

/// Watches the folder of a league.
#[derive(Default)]
pub(super) struct Admission {
    folder: PathBuf,
    season: PathBuf,
    /// The stamps of the files that have been examined.
    known: BTreeMap<String, [u8; 32]>,
    /// Files that may still be written: their stamps, and since when they have had them. Dates of files say nothing: they come from
    /// other clocks, or are set.
    unsettled: BTreeMap<String, ([u8; 32], Instant)>,
    /// How long a file has to stay unchanged before it is read.
    pause: Duration,
    /// The names of bots or files that are to set marks.
    marks: Vec<String>,
    /// Who is not let in, and why, by the files.
    refused: BTreeMap<String, String>,
    /// What lies there and is no bot by its name, and has been told.
    not_bots: BTreeSet<String>,
}

impl Admission {
    pub(super) fn new(folder: &Path, season: &Path, pause: Duration, marks: &[String]) -> Admission {
        let (folder, season, marks) = (folder.to_owned(), season.to_owned(), marks.to_vec());
        Admission { folder, season, pause, marks, ..Admission::default() }
    }

    pub(super) fn is_waiting(&self) -> bool {
        !self.unsettled.is_empty()
    }

    /// Lets in new bots, new versions and bots that have come back, and notes which have gone. While the folder cannot be read,
    /// nobody is taken to have gone.
    pub(super) fn admit(&mut self, season: &mut Season) -> Result<(), Failure> {
        let host = season.plan.run.host.clone();
        let found = match look(&self.folder, &self.season, &host) {
            Ok(found) => found,
            Err(error) => {
                talk(&format!("warning: cannot look into {}: {error}", self.folder.display()));
                return Ok(());
            }
        };
        // Whoever hands in a source file or an archive would wait for weeks to see it play.
        let others = others(&self.folder, &self.season, &host);
        let new = others.iter().filter(|name| !self.not_bots.contains(*name));
        tell_not_bots(&new.cloned().collect::<Vec<_>>());
        self.not_bots = others.into_iter().collect();
        for (version, is_there) in season.present().into_iter().enumerate() {
            let file = file_of(&season.players()[version]);
            if is_there && !found.contains_key(&file) {
                self.known.remove(&file);
                season.attend(version, ChangeRecord::Leaves, None)?;
                season.tell(&format!("{} has gone; it stays as an opponent", season.name(version)));
            }
        }
        self.check_marks(&found, season)?;
        self.unsettled.retain(|key, _| found.contains_key(key));
        self.refused.retain(|key, _| found.contains_key(key));
        // The file of a mark has its name before all others, and whose name is as its file says before whoever would get the same
        // only without what names cannot have.
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(key, _)| (!self.marks.contains(key), plain_bot_name(key) != bot_name(key)));
        for (key, candidate) in found {
            if self.known.get(&key) == Some(&candidate.stamp) || !self.is_settled(&key, &candidate) {
                continue;
            }
            let examined = match self.examine(&key, &candidate, season) {
                Err(Refusal::OfLeague(failure)) => return Err(failure),
                examined => examined,
            };
            if STOP.is_wanted() {
                // The examination was broken off, and has to be repeated by the next run.
                return Ok(());
            }
            self.unsettled.remove(&key);
            self.refused.remove(&key);
            if let Err(Refusal::OfBot(why)) = examined {
                talk(&format!("{} is not let in: {why}", candidate.path.display()));
                self.refused.insert(key.clone(), sanitize(&format!("{key} is not let in: {why}")));
            }
            self.known.insert(key, candidate.stamp);
        }
        if !self.is_waiting() {
            self.tell_refused();
        }
        Ok(())
    }

    /// Writes who is not let in, for the standings and the page: authors of bots do not see what the league says. Where there is no
    /// room, it has been said.
    fn tell_refused(&self) {
        let path = self.season.join(NOT_LET_IN);
        let said: String = self.refused.values().map(|line| format!("{line}\n")).collect();
        if said.is_empty() {
            drop(fs::remove_file(path));
        } else if read_found_text(&path).ok().as_ref() != Some(&said) {
            drop(replace(&path, |out| out.write_all(said.as_bytes())));
        }
    }

    /// Ends the league where it is not clear which of several files is to set a mark that nobody sets yet: others may have put one of
    /// them there.
    fn check_marks(&self, found: &BTreeMap<String, Candidate>, season: &Season) -> Result<(), Failure> {
        let has_owner = |bot: &str| season.players().iter().any(|player| player.version_of_bot().0 == bot);
        let is_open = |mark: &&String| !names_a_file(mark) && !has_owner(schema::version_of(mark).0);
        let fit = || found.iter().filter(|(_, candidate)| candidate.refused.is_none()).map(|(key, _)| &**key);
        for mark in self.marks.iter().filter(is_open) {
            let bot = schema::version_of(mark).0;
            let named =
                |name: fn(&str) -> String| -> Vec<&str> { fit().filter(|key| name(key) == bot).collect() };
            // Whose name is as its file says comes before the others.
            let files = Some(named(|key| bot_name(key).to_owned())).filter(|files| !files.is_empty());
            let files = files.unwrap_or_else(|| named(plain_bot_name));
            if let [.., last] = files[..]
                && files.len() > 1
            {
                let message =
                    format!("{mark} is to set a mark, and fits several files: {}", files.join(", "));
                let hint = format!("the name of the file in league.toml, such as mark = [\"{last}\"]");
                return Err(Failure::usage(message).hint(hint));
            }
        }
        Ok(())
    }

    #[expect(clippy::disallowed_methods, reason = "how long a file has stood still is measured here")]
    fn is_settled(&mut self, key: &str, candidate: &Candidate) -> bool {
        let now = Instant::now();
        let (stamp, since) = self.unsettled.entry(key.to_owned()).or_insert((candidate.stamp, now));
        if *stamp != candidate.stamp {
            (*stamp, *since) = (candidate.stamp, now);
        }
        since.elapsed() >= self.pause
    }

    /// Finds out what a file is, and lets it in if it can play.
    fn examine(&self, key: &str, candidate: &Candidate, season: &mut Season) -> Result<(), Refusal> {
        if let Some(why) = candidate.refused {
            return Err(Refusal::OfBot(why.to_owned()));
        }
        let file = season.plan.run.host.bot(&candidate.path);
        // Its author decides how large it is, so too little memory for it is held against nobody else.
        let look = file.look().map_err(|error| error.to_string())?;
        let hash = file.payload().map_or(&*look.sha256, |(_, hash)| hash);
        let (players, present) = (season.players(), season.present());
        let own = || players.iter().enumerate().filter(|(_, player)| file_of(player) == key);
        let before = own().find(|(version, _)| present[*version]).map(|(version, _)| version);
        let known = own().find(|(_, player)| hash_of(player) == hash).map(|(version, _)| version);
        if known.is_some() && known == before {
            return Ok(());
        }
        if known.is_none() && players.len() >= MOST_PLAYERS {
            return Err(format!("a season has room for {MOST_PLAYERS} versions; begin another").into());
        }
        let version = known.unwrap_or(players.len());
        let twin = players.iter().find(|player| hash_of(player) == hash && file_of(player) != key);
        let twin = twin.map(|twin| format!("; it is the same file as {}", sanitize(&twin.name)));
        let newcomer = match known {
            Some(_) => None,
            None => Some(newcomer(key, Self::try_out(candidate, &file, season)?, season)?),
        };
        before.map_or(Ok(()), |before| season.attend(before, ChangeRecord::Leaves, None))?;
        let how = if newcomer.is_some() { "in" } else { "back" };
        season.attend(version, ChangeRecord::Arrives, newcomer)?;
        season.tell(&format!("{} is {how}{}", season.name(version), twin.unwrap_or_default()));
        Ok(())
    }

    /// Whether a bot loads, plays the game, and begins it.
    fn try_out(candidate: &Candidate, file: &BotFile, season: &Season) -> Result<Bot, Refusal> {
        let (plan, named) = (&season.plan, candidate.path.display().to_string());
        // A bot that thinks for as long as it may is checked for a minute.
        season.tell(&sanitize(&format!("checking {named}")));
        let host = &plan.run.host;
        let command =
            BotCommand { limits: plan.run.limits, core: plan.core(0), ..BotCommand::new(host, file.clone()) };
        let (game, greeting) = (plan.games.start.info().id, host.identify(&command));
        let looked = greeting.and_then(|greeting| Ok((greeting, file.look()?.sha256.clone())));
        let (greeting, sha256) = looked.map_err(|error| match error.error.of_machine() {
            Some(failure) => Refusal::OfLeague(machine_failed(&named, &failure)),
            None => Refusal::OfBot(error.error.to_string()),
        })?;
        if !greeting.plays(game) {
            return Err(format!("it does not play {game}; it plays {}", greeting.repertoire()).into());
        }
        if plan.run.limits.instructions && !file.counts_instructions() {
            return Err("its instructions cannot be counted, as --fuel does".to_owned().into());
        }
        if plan.games.in_process && file.runtime().is_some() {
            return Err("it runs in a process of its own, and --in-process has none".to_owned().into());
        }
        let (file, greeting) = (file.clone(), Some(greeting));
        let bot = Bot { named, file, sha256, greeting, options: Vec::new() };
        try_out(plan, &bot)?.map_or(Ok(bot), |why| Err(why.into()))
    }
}

/// Why nobody is let in.
enum Refusal {
    /// What is wrong with the bot, or that the league was stopped meanwhile.
    OfBot(String),
    /// What the machine could not do: it ends the league, so that its next run tries the bot again.
    OfLeague(Failure),
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal::OfBot(why)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::OfLeague(failure)
    }
}

/// What `arbiter check` says of a copy, for the author of the bot; it decides nothing, since games will. Some of it is missing if
/// the league is stopped meanwhile.
fn checked(copy: &Path, season: &Season) -> String {
    let plan = &season.plan;
    let (host, limits, game) = (&plan.run.host, plan.run.limits, plan.games.start.info());
    let command = BotCommand { limits, ..BotCommand::new(host, host.bot(copy)) };
    let subject = match Subject::open(command, Duration::from_secs(1)) {
        Ok(subject) => Subject { is_stopped: || STOP.is_wanted(), ..subject },
        Err(error) => return sanitize(&error.to_string()),
    };
    let mut text = String::new();
    for (step, game) in Step::all([game]) {
        let findings = step.run(&subject, game);
        if STOP.is_wanted() {
            break;
        }
        let level = Level::of(&findings);
        let remarks = findings.iter().filter(|finding| finding.level > Level::Ok);
        let remarks =
            remarks.flat_map(|finding| [&finding.did, &finding.advice]).filter(|said| !said.is_empty());
        text.push_str(&format!("{:<8} {:<17} {}\n", level.word(), step.id, step.about));
        remarks.for_each(|said| text.push_str(&format!("         {}\n", sanitize(said))));
    }
    text
}

/// A new version with a copy of its own, as it is saved.
fn newcomer(key: &str, bot: Bot, season: &Season) -> Result<schema::Player, Refusal> {
    let name = next_name(key, season);
    let (wanted, given) = (plain_bot_name(key), schema::version_of(&name).0);
    let is_of = |player: &&schema::Player| player.version_of_bot().0 == wanted;
    if let Some(other) = season.players().iter().find(is_of).filter(|_| given != wanted) {
        talk(&format!("{key} plays as {given}, since {} is {wanted}", file_of(other)));
    }
    let copy = keep(&bot.file, &name, season)?;
    let entrant = EntrantPlan { place: None, name, who: Who::Bot(bot), time: season.plan.games.bot_time };
    Ok(schema::Player { file: Some(copy.display().to_string()), ..entrant.saved() })
}

/// `greedy@3` for the third version of `greedy.so` or `libgreedy.so`; `greedy-2@1` for another file of that name.
fn next_name(key: &str, season: &Season) -> String {
    let own = season.players().iter().find(|player| file_of(player) == key);
    let bots = || season.players().iter().map(|player| player.version_of_bot().0);
    let bot = own.map_or_else(
        || {
            let wanted = plain_bot_name(key);
            let is_taken = |name: &str| bots().any(|bot| bot == name);
            unused(&wanted, |number| format!("{wanted}-{number}"), is_taken)
        },
        |player| player.version_of_bot().0.to_owned(),
    );
    let number = bots().filter(|other| *other == bot).count() + 1;
    format!("{bot}@{number}")
}

/// What the bot of a file is called: `greedy` for `greedy.so` and `libgreedy.so`.
fn bot_name(key: &str) -> &str {
    let stem = Path::new(key).file_stem().and_then(OsStr::to_str).unwrap_or_default();
    stem.strip_prefix(DLL_PREFIX).filter(|_| key.ends_with(DLL_SUFFIX)).unwrap_or(stem)
}

/// The same with what a name may have.
fn plain_bot_name(key: &str) -> String {
    plain(bot_name(key))
}

/// Keeps a copy of a bot as it was read, so that it can play whatever becomes of its file. Returns where the copy is.
fn keep(file: &BotFile, name: &str, season: &Season) -> Result<PathBuf, Refusal> {
    let (incoming, folder) = (season.copies_of(INCOMING), season.copies_of(name));
    let save = || -> io::Result<Option<PathBuf>> {
        // An earlier run that was killed may have left these.
        for left in [&incoming, &folder] {
            if left.exists() {
                fs::remove_dir_all(left)?;
            }
        }
        fs::create_dir(&incoming)?;
        let saved = file.save(&incoming)?;
        // Windows syncs no file that is open only for reading.
        File::options().write(true).open(&saved)?.sync_all()?;
        let checked = checked(&saved, season);
        if STOP.is_wanted() {
            return Ok(None);
        }
        replace(&incoming.join(CHECK), |out| out.write_all(checked.as_bytes()))?;
        fs::rename(&incoming, &folder)?;
        Ok(Some(folder.join(saved.file_name().unwrap_or_default())))
    };
    let kept = save().map_err(Failure::cannot("write", &folder, MAKE_ROOM))?;
    kept.ok_or_else(|| "the league was stopped".to_owned().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise half a bot would be let in, or one with a date of next year never.
    #[test]
    fn a_file_is_read_when_it_has_stood_still_whatever_its_date() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        let future = std::time::SystemTime::now() + Duration::from_secs(1 << 25);
        let look = |text: &str| {
            fs::write(&path, text).unwrap();
            File::options().append(true).open(&path).unwrap().set_modified(future).unwrap();
            look(folder.path(), Path::new("season"), &crate::host::Host::default()).unwrap()["a.py"].clone()
        };
        let mut admission =
            Admission::new(folder.path(), Path::new("season"), Duration::from_secs(1 << 20), &[]);
        let written = look("1");
        assert!(!admission.is_settled("a.py", &written) && !admission.is_settled("a.py", &written));
        admission.pause = Duration::ZERO;
        assert!(admission.is_settled("a.py", &written));
        admission.pause = Duration::from_secs(1 << 20);
        assert!(!admission.is_settled("a.py", &look("22")) && admission.is_waiting());
    }
}
