//! What stands around the games: who wrote the file, where and when they were played, and by which machine which part.
//!
//! A date is taken as it stands as long as it is in order. That order can be relied on since format 3, whose dates never go
//! back; the dates before were those of the machine's clock, which somebody may have set.

use super::replay::Form;
use super::times::Busiest;
use super::{Finding, Source, is_match};
use crate::record::schema::{
    ByesRecord, ClockKind, GameRecord, ISOLATION, Machine, MatchReport, PartRecord, Plan, Player, PlayerKind,
    ScheduleKind,
};
use crate::record::{Effort, date};
use crate::tournament::{MOST_JOBS, Schedule, Shard};
use chrono::{DateTime, FixedOffset, TimeDelta};

/// More cores than any machine has.
const MOST_CORES: u32 = 1 << 16;

/// What is wrong before the games. Who played when is taken as it stands, but must be there.
pub(super) fn problems(report: &MatchReport, form: Form, source: Source) -> Vec<String> {
    let mut problems: Vec<String> = version_problem(&report.arbiter).into_iter().collect();
    match form {
        Form::Canonical => {
            let is_bare = report.started.is_none() && report.finished.is_none();
            let is_placeless = report.plan.players.iter().all(|player| player.file.is_none());
            if !is_bare || !is_placeless {
                problems.push(
                    "machine: only the canonical form has none, but this has dates or paths".to_owned(),
                );
            }
        }
        Form::Whole => {
            let is_missing = |player: &Player| player.kind == PlayerKind::Bot && player.file.is_none();
            let schedule = &report.plan.schedule;
            if is_match(report) && report.format_version > 1 && schedule.games.is_none() {
                problems.push("plan.schedule.games: it is missing".to_owned());
            }
            let is_swiss = schedule.kind == ScheduleKind::Swiss;
            if is_swiss && report.format_version > 2 && schedule.byes != Some(ByesRecord::Lowest) {
                problems.push("plan.schedule.byes: it is missing".to_owned());
            }
            if report.plan.players.iter().any(is_missing) {
                problems.push("plan.players: the file of a bot is missing".to_owned());
            }
            let machine = report.machine.iter().flat_map(|machine| machine_problems(machine, report));
            problems.extend(machine.map(|problem| format!("machine.{problem}")));
            problems.extend(date_problems(report, source));
        }
    }
    problems
}

/// Reports are judged by the arbiter that wrote them or a newer one, and the first that wrote any is 0.1.0.
fn version_problem(text: &str) -> Option<String> {
    let ours = env!("CARGO_PKG_VERSION");
    match version(text) {
        None => Some(format!("arbiter: '{}' is no version, such as {ours}", text.escape_debug())),
        Some(wrote) if wrote < [0, 1, 0] => Some(format!("arbiter: no arbiter {text} ever wrote a report")),
        Some(wrote) if Some(wrote) > version(ours) => Some(format!(
            "arbiter: {text} wrote this, which is newer than this arbiter ({ours}) and can judge it"
        )),
        Some(_) => None,
    }
}

/// The three numbers of a version; `None` if the text is no version. After a hyphen or a plus sign any word may follow.
fn version(text: &str) -> Option<[u32; 3]> {
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-.+".contains(&byte);
    let is_number = |part: &&str| part.parse::<u32>().is_ok_and(|number| number.to_string() == **part);
    let parts: Vec<&str> = numbers.split('.').filter(is_number).collect();
    let is_whole = parts.join(".") == numbers && rest.bytes().all(is_word) && rest.len() != 1;
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    <[u32; 3]>::try_from(numbers).ok().filter(|_| is_whole)
}

fn machine_problems(machine: &Machine, report: &MatchReport) -> Vec<String> {
    let Machine { host, os, arch, cores, jobs, isolation, processor: _ } = machine;
    let plan = &report.plan;
    let mut problems = Vec::new();
    let is_word = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b == b'_' || b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if host.as_ref().is_some_and(|host| host.trim() != host || host.is_empty()) {
        problems.push("host: a machine has a name, or null".to_owned());
    }
    for (name, text) in [("os", os), ("arch", arch)].into_iter().filter(|(_, text)| !is_word(text)) {
        problems.push(format!("{name}: '{}' is none", text.escape_debug()));
    }
    if !(1..=MOST_CORES).contains(cores) {
        problems.push(format!("cores: no machine has {cores}"));
    }
    let most = most_jobs(report, *cores);
    if !(1..=most).contains(jobs) {
        problems.push(format!("jobs: {jobs} games at the same time, of which there can be 1 to {most}"));
    }
    let known: Vec<&str> =
        ISOLATION.into_iter().filter(|word| isolation.iter().any(|is| is == word)).collect();
    if *isolation != known || (plan.in_process || os != "linux") && !isolation.is_empty() {
        problems.push(format!("isolation: {isolation:?} cannot be asked for"));
    }
    let is_of_system = |clock: &ClockKind| *clock != ClockKind::Instructions;
    if plan.clock.filter(is_of_system).is_some_and(|clock| clock != clock_of(plan, os)) {
        problems.push(format!("os: on {os}, clocks of this match go by {:?} time", clock_of(plan, os)));
    }
    problems
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

fn date_problems(report: &MatchReport, source: Source) -> Vec<String> {
    let mut problems = Vec::new();
    if report.started.is_none() {
        problems.push("started: it is missing".to_owned());
    }
    if report.finished.is_none() && source == Source::Report {
        problems.push("finished: it is missing".to_owned());
    }
    for (name, text) in [("started", &report.started), ("finished", &report.finished)] {
        problems.extend(
            text.as_ref().and_then(|text| form_problem(text)).map(|problem| format!("{name}: {problem}")),
        );
    }
    let (started, finished) = (known(&report.started), known(&report.finished));
    if let (Some(started), Some(finished)) = (started, finished)
        && finished + slack(report) < started
    {
        problems.push(format!("finished: {finished} is before the match started, {started}"));
    }
    problems
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
    let parts = report.parts.iter().filter_map(|part| date(&part.started));
    parts.chain(known(&report.started)).min()
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
            findings.push(of_game(number, format!("started: {date} is before anything began, {began}")));
        }
        if let (Some((date, number)), Some(finished)) = (self.last, known(&report.finished))
            && finished + slack < date
        {
            findings.push(of_game(
                number,
                format!("duration_ns: it ended at {date}, but everything had at {finished}"),
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
    let mut problems = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let own = part_problems(part, report);
        problems.extend(own.into_iter().map(|problem| format!("parts[{index}].{problem}")));
    }
    let is_first = |part: &PartRecord| {
        Some(&part.machine) == report.machine.as_ref() && Some(&part.started) == report.started.as_ref()
    };
    if !parts.iter().any(is_first) {
        problems.push("parts: none of them has the machine and the start of the report".to_owned());
    }
    let sum = |number: fn(&PartRecord) -> u64| parts.iter().map(number).fold(0, u64::saturating_add);
    let sums = [
        ("games", sum(|part| part.games.into()), effort.games.into()),
        ("moves", sum(|part| part.moves), effort.moves),
        ("wall_ns", sum(|part| part.wall_ns), effort.wall_ns),
    ];
    for (name, said, are) in sums {
        if said < are || said > are && !may_leave_out {
            problems.push(format!("parts: their {name} add up to {said}, those of the games to {are}"));
        }
    }
    problems
}

fn part_problems(part: &PartRecord, report: &MatchReport) -> Vec<String> {
    let mut problems = machine_problems(&part.machine, report);
    problems.iter_mut().for_each(|problem| problem.insert_str(0, "machine."));
    problems.extend(form_problem(&part.started).map(|problem| format!("started: {problem}")));
    let is_shard = |text: &String| text.parse::<Shard>().is_ok_and(|shard| shard.to_string() == *text);
    if let Some(text) = part.shard.as_ref().filter(|text| !is_shard(text)) {
        problems.push(format!("shard: '{}' is no part, such as 2/4", text.escape_debug()));
    }
    problems
}
