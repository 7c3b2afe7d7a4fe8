//! Everything that happened, in a list that only grows. The referee appends and goes on; each view walks the list at
//! its own pace, so that no view can slow a game.
#![expect(clippy::disallowed_methods, reason = "what is shown comes at the pace of people")]

use crate::player::OpenTurn;
use crate::verdict::{BotReport, ChosenBy, Ending, Error, Event, Fault, Played, Spent};
use arbiter_rules::{Chance, Position, Seat};
use parking_lot::{Mutex, MutexGuard};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Entries that are kept. A reader that is further behind has lost its place and goes on with the oldest one.
const KEPT: usize = 20_000;

/// Games between bots that are followed within a moment, and how long it takes until one more is. Nobody could look at
/// more, and following costs the match time.
const AT_ONCE: u32 = 8;
const ANOTHER: Duration = Duration::from_millis(500);

/// As many of the games between bots as one can look at.
#[derive(Default)]
pub(crate) struct Allowance(Option<(f64, Instant)>);

impl Allowance {
    /// Whether a game that begins now is among them.
    pub(crate) fn takes(&mut self) -> bool {
        let now = Instant::now();
        let (left, since) = self.0.unwrap_or((AT_ONCE.into(), now));
        let more = now.duration_since(since).as_secs_f64() / ANOTHER.as_secs_f64();
        let left = (left + more).min(AT_ONCE.into());
        let takes = left >= 1.0;
        self.0 = Some((if takes { left - 1.0 } else { left }, now));
        takes
    }
}

/// Something that happened, numbered from 0.
#[derive(Clone)]
pub(crate) struct Entry {
    pub id: u64,
    /// Time since the log began.
    pub at: Duration,
    /// The number of the game, from 1.
    pub game: u32,
    pub what: What,
}

/// The player in a seat, as views name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sitter {
    /// The name, made harmless.
    pub name: String,
    pub is_person: bool,
    /// The number of the player in a match, whatever the seat.
    pub player: Option<usize>,
}

/// What can happen: the events of the referee in a form that can be kept, and changes of an unfinished move.
#[derive(Clone)]
pub(crate) enum What {
    /// A game begins, before any opening. The last of so many errors loses it; 0 for none.
    Started { seats: Arc<[Sitter]>, max_errors: u32, position: Arc<Position> },
    /// A seat is asked for a move, after so many refused answers to this turn.
    Asked { seat: Seat, ply: u32, attempt: u32, clocks: Vec<Option<Duration>> },
    /// A person's unfinished move has changed.
    Drafted(OpenTurn),
    /// A move was played.
    Moved(Moved),
    /// An answer was refused, always for an illegal move: the seat's so many-th error in this game.
    Refused { seat: Seat, ply: u32, fault: Fault, count: u32 },
    /// A seat was taken out of a game that goes on; the position is that after it.
    Out { seat: Seat, ply: u32, fault: Fault, position: Arc<Position> },
    /// A person has taken back its last move and everything after it.
    TakenBack { seat: Seat, plies: u32, position: Arc<Position> },
    /// The game is over, after so much wall time.
    Ended { ending: Ending, duration: Duration, position: Arc<Position> },
    /// Something else that is worth a sentence.
    Noted(String),
}

/// A move that was played, with everything that is shown of it.
#[derive(Clone)]
pub(crate) struct Moved {
    pub seat: Seat,
    /// Plies played before it.
    pub ply: u32,
    /// The cells that the piece went through.
    pub path: Vec<u16>,
    pub text: String,
    pub by: ChosenBy,
    pub spent: Spent,
    pub chance: Chance,
    pub report: Option<BotReport>,
    /// The position after it.
    pub position: Arc<Position>,
}

impl Moved {
    fn of(played: &Played<'_>, before: Option<&Position>) -> Moved {
        let Played { seat, ply, choice, text, by, spent, chance, report, position, .. } = played;
        let path = match before {
            Some(before) if choice.path.is_empty() => before.path(choice.played),
            _ => choice.path.clone(),
        };
        Moved {
            seat: *seat,
            ply: *ply,
            path,
            text: (*text).to_owned(),
            by: *by,
            spent: *spent,
            chance: (*chance).clone(),
            report: report.cloned(),
            position: Position::clone(position).into(),
        }
    }
}

impl What {
    /// What an event says, given the position before it. Who sits where is asked for at the start of a game.
    fn of(
        event: &Event<'_>,
        before: Option<&Arc<Position>>,
        seats: impl FnOnce() -> (Vec<Sitter>, u32),
    ) -> What {
        let keep = |position: &Position| -> Arc<Position> { position.clone().into() };
        match event {
            Event::Started { position } => {
                let (seats, max_errors) = seats();
                What::Started { seats: seats.into(), max_errors, position: keep(position) }
            }
            Event::Asked { seat, attempt, clocks, position } => {
                What::Asked { seat: *seat, ply: position.ply(), attempt: *attempt, clocks: clocks.to_vec() }
            }
            Event::Played(played) => What::Moved(Moved::of(played, before.map(|before| &**before))),
            Event::Refused(Error { seat, ply, fault, count, .. }) => {
                What::Refused { seat: *seat, ply: *ply, fault: Fault::clone(fault), count: *count }
            }
            Event::Eliminated { seat, ply, fault, position, .. } => {
                What::Out { seat: *seat, ply: *ply, fault: Fault::clone(fault), position: keep(position) }
            }
            Event::TakenBack { seat, plies, position, .. } => {
                What::TakenBack { seat: *seat, plies: *plies, position: keep(position) }
            }
            Event::Ended { ending, duration, position, .. } => What::Ended {
                ending: (*ending).clone(),
                duration: *duration,
                position: before.cloned().unwrap_or_else(|| keep(position)),
            },
        }
    }

    fn position(&self) -> Option<&Arc<Position>> {
        match self {
            What::Started { position, .. }
            | What::Out { position, .. }
            | What::TakenBack { position, .. } => Some(position),
            What::Moved(moved) => Some(&moved.position),
            What::Asked { .. }
            | What::Drafted(_)
            | What::Refused { .. }
            | What::Ended { .. }
            | What::Noted(_) => None,
        }
    }
}

pub(crate) struct Log {
    began: Instant,
    state: Mutex<State>,
    /// Which games are kept, where not all are; and how many of these go on.
    sparing: Option<Mutex<Allowance>>,
    kept: AtomicUsize,
}

#[derive(Default)]
struct State {
    entries: VecDeque<Entry>,
    next: u64,
    is_closed: bool,
    wakers: Vec<Box<dyn Fn() + Send>>,
    /// The newest position of every game that goes on.
    positions: HashMap<u32, Arc<Position>>,
}

impl State {
    fn tell(&self) {
        self.wakers.iter().for_each(|wake| wake());
    }
}

pub(crate) enum Next {
    Entry(Box<Entry>),
    /// Nothing yet.
    Nothing,
    /// Nothing, and nothing will come any more.
    End,
}

impl Default for Log {
    fn default() -> Log {
        Log { began: Instant::now(), state: Mutex::default(), sparing: None, kept: AtomicUsize::new(0) }
    }
}

impl Log {
    /// A log that keeps only as many games as one can look at: bots that nobody watches play on as if there were none.
    pub(crate) fn sparing() -> Log {
        Log { sparing: Some(Mutex::default()), ..Log::default() }
    }

    /// Appends an event of the referee. Who sits where, and how many errors lose the game, is asked for at its start.
    pub(crate) fn hear(&self, game: u32, event: &Event<'_>, seats: impl FnOnce() -> (Vec<Sitter>, u32)) {
        if let Some(allowance) = &self.sparing {
            if let Event::Started { .. } = event {
                if !allowance.lock().takes() {
                    return;
                }
            } else if self.kept.load(Ordering::Relaxed) == 0 {
                return;
            }
        }
        let mut state = self.state.lock();
        if self.sparing.is_some()
            && !matches!(event, Event::Started { .. })
            && !state.positions.contains_key(&game)
        {
            return;
        }
        let what = What::of(event, state.positions.get(&game), seats);
        match what.position() {
            Some(position) => drop(state.positions.insert(game, Arc::clone(position))),
            None if matches!(what, What::Ended { .. }) => drop(state.positions.remove(&game)),
            None => {}
        }
        self.kept.store(state.positions.len(), Ordering::Relaxed);
        self.add(state, game, what);
    }

    /// Appends something. Never waits for a reader.
    pub(crate) fn append(&self, game: u32, what: What) {
        self.add(self.state.lock(), game, what);
    }

    fn add(&self, mut state: MutexGuard<'_, State>, game: u32, what: What) {
        if state.is_closed {
            return;
        }
        let entry = Entry { id: state.next, at: self.began.elapsed(), game, what };
        state.next += 1;
        state.entries.push_back(entry);
        if state.entries.len() > KEPT {
            state.entries.pop_front();
        }
        state.tell();
    }

    pub(crate) fn close(&self) {
        let mut state = self.state.lock();
        state.is_closed = true;
        state.tell();
    }

    pub(crate) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    pub(crate) fn on_change(&self, wake: impl Fn() + Send + 'static) {
        self.state.lock().wakers.push(Box::new(wake));
    }

    /// The entry with this number, or the oldest one after it.
    pub(crate) fn at(&self, id: u64) -> Next {
        let state = self.state.lock();
        let oldest = state.next - state.entries.len() as u64;
        let index = id.saturating_sub(oldest) as usize;
        match state.entries.get(index) {
            Some(entry) => Next::Entry(Box::new(entry.clone())),
            None if state.is_closed => Next::End,
            None => Next::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Setup, registry};

    #[test]
    fn a_sparing_log_keeps_some_games_from_their_start_to_their_end_and_nothing_of_the_others() {
        let position = registry::start("tic-tac-toe", &Setup::default()).unwrap();
        let log = Log::sparing();
        for game in 1..=100 {
            log.hear(game, &Event::Started { position: &position }, || (Vec::new(), 0));
            let asked = Event::Asked { seat: Seat::FIRST, attempt: 0, clocks: &[], position: &position };
            log.hear(game, &asked, || (Vec::new(), 0));
        }
        let mut games = Vec::new();
        while let Next::Entry(entry) = log.at(games.len() as u64) {
            games.push(entry.game);
        }
        // On a machine that stands still for a while one more may be kept.
        assert!(games.len() >= 16 && games.len() < 40, "{games:?}");
        assert!(games.chunks(2).all(|of_one| of_one[0] == of_one[1]), "{games:?}");
    }
}
