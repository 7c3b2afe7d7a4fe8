//! Values of options in JSON: each in its own type.

use super::schema::OptionValue;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
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
