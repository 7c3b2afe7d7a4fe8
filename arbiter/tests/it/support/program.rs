//! The built program, run as a user runs it.

use arbiter::host::VERB;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What a run of the program left.
pub(crate) struct Run {
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
    /// The exit code.
    pub(crate) code: i32,
}

impl Run {
    /// The output of a run that ended as it should.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self.out
    }

    /// The last line of a run that ended well, which is JSON.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        let out = self.expect(0);
        serde_json::from_str(out.lines().last().unwrap_or_default()).expect(&out)
    }

    /// Makes sure that the run ended with this code and that these words stand on standard error.
    #[track_caller]
    pub(crate) fn says(&self, code: i32, words: &str) -> &Run {
        assert_eq!(self.code, code, "with '{words}': {}{}", self.out, self.err);
        self.and_says(words)
    }

    /// Makes sure that these words stand on standard error.
    #[track_caller]
    pub(crate) fn and_says(&self, words: &str) -> &Run {
        assert!(self.err.contains(words), "'{words}' is missing: {}{}", self.out, self.err);
        self
    }
}

/// Whether there is such a program on this machine. Where there is not, it is said: nobody shall believe that a test has
/// passed which was left out.
pub(crate) fn is_there(program: &str) -> bool {
    is_one_there(&[program])
}

/// The same of programs that do the same.
pub(crate) fn is_one_there(programs: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).any(|at| programs.iter().any(|program| at.join(program).is_file()));
    if !found {
        say_aloud(&format!("skipped: {} is not installed", programs.join(" or ")));
    }
    found
}

/// The folder with what tests need of Node, if it has been filled: `npm ci` in `tests/page`.
pub(crate) fn page_tools() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page");
    if !is_there("node") {
        return None;
    }
    if !folder.join("node_modules").is_dir() {
        say_aloud("skipped: npm ci has not been run in arbiter/tests/page");
        return None;
    }
    Some(folder)
}

/// Writes a line to standard error itself, past the capture of tests, with the name of the test.
pub(crate) fn say_aloud(line: &str) {
    let line = format!("{line} ({})\n", std::thread::current().name().unwrap_or("a thread"));
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written");
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("all output is text");
        Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code().unwrap_or(-1) }
    }
}

/// The program with arguments, in a folder, without a keyboard.
pub(crate) fn command<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("LC_ALL", "C.UTF-8");
    command
}

/// The same, begun by a line of shell that ends with `exec`, such as `ulimit -t 3; exec`.
pub(crate) fn command_after<S: AsRef<OsStr>>(shell: &str, folder: &Path, args: &[S]) -> Command {
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("{shell} \"$0\" \"$@\""), env!("CARGO_BIN_EXE_arbiter")]).args(args);
    bash.current_dir(folder).stdin(Stdio::null()).env("LC_ALL", "C.UTF-8");
    bash
}

/// Runs lines of bash in a folder, in which `arbiter` is the program of this build.
pub(crate) fn shell(folder: &Path, script: &str) -> Run {
    let script = format!("set -e\narbiter() {{ \"$0\" \"$@\"; }}\n{script}");
    let mut bash = Command::new("bash");
    bash.args(["-c", &script, env!("CARGO_BIN_EXE_arbiter")]).current_dir(folder).stdin(Stdio::null());
    bash.output().expect("bash starts").into()
}

/// The words of a command that is told, as a shell reads them.
pub(crate) fn words_of(command: &str) -> Vec<String> {
    shell(Path::new("."), &format!("printf '%s\\n' {command}")).expect(0).lines().map(str::to_owned).collect()
}

/// What a tournament is planned to be by a command that is told.
#[track_caller]
pub(crate) fn planned_by(folder: &Path, command: &str) -> Value {
    let words = words_of(&format!("{command} --dry-run --json"));
    assert_eq!(words[..2], ["arbiter", "tournament"], "{command}");
    arbiter(folder, &words[1..]).json()
}

/// Sends a signal to a process that is there.
#[track_caller]
pub(crate) fn send(signal: Signal, process: u32) {
    kill_process(Pid::from_raw(process.cast_signed()).unwrap(), signal).unwrap();
}

/// Makes a pipe that nobody writes to.
pub(crate) fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs the program after a line of shell.
pub(crate) fn arbiter_after<S: AsRef<OsStr>>(shell: &str, folder: &Path, args: &[S]) -> Run {
    command_after(shell, folder, args).output().expect("bash starts").into()
}

/// Runs the program in a folder.
pub(crate) fn arbiter<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Run {
    command(folder, args).output().expect("the program starts").into()
}

/// Runs the program with something on its standard input.
pub(crate) fn arbiter_reading<S: AsRef<OsStr>>(folder: &Path, args: &[S], input: impl AsRef<[u8]>) -> Run {
    let file = folder.join("standard-input");
    fs::write(&file, input).unwrap();
    let input = fs::File::open(file).unwrap();
    command(folder, args).stdin(input).output().expect("the program starts").into()
}

/// Writes a script that can be run at once. Another process writes it: while this one has it open, a child that another test
/// starts just then has it open too, and nobody can run a file that is open for writing.
pub(crate) fn script(path: &Path, text: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut shell = shell.spawn().expect("sh is there");
    shell.stdin.take().expect("it is piped").write_all(text.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success(), "{} is written", path.display());
}

/// The processes that run bots for this one, oldest first: the first is the template that the others are copies of.
pub(crate) fn children(referee: u32) -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |process: &i32| {
        let words = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let mut words = words.split('\0').skip(1);
        words.next() == Some(VERB) && words.next().is_some_and(|parent| parent.parse() == Ok(referee))
    };
    let mut children: Vec<_> = numbers.filter(is_child).collect();
    children.sort_unstable();
    children
}

/// How long the first thread of a process has run.
pub(crate) fn ran(process: i32) -> Duration {
    let times = fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    let ran = times.split(' ').next().and_then(|time| time.parse().ok());
    Duration::from_nanos(ran.unwrap_or(0))
}

/// Waits until a bot of a referee whose first question has been announced thinks: until it has used processor time. Gives its
/// process.
pub(crate) fn wait_until_a_bot_thinks(referee: u32) -> i32 {
    let bots: Vec<_> = children(referee).into_iter().skip(1).map(|bot| (bot, ran(bot))).collect();
    let begun = Instant::now();
    loop {
        if let Some((bot, _)) =
            bots.iter().find(|(bot, before)| ran(*bot) > *before + Duration::from_millis(20))
        {
            return *bot;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "none of {bots:?} thinks");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A time for `sleep` by which this very process can be found: ten minutes and a little more, which differs each time.
pub(crate) fn ten_minutes() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("600.{:08}{:04}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// How many processes sleep for this time.
pub(crate) fn sleepers(time: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    commands.filter(|found| *found == format!("sleep\0{time}\0").into_bytes()).count()
}

/// An empty folder of a test's own. No two tests may call theirs by one name: they run at the same time.
#[track_caller]
pub(crate) fn scratch(name: &str) -> PathBuf {
    static OWNERS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let test = std::thread::current().name().unwrap_or("a thread").to_owned();
    let owner = OWNERS.lock().unwrap().entry(name.to_owned()).or_insert_with(|| test.clone()).clone();
    assert_eq!(owner, test, "two tests have a folder called {name}");
    // Whoever clones the project may do so in a folder with a space in its name.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name} of {}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The only file in a folder with this ending.
pub(crate) fn only_file(folder: &Path, ending: &str) -> PathBuf {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.to_string_lossy().ends_with(ending));
    let file = files.next().unwrap_or_else(|| panic!("no {ending} in {}", folder.display()));
    assert_eq!(files.next(), None, "more than one {ending} in {}", folder.display());
    file
}
