//! `arbiter inspect`: what a plugin is, without running it in this process.

use crate::cli::options::RuntimeArgs;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{BotCommand, BotFile, Greeting, Host, Look};
use crate::sanitize::sanitize;
use clap::Args;
use serde_json::json;

#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    /// The plugin file, or the name of a bot that came with arbiter
    #[arg(value_name = "BOT")]
    file: String,
    #[command(flatten)]
    languages: RuntimeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn inspect(args: &InspectArgs, host: &Host, out: &mut Output) -> Result<(), Failure> {
    let host = &args.languages.host(host);
    let file = host.bot(&args.file);
    let greeting = host.identify(&BotCommand::new(host, file.clone()));
    let looked = greeting.and_then(|greeting| Ok((greeting, file.look()?)));
    let (greeting, library) = looked.map_err(|error| {
        Failure::new(ExitCode::Bot, format!("cannot load {}", args.file)).not_loaded(&error)
    })?;
    if args.json { out.json(&json(&greeting, library, &file)) } else { print(&greeting, library, &file, out) }
}

fn print(greeting: &Greeting, library: &Look, file: &BotFile, out: &mut Output) -> Result<(), Failure> {
    let payload = file.payload().map(|(name, hash)| format!("{name} (SHA-256 {hash})"));
    let rows = [
        ("name", greeting.name.clone()),
        ("version", greeting.version.clone()),
        ("author", greeting.author.clone()),
        ("about", greeting.about.clone()),
        ("games", greeting.repertoire()),
        ("ABI", abi(greeting)),
        ("SHA-256", library.sha256.clone()),
        ("payload", payload.unwrap_or_default()),
        ("runs in", file.runtime().unwrap_or_default().to_owned()),
        ("exports", library.exports.join(", ")),
        ("needs", library.needed.join(", ")),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        out.line(&format!("{name:<8} {}", sanitize(value)))?;
    }
    Ok(())
}

fn json(greeting: &Greeting, library: &Look, file: &BotFile) -> serde_json::Value {
    json!({
        "name": greeting.name,
        "version": greeting.version,
        "author": greeting.author,
        "about": greeting.about,
        "games": greeting.games,
        "abi": abi(greeting),
        "sha256": library.sha256,
        "payload": file.payload().map(|(name, sha256)| json!({ "name": name, "sha256": sha256 })),
        "runtime": file.runtime(),
        "exports": library.exports,
        "needs": library.needed,
    })
}

fn abi(greeting: &Greeting) -> String {
    format!("{}.{}", greeting.abi >> 16, greeting.abi & 0xffff)
}
