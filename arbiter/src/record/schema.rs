//! The saved form of a match: plain structs, versioned, documented for whoever reads the files.
//!
//! Names are JSON names. Times are whole nanoseconds unless a name says otherwise. Seats and players count from 0,
//! games from 1. What is not there (no winner, no limit) is `null`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format of the files that this version writes.
pub const FORMAT_VERSION: u32 = 1;

/// The word that tells a match report from other JSON.
pub const FORMAT: &str = "arbiter-match";

/// A match report: one or more games between the same players, with everything needed to judge them again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// When the match began, RFC 3339; `null` in the canonical form.
    #[serde(default)]
    pub started: Option<String>,
    /// When the last game ended, RFC 3339; `null` in the canonical form.
    #[serde(default)]
    pub finished: Option<String>,
    /// How many games were asked for.
    pub games_asked: u32,
    /// How many games came to an end.
    pub games_ended: u32,
    /// The games that ended, by number.
    pub games: Vec<GameRecord>,
    /// Sums by player, in the order of `plan.players`.
    pub totals: Vec<Totals>,
    /// Groups of games with the same opening and the same moves. Deterministic bots repeat themselves: such games are
    /// evidence of one game only.
    pub duplicates: Vec<Vec<u32>>,
}

/// Everything that was decided before the first move. Equal plans with deterministic bots give equal games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The game's id, such as `othello`.
    pub game: String,
    /// The version of its rules.
    pub rules_version: u32,
    /// Every option of the game, defaults too.
    pub options: BTreeMap<String, OptionValue>,
    /// Seats in a game.
    pub seats: u32,
    /// The position that every game starts from.
    pub position: String,
    /// Who plays.
    pub players: Vec<Player>,
    /// The seed of the match, from which openings, chance and the bots' own seeds are derived.
    pub seed: String,
    /// How games are opened.
    pub openings: Openings,
    /// Overrun in nanoseconds that is forgiven.
    pub margin_ns: u64,
    /// The error that loses a game; 0 for none.
    pub max_errors: u32,
    /// Plies after which a game is a draw by adjudication.
    pub max_plies: u32,
    /// Whether bots ran inside the referee's own process.
    pub in_process: bool,
}

/// The value of an option, in its own type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Number(u32),
    /// A word.
    Word(String),
}

/// How games are opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// `none`, or `random`: plies drawn from the seed.
    pub kind: OpeningKind,
    /// Plies in an opening.
    pub plies: u32,
}

/// The kinds of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningKind {
    /// Every game starts from `plan.position`.
    None,
    /// Random plies, the same for all games of a rotation through the seats.
    Random,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The name in tables; two players never share one.
    pub name: String,
    /// `bot` or `human`.
    pub kind: PlayerKind,
    /// The author, as the bot says.
    pub author: Option<String>,
    /// The version, as the bot says.
    pub version: Option<String>,
    /// The plugin file as it was named; `null` for people and in the canonical form.
    #[serde(default)]
    pub file: Option<String>,
    /// SHA-256 of the plugin file, 64 hexadecimal digits.
    pub sha256: Option<String>,
    /// Options that the bot was given.
    pub options: BTreeMap<String, String>,
    /// The player's time control.
    pub time: TimeControl,
}

/// What fills a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// A plugin.
    Bot,
    /// A person.
    Human,
}

/// A time control: a fixed time for every move, a clock with an increment, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Time for every move.
    pub move_ns: Option<u64>,
    /// Time on the clock at the start.
    pub base_ns: Option<u64>,
    /// Time added after every move.
    pub increment_ns: Option<u64>,
}

/// The machine that a match was played on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Machine {
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
}

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The number of the game in the match, from 1.
    pub number: u32,
    /// When it began, RFC 3339; `null` in the canonical form.
    #[serde(default)]
    pub started: Option<String>,
    /// How long it took; `null` in the canonical form.
    #[serde(default)]
    pub duration_ns: Option<u64>,
    /// Who sat where, by seat.
    pub seats: Vec<SeatRecord>,
    /// The seed of the game's chance, `0x` and 16 hexadecimal digits.
    pub chance_seed: String,
    /// How many of the plies are the opening.
    pub opening_plies: u32,
    /// Every move, in order.
    pub plies: Vec<PlyRecord>,
    /// Every refused answer, in order; of each seat no more than 1,000.
    pub errors: Vec<ErrorRecord>,
    /// Refused answers beyond those, summed up for each turn.
    #[serde(default)]
    pub errors_left_out: Vec<LeftOutRecord>,
    /// Seats taken out of a game that went on without them, in order.
    pub eliminations: Vec<EliminationRecord>,
    /// How the game ended.
    pub ending: EndingRecord,
    /// Who came where; `null` for a game that was abandoned.
    pub outcome: Option<OutcomeRecord>,
    /// What players did wrong when they were told that the game is over, which changes nothing.
    #[serde(default)]
    pub noted: Vec<NotedRecord>,
    /// Numbers by seat, such as `discs`.
    pub scores: BTreeMap<String, Vec<i64>>,
    /// The cells that decided the game: a winning line.
    pub winning_cells: Vec<String>,
    /// The last position.
    pub final_position: String,
}

impl GameRecord {
    /// How many answers were refused.
    #[must_use]
    pub fn refused(&self) -> usize {
        let left_out = self.errors_left_out.iter().flat_map(|turn| turn.reasons.values());
        self.errors.len() + left_out.map(|&count| count as usize).sum::<usize>()
    }
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRecord {
    /// Index into `plan.players`.
    pub player: u32,
    /// The sign of the seat's pieces on drawings.
    pub sign: String,
    /// Bytes that the bot's process printed, where they are more than is kept of them; `null` in the canonical form.
    #[serde(default)]
    pub printed: Option<u64>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlyRecord {
    /// Who moved.
    pub seat: u32,
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    pub played: String,
    /// Who chose it: the `player`, the `opening`, or the `rules` (a pass that was the only legal move).
    pub by: ChosenBy,
    /// What the rules obliged the seat to (chinese-checkers: no blocking); `null` where they left it all its moves.
    pub obligation: Option<ObligationRecord>,
    /// Wall time of the accepted answer; `null` in the canonical form.
    #[serde(default)]
    pub wall_ns: Option<u64>,
    /// Processor time of the bot for the accepted answer.
    #[serde(default)]
    pub cpu_ns: Option<u64>,
    /// The part of the wall time that the clock was not charged with: the bot was ready to run and the machine did not
    /// let it. `null` where nobody was kept waiting.
    #[serde(default)]
    pub starved_ns: Option<u64>,
    /// Processor time that the bot used since its last turn, thinking on its opponents' time; `null` where it was no
    /// more than housekeeping.
    #[serde(default)]
    pub pondered_ns: Option<u64>,
    /// The earthquake that followed: tokens that fell, by cell. `null` in games without earthquakes.
    #[serde(default)]
    pub earthquake: Option<BTreeMap<String, u32>>,
    /// What the bot said of its search.
    #[serde(default)]
    pub search: Option<SearchRecord>,
}

/// A rule that cut down the legal moves of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObligationRecord {
    /// How far the rule went, from 1.
    pub tier: u8,
    /// The cells of the pieces that were meant.
    pub in_the_way: Vec<String>,
}

/// Who chose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChosenBy {
    /// The player.
    Player,
    /// The opening.
    Opening,
    /// The rules.
    Rules,
}

/// What a bot said of its search: nothing in it is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRecord {
    /// Plies searched; 0 where the bot did not say.
    pub depth: u32,
    /// Positions looked at; 0 where the bot did not say.
    pub nodes: u64,
    /// From the bot's side; 100 is about one piece.
    pub score: Option<i32>,
    /// The line it expected.
    pub line: Vec<String>,
    /// A line for people.
    pub text: String,
}

/// A refused answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorRecord {
    /// Plies played before it.
    pub ply: u32,
    /// Who answered.
    pub seat: u32,
    /// Refused answers to this turn before it.
    pub attempt: u32,
    /// The answer: a move or path as the game writes it, or `0x` and the number of a move that is none.
    pub answer: String,
    /// The reason, as a code.
    pub reason: String,
    /// The reason, as a sentence.
    pub sentence: String,
    /// The position, which it did not change.
    pub position: String,
    /// Wall time of the answer; `null` in the canonical form.
    #[serde(default)]
    pub wall_ns: Option<u64>,
    /// Processor time of the bot for the answer.
    #[serde(default)]
    pub cpu_ns: Option<u64>,
    /// The part of the wall time that the clock was not charged with.
    #[serde(default)]
    pub starved_ns: Option<u64>,
}

/// Refused answers to one turn of which nothing else is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOutRecord {
    /// Plies played before them.
    pub ply: u32,
    /// Who answered.
    pub seat: u32,
    /// How many there were, by reason.
    pub reasons: BTreeMap<String, u32>,
    /// Wall time of all of them; `null` in the canonical form.
    #[serde(default)]
    pub wall_ns: Option<u64>,
    /// Processor time of the bot for all of them.
    #[serde(default)]
    pub cpu_ns: Option<u64>,
    /// The part of the wall time that the clock was not charged with.
    #[serde(default)]
    pub starved_ns: Option<u64>,
}

/// What a player did wrong after the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotedRecord {
    /// Who.
    pub seat: u32,
    /// What.
    pub fault: FaultRecord,
}

/// A fault that lost a game or a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaultRecord {
    /// The kind of fault, as a code: `timed-out`, `crashed`, `illegal-move`, …
    pub kind: String,
    /// What the bot was doing: `load`, `create`, `new_game`, `choose_move`, `between_turns`, `game_over`, `destroy`.
    pub during: Option<String>,
    /// What happened, in words; `null` in the canonical form.
    #[serde(default)]
    pub sentence: Option<String>,
    /// The signal that ended the bot's process.
    pub signal: Option<i32>,
    /// The exit code of the bot's process.
    pub exit_code: Option<i32>,
    /// The status that a function of the bot returned.
    pub status: Option<i32>,
    /// The limit that was broken: time in nanoseconds, memory in bytes.
    pub limit: Option<u64>,
    /// The forbidden system call.
    pub call: Option<String>,
    /// The address of a bad memory access, `0x` and hexadecimal digits; `null` in the canonical form.
    #[serde(default)]
    pub address: Option<String>,
    /// What the bot or the system said about it; `null` in the canonical form.
    #[serde(default)]
    pub message: Option<String>,
    /// The position in which it happened.
    pub position: String,
    /// The end of what the bot's process printed; `null` where it printed nothing, and in the canonical form.
    #[serde(default)]
    pub output: Option<String>,
    /// The command that plays this moment again; `null` for people and in the canonical form.
    #[serde(default)]
    pub again: Option<String>,
    /// Wall time of the last answer; `null` in the canonical form.
    #[serde(default)]
    pub wall_ns: Option<u64>,
    /// Processor time of the last answer.
    #[serde(default)]
    pub cpu_ns: Option<u64>,
}

/// A seat taken out of a game that went on without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EliminationRecord {
    /// Plies played before it.
    pub ply: u32,
    /// Who.
    pub seat: u32,
    /// Why.
    pub fault: FaultRecord,
}

/// Why a game stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndingRecord {
    /// By the rules, a forfeit, an adjudication; or the game was abandoned.
    pub how: How,
    /// The reason as a code: a rule's word such as `full`, a fault's kind, `max-plies`, `interrupted`, `our-fault`.
    pub reason: String,
    /// The seat that forfeited.
    pub seat: Option<u32>,
    /// The fault of a forfeit.
    pub fault: Option<FaultRecord>,
}

/// The ways in which a game stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The rules of the game.
    Rules,
    /// A fault of a player.
    Forfeit,
    /// A stated policy.
    Adjudication,
    /// We or the machine; nobody scores.
    Abandoned,
}

/// Who came where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeRecord {
    /// By seat, from 1; equal numbers are ties.
    pub ranks: Vec<u8>,
    /// The seat that is first alone.
    pub winner: Option<u32>,
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
    /// Refused answers by reason, and faults that lost a game or a seat by kind.
    pub errors: BTreeMap<String, u32>,
    /// Moves that the player chose: not those of openings, nor passes that were the only move.
    pub moves: u32,
    /// Wall time of all answers; `null` in the canonical form.
    #[serde(default)]
    pub wall_ns: Option<u64>,
    /// Processor time of all answers; `null` in the canonical form.
    #[serde(default)]
    pub cpu_ns: Option<u64>,
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
    /// How many games were asked for.
    pub games_asked: u32,
}
