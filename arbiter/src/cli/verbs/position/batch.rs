//! `arbiter position --batch`: one JSON object in, one JSON object out, never stopped by a bad line.

use super::{add_obligation, describe};
use crate::cli::options::{Fields, Refused, Whole};
use crate::ui::legal;
use arbiter_rules::{Chance, ChanceSource, Choice, Move, Position, Seat, Setup, registry, shown};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What may be asked. A key that is not among these is refused: a mistyped one would be left out without a word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    game: String,
    players: Option<Whole<usize>>,
    options: Option<Map<String, Value>>,
    position: Option<String>,
    /// A list of turns, or a text of moves.
    moves: Option<Value>,
    seed: Option<Value>,
    each_ply: Option<bool>,
}

/// An element of `moves` that is more than a move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    #[serde(rename = "move")]
    submitted: Option<Value>,
    earthquake: Option<BTreeMap<String, Whole<u32>>>,
    eliminate: Option<Whole<usize>>,
}

fn not_understood(message: impl ToString) -> Refused {
    Refused::new("not-understood", message)
}

impl From<arbiter_rules::IllegalMove> for Refused {
    fn from(why: arbiter_rules::IllegalMove) -> Refused {
        Refused::new(why.reason.code(), why.sentence)
    }
}

pub(super) fn answer(request: Fields) -> Result<Value, Refused> {
    let request = Request::deserialize(Value::Object(request)).map_err(Refused::json)?;
    let mut position = start(&request)?;
    let seed = request.seed.as_ref().map(seed).transpose()?;
    let each_ply = request.each_ply.unwrap_or_default();
    let mut plies = Vec::new();
    for (index, turn) in moves(request.moves, &position)?.into_iter().enumerate() {
        let mut ply = if each_ply { describe_ply(&position) } else { Value::Null };
        let chance = take_turn(&mut position, turn, seed).map_err(|refused| refused.at(index))?;
        if each_ply {
            if seed.is_some() || position.has_chance() {
                ply["earthquake"] = earthquake_json(&position, &chance);
            }
            plies.push(ply);
        }
    }
    let mut object = describe(&position);
    if each_ply {
        object["plies"] = Value::Array(plies);
    }
    Ok(object)
}

/// What can be played in a position on the way.
fn describe_ply(position: &Position) -> Value {
    let mut ply = json!({ "legal": legal(position), "to_move": position.to_move().map(Seat::index) });
    add_obligation(position, &mut ply);
    ply
}

fn start(request: &Request) -> Result<Position, Refused> {
    let options = request.options.iter().flatten().map(|(name, value)| (name.as_str(), plain(value)));
    let options: Vec<_> = options.collect();
    let given: Vec<_> = options.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let players = request.players.map(|players| players.0);
    let setup = Setup { players, options: &given, position: request.position.as_deref() };
    registry::start(&request.game, &setup).map_err(|error| Refused::new(error.code(), error))
}

/// A value as it would be typed after the equals sign.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // 4.0 is 4, as JSON knows only one kind of number.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

fn seed(value: &Value) -> Result<u64, Refused> {
    let text = plain(value);
    let (digits, radix) = text.strip_prefix("0x").map_or((&*text, 10), |digits| (digits, 16));
    let number = digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, radix));
    let refused = || Refused::json("seed is a text of 0x and up to 16 hexadecimal digits");
    number.and_then(Result::ok).ok_or_else(refused)
}

fn moves(moves: Option<Value>, position: &Position) -> Result<Vec<Value>, Refused> {
    match moves {
        None => Ok(Vec::new()),
        Some(Value::Array(moves)) => Ok(moves),
        Some(Value::String(text)) => Ok(position.split_moves(&text).into_iter().map(Value::from).collect()),
        Some(_) => Err(Refused::json("moves is a list")),
    }
}

/// Plays one element of `moves` and returns what chance did after it.
fn take_turn(position: &mut Position, turn: Value, seed: Option<u64>) -> Result<Chance, Refused> {
    let turn = match turn {
        Value::Object(_) => Turn::deserialize(turn).map_err(not_understood)?,
        submitted => Turn { submitted: Some(submitted), earthquake: None, eliminate: None },
    };
    let (submitted, recorded) = match turn {
        Turn { eliminate: Some(Whole(seat)), submitted: None, earthquake: None } => {
            return eliminate(position, seat).map(|()| Chance::NONE);
        }
        Turn { eliminate: None, submitted: Some(submitted), earthquake } => (submitted, earthquake),
        Turn { .. } => return Err(not_understood("expected \"move\" or \"eliminate\"")),
    };
    let choice = choice(position, &submitted)?;
    let chance = match (recorded, seed) {
        (Some(recorded), _) => recorded_chance(position, choice.played, recorded)?,
        (None, Some(seed)) => position.draw_chance(choice.played, ChanceSource::GameSeed(seed)),
        (None, None) => Chance::NONE,
    };
    position.play(choice.played, &chance)?;
    Ok(chance)
}

fn eliminate(position: &mut Position, seat: usize) -> Result<(), Refused> {
    if position.end().is_some() {
        return Err(Refused::new("game-over", "The game is over."));
    }
    let in_game = |seat: &Seat| seat.index() < position.seats() && position.is_in(*seat);
    let Some(seat) = Seat::new(seat).filter(in_game) else {
        return Err(not_understood(format!("There is no seat {seat} in the game.")));
    };
    if Seat::all(position.seats()).filter(|&seat| position.is_in(seat)).count() == 1 {
        return Err(not_understood("The last seat in the game cannot be taken out."));
    }
    position.eliminate(seat);
    Ok(())
}

fn choice(position: &Position, submitted: &Value) -> Result<Choice, Refused> {
    match submitted {
        Value::String(text) => Ok(position.read_move(text)?),
        Value::Array(_) => {
            let path = Vec::<f64>::deserialize(submitted).ok();
            let path = path.filter(|path| path.iter().all(|cell| cell.fract() == 0.0));
            let path = path.ok_or_else(|| not_understood("A path is a list of whole numbers."))?;
            // Whatever lies beyond 64 bits lies off every board.
            Ok(position.judge_path(&path.into_iter().map(|cell| cell as i64).collect::<Vec<_>>())?)
        }
        other => Err(not_understood(format!("{other} is not a move."))),
    }
}

fn recorded_chance(
    position: &Position,
    m: Move,
    recorded: BTreeMap<String, Whole<u32>>,
) -> Result<Chance, Refused> {
    let mut chance = Chance::NONE;
    for (name, Whole(tokens)) in recorded {
        let cell = (0..position.shape().cells() as u16).find(|&cell| position.cell_name(cell) == name);
        let cell = cell.ok_or_else(|| not_understood(format!("There is no cell '{}'.", shown(&name))))?;
        chance.fallen.push((cell, tokens));
    }
    chance.fallen.sort_unstable();
    let refused = |problem| not_understood(format!("This cannot have fallen: {problem}."));
    position.judge_chance(m, &chance).map_err(refused)?;
    Ok(chance)
}

fn earthquake_json(position: &Position, chance: &Chance) -> Value {
    chance.fallen.iter().map(|&(cell, tokens)| (position.cell_name(cell), json!(tokens))).collect()
}
