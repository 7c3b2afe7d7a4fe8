//! A recorded game step by step: where it began, what happened in it, how it ended.

use super::fault::fault_from_record;
use super::schema::{EliminationRecord, ErrorRecord, GameRecord, How, Plan, PlyRecord};
use crate::verdict::{Abandoned, Adjudication, Ending};
use arbiter_rules::{Chance, Outcome, Position, Seat};

/// What happened in a game, beside its beginning and its end.
pub enum Step<'a> {
    /// An answer was refused.
    Refused(&'a ErrorRecord),
    /// A seat was taken out of the game.
    Out(&'a EliminationRecord),
    /// This seat made a move.
    Played(u32, &'a PlyRecord),
}

impl GameRecord {
    /// Everything that happened in it, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let mut turns = self.turns();
        (0..=self.plies.len()).flat_map(move |ply| {
            let errors = self.errors.iter().filter(move |error| error.ply as usize == ply);
            let outs = self.eliminations.iter().filter(move |out| out.ply as usize == ply);
            let played = turns.next().map(|(seat, played)| Step::Played(seat, played));
            errors.map(Step::Refused).chain(outs.map(Step::Out)).chain(played)
        })
    }

    /// The position that it began from, in a match whose games begin from `start`; or what is wrong with the record.
    pub(crate) fn start(&self, start: &Position) -> Result<Position, String> {
        let start = match &self.position {
            Some(text) => start.read_position(text).map_err(|error| error.to_string())?,
            None => start.clone(),
        };
        if self.seats.len() != start.seats() {
            return Err(format!("{} players for {} seats", self.seats.len(), start.seats()));
        }
        Ok(start)
    }

    /// One of its seats, if it has so many.
    pub(crate) fn seat(&self, number: u32) -> Result<Seat, String> {
        let known = Seat::new(number as usize).filter(|seat| seat.index() < self.seats.len());
        known.ok_or_else(|| format!("there is no seat {number}"))
    }
}

/// Plays a recorded ply in the position that it was played in. Returns the cells that the piece went through, and what chance
/// did after it.
///
/// # Errors
/// A phrase that says what is wrong with the record.
pub fn play_recorded(position: &mut Position, ply: &PlyRecord) -> Result<(Vec<u16>, Chance), String> {
    let number = position.ply() + 1;
    let problem = |why: String| format!("move {number}, {}: {why}", ply.played);
    let choice = position.read_move(&ply.played).map_err(|why| problem(why.sentence))?;
    let mut chance = Chance::NONE;
    for (name, &tokens) in ply.earthquake.iter().flatten() {
        let cell = (0..position.shape().cells() as u16).find(|&cell| position.cell_name(cell) == *name);
        chance.fallen.push((cell.ok_or_else(|| format!("there is no cell {name}"))?, tokens));
    }
    chance.fallen.sort_unstable();
    position.judge_chance(choice.played, &chance).map_err(problem)?;
    let path = if choice.path.is_empty() { position.path(choice.played) } else { choice.path };
    position.play_legal(choice.played, &chance);
    Ok((path, chance))
}

/// How a game of a plan ended, by its record and the position after its last move.
///
/// # Errors
/// A phrase that says what is wrong with the record.
pub fn ending_from_record(game: &GameRecord, position: &Position, plan: &Plan) -> Result<Ending, String> {
    let record = &game.ending;
    let outcome = game.outcome.as_ref().and_then(|outcome| Outcome::from_ranks(&outcome.ranks));
    Ok(match (record.how, outcome, position.end()) {
        (How::Rules, _, Some(end)) => Ending::ByRules(end),
        (How::Forfeit, Some(outcome), _) => {
            let fault = record.fault.as_ref().ok_or("it was forfeited without a fault")?;
            let fault = fault_from_record(fault, game.errors.last())?;
            Ending::Forfeit { seat: game.seat(record.seat.unwrap_or(0))?, fault, outcome }
        }
        (How::Adjudication, Some(outcome), _) => {
            let by = match record.reason.as_str() {
                "score-at-max-plies" => Adjudication::Score(position.ply()),
                "repeated-position" => Adjudication::Repetition(plan.max_repetitions),
                "agreed-win" => Adjudication::AgreedWin(plan.resign_score.map_or(0, |wanted| wanted.plies)),
                "agreed-draw" => Adjudication::AgreedDraw(plan.draw_score.map_or(0, |wanted| wanted.plies)),
                _ => Adjudication::MaxPlies(position.ply()),
            };
            Ending::Adjudicated { by, outcome }
        }
        (How::Abandoned, ..) => Ending::Abandoned(Abandoned::Interrupted),
        _ => return Err("it does not end as it says".to_owned()),
    })
}
