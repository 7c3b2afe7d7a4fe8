//! One request and its reply, through the block that both sides share.

use super::{BotProcess, Silence};
use crate::host::clock::{after, now_ns};
use crate::host::lender::stop_word;
use crate::host::message::{Reply, Request, write};
use crate::host::schedule::Schedule;
use crate::host::standstill;
use crate::host::waiting::wake;
use crate::host::wire::{self, Lane, Part, Seen};
use arbiter_plugin_api::raw;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl BotProcess {
    pub(super) fn compose(&mut self, request: &Request<'_>, news: &[u8]) {
        self.outgoing.clear();
        write(request, &mut self.outgoing);
        self.outgoing.extend_from_slice(news);
    }

    /// Sends what was composed, part by part, and waits for the reply.
    pub(super) fn ask(&mut self, schedule: &Schedule) -> Result<(), Silence> {
        let outgoing = std::mem::take(&mut self.outgoing);
        let mut parts = outgoing.chunks(Lane::<8192>::CAPACITY).peekable();
        let mut result = Ok(());
        while let (Some(bytes), Ok(())) = (parts.next(), result) {
            self.sequence = wire::next(self.sequence);
            let part = if parts.peek().is_some() { Part::More } else { Part::Last };
            self.block.request.put(self.sequence, bytes, part);
            result = self.await_reply(schedule);
        }
        self.outgoing = outgoing;
        result
    }

    /// Copies the reply out of the shared block.
    pub(super) fn receive(&mut self) {
        self.incoming.clear();
        self.block.reply.take(&mut self.incoming);
    }

    /// Waits for the reply to the last part, and raises the stop level on the way. While the program stood still nobody
    /// could have raised it, so that everything comes later by as much.
    pub(super) fn await_reply(&mut self, schedule: &Schedule) -> Result<(), Silence> {
        let (mut rises, begun, mut still) = (schedule.rises(), now_ns(), Duration::ZERO);
        loop {
            let (at, level) = *rises.peek();
            self.look_at = after(at, still);
            match self.block.reply.wait(self.sequence, self.look_at, &mut self.patience) {
                Seen::Here => break,
                Seen::Gone => return Err(Silence::Gone),
                Seen::OutOfStep => return Err(Silence::OutOfStep),
                Seen::NotYet => {}
            }
            // A bot that waits for the level to rise loses time by everything that keeps it from rising.
            let stood_still = if rises.is_last() { standstill::between } else { standstill::known };
            let longer = stood_still(begun, now_ns());
            if longer > still {
                still = longer;
                continue;
            }
            if rises.is_last() {
                return Err(Silence::TimeIsUp);
            }
            if level == raw::GO_ON {
                self.starvation.first_look(self.look_at);
            } else {
                self.raise(level);
            }
            rises.advance();
        }
        self.receive();
        Ok(())
    }

    /// Raises the stop level in a turn, and wakes a bot that sleeps.
    fn raise(&self, level: i32) {
        self.set_level(level);
        wake(&self.block.stop);
    }

    /// Sets the stop level where no bot need be woken: as a turn begins and ends.
    pub(super) fn set_level(&self, level: i32) {
        self.block.stop.store(stop_word(self.sequence, level), Ordering::SeqCst);
    }

    pub(super) fn reply(&self) -> Result<Reply, postcard::Error> {
        postcard::from_bytes(&self.incoming)
    }
}
