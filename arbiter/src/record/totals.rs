//! Sums over games, kept up while games come in so that memory does not grow with them.

use super::schema::{GameRecord, Totals};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The sums of a match so far.
#[derive(Clone, Debug)]
pub struct Sums {
    totals: Vec<Totals>,
    ended: u32,
    /// Games by a hash of opening length, moves and chance.
    same: HashMap<u64, Vec<u32>>,
}

impl Sums {
    /// Nothing yet, for so many players.
    #[must_use]
    pub fn new(players: usize) -> Sums {
        Sums { totals: vec![Totals::default(); players], ended: 0, same: HashMap::new() }
    }

    /// The sums of these games.
    #[must_use]
    pub fn of(players: usize, games: &[GameRecord]) -> Sums {
        let mut sums = Sums::new(players);
        games.iter().for_each(|game| sums.add(game));
        sums
    }

    /// Adds a game that ended. Seats whose player is not in the plan are passed over; a verifier names them.
    pub fn add(&mut self, game: &GameRecord) {
        self.ended += 1;
        self.same.entry(fingerprint(game)).or_default().push(game.number);
        for (seat, record) in game.seats.iter().enumerate() {
            if let Some(totals) = self.totals.get_mut(record.player as usize) {
                add_result(totals, game, seat);
                add_errors(totals, game, seat);
                add_time(totals, game, seat);
            }
        }
    }

    /// The sums by player, in the order of the plan.
    #[must_use]
    pub fn totals(&self) -> &[Totals] {
        &self.totals
    }

    /// How many games ended.
    #[must_use]
    pub fn games_ended(&self) -> u32 {
        self.ended
    }

    /// Groups of equal games, by their first number.
    #[must_use]
    pub fn duplicates(&self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = self.same.values().filter(|group| group.len() > 1).cloned().collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort();
        groups
    }
}

fn fingerprint(game: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    for ply in &game.plies {
        (&ply.played, &ply.earthquake).hash(&mut hasher);
    }
    game.ending.reason.hash(&mut hasher);
    hasher.finish()
}

fn add_result(totals: &mut Totals, game: &GameRecord, seat: usize) {
    let Some(outcome) = &game.outcome else { return };
    let first = outcome.ranks.iter().filter(|&&rank| rank == 1).count();
    totals.games += 1;
    match outcome.ranks.get(seat) {
        Some(1) if first == 1 => {
            totals.wins += 1;
            totals.points += 1.0;
        }
        Some(1) => {
            totals.draws += 1;
            totals.points += 1.0 / first as f64;
        }
        _ => totals.losses += 1,
    }
}

fn add_errors(totals: &mut Totals, game: &GameRecord, seat: usize) {
    let mut count = |kind: &str| *totals.errors.entry(kind.to_owned()).or_default() += 1;
    let is_seat = |number: u32| number as usize == seat;
    game.errors.iter().filter(|error| is_seat(error.seat)).for_each(|error| count(&error.reason));
    let eliminated = game.eliminations.iter().filter(|out| is_seat(out.seat)).map(|out| &out.fault);
    let forfeited = game.ending.fault.iter().filter(|_| game.ending.seat.is_some_and(is_seat));
    for fault in eliminated.chain(forfeited).filter(|fault| fault.kind != "illegal-move") {
        count(&fault.kind);
    }
}

/// Adds the time of every answer. The last answer of a seat that is out by an illegal move is counted among the
/// errors already.
fn add_time(totals: &mut Totals, game: &GameRecord, seat: usize) {
    let is_seat = |number: u32| number as usize == seat;
    let plies = game.plies.iter().filter(|ply| is_seat(ply.seat)).map(|ply| (ply.wall_ns, ply.cpu_ns));
    let errors =
        game.errors.iter().filter(|error| is_seat(error.seat)).map(|error| (error.wall_ns, error.cpu_ns));
    let eliminated = game.eliminations.iter().filter(|out| is_seat(out.seat)).map(|out| &out.fault);
    let forfeited = game.ending.fault.iter().filter(|_| game.ending.seat.is_some_and(is_seat));
    let faults = eliminated.chain(forfeited).filter(|fault| fault.kind != "illegal-move");
    for (wall, cpu) in plies.chain(errors).chain(faults.map(|fault| (fault.wall_ns, fault.cpu_ns))) {
        *totals.wall_ns.get_or_insert(0) += wall.unwrap_or(0);
        *totals.cpu_ns.get_or_insert(0) += cpu.unwrap_or(0);
    }
}
