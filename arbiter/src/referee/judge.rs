//! One answer and one clock reading become a move or a fault, in a stated order.

use crate::player::{Answer, Turn};
use crate::verdict::{Fault, MachineFailure, Phase};
use arbiter_rules::{Choice, IllegalMove, Move, Position};
use std::time::Duration;

/// What becomes of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// It is played.
    Accepted(Choice),
    /// It is an illegal move: counted, and the player is asked again.
    Refused(Fault),
    /// It ends the game for the player.
    Lost(Fault),
    /// There is no answer, and the machine is to blame.
    Excused(MachineFailure),
}

/// Judges an answer: first what the player's side reports as failed, the player or the machine, then time, then the
/// rules. A late answer loses even if it is legal. A player that was late before the machine failed has lost: its side
/// reports that as a fault.
pub(super) fn judge(answer: &Answer, charged: Duration, turn: &Turn<'_>) -> Judgement {
    let position = turn.position;
    let too_late = turn.limit.filter(|_| turn.budget.deadline().is_some_and(|deadline| charged > deadline));
    match (answer, too_late) {
        (Answer::Fault(fault), _) => Judgement::Lost(fault.clone()),
        (Answer::Machine(failure), _) => Judgement::Excused(failure.clone()),
        (_, Some(budget)) => Judgement::Lost(Fault::TimedOut { during: Phase::Move, budget }),
        (_, None) => match by_the_rules(answer, position).expect("what takes a move back is not judged") {
            Ok(choice) => Judgement::Accepted(choice),
            Err(fault) => Judgement::Refused(fault),
        },
    }
}

/// What an answer plays, or why the rules refuse it; nothing where it names no move.
pub fn by_the_rules(answer: &Answer, position: &Position) -> Option<Result<Choice, Fault>> {
    let choice = match answer {
        Answer::Fault(_) | Answer::Machine(_) | Answer::TakeBack => return None,
        Answer::Move(m) => position.judge(*m).map(|()| (*m).into()),
        Answer::Path(path) => position.judge_path(path),
        Answer::Text(text) => read_answer(text, position),
    };
    Some(choice.map_err(|why| Fault::IllegalMove { answer: answer_text(answer, position, &why), why }))
}

/// Reads what [`answer_text`] writes, and any notation of the game.
fn read_answer(text: &str, position: &Position) -> Result<Choice, IllegalMove> {
    if let Some(path) = numbered_path(text) {
        return position.judge_path(&path);
    }
    match text.strip_prefix("0x").and_then(|bits| u64::from_str_radix(bits, 16).ok()) {
        Some(bits) => position.judge(Move::from_bits(bits)).map(|()| Move::from_bits(bits).into()),
        None => position.read_move(text),
    }
}

/// A path as the numbers of its cells, as in `[3, -17]`: for what no notation of a game can say.
fn numbered_path(text: &str) -> Option<Vec<i64>> {
    let cells = text.strip_prefix('[')?.strip_suffix(']')?;
    if cells.is_empty() {
        return Some(Vec::new());
    }
    cells.split(", ").map(|cell| cell.parse().ok()).collect()
}

/// An illegal answer as the record keeps it, such that judging the text again gives the same reason: in the notation
/// of the game where that is possible, otherwise the number of the move or the numbers of the cells of a path.
fn answer_text(answer: &Answer, position: &Position, why: &IllegalMove) -> String {
    let text = match answer {
        Answer::Text(text) => return text.clone(),
        Answer::Path(path) => path.iter().map(i64::to_string).collect::<Vec<_>>().join("-"),
        Answer::Move(m) => {
            let cells = position.shape().cells();
            let on_board = usize::from(m.to()) < cells && usize::from(m.from()) < cells;
            if m.kind().is_some() && on_board { position.move_text(*m) } else { String::new() }
        }
        Answer::Fault(_) | Answer::Machine(_) | Answer::TakeBack => {
            unreachable!("failures are no illegal moves")
        }
    };
    match (read_answer(&text, position), answer) {
        (Err(again), _) if again == *why => text,
        (_, Answer::Move(m)) => format!("0x{:016x}", m.bits()),
        (_, Answer::Path(path)) => format!("{path:?}"),
        _ => text,
    }
}
