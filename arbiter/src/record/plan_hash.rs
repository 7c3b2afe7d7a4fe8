//! One number for everything that decides which games are played.

use super::schema::{self, Plan};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// SHA-256 of a plan and of the version of arbiter that plays it: bot files by their hashes, rules and their version,
/// options, openings, times, limits, schedule and seed. Where the bots' files lie does not count.
pub fn plan_hash(plan: &Plan, arbiter: &str) -> String {
    let mut plan = plan.clone();
    plan.players.iter_mut().for_each(|player: &mut schema::Player| player.file = None);
    let text = serde_json::to_string(&plan).expect("a plan is plain data");
    let mut hash = Sha256::new();
    for part in [arbiter, &text] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
