//! The referee's side of one bot's process: start it, ask it, say how it failed.
//!
//! One question is asked at a time. This file has the questions, `waiting` waits for the answers, and `ends` says what it
//! means when there is none. Nothing here waits without a limit, but for a move without a clock.

mod ends;
mod waiting;

use super::clock::charge::IDLE_POOL;
use super::clock::observe::Observer;
use super::clock::{NEVER, after, now_ns};
use super::limits::most_private_memory;
use super::machine::private_memory;
use super::message::{Answered, GameEnd, GameStart, Greeting, Reply, Request, write};
use super::players::turn_start;
use super::process::{End, Handle, Stage};
use super::wire::{self, Lane, Part};
use super::{Limits, LoadError};
use crate::player::{TimeControl, Turn, time_to_begin};
use crate::verdict::{Failure, Fault, Phase, Spent};
use arbiter_plugin_api::raw;
use std::sync::atomic::Ordering;
use std::time::Duration;
use waiting::{Silence, Timing};

/// How long to wait for the end of a process that has been killed. It may be stuck in the kernel for good.
const LONGEST_END: Duration = Duration::from_secs(1);
/// Answers that took less need no look at the memory of the process.
const SHORT: Duration = Duration::from_millis(1);

/// A reply, if what was sent is one.
type Replied = Result<Reply, postcard::Error>;

pub(super) struct BotProcess {
    handle: Handle,
    limits: Limits,
    /// How many of its threads can run at the same time.
    threads: u32,
    /// Whether it is kept on the core of the referee.
    shares_core: bool,
    /// What the bot has said of itself, once it is loaded.
    greeting: Option<Greeting>,
    observer: Observer,
    sequence: u32,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
    /// What is left of the idle time that is forgiven in a game.
    idle_pool: Duration,
    /// What the last question took.
    pub(super) spent: Spent,
    /// What is left of the time to load and create.
    prepare_left: Duration,
    /// Processor time that it used for load, create and `new_game`.
    prepared: Duration,
    is_seated: bool,
    /// It has failed and was ended; what it printed is still of interest.
    pub(super) is_ended: bool,
}

impl BotProcess {
    /// One that has just been started, with the first request in its block.
    pub(super) fn of(handle: Handle, limits: Limits, threads: u32, shares_core: bool) -> BotProcess {
        BotProcess {
            handle,
            limits,
            threads,
            shares_core,
            greeting: None,
            observer: Observer::by_wall_time(),
            sequence: wire::next(0),
            outgoing: Vec::new(),
            incoming: Vec::new(),
            idle_pool: IDLE_POOL,
            spent: Spent::default(),
            prepare_left: limits.prepare,
            prepared: Duration::ZERO,
            is_seated: false,
            is_ended: false,
        }
    }

    /// What the bot says of itself. The first call waits until it is loaded.
    pub(super) fn greeting(&mut self) -> Result<&Greeting, LoadError> {
        let greeting = match self.greeting.take() {
            Some(greeting) => greeting,
            None => self.hear_greeting()?,
        };
        Ok(self.greeting.insert(greeting))
    }

    fn hear_greeting(&mut self) -> Result<Greeting, LoadError> {
        let limit = self.limits.prepare;
        let Some(pid) = self.pid() else {
            return Err(LoadError::of_process(self.explain(Silence::TimeIsUp, Phase::Load, limit)));
        };
        // The bot's time begins here. What came before was the template's.
        if self.limits.sandbox.is_contained() {
            let least = Duration::from_nanos(self.handle.core.housekeeping.load(Ordering::Relaxed));
            self.observer = Observer::of(pid, least, self.threads, self.shares_core);
        } else {
            self.observer = Observer::by_wall_time();
        }
        let mut timing = self.timing(Phase::Load, limit);
        let heard = self.await_reply(&mut timing);
        self.prepare_left = limit.saturating_sub(heard.unwrap_or_default());
        self.prepared = self.observer.used.unwrap_or_default();
        match self.end_question(heard, &timing).map_err(LoadError::of_process)? {
            Ok(Reply::Loaded(mut greeting)) => {
                greeting.clip()?;
                // From here on the supervisor lets it open no files.
                self.handle.state().moment.stage = Stage::Playing;
                Ok(greeting)
            }
            Ok(Reply::NotReady(problem)) => {
                Err(LoadError::not_ready(problem, self.handle.state().has_run_our_code_only()))
            }
            Ok(Reply::NotLoaded(error)) => Err(error.shortened()),
            other => Err(LoadError::of_process(self.unfit(other))),
        }
    }

    /// Has the bot make its instance, if it has none yet.
    pub(super) fn create(&mut self) -> Result<(), Failure> {
        if !self.is_seated {
            let mut timing = self.timing(Phase::Create, self.prepare_left);
            timing.told = self.limits.prepare;
            self.call(&Request::Create, &[], timing)?;
            self.is_seated = true;
        }
        Ok(())
    }

    /// Whether there is an instance of the bot in it.
    pub(super) fn is_seated(&self) -> bool {
        self.is_seated && !self.is_ended
    }

    pub(super) fn new_game(&mut self, game: GameStart<'_>, time: TimeControl) -> Result<(), Failure> {
        self.idle_pool = IDLE_POOL;
        let usual = || time_to_begin(time, self.limits.prepare);
        let limit = match (self.limits.instructions, time) {
            (true, TimeControl::MoveTime(instructions)) => wall_limit(instructions),
            _ => self.limits.new_game.unwrap_or_else(usual),
        };
        self.call(&Request::NewGame(game), &[], self.timing(Phase::NewGame, limit))
    }

    /// Asks for a move. `news` holds what happened since the last turn, as
    /// [`write`](super::message::write) wrote it.
    pub(super) fn choose(&mut self, news: &[u8], turn: &Turn<'_>) -> Result<Answered, Failure> {
        let (threads, counts, budget) = (self.threads, self.limits.instructions, &turn.budget);
        let started_ns = self.begin_question(budget.hard)?;
        // What is carried over is charged to this turn, by either of the bot's clocks.
        let carried_ns = (self.observer.question.carried / threads.max(1)).as_nanos() as i64;
        let mut start = turn_start(turn, started_ns.saturating_sub(carried_ns));
        start.time.cpu = self.observer.clock_at_start().map_or(NEVER, |used| used.as_nanos() as i64);
        start.time.threads = threads.max(1).into();
        let time = budget.hard.unwrap_or(Duration::MAX);
        let mut timing =
            if counts { self.timing(Phase::Move, wall_limit(time)) } else { self.timing_of_turn(budget) };
        // It had the whole limit of the turn, not only what refused answers have left of it.
        let told = turn.limit.unwrap_or(time);
        timing.told = told;
        self.set_level(raw::GO_ON);
        let replied = self.ask(&Request::Turn(start), news, timing);
        self.set_level(raw::ABANDON);
        match replied? {
            Ok(Reply::Answered(mut answered)) => {
                answered.clip();
                if counts {
                    self.count(&answered, time, told)?;
                }
                Ok(answered.judged(self.limits.memory)?)
            }
            other => Err(self.unfit(other)),
        }
    }

    /// Charges a turn of a clock that counts instructions, one for each nanosecond of `limit`: the bridge counts them, and says how
    /// many were used.
    fn count(&mut self, answered: &Answered, limit: Duration, told: Duration) -> Result<(), Fault> {
        let used = answered.used.ok_or_else(|| Fault::BadReply {
            problem: "it does not say how many instructions it has used".to_owned(),
        })?;
        self.spent.charged = Duration::from_nanos(used);
        if self.spent.charged > limit {
            return Err(Fault::OutOfInstructions { limit: told.as_nanos() as u64 });
        }
        Ok(())
    }

    /// Says how the game ended, and before that what `news` holds.
    pub(super) fn game_over(&mut self, end: GameEnd<'_>, news: &[u8]) -> Result<(), Failure> {
        self.call(&Request::GameOver(end), news, self.timing(Phase::GameOver, self.limits.call))
    }

    /// Has the bot destroy its instance, ends the process, and waits for a moment until it is gone.
    pub(super) fn quit(mut self) -> Result<(), Failure> {
        let destroyed = self.call(&Request::Quit, &[], self.timing(Phase::Destroy, self.limits.call));
        self.end();
        self.await_end();
        destroyed
    }

    /// Processor time that the bot used while nothing was asked of it; none where the system does not count it.
    pub(super) fn used_between_turns(&self) -> Option<Duration> {
        self.observer.between_questions()
    }

    /// Processor time that load, create and `new_game` used; none where the system does not count it.
    pub(super) fn prepared(&self) -> Option<Duration> {
        self.observer.used.map(|_| self.prepared)
    }

    /// Whether a bot with these limits can begin with it: nothing has ended it since it was started.
    pub(super) fn is_ready_for(&self, limits: &Limits) -> bool {
        self.limits == *limits && self.check_alive().is_ok()
    }

    /// The end of what the bot printed. If the process has been ended, and is gone within a moment, it is all there.
    pub(super) fn output_tail(&self) -> String {
        if self.is_ended {
            self.await_end();
        }
        self.handle.printed.end()
    }

    /// Bytes that the bot has printed, as far as they have been read.
    pub(super) fn printed(&self) -> u64 {
        self.handle.printed.total()
    }

    /// Ends the process, and does not wait until it is gone.
    pub(super) fn end(&mut self) {
        self.is_ended = true;
        self.handle.kill();
    }

    /// The pid of the process, if it has one within a few seconds.
    pub(super) fn pid(&self) -> Option<i32> {
        self.handle.pid_within(waiting::LONGEST_START)
    }

    fn await_end(&self) {
        if !self.handle.is_gone_within(LONGEST_END) {
            tracing::warn!("a bot's process cannot be ended, and is left behind");
        }
    }

    /// Calls a function that is not about a move.
    fn call(&mut self, request: &Request<'_>, news: &[u8], timing: Timing) -> Result<(), Failure> {
        let during = timing.during;
        self.begin_question(None)?;
        let replied = self.ask(request, news, timing);
        self.observer.is_settling = true;
        if matches!(during, Phase::Create | Phase::NewGame) {
            self.prepared += self.spent.cpu.unwrap_or_default();
        }
        match replied? {
            Ok(Reply::Returned(mut returned)) => {
                returned.clip();
                Ok(returned.judge(during, self.limits.memory)?)
            }
            other => Err(self.unfit(other)),
        }
    }

    /// The bot is to be asked something that it is given this time for, if any. Gives the point in time.
    fn begin_question(&mut self, time: Option<Duration>) -> Result<i64, Failure> {
        self.spent = Spent::default();
        self.check_alive()?;
        let started_ns = self.observer.begin(time);
        self.handle.begin_question();
        Ok(started_ns)
    }

    /// Asks it, waits for the reply, and counts what that took.
    fn ask(&mut self, request: &Request<'_>, news: &[u8], mut timing: Timing) -> Result<Replied, Failure> {
        self.outgoing.clear();
        write(request, &mut self.outgoing);
        self.outgoing.extend_from_slice(news);
        let mut heard = self.send(&mut timing);
        let (observed, counts) = (self.observer.last, self.limits.instructions);
        let charged = match heard {
            _ if counts => Duration::ZERO,
            Ok(charged) => charged,
            // A bot that has given its processor away was charged little, but has lost: the record must
            // show that.
            Err(Silence::TimeIsUp | Silence::LateAnswer) => {
                observed.charge(self.threads).max(timing.too_late())
            }
            Err(_) => observed.charge(self.threads),
        };
        let pondered = Some(observed.carried).filter(|carried| !carried.is_zero() && !counts);
        self.spent = Spent { wall: observed.wall, cpu: observed.used, charged, pondered };
        // A bot whose clock counts instructions cannot be late. Only our wait for it is over, which is a failure of the machine or of
        // ours.
        if counts
            && matches!(timing.during, Phase::Move | Phase::NewGame)
            && matches!(heard, Err(Silence::TimeIsUp | Silence::LateAnswer))
        {
            heard = Err(Silence::Stuck { waited: observed.wall });
        }
        self.end_question(heard, &timing)
    }

    /// Its answer has come, or will not: takes it, or says why there is none.
    fn end_question(
        &mut self,
        heard: Result<Duration, Silence>,
        timing: &Timing,
    ) -> Result<Replied, Failure> {
        let during = timing.during;
        let took = self.observer.last.wall;
        let is_too_big = self.is_too_big(took);
        let ended = after(self.observer.started, took);
        self.handle.end_question(ended, during == Phase::Move && self.limits.stop_between_turns);
        heard.map_err(|silence| self.explain(silence, during, timing.told))?;
        if is_too_big {
            self.end();
            return Err(self.died(&End::TooBig, during));
        }
        Ok(postcard::from_bytes(&self.incoming))
    }

    fn check_alive(&self) -> Result<(), Failure> {
        let end = self.handle.state().end.clone();
        end.map_or(Ok(()), |end| Err(self.died(&end, Phase::Idle)))
    }

    /// Whether the process holds more memory than it may. The kernel's limit on data leaves out memory that the bot has
    /// made unwritable.
    fn is_too_big(&self, took: Duration) -> bool {
        if took < SHORT {
            return false;
        }
        // The supervisor may have ended it for that while its answer was on the way.
        if self.handle.state().end == Some(End::TooBig) {
            return true;
        }
        let pid = self.handle.pid_within(Duration::ZERO);
        pid.and_then(private_memory).is_some_and(|held| held > most_private_memory(self.limits.memory))
    }

    /// Sends what was composed, part by part, and waits for the reply. Gives what is charged for it.
    fn send(&mut self, timing: &mut Timing) -> Result<Duration, Silence> {
        let outgoing = std::mem::take(&mut self.outgoing);
        let mut parts = outgoing.chunks(Lane::<8192>::CAPACITY).peekable();
        let mut result = Ok(Duration::ZERO);
        while let (Some(bytes), Ok(_)) = (parts.next(), result) {
            self.sequence = wire::next(self.sequence);
            let part = if parts.peek().is_some() { Part::More } else { Part::Last };
            self.handle.block().request.put(self.sequence, bytes, part);
            result = self.await_reply(timing);
        }
        self.outgoing = outgoing;
        if result.is_err_and(|silence| silence != Silence::LateAnswer) {
            self.observer.end(now_ns());
        }
        result
    }

    /// Sets the stop level without waking anybody: as a turn begins and ends.
    fn set_level(&self, level: i32) {
        let word = super::plugin::stop_word(self.sequence, level);
        self.handle.block().stop.store(word, Ordering::SeqCst);
    }
}

/// How long to wait for a bot whose clock counts instructions: far longer than any machine takes for them, so that it decides
/// nothing.
fn wall_limit(instructions: Duration) -> Duration {
    const LEAST: Duration = Duration::from_secs(60);
    LEAST.saturating_add(instructions.saturating_mul(100))
}
