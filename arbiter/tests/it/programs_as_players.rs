//! Programs that play through pipes: the program, as a user runs it.

use crate::support::{
    arbiter, blocks, c_bot, command, games, is_there, json, no_faults, played_in, sample_bot, say_aloud,
    scratch, send, sleepers, ten_minutes,
};
use rustix::process::{Pid, Signal, test_kill_process};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// The client in this language on the page of the protocol.
fn client(language: &str) -> String {
    blocks("arbiter/src/program/README.md", language).remove(0) + "\n"
}

/// A program for the shell that does this when it is asked; `$legal` is a move.
fn in_shell(when_asked: &str) -> String {
    const PROGRAM: &str = r#"
while read -r word rest; do
    case $word in
    ready\?) echo ready ;;
    legal) legal=${rest%% *} ;;
    go*) ASKED ;;
    esac
done
"#;
    PROGRAM.replace("ASKED", when_asked)
}

fn within_a_minute(done: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < end, "nothing has come of it within a minute");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A match of `program` against `random`, and its report.
fn report_of(folder: &Path, program: &str, more: &[&str]) -> (String, Value) {
    let random = sample_bot("random");
    let seat = format!("1={program}");
    let played = played_in(folder, &[&["--seat", &*seat, &random, "--seed", "1"], more].concat());
    arbiter(folder, &["verify", "report.json"]).expect(0);
    played
}

fn python(name: &str, source: &str) -> Option<PathBuf> {
    let folder = scratch(name);
    fs::write(folder.join("client.py"), source).unwrap();
    is_there("python3").then_some(folder)
}

#[test]
fn the_client_in_python_plays_every_game_and_every_table_says_that_it_is_not_contained() {
    let Some(folder) = python("program-python", &client("python")) else { return };
    for game in arbiter_rules::registry::GAMES {
        let more = ["--game", game.id, "--games", "2", "--max-plies", "60", "--prepare-time", "30s"];
        let (out, report) = report_of(&folder, "program:python3 client.py", &more);
        assert!(out.contains("python3 (program)"), "{out}");
        let player = &report["plan"]["players"][0];
        assert_eq!(
            (&player["kind"], &player["file"]),
            (&"program".into(), &"program:python3 client.py".into())
        );
        no_faults(&report);
    }
    let shown = arbiter(&folder, &["report", "report.json"]).expect(0);
    assert!(shown.contains("is not contained") && shown.contains("(not contained)"), "{shown}");
    arbiter(&folder, &["report", "report.json", "-o", "report.html"]).expect(0);
    assert!(fs::read_to_string(folder.join("report.html")).unwrap().contains("a program, not contained"));
}

#[test]
fn the_client_in_java_plays() {
    let folder = scratch("program-java");
    fs::write(folder.join("Client.java"), client("java")).unwrap();
    if is_there("javac") {
        let more = ["--game", "othello", "--prepare-time", "60s", "--move-time", "10s"];
        let (_, report) = report_of(&folder, "program:java Client.java", &more);
        no_faults(&report);
    }
}

/// An engine that speaks GTP: it plays what it finds first, and is refused once.
const GTP: &str = r#"
import sys
moves = [f"{c}{r}" for r in range(1, 9) for c in "abcdefgh"]
board, asked = {}, 0
def flips(player, at):
    x, y = at; out = []
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            line, (i, j) = [], (x + dx, y + dy)
            while (dx or dy) and board.get((i, j)) == 1 - player: line.append((i, j)); i += dx; j += dy
            if board.get((i, j)) == player: out += line
    return out
def play(player, text):
    if text != "pass":
        at = (ord(text[0]) - 97, int(text[1]) - 1)
        for cell in flips(player, at) + [at]: board[cell] = player
for line in sys.stdin:
    number, command, *rest = line.split()
    answer = ""
    if command == "clear_board": board = {(3, 3): 1, (4, 4): 1, (4, 3): 0, (3, 4): 0}
    elif command == "play": play(("black", "white").index(rest[0]), rest[1].lower())
    elif command == "genmove":
        player = ("black", "white").index(rest[0]); asked += 1
        legal = [m for m in moves if (ord(m[0]) - 97, int(m[1]) - 1) not in board and flips(player, (ord(m[0]) - 97, int(m[1]) - 1))]
        if asked == 2: answer = "A1"
        else: answer = legal[0].upper(); play(player, legal[0])
    print(f"={number} {answer}\n", flush=True)
"#;

#[test]
fn an_engine_that_speaks_gtp_plays_othello_and_nothing_else() {
    let Some(folder) = python("program-gtp", GTP) else { return };
    let more = ["--game", "othello", "--openings", "random:4", "--games", "2", "--prepare-time", "30s"];
    let (_, report) = report_of(&folder, "gtp:python3 client.py", &more);
    no_faults(&report);
    for game in games(&report) {
        assert_eq!(game["errors"].as_array().unwrap().len(), 1, "it is asked again after A1");
    }
    arbiter(&folder, &["gtp:python3 client.py", "--game", "hex"]).says(2, "gtp: is for othello");
    arbiter(&folder, &["program:python3 'client.py", "--game", "hex"]).says(2, "quotation mark");
}

/// Our own idea of GTP is no proof: GRhino is an engine of others, in Debian since 2004.
#[test]
fn an_engine_for_othello_that_others_wrote_plays_whole_games() {
    const RHINO: &str = "/usr/games/gtp-rhino";
    if !Path::new(RHINO).exists() {
        return say_aloud(&format!("skipped: {RHINO} is not here; it is in Debian's package grhino"));
    }
    let folder = scratch("program-rhino");
    let more = ["--game", "othello", "--openings", "random:6", "--games", "4", "--move-time", "10s"];
    let (out, report) = report_of(&folder, &format!("gtp:{RHINO}"), &more);
    no_faults(&report);
    for game in games(&report) {
        assert!(game["errors"].as_array().is_none_or(Vec::is_empty), "{}", game["errors"]);
    }
    assert!(out.contains("gtp-rhino (program)"), "{out}");
}

/// Students who write Java could not meet the others otherwise.
#[test]
fn programs_take_part_in_tournaments_with_times_of_their_own() {
    let Some(folder) = python("program-tournament", &client("python")) else { return };
    let cup = format!(
        "game = \"tic-tac-toe\"\nrounds = 2\nseed = \"1\"\nmove-time = \"10s\"\nprepare-time = \"30s\"\noutput = \"cup.json\"\n\
         bots = [{{ file = \"program:python3 client.py\", time = \"5s\" }}, \"program:python3 ./client.py\", {:?}]\n",
        sample_bot("random")
    );
    fs::create_dir(folder.join("cup")).unwrap();
    fs::write(folder.join("cup/cup.toml"), &cup).unwrap();
    let planned = arbiter(&folder, &["tournament", "--file", "cup/cup.toml", "--dry-run"]).expect(0);
    assert!(planned.contains("program:python3 ./client.py"), "{planned}");
    let out = arbiter(&folder, &["tournament", "--file", "cup/cup.toml"]).expect(0);
    for said in
        ["python3 (program) (client.py) 5s", "python3 (program) (./client.py)", "Random", "Not contained"]
    {
        assert!(out.contains(said), "{out}");
    }
    arbiter(&folder, &["verify", "cup/cup.json"]).expect(0);
    let report = json(folder.join("cup/cup.json"));
    assert_eq!(games(&report).len(), 12);
    no_faults(&report);
    let standings = arbiter(&folder, &["standings", "cup/cup.json"]).expect(0);
    assert!(standings.contains("Not contained"), "{standings}");
}

#[test]
fn what_programs_cannot_do_in_a_tournament_is_said_before_it_begins() {
    let folder = scratch("program-refused");
    fs::write(
        folder.join("places.txt"),
        "---------------------------XO------OX--------------------------- X\n",
    )
    .unwrap();
    let payload = "bots = [{ file = \"program:cat\", payload = \"net.bin\" }]\n";
    fs::write(folder.join("payload.toml"), payload).unwrap();
    let random = sample_bot("random");
    for (words, said) in [
        (&["program:cat", "-B", "2:depth=3"][..], "takes its options in its own command"),
        (&["program:cat", "--fuel", "1M"], "cannot be counted"),
        (&["gtp:cat", "--openings", "places.txt"], "begins from the usual position only"),
        (&["program:cat 'x"], "quotation mark is not closed"),
        (&["human:Ana"], "people play matches"),
        (&["program:cat", "--file", "payload.toml"], "brings its own files"),
    ] {
        let words = [&["tournament", &random], words, &["--game", "othello"]].concat();
        arbiter(&folder, &words).says(2, said);
    }
}

#[test]
fn whatever_a_program_does_wrong_it_loses_its_game_and_leaves_nobody_behind() {
    let Some(folder) = python("program-misdeeds", "") else { return };
    let first = "import sys, os, signal, time, subprocess\nfor line in sys.stdin:\n    if line == 'ready?\\n': print('READY', flush=True)\n    if line[:2] == 'go':\n        ";
    let minutes = ten_minutes();
    let children = format!("subprocess.Popen(['sleep', '{minutes}']); time.sleep(600)");
    let stops =
        format!("subprocess.Popen(['sleep', '{minutes}']); os.kill(os.getppid(), 19); time.sleep(600)");
    let misdeeds = [
        ("sleep", "time.sleep(600)", "timed-out", "no answer"),
        ("flood", "while True: print('#', flush=True)", "timed-out", "no answer"),
        ("children", &*children, "timed-out", "no answer"),
        ("stop its keeper", &*stops, "timed-out", "no answer"),
        ("exit", "sys.exit(3)", "exited", "exit code 3"),
        ("die", "os.kill(os.getpid(), 11)", "crashed", "segmentation fault"),
        ("a signal without a name", "os.kill(os.getpid(), signal.SIGRTMIN)", "crashed", "signal 34"),
        (
            "a long line",
            "print('x' * 100000, flush=True); time.sleep(600)",
            "bad-reply",
            "a line of more than 4096 bytes",
        ),
        (
            "no text",
            "os.write(1, b'\\xff\\xfe\\n'); time.sleep(600)",
            "bad-reply",
            "a line that is not UTF-8",
        ),
        ("close its output", "os.close(1); time.sleep(600)", "bad-reply", "closed its standard output"),
        ("nonsense", "print('hello', flush=True)", "illegal-move", ""),
        ("resign", "print('RESIGN', flush=True)", "resigned", "resigned"),
    ];
    for (name, code, kind, said) in misdeeds {
        fs::write(folder.join("client.py"), format!("{first}{code}\n")).unwrap();
        // Who must lose on time has little of it, everybody else as much as the busiest machine takes.
        let time = if kind == "timed-out" { "100ms" } else { "60s" };
        let more = ["--game", "tic-tac-toe", "--move-time", time, "--prepare-time", "60s"];
        let (_, report) = report_of(&folder, "program:python3 client.py", &more);
        let fault = &report["games"][0]["ending"]["fault"];
        assert_eq!(fault["kind"], kind, "{name}: {fault}");
        assert!(
            fault["sentence"].as_str().is_some_and(|sentence| sentence.contains(said)),
            "{name}: {fault}"
        );
    }
    let more = ["--game", "tic-tac-toe", "--prepare-time", "200ms"];
    fs::write(folder.join("client.py"), "import time, sys\nprint('why', file=sys.stderr)\ntime.sleep(600)")
        .unwrap();
    let (_, report) = report_of(&folder, "program:python3 client.py", &more);
    assert_eq!(report["games"][0]["ending"]["fault"]["kind"], "timed-out");
    // It says something else than `ready`.
    let program = "program:sh -c 'printf slow >&2; sleep 0.5; echo uciok; sleep 600'";
    let (_, report) = report_of(&folder, program, &["--game", "tic-tac-toe", "--prepare-time", "2s"]);
    let fault = &report["games"][0]["ending"]["fault"];
    assert_eq!((&fault["kind"], &fault["output"]), (&"timed-out".into(), &"slow\nuciok".into()), "{fault}");
    // A shell that starts, and finds no program: only what it prints says which.
    let run = arbiter(
        &folder,
        &["program:sh -c no-such-bot", &sample_bot("random"), "--game", "hex", "--output", "report.json"],
    );
    run.says(0, "it printed: sh: ").and_says("no-such-bot");
    let java = "program:sh -c 'printf \"Exception: why\\n\\tat a line\\n\" >&2'";
    let run = arbiter(&folder, &[java, &sample_bot("random"), "--game", "hex", "--output", "java.json"]);
    run.says(0, "it printed: Exception: why");
    // Whoever wrote the report could have any command run.
    let again = arbiter(&folder, &["again", "report.json"]);
    let named = "--bot 'program:sh -c no-such-bot' if you trust it";
    again.says(2, named);
    let again = arbiter(&folder, &["again", "report.json", "--bot", "program:sh -c no-such-bot"]);
    assert!(again.code == 0 && again.out.contains("(as before)"), "{}{}", again.out, again.err);
    // The last one is there, and may not be run.
    for nobody in ["./there-is-no-such-program", "there-is-no-such-program", "./client.py"] {
        let said = format!("there is no program `{nobody}` that may be run");
        arbiter(&folder, &[&*format!("program:{nobody} now"), "--game", "hex"]).says(3, &said);
    }
    arbiter(&folder, &["gtp:there-is-no-such-program", "--game", "othello"]).says(3, ": gtp:./bot");
    assert_eq!(sleepers(&minutes), 0, "a child of a program outlives it");
}

/// What leaves its group and its session, has lost its parent, and listens to nobody would compute for ever on a teacher's
/// machine.
#[test]
fn whatever_a_program_starts_ends_with_its_game_and_with_a_referee_that_is_killed() {
    const HIDES: &str = r#"
import os, signal, sys, time
def hide(seconds):
    if os.fork(): return
    os.setsid()
    if os.fork(): os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.execvp("sleep", ["sleep", seconds])
hide("OWN")
for line in sys.stdin:
    if line == "ready?\n": print("ready", flush=True)
    elif line[:6] == "legal ": legal = line.split()[1:]
    elif line[:2] == "go":
        if os.path.exists("wait"): hide("LAST"); open("waits", "w"); time.sleep(600)
        print(legal[0], flush=True)
"#;
    let [own, last] = [ten_minutes(), ten_minutes()];
    let source = HIDES.replace("OWN", &own).replace("LAST", &last);
    let Some(folder) = python("program-hides", &source) else { return };
    let more = ["--game", "tic-tac-toe", "--games", "2", "--prepare-time", "30s"];
    let (_, report) = report_of(&folder, "program:python3 client.py", &more);
    no_faults(&report);
    assert_eq!(sleepers(&own), 0, "what a program has started goes on when its game is over");

    fs::write(folder.join("wait"), "").unwrap();
    let random = sample_bot("random");
    let args = [
        "program:python3 client.py",
        &random,
        "--game",
        "hex",
        "--move-time",
        "600s",
        "--prepare-time",
        "30s",
    ];
    let mut referee = command(&folder, &args).spawn().unwrap();
    within_a_minute(|| folder.join("waits").exists() && sleepers(&last) > 0);
    referee.kill().unwrap();
    referee.wait().unwrap();
    within_a_minute(|| sleepers(&own) + sleepers(&last) == 0);
}

/// Whoever looks for the bug would otherwise look into the search, which was not running.
#[test]
fn a_program_that_ends_between_its_turns_is_said_to_have_ended_there() {
    let folder = scratch("program-ends");
    let ends = "echo \"$legal\"; echo $PPID > part; mv part parent; exit 3";
    fs::write(folder.join("ends.sh"), in_shell(ends)).unwrap();
    // It moves when nothing is left of the other one, whose parent is the process that arbiter looks after.
    let waits = "until grep -q ') Z ' \"/proc/$(cat parent)/stat\"; do sleep 0.01; done; echo \"$legal\"";
    fs::write(folder.join("waits.sh"), in_shell(waits)).unwrap();
    let players = ["program:sh ends.sh", "program:sh waits.sh", "--game", "tic-tac-toe"];
    let limits = ["--move-time", "60s", "--prepare-time", "60s", "--output", "report.json"];
    arbiter(&folder, &[&players[..], &limits].concat()).expect(0);
    let fault = &json(folder.join("report.json"))["games"][0]["ending"]["fault"];
    assert_eq!((&fault["kind"], &fault["during"]), (&"exited".into(), &"between_turns".into()), "{fault}");
}

/// It would otherwise lose by a Ctrl-Z of whoever runs the match.
#[test]
fn a_program_whose_referee_is_stopped_for_a_while_is_not_charged_for_it() {
    let folder = scratch("program-standstill");
    let stops = r#"
        if [ ! -e stopped ]; then
            : > stopped
            until [ -e referee ]; do sleep 0.01; done
            kill -STOP "$(cat referee)"
            sleep 4
            kill -CONT "$(cat referee)"
        fi
        echo "$legal""#;
    fs::write(folder.join("stops.sh"), in_shell(stops)).unwrap();
    let first = c_bot("first");
    let args = ["program:sh stops.sh", &*first, "--game", "tic-tac-toe", "--move-time", "2s"];
    let mut referee = command(&folder, &[&args[..], &["--output", "report.json"]].concat()).spawn().unwrap();
    fs::write(folder.join("number"), referee.id().to_string()).unwrap();
    fs::rename(folder.join("number"), folder.join("referee")).unwrap();
    assert!(referee.wait().unwrap().success());
    assert!(folder.join("stopped").exists());
    no_faults(&json(folder.join("report.json")));
}

/// Bots' processes end with the referee's. A program that nobody ends would compute for ever on a teacher's machine.
#[test]
fn a_second_ctrl_c_ends_programs_too() {
    let folder = scratch("program-stopped");
    fs::write(folder.join("loop.sh"), "echo $$ > pid.part; mv pid.part pid; while :; do :; done\n").unwrap();
    let greedy = sample_bot("greedy");
    let args = ["program:sh loop.sh", &greedy, "--game", "hex", "--prepare-time", "600s", "--quiet"];
    let mut referee = command(&folder, &args).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(referee.stderr.take().unwrap()).lines();
    within_a_minute(|| folder.join("pid").exists());
    let pid: i32 = fs::read_to_string(folder.join("pid")).unwrap().trim().parse().unwrap();
    send(Signal::INT, referee.id());
    let heard = said.find(|line| line.as_ref().unwrap().contains("once more stops now"));
    heard.expect("the first one is heard").unwrap();
    send(Signal::INT, referee.id());
    referee.wait().unwrap();
    within_a_minute(|| test_kill_process(Pid::from_raw(pid).unwrap()).is_err());
}
