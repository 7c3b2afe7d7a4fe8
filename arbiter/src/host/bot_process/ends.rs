//! What it means that a bot's process does not answer, answers nonsense, or is gone.

use super::waiting::Silence;
use super::{BotProcess, Replied};
use crate::host::message::{LONGEST_MESSAGE, Reply, cut};
use crate::host::process::End;
use crate::verdict::{Failure, Fault, MachineFailure, Phase, Shortage};
use std::sync::atomic::Ordering;
use std::time::Duration;

impl BotProcess {
    pub(super) fn unfit(&mut self, reply: Replied) -> Failure {
        self.end();
        let problem = match reply {
            Ok(Reply::Lost(mut problem)) => {
                cut(&mut problem, LONGEST_MESSAGE);
                format!("its process could not follow the game: {problem}")
            }
            Ok(_) => "it answers something other than what it was asked".to_owned(),
            Err(error) => format!("it cannot be read: {error}"),
        };
        Fault::BadReply { problem }.into()
    }

    /// What it means that there is no answer, in a call or move with this limit.
    pub(super) fn explain(&mut self, silence: Silence, during: Phase, limit: Duration) -> Failure {
        // How it has ended by itself, if it has: from here on it is ended by us.
        let end = self.handle.state().end.clone();
        self.end();
        let has_begun = self.handle.block().serving.load(Ordering::SeqCst) == self.sequence;
        let problem = match (end, silence) {
            (Some(end), Silence::Gone) if during != Phase::Load && !has_begun => {
                return self.died(&end, Phase::Idle);
            }
            // What we end it for comes before anything else that is seen of it.
            (Some(end), silence) if end.is_ours() || silence == Silence::Gone => {
                return self.died(&end, during);
            }
            (_, Silence::TimeIsUp) if self.handle.pid_within(Duration::ZERO).is_none() => {
                let problem = "the process that bots are copied from does not answer";
                return MachineFailure::not_started(problem).into();
            }
            (_, Silence::TimeIsUp | Silence::LateAnswer) => {
                return Fault::TimedOut { during, budget: limit }.into();
            }
            (_, Silence::Stuck { waited }) => return MachineFailure::Stalled { during, waited }.into(),
            (_, Silence::OutOfStep) => "its number is not the one that comes next",
            (_, Silence::Gone) => "it says that its process is gone, which it is not",
        };
        Fault::BadReply { problem: problem.to_owned() }.into()
    }

    /// What it means that a process has ended so.
    pub(super) fn died(&self, end: &End, during: Phase) -> Failure {
        let out_of_memory = |shortage| Fault::OutOfMemory { during, limit: self.limits.memory, shortage };
        let words = &self.handle.block().last_words;
        let fault = match *end {
            End::NotStarted(ref problem) => return MachineFailure::not_started(problem).into(),
            End::OutOfProcessorTime => {
                let problem = "the system lets no process compute for longer (ulimit -Ht)".to_owned();
                return MachineFailure::Unreachable { during, problem }.into();
            }
            End::OutOfMemory { held } => return MachineFailure::OutOfMemory { during, held }.into(),
            End::Call(ref call) => return Fault::ForbiddenCall { during, call: call.clone() }.into(),
            End::TooBig => return out_of_memory(Shortage::Held).into(),
            End::Code(code) => Fault::Exited { during, code },
            End::Signal(signal) => {
                let noted = words.signal.load(Ordering::Relaxed) == signal.unsigned_abs();
                let known = noted && words.has_address.load(Ordering::Relaxed) != 0;
                if let Some(call) = self.forbidden_call(signal) {
                    Fault::ForbiddenCall { during, call }
                } else if noted && words.memory_refused.load(Ordering::Relaxed) != 0 {
                    out_of_memory(Shortage::Refused { signal })
                } else {
                    let address = known.then(|| words.address.load(Ordering::Relaxed));
                    Fault::Crashed { during, signal, address }
                }
            }
        };
        if self.handle.state().has_run_our_code_only() {
            let problem = format!("it {}, before any code of the bot ran", fault.sentence());
            return MachineFailure::not_started(problem).into();
        }
        fault.into()
    }

    /// The name of the forbidden system call that the process was ended for by this signal, as far as it is known: not when the bot
    /// has blocked the signal by what no filter sees, such as the frame that a handler returns by.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(unused, reason = "no other system ends a process for a call")
    )]
    fn forbidden_call(&self, signal: i32) -> Option<String> {
        #[cfg(target_os = "linux")]
        if signal == libc::SIGSYS {
            let words = &self.handle.block().last_words;
            let number = words.forbidden.load(Ordering::Relaxed);
            return match words.forbidden_arch.load(Ordering::Relaxed) {
                // A bot can raise the signal by itself.
                0 if self.handle.state().is_heard => None,
                0 => Some("of an unknown number".to_owned()),
                arch => Some(crate::host::sandbox::Call { number, arch }.name()),
            };
        }
        None
    }
}
