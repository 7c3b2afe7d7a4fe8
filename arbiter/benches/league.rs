//! Whether intervals of 95 % hold what they claim in a league, where who meets whom, and how often, follows from results.
//!
//! ```text
//! cargo bench -p arbiter --bench league            # 10,000 leagues of each kind, in half an hour or so
//! cargo bench -p arbiter --bench league -- 1000    # as many as one likes
//! cargo bench -p arbiter --bench league -- marks   # the marks of courses alone
//! ```
//!
//! And whether a bot that does not beat the one that sets a mark ever earns it in more than one league of twenty, however often
//! somebody looks, and however many versions its author tries.
//!
//! Results are drawn, not played; everything else is what `arbiter league` does: bots arrive over many rounds, half of them are
//! replaced by other versions, and rounds are drawn from the results of those before. Beside it stands the same number of pairs
//! between the same versions, drawn blindly. The bias is that of the strongest and of the weakest version of a league, which
//! a schedule that looks at results could rate too high or too low.
#![expect(clippy::disallowed_methods, reason = "for want of a thread it may panic")]
#![expect(clippy::print_stdout, reason = "a benchmark tells its figures there")]

use arbiter::record::Scored;
use arbiter::record::schema::{AttendanceRecord, ChangeRecord};
use arbiter::statistics::{
    FirstSeatTerm, Score, TwoSeatGame, TwoSeatUnits, WEAK_PRIOR, Wealth, bradley_terry,
};
use arbiter::tournament::{Course, CourseRules, League, Next, Schedule};
use arbiter_rules::Random;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// A kind of league.
#[derive(Clone, Copy, Debug)]
struct Kind {
    bots: usize,
    pairs: u32,
    most_pairs: u32,
    /// Elo from the best to the worst.
    spread: f64,
    /// The share of games that are drawn.
    draws: f64,
}

/// What many leagues came to.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    versions: f64,
    covered: f64,
    covered_when_blind: f64,
    /// Of the strongest and the weakest.
    bias: [f64; 2],
    bias_when_blind: [f64; 2],
    leagues: f64,
    pairs: f64,
}

fn main() {
    let runs: usize = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(10_000);
    if std::env::args().any(|arg| arg == "marks") {
        println!("most: {:.2} %", marks(runs));
        return;
    }
    let mut least = f64::INFINITY;
    println!("{runs} leagues a line");
    println!(
        "bots  pairs  spread  draws   pairs a version   within 95 %   (blind)   bias of best   (blind)   of worst   (blind)"
    );
    for (pairs, most_pairs) in [(5, 25), (20, 100)] {
        for (spread, draws) in [(0.0, 0.2), (400.0, 0.0), (400.0, 0.5), (900.0, 0.2)] {
            let kind = Kind { bots: 12, pairs, most_pairs, spread, draws };
            let sum = measured(kind, runs);
            let share = |part: f64| 100.0 * part / sum.versions;
            let [best, worst] = sum.bias.map(|bias| bias / sum.leagues);
            let [blind_best, blind_worst] = sum.bias_when_blind.map(|bias| bias / sum.leagues);
            println!(
                "{:>4} {pairs:>3}-{most_pairs:<3} {spread:>6} {draws:>6} {:>17.1} {:>13.2} {:>9.2} {best:>+14.1} {blind_best:>+9.1} {worst:>+10.1} {blind_worst:>+9.1}",
                kind.bots,
                2.0 * sum.pairs / sum.versions,
                share(sum.covered),
                share(sum.covered_when_blind),
            );
            least = least.min(share(sum.covered));
        }
    }
    println!("least: {least:.2} %");
    let most = marks(runs);
    println!("most: {most:.2} %");
    let luck = 300.0 * (0.95 * 0.05 / runs as f64).sqrt();
    assert!(least > 94.0 - luck, "intervals of 95 % hold less than 94 % somewhere");
    assert!(most < 5.0 + luck, "marks are earned by more than 5 % of those who do not deserve them");
}

/// How often a bot earns a mark in a league of ten others, by its advantage over the one that sets it. Returns the largest share, in
/// percent, among those who have none.
fn marks(runs: usize) -> f64 {
    println!("\nversions  draws   Elo ahead   earn the mark, %   pairs against it");
    let mut most = 0.0_f64;
    for (versions, draws) in [(1, 0.0), (1, 0.5), (6, 0.0), (6, 0.5)] {
        for ahead in [-50.0, 0.0, 50.0, 100.0, 200.0] {
            let (next, all) = (AtomicUsize::new(0), Mutex::new((0.0, 0.0)));
            let work = || {
                while let run = next.fetch_add(1, Ordering::Relaxed) as u64
                    && run < runs as u64
                {
                    let (is_earned, pairs) = earns(run, versions, draws, ahead);
                    let mut sum = all.lock().expect("no worker panics");
                    sum.0 += 100.0 * f64::from(u8::from(is_earned)) / runs as f64;
                    sum.1 += f64::from(pairs) / runs as f64;
                }
            };
            thread::scope(|scope| {
                let threads = thread::available_parallelism().map_or(1, usize::from);
                (0..threads).for_each(|_| drop(scope.spawn(work)));
            });
            let (share, pairs) = all.into_inner().expect("no worker panics");
            println!("{versions:>8} {draws:>6} {ahead:>+11} {share:>18.2} {pairs:>18.1}");
            most = most.max(if ahead > 0.0 { 0.0 } else { share });
        }
    }
    most
}

/// A league in which entrant 0 sets a mark, and one bot tries to earn it with some versions, one after another. Whether any of them ever
/// does, and in how many pairs.
fn earns(seed: u64, versions: usize, draws: f64, ahead: f64) -> (bool, u32) {
    const OTHERS: usize = 10;
    let mut random = Random::new(seed);
    let kind = Kind { bots: 1 + OTHERS + versions, pairs: 20, most_pairs: 100, spread: 400.0, draws };
    let mut strengths: Vec<f64> =
        (0..kind.bots).map(|_| kind.spread * (uniform(&mut random) - 0.5)).collect();
    strengths[0] = 0.0;
    strengths[1 + OTHERS..].fill(ahead);
    let mut attendance = Vec::new();
    let mut change = |round: u32, entrant: usize, change: ChangeRecord| {
        attendance.push(AttendanceRecord { round: round + 1, player: entrant as u32, change });
    };
    (0..=OTHERS).for_each(|bot| change(0, bot, ChangeRecord::Arrives));
    change(0, 0, ChangeRecord::SetsMark);
    for version in 0..versions {
        let (round, entrant) = (20 * version as u32, 1 + OTHERS + version);
        if version > 0 {
            change(round, entrant - 1, ChangeRecord::Leaves);
        }
        change(round, entrant, ChangeRecord::Arrives);
    }
    let numbers = (0..kind.bots).map(|bot| bot.saturating_sub(OTHERS).max(1) as u32).collect();
    let mut course = Course::new(CourseRules {
        schedule: Schedule::League(League {
            pairs: kind.pairs,
            most_pairs: kind.most_pairs,
            rounds: None,
            attendance,
            versions: numbers,
        }),
        entrants: kind.bots,
        seats: 2,
        withdraw_after: 0,
        sprt: None,
        shard: None,
        wave: None,
    });
    let mut wealth = vec![Wealth::default(); versions];
    let mut first = 0;
    while let Next::Game(fixture) = course.hand_out() {
        let players = [fixture.players[0], fixture.players[1]];
        let score = score(&mut random, kind, &strengths, players);
        let (ranks, half_points) = match score {
            Score::WIN => ([1, 2], [2, 0]),
            Score::DRAW => ([1, 1], [1, 1]),
            _ => ([2, 1], [0, 2]),
        };
        course.over(fixture.number, Scored::new(&ranks, |_| false));
        let of = players.iter().position(|&player| player > OTHERS);
        if let Some(seat) = of.filter(|_| players.contains(&0)) {
            if fixture.number % 2 == 1 {
                first = half_points[seat];
            } else {
                wealth[players[seat] - OTHERS - 1].add(first + half_points[seat]);
            }
        }
    }
    let is_earned = (1..).zip(&wealth).any(|(version, wealth)| wealth.is_enough(version));
    (is_earned, wealth.iter().map(Wealth::pairs).sum())
}

fn measured(kind: Kind, runs: usize) -> Measured {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Measured::default()));
    let work = || {
        loop {
            let run = next.fetch_add(1, Ordering::Relaxed);
            if run >= runs {
                return;
            }
            play(kind, run as u64, &all);
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    all.into_inner().expect("no worker panics")
}

/// A league of bots that arrive over its first rounds; every other one is replaced by another version later.
fn play(kind: Kind, seed: u64, all: &Mutex<Measured>) {
    let mut random = Random::new(seed);
    let (mut attendance, mut strengths) = (Vec::new(), Vec::new());
    let mut change = |round: u32, entrant: usize, change: ChangeRecord| {
        attendance.push(AttendanceRecord { round: round + 1, player: entrant as u32, change });
    };
    for bot in 0..kind.bots {
        change(bot as u32 / 3, bot, ChangeRecord::Arrives);
    }
    for (number, bot) in (0..kind.bots).step_by(2).enumerate() {
        // Early enough that the league is never settled before the last one has come.
        let round = (2 + number as u32) * kind.pairs / 5;
        change(round, bot, ChangeRecord::Leaves);
        change(round, kind.bots + number, ChangeRecord::Arrives);
    }
    let versions = kind.bots + kind.bots.div_ceil(2);
    strengths.extend((0..versions).map(|_| kind.spread * (uniform(&mut random) - 0.5)));
    let league = League {
        pairs: kind.pairs,
        most_pairs: kind.most_pairs,
        rounds: None,
        attendance,
        versions: Vec::new(),
    };
    let mut course = Course::new(CourseRules {
        schedule: Schedule::League(league),
        entrants: versions,
        seats: 2,
        withdraw_after: 0,
        sprt: None,
        shard: None,
        wave: None,
    });
    let (mut units, mut blind) = (TwoSeatUnits::new(versions), TwoSeatUnits::new(versions));
    let mut pairs = 0;
    let mut unit = Vec::new();
    while let Next::Game(fixture) = course.hand_out() {
        let players = [fixture.players[0], fixture.players[1]];
        let score = score(&mut random, kind, &strengths, players);
        unit.push(TwoSeatGame { first: players[0], second: players[1], score });
        let ranks = match score {
            Score::WIN => [1, 2],
            Score::DRAW => [1, 1],
            _ => [2, 1],
        };
        course.over(fixture.number, Scored::new(&ranks, |_| false));
        if unit.len() == 2 {
            units.add(&std::mem::take(&mut unit)).expect("versions exist");
            pairs += 1;
        }
    }
    for number in 0..pairs as usize {
        let first = number % versions;
        let second = (first + 1 + (uniform(&mut random) * (versions - 1) as f64) as usize) % versions;
        let game = |random: &mut Random, first, second| TwoSeatGame {
            first,
            second,
            score: score(random, kind, &strengths, [first, second]),
        };
        let unit = [game(&mut random, first, second), game(&mut random, second, first)];
        blind.add(&unit).expect("versions exist");
    }
    let mean = strengths.iter().sum::<f64>() / versions as f64;
    let truth: Vec<f64> = strengths.iter().map(|strength| strength - mean).collect();
    let (covered, bias) = compared(&units, &truth);
    let (covered_when_blind, bias_when_blind) = compared(&blind, &truth);
    let mut sum = all.lock().expect("no worker panics");
    sum.versions += versions as f64;
    sum.covered += covered;
    sum.covered_when_blind += covered_when_blind;
    sum.leagues += 1.0;
    sum.pairs += f64::from(pairs);
    for end in 0..2 {
        sum.bias[end] += bias[end];
        sum.bias_when_blind[end] += bias_when_blind[end];
    }
}

/// How many true ratings lie in their intervals, and by how much those of the strongest and the weakest are too high.
fn compared(units: &TwoSeatUnits, truth: &[f64]) -> (f64, [f64; 2]) {
    let ratings =
        bradley_terry(units, WEAK_PRIOR, FirstSeatTerm::Absent).expect("a prior makes ratings finite");
    let is_within = |version: &usize| {
        let interval = ratings.interval(*version).expect("every version has played");
        interval.low <= truth[*version] && truth[*version] <= interval.high
    };
    let covered = (0..truth.len()).filter(is_within).count() as f64;
    let by_truth = |a: &usize, b: &usize| truth[*a].total_cmp(&truth[*b]);
    let ends = [(0..truth.len()).max_by(by_truth), (0..truth.len()).min_by(by_truth)];
    (covered, ends.map(|end| end.map_or(0.0, |version| ratings.players()[version].elo - truth[version])))
}

fn score(random: &mut Random, kind: Kind, strengths: &[f64], [first, second]: [usize; 2]) -> Score {
    // Equals draw as often as asked for, and others less often, so that ratings keep to the strengths: the stronger one makes
    // the same share of the points in all games as in those that are not drawn.
    let stronger = 1.0 / (1.0 + ((strengths[second] - strengths[first]) / ELO_PER_NAT).exp());
    let drawn = 4.0 * kind.draws * stronger * (1.0 - stronger);
    let draw = uniform(random);
    if draw < drawn {
        Score::DRAW
    } else if draw < drawn + stronger - drawn / 2.0 {
        Score::WIN
    } else {
        Score::LOSS
    }
}

fn uniform(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 / (1u64 << 53) as f64
}
