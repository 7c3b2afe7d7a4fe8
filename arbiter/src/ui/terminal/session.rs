//! The terminal itself: taken over once everything else is known to be right, and given back whatever happens.

use crate::ui::talk_harmless;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event};
use ratatui::crossterm::style::{self, Print};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute, queue};
use ratatui::layout::{Position, Rect};
use std::io::{self, Stdout, Write};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, ThreadId};
use std::time::{Duration, Instant};

/// Clicks and the wheel, and nothing else: reports of every movement would wake the program at every turn of a hand.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// A picture at least this often. A window that got another size before anybody listened for that is drawn anew by then.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// After so many failed reads in a row, the terminal is taken to be gone.
const MOST_FAILURES: u32 = 50;

/// Whether the terminal is ours now, so that a panic knows what to do.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// What other threads wanted to say of their panics while the terminal was taken.
static LATE_NEWS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Something that a view has to look at.
#[derive(Debug)]
pub(crate) enum Signal {
    /// A key, a click, a text that was pasted, or another size of the window, and when it came.
    Input(Event, Instant),
    Changed,
    Stop,
    /// Nothing happened for as long as one wanted to wait, or for a second.
    Nothing,
}

/// A terminal that has been taken over. Given back when it is dropped.
pub struct Session {
    /// Never dropped: it would panic where the window is closed and its own last words, that it cannot show the cursor, go nowhere.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
    signals: Receiver<Signal>,
    sender: Sender<Signal>,
    has_mouse: bool,
}

impl Session {
    /// Takes the terminal over: raw keys, a screen of its own, the mouse.
    ///
    /// # Errors
    /// A terminal that cannot be set up.
    pub fn enter(has_colour: bool) -> io::Result<Session> {
        style::force_color_output(has_colour);
        restore_on_panic();
        let (sender, signals) = channel();
        take()?;
        let terminal = ManuallyDrop::new(Terminal::new(CrosstermBackend::new(io::stdout()))?);
        let session = Session { terminal, signals, sender, has_mouse: true };
        session.listen()?;
        Ok(session)
    }

    /// Reads keys in a thread of its own, so that news of the game can interrupt the wait for one. The thread outlives
    /// the session, because reading cannot be broken off; the next session takes it over.
    fn listen(&self) -> io::Result<()> {
        let mut listener = LISTENER.lock();
        if listener.is_none() {
            Builder::new().spawn(read_events)?;
        }
        *listener = Some(self.sender.clone());
        Ok(())
    }

    pub(crate) fn waker(&self) -> Sender<Signal> {
        self.sender.clone()
    }

    /// Waits for something to look at, for a second at most.
    pub(crate) fn wait(&self, longest: Duration) -> Signal {
        match self.signals.recv_timeout(longest.min(LONGEST_WAIT)) {
            Ok(signal) => signal,
            Err(RecvTimeoutError::Timeout) => Signal::Nothing,
            Err(RecvTimeoutError::Disconnected) => Signal::Stop,
        }
    }

    pub(crate) fn waiting(&self) -> Option<Signal> {
        self.signals.try_recv().ok()
    }

    /// Draws a picture; only what differs from the last one is sent. The picture says where the cursor stands.
    pub(crate) fn draw(
        &mut self,
        picture: impl FnOnce(Rect, &mut Buffer) -> Option<(u16, u16)>,
    ) -> io::Result<()> {
        // A terminal that knows these marks shows the picture at once, without the cursor running over the board.
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            let area = frame.area();
            if let Some((x, y)) = picture(area, frame.buffer_mut()) {
                frame.set_cursor_position(Position { x, y });
            }
        })?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }

    /// Switches the mouse on or off, so that text can be selected; says which.
    pub(crate) fn toggle_mouse(&mut self) -> io::Result<bool> {
        self.has_mouse = !self.has_mouse;
        execute!(io::stdout(), Print(if self.has_mouse { MOUSE_ON } else { MOUSE_OFF }))?;
        Ok(self.has_mouse)
    }

    /// Copies a text as if it had been selected, in terminals that take it (OSC 52).
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(io::stdout(), Print(format!("\x1b]52;c;{}\x07", STANDARD.encode(text))))
    }

    /// Gives the terminal back, stops like any program on Ctrl-Z, and takes it over again when somebody goes on.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        restore();
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        take()?;
        if !self.has_mouse {
            execute!(io::stdout(), Print(MOUSE_OFF))?;
        }
        // A new picture from nothing: clearing the old one would ask the terminal for its cursor, and the answer would
        // go to whoever reads keys.
        self.terminal = ManuallyDrop::new(Terminal::new(CrosstermBackend::new(io::stdout()))?);
        Ok(())
    }

    /// There is no such thing elsewhere.
    #[cfg(not(unix))]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where keys and clicks are sent: to the newest session.
static LISTENER: Mutex<Option<Sender<Signal>>> = Mutex::new(None);

fn read_events() {
    let mut failures = 0;
    loop {
        let event = event::read();
        // Reading fails once when the program has been stopped and goes on, and for good when the terminal is gone.
        failures = if event.is_ok() { 0 } else { failures + 1 };
        let signal = match event {
            Ok(event) => Signal::Input(event, Instant::now()),
            Err(_) if failures < MOST_FAILURES => {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
            Err(_) => Signal::Stop,
        };
        let is_last = matches!(signal, Signal::Stop);
        if let Some(listener) = &*LISTENER.lock() {
            drop(listener.send(signal));
        }
        if is_last {
            break;
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        restore();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::SeqCst);
    // What is pasted comes as one text, and never as keys, one of which could end the game.
    execute!(io::stdout(), EnterAlternateScreen, Print(MOUSE_ON), EnableBracketedPaste)?;
    // Whoever was killed has left its picture on the other screen, which not every terminal clears.
    execute!(io::stdout(), Clear(ClearType::All))
}

/// Gives the terminal back, once. A terminal that is gone needs nothing.
pub(crate) fn restore() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    drop(execute!(out, Print(MOUSE_OFF), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show));
    drop(disable_raw_mode());
    let news = std::mem::take(&mut *LATE_NEWS.lock());
    news.iter().for_each(|line| talk_harmless(line));
}

/// Standard error for logs. What is written while the screen is taken appears when it is given back.
#[derive(Clone, Copy, Debug, Default)]
pub struct LateStderr;

impl Write for LateStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !IS_TAKEN.load(Ordering::SeqCst) {
            return io::stderr().write(bytes);
        }
        LATE_NEWS.lock().push(String::from_utf8_lossy(bytes).trim_end().to_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// A panic of the view gives the terminal back first, so that its message can be read. A panic elsewhere loses one
/// game only: its message waits until the view has ended.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    static VIEW: Mutex<Option<ThreadId>> = Mutex::new(None);
    *VIEW.lock() = Some(std::thread::current().id());
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_elsewhere =
                IS_TAKEN.load(Ordering::SeqCst) && *VIEW.lock() != Some(std::thread::current().id());
            if is_elsewhere {
                LATE_NEWS.lock().push(info.to_string());
            } else {
                restore();
                usual(info);
            }
        }));
    });
}
