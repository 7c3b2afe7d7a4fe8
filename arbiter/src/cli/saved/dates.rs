//! The dates in records: what the machine's clock says, but never earlier than the date before. Somebody may set the clock during
//! a match, or resume the match on a machine whose clock is behind; the dates in the report are in order even then.
#![expect(clippy::disallowed_methods, reason = "the dates of records come from here")]

use crate::record::{date_text, later};
use chrono::{DateTime, FixedOffset, Local};
use parking_lot::Mutex;
use std::cell::RefCell;
use std::time::{Duration, Instant, SystemTime};

/// The last date that was given out, and when, by the monotonic clock.
static LAST: Mutex<Option<(DateTime<Local>, Instant)>> = Mutex::new(None);

thread_local! {
    /// The last date of this thread.
    static OWN: RefCell<Told> = const { RefCell::new(Told { text: String::new(), until: None }) };
}

struct Told {
    text: String,
    /// When its millisecond is over.
    until: Option<Instant>,
}

/// The present time as it is written into records.
pub(crate) fn now() -> String {
    OWN.with_borrow_mut(|own| {
        // Dates are written in milliseconds, and many games may begin in one.
        let at = Instant::now();
        if own.until.is_none_or(|until| at >= until) {
            let date = tell(None);
            let over = u64::from(date.timestamp_subsec_nanos() % 1_000_000);
            own.text = date_text(&date);
            own.until = Some(at + Duration::from_nanos(1_000_000 - over));
        }
        own.text.clone()
    })
}

/// Makes sure that no later date is before this one, which stands in a record that is resumed or merged.
pub(crate) fn not_before(date: DateTime<FixedOffset>) {
    tell(Some(date.with_timezone(&Local)));
    OWN.with_borrow_mut(|own| own.until = None);
}

fn tell(least: Option<DateTime<Local>>) -> DateTime<Local> {
    let mut last = LAST.lock();
    let before = last.map(|(date, told)| (date, told.elapsed()));
    let date = DateTime::<Local>::from(SystemTime::now());
    let date = never_back(date, before).max(least.unwrap_or(date));
    // Read after the date: were we stopped in between, dates would otherwise run ahead of the clock from then on.
    *last = Some((date, Instant::now()));
    date
}

/// The date now, some time after the last one: as the machine's clock says, unless that went back.
fn never_back(clock: DateTime<Local>, last: Option<(DateTime<Local>, Duration)>) -> DateTime<Local> {
    last.map_or(clock, |(date, since)| clock.max(later(date, since).unwrap_or(date)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise an honest match would look forged because the machine's clock was corrected while it was played.
    #[test]
    fn a_clock_that_is_set_back_takes_no_date_with_it() {
        let (hour, second) = (Duration::from_secs(3600), Duration::from_secs(1));
        let noon = Local::now();
        let (one, two) = (later(noon, second).unwrap(), later(noon, hour).unwrap());
        assert_eq!(never_back(noon, None), noon);
        assert_eq!(never_back(two, Some((noon, second))), two, "it may be set forward");
        assert_eq!(never_back(noon, Some((two, second))), later(two, second).unwrap(), "time goes on");
        assert_eq!(never_back(one, Some((noon, second))), one);
    }
}
