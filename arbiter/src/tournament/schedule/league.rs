//! A league: entrants come and go. Each plays until its rank is clear, and stays as an opponent of others after it has
//! left.

use super::rounds::{Meeting, Round, Rounds, Standing};
use crate::record::schema::{AttendanceRecord, ChangeRecord};
use crate::statistics::{Enough, Ladder, Roster};
use std::sync::Mutex;

/// What a league goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct League {
    /// Pairs of games that everybody plays.
    pub pairs: u32,
    /// Pairs of games that are played by those whose rank stays unclear.
    pub most_pairs: u32,
    /// The most rounds that are drawn: while a league is played, none is drawn before it is known who takes part.
    pub rounds: Option<u32>,
    /// Who comes and goes, in order.
    pub attendance: Vec<AttendanceRecord>,
    /// Which version of its bot each entrant is, from 1: later ones have to show more to earn a mark.
    pub versions: Vec<u32>,
}

impl League {
    /// Whether everybody comes before going, and only once at a time.
    ///
    /// # Errors
    /// What is impossible, in words.
    pub fn check(&self, entrants: usize) -> Result<(), String> {
        let mut last = 1;
        let mut present = vec![None; entrants];
        let mut staff = vec![false; entrants];
        for &AttendanceRecord { round, player: entrant, change } in &self.attendance {
            let Some(is_present) = present.get_mut(entrant as usize) else {
                return Err(format!("there is no player {entrant}"));
            };
            let (is_known, word) = match change {
                ChangeRecord::Arrives => (is_present.replace(true) != Some(true), "arrives"),
                ChangeRecord::Leaves => (is_present.replace(false) == Some(true), "leaves"),
                ChangeRecord::SetsMark => (
                    is_present.is_some() && !std::mem::replace(&mut staff[entrant as usize], true),
                    "sets a mark",
                ),
            };
            if !is_known {
                return Err(format!("player {entrant} {word} twice"));
            }
            if round < last {
                return Err("rounds are not in order".to_owned());
            }
            last = round;
        }
        match present.iter().position(Option::is_none) {
            Some(entrant) => Err(format!("player {entrant} never arrives")),
            None => Ok(()),
        }
    }

    /// Who is in the league in a round, from 0, who has been, and who sets a mark.
    fn roster(&self, round: u32, is_out: impl Fn(usize) -> bool) -> [Vec<usize>; 3] {
        let [mut present, mut former, mut staff] = [const { Vec::new() }; 3];
        for &AttendanceRecord { player, change, .. } in
            self.attendance.iter().filter(|of| of.round <= round + 1)
        {
            let entrant = player as usize;
            let list = match change {
                ChangeRecord::Arrives => &mut present,
                ChangeRecord::Leaves => &mut former,
                ChangeRecord::SetsMark => {
                    staff.push(entrant);
                    continue;
                }
            };
            list.push(entrant);
            let other = if change == ChangeRecord::Arrives { &mut former } else { &mut present };
            other.retain(|&other| other != entrant);
        }
        [present, former, staff].map(|list| list.into_iter().filter(|&entrant| !is_out(entrant)).collect())
    }
}

pub(super) struct LeagueRounds {
    league: League,
    entrants: usize,
    /// What the first rounds have told, so that nothing is added up twice.
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    rounds: usize,
    ladder: Ladder,
}

impl LeagueRounds {
    pub(super) fn new(league: &League, entrants: usize) -> LeagueRounds {
        LeagueRounds { league: league.clone(), entrants, told: Mutex::default() }
    }
}

impl Told {
    fn hear(&mut self, standing: &Standing<'_>, league: &League) {
        let sets_mark =
            |of: &AttendanceRecord| (of.change == ChangeRecord::SetsMark).then_some(of.player as usize);
        let staff: Vec<usize> = league.attendance.iter().filter_map(sets_mark).collect();
        if standing.past.len() < self.rounds {
            *self = Told::default();
        }
        for played in &standing.past[self.rounds..] {
            for (meeting, &half_points) in played.round.meetings.iter().zip(&played.half_points) {
                // A meeting of somebody who has been withdrawn is not played.
                if half_points.iter().sum::<u32>() != 4 {
                    continue;
                }
                if meeting.members.iter().any(|member| staff.contains(member)) {
                    self.ladder.add_duel(meeting.members, half_points);
                } else {
                    self.ladder.add(meeting.members, half_points);
                }
            }
        }
        self.rounds = standing.past.len();
    }
}

impl Rounds for LeagueRounds {
    fn next(&self, standing: &Standing<'_>) -> Option<Round> {
        let number = standing.past.len() as u32;
        if self.league.rounds.is_some_and(|rounds| number >= rounds) {
            return None;
        }
        let is_out = |entrant: usize| entrant >= self.entrants || standing.withdrawn[entrant].is_some();
        let [present, former, staff] = self.league.roster(number, is_out);
        let roster = Roster { present: &present, former: &former, staff: &staff };
        let mut told = self.told.lock().expect("nobody panics with what was told");
        told.hear(standing, &self.league);
        let enough = Enough { pairs: self.league.pairs, most_pairs: self.league.most_pairs };
        let mut drawn = told.ladder.round(roster, enough);
        drawn.extend(told.ladder.duels(roster, &self.league.versions, enough.most_pairs));
        let meeting = |mut members: [usize; 2]| {
            members.sort_unstable();
            let met = told.ladder.met(members);
            // Two who meet again take the next opening of a list, and change who sits first in it.
            let opening = met.wrapping_add((members[0] + members[1]) as u32);
            if !met.is_multiple_of(2) {
                members.reverse();
            }
            Meeting { members, id: opening.wrapping_sub(number) }
        };
        let meetings: Vec<Meeting> = drawn.into_iter().map(meeting).collect();
        (!meetings.is_empty()).then_some(Round { meetings, pairs: 1, byes: Vec::new() })
    }
}
