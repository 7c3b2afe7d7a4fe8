//! Values of options in JSON: each in its own type.

use super::schema::OptionValue;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::borrow::Cow;
use std::fmt;

impl From<arbiter_rules::OptionValue> for OptionValue {
    fn from(value: arbiter_rules::OptionValue) -> Self {
        match value {
            arbiter_rules::OptionValue::Flag(on) => OptionValue::Flag(on),
            arbiter_rules::OptionValue::Number(number) => OptionValue::Number(number),
            arbiter_rules::OptionValue::Word(word) => OptionValue::Word(word.to_owned()),
        }
    }
}

/// As it is typed after the equals sign.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Flag(on) => write!(f, "{on}"),
            OptionValue::Number(number) => write!(f, "{number}"),
            OptionValue::Word(word) => f.write_str(word),
        }
    }
}

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OptionValueVisitor)
    }
}

struct OptionValueVisitor;

impl Visitor<'_> for OptionValueVisitor {
    type Value = OptionValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, a whole number from 0, or a word")
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<OptionValue, E> {
        Ok(OptionValue::Flag(on))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<OptionValue, E> {
        let too_big = || E::custom(format!("{number} is too big for an option"));
        number.try_into().map(OptionValue::Number).map_err(|_| too_big())
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<OptionValue, E> {
        Ok(OptionValue::Word(word.to_owned()))
    }
}

impl JsonSchema for OptionValue {
    fn schema_name() -> Cow<'static, str> {
        "OptionValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The value of an option, in its own type.",
            "type": ["boolean", "integer", "string"],
            "minimum": 0
        })
    }
}
