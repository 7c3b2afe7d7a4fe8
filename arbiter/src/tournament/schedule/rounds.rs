//! Rounds that depend on the results of the rounds before.

/// Two who meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The two members. The first of them sits in the first seat in the first game.
    pub members: [usize; 2],
    /// Which match of a bracket it belongs to; its place in the round elsewhere.
    pub id: u32,
}

/// One round, as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Who meets whom.
    pub meetings: Vec<Meeting>,
    /// Pairs of games that each of them plays.
    pub pairs: u32,
    /// Who has nobody to play.
    pub byes: Vec<usize>,
}

impl Round {
    /// What somebody without an opponent scores: as much as winning every game of a meeting.
    pub fn bye_half_points(&self) -> u32 {
        self.pairs * 2 * 2
    }
}

/// One round, as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// Who met whom.
    pub round: Round,
    /// What they scored, by meeting and member, in half points.
    pub half_points: Vec<[u32; 2]>,
}

/// What is known when a round is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// The rounds so far.
    pub past: &'a [PlayedRound],
    /// The unit after which each entrant has been withdrawn, if it has.
    pub withdrawn: &'a [Option<u32>],
}

/// Draws rounds. A pure function of what it is told: the same past always gives the same next round.
pub trait Rounds: Send + Sync {
    /// The next round, or `None` when everything has been played.
    fn next(&self, standing: &Standing<'_>) -> Option<Round>;

    /// How many pairs of games are still to be played after the drawn rounds, if no meeting is tied.
    fn pairs_to_come(&self, _: &Standing<'_>) -> u32 {
        0
    }

    /// The place of every entrant, from 1, where points do not decide it; otherwise nothing.
    fn places(&self, _: &Standing<'_>) -> Vec<u32> {
        Vec::new()
    }
}
