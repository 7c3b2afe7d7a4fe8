//! What a report says its games add up to.

use super::difference::differences;
use super::prefixed;
use crate::record::schema::MatchReport;
use crate::record::{Duplicates, Sums};
use crate::tournament::Course;

/// What is wrong in the numbers that follow the games.
pub(super) fn problems(report: &MatchReport, sums: &Sums, duplicates: Duplicates) -> Vec<String> {
    let mut problems = differences_of_totals(report, sums);
    if report.games_ended != sums.games_ended() {
        let (said, are) = (report.games_ended, sums.games_ended());
        problems.push(format!("games_ended: the file says {said}, but {are} games are in it"));
    }
    if report.games_asked < report.games_ended {
        problems.push(format!("games_asked: {} is less than games_ended", report.games_asked));
    }
    let duplicates = duplicates.groups();
    if report.duplicates != duplicates {
        let (said, are) = (&report.duplicates, duplicates);
        problems.push(format!("duplicates: the file says {}, the games give {}", few(said), few(&are)));
    }
    problems
}

/// What follows from the results: how many games there have to be, who is withdrawn, what the test says.
pub(super) fn course_problems(report: &MatchReport, course: &Course) -> Vec<String> {
    let mut problems = Vec::new();
    let asked = course.games_asked();
    if report.games_asked != asked {
        problems.push(format!(
            "games_asked: the file says {}, by the schedule it is {asked}",
            report.games_asked
        ));
    }
    problems.extend(prefixed("withdrawals", differences(&*report.withdrawals, course.withdrawals())));
    problems.extend(prefixed("sprt", differences(&report.sprt, &course.sprt_record())));
    problems
}

/// The first few groups.
fn few(groups: &[Vec<u32>]) -> String {
    const SHOWN: usize = 8;
    let more =
        if groups.len() > SHOWN { format!(" and {} more", groups.len() - SHOWN) } else { String::new() };
    format!("{:?}{more}", &groups[..groups.len().min(SHOWN)])
}

fn differences_of_totals(report: &MatchReport, sums: &Sums) -> Vec<String> {
    let totals = sums.totals_under(&report.plan);
    if report.totals.len() != totals.len() {
        return vec![format!("totals: {} for {} players", report.totals.len(), totals.len())];
    }
    let pairs = report.totals.iter().zip(totals).enumerate();
    pairs
        .flat_map(|(player, (said, mut sum))| {
            if report.is_canonical() {
                (sum.wall_ns, sum.cpu_ns, sum.charged_ns) = (None, None, None);
            }
            let name = report.plan.players[player].name.clone();
            differences(said, &sum).into_iter().map(move |problem| format!("totals of {name}: {problem}"))
        })
        .collect()
}
