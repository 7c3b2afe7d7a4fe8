//! Times on the command line: `1s`, `250ms`, `1.5m`; a clock is a base and an increment, `60s+0.5s`.

use crate::player::TimeControl;
use std::time::Duration;

/// The longest time that can be asked for.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// A time with its unit.
///
/// # Errors
/// What a time looks like.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("a time is a number and a unit, such as 500ms, 1s, 2m or 1h".to_owned()),
    };
    let number: f64 = number.parse().map_err(|_| format!("'{number}' is not a number"))?;
    let time = Duration::try_from_secs_f64(number * seconds).ok().filter(|&time| time <= LONGEST);
    time.ok_or_else(|| "a time is at most 30 days".to_owned())
}

/// A time that is not zero.
///
/// # Errors
/// As [`duration`].
pub(super) fn positive(text: &str) -> Result<Duration, String> {
    duration(text)?.checked_sub(Duration::from_nanos(1)).ok_or("nobody can move in no time")?;
    duration(text)
}

/// A base time, and an increment after a plus sign.
///
/// # Errors
/// As [`duration`].
pub(super) fn clock(text: &str) -> Result<TimeControl, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0s"));
    let explain = |error| format!("{error}; a clock is a base time and an increment, such as 60s+0.5s");
    let base = positive(base).map_err(explain)?;
    Ok(TimeControl::Clock { base, increment: duration(increment).map_err(explain)? })
}

/// A time that [`duration`] reads back to the nanosecond.
pub(super) fn seconds(time: Duration) -> String {
    format!("{}s", time.as_secs_f64())
}

/// A time control as [`odds`] reads it back.
pub(super) fn written(control: TimeControl) -> String {
    match control {
        TimeControl::Unlimited => "none".to_owned(),
        TimeControl::MoveTime(time) => seconds(time),
        TimeControl::Clock { base, increment } => format!("{}+{}", seconds(base), seconds(increment)),
    }
}

/// The time of one bot: the place of the bot on the command line, from 1, and a time for every move, a clock, or `none`.
///
/// # Errors
/// What it looks like.
pub(super) fn odds(text: &str) -> Result<(usize, TimeControl), String> {
    let form = || "expected PLACE:TIME, such as 2:20ms, 2:30s+0.5s or 2:none".to_owned();
    let (place, time) = text.split_once(':').ok_or_else(form)?;
    let place = place.parse().ok().filter(|&place| place >= 1).ok_or_else(form)?;
    let control = match time {
        "none" => TimeControl::Unlimited,
        time if time.contains('+') => clock(time)?,
        time => TimeControl::MoveTime(positive(time)?),
    };
    Ok((place, control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_mean_what_they_say_and_nonsense_is_refused() {
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for nonsense in ["", "1", "s", "-1s", "1e9h", "1..2s", "inf s", "NaNs", "9999999999999h", "1s "] {
            assert!(duration(nonsense).is_err(), "{nonsense:?}");
        }
        assert!(positive("0s").is_err());
        let control =
            TimeControl::Clock { base: Duration::from_secs(60), increment: Duration::from_millis(500) };
        assert_eq!(clock("60s+0.5s"), Ok(control));
        assert_eq!(odds("3:60s+0.5s"), Ok((3, control)));
        assert_eq!(odds("1:20ms"), Ok((1, TimeControl::MoveTime(Duration::from_millis(20)))));
        assert_eq!(odds("2:none"), Ok((2, TimeControl::Unlimited)));
        for nonsense in ["", "20ms", "0:20ms", "x:20ms", "2:", "2:0s", "2:1s+", "2:never"] {
            assert!(odds(nonsense).is_err(), "{nonsense:?}");
        }
        assert!(clock("0s+1s").is_err() && clock("60s+").is_err() && clock("60s+1s+1s").is_err());
    }
}
