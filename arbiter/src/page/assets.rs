//! The modules and the style sheets of pages. On disk they are plain ES modules; in a file that has to stand alone they
//! become one script, each module in a function of its own.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The style sheet of reports.
pub(super) const STYLE: &str = include_str!("assets/page.css");

/// What a served page has beside it.
const SERVED_STYLE: &str = include_str!("assets/served.css");

/// The frame of every page that is served: its first module fills it.
const FRAME: &str = include_str!("assets/served.html");

macro_rules! modules {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("assets/", $name, ".js")))),*] };
}

const MODULES: [(&str, &str); 17] = modules![
    "board" "charts" "connection" "dom" "games" "hand" "live" "menu" "play" "replay" "report" "served" "story" "token"
    "unpack" "wall" "words"
];

/// A file of pages that are served, by a name such as `board.js`: its kind, as browsers call it, and its text.
pub(crate) fn file(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "page.css" => Some(("text/css; charset=utf-8", STYLE)),
        "served.css" => Some(("text/css; charset=utf-8", SERVED_STYLE)),
        _ => {
            let module = name.strip_suffix(".js")?;
            let (_, text) = MODULES.iter().find(|(name, _)| *name == module)?;
            Some(("text/javascript; charset=utf-8", text))
        }
    }
}

/// A page that is served and begins with this module. It names all that this one needs, so that a browser asks for them at
/// once and not for one after the other.
pub(crate) fn page(entry: &'static str) -> String {
    let mut needed = Vec::new();
    collect(entry, &mut needed);
    let preload = |name: &&str| format!("<link rel=\"modulepreload\" href=\"/{name}.js\">\n");
    FRAME.replace("{entry}", entry).replace("{needed}\n", &needed.iter().map(preload).collect::<String>())
}

/// Everything that a report runs, as one script.
pub(super) fn script() -> String {
    let mut modules = Vec::new();
    collect("report", &mut modules);
    let mut script = "\"use strict\";\n".to_owned();
    for name in modules {
        let (body, exports) = linked(text(name));
        script.push_str(&format!(
            "const ${name} = (() => {{\n{body}return {{ {} }};\n}})();\n",
            exports.join(", ")
        ));
    }
    script
}

fn text(module: &str) -> &'static str {
    MODULES.iter().find(|(name, _)| *name == module).expect("modules import what there is").1
}

/// Adds a module after all that it needs.
fn collect(module: &'static str, to: &mut Vec<&'static str>) {
    for line in text(module).lines() {
        let later = || line.split_once("await import(\"./")?.1.split_once(".js\"");
        let Some(needed) = import(line).map(|(_, from)| from).or_else(|| Some(later()?.0)) else { continue };
        if !to.contains(&needed) {
            collect(needed, to);
        }
    }
    to.push(module);
}

/// The body of a module with its imports as constants, without comments that have lines of their own, and the names that it
/// exports. Imports stand on one line each.
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
        body.push_str(rest.unwrap_or(line));
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
    fn a_page_asks_for_all_that_its_first_module_needs_at_once() {
        let page = page("served");
        for name in ["served", "token", "report", "replay", "dom"] {
            assert!(page.contains(&format!("href=\"/{name}.js\"")), "{page}");
        }
        assert!(
            page.contains("src=\"/served.js\"") && !page.contains("/live.js") && !page.contains('{'),
            "{page}"
        );
    }

    #[test]
    fn modules_of_the_page_find_each_other_without_files() {
        let module = "import { a } from \"./words.js\";\nexport const b = a;\nexport async function c() {}\nexport class D {\n";
        let (body, exports) = linked(module);
        assert_eq!(exports, ["b", "c", "D"]);
        assert_eq!(linked("// a\n/** b */\n/**\n * c\n */\n  d();\n").0, "d();\n");
        assert_eq!(body, "const { a } = $words;\nconst b = a;\nasync function c() {}\nclass D {\n");
        let script = script();
        assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        assert!(!script.contains("</script"), "the script would end in its middle");
    }
}
