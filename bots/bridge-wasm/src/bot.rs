//! The bot as the arbiter sees it: a table whose functions call those of a module.

use crate::guest::{Allowance, Filling, For, Guest, Problem};
use crate::services::{self, CURRENT, START};
use crate::structs::{EVENT, GAME, RESULT, Shape, TURN};
use arbiter_plugin_api::bridge::{INSTRUCTIONS_V1, InstructionsV1};
use arbiter_plugin_api::raw;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null;
use wasmi::TypedFunc;

/// A module in its seat.
struct Bot {
    guest: Guest,
    functions: Functions,
    host: *const raw::Host,
    /// What the module calls its instance.
    this: u32,
    /// Where the game lies in the module, and how many instructions a move has.
    game: u32,
    a_move: i64,
    /// Why it plays no more: what its next turn is answered with.
    last: Option<Problem>,
}

/// The functions of the bot's own table.
struct Functions {
    create: Option<TypedFunc<(u32, u32), i32>>,
    destroy: Option<TypedFunc<u32, ()>>,
    new_game: Option<TypedFunc<(u32, u32), i32>>,
    choose_move: TypedFunc<(u32, u32, u32), i32>,
    played: Option<TypedFunc<(u32, u32), ()>>,
    game_over: Option<TypedFunc<(u32, u32), ()>>,
}

thread_local! {
    /// The arbiter opens the module and calls it in one thread.
    static BOT: RefCell<Option<Bot>> = const { RefCell::new(None) };
}

/// The table of the bot that a module is.
///
/// # Errors
/// Why it is none, in a sentence.
pub(crate) fn open(bytes: &[u8], allowance: Allowance) -> Result<*const raw::Bot, String> {
    let guest = Guest::new(bytes, allowance)?;
    let functions = Functions {
        create: guest.own_function("create")?,
        destroy: guest.own_function("destroy")?,
        new_game: guest.own_function("new_game")?,
        choose_move: guest.own_function("choose_move")?.ok_or("the bot has no choose_move")?,
        played: guest.own_function("played")?,
        game_over: guest.own_function("game_over")?,
    };
    let text = |field: &str| -> *const c_char {
        let text = guest.own_text(field);
        // It stays for ever, as the table does.
        if text.is_empty() { null() } else { CString::new(text).unwrap_or_default().into_raw() }
    };
    let table = raw::Bot {
        magic: raw::MAGIC,
        abi: raw::ABI,
        struct_size: size_of::<raw::Bot>() as u32,
        flags: 0,
        name: text("name"),
        version: text("version"),
        author: text("author"),
        about: text("about"),
        games: text("games"),
        create: Some(create),
        destroy: functions.destroy.is_some().then_some(destroy as _),
        new_game: Some(new_game),
        choose_move: Some(choose_move),
        played: functions.played.is_some().then_some(played as _),
        game_over: functions.game_over.is_some().then_some(game_over as _),
        stop: None,
        extension: None,
    };
    let bot = Bot { guest, functions, host: null(), this: 0, game: 0, a_move: raw::NO_LIMIT, last: None };
    BOT.set(Some(bot));
    Ok(Box::leak(Box::new(table)))
}

/// Runs our side of a call, and gives a status. What goes wrong is logged, and the bot plays no more.
fn with_bot(call: impl FnOnce(&mut Bot) -> Result<i32, Problem>) -> i32 {
    BOT.with_borrow_mut(|bot| {
        let Some(bot) = bot else { return raw::ERR_STATE };
        if let Some(last) = &bot.last {
            bot.log_error(&last.sentence);
            return last.status;
        }
        bot.guest.store.data_mut().has_said_why = false;
        let problem = match catch_unwind(AssertUnwindSafe(|| call(bot))) {
            Ok(Ok(status)) => return status,
            Ok(Err(problem)) => problem,
            Err(_) => {
                let sentence = "the bridge for WebAssembly has a bug: it panicked".to_owned();
                Problem { status: raw::ERR_FAILED, sentence }
            }
        };
        // What the bot itself has said before it gave up says more.
        if !bot.guest.store.data().has_said_why {
            bot.log_error(&problem.sentence);
        }
        let status = problem.status;
        bot.last = Some(problem);
        status
    })
}

impl Bot {
    fn log_error(&self, sentence: &str) {
        let sentence = CString::new(sentence.replace('\0', "")).unwrap_or_default();
        // SAFETY: null, or the arbiter's table, which is there until the process ends.
        if let Some(host) = unsafe { self.host.as_ref() } {
            // SAFETY: the arbiter's table, and a text that outlives the call.
            unsafe { (host.log)(self.host, raw::LOG_ERROR, sentence.as_ptr()) };
        }
    }

    /// Tells the arbiter how many instructions the turn has used.
    fn tell_used(&self, used: u64) {
        // SAFETY: null, or the arbiter's table, which is there until the process ends.
        let host = unsafe { self.host.as_ref() };
        let told = host.and_then(|host| services::table::<InstructionsV1>(self.host, host, INSTRUCTIONS_V1));
        if let Some(told) = told {
            // SAFETY: the arbiter's tables.
            unsafe { (told.used)(self.host, used) };
        }
    }
}

unsafe extern "C" fn create(host: *const raw::Host, _this: *mut *mut c_void) -> i32 {
    with_bot(|bot| {
        bot.host = host;
        bot.guest.store.data_mut().host = host;
        let Some(create) = bot.functions.create else { return Ok(raw::OK) };
        let place = bot.guest.fill(For::Call, |call| call.put(&[0; 4], 4))?;
        bot.guest.give_to_prepare();
        let status = bot.guest.call(create, (bot.guest.host, place))?;
        bot.this = bot.guest.word(place);
        Ok(status)
    })
}

unsafe extern "C" fn destroy(_this: *mut c_void) {
    with_bot(|bot| {
        bot.guest.give_to_prepare();
        let destroy = bot.functions.destroy;
        destroy.map_or(Ok(()), |destroy| bot.guest.call(destroy, bot.this)).map(|()| raw::OK)
    });
}

unsafe extern "C" fn new_game(_this: *mut c_void, game: *const raw::Game) -> i32 {
    with_bot(|bot| {
        // SAFETY: the arbiter's own, until the next game.
        let game = unsafe { &*game };
        let host = bot.guest.host;
        bot.a_move = game.move_limit_ns;
        bot.guest.store.data_mut().lend(START, game.start);
        bot.game = bot.guest.fill(For::Game, |room| {
            // SAFETY: texts and lists of the game.
            let (id, text, rules, options) = unsafe {
                (
                    room.text_or_null(game.game),
                    room.text_or_null(game.start_text),
                    settings(room, game.rules, game.rule_count),
                    settings(room, game.options, game.option_count),
                )
            };
            room.place(&GAME, game, |field| match field {
                "game" => id,
                "host" => host,
                "start" => START,
                "start_text" => text,
                "rules" => rules,
                "options" => options,
                _ => 0,
            })
        })?;
        let Some(new_game) = bot.functions.new_game else { return Ok(raw::OK) };
        bot.guest.give_to_begin(game.move_limit_ns);
        let status = bot.guest.call(new_game, (bot.this, bot.game));
        bot.guest.store.data_mut().clock.end_turn();
        status
    })
}

/// # Safety
/// A list of so many settings.
unsafe fn settings(room: &mut Filling, at: *const raw::Setting, count: u32) -> u32 {
    if count == 0 {
        return 0;
    }
    // SAFETY: as the caller promises.
    let settings = unsafe { std::slice::from_raw_parts(at, count as usize) };
    // SAFETY: texts of the arbiter's.
    let texts = settings
        .iter()
        .flat_map(|setting| unsafe { [room.text_or_null(setting.key), room.text_or_null(setting.value)] });
    let texts: Vec<u8> = texts.flat_map(u32::to_le_bytes).collect();
    room.put(&texts, 4)
}

unsafe extern "C" fn choose_move(_this: *mut c_void, turn: *const raw::Turn, chosen: *mut u64) -> i32 {
    // SAFETY: the turn and what it points to last until this returns.
    let turn = unsafe { &*turn };
    // A module that runs out needed more than the turn has: one more is told.
    let out = u64::try_from(turn.hard_ns).unwrap_or(0).saturating_add(1);
    BOT.with_borrow(|bot| match bot {
        Some(bot) if bot.last.is_some() => bot.tell_used(if bot.guest.is_out { out } else { 0 }),
        _ => {}
    });
    with_bot(|bot| {
        let answered = bot.choose(turn);
        bot.guest.store.data_mut().lend(CURRENT, null());
        let used = bot.guest.store.data_mut().clock.end_turn();
        bot.tell_used(if bot.guest.is_out { out } else { used });
        let (status, number) = answered?;
        // SAFETY: the arbiter's own place for the answer.
        unsafe { *chosen = number };
        Ok(status)
    })
}

impl Bot {
    fn choose(&mut self, turn: &raw::Turn) -> Result<(i32, u64), Problem> {
        let (host, game) = (self.guest.host, self.game);
        self.guest.store.data_mut().lend(CURRENT, turn.pos);
        let mut place = 0;
        let question = self.guest.fill(For::Call, |room| {
            place = room.put(&[0; 8], 8);
            // SAFETY: as many as the turn says, and its text.
            let (moves, cells, clocks, history, text) = unsafe {
                (
                    room.numbers(turn.moves, turn.move_count),
                    room.numbers(turn.cells, turn.cell_count),
                    room.numbers(turn.clocks_ns, turn.players),
                    room.numbers(turn.history, turn.history_count),
                    room.text_or_null(turn.text),
                )
            };
            room.place(&TURN, turn, |field| match field {
                "moves" => moves,
                "pos" => CURRENT,
                "cells" => cells,
                "text" => text,
                "clocks_ns" => clocks,
                "history" => history,
                "host" => host,
                "game" => game,
                _ => 0,
            })
        })?;
        self.guest.give_of_turn(turn.soft_ns, turn.hard_ns);
        let status = self.guest.call(self.functions.choose_move, (self.this, question, place))?;
        let number = self.guest.bytes(place, 8).and_then(|bytes| bytes.try_into().ok());
        Ok((status, u64::from_le_bytes(number.unwrap_or_default())))
    }

    /// Tells the bot of something: a struct with its text and what else it points to.
    fn tell<T>(
        &mut self,
        function: Option<TypedFunc<(u32, u32), ()>>,
        shape: &Shape,
        ours: &T,
        mut fill: impl FnMut(&mut Filling) -> Vec<(&'static str, u32)>,
    ) -> Result<(), Problem> {
        let (host, game) = (self.guest.host, self.game);
        let told = self.guest.fill(For::Call, |room| {
            let filled = fill(room);
            room.place(shape, ours, |field| match field {
                "host" => host,
                "game" => game,
                field => filled.iter().find(|(known, _)| *known == field).map_or(0, |(_, at)| *at),
            })
        })?;
        function.map_or(Ok(()), |function| self.guest.call(function, (self.this, told)))
    }
}

unsafe extern "C" fn played(_this: *mut c_void, event: *const raw::Event) {
    with_bot(|bot| {
        // SAFETY: the event lasts until this returns.
        let event = unsafe { &*event };
        bot.guest.store.data_mut().lend(CURRENT, event.pos);
        // What it does now is on the clock of its next turn, and a move has no more than that.
        bot.guest.give_of_turn(raw::NO_LIMIT, bot.a_move);
        let told = bot.tell(bot.functions.played, &EVENT, event, |room| {
            // SAFETY: the event's text.
            let text = unsafe { room.text_or_null(event.text) };
            vec![("pos", CURRENT), ("text", text)]
        });
        bot.guest.store.data_mut().lend(CURRENT, null());
        told.map(|()| raw::OK)
    });
}

unsafe extern "C" fn game_over(_this: *mut c_void, result: *const raw::GameResult) {
    with_bot(|bot| {
        // SAFETY: the result lasts until this returns.
        let result = unsafe { &*result };
        bot.guest.give_to_prepare();
        let told = bot.tell(bot.functions.game_over, &RESULT, result, |room| {
            // SAFETY: one for each seat, or null, and the result's text.
            unsafe {
                vec![
                    ("outcomes", room.numbers(result.outcomes, result.players)),
                    ("ranks", room.numbers(result.ranks, result.players)),
                    ("scores", room.numbers(result.scores, result.players)),
                    ("reason", room.text_or_null(result.reason)),
                ]
            }
        });
        bot.guest.store.data_mut().clock.end_turn();
        told.map(|()| raw::OK)
    });
}
