//! Systems that load libraries from files only: nothing is copied that need not be.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The file itself.
pub(in super::super) struct Copy(PathBuf);

/// A library to be loaded for ever.
pub(in super::super) enum Another {
    /// The file itself.
    Original(PathBuf),
    /// A copy of it in the folder for temporary files.
    Temporary(PathBuf),
}

impl Copy {
    /// The file that was read.
    pub(super) fn of(original: &Path, _data: &[u8]) -> io::Result<Copy> {
        Ok(Copy(std::path::absolute(original)?))
    }

    /// What the system takes for another library than those that have been loaded from it: the file itself, if there is
    /// none.
    pub(in super::super) fn another(&self, loaded: usize) -> io::Result<Another> {
        if loaded == 0 {
            return Ok(Another::Original(self.0.clone()));
        }
        static COPIES: AtomicU32 = AtomicU32::new(0);
        let number = COPIES.fetch_add(1, Ordering::Relaxed);
        let name = self.0.file_name().unwrap_or_default().to_string_lossy();
        let path = std::env::temp_dir().join(format!("arbiter-{}-{number}-{name}", std::process::id()));
        std::fs::copy(&self.0, &path)?;
        Ok(Another::Temporary(path))
    }
}

impl Another {
    /// What this process's loader opens.
    pub(in super::super) fn path(&self) -> PathBuf {
        match self {
            Another::Original(path) | Another::Temporary(path) => path.clone(),
        }
    }

    /// The library has been loaded, and stays so until the process ends.
    pub(in super::super) fn keep(self) {
        if let Another::Temporary(path) = self {
            // Windows does not remove a library that is in use: there it stays until people clean up.
            let _ = std::fs::remove_file(path);
        }
    }
}
