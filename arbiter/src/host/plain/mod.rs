//! A bot's process on systems that cannot contain it: a process of its own that can be killed.
//!
//! It is made like any other program's, loads the library from its file, and finds the shared block by its name. What
//! can be done from outside depends on the system: on Windows a job limits its memory, keeps it from starting
//! others, and ends it with the referee; on Unix it watches its standard input, which ends when the referee does.

#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

use super::executable::Executable;
use super::limits::CONTAINED_ONLY;
use super::memory::{Mapping, Name};
use super::players::BotCommand;
use super::plugin::serve_bot;
use super::process::{Handle, Process, Signal};
use super::wire::Block;
use super::{CAN_STOP, Isolation, LoadError, cores};
use shared_child::SharedChild;
use std::io::{self, PipeReader, Read};
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::sync::{Arc, mpsc};
use std::thread::Builder;
use std::time::Duration;
use system::Hold;

/// The argument that tells such a process from a template.
pub(super) const MARK: &str = "plain";

/// How long to wait for the rest of the output of a process that is gone. Another process may have the pipe open for ever.
const LAST_OUTPUT: Duration = Duration::from_millis(100);

struct Control {
    process: SharedChild,
    hold: Hold,
    /// Another process finds the block as long as this lives.
    _name: Name,
}

impl Control {
    fn send(&self, signal: Signal) {
        if signal == Signal::KILL {
            // It fails only when the process is gone already.
            let _ = self.process.kill();
        }
        self.hold.send(signal);
    }
}

/// Starts a process. A thread reads what it prints, and another waits for its end; when it is gone, the block says so.
pub(super) fn start(
    executable: &Executable,
    command: &BotCommand,
    prepare: impl FnOnce(&Block),
) -> io::Result<Handle> {
    let limits = &command.limits;
    if limits.isolation != Isolation::default() {
        return Err(io::Error::other(CONTAINED_ONLY));
    }
    if limits.stop_between_turns && !CAN_STOP {
        let problem = "Windows has no means to stop a bot between its turns: leave out --stop-between-turns";
        return Err(io::Error::other(problem));
    }
    let (block, name) = Mapping::named()?;
    prepare(&block);
    let (output, write) = io::pipe()?;
    let core = command.core.map(|core| core.to_string());
    let mut start = executable.command()?;
    start.args([MARK, &name.0]).args(core);
    start.stdin(Stdio::piped()).stdout(write.try_clone()?).stderr(write);
    system::detach(&mut start);
    let mut child = start.spawn()?;
    // The command holds the pipe's writing end too, which only the process may hold.
    drop(start);
    let held = Hold::on(&mut child, limits.memory);
    if held.is_err() {
        child.kill()?;
        child.wait()?;
    }
    let control = Arc::new(Control { hold: held?, process: SharedChild::new(child)?, _name: name });
    let process = Arc::new(Process::new(&Arc::default(), block, command.printed()));
    let sender = Arc::clone(&control);
    let send = Box::new(move |signal| sender.send(signal));
    process.started(control.process.id().cast_signed(), send, false);
    // Dropping it from here on ends the process.
    let handle = Handle(Arc::clone(&process));
    watch(process, control, output)?;
    Ok(handle)
}

fn watch(process: Arc<Process>, control: Arc<Control>, mut output: PipeReader) -> io::Result<()> {
    let (all_read, ended) = mpsc::sync_channel(1);
    let reader = Arc::clone(&process);
    let read = move || {
        let _ = io::copy(&mut output, &mut &*reader.printed);
        let _ = all_read.send(());
    };
    Builder::new().name("bot output".to_owned()).spawn(read)?;
    let wait = move || {
        let end = control.hold.end_of(&process, control.process.wait());
        control.hold.send(Signal::KILL);
        let _ = ended.recv_timeout(LAST_OUTPUT);
        process.ended(end);
        process.block().reply.mark_gone();
    };
    Builder::new().name("bot end".to_owned()).spawn(wait).map(drop)
}

/// The process itself: runs one bot from its first request to its last. The first word is the name of the shared block,
/// the second, if there is one, the core to stay on. None if this process was not started by a referee.
pub(super) fn run(words: &[&str]) -> Option<ExitCode> {
    let (block, core) = words.split_first()?;
    // The referee says one byte when it has a hold on this process.
    io::stdin().read_exact(&mut [0]).ok()?;
    let block = Mapping::open(block).ok()?.forever();
    core.first().and_then(|core| core.parse().ok()).into_iter().for_each(cores::stay_on);
    serve_bot(block, |first| {
        system::set_up(block).map_err(LoadError::not_started)?;
        let library = PathBuf::from(&first.library);
        let ready = first.prepare(&library, None)?;
        Ok((library, ready))
    });
    Some(ExitCode::SUCCESS)
}

/// What Unix has to hold a process with: its group, and a pipe that ends with the referee.
#[cfg(unix)]
mod unix {
    use crate::host::process::{End, Process, Signal};
    use crate::host::wire::Block;
    use rustix::process::{Pid, kill_process_group};
    use std::fs::File;
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, ChildStdin, Command, ExitStatus};
    use std::time::Duration;

    /// A hold on a process and on those that it has started, unless they have left its group.
    pub(super) struct Hold {
        group: Pid,
        _life: ChildStdin,
    }

    /// Gives a process a group of its own: Ctrl-C goes to every process of the terminal's, and only the referee shall hear
    /// it.
    pub(super) fn detach(command: &mut Command) {
        command.process_group(0);
    }

    impl Hold {
        /// Takes hold of a process, and lets it begin. Its memory is not limited: macOS ignores the limits that there are.
        pub(super) fn on(process: &mut Child, _memory: u64) -> io::Result<Hold> {
            let mut life = process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
            life.write_all(b"!")?;
            Ok(Hold { group: Pid::from_child(process), _life: life })
        }

        pub(super) fn end_of(&self, _process: &Process, status: io::Result<ExitStatus>) -> End {
            // The program that uses this library may have reaped our child itself, in a signal handler.
            let signal = status.as_ref().ok().and_then(|status| status.signal());
            let code = || status.as_ref().ok().and_then(ExitStatus::code).unwrap_or(-1);
            signal.map_or_else(|| End::Code(code()), End::Signal)
        }

        pub(super) fn send(&self, signal: Signal) {
            // It fails when the group is empty.
            let _ = kill_process_group(self.group, signal);
        }
    }

    /// The bot's side: this process ends when the referee does.
    pub(super) fn set_up(_block: &'static Block) -> io::Result<()> {
        let mut life = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        let referee = rustix::process::getppid();
        let watch = move || {
            // Nothing more is ever said. It fails where the bot has closed the file before this thread has come here.
            if life.read(&mut [0]).is_err() {
                while rustix::process::getppid() == referee {
                    std::thread::sleep(Duration::from_millis(100));
                }
            }
            // SAFETY: ends the process at once, whatever its other threads are doing.
            unsafe { libc::_exit(libc::EXIT_FAILURE) }
        };
        std::thread::Builder::new().name("referee".to_owned()).spawn(watch).map(drop)
    }
}
