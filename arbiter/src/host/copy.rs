//! A bot's file as it was when it was read: a library or a payload.
//!
//! On Linux that is a sealed file in memory, which each process opens anew. Elsewhere it is the file itself, which is
//! refused once it has changed.

use super::payload::{bytes_of, sha256};
use super::plugin::LoadError;
use std::path::{Path, PathBuf};

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
            memory: system::in_memory(bytes).map_err(|error| LoadError::unreadable(path, &error))?,
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
    use super::{FileCopy, LoadError, PathBuf};
    use crate::host::memory::{map_for_ever, sealed};
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
    use std::os::unix::fs::FileExt;

    pub(super) fn in_memory(bytes: &[u8]) -> io::Result<File> {
        sealed(c"arbiter-file", bytes)
    }

    impl FileCopy {
        pub(in crate::host) fn memory(&self) -> BorrowedFd<'_> {
            self.memory.as_fd()
        }

        pub(in crate::host) fn bytes(&self) -> Result<Vec<u8>, LoadError> {
            // At a position, since all threads share the offset of the file.
            let read = self.memory.metadata().and_then(|about| {
                let (length, mut bytes) =
                    (usize::try_from(about.len()).map_err(io::Error::other)?, Vec::new());
                bytes.try_reserve_exact(length)?;
                bytes.resize(length, 0);
                self.memory.read_exact_at(&mut bytes, 0).map(|()| bytes)
            });
            read.map_err(|error| LoadError::unreadable(&self.path, &error))
        }

        pub(in crate::host) fn bytes_for_ever(&self) -> Result<&'static [u8], LoadError> {
            map_for_ever(&self.memory).map_err(|error| LoadError::unreadable(&self.path, &error))
        }

        /// A copy of the copy. The loader takes it for another library, so its global variables are its own.
        pub(in crate::host) fn for_loading(&self, _loaded: usize) -> Result<Loadable, LoadError> {
            let copied = in_memory(&self.bytes()?);
            copied
                .map(|copy| Loadable(copy.into()))
                .map_err(|error| LoadError::unreadable(&self.path, &error))
        }
    }

    /// A copy to be loaded into this process, for ever.
    pub(in crate::host) struct Loadable(OwnedFd);

    impl Loadable {
        /// What this process's loader opens.
        pub(in crate::host) fn path(&self) -> PathBuf {
            // It does not go through `/proc/self`, since a debugger opens it too and would find a file of its own.
            format!("/proc/{}/fd/{}", std::process::id(), self.0.as_raw_fd()).into()
        }

        /// Keeps the file open until the process ends. The loader knows libraries by their paths, so the number in this path
        /// must never come to mean another file.
        pub(in crate::host) fn keep(self) {
            let _ = self.0.into_raw_fd();
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::{FileCopy, LoadError, PathBuf, read_again};
    use std::sync::atomic::{AtomicU32, Ordering};

    impl FileCopy {
        pub(in crate::host) fn bytes(&self) -> Result<Vec<u8>, LoadError> {
            read_again(&self.path, &self.sha256)
        }

        pub(in crate::host) fn bytes_for_ever(&self) -> Result<&'static [u8], LoadError> {
            Ok(self.bytes()?.leak())
        }

        /// A file that the loader takes for another library than those it has loaded: the first time the file itself.
        pub(in crate::host) fn for_loading(&self, loaded: usize) -> Result<Loadable, LoadError> {
            if loaded == 0 {
                let path = std::path::absolute(&self.path);
                return path
                    .map(Loadable::Original)
                    .map_err(|error| LoadError::unreadable(&self.path, &error));
            }
            static COPIES: AtomicU32 = AtomicU32::new(0);
            let number = COPIES.fetch_add(1, Ordering::Relaxed);
            let name = self.path.file_name().unwrap_or_default().to_string_lossy();
            let path = std::env::temp_dir().join(format!("arbiter-{}-{number}-{name}", std::process::id()));
            let written = std::fs::write(&path, self.bytes()?);
            written.map_err(|error| LoadError::unreadable(&path, &error))?;
            Ok(Loadable::Temporary(path))
        }
    }

    /// A file to be loaded into this process, for ever.
    pub(in crate::host) enum Loadable {
        Original(PathBuf),
        /// A copy of it in the folder for temporary files.
        Temporary(PathBuf),
    }

    impl Loadable {
        /// What this process's loader opens.
        pub(in crate::host) fn path(&self) -> PathBuf {
            match self {
                Loadable::Original(path) | Loadable::Temporary(path) => path.clone(),
            }
        }

        /// The library has been loaded, and stays so until the process ends.
        pub(in crate::host) fn keep(self) {
            if let Loadable::Temporary(path) = self {
                // Windows does not remove a library that is in use. There the copy stays in the temporary folder.
                let _ = std::fs::remove_file(path);
            }
        }
    }
}
