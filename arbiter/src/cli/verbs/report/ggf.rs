//! `arbiter report --format ggf`: games of Othello as other programs read them, after
//! <https://skatgame.net/mburo/ggsa/ggf>.

use crate::cli::saved::Games;
use crate::cli::{Failure, Output};
use crate::record::schema::{GameRecord, MatchReport, PlyRecord};
use crate::sanitize::sanitize;
use chrono::{DateTime, Utc};
use std::path::PathBuf;

/// Prints the games of reports, one a line.
pub(super) fn print(files: &[PathBuf], out: &mut Output) -> Result<(), Failure> {
    for path in files {
        let mut games = Games::open(path)?;
        let report = games.frame().clone();
        if report.plan.game != "othello" {
            let message = format!("{} has games of {}; GGF is for Othello", path.display(), report.plan.game);
            return Err(Failure::usage(message).hint("--format json, or a report of Othello games"));
        }
        games.some().try_for_each(|some| some?.iter().try_for_each(|game| out.line(&line(&report, game))))?;
        games.end()?;
    }
    Ok(())
}

fn line(report: &MatchReport, game: &GameRecord) -> String {
    let name = |seat: usize| {
        let player = game.seats.get(seat).and_then(|seat| report.plan.players.get(seat.player as usize));
        // Nothing in this format stands for a bracket.
        sanitize(player.map_or("", |player| &player.name)).replace(['[', ']'], "|")
    };
    let started = game.started.as_deref().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    let date = started.map_or(String::new(), |time| {
        format!("DT[{}]", time.with_timezone(&Utc).format("%Y.%m.%d_%H:%M:%S.UTC"))
    });
    let start = board(game.position.as_deref().unwrap_or(&report.plan.position));
    let moves: String = game.turns().map(played).collect();
    format!(
        "(;GM[Othello]PC[arbiter]{date}PB[{}]PW[{}]RE[{}]TY[8]BO[8 {start}]{moves};)",
        name(0),
        name(1),
        result(game)
    )
}

/// The discs by which black has won, empty cells counted for the winner, and a flag for a game that was lost otherwise: on
/// time, or, as the format knows no other faults, as if resigned. These count as lost with all discs.
fn result(game: &GameRecord) -> String {
    let Some(outcome) = &game.outcome else { return "?".to_owned() };
    if let Some(loser) = game.ending.seat {
        let flag = if game.ending.reason == "timed-out" { 't' } else { 'r' };
        return format!("{}64.00:{flag}", if loser == 0 { '-' } else { '+' });
    }
    let discs = game.scores.get("discs_empties_to_winner").map(Vec::as_slice);
    match (outcome.winner(), discs) {
        (None, _) => "+0.00".to_owned(),
        (Some(_), Some([black, white])) => format!("{:+}.00", black - white),
        (Some(_), _) => "?".to_owned(),
    }
}

/// A position text, row by row, with a star for black.
fn board(position: &str) -> String {
    let signs: Vec<char> = position.chars().map(|sign| if sign == 'X' { '*' } else { sign }).collect();
    let (cells, side) = signs.split_at(signs.len().min(64));
    let rows: Vec<String> = cells.chunks(8).map(|row| row.iter().collect()).collect();
    format!("{}{}", rows.join(" "), side.iter().collect::<String>())
}

/// A move with the seconds that the clock was charged with.
fn played((seat, ply): (u32, &PlyRecord)) -> String {
    let colour = if seat == 0 { 'B' } else { 'W' };
    let cell = if ply.played == "pass" { "PA" } else { &ply.played };
    let time = ply.charged_ns.or(ply.wall_ns).map(|ns| format!("//{:.3}", ns as f64 / 1e9));
    format!("{colour}[{cell}{}]", time.unwrap_or_default())
}
