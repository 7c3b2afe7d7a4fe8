//! Words become arguments, whether they were typed or come from a file: what begins with a hyphen is a value wherever an option
//! wants a number, a time or the like, and where a word is no number, the error says which numbers there are.

use super::said::Said;
use crate::sanitize::sanitize;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, Error, FromArgMatches, value_parser};
use std::ffi::OsString;
use std::fmt::Debug;
use std::ops::RangeBounds;
use std::path::PathBuf;
use std::str::FromStr;

/// Reads words, the first of which names the program. Returns what they say, too, for commands that say it again.
pub(super) fn parse<A: CommandFactory + FromArgMatches>(
    words: impl IntoIterator<Item = OsString>,
) -> Result<(A, Said), Error> {
    let words: Vec<OsString> = words.into_iter().collect();
    let mut command = with_hyphens(A::command());
    let matches = command.try_get_matches_from_mut(&words);
    let parsed = matches.and_then(|mut matches| {
        let said = Said::of(&command, &matches);
        Ok((A::from_arg_matches_mut(&mut matches)?, said))
    });
    parsed.map_err(|error| match error.kind() {
        ErrorKind::UnknownArgument => with_the_verb(error, &command),
        ErrorKind::InvalidUtf8 => with_names(&error, &words),
        _ => error,
    })
}

/// Takes what begins with a hyphen for a value wherever its parser refuses what is none. Names and paths are any words.
fn with_hyphens(command: Command) -> Command {
    let texts = [value_parser!(String), value_parser!(PathBuf), value_parser!(OsString)];
    let is_text = |arg: &Arg| texts.iter().any(|text| text.type_id() == arg.get_value_parser().type_id());
    let command = command.mut_args(|arg| match arg.is_positional() || !arg.get_action().takes_values() {
        true => arg,
        false if is_text(&arg) => arg.allow_negative_numbers(true),
        false => arg.allow_hyphen_values(true),
    });
    command.mut_subcommands(with_hyphens)
}

/// For `value_parser`: a whole number in a range.
pub(super) fn whole<T: FromStr + PartialOrd>(
    range: impl RangeBounds<T> + Debug + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("it is not a whole number in {range:?}"))
    }
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

/// Says which other verbs have an option of that name, where these are few. It may not be meant as a value, as clap says: no name
/// of a bot or file begins with a hyphen.
fn with_the_verb(mut error: Error, command: &Command) -> Error {
    const MOST: usize = 3;
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| !tip.to_string().contains("'-- "));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
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
            ("--games -1", "it is not a whole number in 1..=1000000000"),
            ("--games 99999999999999999999", "it is not a whole number in 1..=1000000000"),
            ("--memory=-1", "it is not a whole number in 16..=1048576"),
            ("tournament a b --rounds -1", "it is not a whole number in 1..=1000000000"),
            ("tournament a b --max-repetitions 1e3", "it is not a whole number in 0.."),
            ("--players -2", "it is not a whole number in 0.."),
            ("--resign-score -5", "expected a score"),
            ("--resign-score -5,6", "expected a score"),
            ("--delay -1s", "a time is a number and a unit"),
            ("demo --speed x", "it is not a whole number in -1..=6"),
        ] {
            let error = error_of(words);
            assert!(error.contains(told), "{told}: {error}");
            assert!(error.contains("try '--help'"), "{error}");
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        with_hyphens(Args::command()).debug_assert();
    }
}
