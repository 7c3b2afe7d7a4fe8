//! Reads saved files back: which files are meant, what their games add up to, and what to say about files that are no
//! reports.

use super::place::{JOURNAL, journal_of};
use crate::cli::{ExitCode, Failure};
use crate::record::schema::{GameRecord, MatchReport};
use crate::record::{
    Duplicates, Merged, Reader, RecordError, Shared, Sums, Unread, canonical_game, in_threads, is_foreign,
    split_name,
};
use crate::report::ranges;
use crate::tournament::Course;
use crate::ui::talk;
use crate::verify::Source;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Games that are read at once, so that all cores have work and memory stays small.
const SOME: usize = 2_048;

/// A report or journal that is read game by game: of a journal, the report of those of its games that count.
pub(crate) struct Games {
    reader: Reader,
    /// Of a journal: which games count, and the report without them.
    settled: Option<(Course, MatchReport)>,
}

impl Games {
    /// Opens a file. A journal is read twice, since which of its games count follows from all of them.
    pub(crate) fn open(path: &Path) -> Result<Games, RecordError> {
        let reader = Reader::open(path)?;
        let settled = reader.again()?.map_or(Ok(None), settled)?;
        Ok(Games { reader, settled })
    }

    pub(crate) fn source(&self) -> Source {
        if self.reader.header().is_some() { Source::Journal } else { Source::Report }
    }

    /// Of a journal, what follows from all of its games; nothing where its plan makes no sense.
    pub(crate) fn course(&self) -> Option<&Course> {
        self.settled.as_ref().map(|(course, _)| course)
    }

    /// The report without its games. What follows the games in the file is only known at the end.
    pub(crate) fn frame(&self) -> &MatchReport {
        self.settled.as_ref().map_or_else(|| self.reader.frame(), |(_, frame)| frame)
    }

    /// The games, some at a time.
    pub(crate) fn some(&mut self) -> impl Iterator<Item = Result<Vec<GameRecord>, RecordError>> {
        some(self)
    }

    /// The whole report without its games, once all of these have been read.
    pub(crate) fn end(self) -> Result<MatchReport, RecordError> {
        match self.settled {
            Some((_, frame)) => Ok(frame),
            None => self.reader.end(),
        }
    }
}

impl Iterator for Games {
    type Item = Result<Unread, RecordError>;

    fn next(&mut self) -> Option<Result<Unread, RecordError>> {
        let counts = |game: &Unread| match &self.settled {
            Some((course, _)) => game.number().map_or(true, |number| course.counts(number)),
            None => true,
        };
        self.reader.by_ref().find(|game| game.as_ref().map_or(true, counts))
    }
}

/// The games of a file, some at a time.
pub(super) fn some(
    unread: &mut impl Iterator<Item = Result<Unread, RecordError>>,
) -> impl Iterator<Item = Result<Vec<GameRecord>, RecordError>> {
    std::iter::from_fn(|| {
        let unread = unread.by_ref().take(SOME).collect::<Result<Vec<_>, _>>();
        let games = unread.and_then(|unread| in_threads(unread, Unread::game).into_iter().collect());
        Some(games).filter(|games| !games.as_ref().is_ok_and(Vec::is_empty))
    })
}

/// Plays the results of a journal through its schedule: which games count, and the report without games. `None` if the
/// plan of the journal makes no sense; `verify` says why.
fn settled(mut journal: Reader) -> Result<Option<(Course, MatchReport)>, RecordError> {
    let mut report = journal.frame().clone();
    let Ok(mut course) = Course::of_report(&report) else { return Ok(None) };
    let (mut sums, mut duplicates) = (Sums::new(report.plan.players.len()), Duplicates::default());
    let mut not_counted = Vec::new();
    for games in some(&mut journal) {
        for game in games? {
            if course.hear(&game) {
                sums.add(&game);
                duplicates.add(&game);
            } else {
                not_counted.push(game.number);
            }
        }
    }
    no_stranger(&course, not_counted.into_iter().map(|number| (number, journal.path())))?;
    settle(&mut report, &course);
    report.add_up(&sums, duplicates);
    Ok(Some((course, report)))
}

/// Refuses games that are none of the schedule's, now that all have been heard, each with its file: whoever judged the
/// others alone would lose one.
pub(crate) fn no_stranger<'a>(
    course: &Course,
    games: impl IntoIterator<Item = (u32, &'a Path)>,
) -> Result<(), RecordError> {
    let strangers = games.into_iter().filter(|(number, _)| course.fixture(*number).is_none());
    let Some((number, path)) = strangers.min() else { return Ok(()) };
    let path = path.to_owned();
    Err(match course.waits_for() {
        Some(before) => RecordError::Early { path, number, before },
        None => RecordError::Stranger { path, number },
    })
}

/// Lets a course hear the games of some files, and shows each once: with the number of its file, and whether it counts. Returns
/// those that do not, each with its file.
pub(crate) fn hear_all<'a>(
    merged: &mut Merged,
    files: &'a [impl AsRef<Path>],
    course: &mut Course,
    mut visit: impl FnMut(GameRecord, usize, bool),
) -> Result<Vec<(u32, &'a Path)>, Failure> {
    let mut not_counted = Vec::new();
    for shared in merged {
        let shared = shared?;
        no_other(&shared, files)?;
        let Shared { game, file, .. } = shared;
        let counts = course.hear(&game);
        not_counted.extend((!counts).then(|| (game.number, files[file].as_ref())));
        visit(game, file, counts);
    }
    Ok(not_counted)
}

/// Refuses a game that is another one in another file: whoever took one of them would lose the other.
fn no_other(shared: &Shared, files: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let canonical = |game: &GameRecord| {
        let mut game = game.clone();
        canonical_game(&mut game);
        game
    };
    let Shared { game, file, others } = shared;
    let Some((other, _)) = others.iter().find(|(_, other)| canonical(other) != canonical(game)) else {
        return Ok(());
    };
    let [other, file] = [*other, *file].map(|file| files[file].as_ref().display());
    let message = format!("game {} is another in {other} than in {file}", game.number);
    let failure = Failure::new(ExitCode::CheckFailed, message);
    Err(failure.hint(
        "keep one of the files, and play the other's games again; with another --seed they count beside these",
    ))
}

pub(crate) fn course_of_file(reader: &Reader) -> Result<Course, Failure> {
    Course::of_report(reader.frame()).map_err(|problem| {
        let message = format!("{}: {problem}", reader.path().display());
        Failure::file(message).hint("arbiter verify says more")
    })
}

/// Notes in a report what follows from the course of its games.
pub(super) fn settle(report: &mut MatchReport, course: &Course) {
    report.games_asked = course.games_asked();
    report.withdrawals = course.withdrawals().to_vec();
    report.sprt = course.sprt_record();
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        let failure = Failure::of(ExitCode::File, &error);
        if let RecordError::File { path, .. } = &error
            && !path.exists()
            && journal_of(path).is_file()
        {
            // The match was stopped, or is being played: what it has so far is in its journal.
            return failure.hint(format!(
                "{}, the journal of this match; once it has been stopped, its command with --resume plays the rest and \
                 writes the report",
                journal_of(path).display()
            ));
        }
        failure.hint(match error {
            RecordError::NotAReport { .. } => {
                "a file that arbiter wrote: a report ends in .json, the journal of a running match in .journal"
            }
            RecordError::TooNew { .. } => "the arbiter that wrote it",
            RecordError::Stranger { .. } => {
                "take its line out with an editor: the games of the others are whole"
            }
            RecordError::Early { .. } => {
                "arbiter merge, if that one is in another file; if it is lost, take the lines of the later ones out, and the \
                 command of the match with --resume plays them again"
            }
            RecordError::Damaged { line: 2.., .. } => {
                "take that line out with an editor: the games of the others are whole"
            }
            RecordError::Damaged { .. } => {
                "move it away, and begin again: without its first line nobody knows what was played"
            }
            RecordError::InUse { .. } => {
                "wait for its end, or name another --output or --results"
            }
            RecordError::NotWritten { .. } => "make room, or see to it that the file can be written to",
            RecordError::File { .. } | RecordError::Journal { .. } => "the path of a file that can be read",
        })
    }
}

/// The file, or the reports and journals in the folder by name. JSON of others in a folder is left out with a warning;
/// what may be a damaged report is not.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = in_folder(path)?;
    files.retain(|path| {
        let is_foreign = is_foreign(path);
        if is_foreign {
            talk(&format!("warning: {} is left out: it is JSON, but no match report", path.display()));
        }
        !is_foreign
    });
    if files.is_empty() {
        let failure = Failure::file(format!("there is no match report in {}", path.display()));
        return Err(failure.hint("a folder with reports (.json) or journals (.journal); matches are saved in results, unless --results said another"));
    }
    Ok(files)
}

/// Each of the files, and of those in the folders, once.
pub(crate) fn all_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let files: Vec<_> = paths.iter().map(|path| files(path)).collect::<Result<_, _>>()?;
    let files: BTreeSet<PathBuf> = files.into_iter().flatten().collect();
    Ok(files.into_iter().collect())
}

/// What may be reports and journals in a folder, by name.
pub(crate) fn in_folder(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let hint = "a folder that can be read, or a report in it by its name";
    let entries = fs::read_dir(path).map_err(Failure::cannot("read the folder", path, hint))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| is_saved(path)).collect();
    files.sort();
    Ok(files)
}

/// The file, or the one in the folder that was written last.
pub(crate) fn newest(path: &Path) -> Result<PathBuf, Failure> {
    let mut files = files(path)?;
    if files.len() == 1 {
        return Ok(files.remove(0));
    }
    let written = |file: &PathBuf| fs::metadata(file).and_then(|file| file.modified()).ok();
    files.sort_by_cached_key(|file| Reverse((written(file), file.clone())));
    // A match that has just begun has no games to show, so an older one is taken. If its file is named, the verb says so itself, as
    // it does of a damaged one.
    let has_games = |file: &&PathBuf| Reader::open(file).map_or(true, |mut games| games.next().is_some());
    let last = files.iter().find(has_games).unwrap_or(&files[0]);
    talk(&format!("{} is the newest of {} files", last.display(), files.len()));
    Ok(last.clone())
}

/// A game was asked for that is none of a file's.
pub(crate) fn no_game(file: &Path, number: u32, numbers: &[u32]) -> Failure {
    let failure = Failure::usage(format!("there is no game {number} in {}", file.display()));
    failure.hint(match numbers {
        [] => "a report with games; arbiter report lists them".to_owned(),
        _ => format!("--game-number with one of {}", ranges(numbers)),
    })
}

/// A report, or the journal of a match that has none yet.
fn is_saved(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let is_lonely = |report: &str| !Path::new(report).exists();
    !split_name(&name).1.is_empty() || name.strip_suffix(JOURNAL).is_some_and(is_lonely)
}
