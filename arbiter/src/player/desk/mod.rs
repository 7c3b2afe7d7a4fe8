//! The desk, where people move: it holds the unfinished move of the turn that is open, for any number of views.
//!
//! A view shows [`Desk::turn`] and passes on what was touched. The rules decide what a touch does; nothing is final
//! until the move is finished, and what was touched for another turn than the open one does nothing.

mod touch;
mod turn;

pub use touch::{Finishing, HumanOptions, OnlyMove, OpenTurn, Refused, Slips, Touch, Touched, TurnId};

use super::Answer;
use crate::verdict::Fault;
use arbiter_rules::draft::Draft;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use turn::Turn;

/// How often somebody who waits for a person looks whether the program is to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The desk that all people at this program share: the person whose turn it is uses it.
pub struct Desk {
    state: Mutex<State>,
    answered: Condvar,
    changed: Box<dyn Fn(&OpenTurn) + Send + Sync>,
    longest_away: Option<Duration>,
}

#[derive(Default)]
struct State {
    turn: Option<Turn>,
    is_closed: bool,
    /// Since when nobody can see the board.
    away_since: Option<Instant>,
}

impl Desk {
    /// An empty desk. `changed` hears of every change of an unfinished move.
    #[must_use]
    pub fn new(changed: impl Fn(&OpenTurn) + Send + Sync + 'static) -> Desk {
        Desk {
            state: Mutex::default(),
            answered: Condvar::new(),
            changed: Box::new(changed),
            longest_away: None,
        }
    }

    /// The same desk, at which a person who is away for longer than this has left the game.
    #[must_use]
    pub fn with_longest_absence(self, longest: Option<Duration>) -> Desk {
        Desk { longest_away: longest, ..self }
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

    /// Nobody can see the board until somebody [comes back](Desk::back): no clock of a person runs meanwhile.
    pub fn away(&self) {
        self.state().away_since.get_or_insert_with(Instant::now);
    }

    /// Somebody can see the board again. A person who was away for too long has left the game. Returns how long
    /// nobody was there in an open turn.
    pub fn back(&self) -> Option<Duration> {
        let mut state = self.state();
        let since = state.away_since.take()?;
        let turn = state.turn.as_mut().filter(|turn| turn.answer.is_none())?;
        let (now, absence) = (Instant::now(), since.elapsed());
        turn.shown = turn.shown.map(|shown| shown + now.duration_since(since.max(shown)));
        if self.longest_away.is_some_and(|longest| absence > longest) {
            turn.answer = Some((Answer::Fault(Fault::Left), now));
        }
        (self.changed)(&turn.open());
        self.answered.notify_all();
        Some(absence)
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

    /// Nobody will answer any more: every turn from now on ends with [`Fault::Left`].
    pub fn close(&self) {
        self.state().is_closed = true;
        self.answered.notify_all();
    }

    /// Whether nobody will answer any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    /// Opens a turn and waits for its answer; the time from when it was shown is what it took.
    pub(super) fn ask(
        &self,
        turn: &super::Turn<'_>,
        game: u32,
        human_options: HumanOptions,
    ) -> (Answer, Duration) {
        if let ([only], OnlyMove::ByItself) = (turn.legal, human_options.only_move) {
            return (Answer::Move(*only), Duration::ZERO);
        }
        let id = TurnId { game, seat: turn.seat, ply: turn.position.ply() };
        let opened = Turn {
            id,
            position: turn.position.clone(),
            drafts: vec![Draft::default()],
            pending: None,
            human_options,
            hard: turn.budget.hard,
            may_take_back: turn.may_take_back,
            shown: None,
            answer: None,
        };
        let deadline = turn.budget.deadline();
        let mut state = self.state();
        (self.changed)(&opened.open());
        state.turn = Some(opened);
        loop {
            let away_since = state.away_since;
            let is_gone = |since: Instant| self.longest_away.is_some_and(|longest| since.elapsed() > longest);
            let is_left = state.is_closed || away_since.is_some_and(is_gone);
            let turn = state.turn.as_mut().expect("the turn is open until it is answered");
            let took = |end: Instant| {
                turn.shown.map_or(Duration::ZERO, |shown| end.saturating_duration_since(shown))
            };
            let now = took(Instant::now());
            if let Some((answer, at)) = turn.answer.take() {
                let took = took(at);
                state.turn = None;
                return (answer, took);
            }
            if is_left {
                state.turn = None;
                return (Answer::Fault(Fault::Left), now);
            }
            if away_since.is_none() && deadline.is_some_and(|deadline| now > deadline) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Budget, Turn as Asked};
    use arbiter_rules::{MoveList, Position, Setup, registry};

    const USUAL: HumanOptions =
        HumanOptions { slips: Slips::AreForgiven, finishing: Finishing::AtOnce, only_move: OnlyMove::ByHand };

    fn desk_with<R>(
        game: &str,
        position: Option<&str>,
        at_desk: impl FnOnce(&Desk, TurnId) -> R,
    ) -> (Answer, R) {
        sit_down(Desk::new(|_| {}), USUAL, game, position, at_desk)
    }

    fn position_of(game: &str, position: Option<&str>) -> (Position, MoveList) {
        let position = registry::start(game, &Setup { position, ..Setup::default() }).unwrap();
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        (position, legal)
    }

    /// The first question of a game without limits.
    fn question<'a>(position: &'a Position, legal: &'a MoveList) -> Asked<'a> {
        Asked {
            seat: position.to_move().unwrap(),
            position,
            legal,
            attempt: 0,
            budget: Budget { hard: None, soft: Duration::ZERO, margin: Duration::ZERO },
            limit: None,
            clocks: &[],
            may_take_back: false,
        }
    }

    /// Asks at a desk in one thread, while `at_desk` acts there in another.
    fn sit_down<R>(
        desk: Desk,
        human_options: HumanOptions,
        game: &str,
        position: Option<&str>,
        at_desk: impl FnOnce(&Desk, TurnId) -> R,
    ) -> (Answer, R) {
        let (position, legal) = position_of(game, position);
        let turn = question(&position, &legal);
        let id = TurnId { game: 1, seat: turn.seat, ply: 0 };
        std::thread::scope(|scope| {
            let desk = &desk;
            let asking = scope.spawn(move || desk.ask(&turn, 1, human_options).0);
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
    #[test]
    fn a_move_that_has_to_be_confirmed_waits_can_be_changed_and_can_be_taken_back() {
        let human_options = HumanOptions { finishing: Finishing::Confirmed, ..USUAL };
        let (answer, ()) = sit_down(Desk::new(|_| {}), human_options, "tic-tac-toe", None, |desk, id| {
            let pending = |desk: &Desk| desk.turn().unwrap().pending;
            assert_eq!(desk.touch(id, &Touch::Finish).unwrap_err().code, "not-understood");
            assert_eq!(desk.touch(id, &Touch::Pick(4)), Ok(Touched::Unfinished));
            assert_eq!(pending(desk), Some("b2".to_owned()));
            assert!(desk.turn().unwrap().view.can_finish, "a view offers to finish it");
            desk.touch(id, &Touch::Back).unwrap();
            assert_eq!(pending(desk), None);
            desk.touch(id, &Touch::Pick(4)).unwrap();
            desk.touch(id, &Touch::Pick(0)).unwrap();
            assert_eq!(desk.turn().unwrap().draft.cells, [0]);
            assert_eq!(desk.touch(id, &Touch::Finish), Ok(Touched::Finished));
        });
        assert_eq!(answer, Answer::Text("a1".to_owned()));
        let (answer, ()) = sit_down(Desk::new(|_| {}), human_options, "stacks", None, |desk, id| {
            desk.touch(id, &Touch::Pick(3)).unwrap();
            assert_eq!(desk.touch(id, &Touch::Act("place".to_owned())), Ok(Touched::Unfinished));
            assert_eq!(desk.turn().unwrap().pending, Some("+d1".to_owned()));
            assert_eq!(desk.touch(id, &Touch::Finish), Ok(Touched::Finished));
        });
        assert_eq!(answer, Answer::Text("+d1".to_owned()));
    }

    #[test]
    fn the_only_move_is_played_by_itself_when_people_want_that() {
        let (position, legal) = position_of("tic-tac-toe", Some("xoxxooox1 x"));
        let human_options = HumanOptions { only_move: OnlyMove::ByItself, ..USUAL };
        let (answer, took) = Desk::new(|_| {}).ask(&question(&position, &legal), 1, human_options);
        assert_eq!((answer, took), (Answer::Move(legal[0]), Duration::ZERO));
    }

    #[test]
    fn a_clock_stands_still_while_nobody_can_see_the_board() {
        let (_, (before, after)) = desk_with("othello", None, |desk, id| {
            desk.shown(id);
            let shown = |desk: &Desk| desk.state().turn.as_ref().and_then(|turn| turn.shown).unwrap();
            let before = shown(desk);
            desk.away();
            assert!(desk.back().is_some(), "somebody was asked meanwhile");
            let after = shown(desk);
            desk.touch(id, &Touch::Resign).unwrap();
            (before, after)
        });
        assert!(after > before, "the time away is not charged");
    }

    #[test]
    fn a_person_who_is_away_for_too_long_has_left() {
        let desk = Desk::new(|_| {}).with_longest_absence(Some(Duration::ZERO));
        let (answer, ()) = sit_down(desk, USUAL, "othello", None, |desk, _| {
            desk.away();
        });
        assert_eq!(answer, Answer::Fault(Fault::Left));
    }
}
