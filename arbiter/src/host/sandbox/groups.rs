//! Control groups, version 2, count memory as it is used, and threads.
//!
//! A referee makes a group inside the one that it was started in, and in that a group for each bot. The kernel enables
//! controllers for inner groups only while no process is in the outer group itself. So a referee that is alone in its
//! group moves further in where it has to, and out again at its end.
//!
//! A referee locks its folder. Folders without a lock were left by one that was killed; the next referee removes them.

use super::in_words;
use crate::host::limits::OWN_MEMORY;
use crate::host::procfs::group_folder;
use parking_lot::Mutex;
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, getpid, kill_process};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a referee's folder is called, before its number.
const OURS: &str = "arbiter-";
/// The group inside it that the referee moves into where it has to.
const REFEREE: &str = "referee";
/// What `cgroup.subtree_control` is told: to give the inner groups these controllers, and to take them back.
const DIVIDE: &str = "+memory +pids";
const UNITE: &str = "-memory -pids";

/// The groups of a referee, once it has some. Dropping it removes them, and ends bots that are still there.
#[derive(Debug, Default)]
pub(in crate::host) struct Groups(Mutex<Option<Own>>);

#[derive(Debug)]
struct Own {
    folder: PathBuf,
    /// The group that this process has left to be able to divide it.
    left: Option<PathBuf>,
    /// How many groups it has made for bots.
    made: u64,
    _lock: File,
}

#[derive(Debug)]
pub(in crate::host) struct Group {
    path: PathBuf,
    pub(in crate::host) folder: File,
}

impl Groups {
    /// Makes a group for a bot with so many bytes of memory and so many threads.
    pub(in crate::host) fn make(&self, memory: u64, threads: u32) -> io::Result<Group> {
        let mut own = self.0.lock();
        let own = match &mut *own {
            Some(own) => own,
            none => none.insert(Own::make()?),
        };
        let path = own.folder.join(format!("bot-{}", own.made));
        own.made += 1;
        in_words(format!("cannot make {}", path.display()), fs::create_dir(&path))?;
        let group = Group { folder: File::open(&path)?, path };
        group.set("memory.max", &memory.saturating_add(OWN_MEMORY).to_string())?;
        group.set("memory.oom.group", "1")?;
        group.set("pids.max", &threads.to_string())?;
        // There is no such file where nothing is ever swapped.
        match group.set("memory.swap.max", "0") {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(group),
        }
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        let Some(own) = self.0.get_mut().take() else { return };
        remove(&own.folder);
        if let Some(outer) = &own.left {
            own.move_back_to(outer);
            remove(&own.folder);
        }
    }
}

impl Group {
    /// Whether the kernel has ended processes in it because they used more memory than they may.
    pub(in crate::host) fn has_run_out_of_memory(&self) -> bool {
        self.has_counted("oom ") && self.had_oom_kill()
    }

    /// Whether the kernel has ended processes in it for want of memory, also as the whole machine ran out of it.
    pub(in crate::host) fn had_oom_kill(&self) -> bool {
        self.has_counted("oom_kill ")
    }

    /// Whether there was such an event: `oom` counts how often the group was at its limit, `oom_kill` what the kernel ended in it.
    fn has_counted(&self, event: &str) -> bool {
        let events = fs::read_to_string(self.path.join("memory.events")).unwrap_or_default();
        events.lines().any(|line| line.strip_prefix(event).is_some_and(|count| count != "0"))
    }

    fn set(&self, file: &str, value: &str) -> io::Result<()> {
        let path = self.path.join(file);
        in_words(format!("cannot write {value} to {}", path.display()), fs::write(&path, value))
    }
}

impl Drop for Group {
    /// Its process has been waited for by now. If anything is left in it, it goes with the folder of the referee.
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.path);
    }
}

impl Own {
    fn make() -> io::Result<Own> {
        let outer = group_folder().ok_or_else(|| {
            io::Error::other("there are no control groups of version 2 with this process in them")
        })?;
        let controllers = fs::read_to_string(outer.join("cgroup.controllers"));
        let controllers = in_words(format!("cannot read {}", outer.display()), controllers)?;
        let has = |name: &str| controllers.split_whitespace().any(|word| word == name);
        if let Some(missing) = ["memory", "pids"].into_iter().find(|name| !has(name)) {
            return Err(io::Error::other(format!(
                "the control group {} cannot limit {missing}: its cgroup.controllers has only `{}`",
                outer.display(),
                controllers.trim()
            )));
        }
        remove_stale(&outer);
        let mut groups = Own::new_in(&outer)?;
        groups.divide(&outer).inspect_err(|_| remove(&groups.folder))?;
        Ok(groups)
    }

    /// Makes and locks the folder. Another referee that clears up may see it before it is locked, and remove it.
    fn new_in(outer: &Path) -> io::Result<Own> {
        let folder = outer.join(format!("{OURS}{}", std::process::id()));
        let mut last = io::Error::from(ErrorKind::NotFound);
        for _ in 0..10 {
            let made = fs::create_dir(&folder).and_then(|()| {
                let lock = File::open(&folder)?;
                flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
                fs::metadata(folder.join("cgroup.procs")).map(|_| lock)
            });
            match made {
                Ok(lock) => return Ok(Own { folder, left: None, made: 0, _lock: lock }),
                Err(error) => last = error,
            }
        }
        in_words(format!("cannot make the control group {}", folder.display()), Err(last))
    }

    /// Hands the means down to the groups of bots.
    fn divide(&mut self, outer: &Path) -> io::Result<()> {
        match hand_down(outer) {
            Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                self.move_in_from(outer)?;
                self.left = Some(outer.to_owned());
            }
            other => in_words(format!("cannot divide the control group {}", outer.display()), other)?,
        }
        in_words(format!("cannot divide {}", self.folder.display()), hand_down(&self.folder))
    }

    /// Moves this process further in, so that none is left in the group that is to be divided.
    fn move_in_from(&self, outer: &Path) -> io::Result<()> {
        let inner = self.folder.join(REFEREE);
        fs::create_dir(&inner)?;
        let moved = fs::write(inner.join("cgroup.procs"), "0").and_then(|()| hand_down(outer));
        let moved = moved.inspect_err(|_| _ = fs::write(outer.join("cgroup.procs"), "0"));
        match moved {
            Err(error) if error.kind() == ErrorKind::ResourceBusy => Err(io::Error::other(format!(
                "other processes are in the control group {} too, so it cannot be divided",
                outer.display()
            ))),
            other => in_words(format!("cannot move into the control group {}", inner.display()), other),
        }
    }

    /// Moves this process back. It has to be the last one there, so the templates are killed first.
    fn move_back_to(&self, outer: &Path) {
        let there = fs::read_to_string(self.folder.join(REFEREE).join("cgroup.procs")).unwrap_or_default();
        let others = there.lines().filter_map(|number| Pid::from_raw(number.parse().ok()?));
        for process in others.filter(|&process| process != getpid()) {
            // It fails when the process is gone already.
            let _ = kill_process(process, Signal::KILL);
        }
        // Another referee may go on there: then it all stays as it is.
        let united = [self.folder.as_path(), outer]
            .into_iter()
            .try_for_each(|folder| fs::write(folder.join("cgroup.subtree_control"), UNITE));
        if united.is_ok() {
            let _ = fs::write(outer.join("cgroup.procs"), "0");
        }
    }
}

/// Lets the groups in this one have memory and threads of their own.
fn hand_down(folder: &Path) -> io::Result<()> {
    let file = folder.join("cgroup.subtree_control");
    let given = fs::read_to_string(&file)?;
    let has = |name| given.split_whitespace().any(|word| word == name);
    if has("memory") && has("pids") { Ok(()) } else { fs::write(file, DIVIDE) }
}

fn remove_stale(outer: &Path) {
    let entries = fs::read_dir(outer).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(OURS)) {
        let lock = File::open(entry.path());
        if lock.is_ok_and(|lock| flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok()) {
            remove(&entry.path());
        }
    }
}

/// Removes a referee's folder with the groups in it, and kills bots that are still in them.
fn remove(folder: &Path) {
    let inner = fs::read_dir(folder).into_iter().flatten().flatten();
    for group in inner.map(|entry| entry.path()).filter(|path| path.is_dir()) {
        if group.file_name().is_some_and(|name| name == REFEREE) && is_in(&group) {
            continue;
        }
        // Kernels before 5.14 have no such file; the group should be empty by now anyway.
        let _ = fs::write(group.join("cgroup.kill"), "1");
        // Processes that were killed are still there for a moment.
        for _ in 0..200 {
            if !fs::remove_dir(&group).is_err_and(|error| error.kind() == ErrorKind::ResourceBusy) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    let _ = fs::remove_dir(folder);
}

fn is_in(group: &Path) -> bool {
    let there = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    there.lines().any(|number| number.parse() == Ok(std::process::id()))
}

/// Otherwise a bot would be blamed for a machine that has run out of memory, or one that kills itself would be excused by what the
/// kernel ended elsewhere.
#[test]
fn what_the_kernel_ended_in_a_group_is_told_from_what_it_ended_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let group = Group { path: folder.path().to_owned(), folder: File::open(folder.path()).unwrap() };
    for (oom, kills, is_over, was_killed) in
        [(1, 2, true, true), (0, 2, false, true), (1, 0, false, false), (0, 0, false, false)]
    {
        let events = format!("low 0\nhigh 0\nmax 12\noom {oom}\noom_kill {kills}\noom_group_kill 0\n");
        fs::write(folder.path().join("memory.events"), &events).unwrap();
        assert_eq!((group.has_run_out_of_memory(), group.had_oom_kill()), (is_over, was_killed), "{events}");
    }
}
