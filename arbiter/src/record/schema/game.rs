//! The saved form of one game.

use super::is_default;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;
use std::collections::BTreeMap;

/// One game.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The number of the game in the match, from 1.
    pub number: u32,
    /// The round of the tournament, from 1; left out in matches and in the canonical form.
    pub round: Option<u32>,
    /// The unit of the tournament, from 0: one opening, played with everybody in every seat; left out in matches and in
    /// the canonical form.
    pub unit: Option<u32>,
    /// When it began, RFC 3339; left out in the canonical form.
    pub started: Option<String>,
    /// How long it took; left out in the canonical form.
    pub duration_ns: Option<u64>,
    /// Who sat where, by seat.
    pub seats: Vec<SeatRecord>,
    /// The seed of the game's chance, `0x` and 16 hexadecimal digits; left out in games without chance, and in the
    /// canonical form.
    pub chance_seed: Option<String>,
    /// How many of the plies are the opening; left out where none is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opening_plies: u32,
    /// Every move, in order.
    pub plies: Vec<PlyRecord>,
    /// Every refused answer, in order; of each seat no more than 1,000.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorRecord>,
    /// Refused answers beyond those, summed up for each turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors_left_out: Vec<LeftOutRecord>,
    /// Seats taken out of a game that went on without them, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eliminations: Vec<EliminationRecord>,
    /// How the game ended.
    pub ending: EndingRecord,
    /// Who came where; left out for a game that was abandoned.
    pub outcome: Option<OutcomeRecord>,
    /// What players did wrong when they were told that the game is over, which changes nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noted: Vec<NotedRecord>,
    /// Numbers by seat, such as `discs`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, Vec<i64>>,
    /// The cells that decided the game: a winning line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub winning_cells: Vec<String>,
    /// Moves that people took back, in games in which that was agreed on: they stand nowhere else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakenBackRecord>,
    /// The last position.
    pub final_position: String,
    /// The position that the game starts from, where it is not that of the plan.
    pub position: Option<String>,
}

impl GameRecord {
    /// How many answers were refused.
    pub fn refused(&self) -> usize {
        let left_out = self.errors_left_out.iter().flat_map(|turn| turn.reasons.values());
        self.errors.len() + left_out.map(|&count| count as usize).sum::<usize>()
    }

    /// Who lost it by a fault, and the fault: the one that ended the game, or the last one that took a seat out of it.
    pub fn lost_by(&self) -> Option<(u32, &FaultRecord)> {
        self.faults().last()
    }

    /// Whether it ended because people left it.
    pub fn was_left(&self) -> bool {
        let last = self.eliminations.last().filter(|out| out.ply as usize == self.plies.len());
        self.ending.reason == "left" || last.is_some_and(|out| out.fault.kind == "left")
    }
}

/// A move that was taken back, with everything that was played after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TakenBackRecord {
    /// Who took it back.
    pub seat: u32,
    /// Plies played before it.
    pub ply: u32,
    /// Plies taken back, those of others included.
    pub plies: u32,
}

/// A seat of a game.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRecord {
    /// Index into `plan.players`.
    pub player: u32,
    /// The sign of the seat's pieces on drawings.
    pub sign: String,
    /// Processor time that the bot used to get ready for the game, loading included; left out where it is unknown, and
    /// in the canonical form.
    pub prepared_ns: Option<u64>,
    /// Bytes that the bot's process printed, where they are more than is kept of them; left out in the canonical form.
    pub printed: Option<u64>,
    /// What the machine did to its bot in an earlier try of this game, which was broken off for it, in a sentence; left out where there
    /// was none, and in the canonical form.
    pub excused: Option<String>,
}

/// A move.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlyRecord {
    /// Who moved; left out where it is the seat after the one that moved before, and seat 0 at the beginning.
    pub seat: Option<u32>,
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    pub played: String,
    /// Who chose it: the `player`, which is left out, the `opening`, or the `rules` (a pass that was the only legal move).
    #[serde(default, skip_serializing_if = "is_default")]
    pub by: ChosenBy,
    /// What the rules obliged the seat to (chinese-checkers: no blocking); left out where they left it all its moves.
    pub obligation: Option<Box<ObligationRecord>>,
    /// Wall time of the accepted answer; left out in the canonical form, and where nobody was asked.
    pub wall_ns: Option<u64>,
    /// Processor time of the bot.
    pub cpu_ns: Option<u64>,
    /// What the clock was charged with, by the clock that `plan.clock` names; what the bot used between its turns is part
    /// of it. Left out where it is the wall time, in the canonical form, and in files without `plan.clock`.
    pub charged_ns: Option<u64>,
    /// In files without `plan.clock`, the part of the wall time that the clock was not charged with: the bot was ready to
    /// run and the machine did not let it, or arbiter itself stood still. Left out where nobody was kept waiting.
    pub starved_ns: Option<u64>,
    /// Processor time that the bot used since its last turn, thinking on its opponents' time; left out where it was no
    /// more than housekeeping. It is charged.
    pub pondered_ns: Option<u64>,
    /// The earthquake that followed: tokens that fell, by cell. Left out where none fell.
    pub earthquake: Option<BTreeMap<String, u32>>,
    /// What the bot said of its search.
    pub search: Option<Box<SearchRecord>>,
}

/// What an answer took, or all the answers that a record stands for: the times of the record, without a form of its
/// own in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerTimes {
    /// Wall time.
    pub wall_ns: Option<u64>,
    /// Processor time of the bot.
    pub cpu_ns: Option<u64>,
    /// What the clock was charged with, where that is not the wall time; none in files without `plan.clock`.
    pub charged_ns: Option<u64>,
    /// In files without `plan.clock`, the part of the wall time that the clock was not charged with.
    pub starved_ns: Option<u64>,
}

impl AnswerTimes {
    /// What the clock was charged with, in files of any age; none in the canonical form.
    pub fn charged(&self) -> Option<u64> {
        self.charged_ns.or_else(|| Some(self.wall_ns?.saturating_sub(self.starved_ns.unwrap_or(0))))
    }
}

/// Records that have the times of answers among their fields.
macro_rules! timed {
    ($($record:ty)*) => { $(impl $record {
        /// What its answers took.
        pub fn times(&self) -> AnswerTimes {
            let &Self { wall_ns, cpu_ns, charged_ns, starved_ns, .. } = self;
            AnswerTimes { wall_ns, cpu_ns, charged_ns, starved_ns }
        }

        /// Takes them out.
        pub(in crate::record) fn forget_times(&mut self) {
            (self.wall_ns, self.cpu_ns, self.charged_ns, self.starved_ns) = (None, None, None, None);
        }
    })* };
}

timed! { PlyRecord ErrorRecord LeftOutRecord }

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChosenBy {
    /// The player.
    #[default]
    Player,
    /// The opening.
    Opening,
    /// The rules.
    Rules,
}

/// What a bot said of its search: nothing in it is checked. What it did not say is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRecord {
    /// Plies searched.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: u32,
    /// Positions looked at.
    #[serde(default, skip_serializing_if = "is_default")]
    pub nodes: u64,
    /// From the bot's side; 100 is about one piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The line it expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// A line for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A refused answer.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorRecord {
    /// Plies played before it.
    pub ply: u32,
    /// Who answered.
    pub seat: u32,
    /// Refused answers to this turn before it.
    pub attempt: u32,
    /// The answer: a move or path as the game writes it, or `0x` and the number that a bot gave if it is the number of no move.
    pub answer: String,
    /// The reason, as a code.
    pub reason: String,
    /// The reason, as a sentence.
    pub sentence: String,
    /// The position, which it did not change.
    pub position: String,
    /// Wall time of the answer; left out in the canonical form.
    pub wall_ns: Option<u64>,
    /// Processor time of the bot.
    pub cpu_ns: Option<u64>,
    /// What the clock was charged with, where that is not the wall time.
    pub charged_ns: Option<u64>,
    /// In files without `plan.clock`, the part of the wall time that the clock was not charged with.
    pub starved_ns: Option<u64>,
}

/// Refused answers to one turn, counted only: the answers themselves are not kept.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOutRecord {
    /// Plies played before them.
    pub ply: u32,
    /// Who answered.
    pub seat: u32,
    /// How many there were, by reason.
    pub reasons: BTreeMap<String, u32>,
    /// Wall time of all of them; left out in the canonical form.
    pub wall_ns: Option<u64>,
    /// Processor time of the bot.
    pub cpu_ns: Option<u64>,
    /// What the clock was charged with, where that is not the wall time.
    pub charged_ns: Option<u64>,
    /// In files without `plan.clock`, the part of the wall time that the clock was not charged with.
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

/// A fault that lost a game or a seat. What a kind of fault does not know is left out.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaultRecord {
    /// The kind of fault, as a code: `timed-out`, `crashed`, `illegal-move`, …
    pub kind: String,
    /// What the bot was doing: `load`, `create`, `new_game`, `choose_move`, `between_turns`, `game_over`, `destroy`.
    pub during: Option<String>,
    /// What happened, in words; left out in the canonical form.
    pub sentence: Option<String>,
    /// The signal that ended the bot's process.
    pub signal: Option<i32>,
    /// The exit code of the bot's process.
    pub exit_code: Option<i32>,
    /// The status that a function of the bot returned.
    pub status: Option<i32>,
    /// The limit that was broken: time in nanoseconds, memory in bytes, a number of errors.
    pub limit: Option<u64>,
    /// The limit of a move, where instructions were counted instead of time.
    pub instructions: Option<u64>,
    /// The forbidden system call.
    pub call: Option<String>,
    /// The address of a bad memory access, `0x` and hexadecimal digits; left out in the canonical form.
    pub address: Option<String>,
    /// What the bot or the system said about it; left out in the canonical form.
    pub message: Option<String>,
    /// The position in which it happened.
    pub position: String,
    /// The end of what the bot's process printed; left out where it printed nothing, and in the canonical form.
    pub output: Option<String>,
    /// The command that plays this moment again; left out for people and in the canonical form.
    pub again: Option<String>,
    /// Wall time of the last answer; left out in the canonical form.
    pub wall_ns: Option<u64>,
    /// Processor time of the last answer.
    pub cpu_ns: Option<u64>,
    /// What the clock was charged with for it, where that is not the wall time.
    pub charged_ns: Option<u64>,
}

impl FaultRecord {
    /// What the last answer took.
    pub fn times(&self) -> AnswerTimes {
        let FaultRecord { wall_ns, cpu_ns, charged_ns, .. } = *self;
        AnswerTimes { wall_ns, cpu_ns, charged_ns, starved_ns: None }
    }
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
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndingRecord {
    /// By the rules, which is left out, a forfeit, an adjudication; or the game was abandoned.
    #[serde(default, skip_serializing_if = "is_default")]
    pub how: How,
    /// The reason as a code: a rule's word such as `full`, a fault's kind, `max-plies`, `interrupted`, `machine`.
    pub reason: String,
    /// The seat that forfeited.
    pub seat: Option<u32>,
    /// The fault of a forfeit.
    pub fault: Option<FaultRecord>,
}

/// The ways in which a game stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The rules of the game.
    #[default]
    Rules,
    /// A fault of a player.
    Forfeit,
    /// A stated policy.
    Adjudication,
    /// We or the machine; nobody scores.
    Abandoned,
}

impl How {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            How::Rules => "rules",
            How::Forfeit => "forfeit",
            How::Adjudication => "adjudication",
            How::Abandoned => "abandoned",
        }
    }
}

/// Who came where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeRecord {
    /// By seat, from 1; equal numbers are ties.
    pub ranks: Vec<u8>,
    /// The seat that is first alone, which the ranks say: in files of formats 1 and 2 only.
    #[serde(default, rename = "winner", skip_serializing_if = "Option::is_none")]
    pub said_winner: Option<u32>,
}
