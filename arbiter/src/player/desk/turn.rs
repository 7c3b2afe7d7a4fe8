//! The turn that is open: its unfinished move, and what a touch makes of it.

use super::{HumanOptions, OpenTurn, Refused, Touch, TurnId};
use crate::player::{self, Answer, Looks};
use crate::verdict::Fault;
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::{Choice, Position};
use std::time::Instant;

/// A turn that waits for a person, or has just been answered.
pub(super) struct Turn {
    /// What views show of it.
    pub(super) open: OpenTurn,
    position: Position,
    /// The unfinished move, and what it was before each touch.
    drafts: Vec<Draft>,
    /// A whole move that waits to be confirmed.
    pending: Option<Choice>,
    human_options: HumanOptions,
    /// Looks at its clock.
    pub(super) looks: Looks,
    pub(super) answer: Option<(Answer, Instant)>,
}

impl Turn {
    pub(super) fn new(turn: &player::Turn<'_>, game: u32, human_options: HumanOptions) -> Turn {
        let (position, draft) = (turn.position.clone(), Draft::default());
        let open = OpenTurn {
            id: TurnId { game, seat: turn.seat, ply: position.ply() },
            view: position.draft_view(&draft),
            draft: draft.clone(),
            pending: None,
            shown: None,
            stopped_at: None,
            hard: turn.budget.hard,
            may_take_back: turn.may_take_back,
        };
        let (drafts, looks) = (vec![draft], Looks::begin());
        Turn { open, position, drafts, pending: None, human_options, looks, answer: None }
    }

    /// Shows what a touch has made of the move.
    pub(super) fn show(&mut self) {
        (self.open.view, self.open.draft) = (self.position.draft_view(self.draft()), self.draft().clone());
        self.open.pending = self.pending.as_ref().map(|choice| self.position.choice_text(choice));
        if let Some(choice) = &self.pending {
            self.open.view.can_finish = true;
            self.open.draft.cells = match choice.path.is_empty() {
                true => self.position.path(choice.played),
                false => choice.path.clone(),
            };
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
                return match self.pending.take() {
                    Some(_) => Ok(None),
                    None if self.drafts.len() > 1 => {
                        self.drafts.pop();
                        Ok(None)
                    }
                    None if self.open.may_take_back => Ok(Some(Answer::TakeBack)),
                    None => {
                        let is_agreed = self.human_options.takes_back || self.open.id.ply == 0;
                        Err(Refused::nothing_to_take_back(is_agreed))
                    }
                };
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
