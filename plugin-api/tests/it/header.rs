//! The header for every compiler that a bot author may have.

use std::path::PathBuf;

use crate::compile::{C, CXX, compiler, output_of, package, run, scratch};

fn sources(ending: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(package().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    assert!(!found.is_empty(), "there is an example in .{ending}");
    found.sort();
    found
}

#[test]
fn c_bots_compile_without_a_warning_under_every_standard() {
    let mut sources = sources("c");
    sources.push(package().join("include/arbiter_bot.h"));
    sources.push(package().join("../bots/first-c/first.c"));
    for source in sources {
        for standard in C {
            run(compiler(&source, standard).arg("-fsyntax-only"));
        }
    }
}

#[test]
fn cxx_bots_compile_without_a_warning_under_every_standard() {
    let mut sources = sources("cpp");
    sources.push(package().join("include/arbiter_bot.hpp"));
    for source in sources {
        for standard in CXX {
            run(compiler(&source, standard).arg("-fsyntax-only"));
        }
    }
}

#[test]
fn the_bots_in_the_readme_compile() {
    let readme = std::fs::read_to_string(package().join("README.md")).unwrap();
    for (language, ending, standard) in [("c", "c", C[0]), ("cpp", "cpp", CXX[0])] {
        let (_, rest) = readme.split_once(&format!("```{language}\n")).expect("a bot in this language");
        let (bot, _) = rest.split_once("```").expect("the end of the bot");
        let source = scratch(&format!("readme.{ending}"));
        std::fs::write(&source, bot).unwrap();
        run(compiler(&source, standard).arg("-fsyntax-only"));
    }
}

#[test]
#[cfg(all(target_arch = "x86_64", not(target_os = "macos")))]
fn the_header_has_the_same_shape_in_32_bit_words() {
    for standard in C {
        let header = package().join("include/arbiter_bot.h");
        run(compiler(&header, standard).args(["-m32", "-ffreestanding", "-fsyntax-only"]));
    }
}

#[test]
fn an_exception_costs_a_cxx_bot_the_game_and_not_the_referee() {
    for standard in CXX {
        let printed = output_of(&package().join("tests/it/exceptions.cpp"), standard);
        assert_eq!(printed, include_str!("exceptions.txt"), "under {standard}");
    }
}
