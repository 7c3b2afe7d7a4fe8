//! Gives `arbiter` and `arbiter-host` the number of their build: they share memory and speak no language that has versions, so
//! each goes with the other only if both were made of the same sources and libraries.

use std::hash::{DefaultHasher, Hasher};
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for folder in ["src", "rules/src", "../plugin-api/src"] {
        println!("cargo::rerun-if-changed={folder}");
        read(Path::new(folder), &mut hasher)?;
    }
    for file in ["Cargo.toml", "../Cargo.lock"] {
        println!("cargo::rerun-if-changed={file}");
        hasher.write(&fs::read(file)?);
    }
    println!("cargo::rustc-env=ARBITER_BUILD={:016x}", hasher.finish());
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        // Most bots that search need it, and what the template has loaded no copy has to load.
        println!("cargo::rustc-link-arg-bin=arbiter-host=-Wl,--no-as-needed,-lm,--as-needed");
    }
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
        // The first thread of a program calls its bots, whom the header promises more stack than Windows gives.
        let is_msvc = std::env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|linker| linker == "msvc");
        let stack = if is_msvc { "/STACK:16777216" } else { "-Wl,--stack,16777216" };
        println!("cargo::rustc-link-arg-bins={stack}");
    }
    Ok(())
}

fn read(folder: &Path, hasher: &mut impl Hasher) -> io::Result<()> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, hasher)?;
        } else if path.extension().is_some_and(|end| end == "rs") && path.is_file() {
            hasher.write(path.as_os_str().as_encoded_bytes());
            hasher.write(&fs::read(&path)?);
        }
    }
    Ok(())
}
