//! Excuses for late answers: what the machine took is not the bot's.

use super::{BotProcess, Silence};
use crate::host::clock::{after, now_ns};
use crate::host::starvation::{LOOK_AGAIN, longest_wait};
use crate::host::wire::Seen;
use std::time::Duration;

impl BotProcess {
    /// Waits a little longer for a bot that is late because the machine did not let it run.
    pub(super) fn wait_out_starvation(&mut self, started: i64, budget: Duration) -> Result<(), Silence> {
        let last = after(started, longest_wait(budget));
        loop {
            let now = now_ns();
            let overrun = Duration::from_nanos(now.abs_diff(started)).saturating_sub(budget);
            let has_worked_too_long = self.cpu.in_turn().is_none_or(|used| used > budget);
            let is_kept_waiting = self.queues.waited() >= overrun || self.queues.wants_to_run();
            if now >= last || has_worked_too_long || !is_kept_waiting {
                return Err(Silence::TimeIsUp);
            }
            match self.block.reply.wait(self.sequence, after(now, LOOK_AGAIN).min(last), &mut self.patience) {
                Seen::NotYet => {}
                Seen::Gone => return Err(Silence::Gone),
                Seen::OutOfStep => return Err(Silence::OutOfStep),
                Seen::Here => break,
            }
        }
        self.receive();
        Ok(())
    }

    /// The time of a turn in which the machine kept the bot or its referee waiting, if that is why it was late.
    pub(super) fn starved(&self, wall: Duration, limit: Duration) -> Duration {
        if wall <= limit {
            return Duration::ZERO;
        }
        let idle = wall.saturating_sub(self.cpu.in_turn().unwrap_or(wall));
        let waited = self.queues.waited().min(idle);
        if wall - waited <= limit { waited } else { Duration::ZERO }
    }
}
