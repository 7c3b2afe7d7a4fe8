//! A machine that has other work to do.

use std::process::{Child, Command, Stdio};

/// Other work for every core, until it is dropped.
pub(crate) struct Load(Vec<Child>);

impl Load {
    /// So many busy processes for each core.
    pub(crate) fn of(each: usize) -> Load {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn();
        Load((0..cores * each).map(|_| busy().expect("a shell starts")).collect())
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
