//! What keeps a program together, on Linux: a process of ours between the referee and the program, to which the kernel gives
//! everybody below it who has lost a parent. It ends all of them when the program has ended, when the referee says so
//! (SIGTERM), and when the referee is gone. What leaves its group or its session does not leave its keeper.
//!
//! It keeps together, and keeps nobody from anything: a program can kill its keeper, as it can kill whatever its user can.

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process,
    kill_process_group, set_child_subreaper, set_parent_process_death_signal, setrlimit, wait,
};
use signal_hook::consts::{SIGCHLD, SIGTERM};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitCode};

/// The first argument that makes this program a keeper. The others: the number of the referee's process, and the command.
pub const VERB: &str = "keep-program";

/// The exit code of shells for commands that cannot be run.
const CANNOT_RUN: u8 = 127;

/// The command that runs another one with a keeper. It has a group of its own, so that Ctrl-C is the referee's alone.
pub(super) fn command(words: &[String]) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg0("arbiter").arg(VERB).arg(std::process::id().to_string()).args(words).process_group(0);
    command
}

/// Has a keeper end its program and everything that it has started.
pub(super) fn kill(child: &mut Child) {
    // Who has been waited for has no number any more.
    if matches!(child.try_wait(), Ok(None)) {
        kill_all_of(child.id());
    }
}

/// Likewise by the number of a keeper that nobody has waited for.
pub(super) fn kill_all_of(number: u32) {
    if let Some(keeper) = i32::try_from(number).ok().and_then(Pid::from_raw) {
        // It fails when the keeper has gone by itself. One that its program has stopped hears nothing until it goes on.
        let _ = kill_process(keeper, Signal::TERM);
        let _ = kill_process(keeper, Signal::CONT);
    }
}

/// What a keeper does. It ends as its program has ended.
pub fn keep(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let referee = arguments.next().and_then(|number| Pid::from_raw(number.to_str()?.parse().ok()?));
    let (Some(referee), Some(program)) = (referee, arguments.next()) else {
        return ExitCode::from(CANNOT_RUN);
    };
    let mut command = Command::new(&program);
    command.args(arguments).process_group(0);
    match run(referee, &mut command) {
        Ok(status) => {
            if let Some(signal) = status.terminating_signal() {
                // It comes back where it does not know the signal, such as one for real time: that ends us as it is.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                let _ = signal_hook::low_level::raise(signal);
            }
            ExitCode::from(
                status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(CANNOT_RUN),
            )
        }
        Err(error) => {
            // It is kept as what the program itself writes there.
            let _ = writeln!(io::stderr(), "{} cannot be run: {error}", program.display());
            ExitCode::from(CANNOT_RUN)
        }
    }
}

/// Runs a command until it ends or shall end, and ends whatever it leaves behind.
fn run(referee: Pid, command: &mut Command) -> io::Result<WaitStatus> {
    let mut signals = Signals::new([SIGCHLD, SIGTERM])?;
    set_child_subreaper(Some(getpid()))?;
    set_parent_process_death_signal(Some(Signal::TERM))?;
    if getppid() != Some(referee) {
        return Err(io::Error::other("the referee is gone"));
    }
    let program = Pid::from_child(&command.spawn()?);
    // What the program reads and writes ends with the program. Our end is no crash that anybody wants to look into.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    let mut status = None;
    for signal in signals.forever() {
        while let Ok(Some((child, how))) = wait(WaitOptions::NOHANG) {
            status = status.or((child == program).then_some(how));
        }
        if signal == SIGTERM || status.is_some() {
            break;
        }
    }
    // Most are in its group. It fails when nobody is.
    let _ = kill_process_group(program, Signal::KILL);
    loop {
        let children = children();
        for child in &children {
            // It fails for one that has other rights than we: then the referee gives up on us.
            let _ = kill_process(*child, Signal::KILL);
        }
        // Those whom we do not know yet come while others go: nobody is waited for who has not been killed.
        let how = if children.is_empty() { WaitOptions::NOHANG } else { WaitOptions::empty() };
        match wait(how) {
            Ok(Some((child, how))) => status = status.or((child == program).then_some(how)),
            Ok(None) => std::thread::yield_now(),
            Err(_) => return status.ok_or_else(|| io::Error::other("it ended unseen")),
        }
    }
}

/// Our children, those included that others have left behind.
fn children() -> Vec<Pid> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let numbers = lists.flat_map(|list| list.split_whitespace().map(str::parse).collect::<Vec<_>>());
    numbers.filter_map(|number| Pid::from_raw(number.ok()?)).collect()
}
