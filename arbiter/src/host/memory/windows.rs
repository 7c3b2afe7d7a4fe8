//! Blocks of Windows: sections of the paging file with a name.

use super::{Mapping, Name, not_ours};
use crate::host::wire::Block;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr::{NonNull, null};
use windows_sys::Win32::Foundation::{ERROR_ALREADY_EXISTS, GetLastError, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_ALL_ACCESS, MEMORY_MAPPED_VIEW_ADDRESS, MapViewOfFile, OpenFileMappingW,
    PAGE_READWRITE, UnmapViewOfFile,
};

/// A section.
pub(super) type Object = OwnedHandle;

pub(super) fn create(name: &str) -> io::Result<(Mapping, Name)> {
    let length = u32::try_from(size_of::<Block>()).map_err(io::Error::other)?;
    let path = path(name);
    // SAFETY: a new section of the paging file; the name ends with a zero.
    let section =
        unsafe { CreateFileMappingW(INVALID_HANDLE_VALUE, null(), PAGE_READWRITE, 0, length, path.as_ptr()) };
    // SAFETY: only reads what the call before has left.
    let status = unsafe { GetLastError() };
    let section = own(section)?;
    if status == ERROR_ALREADY_EXISTS {
        return Err(not_ours());
    }
    Ok((map(section)?, Name(name.to_owned())))
}

pub(super) fn open(name: &str) -> io::Result<Mapping> {
    let path = path(name);
    // SAFETY: the name ends with a zero; the handle is not for children.
    let section = unsafe { OpenFileMappingW(FILE_MAP_ALL_ACCESS, 0, path.as_ptr()) };
    map(own(section)?)
}

fn path(name: &str) -> Vec<u16> {
    format!("Local\\{name}\0").encode_utf16().collect()
}

/// What the system has just given, or why it has not.
pub(in crate::host) fn own(handle: *mut std::ffi::c_void) -> io::Result<OwnedHandle> {
    if handle.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system has just given this handle to us alone.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn map(object: OwnedHandle) -> io::Result<Mapping> {
    // SAFETY: a new view at an address of the system's choice touches nothing that exists. It fails for a section that
    // is shorter than a block, and no section ever shrinks.
    let view =
        unsafe { MapViewOfFile(object.as_raw_handle(), FILE_MAP_ALL_ACCESS, 0, 0, size_of::<Block>()) };
    match NonNull::new(view.Value.cast()) {
        Some(at) => Ok(Mapping { at, object }),
        None => Err(io::Error::last_os_error()),
    }
}

/// Takes a block out of this process's memory.
///
/// # Safety
/// The block was mapped by [`map`], and nobody uses it any more.
pub(super) unsafe fn unmap(at: NonNull<Block>) {
    let view = MEMORY_MAPPED_VIEW_ADDRESS { Value: at.as_ptr().cast::<std::ffi::c_void>() };
    // SAFETY: a view that nobody uses, as the caller promises.
    let unmapped = unsafe { UnmapViewOfFile(view) };
    debug_assert!(unmapped != 0, "unmapping our own block cannot fail");
}
