//! What ratings, sequential tests and Swiss rounds cost.
//!
//! ```text
//! cargo bench -p arbiter --bench statistics
//! ```
//!
//! Results come from a fixed seed; answers are asserted.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads clocks")]
#![expect(clippy::print_stdout, reason = "a benchmark tells its figures there")]

use arbiter::statistics::{
    EloModel, Encounter, FirstSeatTerm, RankedUnits, Score, Sprt, SprtRun, SwissPlayer, TwoSeatGame,
    TwoSeatUnits, bradley_terry, plackett_luce, swiss_round, tie_breaks,
};
use arbiter_rules::Random;
use std::time::Instant;

fn main() {
    two_seats(100, 1_000_000);
    two_seats(10, 50_000);
    two_seats(64, 20_000);
    many_seats(12, 6, 100_000);
    sequential(EloModel::Logistic, 100_000);
    sequential(EloModel::Normalized, 10_000);
    for players in [16, 64, 200, 2000] {
        swiss(players);
    }
}

/// Runs something and prints how long it took.
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what:<60} {:>10.3} ms", start.elapsed().as_secs_f64() * 1e3);
    result
}

fn two_players(random: &mut Random, players: usize) -> (usize, usize) {
    let first = random.below(players);
    (first, (first + 1 + random.below(players - 1)) % players)
}

fn two_seats(players: usize, count: usize) {
    let mut random = Random::new(1);
    let mut units = TwoSeatUnits::new(players);
    let mut met = vec![vec![Encounter::default(); players]; players];
    let results = [Score::LOSS, Score::DRAW, Score::WIN];
    timed(&format!("{count} pairs of {players} bots, gathered"), || {
        for _ in 0..count {
            let (a, b) = two_players(&mut random, players);
            let (there, back) = (random.below(3), random.below(3));
            for (player, other, half_points) in [(a, b, there + 2 - back), (b, a, back + 2 - there)] {
                met[player][other].games += 2;
                met[player][other].half_points += half_points as u64;
            }
            let game = |first, second, result: usize| TwoSeatGame { first, second, score: results[result] };
            units.add(&[game(a, b, there), game(b, a, back)]).expect("both players exist");
        }
    });
    let ratings = timed("  their ratings", || bradley_terry(&units, 0.1, FirstSeatTerm::Fitted));
    let ratings = ratings.expect("results are mixed");
    timed("  their intervals", || {
        let holds = |player: usize| ratings.interval(player).is_some_and(|of| of.low < of.high);
        assert!((0..players).all(holds), "everybody has played");
    });
    let sum: f64 = ratings.players().iter().map(|player| player.elo).sum();
    assert!(sum.abs() < 1e-6, "ratings have mean 0");
    let of_all = timed("  their tie-breaks", || {
        tie_breaks(&vec![1.0; players], &vec![1; players], |player, other| met[player][other])
    });
    assert_eq!(of_all.len(), players);
}

fn many_seats(players: usize, seats: usize, games: usize) {
    let mut random = Random::new(2);
    let mut units = RankedUnits::new(players);
    timed(&format!("{games} games of {players} bots in {seats} seats, gathered"), || {
        for _ in 0..games / seats {
            let start = random.below(players);
            let ranking = |random: &mut Random| {
                let mut places: Vec<Vec<usize>> =
                    (0..seats).map(|seat| vec![(start + seat) % players]).collect();
                (1..seats).for_each(|seat| places.swap(seat, random.below(seat + 1)));
                places
            };
            let unit: Vec<_> = (0..seats).map(|_| ranking(&mut random)).collect();
            units.add(&unit).expect("all players exist");
        }
    });
    let ratings = timed("  their ratings", || plackett_luce(&units, 0.1)).expect("there is a prior");
    assert!(ratings.players().iter().all(|player| player.elo.abs() < 100.0), "all are alike");
}

fn sequential(model: EloModel, units: u64) {
    let mut random = Random::new(3);
    let sprt = Sprt::new(model, 0.0, 2.0, 1e-300, 1e-300).expect("it is a test");
    let mut run = SprtRun::new(sprt);
    timed(&format!("{units} units of a {model:?} test, looked at one by one"), || {
        for _ in 0..units {
            run.add(random.below(3) + random.below(3));
        }
    });
    assert_eq!(run.counts.units(), units);
}

fn swiss(players: usize) {
    let mut random = Random::new(4);
    let field: Vec<SwissPlayer> =
        (0..players).map(|_| SwissPlayer { half_points: random.below(20) as u32, had_bye: false }).collect();
    let round =
        timed(&format!("a Swiss round of {players}"), || swiss_round(&field, |a, b| (a + b) % 7 == 0));
    assert_eq!((round.pairs.len(), round.cost.rematches), (players / 2, 0));
}
