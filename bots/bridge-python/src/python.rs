//! The functions of libpython that the bridge calls: those of the stable ABI, so that one bridge serves every version of
//! Python. They are found when the library has been opened; nothing is linked.

use libloading::Library;
use std::ffi::{c_char, c_int, c_long, c_longlong, c_ulonglong, c_void};
use std::path::Path;
use std::sync::OnceLock;

/// A Python object, whose inside only Python knows.
#[repr(C)]
pub(crate) struct Object {
    _opaque: [u8; 0],
}

/// A reference that somebody has to give back.
pub(crate) type Ref = *mut Object;

/// The size of what every object begins with: a count and a type. Free-threaded Pythons have a longer one, and are refused.
pub(crate) const HEAD: usize = 2 * size_of::<usize>();

/// `PyMethodDef`.
#[repr(C)]
pub(crate) struct Method {
    pub(crate) name: *const c_char,
    pub(crate) function: *const c_void,
    pub(crate) flags: c_int,
    pub(crate) doc: *const c_char,
}

// SAFETY: tables of functions and texts, which are only read.
unsafe impl Sync for Method {}

/// `PyType_Slot`.
#[repr(C)]
pub(crate) struct Slot {
    pub(crate) slot: c_int,
    pub(crate) value: *mut c_void,
}

/// `PyType_Spec`.
#[repr(C)]
pub(crate) struct Spec {
    pub(crate) name: *const c_char,
    pub(crate) basicsize: c_int,
    pub(crate) itemsize: c_int,
    pub(crate) flags: u32,
    pub(crate) slots: *mut Slot,
}

/// A function with positional arguments in an array.
pub(crate) const FASTCALL: c_int = 0x0080;
/// A function with no argument, and with one.
pub(crate) const NOARGS: c_int = 0x0004;
pub(crate) const ONE: c_int = 0x0008;
/// Slots of types.
pub(crate) const TP_DEALLOC: c_int = 52;
pub(crate) const TP_METHODS: c_int = 64;
/// `Py_file_input`: source of a whole module.
pub(crate) const WHOLE_FILE: c_int = 257;

macro_rules! api {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ty),*) $(-> $result:ty)?;)+) => {
        /// The functions.
        #[allow(non_snake_case, reason = "named as in Python's documentation")]
        pub(crate) struct Api {
            $($(#[$doc])* pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)+
            /// `None`.
            pub(crate) none: Ref,
            /// `PyMarshal_ReadObjectFromString`, where there is one: it is in no stable ABI.
            pub(crate) unmarshal: Option<unsafe extern "C" fn(*const c_char, isize) -> Ref>,
            _library: Library,
        }

        impl Api {
            /// # Safety
            /// The library is libpython.
            unsafe fn of(library: Library) -> Result<Api, String> {
                let missing = |error: libloading::Error| format!("its library lacks a function: {error}");
                // SAFETY: the symbols are Python's, of these types by its stable ABI.
                unsafe {
                    Ok(Api {
                        $($name: *library
                            .get(concat!(stringify!($name), "\0").as_bytes())
                            .map_err(missing)?,)+
                        none: *library.get::<*mut Object>(b"_Py_NoneStruct\0").map_err(missing)?,
                        unmarshal: library.get(b"PyMarshal_ReadObjectFromString\0").ok().map(|symbol| *symbol),
                        _library: library,
                    })
                }
            }
        }
    };
}

api! {
    fn Py_InitializeEx(c_int);
    fn Py_IncRef(Ref);
    fn Py_DecRef(Ref);
    fn Py_CompileString(*const c_char, *const c_char, c_int) -> Ref;
    fn PyEval_EvalCode(Ref, Ref, Ref) -> Ref;
    fn PyEval_GetBuiltins() -> Ref;
    fn PyImport_AddModule(*const c_char) -> Ref;
    fn PyModule_GetDict(Ref) -> Ref;
    fn PyCFunction_NewEx(*const Method, Ref, Ref) -> Ref;
    fn PyType_FromSpec(*mut Spec) -> Ref;
    fn PyType_GenericAlloc(Ref, isize) -> Ref;
    fn PyObject_Free(*mut c_void);
    fn PyObject_Type(Ref) -> Ref;
    fn PyObject_CallObject(Ref, Ref) -> Ref;
    fn PyObject_GetAttrString(Ref, *const c_char) -> Ref;
    fn PyObject_IsInstance(Ref, Ref) -> c_int;
    fn PyObject_IsTrue(Ref) -> c_int;
    fn PyDict_GetItemString(Ref, *const c_char) -> Ref;
    fn PyDict_SetItemString(Ref, *const c_char, Ref) -> c_int;
    fn PyList_New(isize) -> Ref;
    fn PyList_SetItem(Ref, isize, Ref) -> c_int;
    fn PySequence_Size(Ref) -> isize;
    fn PySequence_GetItem(Ref, isize) -> Ref;
    fn PyTuple_New(isize) -> Ref;
    fn PyTuple_SetItem(Ref, isize, Ref) -> c_int;
    fn PyNumber_Index(Ref) -> Ref;
    fn PyLong_FromUnsignedLongLong(c_ulonglong) -> Ref;
    fn PyLong_FromLongLong(c_longlong) -> Ref;
    fn PyLong_AsUnsignedLongLong(Ref) -> c_ulonglong;
    fn PyLong_AsLongLong(Ref) -> c_longlong;
    fn PyBool_FromLong(c_long) -> Ref;
    fn PyFloat_FromDouble(f64) -> Ref;
    fn PyBytes_FromStringAndSize(*const c_char, isize) -> Ref;
    fn PyUnicode_FromStringAndSize(*const c_char, isize) -> Ref;
    fn PyUnicode_AsUTF8AndSize(Ref, *mut isize) -> *const c_char;
    fn PyErr_Occurred() -> Ref;
    fn PyErr_Clear();
    fn PyErr_Fetch(*mut Ref, *mut Ref, *mut Ref);
    fn PyErr_NormalizeException(*mut Ref, *mut Ref, *mut Ref);
    fn PyException_SetTraceback(Ref, Ref) -> c_int;
    fn PyErr_SetString(Ref, *const c_char);
}

static API: OnceLock<Api> = OnceLock::new();

// SAFETY: functions and a pointer, used only while the thread holds Python's global lock.
unsafe impl Sync for Api {}
// SAFETY: as above.
unsafe impl Send for Api {}

/// The functions, once the library has been opened: nothing of this crate that calls them runs before.
pub(crate) fn api() -> &'static Api {
    API.get().expect("the interpreter was started before anything calls it")
}

/// Opens libpython and starts the interpreter in this thread, which holds its lock from then on.
///
/// # Errors
/// A library that cannot be opened, or that lacks something.
pub(crate) fn start(library: &Path) -> Result<(), String> {
    // SAFETY: the library is the interpreter's own, as it said itself; extension modules need its symbols to be seen by all.
    let library =
        unsafe { open(library) }.map_err(|error| format!("its library cannot be loaded: {error}"))?;
    // The start need not look for settings of the machine that have been found already. What a bot prints is UTF-8: it has no
    // locale that would say so.
    for flag in [&b"Py_NoSiteFlag\0"[..], b"Py_UTF8Mode\0"] {
        // SAFETY: a variable of libpython, read when it starts. A later version may not have it.
        if let Ok(flag) = unsafe { library.get::<*mut c_int>(flag) } {
            // SAFETY: as above.
            unsafe { flag.write(1) };
        }
    }
    // SAFETY: it is libpython.
    let api = unsafe { Api::of(library) }?;
    let api = API.get_or_init(|| api);
    // SAFETY: the first call of all, in the thread that will make all others. 0: it installs no signal handlers.
    unsafe { (api.Py_InitializeEx)(0) };
    Ok(())
}

#[cfg(unix)]
unsafe fn open(library: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
    // SAFETY: as the caller promises.
    unsafe { Library::open(Some(library), RTLD_NOW | RTLD_GLOBAL) }.map(Into::into)
}

#[cfg(not(unix))]
unsafe fn open(library: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: as the caller promises.
    unsafe { Library::new(library) }
}
