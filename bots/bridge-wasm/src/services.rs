//! The functions of the host table as a module calls them: its words are checked, turned into pointers, and handed on to
//! the arbiter's own.

use crate::guest::{Allowance, LONGEST_TEXT, text_at};
use crate::structs::{REPORT, ROOT_MOVE};
use arbiter_plugin_api::raw;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};
use wasmi::errors::{MemoryError, TableError};
use wasmi::{Caller, Error, Func, Memory, ResourceLimiter, Store, TrapCode};
use wasmi_core::LimiterError;

/// Extensions that a module can have, and the one function of each.
pub(crate) const EXTENSIONS: [(&CStr, &str); 3] =
    [(raw::PATH_V1, "answer"), (raw::CHANCE_V1, "apply_sampled"), (raw::ROOT_MOVES_V1, "report_root_moves")];

/// The price in instructions of a call that only looks at something.
const A_LOOK: u64 = 20;
/// The price of a call for which the rules have to work, and of every number or letter that is passed.
const RULES: u64 = 200;
const EACH: u64 = 2;

/// Positions that a bot may hold at a time.
const MOST_POSITIONS: usize = 1 << 16;
/// Entries of all tables of a module, which take eight bytes each.
pub(crate) const MOST_ENTRIES: usize = 1 << 20;
/// Refusals in one call that a module is told of. With each, wasmi 2.0.0 leaves a frame of its own on the stack until the
/// call ends: it makes no tail call there.
const MOST_REFUSED: u32 = 10_000;

/// The names that a module has for the position that a game started from, and for that of the current call. The bot's own
/// positions have higher ones.
pub(crate) const START: u32 = 8;
pub(crate) const CURRENT: u32 = 16;

/// What a module is lent.
pub(crate) struct Lent {
    /// The arbiter's own table; null before there is one.
    pub(crate) host: *const raw::Host,
    pub(crate) memory: Option<Memory>,
    /// Where the tables of extensions lie in the module.
    pub(crate) extensions: Vec<(&'static CStr, u32)>,
    pub(crate) limiter: Limiter,
    pub(crate) clock: Clock,
    /// Whether the bot has logged an error in this call.
    pub(crate) has_said_why: bool,
    positions: BTreeMap<u32, *mut raw::Pos>,
    /// The highest name that a position has had.
    last: u32,
    /// Names of positions that were freed.
    free: Vec<u32>,
}

/// A clock that counts instructions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    pub(crate) counts: bool,
    /// Given to the call that runs.
    given: u64,
    /// Used in this turn by calls that are over.
    used: u64,
    is_turn: bool,
    soft: i64,
    hard: i64,
}

/// Keeps a module to its memory.
pub(crate) struct Limiter {
    /// Bytes that are left.
    left: usize,
    /// How often something was refused in this call.
    pub(crate) refused: u32,
}

impl Lent {
    pub(crate) fn new(allowance: Allowance) -> Lent {
        Lent {
            host: null(),
            memory: None,
            extensions: Vec::new(),
            limiter: Limiter { left: allowance.most(), refused: 0 },
            clock: Clock { counts: allowance.counts, ..Clock::default() },
            has_said_why: false,
            positions: BTreeMap::new(),
            last: CURRENT,
            free: Vec::new(),
        }
    }

    /// Lends a position, or nothing, under one of the names that are always the same.
    pub(crate) fn lend(&mut self, name: u32, position: *const raw::Pos) {
        if position.is_null() {
            self.positions.remove(&name);
        } else {
            self.positions.insert(name, position.cast_mut());
        }
    }

    /// A new position of the bot's own, under a name; 0 for null, and where there are too many.
    fn own(&mut self, position: *mut raw::Pos) -> u32 {
        if position.is_null() {
            return 0;
        }
        let name = self.free.pop().unwrap_or_else(|| {
            self.last += 8;
            self.last
        });
        self.positions.insert(name, position);
        name
    }
}

impl Clock {
    /// A call begins, with so many instructions.
    pub(crate) fn start(&mut self, given: u64) {
        self.given = given;
    }

    /// The call is over, and so many are left.
    pub(crate) fn stop(&mut self, left: u64) {
        if self.counts {
            self.used = self.used.saturating_add(self.given.saturating_sub(left));
            self.given = left;
        }
    }

    /// The next call belongs to a turn of so many instructions: what is left of them.
    pub(crate) fn of_turn(&mut self, soft: i64, hard: i64) -> u64 {
        (self.is_turn, self.soft, self.hard) = (true, soft, hard);
        (hard.max(0) as u64).saturating_sub(self.used)
    }

    /// What the turn has used, and begins to count anew.
    pub(crate) fn end_turn(&mut self) -> u64 {
        self.is_turn = false;
        std::mem::take(&mut self.used)
    }

    /// What of this turn is used, with so many left of what was given.
    fn used(&self, left: u64) -> i64 {
        i64::try_from(self.used.saturating_add(self.given.saturating_sub(left))).unwrap_or(i64::MAX)
    }

    fn level(&self, left: u64) -> i32 {
        let used = self.used(left);
        if !self.is_turn {
            raw::GO_ON
        } else if used >= self.hard - self.hard / 50 {
            raw::STOP
        } else if used >= self.soft {
            raw::ENOUGH
        } else {
            raw::GO_ON
        }
    }
}

impl Limiter {
    fn give(&mut self, bytes: usize, may: bool) -> Result<bool, LimiterError> {
        if may && bytes <= self.left {
            self.left -= bytes;
            return Ok(true);
        }
        self.refuse().map(|()| false)
    }

    /// Counts a refusal; it is an error that ends the call once there have been too many.
    fn refuse(&mut self) -> Result<(), LimiterError> {
        self.refused += 1;
        if self.refused > MOST_REFUSED {
            return Err(LimiterError::ResourceLimiterDeniedAllocation);
        }
        Ok(())
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        now: usize,
        wanted: usize,
        most: Option<usize>,
    ) -> Result<bool, LimiterError> {
        self.give(wanted.saturating_sub(now), most.is_none_or(|most| wanted <= most))
    }

    fn table_growing(
        &mut self,
        now: usize,
        wanted: usize,
        most: Option<usize>,
    ) -> Result<bool, LimiterError> {
        let bytes = wanted.saturating_sub(now).saturating_mul(8);
        self.give(bytes, most.is_none_or(|most| wanted <= most) && wanted <= MOST_ENTRIES)
    }

    fn memory_grow_failed(&mut self, _: &MemoryError) -> Result<(), LimiterError> {
        self.refuse()
    }

    fn table_grow_failed(&mut self, _: &TableError) -> Result<(), LimiterError> {
        self.refuse()
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        8
    }

    fn memories(&self) -> usize {
        1
    }
}

/// Every function that a module is lent, with its name in the host table or in the table of an extension.
pub(crate) fn functions(store: &mut Store<Lent>) -> Vec<(&'static str, Func)> {
    macro_rules! functions {
        ($($name:ident)+) => { vec![$((stringify!($name), Func::wrap(&mut *store, $name))),+] };
    }
    functions![
        extension log should_stop time_left_ns random report pos_copy pos_free pos_set legal_moves apply undo to_move
        outcome cells column hash pos_text pos_parse move_text move_parse move_path
        answer apply_sampled report_root_moves
    ]
}

type Module<'a> = Caller<'a, Lent>;

/// Takes the price of a call to the arbiter, and gives its table.
fn host(module: &mut Module<'_>, price: u64) -> Result<(*const raw::Host, raw::Host), Error> {
    let host = module.data().host;
    // SAFETY: null, or the arbiter's table, which is there until the process ends.
    let table = unsafe { host.as_ref() }.ok_or_else(|| Error::new("it called the arbiter before create"))?;
    pay(module, price)?;
    Ok((host, *table))
}

/// Takes the price of a call from what the bot has left.
fn pay(module: &mut Module<'_>, price: u64) -> Result<(), Error> {
    if !module.data().clock.counts {
        return Ok(());
    }
    let left = module.get_fuel()?.checked_sub(price);
    module.set_fuel(left.unwrap_or(0))?;
    left.map(|_| ()).ok_or_else(|| TrapCode::OutOfFuel.into())
}

fn left(module: &Module<'_>) -> u64 {
    module.get_fuel().unwrap_or_default()
}

/// A position by its name; null for 0.
fn position(module: &Module<'_>, name: u32) -> Result<*mut raw::Pos, Error> {
    if name == 0 {
        return Ok(null_mut());
    }
    let known = module.data().positions.get(&name).copied();
    known.ok_or_else(|| Error::new(format!("it named a position that is not there: 0x{name:x}")))
}

fn memory(module: &Module<'_>) -> Result<Memory, Error> {
    module.data().memory.ok_or_else(|| Error::new("it called the arbiter before its memory was known"))
}

fn read(module: &Module<'_>, at: u32, size: usize) -> Result<Vec<u8>, Error> {
    let memory = memory(module)?.data(module);
    let bytes = (at as usize).checked_add(size).and_then(|end| memory.get(at as usize..end));
    bytes.map(<[u8]>::to_vec).ok_or_else(|| TrapCode::MemoryOutOfBounds.into())
}

/// A text of the module's, cut to what the arbiter keeps; none for null.
fn text(module: &mut Module<'_>, at: u32) -> Result<Option<CString>, Error> {
    let memory = memory(module)?.data(&*module);
    if at == 0 {
        return Ok(None);
    }
    let text = text_at(memory, at, LONGEST_TEXT).ok_or(TrapCode::MemoryOutOfBounds)?;
    let text = CString::new(text).unwrap_or_default();
    pay(module, EACH * text.as_bytes().len() as u64)?;
    Ok(Some(text))
}

fn pointer(text: Option<&CString>) -> *const c_char {
    text.map_or(null(), |text| text.as_ptr())
}

/// Gives the bot what fits of a list, and says how long that is.
fn give<T: crate::guest::Number>(
    module: &mut Module<'_>,
    list: &[T],
    count: u32,
    at: u32,
    cap: u32,
) -> Result<u32, Error> {
    let fits = if at == 0 { 0 } else { list.len().min(cap as usize).min(count as usize) };
    pay(module, EACH * fits as u64)?;
    let bytes: Vec<u8> = list[..fits].iter().flat_map(|number| number.bytes()).collect();
    let memory = memory(module)?;
    memory.write(&mut *module, at as usize, &bytes).map_err(|_| TrapCode::MemoryOutOfBounds)?;
    Ok(count)
}

/// What fits into the bot's room of a list that a function of the arbiter's fills a buffer with, a zero behind it, and how long
/// the list is. The function is asked for that first: what is given is paid for, and not what room the bot says it has.
fn filled<T: Clone + Default>(at: u32, cap: u32, fill: impl Fn(*mut T, u32) -> u32) -> (Vec<T>, u32) {
    let count = fill(null_mut(), 0);
    let room = if at == 0 { 0 } else { cap.min(count.saturating_add(1)) };
    let mut list = vec![T::default(); room as usize];
    if room > 0 {
        fill(list.as_mut_ptr(), room);
    }
    (list, count)
}

/// Gives the bot a text by a function that fills a buffer.
fn give_text(
    module: &mut Module<'_>,
    at: u32,
    cap: u32,
    fill: impl Fn(*mut c_char, u32) -> u32,
) -> Result<u32, Error> {
    let (text, count) = filled(at, cap, |buffer: *mut u8, room| fill(buffer.cast(), room));
    give(module, &text, text.len() as u32, at, cap)?;
    Ok(count)
}

fn extension(mut module: Module<'_>, _: u32, id: u32) -> Result<u32, Error> {
    pay(&mut module, A_LOOK)?;
    let id = text(&mut module, id)?;
    let known = module.data().extensions.iter().find(|(known, _)| id.as_deref() == Some(*known));
    Ok(known.map_or(0, |(_, at)| *at))
}

fn log(mut module: Module<'_>, _: u32, level: i32, at: u32) -> Result<(), Error> {
    let (h, host) = host(&mut module, RULES)?;
    let text = text(&mut module, at)?;
    module.data_mut().has_said_why |= level >= raw::LOG_ERROR;
    // SAFETY: the arbiter's table, and a text or null.
    unsafe { (host.log)(h, level, pointer(text.as_ref())) };
    Ok(())
}

fn should_stop(mut module: Module<'_>, _: u32) -> Result<i32, Error> {
    let (h, host) = host(&mut module, A_LOOK)?;
    if module.data().clock.counts {
        return Ok(module.data().clock.level(left(&module)));
    }
    // SAFETY: the arbiter's table.
    Ok(unsafe { (host.should_stop)(h) })
}

fn time_left_ns(mut module: Module<'_>, _: u32) -> Result<i64, Error> {
    let (h, host) = host(&mut module, A_LOOK)?;
    let clock = module.data().clock;
    if clock.counts {
        return Ok(if clock.is_turn { clock.hard - clock.used(left(&module)) } else { raw::NO_LIMIT });
    }
    // SAFETY: the arbiter's table.
    Ok(unsafe { (host.time_left_ns)(h) })
}

fn random(mut module: Module<'_>, _: u32) -> Result<u64, Error> {
    let (h, host) = host(&mut module, A_LOOK)?;
    // SAFETY: the arbiter's table.
    Ok(unsafe { (host.random)(h) })
}

fn report(mut module: Module<'_>, _: u32, at: u32) -> Result<(), Error> {
    let (h, host) = host(&mut module, RULES)?;
    let size = u32::from_le_bytes(read(&module, at, 4)?.try_into().unwrap_or_default());
    let theirs = read(&module, at, size.min(REPORT.size) as usize)?;
    let number = |field| REPORT.read(&theirs, field);
    let line = match number("pv") as u32 {
        0 => Vec::new(),
        at => words(&mut module, at, (number("pv_count") as u32).min(64))?,
    };
    let text = text(&mut module, number("text") as u32)?;
    let ours = raw::Report {
        struct_size: size_of::<raw::Report>() as u32,
        depth: number("depth") as u32,
        best: number("best"),
        nodes: number("nodes"),
        score: number("score") as i32,
        pv_count: line.len() as u32,
        pv: line.as_ptr(),
        text: pointer(text.as_ref()),
    };
    // SAFETY: the arbiter's table, and a report whose line and text outlive the call.
    unsafe { (host.report)(h, &raw const ours) };
    Ok(())
}

/// A list of moves of the module's.
fn words(module: &mut Module<'_>, at: u32, count: u32) -> Result<Vec<u64>, Error> {
    pay(module, EACH * u64::from(count))?;
    let bytes = read(module, at, count as usize * 8)?;
    let (words, _) = bytes.as_chunks();
    Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

fn pos_copy(mut module: Module<'_>, _: u32, p: u32) -> Result<u32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let p = position(&module, p)?;
    if module.data().positions.len() >= MOST_POSITIONS {
        return Ok(0);
    }
    // SAFETY: the arbiter's table, and a position of its or null.
    let copy = unsafe { (host.pos_copy)(h, p) };
    Ok(module.data_mut().own(copy))
}

fn pos_free(mut module: Module<'_>, _: u32, p: u32) -> Result<(), Error> {
    let (h, host) = host(&mut module, A_LOOK)?;
    let freed = position(&module, p)?;
    if p > CURRENT {
        let lent = module.data_mut();
        lent.positions.remove(&p);
        lent.free.push(p);
        // SAFETY: the arbiter's table, and a position of the bot's own that has no name any more.
        unsafe { (host.pos_free)(h, freed) };
    }
    Ok(())
}

fn pos_set(mut module: Module<'_>, _: u32, to: u32, from: u32) -> Result<i32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let (to, from) = (position(&module, to)?, position(&module, from)?);
    // SAFETY: the arbiter's table, and positions of its or null.
    Ok(unsafe { (host.pos_set)(h, to, from) })
}

fn legal_moves(mut module: Module<'_>, _: u32, p: u32, at: u32, cap: u32) -> Result<u32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let mut moves = [0_u64; raw::MAX_MOVES as usize];
    // SAFETY: the arbiter's table, a position of its or null, and a buffer of that size.
    let count = unsafe { (host.legal_moves)(h, position(&module, p)?, moves.as_mut_ptr(), raw::MAX_MOVES) };
    give(&mut module, &moves, count, at, cap)
}

fn apply(mut module: Module<'_>, _: u32, p: u32, m: u64) -> Result<i32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    // SAFETY: the arbiter's table, and a position of its or null.
    Ok(unsafe { (host.apply)(h, position(&module, p)?, m) })
}

fn undo(mut module: Module<'_>, _: u32, p: u32) -> Result<i32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    // SAFETY: the arbiter's table, and a position of its or null.
    Ok(unsafe { (host.undo)(h, position(&module, p)?) })
}

fn to_move(mut module: Module<'_>, _: u32, p: u32) -> Result<i32, Error> {
    let (h, host) = host(&mut module, A_LOOK)?;
    // SAFETY: the arbiter's table, and a position of its or null.
    Ok(unsafe { (host.to_move)(h, position(&module, p)?) })
}

fn outcome(mut module: Module<'_>, _: u32, p: u32, seat: i32) -> Result<i32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    // SAFETY: the arbiter's table, and a position of its or null.
    Ok(unsafe { (host.outcome)(h, position(&module, p)?, seat) })
}

fn cells(mut module: Module<'_>, _: u32, p: u32, at: u32, cap: u32) -> Result<u32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let mut cells = [0_u8; raw::MAX_CELLS as usize];
    // SAFETY: the arbiter's table, a position of its or null, and a buffer of that size.
    let count = unsafe { (host.cells)(h, position(&module, p)?, cells.as_mut_ptr(), raw::MAX_CELLS) };
    give(&mut module, &cells, count, at, cap)
}

fn column(mut module: Module<'_>, _: u32, p: u32, cell: u32, at: u32, cap: u32) -> Result<u32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let p = position(&module, p)?;
    // SAFETY: the arbiter's table, a position of its or null, and a buffer of that size.
    let (pieces, count) =
        filled(at, cap, |buffer: *mut u8, room| unsafe { (host.column)(h, p, cell, buffer, room) });
    give(&mut module, &pieces, count, at, cap)
}

fn hash(mut module: Module<'_>, _: u32, p: u32) -> Result<u64, Error> {
    let (h, host) = host(&mut module, A_LOOK)?;
    // SAFETY: the arbiter's table, and a position of its or null.
    Ok(unsafe { (host.hash)(h, position(&module, p)?) })
}

fn pos_text(mut module: Module<'_>, _: u32, p: u32, at: u32, cap: u32) -> Result<u32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let p = position(&module, p)?;
    // SAFETY: the arbiter's table, a position of its or null, and a buffer of that size.
    give_text(&mut module, at, cap, |buffer, room| unsafe { (host.pos_text)(h, p, buffer, room) })
}

fn pos_parse(mut module: Module<'_>, _: u32, at: u32) -> Result<u32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let text = text(&mut module, at)?;
    if module.data().positions.len() >= MOST_POSITIONS {
        return Ok(0);
    }
    // SAFETY: the arbiter's table, and a text or null.
    let position = unsafe { (host.pos_parse)(h, pointer(text.as_ref())) };
    Ok(module.data_mut().own(position))
}

fn move_text(mut module: Module<'_>, _: u32, p: u32, m: u64, at: u32, cap: u32) -> Result<u32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let p = position(&module, p)?;
    // SAFETY: the arbiter's table, a position of its or null, and a buffer of that size.
    give_text(&mut module, at, cap, |buffer, room| unsafe { (host.move_text)(h, p, m, buffer, room) })
}

fn move_parse(mut module: Module<'_>, _: u32, p: u32, at: u32) -> Result<u64, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let text = text(&mut module, at)?;
    // SAFETY: the arbiter's table, a position of its or null, and a text or null.
    Ok(unsafe { (host.move_parse)(h, position(&module, p)?, pointer(text.as_ref())) })
}

fn move_path(mut module: Module<'_>, _: u32, p: u32, m: u64, at: u32, cap: u32) -> Result<u32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let mut path = [0_u16; raw::MAX_PATH as usize];
    // SAFETY: the arbiter's table, a position of its or null, and a buffer of that size.
    let count = unsafe { (host.move_path)(h, position(&module, p)?, m, path.as_mut_ptr(), raw::MAX_PATH) };
    give(&mut module, &path, count, at, cap)
}

fn answer(mut module: Module<'_>, _: u32, at: u32, count: u32) -> Result<i32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let Some(path) = table::<raw::PathV1>(h, &host, raw::PATH_V1) else { return Ok(raw::ERR_UNSUPPORTED) };
    if at == 0 || count > raw::MAX_ANSWER {
        return Ok(raw::ERR_ARGUMENT);
    }
    pay(&mut module, EACH * u64::from(count))?;
    let bytes = read(&module, at, count as usize * 4)?;
    let (cells, _) = bytes.as_chunks();
    let cells: Vec<i32> = cells.iter().map(|cell| i32::from_le_bytes(*cell)).collect();
    // SAFETY: the arbiter's tables, and so many cells.
    Ok(unsafe { (path.answer)(h, cells.as_ptr(), count) })
}

fn apply_sampled(mut module: Module<'_>, _: u32, p: u32, m: u64, random: u64) -> Result<i32, Error> {
    let (h, host) = host(&mut module, RULES)?;
    let Some(chance) = table::<raw::ChanceV1>(h, &host, raw::CHANCE_V1) else {
        return Ok(raw::ERR_UNSUPPORTED);
    };
    // SAFETY: the arbiter's tables, and a position of its or null.
    Ok(unsafe { (chance.apply_sampled)(h, position(&module, p)?, m, random) })
}

fn report_root_moves(mut module: Module<'_>, _: u32, depth: u32, at: u32, count: u32) -> Result<(), Error> {
    let count = count.min(raw::MAX_MOVES);
    let (h, host) = host(&mut module, RULES + EACH * u64::from(count))?;
    let Some(extension) = table::<raw::RootMovesV1>(h, &host, raw::ROOT_MOVES_V1) else { return Ok(()) };
    let size = ROOT_MOVE.size as usize;
    let bytes = if at == 0 { Vec::new() } else { read(&module, at, count as usize * size)? };
    let moves = bytes.chunks_exact(size).map(|theirs| raw::RootMove {
        r#move: ROOT_MOVE.read(theirs, "move"),
        score: ROOT_MOVE.read(theirs, "score") as i32,
        bound: ROOT_MOVE.read(theirs, "bound") as u32,
    });
    let moves: Vec<raw::RootMove> = moves.collect();
    // SAFETY: the arbiter's tables, and so many moves.
    unsafe { (extension.report)(h, depth, moves.as_ptr(), moves.len() as u32) };
    Ok(())
}

/// The table of an extension of the arbiter's.
pub(crate) fn table<T>(h: *const raw::Host, host: &raw::Host, id: &CStr) -> Option<&'static T> {
    // SAFETY: the arbiter's table, and a text; the name stands for a table of this type, which stays until the process ends.
    unsafe { (host.extension)(h, id.as_ptr()).cast::<T>().as_ref() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A bot that counts instructions could otherwise have a MiB made for the price of a letter, again and again.
    #[test]
    fn no_more_room_is_made_than_what_is_given_takes() {
        let made = Cell::new(0);
        let fill = |buffer: *mut u8, room: u32| {
            made.set(made.get().max(room));
            for (at, byte) in b"d3 d4\0".iter().enumerate().take(room as usize) {
                // SAFETY: a buffer with so much room.
                unsafe { buffer.add(at).write(*byte) };
            }
            5
        };
        assert_eq!(filled(8, u32::MAX, fill), (b"d3 d4\0".to_vec(), 5));
        assert_eq!(made.get(), 6);
        assert_eq!(filled(8, 3, fill), (b"d3 ".to_vec(), 5));
        assert_eq!(
            (filled(8, 0, fill), filled(0, 9, fill)),
            ((Vec::new(), 5), (Vec::new(), 5)),
            "asked only"
        );
    }
}
