//! A bot in its seat: every call of a bot's functions is made here.
//!
//! `create` makes a [`SeatedBot`] of a [`LoadedBot`], and `destroy` ends it and takes it by value, so that no
//! function can be called out of order. The position of the game is kept here, move by move.

use super::context::HostContext;
use super::services::{PosHandle, result_code};
use super::table::LoadedBot;
use crate::host::message::{Answered, GameEnd, GameStart, Happening, PlayedMove, Returned, TurnStart};
use arbiter_plugin_api::raw;
use arbiter_rules::{Chance, Choice, MAX_SEATS, Move, MoveKind, MoveList, Outcome, Position, Seat};
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// An instance of a bot. Its tables stay where they are as long as it lives.
pub(super) struct SeatedBot {
    table: raw::Bot,
    this: *mut c_void,
    context: &'static HostContext,
    game: Option<Box<Playing>>,
}

/// The game that a bot is playing, and everything that the structs given to the bot point to.
struct Playing {
    about: Option<raw::Game>,
    /// One after another, each with a zero byte behind it.
    texts: Vec<u8>,
    rules: Vec<raw::Setting>,
    options: Vec<raw::Setting>,
    start: Arc<PosHandle>,
    position: PosHandle,
    seat: Seat,
    /// The bot's seat is out of the game. The bot has been told so and gets no more events.
    is_out: bool,
    history: Vec<u64>,
    moves: MoveList,
    numbers: Vec<u64>,
    cells: Vec<u8>,
    text: String,
}

thread_local! {
    /// Those of bots that are gone, to be used again. In our own process games are many and short, and to make all of this anew would take longer
    /// than many a bot thinks.
    static SPARE: RefCell<Vec<Box<Playing>>> = const { RefCell::new(Vec::new()) };
}

impl LoadedBot {
    /// Calls `create`. An error is what it returned, when that is not `OK`.
    pub(super) fn create(&self, context: &'static HostContext) -> Result<SeatedBot, Returned> {
        let mut this = ptr::null_mut();
        let status = match self.table.create {
            // SAFETY: the table promises a function of this type; the host table outlives the instance.
            Some(create) => unsafe { create(context.table(), &raw mut this) },
            None => raw::OK,
        };
        if status != raw::OK {
            return Err(Returned { status, message: context.last_error() });
        }
        Ok(SeatedBot { table: self.table, this, context, game: None })
    }
}

impl SeatedBot {
    /// From now on its `stop`, if it has one, is called whenever the level rises in a turn of it.
    pub(super) fn notify(&self) -> Result<(), String> {
        let started = self.table.stop.map_or(Ok(()), |stop| self.context.notify(stop, self.this));
        started.map_err(|error| format!("no thread for stop: {error}"))
    }

    /// Calls `new_game`, for a game that begins with this position.
    pub(super) fn new_game(&mut self, game: &GameStart<'_>, start: &Position) -> Returned {
        let spare = || SPARE.with_borrow_mut(Vec::pop).unwrap_or_else(|| Box::new(Playing::at(start)));
        let playing = self.game.get_or_insert_with(spare);
        let about = playing.begin(game, start, self.context.table());
        self.context.new_game(Arc::clone(&playing.start), game.seed);
        let status = match self.table.new_game {
            // SAFETY: the table promises a function of this type; the game lives until the next one.
            Some(new_game) => unsafe { new_game(self.this, about) },
            None => raw::OK,
        };
        self.returned(status)
    }

    /// Begins a turn: from here on the bot's clock runs.
    pub(super) fn begin_turn(&self, turn: &TurnStart) {
        self.context.begin_turn(turn);
    }

    pub(super) fn is_told(&self) -> bool {
        self.table.played.is_some()
    }

    /// Follows the game by what happened, and calls `played` for it. An error is that it makes no sense in the game as it is
    /// known here.
    pub(super) fn follow(&mut self, happening: Happening) -> Result<(), String> {
        let playing = self.game.as_mut().ok_or("news without a game")?;
        let played = self.table.played.filter(|_| !playing.is_out);
        let callback =
            played.map(|played| EventCallback { played, this: self.this, host: self.context.table() });
        match happening {
            Happening::Played(played) => playing.play(played, callback),
            Happening::Eliminated { seat, reason } => playing.eliminate(seat, &reason, callback),
        }
    }

    /// Calls `choose_move`. It may not be the bot's turn in the game as it is known here.
    pub(super) fn choose(&mut self, turn: &TurnStart) -> Result<Answered, String> {
        let playing = self.game.as_mut().ok_or("a turn without a game")?;
        let paths = playing.prepare_turn()?;
        let question = playing.turn(turn, self.context.table());
        let choose_move = self.table.choose_move.ok_or("a bot without choose_move")?;
        let mut chosen = raw::NO_MOVE;
        self.context.paths.store(paths, Ordering::Release);
        // SAFETY: the table promises a function of this type; the turn and all it points to last until it returns.
        let status = unsafe { choose_move(self.this, &raw const question, &raw mut chosen) };
        let answered = self.context.end_turn();
        Ok(Answered { returned: Returned { status, ..answered.returned }, chosen, ..answered })
    }

    pub(super) fn game_over(&mut self, end: &GameEnd<'_>) -> Result<Returned, String> {
        let playing = self.game.as_ref().ok_or("the end of no game")?;
        let outcome = Outcome::from_ranks(end.ranks).ok_or("an end without ranks")?;
        if let Some(game_over) = self.table.game_over {
            let seats = || Seat::all(end.ranks.len());
            let outcomes: Vec<i32> = seats().map(|seat| result_code(outcome.of(seat))).collect();
            let ranks: Vec<i32> = end.ranks.iter().map(|&rank| i32::from(rank)).collect();
            let reason = c_text(end.reason);
            let result = raw::GameResult {
                struct_size: size_of::<raw::GameResult>() as u32,
                outcome: result_code(outcome.of(playing.seat)),
                players: end.ranks.len() as u32,
                seat: playing.seat.index() as i32,
                outcomes: outcomes.as_ptr(),
                ranks: ranks.as_ptr(),
                scores: end.scores.as_ref().map_or(ptr::null(), |scores| scores.as_ptr()),
                reason: reason.as_ptr(),
                host: self.context.table(),
                game: playing.about(),
            };
            // SAFETY: the table promises a function of this type; the result and all it points to last until it
            // returns.
            unsafe { game_over(self.this, &raw const result) };
        }
        Ok(self.returned(raw::OK))
    }

    /// Calls `destroy`. After it nothing of the bot is called any more.
    pub(super) fn destroy(self) {
        self.context.notifier.retire();
        if let Some(destroy) = self.table.destroy {
            // SAFETY: the table promises a function of this type; the instance is not used after it.
            unsafe { destroy(self.this) };
        }
        SPARE.with_borrow_mut(|spare| spare.extend(self.game.filter(|_| spare.len() < MAX_SEATS)));
    }

    fn returned(&self, status: i32) -> Returned {
        Returned { status, message: self.context.last_error() }
    }
}

impl Playing {
    /// Nothing but a board.
    fn at(start: &Position) -> Playing {
        let lent = || PosHandle::lent(start.clone());
        Playing {
            about: None,
            texts: Vec::new(),
            rules: Vec::new(),
            options: Vec::new(),
            start: Arc::new(lent()),
            position: lent(),
            seat: Seat::FIRST,
            is_out: false,
            history: Vec::new(),
            moves: MoveList::new(),
            numbers: Vec::new(),
            cells: Vec::new(),
            text: String::new(),
        }
    }

    /// Begins a game with what is left of another one. Returns what the bot is told of it.
    fn begin(&mut self, game: &GameStart<'_>, start: &Position, host: *const raw::Host) -> *const raw::Game {
        match Arc::get_mut(&mut self.start) {
            Some(handle) => handle.position.clone_from(start),
            None => self.start = Arc::new(PosHandle::lent(start.clone())),
        }
        self.position.position.clone_from(start);
        self.seat = Seat::new(game.seat.into()).unwrap_or(Seat::FIRST);
        self.is_out = false;
        self.history.clear();
        let shape = start.shape();
        self.cells.resize(shape.cells(), 0);
        let texts = self.write_texts(game);
        self.about.insert(raw::Game {
            struct_size: size_of::<raw::Game>() as u32,
            seat: i32::from(game.seat),
            players: u32::from(game.players),
            width: shape.width.into(),
            height: shape.height.into(),
            depth: shape.depth.into(),
            game: texts[0],
            host,
            start: self.start.as_pos(),
            start_text: texts[1],
            rules: self.rules.as_ptr(),
            options: self.options.as_ptr(),
            rule_count: self.rules.len() as u32,
            option_count: self.options.len() as u32,
            threads: game.threads,
            max_errors: game.max_errors,
            memory: game.memory,
            seed: game.seed,
            time_ns: game.time_ns,
            increment_ns: game.increment_ns,
            move_limit_ns: game.move_limit_ns,
        })
    }

    /// Writes all texts, and the settings that point to theirs. Returns the name of the game and its position.
    fn write_texts(&mut self, game: &GameStart<'_>) -> [*const c_char; 2] {
        let rules = || game.rules.iter().map(|(key, value)| [*key, value.as_ref()]);
        let options = || game.options.iter().map(|(key, value)| [*key, *value]);
        self.texts.clear();
        for text in [game.game, game.text].into_iter().chain(rules().chain(options()).flatten()) {
            self.texts.extend_from_slice(until_zero(text).as_bytes());
            self.texts.push(0);
        }
        // They stay where they are from here on.
        let mut next = self.texts.as_ptr();
        let mut place = |text: &str| {
            let place = next;
            next = next.wrapping_add(until_zero(text).len() + 1);
            place.cast()
        };
        let about = [game.game, game.text].map(&mut place);
        let mut setting = |pair: [&str; 2]| {
            let [key, value] = pair.map(&mut place);
            raw::Setting { key, value }
        };
        self.rules.clear();
        self.rules.extend(rules().map(&mut setting));
        self.options.clear();
        self.options.extend(options().map(&mut setting));
        about
    }

    fn about(&self) -> *const raw::Game {
        self.about.as_ref().map_or(ptr::null(), ptr::from_ref)
    }

    /// Plays a move and what chance did after it, and tells the bot of both.
    fn play(&mut self, news: PlayedMove, callback: Option<EventCallback>) -> Result<(), String> {
        let (seat, ply) = (news.seat.into(), self.position().ply());
        let (played, chance) = (Move::from_bits(news.played), Chance { fallen: news.fallen });
        let flags = if news.forced { raw::EVENT_FORCED } else { 0 };
        let event = raw::Event { flags, r#move: news.played, time_ns: news.took_ns, ..event_of(seat, ply) };
        let choice = Choice { played, path: news.path };
        let told = callback.map(|callback| (callback, self.position().choice_text(&choice)));
        if let Some((callback, text)) = told.as_ref().filter(|_| !chance.is_empty()) {
            let possible = self.position().judge_chance(played, &chance);
            possible.map_err(|problem| format!("chance after {played:?}: {problem}"))?;
            // It is told with the position as it was in between.
            let mut between = self.position().clone();
            between.play(played, &Chance::NONE).map_err(|illegal| illegal.to_string())?;
            let real = std::mem::replace(&mut self.position.position, between);
            callback.tell(self, event, text);
            self.position.position = real;
        }
        let result = self.position.position.play_for_good(played, &chance);
        result.map_err(|illegal| format!("move {played:?} of the game: {illegal}"))?;
        self.history.push(played.bits());
        match told {
            Some((callback, text)) if chance.is_empty() => callback.tell(self, event, &text),
            Some((callback, _)) => {
                callback.tell(self, event_of(raw::SEAT_CHANCE, ply), &chance_text(&chance, self.position()));
            }
            None => {}
        }
        Ok(())
    }

    fn eliminate(&mut self, seat: u8, reason: &str, callback: Option<EventCallback>) -> Result<(), String> {
        let ply = self.position().ply();
        let gone = Seat::new(seat.into()).ok_or("no such seat")?;
        self.position.position.eliminate(gone);
        if let Some(callback) = callback {
            let event = raw::Event { flags: raw::EVENT_ELIMINATED, ..event_of(seat.into(), ply) };
            callback.tell(self, event, reason);
        }
        self.is_out |= gone == self.seat;
        Ok(())
    }

    fn position(&self) -> &Position {
        &self.position.position
    }

    /// Fills the lists that a turn points to. Gives what it means that a path is the answer.
    fn prepare_turn(&mut self) -> Result<i32, String> {
        let position = &self.position.position;
        if position.to_move() != Some(self.seat) {
            return Err(format!("a turn of seat {} while it is not to move", self.seat));
        }
        position.legal_moves(&mut self.moves);
        self.numbers.clear();
        self.numbers.extend(self.moves.iter().map(|m| m.bits()));
        position.write_cells(&mut self.cells);
        self.text.clear();
        position.write_text(&mut self.text);
        self.text.push('\0');
        let shifts = self.moves.iter().any(|m| m.kind() == Some(MoveKind::Shift));
        Ok(if shifts { raw::OK } else { raw::ERR_UNSUPPORTED })
    }

    fn turn(&self, turn: &TurnStart, host: *const raw::Host) -> raw::Turn {
        raw::Turn {
            struct_size: size_of::<raw::Turn>() as u32,
            seat: self.seat.index() as i32,
            ply: self.position.position.ply(),
            move_count: self.numbers.len() as u32,
            moves: self.numbers.as_ptr(),
            pos: self.position.as_pos(),
            cells: self.cells.as_ptr(),
            text: self.text.as_ptr().cast(),
            cell_count: self.cells.len() as u32,
            players: self.position.position.seats() as u32,
            attempt: turn.attempt,
            history_count: self.history.len() as u32,
            hard_ns: turn.time.hard,
            soft_ns: turn.time.soft,
            clocks_ns: turn.clocks_ns.as_ptr(),
            history: self.history.as_ptr(),
            host,
            game: self.about(),
        }
    }
}

/// A bot's `played`, and what it is called with.
#[derive(Clone, Copy)]
struct EventCallback {
    played: unsafe extern "C" fn(*mut c_void, *const raw::Event),
    this: *mut c_void,
    host: *const raw::Host,
}

impl EventCallback {
    fn tell(self, playing: &Playing, event: raw::Event, text: &str) {
        let text = c_text(text);
        let event = raw::Event {
            pos: playing.position.as_pos(),
            text: text.as_ptr(),
            host: self.host,
            game: playing.about(),
            ..event
        };
        // SAFETY: the table promises a function of this type; the event and all it points to last until it returns.
        unsafe { (self.played)(self.this, &raw const event) };
    }
}

/// What happened to a seat after so many moves; no move of its own.
fn event_of(seat: i32, ply: u32) -> raw::Event {
    raw::Event {
        struct_size: size_of::<raw::Event>() as u32,
        seat,
        ply,
        flags: 0,
        r#move: raw::NO_MOVE,
        time_ns: 0,
        pos: ptr::null(),
        text: ptr::null(),
        host: ptr::null(),
        game: ptr::null(),
    }
}

/// The chance event after a move, in words: `b2:1 c3:4`.
fn chance_text(chance: &Chance, position: &Position) -> String {
    let fallen = chance.fallen.iter().map(|(cell, count)| format!("{}:{count}", position.cell_name(*cell)));
    fallen.collect::<Vec<_>>().join(" ")
}

pub(super) fn c_text(text: &str) -> CString {
    CString::new(until_zero(text)).unwrap_or_default()
}

/// A text as far as its first zero byte.
fn until_zero(text: &str) -> &str {
    text.bytes().position(|byte| byte == 0).map_or(text, |end| &text[..end])
}
