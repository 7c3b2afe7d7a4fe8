//! The supervisor's event loop: it handles whatever happens to the processes of one core, one event after another.

use super::bot::{Bot, Output};
use super::{ENDED, Order, Shared};
use crate::host::clock::{NEVER, after, between, now_ns, shown_ns, waited_here};
use crate::host::executable::Executable;
use crate::host::limits::most_private_memory;
use crate::host::process::{End, Rest, Stage};
use crate::host::procfs;
use crate::host::sandbox::{Action, Group, Listener, Notification, Reply};
use crate::host::template::{self, Kind, LONGEST_SILENCE, Template};
use crate::host::{Sandbox, cores};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Pid;
use rustix::time::ClockId;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// How often bots are looked at: whether they are to be stopped between turns, and what memory they hold.
pub(super) const TICK: Duration = Duration::from_millis(25);
/// A template that so many ticks in a row have found not running, and from which nothing has come, does not answer.
const SILENT_TICKS: u32 = 4;
/// Looks at memory are this many ticks apart.
const TICKS_A_LOOK_AT_MEMORY: u32 = 4;
/// Looks at the kernel's count of OOM kills are this many ticks apart: what others lost long ago explains no end of a bot.
const TICKS_A_LOOK_AT_OOM_KILLS: u32 = 80;
/// A bot that has not been asked anything for so long is stopped until it is.
const LONGEST_REST: Duration = Duration::from_millis(50);
/// How much of a bot's output is read at a time, and what reading it may cost between two ticks. It is limited because the
/// supervisor reads on the core on which the opponent may be thinking.
const CHUNK: usize = 64 << 10;
const COST_A_TICK: usize = 32 * CHUNK;

pub(super) fn run(kind: Kind, executable: Executable, shared: &Shared, orders: Receiver<Order>) {
    let mut events = Events {
        kind,
        executable,
        shared,
        orders,
        template: None,
        failed: None,
        waiting: Vec::new(),
        ordered: VecDeque::new(),
        bots: HashMap::new(),
        next_bot: 0,
        unnamed: Vec::new(),
        late: Vec::new(),
        tick_at: NEVER,
        ticks: 0,
        delay: Duration::ZERO,
        silent_since: NEVER,
        silent_ticks: 0,
        oom_kills: [procfs::oom_kills(); 2],
        buffer: vec![0; CHUNK],
    };
    // It starts while the bot's file is still being read. Where it fails, the first order tells.
    let _ = events.start_template();
    events.kind.core.into_iter().for_each(cores::stay_on);
    shared.core.housekeeping.store(housekeeping_ns(), Ordering::Relaxed);
    events.run();
}

/// Processor time that our own side of a bot's process may use between two questions of the referee: twenty times what the system calls
/// cost that it makes before it sleeps. That is little on most machines, but not on emulated ones.
fn housekeeping_ns() -> u64 {
    const CALLS: u32 = 22;
    const TIMES: u64 = 20;
    let used = || shown_ns(ClockId::ThreadCPUTime);
    let before = used();
    (0..CALLS).for_each(|_| std::thread::yield_now());
    (used() - before).max(0).unsigned_abs() * TIMES
}

pub(super) struct Events<'a> {
    pub(super) kind: Kind,
    pub(super) executable: Executable,
    pub(super) shared: &'a Shared,
    pub(super) orders: Receiver<Order>,
    pub(super) template: Option<Template>,
    /// Until when no other template is started, and why: the last one could not be.
    pub(super) failed: Option<(i64, String)>,
    /// Orders that no template has, and when they are carried out: those that there was no room for are tried again.
    pub(super) waiting: Vec<(i64, Order)>,
    /// Orders that the template has and has not answered, the oldest first, each with its output.
    pub(super) ordered: VecDeque<(Order, Output)>,
    pub(super) bots: HashMap<u64, Bot>,
    pub(super) next_bot: u64,
    /// Notifications from processes whose pid the template has not sent yet.
    pub(super) unnamed: Vec<Notification>,
    /// Notifications that are answered late, with their bots and when.
    pub(super) late: Vec<(i64, u64, Notification)>,
    pub(super) tick_at: i64,
    ticks: u32,
    /// How long this thread had waited for a processor in all before it waited for events.
    delay: Duration,
    /// Since when the template has had nothing to say, and how many ticks have found that it does not run.
    pub(super) silent_since: i64,
    pub(super) silent_ticks: u32,
    /// The kernel's count of OOM kills at the last look, and at the one before; to that one, bots of ours that it ended since then
    /// are added.
    oom_kills: [Option<u64>; 2],
    buffer: Vec<u8>,
}

impl Events<'_> {
    fn run(&mut self) {
        loop {
            self.delay = waited_here().unwrap_or_default();
            for event in self.wait() {
                match event {
                    Event::Bell => {
                        if self.take_orders() {
                            return;
                        }
                    }
                    Event::Template => self.hear_template(),
                    Event::Notification => self.hear_notification(),
                    Event::End(bot) => self.hear_end(bot),
                    Event::Output(bot) => self.hear_output(bot),
                }
            }
            self.do_what_is_due();
        }
    }

    /// Waits for what happens next, or until something has to be done that no event announces. The template comes before the
    /// listener: it names the processes whose calls are heard, and while it is replaced there is no other to hear.
    fn wait(&self) -> Vec<Event> {
        let limit = self.time_until_next();
        let limit = Timespec { tv_sec: limit / 1_000_000_000, tv_nsec: limit % 1_000_000_000 };
        let template = self.template.iter().map(|template| (Event::Template, &template.socket));
        let listener = self.listener().into_iter().map(|listener| (Event::Notification, &listener.0));
        let ends = self.bots.iter().map(|(number, bot)| (Event::End(*number), &*bot.pidfd));
        // Others have printed too much to be read before the next tick.
        let readable = self.bots.iter().filter(|(_, bot)| bot.read_cost < COST_A_TICK);
        let outputs = readable.map(|(number, bot)| (Event::Output(*number), &bot.output.read));
        let bell = std::iter::once((Event::Bell, &self.shared.bell));
        let (events, mut files): (Vec<_>, Vec<_>) = bell
            .chain(template)
            .chain(listener)
            .chain(ends)
            .chain(outputs)
            .map(|(event, file)| (event, PollFd::new(file, PollFlags::IN)))
            .unzip();
        if poll(&mut files, Some(&limit)).is_err_and(|error| error != rustix::io::Errno::INTR) {
            // The system has no memory for it just now. The loop goes on, so that nobody waits for us for ever.
            std::thread::sleep(TICK);
        }
        // Of a listener nothing but `IN` is heard: it hangs up when the last process with its filter has ended.
        let happened = events.into_iter().zip(files).filter(|(event, file)| match event {
            Event::Notification => file.revents().contains(PollFlags::IN),
            _ => !file.revents().is_empty(),
        });
        happened.map(|(event, _)| event).collect()
    }

    /// Nanoseconds until something has to be done that no event announces.
    fn time_until_next(&self) -> i64 {
        const LONGEST: i64 = 1_000_000_000;
        let dues = self.late.iter().map(|(at, ..)| *at).chain(self.waiting.iter().map(|(at, _)| *at));
        let next = dues.chain([self.tick_at]).min().unwrap_or(NEVER);
        next.saturating_sub(now_ns()).clamp(0, LONGEST)
    }

    fn do_what_is_due(&mut self) {
        let now = now_ns();
        let due: Vec<_> = self.late.extract_if(.., |(at, ..)| *at <= now).collect();
        for (_, bot, notification) in due {
            self.judge(bot, &notification);
        }
        let due: Vec<_> = self.waiting.extract_if(.., |(at, _)| *at <= now).collect();
        due.into_iter().for_each(|(_, order)| self.order(order));
        if now >= self.tick_at {
            self.tick();
        }
    }

    pub(super) fn listener(&self) -> Option<&Listener> {
        self.template.as_ref()?.listener.as_ref()
    }

    fn hear_notification(&mut self) {
        let Some(listener) = self.listener() else { return };
        // It fails when the caller is gone, or was interrupted and will ask again.
        let Ok(notification) = listener.next() else { return };
        self.answer_or_keep(notification);
    }

    /// Answers a notification if it is known whose call it is. A process whose pid the template has not sent yet has to wait.
    pub(super) fn answer_or_keep(&mut self, notification: Notification) {
        let Some(template) = &self.template else { return };
        let Some(listener) = &template.listener else { return };
        let calls = |pid: Pid| pid.as_raw_pid() == notification.thread;
        let mut ours = self.bots.values().filter_map(|bot| bot.first_pid);
        if calls(template.pid) || ours.any(calls) {
            return listener.answer(&notification, Reply::GoOn);
        }
        let bot = self.bots.iter().find(|(_, bot)| calls(bot.pid));
        let bot = bot.or_else(|| self.bots.iter().find(|(_, bot)| bot.conduct.has(notification.thread)));
        // If the caller is gone by now, its number may be that of another process.
        if !listener.is_valid(&notification) {
            return;
        }
        match bot.map(|(number, _)| *number) {
            Some(number) => {
                let is_asked = |bot: &Bot| bot.process.state().moment.rest == Rest::Asked;
                // It is, and no other bot of the core.
                let is_alone = self.bots.iter().all(|(of, bot)| is_asked(bot) == (*of == number));
                let bot = self.bots.get_mut(&number).expect("it was found there");
                let is_ours = bot.process.state().has_run_our_code_only();
                let now = now_ns();
                let due = if is_ours { now } else { bot.conduct.due(now, is_alone) };
                if due > now {
                    self.late.push((due, number, notification));
                } else {
                    self.judge(number, &notification);
                }
            }
            None if !self.ordered.is_empty() => self.unnamed.push(notification),
            None => listener.answer(&notification, Reply::Fail(libc::EPERM)),
        }
    }

    fn judge(&mut self, number: u64, notification: &Notification) {
        let (Some(bot), Some(template)) = (self.bots.get_mut(&number), &self.template) else { return };
        let Some(listener) = &template.listener else { return };
        bot.answers(self.delay, waited_here().unwrap_or_default());
        let mut state = bot.process.state();
        let moment = state.moment;
        let is_ours = state.has_run_our_code_only();
        let passes_the_gate = is_ours && notification.action() == Action::Gate;
        if passes_the_gate {
            // From here on it runs the bot's code too, and its calls may be the bot's.
            state.moment.stage = Stage::Loading;
        }
        drop(state);
        if is_ours {
            let reply = if passes_the_gate { Reply::Done } else { Reply::GoOn };
            return listener.answer(notification, reply);
        }
        match bot.conduct.judge(notification, moment) {
            Some(reply) => listener.answer(notification, reply),
            None if self.kind.sandbox == Sandbox::Wide => {
                listener.answer(notification, Reply::Fail(libc::EPERM))
            }
            None => bot.process.end_for(End::Call(notification.call.name())),
        }
    }

    fn hear_output(&mut self, number: u64) {
        let Some(bot) = self.bots.get_mut(&number) else { return };
        bot.read_a_chunk(&mut self.buffer);
    }

    fn hear_end(&mut self, number: u64) {
        let Some(bot) = self.bots.get_mut(&number) else { return };
        let Some((end, held)) = bot.reap() else { return };
        // What is left of its output is in the pipe, and cannot be more than a pipe holds.
        while bot.read_cost < 4 * COST_A_TICK && bot.read_a_chunk(&mut self.buffer) {}
        self.late.retain(|(_, of, _)| *of != number);
        let Some(bot) = self.bots.remove(&number) else { return };
        let is_killed = end == End::Signal(libc::SIGKILL) && !bot.process.state().is_unwanted;
        let is_oom = is_killed && bot.group.as_ref().map_or_else(|| self.was_oom_kill(), Group::had_oom_kill);
        if bot.group.as_ref().is_some_and(Group::has_run_out_of_memory) {
            bot.process.end_for(End::TooBig);
        }
        bot.process.ended(if is_oom { End::OutOfMemory { held } } else { end });
    }

    /// Whether a process of ours that was just ended by SIGKILL may have been the kernel's choice as memory ran out. The kernel
    /// counts what it ends on the whole machine, and each is taken for the end of one process only.
    fn was_oom_kill(&mut self) -> bool {
        let [_, before] = &mut self.oom_kills;
        match (procfs::oom_kills(), before) {
            (Some(now), Some(before)) if now > *before => {
                *before += 1;
                true
            }
            _ => false,
        }
    }

    /// The regular look at all bots, and at the template.
    fn tick(&mut self) {
        let now = now_ns();
        self.ticks = self.ticks.wrapping_add(1);
        for bot in self.bots.values_mut() {
            bot.read_cost = 0;
            let mut state = bot.process.state();
            if matches!(state.moment.rest, Rest::Since(at) if between(at, now) > LONGEST_REST) {
                state.stop();
            }
            drop(state);
            bot.look_whether_it_stays_stopped(self.kind.memory);
            if self.ticks.is_multiple_of(TICKS_A_LOOK_AT_MEMORY) {
                bot.look_at_memory(most_private_memory(self.kind.memory));
            }
        }
        // A process with much memory takes a while to end.
        if self.ticks.is_multiple_of(TICKS_A_LOOK_AT_OOM_KILLS) {
            self.oom_kills = [procfs::oom_kills(), self.oom_kills[0]];
        }
        self.tick_at = if self.bots.is_empty() && self.ordered.is_empty() { NEVER } else { after(now, TICK) };
        let is_silent = !self.ordered.is_empty()
            && now > after(self.silent_since, LONGEST_SILENCE)
            && self.template.as_ref().is_some_and(Template::is_silent);
        self.silent_ticks = if is_silent { self.silent_ticks + 1 } else { 0 };
        // A single look may find it asleep for a moment, as it waits for an answer of ours.
        if self.silent_ticks >= SILENT_TICKS {
            let error = template::does_not_answer();
            self.replace_template(None, &error);
        }
    }
}

impl Drop for Events<'_> {
    /// Ends everything. All processes have their kill before the first is waited for.
    fn drop(&mut self) {
        self.template = None;
        self.bots.values().for_each(|bot| bot.fail(ENDED));
    }
}

/// What the supervisor is woken by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Bell,
    /// The template has something to say, or has ended.
    Template,
    Notification,
    End(u64),
    Output(u64),
}
