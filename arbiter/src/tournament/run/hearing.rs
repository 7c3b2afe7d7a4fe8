//! Hears a game while it is played.

use super::ended::Ended;
use super::{Games, Listener, Work};
use crate::record::{Live, RecordError, Recorder};
use crate::tournament::course::Fixture;
use crate::verdict::{Abandoned, Ending, Event};
use std::time::{Duration, Instant};

/// Keeps the record of a game and the file of the game that is being played, and passes everything on.
pub(super) struct Hearing<'w, 'j> {
    pub(super) games: &'w Games<'w>,
    pub(super) work: &'w Work<'j>,
    pub(super) listener: &'w dyn Listener,
    pub(super) fixture: &'w Fixture,
    /// None once the game has ended.
    pub(super) recorder: Option<Recorder>,
    /// The file of the game that is being played, where it has this one.
    pub(super) live: Option<&'w Live>,
    /// Plies that a resumed game still has to repeat. Until it has, the file stays as it is.
    pub(super) known: usize,
    pub(super) began: Instant,
    /// What the game had taken before it was broken off.
    pub(super) before: Duration,
    pub(super) ended: &'w mut Ended,
    pub(super) saved: Result<(), RecordError>,
}

impl Hearing<'_, '_> {
    pub(super) fn event(&mut self, event: &Event<'_>) {
        self.recorder.iter_mut().for_each(|recorder| recorder.event(event));
        self.show(event);
        if let Event::Ended { duration, .. } = event {
            self.keep(*duration);
        }
        self.listener.event(self.fixture, event);
    }

    /// Writes the file of the game that is being played, and removes it.
    fn show(&mut self, event: &Event<'_>) {
        if let Event::Played(_) = event {
            self.known = self.known.saturating_sub(1);
        }
        let Some(live) = self.live else { return };
        let keeps_moves = self.games.keeps_moves;
        match event {
            // It can go on.
            Event::Ended { ending: Ending::Abandoned(Abandoned::Interrupted), .. } if keeps_moves => {}
            Event::Ended { .. } => live.game_over(),
            // A move that is kept is on the disk before anybody hears of it. The wall has it when the next player is asked.
            Event::Played(_) | Event::TakenBack { .. } if keeps_moves && self.known == 0 => {
                self.show_on(live)
            }
            Event::Asked { .. } if !keeps_moves => self.show_on(live),
            _ => {}
        }
    }

    fn show_on(&self, live: &Live) {
        if let Some(recorder) = self.recorder.as_ref().filter(|_| live.is_wanted()) {
            live.show(recorder.so_far());
        }
    }

    /// Keeps the record of a game that has ended, unless it was broken off.
    fn keep(&mut self, duration: Duration) {
        let record = self.recorder.take().and_then(Recorder::finish);
        let Some(mut record) = record.filter(|record| record.outcome.is_some()) else { return };
        (self.games.complete)(&mut record);
        self.ended.add(record);
        // Where `flush_interval` is zero, the game is in the journal before anybody hears that it is over.
        let now = self.began + duration.saturating_sub(self.before);
        if self.ended.is_due(self.games.flush_interval, now) {
            self.saved = self.ended.save(self.work);
        }
    }
}
