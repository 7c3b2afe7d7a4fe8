//! The saved form of a match or tournament: plain structs, versioned, documented for whoever reads the files.
//!
//! Names are JSON names. Times are whole nanoseconds unless a name says otherwise. Seats and players count from 0,
//! games from 1. In plans and sums, what is not there (no limit) is `null`; in games it is left out, and so is whatever a
//! reader can derive.

mod game;
mod plan;

pub use game::*;
pub use plan::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format of the files that this version writes. Version 1 knew matches only; 2 has schedules, withdrawals, tests
/// and lists of openings; 3 says of games only what cannot be derived.
pub const FORMAT_VERSION: u32 = 3;

/// The most players of a match or tournament.
pub const MOST_PLAYERS: usize = 2_000;

/// The words for what holds bots besides the sandbox, in the order of reports.
pub const ISOLATION: [&str; 2] = ["cgroup", "namespaces"];

/// The word that tells a match report from other JSON.
pub const FORMAT: &str = "arbiter-match";

/// The report of a match or a tournament: its games, with everything needed to judge them again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchReport {
    /// Always `arbiter-match`.
    pub format: String,
    /// The version of this format, from 1.
    pub format_version: u32,
    /// The version of arbiter that wrote the file.
    pub arbiter: String,
    /// What was played.
    pub plan: Plan,
    /// The machine it was played on; `null` in the canonical form.
    #[serde(default)]
    pub machine: Option<Machine>,
    /// When the match began, RFC 3339 with milliseconds; no date of a match is before an earlier one, whatever happens to the
    /// machine's clock. `null` in the canonical form.
    #[serde(default)]
    pub started: Option<String>,
    /// When the report was written, after the last of its games, RFC 3339; `null` in the canonical form.
    #[serde(default)]
    pub finished: Option<String>,
    /// How many games there have to be: fewer than planned once a test has decided or somebody is withdrawn; in
    /// tournaments whose rounds depend on results, as far as that is known.
    pub games_asked: u32,
    /// How many games came to an end.
    pub games_ended: u32,
    /// The games that ended, by number.
    pub games: Vec<GameRecord>,
    /// Sums by player, in the order of `plan.players`.
    pub totals: Vec<Totals>,
    /// Groups of games with the same opening and the same moves. Deterministic bots repeat themselves: such games are
    /// evidence of one game only. Games with numbers above a million are not compared with others.
    pub duplicates: Vec<Vec<u32>>,
    /// Who was withdrawn, in order. Games behind a withdrawal are in no report.
    #[serde(default)]
    pub withdrawals: Vec<WithdrawalRecord>,
    /// What the sequential test has found so far; `null` without a test.
    #[serde(default)]
    pub sprt: Option<SprtRecord>,
    /// What each machine played, where the report was made of several journals; empty in the canonical form.
    #[serde(default)]
    pub parts: Vec<PartRecord>,
}

/// A player that takes no part in any later unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WithdrawalRecord {
    /// Index into `plan.players`.
    pub player: u32,
    /// The game whose fault was one too many. The other games of its unit still count.
    pub after_game: u32,
}

/// What a sequential test says of the units at the start of the schedule that are all there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SprtRecord {
    /// What is decided.
    pub decision: SprtDecision,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this, H0 is accepted.
    pub lower: f64,
    /// At or above this, H1 is accepted.
    pub upper: f64,
    /// How many units it looked at.
    pub units: u32,
    /// Pairs by the half points of the first player, from 0 to 4.
    pub counts: Vec<u64>,
}

/// What a sequential test can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// Nothing yet.
    Continue,
    /// The first player is not stronger by more than `elo0`.
    H0,
    /// The first player is stronger by at least `elo1`.
    H1,
}

/// The part of a tournament that one journal holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartRecord {
    /// The part of the units, such as `2/4`; `null` for a journal of all.
    pub shard: Option<String>,
    /// Where it was played.
    pub machine: Machine,
    /// When that began, RFC 3339.
    pub started: String,
    /// Games in it that count.
    pub games: u32,
    /// Moves that players chose in them.
    pub moves: u64,
    /// Wall time of their answers.
    pub wall_ns: u64,
}

/// The machine that a match was played on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its name in the network, where the system tells it.
    #[serde(default)]
    pub host: Option<String>,
    /// The operating system.
    pub os: String,
    /// The processor's architecture.
    pub arch: String,
    /// The processor's name, where the system tells it.
    pub processor: Option<String>,
    /// Cores that arbiter could use.
    pub cores: u32,
    /// Games that were played at the same time.
    pub jobs: u32,
    /// What held bots besides the sandbox that holds all of them: `namespaces`, `cgroup`; left out where nothing did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub isolation: Vec<String>,
}

/// The sums of one player over all games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Games that scored.
    pub games: u32,
    /// A win is 1 point, a draw 1 divided by the seats that share it.
    pub points: f64,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Refused answers by reason, and faults that lost a game or a seat by kind. A game lost by an illegal move stands here as
    /// the reason of its last refused answer, not as `illegal-move` once more.
    pub errors: BTreeMap<String, u32>,
    /// Moves that the player chose: not those of openings, nor passes that were the only move.
    pub moves: u32,
    /// Wall time of all answers; `null` in the canonical form.
    #[serde(default)]
    pub wall_ns: Option<u64>,
    /// Processor time of all answers; `null` in the canonical form.
    #[serde(default)]
    pub cpu_ns: Option<u64>,
    /// What clocks were charged with for all answers; `null` in the canonical form, and in files without `plan.clock`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charged_ns: Option<u64>,
}

impl Totals {
    /// Refused answers, and what lost games or seats. A forged report may claim more than can be counted.
    pub fn faults(&self) -> u32 {
        self.errors.values().fold(0, |sum, &more| sum.saturating_add(more))
    }

    /// Takes out what answers took.
    pub(crate) fn forget_times(&mut self) {
        (self.wall_ns, self.cpu_ns, self.charged_ns) = (None, None, None);
    }
}

/// The first line of a journal: what is being played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalHeader {
    /// Always `arbiter-journal`.
    pub format: String,
    /// The version of the format, the same as that of reports.
    pub format_version: u32,
    /// The version of arbiter that wrote the file.
    pub arbiter: String,
    /// What is played.
    pub plan: Plan,
    /// The machine.
    pub machine: Machine,
    /// When the match began, RFC 3339.
    pub started: String,
    /// How many games there have to be, as far as it was known at the start.
    pub games_asked: u32,
    /// SHA-256 of everything that decides which games are played, 64 hexadecimal digits: parts that are put together
    /// must agree in it. Journals of version 1 have none.
    pub plan_hash: Option<String>,
    /// The part of the units that is played here, such as `2/4`.
    pub shard: Option<String>,
    /// The command that plays it.
    pub command: Option<String>,
}

/// A line of a league's journal between its games: somebody comes or goes before the next round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttendanceLine {
    /// Who, and what happens.
    pub attendance: AttendanceRecord,
    /// Who that is, where nobody knew it before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Player>,
}

impl JournalHeader {
    /// The plan grows by a line of a league's journal.
    ///
    /// # Errors
    /// A player that is neither known nor the next one, in words.
    pub fn attend(&mut self, line: AttendanceLine) -> Result<(), String> {
        let AttendanceLine { attendance, player } = line;
        self.plan.players.extend(player);
        if attendance.player as usize >= self.plan.players.len() {
            return Err(format!("there is no player {}", attendance.player));
        }
        self.plan.schedule.attendance.push(attendance);
        Ok(())
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
