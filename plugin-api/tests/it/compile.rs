//! Runs the machine's C and C++ compilers; `CC` and `CXX` choose others.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Every warning that the header promises to be free of.
pub(crate) const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Wpadded", "-Werror"];

pub(crate) const C: [&str; 4] = ["c99", "c11", "c17", "c2x"];
pub(crate) const CXX: [&str; 4] = ["c++11", "c++14", "c++17", "c++20"];

pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A compiler that finds the header. Files that end with `pp` are C++.
pub(crate) fn compiler(source: &Path, standard: &str) -> Command {
    let is_cxx = source.extension().is_some_and(|ending| ending.to_string_lossy().ends_with("pp"));
    let (variable, usual) = if is_cxx { ("CXX", "c++") } else { ("CC", "cc") };
    let mut command = Command::new(env::var(variable).unwrap_or_else(|_| usual.into()));
    command.arg(format!("-std={standard}")).args(STRICT).arg("-I").arg(package().join("include"));
    command.args(["-x", if is_cxx { "c++" } else { "c" }]).arg(source);
    command
}

pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?} failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Compiles a program, runs it, and gives what it prints.
pub(crate) fn output_of(source: &Path, standard: &str) -> String {
    let program = scratch(&format!("{}.out", source.file_name().unwrap().to_string_lossy()));
    run(compiler(source, standard).arg("-o").arg(&program));
    String::from_utf8(run(&mut Command::new(program)).stdout).unwrap()
}

/// A file of this name that tests may write.
pub(crate) fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
