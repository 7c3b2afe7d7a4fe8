//! The files of the page, for whoever asks for them by name.

use super::assets::{MODULES, STYLE};

/// A file.
pub(crate) struct File {
    /// What it is, as browsers call it.
    pub(crate) kind: &'static str,
    /// What it holds.
    pub(crate) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The modules of pages that are served, beside those of reports.
const LIVE: [(&str, &str); 8] = [
    ("connection", include_str!("assets/connection.js")),
    ("live", include_str!("assets/live.js")),
    ("play", include_str!("assets/play.js")),
    ("hand", include_str!("assets/hand.js")),
    ("menu", include_str!("assets/menu.js")),
    ("served", include_str!("assets/served.js")),
    ("token", include_str!("assets/token.js")),
    ("wall", include_str!("assets/wall.js")),
];

/// The file with a name such as `board.js`.
pub(crate) fn named(name: &str) -> Option<File> {
    match name {
        "live.html" => Some(File { kind: HTML, text: include_str!("assets/live.html") }),
        "wall.html" => Some(File { kind: HTML, text: include_str!("assets/wall.html") }),
        "served.html" => Some(File { kind: HTML, text: include_str!("assets/served.html") }),
        "page.css" => Some(File { kind: CSS, text: STYLE }),
        "served.css" => Some(File { kind: CSS, text: include_str!("assets/served.css") }),
        _ => {
            let module = name.strip_suffix(".js")?;
            let text = MODULES.iter().chain(&LIVE).find(|(name, _)| *name == module)?.1;
            Some(File { kind: SCRIPT, text })
        }
    }
}
