//! What stands around the games: who wrote the file, where and when they were played, and by which machine which part.
//!
//! A date is taken as it stands as long as it is in order. That order can be relied on since format 3, whose dates never go
//! back; the dates before were those of the machine's clock, which somebody may have set.

use super::times::Busiest;
use super::{Finding, Problems, Source, is_match};
use crate::record::schema::{
    ClockKind, GameRecord, ISOLATION, Machine, MatchReport, PartRecord, Plan, Player, PlayerKind,
    ScheduleKind,
};
use crate::record::{Effort, date};
use crate::tournament::{MOST_JOBS, Schedule, Shard};
use chrono::{DateTime, FixedOffset, TimeDelta};

/// More cores than any machine has.
const MOST_CORES: u32 = 1 << 16;

/// What is wrong before the games. Who played when is taken as it stands, but must be there.
pub(super) fn problems(report: &MatchReport, source: Source) -> Vec<String> {
    let mut problems = Problems::default();
    problems.of("arbiter: ", version_problem(&report.arbiter));
    let players = &report.plan.players;
    let Some(machine) = &report.machine else {
        let has_dates = report.started.is_some() || report.finished.is_some();
        problems.when(
            has_dates || players.iter().any(|player| player.file.is_some()),
            "machine: only the canonical form has none, but this has dates or paths",
        );
        return problems.0;
    };
    let schedule = &report.plan.schedule;
    let has_no_games = is_match(report) && report.format_version > 1 && schedule.games.is_none();
    problems.when(has_no_games, "plan.schedule.games: it is missing");
    let is_swiss = schedule.kind == ScheduleKind::Swiss && report.format_version > 2;
    problems.when(is_swiss && schedule.byes.is_none(), "plan.schedule.byes: it is missing");
    let has_none = |player: &Player| player.file.as_ref().is_none_or(String::is_empty);
    let is_missing = |player: &Player| player.kind != PlayerKind::Human && has_none(player);
    problems.when(
        players.iter().any(is_missing),
        "plan.players: the file of a bot, or the command of a program, is missing",
    );
    problems.of("machine.", machine_problems(machine, report));
    date_problems(report, source, &mut problems);
    problems.0
}

/// Reports are judged by the arbiter that wrote them or a newer one, and the first that wrote any is 0.1.0.
fn version_problem(text: &str) -> Option<String> {
    let ours = env!("CARGO_PKG_VERSION");
    let said = text.escape_debug();
    match version(text) {
        None => Some(format!("'{said}' is no version, such as {ours}")),
        Some(wrote) if wrote < [0, 1, 0] => Some(format!("no arbiter {said} ever wrote a report")),
        Some(wrote) if Some(wrote) > version(ours) => {
            Some(format!("{said} wrote this, which is newer than this arbiter ({ours}) and can judge it"))
        }
        Some(_) => None,
    }
}

/// The three numbers of a version; `None` if the text is no version. After a hyphen or a plus sign anything may follow.
fn version(text: &str) -> Option<[u32; 3]> {
    let numbers = text.split(['-', '+']).next()?.split('.');
    let numbers: Option<Vec<u32>> = numbers.map(|number| number.parse().ok()).collect();
    numbers?.try_into().ok()
}

fn machine_problems(machine: &Machine, report: &MatchReport) -> Vec<String> {
    let Machine { host, os, arch, cores, jobs, isolation, processor: _ } = machine;
    let plan = &report.plan;
    let mut problems = Problems::default();
    let is_word = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b == b'_' || b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    let is_no_name = host.as_ref().is_some_and(|host| host.trim() != host || host.is_empty());
    problems.when(is_no_name, "host: a machine has a name, or null");
    for (name, text) in [("os", os), ("arch", arch)] {
        problems.when(!is_word(text), format_args!("{name}: '{}' is none", text.escape_debug()));
    }
    problems.when(!(1..=MOST_CORES).contains(cores), format_args!("cores: no machine has {cores}"));
    let most = most_jobs(report, *cores);
    problems.when(
        !(1..=most).contains(jobs),
        format_args!("jobs: {jobs} games at the same time, of which there can be 1 to {most}"),
    );
    let known: Vec<&str> =
        ISOLATION.into_iter().filter(|word| isolation.iter().any(|is| is == word)).collect();
    let is_odd = *isolation != known || (plan.in_process || os != "linux") && !isolation.is_empty();
    problems.when(is_odd, format_args!("isolation: {isolation:?} cannot be asked for"));
    let of_system = clock_of(plan, os);
    let is_other = plan.clock.is_some_and(|clock| clock != ClockKind::Instructions && clock != of_system);
    problems.when(is_other, format_args!("os: on {os}, clocks of this match go by {of_system:?} time"));
    problems.0
}

/// What the clocks of bots go by on a system: only Linux tells what a bot in a process of its own uses.
fn clock_of(plan: &Plan, os: &str) -> ClockKind {
    let has_bots = plan.players.iter().any(|player| player.kind == PlayerKind::Bot);
    if has_bots && !plan.in_process && os == "linux" { ClockKind::Processor } else { ClockKind::Wall }
}

/// How many games there can be at the same time: no more than there are games, and people play one.
fn most_jobs(report: &MatchReport, cores: u32) -> u32 {
    let plan = &report.plan;
    if report.format_version > 2 && plan.players.iter().any(|player| player.kind == PlayerKind::Human) {
        return 1;
    }
    let schedule = Schedule::of_plan(plan, report.games_asked);
    let games =
        schedule.map_or(u64::MAX, |schedule| schedule.most_games(plan.players.len(), plan.seats as usize));
    u32::try_from(games).unwrap_or(u32::MAX).min(cores.max(u32::from(MOST_JOBS))).max(1)
}

fn date_problems(report: &MatchReport, source: Source, problems: &mut Problems) {
    let MatchReport { started, finished, .. } = report;
    problems.when(started.is_none(), "started: it is missing");
    problems.when(finished.is_none() && source == Source::Report, "finished: it is missing");
    problems.of("started: ", started.as_deref().and_then(form_problem));
    problems.of("finished: ", finished.as_deref().and_then(form_problem));
    if let (Some(started), Some(finished)) = (known(started), known(finished)) {
        let is_before = finished + slack(report) < started;
        problems.when(is_before, format_args!("finished: {finished} is before the match started, {started}"));
    }
}

/// What is wrong with the form of a date.
pub(super) fn form_problem(text: &str) -> Option<String> {
    let is_date = date(text).is_some();
    (!is_date).then(|| format!("'{}' is no date, such as 2026-01-31T23:59:59.999+00:00", text.escape_debug()))
}

fn known(text: &Option<String>) -> Option<DateTime<FixedOffset>> {
    date(text.as_deref()?)
}

/// How much earlier a date may be than it ought to: dates are cut to milliseconds, and before format 3 the machine's clock
/// may have been put right in between.
pub(super) fn slack(report: &MatchReport) -> TimeDelta {
    if report.format_version > 2 { TimeDelta::milliseconds(1) } else { TimeDelta::minutes(1) }
}

/// When the first machine began, in a report of several.
pub(super) fn beginning(report: &MatchReport) -> Option<DateTime<FixedOffset>> {
    report.parts.iter().filter_map(|part| date(&part.started)).chain(known(&report.started)).min()
}

/// The time that all games span, to be compared with the dates of the report.
#[derive(Default)]
pub(super) struct Span {
    effort: Effort,
    /// The game that began first and the one that ended last, with the dates.
    first: Option<(DateTime<FixedOffset>, u32)>,
    last: Option<(DateTime<FixedOffset>, u32)>,
    busiest: Busiest,
}

impl Span {
    pub(super) fn add(&mut self, game: &GameRecord, frame: &MatchReport) {
        self.effort.add(game);
        self.busiest.add(game, frame);
        let began = known(&game.started).map(|date| (date, game.number));
        let ended = game.ended().map(|date| (date, game.number));
        self.first = self.first.into_iter().chain(began).min();
        self.last = self.last.into_iter().chain(ended).max();
    }

    /// What does not fit the games, once all of them are known.
    pub(super) fn problems(&self, report: &MatchReport, may_leave_out: bool) -> Vec<Finding> {
        if report.is_canonical() {
            return Vec::new();
        }
        let slack = slack(report);
        let of_game = |number, problem| Finding { game: Some(number), problem };
        let mut findings = Vec::new();
        if let (Some((date, number)), Some(began)) = (self.first, beginning(report))
            && date + slack < began
        {
            findings.push(of_game(number, format!("started: {date} is before the match began, {began}")));
        }
        if let (Some((date, number)), Some(finished)) = (self.last, known(&report.finished))
            && finished + slack < date
        {
            findings.push(of_game(
                number,
                format!("duration_ns: it ended at {date}, after the report was finished, {finished}"),
            ));
        }
        findings.extend(self.busiest.problem(report));
        let parts = parts_problems(report, &self.effort, may_leave_out);
        findings.extend(parts.into_iter().map(|problem| Finding { game: None, problem }));
        findings
    }
}

/// What each machine played has to add up to the games. Games that do not count in the end are in the machines'
/// numbers only.
fn parts_problems(report: &MatchReport, effort: &Effort, may_leave_out: bool) -> Vec<String> {
    let parts = &report.parts;
    if parts.is_empty() {
        return Vec::new();
    }
    let mut problems = Problems::default();
    for (index, part) in parts.iter().enumerate() {
        problems.of(&format!("parts[{index}]."), part_problems(part, report));
    }
    let is_first = |part: &PartRecord| {
        Some(&part.machine) == report.machine.as_ref() && Some(&part.started) == report.started.as_ref()
    };
    let has_first = parts.iter().any(is_first);
    problems.when(!has_first, "parts: none of them has the machine and the start of the report");
    let sum = |number: fn(&PartRecord) -> u64| parts.iter().map(number).fold(0, u64::saturating_add);
    let sums = [
        ("games", sum(|part| part.games.into()), effort.games.into()),
        ("moves", sum(|part| part.moves), effort.moves),
        ("wall_ns", sum(|part| part.wall_ns), effort.wall_ns),
    ];
    for (name, said, are) in sums {
        let is_wrong = said < are || said > are && !may_leave_out;
        let problem = format!("parts: their {name} add up to {said}, those of the games to {are}");
        problems.when(is_wrong, problem);
    }
    problems.0
}

fn part_problems(part: &PartRecord, report: &MatchReport) -> Vec<String> {
    let mut problems = Problems::default();
    problems.of("machine.", machine_problems(&part.machine, report));
    problems.of("started: ", form_problem(&part.started));
    let is_shard = |text: &String| text.parse::<Shard>().is_ok_and(|shard| shard.to_string() == *text);
    let odd = part.shard.as_ref().filter(|text| !is_shard(text));
    problems.of("shard: ", odd.map(|text| format!("'{}' is no part, such as 2/4", text.escape_debug())));
    problems.0
}
