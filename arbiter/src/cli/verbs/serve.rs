//! `arbiter serve`: a wall of reports that renews itself.
#![expect(clippy::disallowed_methods, reason = "how soon a file is read again is measured here")]

use crate::cli::Failure;
use crate::cli::parsing::whole;
use crate::cli::saved::{FINALS, in_folder, is_journal, journal_of};
use crate::cli::show::pages;
use crate::cli::show::results::{self, Hung, ShownArgs};
use crate::cli::stamp::Stamp;
use crate::page::Page;
use crate::record::{is_taken, live_file, read_live};
use crate::sanitize::sanitize;
use crate::web::{Reports, Wall};
use clap::Args;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How often the folder is looked at.
const PAUSE: Duration = Duration::from_secs(1);
/// Reading takes no more than a part of so many of a processor's time, so that what is being played is not slowed down.
const SPARING: u32 = 50;
/// A game that is being played is no longer than its file may be, and people wait for its next move.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// A journal that has grown since so long ago is being played, unless the file of its game says otherwise: that is renewed
/// for as long as its program lives.
const FRESH: Duration = Duration::from_secs(60);
const RENEWED: Duration = Duration::from_secs(10);
/// Files that hang on the wall, the newest.
const MOST: usize = 24;

#[derive(Args, Debug)]
#[command(
    after_help = "The newest 24 reports hang there, and matches and tournaments while they are played: standings with error bars, \
                        the board of a game that is being played, or the last games move by move, the newest faults, and every report to open. The page renews itself, \
                        whatever begins and ends in the folder. It answers on this machine alone; from elsewhere: \
                        ssh -L 8080:127.0.0.1:8080 HOST, with --port 8080."
)]
pub(crate) struct ServeArgs {
    /// The folder with reports and journals
    #[arg(value_name = "DIR", default_value = "results")]
    folder: PathBuf,
    /// The port of the page [default: any that is free]
    #[arg(long, value_name = "PORT", value_parser = whole::<u16>(1..))]
    port: Option<u16>,
    #[command(flatten)]
    shown: ShownArgs,
}

pub(crate) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    in_folder(&args.folder)?;
    // Whatever is played on this machine goes first. Where the system refuses, pages are answered all the same.
    #[cfg(unix)]
    let _ = rustix::process::nice(10);
    let mut reader = Reader::of(&args.folder, &args.shown);
    let wall = Wall::new(Arc::clone(&reader.folder) as Arc<dyn Reports>, args.port);
    let wall = wall.map_err(pages::cannot_answer(args.port))?;
    let folder_name = sanitize(&args.folder.display().to_string());
    pages::tell(
        &format!("{folder_name} is shown until Ctrl-C. Open in a browser on this machine:"),
        &[wall.link()],
    );
    let look = move || {
        loop {
            reader.look();
            std::thread::sleep(PAUSE);
        }
    };
    Builder::new().spawn(look).map_err(Failure::no_thread)?;
    wall.run().map_err(pages::cannot_answer(args.port))
}

/// The files of a folder, as they hang on the wall.
struct Folder {
    path: PathBuf,
    shown: ShownArgs,
    hanging: Mutex<Hanging>,
}

#[derive(Default)]
struct Hanging {
    /// The reports in the order in which they were found, those of journals too, which have none yet: their numbers are their
    /// addresses, also when a tournament has ended.
    numbers: Vec<PathBuf>,
    cards: Arc<str>,
    /// Rises with every change; 0 before the folder has been looked at.
    number: u64,
}

/// What reads the files of a folder, and hangs each of them as soon as it is read.
struct Reader {
    folder: Arc<Folder>,
    known: HashMap<PathBuf, Known>,
}

/// A file that has been read, unless it is JSON of others or damaged: that hangs nowhere.
#[derive(Default)]
struct Known {
    hung: Reading<Hung>,
    /// The game that is being played.
    live: Reading<Value>,
}

/// What was read of a file last. A journal that grows is read anew like any other file.
struct Reading<T> {
    stamp: Option<Stamp>,
    read: Option<T>,
    /// When it may be read again.
    again: Instant,
}

impl<T> Default for Reading<T> {
    fn default() -> Reading<T> {
        Reading { stamp: None, read: None, again: Instant::now() }
    }
}

impl<T> Reading<T> {
    /// Reads the file if it has changed, and says whether it was read.
    fn renew(&mut self, stamp: Option<Stamp>, longest: Duration, read: impl FnOnce() -> Option<T>) -> bool {
        if self.stamp == stamp || self.again > Instant::now() {
            return false;
        }
        let began = worked();
        let read = stamp.and_then(|_| read());
        let pause = worked().saturating_sub(began) * SPARING;
        *self = Reading { stamp, read, again: Instant::now() + pause.clamp(PAUSE / 2, longest) };
        true
    }
}

/// The time that this thread has worked, where the system tells: on a busy machine it waits far longer, which costs nobody
/// anything. Elsewhere some time that passes.
fn worked() -> Duration {
    #[cfg(unix)]
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(unix)]
    let worked = Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32);
    #[cfg(not(unix))]
    let worked = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    worked
}

fn stamp_of(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|about| Stamp::of(&about))
}

impl Reader {
    fn of(path: &Path, shown: &ShownArgs) -> Reader {
        let (path, shown) = (path.to_owned(), shown.clone());
        Reader { folder: Arc::new(Folder { path, shown, hanging: Mutex::default() }), known: HashMap::new() }
    }

    /// Reads what has changed. A folder that cannot be read now may be there again later.
    fn look(&mut self) {
        let path = &self.folder.path;
        let mut found = in_folder(path).unwrap_or_default();
        found.extend(in_folder(&path.join(FINALS)).unwrap_or_default());
        let stamped = found.into_iter().filter_map(|path| stamp_of(&path).map(|stamp| (path, stamp)));
        let mut stamped: Vec<(PathBuf, Stamp)> = stamped.collect();
        stamped.sort_by_cached_key(|(path, stamp)| (std::cmp::Reverse(stamp.written), path.clone()));
        let (mut looked_at, mut hanging) = (0, 0);
        while looked_at < stamped.len() && hanging < MOST {
            let (path, stamp) = &stamped[looked_at];
            let known = self.known.entry(path.clone()).or_default();
            let is_new =
                known.hung.renew(Some(*stamp), Duration::MAX, || Hung::of(path, &self.folder.shown).ok());
            let game = || Some(known.hung.read.as_ref()?.live(read_live(path)?));
            let live = is_journal(path).then(|| stamp_of(&live_file(path))).flatten();
            known.live.renew(live, LONGEST_PAUSE, game);
            // JSON of others takes nobody's place.
            let hangs = known.hung.read.is_some();
            hanging += usize::from(hangs);
            looked_at += 1;
            // The next one may take a while.
            if is_new && hangs {
                self.hang(&stamped);
            }
        }
        stamped.truncate(looked_at);
        let there: HashSet<&PathBuf> = stamped.iter().map(|(path, _)| path).collect();
        self.known.retain(|path, _| there.contains(path));
        self.hang(&stamped);
    }

    /// Writes the cards anew, those that are being played first.
    fn hang(&self, stamped: &[(PathBuf, Stamp)]) {
        let mut on_the_wall = self.folder.hanging.lock();
        let mut cards = Vec::new();
        for (path, stamp) in stamped {
            let Some(known) = self.known.get(path) else { continue };
            let Some(hung) = &known.hung.read else { continue };
            let is_running = match known.live.stamp {
                Some(live) => live.is_younger_than(RENEWED),
                None => stamp.is_younger_than(FRESH),
            };
            let mut card = hung.card.clone();
            card["number"] = json!(on_the_wall.number_of(path));
            card["live"] = json!(known.live.read);
            card["state"] = json!(match (is_journal(path), is_running) {
                (true, true) => "running",
                (true, false) => "stopped",
                // A league without games to play has written its report, and keeps its journal.
                (false, _) if hung.is_league() && is_taken(&journal_of(path)) => "waiting",
                (false, _) if hung.lacks_games() => "stopped",
                (false, _) => "over",
            });
            cards.push(card);
        }
        cards.truncate(MOST);
        cards.sort_by_key(|card| (card["state"] != "running", card["state"] != "waiting"));
        on_the_wall.renew(&Value::from(cards).to_string());
    }
}

impl Hanging {
    /// The address of a file: that of its report.
    fn number_of(&mut self, path: &Path) -> usize {
        let report = if is_journal(path) { path.with_extension("") } else { path.to_owned() };
        self.numbers.iter().position(|known| *known == report).unwrap_or_else(|| {
            self.numbers.push(report);
            self.numbers.len() - 1
        })
    }

    fn renew(&mut self, cards: &str) {
        if *cards != *self.cards {
            self.cards = cards.into();
            self.number += 1;
        }
    }
}

impl Reports for Folder {
    fn cards(&self, but: u64) -> Option<(u64, Arc<str>)> {
        let hanging = self.hanging.lock();
        (hanging.number != but).then(|| (hanging.number, Arc::clone(&hanging.cards)))
    }

    fn report(&self, number: usize) -> Option<String> {
        let mut path = self.hanging.lock().numbers.get(number)?.clone();
        if !path.exists() {
            path = journal_of(&path);
        }
        let mut page = Page::default();
        results::add(&mut page, &path, &self.shown).ok()?;
        Some(page.contents())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/samples/swiss.json");

    fn reader_of(path: &tempfile::TempDir) -> Reader {
        Reader::of(path.path(), &ShownArgs::default())
    }

    /// What hangs there after another look.
    fn cards_after_a_look(reader: &mut Reader) -> Vec<Value> {
        reader.look();
        serde_json::from_str(&reader.folder.cards(0).unwrap().1).unwrap()
    }

    /// It is the same length and as old as before: a report that could not be read until now would hang nowhere for ever.
    #[test]
    #[cfg(unix)]
    fn another_report_of_the_same_length_and_age_is_read() {
        let path = tempfile::tempdir().unwrap();
        let (report, other) = (path.path().join("cup.json"), path.path().join("other"));
        let text = fs::read(SAMPLE).unwrap();
        fs::write(&report, vec![b' '; text.len()]).unwrap();
        fs::write(&other, text).unwrap();
        let mut reader = reader_of(&path);
        assert!(
            reader.folder.cards(0).is_none(),
            "nothing is known of a folder before it has been looked at"
        );
        assert!(cards_after_a_look(&mut reader).is_empty());
        let written = fs::metadata(&report).unwrap().modified().unwrap();
        fs::File::options().write(true).open(&other).unwrap().set_modified(written).unwrap();
        fs::rename(&other, &report).unwrap();
        // It is read no more often than now and then.
        reader.known.values_mut().for_each(|known| known.hung.again = Instant::now());
        assert_eq!(cards_after_a_look(&mut reader)[0]["file"], "cup.json");
    }

    /// Otherwise a league that looks for newcomers would be over, and begin again with the next one.
    #[test]
    #[cfg(unix)]
    fn a_league_that_waits_for_bots_is_not_over_before_its_program_has_ended() {
        let path = tempfile::tempdir().unwrap();
        let (report, journal) = (path.path().join("season.json"), path.path().join("season.json.journal"));
        let mut league: Value = serde_json::from_slice(&fs::read(SAMPLE).unwrap()).unwrap();
        let players = league["plan"]["players"].as_array().unwrap().len();
        let come = (0..players).map(|player| json!({ "round": 1, "player": player, "change": "arrives" }));
        let come: Vec<Value> = come.collect();
        league["plan"]["schedule"] =
            json!({ "kind": "league", "pairs": 1, "most_pairs": 1, "attendance": come });
        fs::write(&report, league.to_string()).unwrap();
        fs::write(&journal, "").unwrap();
        let mut reader = reader_of(&path);
        let mut state = || cards_after_a_look(&mut reader)[0]["state"].as_str().unwrap().to_owned();
        assert_eq!(state(), "over");
        let file = fs::File::open(&journal).unwrap();
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).unwrap();
        assert_eq!(state(), "waiting");
        drop(file);
        assert_eq!(state(), "over");
    }

    /// A large one would otherwise keep all others from the wall while it is read.
    #[test]
    fn a_report_hangs_there_as_soon_as_it_has_been_read() {
        let path = tempfile::tempdir().unwrap();
        for name in ["a.json", "b.json"] {
            fs::copy(SAMPLE, path.path().join(name)).unwrap();
        }
        let mut reader = reader_of(&path);
        assert_eq!(cards_after_a_look(&mut reader).len(), 2);
        assert_eq!(reader.folder.hanging.lock().number, 2, "the wall has changed twice");
    }

    #[test]
    fn newer_files_of_others_leave_a_report_its_place() {
        let path = tempfile::tempdir().unwrap();
        fs::copy(SAMPLE, path.path().join("cup.json")).unwrap();
        (0..2 * MOST).for_each(|n| fs::write(path.path().join(format!("{n}.json")), "{}").unwrap());
        assert_eq!(cards_after_a_look(&mut reader_of(&path))[0]["file"], "cup.json");
    }

    #[test]
    fn a_report_that_somebody_has_opened_stays_at_its_address_when_its_tournament_ends() {
        let path = tempfile::tempdir().unwrap();
        let report = path.path().join("cup.json");
        let mut header: Value = serde_json::from_slice(&fs::read(SAMPLE).unwrap()).unwrap();
        let known = ["format_version", "arbiter", "plan", "machine", "started", "games_asked"];
        header.as_object_mut().unwrap().retain(|key, _| known.contains(&key.as_str()));
        header["format"] = json!("arbiter-journal");
        fs::write(journal_of(&report), format!("{header}\n")).unwrap();
        let mut reader = reader_of(&path);
        reader.look();
        fs::remove_file(journal_of(&report)).unwrap();
        fs::copy(SAMPLE, &report).unwrap();
        fs::copy(SAMPLE, path.path().join("a.json")).unwrap();
        let cards = cards_after_a_look(&mut reader);
        let cup = cards.iter().find(|card| card["file"] == "cup.json").unwrap();
        assert_eq!(cup["number"], 0);
        assert!(reader.folder.report(0).unwrap().contains("cup.json"));
    }
}
