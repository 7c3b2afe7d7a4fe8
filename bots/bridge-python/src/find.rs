//! Finding an interpreter that can play: by asking those that there are.

use crate::bot::MODULES;
use base64::prelude::{BASE64_STANDARD as BASE64, Engine};
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const QUESTIONS: &str = include_str!("find.py");

/// The oldest version that bots may be written for.
const OLDEST: [u32; 2] = [3, 9];

/// How long an interpreter may take to say what it is, and with how many bytes.
const LONGEST: Duration = Duration::from_secs(8);
const MOST: u64 = 1 << 20;

/// What the bridge needs of an interpreter: lines for the referee and for itself.
///
/// # Errors
/// A sentence that says what is missing, and what to do about it.
pub(crate) fn find(named: Option<&str>) -> Result<String, String> {
    let candidates = match named {
        Some(named) => vec![interpreter_of(Path::new(named))],
        None => on_path(),
    };
    if candidates.is_empty() {
        return Err(
            "there is no python3 on the PATH; install Python, or name one with --python PATH".to_owned()
        );
    }
    let mut reasons = Vec::new();
    for candidate in candidates {
        match ask(&candidate).and_then(|answer| judge(&answer)) {
            Ok(found) => return Ok(found),
            Err(reason) => {
                let reason = format!("{}: {reason}", candidate.display());
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
    }
    Err(reasons.join("; "))
}

/// An interpreter as it was named: a program, or the folder of a virtual environment.
fn interpreter_of(named: &Path) -> PathBuf {
    let programs = ["bin/python3", "bin/python", "Scripts/python.exe", "python.exe"];
    let inside = programs.iter().map(|program| named.join(program)).find(|program| program.is_file());
    let named = inside.unwrap_or_else(|| named.to_owned());
    // A name without a folder is looked for on the PATH by the system.
    if named.components().count() > 1 { std::path::absolute(&named).unwrap_or(named) } else { named }
}

/// The interpreters that the PATH has, the first one first.
fn on_path() -> Vec<PathBuf> {
    let names = if cfg!(windows) { ["python.exe", "python3.exe"] } else { ["python3", "python"] };
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A relative folder is a different one in every working directory, and what lies there may be a stranger's.
    let folders: Vec<PathBuf> = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    let mut found: Vec<(PathBuf, PathBuf)> = Vec::new();
    for program in names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))) {
        let Ok(real) = fs::canonicalize(&program) else { continue };
        // A folder of links, such as /bin, holds the same interpreters once more.
        if real.is_file() && !found.iter().any(|(_, known)| *known == real) {
            found.push((program, real));
        }
    }
    found.into_iter().map(|(program, _)| program).collect()
}

/// What an interpreter says of itself, without the settings of the user.
fn ask(interpreter: &Path) -> Result<String, String> {
    let mut command = Command::new(interpreter);
    command.args(["-I", "-B", "-X", "utf8", "-c", QUESTIONS]);
    command.args(MODULES.iter().flat_map(|module| [module.file, module.source]));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| {
        let problem = match error.kind() {
            ErrorKind::NotFound => "there is no such program".to_owned(),
            _ => format!("it cannot be run: {error}"),
        };
        format!(
            "{problem}; --python names one such as /usr/bin/python3, or the folder of a virtual environment"
        )
    })?;
    let output = child.stdout.take().ok_or("it cannot be heard")?;
    let (tell, told) = mpsc::sync_channel(1);
    let hear = move || {
        let mut text = String::new();
        let read = output.take(MOST).read_to_string(&mut text);
        let _ = tell.send(read.map(|_| text));
    };
    let heard = thread::Builder::new().spawn(hear).map(|_| told.recv_timeout(LONGEST));
    let _ = child.kill();
    let _ = child.wait();
    match heard.map_err(|error| format!("it cannot be heard: {error}"))? {
        Ok(Ok(text)) if text.starts_with("version ") => Ok(text),
        Ok(_) => Err("it is no Python 3".to_owned()),
        Err(_) => Err(format!("it did not answer within {} s", LONGEST.as_secs())),
    }
}

/// Whether an interpreter can play, by what it says of itself.
fn judge(answer: &str) -> Result<String, String> {
    let one = |key: &str| fact(answer, key).next().unwrap_or_default();
    let version: Vec<u32> = one("version").split(' ').filter_map(|part| part.parse().ok()).collect();
    let [major, minor, micro] = version[..] else { return Err("it does not say its version".to_owned()) };
    if one("implementation") != "cpython" {
        return Err(format!("it is {}; bots run in CPython", one("implementation")));
    }
    if [major, minor] < OLDEST {
        return Err(format!("it is Python {major}.{minor}; bots need {}.{} or later", OLDEST[0], OLDEST[1]));
    }
    if one("free_threaded") == "1" {
        return Err("it is a free-threaded Python, which bots cannot use".to_owned());
    }
    let Some(library) = fact(answer, "library").next() else {
        return Err(format!(
            "Python {major}.{minor} is there without its shared library libpython{major}.{minor}; on Debian and Ubuntu \
             `apt install libpython{major}.{minor}` brings it, and pyenv builds it with --enable-shared"
        ));
    };
    let mut paths = Vec::new();
    for path in fact(answer, "path") {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    if let Some(closed) =
        std::iter::once(&library).chain(&paths).find(|path| !others_may_read(Path::new(path)))
    {
        return Err(format!(
            "{closed} cannot be read by other users, and root's bots run as users of their own"
        ));
    }
    let mut lines = vec![
        format!("runtime CPython {major}.{minor}.{micro} ({})", one("executable")),
        format!("library {library}"),
        format!("home {}", one("home")),
        format!("read {library}"),
    ];
    lines.extend(fact(answer, "code").map(|code| format!("code {code}")));
    lines.extend(paths.iter().flat_map(|path| [format!("read {path}"), format!("path {path}")]));
    Ok(lines.join("\n"))
}

/// Whether a user who owns nothing may read a file or folder. Root's bots run as such users. All other bots run as the user
/// who asks here, and who has read it already.
#[cfg(unix)]
fn others_may_read(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    if fs::metadata("/proc/self").map_or(1, |about| about.uid()) != 0 {
        return true;
    }
    let mode = |path: &Path| fs::metadata(path).map_or(0, |about| about.mode());
    let needed = if path.is_dir() { 0o5 } else { 0o4 };
    mode(path) & needed == needed && path.ancestors().skip(1).all(|folder| mode(folder) & 0o1 != 0)
}

#[cfg(not(unix))]
fn others_may_read(_path: &Path) -> bool {
    true
}

/// One fact of what [`find`] said.
pub(crate) fn fact<'a>(found: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    let key = format!("{key} ");
    found.lines().filter_map(move |line| line.strip_prefix(&*key))
}

/// A module that was compiled when the interpreter was found, as Python marshals it.
pub(crate) fn compiled(found: &str, file: &str) -> Option<Vec<u8>> {
    let packed = fact(found, "code").find_map(|code| code.strip_prefix(file)?.strip_prefix(' '))?;
    let mut code = Vec::new();
    flate2::read::ZlibDecoder::new(&*BASE64.decode(packed).ok()?).read_to_end(&mut code).ok()?;
    Some(code)
}

/// Environment that Python reads when it starts.
pub(crate) fn environment(found: &str) -> [(&'static str, OsString); 6] {
    let home = fact(found, "home").next().unwrap_or_default();
    [
        ("PYTHONHOME", home.into()),
        ("PYTHONDONTWRITEBYTECODE", "1".into()),
        // Sets have the same order in every game: only the seed of a match may change what a bot does.
        ("PYTHONHASHSEED", "0".into()),
        ("PYTHONNOUSERSITE", "1".into()),
        ("PYTHONUNBUFFERED", "1".into()),
        ("PYTHONUTF8", "1".into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(change: &[(&str, &str)]) -> String {
        let mut text = String::from(
            "version 3 11 2\nimplementation cpython\nexecutable /usr/bin/python3\nfree_threaded 0\nhome /usr\n\
             library /usr/lib/libpython3.11.so.1.0\npath /usr/lib\npath /usr/lib\n",
        );
        for (from, to) in change {
            text = text.replace(from, to);
        }
        text
    }

    #[test]
    fn what_an_interpreter_lacks_is_said_with_the_way_to_get_it() {
        for (change, said) in [
            (("version 3 11 2", "version 3 8 1"), "need 3.9"),
            (("cpython", "pypy"), "it is pypy"),
            (("free_threaded 0", "free_threaded 1"), "free-threaded"),
            (("library /usr/lib/libpython3.11.so.1.0\n", ""), "apt install libpython3.11"),
        ] {
            let problem = judge(&answer(&[change])).unwrap_err();
            assert!(problem.contains(said), "{problem}");
        }
    }
}
