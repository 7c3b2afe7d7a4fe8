//! Plays one game, and again when the machine breaks it off.

use super::MatchError;
use super::hearing::Hearing;
use super::worker::{Seated, Worker};
use crate::record::{Live, Recorder};
use crate::referee::{self, TimeSource, play_game};
use crate::tournament::continued;
use crate::tournament::course::Fixture;
use crate::tournament::openings::{Opening, OpeningsError};
use crate::verdict::{Abandoned, Ending, MachineFailure};
use arbiter_rules::{MAX_SEATS, Seat};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How often a game is tried that the machine breaks off: what keeps a bot from running or takes the last process away
/// has often passed a moment later, and what has not passed by the third try does not pass by itself.
const TRIES: u32 = 3;
/// How long is waited before the next try.
const REST: Duration = Duration::from_millis(200);
/// How much time tries may take together for which no process could be started; after that there is no other. A match
/// that cannot be played shall say so within ten seconds, however long the system takes to say no.
const NO_PROCESS: Duration = Duration::from_secs(5);

impl Worker<'_, '_> {
    /// Plays a game, again when the machine breaks it off. No record is left of a game that a bug of ours or the user broke
    /// off.
    pub(super) fn play_one(&mut self, mut game: Seated) -> Result<(), MatchError> {
        // Before the clock of the game runs: to draw the openings of all games before a late one takes a while.
        let opening = self.opening(&game.fixture)?;
        let (mut excused, mut tries, mut without_process) = (Vec::new(), 1, Duration::ZERO);
        loop {
            // The date is read first: whatever holds us up in between, no game ends later than it did.
            let (started, began) = ((self.games.now)(), Instant::now());
            let tried = self.try_one(&mut game, &opening, started, began, &excused)?;
            let Some((seat, failure)) = tried else { return Ok(()) };
            // Their processes make room for those of the next try.
            game.players.clear();
            let (number, problem) = (game.fixture.number, format!("seat {seat} {}", failure.sentence()));
            tracing::warn!(
                game = number,
                "the machine broke this game off in try {tries} of {TRIES}: {problem}"
            );
            match failure {
                MachineFailure::NotStarted { .. } => without_process += began.elapsed(),
                // The bot may feign or provoke it. So this costs no try: a bot to which it happens once more in this game
                // loses it. The user is told even where no logs are asked for.
                MachineFailure::Stalled { .. } | MachineFailure::OutOfMemory { .. }
                    if excused.iter().all(|(of, _)| *of != seat) =>
                {
                    tracing::error!(game = number, "{problem}: this game is played again");
                    excused.push((seat, failure.sentence()));
                    tries -= 1;
                }
                MachineFailure::Stalled { .. }
                | MachineFailure::OutOfMemory { .. }
                | MachineFailure::Unreachable { .. } => {}
            }
            if tries == TRIES || without_process > NO_PROCESS {
                return Err(MatchError::Machine { number, problem });
            }
            // Somebody wants to stop, or the machine has failed another worker three times.
            if self.games.stop.is_wanted() {
                return Ok(());
            }
            tries += 1;
            std::thread::sleep(REST);
            game = self.sit_down(game.fixture, game.slot);
        }
    }

    fn opening(&self, fixture: &Fixture) -> Result<Opening, OpeningsError> {
        match self.openings {
            Some(openings) => openings.lock().of_unit(&fixture.unit),
            None => Ok(Opening::default()),
        }
    }

    /// Plays a game, and keeps its record unless it is broken off. Returns whom the machine failed if it did.
    fn try_one(
        &mut self,
        game: &mut Seated,
        opening: &Opening,
        started: String,
        began: Instant,
        excused: &[(Seat, String)],
    ) -> Result<Option<(Seat, MachineFailure)>, MatchError> {
        let Worker { games, work, listener, start, policy, ended, .. } = self;
        let Seated { fixture, players, slot } = game;
        let (number, unit, by_seat) = (fixture.number, &fixture.unit, &fixture.players);
        policy.time.clear();
        policy.time.extend(by_seat.iter().map(|&player| games.policy.time[player]));
        let seed_of = |seat| if seat < by_seat.len() { games.seed.player(number, seat) } else { 0 };
        let player_seeds: [u64; MAX_SEATS] = std::array::from_fn(seed_of);
        let chance_seed = if start.has_chance() { games.seed.chance(unit.number) } else { 0 };
        let seats_excused: Vec<Seat> = excused.iter().map(|(seat, _)| *seat).collect();
        let game = referee::Game {
            start: opening.start(start),
            opening: &opening.moves,
            chance_seed,
            player_seeds: &player_seeds,
            policy,
            excused: &seats_excused,
        };
        let recorder = Recorder::new(number, by_seat, chance_seed, opening.moves.len(), started);
        let recorder = recorder.starting_from(opening.position()).in_unit(fixture.round, unit.number);
        let begun = games.begun(fixture);
        let recorder = recorder.going_on_from(begun).using(ended.spare.pop().unwrap_or_default());
        let recorder = recorder.excusing(excused);
        let before = begun.map_or(Duration::ZERO, continued::taken);
        let (elapsed, interrupted) = (|| before + began.elapsed(), || games.stop.is_now());
        let time = TimeSource { elapsed: &elapsed, interrupted: &interrupted };
        let mut hearing = Hearing {
            games,
            work,
            listener: *listener,
            fixture,
            recorder: Some(recorder),
            // The wall shows the games of worker 0. A worker that seats players ahead has two slots, and is the only one.
            live: Some(&*work.live).filter(|_| *slot == 0 || games.is_ahead),
            known: begun.map_or(0, |begun| begun.plies.len()),
            began,
            before,
            ended,
            saved: Ok(()),
        };
        // A bug of ours in one game must not take the others with it: the game has no record then, and is played
        // again.
        let ending = catch_unwind(AssertUnwindSafe(|| {
            play_game(&game, players, time, &mut |event| hearing.event(event))
        }));
        hearing.saved?;
        match ending {
            Err(_) => {
                hearing.live.into_iter().for_each(Live::game_over);
                tracing::error!(
                    game = number,
                    "a bug in arbiter broke this game off; it is not in the report"
                );
                Ok(None)
            }
            Ok(Ending::Abandoned(Abandoned::Machine { seat, failure })) => Ok(Some((seat, failure))),
            Ok(_) => Ok(None),
        }
    }
}
