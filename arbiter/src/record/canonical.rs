//! The canonical form: what two runs of the same plan with deterministic bots must agree on to the letter; and one number for
//! everything in a plan that decides which games are played.

use super::schema::{
    ErrorRecord, FaultRecord, GameRecord, How, LeftOutRecord, MatchReport, Plan, PlayerKind, ScheduleKind,
    SearchRecord, Totals,
};
use sha2::{Digest, Sha256};

/// The report without times, dates, machine, paths, process memory addresses, and what bots said of their searches.
pub fn canonical(mut report: MatchReport) -> MatchReport {
    (report.machine, report.started, report.finished) = (None, None, None);
    report.plan.players.iter_mut().for_each(|player| player.file = None);
    report.parts.clear();
    report.totals.iter_mut().for_each(Totals::forget_times);
    report.games.iter_mut().for_each(canonical_game);
    report
}

impl MatchReport {
    /// Whether this is the canonical form, which no machine is named in.
    pub fn is_canonical(&self) -> bool {
        self.machine.is_none()
    }
}

/// Takes out of a game what [`canonical`] takes out of a report.
pub fn canonical_game(game: &mut GameRecord) {
    (game.started, game.duration_ns) = (None, None);
    (game.round, game.unit, game.chance_seed) = (None, None, None);
    let is_agreed = game.ending.how == How::Adjudication && game.ending.reason.starts_with("agreed-");
    for ply in &mut game.plies {
        ply.forget_times();
        ply.pondered_ns = None;
        // Where bots have ended the game by what they said, that is part of it.
        let score = ply.search.take().and_then(|search| search.score).filter(|_| is_agreed);
        ply.search = score.map(|score| SearchRecord { score: Some(score), ..SearchRecord::default() }.into());
    }
    game.errors.iter_mut().for_each(ErrorRecord::forget_times);
    game.errors_left_out.iter_mut().for_each(LeftOutRecord::forget_times);
    for seat in &mut game.seats {
        (seat.printed, seat.prepared_ns, seat.excused) = (None, None, None);
    }
    game.noted.iter_mut().for_each(|noted| without_particulars(&mut noted.fault));
    game.faults_mut().for_each(|(_, fault)| without_particulars(fault));
}

fn without_particulars(fault: &mut FaultRecord) {
    (fault.sentence, fault.address, fault.message) = (None, None, None);
    (fault.wall_ns, fault.cpu_ns, fault.charged_ns) = (None, None, None);
    (fault.output, fault.again) = (None, None);
}

/// A plan as far as the referee itself knows it: not where files lie, but the commands of programs, and nothing that bots say of themselves, which may be
/// another thing each time. In a league they have the names of their files.
pub fn known_of(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let says_its_name = plan.schedule.kind != ScheduleKind::League;
    for player in &mut plan.players {
        (player.author, player.version) = (None, None);
        if player.kind != PlayerKind::Program {
            player.file = None;
        }
        if says_its_name && player.kind == PlayerKind::Bot {
            player.name.clear();
        }
    }
    plan
}

/// SHA-256 of a plan and of the version of arbiter that plays it: bot files by their hashes, rules and their version,
/// options, openings, times, limits, schedule and seed. Where the bots' files lie and what bots say of themselves does not
/// count.
pub fn plan_hash(plan: &Plan, arbiter: &str) -> String {
    let text = serde_json::to_string(&known_of(plan)).expect("a plan is plain data");
    let mut hash = Sha256::new();
    for part in [arbiter, &text] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A match could otherwise go on with another program in the place of the one that began it.
#[test]
fn a_program_is_known_by_its_command_and_a_bot_by_its_file_wherever_that_lies() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/samples/tic-tac-toe.json");
    let plan = super::read(sample.as_ref()).unwrap().plan;
    let with = |kind, file: &str| {
        let mut plan = plan.clone();
        (plan.players[0].kind, plan.players[0].file) = (kind, Some(file.to_owned()));
        known_of(&plan)
    };
    assert_ne!(with(PlayerKind::Program, "python3 a.py"), with(PlayerKind::Program, "python3 b.py"));
    assert_eq!(with(PlayerKind::Bot, "here/a.so"), with(PlayerKind::Bot, "there/a.so"));
}
