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
    let source = root().join(source);
    let name = source.file_stem().ok_or("a source has a name")?.to_string_lossy().into_owned();
    let library = scratch().join(format!("cost-{name}.so"));
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-fvisibility=hidden", "-O2", "-I"]).arg(root().join("plugin-api/include"));
    let status = cc.arg("-o").arg(&library).arg(source).status()?;
    if status.success() { Ok(library) } else { Err(format!("{name}.c does not compile").into()) }
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
