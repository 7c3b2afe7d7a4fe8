//! Files that are no bots, and bots whose tables are wrong.

use super::support::{
    AMPLE, ask, brief, c_bot, c_bot_with, compiled, host, marked_faulty, play, play_choice, start,
};
use crate::support::{Run, arbiter, command, scratch, shell};
use arbiter::host::{BotCommand, Greeting, InProcess, LoadError, Sandboxed};
use arbiter::player::{Answer, Player};
use arbiter::record::schema::MatchReport;
use arbiter::verdict::{Fault, Phase};
use arbiter_rules::Seat;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

fn look_at(path: impl Into<PathBuf>) -> Result<Greeting, LoadError> {
    host().identify(&BotCommand::new(host(), host().bot(path))).map_err(|not_loaded| not_loaded.error)
}

/// A file with these bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    fs::write(&path, bytes).unwrap();
    path
}

/// What is said of a file with these bytes.
fn verdict_on(name: &str, bytes: &[u8]) -> LoadError {
    let path = file(name, bytes);
    let error = look_at(&path).unwrap_err();
    fs::remove_file(path).unwrap();
    error
}

fn with_define(source: &str, define: &str) -> String {
    c_bot_with(source, &[&format!("-D{define}")])
}

#[test]
fn a_bot_is_known_by_its_file_and_by_what_it_says() {
    let path = c_bot("first");
    let (greeting, file) = (look_at(&path).unwrap(), host().bot(&path).look().unwrap().clone());
    let data = fs::read(&path).unwrap();
    let hash: String = Sha256::digest(&data).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((file.sha256, file.size, file.needed), (hash, data.len() as u64, Vec::new()));
    assert_eq!(file.exports, ["arbiter_bot_v1"]);
    let none = String::new;
    let expected = Greeting {
        name: "First".to_owned(),
        version: none(),
        author: none(),
        about: none(),
        games: Vec::new(),
        abi: arbiter_plugin_api::raw::ABI,
        flags: 0,
    };
    assert_eq!(greeting, expected);
}

#[test]
fn a_path_that_leads_to_no_file_is_said_to_do_so() {
    let not_found = LoadError::NotFound { path: "/nowhere/bot.so".to_owned(), similar: String::new() };
    assert_eq!(look_at("/nowhere/bot.so"), Err(not_found));
    let folder = LoadError::NotAFile { path: "/".to_owned(), what: "a folder".to_owned() };
    assert_eq!(look_at("/"), Err(folder));
    let device = LoadError::NotAFile { path: "/dev/null".to_owned(), what: "a device or a pipe".to_owned() };
    assert_eq!(look_at("/dev/null"), Err(device));
}

#[test]
fn a_file_that_is_no_library_is_called_what_it_is() {
    let object = compiled("entries", &["-c"]);
    let program = compiled("entries", &["-DPROGRAM", "-no-pie"]);
    let cases: [(&str, Vec<u8>, &str); 7] = [
        ("empty", Vec::new(), "an empty file"),
        ("text", b"play well!\n".to_vec(), "a text file"),
        ("script", b"#!/bin/sh\n".to_vec(), "a script"),
        ("archive", b"!<arch>\nfirst.o/".to_vec(), "an archive of object files"),
        ("unknown", vec![1, 2, 3, 0, 4], "a file of unknown kind"),
        ("object", fs::read(object).unwrap(), "an object file"),
        ("program", fs::read(program).unwrap(), "a program"),
    ];
    for (name, bytes, what) in cases {
        assert_eq!(verdict_on(name, &bytes), LoadError::NotALibrary(what.to_owned()));
    }
}

#[test]
fn a_library_for_another_processor_is_said_to_be_for_it() {
    let mut library = fs::read(c_bot("first")).unwrap();
    let (found, machine) =
        if cfg!(target_arch = "x86_64") { ("64-bit ARM", 183_u16) } else { ("x86-64", 62) };
    library[18..20].copy_from_slice(&machine.to_le_bytes());
    let LoadError::OtherMachine { found: said, .. } = verdict_on("machine", &library) else {
        panic!("not said")
    };
    assert_eq!(said, found);
}

#[test]
fn a_library_for_another_system_is_said_to_be_for_it() {
    let mut mac = vec![0; 4096];
    mac[..4].copy_from_slice(&0xfeed_facf_u32.to_le_bytes());
    let (found, ours) = ("macOS".to_owned(), "Linux".to_owned());
    assert_eq!(verdict_on("mac", &mac), LoadError::OtherSystem { found, ours });
}

#[test]
fn a_library_that_is_cut_short_anywhere_is_refused_without_harm() {
    let library = fs::read(c_bot("first")).unwrap();
    for length in (4..library.len()).step_by(97).chain([library.len() - 1]) {
        let error = verdict_on(&format!("cut-{length}"), &library[..length]);
        let LoadError::CutShort { needed, found } = error else { panic!("{error:?} at {length}") };
        assert_eq!(found, length as u64);
        assert!(needed > found);
    }
}

#[test]
fn any_damage_to_the_headers_is_refused_or_harmless() {
    let library = fs::read(c_bot("first")).unwrap();
    let mut refused = Vec::new();
    for at in 0..64 {
        let mut damaged = library.clone();
        damaged[at] ^= 0xff;
        let path = file(&format!("damaged-{at}"), &damaged);
        match look_at(&path) {
            Ok(greeting) => assert_eq!(greeting.name, "First", "byte {at}"),
            Err(_) => refused.push(at),
        }
        fs::remove_file(path).unwrap();
    }
    // What says that it is a library at all, for machines of this kind.
    assert!(refused.starts_with(&[0, 1, 2, 3, 4, 5, 6]), "{refused:?}");
}

#[test]
fn a_library_without_an_entry_point_is_told_what_is_there_instead() {
    let symbol = "_Z14arbiter_bot_v1j".to_owned();
    assert_eq!(look_at(with_define("entries", "MANGLED")), Err(LoadError::Mangled(symbol)));
    let of_fortran = "arbiter_bot_v1_".to_owned();
    assert_eq!(look_at(with_define("entries", "OF_FORTRAN")), Err(LoadError::Mangled(of_fortran)));
    assert_eq!(look_at(with_define("entries", "HIDDEN")), Err(LoadError::NotExported));
    assert_eq!(look_at(with_define("entries", "TOO_NEW")), Err(LoadError::TooNew(2)));
    assert_eq!(look_at(with_define("entries", "NOTHING")), Err(LoadError::NoEntryPoint));
}

#[test]
fn a_library_that_needs_another_one_is_told_which() {
    let needed = c_bot_with("entries", &["-Wl,-soname,libnot-installed.so"]);
    let link = format!("-Wl,--no-as-needed,{needed}");
    let path = c_bot_with("first", &[&link]);
    let file = host().bot(&path);
    let look = file.look().unwrap();
    assert!(look.needed.contains(&"libnot-installed.so".to_owned()), "{:?}", look.needed);
    let error = look_at(&path).unwrap_err();
    let LoadError::NotOpened(message) = error else { panic!("{error:?}") };
    assert!(message.contains("libnot-installed.so"), "{message}");
    // The sandbox refuses to look where it could lie, and whoever reads that would change the rights of a file.
    assert!(!message.contains("Permission denied"), "{message}");
}

#[test]
fn a_table_that_breaks_the_contract_is_refused_with_the_reason() {
    let cases = [
        ("NULL_TABLE", LoadError::Refused),
        ("WRONG_MAGIC", LoadError::WrongMagic(0x1234_5678)),
        ("WRONG_ABI", LoadError::WrongAbi(2)),
        ("NO_NAME", LoadError::FieldMissing("name".to_owned())),
        ("EMPTY_NAME", LoadError::FieldMissing("name".to_owned())),
        ("BLANK_NAME", LoadError::FieldMissing("name".to_owned())),
        ("NO_CHOOSE_MOVE", LoadError::FieldMissing("choose_move".to_owned())),
        ("LONG_NAME", LoadError::TextTooLong { field: "name".to_owned(), limit: 63 }),
    ];
    for (define, error) in cases {
        assert_eq!(look_at(with_define("tables", define)).unwrap_err(), error, "{define}");
    }
}

#[test]
fn a_name_that_is_no_utf_8_is_shown_as_far_as_it_is() {
    let greeting = look_at(with_define("tables", "NOT_UTF8")).unwrap();
    assert_eq!(greeting.name, "caf\u{fffd}");
}

/// Two bots could otherwise have rows that look alike.
#[test]
fn no_blanks_tell_two_names_apart() {
    let greeting = look_at(with_define("tables", "SPREAD_NAME")).unwrap();
    assert_eq!(greeting.name, "Ta bles");
}

/// The bot `tables` with a table of this length in front of an unreadable page.
fn table_of(size: u32) -> PathBuf {
    let mut library = fs::read(c_bot("tables")).unwrap();
    let marker = 0x51ce_0f0f_u32.to_ne_bytes();
    let at = library.windows(4).position(|bytes| bytes == marker).unwrap() + 4;
    library[at..at + 4].copy_from_slice(&size.to_ne_bytes());
    file(&format!("table-{size}"), &library)
}

#[test]
fn tables_of_every_length_load_or_are_refused_and_nothing_beyond_them_is_read() {
    for size in 12..140 {
        let path = table_of(size);
        let result = look_at(&path).map(|greeting| greeting.name);
        let expected = if size < 88 { Err(LoadError::TableTooShort(size)) } else { Ok("Tables".to_owned()) };
        assert_eq!(result, expected, "{size} bytes");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_field_that_is_not_wholly_inside_the_table_is_not_there() {
    let first_turn = |size| {
        let path = table_of(size);
        let mut position = start("othello");
        let mut player = Sandboxed::start(&BotCommand::new(host(), host().bot(&path)));
        player.new_game(&brief(&position, Seat::SECOND)).unwrap();
        fs::remove_file(path).unwrap();
        let opening = position.nth_legal(0);
        play_choice(&mut position, &mut [&mut player], opening.into(), false);
        ask(&mut player, &position, AMPLE).answer
    };
    assert!(matches!(first_turn(95), Answer::Move(_)));
    let fault = Fault::Crashed { during: Phase::Move, signal: 6, address: None };
    assert_eq!(first_turn(96), Answer::Fault(fault));
}

/// The loader looks at a folder in which it has not found a library, to know whether to look there for others.
#[test]
fn a_bot_finds_its_libraries_in_several_folders() {
    let folder = scratch("several-folders");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).display();
    let library = |path: &str| format!("echo 'int unused;' | cc -shared -fPIC -x c -o {path} - &&");
    let (one, two) = (library("a/libone.so"), library("b/libtwo.so"));
    let link = r#"-Wl,--no-as-needed -Lb -ltwo -La -lone "-Wl,-rpath,$PWD/a:$PWD/b""#;
    let bot = format!("-shared -fPIC -I {root}/../plugin-api/include -o bot.so {root}/tests/bots/first.c");
    shell(&folder, &format!("mkdir a b && {one} {two} cc {bot} {link}")).expect(0);
    let mut inspect = command(&folder, &["inspect", "./bot.so"]);
    let found = inspect.env("LD_LIBRARY_PATH", &folder).output().expect("the program starts");
    Run::from(found).expect(0);
    fs::remove_file(folder.join("a/libone.so")).unwrap();
    let gone = inspect.output().expect("the program starts");
    Run::from(gone).says(3, "libone.so: cannot open shared object file: it is none of the libraries");
}

/// Its author would look for the reason in vain otherwise: nobody else hears what it prints.
#[test]
fn what_a_bot_prints_before_it_fails_at_load_is_shown_and_stands_in_the_report() {
    let folder = scratch("complains");
    let bot = marked_faulty(&[("load", "complain and exit")]);
    let first = c_bot("first");
    let commands: [&[&str]; 4] = [
        &["inspect", &bot],
        &["check", &bot],
        &["ask", &bot, "--game", "othello"],
        &[&first, &bot, "--game", "othello"],
    ];
    for command in commands {
        let run = arbiter(&folder, command);
        assert_eq!(run.code, 3, "{command:?}: {}", run.err);
        run.and_says("(exit code 3)");
        let printed: Vec<&str> =
            run.err.lines().filter_map(|line| line.strip_prefix("  because: it printed: ")).collect();
        let last: Vec<String> = (15..=20).map(|line| format!("line {line}")).collect();
        assert_eq!(printed[..6], last, "the last eight lines: {}", run.err);
        assert_eq!(printed[6], format!("{}…", "0".repeat(200)));
        assert_eq!(printed[7..], ["\\x1b[31mno openings here"], "it cannot colour the terminal");
    }
    let cup = ["tournament", &first, &bot, "--game", "othello", "--rounds", "1", "--output", "cup.json"];
    arbiter(&folder, &cup).and_says("(exit code 3); it printed: \\x1b[31mno openings here");
    let report = fs::read_to_string(folder.join("cup.json")).unwrap();
    let report: MatchReport = serde_json::from_str(&report).unwrap();
    for game in &report.games {
        let fault = game.ending.fault.as_ref().unwrap();
        assert_eq!(fault.kind, "not-loaded");
        assert!(fault.output.as_ref().unwrap().ends_with("no openings here\n"), "{fault:?}");
    }
    fs::remove_file(bot).unwrap();
}

#[test]
fn a_file_that_is_rebuilt_or_deleted_in_mid_match_changes_nothing() {
    let path = file("rebuilt", &fs::read(c_bot("first")).unwrap());
    let command = BotCommand::new(host(), host().bot(&path));
    let (mut seated, mut trusted) = (Sandboxed::start(&command), InProcess::trusting(command.clone()));
    let begun = start("othello");
    seated.new_game(&brief(&begun, Seat::FIRST)).unwrap();
    trusted.new_game(&brief(&begun, Seat::SECOND)).unwrap();
    // Written over in place, as `cp` does, and not replaced by another file.
    fs::write(&path, vec![0; 100_000]).unwrap();
    let mut late = Sandboxed::start(&command);
    assert!(play(&mut start("othello"), &mut [&mut seated, &mut late]) > 9);
    fs::remove_file(&path).unwrap();
    let (mut later, mut copied) = (Sandboxed::start(&command), InProcess::trusting(command.clone()));
    assert!(play(&mut start("othello"), &mut [&mut seated, &mut later]) > 9);
    assert!(play(&mut start("othello"), &mut [&mut trusted, &mut copied]) > 9);
}
