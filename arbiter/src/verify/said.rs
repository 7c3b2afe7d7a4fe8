//! What is taken from a whole report as it stands, because nobody can say it again: what processes printed, what they used
//! to get ready, what bots said of their searches. It must be there where it has to be, and only where it can be.

use crate::record::schema::{ClockKind, FaultRecord, GameRecord, MatchReport, PlayerKind, TakenBackRecord};
use crate::record::{KEPT_OUTPUT, command_again, is_command_again};
use arbiter_rules::Refusal;

/// What of that is missing in a game, or cannot be true.
pub(super) fn problems(frame: &MatchReport, game: &GameRecord) -> Vec<String> {
    let kind = |seat: u32| {
        let seat = game.seats.get(seat as usize);
        let player = seat.and_then(|seat| frame.plan.players.get(seat.player as usize));
        player.map(|player| player.kind)
    };
    let is_bot = |seat: u32| kind(seat) == Some(PlayerKind::Bot);
    let is_program = |seat: u32| kind(seat) == Some(PlayerKind::Program);
    let mut problems = Vec::new();
    for (seat, fault) in game.faults() {
        problems.extend(again_problem(frame, game, seat, fault, is_bot(seat)));
        let has_process = is_program(seat) || is_bot(seat) && !frame.plan.in_process;
        if fault.output.as_ref().is_some_and(|output| output.is_empty() || !has_process) {
            problems.push(format!("fault.output: seat {} cannot have printed this", seat.saturating_add(1)));
        }
    }
    let known = |back: &TakenBackRecord| kind(back.seat) == Some(PlayerKind::Human) && back.plies > 0;
    if !game.taken_back.iter().all(|back| frame.plan.casual && known(back)) {
        problems.push("taken_back: only people take moves back, where that was agreed on".to_owned());
    }
    let has_clock = frame.plan.clock == Some(ClockKind::Processor);
    for (seat, record) in (0..).zip(&game.seats) {
        let has_process = is_bot(seat) && !frame.plan.in_process;
        let was_clocked = || game.turns().any(|(of, ply)| of == seat && ply.cpu_ns.is_some());
        if has_clock && record.prepared_ns.is_none() && was_clocked() {
            problems.push(format!("seats[{seat}].prepared_ns: it is missing"));
        }
        if !has_process && (record.prepared_ns.is_some() || record.printed.is_some() && !is_program(seat)) {
            problems.push(format!("seats[{seat}]: only a process of its own prints and prepares"));
        } else if record.printed.is_some_and(|bytes| bytes <= KEPT_OUTPUT) {
            problems.push(format!("seats[{seat}].printed: {KEPT_OUTPUT} bytes or less are not noted"));
        }
    }
    let searched = game.turns().find(|(seat, ply)| ply.search.is_some() && !is_bot(*seat));
    problems.extend(
        searched.map(|(seat, _)| format!("seat {}: a person tells of no search", seat.saturating_add(1))),
    );
    let mut reasons = game.errors_left_out.iter().flat_map(|turn| &turn.reasons);
    let odd = reasons.find(|(reason, count)| **count == 0 || Refusal::from_code(reason).is_none());
    problems.extend(odd.map(|(reason, count)| {
        format!("errors_left_out: {count} answers cannot have been refused as '{}'", reason.escape_debug())
    }));
    problems
}

/// What is wrong with the command that plays a fault again. Reports before format 3 need not have one.
fn again_problem(
    frame: &MatchReport,
    game: &GameRecord,
    seat: u32,
    fault: &FaultRecord,
    is_bot: bool,
) -> Option<String> {
    match &fault.again {
        Some(again) if !is_bot => {
            Some(format!("fault.again: '{}' plays no person again", again.escape_debug()))
        }
        Some(again) if !is_command_again(again, game.number, seat) => Some(format!(
            "fault.again: the file says '{}', the command is '{}'",
            again.escape_debug(),
            command_again("REPORT", game.number, seat)
        )),
        None if is_bot && frame.format_version > 2 => Some("fault.again: it is missing".to_owned()),
        Some(_) | None => None,
    }
}
