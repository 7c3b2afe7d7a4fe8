//! `arbiter bots`: the bots in a folder, and those that came with the program.

use crate::cli::options::{RuntimeArgs, not_bots, tell_not_bots};
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{BotCommand, Host, LoadError};
use crate::sanitize::sanitize;
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

#[derive(Args, Debug)]
pub(crate) struct BotsArgs {
    /// The folder [default: this one, and the bots that came with arbiter]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    languages: RuntimeArgs,
}

pub(crate) fn bots(args: &BotsArgs, host: &Host, out: &mut Output) -> Result<(), Failure> {
    let host = &args.languages.host(host);
    let folder = args.folder.as_deref();
    let place = folder.unwrap_or(Path::new("."));
    let names = host.bots_in(folder).map_err(Failure::cannot(
        "read the folder",
        place,
        "a folder with plugin files",
    ))?;
    let named = |path: &Path| sanitize(&path.display().to_string());
    let widths = names.iter().map(|path| named(path).width());
    let width = widths.filter(|&width| width <= LONGEST_ALIGNED).max().unwrap_or(0);
    let mut found = 0;
    let mut first = BTreeMap::new();
    for path in names {
        let named = named(&path);
        let shown = format!("{named}{:1$}", "", width.saturating_sub(named.width()));
        let file = host.bot(path);
        // Other libraries lie in the same folders; only those that say they are bots are listed with their faults.
        match host.identify(&BotCommand::new(host, file.clone())) {
            Ok(bot) => {
                found += 1;
                let version =
                    if bot.version.is_empty() { String::new() } else { format!(" {}", bot.version) };
                let own = (file.sha256(), file.payload().map(|(_, sha256)| sha256.to_owned()));
                let twin: &mut String = first.entry(own).or_insert_with(|| named.clone());
                // Without a folder, the bots that came with the program may lie here, too.
                let is_twin = folder.is_some() && *twin != named;
                let same = if is_twin { format!(", the same file as {twin}") } else { String::new() };
                let line = format!("{shown}  {}{version}  ({}){same}", bot.name, bot.repertoire());
                out.line(&sanitize(&line))?;
            }
            Err(error) if error.error == LoadError::Bridge => {}
            Err(error) => out.line(&sanitize(&format!("{shown}  not a bot: {error}")))?,
        }
    }
    // Without a folder any other may be meant, where bots are few among many files.
    if let Some(folder) = folder {
        tell_not_bots(&not_bots(folder, host));
    }
    if found == 0 {
        return Err(Failure::new(ExitCode::Bot, format!("there are no bots in {}", place.display()))
            .hint("cargo build --release puts the sample bots into target/release"));
    }
    Ok(())
}

/// The longest name after which all others are filled up to its length: one of 200 letters would leave no room for what is said.
const LONGEST_ALIGNED: usize = 40;
