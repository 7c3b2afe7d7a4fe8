//! A season: its folder, its journal, who has taken part, and the rounds that have been played.
//!
//! The journal is all that counts. It says who came and went before which round, and every game; whatever is done next follows
//! from it, so that a season goes on wherever it was stopped. The copies of bots and the report are beside it.

use crate::cli::plan::{Bot, EntrantPlan, Plan, Seated, Show, Who, saved_time};
use crate::cli::runner::{Desks, Runner, stopped};
use crate::cli::saved::{
    added_up, difference, header, journal_of, make_folder, not_before, seed, write_report,
};
use crate::cli::show::circumstances::circumstances;
use crate::cli::show::names::Names;
use crate::cli::{ExitCode, Failure};
use crate::player::Desk;
use crate::record::schema::{
    self, AttendanceLine, AttendanceRecord, ChangeRecord, FORMAT_VERSION, GameRecord, JournalHeader,
};
use crate::record::{Journal, Merged, Scored, date};
use crate::report::{Standings, Tally, rating_range};
use crate::sanitize::sanitize;
use crate::tournament::{Course, Listener, MatchSeed, Openings, Schedule};
use crate::ui::talk;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    /// Its entrants are all versions that have ever taken part, in the order of their arrival.
    seated: Seated,
    /// What the journal says is played.
    saved: schema::Plan,
    journal: Journal,
    openings: Mutex<Openings>,
    /// `None` only while a round is played.
    course: Option<Course>,
    tally: Tally,
    pub(super) versions: Vec<Version>,
    told: Option<Instant>,
    /// Versions whose copies have been opened.
    open: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Version {
    /// The name of the file that it was.
    pub(super) key: String,
    /// The name without the number: `greedy` of `greedy@3`.
    pub(super) stem: String,
    /// What tells it from other versions; see [`hash_of`].
    pub(super) sha256: String,
    pub(super) is_present: bool,
    sets_mark: bool,
}

impl Version {
    fn hear(&mut self, change: ChangeRecord) {
        match change {
            ChangeRecord::Arrives => self.is_present = true,
            ChangeRecord::Leaves => self.is_present = false,
            ChangeRecord::SetsMark => self.sets_mark = true,
        }
    }
}

/// The hash that tells versions apart: that of the payload where there is one, such as a script, because the library that runs
/// it is our bridge; otherwise that of the library.
fn hash_of(player: &schema::Player) -> String {
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
                check_same(&header, &wanted, folder)?;
                date(&header.started).into_iter().for_each(not_before);
                Journal::reopen(&path, |game| {
                    game.ended().into_iter().for_each(not_before);
                    played.push((game.number, game.round.unwrap_or(0), Scored::of(&game)));
                })?
            }
            None => {
                let header = header(&plan, wanted);
                (Journal::create(&path, &header)?, header)
            }
        };
        let saved = header.plan;
        check_times(&saved.players, saved_time(plan.games.bot_time), folder)?;
        let rounds = played.iter().map(|(_, round, _)| *round).max().unwrap_or(0);
        let course = course_of(&saved, rounds, &played)?;
        let openings = Mutex::new(Openings::new(&seated.seed, &plan.games.start, &plan.games.book));
        let mut season = Season {
            folder: folder.to_owned(),
            tally: Tally::under(&saved),
            told: None,
            open: BTreeSet::new(),
            plan,
            seated,
            saved,
            journal,
            openings,
            course: Some(course),
            versions: Vec::new(),
        };
        for index in 0..season.saved.players.len() {
            season.seat(index);
        }
        for line in season.saved.schedule.attendance.clone() {
            season.versions[line.player as usize].hear(line.change);
        }
        season.add_up()?;
        Ok(season)
    }

    /// Makes a player of the saved plan an entrant, with its copy for a file.
    fn seat(&mut self, index: usize) {
        let player = &self.saved.players[index];
        let named = PathBuf::from(player.file.clone().unwrap_or_default());
        let key = named.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let copy = self.copies_of(&player.name).join(&key);
        let stem = player.version_of_bot().0.to_owned();
        let version = Version { key, stem, sha256: hash_of(player), is_present: false, sets_mark: false };
        let bot = Bot {
            named: copy.display().to_string(),
            file: self.plan.run.host.bot(&copy),
            sha256: player.sha256.clone().unwrap_or_default(),
            greeting: None,
            options: player.options.clone().into_iter().collect(),
        };
        let entrant =
            EntrantPlan { name: player.name.clone(), who: Who::Bot(bot), time: self.plan.games.bot_time };
        self.versions.push(version);
        self.seated.entrants.push(entrant);
    }

    pub(super) fn copies_of(&self, name: &str) -> PathBuf {
        self.folder.join(BOTS).join(name)
    }

    pub(super) fn journal_path(&self) -> &Path {
        self.journal.path()
    }

    pub(super) fn name(&self, version: usize) -> String {
        sanitize(&self.saved.players[version].name)
    }

    fn course(&self) -> &Course {
        self.course.as_ref().expect("no round is being played")
    }

    /// Whether a round has been begun and not ended.
    pub(super) fn is_in_a_round(&self) -> bool {
        self.course().rounds() > 0 && !self.course().is_over()
    }

    pub(super) fn rounds(&self) -> u32 {
        self.course().rounds()
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
        let saved = self.journal.append_attendance(&line);
        saved.map_err(|error| Failure::of(ExitCode::File, &error).hint(MAKE_ROOM))?;
        self.saved.schedule.attendance.push(attendance);
        if let Some(player) = player {
            self.saved.players.push(player);
            self.seat(version);
            self.tally.grow(version + 1);
        }
        self.versions[version].hear(change);
        Ok(())
    }

    /// Versions of these names set marks from the next round on, if they have come already.
    pub(super) fn set_marks(&mut self, names: &[String]) -> Result<(), Failure> {
        for name in names {
            let Some(version) = self.version_named(name) else { continue };
            if !self.versions[version].sets_mark {
                self.attend(version, ChangeRecord::SetsMark, None)?;
                // What has been played against it counts as well.
                self.add_up()?;
                let file = sanitize(&self.versions[version].key);
                self.tell(&format!("{} sets a mark; its file is {file}", self.name(version)));
            }
        }
        Ok(())
    }

    /// The version of this name; that of a bot's name is its first one.
    pub(super) fn version_named(&self, name: &str) -> Option<usize> {
        let version = |player: &schema::Player| player.name == name || player.version_of_bot() == (name, 1);
        self.saved.players.iter().position(version)
    }

    /// Draws the next round, if the last one is over. False if there is nothing to play.
    pub(super) fn begin_round(&mut self) -> bool {
        if self.is_in_a_round() {
            return true;
        }
        let course = self.course.as_mut().expect("no round is being played");
        let rounds = course.rounds();
        course.grow(&schedule(&self.saved, Some(rounds + 1)), self.saved.players.len());
        course.rounds() > rounds
    }

    /// Plays the round that has been begun, until it is over or the league is stopped.
    pub(super) fn play_round(&mut self) -> Result<(), Failure> {
        // The report of an earlier round must not be taken for the newest: without it, the journal is read. One that cannot be
        // removed is written again at the end.
        drop(fs::remove_file(self.folder.join(REPORT)));
        let course = self.course.take().expect("no round is being played");
        let before = course.withdrawals().len();
        self.open_copies(&course)?;
        let listener = Heard { tally: Mutex::new(&mut self.tally) };
        let found_in = self.journal.path().to_owned();
        let runner = Runner {
            plan: &self.plan,
            seated: &self.seated,
            found_in: &found_in,
            openings: &self.openings,
            begun: None,
            desks: &Desks::each(|| Desk::new(|_| {})),
            refusals: None,
        };
        let (course, played) = runner.play(course, &mut self.journal, &listener);
        let withdrawn = course.withdrawals()[before..].to_vec();
        self.course = Some(course);
        played.map_err(|error| {
            let failure = stopped(&error, self.journal.path());
            // A league always resumes, so the hint must not name --resume.
            if failure.code() == ExitCode::File { failure.hint(MAKE_ROOM) } else { failure }
        })?;
        for of in &withdrawn {
            let (name, times) = (self.name(of.player as usize), self.saved.withdraw_after);
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
    fn open_copies(&mut self, course: &Course) -> Result<(), Failure> {
        let last = course.rounds().saturating_sub(1);
        let units = course.units().filter(|unit| unit.round == last);
        let members: BTreeSet<usize> = units.flat_map(|unit| unit.members).collect();
        if self.open.len() + members.len() > MOST_OPEN {
            for version in self.open.difference(&members).copied().collect::<Vec<_>>() {
                self.open.remove(&version);
                if let Who::Bot(bot) = &mut self.seated.entrants[version].who {
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
        let Some(bot) = self.seated.entrants[version].bot() else { return Ok(()) };
        let failure = || {
            Failure::new(
                ExitCode::Bot,
                format!("{} is not what it was when it came into the league", bot.named),
            )
        };
        let hint = "put the copy back from where the season was saved; nothing else is lost";
        let look = bot.file.look().map_err(|error| failure().because(&error).hint(hint))?;
        let found = bot.file.payload().map_or(&*look.sha256, |(_, sha256)| sha256);
        if found == self.versions[version].sha256 { Ok(()) } else { Err(failure().hint(hint)) }
    }

    fn add_up(&mut self) -> Result<(), Failure> {
        self.tally = added_up(self.journal.path(), self.course())?.tally;
        Ok(())
    }

    pub(super) fn standings(&self) -> Standings {
        Standings::new(&self.tally, circumstances(&self.saved, self.course(), 0))
    }

    /// Says in a line what has been played so far; not more often than people can read.
    #[expect(clippy::disallowed_methods, reason = "what is shown comes at the pace of people")]
    pub(super) fn tell_round(&mut self) {
        if self.told.is_some_and(|told| told.elapsed() < PAUSE) {
            return;
        }
        let standings = self.standings();
        let leaders = standings.lines().iter().take(3).map(|line| {
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
        let course = self.course.as_mut().expect("no round is being played");
        course.grow(&schedule(&self.saved, None), self.saved.players.len());
        let ledger = added_up(self.journal.path(), course)?;
        let games = Merged::open(&[self.journal.path()])?;
        let (report, tally) = write_report(&path, games, course, ledger, Vec::new(), MAKE_ROOM)?;
        let mut named = self.saved.clone();
        match Names::beside(&path, false) {
            Ok(names) => {
                names.warn_of_strangers(&named);
                names.plan(&mut named);
            }
            Err(failure) => failure.warn(),
        }
        let standings = Standings::new(&tally, circumstances(&named, self.course(), report.repeated()));
        Ok(Some((standings, path)))
    }
}

struct Heard<'a> {
    tally: Mutex<&'a mut Tally>,
}

impl Listener for Heard<'_> {
    fn saved(&self, games: &[GameRecord], course: &Mutex<Course>) {
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
    for (number, _, scored) in played {
        scored.map(|scored| course.ended(*number, scored));
    }
    Ok(course)
}

/// The schedule of a season that has been begun, as far as these rounds.
fn schedule(plan: &schema::Plan, rounds: Option<u32>) -> Schedule {
    Schedule::of_season(plan, rounds)
        .expect("a season begins with a plan that is possible, and grows by what is")
}

/// Refuses to go on with a season that was begun in another way.
fn check_same(header: &JournalHeader, wanted: &schema::Plan, folder: &Path) -> Result<(), Failure> {
    let begun = &header.plan;
    let schedule = schema::ScheduleRecord { attendance: Vec::new(), ..begun.schedule.clone() };
    let rest = schema::Plan {
        players: wanted.players.clone(),
        schedule: wanted.schedule.clone(),
        withdraw_after: wanted.withdraw_after,
        ..begun.clone()
    };
    let what = if let Some(what) = difference(&rest, wanted) {
        what
    } else if header.arbiter != env!("CARGO_PKG_VERSION") || header.format_version != FORMAT_VERSION {
        "another version of arbiter"
    } else if schedule != wanted.schedule || begun.withdraw_after != wanted.withdraw_after {
        "other --pairs, --max-pairs or --withdraw-after"
    } else {
        return Ok(());
    };
    Err(begun_with(what, folder))
}

/// Refuses to let versions play on another time than those before them: all of a season have the same.
fn check_times(versions: &[schema::Player], time: schema::TimeControl, folder: &Path) -> Result<(), Failure> {
    let is_same = versions.iter().all(|version| version.time == time);
    if is_same {
        Ok(())
    } else {
        Err(begun_with("another --move-time, --clock, --no-clock or --fuel", folder))
    }
}

fn begun_with(what: &str, folder: &Path) -> Failure {
    Failure::usage(format!("the season in {} was begun with {what}", folder.display())).hint(
        "league.toml as it was then, or another season: --season NAME; games of both could not be compared",
    )
}
