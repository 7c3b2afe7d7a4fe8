//! How far a match has come: a bar on a terminal, a line now and then elsewhere. All of it on standard error.
#![expect(clippy::disallowed_methods, reason = "what is shown comes at the pace of people")]

use super::talk;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use parking_lot::Mutex;
use std::fmt;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Off a terminal, a line comes after so many percent of the games or so much time, whichever is later.
const PERCENT: u64 = 5;
const PAUSE: Duration = Duration::from_secs(30);

/// How often a bar is drawn anew, so that its times go on between games.
const REDRAW: Duration = Duration::from_millis(250);

/// How often the table below a bar is calculated.
const RECALCULATE: Duration = Duration::from_millis(500);

/// Rows of a terminal that are not for what stands below a bar.
const OTHER_ROWS: usize = 5;

#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Whether the bar is drawn; where it is not, lines without control characters say the same.
    is_drawn: bool,
    /// Games that had been played before.
    before: u64,
    /// With how many games it was said last how things stand, and when.
    shown: Mutex<(u64, Option<Instant>)>,
}

/// How much can be said of how things stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Table { rows: usize, columns: usize },
    Line,
}

impl Progress {
    /// A display of progress for `games` games; `done` of them have been played already.
    pub(crate) fn of(games: u64, done: u64) -> Progress {
        if games > 1 && std::io::stderr().is_terminal() {
            Progress::bar("[{wide_bar}] {pos} of {len} games  {pace}  {msg}", "", games, done)
        } else {
            Progress::lines(games, done)
        }
    }

    /// Progress under a title, with room for a table.
    pub(crate) fn with_table(title: &str, games: u64, done: u64) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress::lines(games, done);
        }
        let template = "{prefix}\n[{wide_bar}] {pos} of {len} games  {percent} %  {pace}\n{msg}";
        Progress::bar(template, title, games, done)
    }

    fn bar(template: &str, title: &str, games: u64, done: u64) -> Progress {
        let pace = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let played = state.pos().saturating_sub(done);
            let left = state.len().unwrap_or(games).saturating_sub(state.pos());
            // A screen takes any text; there is nothing to do about one that does not.
            let _ = out.write_str(&pace(played, left, state.elapsed()));
        };
        let style = ProgressStyle::with_template(template)
            .expect("the template is a constant")
            .with_key("pace", pace);
        let bar = ProgressBar::new(games).with_position(done).with_prefix(title.to_owned());
        bar.set_style(style.progress_chars("=> "));
        bar.enable_steady_tick(REDRAW);
        Progress { bar, is_drawn: true, before: done, shown: Mutex::default() }
    }

    /// Progress without control characters.
    pub(crate) fn lines(games: u64, done: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::hidden());
        let shown = Mutex::new((done, Some(Instant::now())));
        Progress { bar: bar.with_position(done), is_drawn: false, before: done, shown }
    }

    /// So many more games are done, of so many now. Where it is time to say how things stand, there is so much room for it.
    pub(crate) fn games_done(&self, done: usize, games: u64) -> Option<Room> {
        self.bar.set_length(games);
        self.bar.inc(done as u64);
        let (position, mut shown) = (self.bar.position(), self.shown.lock());
        let is_after = |pause| shown.1.is_none_or(|shown| shown.elapsed() >= pause);
        if !self.is_drawn {
            let is_far = (position - shown.0) * 100 >= games * PERCENT;
            return (is_far && is_after(PAUSE)).then_some(Room::Line);
        }
        if !is_after(RECALCULATE) && position < games {
            return None;
        }
        shown.1 = Some(Instant::now());
        let (columns, rows) = ratatui::crossterm::terminal::size().unwrap_or((80, 24));
        // A row that filled its line would be taken for two where the bar is redrawn.
        let columns = usize::from(columns).saturating_sub(1).max(1);
        Some(Room::Table { rows: usize::from(rows).saturating_sub(OTHER_ROWS).max(1), columns })
    }

    pub(crate) fn show(&self, message: &str) {
        if self.is_drawn {
            return self.bar.set_message(message.to_owned());
        }
        let (done, games) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let pace = pace(done - self.before, games.saturating_sub(done), self.bar.elapsed());
        talk(&format!("{done} of {games} games  {pace}  {message}"));
        *self.shown.lock() = (done, Some(Instant::now()));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn note(&self, line: &str) {
        if self.is_drawn { self.bar.println(line) } else { talk(line) }
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
