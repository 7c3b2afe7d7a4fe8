//! The menu that `arbiter` shows on a terminal when nothing says what to play.

use super::Args as CommandLine;
use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use super::plan::{Plan, PlayArgs};
use super::play::play;
use super::stage::enter;
use crate::host::{Host, Limits};
use crate::sanitize::sanitize;
use crate::ui::terminal::{BotChoice, Chosen, Look, Menu, Palette};
use clap::Parser;
use std::fs;
use std::path::{Path, PathBuf};

/// Shows the menu, and plays what was chosen there.
///
/// # Errors
/// A terminal that cannot be taken over, and whatever goes wrong in the match.
pub(super) fn menu(args: &PlayArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let palette = Palette::of_environment(args.colour(), true);
    let look = Look { palette, charset: out.charset() };
    let mut menu = Menu::new(look, bots(&args.bot_folders(), host));
    loop {
        let mut session = enter(palette)?;
        let chosen = menu.run(&mut session);
        drop(session);
        let chosen =
            chosen.map_err(|error| Failure::new(ExitCode::File, "the terminal is gone").because(&error))?;
        let Chosen::Play(arguments) = chosen else { return Ok(ExitCode::Done) };
        let line = std::iter::once("arbiter".to_owned()).chain(arguments.iter().cloned());
        let parsed = CommandLine::try_parse_from(line).map_err(|error| {
            Failure::new(ExitCode::Usage, error.to_string().lines().next().unwrap_or_default().to_owned())
        });
        // What is wrong with the choice is said in the menu, where it can be mended.
        let checked = parsed.and_then(|parsed| Plan::new(&parsed.play, host).map(|_| parsed));
        match checked {
            Ok(parsed) => {
                out.line(&format!("arbiter {}", arguments.join(" ")))?;
                out.flush()?;
                return play(&parsed.play, host, out);
            }
            Err(failure) => menu.complain(failure.text().trim_start_matches("error: ")),
        }
    }
}

/// The bots in these folders.
fn bots(folders: &[PathBuf], host: &Host) -> Vec<BotChoice> {
    let mut files: Vec<PathBuf> = folders.iter().flat_map(|folder| libraries(folder)).collect();
    files.sort();
    files.dedup();
    let bot = |file: PathBuf| {
        let identity = host.identify(&file, &Limits::default()).ok()?;
        let named = if file.components().count() == 1 { Path::new(".").join(&file) } else { file };
        Some(BotChoice {
            file: named.display().to_string(),
            name: sanitize(&identity.greeting.name),
            games: identity.greeting.games,
        })
    };
    files.into_iter().filter_map(bot).collect()
}

fn libraries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .filter(|path| path.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION))
        .collect()
}
