//! Whether a bot was slow, or was kept from running: starvation is not slowness.
//!
//! The kernel counts how long a thread stood in the queue for a processor while it wanted to run. A bot that has used
//! no more processor time than its budget is late through no fault of its own if its main thread, or the referee's
//! that looks for the answer, waited in that queue for as long as it is late. Processor time is that of the whole
//! process, so helper threads that keep the main thread off its core use up the budget and buy nothing.
//!
//! To read the count in every turn would cost as much as the turn. It is read when a turn has lasted for a while, so
//! what was waited before that in quick turns counts as well: little, and never more than the time in which nothing of
//! the bot ran.

use super::clock::now_ns;
use std::fs;
use std::time::Duration;

/// Overrun that may be waited out: the larger of this and a tenth of the budget. On a machine with three or four busy
/// programs for each core, one move in several thousand is kept waiting for longer than a tenth of this.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// How often a late bot is looked at.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// A look at the queues that is later than this comes too late: what was waited until then is what it is about.
const PUNCTUAL_NS: i64 = 1_000_000;

/// Where a bot's main thread and its referee wait for the processor.
#[derive(Debug)]
pub(super) struct Queues {
    bot: RunQueue,
    referee: RunQueue,
    /// What tells whether the bot wants to run.
    stat: String,
}

impl Queues {
    /// Those of a new process and of the calling thread, which alone is to use them.
    pub(super) fn of(pid: i32) -> Queues {
        let mut referee = RunQueue::at("/proc/thread-self/schedstat".to_owned());
        referee.mark();
        let bot = RunQueue::at(format!("/proc/{pid}/schedstat"));
        Queues { bot, referee, stat: format!("/proc/{pid}/stat") }
    }

    /// What is waited counts from here on.
    pub(super) fn mark(&mut self) {
        self.bot.mark();
        self.referee.mark();
    }

    /// The first look in a turn that is not over at once, which was due at this point in time.
    pub(super) fn first_look(&mut self, due: i64) {
        if now_ns().saturating_sub(due) <= PUNCTUAL_NS {
            self.mark();
        }
    }

    /// Time in the queues since they were marked.
    pub(super) fn waited(&self) -> Duration {
        self.bot.since_mark() + self.referee.since_mark()
    }

    /// Whether the bot's thread wants to run now. What it waits at present is counted only when it runs again.
    pub(super) fn wants_to_run(&self) -> bool {
        let stat = fs::read_to_string(&self.stat).unwrap_or_default();
        state(&stat) == Some('R')
    }
}

/// One thread's queue, as the system tells it; where it tells nothing, nobody is ever starved.
#[derive(Debug)]
struct RunQueue {
    schedstat: String,
    mark: Option<Duration>,
}

impl RunQueue {
    fn at(schedstat: String) -> RunQueue {
        RunQueue { schedstat, mark: Some(Duration::ZERO) }
    }

    fn mark(&mut self) {
        self.mark = self.read();
    }

    fn since_mark(&self) -> Duration {
        let since = |mark| self.read().map(|now| now.saturating_sub(mark));
        self.mark.and_then(since).unwrap_or_default()
    }

    fn read(&self) -> Option<Duration> {
        queue_time(&fs::read_to_string(&self.schedstat).ok()?)
    }
}

/// The longest that a starved bot is waited for, counted from the start of its turn.
pub(super) fn longest_wait(budget: Duration) -> Duration {
    budget.saturating_add(LONGEST_WAIT.max(budget / 10))
}

/// The second number of `schedstat`: nanoseconds in the queue.
fn queue_time(schedstat: &str) -> Option<Duration> {
    schedstat.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The state letter of `stat`, which comes after the name in parentheses; the name may hold anything.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(") ")?.1.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_files_are_read_right() {
        assert_eq!(queue_time("7182763 56000 92\n"), Some(Duration::from_micros(56)));
        assert_eq!((queue_time(""), queue_time("1 x 3")), (None, None));
        assert_eq!(state("17 (odd) R name) S 1 17 17"), Some('S'));
        assert_eq!(state("17 (bot) R 1"), Some('R'));
        assert_eq!(state(""), None);
    }

    #[test]
    fn a_starved_bot_is_waited_for_a_tenth_of_its_time_or_a_second() {
        assert_eq!(longest_wait(Duration::from_secs(60)), Duration::from_secs(66));
        assert_eq!(longest_wait(Duration::from_millis(10)), Duration::from_millis(1010));
    }

    #[test]
    fn what_is_waited_before_a_punctual_first_look_does_not_count_and_before_a_late_one_does() {
        if cfg!(not(target_os = "linux")) {
            return;
        }
        let own = || Queues::of(std::process::id() as i32);
        let waited = own().bot.read().expect("the system tells of queues");
        let late = now_ns() - 2 * PUNCTUAL_NS;
        let mut queues = own();
        queues.first_look(late);
        assert!(queues.bot.since_mark() >= waited, "counted from the start of the process");
        queues.first_look(now_ns());
        assert!(queues.bot.mark >= Some(waited), "counted from now on");
    }
}
