//! Brackets, of knockout and of double elimination: matches that take their players from seeds and from other matches.

use super::Ties;
use super::rounds::{Meeting, Round, Rounds, Standing};

/// Where a place in a match is filled from.
#[derive(Clone, Copy)]
enum Source {
    /// A seed, from 0; nobody where there are fewer entrants.
    Seed(usize),
    /// The winner of a match.
    Winner(usize),
    /// The loser of a match.
    Loser(usize),
}

struct Match {
    places: [Source; 2],
    /// When it is played: matches of an earlier wave come first. Losers of a later one came further.
    wave: u32,
    is_last_chance: bool,
    /// It is played only if the second place of this match has won it: the deciding final of a double elimination.
    only_if_second_wins: Option<usize>,
}

/// What is known of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Somebody who plays in it is not known yet.
    Waits,
    /// It is to be played by these two.
    Ready([usize; 2]),
    /// It has been played, or there was nobody to play against.
    Done { winner: Option<usize>, loser: Option<usize>, second_won: bool },
}

/// A bracket, with matches after all that they depend on.
pub(super) struct Bracket {
    matches: Vec<Match>,
    ties: Ties,
    entrants: usize,
}

/// What has been played of a match, in half points by place.
#[derive(Clone, Copy, Default)]
struct Score {
    pairs: u32,
    half_points: [u32; 2],
    /// Who goes on because the other was withdrawn before all of it had been played.
    walkover: Option<usize>,
}

impl Bracket {
    /// A knockout: losers leave. One match fewer than entrants.
    pub(super) fn single(entrants: usize, ties: Ties) -> Bracket {
        let mut bracket = Bracket { matches: Vec::new(), ties, entrants };
        bracket.add_winners(true);
        bracket
    }

    /// A double elimination: players who have lost twice leave. Losers of the winners' rounds come into the losers'
    /// bracket from the other end each time, so that old opponents meet late. The winner of the losers' bracket must win
    /// two finals.
    pub(super) fn double(entrants: usize, ties: Ties) -> Bracket {
        let mut bracket = Bracket { matches: Vec::new(), ties, entrants };
        let mut rounds = bracket.add_winners(false).into_iter();
        let losers = |round: &[usize]| -> Vec<Source> { round.iter().map(|&of| Source::Loser(of)).collect() };
        let first = rounds.next().expect("two entrants play one round at least");
        let (mut alive, mut champion, mut wave) = (losers(&first), first[0], 1);
        for round in rounds {
            champion = round[0];
            let pairs = alive.chunks(2).map(|pair| [pair[0], pair[1]]);
            alive = pairs.map(|places| Source::Winner(bracket.add(places, wave, true))).collect();
            let mut fallen = losers(&round);
            if wave % 4 == 1 {
                fallen.reverse();
            }
            let pairs = fallen.into_iter().zip(alive).map(|(fallen, alive)| [fallen, alive]);
            alive = pairs.map(|places| Source::Winner(bracket.add(places, wave + 1, true))).collect();
            wave += 2;
        }
        let grand_final = bracket.add([Source::Winner(champion), alive[0]], wave, false);
        let places = [Source::Winner(grand_final), Source::Loser(grand_final)];
        let deciding = bracket.add(places, wave + 1, true);
        bracket.matches[deciding].only_if_second_wins = Some(grand_final);
        bracket
    }

    /// Adds the winners' bracket; returns its matches by rounds.
    fn add_winners(&mut self, is_last_chance: bool) -> Vec<Vec<usize>> {
        let mut places: Vec<Source> =
            seed_slots(self.entrants).into_iter().map(|seed| Source::Seed(seed - 1)).collect();
        let mut rounds: Vec<Vec<usize>> = Vec::new();
        while places.len() > 1 {
            let round = rounds.len() as u32;
            // A round of the losers' bracket comes between two of the winners'.
            let wave = if is_last_chance { round } else { (2 * round).saturating_sub(1) };
            let pairs = places.chunks(2).map(|pair| [pair[0], pair[1]]);
            let round: Vec<usize> = pairs.map(|places| self.add(places, wave, is_last_chance)).collect();
            places = round.iter().map(|&of| Source::Winner(of)).collect();
            rounds.push(round);
        }
        rounds
    }

    fn add(&mut self, places: [Source; 2], wave: u32, is_last_chance: bool) -> usize {
        self.matches.push(Match { places, wave, is_last_chance, only_if_second_wins: None });
        self.matches.len() - 1
    }

    fn states(&self, standing: Standing<'_>) -> (Vec<State>, Vec<Score>) {
        let mut scores = vec![Score::default(); self.matches.len()];
        for round in standing.past {
            for meeting in &round.meetings {
                let score = &mut scores[meeting.id as usize];
                score.pairs += round.pairs;
                score.half_points[0] += meeting.half_points[0];
                score.half_points[1] += meeting.half_points[1];
                score.walkover = standing.left(round, meeting).map(|(winner, _)| winner);
            }
        }
        let mut states: Vec<State> = Vec::with_capacity(self.matches.len());
        for (of, score) in self.matches.iter().zip(&scores) {
            states.push(self.state(of, &states, *score, standing));
        }
        (states, scores)
    }

    fn state(&self, of: &Match, states: &[State], score: Score, standing: Standing<'_>) -> State {
        if let Some(condition) = of.only_if_second_wins {
            match states[condition] {
                State::Done { second_won: true, .. } => {}
                State::Done { .. } => return State::Done { winner: None, loser: None, second_won: false },
                State::Waits | State::Ready(_) => return State::Waits,
            }
        }
        let [Some(first), Some(second)] = of.places.map(|place| self.player(place, states)) else {
            return State::Waits;
        };
        let (Some(first), Some(second)) = (first, second) else {
            return State::Done { winner: first.or(second), loser: None, second_won: second.is_some() };
        };
        match self.decided([first, second], score, standing) {
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
            Source::Winner(of) | Source::Loser(of) => match states[of] {
                State::Done { winner, loser, .. } => {
                    Some(if matches!(source, Source::Winner(_)) { winner } else { loser })
                }
                State::Waits | State::Ready(_) => None,
            },
        }
    }

    /// Whether the second place has won; `None` while nobody has. Seeds count from the best, so of equals the
    /// smaller number goes on. A withdrawn player loses what it has not played to the end, whoever was ahead, and what has not been
    /// decided.
    fn decided(&self, members: [usize; 2], score: Score, standing: Standing<'_>) -> Option<bool> {
        if let Some(winner) = score.walkover {
            return Some(winner == 1);
        }
        let [of_first, of_second] = score.half_points;
        if score.pairs >= self.ties.pairs && of_first != of_second {
            return Some(of_second > of_first);
        }
        if score.pairs >= self.ties.most_pairs {
            return Some(members[1] < members[0]);
        }
        standing.walkover(members).map(|winner| winner == 1)
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

impl Rounds for Bracket {
    /// The matches of the earliest wave whose players are known; first those that are tied, one pair more each.
    fn next(&mut self, standing: Standing<'_>) -> Option<Round> {
        let (states, scores) = self.states(standing);
        let ready = states.iter().zip(0..).filter_map(|(state, id)| match state {
            State::Ready(members) => Some(Meeting::new(*members, id)),
            State::Waits | State::Done { .. } => None,
        });
        let (mut fresh, tied): (Vec<_>, Vec<_>) =
            ready.partition(|meeting| scores[meeting.id as usize].pairs == 0);
        let wave = |meeting: &Meeting| self.matches[meeting.id as usize].wave;
        let first = fresh.iter().map(wave).min();
        fresh.retain(|meeting| Some(wave(meeting)) == first);
        let (meetings, pairs) = if tied.is_empty() { (fresh, self.ties.pairs) } else { (tied, 1) };
        (!meetings.is_empty()).then_some(Round { meetings, pairs, bye: None })
    }

    fn pairs_to_come(&self, standing: Standing<'_>) -> u32 {
        let (states, scores) = self.states(standing);
        let open = states.iter().zip(&self.matches).zip(scores).filter(|((state, of), _)| {
            // The deciding final counts once it is known to be needed.
            let is_open = matches!(state, State::Ready(_))
                || **state == State::Waits && of.only_if_second_wins.is_none();
            is_open && of.places.iter().all(|&place| self.may_be_filled(place))
        });
        open.map(|(_, score)| if score.pairs == 0 { self.ties.pairs } else { 1 }).sum()
    }

    /// Players by how far they came: first those who are still in, then those who left, the last to leave first.
    /// Those who left in the same round share a place.
    fn places(&self, standing: Standing<'_>) -> Vec<u32> {
        let (states, _) = self.states(standing);
        let mut left_in = vec![u32::MAX; self.entrants];
        for (state, of) in states.iter().zip(&self.matches) {
            if let (State::Done { loser: Some(loser), .. }, true) = (state, of.is_last_chance) {
                left_in[*loser] = of.wave;
            }
        }
        // The first final of a double elimination is the last chance only of the player from the losers'
        // bracket.
        let grand_final = self.matches.iter().find_map(|of| of.only_if_second_wins).map(|of| states[of]);
        if let Some(State::Done { loser: Some(loser), second_won: false, .. }) = grand_final {
            left_in[loser] = u32::MAX - 1;
        }
        left_in.iter().map(|mine| left_in.iter().filter(|other| *other > mine).count() as u32 + 1).collect()
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
