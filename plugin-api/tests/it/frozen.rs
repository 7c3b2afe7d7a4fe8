//! Version 1 of the interface is frozen: what the header in `tests/v1` declares, today's header still declares.

use crate::compile::{C, compiler, package, run, scratch};
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

/// The folder of the day on which version 1 was frozen.
fn kept(file: &str) -> std::path::PathBuf {
    package().join("tests/v1").join(file)
}

/// What the kept program prints when it is compiled against the header in a folder.
fn layout(include: &Path, name: &str) -> String {
    let program = scratch(name);
    let mut cc = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()));
    // The header of the same folder would be found first, so the source is not compiled where it lies.
    let source = scratch(&format!("{name}.c"));
    std::fs::copy(kept("layout.c"), &source).unwrap();
    run(cc.args(["-std=c99", "-I"]).arg(include).arg(&source).arg("-o").arg(&program));
    String::from_utf8(run(&mut Command::new(program)).stdout).unwrap()
}

#[test]
fn bots_that_were_compiled_find_everything_where_it_was() {
    let (then, now) = (layout(&kept(""), "layout-then"), layout(&package().join("include"), "layout-now"));
    // The minor version rises when the header declares more.
    let may_rise = |line: &str| line.starts_with("ARBITER_ABI_MINOR ") || line.starts_with("ARBITER_ABI ");
    for (then, now) in then.lines().zip(now.lines()).filter(|(then, _)| !may_rise(then)) {
        assert_eq!(then, now, "version 1 is frozen");
    }
    assert_eq!(then.lines().count(), now.lines().count());
}

/// The declarations of a header without comments and line breaks, each as one line.
fn declarations(header: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(header).unwrap();
    let mut code = String::new();
    let mut rest = text.as_str();
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        rest = comment.split_once("*/").expect("comments end").1;
    }
    code.push_str(rest);
    let code = code.replace("\\\n", " ");
    let (macros, code): (Vec<_>, Vec<_>) = code.lines().partition(|line| line.trim_start().starts_with('#'));
    let code = code.join(" ");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let macros = macros.into_iter().map(words);
    macros.chain(code.split(';').map(words)).filter(|text| !text.is_empty()).collect()
}

#[test]
fn nothing_that_was_declared_has_been_taken_away_or_changed() {
    let now = declarations(&package().join("include/arbiter_bot.h"));
    let now: HashSet<_> = now.iter().map(String::as_str).collect();
    for then in declarations(&kept("arbiter_bot.h")) {
        let may_rise = then.starts_with("#define ARBITER_ABI_MINOR");
        assert!(may_rise || now.contains(then.as_str()), "version 1 is frozen, and had: {then}");
    }
}

#[test]
fn bots_of_that_day_still_compile() {
    for standard in C {
        // First with the header that lies beside it, then with today's.
        run(compiler(&kept("bot.c"), standard).arg("-fsyntax-only"));
        let source = scratch("bot-of-that-day.c");
        std::fs::copy(kept("bot.c"), &source).unwrap();
        run(compiler(&source, standard).arg("-fsyntax-only"));
    }
}
