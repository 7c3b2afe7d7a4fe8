//! Sums over games, kept up while games come in so that memory does not grow with them.

use super::schema::{ChosenBy, ErrorRecord, FaultRecord, GameRecord, LeftOutRecord, Plan, PlyRecord, Totals};

/// What one point is counted in: a draw shared by any number of seats is a whole number of these, so that sums do not
/// depend on the order in which games ended.
const PARTS_OF_A_POINT: u32 = 60;

/// The sums of a match so far.
#[derive(Clone, Debug)]
pub struct Sums {
    totals: Vec<Totals>,
    /// Points by player, in parts of a point.
    point_parts: Vec<u64>,
    /// By player, what clocks were charged with for the moves that it chose, and how many moves these are.
    moves_ns: Vec<(u64, u32)>,
    ended: u32,
}

/// What was played on a machine: games, moves that players chose in them, and the time of their answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Games.
    pub games: u32,
    /// Moves that players chose.
    pub moves: u64,
    /// Wall time of the answers that were played.
    pub wall_ns: u64,
}

impl Effort {
    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        for ply in game.plies.iter().filter(|ply| ply.by == ChosenBy::Player) {
            self.moves += 1;
            self.wall_ns = self.wall_ns.saturating_add(ply.wall_ns.unwrap_or(0));
        }
    }
}

impl Sums {
    /// Nothing yet, for so many players.
    pub fn new(players: usize) -> Sums {
        let mut sums = Sums { totals: Vec::new(), point_parts: Vec::new(), moves_ns: Vec::new(), ended: 0 };
        sums.grow(players);
        sums
    }

    /// There are so many players now.
    pub fn grow(&mut self, players: usize) {
        let nothing = Totals { wall_ns: Some(0), cpu_ns: Some(0), ..Totals::default() };
        self.totals.resize(players.max(self.totals.len()), nothing);
        self.point_parts.resize(self.totals.len(), 0);
        self.moves_ns.resize(self.totals.len(), (0, 0));
    }

    /// The sums of these games.
    pub fn of(players: usize, games: &[GameRecord]) -> Sums {
        let mut sums = Sums::new(players);
        games.iter().for_each(|game| sums.add(game));
        sums
    }

    /// Adds a game that ended. Seats whose player is not in the plan are passed over; a verifier names them.
    pub fn add(&mut self, game: &GameRecord) {
        self.ended += 1;
        for (seat, record) in game.seats.iter().enumerate() {
            let player = record.player as usize;
            if let Some(totals) = self.totals.get_mut(player) {
                let parts = &mut self.point_parts[player];
                *parts += u64::from(add_result(totals, game, seat));
                totals.points = *parts as f64 / f64::from(PARTS_OF_A_POINT);
                add_errors(totals, game, seat);
                add_answers(totals, game, seat);
                let (sum, moves) = &mut self.moves_ns[player];
                for ns in chosen(game, seat).filter_map(|ply| ply.times().charged()) {
                    *sum = sum.saturating_add(ns);
                    *moves += 1;
                }
            }
        }
    }

    /// The sums by player, in the order of the plan.
    pub fn totals(&self) -> &[Totals] {
        &self.totals
    }

    /// The mean time on its clock of the moves that a player chose: no answer that was refused, and no turn that was lost by a
    /// fault, is one. `None` where the times are not known.
    pub fn mean_move_ns(&self, player: usize) -> Option<f64> {
        let &(sum, moves) = self.moves_ns.get(player)?;
        (moves > 0).then(|| sum as f64 / f64::from(moves))
    }

    /// The sums as a report of the plan says them: a plan that does not name its clock has no charged times.
    pub fn totals_under(&self, plan: &Plan) -> Vec<Totals> {
        let mut totals = self.totals.clone();
        if plan.clock.is_none() {
            totals.iter_mut().for_each(|totals| totals.charged_ns = None);
        }
        totals
    }

    /// How many games ended.
    pub fn games_ended(&self) -> u32 {
        self.ended
    }
}

/// What a seat did in one game.
pub fn totals_of_seat(game: &GameRecord, seat: usize) -> Totals {
    let mut totals = Totals::default();
    add_result(&mut totals, game, seat);
    add_errors(&mut totals, game, seat);
    add_answers(&mut totals, game, seat);
    if game.duration_ns.is_none() {
        (totals.wall_ns, totals.cpu_ns) = (None, None);
    }
    totals
}

/// Counts the result and returns the points for it, in parts.
fn add_result(totals: &mut Totals, game: &GameRecord, seat: usize) -> u32 {
    let Some(outcome) = &game.outcome else { return 0 };
    let first = outcome.ranks.iter().filter(|&&rank| rank == 1).count() as u32;
    totals.games += 1;
    match outcome.ranks.get(seat) {
        Some(1) if first == 1 => {
            totals.wins += 1;
            PARTS_OF_A_POINT
        }
        Some(1) => {
            totals.draws += 1;
            PARTS_OF_A_POINT / first
        }
        _ => {
            totals.losses += 1;
            0
        }
    }
}

fn add_errors(totals: &mut Totals, game: &GameRecord, seat: usize) {
    let mut count = |kind: &str, more: u32| {
        let count = totals.errors.entry(kind.to_owned()).or_default();
        *count = count.saturating_add(more);
    };
    let is_seat = |number: u32| number as usize == seat;
    game.errors.iter().filter(|error| is_seat(error.seat)).for_each(|error| count(&error.reason, 1));
    left_out(game, seat).flat_map(|turn| &turn.reasons).for_each(|(kind, more)| count(kind, *more));
    other_faults(game, seat).for_each(|fault| count(&fault.kind, 1));
}

/// Counts the moves that the player chose, and adds the time of every answer. The last answer of a seat that is out by
/// an illegal move is counted among the errors already.
fn add_answers(totals: &mut Totals, game: &GameRecord, seat: usize) {
    let is_seat = |number: u32| number as usize == seat;
    let plies = chosen(game, seat).map(|ply| {
        totals.moves += 1;
        ply.times()
    });
    let errors = game.errors.iter().filter(|error| is_seat(error.seat)).map(ErrorRecord::times);
    let left_out = left_out(game, seat).map(LeftOutRecord::times);
    let faults = other_faults(game, seat).map(FaultRecord::times);
    for times in plies.chain(errors).chain(left_out).chain(faults) {
        add(&mut totals.wall_ns, times.wall_ns);
        add(&mut totals.cpu_ns, times.cpu_ns);
        if let Some(charged) = times.charged() {
            add(&mut totals.charged_ns, Some(charged));
        }
    }
}

/// The moves that the player of a seat chose.
fn chosen(game: &GameRecord, seat: usize) -> impl Iterator<Item = &PlyRecord> {
    let own = game.turns().filter(move |(of, ply)| *of as usize == seat && ply.by == ChosenBy::Player);
    own.map(|(_, ply)| ply)
}

/// A seat's refused answers that were summed up.
fn left_out(game: &GameRecord, seat: usize) -> impl Iterator<Item = &LeftOutRecord> {
    game.errors_left_out.iter().filter(move |turn| turn.seat as usize == seat)
}

/// A seat's faults that are not among its refused answers.
fn other_faults(game: &GameRecord, seat: usize) -> impl Iterator<Item = &FaultRecord> {
    let own = game.faults().filter(move |(of, fault)| *of as usize == seat && fault.kind != "illegal-move");
    own.map(|(_, fault)| fault)
}

/// Numbers of a forged file may be as large as they like.
fn add(sum: &mut Option<u64>, time: Option<u64>) {
    *sum = Some(sum.unwrap_or(0).saturating_add(time.unwrap_or(0)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;

    /// Otherwise a bot that hangs once would look slow, and its page would say something else than its table.
    #[test]
    fn a_turn_that_was_lost_on_time_makes_no_move_slower() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/samples/tic-tac-toe.json");
        let mut game = read(sample.as_ref()).unwrap().games.remove(0);
        let player = game.seats[0].player as usize;
        let mean = |game: &GameRecord| Sums::of(2, std::slice::from_ref(game)).mean_move_ns(player);
        let before = mean(&game).unwrap();
        let late: FaultRecord =
            serde_json::from_str(r#"{"kind":"timeout","position":"","wall_ns":500000000}"#).unwrap();
        game.ending.seat = Some(0);
        game.ending.fault = Some(late);
        assert!(totals_of_seat(&game, 0).wall_ns.unwrap() > 500_000_000, "it is among all answers");
        assert_eq!(mean(&game), Some(before));
    }
}
