//! What every new bot is given: the header, and the kit for Rust as a crate that stands alone.

use super::File;

/// The contract, for C.
pub(super) const HEADER: File =
    ("arbiter_bot.h", include_str!("../../../../../plugin-api/include/arbiter_bot.h"));

/// The contract as classes, for C++.
pub(super) const HPP: File =
    ("arbiter_bot.hpp", include_str!("../../../../../plugin-api/include/arbiter_bot.hpp"));

/// What the module of bots in Python holds, for editors.
pub(super) const PYI: File =
    ("arbiter_bot.pyi", include_str!("../../../../../plugin-api/python/python/arbiter_bot/__init__.pyi"));

/// The crate of the kit without its tests.
pub(super) fn kit() -> Vec<File> {
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
