//! The menu that `arbiter` shows when nothing says what to play, on a terminal or with `--web` on a page.

use crate::cli::options::{first_line, from_words, people, time};
use crate::cli::plan::{Plan, PlayArgs};
use crate::cli::said::{Said, line};
use crate::cli::saved::is_left;
use crate::cli::show::pages;
use crate::cli::show::presentation::enter;
use crate::cli::{Failure, Output};
use crate::host::{BotCommand, Host};
use crate::record::replace;
use crate::sanitize::sanitize;
use crate::ui::After;
use crate::ui::menu::{BotChoice, Choice};
use crate::ui::terminal::{Chosen as Click, Menu};
use crate::web::{self, Door};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Lines of a remembered game that are read.
const MOST_LINES: usize = 64;

/// Options that a match of its own is made of, and those that say where one of the past is.
const OF_THE_GAME: [&str; 13] = [
    "bots", "game", "players", "seat", "options", "bot_options", "position", "openings", "games",
    "time_odds", "seed", "output", "resume",
];
/// Options that the menu has a line for.
const TIMES: [&str; 4] = ["move_time", "clock", "no_clock", "fuel"];
const CASUAL: &str = "casual";
const RESUME: &str = "resume";

/// Moves of bots come slowly enough for people to look.
const WATCHED: &str = "--delay=300ms";

/// A match that has been chosen: its arguments, and how they were said.
pub(super) type Chosen = (PlayArgs, Said);

/// Shows the menu until a match has been chosen that can be played, or none, with what was wrong with the one before. What the command
/// line says besides is kept.
pub(super) fn choose(
    args: &PlayArgs,
    said: &Said,
    wrong: Option<&Failure>,
    host: &Host,
    out: &mut Output,
) -> Result<Option<Chosen>, Failure> {
    let look = args.screen.colour.look(out.charset());
    let mut menu = Menu::new(look, choice(args, said, host));
    menu.alert = wrong.map(complaint).unwrap_or_default();
    loop {
        let mut session = enter(look)?;
        let chosen = menu.run(&mut session);
        drop(session);
        let chosen = chosen.map_err(|error| Failure::file("the terminal is gone").because(&error))?;
        if chosen == Click::Leave {
            return Ok(None);
        }
        match checked(&menu.choice, said, &["--watch", WATCHED], host) {
            Ok(chosen) => return tell(chosen, out).map(Some),
            Err(complaint) => menu.alert = complaint,
        }
    }
}

/// Shows the menu on a page until a match has been chosen that can be played.
pub(super) fn choose_on_page(
    args: &PlayArgs,
    said: &Said,
    door: &Arc<Door>,
    host: &Host,
    out: &mut Output,
) -> Result<Chosen, Failure> {
    let failed = pages::cannot_answer(args.web.port);
    let menu = web::Menu::open(door, choice(args, said, host)).map_err(&failed)?;
    loop {
        match checked(&menu.chosen().map_err(&failed)?, said, &[WATCHED], host) {
            Ok(chosen) => return tell(chosen, out),
            Err(complaint) => menu.complain(&complaint),
        }
    }
}

fn choice(args: &PlayArgs, said: &Said, host: &Host) -> Choice {
    let has_time = said.has_any(&TIMES);
    let recalled = recalled();
    let mut choice = Choice::new(bots(args.screen.bots_in.as_deref(), host), has_time, &recalled);
    if said.has_any(&[CASUAL]) {
        choice.take_moves_back();
    }
    let last = || read(&in_words(&choice, said)).and_then(|(args, said)| Plan::new(&args, &said, host));
    if !recalled.is_empty() && last().is_ok_and(|plan| is_left(&plan)) {
        choice.offer_to_go_on();
    }
    choice
}

/// The match that has been chosen, with these words where nobody plays in it. What is wrong with it is said in the menu, where
/// it can be mended.
fn checked(choice: &Choice, said: &Said, watched: &[&str], host: &Host) -> Result<Chosen, String> {
    let mut all = in_words(choice, said);
    if choice.is_watched() {
        all.extend(watched.iter().map(OsString::from));
    }
    let parsed = read(&all).and_then(|(args, said)| Plan::new(&args, &said, host).map(|_| (args, said)));
    let parsed = parsed.map_err(|failure| complaint(&failure))?;
    remember(&choice.remembered());
    Ok(parsed)
}

/// The command line of a choice, with what was said besides.
fn in_words(choice: &Choice, said: &Said) -> Vec<OsString> {
    let times = if choice.has_chosen_time() { &TIMES[..] } else { &[] };
    let resume = if choice.offers_to_go_on() { &[RESUME][..] } else { &[] };
    let mut all = said.words_without(&[&[CASUAL], times, resume].concat());
    all.extend(choice.arguments().into_iter().map(OsString::from));
    all
}

/// What is wrong with a match, as the menu says it.
pub(super) fn complaint(failure: &Failure) -> String {
    failure.text().trim_start_matches("error: ").to_owned()
}

fn tell(chosen: Chosen, out: &mut Output) -> Result<Chosen, Failure> {
    out.line(&format!("arbiter {}", line(&chosen.1.words_without(&[]))))?;
    out.flush()?;
    Ok(chosen)
}

pub(super) fn read(words: &[OsString]) -> Result<Chosen, Failure> {
    from_words("", words.iter().cloned()).map_err(|error| Failure::usage(first_line(&error)))
}

/// What to play after a match: the words of the command line that does it.
pub(super) fn after(after: After, plan: &Plan, said: &Said) -> Vec<OsString> {
    let by = match after {
        After::Another => return said.words_without(&OF_THE_GAME),
        After::Again => 0,
        After::Swapped => 1,
    };
    let entrants = &plan.games.entrants;
    let seats = entrants.len();
    // Who sat in a seat sits in the one before it, the first in the last.
    let moved = |place: usize| (place + seats - by) % seats + 1;
    let mut all =
        said.words_without(&["bots", "seat", "bot_options", "time_odds", "seed", "output", "resume"]);
    for (index, entrant) in entrants.iter().enumerate() {
        let person = entrant.person().map(|at| people::named(&entrant.name, at));
        let named = person.or_else(|| entrant.named()).unwrap_or_default();
        all.push(format!("--seat={}={named}", moved(index)).into());
        let options = entrant.bot().into_iter().flat_map(|bot| &bot.options);
        all.extend(options.map(|(key, value)| format!("-B{}:{key}={value}", moved(index)).into()));
        if entrant.person().is_none() && entrant.time != plan.games.bot_time {
            let time = time::written(entrant.time, plan.games.bot_time);
            all.push(format!("--time-odds={}:{time}", moved(index)).into());
        }
    }
    all
}

fn bots(folder: Option<&Path>, host: &Host) -> Vec<BotChoice> {
    let bot = |named: PathBuf| {
        let greeting = host.identify(&BotCommand::new(host, host.bot(&named))).ok()?;
        let about = sanitize(&greeting.about);
        Some(BotChoice {
            file: named.display().to_string(),
            name: sanitize(&greeting.name),
            games: greeting.games,
            has_levels: about.contains("level=1..10"),
            about,
        })
    };
    host.bots_in(folder).unwrap_or_default().into_iter().filter_map(bot).collect()
}

/// Where the menu remembers the game that was played last. That it cannot be written or read does no harm.
fn last_game() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || folder("HOME").map(|home| home.join(".local/state"));
    let base = folder("XDG_STATE_HOME").or_else(home).or_else(|| folder("LOCALAPPDATA"))?;
    Some(base.join("arbiter").join("last-game"))
}

fn recalled() -> Vec<String> {
    let text = last_game().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    text.lines().take(MOST_LINES).map(str::to_owned).collect()
}

fn remember(lines: &[String]) {
    let Some(file) = last_game() else { return };
    let written = || {
        std::fs::create_dir_all(file.parent()?).ok()?;
        replace(&file, |out| out.write_all(lines.join("\n").as_bytes())).ok()
    };
    if written().is_none() {
        tracing::debug!("the last game cannot be remembered in {}", file.display());
    }
}
