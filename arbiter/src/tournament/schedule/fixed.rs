//! Schedules that do not depend on results: any unit can be computed from its number alone.

use super::{Schedule, Unit, rotations};

/// A schedule that is known before the first game. It takes as much memory as one round, whatever the number of rounds.
#[derive(Clone, Debug)]
pub(in crate::tournament) struct Fixed {
    form: Form,
    games: u32,
    seats: usize,
}

#[derive(Clone, Debug)]
enum Form {
    /// The same members in every unit.
    Same,
    /// Ordered pairs; in every second round those who sat first sit second.
    Pairs(Vec<[usize; 2]>),
    /// Blocks developed modulo the number of entrants, one block a round.
    Blocks { entrants: usize, blocks: Vec<Vec<usize>> },
}

impl Fixed {
    /// The games of a schedule without rounds that depend on results.
    pub(in crate::tournament) fn new(schedule: &Schedule, entrants: usize, seats: usize) -> Fixed {
        let games =
            u32::try_from(schedule.most_games(entrants, seats)).expect("the schedule has been checked");
        let form = match *schedule {
            Schedule::Match { .. } => Form::Same,
            Schedule::RoundRobin { .. } if seats == 2 => {
                Form::Pairs(berger_table(entrants).into_iter().flatten().collect())
            }
            Schedule::RoundRobin { .. } => {
                Form::Blocks { entrants, blocks: rotations::starters(entrants, seats) }
            }
            Schedule::Gauntlet { challengers, .. } => Form::Pairs(gauntlet(challengers, entrants)),
            Schedule::Swiss { .. }
            | Schedule::Knockout(_)
            | Schedule::DoubleElimination(_)
            | Schedule::League(_) => {
                unreachable!("rounds that depend on results are not fixed")
            }
        };
        Fixed { form, games, seats }
    }

    pub(in crate::tournament) fn games(&self) -> u32 {
        self.games
    }

    /// Whether the same players always meet.
    pub(in crate::tournament) fn is_match(&self) -> bool {
        matches!(self.form, Form::Same)
    }

    /// The unit with this number, from 0, if there is one.
    pub(in crate::tournament) fn unit(&self, number: u32) -> Option<Unit> {
        let first_game = u64::from(number) * self.seats as u64 + 1;
        if first_game > u64::from(self.games) {
            return None;
        }
        let length = self.round_length();
        let (round, lane) = (number / length, number % length);
        let members = match &self.form {
            Form::Same => (0..self.seats).collect(),
            Form::Pairs(pairs) => {
                let [first, second] = pairs[lane as usize];
                if round.is_multiple_of(2) { vec![first, second] } else { vec![second, first] }
            }
            Form::Blocks { entrants, blocks } => {
                let block = &blocks[round as usize % blocks.len()];
                block.iter().map(|place| (place + lane as usize) % entrants).collect()
            }
        };
        Some(Unit { number, members, round, lane, meeting: round })
    }

    fn round_length(&self) -> u32 {
        match &self.form {
            Form::Same => 1,
            Form::Pairs(pairs) => pairs.len() as u32,
            Form::Blocks { entrants, .. } if *entrants == self.seats => 1,
            Form::Blocks { entrants, .. } => *entrants as u32,
        }
    }
}

/// Every challenger against every entrant that is none; first seats alternate.
fn gauntlet(challengers: usize, entrants: usize) -> Vec<[usize; 2]> {
    let others = challengers..entrants;
    let against = |challenger: usize| {
        others.clone().map(move |other| {
            if (challenger + other).is_multiple_of(2) { [challenger, other] } else { [other, challenger] }
        })
    };
    (0..challengers).flat_map(against).collect()
}

/// A round robin of two seats by a Berger table (FIDE Handbook C.05, annex 1): everybody meets everybody once, at most one
/// bye a round, first seats as evenly as can be. Returns the rounds, each a list of pairs; who is named first in a pair sits in
/// the first seat. Entrants count from 0.
fn berger_table(entrants: usize) -> Vec<Vec<[usize; 2]>> {
    // With an odd number, the entrant that is drawn against the last place has a bye.
    let places = entrants + entrants % 2;
    (0..places.saturating_sub(1)).map(|round| pairs(round, places, entrants)).collect()
}

fn pairs(round: usize, places: usize, entrants: usize) -> Vec<[usize; 2]> {
    let (circle, last) = (places - 1, places - 1);
    let lone = round * (places / 2) % circle;
    let against_last = if round.is_multiple_of(2) { [lone, last] } else { [last, lone] };
    let opposite = (1..places / 2).map(|step| [(lone + step) % circle, (lone + circle - step) % circle]);
    let mut pairs: Vec<_> = std::iter::once(against_last).chain(opposite).collect();
    pairs.retain(|pair| pair.iter().all(|&entrant| entrant < entrants));
    pairs.sort_unstable_by_key(|pair| *pair.iter().min().expect("a pair is two"));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_handbook() {
        let one_based = |entrants| -> Vec<Vec<[usize; 2]>> {
            let up = |pair: [usize; 2]| pair.map(|entrant| entrant + 1);
            berger_table(entrants).into_iter().map(|round| round.into_iter().map(up).collect()).collect()
        };
        let four = [[[1, 4], [2, 3]], [[1, 2], [4, 3]], [[3, 1], [2, 4]]];
        assert_eq!(one_based(4), four.map(Vec::from));
        let six = [
            [[1, 6], [2, 5], [3, 4]],
            [[1, 2], [5, 3], [6, 4]],
            [[3, 1], [2, 6], [4, 5]],
            [[1, 4], [2, 3], [6, 5]],
            [[5, 1], [4, 2], [3, 6]],
        ];
        assert_eq!(one_based(6), six.map(Vec::from));
        assert_eq!(one_based(3), [[[2, 3]], [[1, 2]], [[3, 1]]].map(Vec::from));
    }
}
