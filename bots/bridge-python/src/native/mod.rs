//! What the module `arbiter_bot` is given beside its own source: the arbiter's functions as Python's, and the type of
//! positions. Everything here runs while its thread holds Python's global lock.

/// Methods and functions without an argument, with one, and with several.
macro_rules! functions {
    ($(fn $name:ident($object:ident $(, $argument:ident)?) $body:block)+) => {
        $(unsafe extern "C" fn $name($object: Ref, _argument: Ref) -> Ref {
            $(let $argument = _argument;)?
            $body
        })+
    };
}

mod functions;
mod position;
mod values;

pub(crate) use values::{
    call, integer_of, is_a, list, new_bytes, new_int, new_list, new_move, new_moves, new_text, new_uint,
    nothing, number_of, raise, seconds, shared, text_of,
};

use crate::python::{Api, Method, Ref, Slot, Spec, TP_DEALLOC, TP_METHODS, api};
use arbiter_plugin_api::raw;
use functions::FUNCTIONS;
use position::{POSITION, Position, position_dealloc};
use std::collections::HashMap;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

/// What the functions work with. One bot plays in a process.
pub(crate) struct World {
    pub(crate) host: AtomicPtr<raw::Host>,
    pub(crate) turn: AtomicPtr<raw::Turn>,
    pub(crate) event: AtomicPtr<raw::Event>,
    pub(crate) game: AtomicPtr<raw::Game>,
    /// The classes of the module, once it has told them.
    move_type: AtomicPtr<crate::python::Object>,
    illegal_move: AtomicPtr<crate::python::Object>,
    outcomes: [AtomicPtr<crate::python::Object>; 3],
    position_type: AtomicPtr<crate::python::Object>,
    moves: Mutex<Option<HashMap<u64, Shared>>>,
}

/// An object that is kept for ever.
struct Shared(Ref);
// SAFETY: it is used under Python's global lock.
unsafe impl Send for Shared {}

pub(crate) static WORLD: World = World {
    host: AtomicPtr::new(null_mut()),
    turn: AtomicPtr::new(null_mut()),
    event: AtomicPtr::new(null_mut()),
    game: AtomicPtr::new(null_mut()),
    move_type: AtomicPtr::new(null_mut()),
    illegal_move: AtomicPtr::new(null_mut()),
    outcomes: [const { AtomicPtr::new(null_mut()) }; 3],
    position_type: AtomicPtr::new(null_mut()),
    moves: Mutex::new(None),
};

pub(crate) fn load<T>(at: &AtomicPtr<T>) -> *mut T {
    at.load(Ordering::Relaxed)
}

/// The host table, once there is one: from `create` on.
fn host() -> Option<&'static raw::Host> {
    // SAFETY: null, or the table that `create` was given, which is good until the process ends.
    unsafe { load(&WORLD.host).as_ref() }
}

/// A table of functions beside the host table; `None` where this arbiter has none of that name.
///
/// # Safety
/// `T` is what `arbiter_bot.h` gives under that name.
unsafe fn extension<T>(host: &raw::Host, name: &CStr) -> Option<&'static T> {
    // SAFETY: the answer is null or the table of that name, which is good until the process ends.
    unsafe { (host.extension)(host, name.as_ptr()).cast::<T>().as_ref() }
}

fn too_early() -> Ref {
    raise(c"RuntimeError", "the arbiter can be asked from __init__ on, not while the module is imported")
}

const fn method(name: &'static CStr, function: *const c_void, flags: c_int) -> Method {
    Method { name: name.as_ptr(), function, flags, doc: null() }
}

const END: Method = Method { name: null(), function: null(), flags: 0, doc: null() };

/// The module `_arbiter`, new and filled. None with an exception.
pub(crate) fn module() -> Option<Ref> {
    let py: &Api = api();
    // SAFETY: tables that stay for ever; every reference is given to the module's dictionary, which takes its own.
    unsafe {
        let module = (py.PyImport_AddModule)(c"_arbiter".as_ptr());
        if module.is_null() {
            return None;
        }
        let dict = (py.PyModule_GetDict)(module);
        for function in &FUNCTIONS {
            let object = (py.PyCFunction_NewEx)(function, null_mut(), null_mut());
            if object.is_null() || (py.PyDict_SetItemString)(dict, function.name, object) != 0 {
                return None;
            }
            (py.Py_DecRef)(object);
        }
        let mut slots = [
            Slot { slot: TP_DEALLOC, value: position_dealloc as *mut c_void },
            Slot { slot: TP_METHODS, value: POSITION.as_ptr().cast_mut().cast() },
            Slot { slot: 0, value: null_mut() },
        ];
        let mut spec = Spec {
            name: c"arbiter_bot.Position".as_ptr(),
            basicsize: size_of::<Position>() as c_int,
            itemsize: 0,
            flags: 0,
            slots: slots.as_mut_ptr(),
        };
        let class = (py.PyType_FromSpec)(&raw mut spec);
        if class.is_null() || (py.PyDict_SetItemString)(dict, c"Position".as_ptr(), class) != 0 {
            return None;
        }
        WORLD.position_type.store(class, Ordering::Relaxed);
        Some(module)
    }
}
