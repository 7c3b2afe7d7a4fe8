//! Whether a bot was slow, or was kept from running: starvation is not slowness.
//!
//! The kernel counts how long a thread stood in the queue for a processor while it wanted to run. A bot that has used
//! no more processor time than its budget, and whose main thread waited in that queue for as long as it is late, is
//! late through no fault of its own. Processor time is that of the whole process, so helper threads that keep the
//! main thread off its core use up the budget and buy nothing.

use std::fs;
use std::time::Duration;

/// Overrun that may be waited out: the larger of this and a tenth of the budget. On a machine with three or four busy
/// programs for each core, one move in several thousand is kept waiting for longer than a tenth of this.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// How often a late bot is looked at.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// The queue of one process's main thread, as the system tells it; where it tells nothing, nobody is ever starved.
#[derive(Debug)]
pub(super) struct RunQueue {
    schedstat: String,
    stat: String,
    at_first_look: Option<Duration>,
}

impl RunQueue {
    pub(super) fn of(pid: i32) -> RunQueue {
        RunQueue {
            schedstat: format!("/proc/{pid}/schedstat"),
            stat: format!("/proc/{pid}/stat"),
            at_first_look: None,
        }
    }

    /// A turn begins.
    pub(super) fn begin_turn(&mut self) {
        self.at_first_look = None;
    }

    /// The first look of a turn that is not over at once.
    pub(super) fn first_look(&mut self) {
        self.at_first_look = self.waited();
    }

    /// Time in the queue since the first look.
    pub(super) fn waited_in_turn(&self) -> Duration {
        let since = |first| self.waited().map(|now| now.saturating_sub(first));
        self.at_first_look.and_then(since).unwrap_or_default()
    }

    /// Whether the thread wants to run now. What it waits at present is counted only when it runs again.
    pub(super) fn wants_to_run(&self) -> bool {
        let stat = fs::read_to_string(&self.stat).unwrap_or_default();
        state(&stat) == Some('R')
    }

    fn waited(&self) -> Option<Duration> {
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
    fn a_process_that_runs_wants_to_run() {
        let own = RunQueue::of(std::process::id() as i32);
        // The main thread of a test program waits for the others; this asks only that the files are there.
        assert!(own.waited().is_some() || cfg!(not(target_os = "linux")), "no time in the queue is told");
    }
}
