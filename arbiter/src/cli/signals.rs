//! Ctrl-C, SIGTERM and a terminal that hangs up: the first lets running games finish, the second ends the program at once, unless it
//! is a terminal that hangs up: a window that is closed does so, then its shell, and a session that ends by SIGTERM. The thread
//! that waits for them has nothing else to do; so it renews the file of the game that is being played.

use crate::cli::{ExitCode, Failure};
use crate::program;
use crate::record::{Live, RENEWED};
use crate::sanitize::sanitize;
use crate::tournament::Stop;
use crate::ui::{talk_harmless, terminal};
use parking_lot::Mutex;
use std::io;
use std::path::Path;
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock, Weak};
use std::thread::Builder;
use std::time::Duration;

/// How long a game that is broken off may take to end.
const LONGEST_END: Duration = Duration::from_secs(5);

/// Whether the games of this program shall stop.
pub(super) static STOP: Stop = Stop::new();

/// Listens to signals in a thread of its own, until this is dropped: from then on any signal ends the program at once.
pub(super) struct Signals {
    first: Arc<OnceLock<ExitCode>>,
}

/// What is done at a signal: the exit code that it asks for, and whether it ends the program if it is not the first.
type Heard = Box<dyn Fn(ExitCode, bool) + Send>;

/// The system knows one listener only, whatever matches come one after the other.
static HEARD: Mutex<Option<Heard>> = Mutex::new(None);
static LISTENS: OnceLock<()> = OnceLock::new();
/// The file that is renewed, for as long as its match is played.
static LIVE: Mutex<Weak<Live>> = Mutex::new(Weak::new());

/// Renews this file from now on, and no other one, until its match lets go of it.
pub(super) fn renew(live: &Arc<Live>) {
    *LIVE.lock() = Arc::downgrade(live);
}

fn renew_now() {
    let live = LIVE.lock().upgrade();
    live.iter().for_each(|live| live.renew());
}

/// From now on a signal leaves the terminal as it was, and ends the program unless a match is told of it.
pub(super) fn begin() -> Result<(), Failure> {
    match LISTENS.set(()) {
        Ok(()) => listen(hear).map_err(Failure::no_thread),
        Err(()) => Ok(()),
    }
}

/// How a match that was stopped goes on.
pub(super) const BY_RESUME: &str = "the same command with --resume goes on";

impl Signals {
    /// Begins to listen. Where people play or watch, the first signal stops the running games at once, and `stopped` wakes whatever
    /// waits for a person; otherwise they are finished. `way_on` is what the second one says before the program ends.
    pub(super) fn listen(
        is_watched: bool,
        journal: &Path,
        way_on: &'static str,
        stopped: impl Fn() + Send + 'static,
    ) -> Result<Signals, Failure> {
        let first = Arc::new(OnceLock::new());
        let (seen, lasts) = (Arc::clone(&first), Arc::downgrade(&first));
        let news = format!("stopped; the games that ended are in {}; {way_on}", journal.display());
        let heard = move |code: ExitCode, insists: bool| {
            if seen.set(code).is_err() {
                if !insists {
                    return;
                }
                end_now(code, news.clone());
            }
            if is_watched {
                STOP.now();
                stopped();
                end_in_time(code, news.clone(), Weak::clone(&lasts));
            } else {
                STOP.after_running_games();
                restore_terminal(Some("finishing the running games; once more stops now".to_owned()));
            }
        };
        *HEARD.lock() = Some(Box::new(heard));
        begin()?;
        Ok(Signals { first })
    }

    /// Nothing runs any more that a signal would have to save: the first one from now on calls this, whoever listens here ends
    /// then.
    pub(super) fn all_is_saved(&self, ended: impl Fn() + Send + 'static) {
        let first = Arc::clone(&self.first);
        let heard = move |code: ExitCode, insists: bool| match first.set(code) {
            Ok(()) => ended(),
            Err(_) if insists => std::process::exit(code as i32),
            Err(_) => {}
        };
        *HEARD.lock() = Some(Box::new(heard));
    }

    /// The exit code of a match that a signal has stopped.
    pub(super) fn heard(&self) -> Option<ExitCode> {
        self.first.get().copied()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        *HEARD.lock() = None;
    }
}

/// A signal asks the program to end with this code: one of Ctrl-C, or one from another program or a terminal that is gone.
fn hear(code: ExitCode, insists: bool) {
    match &*HEARD.lock() {
        Some(heard) => heard(code, insists),
        None => {
            restore_terminal(None);
            std::process::exit(code as i32);
        }
    }
}

/// Ends the program while games are played.
fn end_now(code: ExitCode, news: String) -> ! {
    restore_terminal(Some(news));
    // Bots' processes end with this one; programs would not.
    program::end_all();
    std::process::exit(code as i32)
}

/// Ends the program if its match still lasts in a while: a bot that thinks is waited for, maybe for ever, and whoever has closed the
/// window cannot insist.
fn end_in_time(code: ExitCode, news: String, lasts: Weak<OnceLock<ExitCode>>) {
    let wait = move || {
        std::thread::sleep(LONGEST_END);
        if lasts.strong_count() > 0 {
            end_now(code, news);
        }
    };
    // Without the thread the match ends when its bot answers.
    drop(Builder::new().name("end".to_owned()).spawn(wait));
}

/// Gives the terminal back if a screen has it, and says why, if there is something to say. A terminal that takes nothing (Ctrl-S), or
/// a pipe that nobody reads, is not waited for: the next signal has to be heard.
fn restore_terminal(news: Option<String>) {
    const LONGEST: Duration = Duration::from_secs(5);
    let (is_given, given) = channel::<()>();
    let give = move || {
        terminal::restore();
        // Not in the line where the terminal shows `^C`.
        news.iter().for_each(|news| talk_harmless(&format!("\n{}", sanitize(news))));
        drop(is_given);
    };
    match Builder::new().name("terminal".to_owned()).spawn(give) {
        Ok(_) => drop(given.recv_timeout(LONGEST)),
        Err(_) => terminal::restore(),
    }
}

/// Makes a file over the limit of its size (`ulimit -f`) an error of `write`, like a full disk, instead of the end of the program.
#[cfg(unix)]
pub(super) fn outlive_large_files() {
    // Where it cannot be caught, the program ends as it would without. What it starts does not inherit this.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Calls `heard` for every signal, and renews the file meanwhile, from a thread of its own.
#[cfg(unix)]
fn listen(mut heard: impl FnMut(ExitCode, bool) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level::pipe};
    use std::io::Read;
    use std::os::unix::net::UnixStream;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let (mut receiver, sender) = UnixStream::pair()?;
    receiver.set_read_timeout(Some(RENEWED))?;
    let newest = Arc::new(AtomicUsize::new(0));
    let hang_up = (!crate::host::machine::ignores_hang_ups()).then_some(SIGHUP);
    for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up) {
        flag::register_usize(signal, Arc::clone(&newest), signal.unsigned_abs() as usize)?;
        pipe::register(signal, sender.try_clone()?)?;
    }
    let hear = move || {
        loop {
            // Without a signal for so long it is time to renew.
            let Ok(_) = receiver.read(&mut [0]) else {
                renew_now();
                continue;
            };
            match newest.load(Ordering::SeqCst) as i32 {
                SIGINT => heard(ExitCode::Interrupted, true),
                signal => heard(ExitCode::Terminated, signal != SIGHUP),
            }
        }
    };
    Builder::new().name("signals".to_owned()).spawn(hear).map(drop)
}

/// Calls `heard` for Ctrl-C, Ctrl-Break and a closed window, which Windows does not tell apart, from a thread of its own.
/// Another one renews the file.
#[cfg(windows)]
fn listen(mut heard: impl FnMut(ExitCode, bool) + Send + 'static) -> io::Result<()> {
    let renew = || {
        loop {
            std::thread::sleep(RENEWED);
            renew_now();
        }
    };
    Builder::new().name("renewals".to_owned()).spawn(renew)?;
    ctrlc::set_handler(move || heard(ExitCode::Interrupted, true)).map_err(io::Error::other)
}
