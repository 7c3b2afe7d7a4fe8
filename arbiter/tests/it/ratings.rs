//! What ratings and tests owe their users, whatever the results are: checked on random tournaments, against slow and
//! obvious calculations.

use arbiter::statistics::{
    Counts, EloModel, EloSummary, FirstSeatTerm, RankedUnits, RatingError, Ratings, Score, Sprt, SwissPlayer,
    TwoSeatGame, TwoSeatUnits, bradley_terry, plackett_luce, swiss_round,
};
use arbiter_rules::Random;

const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

fn game(first: usize, second: usize, half_points: usize) -> TwoSeatGame {
    TwoSeatGame { first, second, score: Score::new(half_points as f64 / 2.0).unwrap() }
}

/// Pairs of games between random players, of whom those with higher numbers play better.
fn pairs(random: &mut Random, players: usize, count: usize) -> Vec<[TwoSeatGame; 2]> {
    let mut half_points = |a: usize, b: usize| {
        let drawn = random.below(10 * (players + a)) / (7 * (players + b));
        drawn.min(2)
    };
    let mut pairs = Vec::new();
    for number in 0..count {
        let (a, b) = (number * 7 % players, (number * 5 + 1 + number / players) % players);
        if a != b {
            pairs.push([game(a, b, half_points(a, b)), game(b, a, half_points(b, a))]);
        }
    }
    pairs
}

fn units<'a>(players: usize, pairs: impl IntoIterator<Item = &'a [TwoSeatGame; 2]>) -> TwoSeatUnits {
    let mut units = TwoSeatUnits::new(players);
    pairs.into_iter().for_each(|pair| units.add(pair).unwrap());
    units
}

fn elos(ratings: &Ratings) -> Vec<f64> {
    ratings.players().iter().map(|player| player.elo).collect()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[test]
fn the_order_of_games_changes_no_bit_of_a_rating() {
    let mut random = Random::new(1);
    let mut pairs = pairs(&mut random, 9, 300);
    let whole = bradley_terry(&units(9, &pairs), 0.1, FirstSeatTerm::Fitted).unwrap();
    pairs.iter_mut().for_each(|pair| pair.reverse());
    pairs.reverse();
    let other = bradley_terry(&units(9, &pairs), 0.1, FirstSeatTerm::Fitted).unwrap();
    assert_eq!(other.players(), whole.players());
    assert_eq!((other.first_seat(), other.log_posterior()), (whole.first_seat(), whole.log_posterior()));
    assert_eq!(other.superiority(2, 3), whole.superiority(2, 3));
    assert_eq!(other.interval(2), whole.interval(2));
}

#[test]
fn numbering_players_differently_numbers_their_ratings_differently() {
    let mut random = Random::new(2);
    let pairs = pairs(&mut random, 8, 120);
    let renumbered: Vec<[TwoSeatGame; 2]> = pairs
        .iter()
        .map(|pair| {
            pair.map(|game| TwoSeatGame {
                first: (game.first * 3 + 5) % 8,
                second: (game.second * 3 + 5) % 8,
                ..game
            })
        })
        .collect();
    let one = bradley_terry(&units(8, &pairs), 0.1, FirstSeatTerm::Absent).unwrap();
    let other = bradley_terry(&units(8, &renumbered), 0.1, FirstSeatTerm::Absent).unwrap();
    for player in 0..8 {
        let (a, b) = (one.players()[player], other.players()[(player * 3 + 5) % 8]);
        assert_close(a.elo, b.elo, 1e-9);
        assert_close(a.cluster_error, b.cluster_error, 1e-9);
    }
}

#[test]
fn with_two_bots_the_cluster_error_is_the_pentanomial_error() {
    let mut random = Random::new(4);
    let mut counts = Counts::no_pairs();
    let mut two = TwoSeatUnits::new(2);
    for _ in 0..200 {
        let (there, back) = (random.below(3), random.below(5) / 2);
        two.add(&[game(0, 1, there), game(1, 0, back)]).unwrap();
        counts.add(there + 2 - back);
    }
    let summary = EloSummary::of(&counts).unwrap();
    let ratings = bradley_terry(&two, 0.0, FirstSeatTerm::Absent).unwrap();
    let [a, b] = ratings.players() else { unreachable!() };
    assert_close(a.elo - b.elo, summary.elo, 1e-9);
    // The slope of the Elo curve carries the error of the score over to the Elo scale.
    let slope = ELO_PER_NAT / (summary.score * (1.0 - summary.score));
    assert_close(ratings.difference_error(0, 1), slope * summary.score_error, 1e-9);
}

#[test]
fn ten_to_nothing_is_a_number_with_a_prior_and_refused_without() {
    let mut ten = TwoSeatUnits::new(2);
    for _ in 0..5 {
        ten.add(&[game(0, 1, 2), game(1, 0, 0)]).unwrap();
    }
    let ratings = bradley_terry(&ten, 0.1, FirstSeatTerm::Absent).unwrap();
    assert!(ratings.players()[0].elo > 200.0 && ratings.players()[0].elo < 1000.0);
    let refused = |prior| bradley_terry(&ten, prior, FirstSeatTerm::Absent).unwrap_err();
    assert_eq!(refused(0.0), RatingError::Unbounded);
    assert_eq!((refused(-0.1), refused(f64::NAN)), (RatingError::BadPrior, RatingError::BadPrior));
    let nobody = bradley_terry(&TwoSeatUnits::new(0), 0.1, FirstSeatTerm::Absent);
    assert_eq!(nobody.unwrap_err(), RatingError::NoPlayers);
}

#[test]
fn a_seat_that_makes_every_point_has_no_finite_worth() {
    let mut always = TwoSeatUnits::new(2);
    always.add(&[game(0, 1, 2), game(1, 0, 2)]).unwrap();
    let rate = |units: &TwoSeatUnits, prior| bradley_terry(units, prior, FirstSeatTerm::Fitted).map(|_| ());
    assert_eq!(rate(&always, 0.1), Err(RatingError::FirstSeatUnbounded));
    assert_eq!(rate(&TwoSeatUnits::new(2), 0.1), Err(RatingError::FirstSeatUnbounded));
    let mut never_swapped = TwoSeatUnits::new(2);
    never_swapped.add(&[game(0, 1, 2), game(0, 1, 0)]).unwrap();
    assert_eq!(rate(&never_swapped, 0.1), Ok(()), "the prior tells seat and player apart");
    assert!(rate(&never_swapped, 0.0).is_err(), "seat and player are the same thing");
    always.add(&[game(0, 1, 1), game(1, 0, 1)]).unwrap();
    assert_eq!((rate(&always, 0.1), rate(&always, 0.0)), (Ok(()), Ok(())));
}

#[test]
fn the_worth_of_the_first_seat_changes_its_sign_with_the_seats() {
    let mut random = Random::new(5);
    let pairs = pairs(&mut random, 4, 60);
    let swapped = |game: TwoSeatGame| TwoSeatGame {
        first: game.second,
        second: game.first,
        score: Score::new(1.0 - game.score.value()).unwrap(),
    };
    let mirrored: Vec<[TwoSeatGame; 2]> = pairs.iter().map(|pair| pair.map(swapped)).collect();
    let one = bradley_terry(&units(4, &pairs), 0.1, FirstSeatTerm::Fitted).unwrap();
    let other = bradley_terry(&units(4, &mirrored), 0.1, FirstSeatTerm::Fitted).unwrap();
    assert_close(one.first_seat().unwrap().elo, -other.first_seat().unwrap().elo, 1e-9);
    assert_close(one.players()[2].elo, other.players()[2].elo, 1e-9);
}

#[test]
fn players_who_never_met_are_not_compared() {
    let mut islands = TwoSeatUnits::new(5);
    islands.add(&[game(0, 2, 2), game(2, 0, 1)]).unwrap();
    islands.add(&[game(0, 2, 1), game(2, 0, 0)]).unwrap();
    islands.add(&[game(1, 4, 2), game(4, 1, 2)]).unwrap();
    let ratings = bradley_terry(&islands, 0.1, FirstSeatTerm::Absent).unwrap();
    assert_eq!(ratings.groups(), [0, 1, 0, 2, 1]);
    assert!(ratings.superiority(0, 2).is_some() && ratings.difference_interval(0, 2).is_some());
    for never_met in [(0, 1), (3, 4)] {
        assert_eq!(ratings.superiority(never_met.0, never_met.1), None);
        assert_eq!(ratings.cluster_superiority(never_met.0, never_met.1), None);
        assert_eq!(ratings.difference_interval(never_met.0, never_met.1), None);
    }
    assert_eq!(ratings.interval(3), None, "nothing is known of somebody who did not play");
    assert_eq!(ratings.players()[3].cluster_error, 0.0, "nothing is known of somebody who did not play");
    let refused = bradley_terry(&islands, 0.0, FirstSeatTerm::Absent).unwrap_err();
    assert_eq!(refused, RatingError::Unbounded);
}

/// What an interval is, taken literally: at its ends the best of all other ratings lose the same, and more beyond them.
#[test]
fn an_interval_of_two_holds_what_explains_the_results_nearly_as_well() {
    let mut two = TwoSeatUnits::new(2);
    let (won, split) = ([game(0, 1, 2), game(1, 0, 0)], [game(0, 1, 2), game(1, 0, 2)]);
    [won, won, split, won, split, won].iter().for_each(|unit| two.add(unit).unwrap());
    let ratings = bradley_terry(&two, 0.1, FirstSeatTerm::Absent).unwrap();
    let interval = ratings.difference_interval(0, 1).unwrap();
    // Ten points of twelve, and a difference that two players share.
    let posterior = |elo: f64| {
        let nats = elo / ELO_PER_NAT;
        let p = 1.0 / (1.0 + (-nats).exp());
        10.0 * p.ln() + 2.0 * (1.0 - p).ln() - 0.1 / 4.0 * nats * nats
    };
    assert_close(posterior(interval.low), posterior(interval.high), 1e-6);
    let best = ratings.players()[0].elo - ratings.players()[1].elo;
    assert!(interval.low < best && best < interval.high, "{interval:?} {best}");
    assert!(
        best - interval.low < interval.high - best,
        "winning more would have changed little: {interval:?}"
    );
    let of_one = ratings.interval(0).unwrap();
    assert_close(of_one.low, interval.low / 2.0, 1e-6);
    assert_close(of_one.high, interval.high / 2.0, 1e-6);
}

#[test]
fn an_interval_leaves_out_equality_when_the_chance_is_above_975_in_1000() {
    let mut random = Random::new(10);
    let (mut equal, mut apart) = (0, 0);
    for (players, count) in [(2, 6), (3, 9), (6, 40), (9, 500), (80, 700)] {
        let pairs = pairs(&mut random, players, count);
        let ratings = bradley_terry(&units(players, &pairs), 0.1, FirstSeatTerm::Absent).unwrap();
        for other in 1..players {
            let Some(interval) = ratings.difference_interval(0, other) else { continue };
            let chance = ratings.superiority(0, other).unwrap();
            let (low, high) = (interval.low > 0.0, interval.high < 0.0);
            assert_eq!((low, high), (chance > 0.975, chance < 0.025), "{interval:?} {chance}");
            *(if low || high { &mut apart } else { &mut equal }) += 1;
        }
    }
    assert!(equal > 10 && apart > 10, "{equal} may be equal, {apart} are not");
}

/// With the error bars of before, three bots of equal strength were once +343 ± 125 after one round.
#[test]
fn one_round_of_three_bots_proves_nothing() {
    let mut round = TwoSeatUnits::new(3);
    for loser in [1, 2] {
        round.add(&[game(0, loser, 2), game(loser, 0, 0)]).unwrap();
    }
    round.add(&[game(1, 2, 2), game(2, 1, 2)]).unwrap();
    let ratings = bradley_terry(&round, 0.1, FirstSeatTerm::Absent).unwrap();
    assert!(ratings.players()[0].elo > 300.0);
    let interval = ratings.interval(0).unwrap();
    assert!(interval.low < 0.0 && interval.high > 700.0, "{interval:?}");
    assert!(ratings.cluster_superiority(0, 1).unwrap() > 0.999 && ratings.superiority(0, 1).unwrap() < 0.975);
}

/// The winner of a Swiss tournament of equals would otherwise be told apart from them, with 95 % confidence.
#[test]
fn equals_lie_within_the_intervals_of_a_swiss_tournament() {
    const PLAYERS: usize = 16;
    let (mut random, mut held, mut all) = (Random::new(3), 0, 0);
    for _ in 0..40 {
        let mut players = [SwissPlayer { half_points: 0, had_bye: false }; PLAYERS];
        let mut met = [[false; PLAYERS]; PLAYERS];
        let mut pairs = Vec::new();
        for _ in 0..5 {
            for [a, b] in swiss_round(&players, |a, b| met[a][b]).pairs {
                (met[a][b], met[b][a]) = (true, true);
                let [there, back] = [2 * random.below(2), 2 * random.below(2)];
                pairs.push([game(a, b, there), game(b, a, back)]);
                players[a].half_points += (there + 2 - back) as u32;
                players[b].half_points += (2 - there + back) as u32;
            }
        }
        let ratings = bradley_terry(&units(PLAYERS, &pairs), 0.1, FirstSeatTerm::Absent).unwrap();
        let ratings = ratings.paired_by_results();
        let intervals = (0..PLAYERS).filter_map(|player| ratings.interval(player));
        let holds: Vec<bool> = intervals.map(|of| of.low <= 0.0 && 0.0 <= of.high).collect();
        held += holds.iter().filter(|holds| **holds).count();
        all += holds.len();
    }
    assert!(held * 100 >= all * 95, "{held} of {all}");
}

/// Once there are many units, an interval is 1.96 errors of the sandwich to both sides: games of a pair that end alike make
/// it wider than that of independent games, and draws narrower.
#[test]
fn with_many_units_intervals_are_those_of_the_sandwich() {
    let mut random = Random::new(11);
    let mut alike = TwoSeatUnits::new(3);
    let mut drawn = TwoSeatUnits::new(3);
    for number in 0..3000 {
        let (a, b) = (number % 3, (number + 1) % 3);
        let won = 2 * random.below(2);
        alike.add(&[game(a, b, won), game(b, a, 2 - won)]).unwrap();
        let (there, back) = (random.below(8) / 3, random.below(8) / 3);
        drawn.add(&[game(a, b, there), game(b, a, back)]).unwrap();
    }
    for (units, wider) in [(alike, true), (drawn, false)] {
        let ratings = bradley_terry(&units, 0.1, FirstSeatTerm::Absent).unwrap();
        for (player, of) in ratings.players().iter().enumerate() {
            let interval = ratings.interval(player).unwrap();
            let half = (interval.high - interval.low) / 2.0;
            assert_close(half / (1.96 * of.cluster_error), 1.0, 0.02);
            assert_eq!(half > 1.96 * of.fisher_error, wider);
        }
    }
}

#[test]
fn spotless_scores_have_wide_intervals_that_end() {
    for count in [1, 5, 1000] {
        let mut ten = TwoSeatUnits::new(2);
        (0..count).for_each(|_| ten.add(&[game(0, 1, 2), game(1, 0, 0)]).unwrap());
        let ratings = bradley_terry(&ten, 0.1, FirstSeatTerm::Absent).unwrap();
        let interval = ratings.difference_interval(0, 1).unwrap();
        assert!(interval.high > 900.0 && interval.high < 5000.0, "{count}: {interval:?}");
        assert_eq!(interval.low > 0.0, count > 5, "five pairs may all have ended alike: {interval:?}");
    }
}

#[test]
fn chances_of_being_stronger_add_up() {
    let mut random = Random::new(6);
    let ratings = bradley_terry(&units(6, &pairs(&mut random, 6, 90)), 0.1, FirstSeatTerm::Absent).unwrap();
    assert_close(elos(&ratings).iter().sum(), 0.0, 1e-9);
    for a in 0..6 {
        assert_eq!(ratings.superiority(a, a), None);
        for b in 0..a {
            let chances = ratings.superiority(a, b).unwrap() + ratings.superiority(b, a).unwrap();
            assert_close(chances, 1.0, 1e-9);
            let by_cluster = ratings.cluster_superiority(a, b).unwrap();
            assert_close(by_cluster + ratings.cluster_superiority(b, a).unwrap(), 1.0, 1e-12);
        }
    }
}

#[test]
fn with_two_seats_both_models_are_the_same() {
    let mut random = Random::new(7);
    let pairs = pairs(&mut random, 7, 80);
    let mut ranked = RankedUnits::new(7);
    for pair in &pairs {
        let unit = pair.map(|game| match game.score {
            Score::WIN => vec![vec![game.first], vec![game.second]],
            Score::LOSS => vec![vec![game.second], vec![game.first]],
            _ => vec![vec![game.second, game.first]],
        });
        ranked.add(&unit).unwrap();
    }
    let two = bradley_terry(&units(7, &pairs), 0.1, FirstSeatTerm::Absent).unwrap();
    let more = plackett_luce(&ranked, 0.1).unwrap();
    for (a, b) in two.players().iter().zip(more.players()) {
        assert_close(a.elo, b.elo, 1e-9);
        assert_close(a.fisher_error, b.fisher_error, 1e-9);
        assert_close(a.cluster_error, b.cluster_error, 1e-9);
    }
    assert_close(two.log_posterior(), more.log_posterior(), 1e-10);
}

/// Rankings of some of the players, with ties.
fn rankings(random: &mut Random, players: usize, seats: usize, count: usize) -> Vec<Vec<Vec<usize>>> {
    let mut one = |number: usize| {
        let mut places: Vec<Vec<usize>> = Vec::new();
        for seat in 0..seats {
            let player = (number * 5 + seat * (1 + number % 2)) % players;
            match random.below(places.len() + 3) {
                0 if seat > 0 => places.last_mut().unwrap().push(player),
                at => places.insert(at.min(places.len()), vec![player]),
            }
        }
        places
    };
    (0..count).map(&mut one).collect()
}

#[test]
fn the_order_of_units_changes_no_bit_of_a_rating_from_games_for_many() {
    let mut random = Random::new(8);
    for (players, seats) in [(7, 3), (9, 4), (13, 6)] {
        let games = rankings(&mut random, players, seats, 120);
        let gather = |units: &mut dyn Iterator<Item = &[Vec<Vec<usize>>]>| {
            let mut gathered = RankedUnits::new(players);
            units.for_each(|unit| gathered.add(unit).unwrap());
            gathered
        };
        let whole = gather(&mut games.chunks(seats));
        let reversed = gather(&mut games.chunks(seats).rev());
        let (whole, reversed) = (plackett_luce(&whole, 0.1).unwrap(), plackett_luce(&reversed, 0.1).unwrap());
        assert_eq!(whole.players(), reversed.players());
    }
}

#[test]
fn a_tie_of_all_is_the_mean_of_all_orders() {
    let mut tied = RankedUnits::new(6);
    tied.add(&[vec![(0..6).collect()]]).unwrap();
    let ratings = plackett_luce(&tied, 0.0).unwrap();
    assert!(elos(&ratings).iter().all(|elo| elo.abs() < 1e-9));
    assert_close(ratings.log_posterior(), -(720f64.ln()), 1e-12);
}

/// Any distribution, mixed with certainty of one result until it has the effect, is one that the maximum must beat.
#[test]
fn no_mixture_of_normalized_elo_does_better_in_pairs() {
    let mut random = Random::new(9);
    let effect_of = |p: &[f64]| {
        let mean: f64 = p.iter().zip(0..).map(|(p, cell)| p * f64::from(cell) / 4.0).sum();
        let square: f64 = p.iter().zip(0..).map(|(p, cell)| p * (f64::from(cell) / 4.0 - mean).powi(2)).sum();
        (mean - 0.5) / square.sqrt()
    };
    let mut compared = 0;
    for _ in 0..40 {
        let cells: Vec<u64> = (0..5).map(|_| (random.below(4) * random.below(40)) as u64).collect();
        let weights: Vec<f64> =
            cells.iter().map(|&count| if count == 0 { 1e-3 } else { count as f64 }).collect();
        let log_likelihood = |p: &[f64]| weights.iter().zip(p).map(|(n, p)| n * p.ln()).sum::<f64>();
        let total: f64 = weights.iter().sum();
        let counted: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let elo = 20.0;
        let effect = elo / (2.0 * ELO_PER_NAT) * 2f64.sqrt();
        // The test's ratio against a hypothesis that the counts fulfil themselves is the loss of the other one.
        let own = effect_of(&counted) / 2f64.sqrt() * 2.0 * ELO_PER_NAT;
        if (own - elo).abs() < 0.1 || own.abs() > 4000.0 {
            continue;
        }
        let sprt = Sprt::new(EloModel::Normalized, own.min(elo), own.max(elo), 0.05, 0.05).unwrap();
        let loss = sprt.log_likelihood_ratio(&Counts::new(&cells).unwrap()).abs();
        for _ in 0..200 {
            let shake: Vec<f64> =
                counted.iter().map(|p| p * (0.5 + random.below(1001) as f64 / 1000.0) + 1e-9).collect();
            let sum: f64 = shake.iter().sum();
            let shake: Vec<f64> = shake.iter().map(|p| p / sum).collect();
            let certain = random.below(5);
            let mixed = |share: f64| -> Vec<f64> {
                let point = |cell: usize| if cell == certain { share } else { 0.0 };
                shake.iter().enumerate().map(|(cell, p)| p * (1.0 - share) + point(cell)).collect()
            };
            let (mut low, mut high) = (0.0, 1.0 - 1e-9);
            if (effect_of(&mixed(low)) < effect) == (effect_of(&mixed(high)) < effect) {
                continue;
            }
            let below = effect_of(&mixed(low)) < effect;
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                *(if (effect_of(&mixed(middle)) < effect) == below { &mut low } else { &mut high }) = middle;
            }
            let gap = log_likelihood(&counted) - log_likelihood(&mixed(low));
            assert!(gap >= loss - 1e-7 * (1.0 + loss), "{cells:?}: {gap} is less than {loss}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared} distributions were compared");
}
