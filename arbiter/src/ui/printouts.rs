//! What the bots of a match print, while they print it and for a while after.

use crate::player::Printed;
use crate::sanitize::sanitize;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of which the end is kept of every player in every game.
pub(crate) const KEPT: usize = 64 << 10;
/// Players that are kept after the end of their games, for those who still look at them.
const REMEMBERED: usize = 24;
/// Bytes of one player that are told at a time; what is more than that is left out, and the line says how much.
const TOLD_AT_A_TIME: usize = 8 << 10;
/// Bytes after which a line is told although it has not ended.
const LONGEST_LINE: usize = 1000;
/// How long processes that have been ended may take to be gone.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(2);

/// What is printed by all who play, by game.
#[derive(Debug, Default)]
pub(crate) struct Printouts(Mutex<VecDeque<Printout>>);

#[derive(Debug)]
pub(crate) struct Printout {
    pub game: u32,
    /// The player's name, made harmless.
    pub name: String,
    pub printed: Arc<Printed>,
    /// Bytes of it that have been told.
    told: u64,
    /// The line that has not ended yet.
    line: Vec<u8>,
    /// It has been told and kept to its end.
    is_done: bool,
}

impl Printouts {
    /// Somebody sits down to a game: what it prints is to be kept in this.
    pub(crate) fn sit_down(&self, game: u32, name: &str) -> Arc<Printed> {
        let printed = Arc::new(Printed::keeping(KEPT));
        let (name, kept) = (sanitize(name), Arc::clone(&printed));
        let mut all = self.0.lock();
        let done = all.iter().filter(|printout| printout.is_done).count();
        if done > REMEMBERED {
            let oldest = all.iter().position(|printout| printout.is_done);
            oldest.map(|oldest| all.remove(oldest));
        }
        all.push_back(Printout { game, name, printed: kept, told: 0, line: Vec::new(), is_done: false });
        printed
    }

    /// What has been printed since this was called last, line by line: `name | text`, with the game before it in a match of
    /// several. Everybody who has left, or `all`, is then closed.
    pub(crate) fn news(
        &self,
        with_game: bool,
        all: bool,
        mut tell: impl FnMut(&str),
        mut close: impl FnMut(&Printout),
    ) {
        for printout in self.0.lock().iter_mut().filter(|printout| !printout.is_done) {
            let is_over = all || printout.printed.is_over();
            let who = match with_game {
                true => format!("game {}, {} | ", printout.game, printout.name),
                false => format!("{} | ", printout.name),
            };
            printout.lines(is_over).iter().for_each(|line| tell(&format!("{who}{line}")));
            if is_over {
                printout.is_done = true;
                close(printout);
            }
        }
    }

    /// Waits until everybody has left whose process has been ended, but no longer than this.
    #[expect(clippy::disallowed_methods, reason = "it waits for no longer than it is told")]
    pub(crate) fn await_end(&self, longest: Duration) {
        let is_over = || self.0.lock().iter().all(|printout| printout.is_done || printout.printed.is_over());
        let began = Instant::now();
        while !is_over() && began.elapsed() < longest {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The last lines that each player of a game has printed, with its name; nothing of those who have printed nothing.
    pub(crate) fn of_game(&self, game: u32, most: usize) -> Vec<(String, Vec<String>)> {
        let all = self.0.lock();
        let of_game = all.iter().filter(|printout| printout.game == game && printout.printed.total() > 0);
        of_game
            .map(|printout| {
                let (kept, ..) = printout.printed.after(0);
                let lines: Vec<&[u8]> = kept.split_inclusive(|&byte| byte == b'\n').collect();
                let last = &lines[lines.len().saturating_sub(most)..];
                (printout.name.clone(), last.iter().map(|line| harmless(line)).collect())
            })
            .collect()
    }
}

impl Printout {
    fn lines(&mut self, is_over: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let (new, missed, total) = self.printed.after(self.told);
        self.told = total;
        let mut new = &new[..];
        let over = new.len().saturating_sub(TOLD_AT_A_TIME);
        if missed > 0 || over > 0 {
            // It goes on with a whole line.
            let next = new[over..].iter().position(|&byte| byte == b'\n').map_or(over, |end| over + end + 1);
            let left_out = missed + (self.line.len() + next) as u64;
            lines.push(format!("({left_out} bytes left out)"));
            self.line.clear();
            new = &new[next..];
        }
        for piece in new.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend(piece);
            if piece.ends_with(b"\n") || self.line.len() > LONGEST_LINE {
                lines.push(harmless(&std::mem::take(&mut self.line)));
            }
        }
        if is_over && !self.line.is_empty() {
            lines.push(harmless(&std::mem::take(&mut self.line)));
        }
        lines
    }

    /// What is kept of it, under a line that says whose it is; nothing where nothing was printed.
    pub(crate) fn page(&self) -> Option<String> {
        let (kept, missed, total) = self.printed.after(0);
        let of = if missed == 0 { String::new() } else { format!("the last {} of ", kept.len()) };
        let head = format!("game {}, {}, {of}{total} bytes:\n", self.game, self.name);
        let lines = kept.split_inclusive(|&byte| byte == b'\n');
        (total > 0).then(|| lines.fold(head, |page, line| format!("{page}    {}\n", harmless(line))))
    }
}

/// A line that a bot has printed, as it may be shown: tabs are blanks, other control characters are seen.
fn harmless(line: &[u8]) -> String {
    sanitize(&String::from_utf8_lossy(line).trim_end_matches(['\n', '\r']).replace('\t', "    "))
}
