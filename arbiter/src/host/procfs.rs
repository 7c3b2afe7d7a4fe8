//! What Linux tells about its processes and about itself, mostly in `/proc`. What it does not tell is `None`. The
//! files of control groups are read where they are used (`sandbox/groups.rs`, `machine`).

use super::clock::ProcessState;
use rustix::process::Pid;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file of the kernel's. Names of threads in it are what bots make of them, and need not be UTF-8.
pub(super) fn text(path: impl AsRef<Path>) -> Option<String> {
    Some(String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned())
}

pub(super) fn line(path: &str) -> Option<String> {
    text(path).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The number after a name in `/proc/self/status` or `/proc/meminfo`: `VmHWM:  1234 kB`.
pub(super) fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

pub(super) fn kibibytes(text: &str, name: &str) -> Option<u64> {
    field(text, name)?.checked_mul(1024)
}

/// Whether this program was started so that SIGHUP does nothing to it, as by `nohup`.
pub(crate) fn ignores_hang_ups() -> bool {
    let status = text("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (libc::SIGHUP - 1) & 1 == 1)
}

/// Whether a process that cannot be looked into is hidden even from its own user here (`hidepid`).
pub(super) fn hides_processes() -> bool {
    hides(&text("/proc/self/mountinfo").unwrap_or_default())
}

/// The same, from what `mountinfo` says: the fifth field is the place, the last the options of what is mounted there.
fn hides(mounts: &str) -> bool {
    let of_proc = |mount: &&str| mount.split_whitespace().nth(4) == Some("/proc");
    let options = mounts.lines().rfind(of_proc).and_then(|mount| mount.split_whitespace().last());
    let hidden = options
        .into_iter()
        .flat_map(|options| options.split(','))
        .find_map(|option| option.strip_prefix("hidepid="));
    hidden.is_some_and(|hidden| !matches!(hidden, "0" | "off"))
}

/// The most memory that a process has had at any time, in bytes.
pub(crate) fn peak_memory(pid: i32) -> Option<u64> {
    kibibytes(&text(format!("/proc/{pid}/status"))?, "VmHWM")
}

/// Bytes of memory that a process has for itself alone. One whose first thread has ended shows them by the others only.
pub(crate) fn private_memory(pid: i32) -> Option<u64> {
    let of = |folder: &Path| private_pages(&text(folder.join("statm"))?);
    let folder = PathBuf::from(format!("/proc/{pid}"));
    let mut pages = of(&folder)?;
    if pages == 0 {
        let threads = std::fs::read_dir(folder.join("task")).into_iter().flatten().flatten();
        pages = threads.filter_map(|thread| of(&thread.path())).max().unwrap_or(0);
    }
    pages.checked_mul(rustix::param::page_size() as u64)
}

/// Whether every thread of a process is stopped or has ended.
pub(super) fn is_stopped(pid: Pid) -> bool {
    let has_ended_or_stopped =
        |stat: Option<String>| stat.is_some_and(|stat| matches!(letter(&stat), Some("T" | "Z" | "X")));
    stats(&format!("/proc/{}", pid.as_raw_pid())).is_ok_and(|mut stats| stats.all(has_ended_or_stopped))
}

/// Whether every thread of a process has begun to end, which takes the time that it takes to give back what they hold.
pub(super) fn is_ending(pid: Pid) -> bool {
    /// `PF_EXITING` of the kernel.
    const EXITING: u64 = 0x4;
    let flags = |stat: &str| after_name(stat)?.nth(6)?.parse::<u64>().ok();
    let has_begun_to_end =
        |stat: Option<String>| stat.is_none_or(|stat| flags(&stat).is_some_and(|flags| flags & EXITING != 0));
    stats(&format!("/proc/{}", pid.as_raw_pid())).is_ok_and(|mut stats| stats.all(has_begun_to_end))
}

/// Whether a thread of this process runs or is ready to.
pub(super) fn is_thread_ready(thread: i32) -> bool {
    is_ready(text(format!("/proc/self/task/{thread}/stat")))
}

/// The pid of a process in the innermost process namespace that it is in.
pub(super) fn innermost_pid(pid: Pid) -> Option<i32> {
    let status = text(format!("/proc/{}/status", pid.as_raw_pid()))?;
    status.lines().find_map(|line| line.strip_prefix("NSpid:"))?.split_whitespace().last()?.parse().ok()
}

/// Whether the user namespace of this process has a user with this number.
pub(super) fn has_user(number: u32) -> bool {
    let map = text("/proc/self/uid_map").unwrap_or_default();
    map.lines().any(|line| {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        matches!(numbers[..], [first, _, count] if (first..first + count).contains(&number.into()))
    })
}

/// Whether a thread of this machine waits for a disk or the like. A thread in state `D` may also wait for a lock or for an answer of
/// ours, which it brings about itself.
fn waits_for_devices() -> bool {
    let stat = text("/proc/stat").unwrap_or_default();
    stat.lines().find_map(|line| line.strip_prefix("procs_blocked ")) != Some("0")
}

/// How many processes the kernel has ended for want of memory since it was started.
pub(super) fn oom_kills() -> Option<u64> {
    let vmstat = text("/proc/vmstat")?;
    vmstat.lines().find_map(|line| line.strip_prefix("oom_kill "))?.parse().ok()
}

pub(super) fn threads(pid: Pid) -> Option<u64> {
    field(&text(format!("/proc/{}/status", pid.as_raw_pid()))?, "Threads")
}

/// The pid of a process that we have a pidfd of, also of one in another namespace.
pub(super) fn pid_of(pidfd: BorrowedFd<'_>) -> io::Result<Pid> {
    let about = text(format!("/proc/self/fdinfo/{}", pidfd.as_raw_fd())).unwrap_or_default();
    let pid = field(&about, "Pid").and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
    pid.ok_or_else(|| io::Error::other("/proc does not tell the pid of a bot's process"))
}

/// The pids of this process and of its parent as the referee sees them: outside of all namespaces of ours.
pub(super) fn own_pids() -> io::Result<(u32, u32)> {
    let parsed = text("/proc/self/stat").and_then(|stat| {
        let process = stat.split_whitespace().next()?.parse().ok()?;
        Some((process, after_name(&stat)?.nth(1)?.parse().ok()?))
    });
    parsed.ok_or_else(|| io::Error::other("/proc/self/stat cannot be understood"))
}

/// Where the control groups of version 2 show ours.
pub(super) fn group_folder() -> Option<PathBuf> {
    let cgroup = text("/proc/self/cgroup")?;
    let group = cgroup.lines().find_map(|line| line.strip_prefix("0::"))?.trim_start_matches('/');
    let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(PathBuf::from);
    let root = roots.into_iter().find(|root| root.join("cgroup.controllers").exists())?;
    Some(root.join(group))
}

/// How many `kworker` threads of the kernel are in state `D`, if they are so many that the kernel can install no seccomp
/// filter any more. A handful may be waiting for a disk.
pub(super) fn stuck_workers() -> Option<usize> {
    const MANY: usize = 50;
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_stuck = |stat: &str| {
        stat.split_once('(').is_some_and(|(_, name)| name.starts_with("kworker")) && letter(stat) == Some("D")
    };
    let numbers = entries.filter_map(|entry| entry.file_name().into_string().ok()?.parse::<u32>().ok());
    let stuck =
        numbers.filter(|number| text(format!("/proc/{number}/stat")).is_some_and(|stat| is_stuck(&stat)));
    Some(stuck.count()).filter(|&count| count >= MANY)
}

/// What `/proc` tells about the threads of a process. The main thread's `schedstat` stays open, which makes reading it ten
/// times as fast. An open file stays with its thread, even if another process gets the same pid later.
#[derive(Debug)]
pub(super) struct ProcessRecord {
    folder: String,
    /// None where the kernel does not tell.
    main: Option<File>,
}

impl ProcessRecord {
    pub(super) fn of(pid: i32) -> ProcessRecord {
        ProcessRecord::in_folder(format!("/proc/{pid}"))
    }

    /// That of the calling thread, as if it were a process with one thread.
    pub(super) fn of_this_thread() -> ProcessRecord {
        ProcessRecord::in_folder("/proc/thread-self".to_owned())
    }

    fn in_folder(folder: String) -> ProcessRecord {
        ProcessRecord { main: File::open(format!("{folder}/schedstat")).ok(), folder }
    }

    /// What the kernel's scheduler tells of the main thread.
    pub(super) fn main(&self) -> Option<Scheduled> {
        let mut text = [0; 128];
        let length = self.main.as_ref()?.read_at(&mut text, 0).ok()?;
        Scheduled::of(str::from_utf8(&text[..length]).ok()?)
    }

    /// The same of each other thread, by its number.
    pub(super) fn others(&self) -> Vec<(u32, Scheduled)> {
        let main = self.folder.rsplit('/').next().and_then(|number| number.parse().ok());
        let others = self.threads().filter(|&thread| Some(thread) != main);
        let scheduled = |thread| Some((thread, Scheduled::of(&self.of_thread(thread, "schedstat")?)?));
        others.filter_map(scheduled).collect()
    }

    /// What its threads are doing. Where that cannot be read they are taken to run, so that nobody is blamed for sleeping
    /// who does not. Those in state `D` sleep, unless the machine waits for a device.
    pub(super) fn state(&self) -> ProcessState {
        match self.letters() {
            // The same once more: the wait may have ended since.
            ProcessState::Blocked if !waits_for_devices() => match self.letters() {
                ProcessState::Blocked => ProcessState::Asleep,
                state => state,
            },
            state => state,
        }
    }

    /// The same by the letters of the threads alone.
    fn letters(&self) -> ProcessState {
        let mut state = None;
        for stat in stats(&self.folder).into_iter().flatten().flatten() {
            match letter(&stat) {
                Some("R") => return ProcessState::Runnable,
                Some("D") => state = Some(ProcessState::Blocked),
                Some(_) => state = state.or(Some(ProcessState::Asleep)),
                None => {}
            }
        }
        state.unwrap_or(ProcessState::Runnable)
    }

    /// Whether a thread, or the main thread, runs or is ready to.
    pub(super) fn is_ready(&self, thread: Option<u32>) -> bool {
        is_ready(match thread {
            Some(thread) => self.of_thread(thread, "stat"),
            None => text(format!("{}/stat", self.folder)),
        })
    }

    /// How often the kernel took the processor from each of its threads and gave it to another.
    pub(super) fn involuntary_switches(&self) -> impl Iterator<Item = (u32, u64)> {
        let of = |thread| field(&self.of_thread(thread, "status")?, "nonvoluntary_ctxt_switches");
        self.threads().filter_map(move |thread| Some((thread, of(thread)?)))
    }

    fn threads(&self) -> impl Iterator<Item = u32> {
        let entries = std::fs::read_dir(format!("{}/task", self.folder)).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
    }

    fn of_thread(&self, thread: u32, file: &str) -> Option<String> {
        text(format!("{}/task/{thread}/{file}", self.folder))
    }
}

/// What `schedstat` says of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scheduled {
    /// How long it has run; while it runs on another core, up to the last tick.
    pub(super) ran: Duration,
    /// How long it has been ready to run without running. A wait counts once it is over.
    pub(super) waited: Duration,
    /// How often it has been given a processor, after it had slept or had been kept waiting.
    pub(super) times: u64,
}

impl Scheduled {
    fn of(schedstat: &str) -> Option<Scheduled> {
        let mut numbers = schedstat.split_whitespace().map(|number| number.parse::<u64>().ok());
        let mut next = || numbers.next().flatten();
        let [ran, waited] = [next()?, next()?].map(Duration::from_nanos);
        Some(Scheduled { ran, waited, times: next()? })
    }

    /// What has come since an earlier look.
    pub(super) fn since(self, earlier: Scheduled) -> Scheduled {
        Scheduled {
            ran: self.ran.saturating_sub(earlier.ran),
            waited: self.waited.saturating_sub(earlier.waited),
            times: self.times.saturating_sub(earlier.times),
        }
    }
}

/// The second number of `statm` less the third: pages that are in use and shared with nobody.
fn private_pages(statm: &str) -> Option<u64> {
    let mut numbers = statm.split_whitespace().skip(1).map(|number| number.parse::<u64>().ok());
    let (resident, shared) = (numbers.next()??, numbers.next()??);
    resident.checked_sub(shared)
}

/// What `stat` says of each thread of a process; nothing of one that has ended since it was listed.
fn stats(folder: &str) -> io::Result<impl Iterator<Item = Option<String>> + use<>> {
    let threads = std::fs::read_dir(format!("{folder}/task"))?;
    Ok(threads.map(|thread| text(thread.ok()?.path().join("stat"))))
}

fn is_ready(stat: Option<String>) -> bool {
    stat.is_some_and(|stat| letter(&stat) == Some("R"))
}

/// The letter in `stat` for what a thread is doing.
fn letter(stat: &str) -> Option<&str> {
    after_name(stat)?.next()
}

/// The fields of `stat` after the name, which may hold anything: the state, the parent's number, …
fn after_name(stat: &str) -> Option<impl Iterator<Item = &str>> {
    Some(stat.rsplit_once(')')?.1.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bots that sleep would be waited for until the cap where processes are hidden.
    #[test]
    fn whether_processes_are_hidden_is_read_from_the_newest_mount_of_proc() {
        let mount =
            |options: &str| format!("22 27 0:21 / /proc rw,relatime shared:5 - proc proc {options}\n");
        for (options, hides_them) in [
            ("rw", false),
            ("rw,hidepid=invisible", true),
            ("rw,gid=4,hidepid=2", true),
            ("rw,hidepid=off", false),
        ] {
            assert_eq!(hides(&mount(options)), hides_them, "{options}");
        }
        assert!(!hides(&(mount("rw,hidepid=1") + &mount("rw"))));
        assert!(!hides("22 27 0:21 / /proc/sys rw - proc proc rw,hidepid=1\n"));
    }

    /// A bot whose file has a long name in another script would be refused its threads: the kernel cuts names in the middle
    /// of a letter. One that takes such a name and sleeps would be waited for.
    #[test]
    fn a_name_that_is_no_text_hides_nothing() {
        let looked_at_itself = std::thread::spawn(|| {
            rustix::thread::set_name(c"\xd0").unwrap();
            (ProcessRecord::of_this_thread().is_ready(None), text("/proc/thread-self/status"))
        });
        let (is_ready, status) = looked_at_itself.join().unwrap();
        assert!(is_ready && field(&status.unwrap(), "Threads").is_some());
    }

    #[test]
    fn a_name_with_anything_in_it_hides_no_field() {
        let mut fields = after_name("4711 (a) R 3 (b) S 815 4711 4711 0 -1").unwrap();
        assert_eq!((fields.next(), fields.next()), (Some("S"), Some("815")));
        assert!(after_name("4711 (a").is_none());
    }
}
