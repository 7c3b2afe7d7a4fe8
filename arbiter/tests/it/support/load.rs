//! A machine that has other work to do.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::process::{Child, Command, Stdio};

/// The cores that this process may use.
pub(crate) fn cores() -> Vec<usize> {
    let may = sched_getaffinity(None).expect("a process may ask for its own cores");
    (0..CpuSet::MAX_CPU).filter(|&core| may.is_set(core)).collect()
}

/// Calls this in a thread that stays on one core, as do the processes that it starts.
pub(crate) fn on_core<T: Send>(core: usize, call: impl FnOnce() -> T + Send) -> T {
    let mut only = CpuSet::new();
    only.set(core);
    let call = || {
        sched_setaffinity(None, &only).expect("this is a core of this process");
        call()
    };
    std::thread::scope(|scope| scope.spawn(call).join())
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Other work for every core, until it is dropped.
pub(crate) struct Load(Vec<Child>);

impl Load {
    /// So many busy processes on each core.
    pub(crate) fn of(each: usize) -> Load {
        let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn();
        let cores = cores().into_iter().flat_map(|core| std::iter::repeat_n(core, each));
        Load(cores.map(|core| on_core(core, busy).expect("a shell starts")).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It is gone only if somebody else has ended it.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
