//! The modules and the style sheet of the page. On disk they are plain ES modules; in a file that has to stand alone they
//! become one script, each module in a function of its own.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The style sheet.
pub(super) const STYLE: &str = include_str!("assets/page.css");

/// The modules, each after those that it uses.
pub(super) const MODULES: [(&str, &str); 9] = [
    ("words", include_str!("assets/words.js")),
    ("dom", include_str!("assets/dom.js")),
    ("unpack", include_str!("assets/unpack.js")),
    ("story", include_str!("assets/story.js")),
    ("board", include_str!("assets/board.js")),
    ("charts", include_str!("assets/charts.js")),
    ("replay", include_str!("assets/replay.js")),
    ("games", include_str!("assets/games.js")),
    ("report", include_str!("assets/report.js")),
];

/// All modules as one script.
pub(super) fn script() -> String {
    let mut script = "\"use strict\";\n".to_owned();
    for (name, text) in MODULES {
        let (body, exports) = linked(text);
        script.push_str(&format!(
            "const ${name} = (() => {{\n{body}return {{ {} }};\n}})();\n",
            exports.join(", ")
        ));
    }
    script
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
