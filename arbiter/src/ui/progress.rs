//! How far a match has come: a bar on a terminal, a line now and then elsewhere. All of it on standard error.

use super::talk::talk;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
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
            let style = ProgressStyle::with_template("[{bar:30}] {pos} of {len} games  {pace}  {msg}");
            let pace = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let played = state.pos().saturating_sub(done);
                // A screen takes any text; there is nothing to do about one that does not.
                let _ = out.write_str(&pace(played, games.saturating_sub(state.pos()), state.elapsed()));
            };
            let style = style.expect("the template is a constant").with_key("pace", pace);
            let bar = ProgressBar::new(games).with_position(done);
            bar.set_style(style.progress_chars("=> "));
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

/// How fast games end, and how long the rest will take: `8.4 games/s  32 s left`.
fn pace(played: u64, left: u64, time: Duration) -> String {
    if played == 0 {
        return String::new();
    }
    let rate = played as f64 / time.as_secs_f64().max(0.001);
    let left = Duration::from_secs_f64(left as f64 / rate);
    let rate = if rate >= 1.0 { format!("{rate:.1} games/s") } else { format!("{:.1} s/game", 1.0 / rate) };
    format!("{rate}  {} left", roughly(left))
}

/// A time in its two largest units.
fn roughly(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_counts_only_games_that_were_played_in_this_run() {
        let ten_seconds = Duration::from_secs(10);
        assert_eq!(pace(0, 100, ten_seconds), "");
        assert_eq!(pace(84, 1000, ten_seconds), "8.4 games/s  1 min 59 s left");
        assert_eq!(pace(4, 2, ten_seconds), "2.5 s/game  5 s left");
        assert_eq!(roughly(Duration::from_secs(7384)), "2 h 3 min");
    }
}
