//! The first two fields of every file of ours: what it is, and in which version.

use super::error::RecordError;
use super::journal::FORMAT as JOURNAL;
use super::lines::LONGEST;
use super::schema::{FORMAT, FORMAT_VERSION};
use super::source;
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

/// What every file of ours begins with; the rest may be of any version.
#[derive(Debug, Default)]
pub(super) struct Head {
    format: Option<String>,
    format_version: Option<u64>,
}

impl Head {
    /// The head of a file, and whether the rest was left unread: because both fields have been found, or because
    /// the text is not JSON. Without JSON the head is empty.
    pub(super) fn of_file(path: &Path) -> io::Result<(Head, bool)> {
        let text = source::open_text(path)?.take(LONGEST as u64);
        let mut head = Head::default();
        // Mistakes in the text show when all of it is read.
        let read = serde_json::Deserializer::from_reader(text).deserialize_map(Fields(&mut head));
        let is_open = head.is_whole() || read.is_err();
        Ok((head, is_open))
    }

    /// The head of a line of JSON.
    pub(super) fn of_line(line: &[u8]) -> serde_json::Result<Head> {
        let mut head = Head::default();
        let read = serde_json::Deserializer::from_slice(line).deserialize_map(Fields(&mut head));
        if head.is_whole() { Ok(head) } else { read.map(|()| head) }
    }

    fn is_whole(&self) -> bool {
        self.format.is_some() && self.format_version.is_some()
    }

    /// Whether the file is a journal.
    pub(super) fn is_journal(&self) -> bool {
        self.format.as_deref() == Some(JOURNAL)
    }

    /// Whether the file is a report.
    pub(super) fn is_report(&self) -> bool {
        self.format.as_deref() == Some(FORMAT)
    }

    /// Whether the file is in any format of ours.
    pub(super) fn has_mark(&self) -> bool {
        self.format.as_deref().is_some_and(|format| format.starts_with("arbiter-"))
    }

    /// Refuses newer versions of this format, and everything else: with the error that `wrong` makes of the problem.
    pub(super) fn check(
        &self,
        format: &str,
        path: &Path,
        wrong: impl Fn(String) -> RecordError,
    ) -> Result<(), RecordError> {
        if self.format.as_deref() != Some(format) {
            return Err(wrong(format!("it has no \"format\": \"{format}\"")));
        }
        match self.format_version {
            Some(found) if found > u64::from(FORMAT_VERSION) => {
                Err(RecordError::TooNew { path: path.to_owned(), found })
            }
            Some(1..) => Ok(()),
            Some(0) | None => Err(wrong("it has no \"format_version\" from 1".to_owned())),
        }
    }
}

/// Reads fields until it has both.
struct Fields<'a>(&'a mut Head);

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(key) = fields.next_key::<String>()? {
            match key.as_str() {
                "format" => self.0.format = Some(fields.next_value()?),
                "format_version" => self.0.format_version = Some(fields.next_value()?),
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
            if self.0.is_whole() {
                break;
            }
        }
        Ok(())
    }
}
