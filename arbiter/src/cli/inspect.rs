//! `arbiter inspect`: what a plugin is, without running it in this process.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use crate::host::{Host, Identity, Limits};
use crate::sanitize::sanitize;
use clap::Args;
use serde_json::json;
use std::path::Path;

/// Arguments of `arbiter inspect`.
#[derive(Args, Debug)]
pub(super) struct InspectArgs {
    /// The plugin file
    #[arg(value_name = "BOT")]
    file: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `arbiter inspect`.
///
/// # Errors
/// Why the plugin cannot be loaded.
pub(super) fn inspect(args: &InspectArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let identity = host.identify(Path::new(&args.file), &Limits::default()).map_err(|error| {
        Failure::new(ExitCode::Bot, format!("cannot load {}", args.file)).not_loaded(&error)
    })?;
    if args.json {
        out.line(&json(&identity).to_string())?
    } else {
        print(&identity, out)?
    }
    Ok(ExitCode::Done)
}

fn print(identity: &Identity, out: &mut Output) -> Result<(), Failure> {
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
        ("exports", identity.file.exports.join(", ")),
        ("needs", identity.file.needed.join(", ")),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        out.line(&format!("{name:<8} {}", sanitize(value)))?;
    }
    Ok(())
}

fn json(identity: &Identity) -> serde_json::Value {
    json!({
        "name": identity.greeting.name,
        "version": identity.greeting.version,
        "author": identity.greeting.author,
        "about": identity.greeting.about,
        "games": identity.greeting.games,
        "abi": format!("{}.{}", identity.greeting.abi >> 16, identity.greeting.abi & 0xffff),
        "sha256": identity.file.sha256,
        "exports": identity.file.exports,
        "needs": identity.file.needed,
    })
}
