//! What it means that a bot's process does not answer, answers nonsense, or is gone.

use super::{BotProcess, Silence};
use crate::host::message::{LONGEST_MESSAGE, Reply, cut};
use crate::host::process::{Exit, State};
use crate::host::sandbox;
use crate::verdict::{Fault, Phase, Shortage};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What makes a stopped process go on by itself.
const RUN_ON: &str = "timer_settime with SIGCONT";

impl BotProcess {
    /// It holds more memory than it may.
    pub(super) fn too_big(&mut self, during: Phase) -> Fault {
        self.end();
        Fault::OutOfMemory { during, limit: self.limits.memory, shortage: Shortage::Held }
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
            Silence::TimeIsUp => silent(self.child.state(), during, budget, self.limits.memory),
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
        if let Some(fault) = ended_for(self.child.state(), during, self.limits.memory) {
            return fault;
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
                if noted && words.memory_refused.load(Ordering::Relaxed) != 0 {
                    let shortage = Shortage::Refused { signal };
                    return Fault::OutOfMemory { during, limit: self.limits.memory, shortage };
                }
                let known = noted && words.has_address.load(Ordering::Relaxed) != 0;
                let address = known.then(|| words.address.load(Ordering::Relaxed));
                Fault::Crashed { during, signal, address }
            }
        }
    }
}

/// The fault for which a bot's process was ended: it explains whatever else is seen of it.
fn ended_for(state: &State, during: Phase, memory: u64) -> Option<Fault> {
    if let Some(call) = state.forbidden() {
        return Some(Fault::ForbiddenCall { during, call: call.name() });
    }
    if state.runs_on() {
        return Some(Fault::ForbiddenCall { during: Phase::Idle, call: RUN_ON.to_owned() });
    }
    let shortage = Shortage::Held;
    state.ran_out_of_memory().then_some(Fault::OutOfMemory { during, limit: memory, shortage })
}

/// The fault of a bot that has not answered in time.
fn silent(state: &State, during: Phase, budget: Duration, memory: u64) -> Fault {
    // Whoever waits for its end because of what it did does not answer either.
    ended_for(state, during, memory).unwrap_or(Fault::TimedOut { during, budget })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who is ended for its memory while its time runs out would be told to be faster.
    #[test]
    fn what_a_bot_was_ended_for_counts_more_than_its_time() {
        let (during, budget) = (Phase::Move, Duration::from_secs(1));
        let state = State::default();
        let verdict = |state: &State| silent(state, during, budget, 64 << 20);
        assert_eq!(verdict(&state), Fault::TimedOut { during, budget });
        state.out_of_memory();
        let too_big = Fault::OutOfMemory { during, limit: 64 << 20, shortage: Shortage::Held };
        assert_eq!(verdict(&state), too_big);
        #[cfg(target_os = "linux")]
        {
            use crate::host::sandbox::Call;
            let call = Call { number: 0, arch: 0 };
            state.forbid(call);
            assert_eq!(verdict(&state), Fault::ForbiddenCall { during, call: call.name() });
        }
    }
}
