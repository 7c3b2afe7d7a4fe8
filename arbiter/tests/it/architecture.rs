//! The arrows between modules, as `ARCHITECTURE.md` draws them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Which modules of the program each module may use. Between crates, cargo sees to it.
const ARROWS: &[(&str, &str)] = &[
    ("sanitize", ""),
    ("statistics", ""),
    ("verdict", ""),
    ("player", "verdict"),
    ("host", "player verdict"),
    ("program", "player verdict"),
    ("referee", "player verdict"),
    ("record", "verdict"),
    ("tournament", "player record referee statistics verdict"),
    ("verify", "player record referee tournament verdict"),
    ("check", "host player referee verdict"),
    ("ask", "player referee verdict"),
    ("picture", ""),
    ("tree", "picture"),
    ("report", "record sanitize statistics verdict"),
    ("ui", "player sanitize verdict"),
    ("page", "picture record report sanitize ui"),
    ("web", "page player sanitize ui verdict"),
    (
        "cli",
        "ask check host page picture player program record referee report sanitize statistics tournament tree ui \
         verdict verify web",
    ),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.is_dir() || path.extension().is_some_and(|end| end == "rs"))
        .flat_map(|path| rust_files(&path))
        .collect()
}

/// The modules that lie side by side in a folder, each with its files.
fn side_by_side(folder: &Path) -> Vec<(String, Vec<PathBuf>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| !["mod.rs", "lib.rs", "main.rs", "bin"].iter().any(|file| path.ends_with(file)))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), rust_files(&path)))
        .collect()
}

/// The names that the code of a file takes out of a folder, with `super::` or with a path from `crate::`.
fn taken_from(folder: &Path, file: &Path) -> BTreeSet<String> {
    let below = file.parent().unwrap().strip_prefix(folder).unwrap().components().count();
    // A `mod.rs` stands for its folder.
    let ups = if file.ends_with("mod.rs") { below } else { below + 1 };
    let own = folder.strip_prefix(source()).unwrap().iter().map(|part| format!("{}::", part.display()));
    let prefixes = ["super::".repeat(ups), format!("crate::{}", own.collect::<String>())];
    let text = fs::read_to_string(file).unwrap();
    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join(" ");
    let mut names = BTreeSet::new();
    for prefix in prefixes {
        for (at, _) in code.match_indices(&prefix).filter(|(at, _)| !code[..*at].ends_with("::")) {
            let rest = &code[at + prefix.len()..];
            let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
            let first_word =
                |text: &str| text.trim_start().split(|c| !is_of_name(c)).next().unwrap().to_owned();
            match rest.strip_prefix('{').and_then(|list| list.split_once('}')) {
                Some((list, _)) => names.extend(list.split(',').map(first_word)),
                None => _ = names.insert(first_word(rest)),
            }
        }
    }
    names
}

/// What the modules of a folder use of each other.
fn arrows_in(folder: &Path) -> Vec<(String, BTreeSet<String>)> {
    let modules = side_by_side(folder);
    let known: BTreeSet<&String> = modules.iter().map(|(name, _)| name).collect();
    let uses = |name: &String, files: &[PathBuf]| {
        let taken = files.iter().flat_map(|file| taken_from(folder, file));
        taken.filter(|taken| taken != name && known.contains(taken)).collect()
    };
    modules.iter().map(|(name, files)| (name.clone(), uses(name, files))).collect()
}

#[test]
fn modules_use_only_what_the_architecture_allows() {
    for (module, uses) in arrows_in(&source()) {
        let (_, allowed) = ARROWS.iter().find(|(name, _)| *name == module).unwrap_or_else(|| {
            panic!("module {module} is missing in ARROWS: say there, and in ARCHITECTURE.md, what it may use")
        });
        for name in uses {
            assert!(
                allowed.split_whitespace().any(|allowed| allowed == name),
                "{module} uses {name}, but may use only {allowed}"
            );
        }
    }
}

/// Modules that lead back to themselves: what is left when whoever uses nothing of the rest has been taken away.
fn in_circles(mut arrows: Vec<(String, BTreeSet<String>)>) -> Vec<(String, BTreeSet<String>)> {
    while let Some(at) = arrows.iter().position(|(_, uses)| uses.is_empty()) {
        let (done, _) = arrows.remove(at);
        for (_, uses) in &mut arrows {
            uses.remove(&done);
        }
    }
    arrows
}

fn folders_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = entries.filter(|path| path.is_dir()).flat_map(|path| folders_below(&path));
    [folder.to_owned()].into_iter().chain(below).collect()
}

#[test]
fn modules_of_the_command_line_use_each_other_in_no_circle() {
    for folder in folders_below(&source().join("cli")) {
        let circles = in_circles(arrows_in(&folder));
        assert!(circles.is_empty(), "in {}: {circles:?}", folder.display());
    }
}

#[test]
fn no_verb_uses_another_and_nothing_that_verbs_share_uses_one() {
    let verbs = arrows_in(&source().join("cli/verbs"));
    assert!(verbs.len() > 20, "{verbs:?}");
    for (verb, uses) in verbs {
        assert!(uses.is_empty(), "{verb} uses {uses:?}: move what both need to src/cli");
    }
    for (module, uses) in arrows_in(&source().join("cli")) {
        assert!(!uses.contains("verbs"), "{module} uses a verb: move what both need to src/cli");
    }
}

#[test]
fn no_module_is_named_that_does_not_exist() {
    let known: Vec<String> = side_by_side(&source()).into_iter().map(|(name, _)| name).collect();
    for name in
        ARROWS.iter().flat_map(|(module, allowed)| [*module].into_iter().chain(allowed.split_whitespace()))
    {
        assert!(known.iter().any(|module| module == name), "{name} is in ARROWS but not in src");
    }
}

#[test]
fn unsafe_code_lives_in_the_host_alone() {
    for (module, files) in side_by_side(&source()).into_iter().filter(|(module, _)| module != "host") {
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            assert!(
                !text.contains("unsafe {") && !text.contains("unsafe fn"),
                "{module}: {}",
                file.display()
            );
        }
    }
}

#[test]
fn the_architecture_page_names_every_module() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    for (module, _) in ARROWS {
        assert!(page.contains(&format!("`{module}`")), "ARCHITECTURE.md does not explain `{module}`");
    }
}

/// Whoever follows the page to a file finds it, wherever it has moved.
#[test]
fn the_architecture_page_names_files_and_folders_that_are_there() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(program.join("ARCHITECTURE.md")).unwrap();
    let quoted = page.split("```").step_by(2).flat_map(|text| text.split('`').skip(1).step_by(2));
    let is_no_path = |c: char| !(c.is_ascii_alphanumeric() || "_./-".contains(c));
    let drawn = page.split("```").skip(1).step_by(2).flat_map(|text| text.split(is_no_path));
    let drawn = drawn.filter(|word| word.ends_with(".rs"));
    let is_path = |word: &&str| {
        let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c));
        is_plain && word.contains('/') && !word.starts_with(['/', '-']) && !word.starts_with("target/")
    };
    let mut count = 0;
    for path in quoted.chain(drawn).filter(is_path) {
        let places =
            [program.join(path), program.join("src").join(path), program.join("src/host").join(path)];
        let own = program.parent().unwrap().join(path);
        assert!(places.iter().any(|place| place.exists()) || own.exists(), "ARCHITECTURE.md names {path}");
        count += 1;
    }
    assert!(count > 10, "the page has been read: {count}");
}
