//! Times on the command line: `1s`, `250ms`, `1.5m`; a clock is a base and an increment, `60s+0.5s`.

use crate::player::{LONGEST_TIME, TimeControl};
use crate::referee::Policy;
use std::sync::LazyLock;
use std::time::Duration;

/// The usual margin, as it is typed.
pub(crate) static MARGIN: LazyLock<String> = LazyLock::new(|| format!("{}ms", Policy::MARGIN.as_millis()));

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
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
    let time = Duration::try_from_secs_f64(number * seconds).ok().filter(|&time| time <= LONGEST_TIME);
    time.ok_or_else(|| "a time is at most 30 days".to_owned())
}

pub(crate) fn positive(text: &str) -> Result<Duration, String> {
    let time = Some(duration(text)?).filter(|time| !time.is_zero());
    time.ok_or_else(|| "nobody can move in no time".to_owned())
}

/// A number of instructions, such as `50M`, each as a nanosecond.
pub(crate) fn instructions(text: &str) -> Result<Duration, String> {
    let form = || "expected a number of instructions, such as 500k, 50M or 2G".to_owned();
    let units = [("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)];
    let with_unit = units.into_iter().find_map(|(end, unit)| Some((text.strip_suffix(end)?, unit)));
    let (number, unit) = with_unit.unwrap_or((text, 1));
    let number: u64 = number.parse().map_err(|_| form())?;
    let time = number.checked_mul(unit).map(Duration::from_nanos);
    time.filter(|&time| !time.is_zero() && time <= LONGEST_TIME).ok_or_else(form)
}

pub(crate) fn clock(text: &str) -> Result<TimeControl, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0s"));
    let explain = |error| format!("{error}; a clock is a base time and an increment, such as 60s+0.5s");
    let base = positive(base).map_err(explain)?;
    Ok(TimeControl::Clock { base, increment: duration(increment).map_err(explain)? })
}

/// A time that [`duration`] reads back to the nanosecond.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{}s", time.as_secs_f64())
}

/// The time of one bot beside others, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Odds {
    /// A time alone: of the kind that the others have.
    Bare(Duration),
    /// A time for every move, a clock or none, whatever the others have.
    Control(TimeControl),
}

impl Odds {
    /// What it means beside bots that have the usual time: a clock without increment where they have a clock, otherwise
    /// a time for every move.
    pub(crate) fn beside(self, usual: TimeControl) -> TimeControl {
        match (self, usual) {
            (Odds::Control(control), _) => control,
            (Odds::Bare(base), TimeControl::Clock { .. }) => {
                TimeControl::Clock { base, increment: Duration::ZERO }
            }
            (Odds::Bare(time), TimeControl::MoveTime(_) | TimeControl::Unlimited) => {
                TimeControl::MoveTime(time)
            }
        }
    }
}

/// What follows a time for every move where it could be taken for a clock.
const PER_MOVE: &str = "/move";

/// A time control as [`odds`] reads it back beside the usual one.
pub(crate) fn written(control: TimeControl, usual: TimeControl) -> String {
    match control {
        TimeControl::Unlimited => "none".to_owned(),
        TimeControl::MoveTime(time) if matches!(usual, TimeControl::Clock { .. }) => {
            format!("{}{PER_MOVE}", seconds(time))
        }
        TimeControl::MoveTime(time) => seconds(time),
        TimeControl::Clock { base, increment } => format!("{}+{}", seconds(base), seconds(increment)),
    }
}

/// The place of a bot on the command line, from 1, and what is said of it: `2:20ms`.
pub(crate) fn placed(text: &str) -> Option<(usize, &str)> {
    let (place, rest) = text.split_once(':')?;
    Some((place.parse().ok().filter(|&place| place >= 1)?, rest))
}

/// The time of one bot: the place of the bot on the command line, from 1, and a time, a time for every move, a clock, or
/// `none`.
pub(crate) fn odds(text: &str) -> Result<(usize, Odds), String> {
    let form = || "expected PLACE:TIME, such as 2:20ms, 2:20ms/move, 2:30s+0.5s or 2:none".to_owned();
    let (place, time) = placed(text).ok_or_else(form)?;
    let odds = match (time, time.strip_suffix(PER_MOVE)) {
        ("none", _) => Odds::Control(TimeControl::Unlimited),
        (_, Some(time)) => Odds::Control(TimeControl::MoveTime(positive(time)?)),
        (time, None) if time.contains('+') => Odds::Control(clock(time)?),
        (time, None) => Odds::Bare(positive(time)?),
    };
    Ok((place, odds))
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
        assert_eq!(instructions("50M"), Ok(Duration::from_millis(50)));
        assert_eq!(instructions("123"), Ok(Duration::from_nanos(123)));
        for nonsense in ["", "0", "M", "-1", "1.5M", "50m", "99999999999999G", "é"] {
            assert!(instructions(nonsense).is_err(), "{nonsense:?}");
        }
        let control =
            TimeControl::Clock { base: Duration::from_secs(60), increment: Duration::from_millis(500) };
        assert_eq!(clock("60s+0.5s"), Ok(control));
        assert!(clock("0s+1s").is_err() && clock("60s+").is_err() && clock("60s+1s+1s").is_err());
    }
    /// Where the others have a clock, 30 s for one bot means a clock of 30 s, and not 30 s for every move.
    #[test]
    fn odds_are_of_the_kind_of_the_usual_time_unless_they_say_otherwise() {
        let second = Duration::from_secs(1);
        let move_time = TimeControl::MoveTime(second);
        let clock = TimeControl::Clock { base: second, increment: Duration::ZERO };
        let faster = TimeControl::Clock { base: second, increment: second / 2 };
        for (text, beside_a_clock, beside_a_move_time) in [
            ("2:1s", clock, move_time),
            ("2:1s/move", move_time, move_time),
            ("2:1s+0s", clock, clock),
            ("2:1s+500ms", faster, faster),
            ("2:none", TimeControl::Unlimited, TimeControl::Unlimited),
        ] {
            let (place, odds) = odds(text).unwrap();
            assert_eq!((place, odds.beside(faster)), (2, beside_a_clock), "{text}");
            assert_eq!(odds.beside(move_time), beside_a_move_time, "{text}");
            assert_eq!(odds.beside(TimeControl::Unlimited), beside_a_move_time, "{text}");
        }
        for nonsense in
            ["", "20ms", "0:20ms", "x:20ms", "2:", "2:0s", "2:1s+", "2:never", "2:1s+1s/move", "2:/move"]
        {
            assert!(odds(nonsense).is_err(), "{nonsense:?}");
        }
        for usual in [clock, move_time, TimeControl::Unlimited] {
            for control in [clock, faster, move_time, TimeControl::Unlimited] {
                let text = format!("1:{}", written(control, usual));
                assert_eq!(odds(&text).unwrap().1.beside(usual), control, "{text}");
            }
        }
    }
}
