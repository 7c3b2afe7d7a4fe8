//! Opening a library and reading the table that its entry point gives.

use super::load_error::{FieldName, LoadError, TextField};
use super::services::bytes_of;
use crate::host::message::{Greeting, LONGEST_NAME, LONGEST_TEXT};
use arbiter_plugin_api::raw::{self, Bot};
#[cfg(unix)]
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
#[cfg(windows)]
use libloading::os::windows::{LOAD_WITH_ALTERED_SEARCH_PATH, Library};
use std::ffi::c_char;
use std::mem::{MaybeUninit, offset_of};
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
        let entry = entry_point(path, name)?;
        // SAFETY: the symbol is named for this type and this ABI; that it keeps to it cannot be checked.
        let table = unsafe { entry(raw::ABI) };
        // SAFETY: the header asks for a table that stays unchanged for ever, as long as it says itself, or null.
        let table = unsafe { copy(table) }?;
        // SAFETY: the table was copied from a library that is never unloaded; the header asks for texts or null.
        let greeting = unsafe { greeting(&table) }?;
        Ok(LoadedBot { table, greeting })
    }
}

/// Loads a library for ever and finds its entry point.
fn entry_point(path: &Path, name: &Path) -> Result<raw::EntryPoint, LoadError> {
    // SAFETY: the library's constructors run. In a child process they harm only the child; in our own process the
    // user has said that the library is trusted.
    let library = unsafe { load(path) };
    let library = library.map_err(|error| {
        let message = innermost(&error).replace(&*path.to_string_lossy(), &name.display().to_string());
        LoadError::NotOpened { message }
    })?;
    // SAFETY: the symbol is named for this type and this ABI; that it keeps to it cannot be checked.
    let symbol = unsafe { library.get::<raw::EntryPoint>(raw::ENTRY_POINT.to_bytes_with_nul()) };
    let entry = symbol.map(|symbol| *symbol).map_err(|_| LoadError::NoEntryPoint);
    // Threads and thread-locals of the library may outlive any call, so it is never unloaded.
    std::mem::forget(library);
    entry
}

/// Loads a library and binds all functions at once, so that a missing one cannot end a game in its middle.
///
/// # Safety
/// The library's constructors may run here.
#[cfg(unix)]
unsafe fn load(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: as the caller promises.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
}

/// Loads a library. The loader looks for the libraries that it needs beside it first.
///
/// # Safety
/// The library's constructors may run here.
#[cfg(windows)]
unsafe fn load(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: as the caller promises.
    unsafe { Library::load_with_flags(path, LOAD_WITH_ALTERED_SEARCH_PATH) }
}

/// What the system's loader says, without what libloading says around it.
fn innermost(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), innermost)
}

/// Copies a table of any size; fields that are not wholly inside it are null.
///
/// # Safety
/// `table` is null, or as long as its own `struct_size` says.
unsafe fn copy(table: *const Bot) -> Result<Bot, LoadError> {
    if table.is_null() {
        return Err(LoadError::Refused);
    }
    let number = |offset: usize| {
        // SAFETY: the first four fields are numbers of four bytes, read in turn as far as they make sense.
        unsafe { table.cast::<u8>().add(offset).cast::<u32>().read_unaligned() }
    };
    let magic = number(offset_of!(Bot, magic));
    if magic != raw::MAGIC {
        return Err(LoadError::WrongMagic { magic });
    }
    let abi = number(offset_of!(Bot, abi));
    if abi >> 16 != raw::ABI_MAJOR {
        return Err(LoadError::WrongAbi { major: abi >> 16 });
    }
    let size = number(offset_of!(Bot, struct_size));
    if (size as usize) < SMALLEST {
        return Err(LoadError::TableTooShort { size });
    }
    let mut whole = MaybeUninit::<Bot>::zeroed();
    // After four numbers come pointers only, so whole fields end at multiples of a pointer's size.
    let known = (size as usize / size_of::<usize>() * size_of::<usize>()).min(size_of::<Bot>());
    // SAFETY: the table is at least `known` bytes long, as the caller promises, and so is ours.
    unsafe { std::ptr::copy_nonoverlapping(table.cast::<u8>(), whole.as_mut_ptr().cast(), known) };
    // SAFETY: any bytes are a table: numbers, pointers, and functions where zero means none.
    let bot = unsafe { whole.assume_init() };
    if bot.choose_move.is_none() {
        return Err(LoadError::FieldMissing { field: FieldName::ChooseMove });
    }
    Ok(bot)
}

/// What a table says of its bot.
///
/// # Safety
/// The texts of the table are null or end with a zero byte.
unsafe fn greeting(table: &Bot) -> Result<Greeting, LoadError> {
    if table.name.is_null() {
        return Err(LoadError::FieldMissing { field: FieldName::Name });
    }
    // SAFETY: null or a text, as the caller promises; the same holds below.
    let read = |field, text: *const c_char, limit| unsafe { checked_text(field, text, limit) };
    let name = read(TextField::Name, table.name, LONGEST_NAME)?;
    if name.is_empty() {
        return Err(LoadError::FieldMissing { field: FieldName::Name });
    }
    Ok(Greeting {
        name,
        version: read(TextField::Version, table.version, LONGEST_TEXT)?,
        author: read(TextField::Author, table.author, LONGEST_TEXT)?,
        about: read(TextField::About, table.about, LONGEST_TEXT)?,
        games: read(TextField::Games, table.games, LONGEST_TEXT)?
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
unsafe fn checked_text(field: TextField, text: *const c_char, limit: usize) -> Result<String, LoadError> {
    // SAFETY: null or a text, as the caller promises. One byte more than allowed tells whether it is too long.
    let bytes = unsafe { bytes_of(text, limit + 1) }.unwrap_or_default();
    if bytes.len() > limit {
        return Err(LoadError::TextTooLong { field, limit });
    }
    Ok(String::from_utf8_lossy(bytes).into_owned())
}
