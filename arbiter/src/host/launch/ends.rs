//! What it means that a bot's process does not answer, answers nonsense, or is gone.

use super::{BotProcess, Silence};
use crate::host::message::{LONGEST_MESSAGE, Reply, cut};
use crate::host::process::Exit;
use crate::host::sandbox;
use crate::verdict::{Fault, Phase};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What makes a stopped process go on by itself.
const RUN_ON: &str = "timer_settime with SIGCONT";

impl BotProcess {
    /// It holds more memory than it may.
    pub(super) fn too_big(&mut self, during: Phase) -> Fault {
        self.end();
        Fault::OutOfMemory { during, limit: self.limits.memory }
    }

    /// A reply that does not fit the request.
    pub(super) fn unfit(&mut self, reply: Result<Reply, postcard::Error>) -> Fault {
        self.end();
        let problem = match reply {
            Ok(Reply::Lost(mut problem)) => {
                cut(&mut problem, LONGEST_MESSAGE);
                format!("its process could not follow the game: {problem}")
            }
            Ok(_) => "it answers something else than what it was asked".to_owned(),
            Err(error) => format!("it cannot be read: {error}"),
        };
        Fault::BadReply { problem }
    }

    pub(super) fn explain(&mut self, silence: Silence, during: Phase, budget: Duration) -> Fault {
        self.end();
        match silence {
            Silence::TimeIsUp => match self.child.state().forbidden() {
                // Whoever waits for its end because of a call does not answer either.
                Some(call) => Fault::ForbiddenCall { during, call: call.name() },
                // The same holds for whoever was ended because of its memory.
                None if self.child.state().ran_out_of_memory() => {
                    Fault::OutOfMemory { during, limit: self.limits.memory }
                }
                None => Fault::TimedOut { during, budget },
            },
            Silence::OutOfStep => {
                Fault::BadReply { problem: "its number is not the one that comes next".to_owned() }
            }
            Silence::Gone => {
                let begun = self.block.serving.load(Ordering::SeqCst) == self.sequence;
                let during = if begun || during == Phase::Load { during } else { Phase::Idle };
                let alive = "it says that its process is gone, which it is not".to_owned();
                let exit = self.child.state().exit();
                exit.map_or(Fault::BadReply { problem: alive }, |exit| self.died(exit, during))
            }
        }
    }

    /// How a process died, from its exit status and its last words.
    pub(super) fn died(&self, exit: Exit, during: Phase) -> Fault {
        if let Some(call) = self.child.state().forbidden() {
            return Fault::ForbiddenCall { during, call: call.name() };
        }
        if self.child.state().ran_out_of_memory() {
            return Fault::OutOfMemory { during, limit: self.limits.memory };
        }
        if self.child.state().runs_on() {
            return Fault::ForbiddenCall { during: Phase::Idle, call: RUN_ON.to_owned() };
        }
        let words = &self.block.last_words;
        match exit {
            Exit::Code(code) => Fault::Exited { during, code },
            Exit::Signal(signal) => {
                let has_told = words.forbidden_arch.load(Ordering::Relaxed) != 0;
                // A bot can raise the signal by itself.
                let can_be_meant = has_told || !self.child.state().is_listened_to();
                if Some(signal) == sandbox::FORBIDDEN && can_be_meant {
                    return Fault::ForbiddenCall { during, call: words.forbidden_call() };
                }
                let noted = words.signal.load(Ordering::Relaxed) == signal.unsigned_abs();
                if noted && words.out_of_memory.load(Ordering::Relaxed) != 0 {
                    return Fault::OutOfMemory { during, limit: self.limits.memory };
                }
                let known = noted && words.has_address.load(Ordering::Relaxed) != 0;
                let address = known.then(|| words.address.load(Ordering::Relaxed));
                Fault::Crashed { during, signal, address }
            }
        }
    }
}
