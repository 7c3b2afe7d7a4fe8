//! `arbiter league`: a folder in which bots come and go, and who stands where.

mod arrival;
mod finals;
mod folder;
mod season;

use crate::cli::options::{anchored, with_file};
use crate::cli::plan::{LeagueArgs, Plan};
use crate::cli::runner::wait;
use crate::cli::said::Said;
use crate::cli::saved::{FINALS, in_folder};
use crate::cli::show::names;
use crate::cli::show::results::{self, ShownArgs};
use crate::cli::signals::{STOP, Signals};
use crate::cli::{ExitCode, Failure, Output};
use crate::host::Host;
use crate::record::{read_found_text, replace};
use crate::ui::talk;
use arrival::Admission;
pub(crate) use finals::finals;
use season::Season;
use std::time::Duration;
use std::{fs, io};

/// The file beside the bots that says what is played.
const FILE: &str = "league.toml";

/// How often the folder is looked at again for a file in it that is still being written, before `--once` ends without it and others
/// are told how things stand.
const LOOKS: u32 = 30;

/// The page of a season.
const PAGE: &str = "season.html";

/// How long a league pauses when something could not be written, as on a full disk.
const FULL: Duration = Duration::from_secs(5);

/// The arguments with what the file beside the bots says, if there is one.
pub(crate) fn with_its_file(args: &LeagueArgs, said: &Said) -> Result<Option<LeagueArgs>, Failure> {
    if !args.folder.is_dir() {
        let message = format!("there is no folder {}", args.folder.display());
        return Err(Failure::file(message).hint("the folder with the bots and league.toml"));
    }
    let file = args.folder.join(FILE);
    if !file.exists() && args.board.game.is_none() {
        let failure =
            Failure::usage(format!("there is no {}, so nothing says which game to play", file.display()));
        return Err(failure.hint("a file of that name with the line game = \"othello\", or --game othello"));
    }
    let written = file.exists().then(|| with_file(&file, "league", [], said.words_without(&[])));
    Ok(written.transpose()?.map(|(args, _)| args))
}

pub(crate) fn league(args: &LeagueArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    let folder = args.folder.join(&args.season);
    if folder.join(FINALS).exists() {
        let failure = Failure::usage(format!("the finals of {} have begun", folder.display()));
        return Err(failure.hint("--finals goes on with them; --season NAME begins another season"));
    }
    let mut admission = Admission::new(&args.folder, &folder, args.every, &args.mark);
    let mut signals = None;
    let mut is_full = false;
    loop {
        let mut season = Season::open(Plan::of_league(args, host)?, &folder)?;
        let signals = match &mut signals {
            Some(signals) => signals,
            none => {
                none.insert(Signals::listen(false, season.journal_path(), "the same command goes on", || {})?)
            }
        };
        let played = play(&mut season, &mut admission, args, out);
        drop(season);
        match played {
            // A league runs for weeks with nobody watching, so a full disk must not end it.
            Err(failure) if failure.code == ExitCode::File && !args.once && signals.heard().is_none() => {
                if !std::mem::replace(&mut is_full, true) {
                    failure.tell();
                    talk("the league goes on when there is room; Ctrl-C ends");
                }
                // The failure has stopped all games; from here on they may be played again.
                STOP.over();
                if signals.heard().is_some() {
                    STOP.after_running_games();
                }
                wait(FULL);
            }
            played => return played.map(|()| signals.heard().unwrap_or(ExitCode::Done)),
        }
    }
}

/// Plays what there is to play until somebody stops it, or with `--once` until there is no more.
fn play(
    season: &mut Season,
    admission: &mut Admission,
    args: &LeagueArgs,
    out: &mut Output,
) -> Result<(), Failure> {
    keep_names(args);
    let (mut is_told, mut looks) = (false, 0);
    while !STOP.is_wanted() {
        if !season.is_in_a_round() {
            admission.admit(season)?;
            if args.once && admission.is_waiting() && looks < LOOKS {
                // This run ends soon, and nobody may start another for the file that is half written now.
                looks += 1;
                wait(args.every);
                continue;
            }
            season.set_marks(&args.mark)?;
            if args.until_round.is_some_and(|last| season.rounds() >= last) {
                break;
            }
        }
        if season.begin_round() {
            season.play_round()?;
            season.tell_round();
            (is_told, looks) = (false, 0);
            continue;
        }
        if args.once {
            break;
        }
        // As long as a file may still be written, it is too early to say that there is nothing to play.
        let is_early = admission.is_waiting() && looks < LOOKS;
        looks += 1;
        if !is_early && !std::mem::replace(&mut is_told, true) {
            report(season, args, out)?;
            season.tell("waiting for other bots; Ctrl-C ends");
        }
        wait(args.every);
    }
    report(season, args, out)
}

/// Writes the report, and prints who stands where.
fn report(season: &mut Season, args: &LeagueArgs, out: &mut Output) -> Result<(), Failure> {
    for name in args.mark.iter().filter(|name| season.version_named(name).is_none()) {
        season.tell(&format!("nobody here is called {name}, who is to set a mark"));
    }
    keep_names(args);
    let Some((standings, path)) = season.write_report()? else {
        talk(&format!("nobody has played: fewer than two bots take part in {}", args.folder.display()));
        return Ok(());
    };
    write_page(args);
    let standings = anchored(standings, args.anchor.as_ref())?;
    results::print_standings(&standings, args.format, &path, out)?;
    out.flush()
}

/// Writes the page of a season beside its report. If that fails there is a warning, and the games go on.
pub(crate) fn write_page(args: &LeagueArgs) {
    let folder = args.folder.join(&args.season);
    let files = [&folder, &folder.join(FINALS)].map(|folder| in_folder(folder).unwrap_or_default());
    let shown = ShownArgs { pseudonyms: false, anchor: args.anchor.clone() };
    if let Err(failure) = results::save(&files.concat(), &folder.join(PAGE), &shown) {
        failure.cause("the page of the season has not been written").warn();
    }
}

/// Copies the table of names into the season's folder, so that an archived season still has it. Where there is none, or no room for
/// a copy, bots have the names of their files.
fn keep_names(args: &LeagueArgs) {
    let (given, kept) = (args.folder.join(names::FILE), args.folder.join(&args.season).join(names::FILE));
    match read_found_text(&given) {
        Ok(text) if read_found_text(&kept).ok().as_ref() != Some(&text) => {
            drop(replace(&kept, |out| out.write_all(text.as_bytes())));
            // Whoever may not read the table may not read the copy.
            drop(fs::metadata(&given).and_then(|about| fs::set_permissions(&kept, about.permissions())));
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            let failure = Failure::file(format!("cannot use {}", given.display()));
            failure.because(&error).hint("a table of less than a MiB in a file itself").warn();
        }
        Ok(_) | Err(_) => {}
    }
}
