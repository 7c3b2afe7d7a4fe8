//! The referee's side of one bot's process: start it, ask it, say how it failed.
//!
//! One request is under way at a time, and each has a deadline that nothing extends. When it passes, the process is
//! killed and the verdict given at once; its remains are collected in the background. What is asked of the bot stands
//! here, how a request and its reply travel in `exchange`, which lateness is excused in `late`, and what a silence or
//! an end means in `ends`.

mod ends;
mod exchange;
mod late;

use super::clock::{CpuMeter, NEVER, now_ns};
use super::lender::stop_word;
use super::machine::private_memory;
use super::memory::Mapping;
use super::message::{Answered, Clip, GameEnd, GameStart, Greeting, Reply, Request, Setup, TurnStart, write};
use super::process::{self, Held};
use super::rest::Rest;
use super::sandbox;
use super::schedule::{FIRST_LOOK, Schedule};
use super::starvation::Starvation;
use super::watchman;
use super::wire::{self, Part, Patience};
use super::{BotFile, Core, Limits, LoadError};
use crate::verdict::{Fault, Phase, Spent};
use arbiter_plugin_api::raw;
use late::Timed;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

thread_local! {
    /// What the last bot of this thread, which stays on its core, has taught it.
    static PATIENCE: Cell<Patience> = Cell::default();
}

/// What is started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'a> {
    /// The bot.
    pub(crate) library: &'a BotFile,
    /// What it may use.
    pub(crate) limits: Limits,
    /// The core it runs on.
    pub(crate) core: Option<Core>,
}

/// A bot's process.
pub(crate) struct BotProcess {
    child: Arc<dyn Held>,
    rest: Arc<Rest>,
    block: Arc<Mapping>,
    cpu: CpuMeter,
    starvation: Starvation,
    limits: Limits,
    sequence: u32,
    /// When the referee looks for the reply at the latest.
    look_at: i64,
    patience: Patience,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
    spent: Spent,
    is_ended: bool,
}

/// Why there is no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Silence {
    TimeIsUp,
    Gone,
    OutOfStep,
}

impl BotProcess {
    /// Starts a process that confines itself and loads the bot, and does not wait for it.
    pub(crate) fn start(launch: &Launch<'_>) -> Result<BotProcess, LoadError> {
        sandbox::guard_referee();
        // The first request lies there before the process exists, so that it never waits for it.
        let sequence = wire::next(0);
        let mut outgoing = Vec::new();
        let Limits { memory, sandbox, .. } = launch.limits;
        let threads = launch.limits.most_threads();
        let path = std::path::absolute(launch.library.path());
        let name = path.map_err(|error| LoadError::unreadable(launch.library.path(), &error))?;
        let name = name.display().to_string();
        let (core, counted, patience) = (launch.core, launch.limits.counted(), PATIENCE.get());
        let setup = Setup { name, memory, threads, core, sandbox, counted, patience };
        write(&Request::Load(setup), &mut outgoing);
        let (block, child) = process::start(launch, |block| {
            block.request.put(sequence, &outgoing, Part::Last);
            block.stop.store(stop_word(sequence, raw::ABANDON), Ordering::SeqCst);
        })?;
        let child: Arc<dyn Held> = Arc::from(child);
        let rest = Arc::new(Rest::of(Arc::clone(&child), launch.limits.stop_between_turns));
        watchman::watch(&rest, launch.limits);
        Ok(BotProcess {
            cpu: CpuMeter::of(child.pid()),
            starvation: Starvation::of(child.pid(), launch.core),
            child,
            rest,
            block,
            limits: launch.limits,
            sequence,
            look_at: NEVER,
            patience,
            outgoing,
            incoming: Vec::new(),
            spent: Spent::default(),
            is_ended: false,
        })
    }

    /// Waits until the bot is loaded.
    pub(crate) fn greeting(&mut self) -> Result<Greeting, LoadError> {
        let schedule = Schedule::until(now_ns(), self.limits.load);
        let loaded = self.await_reply(&schedule);
        self.starvation.mark();
        let fault = match loaded {
            Ok(()) => match self.reply() {
                Ok(Reply::Loaded(mut greeting)) => {
                    greeting.clip();
                    return Ok(greeting);
                }
                Ok(Reply::NotLoaded(error)) => return Err(error),
                other => self.unfit(other),
            },
            Err(silence) => self.explain(silence, Phase::Load, self.limits.load),
        };
        Err(LoadError::Failed { what: fault.sentence() })
    }

    /// Has the bot make an instance.
    pub(crate) fn create(&mut self) -> Result<(), Fault> {
        self.call(&Request::Create, &[], Phase::Create)
    }

    /// Begins a game.
    pub(crate) fn new_game(&mut self, game: GameStart<'_>) -> Result<(), Fault> {
        self.call(&Request::NewGame(game), &[], Phase::NewGame)
    }

    /// Asks for a move. `news` holds what happened since the last turn, as
    /// [`write_happening`](super::message::write_happening) wrote it; `begin` makes the turn and its schedule from
    /// the point in time at which the clock starts.
    pub(crate) fn choose(
        &mut self,
        news: &[u8],
        budget: Duration,
        begin: impl FnOnce(i64) -> (TurnStart, Schedule),
    ) -> Result<Answered, Fault> {
        self.check_alive()?;
        let pondered = self.cpu.begin_turn();
        self.rest.end(self.cpu.between_turns());
        self.starvation.begin_turn();
        let started = now_ns();
        let (turn, schedule) = begin(started);
        let timed = Timed { started, budget };
        self.compose(&Request::Turn(turn), news);
        self.set_level(raw::GO_ON);
        let mut asked = self.ask(&schedule);
        if asked == Err(Silence::TimeIsUp) {
            asked = self.wait_out_starvation(timed);
        }
        let ended = now_ns();
        let wall = Duration::from_nanos(ended.abs_diff(started));
        let limit = Duration::from_nanos(schedule.deadline.abs_diff(started));
        let starved = if asked.is_ok() { self.starved(timed, ended, limit) } else { Duration::ZERO };
        let is_too_big = self.count_from_here(wall);
        self.rest.begin(|| {
            self.spent = Spent { wall, cpu: self.cpu.end_turn(now_ns()), starved, pondered };
            self.cpu.used()
        });
        self.set_level(raw::ABANDON);
        asked.map_err(|silence| self.explain(silence, Phase::Move, budget))?;
        if is_too_big {
            return Err(self.too_big(Phase::Move));
        }
        match self.reply() {
            Ok(Reply::Answered(mut answered)) => {
                answered.clip();
                answered.judge(self.limits.memory)
            }
            other => Err(self.unfit(other)),
        }
    }

    /// Says how the game ended, and before that what `news` holds.
    pub(crate) fn game_over(&mut self, end: GameEnd<'_>, news: &[u8]) -> Result<(), Fault> {
        self.call(&Request::GameOver(end), news, Phase::GameOver)
    }

    /// Has the bot destroy its instance, ends the process, and waits until it is gone.
    pub(crate) fn quit(mut self) -> Result<(), Fault> {
        let destroyed = self.call(&Request::Quit, &[], Phase::Destroy);
        self.end();
        self.child.state().wait();
        destroyed
    }

    /// Processor time that the bot used while nothing was asked of it; none where the system does not count it.
    pub(crate) fn used_between_turns(&self) -> Option<Duration> {
        self.cpu.between_turns()
    }

    /// What the last turn took.
    pub(crate) fn spent(&self) -> Spent {
        self.spent
    }

    /// The end of what the bot printed: all of it has been read if the process has been ended.
    pub(crate) fn output_tail(&self) -> String {
        if self.is_ended {
            self.child.state().wait();
        }
        String::from_utf8_lossy(&self.child.state().output().0).into_owned()
    }

    /// Bytes that the bot has printed, as far as they have been read.
    pub(crate) fn printed(&self) -> u64 {
        self.child.state().output().1
    }

    /// Ends the process, and does not wait until it is gone.
    pub(crate) fn end(&mut self) {
        self.is_ended = true;
        PATIENCE.set(self.patience);
        self.child.kill();
    }

    /// The number of the process.
    pub(crate) fn pid(&self) -> i32 {
        self.child.pid()
    }

    fn call(&mut self, request: &Request<'_>, news: &[u8], phase: Phase) -> Result<(), Fault> {
        self.check_alive()?;
        self.compose(request, news);
        self.rest.end(None);
        let started = now_ns();
        let asked = self.ask(&Schedule::until(started, self.limits.call));
        let ended = now_ns();
        let is_too_big = self.count_from_here(Duration::from_nanos(ended.abs_diff(started)));
        self.rest.begin(|| {
            self.cpu.end_call(ended);
            self.cpu.used()
        });
        asked.map_err(|silence| self.explain(silence, phase, self.limits.call))?;
        if is_too_big {
            return Err(self.too_big(phase));
        }
        match self.reply() {
            Ok(Reply::Returned(mut returned)) => {
                returned.clip();
                returned.judge(phase, self.limits.memory)
            }
            other => Err(self.unfit(other)),
        }
    }

    fn check_alive(&self) -> Result<(), Fault> {
        self.child.state().exit().map_or(Ok(()), |exit| Err(self.died(exit, Phase::Idle)))
    }

    /// After something that may have taken long: what was waited until here is of the past. Gives whether the process
    /// holds more memory than it may, which the system does not see of memory that is not to be written any more.
    fn count_from_here(&mut self, took: Duration) -> bool {
        if took < FIRST_LOOK {
            return false;
        }
        self.starvation.mark();
        private_memory(self.pid()).is_some_and(|held| self.limits.are_exceeded_by(held))
    }
}
