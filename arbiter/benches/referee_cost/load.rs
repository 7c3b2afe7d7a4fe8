//! What a busy machine charges to bots that answer at once.
//!
//! Every move takes microseconds, so whatever a clock shows beyond a millisecond is somebody else's. Whole matches
//! are played with one game per core and with more, beside nobody and beside a busy loop on each core.

use crate::{Result, build, line};
use arbiter::host;
use std::process::{Child, Command, Stdio};

/// The word under which this program keeps a core busy.
pub(crate) const BUSY: &str = "busy";

const GAMES: u32 = 100;
/// From here on a move is charged falsely: nanoseconds.
const FALSE: u64 = 1_000_000;

pub(crate) fn report() -> Result<()> {
    let bot = build::c_bot("bots/first-c/first.c")?;
    let cores = host::cores();
    println!("{GAMES} games of Othello between bots that answer at once, on {} cores", cores.len());
    for loops in [0, 1, 2] {
        for games in [1, 2] {
            let busy = cores.iter().flat_map(|core| (0..loops).map(move |_| Busy::on(*core)));
            let busy = busy.collect::<Result<Vec<_>>>()?;
            let share = share_charged(&bot, games * cores.len())?;
            drop(busy);
            let what = format!("{games} games and {loops} busy loops a core: % charged 1 ms or more");
            line(&what, share.charged, &format!("of {} moves; longest {:.1} ms", share.moves, share.longest));
        }
    }
    Ok(())
}

/// Keeps a core busy until it is killed.
pub(crate) fn be_busy(number: usize) -> Result<()> {
    host::stay_on(number);
    loop {
        std::hint::spin_loop();
    }
}

/// A process that keeps a core busy.
struct Busy(Child);

impl Busy {
    fn on(core: usize) -> Result<Busy> {
        let mut busy = Command::new(std::env::current_exe()?);
        Ok(Busy(busy.args([BUSY, &core.to_string()]).stdin(Stdio::null()).spawn()?))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        // It ends in no other way, and a busy loop that is left behind would be seen.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Share {
    charged: f64,
    moves: usize,
    longest: f64,
}

fn share_charged(bot: &std::path::Path, jobs: usize) -> Result<Share> {
    let report = build::scratch().join("load.json");
    let _ = std::fs::remove_file(&report);
    let mut arbiter = Command::new(build::PROGRAM);
    arbiter.args([bot, bot]).args(["--game", "othello", "--games", &GAMES.to_string()]);
    arbiter.args(["--jobs", &jobs.to_string(), "--quiet", "--seed", "load", "--output"]).arg(&report);
    let status = arbiter.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if !status.success() {
        return Err("the match failed".into());
    }
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&report)?)?;
    let games = report["games"].as_array().ok_or("a report has games")?;
    let plies = games.iter().filter_map(|game| game["plies"].as_array()).flatten();
    let asked = plies.filter(|ply| ply["by"] == "player");
    let charged = asked.map(|ply| ply["charged_ns"].as_u64().unwrap_or(0));
    let charged: Vec<u64> = charged.collect();
    let count = charged.iter().filter(|&&time| time >= FALSE).count();
    let longest = charged.iter().max().copied().unwrap_or(0) as f64 / 1e6;
    Ok(Share { charged: 100.0 * count as f64 / charged.len() as f64, moves: charged.len(), longest })
}
