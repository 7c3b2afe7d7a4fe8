//! A bot that thinks on the opponent's time is found out every time, and no other bot ever is.

use super::{play, tell};
use crate::support::{Load, c_bot, scratch};
use arbiter::record::schema::{ChosenBy, MatchReport, PlyRecord};

/// Turns of the first player that came after one of its own and one of its opponent's, and those before which it was
/// found thinking.
fn flagged(report: &MatchReport) -> (usize, usize) {
    let (mut turns, mut found) = (0, 0);
    for game in &report.games {
        // A pass takes no time in which somebody could think.
        let plies: Vec<(u32, &PlyRecord)> = game.turns().collect();
        for plies in plies.windows(3).filter(|plies| plies.iter().all(|(_, ply)| ply.by == ChosenBy::Player))
        {
            let (seat, ply) = plies[2];
            let is_own = game.seats[seat as usize].player == 0;
            turns += usize::from(is_own);
            found += usize::from(is_own && ply.pondered_ns.is_some());
        }
    }
    (turns, found)
}

/// Plays until the first player has had so many turns after its first, the other one taking so long for each of its own.
fn count(name: &str, is_honest: bool, turns: u32, opponent: &str) -> (usize, usize) {
    let (clocked, stumbling) = (c_bot("clocked"), c_bot("stumbling"));
    // Of 18 plies each side has 9, and all but the first count.
    let games = turns.div_ceil(8).to_string();
    let rest = format!("2:sleep_ms={opponent}");
    let mut args = vec![&*clocked, &*stumbling, "--game", "othello"];
    args.extend(["--games", &games, "--max-plies", "18", "--openings", "none", "--no-clock", "-B", &rest]);
    args.extend(["-B", if is_honest { "1:pool=4" } else { "1:ponder_ms=5" }]);
    let (turns, found) = flagged(&play(&scratch(name), name, &args));
    tell(&format!("{name}: found thinking before {found} of {turns} turns"));
    (turns, found)
}

#[track_caller]
fn prove(burning: u32, honest: u32, missed: usize, when: &str) {
    let (turns, found) = count(&format!("burns-{when}"), false, burning, "40");
    assert!(turns >= burning as usize && found + missed >= turns, "{found} of {turns} found {when}");
    let (turns, found) = count(&format!("pool-{when}"), true, honest, "4");
    assert!(turns >= honest as usize && found == 0, "{found} of {turns} falsely found {when}");
}

#[test]
fn five_milliseconds_on_the_opponents_time_are_found_and_a_pool_of_threads_is_not() {
    // A machine with much else to do may not let a bot think between two turns at all.
    prove(24, 64, 6, "briefly");
}

/// `cargo test -p arbiter --test it proofs::pondering -- --ignored --nocapture --test-threads 1`
#[test]
#[ignore = "takes half a minute"]
fn five_milliseconds_are_found_100_times_of_100_and_a_pool_0_times_of_1000() {
    prove(100, 1000, 0, "quietly");
}

/// As above.
#[test]
#[ignore = "takes minutes, and both cores"]
fn five_milliseconds_are_found_100_times_of_100_and_a_pool_0_times_of_1000_under_load() {
    let _load = Load::of(2);
    prove(100, 1000, 0, "under-load");
}
