//! `arbiter stats --batch`: one question in, one answer out, never stopped by a bad line.

use super::question::{MAX_PLAYERS, Question, bad_field, count, half_points, permutation, player};
use crate::cli::options::{Fields, Refused};
use crate::statistics::{
    Decision, EloModel, EloSummary, FirstSeatTerm, Interval, RankedUnits, RatingError, Ratings, Score, Sprt,
    SprtError, SwissPlayer, TwoSeatGame, TwoSeatUnits, bradley_terry, plackett_luce, swiss_round,
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
    let kind = question.text("kind")?;
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
    if question.text("model")? != model {
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
    let model = match question.text("model")? {
        "logistic" => EloModel::Logistic,
        "normalized" => EloModel::Normalized,
        other => {
            let message = format!("{other:?} is neither \"logistic\" nor \"normalized\"");
            return Err(bad_field("model", message));
        }
    };
    let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|name| question.number(name));
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
    let prior = question.number("prior_lambda")?;
    let first_seat = match question.get("first_seat_term")? {
        Value::Bool(true) => FirstSeatTerm::Fitted,
        Value::Bool(false) => FirstSeatTerm::Absent,
        _ => return Err(bad_field("first_seat_term", "expected true or false")),
    };
    let mut by_unit: BTreeMap<u64, (usize, Vec<TwoSeatGame>)> = BTreeMap::new();
    for (index, game) in question.list("games")?.iter().enumerate() {
        let at = |column: usize| format!("games[{index}][{column}]");
        let Some([first, second, score, unit]) = game.as_array().map(Vec::as_slice) else {
            let message = "expected [first player, second player, score of the first, unit]";
            return Err(bad_field(format!("games[{index}]"), message));
        };
        let score_of = |value: &Value| value.as_f64().and_then(Score::new);
        let game = TwoSeatGame {
            first: count(first, at(0))? as usize,
            second: count(second, at(1))? as usize,
            score: score_of(score).ok_or_else(|| bad_field(at(2), "expected a number from 0 to 1"))?,
        };
        by_unit.entry(count(unit, at(3))?).or_insert((index, Vec::new())).1.push(game);
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
    let prior = question.number("prior_lambda")?;
    for (index, game) in question.list("results")?.iter().enumerate() {
        let field = || format!("results[{index}]");
        let places = game.as_array().ok_or_else(|| bad_field(field(), "expected a list of places"))?;
        let place = |(place, players): (usize, &Value)| -> Result<Vec<usize>, Refused> {
            let at = format!("results[{index}][{place}]");
            let players = players.as_array();
            let players = players.ok_or_else(|| bad_field(at.clone(), "expected a list of players"))?;
            players.iter().map(|player| Ok(count(player, at.clone())? as usize)).collect()
        };
        let places = places.iter().enumerate().map(place).collect::<Result<Vec<_>, _>>()?;
        units.add(&[places]).map_err(|error| bad_field(field(), error))?;
    }
    let ratings = plackett_luce(&units, prior).map_err(no_ratings)?;
    let mut answer = estimates(&ratings);
    answer["loglik"] = number(ratings.log_posterior());
    Ok(answer)
}

fn next_swiss_round(question: &Question) -> Result<Value, Refused> {
    let scores = question.list("scores")?;
    let players = scores.len();
    if players > MAX_PLAYERS {
        return Err(bad_field("scores", format!("{players} players; at most {MAX_PLAYERS} can be paired")));
    }
    let order = permutation(question.list("seed_order")?, players)?;
    let byes = question.list("had_bye")?;
    if byes.len() != players {
        return Err(bad_field(
            "had_bye",
            format!("expected {players}, one for each score, not {}", byes.len()),
        ));
    }
    let mut seeded = Vec::new();
    for &player in &order {
        let had_bye = byes[player].as_bool();
        let refused = || bad_field(format!("had_bye[{player}]"), "expected true or false");
        let half_points = half_points(&scores[player], format!("scores[{player}]"))?;
        seeded.push(SwissPlayer { half_points, had_bye: had_bye.ok_or_else(refused)? });
    }
    let mut met = BTreeSet::new();
    for (index, pair) in question.list("played")?.iter().enumerate() {
        let field = || format!("played[{index}]");
        let Some([a, b]) = pair.as_array().map(Vec::as_slice) else {
            return Err(bad_field(field(), "expected a pair of players"));
        };
        let pair = [player(a, players, field())?, player(b, players, field())?];
        if pair[0] == pair[1] {
            return Err(bad_field(field(), "nobody plays against himself"));
        }
        met.extend([pair, [pair[1], pair[0]]]);
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
