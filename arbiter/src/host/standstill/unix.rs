//! Unix tells a program that it goes on.

use signal_hook::consts::SIGCONT;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

static GOES_ON: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Takes notice from now on.
pub(super) fn listen() {
    if let Err(error) = signal_hook::flag::register(SIGCONT, Arc::clone(&GOES_ON)) {
        tracing::warn!(%error, "a bot whose turn it is when arbiter is stopped will be charged for it");
    }
}

/// Whether the program has been told to go on since this was asked last.
pub(super) fn take() -> bool {
    GOES_ON.swap(false, Ordering::SeqCst)
}

/// The same, to be asked again.
pub(super) fn look() -> bool {
    GOES_ON.load(Ordering::SeqCst)
}
