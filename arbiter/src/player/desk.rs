//! Where people sit: the unfinished move of the turn that is open, for any number of views.
//!
//! A view shows [`Desk::turn`] and passes on what was touched. The rules decide what a touch does; nothing is final
//! until the move is finished, and what was touched for another turn than the open one does nothing.

use super::Answer;
use crate::verdict::Fault;
use arbiter_rules::draft::{Draft, DraftAction, DraftStep, DraftView};
use arbiter_rules::{Choice, IllegalMove, Position, Seat};
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How often somebody who waits for a person looks whether the program is to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Which turn is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnId {
    /// The number of the game.
    pub game: u32,
    /// Whose turn it is.
    pub seat: Seat,
    /// Plies played before it.
    pub ply: u32,
}

/// What a person did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Touched a cell.
    Pick(u16),
    /// Pressed an action of the game, such as `remove`.
    Act(String),
    /// Took back the last part of the unfinished move.
    Back,
    /// Dropped the unfinished move.
    Clear,
    /// Finished the move.
    Finish,
    /// Typed a move.
    Typed(String),
    /// Gave the game up.
    Resign,
    /// Went away, or the input ended.
    Leave,
}

/// What came of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// The move needs more.
    Unfinished,
    /// The move, or the game, is done for this person.
    Finished,
}

/// Why a touch did nothing: a stable code and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// A code of the rules, or `stale`, `not-your-turn`.
    pub code: &'static str,
    /// What is wrong, in words.
    pub sentence: String,
}

impl Refused {
    /// Something was touched for a turn that is over.
    #[must_use]
    pub fn stale() -> Refused {
        Refused { code: "stale", sentence: "The game has moved on since this was drawn.".to_owned() }
    }

    /// Somebody touched the board in another player's turn.
    #[must_use]
    pub fn not_your_turn(turn: Seat) -> Refused {
        Refused { code: "not-your-turn", sentence: format!("It is player {turn}'s turn.") }
    }
}

impl From<IllegalMove> for Refused {
    fn from(why: IllegalMove) -> Refused {
        Refused { code: why.reason.code(), sentence: why.sentence }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.sentence)
    }
}

/// What becomes of typed moves that the rules refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slips {
    /// The person is told why and tries again.
    AreForgiven,
    /// They count as errors, as a bot's do.
    Count,
}

/// An open turn as a view shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTurn {
    /// Which turn.
    pub id: TurnId,
    /// The unfinished move.
    pub draft: Draft,
    /// What can be touched next.
    pub view: DraftView,
    /// When the clock of this turn began to run, if it has and if there is one.
    pub running_since: Option<Instant>,
    /// The time there is, if there is a clock.
    pub hard: Option<Duration>,
}

impl OpenTurn {
    /// The action with this letter, if it can be pressed now.
    #[must_use]
    pub fn action(&self, letter: char) -> Option<DraftAction> {
        self.view.actions.iter().copied().find(|action| action.id.starts_with(letter))
    }
}

/// The place of all people of one program: whoever's turn it is uses it.
pub struct Desk {
    state: Mutex<State>,
    answered: Condvar,
    changed: Box<dyn Fn(&OpenTurn) + Send + Sync>,
}

#[derive(Default)]
struct State {
    turn: Option<Turn>,
    is_closed: bool,
}

struct Turn {
    id: TurnId,
    position: Box<dyn Position>,
    /// The unfinished move, and what it was before each touch.
    drafts: Vec<Draft>,
    slips: Slips,
    hard: Option<Duration>,
    shown: Option<Instant>,
    answer: Option<(Answer, Instant)>,
}

impl Desk {
    /// An empty desk. `changed` hears of every change of an unfinished move.
    #[must_use]
    pub fn new(changed: impl Fn(&OpenTurn) + Send + Sync + 'static) -> Desk {
        Desk { state: Mutex::default(), answered: Condvar::new(), changed: Box::new(changed) }
    }

    /// The turn that waits for a person.
    #[must_use]
    pub fn turn(&self) -> Option<OpenTurn> {
        self.state().turn.as_ref().filter(|turn| turn.answer.is_none()).map(Turn::open)
    }

    /// A view says that the position of a turn is on the screen: the person's clock runs from now.
    pub fn shown(&self, id: TurnId) {
        if let Some(turn) = self.state().turn.as_mut().filter(|turn| turn.id == id) {
            turn.shown.get_or_insert_with(Instant::now);
        }
    }

    /// A person touches something.
    ///
    /// # Errors
    /// Why nothing has changed.
    pub fn touch(&self, id: TurnId, touch: &Touch) -> Result<Touched, Refused> {
        let mut state = self.state();
        let is_open = |turn: &&mut Turn| turn.id == id && turn.answer.is_none();
        let turn = state.turn.as_mut().filter(is_open).ok_or_else(Refused::stale)?;
        let Some(answer) = turn.touch(touch)? else {
            // Told before anybody can touch again, so that views hear of changes in their order.
            (self.changed)(&turn.open());
            return Ok(Touched::Unfinished);
        };
        turn.answer = Some((answer, Instant::now()));
        self.answered.notify_all();
        Ok(Touched::Finished)
    }

    /// Nobody will answer any more: every turn from now on is left.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.answered.notify_all();
    }

    /// Opens a turn and waits for its answer; the time from when it was shown is what it took.
    pub(super) fn ask(&self, turn: &super::Turn<'_>, game: u32, slips: Slips) -> (Answer, Duration) {
        let id = TurnId { game, seat: turn.seat, ply: turn.position.ply() };
        let opened = Turn {
            id,
            position: turn.position.copy(),
            drafts: vec![Draft::default()],
            slips,
            hard: turn.budget.hard,
            shown: None,
            answer: None,
        };
        let deadline = turn.budget.deadline();
        let mut state = self.state();
        (self.changed)(&opened.open());
        state.turn = Some(opened);
        loop {
            let is_closed = state.is_closed;
            let turn = state.turn.as_mut().expect("the turn is open until it is answered");
            let took = |end: Instant| turn.shown.map_or(Duration::ZERO, |shown| end.duration_since(shown));
            let now = took(Instant::now());
            if let Some((answer, at)) = turn.answer.take() {
                let took = took(at);
                state.turn = None;
                return (answer, took);
            }
            if is_closed {
                state.turn = None;
                return (Answer::Fault(Fault::Left), now);
            }
            if deadline.is_some_and(|deadline| now > deadline) {
                state.turn = None;
                // Whatever is answered now is late.
                return (Answer::Text(String::new()), now);
            }
            state = self.answered.wait_timeout(state, LOOK_UP).expect("no touch panics with the lock").0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no touch panics with the lock")
    }
}

impl Turn {
    fn open(&self) -> OpenTurn {
        let draft = self.draft().clone();
        let running_since = self.shown.filter(|_| self.hard.is_some());
        OpenTurn {
            id: self.id,
            view: self.position.draft_view(&draft),
            draft,
            running_since,
            hard: self.hard,
        }
    }

    fn draft(&self) -> &Draft {
        self.drafts.last().expect("there is always a draft, if an empty one")
    }

    fn touch(&mut self, touch: &Touch) -> Result<Option<Answer>, Refused> {
        let step = match touch {
            Touch::Pick(cell) => self.position.pick(self.draft(), *cell)?,
            Touch::Act(action) => self.position.act(self.draft(), action)?,
            Touch::Finish => self.position.act(self.draft(), "finish")?,
            Touch::Back => {
                if self.drafts.len() > 1 {
                    self.drafts.pop();
                }
                return Ok(None);
            }
            Touch::Clear => {
                self.drafts = vec![Draft::default()];
                return Ok(None);
            }
            Touch::Typed(text) => {
                return match (self.position.read_move(text), self.slips) {
                    (Ok(choice), _) => Ok(Some(self.answer(&choice))),
                    (Err(_), Slips::Count) => Ok(Some(Answer::Text(text.clone()))),
                    (Err(why), Slips::AreForgiven) => Err(why.into()),
                };
            }
            Touch::Resign => return Ok(Some(Answer::Fault(Fault::Resigned))),
            Touch::Leave => return Ok(Some(Answer::Fault(Fault::Left))),
        };
        match step {
            DraftStep::Finished(choice) => Ok(Some(self.answer(&choice))),
            DraftStep::Unfinished(draft) => {
                self.drafts.push(draft);
                Ok(None)
            }
        }
    }

    fn answer(&self, choice: &Choice) -> Answer {
        Answer::Text(self.position.choice_text(choice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Budget, Turn as Asked};
    use arbiter_rules::{MoveList, Setup, registry};

    fn desk_with<R>(
        game: &str,
        position: Option<&str>,
        at_desk: impl FnOnce(&Desk, TurnId) -> R,
    ) -> (Answer, R) {
        let position = registry::start(game, &Setup { position, ..Setup::default() }).unwrap();
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        let desk = Desk::new(|_| {});
        let budget = Budget { hard: None, soft: Duration::ZERO, margin: Duration::ZERO };
        let seat = position.to_move().unwrap();
        let id = TurnId { game: 1, seat, ply: 0 };
        std::thread::scope(|scope| {
            let turn = Asked { seat, position: &*position, legal: &legal, attempt: 0, budget, clocks: &[] };
            let desk = &desk;
            let asking = scope.spawn(move || desk.ask(&turn, 1, Slips::AreForgiven).0);
            while desk.turn().is_none() {
                std::thread::yield_now();
            }
            let result = at_desk(desk, id);
            (asking.join().unwrap(), result)
        })
    }

    #[test]
    fn a_chain_grows_hop_by_hop_and_undo_takes_back_one_hop() {
        let (answer, ()) = desk_with("chinese-checkers", None, |desk, id| {
            let targets = |desk: &Desk| desk.turn().unwrap().view.targets;
            let pawn = targets(desk)[0];
            desk.touch(id, &Touch::Pick(pawn)).unwrap();
            assert_eq!(desk.turn().unwrap().draft.cells, [pawn]);
            desk.touch(id, &Touch::Back).unwrap();
            assert!(desk.turn().unwrap().draft.cells.is_empty());
            assert_eq!(desk.touch(id, &Touch::Finish).unwrap_err().code, "too-short");
            desk.touch(id, &Touch::Typed("6-14".to_owned())).unwrap();
        });
        assert_eq!(answer, Answer::Text("6-14".to_owned()));
    }

    #[test]
    fn a_second_click_that_comes_too_late_does_no_harm() {
        let (answer, late) = desk_with("tic-tac-toe", None, |desk, id| {
            assert_eq!(desk.touch(id, &Touch::Pick(4)), Ok(Touched::Finished));
            desk.touch(id, &Touch::Pick(0))
        });
        assert_eq!((answer, late.unwrap_err()), (Answer::Text("b2".to_owned()), Refused::stale()));
    }

    #[test]
    fn a_refused_touch_leaves_the_turn_open_and_says_why() {
        let (_, ()) = desk_with("othello", None, |desk, id| {
            let refused = desk.touch(id, &Touch::Pick(0)).unwrap_err();
            assert_eq!(refused.code, "not-a-capture");
            assert!(refused.sentence.starts_with("a1 turns no disc"), "{refused}");
            assert_eq!(desk.touch(id, &Touch::Resign), Ok(Touched::Finished));
        });
    }
}
