//! The menu that `arbiter` shows on a terminal when nothing says what to play.

use crate::cli::plan::{Plan, PlayArgs};
use crate::cli::presentation::enter;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::{Host, Limits};
use crate::sanitize::sanitize;
use crate::ui::terminal::{BotChoice, Chosen, Look, Menu};
use clap::Parser;
use std::path::Path;

/// A match as the menu writes it.
#[derive(Parser)]
struct Written {
    #[command(flatten)]
    play: PlayArgs,
}

/// Shows the menu until a match has been chosen that can be played, or none.
///
/// # Errors
/// A terminal that cannot be taken over.
pub(super) fn choose(args: &PlayArgs, host: &Host, out: &mut Output) -> Result<Option<PlayArgs>, Failure> {
    let palette = args.palette();
    let look = Look { palette, charset: out.charset() };
    let mut menu = Menu::new(look, bots(args.bot_folder(), host));
    loop {
        let mut session = enter(palette)?;
        let chosen = menu.run(&mut session);
        drop(session);
        let chosen =
            chosen.map_err(|error| Failure::new(ExitCode::File, "the terminal is gone").because(&error))?;
        let Chosen::Play(arguments) = chosen else { return Ok(None) };
        let line = std::iter::once("arbiter".to_owned()).chain(arguments.iter().cloned());
        let parsed = Written::try_parse_from(line).map_err(|error| {
            Failure::new(ExitCode::Usage, error.to_string().lines().next().unwrap_or_default().to_owned())
        });
        // What is wrong with the choice is said in the menu, where it can be mended.
        let checked = parsed.and_then(|parsed| Plan::new(&parsed.play, host).map(|_| parsed));
        match checked {
            Ok(parsed) => {
                out.line(&format!("arbiter {}", arguments.join(" ")))?;
                out.flush()?;
                return Ok(Some(parsed.play));
            }
            Err(failure) => menu.complain(failure.text().trim_start_matches("error: ")),
        }
    }
}

/// The bots in a folder, or in the usual ones.
fn bots(folder: Option<&Path>, host: &Host) -> Vec<BotChoice> {
    let bot = |named: String| {
        let identity = host.identify(host.bot(&named), &Limits::default()).ok()?;
        Some(BotChoice {
            file: named,
            name: sanitize(&identity.greeting.name),
            games: identity.greeting.games,
        })
    };
    host.bots_in(folder).unwrap_or_default().into_iter().filter_map(bot).collect()
}
