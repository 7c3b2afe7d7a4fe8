//! The bridge for bots that are WebAssembly modules: `arbiter ./bot.wasm`.
//!
//! A module is the same bot as a shared library, compiled from the same sources for another machine: it exports
//! `arbiter_bot_v1`, and its structs are those of `arbiter_bot.h` with pointers of four bytes. `guest` holds the module and
//! its memory, `structs` says how a struct lies in it, `services` lends it the functions of the host table, and `bot` calls
//! it. A module reaches nothing else: it may import nothing, so what it does follows from what it is told, on every system.

mod bot;
mod guest;
mod services;
mod structs;

use arbiter_plugin_api::bridge::{Bridge, say};
use arbiter_plugin_api::raw;
use guest::Allowance;
use std::ffi::{CStr, c_char};
use std::panic::catch_unwind;
use std::ptr::null;
use std::sync::OnceLock;

static BRIDGE: Bridge = Bridge {
    magic: raw::MAGIC,
    abi: raw::ABI,
    struct_size: size_of::<Bridge>() as u32,
    flags: 0,
    find,
    start,
    open,
};

/// What runs the modules. Instructions are counted as this very version counts them.
const ENGINE: &str = "wasmi 2.0.0";

static ALLOWANCE: OnceLock<Allowance> = OnceLock::new();

/// What the arbiter looks for.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_bridge_v1(host_abi: u32) -> *const Bridge {
    if host_abi >> 16 == raw::ABI_MAJOR { &raw const BRIDGE } else { null() }
}

unsafe extern "C" fn find(_runtime: *const c_char, found: *mut c_char, room: u32) -> i32 {
    // SAFETY: a buffer of that size, by the contract of bridges.
    unsafe { say(&format!("runtime {ENGINE}\ncounts instructions\n"), found, room) };
    raw::OK
}

unsafe extern "C" fn start(found: *const c_char, _problem: *mut c_char, _room: u32) -> i32 {
    // SAFETY: a text that ends with a zero, by the contract of bridges.
    let found = unsafe { CStr::from_ptr(found) }.to_str().unwrap_or_default();
    ALLOWANCE.get_or_init(|| Allowance::of(found));
    raw::OK
}

unsafe extern "C" fn open(
    payload: *const raw::PayloadV1,
    problem: *mut c_char,
    room: u32,
) -> *const raw::Bot {
    let open = || {
        // SAFETY: a payload that stays for ever.
        let payload = unsafe { payload.as_ref() }.ok_or("there is no module")?;
        // SAFETY: so many bytes, which stay for ever.
        let bytes = unsafe {
            std::slice::from_raw_parts(payload.data.cast(), usize::try_from(payload.size).unwrap_or(0))
        };
        bot::open(bytes, *ALLOWANCE.get_or_init(Allowance::default))
    };
    let said = match catch_unwind(open) {
        Ok(Ok(table)) => return table,
        Ok(Err(said)) => said,
        Err(_) => "the bridge for WebAssembly has a bug: it panicked".to_owned(),
    };
    // SAFETY: a buffer of that size.
    unsafe { say(&said, problem, room) };
    null()
}

#[cfg(test)]
mod tests {
    use super::ENGINE;

    #[test]
    fn reports_name_the_engine_that_is_built_in() {
        let (name, version) = ENGINE.split_once(' ').unwrap();
        let lock = include_str!("../../../Cargo.lock").replace("\r\n", "\n");
        assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n")));
    }
}
