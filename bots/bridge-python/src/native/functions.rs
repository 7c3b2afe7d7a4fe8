//! The functions of the module: the clock, chance, the turn, what a bot tells, and its payload.

use super::position::{copied, new_position};
use super::values::*;
use super::{WORLD, extension, host, load, method, too_early};
use crate::payload;
use crate::python::{FASTCALL, Method, NOARGS, ONE, Ref, api};
use arbiter_plugin_api::raw;
use std::ffi::{CStr, CString, c_void};
use std::io::ErrorKind;
use std::sync::atomic::Ordering;

functions! {
    fn stop_level(_module) {
        let Some(host) = host() else { return too_early() };
        // SAFETY: the table's own function.
        new_int(unsafe { (host.should_stop)(host) }.into())
    }

    fn should_stop(_module) {
        let Some(host) = host() else { return too_early() };
        // SAFETY: the table's own function.
        let level = unsafe { (host.should_stop)(host) };
        // SAFETY: any number.
        unsafe { (api().PyBool_FromLong)((level >= raw::ENOUGH).into()) }
    }

    fn time_left(_module) {
        let Some(host) = host() else { return too_early() };
        // SAFETY: the table's own function.
        seconds(unsafe { (host.time_left_ns)(host) })
    }

    fn random(_module) {
        let Some(host) = host() else { return too_early() };
        // SAFETY: the table's own function.
        new_uint(unsafe { (host.random)(host) })
    }

    fn parse_position(_module, text) {
        let Some(host) = host() else { return too_early() };
        let Some(text) = text_of(text) else { return RAISED };
        let text = CString::new(text).unwrap_or_default();
        // SAFETY: a text that outlives the call.
        let pos = unsafe { (host.pos_parse)(host, text.as_ptr()) };
        if pos.is_null() { nothing() } else { new_position(pos) }
    }

    fn answer_path(_module, cells) {
        let Some(host) = host() else { return too_early() };
        let cell = |cell| integer_of(cell).map(|cell| i32::try_from(cell).unwrap_or(-1));
        let Some(cells) = items_of(cells, cell) else { return RAISED };
        // SAFETY: the table of that name.
        let path = unsafe { extension::<raw::PathV1>(host, raw::PATH_V1) };
        // SAFETY: as many cells as is said.
        match path.map(|path| unsafe { (path.answer)(host, cells.as_ptr(), cells.len() as u32) }) {
            Some(raw::OK) => new_move(raw::NO_MOVE),
            Some(raw::ERR_UNSUPPORTED) => raise(c"ValueError", "moves of this game go through no cells"),
            Some(raw::ERR_STATE) => raise(c"RuntimeError", "answer_path answers a turn: call it in choose_move"),
            Some(_) => raise(c"ValueError", &format!("a path has at most {} cells", raw::MAX_ANSWER)),
            None => raise(c"RuntimeError", "this arbiter takes no paths"),
        }
    }

    fn turn_history(_module) {
        let Some(turn) = turn() else { return over() };
        // SAFETY: the turn holds as many.
        new_moves(unsafe { list(turn.history, turn.history_count) })
    }

    fn turn_cells(_module) {
        let Some(turn) = turn() else { return over() };
        // SAFETY: the turn holds as many.
        new_bytes(unsafe { list(turn.cells, turn.cell_count) })
    }

    fn turn_text(_module) {
        let Some(turn) = turn() else { return over() };
        // SAFETY: the turn's text.
        new_text(&unsafe { CStr::from_ptr(turn.text) }.to_string_lossy())
    }

    fn turn_clocks(_module) {
        let Some(turn) = turn() else { return over() };
        // SAFETY: the turn holds one for each seat.
        new_list(unsafe { list(turn.clocks_ns, turn.players) }.iter().map(|&ns| seconds(ns)))
    }

    fn turn_position(_module) {
        let Some(turn) = turn() else { return over() };
        copied(turn.pos)
    }

    fn event_position(_module) {
        // SAFETY: null, or the event that is being told.
        match unsafe { load(&WORLD.event).as_ref() } {
            Some(event) => copied(event.pos),
            None => over(),
        }
    }

    fn start_position(_module) {
        // SAFETY: null, or the game that is being played, which lives until the next one.
        match unsafe { load(&WORLD.game).as_ref() } {
            Some(game) => copied(game.start),
            None => too_early(),
        }
    }

    fn payload_names(_module) {
        let names = payload::names();
        new_list(names.iter().map(|name| new_text(name)))
    }

    fn payload_read(_module, name) {
        let Some(name) = text_of(name) else { return RAISED };
        match payload::read(name) {
            Ok(Some(bytes)) => new_bytes(&bytes),
            Ok(None) => nothing(),
            Err(error) if error.kind() == ErrorKind::OutOfMemory => {
                raise(c"MemoryError", &format!("there is no memory for {name}"))
            }
            Err(error) => raise(c"OSError", &format!("{name} cannot be read: {error}")),
        }
    }
}

/// The turn that is being played, until the bot has answered it.
fn turn() -> Option<&'static raw::Turn> {
    // SAFETY: null, or what lasts until then.
    unsafe { load(&WORLD.turn).as_ref() }
}

fn over() -> Ref {
    raise(c"RuntimeError", "that turn is over: keep what you need of it while it lasts")
}

unsafe extern "C" fn log(_module: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(&[level, text]) = (unsafe { arguments(at, count, 2) }) else { return RAISED };
    let Some(host) = host() else { return too_early() };
    let (Some(level), Some(text)) = (integer_of(level), text_of(text)) else { return RAISED };
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    // SAFETY: a text that outlives the call.
    unsafe { (host.log)(host, i32::try_from(level).unwrap_or(raw::LOG_INFO), text.as_ptr()) };
    nothing()
}

/// depth, best, nodes, score or `None`, line, text
unsafe extern "C" fn report(_module: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(&[depth, best, nodes, score, line, text]) = (unsafe { arguments(at, count, 6) }) else {
        return RAISED;
    };
    let Some(host) = host() else { return too_early() };
    let score = if score == api().none { Some(i64::from(raw::NO_SCORE)) } else { integer_of(score) };
    let (Some(depth), Some(best), Some(nodes), Some(score), Some(line), Some(text)) = (
        number_of(depth),
        number_of(best),
        number_of(nodes),
        score,
        items_of(line, number_of),
        text_of(text),
    ) else {
        return RAISED;
    };
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    let report = raw::Report {
        struct_size: size_of::<raw::Report>() as u32,
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        best,
        nodes,
        score: score.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
        pv_count: line.len() as u32,
        pv: line.as_ptr(),
        text: text.as_ptr(),
    };
    // SAFETY: the report and what it points to are whole during the call.
    unsafe { (host.report)(host, &raw const report) };
    nothing()
}

/// depth, moves, scores, bounds
unsafe extern "C" fn report_root_moves(_module: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(&[depth, moves, scores, bounds]) = (unsafe { arguments(at, count, 4) }) else { return RAISED };
    let Some(host) = host() else { return too_early() };
    let (Some(depth), Some(moves), Some(scores), Some(bounds)) = (
        number_of(depth),
        items_of(moves, number_of),
        items_of(scores, integer_of),
        items_of(bounds, number_of),
    ) else {
        return RAISED;
    };
    let told = moves.iter().zip(&scores).zip(&bounds).map(|((&number, &score), &bound)| raw::RootMove {
        r#move: number,
        score: score.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
        bound: u32::try_from(bound).unwrap_or(raw::EXACT),
    });
    let told: Vec<_> = told.collect();
    // SAFETY: the table of that name.
    let table = unsafe { extension::<raw::RootMovesV1>(host, raw::ROOT_MOVES_V1) };
    if let Some(table) = table {
        // SAFETY: as many moves as is said.
        unsafe { (table.report)(host, depth as u32, told.as_ptr(), told.len() as u32) };
    }
    nothing()
}

/// Move, IllegalMove, and the outcomes LOSS, DRAW and WIN
unsafe extern "C" fn know(_module: Ref, at: *const Ref, count: isize) -> Ref {
    // SAFETY: as Python calls it.
    let Some(classes) = (unsafe { arguments(at, count, 5) }) else { return RAISED };
    let [loss, draw, win] = &WORLD.outcomes;
    let places = [&WORLD.move_type, &WORLD.illegal_move, loss, draw, win];
    for (place, class) in places.into_iter().zip(classes) {
        place.store(shared(*class), Ordering::Relaxed);
    }
    nothing()
}

pub(super) static FUNCTIONS: [Method; 19] = [
    method(c"know", know as *const c_void, FASTCALL),
    method(c"log", log as *const c_void, FASTCALL),
    method(c"report", report as *const c_void, FASTCALL),
    method(c"report_root_moves", report_root_moves as *const c_void, FASTCALL),
    method(c"stop_level", stop_level as *const c_void, NOARGS),
    method(c"should_stop", should_stop as *const c_void, NOARGS),
    method(c"time_left", time_left as *const c_void, NOARGS),
    method(c"random", random as *const c_void, NOARGS),
    method(c"parse_position", parse_position as *const c_void, ONE),
    method(c"answer_path", answer_path as *const c_void, ONE),
    method(c"turn_history", turn_history as *const c_void, NOARGS),
    method(c"turn_cells", turn_cells as *const c_void, NOARGS),
    method(c"turn_text", turn_text as *const c_void, NOARGS),
    method(c"turn_clocks", turn_clocks as *const c_void, NOARGS),
    method(c"turn_position", turn_position as *const c_void, NOARGS),
    method(c"event_position", event_position as *const c_void, NOARGS),
    method(c"start_position", start_position as *const c_void, NOARGS),
    method(c"payload_names", payload_names as *const c_void, NOARGS),
    method(c"payload_read", payload_read as *const c_void, ONE),
];
