//! What both bots say of a game: where they agree for long enough, a stated policy may end it.

use super::policy::{Agreement, Policy};
use crate::verdict::Adjudication;
use arbiter_rules::{Outcome, Seat};

/// How long the bots of a game of two have agreed.
#[derive(Debug, Default)]
pub(super) struct Opinions {
    /// That each of the two wins.
    wins: [Streak; 2],
    /// That neither does.
    draw: Streak,
}

/// Plies in a row in which bots said the same.
#[derive(Clone, Copy, Debug, Default)]
struct Streak {
    plies: u32,
    /// Who has said it.
    said_by: [bool; 2],
}

impl Streak {
    fn hear(&mut self, seat: usize, is_said: bool) {
        if is_said {
            self.plies += 1;
            self.said_by[seat] = true;
        } else {
            *self = Streak::default();
        }
    }

    fn is_enough(self, wanted: Agreement) -> bool {
        self.plies >= wanted.plies && self.said_by == [true; 2]
    }
}

impl Opinions {
    /// A bot has chosen a move, with a score or without. Without one it agrees to nothing.
    pub(super) fn hear(&mut self, seat: Seat, score: Option<i32>, policy: &Policy) {
        let seat = seat.index();
        if seat > 1 {
            return;
        }
        let said = |wanted: Option<Agreement>, is: &dyn Fn(i64, i64) -> bool| {
            let (score, wanted) = (score.map(i64::from), wanted.map(|wanted| i64::from(wanted.score)));
            score.zip(wanted).is_some_and(|(score, wanted)| is(score, wanted))
        };
        self.wins[seat].hear(seat, said(policy.resign_score, &|score, wanted| score >= wanted));
        self.wins[1 - seat].hear(seat, said(policy.resign_score, &|score, wanted| score <= -wanted));
        self.draw.hear(seat, said(policy.draw_score, &|score, wanted| score.abs() <= wanted));
    }

    /// What they have agreed on for long enough.
    pub(super) fn agreed(&self, policy: &Policy) -> Option<(Adjudication, Outcome)> {
        let winner = policy.resign_score.and_then(|wanted| {
            let seat = self.wins.iter().position(|streak| streak.is_enough(wanted))?;
            Some((Adjudication::AgreedWin(wanted.plies), Outcome::win(2, Seat::new(seat)?)))
        });
        winner.or_else(|| {
            let wanted = policy.draw_score.filter(|wanted| self.draw.is_enough(*wanted))?;
            Some((Adjudication::AgreedDraw(wanted.plies), Outcome::draw(2, |_| true)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> Policy {
        Policy {
            resign_score: Some(Agreement { score: 500, plies: 4 }),
            draw_score: Some(Agreement { score: 10, plies: 3 }),
            ..Policy::usual(Vec::new())
        }
    }

    /// The reason after these scores of seats in turn, each from its own side.
    fn after(scores: &[Option<i32>]) -> Option<(Adjudication, Outcome)> {
        let mut opinions = Opinions::default();
        for (seat, score) in Seat::all(2).cycle().zip(scores) {
            opinions.hear(seat, *score, &policy());
        }
        opinions.agreed(&policy())
    }

    #[test]
    fn both_have_to_say_so_and_for_long_enough() {
        let won = Some((Adjudication::AgreedWin(4), Outcome::win(2, Seat::new(0).unwrap())));
        assert_eq!(after(&[Some(600), Some(-500), Some(900), Some(-800)]), won);
        assert_eq!(after(&[Some(600), Some(-500), Some(900)]), None, "too short");
        assert_eq!(after(&[Some(600), Some(600), Some(600), Some(600)]), None, "each believes in itself");
        assert_eq!(
            after(&[Some(600), None, Some(600), Some(-600)]),
            None,
            "who says nothing agrees to nothing"
        );
        assert_eq!(
            after(&[Some(600), Some(i32::MIN), Some(900), Some(-800)]),
            won,
            "whatever numbers there are"
        );
        let drawn = Some((Adjudication::AgreedDraw(3), Outcome::draw(2, |_| true)));
        assert_eq!(after(&[Some(0), Some(-10), Some(10)]), drawn);
        assert_eq!(after(&[Some(0), Some(11), Some(10), Some(0)]), None);
    }

    /// A bot that moves while the other one can only pass does not end the game alone.
    #[test]
    fn one_alone_ends_no_game() {
        let mut opinions = Opinions::default();
        let seat = Seat::new(1).unwrap();
        (0..9).for_each(|_| opinions.hear(seat, Some(900), &policy()));
        assert_eq!(opinions.agreed(&policy()), None);
    }
}
