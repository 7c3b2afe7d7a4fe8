//! The modules and the style sheets of pages. In the repository they are plain ES modules; a page gets one script, in which they
//! follow each other. So no two modules of a page have the same name for something of their own.

use crate::picture::{Colour, LAST, WINNING, of_seat, on_seat, pen_of};
use arbiter_rules::{MAX_SEATS, Seat};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The style sheet of reports, without most of its blanks.
pub(super) static STYLE: LazyLock<String> = LazyLock::new(|| {
    let blanks = [(" { ", "{"), ("; }", "}"), ("; ", ";"), (": ", ":")];
    let seats = Seat::all(MAX_SEATS).map(|seat| {
        let [seats, on, pen] = [of_seat(seat), on_seat(seat), pen_of(seat)].map(Colour::hex);
        format!(".s{} {{ --seat: {seats}; --on: {on}; --pen: {pen}; }}\n", seat.index())
    });
    let marks = format!(":root {{ --last: {}; --winning: {}; }}\n", LAST.hex(), WINNING.hex());
    let style = seats.chain([marks, include_str!("assets/page.css").to_owned()]).collect();
    blanks.iter().fold(style, |style: String, (long, short)| style.replace(long, short))
});

/// What a served page has beside it.
const SERVED_STYLE: &str = include_str!("assets/served.css");

/// The frame of every page that is served: its first module fills it.
const FRAME: &str = include_str!("assets/served.html");

macro_rules! modules {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("assets/", $name, ".js")))),*] };
}

const ENTRIES: [&str; 4] = ["live", "report", "served", "wall"];

const MODULES: [(&str, &str); 19] = modules![
    "board" "charts" "connection" "dom" "games" "hand" "live" "menu" "play" "replay" "report" "rules" "served" "story" "token"
    "tools" "unpack" "wall" "words"
];

/// A file of pages that are served: what it is, as browsers call it, and its text. One style sheet and one script a page, as
/// every request is one more that people wait for.
pub(crate) fn file(name: &str) -> Option<(&'static str, String)> {
    match name {
        "page.css" => Some(("text/css; charset=utf-8", format!("{}{SERVED_STYLE}", *STYLE))),
        _ => {
            let entry = ENTRIES.into_iter().find(|entry| name.strip_suffix(".js") == Some(entry))?;
            Some(("text/javascript; charset=utf-8", script(entry)))
        }
    }
}

/// A page that is served and begins with this module.
pub(crate) fn page(entry: &str) -> String {
    FRAME.replace("{entry}", entry)
}

/// A module and all that it needs, as one script.
pub(super) fn script(entry: &'static str) -> String {
    let mut modules = Vec::new();
    collect(entry, &mut modules);
    modules.into_iter().map(|name| body(text(name))).collect()
}

fn text(module: &str) -> &'static str {
    MODULES.iter().find(|(name, _)| *name == module).expect("modules import what there is").1
}

/// Adds a module after all that it needs.
fn collect(module: &'static str, to: &mut Vec<&'static str>) {
    for needed in text(module).lines().filter_map(import) {
        if !to.contains(&needed) {
            collect(needed, to);
        }
    }
    to.push(module);
}

/// A module without imports, which stand on one line each, without the word before what it exports, and without comments.
fn body(module: &str) -> String {
    let mut body = String::new();
    let mut is_comment = false;
    for line in module.lines().map(str::trim_start) {
        if is_comment || line.starts_with("//") || line.starts_with("/**") {
            let rest = line.split_once("*/").map(|(_, rest)| rest.trim_start());
            is_comment = rest.is_none() && !line.starts_with("//");
            if rest.is_none_or(str::is_empty) || line.starts_with("//") {
                continue;
            }
        }
        if import(line).is_some() {
            continue;
        }
        let mut rest = line.strip_prefix("export ").unwrap_or(line);
        while let Some((code, comment)) = rest.split_once("/** ")
            && let Some((_, after)) = comment.split_once("*/ ")
        {
            body.push_str(code);
            rest = after;
        }
        body.push_str(rest);
        body.push('\n');
    }
    body
}

/// The module that a line imports from: `import { a, b } from "./words.js";`
fn import(line: &str) -> Option<&str> {
    line.strip_prefix("import ")?.split_once(" from \"./")?.1.strip_suffix(".js\";")
}

/// The policy of a page whose only script and style are these: nothing else runs, and nothing is fetched.
pub(super) fn policy(script: &str, style: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_one_script_in_which_nothing_is_missing() {
        for entry in ENTRIES {
            let script = script(entry);
            let is_left = |line: &str| line.starts_with("import ") || line.starts_with("export ");
            assert!(!script.lines().any(is_left), "{entry}");
            assert!(!script.contains("</script"), "the script would end in its middle");
            assert!(
                page(entry).contains(&format!("src=\"/{entry}.js\""))
                    && file(&format!("{entry}.js")).is_some()
            );
        }
        assert!(file("board.js").is_none(), "what is part of a script is no file");
    }

    #[test]
    fn modules_of_a_script_are_one_without_files_and_comments() {
        let module = "import { a } from \"./words.js\";\nexport const b = a;\nexport async function c() {}\nexport class D {\n";
        assert_eq!(body(module), "const b = a;\nasync function c() {}\nclass D {\n");
        assert_eq!(body("// a\n/** b */\n/**\n * c\n */\n  d(/** @type {E} */ (f));\n"), "d((f));\n");
    }
}
