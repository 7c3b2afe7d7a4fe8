//! The bots that play in tests: those of the workspace, and those of `tests/bots`, compiled on the spot.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

/// A sample bot of the workspace, as `cargo build` makes it.
pub(crate) fn sample_bot(name: &str) -> String {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_BIN_EXE_arbiter")).parent().unwrap().to_owned();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet"]);
        build.args(
            ["random", "greedy", "minimax", "alphabeta", "mcts"].map(|bot| format!("--package=bot-{bot}")),
        );
        build.args(["--package=bridge-python", "--package=bridge-wasm"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        build.arg("--target-dir").arg(folder.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(build.status().expect("cargo starts").success(), "the sample bots do not build");
        folder
    });
    let file = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    folder.join(file).to_str().expect("the path is text").to_owned()
}

/// Makes a folder `bots` in this one, with these sample bots.
pub(crate) fn bots_in(folder: &Path, names: &[&str]) {
    let bots = folder.join("bots");
    fs::create_dir_all(&bots).unwrap();
    for name in names {
        fs::copy(sample_bot(name), bots.join(format!("{name}.so"))).unwrap();
    }
}

/// A bot of `tests/bots`, compiled once in this run.
pub(crate) fn c_bot(name: &str) -> String {
    c_bot_with(name, &[])
}

/// The same with these options for the compiler, in a file of its own.
pub(crate) fn c_bot_with(name: &str, options: &[&str]) -> String {
    compiled(name, &[&["-shared", "-fPIC", "-fvisibility=hidden"], options].concat())
}

/// A source of `tests/bots`, compiled with these options once in this run.
pub(crate) fn compiled(name: &str, options: &[&str]) -> String {
    type Compiled = HashMap<String, Arc<OnceLock<String>>>;
    static DONE: LazyLock<Mutex<Compiled>> = LazyLock::new(Mutex::default);
    let key = format!("{name} {}", options.join(" "));
    let slot = Arc::clone(DONE.lock().unwrap().entry(key.clone()).or_default());
    slot.get_or_init(|| compile(name, options, &key)).clone()
}

fn compile(name: &str, options: &[&str], key: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file: String = key.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{file}.so"));
    let fresh = library.with_extension(std::process::id().to_string());
    let source = |ending| root.join("tests/bots").join(format!("{name}.{ending}"));
    let (compiler, standard, source) = match source("c") {
        source if source.exists() => ("cc", "-std=c11", source),
        _ => ("c++", "-std=c++17", source("cpp")),
    };
    let mut compiler = Command::new(compiler);
    compiler.args([standard, "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]).args(options);
    compiler.arg("-I").arg(root.join("../plugin-api/include")).arg("-o").arg(&fresh).arg(source);
    let status = compiler.status().expect("these tests need a C and a C++ compiler");
    assert!(status.success(), "{name} does not compile");
    // Another run may be using the one that is there.
    fs::rename(fresh, &library).unwrap();
    library.to_str().expect("the path is text").to_owned()
}

/// A folder of `tests/bots` with a bot in Go, compiled.
pub(crate) fn go_bot(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.so"));
    let include = format!("'-I{}'", root.join("../plugin-api/include").display());
    let mut go = Command::new("go");
    // Where somebody else owns the repository, Go cannot say which version it is.
    go.args(["build", "-buildvcs=false", "-buildmode=c-shared", "-o"]).arg(&library).arg(".");
    // Each user who runs the tests gets a cache of its own.
    let user = rustix::process::getuid().as_raw();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("go-cache-{user}"));
    go.env("CGO_CFLAGS", include).env("GOCACHE", cache);
    let status = go.current_dir(root.join("tests/bots").join(name)).status();
    assert!(status.expect("there is a Go compiler").success(), "{name} does not compile");
    library
}

/// The bot `faulty` with these texts written over its marks, in a file of its own.
pub(crate) fn marked_faulty(marks: &[(&str, &str)]) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let mut library = fs::read(c_bot("faulty")).unwrap();
    for (mark, text) in marks {
        let old = format!("mark for {mark}\0");
        let at = library.windows(old.len()).position(|bytes| bytes == old.as_bytes());
        let at = at.unwrap_or_else(|| panic!("no mark for {mark}"));
        let place = &mut library[at..at + 256];
        place.fill(0);
        place[..text.len()].copy_from_slice(text.as_bytes());
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("faulty-{}-{number}.so", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, library).unwrap();
    path.to_str().expect("the path is text").to_owned()
}
