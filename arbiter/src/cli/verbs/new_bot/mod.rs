//! `arbiter new-bot`: a project of a bot that builds and plays at once, on a machine with nothing but a compiler.

use crate::cli::{Failure, Output};
use clap::{Args, ValueEnum};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  arbiter new-bot hopper --lang c\n\nThe folder brings all it needs along: the header, or the Rust kit. Nothing is fetched when it is built."
)]
pub(crate) struct NewBotArgs {
    /// What the bot is called, and its folder: small letters, digits and hyphens
    #[arg(value_name = "NAME", value_parser = name)]
    name: String,
    /// The language
    #[arg(long, value_enum, value_name = "LANG")]
    lang: Language,
}

/// A language in which bots can be begun.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    /// With cargo
    Rust,
    /// With any C compiler
    C,
    /// With any C++ compiler
    Cpp,
    /// With Go and a C compiler
    Go,
    /// With any CPython since 3.9
    Python,
    /// Rust for WebAssembly: the same on every machine
    Wasm,
    /// C for WebAssembly, with clang
    WasmC,
}

/// Words that cargo takes for something else: keywords of Rust, and crates that are there already.
const TAKEN: &str = "\
abstract alloc arbiter-plugin-api as async await become box break const continue core crate do dyn else enum \
extern final fn for gen if impl in let loop macro match mod move mut override priv proc-macro pub ref return \
self std struct super test try use where";

fn name(text: &str) -> Result<String, String> {
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    let is_plain = text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let ends = !text.ends_with('-') && !text.contains("--");
    if !begins || !is_plain || !ends || text.len() > 40 {
        return Err(
            "a name is up to 40 small letters, digits and hyphens, and begins with a letter".to_owned()
        );
    }
    if TAKEN.split(' ').any(|word| word == text) {
        return Err(format!("'{text}' means something else to compilers"));
    }
    Ok(text.to_owned())
}

/// A file of a project: its path and its text. In both stand `{name}` for the bot's name, `{class}` for it as the name of a class,
/// `{library}` and `{module}` for the files that cargo builds, native and WebAssembly, and `{so}` for the ending of libraries here.
type File = (&'static str, &'static str);

const RUST: &[File] = &[
    ("Cargo.toml", include_str!("../../../../templates/rust/Cargo.toml.txt")),
    ("src/lib.rs", include_str!("../../../../templates/rust/lib.rs.txt")),
    ("README.md", include_str!("../../../../templates/rust/README.md.txt")),
    (".gitignore", "/target\n"),
];
const C: &[File] = &[
    ("{name}.c", include_str!("../../../../templates/c/bot.c.txt")),
    ("README.md", include_str!("../../../../templates/c/README.md.txt")),
    (".gitignore", "*{so}\n"),
];
const CPP: &[File] = &[
    ("{name}.cpp", include_str!("../../../../templates/cpp/bot.cpp.txt")),
    ("README.md", include_str!("../../../../templates/cpp/README.md.txt")),
    (".gitignore", "*{so}\n"),
];

const GO: &[File] = &[
    ("main.go", include_str!("../../../../templates/go/main.go.txt")),
    ("bot.c", include_str!("../../../../templates/go/bot.c.txt")),
    ("go.mod", include_str!("../../../../templates/go/go.mod.txt")),
    ("README.md", include_str!("../../../../templates/go/README.md.txt")),
    (".gitignore", "*{so}\n/{name}.h\n"),
];

const PYTHON: &[File] = &[
    ("{name}.py", include_str!("../../../../templates/python/bot.py.txt")),
    ("README.md", include_str!("../../../../templates/python/README.md.txt")),
    (".gitignore", "__pycache__/\n"),
];

const WASM: &[File] = &[
    ("Cargo.toml", include_str!("../../../../templates/rust/Cargo.toml.txt")),
    (".cargo/config.toml", include_str!("../../../../templates/wasm/config.toml.txt")),
    ("src/lib.rs", include_str!("../../../../templates/rust/lib.rs.txt")),
    ("README.md", include_str!("../../../../templates/wasm/README.md.txt")),
    (".gitignore", "/target\n"),
];
const WASM_C: &[File] = &[
    ("{name}.c", include_str!("../../../../templates/c/bot.c.txt")),
    ("README.md", include_str!("../../../../templates/wasm-c/README.md.txt")),
    (".gitignore", "*.wasm\n"),
];

impl Language {
    /// The files that are written for this bot, and those that are the same for all.
    fn files(self) -> (&'static [File], Vec<File>) {
        match self {
            Language::Rust => (RUST, kit()),
            Language::C => (C, vec![HEADER]),
            Language::Cpp => (CPP, vec![HEADER, HPP]),
            Language::Go => (GO, vec![HEADER]),
            Language::Python => (PYTHON, vec![PYI]),
            Language::Wasm => (WASM, kit()),
            Language::WasmC => (WASM_C, vec![HEADER]),
        }
    }
}

pub(crate) fn new_bot(args: &NewBotArgs, out: &mut Output) -> Result<(), Failure> {
    let folder = PathBuf::from(&args.name);
    if folder.symlink_metadata().is_ok() {
        let message = format!("there is something called {} here already", folder.display());
        return Err(Failure::file(message).hint("another name, or another folder"));
    }
    let (own, shared) = args.lang.files();
    let mut written = own.iter().try_for_each(|(path, text)| {
        write(&folder.join(filled(path, &args.name)), &filled(text, &args.name))
    });
    if written.is_ok() {
        written = shared.into_iter().try_for_each(|(path, text)| write(&folder.join(path), text));
    }
    // Half a project would be in the way of the next attempt.
    written.inspect_err(|_| drop(fs::remove_dir_all(&folder)))?;
    let readme = own.iter().find(|(path, _)| *path == "README.md").expect("every project has one").1;
    out.line(&format!("cd {}", args.name))?;
    // The commands that build the bot and let it play are the first ones of its README.
    let commands = readme.split("```").nth(1).unwrap_or_default().lines().skip(1);
    let mut commands = commands.filter(|line| !line.is_empty());
    commands.try_for_each(|command| out.line(&filled(command, &args.name)))
}

fn filled(text: &str, name: &str) -> String {
    let library = format!("{DLL_PREFIX}{}{DLL_SUFFIX}", name.replace('-', "_"));
    text.replace("{name}", name)
        .replace("{class}", &class(name))
        .replace("{library}", &library)
        .replace("{module}", &format!("{}.wasm", name.replace('-', "_")))
        .replace("{so}", DLL_SUFFIX)
}

/// The name as a class in Python has it: `my-bot` is `MyBot`.
fn class(name: &str) -> String {
    name.split('-')
        .filter_map(|word| word.split_at_checked(1))
        .map(|(first, rest)| first.to_uppercase() + rest)
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "the folder is new, and goes if a file cannot be written")]
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(file, text));
    written.map_err(Failure::cannot("write", file, "a folder that can be written to"))
}

/// The contract, for C.
const HEADER: File = ("arbiter_bot.h", include_str!("../../../../../plugin-api/include/arbiter_bot.h"));

/// The contract as classes, for C++.
const HPP: File = ("arbiter_bot.hpp", include_str!("../../../../../plugin-api/include/arbiter_bot.hpp"));

/// What the module of bots in Python holds, for editors.
const PYI: File =
    ("arbiter_bot.pyi", include_str!("../../../../../plugin-api/python/python/arbiter_bot/__init__.pyi"));

/// The crate of the kit without its tests.
fn kit() -> Vec<File> {
    let readme = include_str!("../../../../../plugin-api/README.md");
    let around = [
        ("arbiter-plugin-api/Cargo.toml", MANIFEST),
        ("arbiter-plugin-api/README.md", readme),
        ("arbiter-plugin-api/include/arbiter_bot.h", HEADER.1),
    ];
    [&around[..], SOURCES].concat()
}

macro_rules! sources {
    ($($name:literal)*) => {
        &[$((
            concat!("arbiter-plugin-api/src/", $name, ".rs"),
            include_str!(concat!("../../../../../plugin-api/src/", $name, ".rs")),
        )),*]
    };
}

const SOURCES: &[File] = sources!["bot" "bridge" "cell" "event" "export" "game" "host" "layout" "lib" "moves" "position" "random"
    "raw" "read" "report" "turn"];

/// The manifest of a crate that is in no workspace.
const MANIFEST: &str = concat!(
    "[package]\nname = \"arbiter-plugin-api\"\nversion = \"",
    env!("CARGO_PKG_VERSION"),
    "\"\nedition = \"2024\"\nrust-version = \"1.88\"\nlicense = \"MIT OR Apache-2.0\"\n\
     description = \"The C ABI between arbiter and its bots, and a safe Rust kit for bot authors\"\npublish = false\n",
);
