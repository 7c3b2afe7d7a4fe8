//! The saved form of a plan: what was decided before the first move.

use super::is_default;
use clap::ValueEnum;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Everything that was decided before the first move. Equal plans with deterministic bots give equal games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What the clocks of bots go by: `processor`, the time in which a bot ran or chose not to, `wall`, or `instructions`. Files of older
    /// versions do not say; they went by the wall, less what they knew the machine to have taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockKind>,
    /// Time in nanoseconds that a bot had to load, to be created and to begin a game, where somebody asked for another
    /// than the usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepare_time_ns: Option<u64>,
    /// What bots could use; left out where it was the usual.
    #[serde(default, skip_serializing_if = "is_default")]
    pub limits: BotLimits,
    /// The error that loses a game; 0 for none.
    pub max_errors: u32,
    /// Plies after which a game is adjudicated.
    pub max_plies: u32,
    /// How a game of so many plies is adjudicated.
    #[serde(default)]
    pub at_max_plies: AtMaxPlies,
    /// What both bots have to say, and for how long, so that one of them has won; left out where what they say counts for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign_score: Option<AgreementPlan>,
    /// The same for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_score: Option<AgreementPlan>,
    /// How often a position may occur before the game is a draw by adjudication; 0 for any number.
    #[serde(default)]
    pub max_repetitions: u32,
    /// Whether people could take moves back; left out where they could not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub casual: bool,
    /// Whether bots ran inside the referee's own process.
    pub in_process: bool,
    /// Who meets whom.
    #[serde(default)]
    pub schedule: ScheduleRecord,
    /// Games lost in a row by faults after which a player is withdrawn; 0 for never.
    #[serde(default)]
    pub withdraw_after: u32,
    /// The sequential test that may end it.
    #[serde(default)]
    pub sprt: Option<SprtPlan>,
}

/// What bots could use, where somebody asked for something else than the usual. Files of older versions do not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BotLimits {
    /// Cores that each was to keep busy, from 2 on. On a machine with fewer it had as many as there were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Bytes of memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Whether a forbidden system call failed, instead of ending the bot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wide_sandbox: bool,
    /// Whether bots were stopped outside their turns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped_between_turns: bool,
}

/// What the clocks of bots go by. People always play by the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// The processor time of the bot's process, and the time in which it chose not to run: a clock stands still while the
    /// machine keeps its bot from running.
    Processor,
    /// The clock on the wall.
    Wall,
    /// Instructions of the machine that the players' `runtime` is: every nanosecond of a time control, and of what a clock was
    /// charged with, is one.
    Instructions,
}

/// What two bots have to say of a game, and for how long, so that it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreementPlan {
    /// The score of a search, from the bot's side: a win from here on, or a draw up to here.
    pub score: u32,
    /// Plies in a row that bots choose who say so, of both.
    pub plies: u32,
}

/// How a game that has reached `max_plies` is adjudicated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AtMaxPlies {
    /// A draw.
    #[default]
    Draw,
    /// Whoever leads by the first of the game's scores is first, and so on.
    Score,
}

/// Who meets whom, as it was asked for. What a kind does not know is `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleRecord {
    /// The kind.
    pub kind: ScheduleKind,
    /// Games of a match.
    pub games: Option<u32>,
    /// Rounds: how often everybody meets everybody, or the rounds of a Swiss tournament.
    pub rounds: Option<u32>,
    /// Pairs of games in a meeting.
    pub pairs: Option<u32>,
    /// Pairs of games that a tied meeting may grow to; then the better seed goes on.
    pub most_pairs: Option<u32>,
    /// How many players, from the first, meet all others in a gauntlet.
    pub challengers: Option<u32>,
    /// Who sits out in a Swiss round of an odd number. Files of older versions do not say: there it was whoever the most
    /// even pairs left over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byes: Option<ByesRecord>,
    /// Who comes to a league and who leaves it, in order; left out elsewhere. In a league, `pairs` is what everybody
    /// plays, and `most_pairs` what those play whose rank stays unclear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attendance: Vec<AttendanceRecord>,
}

/// Somebody comes to a league or leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttendanceRecord {
    /// The first round that is drawn with it, from 1.
    pub round: u32,
    /// Index into `plan.players`.
    pub player: u32,
    /// What happens.
    pub change: ChangeRecord,
}

/// What can happen to a player of a league.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeRecord {
    /// It takes part, and is ranked.
    Arrives,
    /// It stays as an opponent only.
    Leaves,
    /// From now on it sets a mark: whoever takes part meets it until it is clear who is stronger.
    SetsMark,
}

/// Who sits out in a round of an odd number, and what else is won without play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ByesRecord {
    /// The lowest seed of those with the fewest points who have had no bye.
    Lowest,
    /// The same, and what is left of a meeting with somebody who is withdrawn is a walkover for the other. Files of older
    /// versions have none.
    LowestAndWalkovers,
}

/// The kinds of schedules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleKind {
    /// The same players meet in every game.
    #[default]
    #[value(skip)]
    Match,
    /// Everybody meets everybody.
    #[value(
        help = "Everybody meets everybody; with more than two seats, everybody equally often in every seat"
    )]
    RoundRobin,
    /// Some meet all others.
    #[value(help = "The first bots meet all others")]
    Gauntlet,
    /// Equals meet equals.
    Swiss,
    /// Losers leave.
    Knockout,
    /// Who has lost twice leaves.
    DoubleElimination,
    /// Whoever comes plays until ranks are clear.
    #[value(skip)]
    League,
}

impl ScheduleKind {
    /// The word after `--schedule`; nothing for what is no tournament.
    pub fn word(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What people call it.
    pub fn words(self) -> &'static str {
        match self {
            ScheduleKind::Match => "match",
            ScheduleKind::RoundRobin => "round robin",
            ScheduleKind::Gauntlet => "gauntlet",
            ScheduleKind::Swiss => "Swiss tournament",
            ScheduleKind::Knockout => "knockout",
            ScheduleKind::DoubleElimination => "double elimination",
            ScheduleKind::League => "league",
        }
    }

    /// Whether results decide who meets whom, in a course that is over before luck evens out.
    pub(crate) fn pairs_by_results(self) -> bool {
        self == ScheduleKind::Swiss || self.is_bracket()
    }

    /// Whether losers drop out until one is left.
    pub(crate) fn is_bracket(self) -> bool {
        matches!(self, ScheduleKind::Knockout | ScheduleKind::DoubleElimination)
    }
}

/// A sequential probability ratio test of the first player against the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SprtPlan {
    /// The scale of the two hypotheses.
    pub model: SprtModel,
    /// H0: the first player is stronger by so much at most.
    pub elo0: f64,
    /// H1: the first player is stronger by so much at least.
    pub elo1: f64,
    /// The chance of accepting H1 where H0 is true.
    pub alpha: f64,
    /// The chance of accepting H0 where H1 is true.
    pub beta: f64,
}

/// The scales of a sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SprtModel {
    /// Elo.
    #[default]
    Logistic,
    /// Elo in units of how much results scatter.
    Normalized,
}

/// The value of an option, in its own type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected true, false, a whole number from 0, or a word")]
pub enum OptionValue {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Number(u32),
    /// A word.
    Word(String),
}

impl From<arbiter_rules::OptionValue> for OptionValue {
    fn from(value: arbiter_rules::OptionValue) -> Self {
        match value {
            arbiter_rules::OptionValue::Flag(on) => OptionValue::Flag(on),
            arbiter_rules::OptionValue::Number(number) => OptionValue::Number(number),
            arbiter_rules::OptionValue::Word(word) => OptionValue::Word(word.to_owned()),
        }
    }
}

/// As it is typed after the equals sign.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Flag(on) => write!(f, "{on}"),
            OptionValue::Number(number) => write!(f, "{number}"),
            OptionValue::Word(word) => f.write_str(word),
        }
    }
}

impl JsonSchema for OptionValue {
    fn schema_name() -> Cow<'static, str> {
        "OptionValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The value of an option, in its own type.",
            "type": ["boolean", "integer", "string"],
            "minimum": 0
        })
    }
}

/// How games are opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// `none`, `random`: plies drawn from the seed, or `list`: lines that somebody has chosen.
    pub kind: OpeningKind,
    /// Plies in a random opening.
    pub plies: u32,
    /// The lines of a list, each as moves or as a position, in the order in which they are played.
    #[serde(default)]
    pub lines: Vec<String>,
}

/// The kinds of openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningKind {
    /// Every game starts from `plan.position`.
    #[default]
    None,
    /// Random plies, the same for all games of a unit.
    Random,
    /// The lines of a list in turn, each for all games of a unit.
    List,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The name in tables; two players never share one.
    pub name: String,
    /// `bot`, `program` or `human`.
    pub kind: PlayerKind,
    /// The author, as the bot says.
    pub author: Option<String>,
    /// The version, as the bot says.
    pub version: Option<String>,
    /// The plugin file as it was named, or the command of a program; `null` for people and in the canonical form.
    #[serde(default)]
    pub file: Option<String>,
    /// SHA-256 of the plugin file, 64 hexadecimal digits.
    pub sha256: Option<String>,
    /// The file that the bot was given beside its plugin, or that it is: for bots in other languages the plugin is what
    /// runs them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Payload>,
    /// What ran the bot, where its plugin is a bridge: an interpreter and its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Options that the bot was given.
    pub options: BTreeMap<String, String>,
    /// The player's time control.
    pub time: TimeControl,
}

/// The bot that a version in a league is of, and its number.
pub fn version_of(name: &str) -> (&str, u32) {
    let named = name.rsplit_once('@');
    named.and_then(|(bot, number)| Some((bot, number.parse().ok()?))).unwrap_or((name, 1))
}

impl Player {
    /// The bot of a league that this is a version of, and its number, as its name says: `greedy@3`.
    pub fn version_of_bot(&self) -> (&str, u32) {
        version_of(&self.name)
    }
}

impl ScheduleRecord {
    /// Which of so many players are there in a league, after all who came and went.
    pub fn present(&self, players: usize) -> Vec<bool> {
        let mut present = vec![false; players];
        for of in &self.attendance {
            let Some(is_there) = present.get_mut(of.player as usize) else { continue };
            match of.change {
                ChangeRecord::Arrives => *is_there = true,
                ChangeRecord::Leaves => *is_there = false,
                ChangeRecord::SetsMark => {}
            }
        }
        present
    }

    /// Who sets a mark in a league.
    pub fn staff(&self) -> Vec<usize> {
        let sets_mark = |of: &&AttendanceRecord| of.change == ChangeRecord::SetsMark;
        self.attendance.iter().filter(sets_mark).map(|of| of.player as usize).collect()
    }
}

/// A file that a bot was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Payload {
    /// Its name without folders. A folder was packed as a zip archive.
    pub name: String,
    /// SHA-256 of its bytes, 64 hexadecimal digits.
    pub sha256: String,
}

/// What fills a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// A plugin.
    Bot,
    /// A program that is talked to through pipes, and is not contained.
    Program,
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
