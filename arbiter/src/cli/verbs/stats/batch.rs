//! `arbiter stats --batch`: one question in, one answer out, never stopped by a bad line.

use super::question::{HalfPoints, MAX_PLAYERS, Question, bad_field};
use crate::cli::options::{Fields, Refused, Whole};
use crate::statistics::{
    Decision, EloModel, EloSummary, FirstSeatTerm, Interval, RankedUnits, RatingError, Ratings, ResultsError,
    Score, Sprt, SprtError, SwissPlayer, TwoSeatGame, TwoSeatUnits, bradley_terry, plackett_luce,
    swiss_round,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

type Answer = fn(&Question) -> Result<Value, Refused>;

const KINDS: &[(&str, Answer)] = &[
    ("elo-summary", elo_summary),
    ("sprt", sprt),
    ("bradley-terry", two_seat_ratings),
    ("plackett-luce", ranked_ratings),
    ("swiss-round", next_swiss_round),
];

pub(super) fn answer(fields: Fields) -> Result<Value, Refused> {
    let question = Question(fields);
    let kind: &str = question.read("kind")?;
    match KINDS.iter().find(|(name, _)| *name == kind) {
        Some((_, answer)) => answer(&question),
        None => {
            let known: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let message = format!("there is no kind {kind:?}; known are {}", known.join(", "));
            Err(Refused::new("unknown-kind", message).at("kind"))
        }
    }
}

fn elo_summary(question: &Question) -> Result<Value, Refused> {
    let counts = question.counts()?;
    let model = match counts.games_per_unit() {
        1 => "trinomial",
        _ => "pentanomial",
    };
    if question.read::<&str>("model")? != model {
        let message = format!("{} counts belong to the model {model:?}", counts.cells().len());
        return Err(bad_field("model", message));
    }
    let some = EloSummary::of(&counts);
    let known =
        |value: fn(&EloSummary) -> f64| some.as_ref().map_or(Value::Null, |summary| number(value(summary)));
    let perhaps =
        |value: fn(&EloSummary) -> Option<f64>| some.as_ref().and_then(value).map_or(Value::Null, number);
    let units = counts.units();
    Ok(json!({
        "units": units,
        "games": units * counts.games_per_unit(),
        "score": known(|summary| summary.score),
        "variance_unit": known(|summary| summary.unit_variance),
        "score_se": known(|summary| summary.score_error),
        "elo": known(|summary| summary.elo),
        "elo_lo": known(|summary| summary.elo_interval.low),
        "elo_hi": known(|summary| summary.elo_interval.high),
        "elo_half": perhaps(|summary| summary.elo_margin),
        "los": perhaps(|summary| summary.superiority),
        "nelo": perhaps(|summary| summary.normalized_elo),
        "nelo_half": perhaps(|summary| summary.normalized_elo_margin),
        "pl_lo": known(|summary| summary.profile_score.low),
        "pl_hi": known(|summary| summary.profile_score.high),
        "pl_elo_lo": known(|summary| summary.profile_elo.low),
        "pl_elo_hi": known(|summary| summary.profile_elo.high),
        "interval": ends(some.as_ref().and_then(|summary| summary.interval)),
    }))
}

fn sprt(question: &Question) -> Result<Value, Refused> {
    let model = match question.read("model")? {
        "logistic" => EloModel::Logistic,
        "normalized" => EloModel::Normalized,
        other => {
            let message = format!("{other:?} is neither \"logistic\" nor \"normalized\"");
            return Err(bad_field("model", message));
        }
    };
    let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|name| question.read(name));
    let (elo0, elo1, alpha, beta) = (elo0?, elo1?, alpha?, beta?);
    let counts = question.counts()?;
    let sprt = Sprt::new(model, elo0, elo1, alpha, beta).map_err(|error| {
        let field = match error {
            SprtError::Hypotheses => "elo0",
            SprtError::Errors => "alpha",
        };
        bad_field(field, error)
    })?;
    let ratio = sprt.log_likelihood_ratio(&counts);
    let state = match sprt.decision_at(ratio) {
        Decision::Continue => "continue",
        Decision::H0 => "H0",
        Decision::H1 => "H1",
    };
    Ok(json!({
        "llr": number(ratio),
        "lower": number(sprt.lower_bound()),
        "upper": number(sprt.upper_bound()),
        "state": state,
    }))
}

fn two_seat_ratings(question: &Question) -> Result<Value, Refused> {
    let mut units = TwoSeatUnits::new(question.players()?);
    let prior = question.read("prior_lambda")?;
    let first_seat =
        if question.read("first_seat_term")? { FirstSeatTerm::Fitted } else { FirstSeatTerm::Absent };
    type Game = (Whole<usize>, Whole<usize>, f64, Whole<u64>);
    let mut by_unit: BTreeMap<u64, (usize, Vec<TwoSeatGame>)> = BTreeMap::new();
    for (index, (Whole(first), Whole(second), score, Whole(unit))) in
        question.read::<Vec<Game>>("games")?.into_iter().enumerate()
    {
        let refused = || bad_field(format!("games[{index}][2]"), "expected a number from 0 to 1");
        let game = TwoSeatGame { first, second, score: Score::new(score).ok_or_else(refused)? };
        by_unit.entry(unit).or_insert((index, Vec::new())).1.push(game);
    }
    for (index, games) in by_unit.values() {
        units.add(games).map_err(|error| bad_field(format!("the unit of games[{index}]"), error))?;
    }
    let ratings = bradley_terry(&units, prior, first_seat).map_err(no_ratings)?;
    let players = units.players();
    let chances: Vec<Vec<Option<f64>>> =
        (0..players).map(|a| (0..players).map(|b| ratings.cluster_superiority(a, b)).collect()).collect();
    let mut answer = estimates(&ratings);
    answer["los_cluster"] = json!(chances);
    answer["first_seat_elo"] = json!(ratings.first_seat().map(|value| value.elo));
    answer["first_seat_se_cluster"] = json!(ratings.first_seat().map(|value| value.cluster_error));
    Ok(answer)
}

fn ranked_ratings(question: &Question) -> Result<Value, Refused> {
    let mut units = RankedUnits::new(question.players()?);
    let prior = question.read("prior_lambda")?;
    let results: Vec<Vec<Vec<Whole<usize>>>> = question.read("results")?;
    for (index, places) in results.into_iter().enumerate() {
        let places = places.into_iter().map(|place| place.into_iter().map(|player| player.0).collect());
        units.add(&[places.collect()]).map_err(|error| bad_field(format!("results[{index}]"), error))?;
    }
    let ratings = plackett_luce(&units, prior).map_err(no_ratings)?;
    let mut answer = estimates(&ratings);
    answer["loglik"] = number(ratings.log_posterior());
    Ok(answer)
}

fn next_swiss_round(question: &Question) -> Result<Value, Refused> {
    let scores: Vec<HalfPoints> = question.read("scores")?;
    let players = scores.len();
    if players > MAX_PLAYERS {
        return Err(bad_field("scores", format!("{players} players; at most {MAX_PLAYERS} can be paired")));
    }
    let order: Vec<Whole<usize>> = question.read("seed_order")?;
    let order: Vec<usize> = order.into_iter().map(|player| player.0).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..players) {
        return Err(bad_field("seed_order", format!("expected each of the {players} players once")));
    }
    let byes: Vec<bool> = question.read("had_bye")?;
    if byes.len() != players {
        let message = format!("expected {players}, one for each score, not {}", byes.len());
        return Err(bad_field("had_bye", message));
    }
    let seeded =
        order.iter().map(|&player| SwissPlayer { half_points: scores[player].0, had_bye: byes[player] });
    let seeded: Vec<SwissPlayer> = seeded.collect();
    let mut met = BTreeSet::new();
    let played: Vec<(Whole<usize>, Whole<usize>)> = question.read("played")?;
    for (index, (Whole(a), Whole(b))) in played.into_iter().enumerate() {
        let refused = |message: String| Err(bad_field(format!("played[{index}]"), message));
        if a.max(b) >= players {
            return refused(ResultsError::NoSuchPlayer { player: a.max(b), players }.to_string());
        }
        if a == b {
            return refused("nobody plays against himself".to_owned());
        }
        met.extend([[a, b], [b, a]]);
    }
    let round = swiss_round(&seeded, |a, b| met.contains(&[order[a], order[b]]));
    Ok(json!({ "cost": round.cost.parts() }))
}

fn estimates(ratings: &Ratings) -> Value {
    let players = ratings.players();
    json!({
        "elo": players.iter().map(|player| number(player.elo)).collect::<Vec<_>>(),
        "se_fisher": players.iter().map(|player| number(player.fisher_error)).collect::<Vec<_>>(),
        "se_cluster": players.iter().map(|player| number(player.cluster_error)).collect::<Vec<_>>(),
        "interval": (0..players.len()).map(|player| ends(ratings.interval(player))).collect::<Vec<_>>(),
    })
}

fn ends(interval: Option<Interval>) -> Value {
    interval.map_or(Value::Null, |interval| json!([number(interval.low), number(interval.high)]))
}

fn no_ratings(error: RatingError) -> Refused {
    let field = match error {
        RatingError::NoPlayers => "players",
        RatingError::BadPrior => "prior_lambda",
        RatingError::Unbounded | RatingError::NotFound => {
            let message = format!("{error}; a prior_lambda such as 0.1 gives them ratings");
            return Refused::new("no-ratings", message);
        }
        RatingError::FirstSeatUnbounded => {
            let message = format!("{error}; leave it out with first_seat_term false");
            return Refused::new("no-ratings", message);
        }
    };
    bad_field(field, error)
}

/// A number as JSON can hold it: infinities are texts.
fn number(value: f64) -> Value {
    if value == f64::INFINITY {
        json!("inf")
    } else if value == f64::NEG_INFINITY {
        json!("-inf")
    } else {
        // Adding 0 turns −0 into 0.
        json!(value + 0.0)
    }
}
