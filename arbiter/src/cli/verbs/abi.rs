//! `arbiter abi`: where everything of `arbiter_bot.h` lies in memory, for languages that do not read C.

use crate::cli::{Failure, Output};
use arbiter_plugin_api::layout::{Field, Kind, Struct, constants, extensions, structs};
use arbiter_plugin_api::raw;
use clap::Args;
use serde_json::{Map, Value, json};

#[derive(Args, Debug)]
pub(crate) struct AbiArgs {
    /// Print one JSON object: structs with the offset, size and type of each field, numbers, names of extensions
    #[arg(long)]
    json: bool,
}

pub(crate) fn abi(args: &AbiArgs, out: &mut Output) -> Result<(), Failure> {
    if args.json {
        return out.line(&serde_json::to_string_pretty(&whole()).expect("a layout is plain data"));
    }
    for of in structs() {
        out.line(&format!("{} {} bytes", of.name, of.size))?;
        for field in of.fields {
            out.line(&format!("  {:>4} {:<16} {}", field.offset, field.name, words(&field.kind)))?;
        }
    }
    constants().into_iter().try_for_each(|(name, value)| out.line(&format!("{name} {value}")))
}

fn whole() -> Value {
    let numbers: Map<String, Value> =
        constants().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
    json!({
        "abi": { "major": raw::ABI_MAJOR, "minor": raw::ABI_MINOR },
        "entry_point": raw::ENTRY_POINT.to_str().unwrap_or_default(),
        "pointer_size": size_of::<usize>(),
        "endian": if cfg!(target_endian = "little") { "little" } else { "big" },
        "structs": structs().iter().map(of_struct).collect::<Vec<_>>(),
        "constants": numbers,
        "extensions": extensions(),
    })
}

fn of_struct(of: &Struct) -> Value {
    let fields: Vec<Value> = of.fields.iter().map(of_field).collect();
    json!({ "name": of.name, "size": of.size, "align": of.align, "fields": fields })
}

fn of_field(field: &Field) -> Value {
    let mut told = json!({ "name": field.name, "offset": field.offset, "size": field.size });
    match &field.kind {
        Kind::Function { takes, returns } => {
            told["type"] = "function".into();
            told["takes"] = takes.iter().map(words).collect();
            told["returns"] = returns.as_deref().map(words).into();
        }
        kind => told["type"] = words(kind).into(),
    }
    told
}

fn words(kind: &Kind) -> String {
    match kind {
        Kind::Number(name) => (*name).to_owned(),
        Kind::Pointer => "pointer".to_owned(),
        Kind::Function { takes, returns } => {
            let takes: Vec<String> = takes.iter().map(words).collect();
            let returns = returns.as_deref().map(|kind| format!(" -> {}", words(kind))).unwrap_or_default();
            format!("function({}){returns}", takes.join(", "))
        }
    }
}
