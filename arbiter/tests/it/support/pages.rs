//! Pages of the repository, whose commands and programs are tried.

use super::{sample_bot, scratch};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap()
}

/// A page or another text.
#[track_caller]
pub(crate) fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The sample reports, in the order of their names.
pub(crate) fn samples() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("results/samples")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// One of them.
pub(crate) fn sample(name: &str) -> PathBuf {
    root().join("results/samples").join(name)
}

/// What a page's blocks in one language hold: at least one of them is there.
#[track_caller]
pub(crate) fn blocks(name: &str, language: &str) -> Vec<String> {
    let text = page(name);
    let parts = text.split("\n```").skip(1).step_by(2);
    let found = parts.filter_map(|part| Some(part.strip_prefix(language)?.strip_prefix('\n')?.to_owned()));
    let found: Vec<_> = found.collect();
    assert!(!found.is_empty(), "{name} has no block in {language}");
    found
}

/// A folder that looks like a clone in which everything has been built, and in which these folders are.
pub(crate) fn checkout(test: &str, linked: &[&str]) -> PathBuf {
    let folder = scratch(test);
    let built = Path::new(&sample_bot("greedy")).parent().unwrap().to_owned();
    fs::create_dir(folder.join("target")).unwrap();
    symlink(built, folder.join("target/release")).unwrap();
    linked.iter().for_each(|name| symlink(root().join(name), folder.join(name)).unwrap());
    folder
}
