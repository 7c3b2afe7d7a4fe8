//! Which part of a tournament this process plays.

use crate::tournament::Shard;
use std::env;

/// A variable by which a scheduler numbers the processes of an array.
struct Number {
    name: &'static str,
    first: First,
    /// What it holds outside of an array.
    nothing: &'static str,
}

/// The number of an array's first process.
enum First {
    Is(u32),
    /// Whoever submits the array chooses it, and this variable says which it is.
    Told(&'static str),
}

impl Number {
    const fn from(first: u32, name: &'static str) -> Number {
        Number { name, first: First::Is(first), nothing: "" }
    }
}

/// Slurm, Grid Engine, LSF, Torque, PBS Professional, Kubernetes, AWS Batch, Cloud Run, GitLab and GNU parallel. With Torque and
/// PBS Professional the author of an array chooses its numbers, and no variable tells its processes which: they have to be 1 to N.
const NUMBERS: [Number; 10] = [
    Number { name: "SLURM_ARRAY_TASK_ID", first: First::Told("SLURM_ARRAY_TASK_MIN"), nothing: "" },
    Number { name: "SGE_TASK_ID", first: First::Is(1), nothing: "undefined" },
    Number { name: "LSB_JOBINDEX", first: First::Is(1), nothing: "0" },
    Number::from(1, "PBS_ARRAYID"),
    Number::from(1, "PBS_ARRAY_INDEX"),
    Number::from(0, "JOB_COMPLETION_INDEX"),
    Number::from(0, "AWS_BATCH_JOB_ARRAY_INDEX"),
    Number::from(0, "CLOUD_RUN_TASK_INDEX"),
    Number::from(1, "CI_NODE_INDEX"),
    Number::from(1, "PARALLEL_SEQ"),
];

/// A part of a tournament: `2/4`, or `auto/4` for the number that a scheduler gives this process.
pub(super) fn part(text: &str) -> Result<Shard, String> {
    let Some(count) = text.strip_prefix("auto") else { return text.parse() };
    let Some(count) = count.strip_prefix('/') else {
        return Err("how many parts there are belongs into the script: auto/4".to_owned());
    };
    let all: Shard = format!("1/{count}").parse()?;
    let set = |number: &'static Number| Some((number, env::var(number.name).ok()?));
    let mut set = NUMBERS.iter().filter_map(set).filter(|(number, value)| value != number.nothing);
    let Some((Number { name, first, .. }, value)) = set.next() else {
        let names = NUMBERS.map(|number| number.name).join(", ");
        return Err(format!("none of the variables {names} is set here"));
    };
    let first = match first {
        First::Is(first) => *first,
        First::Told(variable) if env::var(variable).is_ok_and(|lowest| lowest == "0") => 0,
        First::Told(_) => 1,
    };
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
