//! What it means that a bot's process does not answer, answers nonsense, or is gone.

use super::BotProcess;
use super::waiting::Silence;
use crate::host::LoadError;
use crate::host::message::{LONGEST_MESSAGE, Reply, cut};
use crate::host::process::{EndedFor, Exit, Process};
use crate::host::wire::LastWords;
use crate::verdict::{Failure, Fault, MachineFailure, Phase, Shortage};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What makes a stopped process go on by itself.
#[cfg(target_os = "linux")]
const RUN_ON: &str = "timer_settime with SIGCONT";

impl BotProcess {
    pub(super) fn too_big(&mut self, during: Phase) -> Fault {
        self.end();
        Fault::OutOfMemory { during, limit: self.limits.memory, shortage: Shortage::Held }
    }

    pub(super) fn unfit(&mut self, reply: Result<Reply, postcard::Error>) -> Fault {
        self.end();
        let problem = match reply {
            Ok(Reply::Lost(mut problem)) => {
                cut(&mut problem, LONGEST_MESSAGE);
                format!("its process could not follow the game: {problem}")
            }
            Ok(_) => "it answers something other than what it was asked".to_owned(),
            Err(error) => format!("it cannot be read: {error}"),
        };
        Fault::BadReply { problem }
    }

    /// Why a bot that has not answered was not loaded. The bot is not to blame as long as there is no process.
    pub(super) fn not_loaded(&mut self, silence: Silence, limit: Duration) -> LoadError {
        match self.explain(silence, Phase::Load, limit) {
            Failure::Machine(failure) => LoadError::Machine(failure),
            Failure::Fault(fault) => LoadError::Failed(fault.sentence()),
        }
    }

    /// What it means that there is no answer, in a call or move with this limit.
    pub(super) fn explain(&mut self, silence: Silence, during: Phase, limit: Duration) -> Failure {
        // How it has ended by itself, if it has: from here on it is ended by us.
        let exit = self.handle.state().exit;
        self.end();
        let process = &self.handle;
        let (problem, is_ours) = {
            let state = process.state();
            (state.not_started.clone(), state.has_run_our_code_only())
        };
        if let Some(problem) = problem {
            return MachineFailure::not_started(problem).into();
        }
        match silence {
            Silence::TimeIsUp if process.pid_within(Duration::ZERO).is_none() => {
                MachineFailure::not_started("the process that bots are copied from does not answer").into()
            }
            Silence::TimeIsUp | Silence::LateAnswer => {
                late(process, during, limit, self.limits.memory).into()
            }
            Silence::Stuck { waited } => MachineFailure::Stalled { during, waited }.into(),
            Silence::OutOfStep => {
                Fault::BadReply { problem: "its number is not the one that comes next".to_owned() }.into()
            }
            Silence::Gone => {
                let begun = self.handle.block().serving.load(Ordering::SeqCst) == self.sequence;
                let during = if begun || during == Phase::Load { during } else { Phase::Idle };
                let alive = "it says that its process is gone, which it is not".to_owned();
                if let Some(exit) = exit.filter(|_| is_ours) {
                    let problem = format!("its process ended before the bot was loaded: {exit:?}");
                    return MachineFailure::not_started(problem).into();
                }
                match exit {
                    Some(exit) => self.died(exit, during),
                    None => Fault::BadReply { problem: alive }.into(),
                }
            }
        }
    }

    /// How a process died, from its exit status and its last words.
    pub(super) fn died(&self, exit: Exit, during: Phase) -> Failure {
        if let Some(fault) = ended_for(&self.handle, during, self.limits.memory) {
            return fault.into();
        }
        let words = &self.handle.block().last_words;
        match exit {
            #[cfg(target_os = "linux")]
            Exit::OutOfProcessorTime => {
                let problem = "the system lets no process compute for longer (ulimit -Ht)".to_owned();
                MachineFailure::Unreachable { during, problem }.into()
            }
            #[cfg(target_os = "linux")]
            Exit::OutOfMemory => MachineFailure::OutOfMemory { during }.into(),
            Exit::Code(code) => Fault::Exited { during, code }.into(),
            Exit::Signal(signal) => {
                let is_heard = self.handle.state().is_heard;
                if let Some(call) = forbidden_call(words, signal, is_heard) {
                    return Fault::ForbiddenCall { during, call }.into();
                }
                let noted = words.signal.load(Ordering::Relaxed) == signal.unsigned_abs();
                if noted && words.memory_refused.load(Ordering::Relaxed) != 0 {
                    let shortage = Shortage::Refused { signal };
                    return Fault::OutOfMemory { during, limit: self.limits.memory, shortage }.into();
                }
                let known = noted && words.has_address.load(Ordering::Relaxed) != 0;
                let address = known.then(|| words.address.load(Ordering::Relaxed));
                Fault::Crashed { during, signal, address }.into()
            }
        }
    }
}

/// The fault for which the supervisor ended a bot's process. It comes before anything else that is seen of the process.
fn ended_for(process: &Process, during: Phase, memory: u64) -> Option<Fault> {
    let ended_for = process.state().ended_for.clone();
    Some(match ended_for? {
        #[cfg(target_os = "linux")]
        EndedFor::Call(call) => Fault::ForbiddenCall { during, call },
        #[cfg(target_os = "linux")]
        EndedFor::RunningOn => Fault::ForbiddenCall { during: Phase::Idle, call: RUN_ON.to_owned() },
        EndedFor::Memory => Fault::OutOfMemory { during, limit: memory, shortage: Shortage::Held },
    })
}

/// The fault of a bot that has not answered in time. If the supervisor was ending it for something else, that counts.
fn late(process: &Process, during: Phase, budget: Duration, memory: u64) -> Fault {
    ended_for(process, during, memory).unwrap_or(Fault::TimedOut { during, budget })
}

/// The name of the forbidden system call that a process was ended for by this signal, as far as it is known: not when the bot
/// has blocked the signal by what no filter sees, such as the frame that a handler returns by.
#[cfg(target_os = "linux")]
fn forbidden_call(words: &LastWords, signal: i32, is_heard: bool) -> Option<String> {
    let (number, arch) = (&words.forbidden, words.forbidden_arch.load(Ordering::Relaxed));
    match arch {
        _ if signal != libc::SIGSYS => None,
        // A bot can raise the signal by itself.
        0 if is_heard => None,
        0 => Some("of an unknown number".to_owned()),
        arch => Some(crate::host::sandbox::Call { number: number.load(Ordering::Relaxed), arch }.name()),
    }
}

/// No other system ends a process for a call.
#[cfg(not(target_os = "linux"))]
fn forbidden_call(_words: &LastWords, _signal: i32, _is_heard: bool) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::memory::Mapping;
    use std::sync::Arc;

    /// Otherwise a bot that is ended for its memory would be told that it is too slow.
    #[test]
    fn what_a_bot_was_ended_for_counts_more_than_its_time() {
        let (during, budget) = (Phase::Move, Duration::from_secs(1));
        let (block, _name) = Mapping::named().unwrap();
        let process = Process::new(&Arc::default(), block, Arc::default());
        let verdict = |process: &Process| late(process, during, budget, 64 << 20);
        assert_eq!(verdict(&process), Fault::TimedOut { during, budget });
        process.end_for(EndedFor::Memory);
        let too_big = Fault::OutOfMemory { during, limit: 64 << 20, shortage: Shortage::Held };
        assert_eq!(verdict(&process), too_big);
    }
}
