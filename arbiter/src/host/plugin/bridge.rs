//! Bridges: libraries that let other files than libraries play.

use super::LoadError;
use super::table::{LoadedBot, load, whole};
use arbiter_plugin_api::bridge::{Bridge, ENTRY_POINT, EntryPoint, MAX_SAID};
use arbiter_plugin_api::raw;
use std::ffi::{CStr, CString, c_char};
use std::path::Path;

/// A bridge that stays loaded until the process ends.
#[derive(Clone, Copy)]
pub(in crate::host) struct LoadedBridge(Bridge);

impl LoadedBridge {
    /// Opens the library at `path`, which messages call `name`.
    pub(in crate::host) fn open(path: &Path, name: &Path) -> Result<LoadedBridge, LoadError> {
        let entry = load::<EntryPoint>(path, name, ENTRY_POINT)?;
        // SAFETY: the symbol is named for this type.
        let table = unsafe { entry(raw::ABI) };
        // SAFETY: null, or a table that begins as every table does and is as long as it says.
        unsafe { whole(table) }.map(LoadedBridge)
    }

    /// Asks what it needs of the system. `runtime` is what the user has named for it, such as an interpreter.
    pub(in crate::host) fn find(&self, runtime: Option<&str>) -> Result<String, String> {
        let runtime = runtime.map(text);
        let mut said = Said::new();
        let named = runtime.as_ref().map_or(std::ptr::null(), |runtime| runtime.as_ptr());
        // SAFETY: the table promises a function of this type; the text and the buffer outlive the call.
        let status = unsafe { (self.0.find)(named, said.at(), said.room()) };
        match said.text() {
            problem if status != raw::OK => Err(problem),
            // A list that was cut could end in a folder that holds more than the one that was meant.
            found if said.is_full() => Err(format!("it found more than {} bytes can say", found.len())),
            found => Ok(found),
        }
    }

    /// Gets ready with what was found.
    pub(in crate::host) fn start(&self, found: &str) -> Result<(), LoadError> {
        let (found, mut said) = (text(found), Said::new());
        // SAFETY: the table promises a function of this type; the text and the buffer outlive the call.
        let status = unsafe { (self.0.start)(found.as_ptr(), said.at(), said.room()) };
        if status == raw::OK { Ok(()) } else { Err(LoadError::NotBegun(said.text())) }
    }

    /// The bot that a payload is.
    pub(super) fn bot(&self, payload: &'static raw::PayloadV1) -> Result<LoadedBot, LoadError> {
        let mut said = Said::new();
        // SAFETY: the table promises a function of this type; the payload stays for ever.
        let table = unsafe { (self.0.open)(payload, said.at(), said.room()) };
        if table.is_null() {
            return Err(LoadError::NotBegun(said.text()));
        }
        // SAFETY: a table that stays unchanged for ever, as long as it says itself.
        unsafe { LoadedBot::of(table) }
    }
}

fn text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// Room for what a bridge says.
struct Said(Vec<u8>);

impl Said {
    fn new() -> Said {
        Said(vec![0; MAX_SAID])
    }

    fn at(&mut self) -> *mut c_char {
        self.0.as_mut_ptr().cast()
    }

    /// One byte is kept, so that there is always a zero at the end.
    fn room(&self) -> u32 {
        self.0.len() as u32 - 1
    }

    /// Whether what was said may have been cut, perhaps within a letter.
    fn is_full(&self) -> bool {
        let end = self.0.iter().position(|&byte| byte == 0);
        end.is_none_or(|end| end + 4 >= self.room() as usize)
    }

    fn text(&self) -> String {
        let said = CStr::from_bytes_until_nul(&self.0).unwrap_or_default().to_string_lossy();
        if said.is_empty() { "its bridge does not say why".to_owned() } else { said.into_owned() }
    }
}
