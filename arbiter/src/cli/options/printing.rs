//! What bots print, shown while they print it and kept when they have gone.

use crate::cli::Failure;
use crate::ui::printouts::{LAST_WORDS, Printout, Printouts};
use crate::ui::talk;
use clap::Args;
use scopeguard::defer;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;

/// The end of the name of the file in which what bots print is kept; the rest is the report's.
const KEPT: &str = ".output.txt";
/// Where the system is to follow no link.
#[cfg(unix)]
const NOFOLLOW: i32 = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
/// How often new output is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Arguments about what bots print.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct PrintingArgs {
    /// Show what bots print, as it comes: `name | text` on standard error, and beside the board. Of a bot that floods, the
    /// rest is left out and counted
    #[arg(long, help_heading = "Output", conflicts_with = "in_process")]
    show_output: bool,
    /// Keep what bots print, the last 64 KiB a player and game, in a file beside the report
    #[arg(long, help_heading = "Output", conflicts_with = "in_process")]
    keep_output: bool,
}

/// What a match begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    /// It is another one than any before it.
    Anew,
    /// It has been broken off, and goes on.
    WithEarlierGames,
}

/// What becomes of what bots print.
pub(crate) struct Printing {
    pub(crate) args: PrintingArgs,
    pub(crate) printouts: Arc<Printouts>,
}

impl PrintingArgs {
    /// Nothing, where nobody wants to see it.
    pub(crate) fn plan(self) -> Option<Printing> {
        (self.show_output || self.keep_output).then(|| Printing { args: self, printouts: Arc::default() })
    }
}

impl Printing {
    /// What a screen shows of it.
    pub(crate) fn shown(&self) -> Option<&Arc<Printouts>> {
        Some(&self.printouts).filter(|_| self.args.show_output)
    }

    /// Does `work`; meanwhile a thread tells and keeps what bots print. The file is opened before the work begins.
    pub(crate) fn during<R>(
        plan: Option<&Printing>,
        (report, begins): (&Path, Begins),
        with_game: bool,
        tell: impl Fn(&str) + Sync,
        work: impl FnOnce() -> R,
    ) -> Result<R, Failure> {
        let Some(printing) = plan else { return Ok(work()) };
        let file = printing.args.keep_output.then(|| Kept::open(report, begins)).transpose()?;
        let is_over = AtomicBool::new(false);
        let look = |all: bool| {
            let tell = |line: &str| {
                if printing.args.show_output {
                    tell(line)
                }
            };
            let close = |printout: &Printout| file.iter().for_each(|file| file.keep(printout));
            printing.printouts.news(with_game, all, tell, close);
        };
        let done = std::thread::scope(|scope| {
            let listen = || {
                while !is_over.load(Ordering::Acquire) {
                    look(false);
                    std::thread::park_timeout(LOOK);
                }
                printing.printouts.await_end(LAST_WORDS);
                look(true);
            };
            let told = Builder::new().spawn_scoped(scope, listen).map_err(Failure::no_thread)?;
            defer! {
                is_over.store(true, Ordering::Release);
                told.thread().unpark();
            }
            Ok::<R, Failure>(work())
        })?;
        file.iter().for_each(Kept::close);
        Ok(done)
    }
}

/// The file. It is created at the beginning, so that a place where nothing can be written shows before the first move.
struct Kept {
    path: PathBuf,
    file: File,
    has_failed: AtomicBool,
}

impl Kept {
    /// What an earlier match has left there goes. Nothing is written through a link: whoever may put one beside the report could
    /// have it written anywhere.
    fn open(report: &Path, begins: Begins) -> Result<Kept, Failure> {
        let mut path = report.as_os_str().to_owned();
        path.push(KEPT);
        let path = PathBuf::from(path);
        let hint = "another place for the report, after --results or --output";
        if path.is_symlink() {
            let failure = Failure::file(format!("{} is a link, and is not followed", path.display()));
            return Err(failure.hint(hint));
        }
        let mut options = File::options();
        match begins {
            Begins::Anew => options.write(true).truncate(true),
            Begins::WithEarlierGames => options.append(true),
        };
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NOFOLLOW);
        let file = options.create(true).open(&path).map_err(Failure::cannot("write", &path, hint))?;
        Ok(Kept { path, file, has_failed: AtomicBool::new(false) })
    }

    /// Says where the file is, or removes it if it is empty.
    fn close(&self) {
        if self.file.metadata().is_ok_and(|file| file.len() == 0) {
            drop(std::fs::remove_file(&self.path));
        } else {
            talk(&format!("what bots printed is in {}", self.path.display()));
        }
    }

    fn keep(&self, printout: &Printout) {
        let Some(page) = printout.page() else { return };
        if let Err(error) = (&self.file).write_all(page.as_bytes())
            && !self.has_failed.swap(true, Ordering::Relaxed)
        {
            talk(&format!(
                "warning: not all that bots print can be kept in {}: {error}",
                self.path.display()
            ));
        }
    }
}
