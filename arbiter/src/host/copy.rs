//! A bot's file as it was when it was read: a library or a payload.
//!
//! On Linux that is a sealed file in memory, which each process opens anew. Elsewhere it is the file itself, which is
//! refused once it has changed.

use super::payload::{bytes_of, sha256};
use super::plugin::LoadError;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use {super::memory::sealed, system::NAME};

pub(super) struct FileCopy {
    path: PathBuf,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub(super) sha256: String,
    #[cfg(target_os = "linux")]
    memory: std::fs::File,
}

impl FileCopy {
    pub(super) fn of(path: &Path, bytes: &[u8], sha256: &str) -> Result<FileCopy, LoadError> {
        #[cfg(not(target_os = "linux"))]
        let _ = bytes;
        Ok(FileCopy {
            path: path.to_owned(),
            sha256: sha256.to_owned(),
            #[cfg(target_os = "linux")]
            memory: sealed(NAME, bytes).map_err(|error| LoadError::unreadable(path, &error))?,
        })
    }

    /// The file as it was named.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads a file or folder once more, if it is still the same.
pub(super) fn read_again(path: &Path, hash: &str) -> Result<Vec<u8>, LoadError> {
    let bytes = bytes_of(path)?;
    if sha256(&bytes) == hash { Ok(bytes) } else { Err(LoadError::Changed(path.display().to_string())) }
}

#[cfg(target_os = "linux")]
mod system {
    use super::{FileCopy, LoadError};
    use crate::host::memory::{map_for_ever, sealed};
    use std::ffi::CStr;
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd, IntoRawFd};
    use std::os::unix::fs::FileExt;
    use std::path::Path;

    pub(super) const NAME: &CStr = c"arbiter-file";

    impl FileCopy {
        pub(in crate::host) fn memory(&self) -> BorrowedFd<'_> {
            self.memory.as_fd()
        }

        pub(in crate::host) fn bytes(&self) -> Result<Vec<u8>, LoadError> {
            // At a position, since all threads share the offset of the file.
            let read = self.memory.metadata().and_then(|about| {
                let mut bytes = vec![0; usize::try_from(about.len()).map_err(io::Error::other)?];
                self.memory.read_exact_at(&mut bytes, 0).map(|()| bytes)
            });
            read.map_err(|error| LoadError::unreadable(&self.path, &error))
        }

        pub(in crate::host) fn bytes_for_ever(&self) -> Result<&'static [u8], LoadError> {
            map_for_ever(&self.memory).map_err(|error| LoadError::unreadable(&self.path, &error))
        }

        /// Loads the library under a path of its own, so that the loader of this process does not take it for one that it
        /// has loaded: its global variables are then its own too. It stays loaded for ever.
        pub(in crate::host) fn load<T>(
            &self,
            _loaded: usize,
            load: impl FnOnce(&Path) -> Result<T, LoadError>,
        ) -> Result<T, LoadError> {
            let copy = sealed(NAME, &self.bytes()?);
            let copy = copy.map_err(|error| LoadError::unreadable(&self.path, &error))?;
            // The loader knows libraries by their paths, so the number in this path must never come to mean another
            // file: it stays open. The path does not go through `/proc/self`, since a debugger opens it too and would
            // find a file of its own.
            load(format!("/proc/{}/fd/{}", std::process::id(), copy.into_raw_fd()).as_ref())
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::{FileCopy, LoadError, read_again};
    use std::io::Write;
    use std::path::Path;

    impl FileCopy {
        pub(in crate::host) fn bytes(&self) -> Result<Vec<u8>, LoadError> {
            read_again(&self.path, &self.sha256)
        }

        pub(in crate::host) fn bytes_for_ever(&self) -> Result<&'static [u8], LoadError> {
            Ok(self.bytes()?.leak())
        }

        /// The first time it is the file itself. A copy is removed once it is loaded. Windows does not remove a library that
        /// is in use: there it stays.
        pub(in crate::host) fn load<T>(
            &self,
            loaded: usize,
            load: impl FnOnce(&Path) -> Result<T, LoadError>,
        ) -> Result<T, LoadError> {
            let unreadable = |error: std::io::Error| LoadError::unreadable(&self.path, &error);
            if loaded == 0 {
                return load(&std::path::absolute(&self.path).map_err(unreadable)?);
            }
            let name = self.path.file_name().unwrap_or_default();
            let mut file =
                tempfile::Builder::new().prefix("arbiter-").suffix(name).tempfile().map_err(unreadable)?;
            file.write_all(&self.bytes()?).map_err(unreadable)?;
            load(&file.into_temp_path())
        }
    }
}
