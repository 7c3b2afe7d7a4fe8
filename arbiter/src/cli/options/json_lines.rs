//! Questions and answers as JSON, one a line: what `--batch` means.

use crate::cli::{ExitCode, Failure, Output};
use serde_json::{Number, Value};
use std::io::{self, BufRead};

/// Answers each line of standard input with one line.
pub(crate) fn answer_lines(out: &mut Output, answer: fn(&[u8]) -> Value) -> Result<ExitCode, Failure> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        let bytes =
            read.map_err(|error| Failure::new(ExitCode::File, "cannot read standard input").because(&error))?;
        if bytes == 0 {
            return Ok(ExitCode::Done);
        }
        out.line(&answer(&line).to_string())?;
        out.flush()?;
    }
}

/// A number without a fraction, `4.0` too, as JSON knows only one kind of number.
pub(crate) fn whole(number: &Number) -> Option<i128> {
    match number.as_i128() {
        Some(whole) => Some(whole),
        None => number.as_f64().filter(|number| number.fract() == 0.0).map(|number| number as i128),
    }
}
