//! A module that has been made ready to run: its memory, what it may use, and what went wrong.

use crate::services::{self, Lent, MOST_ENTRIES};
use crate::structs::{BOT, HOST, Shape};
use arbiter_plugin_api::raw;
use std::ffi::{CStr, c_char};
use std::mem::offset_of;
use wasmi::errors::ErrorKind;
use wasmi::{
    CompilationMode, Config, EnforcedLimits, Engine, Func, Instance, Memory, Module, Nullable, Ref, Store,
    Table, TrapCode, TypedFunc, WasmParams, WasmResults,
};

/// Longest module that is looked at: what it is compiled to is several times as long.
const LONGEST_MODULE: usize = 32 << 20;
/// How deep calls may nest, and the bytes of their values: about what a library's stack of 8 MiB allows.
const DEEPEST: usize = 20_000;
const LARGEST_STACK: usize = 8 << 20;
/// Instructions for everything before a game, and for what comes after it.
const TO_PREPARE: u64 = 300_000_000;
/// Instructions to begin a game, unless a move has more.
const TO_BEGIN: u64 = 100_000_000;
const PAGE: u32 = 64 << 10;
/// The longest text that is taken from a module.
pub(crate) const LONGEST_TEXT: usize = 8192;

/// What a bot may use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allowance {
    /// Bytes of memory.
    memory: Option<usize>,
    /// Whether its clock counts instructions.
    pub(crate) counts: bool,
}

impl Allowance {
    /// As the arbiter says it, in lines.
    pub(crate) fn of(found: &str) -> Allowance {
        let memory = found.lines().find_map(|line| line.strip_prefix("memory ")?.parse().ok());
        Allowance { memory, counts: found.lines().any(|line| line == "clock instructions") }
    }

    /// Bytes for the memory and the tables of a module: the rest is for what it is compiled to, and for positions.
    pub(crate) fn most(&self) -> usize {
        self.memory.map_or(usize::MAX, |memory| memory / 8 * 7)
    }
}

/// Why a call of a bot came to nothing.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: i32,
    pub(crate) sentence: String,
}

/// A module that runs.
pub(crate) struct Guest {
    pub(crate) store: Store<Lent>,
    memory: Memory,
    table: Table,
    /// Where the host table lies.
    pub(crate) host: u32,
    rooms: [Room; 3],
    /// The bot's own table.
    bot: Vec<u8>,
    /// The call that ended last has used up its instructions.
    pub(crate) is_out: bool,
}

/// A part of the module's memory that belongs to this bridge.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    at: u32,
    size: u32,
}

/// What a room is for. What is in it lasts until the next time it is filled.
#[derive(Clone, Copy, Debug)]
pub(crate) enum For {
    /// As long as the bot.
    Life,
    /// A game.
    Game,
    /// One call.
    Call,
}

/// What is to stand in a room: bytes, of which some are addresses of others.
pub(crate) struct Filling {
    at: u32,
    bytes: Vec<u8>,
}

impl Guest {
    /// Compiles a module, makes its instance, and looks at its table.
    ///
    /// # Errors
    /// Why it is no bot, in a sentence.
    pub(crate) fn new(bytes: &[u8], allowance: Allowance) -> Result<Guest, String> {
        if bytes.len() > LONGEST_MODULE {
            let (has, most) = (bytes.len() >> 20, LONGEST_MODULE >> 20);
            return Err(format!("the module has {has} MiB, and at most {most} are played"));
        }
        if !bytes.starts_with(b"\0asm") {
            return Err("it is no module that can be run: it does not begin as WebAssembly does".to_owned());
        }
        let engine = Engine::new(&config(allowance));
        let module = Module::new(&engine, bytes).map_err(|error| {
            format!("it is no module that can be run: {}", on_one_line(&error.to_string()))
        })?;
        if let Some(import) = module.imports().next() {
            return Err(format!(
                "the module imports {}.{}, and bots are given nothing to import: what the arbiter lends comes with the \
                 host table; build it without a system, for wasm32-unknown-unknown",
                import.module(),
                import.name()
            ));
        }
        let mut store = Store::new(&engine, Lent::new(allowance));
        store.limiter(|lent| &mut lent.limiter);
        give(&mut store, TO_PREPARE);
        let started = Instance::new(&mut store, &module, &[]);
        let instance = started.map_err(|error| match store.data().limiter.refused {
            0 => problem(&mut store, &error).sentence,
            _ => format!("it begins with more memory than --memory allows, or a table of more than {MOST_ENTRIES} entries"),
        })?;
        let missing = |what: &str, how: &str| format!("the module does not export {what}: {how}");
        let memory =
            instance.get_memory(&store, "memory").ok_or_else(|| missing("its memory", "link it as a bot"))?;
        let table = instance.get_table(&store, "__indirect_function_table").ok_or_else(|| {
            missing("its table of functions", "link it with --export-table --growable-table")
        })?;
        store.data_mut().memory = Some(memory);
        let host = 0;
        let mut guest =
            Guest { store, memory, table, host, rooms: Default::default(), bot: Vec::new(), is_out: false };
        guest.lend()?;
        if let Ok(initialize) = instance.get_typed_func::<(), ()>(&guest.store, "_initialize") {
            guest.call(initialize, ()).map_err(|problem| problem.sentence)?;
        }
        let entry = instance.get_typed_func::<u32, u32>(&guest.store, "arbiter_bot_v1").map_err(|_| {
            missing("a function arbiter_bot_v1 that takes and returns one word", "see arbiter_bot.h")
        })?;
        let bot = guest.call(entry, raw::ABI).map_err(|problem| problem.sentence)?;
        guest.bot = guest.bot_table(bot)?;
        Ok(guest)
    }

    /// Puts the host table where the module can read it, and its functions where it can call them.
    fn lend(&mut self) -> Result<(), String> {
        let functions = services::functions(&mut self.store);
        let count = functions.len() as u64;
        let null = Ref::Func(Nullable::Null);
        let first = self.table.grow(&mut self.store, count, null).map_err(|_| {
            "the module's table of functions cannot grow: link it with --export-table --growable-table"
                .to_owned()
        })?;
        for ((_, function), index) in functions.iter().zip(first..) {
            let function = Ref::Func(Nullable::Val(*function));
            self.table.set(&mut self.store, index, function).map_err(|error| error.to_string())?;
        }
        let place_of = |name: &str| {
            let at = functions.iter().position(|(known, _)| *known == name);
            at.map_or(0, |at| first as u32 + at as u32)
        };
        let mut ours = [0; size_of::<raw::Host>()];
        ours[offset_of!(raw::Host, abi)..][..4].copy_from_slice(&raw::ABI.to_ne_bytes());
        let mut extensions = Vec::new();
        let host = self.fill(For::Life, |life| {
            extensions = services::EXTENSIONS
                .iter()
                .map(|(id, function)| (*id, life.put(&place_of(function).to_le_bytes(), 4)))
                .collect();
            let (name, version) = (life.text(c"arbiter"), life.text(VERSION));
            let image = HOST.image(&ours, |field| match field {
                "name" => name,
                "version" => version,
                function => place_of(function),
            });
            life.put(&image, 8)
        });
        self.host = host.map_err(|problem| problem.sentence)?;
        self.store.data_mut().extensions = extensions;
        Ok(())
    }

    /// The table of a bot, checked as far as it is ours to check.
    fn bot_table(&mut self, at: u32) -> Result<Vec<u8>, String> {
        if at == 0 {
            return Err("arbiter_bot_v1 refuses this arbiter".to_owned());
        }
        let outside = || "arbiter_bot_v1 returned an address outside of the module's memory".to_owned();
        let head = self.bytes(at, 16).ok_or_else(outside)?;
        if BOT.read(&head, "magic") != u64::from(raw::MAGIC) {
            return Err("what arbiter_bot_v1 returned is no table of a bot".to_owned());
        }
        let size = BOT.read(&head, "struct_size").min(u64::from(BOT.size)) as u32;
        let table = self.bytes(at, size).ok_or_else(outside)?;
        let abi = BOT.read(&table, "abi");
        if abi >> 16 != u64::from(raw::ABI_MAJOR) {
            return Err(format!("the module was built for version {} of arbiter_bot.h", abi >> 16));
        }
        if BOT.read(&table, "choose_move") == 0 {
            return Err("the bot has no choose_move".to_owned());
        }
        Ok(table)
    }

    /// A text of the bot's table; empty where it has none.
    pub(crate) fn own_text(&self, field: &str) -> String {
        let bytes = self.memory.data(&self.store);
        let text = text_at(bytes, BOT.read(&self.bot, field) as u32, LONGEST_TEXT);
        text.map(|text| String::from_utf8_lossy(text).into_owned()).unwrap_or_default()
    }

    /// A function of the bot's table, if it has it.
    ///
    /// # Errors
    /// When it is no function of this type.
    pub(crate) fn own_function<P: WasmParams, R: WasmResults>(
        &self,
        field: &str,
    ) -> Result<Option<TypedFunc<P, R>>, String> {
        let index = BOT.read(&self.bot, field);
        if index == 0 {
            return Ok(None);
        }
        let function: Option<Func> = match self.table.get(&self.store, index) {
            Some(Ref::Func(function)) => function.into(),
            Some(Ref::Extern(_)) | None => None,
        };
        let typed = function.and_then(|function| function.typed(&self.store).ok());
        typed.map(Some).ok_or_else(|| {
            format!("{field} of the bot's table is no such function as arbiter_bot.h declares")
        })
    }

    /// Bytes of the module's memory.
    pub(crate) fn bytes(&self, at: u32, size: u32) -> Option<Vec<u8>> {
        let at = at as usize;
        Some(self.memory.data(&self.store).get(at..at.checked_add(size as usize)?)?.to_vec())
    }

    /// A word of the module's memory; 0 outside of it.
    pub(crate) fn word(&self, at: u32) -> u32 {
        let bytes = self.bytes(at, 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes)
    }

    /// Fills a room, and gives what `fill` gives: it may be called twice, since a room that is too small is left for
    /// another one.
    pub(crate) fn fill(
        &mut self,
        which: For,
        mut fill: impl FnMut(&mut Filling) -> u32,
    ) -> Result<u32, Problem> {
        loop {
            let room = self.rooms[which as usize];
            let mut filling = Filling { at: room.at, bytes: Vec::new() };
            let gives = fill(&mut filling);
            let size = filling.bytes.len() as u32;
            if size <= room.size {
                // The bot may have written over it, but its memory never shrinks.
                let _ = self.memory.write(&mut self.store, room.at as usize, &filling.bytes);
                return Ok(gives);
            }
            let pages = size.saturating_mul(2).div_ceil(PAGE);
            let end = self.memory.grow(&mut self.store, u64::from(pages)).map_err(|_| out_of_memory())?;
            let at = u32::try_from(end * u64::from(PAGE)).map_err(|_| out_of_memory())?;
            self.rooms[which as usize] = Room { at, size: pages * PAGE };
        }
    }

    /// Calls a function of the module, with what instructions are left to it.
    pub(crate) fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        function: TypedFunc<P, R>,
        with: P,
    ) -> Result<R, Problem> {
        self.store.data_mut().limiter.refused = 0;
        let done = function.call(&mut self.store, with);
        let left = self.store.get_fuel().unwrap_or_default();
        self.store.data_mut().clock.stop(left);
        self.is_out = false;
        done.map_err(|error| {
            self.is_out = error.as_trap_code() == Some(TrapCode::OutOfFuel);
            problem(&mut self.store, &error)
        })
    }

    /// Gives instructions to whatever is called next outside of turns.
    pub(crate) fn give_to_prepare(&mut self) {
        give(&mut self.store, TO_PREPARE);
    }

    /// The same, for the beginning of a game with so many instructions a move.
    pub(crate) fn give_to_begin(&mut self, a_move: i64) {
        give(&mut self.store, TO_BEGIN.max(u64::try_from(a_move).unwrap_or(0)));
    }

    /// The same, for what belongs to a turn, where it is known how many a turn has.
    pub(crate) fn give_of_turn(&mut self, soft: i64, hard: i64) {
        let left = self.store.data_mut().clock.of_turn(soft, hard);
        give(&mut self.store, left);
    }
}

/// The version of this program, as the host table has it.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// The words of an error, which lists bytes on lines of their own.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How modules are run: the same on every machine.
fn config(allowance: Allowance) -> Config {
    let mut config = Config::default();
    config.consume_fuel(allowance.counts);
    // What is compiled late would be counted late.
    config.compilation_mode(CompilationMode::Eager);
    config.set_max_recursion_depth(DEEPEST).set_max_stack_height(LARGEST_STACK);
    config.ignore_custom_sections(true).enforced_limits(EnforcedLimits::default());
    config
}

fn give(store: &mut Store<Lent>, instructions: u64) {
    // It fails where none are counted.
    let _ = store.set_fuel(instructions);
    store.data_mut().clock.start(instructions);
}

pub(crate) fn out_of_memory() -> Problem {
    Problem {
        status: raw::ERR_MEMORY,
        sentence: "its memory cannot grow for what the arbiter tells it: more than its own maximum, or than --memory allows"
            .to_owned(),
    }
}

/// What an error of the engine means.
fn problem(store: &mut Store<Lent>, error: &wasmi::Error) -> Problem {
    let refused = store.data().limiter.refused > 0;
    let trap = error.as_trap_code();
    let sentence = match (trap, error.kind()) {
        (Some(TrapCode::OutOfFuel), _) => "it has used up its instructions".to_owned(),
        (Some(TrapCode::StackOverflow), _) => "its calls are nested too deeply".to_owned(),
        (Some(trap), _) => trap.trap_message().to_owned(),
        (None, ErrorKind::Instantiation(error)) => format!("it cannot be started: {error}"),
        (None, _) => error.to_string(),
    };
    let is_memory =
        refused || matches!(trap, Some(TrapCode::GrowthOperationLimited | TrapCode::OutOfSystemMemory));
    Problem { status: if is_memory { raw::ERR_MEMORY } else { raw::ERR_PANIC }, sentence }
}

/// A text in a module's memory, up to its zero or to a limit; none where it leaves the memory.
pub(crate) fn text_at(memory: &[u8], at: u32, limit: usize) -> Option<&[u8]> {
    if at == 0 {
        return None;
    }
    let bytes = memory.get(at as usize..)?;
    let end = bytes.iter().take(limit).position(|&byte| byte == 0);
    Some(&bytes[..end.unwrap_or(limit.min(bytes.len()))])
}

impl Filling {
    /// Adds bytes, and gives their address.
    pub(crate) fn put(&mut self, bytes: &[u8], align: usize) -> u32 {
        self.bytes.resize(self.bytes.len().next_multiple_of(align), 0);
        let at = self.at + self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        at
    }

    pub(crate) fn text(&mut self, text: &CStr) -> u32 {
        self.put(text.to_bytes_with_nul(), 1)
    }

    /// A text of the arbiter's, or null.
    ///
    /// # Safety
    /// `text` is null or ends with a zero.
    pub(crate) unsafe fn text_or_null(&mut self, text: *const c_char) -> u32 {
        // SAFETY: as the caller promises.
        if text.is_null() { 0 } else { self.text(unsafe { CStr::from_ptr(text) }) }
    }

    /// A list of numbers of the arbiter's; null for null.
    ///
    /// # Safety
    /// `numbers` is null or holds so many.
    pub(crate) unsafe fn numbers<T: Number>(&mut self, numbers: *const T, count: u32) -> u32 {
        if numbers.is_null() {
            return 0;
        }
        // SAFETY: as the caller promises.
        let numbers = unsafe { std::slice::from_raw_parts(numbers, count as usize) };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.bytes()).collect();
        self.put(&bytes, size_of::<T>())
    }

    /// A struct of the header.
    pub(crate) fn place<T>(&mut self, shape: &Shape, ours: &T, pointers: impl Fn(&str) -> u32) -> u32 {
        // SAFETY: a struct of the header, which has no bytes between its fields.
        let ours =
            unsafe { std::slice::from_raw_parts(std::ptr::from_ref(ours).cast::<u8>(), size_of::<T>()) };
        self.put(&shape.image(ours, pointers), 8)
    }
}

/// A number as a module reads it, with the low byte first.
pub(crate) trait Number: Copy {
    fn bytes(&self) -> impl Iterator<Item = u8> + use<Self>;
}

macro_rules! numbers {
    ($($number:ty)+) => {
        $(impl Number for $number {
            fn bytes(&self) -> impl Iterator<Item = u8> + use<> {
                self.to_le_bytes().into_iter()
            }
        })+
    };
}

numbers!(u8 u16 i32 u64 i64);
