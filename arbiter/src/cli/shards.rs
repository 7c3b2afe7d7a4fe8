//! Which part of a tournament this process plays.

use crate::tournament::Shard;

/// Where schedulers of clusters put the number of a process.
const NUMBERS: [&str; 4] =
    ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PBS_ARRAY_INDEX", "CI_NODE_INDEX"];

/// A part of a tournament: `2/4`, or `auto/4` for the number that a scheduler gives this process.
///
/// # Errors
/// What a part looks like, or which variables would tell.
pub(super) fn part(text: &str) -> Result<Shard, String> {
    let Some(count) = text.strip_prefix("auto") else { return text.parse() };
    let Some(count) = count.strip_prefix('/') else {
        return Err("how many parts there are belongs into the script: auto/4".to_owned());
    };
    let number = NUMBERS.iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    let Some((name, number)) = number else {
        return Err(format!("none of the variables {} is set here", NUMBERS.join(", ")));
    };
    format!("{number}/{count}").parse().map_err(|error| format!("{name} is '{number}': {error}"))
}
