//! What a bot may do wrong without harm to anybody but itself.

use std::ffi::c_void;
use std::panic::panic_any;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use arbiter_plugin_api::{
    Bot, Error, Event, Game, GameResult, Move, Result, Turn, Waker, bot_table, export_bot, raw,
};

use crate::desk::{Board, Desk, Seat, place};

/// Does what its option `how` says.
struct Unruly {
    how: String,
    games: u32,
}

/// Panics when it goes out of scope. It has no size, so that forgetting it is no leak.
struct Landmine;

impl Drop for Landmine {
    fn drop(&mut self) {
        panic!("stepped on");
    }
}

impl Unruly {
    fn maybe(&self, when: &str) {
        assert!(self.how != when, "panic in {when}");
    }
}

impl Bot for Unruly {
    fn new(game: &Game) -> Result<Self> {
        game.allow_options(&["how", "depth"])?;
        game.parse_option::<u8>("depth")?;
        let bot = Unruly { how: game.option("how").unwrap_or_default().into(), games: 1 };
        bot.maybe("new");
        Ok(bot)
    }

    fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
        self.maybe("choose_move");
        match self.how.as_str() {
            "strange" => panic_any(Landmine),
            "resign" => Err(Error::Resign),
            "fail" => Err(Error::failed("no idea")),
            "question mark" => {
                let number: u32 = "seven".parse()?;
                Ok(turn.moves()[number as usize])
            }
            "path" => turn.answer_path(&[4, -1, i32::MAX]),
            "long path" => turn.answer_path(&[0; 1000]),
            "count" => Ok(Move::from_raw(self.games.into())),
            _ => Ok(turn.moves()[0]),
        }
    }

    fn played(&mut self, event: &Event) {
        self.maybe("played");
        assert!(!event.is_elimination(), "heard of an elimination by {:?}", event.moved());
    }

    fn game_over(&mut self, result: &GameResult) {
        self.maybe("game_over");
        assert_eq!(result.rank_of(result.game().seat()), 1);
    }

    fn next_game(self, game: &Game) -> Result<Self> {
        let mut next = Unruly::new(game)?;
        next.games += self.games;
        Ok(next)
    }
}

impl Drop for Unruly {
    fn drop(&mut self) {
        if self.how == "drop" || self.how == "choose_move" {
            panic!("panic in drop");
        }
    }
}

export_bot!(Unruly, name: "Unruly", about: "Does what its option says",);

unsafe extern "C" {
    /// What `export_bot!` put into this program.
    fn arbiter_bot_v1(host_abi: u32) -> *const raw::Bot;
}

fn unruly() -> &'static raw::Bot {
    bot_table!(Unruly, name: "Unruly")
}

#[test]
fn the_exported_symbol_leads_to_the_table() {
    // SAFETY: the symbol is the macro's, and its table lives for ever.
    let bot = unsafe { &*arbiter_bot_v1(raw::ABI) };
    assert_eq!((bot.magic, bot.abi), (raw::MAGIC, raw::ABI));
    assert_eq!(bot.struct_size as usize, size_of::<raw::Bot>());
    // SAFETY: as above.
    let text = |at| unsafe { std::ffi::CStr::from_ptr(at) }.to_str().unwrap();
    assert_eq!((text(bot.name), text(bot.version)), ("Unruly", env!("CARGO_PKG_VERSION")));
    assert_eq!(text(bot.about), "Does what its option says");
    assert!(bot.author.is_null() && bot.games.is_null());
    // SAFETY: as above.
    assert_eq!(unsafe { arbiter_bot_v1(raw::ABI) }, std::ptr::from_ref(bot), "the same table every time");
}

#[test]
fn an_arbiter_of_another_major_version_is_refused() {
    // SAFETY: asking is always allowed.
    assert!(unsafe { arbiter_bot_v1((raw::ABI_MAJOR + 1) << 16) }.is_null());
}

#[test]
fn two_bots_share_a_process_only_if_they_say_so() {
    assert_eq!(unruly().flags, 0);
    assert_eq!(bot_table!(Unruly, name: "Unruly", reentrant: true).flags, raw::BOT_REENTRANT);
}

#[test]
fn a_panic_costs_one_game_and_its_message_is_in_the_log() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, unruly());
    assert_eq!(seat.new_game(&[("how", "choose_move")]), raw::OK);
    assert_eq!(seat.choose(&Board::default()), (raw::ERR_PANIC, raw::NO_MOVE));
    assert_eq!(desk.log(), "3 panicked: panic in choose_move\n3 panicked: panic in drop");

    assert_eq!(seat.choose(&Board::default()).0, raw::ERR_STATE, "a bot that panicked plays no more");
    seat.played(0);
    seat.game_over();
    assert_eq!(seat.new_game(&[]), raw::OK);
    assert_eq!(seat.choose(&Board::default()), (raw::OK, place(0)), "the next game starts afresh");
}

#[test]
fn a_panic_in_any_other_call_stays_inside_too() {
    for how in ["played", "game_over", "drop", "new", "strange"] {
        let desk = Desk::new();
        let seat = Seat::take(&desk, unruly());
        let status = seat.new_game(&[("how", how)]);
        assert_eq!(status, if how == "new" { raw::ERR_PANIC } else { raw::OK });
        if how == "strange" {
            assert_eq!(seat.choose(&Board::default()).0, raw::ERR_PANIC);
        }
        seat.played(0);
        seat.game_over();
        drop(seat);
        let expected = match how {
            "strange" => "3 panicked: without a message".into(),
            _ => format!("3 panicked: panic in {how}"),
        };
        assert_eq!(desk.log(), expected);
    }
}

#[test]
fn a_bot_that_resigns_or_fails_is_told_apart() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, unruly());
    for (how, status) in
        [("resign", raw::RESIGN), ("fail", raw::ERR_FAILED), ("question mark", raw::ERR_FAILED)]
    {
        assert_eq!(seat.new_game(&[("how", how)]), raw::OK);
        assert_eq!(seat.choose(&Board::default()), (status, raw::NO_MOVE));
    }
    assert_eq!(desk.log(), "3 no idea\n3 invalid digit found in string");
}

#[test]
fn an_option_that_makes_no_sense_refuses_the_game_with_a_sentence() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, unruly());
    assert_eq!(seat.new_game(&[("depht", "4")]), raw::ERR_UNSUPPORTED);
    assert_eq!(seat.new_game(&[("depth", "four")]), raw::ERR_UNSUPPORTED);
    assert_eq!(
        desk.log(),
        "3 there is no option depht: try how, depth\n3 option depth=four: invalid digit found in string"
    );
    assert_eq!(seat.choose(&Board::default()).0, raw::ERR_STATE);
}

#[test]
fn what_a_bot_has_learnt_goes_with_it_to_the_next_game() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, unruly());
    for games in 1..4 {
        assert_eq!(seat.new_game(&[("how", "count")]), raw::OK);
        assert_eq!(seat.choose(&Board::default()), (raw::OK, games));
    }
}

#[test]
fn a_path_reaches_the_referee_as_it_is_even_if_it_is_nonsense() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, unruly());
    assert_eq!(seat.new_game(&[("how", "path")]), raw::OK);
    assert_eq!(seat.choose(&Board::default()), (raw::OK, raw::NO_MOVE));
    assert_eq!(desk.notes().path.lock().unwrap().as_deref(), Some(&[4, -1, i32::MAX][..]));
    assert_eq!(seat.new_game(&[("how", "long path")]), raw::OK);
    assert_eq!(seat.choose(&Board::default()).0, raw::ERR_FAILED);
    assert_eq!(desk.log(), "3 a path has at most 256 cells");
}

#[test]
fn an_arbiter_without_extensions_is_no_surprise() {
    let desk = Desk::with(crate::desk::Notes { repeat: 1, ..Default::default() });
    let seat = Seat::take(&desk, unruly());
    assert_eq!(seat.new_game(&[("how", "path")]), raw::OK);
    assert_eq!(seat.choose(&Board::default()).0, raw::ERR_UNSUPPORTED);
    assert_eq!(desk.log(), "3 this arbiter takes no paths");
}

#[test]
fn flags_from_a_later_arbiter_are_ignored() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, unruly());
    assert_eq!(seat.new_game(&[]), raw::OK);
    seat.played(!raw::EVENT_ELIMINATED);
    assert_eq!(desk.log(), "");
    seat.played(raw::EVENT_ELIMINATED);
    assert_eq!(desk.log(), "3 panicked: heard of an elimination by Some(Move(place 4))");
}

#[test]
fn a_struct_that_is_too_short_is_not_read() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, unruly());
    let mut chosen = raw::NO_MOVE;
    assert_eq!(seat.new_game(&[]), raw::OK);
    // SAFETY: the structs are whole during the calls; only their sizes lie.
    unsafe {
        let status = desk.turn(&Board::default(), |turn| {
            turn.struct_size -= 1;
            unruly().choose_move.unwrap()(seat.this, turn, &mut chosen)
        });
        assert_eq!(status, raw::ERR_ARGUMENT);
        let status = desk.game(&[], |game| {
            game.struct_size = 4;
            unruly().new_game.unwrap()(seat.this, game)
        });
        assert_eq!(status, raw::ERR_ARGUMENT);
        desk.event(&Board::default(), |event| {
            event.struct_size = 0;
            unruly().played.unwrap()(seat.this, event);
        });
        (*desk.table()).struct_size -= 8;
        let mut this = null_mut();
        assert_eq!(unruly().create.unwrap()(desk.table(), &mut this), raw::ERR_ARGUMENT);
        (*desk.table()).struct_size += 8;
    }
}

#[test]
fn a_null_pointer_is_refused_and_not_followed() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, unruly());
    let nobody: *mut c_void = null_mut();
    let mut chosen = raw::NO_MOVE;
    assert_eq!(seat.new_game(&[]), raw::OK);
    // SAFETY: every pointer is good or null.
    unsafe {
        let bot = unruly();
        let mut this = null_mut();
        assert_eq!(bot.create.unwrap()(null(), &mut this), raw::ERR_ARGUMENT);
        assert_eq!(bot.create.unwrap()(desk.table(), null_mut()), raw::ERR_ARGUMENT);
        bot.destroy.unwrap()(nobody);
        assert!(bot.stop.is_none(), "nobody need wake it");
        sleeper().stop.unwrap()(nobody);
        bot.played.unwrap()(nobody, null());
        bot.played.unwrap()(seat.this, null());
        bot.game_over.unwrap()(seat.this, null());
        assert_eq!(bot.new_game.unwrap()(nobody, null()), raw::ERR_ARGUMENT);
        assert_eq!(bot.choose_move.unwrap()(nobody, null(), &mut chosen), raw::ERR_ARGUMENT);
        assert_eq!(bot.choose_move.unwrap()(seat.this, null(), &mut chosen), raw::ERR_ARGUMENT);
        for spoil in [
            (|turn| turn.moves = null()) as fn(&mut raw::Turn),
            |turn| turn.cells = null(),
            |turn| turn.pos = null(),
            |turn| turn.host = null(),
            |turn| turn.game = null(),
            |turn| turn.clocks_ns = null(),
            |turn| turn.move_count = 0,
            |turn| turn.seat = -1,
        ] {
            let status = desk.turn(&Board::default(), |turn| {
                spoil(turn);
                bot.choose_move.unwrap()(seat.this, turn, &mut chosen)
            });
            assert_eq!(status, raw::ERR_ARGUMENT);
        }
        let status =
            desk.turn(&Board::default(), |turn| bot.choose_move.unwrap()(seat.this, turn, null_mut()));
        assert_eq!(status, raw::ERR_ARGUMENT);
        assert_eq!(bot.new_game.unwrap()(seat.this, null()), raw::ERR_ARGUMENT);
    }
    assert_eq!(chosen, raw::NO_MOVE);
}

/// Waits for its waker, from which another thread calls.
struct Sleeper {
    bell: Arc<(Mutex<u32>, Condvar)>,
}

static ASLEEP: AtomicBool = AtomicBool::new(false);

impl Bot for Sleeper {
    fn new(_: &Game) -> Result<Self> {
        Ok(Sleeper { bell: Arc::default() })
    }

    fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
        let (rung, bell) = &*self.bell;
        let mut rung = rung.lock().unwrap();
        ASLEEP.store(true, SeqCst);
        while *rung == 0 {
            let timeout;
            (rung, timeout) = bell.wait_timeout(rung, Duration::from_secs(60)).unwrap();
            assert!(!timeout.timed_out(), "nobody rings");
        }
        Ok(turn.moves()[1])
    }

    const WAKER: Option<fn(&Self) -> Waker> = Some(|bot| {
        let bell = bot.bell.clone();
        Arc::new(move || {
            let (rung, bell) = &*bell;
            *rung.lock().unwrap() += 1;
            bell.notify_all();
        })
    });
}

fn sleeper() -> &'static raw::Bot {
    bot_table!(Sleeper, name: "Sleeper")
}

#[test]
fn a_bot_that_waits_is_woken_from_another_thread() {
    struct Instance(*mut c_void);
    // SAFETY: `stop` may come from any thread.
    unsafe impl Send for Instance {}

    let desk = Desk::new();
    let seat = Seat::take(&desk, sleeper());
    assert_eq!(seat.new_game(&[]), raw::OK);
    let (bot, instance) = (seat.bot, Instance(seat.this));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let Instance(this) = { instance };
            while !ASLEEP.load(SeqCst) {
                std::thread::yield_now();
            }
            // SAFETY: the instance is destroyed after the scope.
            unsafe { bot.stop.unwrap()(this) };
        });
        assert_eq!(seat.choose(&Board::default()), (raw::OK, place(1)));
    });
}
