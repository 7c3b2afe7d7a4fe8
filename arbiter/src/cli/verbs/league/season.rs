//! A season: its folder, its journal, who has taken part, and the rounds that have been played.
//!
//! The journal is all that counts. It says who came and went before which round, and every game; whatever is done next follows
//! from it, so that a season goes on wherever it was stopped. The copies of bots and the report are beside it.

use crate::cli::plan::{Bot, EntrantPlan, Plan, Show, Who, saved_time};
use crate::cli::runner::{Desks, play_games, stopped};
use crate::cli::saved::{
    Saved, added_up, begun_with, header, journal_of, make_folder, not_before, openings, seed, write_report,
};
use crate::cli::show::circumstances::{circumstances, not_let_in};
use crate::cli::show::names::Names;
use crate::cli::{ExitCode, Failure};
use crate::host::LoadError;
use crate::player::Desk;
use crate::record::schema::{
    self, AttendanceLine, AttendanceRecord, ChangeRecord, GameRecord, JournalHeader,
};
use crate::record::{Journal, Merged, Scored, date};
use crate::report::{Standings, Tally, rating_range};
use crate::sanitize::sanitize;
use crate::tournament::{Course, Listener, MatchSeed, Schedule};
use crate::ui::talk;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Whether a mark names the file of a bot.
pub(super) fn names_a_file(mark: &str) -> bool {
    [DLL_SUFFIX, ".py", ".zip", ".wasm"].iter().any(|end| mark.ends_with(end))
}

/// The report, and in front of `.journal` the journal.
pub(super) const REPORT: &str = "season.json";
/// Copies of versions that are open at the same time, unless more play in a round.
const MOST_OPEN: usize = 64;
/// The shortest time between two lines on how things stand.
const PAUSE: Duration = Duration::from_secs(2);
/// What to do where something cannot be written.
pub(super) const MAKE_ROOM: &str = "make room, then the same command: it goes on with what is in the journal";
/// The folder with a copy of every version of a bot.
pub(super) const BOTS: &str = "bots";

pub(super) struct Season {
    folder: PathBuf,
    pub(super) plan: Plan,
    saved: Saved,
    tally: Tally,
    told: Option<Instant>,
    /// Versions whose copies have been opened.
    open: BTreeSet<usize>,
}

pub(super) fn file_of(player: &schema::Player) -> String {
    let file = Path::new(player.file.as_deref().unwrap_or_default());
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The hash that tells versions apart: that of the payload where there is one, such as a script, because the library that runs
/// it is our bridge; otherwise that of the library.
pub(super) fn hash_of(player: &schema::Player) -> String {
    let payload = player.payload.as_ref().map(|payload| payload.sha256.clone());
    payload.or_else(|| player.sha256.clone()).unwrap_or_default()
}

impl Season {
    pub(super) fn open(plan: Plan, folder: &Path) -> Result<Season, Failure> {
        make_folder(&folder.join(BOTS), "a folder that can be written to")?;
        let path = journal_of(&folder.join(REPORT));
        if path.exists() && Journal::is_unbegun(&path)? {
            let removed = fs::remove_file(&path);
            removed.map_err(Failure::cannot("begin", &path, "a folder that can be written to"))?;
        }
        let begun = path.exists().then(|| Journal::header(&path)).transpose()?;
        let chosen = match (&begun, &plan.games.seed) {
            (Some(header), None) => MatchSeed::new(&header.plan.seed),
            _ => seed(&plan)?,
        };
        let seated = plan.games.seated(&chosen);
        let wanted = plan.saved(&seated);
        let mut played = Vec::new();
        let (journal, header) = match begun {
            Some(header) => {
                date(&header.started).into_iter().for_each(not_before);
                let (journal, header) = Journal::reopen(&path, |game| {
                    game.ended().into_iter().for_each(not_before);
                    played.push((game.number, game.round.unwrap_or(0), Scored::of(&game)));
                })?;
                check_same(&header, wanted, saved_time(plan.games.bot_time), folder)?;
                (journal, header)
            }
            None => {
                let header = header(&plan, wanted);
                (Journal::create(&path, &header)?, header)
            }
        };
        let saved = header.plan;
        let rounds = played.iter().map(|(_, round, _)| *round).max().unwrap_or(0);
        let (course, openings) = (course_of(&saved, rounds, &played)?, openings(&plan, &seated));
        let report = path;
        let mut season = Season {
            folder: folder.to_owned(),
            plan,
            tally: Tally::under(&saved),
            saved: Saved { journal, seated, plan: saved, course, openings, begun: None, made: None, report },
            told: None,
            open: BTreeSet::new(),
        };
        (0..season.players().len()).for_each(|index| season.seat(index));
        season.add_up()?;
        Ok(season)
    }

    /// All versions that have ever taken part, in the order of their arrival.
    pub(super) fn players(&self) -> &[schema::Player] {
        &self.saved.plan.players
    }

    pub(super) fn present(&self) -> Vec<bool> {
        self.saved.plan.schedule.present(self.players().len())
    }

    /// Makes a player of the saved plan an entrant, with its copy for a file.
    fn seat(&mut self, index: usize) {
        let player = &self.players()[index];
        let copy = self.copies_of(&player.name).join(file_of(player));
        let bot = Bot {
            named: copy.display().to_string(),
            file: self.plan.run.host.bot(&copy),
            sha256: player.sha256.clone().unwrap_or_default(),
            greeting: None,
            options: player.options.clone().into_iter().collect(),
        };
        let (name, time) = (player.name.clone(), self.plan.games.bot_time);
        let entrant = EntrantPlan { place: None, name, who: Who::Bot(bot), time };
        self.saved.seated.entrants.push(entrant);
    }

    pub(super) fn copies_of(&self, name: &str) -> PathBuf {
        self.folder.join(BOTS).join(name)
    }

    pub(super) fn journal_path(&self) -> &Path {
        self.saved.journal.path()
    }

    pub(super) fn name(&self, version: usize) -> String {
        sanitize(&self.players()[version].name)
    }

    pub(super) fn is_in_a_round(&self) -> bool {
        self.rounds() > 0 && !self.saved.course.is_over()
    }

    pub(super) fn rounds(&self) -> u32 {
        self.saved.course.rounds()
    }

    /// Notes in the journal that a version comes or goes before the next round. `player` is what is saved of a new one.
    pub(super) fn attend(
        &mut self,
        version: usize,
        change: ChangeRecord,
        player: Option<schema::Player>,
    ) -> Result<(), Failure> {
        let attendance = AttendanceRecord { round: self.rounds() + 1, player: version as u32, change };
        let line = AttendanceLine { attendance, player: player.clone() };
        let saved = self.saved.journal.append_attendance(&line);
        saved.map_err(|error| Failure::of(ExitCode::File, &error).hint(MAKE_ROOM))?;
        self.saved.plan.schedule.attendance.push(attendance);
        if let Some(player) = player {
            self.saved.plan.players.push(player);
            self.seat(version);
            self.tally.grow(version + 1);
        }
        Ok(())
    }

    /// Versions of these names set marks from the next round on, if they have come already.
    pub(super) fn set_marks(&mut self, names: &[String]) -> Result<(), Failure> {
        for name in names {
            let Some(version) = self.version_named(name) else { continue };
            if !self.saved.plan.schedule.staff().contains(&version) {
                self.attend(version, ChangeRecord::SetsMark, None)?;
                // What has been played against it counts as well.
                self.add_up()?;
                let file = sanitize(&file_of(&self.players()[version]));
                self.tell(&format!("{} sets a mark; its file is {file}", self.name(version)));
            }
        }
        Ok(())
    }

    /// The version of this name; that of a bot's name, or of a file's, is its first one.
    pub(super) fn version_named(&self, name: &str) -> Option<usize> {
        let version = |player: &schema::Player| player.name == name || player.version_of_bot() == (name, 1);
        let of_file = || self.players().iter().position(|player| file_of(player) == name);
        // Nobody else's file has the name of a file, but its own name may be made to look like that.
        if names_a_file(name) {
            return of_file();
        }
        self.players().iter().position(version).or_else(of_file)
    }

    /// Draws the next round, if the last one is over. False if there is nothing to play.
    pub(super) fn begin_round(&mut self) -> bool {
        if self.is_in_a_round() {
            return true;
        }
        let rounds = self.rounds();
        self.grow(Some(rounds + 1));
        self.rounds() > rounds
    }

    /// Draws the schedule as far as these rounds.
    fn grow(&mut self, rounds: Option<u32>) {
        let Saved { plan, course, .. } = &mut self.saved;
        let schedule = Schedule::of_season(plan, rounds);
        let schedule = schedule.expect("a season begins with a plan that is possible, and grows by what is");
        course.grow(&schedule, plan.players.len());
    }

    /// Plays the round that has been begun, until it is over or the league is stopped.
    pub(super) fn play_round(&mut self) -> Result<(), Failure> {
        // The report of an earlier round must not be taken for the newest: without it, the journal is read. One that cannot be
        // removed is written again at the end.
        drop(fs::remove_file(self.folder.join(REPORT)));
        let before = self.saved.course.withdrawals().len();
        self.open_copies()?;
        let (desks, listener) =
            (Desks::each(|| Desk::new(|_| {})), Heard { tally: Mutex::new(&mut self.tally) });
        play_games(&self.plan, &mut self.saved, &desks, None, &listener).map_err(|error| {
            let failure = stopped(&error, self.journal_path());
            // A league always resumes, so the hint must not name --resume.
            if failure.code == ExitCode::File { failure.hint(MAKE_ROOM) } else { failure }
        })?;
        let withdrawn = self.saved.course.withdrawals()[before..].to_vec();
        for of in &withdrawn {
            let (name, times) = (self.name(of.player as usize), self.saved.plan.withdraw_after);
            self.tell(&format!(
                "{name} is withdrawn: {times} games in a row lost by faults, up to game {}",
                of.after_game
            ));
        }
        // Games of a withdrawn version may have been played already, and no longer count.
        if withdrawn.is_empty() { Ok(()) } else { self.add_up() }
    }

    /// Opens the copies of everybody who plays in a round, and checks that they are what they were. Not too many stay open, so
    /// that memory does not grow with the number of versions.
    fn open_copies(&mut self) -> Result<(), Failure> {
        let last = self.rounds().saturating_sub(1);
        let units = self.saved.course.units().filter(|unit| unit.round == last);
        let members: BTreeSet<usize> = units.flat_map(|unit| unit.members).collect();
        if self.open.len() + members.len() > MOST_OPEN {
            for version in self.open.difference(&members).copied().collect::<Vec<_>>() {
                self.open.remove(&version);
                if let Who::Bot(bot) = &mut self.saved.seated.entrants[version].who {
                    bot.file = self.plan.run.host.bot(&bot.named);
                }
            }
        }
        for version in members {
            if self.open.insert(version) {
                self.check_copy(version)?;
            }
        }
        Ok(())
    }

    fn check_copy(&self, version: usize) -> Result<(), Failure> {
        let Some(bot) = self.saved.seated.entrants[version].bot() else { return Ok(()) };
        let changed = || {
            let message = format!("{} is not what it was when it came into the league", bot.named);
            let failure = Failure::new(ExitCode::Bot, message);
            failure.hint("put the copy back from where the season was saved; nothing else is lost")
        };
        let look = bot.file.look().map_err(|error| match &error {
            LoadError::NoRuntime { .. } | LoadError::NoBridge { .. } | LoadError::Machine(_) => {
                let message = format!("{} is in the league and cannot run here now", bot.named);
                let failure = Failure::new(ExitCode::Bot, message).because(&error);
                failure.hint(error.hint().unwrap_or("arbiter doctor says what is missing"))
            }
            error => changed().because(error),
        })?;
        let found = bot.file.payload().map_or(&*look.sha256, |(_, sha256)| sha256);
        if found == hash_of(&self.players()[version]) { Ok(()) } else { Err(changed()) }
    }

    fn add_up(&mut self) -> Result<(), Failure> {
        self.tally = added_up(self.journal_path(), &self.saved.course)?.tally;
        Ok(())
    }

    /// Says in a line what has been played so far; not more often than people can read.
    #[expect(clippy::disallowed_methods, reason = "what is shown comes at the pace of people")]
    pub(super) fn tell_round(&mut self) {
        if self.told.is_some_and(|told| told.elapsed() < PAUSE) {
            return;
        }
        let Saved { plan, course, .. } = &self.saved;
        let standings = Standings::new(&self.tally, circumstances(plan, course, 0));
        let leaders = standings.lines.iter().take(3).map(|line| {
            let range = rating_range(line);
            let rating = if range.is_empty() { range } else { format!(" {range}") };
            format!("{}{rating}", self.name(line.player))
        });
        let leaders = leaders.collect::<Vec<_>>().join(", ");
        self.tell(&format!("round {}: {} games; {leaders}", self.rounds(), self.tally.games()));
        // From the end on: standings of many versions take a while to calculate.
        self.told = Some(Instant::now());
    }

    pub(super) fn tell(&self, line: &str) {
        if self.plan.view.show == Show::Everything {
            talk(line);
        }
    }

    /// Writes the report of the season as it stands. Returns the standings, and where the report is; none before the first game.
    pub(super) fn write_report(&mut self) -> Result<Option<(Standings, PathBuf)>, Failure> {
        if self.tally.games() == 0 {
            return Ok(None);
        }
        let path = self.folder.join(REPORT);
        // The games that would come next count as asked for, unless the ranks are clear.
        self.grow(None);
        let course = &self.saved.course;
        let ledger = added_up(self.journal_path(), course)?;
        let games = Merged::open(&[self.journal_path()])?;
        let (report, tally) = write_report(&path, games, course, ledger, Vec::new(), MAKE_ROOM)?;
        let named = Names::named(&self.saved.plan, &path);
        let mut circumstances = circumstances(&named, course, report.repeated());
        circumstances.not_let_in = not_let_in(&path);
        Ok(Some((Standings::new(&tally, circumstances), path)))
    }
}

struct Heard<'a> {
    tally: Mutex<&'a mut Tally>,
}

impl Listener for Heard<'_> {
    fn saved(&self, games: &[GameRecord], course: &Mutex<&mut Course>) {
        let mut tally = self.tally.lock();
        let course = course.lock();
        games.iter().filter(|game| course.counts(game.number)).for_each(|game| tally.add(game));
    }
}

/// The course of a season with the games that have been played.
fn course_of(
    plan: &schema::Plan,
    rounds: u32,
    played: &[(u32, u32, Option<Scored>)],
) -> Result<Course, Failure> {
    let mut course = Course::of_season(plan, rounds).map_err(|problem| {
        let failure = Failure::file("the journal of the season makes no sense");
        failure.cause(&problem).hint("arbiter verify says more")
    })?;
    for &(number, _, scored) in played {
        scored.into_iter().for_each(|scored| course.ended(number, scored));
    }
    Ok(course)
}

/// Refuses to go on with a season that was begun in another way. All of its versions have the same time.
fn check_same(
    header: &JournalHeader,
    wanted: schema::Plan,
    time: schema::TimeControl,
    folder: &Path,
) -> Result<(), Failure> {
    let begun = &header.plan;
    let players = begun.players.iter().map(|version| schema::Player { time, ..version.clone() }).collect();
    let attendance = begun.schedule.attendance.clone();
    let schedule = schema::ScheduleRecord { attendance, ..wanted.schedule };
    let wanted = schema::Plan { players, schedule, ..wanted };
    let Some(what) = begun_with(begun, &header.arbiter, header.format_version, &wanted) else {
        return Ok(());
    };
    Err(Failure::usage(format!("the season in {} was begun with {what}", folder.display())).hint(
        "league.toml as it was then, or another season: --season NAME; games of both could not be compared",
    ))
}
