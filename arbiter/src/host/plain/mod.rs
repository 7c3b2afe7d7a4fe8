//! A bot's process where the system has nothing to contain it with: a process of its own that can be killed.
//!
//! It is made like any other program's, loads the library from its file, and finds the shared block by its name. What
//! can be done from outside depends on the system: on Windows a job limits its memory, keeps it from starting
//! others, and ends it with the referee; on Unix it watches its standard input, which ends when the referee does.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub(super) use system::give_in;

use super::Isolation;
use super::child::MARK;
use super::launch::Launch;
use super::memory::{Mapping, Name};
use super::process::{Held, State};
use super::program;
use super::spare_threads;
use super::wire::Block;
use shared_child::SharedChild;
use std::io::{self, PipeReader, Read};
use std::process::Stdio;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use system::Hold;

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// How long the rest of the output of a process that is gone is waited for: what has the pipe open besides it may live
/// for ever.
const LAST_OUTPUT: Duration = Duration::from_millis(100);

/// Such a process.
pub(super) struct Child {
    process: Arc<SharedChild>,
    hold: Arc<Hold>,
    state: Arc<State>,
    /// Another process finds the block as long as this lives.
    _name: Name,
}

impl Child {
    /// Starts a process. A thread reads what it prints, and another waits for its end; when it is gone, the block says
    /// so.
    pub(super) fn start(
        launch: &Launch<'_>,
        prepare: impl FnOnce(&Block),
    ) -> io::Result<(Arc<Mapping>, Child)> {
        if launch.limits.isolation != Isolation::default() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "a plain process is isolated by nothing"));
        }
        system::check(&launch.limits)?;
        let (block, name) = Mapping::named()?;
        prepare(&block);
        let block = Arc::new(block);
        let (output, write) = io::pipe()?;
        let mut command = program::command()?;
        command.args([MARK, name.as_str()]).stdin(Stdio::piped()).stdout(write.try_clone()?).stderr(write);
        system::detach(&mut command);
        let mut process = command.spawn()?;
        // It holds the pipe's other end too, which only the process shall hold.
        drop(command);
        let held = Hold::on(&mut process, launch.limits.memory);
        if held.is_err() {
            process.kill()?;
            process.wait()?;
        }
        let (hold, process) = (Arc::new(held?), Arc::new(SharedChild::new(process)?));
        let child = Child { process, hold, state: Arc::default(), _name: name };
        // Dropping it from here on ends the process.
        child.watch(output, &block)?;
        Ok((block, child))
    }

    fn watch(&self, output: PipeReader, block: &Arc<Mapping>) -> io::Result<()> {
        let (all_read, ended) = mpsc::sync_channel(1);
        let state = Arc::clone(&self.state);
        let read = move || {
            read_all(output, &state);
            let _ = all_read.send(());
        };
        spare_threads::run("bot output", read)?;
        let (process, hold) = (Arc::clone(&self.process), Arc::clone(&self.hold));
        let (state, block) = (Arc::clone(&self.state), Arc::clone(block));
        let keep = move || {
            let exit = hold.exit(process.wait(), &block, &state);
            hold.end();
            let _ = ended.recv_timeout(LAST_OUTPUT);
            state.ended(exit);
            block.reply.mark_gone();
        };
        spare_threads::run("bot keeper", keep)
    }
}

impl Held for Child {
    fn pid(&self) -> i32 {
        self.process.id().cast_signed()
    }

    fn kill(&self) {
        if self.state.exit().is_none() {
            // It fails when the process is gone already, which is just as well.
            let _ = self.process.kill();
            self.hold.end();
        }
    }

    fn stop(&self) {
        if self.state.exit().is_none() {
            self.hold.stop();
        }
    }

    fn go_on(&self) {
        if self.state.exit().is_none() {
            self.hold.go_on();
        }
    }

    fn state(&self) -> &State {
        &self.state
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads until nobody can write any more.
fn read_all(mut output: PipeReader, state: &State) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match output.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => state.printed(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
