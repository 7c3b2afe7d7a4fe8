//! Whatever stops, the program ends: with a sentence, an exit code, and soon.

use crate::support::{
    Judged, Run, c_bot, c_bot_with, children, command, command_after, is_there, json, marked_faulty,
    no_faults, sample_bot, say_aloud, scratch, wait_until_a_bot_thinks, wall,
};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What has not come to its end by then hangs: each call of a bot has 5 s at most.
const A_HANG: Duration = Duration::from_secs(60);

/// A run of the program, and where it says something.
struct Running {
    referee: Child,
    begun: Instant,
    said: PathBuf,
    what: String,
}

impl Running {
    fn start(folder: &Path, args: &[&str]) -> Running {
        Running::start_as(command(folder, args), folder, args.join(" "))
    }

    fn start_as(mut command: Command, folder: &Path, what: String) -> Running {
        let said = folder.join("said");
        let file = File::create(&said).unwrap();
        command.stdout(file.try_clone().unwrap()).stderr(file).stdin(Stdio::null());
        Running { referee: command.spawn().expect("the program starts"), begun: Instant::now(), said, what }
    }

    /// Stops the process that bots are copies of as soon as there is one and the time has come. Nothing comes of it where the
    /// program has ended before.
    fn stop_template(&mut self, is_time: impl Fn() -> bool) -> bool {
        while self.referee.try_wait().unwrap().is_none() {
            if let Some(&template) = children(self.referee.id()).first().filter(|_| is_time()) {
                return kill_process(Pid::from_raw(template).unwrap(), Signal::STOP).is_ok();
            }
        }
        false
    }

    /// Waits for its end, which has to come, and gives its exit code, or what is wrong.
    fn ends(mut self) -> Result<i32, String> {
        let status = loop {
            match self.referee.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if self.begun.elapsed() > A_HANG => break None,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let said = fs::read_to_string(&self.said).unwrap();
        let Some(status) = status else {
            self.end();
            return Err(format!("{}: it is still there after {A_HANG:?}: {said}", self.what));
        };
        if said.trim().is_empty() {
            return Err(format!("{}: it says nothing", self.what));
        }
        let code = status.code().filter(|code| (0..=5).contains(code));
        code.ok_or_else(|| format!("{}: {status}: {said}", self.what))
    }

    /// Ends it and all that it has started.
    fn end(&mut self) {
        let left = children(self.referee.id());
        self.referee.kill().unwrap();
        self.referee.wait().unwrap();
        for process in left.into_iter().filter_map(Pid::from_raw) {
            // It is gone already where everything is right but this.
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

/// Tells of all that hang, not only of the first.
#[track_caller]
fn none_hangs(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} hang or end badly:\n{}", wrong.len(), wrong.join("\n"));
}

const GAMES: [&str; 6] = ["--game", "tic-tac-toe", "--jobs", "1", "--progress", "none"];

/// A folder of a test's own, with another in it that is a league of this bot.
#[track_caller]
fn with_league(name: &str, bot: &str) -> PathBuf {
    let folder = scratch(name);
    fs::create_dir(folder.join("bots")).unwrap();
    fs::write(folder.join("bots/league.toml"), "game = \"tic-tac-toe\"\nevery = \"10ms\"\n").unwrap();
    fs::copy(bot, folder.join("bots/bot.so")).unwrap();
    folder
}

/// Every verb that runs bots, with a bot.
fn verbs<'a>(bot: &'a str, other: &'a str) -> [Vec<&'a str>; 7] {
    [
        [&[bot, other, "--games", "400", "--move-time", "100ms"], &GAMES[..]].concat(),
        [&["tournament", bot, other, "--rounds", "100", "--move-time", "100ms"], &GAMES[..]].concat(),
        vec!["ask", bot, "--game", "tic-tac-toe", "--move-time", "100ms"],
        vec!["check", bot, "--game", "tic-tac-toe", "--move-time", "100ms"],
        vec!["inspect", bot],
        vec!["league", "bots", "--once"],
        vec!["doctor"],
    ]
}

#[test]
fn a_template_that_stops_at_once_hangs_no_verb() {
    let (first, mut all) = (sample_bot("random"), Vec::new());
    for (number, args) in verbs(&first, &first).iter().enumerate() {
        // Some verbs are done with it in a few milliseconds.
        for again in 0..10 {
            let folder = with_league(&format!("hangs-template-{number}-{again}"), &first);
            let mut running = Running::start(&folder, args);
            let is_stopped = running.stop_template(|| true);
            all.push(running);
            if is_stopped {
                break;
            }
        }
    }
    let wrong: Vec<_> = all.into_iter().filter_map(|running| running.ends().err()).collect();
    none_hangs(&wrong);
}

/// Otherwise a bot would be kept out of its league for what the machine could not do.
#[test]
fn a_league_that_can_start_no_process_ends_with_the_code_for_the_machine_and_tries_the_bot_again() {
    let (bot, league) = (sample_bot("random"), ["league", "bots", "--once"]);
    // The bot may have got away before the template is stopped.
    let failed = (0..20).find_map(|again| {
        let folder = with_league(&format!("hangs-league-{again}"), &bot);
        let mut running = Running::start(&folder, &league);
        running.stop_template(|| true);
        let code = running.ends().unwrap_or_else(|wrong| panic!("{wrong}"));
        let said = fs::read_to_string(folder.join("said")).unwrap();
        assert!(!said.contains("not let in"), "{said}");
        (code != 0).then_some((folder, code, said))
    });
    let (folder, code, said) = failed.expect("no template was stopped in time");
    assert!(code == 3 && said.contains("could not be started") && said.contains("try: "), "{said}");
    assert_eq!(Running::start(&folder, &league).ends(), Ok(0));
    let said = fs::read_to_string(folder.join("said")).unwrap();
    assert!(said.contains("bot@1 is in"), "{said}");
}

#[test]
fn a_template_that_stops_in_the_midst_of_games_ends_them_and_they_can_be_resumed() {
    let (slow, random) = (c_bot("clocked"), sample_bot("random"));
    let folder = scratch("hangs-template-later");
    // Slow enough to be caught in the midst of its games.
    let mut args = vec![&*slow, &random, "-B", "1:work_ms=3", "--games", "200"];
    args.extend(["--move-time", "5s", "--output", "report.json"].iter().chain(&GAMES));
    let mut running = Running::start(&folder, &args);
    let journal = folder.join("report.json.journal");
    let has_played = || fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 20);
    assert!(running.stop_template(has_played), "200 games last longer");
    let said = running.said.clone();
    let code = running.ends().unwrap_or_else(|wrong| panic!("{wrong}"));
    // Either it has been replaced, or the machine has failed.
    assert!([0, 3].contains(&code), "{code}");
    if code == 3 {
        let said = fs::read_to_string(said).unwrap();
        assert!(said.contains("--resume"), "it says how to go on: {said}");
        args.push("--resume");
        assert_eq!(Running::start(&folder, &args).ends(), Ok(0));
    }
    assert_eq!(Judged::read(&folder.join("report.json")).games().len(), 200);
}

/// A bot that is stopped looks like one that waits for something for ever.
#[test]
fn a_bot_that_is_stopped_somewhere_hangs_no_verb() {
    // Nearly all of the time is spent in waiting, so that all of them can run at once.
    let (first, mut running) = (c_bot("first"), Vec::new());
    for place in ["load", "create", "new_game", "choose_move", "between_turns", "game_over", "destroy"] {
        let library = match place {
            "load" | "create" => marked_faulty(&[(place, "stop itself")]),
            _ => c_bot("faulty"),
        };
        let (bot, option) = (&*library, format!("{place}=stop itself"));
        let option_of_first = format!("1:{option}");
        for mut args in verbs(bot, &first) {
            let is_of_first = args[0] == bot || args[0] == "tournament";
            match args[0] {
                // These ask nothing of a bot but its name.
                "doctor" => continue,
                // It gives bots no options.
                "league" if !["load", "create"].contains(&place) => continue,
                "inspect" if place != "load" => continue,
                // Hundreds of slow games are not the point.
                _ if is_of_first => {
                    let at = args.iter().position(|word| ["--games", "--rounds"].contains(word)).unwrap();
                    args[at + 1] = "1";
                    args.extend(["-B", &option_of_first]);
                }
                "inspect" | "league" => {}
                "check" => args.extend(["-B", &option, "--only", "output"]),
                _ => args.extend(["-B", &option]),
            }
            let folder = with_league(&format!("hangs-bot-{place}-{}", running.len()), bot);
            running.push(Running::start(&folder, &args));
        }
    }
    let wrong: Vec<_> = running.into_iter().filter_map(|running| running.ends().err()).collect();
    none_hangs(&wrong);
}

/// Whatever it is doing at that moment: some of these moments are in a turn, some between two of them.
#[test]
fn a_bot_that_somebody_else_stops_ends_its_game_at_most() {
    let bot = &*c_bot("clocked");
    let (mut all, mut stops) = (Vec::new(), 0);
    for moment in [50, 110, 170, 230] {
        let folder = scratch(&format!("hangs-stopped-bot-{moment}"));
        let mut args = vec![bot, bot, "--games", "2", "--move-time", "100ms", "--output", "report.json"];
        args.extend(["-B", "1:work_ms=30", "-B", "2:work_ms=30"]);
        args.extend(GAMES);
        let mut running = Running::start(&folder, &args);
        // The first of them is what the others are copies of.
        while running.referee.try_wait().unwrap().is_none() && children(running.referee.id()).len() < 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(moment));
        let stopped = children(running.referee.id()).last().and_then(|&process| Pid::from_raw(process));
        // It may have come to its end meanwhile.
        stops += u32::from(stopped.is_some_and(|process| kill_process(process, Signal::STOP).is_ok()));
        all.push(running);
    }
    assert!(stops > 0, "no bot was there any more when it was to be stopped");
    let wrong: Vec<_> = all.into_iter().filter_map(|running| running.ends().err()).collect();
    none_hangs(&wrong);
}

/// Shells and supervisors pass on that they do not care for their children's ends.
#[test]
fn the_end_of_a_bot_is_told_where_the_program_was_started_without_sigchld() {
    let (faulty, first) = (c_bot("faulty"), c_bot("first"));
    for (misdeed, kind, field, number) in
        [("segfault", "crashed", "signal", 11), ("_exit 3", "exited", "exit_code", 3)]
    {
        let folder = scratch("hangs-sigchld");
        let option = format!("1:choose_move={misdeed}");
        let mut shell = command_after("trap '' CHLD; exec", &folder, &[&faulty, &first]);
        shell.args(GAMES).args(["--output", "report.json", "-B", &option]);
        assert_eq!(Running::start_as(shell, &folder, misdeed.to_owned()).ends(), Ok(0));
        let report = json(folder.join("report.json"));
        let fault = &report["games"][0]["ending"]["fault"];
        assert_eq!((fault["kind"].as_str(), fault[field].as_i64()), (Some(kind), Some(number)), "{fault}");
    }
}

/// Some programs pass the signals that they have blocked on to what they start. Every bot would be said to crash there.
#[test]
fn bots_play_where_the_program_was_started_with_signals_blocked() {
    if !is_there("python3") {
        return;
    }
    let (first, folder) = (c_bot("first"), scratch("hangs-blocked"));
    let blocking = "import os, signal, sys\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nos.execv(sys.argv[1], sys.argv[1:])";
    let mut python = Command::new("python3");
    python.args(["-c", blocking, env!("CARGO_BIN_EXE_arbiter")]).args([&first, &first]).args(GAMES);
    python.args(["--output", "report.json"]).current_dir(&folder);
    assert_eq!(Running::start_as(python, &folder, "with signals blocked".to_owned()).ends(), Ok(0));
    let report = json(folder.join("report.json"));
    no_faults(&report);
}

/// Containers without rights have such a root. "Operation not permitted" would tell nobody what to do.
#[test]
fn a_root_who_can_be_nobody_else_is_told_to_start_it_as_another_user() {
    if !Command::new("unshare").args(["-Ur", "true"]).status().is_ok_and(|status| status.success()) {
        return say_aloud("not on this machine: nobody here may make user namespaces");
    }
    let (first, folder) = (c_bot("first"), scratch("hangs-root"));
    let mut root = Command::new("unshare");
    root.args(["-Ur", env!("CARGO_BIN_EXE_arbiter")]).args([&first, &first]).args(GAMES).current_dir(&folder);
    Run::from(root.output().expect("it starts")).says(3, "start arbiter as another user");
}

/// A bot in a loop would otherwise keep the referee from its core for ever, and whatever else runs there.
#[test]
fn bots_of_a_program_with_real_time_priority_have_none() {
    let (first, folder) = (sample_bot("random"), scratch("hangs-real-time"));
    if !Command::new("chrt").args(["-f", "1", "true"]).status().is_ok_and(|status| status.success()) {
        return say_aloud("not on this machine: nobody here may have real-time priority");
    }
    let mut real_time = Command::new("chrt");
    real_time.args(["-f", "1", env!("CARGO_BIN_EXE_arbiter"), &first, &first]).args(GAMES);
    real_time.args(["--games", "10000"]).current_dir(&folder);
    let mut running = Running::start_as(real_time, &folder, "with real-time priority".to_owned());
    let mut seen = Vec::new();
    while seen.len() < 20 && running.referee.try_wait().unwrap().is_none() {
        // A template has what it was started with until it is ready; a bot has the name of its library.
        let is_bot = |process: &i32| name(*process).is_some_and(|name| first.contains(&name));
        seen.extend(children(running.referee.id()).into_iter().filter(is_bot).filter_map(policy));
        std::thread::sleep(Duration::from_millis(1));
    }
    let referee = policy(i32::try_from(running.referee.id()).unwrap());
    running.end();
    assert_eq!(referee.as_deref(), Some("1"), "the program keeps the priority that it was given");
    assert!(!seen.is_empty() && seen.iter().all(|policy| policy == "0"), "{seen:?}");
}

/// What `arbiter … 2>&1 | less` is while nobody scrolls.
#[test]
fn a_pipe_that_nobody_reads_keeps_no_second_signal_from_ending_a_match() {
    let (folder, first) = (scratch("hangs-full-pipe"), sample_bot("random"));
    let args = [&[&*first, &first, "--games", "1000000", "--output", "match.json"], &GAMES[..]].concat();
    let (reader, mut writer) = std::io::pipe().unwrap();
    // More than fits: what is left over waits for a reader.
    let filled = writer.try_clone().unwrap();
    rustix::io::ioctl_fionbio(&filled, true).unwrap();
    while writer.write(&[b' '; 4096]).is_ok() {}
    rustix::io::ioctl_fionbio(&filled, false).unwrap();
    let mut command = command(&folder, &args);
    let mut referee = command.stdout(Stdio::null()).stderr(writer).spawn().unwrap();
    let pid = Pid::from_child(&referee);
    let journal = folder.join("match.json.journal");
    while fs::read_to_string(&journal).unwrap_or_default().lines().count() < 2 {
        assert!(referee.try_wait().unwrap().is_none(), "the match has not begun");
        std::thread::sleep(Duration::from_millis(5));
    }
    let begun = Instant::now();
    let code = loop {
        if let Some(status) = referee.try_wait().unwrap() {
            break status.code();
        }
        if begun.elapsed() > A_HANG {
            referee.kill().unwrap();
            break referee.wait().unwrap().code();
        }
        // Two that come together are one.
        let _ = kill_process(pid, Signal::INT);
        std::thread::sleep(Duration::from_millis(500));
    };
    drop(reader);
    assert_eq!(code, Some(130));
}

fn name(process: i32) -> Option<String> {
    Some(fs::read_to_string(format!("/proc/{process}/comm")).ok()?.trim_end().to_owned())
}

/// By which policy the kernel gives a process its processor: 0 is the usual one.
fn policy(process: i32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(38).map(str::to_owned)
}

#[test]
fn a_program_that_is_stopped_in_a_turn_and_goes_on_costs_nobody_a_game() {
    for (signal, option, threads) in [
        (Signal::STOP, "obey=1", "1"),
        (Signal::STOP, "obey=1", "2"),
        (Signal::STOP, "called=1", "1"),
        (Signal::STOP, "work_ms=200", "1"),
        (Signal::TSTP, "obey=1", "1"),
    ] {
        let pause = Duration::from_secs(3);
        let what = format!("{signal:?} with {option} of {threads}");
        costs_nothing(&what, option, threads, pause, |referee| {
            kill_process(referee, signal).unwrap();
            std::thread::sleep(pause);
            kill_process(referee, Signal::CONT).unwrap();
        });
    }
}

/// As a machine that is suspended does, or a container that is paused. No bot is waited for as long as this: 10 s and ten
/// times its time.
#[test]
fn a_program_that_stands_still_with_all_its_bots_for_14_s_costs_nobody_a_game() {
    let pause = Duration::from_secs(14);
    costs_nothing("a pause of everything", "work_ms=200", "1", pause, |referee| {
        let bots = children(referee.as_raw_pid().unsigned_abs()).into_iter().filter_map(Pid::from_raw);
        let all: Vec<_> = bots.chain([referee]).collect();
        let send = |signal| all.iter().for_each(|&process| kill_process(process, signal).unwrap());
        send(Signal::STOP);
        std::thread::sleep(pause);
        send(Signal::CONT);
    });
}

/// Makes sure that this happens in the midst of a turn, which takes as long as the pause, and costs nobody the game.
#[track_caller]
fn costs_nothing(what: &str, option: &str, threads: &str, pause: Duration, happens: impl FnOnce(Pid)) {
    let folder = scratch(&format!("hangs-{}", what.replace(' ', "-")));
    let bot = if option == "called=1" { c_bot_with("clocked", &["-DSTOP"]) } else { c_bot("clocked") };
    let options = [format!("1:{option}"), format!("2:{option}")];
    let mut args = vec![&*bot, &bot, "-B", &options[0], "-B", &options[1], "--json", "--max-plies", "3"];
    args.extend(["--move-time", "300ms", "--threads", threads, "--output", "report.json"]);
    args.extend(&GAMES[..4]);
    // The kernel ignores SIGTSTP in a group of processes that nobody of its session watches, as that of a test may be.
    let mut referee = command(&folder, &args).process_group(0).stdout(Stdio::piped()).spawn().unwrap();
    let mut events = BufReader::new(referee.stdout.take().unwrap()).lines();
    let turn = events.find(|line| line.as_ref().unwrap().contains("\"ev\":\"turn\""));
    turn.expect("somebody is asked").unwrap();
    wait_until_a_bot_thinks(referee.id());
    happens(Pid::from_child(&referee));
    events.for_each(|line| drop(line.unwrap()));
    assert!(referee.wait().unwrap().success());
    let report = Judged::read(&folder.join("report.json"));
    assert_eq!((report.lost(), report.abandoned()), (vec![], 0), "after {what}");
    // Who is called by its own process answers in time, though nobody hears of that before.
    let longest = report.plies_of(0).chain(report.plies_of(1)).map(wall).max();
    let was_interrupted = option == "called=1" || longest >= Some(pause);
    assert!(was_interrupted, "no turn was interrupted by {what}, or the game was played again: {longest:?}");
}

/// A bot that uses what it was told it may would otherwise lose by it.
#[test]
fn where_the_system_gives_bots_less_memory_than_they_are_told_of_no_game_begins() {
    let bot = sample_bot("random");
    for limit in ["-v 800000", "-d 800000"] {
        let play = |memory: &str| {
            let folder = scratch("hangs-less-memory");
            let args = [&*bot, &bot, "--memory", memory];
            let mut shell = command_after(&format!("ulimit {limit}; exec"), &folder, &args);
            shell.args(GAMES);
            let running = Running::start_as(shell, &folder, limit.to_owned());
            let said = running.said.clone();
            (running.ends().unwrap(), fs::read_to_string(said).unwrap())
        };
        let (code, said) = play("1024");
        assert_eq!(code, 3, "{said}");
        assert!(said.contains("ulimit -H") && said.contains("--memory"), "{said}");
        let (code, said) = play("256");
        assert_eq!(code, 0, "{said}");
    }
}

/// Machines that many people share give every process little processor time at first, or in all; a bot would lose by that. One
/// that ends itself there loses as anywhere.
#[test]
fn a_bot_computes_for_as_long_as_its_clock_says_or_loses_nothing_whatever_ulimit_says() {
    let (clocked, faulty) = (c_bot("clocked"), c_bot("faulty"));
    for (limits, bot, option, code, lost) in [
        ("ulimit -St 1", &clocked, "1:work_ms=400", 0, 0),
        ("ulimit -t 2", &clocked, "1:work_ms=1100", 3, 0),
        ("ulimit -t 3", &faulty, "1:choose_move=kill", 0, 1),
        ("ulimit -t 3", &faulty, "1:choose_move=fork", 0, 1),
    ] {
        let folder = scratch(&format!("hangs-processor-time{option}").replace([':', '='], "-"));
        let args = [bot, &clocked, "--move-time", "5s", "-B", option, "--output", "report.json"];
        let mut shell = command_after(&format!("{limits}; exec"), &folder, &args);
        shell.args(GAMES);
        let running = Running::start_as(shell, &folder, limits.to_owned());
        assert_eq!(running.ends(), Ok(code), "{limits}, {option}");
        // What ended for the machine is played again, and then the match has to wait for another machine.
        if code == 0 {
            let report = Judged::read(&folder.join("report.json"));
            assert_eq!(report.lost().len(), lost, "{limits}, {option}");
        }
    }
}

/// Otherwise an honest bot would lose because something else has filled the machine's memory.
#[test]
fn a_bot_that_the_kernel_ends_for_want_of_memory_loses_nothing_the_first_time() {
    let (clocked, first) = (c_bot("clocked"), c_bot("first"));
    for (counted, lost) in [(1, 0), (0, 1)] {
        let folder = scratch(&format!("hangs-out-of-memory-{counted}"));
        fs::write(folder.join("vmstat"), "oom_kill 7\n").unwrap();
        let in_its_place = |program: &str| {
            let mut shell = Command::new("unshare");
            let script = "mount --bind vmstat /proc/vmstat && exec \"$0\" \"$@\"";
            shell.args(["-m", "sh", "-c", script, program]).current_dir(&folder);
            shell
        };
        if !in_its_place("true").status().is_ok_and(|status| status.success()) {
            return say_aloud("skipped: nobody here may put a file in the place of one of the kernel's");
        }
        let mut command = in_its_place(env!("CARGO_BIN_EXE_arbiter"));
        command.args([&clocked, &first]).args(["-B", "1:work_ms=200", "--move-time", "5s"]).args(GAMES);
        command.args(["--output", "report.json"]);
        let running = Running::start_as(command, &folder, format!("{counted} ended"));
        while children(running.referee.id()).len() < 3 {
            assert!(running.begun.elapsed() < A_HANG, "no bots are started");
        }
        let bot = wait_until_a_bot_thinks(running.referee.id());
        fs::write(folder.join("vmstat"), format!("oom_kill {}\n", 7 + counted)).unwrap();
        kill_process(Pid::from_raw(bot).unwrap(), Signal::KILL).unwrap();
        assert_eq!(running.ends(), Ok(0));
        let said = fs::read_to_string(folder.join("said")).unwrap();
        assert_eq!(
            said.contains("the machine has run out of memory: this game is played again"),
            lost == 0,
            "{said}"
        );
        assert_eq!(Judged::read(&folder.join("report.json")).lost().len(), lost, "{said}");
    }
}

/// The first limit of each kind is too low to start a bot, and the last high enough to play, also where a test inherits some
/// descriptors. At each one between them something else fails.
#[test]
fn too_few_descriptors_or_too_little_memory_for_the_program_end_it_and_are_no_loss_of_a_bot() {
    let bot = sample_bot("random");
    let limits =
        ["-n 6", "-n 12", "-n 14", "-n 16", "-n 20", "-n 24", "-n 200", "-v 40000", "-v 50000", "-v 400000"];
    let start = |limit: &&str| {
        let folder = scratch(&format!("hangs-limit{}", limit.replace(' ', "")));
        let args = [&*bot, &bot, "--games", "4", "--memory", "16", "--output", "report.json"];
        let mut shell = command_after(&format!("ulimit {limit}; exec"), &folder, &args);
        shell.args(GAMES);
        (Running::start_as(shell, &folder, (*limit).to_owned()), folder)
    };
    let runs: Vec<_> = limits.iter().map(start).collect();
    let (mut wrong, mut enough) = (Vec::new(), Vec::new());
    for ((run, folder), limit) in runs.into_iter().zip(limits) {
        match run.ends() {
            Ok(0) => enough.push(limit),
            Ok(_) => {}
            // Where the system refuses it a few bytes, Rust says so and ends the program.
            Err(end) if limit.starts_with("-v") && end.contains("memory allocation of") => {}
            Err(hang) => wrong.push(hang),
        }
        if folder.join("report.json").exists() {
            assert_eq!(Judged::read(&folder.join("report.json")).lost(), [], "{}", folder.display());
        }
    }
    none_hangs(&wrong);
    for (least, most) in [("-n 6", "-n 200"), ("-v 40000", "-v 400000")] {
        assert!(!enough.contains(&least) && enough.contains(&most), "enough to play was {enough:?}");
    }
}
