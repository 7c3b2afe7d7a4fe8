//! Bots that are no libraries: which bridge plays which files, where bridges are, and what they need of this machine.
//!
//! A bridge is one of our libraries, or one that the user names with `--bridge`; `arbiter_plugin_api::bridge` says
//! what it exports. This module knows the endings of files and nothing of any language. A bridge is asked once what it
//! needs, in a process of its own that is not confined: it may start an interpreter to find out.

use super::Limits;
use super::executable::{Executable, VERB};
use super::file::LibraryFile;
use super::plugin::{LoadError, LoadedBridge, Purpose, say};
use arbiter_plugin_api::bridge::MAX_SAID;
use parking_lot::Mutex;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Builder;
use std::time::Duration;

/// A language that has a bridge of ours.
struct Language {
    /// As people write it.
    name: &'static str,
    /// In options and file names: the bridge is the library `bridge_python`.
    word: &'static str,
    /// How the names of its files end.
    endings: &'static [&'static str],
    /// The file that makes a folder a bot.
    main: Option<&'static str>,
}

/// All of them. A file belongs to the first that knows its ending.
const LANGUAGES: &[Language] = &[
    Language { name: "Python", word: "python", endings: &["py", "zip"], main: Some("bot.py") },
    Language { name: "WebAssembly", word: "wasm", endings: &["wasm"], main: None },
];

/// The first argument of a process in which a bridge is asked what it needs.
pub(super) const MARK: &str = "bridge";

/// How long a bridge may take to find what it needs.
const LONGEST_ANSWER: Duration = Duration::from_secs(9);
/// How long to wait for its output once it has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What the user has said of bridges.
#[derive(Clone, Debug, Default)]
pub struct BridgeChoice {
    /// Endings of files without the dot, and the bridges for them.
    pub bridges: Vec<(String, PathBuf)>,
    /// Words of languages, such as `python`, and what is to run them.
    pub runtimes: Vec<(String, String)>,
}

/// The bridges of a host.
pub(super) struct Bridges {
    pub(super) executable: Executable,
    choice: BridgeChoice,
    /// Those that were needed, and what came of asking them.
    asked: Mutex<Vec<(Wanted, Asked)>>,
}

/// What came of asking a bridge.
type Asked = Result<Arc<FoundBridge>, LoadError>;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    language: String,
    library: PathBuf,
    runtime: Option<String>,
}

/// A bridge that can play here.
pub(super) struct FoundBridge {
    pub(super) library: Arc<LibraryFile>,
    pub(super) found: Found,
}

/// What a bridge has found on this machine.
pub(super) struct Found {
    /// All that it said, for its own use.
    pub(super) text: String,
    /// What people know it by: an interpreter and its version.
    pub(super) runtime: String,
    /// It can count instructions.
    pub(super) counts: bool,
    /// Files and folders that its bots may read.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "no other system keeps bots from files")
    )]
    pub(super) reads: Vec<PathBuf>,
}

impl Found {
    fn of(text: String) -> Found {
        let lines = |key: &str| {
            let key = format!("{key} ");
            text.lines().filter_map(move |line| line.strip_prefix(&*key).map(str::to_owned))
        };
        let runtime = lines("runtime").next().unwrap_or_default();
        let reads = lines("read").map(PathBuf::from).filter(|path| path.is_absolute()).collect();
        let counts = lines("counts").any(|what| what == "instructions");
        Found { runtime, reads, counts, text }
    }

    /// What the bridge is told at its start: what it has found, and what a bot may use.
    pub(super) fn told(&self, limits: &Limits) -> String {
        let clock = if limits.instructions { "clock instructions\n" } else { "" };
        format!("{}\nmemory {}\n{clock}", self.text.trim_end(), limits.memory)
    }
}

impl Bridges {
    pub(super) fn new(executable: Executable, choice: BridgeChoice) -> Bridges {
        Bridges { executable, choice, asked: Mutex::default() }
    }

    /// Whether a file or folder is no library, but a bot that a bridge plays.
    pub(super) fn play(&self, path: &Path) -> bool {
        self.named_for(path).is_some() || language_of(path).is_some()
    }

    /// The bridge for a file or folder that one plays.
    pub(super) fn of(&self, path: &Path) -> Result<Arc<FoundBridge>, LoadError> {
        match (self.named_for(path), language_of(path)) {
            (Some((ending, library)), language) => self.ready(Wanted {
                language: language.map_or_else(|| format!(".{ending}"), |language| language.name.to_owned()),
                library: library.clone(),
                runtime: language.and_then(|language| self.runtime(language)),
            }),
            (None, Some(language)) => self.ready_for(language),
            (None, None) => Err(LoadError::NoEntryPoint),
        }
    }

    /// Every language that has a bridge of ours, and what runs it here or why nothing does.
    pub(super) fn all(&self) -> Vec<(&'static str, Result<String, LoadError>)> {
        let runtime = |language| self.ready_for(language).map(|ready| ready.found.runtime.clone());
        LANGUAGES.iter().map(|language| (language.name, runtime(language))).collect()
    }

    fn named_for(&self, path: &Path) -> Option<&(String, PathBuf)> {
        let ending = path.extension()?;
        self.choice.bridges.iter().find(|(named, _)| ending == named.as_str())
    }

    fn runtime(&self, language: &Language) -> Option<String> {
        let mut named = self.choice.runtimes.iter();
        named.find(|(word, _)| word == language.word).map(|(_, runtime)| runtime.clone())
    }

    fn ready_for(&self, language: &Language) -> Asked {
        let file = format!("{DLL_PREFIX}bridge_{}{DLL_SUFFIX}", language.word);
        let (folders, name) = (self.folders()?, language.name.to_owned());
        let Some(library) = folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
        else {
            let looked_in: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
            let looked_in = looked_in.join(", ");
            return Err(LoadError::NoBridge { language: name, library: file, looked_in });
        };
        self.ready(Wanted { language: name, library, runtime: self.runtime(language) })
    }

    /// Where bridges are looked for: where the user says, and where the program has its own.
    fn folders(&self) -> Result<Vec<PathBuf>, LoadError> {
        let named = std::env::var_os("ARBITER_BRIDGES").unwrap_or_default();
        let named = std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty());
        let named = named.collect::<Vec<_>>();
        if let Some(other) = named.iter().find(|path| !path.is_absolute() || !path.is_dir()) {
            return Err(LoadError::NoBridgeFolder(other.display().to_string()));
        }
        Ok(named.into_iter().chain(self.executable.folders()).collect())
    }

    /// Asks a bridge what it needs, once.
    fn ready(&self, wanted: Wanted) -> Asked {
        let mut asked = self.asked.lock();
        if let Some((_, ready)) = asked.iter().find(|(known, _)| *known == wanted) {
            return ready.clone();
        }
        let ask = || {
            let library = Arc::new(LibraryFile::open(&wanted.library, Purpose::Bridge)?);
            let found = find(&self.executable, &wanted.library, wanted.runtime.as_deref());
            let language = wanted.language.clone();
            let text = found.map_err(|problem| LoadError::NoRuntime { language, problem })?;
            Ok(Arc::new(FoundBridge { library, found: Found::of(text) }))
        };
        let ready: Asked = ask();
        asked.push((wanted, ready.clone()));
        ready
    }
}

fn language_of(path: &Path) -> Option<&'static Language> {
    let is_dir = path.is_dir();
    LANGUAGES.iter().find(|language| match is_dir {
        true => language.main.is_some_and(|main| path.join(main).is_file()),
        false => path.extension().is_some_and(|ending| language.endings.iter().any(|known| ending == *known)),
    })
}

/// Has a bridge find what it needs, in a process that may do what the user may: an interpreter is found by the user's
/// own settings. The answer, or a sentence that says what is missing.
#[expect(clippy::disallowed_methods, reason = "a bridge is asked in a process that ends with the question")]
fn find(executable: &Executable, bridge: &Path, runtime: Option<&str>) -> Result<String, String> {
    let failed = |error: io::Error| format!("its bridge {} cannot be asked: {error}", bridge.display());
    let mut command = Command::new(executable.path().map_err(failed)?);
    command.args([VERB, MARK]).arg(bridge).args(runtime);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // An interpreter that is asked may start others, which are not to outlive the question.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = scopeguard::guard(command.spawn().map_err(failed)?, |child| {
        // It fails when nobody is left in the group.
        #[cfg(unix)]
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        drop(child);
    });
    let said = read_all(child.stdout.take()).map_err(failed)?;
    let problem = read_all(child.stderr.take()).map_err(failed)?;
    let Some(status) = end_within(&mut child, LONGEST_ANSWER).map_err(failed)? else {
        let seconds = LONGEST_ANSWER.as_secs();
        return Err(format!("its bridge {} did not say within {seconds} s what it needs", bridge.display()));
    };
    let [said, problem] = [said, problem].map(|output| output.recv_timeout(LAST_WORDS).unwrap_or_default());
    match problem.trim() {
        _ if status.success() => Ok(said),
        "" => Err(format!("its bridge {} failed: {status}", bridge.display())),
        problem => Err(problem.to_owned()),
    }
}

/// Waits for the end of a process, and ends it when it takes too long: then there is no status.
fn end_within(child: &mut Child, time: Duration) -> io::Result<Option<ExitStatus>> {
    const LOOK: Duration = Duration::from_millis(1);
    for _ in 0..time.as_millis() / LOOK.as_millis() {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(LOOK);
    }
    child.kill()?;
    child.wait().map(|_| None)
}

/// Reads a pipe to its end, in a thread, since the other end may never be closed.
fn read_all(pipe: Option<impl Read + Send + 'static>) -> io::Result<Receiver<String>> {
    let (tell, told) = sync_channel(1);
    Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.map(|pipe| pipe.take(MAX_SAID as u64).read_to_end(&mut bytes));
        let _ = tell.send(String::from_utf8_lossy(&bytes).into_owned());
    })?;
    Ok(told)
}

/// The process in which a bridge is asked: `words` are its path and what the user has named for it. Prints the answer.
pub(super) fn answer(words: &[&str]) -> Option<ExitCode> {
    let (path, runtime) = words.split_first()?;
    let path = Path::new(path);
    let found = LoadedBridge::open(path, path).map_err(|error| error.to_string());
    let found = found.and_then(|bridge| bridge.find(runtime.first().copied()));
    let found = found.map_err(|problem| say(&problem));
    let is_said = found.is_ok_and(|text| io::stdout().write_all(text.as_bytes()).is_ok());
    Some(if is_said { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_played_by_its_ending_and_a_folder_by_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let bridges = Bridges::new(Executable::default(), BridgeChoice::default());
        assert!(!bridges.play(folder.path()));
        std::fs::write(folder.path().join("bot.py"), "").unwrap();
        assert!(bridges.play(folder.path()));
        assert!(bridges.play(Path::new("a.py")) && bridges.play(Path::new("a.zip")));
        assert!(
            !bridges.play(Path::new("a.so"))
                && !bridges.play(Path::new("py"))
                && !bridges.play(Path::new("a.xyz"))
        );
        let named =
            BridgeChoice { bridges: vec![("xyz".to_owned(), "/b.so".into())], ..BridgeChoice::default() };
        assert!(Bridges::new(Executable::default(), named).play(Path::new("a.xyz")));
    }
}
