//! Which part of a tournament this process plays.

use crate::tournament::Shard;
use std::env;

/// The variables by which Slurm, Grid Engine, LSF, Torque, PBS Professional, Kubernetes, AWS Batch, Cloud Run, GitLab and GNU
/// parallel number the processes of an array, with the number of the first, and what they hold outside of an array. With Torque
/// and PBS Professional the author of an array chooses its numbers, and no variable tells its processes which: they have to be
/// 1 to N.
const NUMBERS: [(&str, u32, &str); 10] = [
    (SLURM, 1, ""),
    ("SGE_TASK_ID", 1, "undefined"),
    ("LSB_JOBINDEX", 1, "0"),
    ("PBS_ARRAYID", 1, ""),
    ("PBS_ARRAY_INDEX", 1, ""),
    ("JOB_COMPLETION_INDEX", 0, ""),
    ("AWS_BATCH_JOB_ARRAY_INDEX", 0, ""),
    ("CLOUD_RUN_TASK_INDEX", 0, ""),
    ("CI_NODE_INDEX", 1, ""),
    ("PARALLEL_SEQ", 1, ""),
];

/// With Slurm, whoever submits an array chooses its first number, and the second variable says which it is.
const SLURM: &str = "SLURM_ARRAY_TASK_ID";
const SLURM_FIRST: &str = "SLURM_ARRAY_TASK_MIN";

/// A part of a tournament: `2/4`, or `auto/4` for the number that a scheduler gives this process.
pub(super) fn part(text: &str) -> Result<Shard, String> {
    let Some(count) = text.strip_prefix("auto") else { return text.parse() };
    let Some(count) = count.strip_prefix('/') else {
        return Err("how many parts there are belongs into the script: auto/4".to_owned());
    };
    let all: Shard = format!("1/{count}").parse()?;
    let set = |(name, first, nothing)| {
        env::var(name).ok().filter(|value| value != nothing).map(|value| (name, first, value))
    };
    let Some((name, first, value)) = NUMBERS.into_iter().find_map(set) else {
        let names = NUMBERS.map(|(name, ..)| name).join(", ");
        return Err(format!("none of the variables {names} is set here"));
    };
    let is_from_zero = name == SLURM && env::var(SLURM_FIRST).is_ok_and(|lowest| lowest == "0");
    let first = if is_from_zero { 0 } else { first };
    let last = all.count() - 1 + first;
    let number = value.parse().ok().filter(|number| (first..=last).contains(number));
    // Part 3 is number 3 wherever an array begins, so that it can be submitted again alone; number 0 is the last part.
    let part =
        number.and_then(|number| Shard::new(if number == 0 { all.count() } else { number }, all.count()));
    part.ok_or_else(|| {
        format!(
            "{name} is '{value}', but the numbers of an array for {} parts are {first} to {last}",
            all.count()
        )
    })
}
