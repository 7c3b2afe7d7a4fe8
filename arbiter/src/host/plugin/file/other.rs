//! Systems that load libraries from files only: the file itself is used wherever possible.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The file itself.
pub(in crate::host) struct FileCopy(PathBuf);

/// A file to be loaded into this process, for ever.
pub(in crate::host) enum Loadable {
    /// The file itself.
    Original(PathBuf),
    /// A copy of it in the folder for temporary files.
    Temporary(PathBuf),
}

impl FileCopy {
    /// The file, and what is in it, of which no more than so many bytes are read.
    pub(super) fn of(original: File, path: &Path, most: u64) -> io::Result<(FileCopy, Vec<u8>)> {
        let mut bytes = Vec::new();
        original.take(most).read_to_end(&mut bytes)?;
        Ok((FileCopy(std::path::absolute(path)?), bytes))
    }

    /// A file that the loader takes for another library than those it has loaded: the first time the file itself.
    pub(in crate::host) fn for_loading(&self, loaded: usize) -> io::Result<Loadable> {
        if loaded == 0 {
            return Ok(Loadable::Original(self.0.clone()));
        }
        static COPIES: AtomicU32 = AtomicU32::new(0);
        let number = COPIES.fetch_add(1, Ordering::Relaxed);
        let name = self.0.file_name().unwrap_or_default().to_string_lossy();
        let path = std::env::temp_dir().join(format!("arbiter-{}-{number}-{name}", std::process::id()));
        std::fs::copy(&self.0, &path)?;
        Ok(Loadable::Temporary(path))
    }
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
