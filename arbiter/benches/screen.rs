//! How quickly the screen answers: from the start of the program to the first board, and from a key to the redrawn
//! board. The real program in a pseudo-terminal, with `cargo bench -p arbiter --bench screen` on an idle machine.
//!
//! The goals are 10 ms and 5 ms. A key counts as answered only when the cursor has moved on the redrawn board.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads clocks")]
#![expect(clippy::print_stdout, reason = "a benchmark tells its figures there")]

#[cfg(unix)]
fn main() {
    unix::main();
}

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
mod unix {
    use arbiter_rules::registry;
    use std::io::{Read, Write};
    use std::num::NonZero;
    use std::path::Path;
    use std::process::Child;
    use std::time::{Duration, Instant};

    /// Starts of the program for each game.
    const STARTS: usize = 20;
    /// Keys for each game.
    const KEYS: usize = 100;
    /// The key to the next cell that can be picked: it moves the cursor wherever that is.
    const NEXT: &str = "\t";
    /// What ends a picture.
    const END: &[u8] = b"\x1b[?2026l";

    pub(crate) fn main() {
        if !std::env::args().any(|arg| arg == "--bench") {
            return;
        }
        println!("{:<18} {:>22} {:>22}", "", "first board, ms", "key to board, ms");
        println!("{:<18} {:>10} {:>11} {:>10} {:>11}", "game", "median", "slowest", "median", "slowest");
        for info in registry::GAMES {
            let first = first_boards(&["--game", info.id]);
            let (mut screen, _) = Screen::start(&["--game", info.id]);
            let keys = (0..KEYS).map(|_| screen.answer(NEXT)).collect();
            let ((first, slowest_first), (key, slowest_key)) = (first, median(keys));
            println!("{:<18} {first:>10.1} {slowest_first:>11.1} {key:>10.2} {slowest_key:>11.2}", info.id);
        }
        // A bot's file is read, hashed, loaded and asked what it is before the board is there.
        for bot in ["random", "alphabeta"] {
            let (first, slowest) = first_boards(&[bot, "human", "--game", "othello"]);
            println!("{:<18} {first:>10.1} {slowest:>11.1}", format!("  with {bot}"));
        }
    }

    /// How long the first board takes.
    fn first_boards(args: &[&str]) -> (f64, f64) {
        median((0..STARTS).map(|_| Screen::start(args).1).collect())
    }

    /// Median and maximum in milliseconds.
    fn median(mut times: Vec<Duration>) -> (f64, f64) {
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        (ms(times[times.len() / 2]), ms(times[times.len() - 1]))
    }

    /// The program and what it has drawn.
    struct Screen {
        pty: pty_process::blocking::Pty,
        child: Child,
        parser: vt100::Parser,
        unread: Vec<u8>,
    }

    impl Screen {
        /// Starts a game, and says how long the first board took.
        fn start(args: &[&str]) -> (Screen, Duration) {
            let (pty, pts) = pty_process::blocking::open().expect("there is a pseudo-terminal");
            pty.resize(pty_process::Size::new(24, 80)).expect("it has a size");
            let began = Instant::now();
            let child = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_arbiter"))
                .args(args)
                .current_dir(Path::new(env!("CARGO_TARGET_TMPDIR")))
                .env("LC_ALL", "C.UTF-8")
                .env("TERM", "xterm-256color")
                .spawn(pts)
                .expect("the program starts");
            let (rows, columns) = (NonZero::new(24).expect("24 rows"), NonZero::new(80).expect("80 columns"));
            let parser = vt100::Parser::new(rows, columns, 0);
            let mut screen = Screen { pty, child, parser, unread: Vec::new() };
            while !screen.parser.screen().contents().contains("Player 1") {
                screen.picture();
            }
            (screen, began.elapsed())
        }

        /// Presses a key, and says how long the board took that shows the cursor where it went.
        fn answer(&mut self, key: &str) -> Duration {
            let before = self.parser.screen().cursor_position();
            let pressed = Instant::now();
            self.pty.write_all(key.as_bytes()).expect("the terminal takes keys");
            while self.parser.screen().cursor_position() == before {
                self.picture();
            }
            pressed.elapsed()
        }

        /// Reads on to the end of the next picture.
        fn picture(&mut self) {
            loop {
                if let Some(end) = self.unread.windows(END.len()).position(|window| window == END) {
                    let picture: Vec<u8> = self.unread.drain(..end + END.len()).collect();
                    self.parser.process(&picture);
                    return;
                }
                let mut bytes = [0; 8192];
                let count = self.pty.read(&mut bytes).expect("the program goes on");
                self.unread.extend_from_slice(&bytes[..count]);
            }
        }
    }

    impl Drop for Screen {
        fn drop(&mut self) {
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}
