//! A bot's process on systems that cannot contain it: a process of its own that can be killed.
//!
//! It is made like any other program's, loads the library from its file, and finds the shared block by its name. What
//! can be done from outside depends on the system: on Windows a job limits its memory, keeps it from starting
//! others, and ends it with the referee; on Unix it watches its standard input, which ends when the referee does.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

use super::memory::{Mapping, Name};
use super::players::BotCommand;
use super::plugin::{Channel, serve_bot};
use super::process::{ProcessHandle, Report};
use super::program::Program;
use super::wire::Block;
use super::{Isolation, cores};
use shared_child::SharedChild;
use std::io::{self, PipeReader, Read};
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::Builder;
use std::time::Duration;
use system::Hold;

/// The argument that tells such a process from a template.
pub(super) const MARK: &str = "plain";

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// How long to wait for the rest of the output of a process that is gone. Another process may have the pipe open for ever.
const LAST_OUTPUT: Duration = Duration::from_millis(100);

/// Such a process.
pub(super) struct Child {
    process: Arc<SharedChild>,
    hold: Arc<Hold>,
    block: Arc<Mapping>,
    report: Arc<Report>,
    is_stopped: AtomicBool,
    /// Another process finds the block as long as this lives.
    _name: Name,
}

impl Child {
    /// Starts a process. A thread reads what it prints, and another waits for its end; when it is gone, the block says
    /// so.
    pub(super) fn start(
        program: &Program,
        command: &BotCommand,
        prepare: impl FnOnce(&Block),
    ) -> io::Result<Child> {
        let limits = &command.limits;
        if limits.isolation != Isolation::default() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, super::isolation::CONTAINED_ONLY));
        }
        system::check(limits)?;
        let (block, name) = Mapping::named()?;
        prepare(&block);
        let (output, write) = io::pipe()?;
        let core = command.core.map(|core| core.to_string());
        let mut start = program.command()?;
        start.args([MARK, name.as_str()]).args(core);
        start.stdin(Stdio::piped()).stdout(write.try_clone()?).stderr(write);
        system::detach(&mut start);
        let mut process = start.spawn()?;
        // It holds the pipe's other end too, which only the process shall hold.
        drop(start);
        let held = Hold::on(&mut process, limits.memory);
        if held.is_err() {
            process.kill()?;
            process.wait()?;
        }
        let (hold, process) = (Arc::new(held?), Arc::new(SharedChild::new(process)?));
        let (block, report) = (Arc::new(block), Arc::<Report>::default());
        report.started(process.id().cast_signed(), false);
        // Dropping it from here on ends the process.
        let child = Child { process, hold, block, report, is_stopped: AtomicBool::new(false), _name: name };
        child.watch(output)?;
        Ok(child)
    }

    fn watch(&self, output: PipeReader) -> io::Result<()> {
        let (all_read, ended) = mpsc::sync_channel(1);
        let report = Arc::clone(&self.report);
        let read = move || {
            read_all(output, &report);
            let _ = all_read.send(());
        };
        Builder::new().name("bot output".to_owned()).spawn(read)?;
        let (process, hold) = (Arc::clone(&self.process), Arc::clone(&self.hold));
        let (report, block) = (Arc::clone(&self.report), Arc::clone(&self.block));
        let wait = move || {
            let exit = hold.exit(process.wait(), &block, &report);
            hold.end();
            let _ = ended.recv_timeout(LAST_OUTPUT);
            report.ended(exit);
            block.reply.mark_gone();
        };
        Builder::new().name("bot end".to_owned()).spawn(wait).map(drop)
    }
}

impl ProcessHandle for Child {
    fn block(&self) -> &Block {
        &self.block
    }

    fn report(&self) -> &Report {
        &self.report
    }

    fn kill(&self) {
        if self.report.exit().is_none() {
            // It fails only when the process is gone already.
            let _ = self.process.kill();
            self.hold.end();
        }
    }

    fn begin_question(&self) {
        if self.is_stopped.swap(false, Ordering::Relaxed) && self.report.exit().is_none() {
            self.hold.go_on();
        }
    }

    fn end_question(&self, _at: i64, stop: bool) {
        if stop && self.report.exit().is_none() {
            self.hold.stop();
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads until all writing ends of the pipe are closed.
fn read_all(mut output: PipeReader, report: &Report) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match output.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => report.printed(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// The process itself: runs one bot from its first request to its last. The first word is the name of the shared block,
/// the second, if there is one, the core to stay on. None if this process was not started by a referee.
pub(super) fn run(words: &[&str]) -> Option<ExitCode> {
    let (block, core) = words.split_first()?;
    // The referee says one byte when it has a hold on this process.
    io::stdin().read_exact(&mut [0]).ok()?;
    let block = Mapping::open(block).ok()?.forever();
    core.first().and_then(|core| core.parse().ok()).into_iter().for_each(cores::stay_on);
    let mut channel = Channel::new(block);
    match channel.first_request() {
        Ok(name) => match system::give_in(block) {
            Ok(()) => serve_bot(&mut channel, Path::new(&name), Path::new(&name)),
            Err(error) => channel.refuse(&error),
        },
        Err(problem) => channel.give_up(problem),
    }
    Some(ExitCode::SUCCESS)
}
