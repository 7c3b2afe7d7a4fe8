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
use super::message::{Answered, GameEnd, GameStart, Greeting, Reply, Request, TurnStart, write};
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

pub(super) struct BotProcess {
    handle: Handle,
    limits: Limits,
    /// How many of its threads can run at the same time.
    threads: u32,
    /// What the bot has said of itself, once it is loaded.
    greeting: Option<Greeting>,
    observer: Observer,
    sequence: u32,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
    /// What is left of the idle time that is forgiven in a game.
    idle_pool: Duration,
    /// What the last turn took.
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
    pub(super) fn of(handle: Handle, limits: Limits, threads: u32) -> BotProcess {
        BotProcess {
            handle,
            limits,
            threads,
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
        let mut timing = Timing::of_call(limit, self.threads, Duration::ZERO);
        let Some(pid) = self.pid() else { return Err(self.not_loaded(Silence::TimeIsUp, limit)) };
        // The bot's time begins here. What came before was the template's.
        self.observer = if self.limits.sandbox.is_contained() {
            let housekeeping = self.handle.core.housekeeping.load(Ordering::Relaxed);
            Observer::of(pid, Duration::from_nanos(housekeeping))
        } else {
            Observer::by_wall_time()
        };
        let charged = match self.await_reply(&mut timing) {
            Ok(charged) => charged,
            Err(silence) => return Err(self.not_loaded(silence, limit)),
        };
        self.prepare_left = limit.saturating_sub(charged);
        self.prepared = self.observer.used.unwrap_or_default();
        self.handle.end_question(now_ns(), false);
        match self.reply() {
            Ok(Reply::Loaded(mut greeting)) => {
                greeting.clip()?;
                // From here on the supervisor lets it open no files.
                self.handle.state().stage = Stage::Playing;
                Ok(greeting)
            }
            Ok(Reply::NotReady(problem)) => {
                Err(LoadError::not_ready(problem, self.handle.state().has_run_our_code_only()))
            }
            Ok(Reply::NotLoaded(error)) => Err(error.shortened()),
            other => Err(LoadError::Failed(self.unfit(other).sentence())),
        }
    }

    /// Has the bot make its instance, if it has none yet.
    pub(super) fn create(&mut self) -> Result<(), Failure> {
        if !self.is_seated {
            self.call(&Request::Create, &[], Phase::Create, self.prepare_left, self.limits.prepare)?;
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
        self.call(&Request::NewGame(game), &[], Phase::NewGame, limit, limit)
    }

    /// Asks for a move. `news` holds what happened since the last turn, as
    /// [`write`](super::message::write) wrote it.
    pub(super) fn choose(&mut self, news: &[u8], turn: &Turn<'_>) -> Result<Answered, Failure> {
        self.check_alive()?;
        let (threads, budget) = (self.threads, &turn.budget);
        let started_ns = self.observer.begin(budget.hard);
        self.handle.begin_question();
        let carried = self.observer.question.carried;
        let pondered = Some(carried).filter(|carried| !carried.is_zero() && !self.limits.instructions);
        // What is carried over is charged to this turn, by either of the bot's clocks.
        let carried_ns = (carried / threads.max(1)).as_nanos() as i64;
        let cpu_ns = self.observer.clock_at_start().map_or(NEVER, |used| used.as_nanos() as i64);
        let start = turn_start(turn, started_ns.saturating_sub(carried_ns));
        self.compose(&Request::Turn(TurnStart { cpu_ns, threads, ..start }), news);
        self.set_level(raw::GO_ON);
        let time = budget.hard.unwrap_or(Duration::MAX);
        // It had the whole limit of the turn, not only what refused answers have left of it.
        let told = turn.limit.unwrap_or(time);
        let counts = self.limits.instructions;
        let mut timing = if counts {
            Timing::of_call(wall_limit(time), threads, self.idle_pool)
        } else {
            Timing::of_turn(budget, threads, self.idle_pool)
        };
        let asked = self.ask(&mut timing);
        let observed = self.observer.last;
        let charged = match asked {
            _ if counts => Duration::ZERO,
            Ok(charged) => charged,
            // A bot that has given its processor away was charged little, but has lost: the record must
            // show that.
            Err(Silence::TimeIsUp | Silence::LateAnswer) => observed.charge(threads).max(timing.too_late()),
            Err(_) => observed.charge(threads),
        };
        self.spent = Spent { wall: observed.wall, cpu: observed.used, charged, pondered };
        let asked = if counts { self.without_time(asked) } else { asked };
        let answered = self.end_turn(asked, told)?;
        if counts {
            self.count(&answered, time, told)?;
        }
        answered.judge(self.limits.memory)?;
        Ok(answered)
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

    /// What it means for a bot whose clock counts instructions: it cannot be late, only our wait for it is over, which is a failure of
    /// the machine or of ours.
    fn without_time(&self, asked: Result<Duration, Silence>) -> Result<Duration, Silence> {
        asked.map_err(|silence| match silence {
            Silence::TimeIsUp | Silence::LateAnswer => Silence::Stuck { waited: self.observer.last.wall },
            other => other,
        })
    }

    /// A turn is over: takes the answer, or says why there is none. `told` is the limit that a fault names.
    fn end_turn(&mut self, asked: Result<Duration, Silence>, told: Duration) -> Result<Answered, Failure> {
        let reply = self.end_question(asked, Phase::Move, told);
        self.set_level(raw::ABANDON);
        match reply? {
            Ok(Reply::Answered(mut answered)) => {
                answered.clip();
                Ok(answered)
            }
            other => Err(self.unfit(other).into()),
        }
    }

    /// The same of any question.
    fn end_question(
        &mut self,
        asked: Result<Duration, Silence>,
        during: Phase,
        told: Duration,
    ) -> Result<Result<Reply, postcard::Error>, Failure> {
        let took = self.observer.last.wall;
        let is_too_big = self.is_too_big(took);
        let ended = after(self.observer.started, took);
        self.handle.end_question(ended, during == Phase::Move && self.limits.stop_between_turns);
        asked.map_err(|silence| self.explain(silence, during, told))?;
        if is_too_big {
            self.end();
            return Err(self.died(&End::TooBig, during));
        }
        Ok(self.reply())
    }

    /// Says how the game ended, and before that what `news` holds.
    pub(super) fn game_over(&mut self, end: GameEnd<'_>, news: &[u8]) -> Result<(), Failure> {
        let limit = self.limits.call;
        self.call(&Request::GameOver(end), news, Phase::GameOver, limit, limit)
    }

    /// Has the bot destroy its instance, ends the process, and waits for a moment until it is gone.
    pub(super) fn quit(mut self) -> Result<(), Failure> {
        let limit = self.limits.call;
        let destroyed = self.call(&Request::Quit, &[], Phase::Destroy, limit, limit);
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

    /// Calls a function that is not about a move. `told` is the limit that a fault names.
    fn call(
        &mut self,
        request: &Request<'_>,
        news: &[u8],
        phase: Phase,
        limit: Duration,
        told: Duration,
    ) -> Result<(), Failure> {
        self.check_alive()?;
        let before = self.observer.used.unwrap_or_default();
        self.observer.begin(None);
        self.handle.begin_question();
        self.compose(request, news);
        let mut timing = Timing::of_call(limit, self.threads, self.idle_pool);
        // It was told how much memory it has just now.
        timing.is_for_memory = phase == Phase::NewGame;
        let mut asked = self.ask(&mut timing);
        self.observer.is_settling = true;
        if matches!(phase, Phase::Create | Phase::NewGame) {
            self.prepared += self.observer.used.unwrap_or_default().saturating_sub(before);
        }
        if self.limits.instructions && phase == Phase::NewGame {
            asked = self.without_time(asked);
        }
        match self.end_question(asked, phase, told)? {
            Ok(Reply::Returned(mut returned)) => {
                returned.clip();
                Ok(returned.judge(phase, self.limits.memory)?)
            }
            other => Err(self.unfit(other).into()),
        }
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

    fn compose(&mut self, request: &Request<'_>, news: &[u8]) {
        self.outgoing.clear();
        write(request, &mut self.outgoing);
        self.outgoing.extend_from_slice(news);
    }

    /// Sends what was composed, part by part, and waits for the reply. Gives what is charged for it.
    fn ask(&mut self, timing: &mut Timing) -> Result<Duration, Silence> {
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

    fn reply(&self) -> Result<Reply, postcard::Error> {
        postcard::from_bytes(&self.incoming)
    }
}

/// How long to wait for a bot whose clock counts instructions: far longer than any machine takes for them, so that it decides
/// nothing.
fn wall_limit(instructions: Duration) -> Duration {
    const LEAST: Duration = Duration::from_secs(60);
    LEAST.saturating_add(instructions.saturating_mul(100))
}
