//! What the system writes down about a thread, read without much ado: the file is opened when it is first wanted, and
//! then only read again, which costs a tenth of opening it. An open file stays with its thread, whoever gets the number
//! of a process that is gone.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the names of two files lie that tell about one thread. Where the system tells nothing, there is nothing.
#[derive(Debug)]
pub(super) struct Record {
    schedstat: Page,
    status: Page,
}

/// What a thread is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mood {
    /// It runs, or waits for nothing but the processor.
    pub(super) wants_to_run: bool,
    /// How often it has gone to sleep since it was made, of its own will.
    pub(super) naps: u64,
}

impl Record {
    /// That of the thread whose files are in this folder.
    pub(super) fn in_folder(folder: &Path) -> Record {
        Record { schedstat: Page::at(folder.join("schedstat")), status: Page::at(folder.join("status")) }
    }

    /// How long it has stood in the queue for the processor.
    pub(super) fn queued(&mut self) -> Option<Duration> {
        self.schedstat.read(queue_time)
    }

    /// What it is about. The state is a little older than the number: it may have gone to sleep in between.
    pub(super) fn mood(&mut self) -> Option<Mood> {
        self.status.read(mood)
    }

    /// How often it has gone to sleep, if it is not asleep now. Whoever finds the same number later knows that it has not
    /// slept since: that takes a number that is older than the state.
    pub(super) fn naps_of_runner(&mut self) -> Option<u64> {
        let before = self.mood().filter(|mood| mood.wants_to_run)?;
        let now = self.mood()?;
        (now.wants_to_run && now.naps == before.naps).then_some(now.naps)
    }
}

/// One file, read whenever it is wanted.
#[derive(Debug)]
enum Page {
    Closed(PathBuf),
    Open(File),
    Missing,
}

impl Page {
    fn at(path: PathBuf) -> Page {
        Page::Closed(path)
    }

    fn read<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        if let Page::Closed(path) = self {
            *self = File::open(path).map_or(Page::Missing, Page::Open);
        }
        let Page::Open(file) = self else { return None };
        // Longer than these files are on any machine but those with thousands of cores, where the end is not wanted.
        let mut text = [0; 8192];
        file.rewind().ok()?;
        let length = file.read(&mut text).ok()?;
        parse(str::from_utf8(&text[..length]).ok()?)
    }
}

/// The second number of `schedstat`: nanoseconds in the queue.
fn queue_time(schedstat: &str) -> Option<Duration> {
    schedstat.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The state and the number of voluntary switches in `status`, whose first line is the name: it may hold anything but
/// the end of a line.
fn mood(status: &str) -> Option<Mood> {
    let line = |name| status.lines().skip(1).find_map(|line| line.strip_prefix(name)).map(str::trim);
    Some(Mood {
        wants_to_run: line("State:")?.starts_with('R'),
        naps: line("voluntary_ctxt_switches:")?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_files_are_read_right() {
        assert_eq!(queue_time("7182763 56000 92\n"), Some(Duration::from_micros(56)));
        assert_eq!((queue_time(""), queue_time("1 x 3")), (None, None));
        let status = "Name:\tState: S\nUmask:\t0022\nState:\tR (running)\nTgid:\t7\nvoluntary_ctxt_switches:\t17\n\
                      nonvoluntary_ctxt_switches:\t4\n";
        assert_eq!(mood(status), Some(Mood { wants_to_run: true, naps: 17 }));
        let asleep = status.replace("R (running)", "S (sleeping)");
        assert_eq!(mood(&asleep), Some(Mood { wants_to_run: false, naps: 17 }));
        assert_eq!((mood(""), mood("Name:\tx\nState:\tR (running)\n")), (None, None));
    }

    #[test]
    fn a_thread_of_ours_is_running_while_it_asks_and_naps_when_it_sleeps() {
        if cfg!(not(target_os = "linux")) {
            return;
        }
        let mut own = Record::in_folder(Path::new("/proc/thread-self"));
        let before = own.mood().expect("the system tells of threads");
        assert!(before.wants_to_run);
        std::thread::sleep(Duration::from_millis(1));
        assert!(own.mood().unwrap().naps > before.naps);
        assert!(own.queued().is_some());
    }

    #[test]
    fn where_nothing_is_told_nothing_is_known() {
        let mut nobody = Record::in_folder(Path::new("/nowhere"));
        assert_eq!((nobody.mood(), nobody.queued()), (None, None));
    }
}
