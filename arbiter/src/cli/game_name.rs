//! The name of a game as an argument.

use arbiter_rules::registry;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// Takes any word: the registry knows other names too, and what is nearest to a mistyped one. Shells are told the games.
#[derive(Clone)]
pub(super) struct GameName;

impl TypedValueParser for GameName {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(registry::GAMES.iter().map(|info| PossibleValue::new(info.id))))
    }
}
