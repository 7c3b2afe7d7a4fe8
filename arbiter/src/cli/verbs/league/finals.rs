//! The finals of a season: a tournament between its best bots, in the versions that are there.

use super::season::{BOTS, REPORT};
use super::{FILE, keep_names};
use crate::cli::Failure;
use crate::cli::options::Finals;
use crate::cli::plan::{LeagueArgs, TournamentArgs};
use crate::cli::said::Said;
use crate::cli::saved::{FINALS, Games, journal_of};
use crate::cli::show::circumstances::circumstances;
use crate::record::schema::Player;
use crate::report::{Standings, Tally};
use std::ffi::OsString;
use std::path::Path;

pub(crate) fn finals(args: &LeagueArgs) -> Result<(TournamentArgs, Said), Failure> {
    let folder = args.folder.join(&args.season);
    let finals = Finals::of(&args.folder.join(FILE))?;
    let (seed, best) = best(&folder, finals.top)?;
    // Names may have been written or mended since the last game.
    keep_names(args);
    let report = folder.join(FINALS).join("finals.json");
    let seed = format!("--seed={seed}, finals");
    let usual = vec!["--schedule=knockout".to_owned(), "--seeding=given".to_owned(), seed];
    let mut output = OsString::from("--output=");
    output.push(report);
    let mut words = vec![output];
    if folder.join(FINALS).exists() {
        words.push("--resume".into());
    }
    for (place, player) in (1..).zip(&best) {
        let file = Path::new(player.file.as_deref().unwrap_or_default()).file_name().unwrap_or_default();
        let copy = folder.join(BOTS).join(&player.name).join(file);
        words.extend([copy.into(), format!("--name={place}:{}", player.name).into()]);
    }
    finals.args(usual, words)
}

/// The seed of a season, and the best of those who are there, but for those who set marks and those who are withdrawn.
fn best(folder: &Path, top: usize) -> Result<(String, Vec<Player>), Failure> {
    let journal = journal_of(&folder.join(REPORT));
    let mut games = Games::open(&journal)?;
    let report = games.frame().clone();
    let Some(course) = games.course() else {
        let failure = Failure::file(format!("the plan of {} makes no sense", journal.display()));
        return Err(failure.hint("arbiter verify says more"));
    };
    let circumstances = circumstances(&report.plan, course, 0);
    let mut tally = Tally::under(&report.plan);
    for some in games.some() {
        some?.iter().for_each(|game| tally.add(game));
    }
    let (former, withdrawn) = (circumstances.former.clone(), circumstances.withdrawn_after.clone());
    let standings = Standings::new(&tally, circumstances);
    let is_in =
        |player: &usize| !former[*player] && withdrawn[*player].is_none() && !tally.staff.contains(player);
    let players = standings.lines.iter().map(|line| line.player).filter(is_in).take(top);
    let best: Vec<Player> = players.map(|player| report.plan.players[player].clone()).collect();
    if best.len() < 2 {
        let failure =
            Failure::usage("fewer than two bots are there for finals; those that set marks play none");
        return Err(failure
            .hint("more bots in the folder, and the same command with --once instead of --finals first"));
    }
    Ok((report.plan.seed, best))
}
