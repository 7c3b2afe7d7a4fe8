//! Standard output: data, and nothing else. When its reader goes away, as in `| head`, the program ends quietly.

use super::{ExitCode, Failure};
use arbiter_rules::draw::Charset;
use std::ffi::OsString;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};

/// Buffered standard output; flushed after every line on a terminal, and at the end. It locks standard output only
/// while it writes, because games print their events from threads of their own.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    is_terminal: bool,
    /// The arguments of the command line that follows when this one is done.
    pub(super) next: Option<Vec<OsString>>,
}

impl Output {
    pub(super) fn stdout() -> Output {
        let stdout = io::stdout();
        Output { is_terminal: stdout.is_terminal(), out: BufWriter::new(stdout), next: None }
    }

    /// Writes a text that ends its own lines.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.out.write_all(text.as_bytes());
        written.map_err(|error| lost(&error))
    }

    pub(super) fn print(
        &mut self,
        print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        print(&mut self.out).map_err(|error| lost(&error))
    }

    pub(super) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.text(line)?;
        self.text("\n")?;
        if self.is_terminal { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| lost(&error))
    }

    /// Which characters a drawing may use.
    pub(super) fn charset(&self) -> Charset {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(|name| std::env::var(name).ok());
        let locale =
            locale.into_iter().find(|value| !value.is_empty()).unwrap_or_default().to_ascii_lowercase();
        let is_utf8 = locale.contains("utf-8") || locale.contains("utf8");
        if is_utf8 { Charset::Unicode } else { Charset::Ascii }
    }
}

/// A reader that has gone away wanted no more, and that is a normal end, of which nobody is told.
fn lost(error: &io::Error) -> Failure {
    let code = if error.kind() == ErrorKind::BrokenPipe { ExitCode::Done } else { ExitCode::File };
    let failure = Failure::new(code, "cannot write to standard output").because(error);
    failure.hint("make room where it goes, or send it elsewhere")
}
