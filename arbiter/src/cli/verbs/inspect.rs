//! `arbiter inspect`: what a plugin is, without running it in this process.

use crate::cli::options::runtimes::RuntimeArgs;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{BotFile, Host, Identity, Limits};
use crate::sanitize::sanitize;
use clap::Args;
use serde_json::json;

/// Arguments of `arbiter inspect`.
#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    /// The plugin file
    #[arg(value_name = "BOT")]
    file: String,
    #[command(flatten)]
    languages: RuntimeArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn inspect(args: &InspectArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let host = &args.languages.host(host);
    let file = host.bot(&args.file);
    let identity = host.identify(file.clone(), &Limits::default()).map_err(|error| {
        Failure::new(ExitCode::Bot, format!("cannot load {}", args.file)).not_loaded(&error)
    })?;
    if args.json {
        out.line(&json(&identity, &file).to_string())?
    } else {
        print(&identity, &file, out)?
    }
    Ok(ExitCode::Done)
}

fn print(identity: &Identity, file: &BotFile, out: &mut Output) -> Result<(), Failure> {
    let games = if identity.greeting.games.is_empty() {
        "any game".to_owned()
    } else {
        identity.greeting.games.join(", ")
    };
    let rows = [
        ("name", identity.greeting.name.clone()),
        ("version", identity.greeting.version.clone()),
        ("author", identity.greeting.author.clone()),
        ("about", identity.greeting.about.clone()),
        ("games", games),
        ("ABI", format!("{}.{}", identity.greeting.abi >> 16, identity.greeting.abi & 0xffff)),
        ("SHA-256", identity.file.sha256.clone()),
        (
            "payload",
            file.payload().map(|(name, hash)| format!("{name} (SHA-256 {hash})")).unwrap_or_default(),
        ),
        ("runs in", file.runtime().unwrap_or_default().to_owned()),
        ("exports", identity.file.exports.join(", ")),
        ("needs", identity.file.needed.join(", ")),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        out.line(&format!("{name:<8} {}", sanitize(value)))?;
    }
    Ok(())
}

fn json(identity: &Identity, file: &BotFile) -> serde_json::Value {
    json!({
        "name": identity.greeting.name,
        "version": identity.greeting.version,
        "author": identity.greeting.author,
        "about": identity.greeting.about,
        "games": identity.greeting.games,
        "abi": format!("{}.{}", identity.greeting.abi >> 16, identity.greeting.abi & 0xffff),
        "sha256": identity.file.sha256,
        "payload": file.payload().map(|(name, sha256)| json!({ "name": name, "sha256": sha256 })),
        "runtime": file.runtime(),
        "exports": identity.file.exports,
        "needs": identity.file.needed,
    })
}
