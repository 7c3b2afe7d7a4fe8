//! A league: entrants come and go. Each plays until its rank is clear, and stays as an opponent of others after it has
//! left.

use super::rounds::{Meeting, Round, Rounds, Standing};
use crate::record::schema::{AttendanceRecord, ChangeRecord};
use crate::statistics::{Enough, Ladder, Roster};

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

    /// Who can be drawn for a round, from 0.
    fn roster(&self, round: u32, is_out: impl Fn(usize) -> bool) -> Roster {
        let mut roster = Roster::default();
        for of in self.attendance.iter().filter(|of| of.round <= round + 1) {
            let entrant = of.player as usize;
            let Roster { present, former, staff } = &mut roster;
            let (to, from) = match of.change {
                ChangeRecord::Arrives => (present, Some(former)),
                ChangeRecord::Leaves => (former, Some(present)),
                ChangeRecord::SetsMark => (staff, None),
            };
            to.push(entrant);
            from.into_iter().for_each(|from| from.retain(|&other| other != entrant));
        }
        for list in [&mut roster.present, &mut roster.former, &mut roster.staff] {
            list.retain(|&entrant| !is_out(entrant));
        }
        roster
    }
}

pub(super) struct LeagueRounds {
    league: League,
    entrants: usize,
    /// What the first rounds have told, so that nothing is added up twice.
    ladder: Ladder,
    rounds_told: usize,
}

impl LeagueRounds {
    pub(super) fn new(league: &League, entrants: usize) -> LeagueRounds {
        LeagueRounds { league: league.clone(), entrants, ladder: Ladder::default(), rounds_told: 0 }
    }

    fn hear(&mut self, past: &[Round]) {
        let marks = self.league.attendance.iter().filter(|of| of.change == ChangeRecord::SetsMark);
        let staff: Vec<usize> = marks.map(|of| of.player as usize).collect();
        let meetings = past[self.rounds_told..].iter().flat_map(|round| &round.meetings);
        for &Meeting { members, half_points, .. } in meetings {
            // A meeting of somebody who has been withdrawn is not played.
            if half_points.iter().sum::<u32>() != 4 {
                continue;
            }
            if members.iter().any(|member| staff.contains(member)) {
                self.ladder.add_duel(members, half_points);
            } else {
                self.ladder.add(members, half_points);
            }
        }
        self.rounds_told = past.len();
    }
}

impl Rounds for LeagueRounds {
    fn next(&mut self, standing: Standing<'_>) -> Option<Round> {
        let number = standing.past.len() as u32;
        if self.league.rounds.is_some_and(|rounds| number >= rounds) {
            return None;
        }
        self.hear(standing.past);
        let is_out = |entrant: usize| entrant >= self.entrants || standing.withdrawn[entrant].is_some();
        let roster = self.league.roster(number, is_out);
        let enough = Enough { pairs: self.league.pairs, most_pairs: self.league.most_pairs };
        let mut drawn = self.ladder.round(&roster, enough);
        drawn.extend(self.ladder.duels(&roster, &self.league.versions, enough.most_pairs));
        let meeting = |mut members: [usize; 2]| {
            members.sort_unstable();
            let met = self.ladder.met(members);
            // Two who meet again take the next opening of a list, and change who sits first in it.
            let opening = met.wrapping_add((members[0] + members[1]) as u32);
            if !met.is_multiple_of(2) {
                members.reverse();
            }
            Meeting::new(members, opening.wrapping_sub(number))
        };
        let meetings: Vec<Meeting> = drawn.into_iter().map(meeting).collect();
        (!meetings.is_empty()).then_some(Round { meetings, pairs: 1, bye: None })
    }
}
