//! Excuses for late answers: what the machine took is not the bot's.

use super::{BotProcess, Silence};
use crate::host::clock::{after, now_ns};
use crate::host::standstill;
use crate::host::starvation::{LOOK_AGAIN, longest_wait};
use crate::host::wire::Seen;
use std::time::Duration;

/// A turn that is being timed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed {
    /// When it began.
    pub(super) started: i64,
    /// Its time, without the margin.
    pub(super) budget: Duration,
}

impl BotProcess {
    /// Waits a little longer for a bot that is late because the machine did not let it run.
    pub(super) fn wait_out_starvation(&mut self, turn: Timed) -> Result<(), Silence> {
        let still = standstill::between(turn.started, now_ns());
        let turn = Timed { budget: turn.budget.saturating_add(still), ..turn };
        let last = after(turn.started, longest_wait(turn.budget));
        loop {
            let now = now_ns();
            let wall = Duration::from_nanos(now.abs_diff(turn.started));
            let used = self.cpu.in_turn().filter(|&used| used <= turn.budget && now < last);
            let Some(used) = used else { return Err(Silence::TimeIsUp) };
            let look = self.starvation.look(wall.saturating_sub(used));
            if look.kept < wall.saturating_sub(turn.budget) && !look.wants_to_run {
                return Err(Silence::TimeIsUp);
            }
            self.look_at = after(now, LOOK_AGAIN).min(last);
            match self.block.reply.wait(self.sequence, self.look_at, &mut self.patience) {
                Seen::NotYet => {}
                Seen::Gone => return Err(Silence::Gone),
                Seen::OutOfStep => return Err(Silence::OutOfStep),
                Seen::Here => break,
            }
        }
        self.receive();
        Ok(())
    }

    /// The time of an answered turn in which the referee stood still, or the machine kept the bot or its referee waiting,
    /// if that is why the answer came after the limit.
    pub(super) fn starved(&mut self, turn: Timed, ended: i64, limit: Duration) -> Duration {
        let wall = Duration::from_nanos(ended.abs_diff(turn.started));
        let still = standstill::between(turn.started, ended);
        if wall.saturating_sub(still) <= limit {
            return still;
        }
        let idle = wall.saturating_sub(self.cpu.in_turn().unwrap_or(wall));
        let overslept = Duration::from_nanos(ended.saturating_sub(self.look_at).max(0).unsigned_abs());
        let kept = self.starvation.kept(idle, overslept);
        if wall.saturating_sub(kept) <= limit { kept.max(still) } else { still }
    }
}
