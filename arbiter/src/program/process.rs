//! The process of a program: what it says, line by line, and its end. Nothing here waits without a limit.

#[cfg(target_os = "linux")]
use super::keeper as group;
use crate::player::{LONGEST_LINE, Looks, Printed};
use crate::verdict::{Fault, Phase};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel, sync_channel};
use std::time::{Duration, Instant};

/// Lines that are kept until somebody wants them; a program that says more waits.
const MOST_LINES: usize = 256;
/// How long a program may take to go when the game is over, or to be reaped.
const TIME_TO_GO: Duration = Duration::from_millis(500);

/// The numbers of the processes that run, for a referee that exits without dropping them.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Ends all programs at once, for a referee that is leaving.
pub fn end_all() {
    RUNNING.lock().iter().for_each(|&number| group::kill_all_of(number));
}

/// How often whoever waits for a line looks at the clock.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The wall time of a question. It stands still while our own program is stopped, and hears nobody.
pub(super) struct Clock {
    shows: Duration,
    looks: Looks,
}

impl Clock {
    pub(super) fn start() -> Clock {
        Clock { shows: Duration::ZERO, looks: Looks::begin() }
    }

    /// What it shows now.
    pub(super) fn look(&mut self) -> Duration {
        let (since, was_stopped) = self.looks.look();
        if !was_stopped {
            self.shows += since;
        }
        self.shows
    }
}

/// What a line is waited for.
pub(super) struct Wait<'a> {
    pub(super) during: Phase,
    pub(super) clock: &'a mut Clock,
    pub(super) limit: Duration,
    /// The time there was, as a fault says it.
    pub(super) budget: Duration,
}

/// A process, and everything that it starts. Dropping it ends them.
pub(super) struct Process {
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<Result<String, NoLine>>,
}

/// What a program wrote in place of a line that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum NoLine {
    #[error("a line of more than {LONGEST_LINE} bytes")]
    TooLong,
    #[error("a line that is not UTF-8")]
    NoText,
}

impl Process {
    /// Starts it; what it writes to standard error goes to `printed`.
    pub(super) fn start(words: &[String], printed: &Arc<Printed>) -> io::Result<Process> {
        let mut command = group::command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        RUNNING.lock().insert(child.id());
        let (input, said) = channel();
        let (tell, lines) = sync_channel(MOST_LINES);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process { child, input: Some(input), lines };
        let (Some(mut stdin), Some(stdout), Some(mut stderr)) = pipes else {
            unreachable!("all three are pipes")
        };
        thread("program input", move || {
            _ = said.iter().try_for_each(|line| stdin.write_all(line.as_bytes()))
        })?;
        let mut stdout = BufReader::new(stdout);
        let mut lines_said = std::iter::from_fn(move || next_line(&mut stdout));
        thread("program output", move || _ = lines_said.try_for_each(|line| tell.send(line)))?;
        let printed = Arc::clone(printed);
        thread("program errors", move || _ = io::copy(&mut stderr, &mut &*printed))?;
        Ok(process)
    }

    /// Tells it a line. It is written by a thread of its own, since a program need not read.
    pub(super) fn tell(&mut self, line: &str) {
        if let Some(input) = &self.input {
            // It fails when the program is gone, which shows when it is asked.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The first line that it says in which something can be read.
    pub(super) fn hear<T>(
        &mut self,
        wait: Wait<'_>,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        loop {
            let left = wait.limit.saturating_sub(wait.clock.look());
            if left.is_zero() {
                return Err(Fault::TimedOut { during: wait.during, budget: wait.budget });
            }
            match self.lines.recv_timeout(left.min(LOOK_UP)) {
                Ok(Ok(line)) => {
                    if let Some(found) = read(&line) {
                        return Ok(found);
                    }
                }
                Ok(Err(no_line)) => return Err(Fault::BadReply { problem: no_line.to_string() }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.end(wait.during)),
            }
        }
    }

    /// Forgets the lines that nobody has asked for. A program that is gone by then has ended between its turns.
    pub(super) fn forget_what_was_said(&mut self) -> Result<(), Fault> {
        // One that never stops talking is heard again at its turn.
        for _ in 0..MOST_LINES {
            match self.lines.try_recv() {
                Ok(_) => {}
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(self.end(Phase::Idle)),
            }
        }
        Ok(())
    }

    /// Lets it go by itself: nothing more is said to it.
    pub(super) fn leave(&mut self) {
        self.input = None;
        self.reap(TIME_TO_GO);
    }

    /// How it ended, now that it says nothing more.
    fn end(&mut self, during: Phase) -> Fault {
        let Some(status) = self.reap(TIME_TO_GO) else {
            // Dropping it ends it, and that is no crash of its own.
            return Fault::BadReply { problem: "it has closed its standard output and goes on".to_owned() };
        };
        match signal_of(status) {
            Some(signal) => Fault::Crashed { during, signal, address: None },
            None => Fault::Exited { during, code: status.code().unwrap_or(-1) },
        }
    }

    fn reap(&mut self, limit: Duration) -> Option<ExitStatus> {
        const LOOK: Duration = Duration::from_millis(1);
        let started = Instant::now();
        loop {
            // Nobody is ended by a number that is another's by now.
            let mut running = RUNNING.lock();
            let status = self.child.try_wait();
            if matches!(status, Ok(Some(_))) {
                running.remove(&self.child.id());
            }
            drop(running);
            match status {
                Ok(Some(status)) => return Some(status),
                Ok(None) if started.elapsed() < limit => std::thread::sleep(LOOK),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        group::kill(&mut self.child);
        if self.reap(TIME_TO_GO).is_none() {
            // What cannot be ended is left to itself, and so is its keeper.
            RUNNING.lock().remove(&self.child.id());
            tracing::warn!("a program cannot be ended, and is left behind");
        }
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// A line without its end, or what is there in place of one. Nothing at the end.
fn next_line(from: &mut impl BufRead) -> Option<Result<String, NoLine>> {
    let mut line = Vec::new();
    let read = from.take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    Some(if line.len() > LONGEST_LINE {
        Err(NoLine::TooLong)
    } else {
        String::from_utf8(line).map(|line| line.trim().to_owned()).map_err(|_| NoLine::NoText)
    })
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Elsewhere processes end with a code.
#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// A process with those that it starts. On Unix these have its group unless they leave it; elsewhere the process ends alone.
#[cfg(not(target_os = "linux"))]
mod group {
    use std::process::{Child, Command};

    pub(super) fn command(words: &[String]) -> Command {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }

    pub(super) fn kill(child: &mut Child) {
        // It fails when the process is gone.
        let _ = child.kill();
        kill_all_of(child.id());
    }

    #[cfg(unix)]
    pub(super) fn kill_all_of(number: u32) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // The group keeps the number of its first process as long as anybody is in it, also when that one is gone.
        if let Some(group) = i32::try_from(number).ok().and_then(Pid::from_raw) {
            // It fails when the group is empty.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Not by its number, which may be another's by now: a program ends there when its input does.
    #[cfg(not(unix))]
    pub(super) fn kill_all_of(_: u32) {}
}
