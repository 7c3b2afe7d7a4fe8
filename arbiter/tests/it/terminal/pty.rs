//! A program in a pseudo-terminal, and the screen it has drawn.

use crate::support::scratch;
use std::cell::Cell;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Nobody waits longer than this for anything that must happen.
const DEADLINE: Duration = Duration::from_secs(60);

/// What the program has sent, and what it looks like.
struct Seen {
    parser: vt100::Parser,
    raw: Vec<u8>,
    /// How much of it is on the screen: pictures that have not been sent whole are not.
    shown: usize,
    is_over: bool,
}

impl Seen {
    /// Shows what has been sent, but no picture before its end: the program marks where one begins and ends.
    fn show(&mut self) {
        let new = &self.raw[self.shown..];
        let last = |mark: &[u8]| new.windows(mark.len()).rposition(|window| window == mark);
        let end = match (last(b"\x1b[?2026h"), last(b"\x1b[?2026l")) {
            (Some(begin), None) => begin,
            (Some(begin), Some(end)) if end < begin => begin,
            _ => new.len(),
        };
        let end = if self.is_over { new.len() } else { end };
        self.parser.process(&new[..end]);
        self.shown += end;
    }
}

/// Who waits so long between two clicks makes no double click.
const NO_DOUBLE_CLICK: Duration = Duration::from_millis(500);

/// A terminal with a program in it.
pub(crate) struct Terminal {
    /// Where was clicked last.
    clicked: Cell<Option<(u16, u16)>>,
    pty: Arc<pty_process::blocking::Pty>,
    child: Child,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

/// How a terminal is set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup<'a> {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    pub(crate) env: &'a [(&'a str, &'a str)],
}

impl Default for Setup<'_> {
    fn default() -> Self {
        Setup { columns: 80, rows: 24, env: &[] }
    }
}

impl Terminal {
    /// Starts arbiter in a terminal, in a folder.
    pub(crate) fn start(folder: &Path, args: &[&str], setup: Setup<'_>) -> Terminal {
        // Whoever runs the tests by `nohup` has SIGHUP ignored, which programs inherit.
        let program = pty_process::blocking::Command::new("env").arg("--default-signal=HUP");
        Terminal::run(folder, program.arg(env!("CARGO_BIN_EXE_arbiter")).args(args), setup)
    }

    /// Starts arbiter in a terminal of the usual size, in a folder of the test's own.
    pub(crate) fn open(test: &str, args: &[&str]) -> Terminal {
        Terminal::start(&scratch(test), args, Setup::default())
    }

    /// The same from a shell, which stays there.
    pub(crate) fn in_shell(test: &str, args: &str) -> Terminal {
        let shell = pty_process::blocking::Command::new("bash").args(["--norc", "--noprofile", "-i"]);
        let terminal = Terminal::run(&scratch(test), shell, Setup::default());
        terminal.keys(&format!("'{}' {args}\n", env!("CARGO_BIN_EXE_arbiter")));
        terminal
    }

    /// Presses Ctrl-Z, and waits for the shell.
    #[track_caller]
    pub(crate) fn suspend(&self) {
        self.keys("\x1a");
        self.wait("the shell", |screen| {
            (!screen.alternate_screen() && contents(screen).contains("Stopped")).then_some(())
        });
    }

    /// Starts a program in a terminal, in a folder.
    pub(crate) fn run(folder: &Path, program: pty_process::blocking::Command, setup: Setup<'_>) -> Terminal {
        let (pty, pts) = pty_process::blocking::open().expect("there is a pseudo-terminal");
        pty.resize(pty_process::Size::new(setup.rows, setup.columns)).unwrap();
        let mut program = program
            .current_dir(folder)
            .env("XDG_STATE_HOME", folder)
            .env("LC_ALL", "C.UTF-8")
            .env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLORTERM"] {
            program = program.env_remove(name);
        }
        for (name, value) in setup.env {
            program = program.env(name, value);
        }
        let child = program.spawn(pts).expect("the program starts");
        let parser = vt100::Parser::new(some(setup.rows), some(setup.columns), 0);
        let seen = Seen { parser, raw: Vec::new(), shown: 0, is_over: false };
        let terminal = Terminal {
            clicked: Cell::new(None),
            pty: Arc::new(pty),
            child,
            seen: Arc::new((Mutex::new(seen), Condvar::new())),
        };
        terminal.read();
        terminal
    }

    fn read(&self) {
        let (pty, seen) = (Arc::clone(&self.pty), Arc::clone(&self.seen));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                // Reading fails once no process has the other side open any more.
                let count = (&*pty).read(&mut bytes).unwrap_or(0);
                let Ok(mut state) = seen.0.lock() else { break };
                state.is_over = count == 0;
                state.raw.extend_from_slice(&bytes[..count]);
                state.show();
                seen.1.notify_all();
                if count == 0 {
                    break;
                }
            }
        });
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.0.lock().unwrap()
    }

    /// Waits until the screen is as it should be, and says what was found there.
    #[track_caller]
    pub(crate) fn wait<R>(&self, what: &str, mut look: impl FnMut(&vt100::Screen) -> Option<R>) -> R {
        let end = Instant::now() + DEADLINE;
        let mut state = self.seen();
        loop {
            if let Some(found) = look(state.parser.screen()) {
                return found;
            }
            let left = end.saturating_duration_since(Instant::now());
            let is_over = state.is_over;
            if left.is_zero() || is_over {
                let why = if is_over { "the program has ended" } else { "too long" };
                panic!("waited for {what}: {why}\n{}", state.parser.screen().contents());
            }
            state = self.seen.1.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Waits until a text is somewhere on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait(text, |screen| contents(screen).contains(text).then_some(()));
    }

    /// Waits until a text is nowhere on the screen any more.
    #[track_caller]
    pub(crate) fn wait_until_gone(&self, text: &str) {
        self.wait(&format!("no {text}"), |screen| (!contents(screen).contains(text)).then_some(()));
    }

    /// What the screen shows now.
    pub(crate) fn text(&self) -> String {
        contents(self.seen().parser.screen())
    }

    /// Every byte so far.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.seen().raw.clone()
    }

    /// Types.
    pub(crate) fn keys(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Clicks a place, counted from 0; button 0 is left, 2 is right, 64 and 65 are the wheel. As a person does, it
    /// lets a moment pass before it clicks the same place again: two quick clicks are a double click.
    pub(crate) fn click(&self, place: (u16, u16), button: u8) {
        // From now on, not from the last click: on a busy machine the program may have heard of that much later.
        if self.clicked.replace(Some(place)) == Some(place) {
            std::thread::sleep(NO_DOUBLE_CLICK);
        }
        self.click_now(place, button);
    }

    /// Clicks a place at once, whatever was clicked before.
    pub(crate) fn click_now(&self, (x, y): (u16, u16), button: u8) {
        let (x, y) = (x + 1, y + 1);
        // A wheel is never let go.
        let release = if button < 64 { format!("\x1b[<{button};{x};{y}m") } else { String::new() };
        self.keys(&format!("\x1b[<{button};{x};{y}M{release}"));
    }

    /// Clicks a text that is on the screen.
    #[track_caller]
    pub(crate) fn click_text(&self, text: &str) {
        let place = self.wait(text, |screen| find(screen, text));
        self.click((place.0 + 1, place.1), 0);
    }

    /// Gives the window another size, and waits for the picture that answers it.
    #[track_caller]
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let before = self.pictures();
        {
            let mut state = self.seen();
            state.parser.screen_mut().set_size(some(rows), some(columns));
            self.pty.resize(pty_process::Size::new(rows, columns)).unwrap();
        }
        // The first one may have been on its way already; the program clears the screen for one of another size.
        let end = Instant::now() + DEADLINE;
        while !self.pictures_since(before).contains("\x1b[2J") {
            assert!(!self.seen().is_over, "the program has ended");
            assert!(Instant::now() < end, "no picture of the new size\n{}", self.text());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn pictures(&self) -> usize {
        self.seen().shown
    }

    /// The whole pictures that were sent since.
    fn pictures_since(&self, before: usize) -> String {
        let state = self.seen();
        String::from_utf8_lossy(&state.raw[before..state.shown]).into_owned()
    }

    /// The program's process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the program and gives its exit code.
    #[track_caller]
    pub(crate) fn exit_code(&mut self) -> i32 {
        let end = Instant::now() + DEADLINE;
        let mut state = self.seen.0.lock().unwrap();
        while !state.is_over {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the program does not end\n{}", state.parser.screen().contents());
            state = self.seen.1.wait_timeout(state, left).unwrap().0;
        }
        drop(state);
        let status = self.child.wait().unwrap();
        use std::os::unix::process::ExitStatusExt;
        status.code().unwrap_or_else(|| -status.signal().unwrap_or(0))
    }

    /// Waits for the end of the program, with this code, after which the terminal is as it was.
    #[track_caller]
    pub(crate) fn ends_restored(&mut self, code: i32) {
        assert_eq!(self.exit_code(), code, "{}", self.text());
        self.assert_restored();
    }

    /// The program has given the terminal back: its own screen, the mouse and the cursor.
    #[track_caller]
    pub(crate) fn assert_restored(&self) {
        let state = self.seen();
        let screen = state.parser.screen();
        assert!(!screen.alternate_screen(), "the screen of the program is still there");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is still taken");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A size of a window, which is never 0.
fn some(size: u16) -> NonZero<u16> {
    NonZero::new(size).expect("a window has a size")
}

/// Every line of a screen. A line that the terminal broke since it is longer than a row is one line.
pub(crate) fn contents(screen: &vt100::Screen) -> String {
    let (_, columns) = screen.size();
    let mut text = String::new();
    for (y, row) in screen.rows(0, columns.get()).enumerate() {
        text += &row;
        if !screen.row_wrapped(y as u16) {
            text.push('\n');
        }
    }
    text
}

/// Where a text begins, column and row.
pub(crate) fn find(screen: &vt100::Screen, text: &str) -> Option<(u16, u16)> {
    let (_, columns) = screen.size();
    screen.rows(0, columns.get()).enumerate().find_map(|(y, row)| {
        let at = row.find(text)?;
        Some((row[..at].chars().count() as u16, y as u16))
    })
}
