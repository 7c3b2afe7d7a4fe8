//! Who comes and who goes: what lies in the folder becomes versions of bots, each with a copy of its own.

use super::folder::{Candidate, look};
use super::season::{MAKE_ROOM, Season};
use crate::check::{Level, Step, Subject};
use crate::cli::Failure;
use crate::cli::failure::machine_failed;
use crate::cli::plan::{Bot, EntrantPlan, Who, unused};
use crate::cli::rehearsal::try_out;
use crate::cli::signals::STOP;
use crate::host::{BotCommand, BotFile, LoadError};
use crate::record::replace;
use crate::record::schema::{self, ChangeRecord, MOST_PLAYERS};
use crate::sanitize::sanitize;
use crate::ui::talk;
use std::collections::BTreeMap;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A name longer than this would be cut in every table.
const LONGEST_NAME: usize = 40;

/// The folder in which a copy is made before it gets its name.
const INCOMING: &str = ".incoming";

/// What `arbiter check` says of a version, beside its copy.
const CHECK: &str = "check.txt";

/// Watches the folder of a league.
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
}

impl Admission {
    pub(super) fn new(folder: &Path, season: &Path, pause: Duration) -> Admission {
        Admission {
            folder: folder.to_owned(),
            season: season.to_owned(),
            known: BTreeMap::new(),
            unsettled: BTreeMap::new(),
            pause,
        }
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
                talk(&sanitize(&format!("warning: cannot look into {}: {error}", self.folder.display())));
                return Ok(());
            }
        };
        for version in 0..season.versions.len() {
            let of = &season.versions[version];
            if of.is_present && !found.contains_key(&of.key) {
                self.known.remove(&of.key);
                season.attend(version, ChangeRecord::Leaves, None)?;
                season.tell(&format!("{} has gone; it stays as an opponent", season.name(version)));
            }
        }
        self.unsettled.retain(|key, _| found.contains_key(key));
        // Whose name is as its file says has it before whoever would get the same only without what names cannot have.
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(key, _)| plain_stem(key) != stem(key));
        for (key, candidate) in found {
            if self.known.get(&key) == Some(&candidate.stamp) || !self.is_settled(&key, &candidate) {
                continue;
            }
            let examined = self.examine(&key, &candidate, season)?;
            if STOP.is_wanted() {
                // The examination was broken off, and has to be repeated by the next run.
                return Ok(());
            }
            self.unsettled.remove(&key);
            if let Err(why) = examined {
                let line = format!("{} is not let in: {why}", candidate.path.display());
                talk(&sanitize(&line));
            }
            self.known.insert(key, candidate.stamp);
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

    /// Finds out what a file is, and lets it in if it can play; otherwise says why not.
    fn examine(
        &self,
        key: &str,
        candidate: &Candidate,
        season: &mut Season,
    ) -> Result<Result<(), String>, Failure> {
        let file = season.plan.run.host.bot(&candidate.path);
        let hash = match (candidate.refused, file.look()) {
            (Some(why), _) => return Ok(Err(why.to_owned())),
            // Its author decides how large it is, so too little memory for it is held against nobody else.
            (None, Err(error)) => return Ok(Err(error.to_string())),
            (None, Ok(look)) => {
                file.payload().map_or_else(|| look.sha256.clone(), |(_, hash)| hash.to_owned())
            }
        };
        let own: Vec<usize> =
            (0..season.versions.len()).filter(|&version| season.versions[version].key == key).collect();
        let before = own.iter().copied().find(|&version| season.versions[version].is_present);
        let known = own.iter().copied().find(|&version| season.versions[version].sha256 == hash);
        if known.is_some() && known == before {
            return Ok(Ok(()));
        }
        if known.is_none() && season.versions.len() >= MOST_PLAYERS {
            return Ok(Err(format!("a season has room for {MOST_PLAYERS} versions; begin another")));
        }
        let newcomer = match known {
            Some(_) => None,
            None => match Self::try_out(candidate, &file, season)? {
                Ok(bot) => match newcomer(key, bot, season)? {
                    Some(newcomer) => Some(newcomer),
                    None => return Ok(Err("the league was stopped".to_owned())),
                },
                Err(why) => return Ok(Err(why)),
            },
        };
        before.map_or(Ok(()), |before| season.attend(before, ChangeRecord::Leaves, None))?;
        let version = known.unwrap_or(season.versions.len());
        let how = if newcomer.is_some() { "in" } else { "back" };
        season.attend(version, ChangeRecord::Arrives, newcomer)?;
        season.tell(&format!("{} is {how}", season.name(version)));
        Ok(Ok(()))
    }

    /// Whether a bot loads, plays the game, and begins it.
    fn try_out(
        candidate: &Candidate,
        file: &BotFile,
        season: &Season,
    ) -> Result<Result<Bot, String>, Failure> {
        let (plan, named) = (&season.plan, candidate.path.display().to_string());
        // A bot that thinks for as long as it may is checked for a minute.
        season.tell(&sanitize(&format!("checking {named}")));
        let host = &plan.run.host;
        let command =
            BotCommand { limits: plan.run.limits, core: plan.core(0), ..BotCommand::new(host, file.clone()) };
        let (game, greeting) = (plan.games.start.info().id, host.identify(&command));
        let looked = greeting.and_then(|greeting| Ok((greeting, file.look()?.sha256.clone())));
        let (greeting, sha256) = match looked {
            Ok(looked) => looked,
            Err(error) => return refused(candidate, &error.error),
        };
        if !greeting.plays(game) {
            return Ok(Err(format!("it does not play {game}; it plays {}", greeting.repertoire())));
        }
        if plan.run.limits.instructions && !file.counts_instructions() {
            return Ok(Err("its instructions cannot be counted, as --fuel does".to_owned()));
        }
        if plan.games.in_process && file.runtime().is_some() {
            return Ok(Err("it runs in a process of its own, and --in-process has none".to_owned()));
        }
        let (file, greeting) = (file.clone(), Some(greeting));
        let bot = Bot { named, file, sha256, greeting, options: Vec::new() };
        Ok(match try_out(plan, &bot)? {
            Some(why) => Err(why),
            None => Ok(bot),
        })
    }
}

/// Why a bot cannot be loaded. What the machine could not do ends the league, so that its next run tries the bot again.
fn refused<T>(candidate: &Candidate, error: &LoadError) -> Result<Result<T, String>, Failure> {
    match error.of_machine() {
        Some(failure) => Err(machine_failed(&candidate.path.display().to_string(), &failure)),
        None => Ok(Err(error.to_string())),
    }
}

/// What `arbiter check` says of a copy, for the author of the bot; it decides nothing, since games will. `None` if the league is
/// stopped meanwhile.
fn checked(copy: &Path, season: &Season) -> Option<String> {
    let plan = &season.plan;
    let (host, limits, game) = (&plan.run.host, plan.run.limits, plan.games.start.info());
    let command = BotCommand { limits, ..BotCommand::new(host, host.bot(copy)) };
    let subject = match Subject::open(command, Duration::from_secs(1)) {
        Ok(subject) => Subject { is_stopped: || STOP.is_wanted(), ..subject },
        Err(error) => return Some(sanitize(&format!("{error}"))),
    };
    let mut text = String::new();
    for (step, game) in Step::all([game]) {
        let findings = step.run(&subject, game);
        if STOP.is_wanted() {
            return None;
        }
        let level = Level::of(&findings);
        let remarks = findings.iter().filter(|finding| finding.level > Level::Ok);
        let remarks =
            remarks.flat_map(|finding| [&finding.did, &finding.advice]).filter(|said| !said.is_empty());
        text.push_str(&format!("{:<8} {:<17} {}\n", level.word(), step.id, step.about));
        remarks.for_each(|said| text.push_str(&format!("         {}\n", sanitize(said))));
    }
    Some(text)
}

/// A new version with a copy of its own, as it is saved. `None` if the league is stopped meanwhile.
fn newcomer(key: &str, bot: Bot, season: &Season) -> Result<Option<schema::Player>, Failure> {
    let name = next_name(key, season);
    let Some(copy) = keep(&bot.file, &name, season)? else { return Ok(None) };
    let entrant = EntrantPlan { name, who: Who::Bot(bot), time: season.plan.games.bot_time };
    Ok(Some(schema::Player { file: Some(copy.display().to_string()), ..entrant.saved() }))
}

/// `greedy@3` for the third version of `greedy.so` or `libgreedy.so`; `greedy-2@1` for another file of that name.
fn next_name(key: &str, season: &Season) -> String {
    let versions = &season.versions;
    let own = versions.iter().find(|version| version.key == key).map(|version| version.stem.clone());
    let stem = own.unwrap_or_else(|| {
        let wanted = plain_stem(key);
        let is_taken = |stem: &str| versions.iter().any(|version| version.stem == stem);
        unused(&wanted, |number| format!("{wanted}-{number}"), is_taken)
    });
    let number = versions.iter().filter(|version| version.stem == stem).count() + 1;
    format!("{stem}@{number}")
}

/// `greedy` for `greedy.so` and `libgreedy.so`.
fn stem(key: &str) -> &str {
    let stem = Path::new(key).file_stem().and_then(OsStr::to_str).unwrap_or_default();
    stem.strip_prefix(DLL_PREFIX).filter(|_| key.ends_with(DLL_SUFFIX)).unwrap_or(stem)
}

/// The same with what a name may have.
fn plain_stem(key: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    let plain: String =
        stem(key).chars().take(LONGEST_NAME).map(|c| if is_plain(c) { c } else { '_' }).collect();
    let plain = plain.trim_matches(['.', ' ']);
    if plain.is_empty() { "bot".to_owned() } else { plain.to_owned() }
}

/// Keeps a copy of a bot as it was read, so that it can play whatever becomes of its file. Returns where the copy is, or `None`
/// if the league is stopped meanwhile.
fn keep(file: &BotFile, name: &str, season: &Season) -> Result<Option<PathBuf>, Failure> {
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
        File::open(&saved)?.sync_all()?;
        let Some(checked) = checked(&saved, season) else { return Ok(None) };
        replace(&incoming.join(CHECK), |out| out.write_all(checked.as_bytes()))?;
        fs::rename(&incoming, &folder)?;
        Ok(Some(folder.join(saved.file_name().unwrap_or_default())))
    };
    save().map_err(Failure::cannot("write", &folder, MAKE_ROOM))
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
        let mut admission = Admission::new(folder.path(), Path::new("season"), Duration::from_secs(1 << 20));
        let written = look("1");
        assert!(!admission.is_settled("a.py", &written) && !admission.is_settled("a.py", &written));
        admission.pause = Duration::ZERO;
        assert!(admission.is_settled("a.py", &written));
        admission.pause = Duration::from_secs(1 << 20);
        assert!(!admission.is_settled("a.py", &look("22")) && admission.is_waiting());
    }
}
