//! Reports and journals as they hang on a wall. A journal that grows is read on from where it was read last.

use super::names::Names;
use super::results::{ShownArgs, known, name, named, read};
use crate::cli::Failure;
use crate::cli::saved::{Games, is_journal, settle};
use crate::page::{Card, live};
use crate::record::schema::{GameRecord, MatchReport, ScheduleKind};
use crate::record::{Appended, Duplicates, Following};
use crate::statistics::Decision;
use crate::tournament::Course;
use crate::verify;
use serde_json::Value;
use std::path::Path;

/// Lines that are read at once, so that memory stays small.
const SOME: usize = 256;

/// A report or journal that hangs there.
pub(crate) struct Hung {
    pub(crate) card: Value,
    names: Names,
    report: MatchReport,
    /// Where the file is a journal.
    running: Option<Running>,
}

/// A journal as far as it has been read.
struct Running {
    journal: Following,
    /// Which games count, unless the plan makes no sense.
    course: Option<Course>,
    frame: MatchReport,
    card: Card,
}

impl Hung {
    /// Reads a file; of a journal that has been read `before`, what was appended since.
    pub(crate) fn of(before: Option<Hung>, path: &Path, shown: &ShownArgs) -> Result<Hung, Failure> {
        let names = shown.names(path)?;
        let anchor = |names: &[String]| shown.anchor.as_ref().and_then(|anchor| anchor.of(names));
        if !is_journal(path) {
            let games = Games::open(path)?;
            let frame = named(games.frame(), &names);
            let mut card = Card::new(&frame, verify::start(&frame.plan).ok());
            let (report, circumstances) = read(games, &names, |some| {
                card.games(&frame, some);
                Ok(())
            })?;
            let anchor = anchor(&circumstances.names);
            let card = card.hang(&report, circumstances, anchor, &name(path));
            return Ok(Hung { card, names, report, running: None });
        }
        let before = before.filter(|hung| hung.names == names).and_then(|hung| hung.running);
        let running = match before.map(|running| running.read_on(&names)).transpose()?.flatten() {
            Some(running) => running,
            None => Running::begin(path, &names)?,
        };
        let report = running.report();
        let circumstances = known(&report, running.course.as_ref());
        let anchor = anchor(&circumstances.names);
        let card = running.card.hang(&report, circumstances, anchor, &name(path));
        Ok(Hung { card, names, report, running: Some(running) })
    }

    /// Whether games may come at any time, as long as somebody has its journal.
    pub(crate) fn is_league(&self) -> bool {
        self.report.plan.schedule.kind == ScheduleKind::League
    }

    /// The game that is being played now.
    pub(crate) fn live(&self, mut game: GameRecord) -> Value {
        self.names.games(std::slice::from_mut(&mut game));
        live(&self.report, verify::start(&self.report.plan).ok(), &game)
    }
}

impl Running {
    /// Reads a journal from its beginning.
    fn begin(path: &Path, names: &Names) -> Result<Running, Failure> {
        let running = Running::under(Following::begin(path)?, names).read_on(names)?;
        let replaced = || {
            Failure::file(format!("{} was replaced while it was read", path.display())).hint("the same again")
        };
        running.ok_or_else(replaced)
    }

    /// No game yet, under the plan that is known.
    fn under(journal: Following, names: &Names) -> Running {
        let frame = named(&MatchReport::of_journal(journal.header()), names);
        let course = Course::of_report(&frame).ok();
        let card = Card::new(&frame, verify::start(&frame.plan).ok());
        Running { journal, course, frame, card }
    }

    /// Reads what was appended. `None` where the file is another one.
    fn read_on(mut self, names: &Names) -> Result<Option<Running>, Failure> {
        let (mut has_grown, decided) = (false, self.decided());
        loop {
            let Some(some) = self.journal.read(SOME)? else { return Ok(None) };
            if some.is_empty() {
                break;
            }
            for line in some {
                match line {
                    Appended::Attendance => has_grown = true,
                    Appended::Game(game) => self.add(*game, names),
                }
            }
        }
        if has_grown {
            self.journal.rewind();
            return Running::under(self.journal, names).read_on(names);
        }
        if self.decided() != decided {
            // Games that were added may not count, as is known now.
            self.card = Card::new(&self.frame, verify::start(&self.frame.plan).ok());
            self.journal.rewind();
            return self.read_on(names);
        }
        Ok(Some(self))
    }

    fn add(&mut self, mut game: GameRecord, names: &Names) {
        if self.course.as_mut().is_some_and(|course| !course.hear(&game)) {
            return;
        }
        names.games(std::slice::from_mut(&mut game));
        self.card.games(&self.frame, &[game]);
    }

    /// Changes when a withdrawal or the test leaves out games that have been added already.
    fn decided(&self) -> (usize, bool) {
        let Some(course) = &self.course else { return (0, false) };
        let is_decided = course.sprt().is_some_and(|test| test.decision != Decision::Continue);
        (course.withdrawals().len(), is_decided)
    }

    /// The report of the games so far, without them.
    fn report(&self) -> MatchReport {
        let mut report = self.frame.clone();
        self.course.iter().for_each(|course| settle(&mut report, course));
        report.add_up(self.card.sums(), Duplicates::default());
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::schema::{AttendanceLine, JournalHeader};
    use crate::record::write_line;
    use serde::Serialize;
    use serde_json::json;
    use std::fs;

    /// A sample, and what a journal of it would hold, line by line.
    fn lines(name: &str, change: impl FnOnce(&mut MatchReport)) -> Vec<Vec<u8>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/samples").join(name);
        let mut report = crate::record::read(&path).unwrap();
        change(&mut report);
        let header = JournalHeader {
            format: "arbiter-journal".to_owned(),
            format_version: report.format_version,
            arbiter: report.arbiter,
            plan: report.plan,
            machine: report.machine.unwrap(),
            started: report.started.unwrap(),
            games_asked: report.games_asked,
            plan_hash: None,
            shard: None,
            command: None,
        };
        std::iter::once(line(&header)).chain(report.games.iter().map(line)).collect()
    }

    fn line(of: &impl Serialize) -> Vec<u8> {
        let mut line = Vec::new();
        write_line(of, &mut line);
        line
    }

    fn followed(before: Option<Hung>, journal: &Path) -> Hung {
        Hung::of(before, journal, &ShownArgs::default()).unwrap()
    }

    /// How many games have ended by the card, which has to agree with a journal that is read as a whole.
    fn ended(hung: &Hung, journal: &Path) -> u32 {
        let games = Games::open(journal).unwrap();
        let (mut whole, _) = read(games, &hung.names, |_| Ok(())).unwrap();
        whole.duplicates.clear();
        assert_eq!(hung.report, whole);
        assert_eq!(hung.card["ended"], whole.games_ended);
        whole.games_ended
    }

    #[test]
    fn a_line_that_has_been_read_is_not_read_again_and_one_that_is_not_whole_is_read_later() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("cup.json.journal");
        let lines = lines("swiss.json", |_| {});
        let (last, some) = lines.split_last().unwrap();
        fs::write(&journal, [&some.concat()[..], &last[..20]].concat()).unwrap();
        let hung = followed(None, &journal);
        assert_eq!(ended(&hung, &journal), 11);
        // Whoever reads these lines again fails.
        let damaged: Vec<u8> =
            some[1..].iter().flat_map(|line| [&vec![b'x'; line.len() - 1][..], b"\n"].concat()).collect();
        fs::write(&journal, [&some[0][..], &damaged, last].concat()).unwrap();
        let hung = followed(Some(hung), &journal);
        assert_eq!(hung.card["ended"], 12);
        fs::write(&journal, lines.concat()).unwrap();
        assert_eq!(ended(&hung, &journal), 12);
    }

    #[test]
    fn a_journal_that_another_one_has_replaced_or_that_was_cut_is_read_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("cup.json.journal");
        let (swiss, other) = (lines("swiss.json", |_| {}), lines("tic-tac-toe.json", |_| {}));
        fs::write(&journal, swiss[..2].concat()).unwrap();
        let hung = followed(None, &journal);
        fs::write(&journal, other.concat()).unwrap();
        let hung = followed(Some(hung), &journal);
        assert_eq!(ended(&hung, &journal), 4);
        fs::write(&journal, other[..3].concat()).unwrap();
        assert_eq!(ended(&followed(Some(hung), &journal), &journal), 2);
    }

    #[test]
    fn a_game_that_was_added_goes_again_once_it_is_known_not_to_count() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("cup.json.journal");
        let fault = json!({ "kind": "panicked", "during": "choose_move", "sentence": "", "message": "", "position": "" });
        let mut lines = lines("tic-tac-toe.json", |report| {
            report.plan.withdraw_after = 1;
            let ending = json!({ "how": "forfeit", "reason": "panicked", "seat": 1, "fault": fault });
            report.games[0].ending = serde_json::from_value(ending).unwrap();
        });
        lines.swap(1, 3);
        let mut hung = None;
        for (count, counting) in [(1, 0), (2, 1), (3, 2), (4, 2), (5, 2)] {
            fs::write(&journal, lines[..count].concat()).unwrap();
            let now = followed(hung, &journal);
            assert_eq!(ended(&now, &journal), counting, "of {} games", count - 1);
            hung = Some(now);
        }
    }

    #[test]
    fn somebody_who_comes_to_a_league_meanwhile_stands_on_its_card() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("league.json.journal");
        let arrival =
            |player: usize, round: u32| json!({ "round": round, "player": player, "change": "arrives" });
        let mut lines = lines("swiss.json", |report| {
            let all: Vec<Value> = (0..report.plan.players.len()).map(|player| arrival(player, 1)).collect();
            let league = json!({ "kind": "league", "pairs": 1, "most_pairs": 1, "attendance": all });
            report.plan.schedule = serde_json::from_value(league).unwrap();
        });
        // The games of the league's first round.
        lines.truncate(5);
        fs::write(&journal, lines.concat()).unwrap();
        let hung = followed(None, &journal);
        let players = hung.report.plan.players.len();
        let mut player = hung.report.plan.players[0].clone();
        player.name = "Newcomer".to_owned();
        assert!(ended(&hung, &journal) > 0);
        let arrival = arrival(players, 9);
        let arrival =
            AttendanceLine { attendance: serde_json::from_value(arrival).unwrap(), player: Some(player) };
        fs::write(&journal, [lines.concat(), line(&arrival)].concat()).unwrap();
        let hung = followed(Some(hung), &journal);
        assert_eq!(hung.card["players"], players + 1);
        ended(&hung, &journal);
        ended(&followed(Some(hung), &journal), &journal);
    }
}
