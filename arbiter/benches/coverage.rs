//! How often intervals of 95 % hold what they claim, and how wide they are.
//!
//! ```text
//! cargo bench -p arbiter --bench coverage            # 10,000 tournaments each, in an hour or two
//! cargo bench -p arbiter --bench coverage -- 1000    # as many as one likes, in minutes
//! ```
//!
//! Each line of a table is a kind of tournament, each column a distribution of strengths and results; a number is the share of
//! players whose true rating lies within their interval. Tournaments come from fixed seeds.
#![expect(clippy::disallowed_methods, reason = "for want of a thread it may panic")]
#![expect(clippy::print_stdout, reason = "a benchmark tells its figures there")]

use arbiter::statistics::{
    FirstSeatTerm, RankedUnits, Ratings, Score, SwissPlayer, TwoSeatGame, TwoSeatUnits, WEAK_PRIOR, Z95,
    bradley_terry, plackett_luce, swiss_round,
};
use arbiter_rules::Random;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Who meets whom, and how often.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    kind: Kind,
    seats: usize,
    bots: usize,
    /// With two seats, pairs of games between each two bots; with more, rotations of each bot; rounds of a Swiss tournament.
    units: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Each,
    Swiss,
    /// One pair of games decides, or the first that is not drawn, or else the lower number.
    Knockout,
}

/// How strong bots are, and what their games are like.
#[derive(Clone, Copy, Debug)]
struct World {
    /// Elo from the best to the worst, with the others evenly between.
    spread: f64,
    /// The share of games that are drawn; with more than two seats, of neighbours who share a place.
    draws: f64,
    /// The share of games of a unit that end like its first one.
    repeats: f64,
}

const SPREADS: [f64; 3] = [0.0, 300.0, 900.0];
const GAMES: [(f64, f64); 3] = [(0.0, 0.0), (0.6, 0.0), (0.0, 0.5)];

/// What many tournaments came to.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    covered: f64,
    covered_by_sandwich: f64,
    width: f64,
    width_of_sandwich: f64,
}

fn main() {
    let runs = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(10_000);
    let mut schedules = Vec::new();
    for bots in [2, 3, 6, 10] {
        let each = |units| Schedule { kind: Kind::Each, seats: 2, bots, units };
        schedules.extend([1, 2, 5, 10, 30, 100].map(each));
    }
    for (bots, rounds) in [(8, 3), (16, 4), (16, 8), (32, 5)] {
        let of = |kind| Schedule { kind, seats: 2, bots, units: rounds };
        schedules.push(of(Kind::Swiss));
        if 1 << rounds == bots {
            schedules.push(of(Kind::Knockout));
        }
    }
    for (seats, bots) in [(3, 3), (3, 6), (4, 4), (6, 6), (6, 10)] {
        schedules.extend([1, 2, 5, 10, 30].map(|units| Schedule { kind: Kind::Each, seats, bots, units }));
    }
    let table = measured(&schedules, runs);
    print(&schedules, &table, "within the interval, %", |of| format!("{:.1}", 100.0 * of.covered));
    print(&schedules, &table, "within 1.96 errors of the sandwich, %", |of| {
        format!("{:.1}", 100.0 * of.covered_by_sandwich)
    });
    print(&schedules, &table, "width of the interval / of the sandwich's", |of| {
        format!("{:.2}", of.width / of.width_of_sandwich)
    });
    let least = table.iter().flatten().map(|of| of.covered).fold(1.0, f64::min);
    println!("least: {:.1} %", 100.0 * least);
    let luck = 3.0 * (0.95 * 0.05 / runs as f64).sqrt();
    assert!(least > 0.94 - luck, "intervals of 95 % hold less than 94 % somewhere");
}

fn worlds() -> impl Iterator<Item = World> {
    SPREADS.into_iter().flat_map(|spread| GAMES.map(|(draws, repeats)| World { spread, draws, repeats }))
}

/// All worlds for each schedule, by as many threads as there are cores.
fn measured(schedules: &[Schedule], runs: usize) -> Vec<Vec<Measured>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(schedule) = schedules.get(index) else { return done };
            done.push((index, worlds().map(|world| measure(*schedule, world, runs)).collect::<Vec<_>>()));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut lines: Vec<(usize, Vec<Measured>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no worker panics")).collect()
    });
    lines.sort_by_key(|(index, _)| *index);
    lines.into_iter().map(|(_, line)| line).collect()
}

fn print(schedules: &[Schedule], table: &[Vec<Measured>], what: &str, show: fn(&Measured) -> String) {
    println!("\n{what}");
    let heads: Vec<String> =
        worlds().map(|of| format!("{}/{}/{}", of.spread, of.draws, of.repeats)).collect();
    println!(
        "{:>24} {}",
        "spread/draws/repeats:",
        heads.iter().map(|head| format!("{head:>9}")).collect::<String>()
    );
    for (Schedule { kind, seats, bots, units }, line) in schedules.iter().zip(table) {
        let cells: String = line.iter().map(|of| format!("{:>9}", show(of))).collect();
        println!("{:<9}{seats} seats {bots:>2} bots {units:>3}: {cells}", format!("{kind:?}"));
    }
}

fn measure(schedule: Schedule, world: World, runs: usize) -> Measured {
    let strengths: Vec<f64> = (0..schedule.bots)
        .map(|bot| world.spread / ELO_PER_NAT * (0.5 - bot as f64 / (schedule.bots - 1) as f64))
        .collect();
    let tournament = Tournament { schedule, world, strengths };
    let truth = tournament.truth();
    let mut random = Random::new(2);
    let mut sum = Measured::default();
    for _ in 0..runs {
        let ratings = tournament.play(&mut random, schedule.units, WEAK_PRIOR);
        for (bot, truth) in truth.iter().enumerate() {
            let (interval, of) = (ratings.interval(bot).expect("it has played"), ratings.players()[bot]);
            let is_within = interval.low <= *truth && *truth <= interval.high;
            sum.covered += f64::from(u8::from(is_within));
            sum.width += interval.high - interval.low;
            let margin = Z95 * of.cluster_error;
            sum.covered_by_sandwich += f64::from(u8::from((of.elo - truth).abs() <= margin));
            sum.width_of_sandwich += 2.0 * margin;
        }
    }
    let intervals = (runs * schedule.bots) as f64;
    sum.covered /= intervals;
    sum.covered_by_sandwich /= intervals;
    sum
}

struct Tournament {
    schedule: Schedule,
    world: World,
    strengths: Vec<f64>,
}

impl Tournament {
    /// What ratings come to in the end: the strengths. With more than two seats, shared places make players look more alike
    /// than their strengths are, so the truth there is the rating after a long tournament.
    fn truth(&self) -> Vec<f64> {
        if self.schedule.seats == 2 || self.world.draws == 0.0 {
            return self.strengths.iter().map(|strength| ELO_PER_NAT * strength).collect();
        }
        let ratings = self.play(&mut Random::new(1), 100_000 / self.schedule.bots, 0.0);
        ratings.players().iter().map(|player| player.elo).collect()
    }

    fn play(&self, random: &mut Random, units: usize, prior: f64) -> Ratings {
        let ratings = match self.schedule {
            Schedule { seats: 3.., .. } => plackett_luce(&self.rotations(random, units), prior),
            Schedule { kind, .. } => {
                let mut pairs = TwoSeatUnits::new(self.schedule.bots);
                match kind {
                    Kind::Each => self.each(random, units, &mut pairs),
                    Kind::Swiss => self.swiss(random, units, &mut pairs),
                    Kind::Knockout => self.knockout(random, &mut pairs),
                }
                bradley_terry(&pairs, prior, FirstSeatTerm::Absent)
            }
        };
        let ratings = ratings.expect("there is a prior, or there are many games");
        if self.schedule.kind == Kind::Each { ratings } else { ratings.paired_by_results() }
    }

    /// Everybody meets everybody in so many pairs of games.
    fn each(&self, random: &mut Random, units: usize, pairs: &mut TwoSeatUnits) {
        for (a, b) in (0..self.schedule.bots).flat_map(|b| (0..b).map(move |a| (a, b))) {
            for _ in 0..units {
                self.pair(random, a, b, pairs);
            }
        }
    }

    /// Equals meet equals in so many rounds, seeded by lot.
    fn swiss(&self, random: &mut Random, rounds: usize, pairs: &mut TwoSeatUnits) {
        let mut seeds: Vec<usize> = (0..self.schedule.bots).collect();
        shuffle(random, &mut seeds);
        let mut players = vec![SwissPlayer { half_points: 0, had_bye: false }; seeds.len()];
        let mut met = vec![vec![false; seeds.len()]; seeds.len()];
        for _ in 0..rounds {
            for [a, b] in swiss_round(&players, |a, b| met[a][b]).pairs {
                (met[a][b], met[b][a]) = (true, true);
                let points = self.pair(random, seeds[a], seeds[b], pairs);
                players[a].half_points += (2.0 * points) as u32;
                players[b].half_points += (4.0 - 2.0 * points) as u32;
            }
        }
    }

    fn knockout(&self, random: &mut Random, pairs: &mut TwoSeatUnits) {
        let mut left: Vec<usize> = (0..self.schedule.bots).collect();
        shuffle(random, &mut left);
        while left.len() > 1 {
            let winner = |of: &[usize]| {
                let tries = (0..5).map(|_| self.pair(random, of[0], of[1], pairs));
                let points = tries.into_iter().find(|points| *points != 1.0);
                if points.is_some_and(|points| points < 1.0) { of[1] } else { of[0] }
            };
            left = left.chunks(2).map(winner).collect();
        }
    }

    /// Plays a pair of games, and gives the points of the first.
    fn pair(&self, random: &mut Random, a: usize, b: usize, pairs: &mut TwoSeatUnits) -> f64 {
        let luck = uniform(random);
        let again = if uniform(random) < self.world.repeats { luck } else { uniform(random) };
        let (there, back) = (self.score(a, b, luck), self.score(a, b, again));
        let unit = [
            TwoSeatGame { first: a, second: b, score: there },
            TwoSeatGame { first: b, second: a, score: Score::new(1.0 - back.value()).expect("a share") },
        ];
        pairs.add(&unit).expect("both bots exist");
        there.value() + back.value()
    }

    /// What `a` makes against `b`. Draws take as much from wins as from losses, so that strengths keep their meaning; there
    /// are fewer where they would take all losses.
    fn score(&self, a: usize, b: usize, luck: f64) -> Score {
        let mean = 1.0 / (1.0 + (self.strengths[b] - self.strengths[a]).exp());
        let drawn = self.world.draws.min(2.0 * mean.min(1.0 - mean));
        match luck {
            luck if luck < mean - drawn / 2.0 => Score::WIN,
            luck if luck < mean + drawn / 2.0 => Score::DRAW,
            _ => Score::LOSS,
        }
    }

    /// Everybody plays about so many rotations, in groups that follow from shuffled lists of all bots.
    fn rotations(&self, random: &mut Random, units: usize) -> RankedUnits {
        let Schedule { seats, bots, .. } = self.schedule;
        let mut rotations = RankedUnits::new(bots);
        let mut waiting: Vec<usize> = Vec::new();
        for _ in 0..(units * bots).div_ceil(seats) {
            if waiting.len() < seats {
                let mut others: Vec<usize> = (0..bots).filter(|bot| !waiting.contains(bot)).collect();
                shuffle(random, &mut others);
                waiting.extend(others);
            }
            let seated: Vec<usize> = waiting.drain(..seats).collect();
            let first = self.luck(random);
            let unit: Vec<_> = (0..seats)
                .map(|game| {
                    let repeats = game == 0 || uniform(random) < self.world.repeats;
                    let luck = if repeats { first.clone() } else { self.luck(random) };
                    self.places(random, &seated, &luck)
                })
                .collect();
            rotations.add(&unit).expect("all bots exist");
        }
        rotations
    }

    /// Gumbel's distribution: strength and such luck put players in order as Plackett and Luce have it (J. I. Yellott, J.
    /// Math. Psychol. 15 (1977)).
    fn luck(&self, random: &mut Random) -> Vec<f64> {
        (0..self.schedule.seats).map(|_| -(-uniform(random).ln()).ln()).collect()
    }

    fn places(&self, random: &mut Random, seated: &[usize], luck: &[f64]) -> Vec<Vec<usize>> {
        let mut order: Vec<(f64, usize)> =
            seated.iter().zip(luck).map(|(&bot, luck)| (self.strengths[bot] + luck, bot)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut places: Vec<Vec<usize>> = Vec::new();
        for (_, bot) in order {
            match places.last_mut() {
                Some(place) if uniform(random) < self.world.draws => place.push(bot),
                _ => places.push(vec![bot]),
            }
        }
        places
    }
}

/// A number between 0 and 1, and never either.
fn uniform(random: &mut Random) -> f64 {
    (random.below(1 << 30) as f64 + 0.5) / f64::from(1 << 30)
}

fn shuffle(random: &mut Random, bots: &mut [usize]) {
    (1..bots.len()).rev().for_each(|last| bots.swap(last, random.below(last + 1)));
}
