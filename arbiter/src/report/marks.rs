//! Marks of a course: who beats the bots that set one.

use super::layout::{Format, legend, points, row, short_name, table_in};
use super::standings::Standings;
use crate::record::schema::version_of;
use crate::sanitize::sanitize;
use serde_json::{Value, json};
use std::iter::once;

/// How a bot stands against one that sets a mark: its version that shows most.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    pub bot: String,
    /// The number of the player that sets the mark.
    pub staff: usize,
    /// The number of the player that is the version.
    pub version: usize,
    /// Whether it beats the other with a confidence of 95 %.
    pub is_earned: bool,
    /// The confidence, from 0 to 1, which holds however often somebody looks, and for all versions of the bot together.
    pub confidence: f64,
    pub pairs: u32,
    /// Points of the version in them.
    pub points: f64,
}

impl Mark {
    /// The confidence in percent, which is never whole; nothing before the first game.
    pub(crate) fn sure(&self) -> String {
        if self.pairs == 0 {
            String::new()
        } else {
            format!("{:.1}", 100.0 * rounded_down(self.confidence, 1000.0).min(0.999))
        }
    }

    /// The same in a table of many, where only one thing is said.
    pub(crate) fn told(&self) -> String {
        if self.is_earned { "yes".to_owned() } else { self.sure() }
    }
}

/// A confidence in whole parts. Rounded up, 0.9497 would look like the 95 % that it has not reached.
fn rounded_down(confidence: f64, parts: f64) -> f64 {
    (parts * confidence).floor() / parts
}

const COLUMNS: [&str; 7] = ["bot", "mark", "earned", "version", "confidence", "pairs", "points"];

impl Standings {
    /// How every bot of a league stands against each that sets a mark: bots by their places, those of one together.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        let staff = &self.tally.staff;
        let mut marks: Vec<Mark> = Vec::new();
        for line in &self.lines {
            let (name, attempt) = version_of(&self.circumstances.names[line.player]);
            let name = sanitize(name);
            for &staff in staff.iter().filter(|_| !staff.contains(&line.player)) {
                let duel = self.tally.duel(line.player, staff);
                let mark = Mark {
                    bot: name.clone(),
                    staff,
                    version: line.player,
                    is_earned: duel.is_enough(attempt),
                    confidence: duel.confidence(attempt),
                    pairs: duel.pairs(),
                    points: duel.points(),
                };
                match marks.iter_mut().find(|other| other.bot == name && other.staff == staff) {
                    Some(other) if (other.confidence, other.pairs) < (mark.confidence, mark.pairs) => {
                        *other = mark
                    }
                    Some(_) => {}
                    None => marks.push(mark),
                }
            }
        }
        marks
    }

    /// The marks in the form of standings; nothing where nobody sets one.
    pub(super) fn marks_text(&self, format: Format, room: Option<usize>) -> String {
        let marks = self.marks();
        let cells = |mark: &Mark| {
            let earned = if mark.is_earned { "yes" } else { "no" };
            [
                mark.bot.clone(),
                self.name(mark.staff),
                earned.to_owned(),
                self.name(mark.version),
                format!("{:.4}", rounded_down(mark.confidence, 10_000.0)),
                mark.pairs.to_string(),
                points(mark.points),
            ]
        };
        match format {
            Format::Json => format!("{}\n", json!({ "marks": self.marks_json() })),
            Format::Csv | Format::Tsv => {
                let rows = once(COLUMNS.map(str::to_owned)).chain(marks.iter().map(cells));
                rows.map(|cells| row(format, cells)).collect()
            }
            Format::Table | Format::Markdown if marks.is_empty() => String::new(),
            Format::Table | Format::Markdown => {
                let room = room.filter(|_| format == Format::Table);
                let staff = self.tally.staff.iter().map(|&staff| self.name(staff));
                let staff = staff.map(|name| format!(">{}", short_name(&name, room)));
                let names = once("confidence, %".to_owned()).chain(staff);
                let rows = self.marks_by_bot().into_iter().map(|marks| {
                    let cells: Vec<String> = marks.iter().map(Mark::told).collect();
                    once(short_name(&marks[0].bot, room)).chain(cells)
                });
                table_in(room, format, names, rows) + &legend(format, [LEGEND.to_owned()])
            }
        }
    }

    /// How every bot stands against all that set marks, those in the order of the columns of a table.
    pub(crate) fn marks_by_bot(&self) -> Vec<Vec<Mark>> {
        self.marks().chunk_by(|one, other| one.bot == other.bot).map(<[Mark]>::to_vec).collect()
    }

    /// The same without standings beside it: with those who are not let in, to people.
    pub(crate) fn marks_alone(&self, format: Format, room: Option<usize>) -> String {
        let refused = self.circumstances.not_let_in.iter().cloned();
        let is_read = matches!(format, Format::Table | Format::Markdown);
        self.marks_text(format, room) + &legend(format, refused.filter(|_| is_read))
    }

    pub(super) fn marks_json(&self) -> Vec<Value> {
        let mark = |mark: &Mark| {
            json!({
                "bot": mark.bot,
                "mark": self.name(mark.staff),
                "earned": mark.is_earned,
                "version": self.name(mark.version),
                "confidence": mark.confidence,
                "pairs": mark.pairs,
                "points": mark.points,
            })
        };
        self.marks().iter().map(mark).collect()
    }
}

/// What confidence means here.
pub(crate) const LEGEND: &str = "Confidence: how sure it was at best that the bot scores more than half; 95 % is a yes, for good. \
    That holds however often one looks, and for all versions of a bot together, each of which has to show more than the one \
    before: of bots that score half or less, at most one in twenty ever gets a yes.";

#[cfg(test)]
mod tests {
    use super::*;

    /// 95 % is a yes, so nothing below it may look like that.
    #[test]
    fn a_mark_that_is_not_earned_is_never_shown_as_95_percent() {
        let sure = |confidence| {
            let bot = String::new();
            Mark { bot, staff: 0, version: 1, is_earned: false, confidence, pairs: 35, points: 46.0 }.sure()
        };
        assert_eq!([0.0, 0.949_79, 0.95, 0.999_99].map(sure), ["0.0", "94.9", "95.0", "99.9"]);
        assert_eq!(rounded_down(0.949_99, 10_000.0), 0.949_9);
    }
}
