//! Questions and answers as JSON, one a line: what `--batch` means.

use crate::cli::{Failure, Output};
use serde::Deserialize;
use serde_json::{Map, Number, Value, json};
use std::io::{self, BufRead, Read};

pub(crate) type Fields = Map<String, Value>;

/// Letters of the longest message: what it quotes may be as long as a line.
const LONGEST_MESSAGE: usize = 250;

/// What is wrong with a question: a stable code, a sentence, and where in the question it is.
pub(crate) struct Refused {
    code: &'static str,
    place: Value,
    message: String,
}

impl Refused {
    pub(crate) fn new(code: &'static str, message: impl ToString) -> Refused {
        Refused { code, place: Value::Null, message: message.to_string() }
    }

    /// A line that is no question, or a field that is none.
    pub(crate) fn json(message: impl ToString) -> Refused {
        Refused::new("bad-json", message)
    }

    pub(crate) fn at(self, place: impl Into<Value>) -> Refused {
        Refused { place: place.into(), ..self }
    }
}

/// Bytes of the longest line that is read: a stream without newlines shall not fill the memory.
const LONGEST_LINE: u64 = 64 << 20;

/// Answers each line of standard input with one line; `place` is what answers call the place of a mistake.
pub(crate) fn answer_lines(
    out: &mut Output,
    place: &str,
    answer: fn(Fields) -> Result<Value, Refused>,
) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut line);
        let bytes = read.map_err(|error| Failure::file("cannot read standard input").because(&error))?;
        if bytes == 0 {
            return Ok(());
        }
        if bytes as u64 > LONGEST_LINE {
            let failure = format!("a line of standard input has more than {} MiB", LONGEST_LINE >> 20);
            return Err(Failure::file(failure).hint("one JSON object a line"));
        }
        let answer = fields(line.trim_ascii_end()).and_then(answer).unwrap_or_else(|mut refused| {
            if let Some((end, _)) = refused.message.char_indices().nth(LONGEST_MESSAGE) {
                refused.message.replace_range(end.., "…");
            }
            json!({ "error": { "code": refused.code, "message": refused.message, place: refused.place } })
        });
        out.json(&answer)?;
        out.flush()?;
    }
}

fn fields(line: &[u8]) -> Result<Fields, Refused> {
    match serde_json::from_slice(line).map_err(Refused::json)? {
        Value::Object(fields) => Ok(fields),
        _ => Err(Refused::json("expected a JSON object")),
    }
}

/// A whole number from 0, `4.0` too, as JSON knows only one kind of number.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Number", bound = "T: TryFrom<u64>")]
pub(crate) struct Whole<T>(pub(crate) T);

impl<T: TryFrom<u64>> TryFrom<Number> for Whole<T> {
    type Error = String;

    fn try_from(number: Number) -> Result<Whole<T>, String> {
        let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..1e18).contains(number);
        let whole = number.as_u64().or_else(|| number.as_f64().filter(is_whole).map(|whole| whole as u64));
        let whole = whole.and_then(|whole| T::try_from(whole).ok()).map(Whole);
        whole.ok_or_else(|| format!("expected a whole number from 0, not {number}"))
    }
}
