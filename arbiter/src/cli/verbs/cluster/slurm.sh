#!/usr/bin/env bash
# Plays {title} in {parts} parts on a cluster with Slurm, and puts them together in one report:
#
#     sbatch {script}
#
# This short job submits the first wave: an array, which plays one part in each task, and a job behind it, which merges what was
# played. As long as games are missing, that job submits the next wave: those of a task that failed, the next round of a tournament
# whose rounds follow from results, the next pairs of a test. A wave that adds no game is the last, with an error.
#
# A task that is preempted, or whose node dies, is queued again and goes on where it was. What all jobs say, and what was played, is
# in the folder of results. Partition, account and limits of time belong below, or behind `sbatch`.
#SBATCH --job-name={name}
#SBATCH --requeue
set -euo pipefail

arbiter={arbiter}
file={file}
seed={seed}
results={results}
parts={parts}
cores={cores}
report="$results/{name}.json"
own="$results/{name}.sh"

# What all jobs of a wave have in common. Options of the first job, such as its partition, go on to the others.
submit() {
    sbatch --parsable --requeue --job-name="{name}-$1" --output="$results/%x-%j.log" \
        ${SLURM_JOB_PARTITION:+--partition="$SLURM_JOB_PARTITION"} ${SLURM_JOB_ACCOUNT:+--account="$SLURM_JOB_ACCOUNT"} "${@:2}"
}

case ${1-begin} in
begin)
    mkdir -p "$results"
    # Slurm keeps its copy of a script only as long as the job.
    cp -- "$0" "$own"
    exec bash "$own" wave 1 0
    ;;

# wave NUMBER GAMES: GAMES is how many games the report has.
wave)
    array=$(submit "$2" --array="1-$parts" --cpus-per-task="$cores" --signal=B:TERM@60 "$own" part "$2")
    submit "$2-merge" --dependency="afterany:${array%%;*}" "$own" merge "$2" "$3"
    ;;

part)
    known=()
    if [ -e "$report" ]; then known=(--after "$report"); fi
    # In the place of this shell, so that it hears of the end of its time.
    exec "$arbiter" tournament --file "$file" --seed "$seed" --shard "auto/$parts" --jobs "$cores" {wave}\
        --results "$results/wave-$2" --resume --quiet "${known[@]}"
    ;;

merge)
    # A job that was queued again after it had submitted the next wave has nothing left to do.
    if [ -e "$results/wave-$2/merged" ]; then exit 0; fi
    # With the games of earlier waves, which are in the report already.
    code=0
    "$arbiter" merge "$results/wave-$2" -o "$report" || code=$?
    if [ "$code" = 0 ]; then
        echo "all games are in $report"
    elif [ "$code" != 1 ]; then
        exit "$code"
    else
        games=$(sed -n 's/^  "games_ended": \([0-9]*\),$/\1/p; /^  "games_ended"/q' "$report")
        if [ "$games" -le "$3" ]; then
            echo "error: wave $2 has added no game: its tasks say why in $results" >&2
            exit 1
        fi
        bash "$own" wave $(($2 + 1)) "$games"
    fi
    touch "$results/wave-$2/merged"
    ;;
esac
