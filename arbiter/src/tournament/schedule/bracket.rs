//! Brackets: matches that take their players from seeds and from other matches.

use super::Ties;
use super::rounds::{Meeting, Round, Rounds, Standing};

/// Where a place in a match is filled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A seed, from 0; nobody where there are fewer entrants.
    Seed(usize),
    /// The winner of a match.
    Winner(usize),
    /// The loser of a match.
    Loser(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) places: [Source; 2],
    /// The round in which it is played, later ones with higher numbers.
    pub(super) round: u32,
    /// When it is played: matches of an earlier wave come first.
    pub(super) wave: u32,
    pub(super) is_last_chance: bool,
    /// It is played only if the second place of this match has won it: the deciding final of a double elimination.
    pub(super) only_if_second_wins: Option<usize>,
}

/// What is known of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Somebody who plays in it is not known yet.
    Waits,
    /// It is to be played by these two.
    Ready([usize; 2]),
    /// It has been played, or there was nobody to play against.
    Done { winner: Option<usize>, loser: Option<usize>, second_won: bool },
}

/// A bracket, with matches after all that they depend on.
#[derive(Clone, Debug)]
pub(super) struct Bracket {
    matches: Vec<Match>,
    ties: Ties,
    entrants: usize,
}

/// What has been played of a match, in half points by place.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    pairs: u32,
    half_points: [u32; 2],
}

impl Bracket {
    pub(super) fn new((matches, entrants): (Vec<Match>, usize), ties: Ties) -> Bracket {
        Bracket { matches, ties, entrants }
    }

    fn scores(&self, standing: &Standing<'_>) -> Vec<Score> {
        let mut scores = vec![Score::default(); self.matches.len()];
        for played in standing.past {
            for (meeting, half_points) in played.round.meetings.iter().zip(&played.half_points) {
                let score = &mut scores[meeting.id as usize];
                score.pairs += played.round.pairs;
                for (sum, new) in score.half_points.iter_mut().zip(half_points) {
                    *sum += new;
                }
            }
        }
        scores
    }

    fn states(&self, standing: &Standing<'_>) -> (Vec<State>, Vec<Score>) {
        let scores = self.scores(standing);
        let mut states: Vec<State> = Vec::with_capacity(self.matches.len());
        for (index, of) in self.matches.iter().enumerate() {
            let state = self.state(of, &states, scores[index], standing.withdrawn);
            states.push(state);
        }
        (states, scores)
    }

    fn state(&self, of: &Match, states: &[State], score: Score, withdrawn: &[Option<u32>]) -> State {
        if let Some(condition) = of.only_if_second_wins {
            match states[condition] {
                State::Done { second_won: true, .. } => {}
                State::Done { .. } => return State::Done { winner: None, loser: None, second_won: false },
                State::Waits | State::Ready(_) => return State::Waits,
            }
        }
        let mut players = [None; 2];
        for (player, source) in players.iter_mut().zip(of.places) {
            match self.player(source, states) {
                Some(known) => *player = known,
                None => return State::Waits,
            }
        }
        let [Some(first), Some(second)] = players else {
            let winner = players.into_iter().flatten().next();
            return State::Done { winner, loser: None, second_won: players[0].is_none() && winner.is_some() };
        };
        match self.decided([first, second], score, withdrawn) {
            None => State::Ready([first, second]),
            Some(second_won) => {
                let (winner, loser) = if second_won { (second, first) } else { (first, second) };
                State::Done { winner: Some(winner), loser: Some(loser), second_won }
            }
        }
    }

    /// Who fills a place: `None` while that is open, `Some(None)` where nobody does.
    fn player(&self, source: Source, states: &[State]) -> Option<Option<usize>> {
        match source {
            Source::Seed(seed) => Some(Some(seed).filter(|&seed| seed < self.entrants)),
            Source::Winner(of) => match states[of] {
                State::Done { winner, .. } => Some(winner),
                State::Waits | State::Ready(_) => None,
            },
            Source::Loser(of) => match states[of] {
                State::Done { loser, .. } => Some(loser),
                State::Waits | State::Ready(_) => None,
            },
        }
    }

    /// Whether the second place has won; `None` while nobody has. Seeds count from the best, so of equals the
    /// smaller number goes on. A withdrawn player loses what has not been decided; of two, the one that was
    /// withdrawn first.
    fn decided(&self, [first, second]: [usize; 2], score: Score, withdrawn: &[Option<u32>]) -> Option<bool> {
        let [of_first, of_second] = score.half_points;
        if score.pairs >= self.ties.pairs && of_first != of_second {
            return Some(of_second > of_first);
        }
        if score.pairs >= self.ties.most_pairs {
            return Some(second < first);
        }
        match (withdrawn[first], withdrawn[second]) {
            (None, None) => None,
            (Some(_), None) => Some(true),
            (None, Some(_)) => Some(false),
            (Some(a), Some(b)) => Some((a, first) < (b, second)),
        }
    }
}

impl Rounds for Bracket {
    /// The matches of the earliest wave whose players are known; first those that are tied, one pair more each.
    fn next(&self, standing: &Standing<'_>) -> Option<Round> {
        let (states, scores) = self.states(standing);
        let ready = states.iter().enumerate().filter_map(|(id, state)| match state {
            State::Ready(members) => Some(Meeting { members: *members, id: id as u32 }),
            State::Waits | State::Done { .. } => None,
        });
        let (mut fresh, tied): (Vec<_>, Vec<_>) =
            ready.partition(|meeting| scores[meeting.id as usize].pairs == 0);
        let wave = |meeting: &Meeting| self.matches[meeting.id as usize].wave;
        let first = fresh.iter().map(wave).min();
        fresh.retain(|meeting| Some(wave(meeting)) == first);
        let (meetings, pairs) = if tied.is_empty() { (fresh, self.ties.pairs) } else { (tied, 1) };
        (!meetings.is_empty()).then_some(Round { meetings, pairs, byes: Vec::new() })
    }

    fn pairs_to_come(&self, standing: &Standing<'_>) -> u32 {
        let (states, scores) = self.states(standing);
        let open = states.iter().zip(&self.matches).enumerate().filter(|(_, (state, of))| {
            // The deciding final counts once it is known to be needed.
            matches!(state, State::Ready(_)) || **state == State::Waits && of.only_if_second_wins.is_none()
        });
        let players = |place: &Source| self.may_be_filled(*place);
        open.filter(|(_, (_, of))| of.places.iter().all(players))
            .map(|(id, _)| if scores[id].pairs == 0 { self.ties.pairs } else { 1 })
            .sum()
    }

    /// Players by how far they came: first those who are still in, then those who left, the last to leave first.
    /// Those who left in the same round share a place.
    fn places(&self, standing: &Standing<'_>) -> Vec<u32> {
        let (states, _) = self.states(standing);
        let mut left_in = vec![u32::MAX; self.entrants];
        for (state, of) in states.iter().zip(&self.matches) {
            if let (State::Done { loser: Some(loser), .. }, true) = (state, of.is_last_chance) {
                left_in[*loser] = of.round;
            }
        }
        // The first final of a double elimination is the last chance only of the player from the losers'
        // bracket.
        if let Some(State::Done { loser: Some(loser), second_won: false, .. }) = self.grand_final(&states) {
            left_in[loser] = u32::MAX - 1;
        }
        left_in.iter().map(|mine| left_in.iter().filter(|other| *other > mine).count() as u32 + 1).collect()
    }
}

impl Bracket {
    fn grand_final(&self, states: &[State]) -> Option<State> {
        self.matches.iter().find_map(|of| of.only_if_second_wins).map(|of| states[of])
    }

    /// Whether somebody can ever come to a place.
    fn may_be_filled(&self, source: Source) -> bool {
        match source {
            Source::Seed(seed) => seed < self.entrants,
            Source::Winner(of) => self.matches[of].places.iter().any(|&place| self.may_be_filled(place)),
            Source::Loser(of) => self.matches[of].places.iter().all(|&place| self.may_be_filled(place)),
        }
    }
}

/// Seeds in the order of a bracket of the next power of two, from 1: the best two can meet in the final only, the best
/// four in the semi-finals, and so on. Seeds above the number of entrants are byes.
pub fn seed_slots(entrants: usize) -> Vec<usize> {
    let mut slots = vec![1];
    while slots.len() < entrants {
        let sum = slots.len() * 2 + 1;
        slots = slots.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    slots
}
