//! From the record of a game to how it ended.

use super::fault::fault_from_record;
use super::schema::{GameRecord, How, Plan};
use crate::verdict::{Abandoned, Adjudication, Ending};
use arbiter_rules::{Outcome, Position, Seat};

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
            let seat = record.seat.unwrap_or(0);
            let known = Seat::new(seat as usize).filter(|seat| seat.index() < position.seats());
            let seat = known.ok_or_else(|| format!("there is no seat {seat}"))?;
            Ending::Forfeit { seat, fault, outcome }
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
