//! `arbiter bots`: the bots in a folder, and those that came with the program.

use crate::cli::options::RuntimeArgs;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{BotCommand, Host, LoadError};
use crate::sanitize::sanitize;
use crate::ui::talk;
use clap::Args;
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
    let shown = folder.unwrap_or(Path::new("."));
    let names = host.bots_in(folder).map_err(Failure::cannot(
        "read the folder",
        shown,
        "a folder with plugin files",
    ))?;
    let named = |path: &Path| sanitize(&path.display().to_string());
    let width = names.iter().map(|path| named(path).width()).max().unwrap_or(0);
    let mut found = 0;
    for path in names {
        let named = named(&path);
        let named = format!("{named}{:1$}", "", width - named.width());
        // Other libraries lie in the same folders; only those that say they are bots are listed with their faults.
        match host.identify(&BotCommand::new(host, host.bot(path))) {
            Ok(bot) => {
                found += 1;
                let version =
                    if bot.version.is_empty() { String::new() } else { format!(" {}", bot.version) };
                let line = format!("{named}  {}{version}  ({})", bot.name, bot.repertoire());
                out.line(&sanitize(&line))?;
            }
            Err(error) if error.error == LoadError::Bridge => {}
            Err(error) => out.line(&sanitize(&format!("{named}  not a bot: {error}")))?,
        }
    }
    // Without a folder any other may be meant, where bots are few among many files.
    if let Some(folder) = folder {
        tell_others(folder, host);
    }
    if found == 0 {
        return Err(Failure::new(ExitCode::Bot, format!("there are no bots in {}", shown.display()))
            .hint("cargo build --release puts the sample bots into target/release"));
    }
    Ok(())
}

/// How many files are named that are no bots.
const MOST_NAMED: usize = 5;

/// Says what lies beside the bots, so that nobody looks for a bot in vain that has been left out.
fn tell_others(folder: &Path, host: &Host) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let others = files.filter(|file| !host.may_be_bot(&file.path()));
    let names = others.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut named: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    if named.is_empty() {
        return;
    }
    named.sort();
    let more = named.len().saturating_sub(MOST_NAMED);
    named.truncate(MOST_NAMED);
    named.extend((more > 0).then(|| format!("{more} more")));
    talk(&sanitize(&format!(
        "left out: {}. Bots are .{}, .py and .wasm files, and folders and .zip archives with a bot.py",
        named.join(", "),
        std::env::consts::DLL_EXTENSION
    )));
}
