//! Signals of Unix.

use super::Wish;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::io;
use std::thread::Builder;

/// Calls `heard` for every signal, from a thread of its own.
pub(super) fn listen(mut heard: impl FnMut(Wish) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGXFSZ])?;
    let hear = move || {
        for signal in signals.forever() {
            if signal == SIGXFSZ {
                // Caught so that a file over the limit of its size is an error of `write`, like a full disk, and does not end us.
                continue;
            }
            heard(if signal == SIGINT { Wish::Interrupt } else { Wish::Terminate });
        }
    };
    Builder::new().name("signals".to_owned()).spawn(hear).map(drop)
}
