//! Schedules: who meets whom, in which seats, in which order. Pure functions of what was asked for and, where rounds
//! depend on results, of the rounds before.
//!
//! What is scheduled is the unit: one opening, played once with every member in every seat. Unit `u` holds the games
//! `u · seats + 1` to `u · seats + seats`, so the number of a game says everything about its place.

mod bracket;
mod fixed;
mod league;
mod rotations;
mod rounds;
mod swiss;

pub use bracket::seed_slots;
pub(super) use fixed::Fixed;
pub use league::League;
pub use rotations::starters;
pub(super) use rounds::{Round, Rounds, Standing};

use crate::record::schema::{ByesRecord, MOST_PLAYERS};

/// A schedule as it was asked for. `rounds` is how often it is gone through, `pairs` how many pairs of games a meeting has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum Schedule {
    /// As many games as wanted among as many players as there are seats; the last unit may be cut short.
    Match { games: u32 },
    /// Everybody meets everybody in every round: pairs by Berger tables, rotation groups where there are more seats.
    RoundRobin { rounds: u32 },
    /// So many entrants, from the first, meet all others, and nobody else meets.
    Gauntlet { challengers: usize, rounds: u32 },
    /// Equals meet equals. Without `byes`, who sits out of an odd number is whoever the most even pairs leave over, as in
    /// tournaments of older versions.
    Swiss { rounds: u32, pairs: u32, byes: Option<ByesRecord> },
    /// Losers leave.
    Knockout(Ties),
    /// Players who have lost twice leave.
    DoubleElimination(Ties),
    /// Entrants come and go, and play until ranks are clear.
    League(League),
}

/// How a meeting that somebody has to win is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ties {
    /// Pairs of games in a meeting.
    pub pairs: u32,
    /// A tied meeting gets one pair more at a time, up to so many. After that the better seed goes on.
    pub most_pairs: u32,
}

/// The unit of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its place in the schedule, from 0.
    pub number: u32,
    /// Who takes part, by their seats in its first game.
    pub members: Vec<usize>,
    /// The round that it belongs to, from 0.
    pub round: u32,
    /// Its place among the meetings that are played at the same time, from 0.
    pub lane: u32,
    /// How many units there can have been of the same lane before it.
    pub meeting: u32,
}

impl Unit {
    /// Who sits where in its games: everybody moves on by one seat from game to game. `turn` counts from 0.
    pub fn players_by_seat(&self, turn: usize) -> Vec<usize> {
        let seats = self.members.len();
        (0..seats).map(|seat| self.members[(seat + seats - turn % seats) % seats]).collect()
    }
}

/// Why a schedule cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum ScheduleError {
    #[error("{wanted} entrants are needed, there are {found}")]
    TooFew { wanted: usize, found: usize },
    #[error("this kind of tournament is for games of two; this game has {seats} seats")]
    TwoSeatsOnly { seats: usize },
    #[error("of {found} entrants at most {most} can be challengers")]
    NobodyToChallenge { found: usize, most: usize },
    #[error("{found} entrants are more than a tournament can have; at most {most}")]
    TooMany { found: usize, most: usize },
    #[error("these are more than {most} games")]
    TooManyGames { most: u32 },
}

/// The most games of a schedule: numbers of games are written with 32 bits.
const MOST_GAMES: u32 = 1_000_000_000;

impl Schedule {
    /// Whether so many can play by it in a game of so many seats.
    ///
    /// # Errors
    /// What is in the way.
    pub fn check(&self, entrants: usize, seats: usize) -> Result<(), ScheduleError> {
        let least = match self {
            Schedule::Match { .. } | Schedule::RoundRobin { .. } => seats,
            Schedule::League(_) => 0,
            _ => 2,
        };
        if entrants < least {
            return Err(ScheduleError::TooFew { wanted: least, found: entrants });
        }
        if seats != 2 && !matches!(self, Schedule::Match { .. } | Schedule::RoundRobin { .. }) {
            return Err(ScheduleError::TwoSeatsOnly { seats });
        }
        if let Schedule::Gauntlet { challengers, .. } = self
            && !(1..entrants).contains(challengers)
        {
            return Err(ScheduleError::NobodyToChallenge { found: entrants, most: entrants - 1 });
        }
        if entrants > MOST_PLAYERS {
            return Err(ScheduleError::TooMany { found: entrants, most: MOST_PLAYERS });
        }
        if self.most_games(entrants, seats) > u64::from(MOST_GAMES) {
            return Err(ScheduleError::TooManyGames { most: MOST_GAMES });
        }
        Ok(())
    }

    /// The most games that it can come to.
    pub fn most_games(&self, entrants: usize, seats: usize) -> u64 {
        let (n, k) = (entrants as u64, seats as u64);
        match *self {
            Schedule::Match { games } => u64::from(games),
            Schedule::RoundRobin { rounds } if seats == 2 => u64::from(rounds) * (n * (n - 1) / 2) * k,
            Schedule::RoundRobin { rounds } => u64::from(rounds) * if n == k { 1 } else { n } * k,
            Schedule::Gauntlet { challengers, rounds } => {
                u64::from(rounds) * (challengers as u64 * (n - challengers as u64)) * k
            }
            Schedule::Swiss { rounds, pairs, .. } => u64::from(rounds) * (n / 2) * u64::from(pairs) * k,
            Schedule::Knockout(ties) => (n - 1) * u64::from(ties.most_pairs) * k,
            Schedule::DoubleElimination(ties) => (2 * n - 1) * u64::from(ties.most_pairs) * k,
            // Others may still come.
            Schedule::League(_) => u64::from(MOST_GAMES),
        }
    }

    /// The rounds, if they depend on results.
    pub(super) fn rounds(&self, entrants: usize) -> Option<Box<dyn Rounds>> {
        Some(match *self {
            Schedule::Match { .. } | Schedule::RoundRobin { .. } | Schedule::Gauntlet { .. } => return None,
            Schedule::Swiss { rounds, pairs, byes } => {
                Box::new(swiss::Swiss { entrants, rounds, pairs, byes })
            }
            Schedule::Knockout(ties) => Box::new(bracket::Bracket::single(entrants, ties)),
            Schedule::DoubleElimination(ties) => Box::new(bracket::Bracket::double(entrants, ties)),
            Schedule::League(ref league) => Box::new(league::LeagueRounds::new(league, entrants)),
        })
    }
}

/// The unit of play that a game belongs to, from 0. `game` counts from 1.
pub fn unit_of(game: u32, seats: usize) -> u32 {
    (game - 1) / seats as u32
}

/// The place of a game in its unit, from 0. `game` counts from 1.
pub fn turn_of(game: u32, seats: usize) -> usize {
    (game as usize - 1) % seats
}
