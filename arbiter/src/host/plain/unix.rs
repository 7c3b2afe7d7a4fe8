//! What Unix has to hold a process with: its group, and a pipe that ends with the referee.

use crate::host::Limits;
use crate::host::process::{Exit, Report};
use crate::host::wire::Block;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus};

/// A hold on a process and on those that it has started, unless they have left its group.
pub(super) struct Hold {
    group: Pid,
    /// Ends with the referee, which the process sees.
    _life: ChildStdin,
}

/// Everything that is asked for can be had.
pub(super) fn check(_limits: &Limits) -> io::Result<()> {
    Ok(())
}

/// Gives a process a group of its own: Ctrl-C goes to every process of the terminal's, and only the referee shall hear
/// it.
pub(super) fn detach(command: &mut Command) {
    command.process_group(0);
}

impl Hold {
    /// Takes hold of a process, and lets it begin. Its memory is not limited: macOS ignores the limits that there are.
    pub(super) fn on(process: &mut Child, _memory: u64) -> io::Result<Hold> {
        let group = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
        let mut life = process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        life.write_all(b"!")?;
        Ok(Hold { group: group.ok_or(io::ErrorKind::InvalidData)?, _life: life })
    }

    /// How the process ended.
    pub(super) fn exit(&self, status: io::Result<ExitStatus>, _block: &Block, _report: &Report) -> Exit {
        let signal = |status: &ExitStatus| status.signal().map(Exit::Signal);
        let code = |status: &ExitStatus| Exit::Code(status.code().unwrap_or(-1));
        // The program that uses this library has reaped our child itself, in a signal handler.
        status.map_or(Exit::Code(-1), |status| signal(&status).unwrap_or_else(|| code(&status)))
    }

    /// Ends everything in the group.
    pub(super) fn end(&self) {
        self.send(Signal::KILL);
    }

    pub(super) fn stop(&self) {
        self.send(Signal::STOP);
    }

    pub(super) fn go_on(&self) {
        self.send(Signal::CONT);
    }

    fn send(&self, signal: Signal) {
        // It fails when the group is empty.
        let _ = kill_process_group(self.group, signal);
    }
}

/// The bot's side: this process ends when the referee does.
pub(in super::super) fn give_in(_block: &'static Block) -> io::Result<()> {
    let mut life = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    let watch = move || {
        // Nothing more is ever said.
        let _ = life.read(&mut [0]);
        // SAFETY: ends the process at once, whatever its other threads are doing.
        unsafe { libc::_exit(libc::EXIT_FAILURE) }
    };
    std::thread::Builder::new().name("referee".to_owned()).spawn(watch).map(drop)
}
