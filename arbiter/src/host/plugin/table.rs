//! Opening a library, a bot's or a bridge's, and reading the table that its entry point gives.

use super::LoadError;
use super::seat::c_text;
use super::services::{bytes_of, known_part};
use crate::host::message::{Greeting, LONGEST_NAME, LONGEST_TEXT, name_of};
use arbiter_plugin_api::bridge::{self, Bridge, MAX_SAID};
use arbiter_plugin_api::raw::{self, Bot};
#[cfg(unix)]
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
#[cfg(windows)]
use libloading::os::windows::{LOAD_WITH_ALTERED_SEARCH_PATH, Library};
use std::ffi::{CStr, c_char};
use std::mem::offset_of;
use std::path::Path;

/// The smallest table there can be: up to and with `choose_move`.
const SMALLEST: usize = offset_of!(Bot, played);

/// A bot's table, copied from a library that stays loaded until the process ends.
#[derive(Clone, Debug)]
pub(super) struct LoadedBot {
    pub(super) table: Bot,
    pub(super) greeting: Greeting,
}

impl LoadedBot {
    /// Opens the library at `path` and asks it for its table. Its constructors and its entry point run in this process.
    /// Messages call it `name`.
    pub(super) fn open(path: &Path, name: &Path) -> Result<LoadedBot, LoadError> {
        let entry = load::<raw::EntryPoint>(path, name, raw::ENTRY_POINT)?;
        // SAFETY: the symbol is named for this type and this ABI; that it keeps to it cannot be checked.
        let table = unsafe { entry(raw::ABI) };
        // SAFETY: the header asks for a table that stays unchanged for ever, as long as it says itself, or null.
        unsafe { LoadedBot::of(table) }
    }

    /// The bot that a table is.
    ///
    /// # Safety
    /// `table` is null, or stays unchanged for ever and is as long as its own `struct_size` says.
    unsafe fn of(table: *const Bot) -> Result<LoadedBot, LoadError> {
        // SAFETY: null, or a table, as the caller promises.
        let size = unsafe { size_in(table.cast()) }?;
        if (size as usize) < SMALLEST {
            return Err(LoadError::TableTooShort(size));
        }
        // SAFETY: the table is as long as it says. Any bytes are a table: numbers, pointers, and functions where zero means none.
        let table = unsafe { known_part(table, size).assume_init() };
        if table.choose_move.is_none() {
            return Err(LoadError::FieldMissing("choose_move".to_owned()));
        }
        // SAFETY: the table was copied from a library that is never unloaded; the header asks for texts or null.
        let greeting = unsafe { greeting(&table) }?;
        Ok(LoadedBot { table, greeting })
    }
}

/// A bridge that stays loaded until the process ends.
#[derive(Clone, Copy)]
pub(in crate::host) struct LoadedBridge(Bridge);

impl LoadedBridge {
    /// Opens the library at `path`, which messages call `name`.
    pub(in crate::host) fn open(path: &Path, name: &Path) -> Result<LoadedBridge, LoadError> {
        let entry = load::<bridge::EntryPoint>(path, name, bridge::ENTRY_POINT)?;
        // SAFETY: the symbol is named for this type.
        let table = unsafe { entry(raw::ABI) };
        // SAFETY: null, or a table that begins as every table does.
        let size = unsafe { size_in(table.cast()) }?;
        // All of its fields are required.
        if (size as usize) < size_of::<Bridge>() {
            return Err(LoadError::TableTooShort(size));
        }
        // SAFETY: the table is long enough, as it says itself.
        Ok(LoadedBridge(unsafe { table.read_unaligned() }))
    }

    /// Asks what it needs of the system. `runtime` is what the user has named for it, such as an interpreter.
    pub(in crate::host) fn find(&self, runtime: Option<&str>) -> Result<String, String> {
        let runtime = runtime.map(c_text);
        let named = runtime.as_ref().map_or(std::ptr::null(), |runtime| runtime.as_ptr());
        // SAFETY: the table promises a function of this type; the text and the buffer outlive the call.
        let (status, said) = hear(|at, room| unsafe { (self.0.find)(named, at, room) });
        match status {
            // A list that was cut, perhaps within a letter, could end in a folder that holds more than the one that was meant.
            raw::OK if said.len() + 4 >= ROOM => {
                Err(format!("it found more than {} bytes can say", said.len()))
            }
            raw::OK => Ok(said),
            _ => Err(said),
        }
    }

    /// Gets ready with what was found.
    pub(in crate::host) fn start(&self, found: &str) -> Result<(), LoadError> {
        let found = c_text(found);
        // SAFETY: the table promises a function of this type; the text and the buffer outlive the call.
        let (status, said) = hear(|at, room| unsafe { (self.0.start)(found.as_ptr(), at, room) });
        if status == raw::OK { Ok(()) } else { Err(LoadError::NotBegun(said)) }
    }

    /// The bot that a payload is.
    pub(super) fn bot(&self, payload: &'static raw::PayloadV1) -> Result<LoadedBot, LoadError> {
        // SAFETY: the table promises a function of this type; the payload stays for ever.
        let (table, said) = hear(|at, room| unsafe { (self.0.open)(payload, at, room) });
        if table.is_null() {
            return Err(LoadError::NotBegun(said));
        }
        // SAFETY: a table that stays unchanged for ever, as long as it says itself.
        unsafe { LoadedBot::of(table) }
    }
}

/// Bytes that a bridge may say. One more is kept, so that there is always a zero at the end.
const ROOM: usize = MAX_SAID - 1;

/// Calls a bridge, and hears what it says.
fn hear<T>(call: impl FnOnce(*mut c_char, u32) -> T) -> (T, String) {
    let mut said = vec![0_u8; MAX_SAID];
    let given = call(said.as_mut_ptr().cast(), ROOM as u32);
    let said = CStr::from_bytes_until_nul(&said).unwrap_or_default().to_string_lossy();
    (given, if said.is_empty() { "its bridge does not say why".to_owned() } else { said.into_owned() })
}

/// Loads a library for ever and finds its entry point, which is of this type. Messages call the library `name`.
fn load<EntryPoint: Copy>(path: &Path, name: &Path, symbol: &CStr) -> Result<EntryPoint, LoadError> {
    // SAFETY: the library's constructors run. In a child process they harm only the child; in our own process the
    // user has said that the library is trusted.
    // All functions are bound at once, so that a missing one cannot end a game in its middle.
    #[cfg(unix)]
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    // SAFETY: as above. The loader looks for the libraries that it needs beside it first.
    #[cfg(windows)]
    let library = unsafe { Library::load_with_flags(path, LOAD_WITH_ALTERED_SEARCH_PATH) };
    let library = library.map_err(|error| {
        let message = innermost(&error).replace(&*path.to_string_lossy(), &name.display().to_string());
        // The bot's own file is open by now. A library that it needs may be there and may not be read; which of the folders the
        // loader tells of is the one where it has looked last.
        let problem = "cannot open shared object file: ";
        let ours = format!("{problem}it is none of the libraries of this system that bots may read");
        let message = ["Permission denied", "No such file or directory"]
            .into_iter()
            .fold(message, |message, reason| message.replace(&format!("{problem}{reason}"), &ours));
        LoadError::NotOpened(message)
    })?;
    // SAFETY: the symbol is named for this type and this ABI; that it keeps to it cannot be checked.
    let symbol = unsafe { library.get::<EntryPoint>(symbol.to_bytes_with_nul()) };
    let entry = symbol.map(|symbol| *symbol).map_err(|_| LoadError::NoEntryPoint);
    // Threads and thread-locals of the library may outlive any call, so it is never unloaded.
    std::mem::forget(library);
    entry
}

/// What the system's loader says, without what libloading says around it.
fn innermost(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), innermost)
}

/// The size that a table says it has, after its first two fields have been judged: every table of ours begins alike.
///
/// # Safety
/// `table` is null, or at least four numbers long.
unsafe fn size_in(table: *const u8) -> Result<u32, LoadError> {
    if table.is_null() {
        return Err(LoadError::Refused);
    }
    let number = |offset: usize| {
        // SAFETY: the first four fields are numbers of four bytes, read in turn as far as they make sense.
        unsafe { table.add(offset).cast::<u32>().read_unaligned() }
    };
    let magic = number(offset_of!(Bot, magic));
    if magic != raw::MAGIC {
        return Err(LoadError::WrongMagic(magic));
    }
    let abi = number(offset_of!(Bot, abi));
    if abi >> 16 != raw::ABI_MAJOR {
        return Err(LoadError::WrongAbi(abi >> 16));
    }
    Ok(number(offset_of!(Bot, struct_size)))
}

/// What a table says of its bot.
///
/// # Safety
/// The texts of the table are null or end with a zero byte.
unsafe fn greeting(table: &Bot) -> Result<Greeting, LoadError> {
    // SAFETY: null or a text, as the caller promises; the same holds below.
    let read = |field, text: *const c_char, limit| unsafe { checked_text(field, text, limit) };
    Ok(Greeting {
        name: name_of(&read("name", table.name, LONGEST_NAME)?)?,
        version: read("version", table.version, LONGEST_TEXT)?,
        author: read("author", table.author, LONGEST_TEXT)?,
        about: read("about", table.about, LONGEST_TEXT)?,
        games: read("games", table.games, LONGEST_TEXT)?
            .split(' ')
            .filter(|id| !id.is_empty())
            .map(str::to_owned)
            .collect(),
        abi: table.abi,
        flags: table.flags,
    })
}

/// A text of the table; empty for null. Bytes that are no UTF-8 are replaced.
///
/// # Safety
/// `text` is null, or ends with a zero byte.
unsafe fn checked_text(field: &str, text: *const c_char, limit: usize) -> Result<String, LoadError> {
    // SAFETY: null or a text, as the caller promises. One byte more than allowed tells whether it is too long.
    let bytes = unsafe { bytes_of(text, limit + 1) }.unwrap_or_default();
    if bytes.len() > limit {
        return Err(LoadError::TextTooLong { field: field.to_owned(), limit });
    }
    Ok(String::from_utf8_lossy(bytes).into_owned())
}
