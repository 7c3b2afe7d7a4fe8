//! The turn that is open: its unfinished move, and what a touch makes of it.

use super::{HumanOptions, OpenTurn, Refused, Touch, TurnId};
use crate::player::Answer;
use crate::verdict::Fault;
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::{Choice, Position};
use std::time::{Duration, Instant};

/// A turn that waits for a person, or has just been answered.
pub(super) struct Turn {
    pub(super) id: TurnId,
    pub(super) position: Position,
    /// The unfinished move, and what it was before each touch.
    pub(super) drafts: Vec<Draft>,
    /// A whole move that waits to be confirmed.
    pub(super) pending: Option<Choice>,
    pub(super) human_options: HumanOptions,
    pub(super) hard: Option<Duration>,
    pub(super) may_take_back: bool,
    /// When it was shown first, later by as long as nobody could see it since.
    pub(super) shown: Option<Instant>,
    pub(super) answer: Option<(Answer, Instant)>,
}

impl Turn {
    pub(super) fn open(&self) -> OpenTurn {
        let mut view = self.position.draft_view(self.draft());
        let mut draft = self.draft().clone();
        if let Some(choice) = &self.pending {
            view.can_finish = true;
            draft.cells = match choice.path.is_empty() {
                true => self.position.path(choice.played),
                false => choice.path.clone(),
            };
        }
        let running_since = self.shown.filter(|_| self.hard.is_some());
        OpenTurn {
            id: self.id,
            view,
            draft,
            pending: self.pending.as_ref().map(|choice| self.position.choice_text(choice)),
            running_since,
            hard: self.hard,
            may_take_back: self.may_take_back,
        }
    }

    fn draft(&self) -> &Draft {
        self.drafts.last().expect("there is always a draft, if an empty one")
    }

    pub(super) fn touch(&mut self, touch: &Touch) -> Result<Option<Answer>, Refused> {
        // Finishing a move confirms it.
        let waits = self.human_options.confirms && *touch != Touch::Finish;
        let step = match touch {
            Touch::Pick(cell) => self.position.pick(self.draft(), *cell)?,
            Touch::Act(action) => self.position.act(self.draft(), action)?,
            Touch::Finish => match self.pending.take() {
                Some(choice) => DraftStep::Finished(choice),
                None => self.position.act(self.draft(), "finish")?,
            },
            Touch::Back => {
                let was_pending = self.pending.take().is_some();
                let is_untouched = !was_pending && self.drafts.len() == 1;
                if !was_pending && self.drafts.len() > 1 {
                    self.drafts.pop();
                }
                return Ok((is_untouched && self.may_take_back).then_some(Answer::TakeBack));
            }
            Touch::Clear => {
                (self.drafts, self.pending) = (vec![Draft::default()], None);
                return Ok(None);
            }
            Touch::Typed(text) => {
                return match self.position.read_move(text) {
                    Ok(choice) => Ok(Some(self.answer(&choice))),
                    Err(_) if self.human_options.counts_slips => Ok(Some(Answer::Text(text.clone()))),
                    Err(why) => Err(why.into()),
                };
            }
            Touch::Resign => return Ok(Some(Answer::Fault(Fault::Resigned))),
            Touch::Leave => return Ok(Some(Answer::Fault(Fault::Left))),
        };
        match step {
            DraftStep::Finished(choice) if !waits => return Ok(Some(self.answer(&choice))),
            DraftStep::Finished(choice) => self.pending = Some(choice),
            DraftStep::Unfinished(draft) => {
                self.pending = None;
                self.drafts.push(draft);
            }
        }
        Ok(None)
    }

    fn answer(&self, choice: &Choice) -> Answer {
        Answer::Text(self.position.choice_text(choice))
    }
}
