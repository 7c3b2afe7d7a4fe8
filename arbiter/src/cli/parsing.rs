//! Words become arguments, whether they were typed or come from a file: a negative number is a value wherever an option wants one,
//! and where a word is no number, the error says which numbers there are.

use crate::sanitize::sanitize;
use clap::builder::{StyledStr, ValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, Error, FromArgMatches};
use std::error::Error as _;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseIntError};

/// Reads words, the first of which names the program.
pub(super) fn parse<A: CommandFactory + FromArgMatches>(
    words: impl IntoIterator<Item = OsString>,
) -> Result<A, Error> {
    let words: Vec<OsString> = words.into_iter().collect();
    let mut command = with_negative_numbers(A::command());
    let matches = command.try_get_matches_from_mut(&words);
    matches.and_then(|mut matches| A::from_arg_matches_mut(&mut matches)).map_err(|error| {
        match error.kind() {
            ErrorKind::ValueValidation => with_numbers(error, &command, &words),
            ErrorKind::UnknownArgument => with_the_verb(with_equals_sign(error, &words), &command),
            ErrorKind::InvalidUtf8 => with_names(&error, &words),
            _ => error,
        }
    })
}

fn with_negative_numbers(command: Command) -> Command {
    let takes = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    let command = command.mut_args(|arg| if takes(&arg) { arg.allow_negative_numbers(true) } else { arg });
    command.mut_subcommands(with_negative_numbers)
}

/// Says which numbers an option takes, where the parser of numbers says only that this is none.
fn with_numbers(error: Error, command: &Command, words: &[OsString]) -> Error {
    if !error.source().is_some_and(|source| source.is::<ParseIntError>()) {
        return error;
    }
    let said = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (option, value) = (said(ContextKind::InvalidArg), said(ContextKind::InvalidValue));
    let words = words.iter().skip(1).filter_map(|word| word.to_str());
    let verb = words.fold(command, |verb, word| verb.find_subcommand(word).unwrap_or(verb));
    let arg = verb.get_arguments().find(|arg| arg.to_string() == option);
    let range = arg.and_then(|arg| range(arg.get_value_parser()));
    let overflow = |source: &ParseIntError| *source.kind() == IntErrorKind::PosOverflow;
    let what = match range {
        Some(range) => format!("it is not a whole number in {range}"),
        None if error.source().and_then(|source| source.downcast_ref()).is_some_and(overflow) => {
            "it is too large".to_owned()
        }
        None => "it is not a whole number from 0 on".to_owned(),
    };
    let message = format!("invalid value '{value}' for '{option}': {what}");
    Error::raw(error.kind(), message + "\n\nFor more information, try '--help'.\n")
}

/// The range of a parser of whole numbers, in its own words: it names it where a number is not in it.
fn range(parser: &ValueParser) -> Option<String> {
    let asked = Command::new("").arg(Arg::new("n").long("n").value_parser(parser.clone()));
    [i64::MAX as u64, u64::MAX].into_iter().find_map(|large| {
        let refused = asked.clone().try_get_matches_from(["", &format!("--n={large}")]).err()?;
        Some(refused.source()?.to_string().split_once(" is not in ")?.1.to_owned())
    })
}

/// Says which words are no text. Paths of results need not be, but reports name bots, and commands that can be repeated do.
fn with_names(error: &Error, words: &[OsString]) -> Error {
    let strange = words.iter().filter(|word| word.to_str().is_none());
    let strange: Vec<String> =
        strange.map(|word| format!("'{}'", sanitize(&word.to_string_lossy()))).collect();
    let message = format!("{} is not text in UTF-8", strange.join(", "));
    Error::raw(
        error.kind(),
        message + "\n\n  tip: give the file another name\n\nFor more information, try '--help'.\n",
    )
}

/// Says which other verbs have an option of that name, where these are few.
fn with_the_verb(mut error: Error, command: &Command) -> Error {
    const MOST: usize = 3;
    let unknown = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    let has = |verb: &&Command| {
        let long = unknown.strip_prefix("--");
        long.is_some() && verb.get_arguments().any(|arg| arg.get_long() == long)
    };
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs = verbs.filter(has).map(|verb| format!("`arbiter {}`", verb.get_name()));
    let of_match = Some(command).filter(has).map(|_| "a match".to_owned());
    let elsewhere: Vec<String> = of_match.into_iter().chain(verbs).collect();
    if (1..=MOST).contains(&elsewhere.len()) {
        let tip = StyledStr::from(format!("'{unknown}' is an option of {}", elsewhere.join(", ")));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// A value that looks like options is one behind an equals sign. None is one behind two hyphens, as clap says: no name of a
/// bot or file begins with a hyphen.
fn with_equals_sign(mut error: Error, words: &[OsString]) -> Error {
    if let Some(ContextValue::StyledStrs(tips)) = error.remove(ContextKind::Suggested) {
        let good: Vec<_> = tips.into_iter().filter(|tip| !tip.to_string().contains("'-- ")).collect();
        if !good.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(good));
        }
    }
    let unknown = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    let is_number =
        unknown.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let lossy = |word: &OsString| word.to_string_lossy().into_owned();
    let pairs = words.windows(2).map(|pair| (lossy(&pair[0]), lossy(&pair[1])));
    let before =
        pairs.into_iter().find(|(option, value)| option.starts_with("--") && value.starts_with(&unknown));
    if let Some((option, value)) = before.filter(|_| is_number) {
        let tip = StyledStr::from(format!("to pass '{value}' as a value, use '{option}={value}'"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Args;

    /// What is said to these words behind `arbiter`.
    fn error_of(words: &str) -> String {
        let words = std::iter::once("arbiter").chain(words.split(' ')).map(OsString::from);
        parse::<Args>(words).unwrap_err().to_string()
    }

    #[test]
    fn nobody_is_told_to_name_an_option_as_a_bot() {
        for words in ["--xyz", "-x"] {
            let error = error_of(words);
            assert!(error.contains("unexpected argument") && !error.contains("as a value"), "{error}");
        }
    }

    #[test]
    fn an_option_of_another_verb_is_known() {
        for (words, told) in [
            ("a b --rounds 9", "tip: '--rounds' is an option of `arbiter tournament`"),
            ("tournament a b --games 9", "tip: '--games' is an option of a match"),
            ("tournament a b --gmae hex", "tip: a similar argument exists: '--game'"),
        ] {
            let error = error_of(words);
            assert!(error.contains(told), "{told}: {error}");
        }
    }

    #[test]
    fn a_word_that_is_no_number_is_refused_with_the_numbers_that_the_option_takes() {
        for (words, told) in [
            (
                "--games 1.5",
                "invalid value '1.5' for '--games <N>': it is not a whole number in 1..=1000000000",
            ),
            ("--games -1", "invalid value '-1' for '--games <N>': -1 is not in 1..=1000000000"),
            ("--games 99999999999999999999", "it is not a whole number in 1..=1000000000"),
            ("--memory=-1", "it is not a whole number in 16..=1048576"),
            ("tournament a b --rounds -1", "-1 is not in 1..=1000000000"),
            ("tournament a b --max-repetitions 1e3", "it is not a whole number in 0..=4294967295"),
            ("--players -2", "it is not a whole number from 0 on"),
            ("--resign-score -5", "expected a score"),
            ("--resign-score -5,6", "tip: to pass '-5,6' as a value, use '--resign-score=-5,6'"),
            ("--delay -1s", "tip: to pass '-1s' as a value, use '--delay=-1s'"),
            ("demo --speed x", "it is not a whole number in -1..=6"),
        ] {
            let error = error_of(words);
            assert!(error.contains(told), "{told}: {error}");
            assert!(error.contains("try '--help'"), "{error}");
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        with_negative_numbers(Args::command()).debug_assert();
    }
}
