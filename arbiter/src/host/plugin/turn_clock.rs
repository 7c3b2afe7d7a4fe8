//! How far the turn has come, told in the bot's own process.
//!
//! A bot is charged with the processor time of its process, divided by its threads. Here the stop level and the time left are
//! worked out from that clock. To read it is a system call, while the monotonic clock is not; so it is read only once wall
//! time alone would have raised the level. The time left is worked out from both clocks, since a bot shares out its time by it.
//! A thread that asks counts what it has run itself, too. What a bot is charged for sleeping, or for another thread that runs
//! longer than the others, only the referee knows: it raises the level in the shared block for that.

use super::stop::level_of;
use crate::host::clock::{NEVER, now_ns};
use crate::host::message::TurnTime;
use arbiter_plugin_api::raw;
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering, fence};

/// How often a clock is read, about, while a bot asks for the level again and again.
const READ_EVERY_NS: i64 = 50_000;
/// The shortest time between two looks of the thread that calls `stop`.
pub(super) const SOONEST_NS: i64 = 500_000;
/// Most calls answered without reading a clock. A bot may ask a million times a millisecond and then once: to read the
/// clock once in 256 calls costs a tenth of a nanosecond each, and the level is at most 256 slow calls late.
const MOST_CALLS: i64 = 256;

/// The clock of the bot's turns. Any thread may read it, a signal handler too; one thread begins and ends turns.
#[derive(Debug)]
pub(super) struct TurnClock {
    /// How often `slots` were written. Its lowest bit says which slot is valid.
    written: AtomicU32,
    slots: [[AtomicI64; 6]; 2],
}

/// A stop level, and when it may be another one: no sooner than a bot can have run for so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rise {
    pub(super) level: i32,
    pub(super) next: i64,
}

/// What a thread remembers between two calls of `should_stop`.
struct Polling {
    /// The stop word of the block at the last call.
    word: Cell<u32>,
    level: Cell<i32>,
    /// Calls to be answered with `level` before a clock is read again.
    calls_left: Cell<u32>,
    /// How many calls that was at first.
    calls: Cell<u32>,
    read_at: Cell<i64>,
    /// Before this point in time the level cannot rise.
    same_until: Cell<i64>,
    /// The last turn in which it asked where several threads may run, by its start, and what it had run when it first did.
    ran_before: Cell<(i64, i64)>,
}

/// What a thread has found out about the time that its process was charged in a turn. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spent {
    /// When the turn started, on the monotonic clock.
    turn: i64,
    at: i64,
    usage: Usage,
    charged: i64,
}

/// What a thread knows that has asked in another turn only.
const NOTHING: Spent =
    Spent { turn: NEVER, at: 0, usage: Usage { cpu: 0, voluntary_switches: 0 }, charged: 0 };

/// What the kernel counts of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Usage {
    cpu: i64,
    /// How often its threads have given up the processor of their own accord.
    voluntary_switches: libc::c_long,
}

thread_local! {
    static SPENT: Cell<Spent> = const { Cell::new(NOTHING) };
    static POLLING: Polling = const {
        Polling {
            word: Cell::new(0),
            level: Cell::new(raw::GO_ON),
            calls_left: Cell::new(0),
            calls: Cell::new(0),
            read_at: Cell::new(0),
            same_until: Cell::new(i64::MIN),
            ran_before: Cell::new((NEVER, 0)),
        }
    };
}

impl TurnClock {
    pub(super) fn new() -> TurnClock {
        let slot = || [NEVER, NEVER, NEVER, NEVER, NEVER, 0].map(AtomicI64::new);
        TurnClock { written: AtomicU32::new(0), slots: [slot(), slot()] }
    }

    /// The turn that is under way, by the point in time at which it started.
    pub(super) fn turn(&self) -> Option<i64> {
        let turn = self.read();
        (turn.threads != 0).then_some(turn.started)
    }

    /// The turn is over. The time left goes on falling.
    pub(super) fn end_turn(&self) {
        self.write(TurnTime { threads: 0, ..self.read() });
    }

    pub(super) fn reset(&self) {
        self.write(TurnTime {
            started: NEVER,
            soft: NEVER,
            stop: NEVER,
            hard: NEVER,
            cpu: NEVER,
            threads: 0,
        });
    }

    /// The level by the clock alone at this point in time, for a thread that tells the bot when it rises.
    pub(super) fn rise(&self, now: i64) -> Rise {
        let turn = self.read();
        turn.rise(now, || turn.used(process_cpu_ns()))
    }

    pub(super) fn time_left_ns(&self) -> i64 {
        let (left, spent) = self.read().left(now_ns(), SPENT.get(), process_usage);
        SPENT.set(spent);
        left
    }

    /// The stop level, at least the one in the stop word of the shared block. What a thread remembers belongs to the one
    /// clock that a process has.
    #[inline]
    pub(super) fn level(&self, word: u32) -> i32 {
        POLLING.with(|polling| {
            let left = polling.calls_left.get();
            if left == 0 || polling.word.get() != word {
                return self.read_level(word, polling);
            }
            polling.calls_left.set(left - 1);
            polling.level.get()
        })
    }

    #[cold]
    #[inline(never)]
    fn read_level(&self, word: u32, polling: &Polling) -> i32 {
        // The word of a new turn is not seen with the limits of the turn before it, whose end the referee has seen.
        fence(Ordering::Acquire);
        let now = now_ns();
        let is_new_word = polling.word.replace(word) != word;
        if is_new_word || now >= polling.same_until.get() {
            let turn = self.read();
            if turn.threads > 1 && polling.ran_before.get().0 != turn.started {
                polling.ran_before.set((turn.started, thread_cpu_ns()));
            }
            let rise = turn.rise(now, || turn.used_by_now(polling.ran_before.get().1));
            polling.level.set(rise.level.max(level_of(word)));
            polling.same_until.set(rise.next.min(now + READ_EVERY_NS));
        }
        let took = now - polling.read_at.replace(now);
        let calls = if is_new_word { 1 } else { calls_for(i64::from(polling.calls.get()), took) };
        polling.calls.set(calls);
        // This call is one of them.
        polling.calls_left.set(calls - 1);
        polling.level.get()
    }

    /// A turn begins, or another time counts: writes it into the slot that is not valid, and then makes that the valid one.
    pub(super) fn write(&self, turn: TurnTime) {
        let next = self.written.load(Ordering::Relaxed).wrapping_add(1);
        // A reader of this slot that sees a new value in it also sees that the other slot is valid now, and reads again.
        fence(Ordering::Release);
        let TurnTime { started, soft, stop, hard, cpu, threads } = turn;
        for (field, value) in self.slot(next).iter().zip([started, soft, stop, hard, cpu, threads]) {
            field.store(value, Ordering::Relaxed);
        }
        self.written.store(next, Ordering::Release);
    }

    fn read(&self) -> TurnTime {
        loop {
            let written = self.written.load(Ordering::Acquire);
            let fields = self.slot(written).each_ref().map(|field| field.load(Ordering::Relaxed));
            fence(Ordering::Acquire);
            if self.written.load(Ordering::Relaxed) == written {
                let [started, soft, stop, hard, cpu, threads] = fields;
                return TurnTime { started, soft, stop, hard, cpu, threads };
            }
        }
    }

    fn slot(&self, written: u32) -> &[AtomicI64; 6] {
        &self.slots[(written & 1) as usize]
    }
}

impl TurnTime {
    /// The level at a point in time. What the bot has `used` by then is asked for only where wall time alone would have raised it.
    fn rise(&self, now: i64, used: impl FnOnce() -> i64) -> Rise {
        if self.threads == 0 {
            return Rise { level: raw::GO_ON, next: now };
        }
        let wall = now.saturating_sub(self.started);
        let is_wall_enough = self.cpu == NEVER || self.level_after(wall) == raw::GO_ON;
        let (spent, soonest) = if is_wall_enough { (wall, 0) } else { (used(), SOONEST_NS) };
        let limits = [self.soft, self.stop, self.hard].into_iter().filter(|&limit| limit > spent);
        let next = limits.min().map_or(NEVER, |limit| now.saturating_add((limit - spent).max(soonest)));
        Rise { level: self.level_after(spent), next }
    }

    /// Nanoseconds left, and what is known of the time spent from now on.
    fn left(&self, now: i64, spent: Spent, usage: impl FnOnce() -> Usage) -> (i64, Spent) {
        if self.hard == NEVER {
            return (raw::NO_LIMIT, spent);
        }
        if self.cpu == NEVER || self.threads == 0 {
            return (self.hard.saturating_sub(now.saturating_sub(self.started)), spent);
        }
        if spent.turn == self.started && now.saturating_sub(spent.at) < READ_EVERY_NS {
            return (self.hard.saturating_sub(spent.charged).saturating_sub(now - spent.at), spent);
        }
        let spent = self.spent(now, spent, usage());
        let left = self.hard.saturating_sub(spent.charged);
        // How long one of several threads has run alone is not known here, so for these it does not rise again.
        let may_rise = left <= 0 && self.threads == 1;
        (if may_rise { self.hard.saturating_sub(self.used(spent.usage.cpu)) } else { left }, spent)
    }

    /// What has been charged by now. While no thread of the process gives up the processor, only the machine keeps it from
    /// running, so its processor time is what it is charged. Otherwise wall time is taken, which is never less than the charge of
    /// a bot that keeps no more threads busy than it may. Wall time is taken for several threads too: where one of them runs
    /// alone, the charge is more than the processor time divided by their number.
    fn spent(&self, now: i64, last: Spent, usage: Usage) -> Spent {
        let (since, charged) =
            if last.turn == self.started { (last.at, last.charged) } else { (self.started, 0) };
        let wall = now.saturating_sub(since);
        let is_one_that_ran = self.threads == 1
            && last.turn == self.started
            && last.usage.voluntary_switches == usage.voluntary_switches;
        let more = if is_one_that_ran { usage.cpu - last.usage.cpu } else { wall };
        Spent { turn: self.started, at: now, usage, charged: charged.saturating_add(more) }
    }

    fn level_after(&self, time: i64) -> i32 {
        match time {
            time if time >= self.hard => raw::ABANDON,
            time if time >= self.stop => raw::STOP,
            time if time >= self.soft => raw::ENOUGH,
            _ => raw::GO_ON,
        }
    }

    fn used(&self, cpu_now: i64) -> i64 {
        cpu_now.saturating_sub(self.cpu) / self.threads.max(1)
    }

    /// The same for a thread that asks, which had run so long when it first did: if it runs alone, it has used what it ran.
    fn used_by_now(&self, ran_before: i64) -> i64 {
        let used = self.used(process_cpu_ns());
        if self.threads > 1 { used.max(thread_cpu_ns().saturating_sub(ran_before)) } else { used }
    }
}

/// How many calls to answer before a clock is read again, if the last ones took so long.
fn calls_for(calls: i64, took: i64) -> u32 {
    (calls * READ_EVERY_NS / took.max(1)).clamp(1, MOST_CALLS) as u32
}

#[cfg(unix)]
fn process_cpu_ns() -> i64 {
    crate::host::clock::shown_ns(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(unix)]
fn thread_cpu_ns() -> i64 {
    crate::host::clock::shown_ns(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(unix)]
fn process_usage() -> Usage {
    // SAFETY: a struct of numbers, for which zero is a value.
    let mut counted = unsafe { std::mem::zeroed::<libc::rusage>() };
    // SAFETY: the kernel fills the struct. It does not fail for this process.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut counted) };
    Usage { cpu: process_cpu_ns(), voluntary_switches: counted.ru_nvcsw }
}

/// There wall time alone counts.
#[cfg(not(unix))]
fn process_usage() -> Usage {
    Usage::default()
}

/// There wall time alone counts.
#[cfg(not(unix))]
fn process_cpu_ns() -> i64 {
    NEVER
}

/// There wall time alone counts.
#[cfg(not(unix))]
fn thread_cpu_ns() -> i64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: TurnTime = TurnTime { started: 1000, soft: 100, stop: 180, hard: 200, cpu: 5000, threads: 2 };

    /// Reading the processor clock here would cost a system call for an answer that does not depend on it.
    fn unread() -> i64 {
        panic!("the processor clock is not read")
    }

    #[test]
    fn wall_time_alone_decides_where_it_is_the_clock_and_while_little_of_it_has_passed() {
        let by_wall = TurnTime { cpu: NEVER, ..TURN };
        for (now, level, next) in [
            (1000, raw::GO_ON, 1100),
            (1099, raw::GO_ON, 1100),
            (1100, raw::ENOUGH, 1180),
            (1180, raw::STOP, 1200),
            (1200, raw::ABANDON, NEVER),
            (9000, raw::ABANDON, NEVER),
        ] {
            assert_eq!(by_wall.rise(now, unread), Rise { level, next }, "at {now}");
        }
        assert_eq!(TURN.rise(1099, unread), Rise { level: raw::GO_ON, next: 1100 });
    }

    /// The referee may be stopped, and the bot would think on until it has lost.
    #[test]
    fn past_its_soft_time_a_bot_is_judged_by_the_processor_time_of_its_threads() {
        let ms = |n: i64| n * 1_000_000;
        let turn = TurnTime { started: 0, soft: ms(80), stop: ms(90), hard: ms(100), cpu: 0, threads: 2 };
        for (wall, cpu, level, next) in [
            (85, 40, raw::GO_ON, ms(85 + 60)),
            (200, 159, raw::GO_ON, ms(200) + SOONEST_NS),
            (200, 160, raw::ENOUGH, ms(210)),
            (300, 190, raw::STOP, ms(305)),
            (400, 200, raw::ABANDON, NEVER),
        ] {
            assert_eq!(turn.rise(ms(wall), || turn.used(ms(cpu))), Rise { level, next }, "with {cpu}");
        }
    }

    #[test]
    fn without_a_limit_there_is_enough_and_no_more() {
        let free = TurnTime { stop: NEVER, hard: NEVER, cpu: NEVER, ..TURN };
        assert_eq!(free.rise(i64::MAX - 1, unread), Rise { level: raw::ENOUGH, next: NEVER });
        assert_eq!(free.left(5000, NOTHING, not_counted).0, raw::NO_LIMIT);
    }

    fn not_counted() -> Usage {
        panic!("what the process used is not asked of the kernel")
    }

    #[test]
    fn the_time_left_of_a_bot_that_keeps_running_falls_only_while_it_runs() {
        let ms = |n: i64| n * 1_000_000;
        let turn =
            TurnTime { started: ms(100), soft: ms(80), stop: ms(90), hard: ms(100), cpu: 0, threads: 1 };
        let used = |cpu, voluntary_switches| move || Usage { cpu: ms(cpu), voluntary_switches };
        let (left, spent) = turn.left(ms(110), NOTHING, used(10, 7));
        assert_eq!(left, ms(90), "before it first asks, wall time counts");
        let (left, spent) = turn.left(ms(110) + 40_000, spent, not_counted);
        assert_eq!(left, ms(90) - 40_000, "it is not worth a system call yet");
        let (left, spent) = turn.left(ms(150), spent, used(15, 7));
        assert_eq!(left, ms(85), "35 ms in the queue cost nothing");
        let (left, spent) = turn.left(ms(170), spent, used(20, 8));
        assert_eq!(left, ms(65), "it may have slept");
        let (left, _) = turn.left(ms(300), spent, used(60, 9));
        assert_eq!(left, ms(40), "once wall time is over, what counts is what it has used");
    }

    #[test]
    fn the_time_left_is_wall_time_for_several_threads_and_where_that_is_the_clock() {
        let spent = Spent { turn: 1000, at: 1000, ..NOTHING };
        let turn = TurnTime { hard: 200_000, threads: 2, ..TURN };
        let (left, _) = turn.left(61_000, spent, || Usage { cpu: 10, voluntary_switches: 0 });
        assert_eq!(left, 140_000, "one of them may run, and two be charged");
        let (left, _) = turn.left(211_000, spent, || Usage { cpu: 10, voluntary_switches: 0 });
        assert_eq!(left, -10_000, "and once wall time is over too");
        assert_eq!(TurnTime { cpu: NEVER, ..TURN }.left(1500, NOTHING, not_counted).0, -300);
    }

    #[test]
    fn between_turns_nothing_but_the_referee_raises_the_level() {
        let over = TurnTime { threads: 0, ..TURN };
        let rise = Rise { level: raw::GO_ON, next: 9000 };
        assert_eq!(over.rise(9000, unread), rise, "and the next look may show another");
    }

    #[test]
    fn a_reader_sees_whole_turns_while_turns_begin() {
        let clock = TurnClock::new();
        let whole = |n| TurnTime { started: n, soft: n, stop: n, hard: n, cpu: n, threads: n };
        clock.write(whole(0));
        std::thread::scope(|scope| {
            let reader = || (0..20_000).map(|_| clock.read()).all(|turn| turn == whole(turn.started));
            let readers = [scope.spawn(reader), scope.spawn(reader)];
            (1..20_000).for_each(|n| clock.write(whole(n)));
            assert!(readers.into_iter().all(|reader| reader.join().unwrap()));
        });
    }
}
