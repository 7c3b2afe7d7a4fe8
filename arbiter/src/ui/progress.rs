//! How far a match has come: a bar on a terminal, a line now and then elsewhere. All of it on standard error.

use super::talk::talk;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Off a terminal, a line comes after so many percent of the games or so much time, whichever is later.
const PERCENT: u64 = 5;
const PAUSE: Duration = Duration::from_secs(30);

/// How often a bar is drawn anew, so that its times go on between games.
const REDRAW: Duration = Duration::from_millis(250);

/// Shows how many games are done.
#[derive(Debug)]
pub enum Progress {
    /// Nothing is shown.
    Silent,
    /// A bar that is redrawn.
    Bar(ProgressBar),
    /// Lines without control characters.
    Lines(Mutex<Lines>),
}

/// The state behind [`Progress::Lines`].
#[derive(Debug)]
pub struct Lines {
    done: u64,
    games: u64,
    shown: u64,
    at: Instant,
}

impl Progress {
    /// Progress for so many games, of which some are done already.
    #[must_use]
    pub fn of(games: u64, done: u64) -> Progress {
        if games > 1 && std::io::stderr().is_terminal() {
            let style =
                ProgressStyle::with_template("[{bar:30}] {pos} of {len} games  {per_sec}  {eta} left  {msg}");
            let bar = ProgressBar::new(games).with_position(done);
            bar.set_style(style.expect("the template is a constant").progress_chars("=> "));
            bar.reset_eta();
            bar.enable_steady_tick(REDRAW);
            Progress::Bar(bar)
        } else {
            Progress::Lines(Mutex::new(Lines { done, games, shown: done, at: Instant::now() }))
        }
    }

    /// One more game is done; `message` says how the match stands.
    pub fn game_done(&self, message: &str) {
        match self {
            Progress::Silent => {}
            Progress::Bar(bar) => {
                bar.set_message(message.to_owned());
                bar.inc(1);
            }
            Progress::Lines(lines) => {
                lines.lock().expect("no printer panics with the lock").game_done(message)
            }
        }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }

    /// Prints a line above the bar.
    pub fn note(&self, line: &str) {
        match self {
            Progress::Silent => {}
            Progress::Bar(bar) => bar.println(line),
            Progress::Lines(_) => talk(line),
        }
    }
}

impl Lines {
    fn game_done(&mut self, message: &str) {
        self.done += 1;
        let is_far = (self.done - self.shown) * 100 >= self.games * PERCENT;
        if is_far && self.at.elapsed() >= PAUSE {
            talk(&format!("{} of {} games  {message}", self.done, self.games));
            (self.shown, self.at) = (self.done, Instant::now());
        }
    }
}
