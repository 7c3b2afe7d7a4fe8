//! What the supervisor answers when the kernel notifies it of a system call of a bot.
//!
//! Only numbers in registers are judged. What a pointer leads to could change between the answer and the call; numbers
//! cannot.

use crate::host::process::{Moment, Rest, Stage};
use crate::host::procfs;
use crate::host::sandbox::{Action, Notification, Reply};
use rustix::process::Pid;

/// Notifications that are answered at once while another bot of the core may be thinking: so many a second in the long run, and so many
/// in a burst. Others are answered late, because the supervisor works on that core, and answers one notification after another.
const NOTIFICATIONS_A_SECOND: i64 = 2000;
const BURST: i64 = 500;
/// Pipes that a bot may make in all: what a runtime makes to wake itself.
const MOST_PIPES: u32 = 2;

/// What the supervisor knows of the threads and calls of one bot.
pub(super) struct Conduct {
    pid: Pid,
    /// Its pid as it sees it itself, which is another one in a process namespace.
    own_pid: i32,
    /// Threads that it may have beside its first. Between two of its turns it may also start no more than that: each takes time on
    /// the core, in the opponent's turn.
    most_begun: u32,
    /// Threads that it was allowed to start. It has at most these and its first.
    begun: u32,
    /// Those of them that it started since this turn of it, while it was asked nothing.
    begun_at_rest: u32,
    turn: u32,
    pipes: u32,
    /// When the burst will be full again, if nothing more is asked.
    whole_at: i64,
}

impl Conduct {
    pub(super) fn of(pid: Pid, own_pid: i32, most_threads: u32) -> Conduct {
        let most_begun = most_threads.saturating_sub(1);
        Conduct {
            pid,
            own_pid,
            most_begun,
            begun: 0,
            begun_at_rest: 0,
            turn: 0,
            pipes: 0,
            whole_at: i64::MIN,
        }
    }

    /// Whether this tid is that of one of the bot's own threads, as the bot sees it. In a process namespace there are no others.
    fn means_itself(&self, tid: i32) -> bool {
        self.own_pid != self.pid.as_raw_pid() || self.has(tid)
    }

    /// Whether a thread or process with this tid is one of the bot's threads.
    pub(super) fn has(&self, tid: i32) -> bool {
        if tid == self.pid.as_raw_pid() {
            return true;
        }
        // SAFETY: signal 0 is sent to nobody: it only tells whether the thread is there.
        tid > 0 && unsafe { libc::syscall(libc::SYS_tgkill, self.pid.as_raw_pid(), tid, 0) } == 0
    }

    /// When a notification of now is to be answered. `is_alone`: the bot is asked something, and no other bot of the core is.
    pub(super) fn due(&mut self, now: i64, is_alone: bool) -> i64 {
        const EACH: i64 = 1_000_000_000 / NOTIFICATIONS_A_SECOND;
        self.whole_at = self.whole_at.max(now) + EACH;
        if is_alone {
            // That uses up the burst, so that a flood ends with the turn, but nothing is owed for it.
            self.whole_at = self.whole_at.min(now + BURST * EACH);
        }
        (self.whole_at - BURST * EACH).max(now)
    }

    /// Judges a call that the filter has not decided. None for what no bot may do: the process is to be ended.
    pub(super) fn judge(&mut self, notification: &Notification, moment: Moment) -> Option<Reply> {
        let number = |at: u8| notification.arguments[usize::from(at)] as i32;
        let go_on_if = |allowed: bool, error| Some(if allowed { Reply::GoOn } else { Reply::Fail(error) });
        match notification.action() {
            Action::Thread => go_on_if(self.may_start_a_thread(moment), libc::EAGAIN),
            Action::Pipe => {
                self.pipes = self.pipes.saturating_add(1);
                go_on_if(self.pipes <= MOST_PIPES, libc::EMFILE)
            }
            Action::OfThread(argument, error) => go_on_if(self.means_itself(number(argument)), error),
            Action::OfClock => {
                // `CPUCLOCK_PID` of the kernel: a pid or tid above three bits, inverted.
                let of = !(number(0) >> 3);
                go_on_if(of == 0 || self.means_itself(of), libc::EPERM)
            }
            Action::Signal | Action::UrgentSignal => (number(0) == self.own_pid).then_some(Reply::GoOn),
            Action::Open => go_on_if(moment.stage != Stage::Playing, libc::EACCES),
            Action::LookAtPath | Action::LookAtLibrary | Action::LookAtFile => {
                Some(Reply::Fail(libc::EACCES))
            }
            Action::OursOr(error) | Action::Fail(error) => Some(Reply::Fail(error)),
            Action::Allow
            | Action::BlockSignals
            | Action::Forbid
            | Action::Ours
            | Action::Gate
            | Action::Hide => None,
        }
    }

    fn may_start_a_thread(&mut self, Moment { questions, rest, .. }: Moment) -> bool {
        if questions != self.turn {
            (self.turn, self.begun_at_rest) = (questions, 0);
        }
        let most = self.most_begun;
        let is_allowed = self.begun_at_rest < most
            && (self.begun < most || procfs::threads(self.pid).is_some_and(|count| count <= most.into()));
        if is_allowed {
            self.begun = self.begun.saturating_add(1);
            self.begun_at_rest += u32::from(rest != Rest::Asked);
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot that starts a thread for each move that it looks at would otherwise get none, and one that goes on starting them take its
    /// opponent's time.
    #[test]
    fn threads_are_started_without_end_in_a_turn_and_outside_as_many_as_there_may_be() {
        for most in [65, 200] {
            let mut conduct = Conduct::of(Pid::INIT, 1, most);
            let mut started = |questions, rest| {
                let moment = Moment { stage: Stage::Playing, questions, rest };
                (0..300).filter(|_| conduct.may_start_a_thread(moment)).count()
            };
            for turn in [1, 2] {
                assert_eq!(started(turn, Rest::Asked), 300);
                assert_eq!(started(turn, Rest::Since(0)), most as usize - 1, "beside the first");
                assert_eq!(started(turn, Rest::Since(0)), 0);
            }
            assert_eq!(
                started(3, Rest::Stopped),
                most as usize - 1,
                "though it started none while it was asked"
            );
        }
    }

    #[test]
    fn questions_are_answered_late_only_where_another_bot_may_think() {
        let mut conduct = Conduct::of(Pid::INIT, 1, 65);
        let mut late = |is_alone| (0..2000).filter(|_| conduct.due(0, is_alone) > 0).count();
        assert_eq!(late(true), 0);
        assert_eq!(late(false), 2000, "a flood in its turn does not go on in that of its opponent");
        let mut conduct = Conduct::of(Pid::INIT, 1, 65);
        let mut late = |is_alone| (0..2000).filter(|_| conduct.due(0, is_alone) > 0).count();
        assert_eq!(late(false), 1500, "beyond the burst");
    }
}
