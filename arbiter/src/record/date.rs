//! Dates as records have them: RFC 3339 with milliseconds and the local offset.

use super::schema::GameRecord;
use chrono::{DateTime, FixedOffset, SecondsFormat, TimeDelta, TimeZone};
use std::fmt::Display;
use std::time::Duration;

/// A date as it is written.
pub fn date_text<Z: TimeZone<Offset: Display>>(date: &DateTime<Z>) -> String {
    date.to_rfc3339_opts(SecondsFormat::Millis, false)
}

/// Reads what [`date_text`] writes; `None` where a text has another form.
pub fn date(text: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(text).ok().filter(|date| date_text(date) == text)
}

/// A date, later by this time; `None` where that is out of range.
pub fn later<Z: TimeZone>(date: DateTime<Z>, time: Duration) -> Option<DateTime<Z>> {
    date.checked_add_signed(TimeDelta::from_std(time).ok()?)
}

impl GameRecord {
    /// When it ended, if it says so.
    pub fn ended(&self) -> Option<DateTime<FixedOffset>> {
        later(date(self.started.as_deref()?)?, Duration::from_nanos(self.duration_ns?))
    }
}
