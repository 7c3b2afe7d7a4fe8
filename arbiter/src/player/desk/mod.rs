//! The desk, where people move: it holds the unfinished move of the turn that is open, for any number of views.
//!
//! A view shows [`Desk::turn`] and passes on what was touched. The rules decide what a touch does; nothing is final
//! until the move is finished, and what was touched for another turn than the open one does nothing.
#![expect(clippy::disallowed_methods, reason = "the clock of people runs here")]

mod touch;
mod turn;

pub use touch::{HumanOptions, OpenTurn, Refused, Touch, TurnId};

use super::Answer;
use crate::verdict::Fault;
use parking_lot::{Condvar, Mutex};
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
    /// Since when nobody can see the board in this turn.
    away_since: Option<Instant>,
}

impl Desk {
    /// An empty desk. `changed` hears of every change of an unfinished move.
    pub fn new(changed: impl Fn(&OpenTurn) + Send + Sync + 'static) -> Desk {
        Desk {
            state: Mutex::default(),
            answered: Condvar::new(),
            changed: Box::new(changed),
            longest_away: None,
        }
    }

    /// The same desk, at which a person who is away for longer than this has left the game.
    pub fn with_longest_absence(self, longest: Option<Duration>) -> Desk {
        Desk { longest_away: longest, ..self }
    }

    /// The turn that waits for a person.
    pub fn turn(&self) -> Option<OpenTurn> {
        self.state.lock().turn.as_ref().filter(|turn| turn.answer.is_none()).map(|turn| turn.open.clone())
    }

    /// A view says that the position of a turn is on the screen: the person's clock runs from now, and views elsewhere see it run.
    pub fn shown(&self, id: TurnId) {
        let mut state = self.state.lock();
        let is_new = |turn: &&mut Turn| turn.open.id == id && turn.open.shown.is_none();
        if let Some(turn) = state.turn.as_mut().filter(is_new) {
            turn.open.shown = Some(Instant::now());
            if turn.open.hard.is_some() {
                (self.changed)(&turn.open);
            }
        }
    }

    /// Nobody can see the board until somebody [comes back](Desk::back): no clock of a person runs meanwhile.
    pub fn away(&self) {
        let mut state = self.state.lock();
        state.keep_clock();
        if state.away_since.is_some() {
            return;
        }
        state.away_since = Some(Instant::now());
        if let Some(turn) = state.turn.as_mut().filter(|turn| turn.answer.is_none()) {
            turn.open.stopped_at = Some(turn.open.gone().unwrap_or_default());
            (self.changed)(&turn.open);
        }
    }

    /// Somebody can see the board again. A person who was away for too long has left the game. Returns how long
    /// nobody was there in an open turn.
    pub fn back(&self) -> Option<Duration> {
        let mut state = self.state.lock();
        state.keep_clock();
        let since = state.away_since.take()?;
        let turn = state.turn.as_mut().filter(|turn| turn.answer.is_none())?;
        let (now, absence) = (Instant::now(), since.elapsed());
        if self.longest_away.is_some_and(|longest| absence > longest) {
            turn.answer = Some((Answer::Fault(Fault::Left), now));
        }
        turn.open.stopped_at = None;
        (self.changed)(&turn.open);
        self.answered.notify_all();
        Some(absence)
    }

    /// A person touches something.
    ///
    /// # Errors
    /// Why nothing has changed.
    pub fn touch(&self, id: TurnId, touch: &Touch) -> Result<(), Refused> {
        let mut state = self.state.lock();
        state.keep_clock();
        let is_open = |turn: &&mut Turn| turn.open.id == id && turn.answer.is_none();
        let turn = state.turn.as_mut().filter(is_open).ok_or_else(Refused::stale)?;
        let Some(answer) = turn.touch(touch)? else {
            turn.show();
            // Told before anybody can touch again, so that views hear of changes in their order.
            (self.changed)(&turn.open);
            return Ok(());
        };
        turn.answer = Some((answer, Instant::now()));
        self.answered.notify_all();
        Ok(())
    }

    /// Nobody will answer any more: every turn from now on ends with [`Fault::Left`].
    pub fn close(&self) {
        self.state.lock().is_closed = true;
        self.answered.notify_all();
    }

    /// Whether nobody will answer any more.
    pub fn is_closed(&self) -> bool {
        self.state.lock().is_closed
    }

    /// Opens a turn and waits for its answer; the time from when it was shown is what it took.
    pub(super) fn ask(
        &self,
        turn: &super::Turn<'_>,
        game: u32,
        human_options: HumanOptions,
    ) -> (Answer, Duration) {
        if let ([only], true) = (turn.legal, human_options.plays_forced) {
            return (Answer::Move(*only), Duration::ZERO);
        }
        let mut opened = Turn::new(turn, game, human_options);
        let deadline = turn.budget.deadline();
        let mut state = self.state.lock();
        // Whoever was away until now may have been another person, and has left.
        state.away_since = state.away_since.map(|_| Instant::now());
        opened.open.stopped_at = state.away_since.map(|_| Duration::ZERO);
        (self.changed)(&opened.open);
        state.turn = Some(opened);
        loop {
            let was_stopped = state.keep_clock();
            let away_since = state.away_since;
            let is_gone = |since: Instant| self.longest_away.is_some_and(|longest| since.elapsed() > longest);
            let is_left = state.is_closed || away_since.is_some_and(is_gone);
            let turn = state.turn.as_mut().expect("the turn is open until it is answered");
            let took = |end: Instant| {
                turn.open.shown.map_or(Duration::ZERO, |shown| end.saturating_duration_since(shown))
            };
            let now = took(Instant::now());
            if was_stopped {
                (self.changed)(&turn.open);
            }
            let answer = match turn.answer.take() {
                Some((answer, at)) => Some((answer, took(at))),
                None if is_left => Some((Answer::Fault(Fault::Left), now)),
                // Whatever is answered now is late.
                None if away_since.is_none() && deadline.is_some_and(|deadline| now > deadline) => {
                    Some((Answer::Text(String::new()), now))
                }
                None => None,
            };
            if let Some(answer) = answer {
                state.turn = None;
                return answer;
            }
            self.answered.wait_for(&mut state, LOOK_UP);
        }
    }
}

impl State {
    /// Brings the clock of the open turn up to now: time in which nobody could move does not count. Says whether arbiter was
    /// stopped meanwhile.
    fn keep_clock(&mut self) -> bool {
        let is_open = |turn: &&mut Turn| turn.answer.is_none();
        let Some(turn) = self.turn.as_mut().filter(is_open) else { return false };
        let (since, was_stopped) = turn.looks.look();
        if was_stopped || self.away_since.is_some() {
            turn.open.shown = turn.open.shown.map(|shown| shown + since.min(shown.elapsed()));
        }
        was_stopped
    }
}
