//! Time that the hypervisor of a virtual machine took of its cores, as the kernel counts it: `steal` in `/proc/stat`.
//!
//! To read the file takes 20 µs and more, so no turn reads it as it begins: a turn takes the last reading of a round
//! (`watchman`), a tenth of a second old at most, and only who is late is looked at again. So what was taken in that
//! tenth before the turn counts as well. The kernel counts in ticks of a hundredth of a second: growth may be told up to
//! one tick short or too high, and is taken to be one more than told. Both are in favour of the bot, and neither
//! counts for more than the time in which nothing of it ran. Growth of less than a tick may not be told at all.

use super::super::machine;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What the system counts in, for programs, on all processors that this one is made for.
const TICK: Duration = Duration::from_millis(10);

/// What the hypervisor under this machine takes; none where there is none, or nobody tells.
static HERE: LazyLock<Option<Account>> =
    LazyLock::new(|| Account::at("/proc/stat".into()).filter(|_| machine::may_be_virtual()));

/// Looks at what has been taken by now.
pub(in crate::host) fn look() {
    if let Some(account) = &*HERE {
        account.look();
    }
}

/// What was taken from a game since its turn began.
#[derive(Debug)]
pub(super) struct Stolen<'a> {
    account: Option<&'a Account>,
    core: Option<usize>,
    mark: u64,
}

impl Stolen<'static> {
    /// On this machine, of this core or of all cores.
    pub(super) fn of(core: Option<usize>) -> Stolen<'static> {
        Stolen::on(HERE.as_ref(), core)
    }
}

impl<'a> Stolen<'a> {
    pub(super) fn on(account: Option<&'a Account>, core: Option<usize>) -> Stolen<'a> {
        Stolen { account, core, mark: 0 }
    }

    /// What is taken counts from the last look on.
    pub(super) fn mark(&mut self) {
        if let Some(account) = self.account {
            self.mark = account.last(self.core);
        }
    }

    /// What was taken since the look before the mark, or a tick more.
    pub(super) fn since_mark(&self) -> Duration {
        let Some(account) = self.account else { return Duration::ZERO };
        account.look();
        match account.last(self.core).saturating_sub(self.mark) {
            0 => Duration::ZERO,
            ticks => TICK.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX).saturating_add(1)),
        }
    }
}

/// The ticks that were taken of each core, as they were last looked at.
#[derive(Debug)]
pub(super) struct Account {
    stat: PathBuf,
    all: AtomicU64,
    cores: Vec<AtomicU64>,
}

impl Account {
    /// What this file tells, if it tells it.
    pub(super) fn at(stat: PathBuf) -> Option<Account> {
        let text = std::fs::read_to_string(&stat).ok()?;
        let cores = stolen(&text).filter_map(|(core, _)| core).max()?;
        let cores = (0..=cores).map(|_| AtomicU64::new(0)).collect();
        let account = Account { stat, all: AtomicU64::new(0), cores };
        account.look();
        Some(account)
    }

    pub(super) fn look(&self) {
        let Ok(text) = std::fs::read_to_string(&self.stat) else { return };
        for (core, ticks) in stolen(&text) {
            // A core that has come since the start is not looked at.
            if let Some(account) = core.map_or(Some(&self.all), |core| self.cores.get(core)) {
                // Somebody else may have looked later and been done earlier.
                account.fetch_max(ticks, Ordering::Relaxed);
            }
        }
    }

    fn last(&self, core: Option<usize>) -> u64 {
        let account = core.and_then(|core| self.cores.get(core)).unwrap_or(&self.all);
        account.load(Ordering::Relaxed)
    }
}

/// Ticks that were taken: of all cores together (`cpu`), and of each (`cpu0`), the eighth number of its line.
fn stolen(stat: &str) -> impl Iterator<Item = (Option<usize>, u64)> {
    stat.lines().map_while(|line| line.strip_prefix("cpu")).filter_map(|line| {
        let (name, times) = line.split_once(' ')?;
        let core = if name.is_empty() { None } else { Some(name.parse().ok()?) };
        Some((core, times.split_whitespace().nth(7)?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A machine of two cores of which so many ticks have been taken.
    fn take(stat: &Path, ticks: [u64; 2]) {
        let line = |name, ticks| format!("cpu{name} 900 0 80 7000 5 0 1 {ticks} 0 0\n");
        let [first, second] = ticks;
        let text =
            [line(" ", first + second), line("0", first), line("1", second), "intr 99 1 2\n".to_owned()];
        std::fs::write(stat, text.concat()).unwrap();
    }

    fn stat(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("arbiter-stat-{name}-{}", std::process::id()))
    }

    #[test]
    fn what_is_taken_of_a_core_since_the_last_round_counts_and_a_tick_for_what_is_not_told_yet() {
        let file = stat("core");
        take(&file, [100, 7]);
        let account = Account::at(file.clone()).unwrap();
        let (mut first, mut second, mut both) = (
            Stolen::on(Some(&account), Some(0)),
            Stolen::on(Some(&account), Some(1)),
            Stolen::on(Some(&account), None),
        );
        for stolen in [&mut first, &mut second, &mut both] {
            stolen.mark();
            assert_eq!(stolen.since_mark(), Duration::ZERO, "nothing has grown");
        }
        take(&file, [103, 7]);
        assert_eq!(first.since_mark(), Duration::from_millis(40));
        assert_eq!(second.since_mark(), Duration::ZERO, "it was another core's");
        assert_eq!(both.since_mark(), Duration::from_millis(40), "who may run anywhere may have run there");
        first.mark();
        assert_eq!(first.since_mark(), Duration::ZERO, "the next turn has lost nothing");
        std::fs::remove_file(file).unwrap();
        assert_eq!(second.since_mark(), Duration::ZERO, "a file that cannot be read tells of nothing");
    }

    #[test]
    fn a_system_that_does_not_count_it_has_no_account() {
        let file = stat("older");
        std::fs::write(&file, "cpu  1 2 3 4\ncpu0 1 2 3 4\n").unwrap();
        assert!(Account::at(file.clone()).is_none());
        std::fs::remove_file(&file).unwrap();
        assert!(Account::at(file).is_none());
    }

    #[test]
    fn this_system_tells_of_its_cores() {
        if cfg!(target_os = "linux") {
            assert!(Account::at("/proc/stat".into()).is_some());
        }
    }
}
