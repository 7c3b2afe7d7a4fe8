//! What a report says its games add up to.

use super::Problems;
use super::disagreements::disagreements;
use crate::record::schema::MatchReport;
use crate::record::{Duplicates, Sums};
use crate::tournament::Course;
use serde_json::json;

/// What is wrong in the numbers that follow the games.
pub(super) fn problems(report: &MatchReport, sums: &Sums, duplicates: Duplicates) -> Vec<String> {
    let mut problems = Problems(disagreements_of_totals(report, sums));
    let (said, are) = (report.games_ended, sums.games_ended());
    problems.when(said != are, format_args!("games_ended: the file says {said}, but {are} games are in it"));
    let asked = report.games_asked;
    problems.when(asked < said, format_args!("games_asked: {asked} is less than games_ended"));
    let (said, are) = (&report.duplicates, duplicates.groups());
    if *said != are {
        let problem = format!("duplicates: the file says {}, the games give {}", few(said), few(&are));
        problems.0.push(problem);
    }
    problems.0
}

/// What follows from the results: how many games there have to be, who is withdrawn, what the test says.
pub(super) fn course_problems(report: &MatchReport, course: &Course) -> Vec<String> {
    let mut problems = Problems::default();
    let (said, asked) = (report.games_asked, course.games_asked());
    problems.when(
        said != asked,
        format_args!("games_asked: the file says {said}, by the schedule it is {asked}"),
    );
    let said = json!({ "withdrawals": report.withdrawals, "sprt": report.sprt });
    let are = json!({ "withdrawals": course.withdrawals(), "sprt": course.sprt_record() });
    problems.0.extend(disagreements(&said, &are));
    problems.0
}

fn few(groups: &[Vec<u32>]) -> String {
    const SHOWN: usize = 8;
    let more =
        if groups.len() > SHOWN { format!(" and {} more", groups.len() - SHOWN) } else { String::new() };
    format!("{:?}{more}", &groups[..groups.len().min(SHOWN)])
}

fn disagreements_of_totals(report: &MatchReport, sums: &Sums) -> Vec<String> {
    let totals = sums.totals_under(&report.plan);
    if report.totals.len() != totals.len() {
        return vec![format!("totals: {} for {} players", report.totals.len(), totals.len())];
    }
    let pairs = report.totals.iter().zip(totals).enumerate();
    pairs
        .flat_map(|(player, (said, mut sum))| {
            if report.is_canonical() {
                sum.forget_times();
            }
            let name = report.plan.players[player].name.clone();
            disagreements(said, &sum).into_iter().map(move |problem| format!("totals of {name}: {problem}"))
        })
        .collect()
}
