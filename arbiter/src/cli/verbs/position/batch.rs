//! `arbiter position --batch`: one JSON object in, one JSON object out, never stopped by a bad line.

use super::{add_obligation, describe};
use crate::cli::options::{Fields, Refused, short, whole};
use crate::ui::legal;
use arbiter_rules::{
    Chance, ChanceSource, Choice, Move, Position, Seat, Setup, did_you_mean, registry, shown,
};
use serde_json::{Value, json};

fn not_understood(message: impl ToString) -> Refused {
    Refused::new("not-understood", message)
}

impl From<arbiter_rules::IllegalMove> for Refused {
    fn from(why: arbiter_rules::IllegalMove) -> Refused {
        Refused::new(why.reason.code(), why.sentence)
    }
}

const KEYS: [&str; 7] = ["game", "players", "options", "position", "moves", "seed", "each_ply"];

pub(super) fn answer(request: Fields) -> Result<Value, Refused> {
    check_keys(&request, &KEYS).map_err(Refused::json)?;
    let mut position = start(&request)?;
    let seed = seed(&request)?;
    let each_ply = match field(&request, "each_ply") {
        None => false,
        Some(Value::Bool(each)) => *each,
        Some(_) => return Err(Refused::json("each_ply is true or false")),
    };
    let mut plies = Vec::new();
    for (index, turn) in moves(&request, &position)?.iter().enumerate() {
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

/// Refuses keys that nobody reads: a mistyped one would be left out without a word.
fn check_keys(fields: &Fields, known: &[&str]) -> Result<(), String> {
    let Some(key) = fields.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let meant = did_you_mean(key, known.iter().copied());
    Err(format!("there is no key '{}'{meant}; known keys: {}", shown(key), known.join(", ")))
}

/// A field that is there and not null.
fn field<'a>(request: &'a Fields, name: &str) -> Option<&'a Value> {
    request.get(name).filter(|value| !value.is_null())
}

fn start(request: &Fields) -> Result<Position, Refused> {
    let text = |name: &'static str| match field(request, name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(Refused::json(format!("{name} is a text"))),
    };
    let game = text("game")?.ok_or_else(|| Refused::json("game is missing"))?;
    let options: Vec<(&str, String)> = match field(request, "options") {
        None => Vec::new(),
        Some(Value::Object(options)) => {
            options.iter().map(|(name, value)| (name.as_str(), plain(value))).collect()
        }
        Some(_) => return Err(Refused::json("options is an object")),
    };
    let given: Vec<_> = options.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let players = match field(request, "players") {
        None => None,
        Some(Value::Number(players)) => {
            let count = whole(players).and_then(|players| usize::try_from(players).ok());
            let refused = || format!("players is a number of seats, not {players}");
            Some(count.ok_or_else(|| Refused::new("bad-option", refused()))?)
        }
        Some(_) => return Err(Refused::json("players is a number")),
    };
    let setup = Setup { players, options: &given, position: text("position")? };
    registry::start(game, &setup).map_err(|error| Refused::new(error.code(), error))
}

/// A value as it would be typed after the equals sign.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => whole(number).map_or(number.to_string(), |whole| whole.to_string()),
        other => other.to_string(),
    }
}

fn seed(request: &Fields) -> Result<Option<u64>, Refused> {
    let Some(value) = field(request, "seed") else { return Ok(None) };
    let text = plain(value);
    let (digits, radix) = text.strip_prefix("0x").map_or((&*text, 10), |digits| (digits, 16));
    let number = digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, radix));
    let refused = || Refused::json("seed is a text of 0x and up to 16 hexadecimal digits");
    number.and_then(Result::ok).map(Some).ok_or_else(refused)
}

fn moves(request: &Fields, position: &Position) -> Result<Vec<Value>, Refused> {
    match field(request, "moves") {
        None => Ok(Vec::new()),
        Some(Value::Array(moves)) => Ok(moves.clone()),
        Some(Value::String(text)) => Ok(position.split_moves(text).into_iter().map(Value::from).collect()),
        Some(_) => Err(Refused::json("moves is a list")),
    }
}

/// Plays one element of `moves` and returns what chance did after it.
fn take_turn(position: &mut Position, turn: &Value, seed: Option<u64>) -> Result<Chance, Refused> {
    let (submitted, recorded) = match turn {
        Value::Object(object) => {
            if let Some(seat) = object.get("eliminate") {
                check_keys(object, &["eliminate"]).map_err(not_understood)?;
                return eliminate(position, seat).map(|()| Chance::NONE);
            }
            let submitted =
                object.get("move").ok_or_else(|| not_understood("expected \"move\" or \"eliminate\""))?;
            check_keys(object, &["move", "earthquake"]).map_err(not_understood)?;
            (submitted, field(object, "earthquake"))
        }
        other => (other, None),
    };
    let choice = choice(position, submitted)?;
    let chance = match (recorded, seed) {
        (Some(recorded), _) => recorded_chance(position, choice.played, recorded)?,
        (None, Some(seed)) => position.draw_chance(choice.played, ChanceSource::GameSeed(seed)),
        (None, None) => Chance::NONE,
    };
    position.play(choice.played, &chance)?;
    Ok(chance)
}

fn eliminate(position: &mut Position, seat: &Value) -> Result<(), Refused> {
    if position.end().is_some() {
        return Err(Refused::new("game-over", "The game is over."));
    }
    let index = seat.as_number().and_then(whole).and_then(|index| usize::try_from(index).ok());
    let in_game = |seat: &Seat| seat.index() < position.seats() && position.is_in(*seat);
    let Some(seat) = index.and_then(Seat::new).filter(in_game) else {
        return Err(not_understood(format!("There is no seat {} in the game.", short(seat))));
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
        Value::Array(cells) => {
            let cell = |cell: &Value| match cell.as_number().and_then(whole) {
                // Whatever lies beyond 64 bits lies off every board.
                Some(number) => Ok(number.clamp(i64::MIN.into(), i64::MAX.into()) as i64),
                None => Err(not_understood(format!(
                    "A path is a list of whole numbers; {} is none.",
                    short(cell)
                ))),
            };
            let path: Vec<i64> = cells.iter().map(cell).collect::<Result<_, _>>()?;
            Ok(position.judge_path(&path)?)
        }
        other => Err(not_understood(format!("{} is not a move.", short(other)))),
    }
}

fn recorded_chance(position: &Position, m: Move, recorded: &Value) -> Result<Chance, Refused> {
    let Value::Object(stacks) = recorded else {
        return Err(not_understood("An earthquake is an object of cells and tokens."));
    };
    let mut chance = Chance::NONE;
    for (name, tokens) in stacks {
        let cell = (0..position.shape().cells() as u16).find(|&cell| position.cell_name(cell) == *name);
        let cell = cell.ok_or_else(|| not_understood(format!("There is no cell '{}'.", shown(name))))?;
        let count = tokens.as_number().and_then(whole).and_then(|tokens| u32::try_from(tokens).ok());
        let refused = || not_understood(format!("{} is no number of tokens.", short(tokens)));
        chance.fallen.push((cell, count.ok_or_else(refused)?));
    }
    chance.fallen.sort_unstable();
    let refused = |problem| not_understood(format!("This cannot have fallen: {problem}."));
    position.judge_chance(m, &chance).map_err(refused)?;
    Ok(chance)
}

fn earthquake_json(position: &Position, chance: &Chance) -> Value {
    chance.fallen.iter().map(|&(cell, tokens)| (position.cell_name(cell), json!(tokens))).collect()
}
