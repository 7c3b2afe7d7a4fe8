//! What two saved plans differ in, and in which words: the one place that says so. Whoever compares plans chooses which of it matters.

use crate::cli::options::time;
use crate::record::schema::{self, AgreementPlan, AtMaxPlies, ClockKind, OpeningKind, Plan, Player};
use crate::record::schema::{FORMAT_VERSION, TimeControl};
use crate::record::{Reader, known_of, plan_hash};
use clap::ValueEnum;
use std::time::Duration;

/// What plans may differ in, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aspect {
    Game,
    Options,
    Rules,
    Schedule,
    Seed,
    Players,
    Position,
    Openings,
    Margin,
    Process,
    Clock,
    Preparation,
    Limits,
    Errors,
    Adjudication,
    /// Whether moves can be taken back, who is withdrawn, and what ends a match early.
    Conduct,
    /// The order of players, which follows from all of the above, and how many of the same there are.
    Order,
    /// What bots are called. They are the same bots.
    Names,
}

/// Something that the first of two plans has, and the second has not.
pub(crate) struct Difference {
    pub(crate) aspect: Aspect,
    pub(crate) words: String,
}

/// Something in a plan but for its players: the option that it is typed with, and its value; none where it is not typed.
struct Fact {
    aspect: Aspect,
    option: &'static str,
    value: Option<String>,
}

/// Letters of the longest values that are told, if they are one line.
const LONGEST: usize = 60;

/// Everything that the first plan has and the second has not, the most telling first; nothing where both play the same.
pub(crate) fn differences(found: &Plan, wanted: &Plan) -> Vec<Difference> {
    let unlike = facts(found).into_iter().zip(facts(wanted)).filter(|(one, other)| one.value != other.value);
    let told = |(one, other): (Fact, Fact)| {
        let words = told(one.option, one.value, other.value);
        Difference { aspect: one.aspect, words }
    };
    let mut differences: Vec<Difference> = unlike.map(told).collect();
    if known_of(found).players != known_of(wanted).players {
        let other = other_players(found, wanted).map(|words| Difference { aspect: Aspect::Players, words });
        let (begun, asked) = (found.players.len(), wanted.players.len());
        let words = if begun == asked {
            "the same players in another order, or another of them twice".to_owned()
        } else {
            format!("{begun} players, not {asked}: some are named more than once")
        };
        differences.push(other.unwrap_or(Difference { aspect: Aspect::Order, words }));
    }
    let mut names = found.players.iter().zip(&wanted.players).map(|(one, other)| (&one.name, &other.name));
    if let Some((name, other)) = names.find(|(name, other)| name != other) {
        let words = another("--name", name, other);
        differences.push(Difference { aspect: Aspect::Names, words });
    }
    differences.sort_by_key(|difference| difference.aspect);
    differences
}

/// What has been begun in another way than is asked for now, be it by another version of arbiter: rules or results may have changed
/// since.
pub(crate) fn begun_with(begun: &Plan, arbiter: &str, format: u32, wanted: &Plan) -> Option<String> {
    let own = env!("CARGO_PKG_VERSION");
    if let Some(difference) = differences(begun, wanted).into_iter().next() {
        Some(difference.words)
    } else if arbiter != own {
        Some(another("version of arbiter", arbiter, own))
    } else {
        let (format, own) = (format.to_string(), FORMAT_VERSION.to_string());
        (format != own).then(|| another("format", &format, &own))
    }
}

/// What a file of another tournament has; nothing where it belongs to this plan of this version of arbiter.
pub(crate) fn stranger(file: &Reader, plan: &Plan, arbiter: &str) -> Option<String> {
    if file.plan_hash() == plan_hash(plan, arbiter) {
        return None;
    }
    let telling = differences(file.plan(), plan).into_iter().find(|of| of.aspect != Aspect::Names);
    let version = || another("version of arbiter", &file.frame().arbiter, arbiter);
    Some(telling.map_or_else(version, |of| of.words))
}

fn another(what: &str, found: &str, wanted: &str) -> String {
    format!("another {what}: {found}, not {wanted}")
}

/// An option that one has and the other has not, or both values of it.
pub(super) fn told(option: &str, found: Option<String>, wanted: Option<String>) -> String {
    let is_short = |value: &String| value.chars().count() <= LONGEST && !value.contains('\n');
    let typed = |value: &str| format!("{option} {value}").trim_end().to_owned();
    match (found, wanted) {
        (found, wanted) if !found.iter().chain(&wanted).all(is_short) => format!("another {option}"),
        (Some(found), Some(wanted)) => format!("{}, not {wanted}", typed(&found)),
        (Some(found), None) => typed(&found),
        (None, wanted) => format!("no {}", typed(&wanted.unwrap_or_default())),
    }
}

/// All of a plan but its players, in the same order for every plan.
fn facts(plan: &Plan) -> Vec<Fact> {
    // Nothing is left out by `..`: whatever comes into plans has to be told here.
    let Plan {
        game,
        rules_version,
        options,
        seats,
        position,
        players: _,
        seed,
        openings,
        margin_ns,
        clock,
        prepare_time_ns,
        limits,
        max_errors,
        max_plies,
        at_max_plies,
        resign_score,
        draw_score,
        max_repetitions,
        casual,
        in_process,
        schedule,
        withdraw_after,
        sprt,
    } = plan;
    let schema::ScheduleRecord { kind, games, rounds, pairs, most_pairs, challengers, byes, attendance } =
        schedule;
    let schema::BotLimits { threads, memory, wide_sandbox, stopped_between_turns } = limits;
    let fact = |aspect, option, value| Fact { aspect, option, value };
    let text = |value: &dyn ToString| Some(value.to_string());
    let number = |value: &Option<u32>| value.map(|number| number.to_string());
    let flag = |is_set: &bool| is_set.then(String::new);
    let agreement =
        |of: &Option<AgreementPlan>| of.map(|AgreementPlan { score, plies }| format!("{score},{plies}"));
    let options: Vec<String> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let openings = match openings.kind {
        OpeningKind::None => "none".to_owned(),
        OpeningKind::Random => format!("random:{}", openings.plies),
        // They are typed as the name of a file.
        OpeningKind::List => openings.lines.iter().map(|line| format!("{line}\n")).collect(),
    };
    let clock = clock.map(|clock| match clock {
        ClockKind::Processor => "processor time",
        ClockKind::Wall => "the wall",
        ClockKind::Instructions => "instructions",
    });
    let byes = byes.map(|byes| match byes {
        schema::ByesRecord::Lowest => "for the lowest",
        schema::ByesRecord::LowestAndWalkovers => "for the lowest, and walkovers",
    });
    let attendance = (!attendance.is_empty()).then(|| format!("{attendance:?}"));
    let model = sprt.and_then(|test| Some(test.model.to_possible_value()?.get_name().to_owned()));
    vec![
        fact(Aspect::Game, "--game", text(game)),
        fact(Aspect::Game, "--players", text(seats)),
        fact(Aspect::Options, "-O", Some(options.join(" -O "))),
        fact(Aspect::Rules, "rules of version", text(rules_version)),
        fact(Aspect::Schedule, "--schedule", Some(kind.word()).filter(|word| !word.is_empty())),
        fact(Aspect::Schedule, "--games", number(games)),
        fact(Aspect::Schedule, "--rounds", number(rounds)),
        fact(Aspect::Schedule, "--pairs", number(pairs)),
        fact(Aspect::Schedule, "--max-pairs", number(most_pairs)),
        fact(Aspect::Schedule, "--challengers", number(challengers)),
        fact(Aspect::Schedule, "byes", byes.map(str::to_owned)),
        fact(Aspect::Schedule, "course of arrivals", attendance),
        fact(Aspect::Seed, "--seed", text(seed)),
        fact(Aspect::Position, "--position", text(position)),
        fact(Aspect::Openings, "--openings", Some(openings)),
        fact(Aspect::Margin, "--margin", Some(seconds(*margin_ns))),
        fact(Aspect::Process, "--in-process", flag(in_process)),
        fact(Aspect::Clock, "clocks that go by", clock.map(str::to_owned)),
        fact(Aspect::Preparation, "--prepare-time", prepare_time_ns.map(seconds)),
        fact(Aspect::Limits, "--threads", number(threads)),
        fact(Aspect::Limits, "--memory", memory.map(|bytes| (bytes as f64 / f64::from(1 << 20)).to_string())),
        fact(Aspect::Limits, "--sandbox wide", flag(wide_sandbox)),
        fact(Aspect::Limits, "--stop-between-turns", flag(stopped_between_turns)),
        fact(Aspect::Errors, "--max-errors", text(max_errors)),
        fact(Aspect::Adjudication, "--max-plies", text(max_plies)),
        fact(Aspect::Adjudication, "--at-max-plies score", flag(&(*at_max_plies == AtMaxPlies::Score))),
        fact(Aspect::Adjudication, "--max-repetitions", text(max_repetitions)),
        fact(Aspect::Adjudication, "--resign-score", agreement(resign_score)),
        fact(Aspect::Adjudication, "--draw-score", agreement(draw_score)),
        fact(Aspect::Conduct, "--casual", flag(casual)),
        fact(Aspect::Conduct, "--withdraw-after", text(withdraw_after)),
        fact(Aspect::Conduct, "--sprt", sprt.map(|test| format!("{},{}", test.elo0, test.elo1))),
        fact(Aspect::Conduct, "--sprt-errors", sprt.map(|test| format!("{},{}", test.alpha, test.beta))),
        fact(Aspect::Conduct, "--sprt-model", model),
    ]
}

/// What is different about the players, in whatever order they are: a lot goes by what they are.
fn other_players(found: &Plan, wanted: &Plan) -> Option<String> {
    let lacks = |plan: &Plan, player: &Player| !plan.players.iter().any(|other| is_same(other, player));
    if let Some(player) = found.players.iter().find(|player| lacks(wanted, player)) {
        let is_there = player.file.is_some() && wanted.players.iter().any(|other| other.file == player.file);
        let how = if is_there { "has changed" } else { "is not among these" };
        return Some(format!("other players: {} {how}", named(player)));
    }
    if let Some(player) = wanted.players.iter().find(|player| lacks(found, player)) {
        return Some(format!("other players: {} is not among those", named(player)));
    }
    // Who is the same, called in another way.
    let pairs = || {
        let others = |player| wanted.players.iter().filter(move |other| is_same(player, other));
        found.players.iter().filter_map(move |player| {
            let is_there =
                others(player).any(|other| (&other.options, other.time) == (&player.options, player.time));
            others(player).next().filter(|_| !is_there).map(|other| (player, other))
        })
    };
    if let Some((player, other)) = pairs().find(|(player, other)| player.options != other.options) {
        return Some(format!(
            "other options for {}: {}, not {}",
            named(player),
            options(player),
            options(other)
        ));
    }
    if let Some((player, other)) = pairs().next() {
        let is_usual = [found, wanted]
            .iter()
            .all(|plan| plan.players.iter().all(|player| player.time == plan.players[0].time));
        let whose = if is_usual { String::new() } else { format!(" for {}", named(player)) };
        let ((option, time), (other_option, other_time)) =
            (typed_time(found, player.time), typed_time(wanted, other.time));
        let other_option = if option == other_option { "" } else { other_option };
        return Some(format!("{option}{time}, not {other_option}{other_time}{whose}"));
    }
    None
}

/// Whether two players are the same, however they are called.
fn is_same(one: &Player, other: &Player) -> bool {
    // A program is its command, which is its file too, and a person a name.
    let is_named_alike = one.sha256.is_some() || (&one.file, &one.name) == (&other.file, &other.name);
    (one.kind, &one.sha256, &one.payload, &one.runtime)
        == (other.kind, &other.sha256, &other.payload, &other.runtime)
        && is_named_alike
}

fn named(player: &Player) -> &str {
    player.file.as_deref().unwrap_or(&player.name)
}

fn options(player: &Player) -> String {
    let options: Vec<_> = player.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    if options.is_empty() { "none".to_owned() } else { options.join(" ") }
}

/// A time as it is typed: the option, and its value.
fn typed_time(plan: &Plan, time: TimeControl) -> (&'static str, String) {
    match (time.move_ns, time.base_ns) {
        (Some(limit), _) if plan.clock == Some(ClockKind::Instructions) => ("--fuel ", limit.to_string()),
        (Some(limit), _) => ("--move-time ", seconds(limit)),
        (None, Some(base)) => {
            ("--clock ", format!("{}+{}", seconds(base), seconds(time.increment_ns.unwrap_or(0))))
        }
        (None, None) => ("--no-clock", String::new()),
    }
}

fn seconds(ns: u64) -> String {
    time::seconds(Duration::from_nanos(ns))
}
