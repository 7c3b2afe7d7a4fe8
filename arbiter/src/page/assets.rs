//! The modules and the style sheets of pages. In the repository they are plain ES modules; a page gets one script, in which
//! each module is a function of its own.

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

/// The modules that pages begin with.
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
    let mut script = "\"use strict\";\n".to_owned();
    for name in modules {
        let (body, exports) = linked(text(name));
        script.push_str(&match exports.join(", ") {
            // A module with which a page begins exports nothing. It is no function, so that it may `await`.
            none if none.is_empty() => body,
            exports => format!("const ${name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"),
        });
    }
    script
}

fn text(module: &str) -> &'static str {
    MODULES.iter().find(|(name, _)| *name == module).expect("modules import what there is").1
}

/// Adds a module after all that it needs.
fn collect(module: &'static str, to: &mut Vec<&'static str>) {
    for (_, needed) in text(module).lines().filter_map(import) {
        if !to.contains(&needed) {
            collect(needed, to);
        }
    }
    to.push(module);
}

/// The body of a module with its imports as constants, without comments, and the names that it exports. Imports stand on one
/// line each.
fn linked(module: &str) -> (String, Vec<&str>) {
    let (mut body, mut exports) = (String::new(), Vec::new());
    let mut is_comment = false;
    for line in module.lines().map(str::trim_start) {
        if is_comment || line.starts_with("//") || line.starts_with("/**") {
            let rest = line.split_once("*/").map(|(_, rest)| rest.trim_start());
            is_comment = rest.is_none() && !line.starts_with("//");
            if rest.is_none_or(str::is_empty) || line.starts_with("//") {
                continue;
            }
        }
        if let Some((names, from)) = import(line) {
            body.push_str(&format!("const {names} = ${from};\n"));
            continue;
        }
        let rest = line.strip_prefix("export ");
        exports.extend(rest.and_then(exported));
        let mut rest = rest.unwrap_or(line);
        while let Some((code, comment)) = rest.split_once("/** ")
            && let Some((_, after)) = comment.split_once("*/ ")
        {
            body.push_str(code);
            rest = after;
        }
        body.push_str(rest);
        body.push('\n');
    }
    (body, exports)
}

/// `import { a, b } from "./words.js";`
fn import(line: &str) -> Option<(&str, &str)> {
    let (names, from) = line.strip_prefix("import ")?.split_once(" from \"./")?;
    Some((names, from.strip_suffix(".js\";")?))
}

/// The name in `function name(`, `class name {` or `const name =`.
fn exported(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = ["function ", "class ", "const "].iter().find_map(|word| line.strip_prefix(word))?;
    rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
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
    fn modules_of_a_script_find_each_other_without_files() {
        let module = "import { a } from \"./words.js\";\nexport const b = a;\nexport async function c() {}\nexport class D {\n";
        let (body, exports) = linked(module);
        assert_eq!(exports, ["b", "c", "D"]);
        assert_eq!(linked("// a\n/** b */\n/**\n * c\n */\n  d(/** @type {E} */ (f));\n").0, "d((f));\n");
        assert_eq!(body, "const { a } = $words;\nconst b = a;\nasync function c() {}\nclass D {\n");
    }
}
