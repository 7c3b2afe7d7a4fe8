//! Rounds that depend on the results of the rounds before.

/// Two who meet.
#[derive(Clone, Copy, Debug)]
pub(in crate::tournament) struct Meeting {
    /// The two members. The first of them sits in the first seat in the first game.
    pub(in crate::tournament) members: [usize; 2],
    /// Which match of a bracket it belongs to; its place in the round elsewhere.
    pub(in crate::tournament) id: u32,
    /// What they have scored so far, by member.
    pub(in crate::tournament) half_points: [u32; 2],
}

impl Meeting {
    /// One that nothing has been played of.
    pub(super) fn new(members: [usize; 2], id: u32) -> Meeting {
        Meeting { members, id, half_points: [0; 2] }
    }
}

/// One round, as it was drawn and as far as it has been played.
#[derive(Clone, Debug)]
pub(in crate::tournament) struct Round {
    /// Who meets whom.
    pub(in crate::tournament) meetings: Vec<Meeting>,
    /// Pairs of games that each of them plays.
    pub(in crate::tournament) pairs: u32,
    /// Who has nobody to play.
    pub(in crate::tournament) bye: Option<usize>,
}

impl Round {
    /// What the two of a meeting score together, and what somebody without an opponent does: it wins without play.
    pub(super) fn half_points(&self) -> u32 {
        self.pairs * 2 * 2
    }
}

/// What is known when a round is drawn.
#[derive(Clone, Copy)]
pub(in crate::tournament) struct Standing<'a> {
    /// The rounds so far.
    pub(in crate::tournament) past: &'a [Round],
    /// The unit after which each entrant has been withdrawn, if it has.
    pub(in crate::tournament) withdrawn: &'a [Option<u32>],
}

impl Standing<'_> {
    /// Which of two has a walkover, because the other has been withdrawn, or was so first. None while both are in.
    pub(super) fn walkover(&self, [first, second]: [usize; 2]) -> Option<usize> {
        match (self.withdrawn[first], self.withdrawn[second]) {
            (None, None) => None,
            (Some(_), None) => Some(1),
            (None, Some(_)) => Some(0),
            (Some(a), Some(b)) => Some(usize::from((a, first) < (b, second))),
        }
    }

    /// Which of two goes on without play because the other has been withdrawn, and the half points that were left to play for.
    pub(super) fn left(&self, round: &Round, meeting: &Meeting) -> Option<(usize, u32)> {
        let played: u32 = meeting.half_points.iter().sum();
        let left = round.half_points() - played;
        self.walkover(meeting.members).filter(|_| left > 0).map(|winner| (winner, left))
    }
}

/// Draws rounds. What is drawn follows from what it is told alone: the same past always gives the same next round.
pub(in crate::tournament) trait Rounds: Send + Sync {
    /// The next round, or `None` when everything has been played.
    fn next(&mut self, standing: Standing<'_>) -> Option<Round>;

    /// How many pairs of games are still to be played after the drawn rounds, if no meeting is tied.
    fn pairs_to_come(&self, _: Standing<'_>) -> u32 {
        0
    }

    /// Half points of every entrant for byes and walkovers, where points decide; otherwise nothing.
    fn won_without_play(&self, _: Standing<'_>) -> Vec<u32> {
        Vec::new()
    }

    /// The place of every entrant, from 1, where points do not decide it; otherwise nothing.
    fn places(&self, _: Standing<'_>) -> Vec<u32> {
        Vec::new()
    }
}
