//! Somebody who looks around every tenth of a second while bots live, so that no turn pays for it.
//!
//! On each round it looks at what the hypervisor takes, of which turns know only what was seen last; at the memory that
//! each bot holds: the system does not count what a bot has made unwritable, so that a bot could hide much of it until
//! the end of a long turn; and at those that are not asked anything, whether they rest.

use super::Limits;
use super::machine::private_memory;
use super::process::Held;
use super::rest::Rest;
use super::standstill;
use super::starvation::look_at_hypervisor;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::thread::Builder;
use std::time::Duration;

/// From one round to the next.
pub(super) const ROUND: Duration = Duration::from_millis(100);

/// The bots that are watched, those that have ended since the last round included.
static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());
/// Tells the watchman that somebody is there again.
static ARRIVAL: Condvar = Condvar::new();

/// A bot's process, as long as somebody holds it.
struct Watched {
    bot: Weak<Rest>,
    limits: Limits,
}

/// Lets the watchman begin, if that is not done yet: where the calling thread may run, it will, too.
pub(super) fn begin() {
    static BEGUN: Once = Once::new();
    if cfg!(not(target_os = "linux")) {
        // There is nothing to be seen on other systems.
        return;
    }
    BEGUN.call_once(|| {
        if let Err(error) = Builder::new().name("watchman".to_owned()).spawn(go_round) {
            tracing::warn!(%error, "nobody looks at the memory of bots during their turns, and at stolen time");
        }
    });
}

/// Has a process watched until it is dropped.
pub(super) fn watch(bot: &Arc<Rest>, limits: Limits) {
    begin();
    let mut watched = lock();
    if watched.is_empty() {
        // Nobody has been round for a while.
        look_at_hypervisor();
        ARRIVAL.notify_one();
    }
    watched.push(Watched { bot: Arc::downgrade(bot), limits });
}

fn go_round() {
    standstill::begin();
    loop {
        let mut watched = lock();
        if watched.is_empty() {
            watched = ARRIVAL
                .wait_while(watched, |watched| watched.is_empty())
                .unwrap_or_else(PoisonError::into_inner);
            standstill::rested();
        }
        drop(watched);
        standstill::round();
        look_at_hypervisor();
        lock().retain(Watched::is_alive);
        let alive: Vec<_> = lock().iter().map(|watched| (watched.bot.clone(), watched.limits)).collect();
        for (bot, limits) in alive {
            if let Some(bot) = bot.upgrade() {
                look_at_memory(bot.process(), limits);
                bot.look();
            }
        }
        std::thread::sleep(ROUND);
    }
}

impl Watched {
    fn is_alive(&self) -> bool {
        self.bot.upgrade().is_some_and(|bot| bot.process().state().exit().is_none())
    }
}

/// Ends a process that holds more memory than it may.
fn look_at_memory(process: &dyn Held, limits: Limits) {
    let held = private_memory(process.pid());
    // Whose end is known already may have left its number to somebody else.
    if held.is_some_and(|held| limits.are_exceeded_by(held)) && process.state().exit().is_none() {
        process.state().out_of_memory();
        process.kill();
    }
}

fn lock() -> MutexGuard<'static, Vec<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}
