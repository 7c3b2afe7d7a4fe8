//! The program and the bots that are measured.

use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program, built for this benchmark.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_arbiter");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A bot in C, from a source below the top of the repository.
pub(crate) fn c_bot(source: &str) -> Result<PathBuf> {
    let include = root().join("plugin-api/include");
    c(source, "so", |cc| cc.args(["-shared", "-fPIC", "-fvisibility=hidden", "-I"]).arg(include))
}

/// A program in C.
pub(crate) fn c_program(source: &str) -> Result<PathBuf> {
    // It needs the libraries that bots in Rust need, so that it does not load them anew for each.
    c(source, "run", |cc| cc.args(["-Wl,--no-as-needed", "-ldl", "-lm", "-lgcc_s"]))
}

fn c(source: &str, ending: &str, more: impl FnOnce(&mut Command) -> &mut Command) -> Result<PathBuf> {
    let source = root().join(source);
    let name = source.file_stem().ok_or("a source has a name")?.to_string_lossy().into_owned();
    let target = scratch().join(format!("cost-{name}.{ending}"));
    let mut cc = Command::new("cc");
    more(cc.arg("-O2").arg("-o").arg(&target).arg(source));
    if cc.status()?.success() { Ok(target) } else { Err(format!("{name}.c does not compile").into()) }
}

/// One of the bots in Rust that come with the program, optimised.
pub(crate) fn rust_bot(name: &str) -> Result<PathBuf> {
    let folder = Path::new(PROGRAM).parent().ok_or("the program lies in a folder")?;
    let target = folder.parent().ok_or("the folder lies in another")?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--quiet", "--release", "--package", &format!("bot-{name}")]);
    let status = cargo.arg("--target-dir").arg(target).current_dir(root()).status()?;
    if status.success() {
        Ok(folder.join(format!("lib{name}.so")))
    } else {
        Err(format!("the bot {name} does not compile").into())
    }
}

/// Where this benchmark may write.
pub(crate) fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}
