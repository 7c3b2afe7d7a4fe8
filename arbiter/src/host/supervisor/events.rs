//! The supervisor's event loop: it handles whatever happens to the processes of one core, one event after another.

use super::child::Child;
use super::questions::{Circumstances, Conduct, Verdict};
use super::{Order, Shared};
use crate::host::clock::{NEVER, ProcessorClock, after, now_ns};
use crate::host::limits::most_private_memory;
use crate::host::process::Exit;
use crate::host::procfs;
use crate::host::program::Program;
use crate::host::sandbox::{Group, Listener, Question, Reply, is_gate};
use crate::host::template::{self, Handed, Kind, LONGEST_SILENCE, Started, Template};
use rustix::event::{Timespec, epoll};
use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The epoll tokens of what is there once. Those of bots are made by [`token`].
const BELL: u64 = u64::MAX;
const TEMPLATE: u64 = u64::MAX - 1;
const LISTENER: u64 = u64::MAX - 2;

/// How often bots are looked at: whether they are to be stopped between turns, and what memory they hold.
const TICK: Duration = Duration::from_millis(25);
/// A template that so many ticks in a row have found not running, and from which nothing has come, does not answer.
const SILENT_TICKS: u32 = 4;
/// Looks at memory are this many ticks apart.
const TICKS_A_LOOK_AT_MEMORY: u32 = 4;
/// A bot that has not been asked anything for so long is stopped until it is.
const LONGEST_REST: Duration = Duration::from_millis(50);
/// A process that was seen to be stopped and has used more processor time than this since then has gone on by itself.
const RAN_ON: Duration = Duration::from_millis(5);

/// Where the system had no room for a process: how soon it is tried again, and for how long.
const TRY_AGAIN: Duration = Duration::from_millis(10);
const LONGEST_SHORTAGE: Duration = Duration::from_secs(2);

/// How much of a bot's output is read at a time, and between two ticks. It is limited because the supervisor reads on the
/// core on which the opponent may be thinking.
const CHUNK: usize = 64 << 10;
const CHUNKS_A_TICK: u32 = 32;

/// The whole life of the thread.
pub(super) fn run(kind: Kind, program: Program, filters: &AtomicU32, shared: &Shared) {
    match Events::new(kind, program, filters, shared) {
        Ok(mut events) => {
            // It starts while the bot's file is still being read. Where it fails, the first order tries again and tells.
            let _ = events.start_template();
            events.run();
        }
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

/// Says that no process could be started.
fn fail(order: &Order, problem: &str) {
    order.child.report().not_started(problem.to_owned());
    order.child.block().reply.mark_gone();
}

/// Everything that the loop knows.
struct Events<'a> {
    kind: Kind,
    program: Program,
    shared: &'a Shared,
    poll: OwnedFd,
    template: Option<Template>,
    listener: Option<Listener>,
    /// How many seccomp filters all supervisors of the host have installed.
    filters: &'a AtomicU32,
    /// Orders that the template has and has not answered, the oldest first, each with the end of its output.
    ordered: VecDeque<(Order, OwnedFd)>,
    /// Orders that there was no room for, and when they are tried again.
    postponed: Vec<(i64, Order)>,
    bots: HashMap<u64, Bot>,
    next_bot: u64,
    /// Questions from processes whose pid the template has not sent yet.
    unnamed: Vec<Question>,
    /// Questions that are answered late, with their bots and when.
    late: Vec<(i64, u64, Question)>,
    tick_at: i64,
    ticks: u32,
    /// Since when the template has had nothing to say, and how many ticks have found that it does not run.
    silent_since: i64,
    silent_ticks: u32,
    /// The template was replaced: what else epoll has told is about descriptors that may be gone.
    is_stale: bool,
    buffer: Vec<u8>,
}

/// A bot's process that runs.
struct Bot {
    child: Arc<Child>,
    pid: Pid,
    /// The first process of its namespace.
    first: Option<OwnedFd>,
    first_number: Option<Pid>,
    group: Option<Group>,
    /// It has passed the gate: from here on its calls may be the bot's.
    is_through: bool,
    conduct: Conduct,
    output: Option<OwnedFd>,
    /// Chunks of its output read since the last tick.
    chunks: u32,
    clock: Option<ProcessorClock>,
    /// What it had used when it was seen to be stopped, after so many questions.
    used_when_stopped: Option<(u32, Duration)>,
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

    /// Carries out new orders. Returns true when the host is being dropped.
    fn take_orders(&mut self) -> bool {
        let _ = rustix::io::read(&self.shared.bell, &mut [0; 8]);
        let mut orders = self.shared.orders();
        if orders.is_over {
            return true;
        }
        let new = std::mem::take(&mut orders.new);
        drop(orders);
        new.into_iter().for_each(|order| self.order(order));
        false
    }

    /// Has the template start a process.
    fn order(&mut self, order: Order) {
        if self.template.is_none()
            && let Err(error) = self.start_template()
        {
            return self.try_again_or_fail(order, &error);
        }
        let Some(template) = &self.template else { return };
        let sent = || -> io::Result<OwnedFd> {
            let library = order.library.as_ref().map(|library| library.open()).transpose();
            let library = library.map_err(io::Error::other)?;
            let (output, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
            rustix::fs::fcntl_setfl(&output, OFlags::NONBLOCK)?;
            template.order(&Handed {
                block: order.child.block_file(),
                library: library.map_or(order.child.block_file(), |library| library.copy.memory()),
                output: write.as_fd(),
                group: order.group.as_ref().map(Group::folder),
            })?;
            Ok(output)
        };
        match sent() {
            Ok(output) => {
                if self.ordered.is_empty() {
                    self.silent_since = now_ns();
                }
                self.ordered.push_back((order, output));
                self.tick_at = self.tick_at.min(after(now_ns(), TICK));
            }
            Err(error) if is_full(&error) => self.try_again_or_fail(order, &error),
            Err(error) if is_hung_up(&error) => self.replace_template(vec![order], &error),
            Err(error) => fail(&order, &error.to_string()),
        }
    }

    fn start_template(&mut self) -> io::Result<()> {
        let (template, listener) = Template::start(self.kind, &self.program)?;
        self.watch(template.as_fd(), TEMPLATE)?;
        if let Some(listener) = &listener {
            self.watch(listener.as_fd(), LISTENER)?;
            let installed = self.filters.fetch_add(1, Ordering::Relaxed) + 1;
            tracing::debug!(target: "arbiter::host", installed, "filter installed");
        }
        (self.template, self.listener) = (Some(template), listener);
        Ok(())
    }

    /// The template is gone, or does not answer: another one takes its place. The copies of the old one are ended, as
    /// failed by the machine: with its listener nobody would answer their questions any more.
    fn replace_template(&mut self, mut orders: Vec<Order>, error: &io::Error) {
        tracing::warn!(%error, "the template is replaced");
        self.is_stale = true;
        self.silent_ticks = 0;
        let problem = format!("what its process was copied from is gone: {error}");
        for bot in self.bots.values() {
            bot.fail(&problem);
        }
        self.forget(TEMPLATE);
        self.forget(LISTENER);
        (self.template, self.listener) = (None, None);
        self.unnamed.clear();
        self.late.clear();
        orders.extend(self.ordered.drain(..).map(|(order, _)| order));
        for mut order in orders {
            if std::mem::replace(&mut order.is_second_try, true) {
                fail(&order, &error.to_string());
            } else {
                self.order(order);
            }
        }
    }

    /// Tries again later where there is no room for a process: bots that are about to end may still take it up.
    fn try_again_or_fail(&mut self, order: Order, error: &io::Error) {
        let now = now_ns();
        if is_full(error) && now < after(order.at, LONGEST_SHORTAGE) {
            self.postponed.push((after(now, TRY_AGAIN), order));
        } else {
            fail(&order, &error.to_string());
        }
    }

    /// The template answers the oldest order.
    fn hear_template(&mut self) {
        let Some(template) = &self.template else { return };
        match template.answer() {
            Ok(answer) => {
                (self.silent_since, self.silent_ticks) = (now_ns(), 0);
                let Some((order, output)) = self.ordered.pop_front() else { return };
                match answer {
                    Ok(started) => self.begin(order, output, started),
                    Err(error) => self.try_again_or_fail(order, &error),
                }
            }
            Err(error) => self.replace_template(Vec::new(), &error),
        }
    }

    /// A process has been started.
    fn begin(&mut self, order: Order, output: OwnedFd, started: Started) {
        let Started { pid, process, first } = started;
        let Order { child, group, .. } = order;
        let number = self.next_bot;
        self.next_bot += 1;
        child.started(pid.as_raw_pid(), process, self.listener.is_some());
        let own = if self.kind.namespaces { procfs::innermost_number(pid) } else { None };
        let conduct = Conduct::of(pid, own.unwrap_or(pid.as_raw_pid()), self.kind.bounds.threads);
        let first_number = first.as_ref().and_then(|first| procfs::number_of(first.as_fd()).ok());
        let clock = ProcessorClock::of(pid.as_raw_pid());
        let watched = child.pidfd().map_or(Ok(()), |process| self.watch(process, token(number, Of::Process)));
        if let Err(error) = watched.and_then(|()| self.watch(output.as_fd(), token(number, Of::Output))) {
            tracing::warn!(%error, "a bot's process cannot be watched");
            child.report().not_started(format!("its process cannot be watched: {error}"));
            child.kill();
            child.block().reply.mark_gone();
        }
        let bot = Bot {
            child,
            pid,
            first,
            first_number,
            group,
            is_through: false,
            conduct,
            output: Some(output),
            chunks: 0,
            clock,
            used_when_stopped: None,
        };
        self.bots.insert(number, bot);
        for question in std::mem::take(&mut self.unnamed) {
            self.answer_or_keep(question);
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
    fn answer_or_keep(&mut self, question: Question) {
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

    fn watch(&self, file: impl AsFd, token: u64) -> io::Result<()> {
        Ok(epoll::add(&self.poll, file, epoll::EventData::new_u64(token), epoll::EventFlags::IN)?)
    }

    /// Takes a descriptor out of the epoll. That does not happen by itself while it is open elsewhere too.
    fn forget(&self, token: u64) {
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
enum Of {
    Process = 0,
    Output = 1,
}

fn token(number: u64, of: Of) -> u64 {
    number << 1 | of as u64
}

/// Whether the system has no room for another process at present.
fn is_full(error: &io::Error) -> bool {
    const OURS: [i32; 4] = [libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ETOOMANYREFS];
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
        || error.raw_os_error().is_some_and(|code| OURS.contains(&code))
}

/// Whether the template is not there any more.
fn is_hung_up(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionRefused, ConnectionReset, NotConnected};
    matches!(error.kind(), BrokenPipe | ConnectionRefused | ConnectionReset | NotConnected)
}

/// What came of reading a bot's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    /// There may be more.
    More,
    /// There is nothing for now.
    Nothing,
    /// All writing ends of the pipe are closed.
    End,
}

impl Bot {
    fn read_a_chunk(&mut self, buffer: &mut [u8]) -> Read {
        let Some(output) = &self.output else { return Read::End };
        self.chunks += 1;
        match rustix::io::read(output, &mut *buffer) {
            Ok(0) => Read::End,
            Ok(length) => {
                self.child.report().printed(&buffer[..length]);
                Read::More
            }
            Err(_) => Read::Nothing,
        }
    }

    /// Ends it for something that is not its fault.
    fn fail(&self, problem: &str) {
        self.child.report().not_started(problem.to_owned());
        self.child.kill();
    }

    /// Takes the exit status of the process, if it is gone.
    fn reap(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        let status = match rustix::process::waitid(WaitId::PidFd(self.child.pidfd()?), options) {
            Ok(None) | Err(rustix::io::Errno::INTR) => return None,
            Ok(status) => status,
            // The program that uses this library has reaped our child itself, in a signal handler.
            Err(_) => None,
        };
        let signal = status.as_ref().and_then(WaitIdStatus::terminating_signal);
        Some(match (signal, status.as_ref().and_then(WaitIdStatus::exit_status)) {
            (Some(signal), _) => Exit::Signal(signal),
            (None, Some(code)) => Exit::Code(code),
            (None, None) => Exit::Code(-1),
        })
    }

    /// Ends a process that holds more memory than it may. RLIMIT_DATA leaves out what the bot has made unwritable.
    fn look_at_memory(&self, most: u64) {
        if procfs::private_memory(self.pid.as_raw_pid()).is_some_and(|held| held > most) {
            self.child.report().out_of_memory();
            self.child.kill();
        }
    }

    /// Ends a process that goes on by itself after it was stopped. Only a timer that sends SIGCONT can do that, and no
    /// honest bot has one.
    fn look_whether_it_stays_stopped(&mut self) {
        let asked = self.child.questions();
        let used = self.clock.as_ref().and_then(ProcessorClock::read);
        // Between two looks it may have been asked something, and may have answered: what it used for that counts there.
        let is_same_rest = self.child.is_stopped() && self.child.questions() == asked;
        let Some(used) = used.filter(|_| is_same_rest) else {
            self.used_when_stopped = None;
            return;
        };
        match self.used_when_stopped.filter(|(questions, _)| *questions == asked) {
            Some((_, before)) if used.saturating_sub(before) > RAN_ON => {
                self.child.report().ran_on();
                self.child.kill();
            }
            Some(_) if !procfs::is_stopped(self.pid) => self.child.stop_again(),
            Some(_) => {}
            // Work in the kernel is finished before a process stops, and freeing gigabytes of memory takes long.
            None => self.used_when_stopped = procfs::is_stopped(self.pid).then_some((asked, used)),
        }
    }
}
