//! Whether a bot was slow, or was kept from running: starvation is not slowness.
//!
//! A bot whose whole process has used no more processor time than its budget is late through no fault of its own if the
//! machine kept it from running for as long as it is late. Four things tell of that:
//!
//! - The kernel counts how long the bot's main thread stood in the queue for a processor while it wanted to run.
//! - A thread that never goes to sleep runs or is kept from it. So if the bot's main thread has not done so since it was
//!   first looked at, all the time in which nothing of the bot ran was taken from it, whoever took it: another program, a
//!   quota, or the hypervisor, of whose taking no queue knows.
//! - What the hypervisor took of the core (`stolen`), for bots that do sleep, as those with helper threads.
//! - When the referee looks later than it meant to and finds the answer, that may have lain there all that time. A bot
//!   that has not answered by then gains nothing by it.
//!
//! Nothing of this counts for more than the time in which nothing of the bot ran, so helper threads that keep the main
//! thread off its core use up the budget and buy nothing, and who sleeps on purpose gains what the machine took besides
//! at most, in which it has not thought.
//!
//! To ask the system in every turn would cost as much as the turn. It is asked when a turn has lasted for a while, so
//! what was waited before that in quick turns counts as well: little, and capped like the rest.

mod record;
mod stolen;

pub(super) use stolen::look as look_at_hypervisor;

use super::Core;
use super::clock::now_ns;
use record::Record;
use std::path::Path;
use std::time::Duration;
use stolen::Stolen;

/// Overrun that may be waited out: the larger of this and a tenth of the budget. On a machine with three or four busy
/// programs for each core, one move in several thousand is kept waiting for more than a second. Who has to wait for longer
/// than this plays on a machine that runs no bots any more.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// How often a late bot is looked at.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// A look at the queues that is later than this comes too late: what was waited until then is what it is about.
const PUNCTUAL_NS: i64 = 1_000_000;

/// What keeps a bot's process from running.
#[derive(Debug)]
pub(super) struct Starvation {
    bot: Record,
    /// Time in the queue until what is waited began to count.
    queued: Duration,
    stolen: Stolen<'static>,
    /// How often the bot's thread had gone to sleep before it was looked at in this turn, running.
    naps: Option<u64>,
    /// Time of this turn in which nothing of the bot ran, until the last look at which its thread had not slept.
    idle_awake: Duration,
}

/// What a look at a late bot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// For how long it was kept from running, as far as is known now.
    pub(super) kept: Duration,
    /// It wants to run now. What it waits at present is counted only when it runs again.
    pub(super) wants_to_run: bool,
}

impl Starvation {
    /// That of a bot's new process on this core, or on any.
    pub(super) fn of(pid: i32, core: Option<Core>) -> Starvation {
        let stolen = Stolen::of(core.map(|core| core.number));
        Starvation::told_by(Path::new(&format!("/proc/{pid}")), stolen)
    }

    fn told_by(folder: &Path, stolen: Stolen<'static>) -> Starvation {
        let (bot, queued) = (Record::in_folder(folder), Duration::ZERO);
        Starvation { bot, queued, stolen, naps: None, idle_awake: Duration::ZERO }
    }

    /// A turn begins. Asks the system nothing.
    pub(super) fn begin_turn(&mut self) {
        self.stolen.mark();
        self.naps = None;
        self.idle_awake = Duration::ZERO;
    }

    /// What is waited counts from here on.
    pub(super) fn mark(&mut self) {
        self.queued = self.queued();
    }

    /// The first look in a turn that is not over at once, which was due at this point in time.
    pub(super) fn first_look(&mut self, due: i64) {
        if now_ns().saturating_sub(due) <= PUNCTUAL_NS {
            self.mark();
        }
        self.naps = self.bot.naps_of_runner();
    }

    /// A look at a bot that is late, of whose turn nothing of it ran for so long.
    pub(super) fn look(&mut self, idle: Duration) -> Look {
        let mood = self.bot.mood();
        if mood.is_some_and(|mood| self.naps == Some(mood.naps)) {
            self.idle_awake = idle;
        }
        Look {
            kept: self.kept(idle, Duration::ZERO),
            wants_to_run: mood.is_some_and(|mood| mood.wants_to_run),
        }
    }

    /// For how long it was kept from running in a turn of which nothing of it ran for so long, when the referee saw the
    /// answer so much later than it meant to look.
    pub(super) fn kept(&mut self, idle: Duration, overslept: Duration) -> Duration {
        let queued = self.queued().saturating_sub(self.queued);
        let known = queued.saturating_add(self.stolen.since_mark());
        known.max(self.idle_awake).saturating_add(overslept).min(idle)
    }

    /// Time in the queue. Where nothing is told of it, it stays as it was, and nobody is starved there.
    fn queued(&mut self) -> Duration {
        self.bot.queued().unwrap_or(self.queued)
    }
}

/// The longest that a starved bot is waited for, counted from the start of its turn.
pub(super) fn longest_wait(budget: Duration) -> Duration {
    budget.saturating_add(LONGEST_WAIT.max(budget / 10))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::clock::NEVER;
    use std::path::PathBuf;
    use stolen::Account;

    const MS: Duration = Duration::from_millis(1);

    /// What the system would tell of a bot on a core of a virtual machine, written by hand.
    struct Told {
        folder: PathBuf,
        queued: u64,
        naps: u64,
        state: char,
        stolen: u64,
    }

    impl Told {
        fn new(name: &str) -> Told {
            let folder = std::env::temp_dir().join(format!("arbiter-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            let told = Told { folder, queued: 500, naps: 40, state: 'R', stolen: 3 };
            told.write();
            told
        }

        fn write(&self) {
            let Told { folder, queued, naps, state, stolen } = self;
            let write = |file, text: String| std::fs::write(folder.join(file), text).unwrap();
            write("schedstat", format!("99 {} 7\n", queued * 1_000_000));
            write("status", format!("Name:\tbot\nState:\t{state} (so)\nvoluntary_ctxt_switches:\t{naps}\n"));
            write("stat", format!("cpu  0 0 0 0 0 0 0 {stolen} 0 0\ncpu0 0 0 0 0 0 0 0 {stolen} 0 0\n"));
        }

        fn tell(&mut self, change: impl FnOnce(&mut Told)) {
            change(self);
            self.write();
        }

        /// A bot in a turn that has been looked at for the first time.
        fn in_turn(&self) -> Starvation {
            // The account lives as long as the one of the machine does.
            let account = Box::leak(Box::new(Account::at(self.folder.join("stat")).unwrap()));
            let mut starvation = Starvation::told_by(&self.folder, Stolen::on(Some(account), Some(0)));
            starvation.begin_turn();
            starvation.first_look(NEVER);
            starvation
        }
    }

    impl Drop for Told {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }

    #[test]
    fn a_starved_bot_is_waited_for_a_tenth_of_its_time_or_ten_seconds() {
        assert_eq!(longest_wait(Duration::from_secs(600)), Duration::from_secs(660));
        assert_eq!(longest_wait(Duration::from_millis(10)), Duration::from_millis(10_010));
    }

    #[test]
    fn a_bot_that_has_not_slept_was_kept_for_all_the_time_in_which_nothing_of_it_ran() {
        let told = Told::new("awake");
        let mut bot = told.in_turn();
        assert_eq!(bot.look(31 * MS), Look { kept: 31 * MS, wants_to_run: true });
        assert_eq!(bot.kept(33 * MS, MS), 32 * MS, "after its answer it may have slept");
        bot.begin_turn();
        bot.first_look(NEVER);
        assert_eq!(bot.kept(31 * MS, Duration::ZERO), Duration::ZERO, "the next turn begins with nothing");
    }

    #[test]
    fn a_bot_that_has_slept_was_kept_only_for_what_the_machine_tells() {
        let mut told = Told::new("asleep");
        let mut bot = told.in_turn();
        told.tell(|told| told.naps += 1);
        assert_eq!(bot.look(31 * MS), Look { kept: Duration::ZERO, wants_to_run: true });
        told.tell(|told| told.queued += 6);
        assert_eq!(bot.kept(31 * MS, Duration::ZERO), 6 * MS, "it stood in the queue");
        // Asleep when it was first looked at: nobody knows for how long.
        told.tell(|told| told.state = 'S');
        let mut bot = told.in_turn();
        assert_eq!(bot.look(31 * MS), Look { kept: Duration::ZERO, wants_to_run: false });
    }

    #[test]
    fn what_a_hypervisor_takes_is_not_the_bots_and_a_sleeper_gains_no_more_than_its_sleep() {
        let mut told = Told::new("stolen");
        let mut bot = told.in_turn();
        told.tell(|told| (told.naps, told.stolen) = (told.naps + 9, told.stolen + 2));
        assert_eq!(bot.look(50 * MS).kept, 30 * MS, "two ticks, and one that may be hidden");
        assert_eq!(bot.look(12 * MS).kept, 12 * MS, "all the rest of the time it ran");
        assert_eq!(bot.look(Duration::ZERO).kept, Duration::ZERO, "its helper threads ran all the time");
        bot.begin_turn();
        told.tell(|told| told.naps += 1);
        assert_eq!(bot.look(50 * MS).kept, Duration::ZERO, "the next turn has lost nothing yet");
    }

    #[test]
    fn a_referee_that_looks_late_does_not_charge_for_it() {
        let mut told = Told::new("late");
        let mut bot = told.in_turn();
        told.tell(|told| told.naps += 1);
        assert_eq!(bot.kept(60 * MS, 20 * MS), 20 * MS);
        assert_eq!(bot.kept(3 * MS, 20 * MS), 3 * MS, "unless it was the bot that kept the core");
    }

    #[test]
    fn what_is_waited_before_a_punctual_first_look_does_not_count_and_before_a_late_one_does() {
        let mut told = Told::new("punctual");
        let mut bot = told.in_turn();
        told.tell(|told| told.queued += 100);
        bot.first_look(now_ns() - 2 * PUNCTUAL_NS);
        assert_eq!(bot.kept(500 * MS, Duration::ZERO), 100 * MS, "counted from the look before");
        bot.first_look(NEVER);
        assert_eq!(bot.kept(500 * MS, Duration::ZERO), Duration::ZERO, "counted from now on");
    }
}
