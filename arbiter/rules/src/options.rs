//! Options of a game: what may be set, to what, and what was set.

use crate::naming::{did_you_mean, shown};
use crate::notation::alternatives;
use std::fmt;

/// What an option may be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Flag,
    /// A whole number from the first to the second, both included.
    Number(u32, u32),
    /// 0 for off, or a whole number from this one on.
    OffOrFrom(u32),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Another way to write other options, such as `size=7x6`; never listed among the values.
    Shorthand(&'static str),
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Flag => write!(f, "true or false"),
            OptionKind::Number(min, max) => write!(f, "a number from {min} to {max}"),
            OptionKind::OffOrFrom(1) => write!(f, "0 for off, or a number"),
            OptionKind::OffOrFrom(min) => write!(f, "0 for off, or a number from {min}"),
            OptionKind::Word(words) => f.write_str(&alternatives(words)),
            OptionKind::Shorthand(form) => f.write_str(form),
        }
    }
}

/// One option of a game.
///
/// ```
/// use arbiter_rules::options::{OptionInfo, OptionKind};
///
/// let size = OptionInfo { name: "size", kind: OptionKind::Number(4, 19), default: "11", about: "cells on a side" };
/// assert_eq!(size.to_string(), "`-O size=…` (a number from 4 to 19; default 11): cells on a side");
/// ```
#[derive(Debug)]
pub struct OptionInfo {
    /// The name before the equals sign.
    pub name: &'static str,
    /// What it may be set to.
    pub kind: OptionKind,
    /// The default in words: `4`, or `20 n²` where it depends on others.
    pub default: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
}

/// An option as it was set, in words: `size 7`, `swap on`.
///
/// ```
/// use arbiter_rules::options::told;
///
/// assert_eq!([told("size", "7"), told("swap", "false"), told("first_move", "x")], ["size 7", "swap off", "first move x"]);
/// ```
#[must_use]
pub fn told(name: &str, value: &str) -> String {
    let name = name.replace('_', " ");
    match value {
        "true" => format!("{name} on"),
        "false" => format!("{name} off"),
        _ => format!("{name} {value}"),
    }
}

impl OptionInfo {
    /// Whether this is the default. Where the default depends on other options and is given in words, such as `20 n²`,
    /// every value counts as the default.
    #[must_use]
    pub fn is_default(&self, value: &str) -> bool {
        self.default == value || self.default.contains(' ')
    }
}

/// How the option is given, what it takes, and what it does.
impl fmt::Display for OptionInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OptionInfo { name, kind, default, about } = self;
        match kind {
            OptionKind::Shorthand(_) => write!(f, "`-O {name}=…` ({kind}): {about}"),
            _ => write!(f, "`-O {name}=…` ({kind}; default {default}): {about}"),
        }
    }
}

/// The value of one option, in its own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Number(u32),
    /// One of the words that the option allows.
    Word(&'static str),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Flag(on) => write!(f, "{on}"),
            OptionValue::Number(number) => write!(f, "{number}"),
            OptionValue::Word(word) => f.write_str(word),
        }
    }
}

/// An option as it was given: a name and the text of a value.
pub type Given<'a> = (&'a str, &'a str);

/// Every option of a game with its value, defaults too, in the order of the game's list.
///
/// ```
/// use arbiter_rules::{Setup, registry};
///
/// let setup = Setup { options: &[("size", "10x8")], ..Setup::default() };
/// let position = registry::start("connect-four", &setup).unwrap();
/// let listed: Vec<_> = position.options().iter().map(|(name, value)| format!("{name}={value}")).collect();
/// assert_eq!(listed, ["columns=10", "rows=8", "connect=4"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options(Vec<(&'static str, OptionValue)>);

/// An option that is not known, given twice, or set to something it does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError(pub String);

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OptionError {}

impl OptionError {
    pub(crate) fn twice(name: &str) -> OptionError {
        OptionError(format!("option {name} is given twice"))
    }
}

impl Options {
    /// Reads what was given against what the game knows. Options that were not given have their defaults; where a default
    /// depends on other options and is given in words, the option is missing until the game
    /// [sets it](Options::default_to).
    ///
    /// # Errors
    /// An unknown name, a name given twice, or a value that the option does not allow.
    pub fn read(known: &'static [OptionInfo], given: &[Given<'_>]) -> Result<Options, OptionError> {
        let mut options = Options::default();
        for &(name, text) in given {
            let Some(info) = known.iter().find(|info| info.name == name) else {
                return Err(unknown(known, name));
            };
            if options.get(name).is_some() {
                return Err(OptionError::twice(name));
            }
            options.0.push((info.name, info.read(text)?));
        }
        for info in known {
            info.kind.read(info.default).into_iter().for_each(|value| options.default_to(info.name, value));
        }
        Ok(options.sorted(known))
    }

    /// The value of an option.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<OptionValue> {
        self.0.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }

    /// Sets an option that was not given.
    pub fn default_to(&mut self, name: &'static str, value: OptionValue) {
        if self.get(name).is_none() {
            self.0.push((name, value));
        }
    }

    /// The value of a flag that has been given or set by default.
    ///
    /// # Panics
    /// When the option is no flag or has no value.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        match self.get(name) {
            Some(OptionValue::Flag(on)) => on,
            other => panic!("option {name} should be a flag with a default, not {other:?}"),
        }
    }

    /// The value of a number that has been given or set by default.
    ///
    /// # Panics
    /// When the option is no number or has no value.
    #[must_use]
    pub fn number(&self, name: &str) -> u32 {
        match self.get(name) {
            Some(OptionValue::Number(number)) => number,
            other => panic!("option {name} should be a number with a default, not {other:?}"),
        }
    }

    /// The word that has been given or set by default.
    ///
    /// # Panics
    /// When the option is no word or has no value.
    #[must_use]
    pub fn word(&self, name: &str) -> &'static str {
        match self.get(name) {
            Some(OptionValue::Word(word)) => word,
            other => panic!("option {name} should be a word with a default, not {other:?}"),
        }
    }

    /// Names and values in the order of the game's list.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, OptionValue)> + '_ {
        self.0.iter().copied()
    }

    /// Puts the values into the order of the game's list.
    #[must_use]
    pub fn sorted(mut self, known: &'static [OptionInfo]) -> Options {
        self.0.sort_by_key(|(name, _)| known.iter().position(|info| info.name == *name));
        self
    }
}

impl OptionInfo {
    fn read(&self, text: &str) -> Result<OptionValue, OptionError> {
        self.kind.read(text).ok_or_else(|| {
            let takes = match self.kind {
                OptionKind::OffOrFrom(_) if is_number(text) && text.parse::<u32>().is_err() => {
                    format!("numbers up to {}", u32::MAX)
                }
                kind => kind.to_string(),
            };
            OptionError(format!("option {} takes {takes}, not '{}'", self.name, shown(text)))
        })
    }
}

impl OptionKind {
    /// The value that a text stands for, if the option may be set to it.
    pub(crate) fn read(self, text: &str) -> Option<OptionValue> {
        let number = || text.parse::<u32>().ok().filter(|_| is_number(text));
        match self {
            OptionKind::Flag => match text {
                "true" => Some(OptionValue::Flag(true)),
                "false" => Some(OptionValue::Flag(false)),
                _ => None,
            },
            OptionKind::Number(min, max) => {
                number().filter(|n| (min..=max).contains(n)).map(OptionValue::Number)
            }
            OptionKind::OffOrFrom(min) => number().filter(|&n| n == 0 || n >= min).map(OptionValue::Number),
            OptionKind::Word(words) => {
                words.iter().find(|&&word| word == text).map(|word| OptionValue::Word(word))
            }
            OptionKind::Shorthand(_) => None,
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn unknown(known: &'static [OptionInfo], name: &str) -> OptionError {
    let names: Vec<_> = known.iter().map(|info| info.name).collect();
    let hint = did_you_mean(name, names.iter().copied());
    let all = if names.is_empty() { "no options".to_owned() } else { names.join(", ") };
    OptionError(format!("there is no option '{}'{hint}: this game has {all}", shown(name)))
}
