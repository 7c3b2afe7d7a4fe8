//! Standard output: data, and nothing else. When its reader goes away, as in `| head`, the program ends quietly.

use super::{ExitCode, Failure};
use crate::report::Format;
use crate::sanitize::shown_json;
use crate::ui::terminal::broken;
use arbiter_rules::draw::Charset;
use serde_json::Value;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};

/// Buffered standard output; flushed after every line on a terminal, and at the end. It locks standard output only
/// while it writes, because games print their events from threads of their own.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    is_terminal: bool,
}

impl Output {
    pub(super) fn stdout() -> Output {
        let stdout = io::stdout();
        Output { is_terminal: stdout.is_terminal(), out: BufWriter::new(stdout) }
    }

    /// Writes a text that ends its own lines.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes()).map_err(|error| lost(&error))
    }

    /// Writes what people read: sentences that are wider than the terminal go on below, between words. Rows of tables, and
    /// what programs read, stay as they are.
    pub(super) fn told(&mut self, text: &str, format: Format) -> Result<(), Failure> {
        if format == Format::Json {
            return self.text(&shown_json(text));
        }
        let Some(columns) = self.columns().filter(|_| format == Format::Table) else {
            return self.text(text);
        };
        for line in text.lines() {
            let is_row = line.rfind("  ").is_some_and(|gap| gap > columns / 2);
            let parts = if is_row { vec![line.to_owned()] } else { broken(line, columns as u16) };
            parts.iter().try_for_each(|part| self.line(part))?;
        }
        Ok(())
    }

    /// How wide the terminal is, where it goes to one.
    pub(super) fn columns(&self) -> Option<usize> {
        let size = self.is_terminal.then(ratatui::crossterm::terminal::size)?;
        size.ok().map(|(columns, _)| usize::from(columns)).filter(|&columns| columns > 0)
    }

    /// Writes JSON that is printed piece by piece.
    pub(super) fn print_json(
        &mut self,
        print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        print(&mut Shown(&mut self.out)).map_err(|error| lost(&error))
    }

    pub(super) fn json(&mut self, of: &Value) -> Result<(), Failure> {
        self.line(&shown_json(&of.to_string()))
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

/// JSON on its way to standard output. Its pieces are each a text of their own.
struct Shown<'a>(&'a mut dyn Write);

impl Write for Shown<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(piece).map_err(io::Error::other)?;
        self.0.write_all(shown_json(text).as_bytes())?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A reader that has gone away wanted no more, and that is a normal end, of which nobody is told.
pub(super) fn lost(error: &io::Error) -> Failure {
    let code = if error.kind() == ErrorKind::BrokenPipe { ExitCode::Done } else { ExitCode::File };
    let failure = Failure::new(code, "cannot write to standard output").because(error);
    failure.hint("make room where it goes, or send it elsewhere")
}
