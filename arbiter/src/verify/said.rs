//! What is taken from a whole report as it stands, because nobody can say it again: what processes printed, what they used
//! to get ready, what bots said of their searches. It must be there where it has to be, and only where it can be.

use super::Problems;
use crate::record::schema::{ClockKind, FaultRecord, GameRecord, MatchReport, PlayerKind, TakenBackRecord};
use crate::record::{command_again, is_command_again};
use crate::verdict::KEPT_OUTPUT;
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
    // Reports before format 3 need not have the command that plays a fault again.
    let again_problem = |seat: u32, fault: &FaultRecord| match &fault.again {
        Some(again) if !is_bot(seat) => {
            Some(format!("'{}': only bots are played again", again.escape_debug()))
        }
        Some(again) if !is_command_again(again, game.number, seat) => Some(format!(
            "the file says '{}', the command is '{}'",
            again.escape_debug(),
            command_again("REPORT", game.number, seat)
        )),
        None if is_bot(seat) && frame.format_version > 2 => Some("it is missing".to_owned()),
        Some(_) | None => None,
    };
    let mut problems = Problems::default();
    for (seat, fault) in game.faults() {
        problems.of("fault.again: ", again_problem(seat, fault));
        let has_process = is_program(seat) || is_bot(seat) && !frame.plan.in_process;
        let is_odd = fault.output.as_ref().is_some_and(|output| output.is_empty() || !has_process);
        let seat = seat.saturating_add(1);
        problems.when(is_odd, format_args!("fault.output: seat {seat} cannot have printed this"));
    }
    let known = |back: &TakenBackRecord| kind(back.seat) == Some(PlayerKind::Human) && back.plies > 0;
    let is_agreed = game.taken_back.iter().all(|back| frame.plan.casual && known(back));
    problems.when(!is_agreed, "taken_back: only people take moves back, where that was agreed on");
    let has_clock = frame.plan.clock == Some(ClockKind::Processor);
    for (seat, record) in (0..).zip(&game.seats) {
        let has_process = is_bot(seat) && !frame.plan.in_process;
        let was_clocked = || game.turns().any(|(of, ply)| of == seat && ply.cpu_ns.is_some());
        let is_missing = has_clock && record.prepared_ns.is_none() && was_clocked();
        problems.when(is_missing, format_args!("seats[{seat}].prepared_ns: it is missing"));
        let prints = has_process || is_program(seat);
        let is_odd = (record.prepared_ns.is_some() || record.excused.is_some()) && !has_process
            || record.printed.is_some() && !prints;
        problems.when(
            is_odd,
            format_args!("seats[{seat}]: only a process of its own prints, prepares and is excused"),
        );
        let is_few = !is_odd && record.printed.is_some_and(|bytes| bytes <= KEPT_OUTPUT as u64);
        problems
            .when(is_few, format_args!("seats[{seat}].printed: {KEPT_OUTPUT} bytes or less are not noted"));
    }
    let searched = game.turns().find(|(seat, ply)| ply.search.is_some() && !is_bot(*seat));
    let told = searched.map(|(seat, _)| format!("{}: only a bot tells of a search", seat.saturating_add(1)));
    problems.of("seat ", told);
    let mut reasons = game.errors_left_out.iter().flat_map(|turn| &turn.reasons);
    let odd = reasons.find(|(reason, count)| **count == 0 || Refusal::from_code(reason).is_none());
    let told = odd.map(|(reason, count)| {
        format!("{count} answers cannot have been refused as '{}'", reason.escape_debug())
    });
    problems.of("errors_left_out: ", told);
    problems.0
}
