//! The supervisor's event loop: it handles whatever happens to the processes of one core, one event after another.

use super::bot::{Bot, Read};
use super::orders::fail;
use super::questions::{Circumstances, Verdict};
use super::{Order, Shared};
use crate::host::clock::{NEVER, after, now_ns};
use crate::host::limits::most_private_memory;
use crate::host::program::Program;
use crate::host::sandbox::{Group, Listener, Question, Reply, is_gate};
use crate::host::template::{self, Kind, LONGEST_SILENCE, Template};
use rustix::event::{Timespec, epoll};
use rustix::process::Pid;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// The epoll tokens of what is there once. Those of bots are made by [`token`].
const BELL: u64 = u64::MAX;
pub(super) const TEMPLATE: u64 = u64::MAX - 1;
pub(super) const LISTENER: u64 = u64::MAX - 2;

/// How often bots are looked at: whether they are to be stopped between turns, and what memory they hold.
pub(super) const TICK: Duration = Duration::from_millis(25);
/// A template that so many ticks in a row have found not running, and from which nothing has come, does not answer.
const SILENT_TICKS: u32 = 4;
/// Looks at memory are this many ticks apart.
const TICKS_A_LOOK_AT_MEMORY: u32 = 4;
/// A bot that has not been asked anything for so long is stopped until it is.
const LONGEST_REST: Duration = Duration::from_millis(50);
/// How much of a bot's output is read at a time, and between two ticks. It is limited because the supervisor reads on the
/// core on which the opponent may be thinking.
const CHUNK: usize = 64 << 10;
const CHUNKS_A_TICK: u32 = 32;

/// The whole life of the thread.
pub(super) fn run(kind: Kind, program: Program, filters: &AtomicU32, shared: &Shared) {
    match Events::new(kind, program, filters, shared) {
        Ok(mut events) => events.run(),
        Err(error) => {
            tracing::error!(%error, "no supervisor for bots' processes");
            refuse_all(shared, &error);
        }
    }
}

/// Answers every order with this error, until the host is dropped.
fn refuse_all(shared: &Shared, error: &io::Error) {
    loop {
        let mut orders = shared.orders();
        let (is_over, new) = (orders.is_over, std::mem::take(&mut orders.new));
        drop(orders);
        new.iter().for_each(|order| fail(order, &error.to_string()));
        if is_over {
            return;
        }
        std::thread::sleep(TICK);
    }
}

/// Everything that the loop knows.
pub(super) struct Events<'a> {
    pub(super) kind: Kind,
    pub(super) program: Program,
    pub(super) shared: &'a Shared,
    pub(super) poll: OwnedFd,
    pub(super) template: Option<Template>,
    pub(super) listener: Option<Listener>,
    /// How many seccomp filters all supervisors of the host have installed.
    pub(super) filters: &'a AtomicU32,
    /// Orders that the template has and has not answered, the oldest first, each with the end of its output.
    pub(super) ordered: VecDeque<(Order, OwnedFd)>,
    /// Orders that there was no room for, and when they are tried again.
    pub(super) postponed: Vec<(i64, Order)>,
    pub(super) bots: HashMap<u64, Bot>,
    pub(super) next_bot: u64,
    /// Questions from processes whose pid the template has not sent yet.
    pub(super) unnamed: Vec<Question>,
    /// Questions that are answered late, with their bots and when.
    pub(super) late: Vec<(i64, u64, Question)>,
    pub(super) tick_at: i64,
    pub(super) ticks: u32,
    /// Since when the template has had nothing to say, and how many ticks have found that it does not run.
    pub(super) silent_since: i64,
    pub(super) silent_ticks: u32,
    /// The template was replaced: what else epoll has told is about descriptors that may be gone.
    pub(super) is_stale: bool,
    pub(super) buffer: Vec<u8>,
}

impl<'a> Events<'a> {
    fn new(
        kind: Kind,
        program: Program,
        filters: &'a AtomicU32,
        shared: &'a Shared,
    ) -> io::Result<Events<'a>> {
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        epoll::add(&poll, &shared.bell, epoll::EventData::new_u64(BELL), epoll::EventFlags::IN)?;
        Ok(Events {
            kind,
            program,
            shared,
            poll,
            template: None,
            listener: None,
            filters,
            ordered: VecDeque::new(),
            postponed: Vec::new(),
            bots: HashMap::new(),
            next_bot: 0,
            unnamed: Vec::new(),
            late: Vec::new(),
            tick_at: NEVER,
            ticks: 0,
            silent_since: NEVER,
            silent_ticks: 0,
            is_stale: false,
            buffer: Vec::new(),
        })
    }

    fn run(&mut self) {
        let mut happened = Vec::with_capacity(16);
        loop {
            let limit = self.time_until_next();
            let limit = Timespec { tv_sec: limit / 1_000_000_000, tv_nsec: limit % 1_000_000_000 };
            happened.clear();
            let waited = epoll::wait(&self.poll, rustix::buffer::spare_capacity(&mut happened), Some(&limit));
            if waited.is_err_and(|error| error != rustix::io::Errno::INTR) {
                // Only a bug of ours could cause it. The loop goes on, so that nobody waits for us for ever.
                std::thread::sleep(TICK);
            }
            for event in &happened {
                let flags = event.flags;
                match event.data.u64() {
                    BELL => {
                        if self.take_orders() {
                            return;
                        }
                    }
                    TEMPLATE => self.hear_template(),
                    LISTENER if flags.contains(epoll::EventFlags::IN) => self.hear_question(),
                    LISTENER => {}
                    token => self.hear_bot(token, flags),
                }
                // What is left is told again, as far as it still holds.
                if std::mem::take(&mut self.is_stale) {
                    break;
                }
            }
            self.do_what_is_due();
        }
    }

    /// Nanoseconds until something has to be done that no event announces.
    fn time_until_next(&self) -> i64 {
        const LONGEST: i64 = 1_000_000_000;
        let dues = self.late.iter().map(|(at, ..)| *at).chain(self.postponed.iter().map(|(at, _)| *at));
        let next = dues.chain([self.tick_at]).min().unwrap_or(NEVER);
        next.saturating_sub(now_ns()).clamp(0, LONGEST)
    }

    fn do_what_is_due(&mut self) {
        if self.late.is_empty() && self.postponed.is_empty() && self.tick_at == NEVER {
            return;
        }
        let now = now_ns();
        let due: Vec<_> = self.late.extract_if(.., |(at, ..)| *at <= now).collect();
        for (_, bot, question) in due {
            self.judge(bot, &question);
        }
        let due: Vec<_> = self.postponed.extract_if(.., |(at, _)| *at <= now).collect();
        due.into_iter().for_each(|(_, order)| self.order(order));
        if now >= self.tick_at {
            self.tick();
        }
    }

    /// A system call waits for an answer.
    fn hear_question(&mut self) {
        let Some(listener) = &self.listener else { return };
        // It fails when the caller is gone, or was interrupted and will ask again.
        let Ok(question) = listener.next() else { return };
        self.answer_or_keep(question);
    }

    /// Answers a question if it is known who asks. A process whose pid the template has not sent yet has to wait.
    pub(super) fn answer_or_keep(&mut self, question: Question) {
        let Some(listener) = &self.listener else { return };
        let runs_our_code =
            |number: Option<Pid>| number.is_some_and(|pid| pid.as_raw_pid() == question.thread);
        let template = self.template.as_ref().map(|template| template.pid);
        if runs_our_code(template) || self.bots.values().any(|bot| runs_our_code(bot.first_number)) {
            return listener.answer(&question, Reply::GoOn);
        }
        let asks = |bot: &Bot| bot.pid.as_raw_pid() == question.thread;
        let bot = self
            .bots
            .iter()
            .find(|(_, bot)| asks(bot))
            .or_else(|| self.bots.iter().find(|(_, bot)| bot.conduct.has(question.thread)));
        // If the caller is gone by now, its number may be that of another process.
        if !listener.is_valid(&question) {
            return;
        }
        match bot.map(|(number, _)| *number) {
            Some(number) => {
                let bot = self.bots.get_mut(&number).expect("it was found there");
                let due = if bot.is_through { bot.conduct.due() } else { 0 };
                if due > now_ns() {
                    self.late.push((due, number, question));
                } else {
                    self.judge(number, &question);
                }
            }
            None if !self.ordered.is_empty() => self.unnamed.push(question),
            None => listener.answer(&question, Reply::Fail(libc::EPERM)),
        }
    }

    fn judge(&mut self, number: u64, question: &Question) {
        let (Some(bot), Some(listener)) = (self.bots.get_mut(&number), &self.listener) else { return };
        if !bot.is_through {
            // Until the gate it runs our own code only.
            bot.is_through = is_gate(question);
            if bot.is_through {
                bot.child.report().passed_the_gate();
            }
            return listener.answer(question, if bot.is_through { Reply::Done } else { Reply::GoOn });
        }
        let circumstances = Circumstances {
            sandbox: self.kind.sandbox,
            turn: bot.child.questions(),
            is_playing: bot.child.is_playing(),
        };
        match bot.conduct.judge(question, circumstances) {
            Verdict::Reply(reply) => listener.answer(question, reply),
            Verdict::Forbidden => {
                bot.child.report().forbid(question.call);
                bot.child.kill();
            }
        }
    }

    /// A bot has printed something, or is gone.
    fn hear_bot(&mut self, happened: u64, flags: epoll::EventFlags) {
        let number = happened >> 1;
        let Some(bot) = self.bots.get_mut(&number) else { return };
        if happened & 1 == Of::Output as u64 {
            self.buffer.resize(CHUNK, 0);
            let is_open =
                flags.contains(epoll::EventFlags::IN) && bot.read_a_chunk(&mut self.buffer) != Read::End;
            if !is_open || bot.chunks >= CHUNKS_A_TICK {
                self.forget(token(number, Of::Output));
            }
            if !is_open && let Some(bot) = self.bots.get_mut(&number) {
                bot.output = None;
            }
            return;
        }
        let Some(exit) = bot.reap() else { return };
        self.buffer.resize(CHUNK, 0);
        // What is left of its output is in the pipe, and cannot be more than a pipe holds.
        while bot.chunks < 4 * CHUNKS_A_TICK && bot.read_a_chunk(&mut self.buffer) == Read::More {}
        self.forget(happened);
        self.forget(token(number, Of::Output));
        self.late.retain(|(_, of, _)| *of != number);
        let Some(bot) = self.bots.remove(&number) else { return };
        if bot.group.as_ref().is_some_and(Group::has_run_out_of_memory) {
            bot.child.report().out_of_memory();
        }
        bot.child.report().ended(exit);
        bot.child.block().reply.mark_gone();
        bot.first.iter().for_each(template::end);
    }

    /// The regular look at all bots, and at the template.
    fn tick(&mut self) {
        let now = now_ns();
        self.ticks = self.ticks.wrapping_add(1);
        for (number, bot) in &mut self.bots {
            if bot.chunks >= CHUNKS_A_TICK
                && let Some(output) = &bot.output
            {
                let data = epoll::EventData::new_u64(token(*number, Of::Output));
                let _ = epoll::add(&self.poll, output, data, epoll::EventFlags::IN);
            }
            bot.chunks = 0;
            bot.child.stop_if_resting_since(now - LONGEST_REST.as_nanos() as i64);
            bot.look_whether_it_stays_stopped();
            if self.ticks.is_multiple_of(TICKS_A_LOOK_AT_MEMORY) {
                bot.look_at_memory(most_private_memory(self.kind.bounds.memory));
            }
        }
        self.tick_at = if self.bots.is_empty() && self.ordered.is_empty() { NEVER } else { after(now, TICK) };
        let is_silent = !self.ordered.is_empty()
            && now > after(self.silent_since, LONGEST_SILENCE)
            && self.template.as_ref().is_some_and(Template::is_silent);
        self.silent_ticks = if is_silent { self.silent_ticks + 1 } else { 0 };
        // A single look may find it asleep for a moment, as it waits for an answer of ours.
        if self.silent_ticks >= SILENT_TICKS {
            let error = template::does_not_answer();
            self.replace_template(Vec::new(), &error);
        }
    }

    pub(super) fn watch(&self, file: impl AsFd, token: u64) -> io::Result<()> {
        Ok(epoll::add(&self.poll, file, epoll::EventData::new_u64(token), epoll::EventFlags::IN)?)
    }

    /// Takes a descriptor out of the epoll. That does not happen by itself while it is open elsewhere too.
    pub(super) fn forget(&self, token: u64) {
        let number = token >> 1;
        // It fails when the descriptor was not in the epoll.
        let _ = match token {
            TEMPLATE => self.template.as_ref().map(|template| epoll::delete(&self.poll, template)),
            LISTENER => self.listener.as_ref().map(|listener| epoll::delete(&self.poll, listener)),
            _ => self.bots.get(&number).and_then(|bot| match token & 1 {
                0 => bot.child.pidfd().map(|process| epoll::delete(&self.poll, process)),
                _ => bot.output.as_ref().map(|output| epoll::delete(&self.poll, output)),
            }),
        };
    }
}

impl Drop for Events<'_> {
    /// Ends everything, and waits for each process no longer than 200 ms.
    fn drop(&mut self) {
        self.ordered.iter().for_each(|(order, _)| fail(order, "the referee has ended"));
        self.template = None;
        for bot in self.bots.values() {
            bot.fail("the referee has ended");
        }
        for bot in self.bots.values() {
            for _ in 0..200 {
                if let Some(exit) = bot.reap() {
                    bot.child.report().ended(exit);
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            bot.child.block().reply.mark_gone();
            bot.first.iter().for_each(template::end);
        }
    }
}

/// Which of a bot's descriptors an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Process = 0,
    Output = 1,
}

pub(super) fn token(number: u64, of: Of) -> u64 {
    number << 1 | of as u64
}
