//! `arbiter bots`: the bots in a folder.

use crate::cli::languages::LanguageArgs;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{Host, Limits, LoadError};
use crate::sanitize::sanitize;
use clap::Args;
use std::fs;
use std::path::PathBuf;

/// Arguments of `arbiter bots`.
#[derive(Args, Debug)]
pub(crate) struct BotsArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    #[command(flatten)]
    languages: LanguageArgs,
}

pub(crate) fn bots(args: &BotsArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let entries = fs::read_dir(&args.folder).map_err(|error| {
        let failure =
            Failure::new(ExitCode::File, format!("cannot read the folder {}", args.folder.display()));
        failure.because(&error).hint("a folder with plugin files")
    })?;
    let host = &args.languages.host(host);
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| host.may_be_bot(path)).collect();
    files.sort();
    let mut found = 0;
    for file in files {
        // Other libraries lie in the same folders; only those that say they are bots are listed with their faults.
        match host.identify(host.bot(&file), &Limits::default()) {
            Ok(bot) => {
                found += 1;
                let games = if bot.greeting.games.is_empty() {
                    "any game".to_owned()
                } else {
                    bot.greeting.games.join(", ")
                };
                let line = format!(
                    "{:<24} {} {}  ({games})",
                    file.display(),
                    bot.greeting.name,
                    bot.greeting.version
                );
                out.line(&sanitize(&line))?;
            }
            Err(error) if error.error == LoadError::Bridge => {}
            Err(error) => out.line(&sanitize(&format!("{:<24} not a bot: {error}", file.display())))?,
        }
    }
    if found == 0 {
        let message = format!("there are no bots in {}", args.folder.display());
        return Err(Failure::new(ExitCode::Bot, message)
            .hint("cargo build --release puts the sample bots into target/release"));
    }
    Ok(ExitCode::Done)
}
