//! `arbiter stats --batch`: the numbers of other programs, and what a bad line is answered with.

use crate::support::{arbiter, arbiter_reading, page, scratch};
use arbiter::statistics::{Encounter, TieBreakOrder, TieBreaks, tie_breaks};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// A file of `tests/data/stats`.
fn data(file: &str) -> Value {
    crate::support::json(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stats").join(file))
}

/// How far an answer may be off: by so much, or by this share of the expected number.
#[derive(Clone, Copy, Debug)]
struct Tolerance {
    absolute: f64,
    relative: f64,
}

const EXACT: Tolerance = Tolerance { absolute: 0.0, relative: 0.0 };

fn absolute(by: f64) -> Tolerance {
    Tolerance { absolute: by, ..EXACT }
}

/// The answers to some lines, one each.
fn answers(test: &str, lines: &str) -> Vec<Value> {
    let out = arbiter_reading(&scratch(test), &["stats", "--batch"], lines).expect(0);
    out.lines().map(|line| serde_json::from_str(line).expect("an answer is one JSON object")).collect()
}

/// Asks for every case of a file and compares every field that is expected.
#[track_caller]
fn agrees(file: &str, tolerance: fn(&str) -> Tolerance) {
    let data = data(file);
    let cases = data["cases"].as_array().unwrap();
    assert!(!cases.is_empty(), "{file} has no cases");
    let asked: Vec<Value> = cases
        .iter()
        .map(|case| {
            let mut question = case.clone();
            question["kind"] = data["kind"].clone();
            question
        })
        .collect();
    let lines: String = asked.iter().map(|question| format!("{question}\n")).collect();
    let answers = answers(file, &lines);
    assert_eq!(answers.len(), cases.len(), "every line has an answer");
    for (case, answer) in cases.iter().zip(&answers) {
        for (field, expected) in case["expect"].as_object().unwrap() {
            let context = format!("{field} is {}, not {expected}, of {case}", answer[field]);
            assert!(is_close(&answer[field], expected, tolerance(field)), "{context}");
        }
    }
}

fn is_close(found: &Value, expected: &Value, tolerance: Tolerance) -> bool {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) => {
            let mut pairs = found.iter().zip(expected);
            found.len() == expected.len()
                && pairs.all(|(found, expected)| is_close(found, expected, tolerance))
        }
        (Value::Number(found), Value::Number(expected)) => {
            let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
            (found - expected).abs() <= tolerance.absolute.max(tolerance.relative * expected.abs())
        }
        _ => found == expected,
    }
}

#[test]
fn summaries_of_two_bots_are_those_of_the_reference() {
    agrees("elo.json", |field| match field.starts_with("pl_") {
        true => absolute(1e-8),
        false => Tolerance { absolute: 1e-9, relative: 1e-9 },
    });
}

#[test]
fn likelihood_ratios_are_those_of_the_reference() {
    agrees("sprt.json", |field| match field {
        "llr" => Tolerance { absolute: 1e-7, relative: 1e-7 },
        _ => Tolerance { absolute: 0.0, relative: 1e-12 },
    });
}

fn ratings(field: &str) -> Tolerance {
    match field {
        "elo" | "first_seat_elo" => absolute(1e-5),
        "los_cluster" => absolute(1e-7),
        "loglik" => absolute(1e-8),
        // An error of 0 is exact up to rounding.
        _ => Tolerance { absolute: 1e-12, relative: 1e-6 },
    }
}

#[test]
fn ratings_of_games_for_two_are_those_of_the_reference() {
    agrees("bradley_terry.json", ratings);
}

#[test]
fn ratings_of_games_for_many_are_those_of_the_reference() {
    agrees("plackett_luce.json", ratings);
}

#[test]
fn swiss_rounds_cost_no_more_than_the_reference() {
    agrees("swiss.json", |_| EXACT);
}

#[test]
fn tie_breaks_are_those_of_the_reference() {
    let data = data("pairings.json");
    let cases = data["tiebreaks"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let players = case["players"].as_u64().unwrap() as usize;
        let mut met = vec![vec![Encounter::default(); players]; players];
        let (mut points, mut wins) = (vec![0.0; players], vec![0; players]);
        for game in case["games"].as_array().unwrap() {
            let number = |column: usize| game[column].as_f64().unwrap();
            let (first, second, made) = (number(0) as usize, number(1) as usize, number(2));
            for (player, other, points_made) in [(first, second, made), (second, first, 1.0 - made)] {
                met[player][other].games += 1;
                met[player][other].half_points += (2.0 * points_made) as u64;
                points[player] += points_made;
                wins[player] += u64::from(points_made == 1.0);
            }
        }
        let tie_breaks = tie_breaks(&points, &wins, |player, other| met[player][other]);
        let found = |value: fn(&TieBreaks) -> f64| tie_breaks.iter().map(value).collect::<Vec<_>>();
        assert_eq!(
            json!({
                "points": found(|player| player.points),
                "head_to_head": found(|player| player.head_to_head),
                "sonneborn_berger": found(|player| player.sonneborn_berger),
                "buchholz": found(|player| player.buchholz),
                "wins": tie_breaks.iter().map(|player| player.wins).collect::<Vec<_>>(),
            }),
            case["expect"]
        );
    }
}

#[test]
fn the_winner_of_the_direct_encounter_comes_first_and_equals_share_a_place() {
    let of = |head_to_head, sonneborn_berger| TieBreaks {
        points: 3.0,
        head_to_head,
        sonneborn_berger,
        buchholz: 9.0,
        wins: 2,
    };
    let order = TieBreakOrder::HeadToHeadFirst;
    assert!(
        order.compare(&of(1.0, 4.0), &of(0.0, 5.0)).is_lt()
            && order.compare(&of(0.5, 4.0), &of(0.5, 4.0)).is_eq()
    );
    assert!(TieBreakOrder::BuchholzFirst.compare(&of(1.0, 4.0), &of(0.0, 5.0)).is_gt());
}

#[test]
fn answers_have_the_fields_of_the_reference_and_intervals() {
    let fields = |answer: &Value| answer.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    for file in ["elo.json", "sprt.json", "bradley_terry.json", "plackett_luce.json", "swiss.json"] {
        let data = data(file);
        let mut question = data["cases"][0].clone();
        question["kind"] = data["kind"].clone();
        let answer = answers(&format!("fields-{file}"), &question.to_string());
        let mut expected = fields(&question["expect"]);
        if ["elo.json", "bradley_terry.json", "plackett_luce.json"].contains(&file) {
            expected.insert("interval".to_owned());
        }
        assert_eq!(fields(&answer[0]), expected, "{file}");
    }
}

/// A question with these fields.
fn elo(model: &str, counts: Value) -> Value {
    json!({ "kind": "elo-summary", "model": model, "counts": counts })
}

fn sprt(elo0: f64, elo1: f64, errors: f64) -> Value {
    json!({ "kind": "sprt", "model": "logistic", "elo0": elo0, "elo1": elo1, "alpha": errors, "beta": errors, "counts": [1, 2, 3] })
}

fn two_seats(players: usize, prior: f64, games: Value) -> Value {
    json!({ "kind": "bradley-terry", "players": players, "prior_lambda": prior, "first_seat_term": false, "games": games })
}

fn more_seats(players: usize, results: Value) -> Value {
    json!({ "kind": "plackett-luce", "players": players, "prior_lambda": 0.1, "results": results })
}

fn swiss(scores: &[f64], seed_order: Value, played: Value, bye: bool) -> Value {
    let byes = vec![bye; scores.len()];
    json!({ "kind": "swiss-round", "scores": scores, "seed_order": seed_order, "played": played, "had_bye": byes })
}

#[test]
fn every_mistake_has_its_code_and_its_field() {
    let game = |game: Value| two_seats(2, 0.1, json!([game]));
    let thirteen: Vec<usize> = (0..13).collect();
    let cases = [
        (json!([]), "bad-json", ""),
        (json!({}), "missing-field", "kind"),
        (json!({ "kind": "Elo" }), "unknown-kind", "kind"),
        (json!({ "kind": "elo-summary", "model": "trinomial" }), "missing-field", "counts"),
        (elo("trinomial", json!([1, -1, 0])), "bad-field", "counts[1]"),
        (elo("trinomial", json!([1, 2])), "bad-field", "counts"),
        (elo("pentanomial", json!([1, 2, 3])), "bad-field", "model"),
        (elo("trinomial", json!([9_007_199_254_740_992_u64, 1, 0])), "bad-field", "counts"),
        (sprt(5.0, 0.0, 0.05), "bad-field", "elo0"),
        (sprt(0.0, 5.0, 0.5), "bad-field", "alpha"),
        (game(json!([0, 2, 1, 0])), "bad-field", "the unit of games[0]"),
        (game(json!([0, 1, 1.5, 0])), "bad-field", "games[0][2]"),
        (game(json!([0, 1, 1])), "bad-field", "games[0]"),
        (two_seats(2, 0.0, json!([[0, 1, 1, 0]])), "no-ratings", ""),
        (more_seats(13, json!([[thirteen]])), "bad-field", "results[0]"),
        (more_seats(3, json!([[[0], [1, 0]]])), "bad-field", "results[0]"),
        (swiss(&[1.0, 0.25], json!([0, 1]), json!([]), false), "bad-field", "scores[1]"),
        (swiss(&[1.0, 0.0], json!([0, 0]), json!([]), false), "bad-field", "seed_order"),
        (swiss(&[1.0, 0.0], json!([1, 0]), json!([[0, 2]]), false), "bad-field", "played[0]"),
    ];
    let lines: String = cases.iter().map(|(question, ..)| format!("{question}\n")).collect();
    for ((question, code, field), answer) in cases.iter().zip(answers("mistakes", &lines)) {
        let error = &answer["error"];
        let found = (error["code"].as_str(), error["field"].as_str().unwrap_or_default());
        assert_eq!(found, (Some(*code), *field), "{question}: {answer}");
        assert!(!error["message"].as_str().unwrap_or_default().is_empty(), "{question}: {answer}");
    }
}

#[test]
fn a_bad_line_stops_nothing() {
    let lines = "\n{\"kind\":\n{\"kind\":\"elo-summary\",\"model\":\"trinomial\",\"counts\":[0,0,10]}";
    let answers = answers("bad-line", lines);
    let codes: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["code"]).collect();
    assert_eq!(codes, [&json!("bad-json"), &json!("bad-json"), &Value::Null]);
    assert_eq!(answers[2]["elo"], "inf");
}

#[test]
fn the_examples_of_the_page_are_answered_as_it_says() {
    let page = page("arbiter/src/statistics/README.md");
    let lines: Vec<&str> = page.lines().filter(|line| line.starts_with('{')).collect();
    let (questions, expected): (Vec<&str>, Vec<&str>) =
        lines.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    assert_eq!(questions.len(), 6, "every kind has its example");
    for (answer, expected) in answers("page", &questions.join("\n")).iter().zip(expected) {
        assert_eq!(answer, &serde_json::from_str::<Value>(expected).unwrap());
    }
}

#[test]
fn the_odd_ends_of_every_kind_are_answered() {
    let all_played = |scores: &[f64], bye: bool| {
        let players = scores.len();
        let played: Vec<[usize; 2]> = (0..players).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let order: Vec<usize> = (0..players).rev().collect();
        swiss(scores, json!(order), json!(played), bye)
    };
    let drawn = json!([[0, 1, 0.5, 0], [1, 0, 0.5, 0]]);
    let cases = [
        (elo("pentanomial", json!([0, 0, 0, 0, 0])), "score", Value::Null),
        (elo("trinomial", json!([7.0, 0, 0])), "pl_elo_lo", json!("-inf")),
        (two_seats(1, 0.1, json!([])), "elo", json!([0.0])),
        (two_seats(3, 0.1, json!([])), "se_cluster", json!([0.0, 0.0, 0.0])),
        (two_seats(2, 0.1, drawn), "los_cluster", json!([[null, null], [null, null]])),
        (more_seats(2, json!([])), "loglik", json!(0.0)),
        (all_played(&[], false), "cost", json!([0, 0, 0, 0, 0])),
        (all_played(&[3.0], true), "cost", json!([0, 1, 0, 0, 0])),
        // Everybody has met everybody, and everybody has had a bye.
        (all_played(&[2.0, 1.0, 1.0], true), "cost", json!([1, 1, 0, 4, 0])),
    ];
    let lines: String = cases.iter().map(|(question, ..)| format!("{question}\n")).collect();
    for ((question, field, expected), answer) in cases.iter().zip(answers("odd-ends", &lines)) {
        assert_eq!(&answer[*field], expected, "{question}: {answer}");
    }
}

/// Whoever copies an example must get an answer.
#[test]
fn the_examples_of_the_help_are_answered() {
    let help = arbiter(&scratch("stats-help"), &["stats", "--help"]).expect(0);
    let mut echoed =
        help.split("echo '").skip(1).map(|rest| rest.split('\'').next().unwrap().replace('\n', ""));
    let (questions, rest): (Vec<String>, Vec<String>) = (echoed.by_ref().take(3).collect(), echoed.collect());
    assert_eq!((questions.len(), rest.len()), (3, 0));
    for answer in answers("help-examples", &questions.join("\n")) {
        assert!(answer.get("error").is_none(), "{answer}");
    }
}

#[test]
fn without_batch_the_help_is_shown_the_way() {
    let run = arbiter(&scratch("no-batch"), &["stats"]);
    assert_eq!(run.code, 2);
    run.and_says("--batch");
}
