//! The bot as the arbiter sees it: a table whose functions call the class that the script defines.

use crate::find::{compiled, fact};
use crate::native::{
    self, WORLD, call, integer_of, is_a, list, load, new_int, new_list, new_move, new_moves, new_text,
    new_uint, nothing, number_of, seconds, shared, text_of,
};
use crate::payload;
use crate::python::{Ref, WHOLE_FILE, api};
use arbiter_plugin_api::raw;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The modules that come with the bridge, in the order in which they are run.
pub(crate) const MODULES: [Module; 2] = [
    Module {
        name: c"arbiter_bot",
        file: "<arbiter_bot>",
        source: include_str!("../../../plugin-api/python/python/arbiter_bot/__init__.py"),
    },
    Module { name: c"_arbiter_loader", file: "<loader>", source: include_str!("loader.py") },
];

/// A module that comes with the bridge.
pub(crate) struct Module {
    name: &'static CStr,
    /// What tracebacks call it.
    pub(crate) file: &'static str,
    pub(crate) source: &'static str,
}

impl Module {
    /// Its code: as it was compiled when the interpreter was found, otherwise compiled now.
    fn code(&self, found: &str) -> Ref {
        let py = api();
        if let (Some(bytes), Some(read)) = (compiled(found, self.file), py.unmarshal) {
            // SAFETY: so many bytes, which this very version of Python has written.
            let code = unsafe { read(bytes.as_ptr().cast(), bytes.len() as isize) };
            if !code.is_null() {
                return code;
            }
            // SAFETY: what could not be read is compiled.
            unsafe { (py.PyErr_Clear)() };
        }
        let [source, file] = [self.source, self.file].map(|text| CString::new(text).unwrap_or_default());
        // SAFETY: texts that outlive the call.
        unsafe { (py.Py_CompileString)(source.as_ptr(), file.as_ptr(), WHOLE_FILE) }
    }
}

/// What the loader found in the script.
struct Script {
    class: Ref,
    table: raw::Bot,
    _texts: Vec<CString>,
}

// SAFETY: used by the one thread that calls the bot.
unsafe impl Send for Script {}
// SAFETY: as above.
unsafe impl Sync for Script {}

static SCRIPT: OnceLock<Script> = OnceLock::new();

/// The bot that plays now: an instance of its class; null between games and after a failure.
static PLAYER: AtomicPtr<crate::python::Object> = AtomicPtr::new(null_mut());
/// The game that is being played, as an instance of `Game`.
static GAME: AtomicPtr<crate::python::Object> = AtomicPtr::new(null_mut());
/// Why the bot plays no more: what its next turn is answered with.
static LAST: Mutex<(i32, String)> = Mutex::new((raw::ERR_STATE, String::new()));
/// The classes and functions of the bridge's modules that this file calls.
static CLASSES: OnceLock<[Kept; 6]> = OnceLock::new();

/// A reference that is kept for ever.
struct Kept(Ref);
// SAFETY: used under Python's global lock.
unsafe impl Send for Kept {}
// SAFETY: as above.
unsafe impl Sync for Kept {}

/// Places in [`CLASSES`].
const TURN: usize = 0;
const EVENT: usize = 1;
const RESULT: usize = 2;
const NEW_GAME: usize = 3;
const EXPLAIN: usize = 4;
const LOAD: usize = 5;

fn class(which: usize) -> Ref {
    CLASSES.get().map_or(null_mut(), |classes| classes[which].0)
}

/// Runs the modules of this bridge in the interpreter. No code of the bot has run yet.
pub(crate) fn begin(found: &str) -> Result<(), String> {
    let py = api();
    native::module().ok_or("Python does not take the module of this bridge")?;
    let mut dicts = Vec::new();
    for module in &MODULES {
        // SAFETY: texts that outlive the calls; the dictionary is the module's.
        unsafe {
            let dict = (py.PyModule_GetDict)((py.PyImport_AddModule)(module.name.as_ptr()));
            (py.PyDict_SetItemString)(dict, c"__builtins__".as_ptr(), (py.PyEval_GetBuiltins)());
            let code = module.code(found);
            if code.is_null() || (py.PyEval_EvalCode)(code, dict, dict).is_null() {
                return Err(format!("Python does not run the module {}: {}", module.file, raised()));
            }
            dicts.push(dict);
        }
    }
    let of = |dict: Ref, name: &CStr| {
        // SAFETY: a dictionary of ours; the reference is kept for ever.
        shared(unsafe { (py.PyDict_GetItemString)(dict, name.as_ptr()) })
    };
    let [kit, loader] = dicts[..] else { return Err("a module is missing".to_owned()) };
    let classes = [
        of(kit, c"Turn"),
        of(kit, c"Event"),
        of(kit, c"GameResult"),
        of(kit, c"Game"),
        of(loader, c"explain"),
        of(loader, c"load"),
    ];
    if classes.iter().any(|class| class.is_null()) {
        return Err("a class is missing in the module of this bridge".to_owned());
    }
    let _ = CLASSES.set(classes.map(Kept));
    let paths = fact(found, "path").map(new_text).collect::<Vec<_>>();
    let settled = call(of(loader, c"settle"), &[new_list(paths.into_iter())]);
    if settled.is_null() { Err(format!("Python does not settle: {}", raised())) } else { Ok(()) }
}

/// The table of the bot that a script is.
pub(crate) fn open(brought: &raw::PayloadV1) -> Result<*const raw::Bot, String> {
    let py = api();
    // SAFETY: so many bytes, which stay for ever.
    let bytes: &'static [u8] = unsafe {
        std::slice::from_raw_parts(brought.data.cast(), usize::try_from(brought.size).unwrap_or(0))
    };
    // SAFETY: the payload's name.
    let file = unsafe { CStr::from_ptr(brought.name) }.to_string_lossy();
    let is_archive = payload::open(bytes)?;
    if !is_archive && file.ends_with(".zip") {
        return Err("it is no zip archive, whatever its name says".to_owned());
    }
    let source = if is_archive { nothing() } else { native::new_bytes(bytes) };
    let loaded = call(class(LOAD), &[new_text(&file), source]);
    if loaded.is_null() {
        let why = explained();
        print(&why.all);
        return Err(if why.line.is_empty() {
            "the script resigns while it is being loaded".to_owned()
        } else {
            why.line
        });
    }
    let item = |at| {
        // SAFETY: a tuple of ours; the reference is kept for ever.
        unsafe { (py.PySequence_GetItem)(loaded, at) }
    };
    let texts: Vec<CString> =
        (1..6).map(|at| CString::new(text_of(item(at)).unwrap_or_default()).unwrap_or_default()).collect();
    let said = |at: usize| if texts[at].is_empty() { null() } else { texts[at].as_ptr() };
    // SAFETY: objects of ours.
    let is_true = |at| unsafe { (py.PyObject_IsTrue)(item(at)) } == 1;
    let table = raw::Bot {
        magic: raw::MAGIC,
        abi: raw::ABI,
        struct_size: size_of::<raw::Bot>() as u32,
        flags: 0,
        name: said(0),
        version: said(1),
        author: said(2),
        about: said(3),
        games: said(4),
        create: Some(create),
        destroy: None,
        new_game: Some(new_game),
        choose_move: Some(choose_move),
        played: is_true(6).then_some(played as _),
        game_over: is_true(7).then_some(game_over as _),
        stop: None,
        extension: None,
    };
    let script = Script { class: item(0), table, _texts: texts };
    Ok(&raw const SCRIPT.get_or_init(|| script).table)
}

/// What an exception means.
struct Why {
    status: i32,
    line: String,
    all: String,
}

/// Takes the exception that is set, and says what it means.
fn explained() -> Why {
    let py = api();
    let (mut kind, mut value, mut trace) = (null_mut(), null_mut(), null_mut());
    // SAFETY: three references of ours from here on.
    unsafe {
        (py.PyErr_Fetch)(&raw mut kind, &raw mut value, &raw mut trace);
        (py.PyErr_NormalizeException)(&raw mut kind, &raw mut value, &raw mut trace);
        if !value.is_null() && !trace.is_null() {
            (py.PyException_SetTraceback)(value, trace);
        }
    }
    if value.is_null() {
        let line = "it failed without an exception".to_owned();
        return Why { status: raw::ERR_PANIC, line, all: String::new() };
    }
    let is_memory = is_a(value, c"MemoryError");
    let told = call(class(EXPLAIN), &[value]);
    let item = |at| {
        // SAFETY: a tuple, or an object that has no items.
        let item = unsafe { (py.PySequence_GetItem)(told, at) };
        (!item.is_null()).then_some(item)
    };
    let told = (!told.is_null())
        .then(|| {
            Some(Why {
                status: i32::try_from(integer_of(item(0)?)?).ok()?,
                line: text_of(item(1)?)?.to_owned(),
                all: text_of(item(2)?)?.to_owned(),
            })
        })
        .flatten();
    // SAFETY: whatever went wrong in telling is forgotten.
    unsafe { (py.PyErr_Clear)() };
    told.unwrap_or_else(|| Why {
        status: if is_memory { raw::ERR_MEMORY } else { raw::ERR_PANIC },
        line: if is_memory { "MemoryError" } else { "an exception that cannot be told" }.to_owned(),
        all: String::new(),
    })
}

/// The exception that is set, in words, where the module that explains is not there yet.
fn raised() -> String {
    if CLASSES.get().is_some() { explained().line } else { "an exception".to_owned() }
}

/// Prints where a bot's own output goes.
#[expect(clippy::print_stderr, reason = "what the bot's process prints is kept with its match")]
fn print(text: &str) {
    if !text.is_empty() {
        eprintln!("{text}");
    }
}

/// Tells the arbiter of the exception that is set, and gives the status for it. The bot plays no more.
fn failed(host: *const raw::Host) -> i32 {
    let why = explained();
    print(&why.all);
    if why.status != raw::RESIGN {
        replace(&PLAYER, null_mut());
    }
    log_error(host, &why.line);
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = (why.status, why.line);
    why.status
}

/// Answers for a bot that plays no more.
fn failed_before(host: *const raw::Host) -> i32 {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    log_error(host, &last.1);
    last.0
}

fn log_error(host: *const raw::Host, line: &str) {
    if !line.is_empty() {
        let line = CString::new(line.replace('\0', "")).unwrap_or_default();
        // SAFETY: the arbiter's own table, and a text that outlives the call.
        unsafe { ((*host).log)(host, raw::LOG_ERROR, line.as_ptr()) };
    }
}

/// Puts a reference into a place, and gives back the one that was there.
fn replace(place: &AtomicPtr<crate::python::Object>, new: Ref) {
    let old = place.swap(new, Ordering::Relaxed);
    if !old.is_null() {
        // SAFETY: it was the place's.
        unsafe { (api().Py_DecRef)(old) };
    }
}

fn method(object: Ref, name: &CStr) -> Ref {
    // SAFETY: an object that lives, and a text.
    unsafe { (api().PyObject_GetAttrString)(object, name.as_ptr()) }
}

/// Calls a method, whose arguments are taken over. Null with an exception.
fn ask(object: Ref, name: &CStr, arguments: &[Ref]) -> Ref {
    let bound = method(object, name);
    if bound.is_null() {
        return null_mut();
    }
    let answer = call(bound, arguments);
    // SAFETY: ours.
    unsafe { (api().Py_DecRef)(bound) };
    answer
}

unsafe extern "C" fn create(host: *const raw::Host, _this: *mut *mut c_void) -> i32 {
    WORLD.host.store(host.cast_mut(), Ordering::Relaxed);
    raw::OK
}

/// # Safety
/// `at` ends with a zero.
unsafe fn text(at: *const c_char) -> Ref {
    // SAFETY: as the caller promises.
    new_text(&unsafe { CStr::from_ptr(at) }.to_string_lossy())
}

/// # Safety
/// A list of so many settings.
unsafe fn settings(at: *const raw::Setting, count: u32) -> Ref {
    // SAFETY: as the caller promises.
    let settings = unsafe { list(at, count) };
    new_list(settings.iter().map(|setting| {
        // SAFETY: texts of the arbiter's.
        let (key, value) = unsafe { (text(setting.key), text(setting.value)) };
        new_list([key, value].into_iter())
    }))
}

unsafe extern "C" fn new_game(_this: *mut c_void, game: *const raw::Game) -> i32 {
    WORLD.game.store(game.cast_mut(), Ordering::Relaxed);
    // SAFETY: the arbiter's own, until the next game.
    let game = unsafe { &*game };
    let memory = if game.memory == u64::MAX { nothing() } else { new_int(game.memory.cast_signed()) };
    // SAFETY: texts and lists of the game.
    let values = unsafe {
        [
            text(game.game),
            new_int(game.seat.into()),
            new_int(game.players.into()),
            new_int(game.width.into()),
            new_int(game.height.into()),
            new_int(game.depth.into()),
            text(game.start_text),
            settings(game.rules, game.rule_count),
            settings(game.options, game.option_count),
            new_int(game.threads.into()),
            new_int(game.max_errors.into()),
            memory,
            new_uint(game.seed),
            seconds(game.time_ns),
            seconds(game.increment_ns),
            seconds(game.move_limit_ns),
        ]
    };
    let object = call(class(NEW_GAME), &values);
    if object.is_null() {
        return failed(game.host);
    }
    replace(&GAME, object);
    let before = load(&PLAYER);
    let player = match SCRIPT.get() {
        Some(_) if !before.is_null() => ask(before, c"next_game", &[shared(object)]),
        Some(script) => call(script.class, &[shared(object)]),
        None => null_mut(),
    };
    if player.is_null() {
        return failed(game.host);
    }
    replace(&PLAYER, player);
    raw::OK
}

unsafe extern "C" fn choose_move(_this: *mut c_void, turn: *const raw::Turn, chosen: *mut u64) -> i32 {
    WORLD.turn.store(turn.cast_mut(), Ordering::Relaxed);
    // SAFETY: the turn lasts until this returns.
    let status = unsafe { answer(&*turn, &mut *chosen) };
    WORLD.turn.store(null_mut(), Ordering::Relaxed);
    status
}

fn answer(turn: &raw::Turn, chosen: &mut u64) -> i32 {
    let player = load(&PLAYER);
    if player.is_null() {
        return failed_before(turn.host);
    }
    let arguments = [
        // SAFETY: the turn holds as many.
        new_moves(unsafe { list(turn.moves, turn.move_count) }),
        new_int(turn.seat.into()),
        new_int(turn.players.into()),
        new_int(turn.ply.into()),
        new_int(turn.attempt.into()),
        seconds(turn.soft_ns),
        seconds(turn.hard_ns),
        shared(load(&GAME)),
    ];
    let object = call(class(TURN), &arguments);
    if object.is_null() {
        return failed(turn.host);
    }
    let answered = ask(player, c"choose_move", &[object]);
    if answered.is_null() {
        return failed(turn.host);
    }
    let number = number_of(answered).or_else(|| no_move(answered));
    // SAFETY: ours.
    unsafe { (api().Py_DecRef)(answered) };
    match number {
        Some(number) => {
            *chosen = number;
            raw::OK
        }
        None => failed(turn.host),
    }
}

/// Says what a bot returned instead of a move.
fn no_move(answered: Ref) -> Option<u64> {
    // SAFETY: that a number is too small or too large is said below.
    unsafe { (api().PyErr_Clear)() };
    // SAFETY: every object has a class with a name.
    let kind = unsafe { method((api().PyObject_Type)(answered), c"__name__") };
    let kind = text_of(kind).unwrap_or_default();
    let number = integer_of(answered);
    let what = match text_of(answered) {
        Some(text) => format!("'{text}'"),
        None if kind == "NoneType" => "None".to_owned(),
        None => number.map_or_else(|| format!("a {kind}"), |number| number.to_string()),
    };
    // SAFETY: whatever asking has raised is forgotten.
    unsafe { (api().PyErr_Clear)() };
    native::raise(
        c"TypeError",
        &format!(
            "choose_move returned {what} instead of one of turn.moves; turn.position.parse_move(text) reads a move"
        ),
    );
    None
}

unsafe extern "C" fn played(_this: *mut c_void, event: *const raw::Event) {
    let player = load(&PLAYER);
    if player.is_null() {
        return;
    }
    WORLD.event.store(event.cast_mut(), Ordering::Relaxed);
    // SAFETY: the event lasts until this returns.
    let event = unsafe { &*event };
    let arguments = [
        new_int(event.seat.into()),
        new_int(event.ply.into()),
        new_int(event.flags.into()),
        new_move(event.r#move),
        seconds(event.time_ns),
        // SAFETY: the event's text.
        unsafe { text(event.text) },
        shared(load(&GAME)),
    ];
    tell(player, c"played", call(class(EVENT), &arguments), event.host);
    WORLD.event.store(null_mut(), Ordering::Relaxed);
}

unsafe extern "C" fn game_over(_this: *mut c_void, result: *const raw::GameResult) {
    let player = load(&PLAYER);
    if player.is_null() {
        return;
    }
    // SAFETY: the result lasts until this returns.
    let result = unsafe { &*result };
    // SAFETY: the result holds one for each seat, or null.
    let numbers = |at| new_list(unsafe { list(at, result.players) }.iter().map(|&n: &i32| new_int(n.into())));
    let scores = if result.scores.is_null() { nothing() } else { numbers(result.scores) };
    let arguments = [
        new_int(result.outcome.into()),
        numbers(result.outcomes),
        numbers(result.ranks),
        scores,
        // SAFETY: the result's text.
        unsafe { text(result.reason) },
        shared(load(&GAME)),
    ];
    tell(player, c"game_over", call(class(RESULT), &arguments), result.host);
}

/// Tells the bot something that it does not answer. After an exception it plays no more: its next turn fails with that.
fn tell(player: Ref, method: &CStr, object: Ref, host: *const raw::Host) {
    let told = if object.is_null() { null_mut() } else { ask(player, method, &[object]) };
    if told.is_null() {
        failed(host);
    } else {
        // SAFETY: ours.
        unsafe { (api().Py_DecRef)(told) };
    }
}
