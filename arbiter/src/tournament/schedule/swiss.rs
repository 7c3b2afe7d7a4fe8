//! Swiss rounds: equals meet equals. `statistics` finds the pairs; this module adds up the past, seats and byes.

use super::rounds::{Meeting, Round, Rounds, Standing};
use crate::record::schema::ByesRecord;
use crate::statistics::{SwissPlayer, SwissRound, swiss_round};
use std::cmp::Reverse;

/// A Swiss tournament of two seats. Entrants are in the order of their seeds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swiss {
    pub(super) entrants: usize,
    pub(super) rounds: u32,
    pub(super) pairs: u32,
    pub(super) byes: Option<ByesRecord>,
}

impl Swiss {
    /// What the past says of everybody, and whom each has met.
    fn past(&self, standing: Standing<'_>) -> (Vec<SwissPlayer>, Vec<Vec<usize>>) {
        let mut players = vec![SwissPlayer { half_points: 0, had_bye: false }; self.entrants];
        let mut met = vec![Vec::new(); self.entrants];
        for round in standing.past {
            for &Meeting { members: [first, second], half_points, .. } in &round.meetings {
                players[first].half_points += half_points[0];
                players[second].half_points += half_points[1];
                met[first].push(second);
                met[second].push(first);
            }
            if let Some(bye) = round.bye {
                players[bye].had_bye = true;
            }
        }
        for (player, without_play) in players.iter_mut().zip(self.won_without_play(standing)) {
            player.half_points += without_play;
        }
        (players, met)
    }

    fn active(&self, standing: Standing<'_>) -> Vec<usize> {
        (0..self.entrants).filter(|&entrant| standing.withdrawn[entrant].is_none()).collect()
    }
}

impl Rounds for Swiss {
    fn next(&mut self, standing: Standing<'_>) -> Option<Round> {
        let number = standing.past.len();
        let active = self.active(standing);
        if number >= self.rounds as usize || active.len() < 2 {
            return None;
        }
        let (players, met) = self.past(standing);
        let players: Vec<SwissPlayer> = active.iter().map(|&entrant| players[entrant]).collect();
        let met = |a: usize, b: usize| met[active[a]].contains(&active[b]);
        let drawn = match self.byes {
            Some(ByesRecord::Lowest | ByesRecord::LowestAndWalkovers) => drawn(&players, met),
            None => swiss_round(&players, met),
        };
        let meeting = |(id, pair): (usize, &[usize; 2])| {
            let mut members = pair.map(|place| active[place]);
            if !(number + id).is_multiple_of(2) {
                members.reverse();
            }
            Meeting::new(members, id as u32)
        };
        Some(Round {
            meetings: drawn.pairs.iter().enumerate().map(meeting).collect(),
            pairs: self.pairs,
            bye: drawn.bye.map(|place| active[place]),
        })
    }

    fn won_without_play(&self, standing: Standing<'_>) -> Vec<u32> {
        let has_walkovers = self.byes == Some(ByesRecord::LowestAndWalkovers);
        let mut half_points = vec![0; self.entrants];
        for round in standing.past {
            round.bye.into_iter().for_each(|bye| half_points[bye] += round.half_points());
            for meeting in round.meetings.iter().filter(|_| has_walkovers) {
                if let Some((winner, left)) = standing.left(round, meeting) {
                    half_points[meeting.members[winner]] += left;
                }
            }
        }
        half_points
    }

    fn pairs_to_come(&self, standing: Standing<'_>) -> u32 {
        let left = self.rounds.saturating_sub(standing.past.len() as u32);
        left * (self.active(standing).len() / 2) as u32 * self.pairs
    }
}

/// A round with as few rematches as can be. Of an odd number, the lowest seed of those with the fewest points who have had
/// no bye sits out; if that forced a rematch, the next lowest. How even the pairs are comes after that.
fn drawn(players: &[SwissPlayer], met: impl Fn(usize, usize) -> bool) -> SwissRound {
    let best = swiss_round(players, &met);
    if best.bye.is_none() {
        return best;
    }
    let mut free: Vec<usize> = (0..players.len()).collect();
    free.sort_by_key(|&player| (players[player].had_bye, players[player].half_points, Reverse(player)));
    let without = |bye: usize| {
        let others: Vec<usize> = (0..players.len()).filter(|&player| player != bye).collect();
        let left: Vec<SwissPlayer> = others.iter().map(|&player| players[player]).collect();
        let round = swiss_round(&left, |a, b| met(others[a], others[b]));
        let pairs = round.pairs.iter().map(|pair| pair.map(|place| others[place])).collect();
        SwissRound { pairs, bye: Some(bye), cost: round.cost }
    };
    let mut rounds = free.into_iter().map(without);
    rounds.find(|round| round.cost.rematches == best.cost.rematches).unwrap_or(best)
}
