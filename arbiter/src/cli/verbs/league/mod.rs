//! `arbiter league`: a folder in which bots come and go, and who stands where.

mod arrival;
mod folder;
mod season;

use crate::cli::anchor::anchored;
use crate::cli::plan::{LeagueArgs, Plan};
use crate::cli::runner::STOP;
use crate::cli::signals::Signals;
use crate::cli::tournament_file::with_file;
use crate::cli::{ExitCode, Failure, Output};
use crate::host::Host;
use crate::report::{Format, standings_text};
use crate::ui::talk;
use arrival::Door;
use season::Season;
use std::time::{Duration, Instant};

/// The file beside the bots that says what is played.
const FILE: &str = "league.toml";

/// How often somebody who waits looks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

pub(crate) fn league(args: &LeagueArgs, host: &Host, out: &mut Output) -> Result<ExitCode, Failure> {
    if !args.folder.is_dir() {
        let message = format!("there is no folder {}", args.folder.display());
        return Err(Failure::new(ExitCode::File, message).hint("the folder with the bots and league.toml"));
    }
    let typed = || std::env::args().skip_while(|word| word != "league").skip(1);
    let file = args.folder.join(FILE);
    let with_file = file.exists().then(|| with_file(&file, "league", typed())).transpose()?;
    let args: &LeagueArgs = with_file.as_ref().unwrap_or(args);
    let folder = args.folder.join(&args.season);
    let mut season = Season::open(Plan::of_league(args, host)?, &folder)?;
    let signals = Signals::listen(&STOP, false, season.journal_path(), || {})?;
    let mut door = Door::new(&args.folder, &folder, if args.once { Duration::ZERO } else { args.every });
    let mut is_told = false;
    while !STOP.is_wanted() {
        if !season.is_in_a_round() {
            door.open(&mut season)?;
            season.set_marks(&args.mark)?;
            if args.until_round.is_some_and(|last| season.rounds() >= last) {
                break;
            }
        }
        if season.begin_round() {
            season.play_round()?;
            season.tell_round();
            is_told = false;
            continue;
        }
        if args.once {
            break;
        }
        if !std::mem::replace(&mut is_told, true) {
            report(&mut season, args, out)?;
            season.tell("waiting for other bots; Ctrl-C ends");
        }
        wait(args.every);
    }
    report(&mut season, args, out)?;
    Ok(signals.heard().unwrap_or(ExitCode::Done))
}

/// Writes the report, and prints who stands where.
fn report(season: &mut Season, args: &LeagueArgs, out: &mut Output) -> Result<(), Failure> {
    let Some((standings, path)) = season.write_report()? else {
        talk(&format!("nobody has played: there are fewer than two bots in {}", args.folder.display()));
        return Ok(());
    };
    let standings = anchored(standings, args.anchor.as_ref())?;
    let format = season.plan().view.format;
    out.text(&standings_text(&standings, format, out.charset()))?;
    if format == Format::Table {
        out.line("")?;
        out.line(&path.display().to_string())?;
    } else {
        talk(&path.display().to_string());
    }
    out.flush()
}

fn wait(time: Duration) {
    let began = Instant::now();
    while began.elapsed() < time && !STOP.is_wanted() {
        std::thread::sleep(LOOK.min(time));
    }
}
