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
pub(super) const KIT: &[File] = &[
    ("arbiter-plugin-api/Cargo.toml", MANIFEST),
    ("arbiter-plugin-api/README.md", include_str!("../../../../../plugin-api/README.md")),
    ("arbiter-plugin-api/include/arbiter_bot.h", HEADER.1),
    ("arbiter-plugin-api/src/bot.rs", include_str!("../../../../../plugin-api/src/bot.rs")),
    ("arbiter-plugin-api/src/bridge.rs", include_str!("../../../../../plugin-api/src/bridge.rs")),
    ("arbiter-plugin-api/src/cell.rs", include_str!("../../../../../plugin-api/src/cell.rs")),
    ("arbiter-plugin-api/src/event.rs", include_str!("../../../../../plugin-api/src/event.rs")),
    ("arbiter-plugin-api/src/export.rs", include_str!("../../../../../plugin-api/src/export.rs")),
    ("arbiter-plugin-api/src/game.rs", include_str!("../../../../../plugin-api/src/game.rs")),
    ("arbiter-plugin-api/src/host.rs", include_str!("../../../../../plugin-api/src/host.rs")),
    ("arbiter-plugin-api/src/layout.rs", include_str!("../../../../../plugin-api/src/layout.rs")),
    ("arbiter-plugin-api/src/lib.rs", include_str!("../../../../../plugin-api/src/lib.rs")),
    ("arbiter-plugin-api/src/moves.rs", include_str!("../../../../../plugin-api/src/moves.rs")),
    ("arbiter-plugin-api/src/position.rs", include_str!("../../../../../plugin-api/src/position.rs")),
    ("arbiter-plugin-api/src/random.rs", include_str!("../../../../../plugin-api/src/random.rs")),
    ("arbiter-plugin-api/src/raw.rs", include_str!("../../../../../plugin-api/src/raw.rs")),
    ("arbiter-plugin-api/src/read.rs", include_str!("../../../../../plugin-api/src/read.rs")),
    ("arbiter-plugin-api/src/report.rs", include_str!("../../../../../plugin-api/src/report.rs")),
    ("arbiter-plugin-api/src/turn.rs", include_str!("../../../../../plugin-api/src/turn.rs")),
];

/// The manifest of a crate that is in no workspace.
const MANIFEST: &str = concat!(
    "[package]\nname = \"arbiter-plugin-api\"\nversion = \"",
    env!("CARGO_PKG_VERSION"),
    "\"\nedition = \"2024\"\nrust-version = \"1.88\"\nlicense = \"MIT OR Apache-2.0\"\n\
     description = \"The C ABI between arbiter and its bots, and a safe Rust kit for bot authors\"\npublish = false\n",
);
