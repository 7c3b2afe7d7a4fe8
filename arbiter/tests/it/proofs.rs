//! What has to hold every time is tried many times. Every test run tries each of these a few times; the tests that are
//! ignored there try it as often as it takes to believe it, and print what they found:
//!
//! ```text
//! cargo test -p arbiter --test it proofs:: -- --ignored --nocapture --test-threads 1
//! ```

mod busy;
mod floods;
mod killed;
mod leaks;
mod misdeeds;
mod pondering;

use crate::support::command;
use arbiter::record::read;
use arbiter::record::schema::MatchReport;
use std::path::Path;
use std::time::Instant;

/// Plays a match in a folder and reads its report.
#[track_caller]
fn play(folder: &Path, name: &str, args: &[&str]) -> MatchReport {
    let file = folder.join(format!("{name}.json"));
    let output = ["--quiet", "--output", file.to_str().unwrap()];
    let begun = Instant::now();
    let run = command(folder, &[args, &output].concat()).output().expect("the program starts");
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    let report = read(&file).expect("the report can be read");
    tell(&format!("{name}: {} games in {:.1} s", report.games.len(), begun.elapsed().as_secs_f64()));
    report
}

/// Says something to whoever watches with `--nocapture`.
#[expect(clippy::print_stdout, reason = "it is for those who want to read it")]
fn tell(text: &str) {
    println!("{text}");
}
