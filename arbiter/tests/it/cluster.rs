//! Tournaments on clusters, and in the arrays of any scheduler. What a scheduler does is done here by a script; `.ci/slurm` repeats it with a real Slurm, whose nodes die.

use crate::support::{Run, arbiter, canonical, command, sample_bot, scratch, script};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Does at once what is submitted: each task of an array, one after another. Every third task is killed before it begins, the
/// first time.
const SBATCH: &str = r#"#!/usr/bin/env bash
set -u
tasks=0 killed=0
while [ "${1#--}" != "$1" ]; do
    case $1 in --array=1-*) tasks=${1#--array=1-} ;; esac
    shift
done
echo "$*" >> submitted
for task in $(seq "$tasks"); do
    if [ $((task % 3)) = 0 ] && [ ! -e lost-$task ]; then touch lost-$task; continue; fi
    SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=1 bash "$@" >> log 2>&1
done
if [ "$tasks" = 0 ]; then bash "$@" >> log 2>&1; echo $? > code; fi
echo 77
"#;

/// Submits a script where `sbatch` does at once what it is told.
fn submit(folder: &Path, submitted: &str) -> Output {
    let sbatch = folder.join("sbatch");
    script(&sbatch, SBATCH);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    Command::new("bash").arg(submitted).env("PATH", path).current_dir(folder).output().unwrap()
}

#[test]
fn a_script_for_slurm_goes_on_until_all_rounds_are_played_and_what_a_task_lost_is_played_in_the_next_wave() {
    let folder = scratch("cluster swiss");
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let file = format!(
        "bots = [{random:?}, {greedy:?}, {random:?}, {greedy:?}, {random:?}]\n\
         game = \"tic-tac-toe\"\nschedule = \"swiss\"\nrounds = 3\npairs = 3\nseed = \"it's\"\n"
    );
    fs::write(folder.join("my cup.toml"), file).unwrap();
    let script = arbiter(&folder, &["cluster", "slurm", "my cup.toml", "--parts", "4"]).expect(0);
    fs::write(folder.join("cup.sh"), script).unwrap();
    let run = submit(&folder, "cup.sh");
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    assert!(run.status.success(), "{}{log}", String::from_utf8_lossy(&run.stderr));
    let submitted = fs::read_to_string(folder.join("submitted")).unwrap();
    let waves = submitted.lines().filter(|line| line.contains(" part ")).count();
    assert!(waves >= 4, "three rounds, and one more wave for what was lost: {submitted}{log}");
    let alone = ["tournament", "--file", "my cup.toml", "--output", "alone.json", "--quiet"];
    arbiter(&folder, &alone).expect(0);
    assert_eq!(canonical(&folder, "my cup-results/my-cup.json"), canonical(&folder, "alone.json"));
}

#[test]
fn a_wave_that_adds_no_game_is_the_last() {
    let folder = scratch("cluster-stuck");
    let random = sample_bot("random");
    let file = format!("bots = [{random:?}, {random:?}]\ngame = \"tic-tac-toe\"\nrounds = 4\nseed = \"1\"\n");
    fs::write(folder.join("cup.toml"), file).unwrap();
    let script = arbiter(&folder, &["cluster", "slurm", "cup.toml", "--parts", "2"]).expect(0);
    // A machine on which part 2 cannot be played.
    let stuck =
        script.replace("    known=()\n", "    [ \"$SLURM_ARRAY_TASK_ID\" = 1 ] || exit 3\n    known=()\n");
    assert_ne!(stuck, script, "the script has changed");
    fs::write(folder.join("cup.sh"), stuck).unwrap();
    submit(&folder, "cup.sh");
    let log = fs::read_to_string(folder.join("log")).unwrap();
    assert!(log.contains("error: wave 2 has added no game"), "{log}");
    let report = fs::read_to_string(folder.join("cup-results/cup.json")).unwrap();
    assert!(report.contains("\"games_ended\": 4,"), "what was played is in the report");
}

#[test]
fn a_tournament_that_cannot_be_played_in_parts_is_refused_before_anything_is_submitted() {
    let folder = scratch("cluster-refused");
    let random = sample_bot("random");
    let swiss = format!(
        "bots = [{random:?}, {random:?}, {random:?}]\ngame = \"tic-tac-toe\"\nschedule = \"swiss\"\n"
    );
    fs::write(folder.join("swiss.toml"), swiss).unwrap();
    fs::write(folder.join("missing.toml"), "bots = [\"a.so\", \"b.so\"]\ngame = \"othello\"\n").unwrap();
    for (args, code, said) in [
        (["parallel", "swiss.toml"], 2, "goes on from its results"),
        (["slurm", "missing.toml"], 3, "cannot read bot"),
        (["slurm", "nothing.toml"], 4, "nothing.toml"),
    ] {
        let run = arbiter(&folder, &[&["cluster"], &args[..], &["--parts", "2"]].concat());
        assert!(run.code == code && run.err.contains(said) && run.out.is_empty(), "{args:?}: {}", run.err);
    }
    fs::copy(folder.join("swiss.toml"), folder.join("\u{9b}2J.toml")).unwrap();
    arbiter(&folder, &["cluster", "slurm", "\u{9b}2J.toml", "--parts", "2"])
        .says(2, "is no path for a script");
    let line = arbiter(&folder, &["cluster", "slurm", "swiss.toml", "--parts", "2"]).expect(0);
    assert!(line.starts_with("#!/usr/bin/env bash\n"), "{line}");
}

/// The variables that number the processes of an array, and the first number where the array does not choose it.
const NUMBERS: [(&str, u32); 10] = [
    ("SLURM_ARRAY_TASK_ID", 1),
    ("SGE_TASK_ID", 1),
    ("LSB_JOBINDEX", 1),
    ("PBS_ARRAYID", 1),
    ("PBS_ARRAY_INDEX", 1),
    ("JOB_COMPLETION_INDEX", 0),
    ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ("CLOUD_RUN_TASK_INDEX", 0),
    ("CI_NODE_INDEX", 1),
    ("PARALLEL_SEQ", 1),
];

/// Tells where an array of Slurm begins.
const LOWEST: &str = "SLURM_ARRAY_TASK_MIN";

#[test]
fn a_scheduler_of_a_cluster_says_which_part() {
    let random = sample_bot("random");
    let folder = scratch("auto");
    let args = [
        "tournament", &random, &random, "--game", "tic-tac-toe", "--rounds", "3", "--seed", "7", "--shard",
        "auto/3", "--dry-run",
    ];
    let run = |variables: &[(&str, &str)]| {
        let mut arbiter = command(&folder, &args);
        for (name, _) in NUMBERS {
            arbiter.env_remove(name);
        }
        Run::from(arbiter.env_remove(LOWEST).envs(variables.iter().copied()).output().unwrap())
    };
    for (name, first) in NUMBERS {
        for number in first..first + 3 {
            let out = run(&[(name, &number.to_string())]).expect(0);
            for unit in 0..3 {
                let games = format!("games {}-{}", 2 * unit + 1, 2 * unit + 2);
                assert_eq!(out.contains(&games), number % 3 == unit, "{name} {number}: {out}");
            }
        }
        for number in [first.wrapping_sub(1) as i32, first as i32 + 3] {
            let err = run(&[(name, &number.to_string())]).err;
            let sentence =
                format!("{name} is '{number}', but the numbers of an array for 3 parts are {first} to");
            assert!(err.contains(&sentence) || number == 0 && name == "LSB_JOBINDEX", "{err}");
        }
    }
    run(&[("SGE_TASK_ID", "undefined"), ("LSB_JOBINDEX", "0")]).says(2, "SLURM_ARRAY_TASK_ID");
}

#[test]
fn an_array_that_is_too_large_plays_no_part_twice() {
    let random = sample_bot("random");
    let folder = scratch("auto-too-large");
    let args = [
        "tournament", &random, &random, "--game", "tic-tac-toe", "--rounds", "4", "--seed", "7", "--dry-run",
    ];
    let run = |lowest: &str, number: u32| {
        let mut arbiter = command(&folder, &[&args[..], &["--shard", "auto/4"]].concat());
        let number = number.to_string();
        Run::from(arbiter.envs([(LOWEST, lowest), ("SLURM_ARRAY_TASK_ID", &number)]).output().unwrap()).code
    };
    assert_eq!((0..=4).map(|number| run("0", number)).collect::<Vec<_>>(), [0, 0, 0, 0, 2], "--array=0-4");
    assert_eq!((1..=5).map(|number| run("1", number)).collect::<Vec<_>>(), [0, 0, 0, 0, 2], "--array=1-5");
    let zero = arbiter(&folder, &[&args[..], &["--shard", "0/4"]].concat());
    zero.and_says("there is no part 0 of 4: parts are numbered from 1");
}
