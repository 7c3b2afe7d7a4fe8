//! What tells whether a file has changed.

use std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// What tells whether a file has changed, or who may read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    pub(crate) written: Option<SystemTime>,
    /// The inode and the time of the last change, which no program can set, unlike the date of modification.
    changed: Option<(u64, i64, i64)>,
}

impl Stamp {
    pub(crate) fn of(about: &Metadata) -> Stamp {
        #[cfg(unix)]
        let changed = {
            use std::os::unix::fs::MetadataExt;
            Some((about.ino(), about.ctime(), about.ctime_nsec()))
        };
        #[cfg(not(unix))]
        let changed = None;
        Stamp { length: about.len(), written: about.modified().ok(), changed }
    }

    pub(crate) fn is_younger_than(&self, age: Duration) -> bool {
        // What was written in the future, by a clock that was set back since, is renewed by now if somebody writes.
        let since = |written: SystemTime| written.elapsed().unwrap_or_else(|ahead| ahead.duration());
        self.written.is_some_and(|written| since(written) < age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Otherwise a match that was stopped would be played for an hour once the clock has been set back by one.
    #[test]
    fn what_was_written_in_the_future_is_not_young() {
        const MINUTE: Duration = Duration::from_secs(60);
        let file = tempfile::NamedTempFile::new().unwrap();
        let is_young = |written: SystemTime| {
            file.as_file().set_modified(written).unwrap();
            Stamp::of(&fs::metadata(file.path()).unwrap()).is_younger_than(MINUTE)
        };
        assert!(is_young(SystemTime::now()) && is_young(SystemTime::now() + MINUTE / 2));
        assert!(!is_young(SystemTime::now() - 2 * MINUTE) && !is_young(SystemTime::now() + 10 * MINUTE));
    }
}
