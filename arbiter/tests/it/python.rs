//! Bots in Python, and files that bots are given: the program, as a user runs it.

use crate::support::{
    Run, arbiter, blocks, command, json, no_faults, page, played_in, sample_bot, say_aloud, scratch, script,
    shell, sleepers, ten_minutes,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first bot of the README.
const FIRST: &str = "from arbiter_bot import Bot\n\n\nclass First(Bot):\n    def choose_move(self, turn):\n        return turn.moves[0]\n";

/// A folder with this bot as `bot.py`, where Python can play. The bridge lies beside the program.
fn folder_with(name: &str, source: &str) -> Option<PathBuf> {
    sample_bot("random");
    let folder = scratch(name);
    fs::write(folder.join("bot.py"), source).unwrap();
    fs::write(folder.join("any.py"), FIRST).unwrap();
    let run = arbiter(&folder, &["inspect", "./any.py"]);
    if run.err.contains("cannot run here") {
        say_aloud(&format!("skipped: no Python that can play: {}", run.err.trim()));
        return None;
    }
    assert_eq!(run.code, 0, "{}", run.err);
    Some(folder)
}

/// A match against `random`, and its report.
fn report_of(folder: &Path, bot: &str, more: &[&str]) -> (String, Value) {
    let random = sample_bot("random");
    let game: &[&str] = if more.contains(&"--game") { &[] } else { &["--game", "tic-tac-toe"] };
    played_in(folder, &[&[bot, &random, "--seed", "python"], game, more].concat())
}

#[test]
fn the_first_bot_plays_every_game_and_stands_in_the_report_with_its_hash() {
    let Some(folder) = folder_with("python-first", FIRST) else { return };
    for game in arbiter_rules::registry::GAMES {
        let _ = fs::remove_file(folder.join("report.json"));
        let (out, report) = report_of(&folder, "./bot.py", &["--game", game.id, "--games", "2"]);
        assert!(out.contains("First"), "{out}");
        let player = &report["plan"]["players"][0];
        assert_eq!((&player["name"], &player["file"]), (&"First".into(), &"./bot.py".into()), "{}", game.id);
        assert_eq!(player["payload"]["name"], "bot.py");
        assert_eq!(player["payload"]["sha256"].as_str().map(str::len), Some(64));
        assert!(report["plan"]["players"][1]["payload"].is_null());
        no_faults(&report);
        arbiter(&folder, &["verify", "report.json"]).expect(0);
    }
    assert!(page("README.md").contains(FIRST), "the README shows this bot");
    fs::write(folder.join("winner.py"), &blocks("bots/README.md", "python")[0]).unwrap();
    let move_ = arbiter(&folder, &["ask", "./winner.py", "--game", "tic-tac-toe", "--position", "xx1oo4 x"]);
    assert_eq!(move_.expect(0).trim(), "c1", "it wins where it can");
    arbiter(&folder, &["ask", "./bot.py", "--game", "othello", "--sandbox", "wide"]).expect(0);
    arbiter(&folder, &["./bot.py", "./bot.py", "--game", "othello", "--in-process"])
        .says(2, "in a process of its own");
    let bots = arbiter(&folder, &["bots", "."]).expect(0);
    assert!(bots.contains("bot.py") && bots.contains("First"), "{bots}");
    let move_ = arbiter(&folder, &["ask", "./bot.py", "--game", "othello"]).expect(0);
    assert_eq!(move_.trim().len(), 2, "{move_}");
}

/// What a bot does, and what must be said of it: the kind of fault (none where it plays on), and words of its sentence.
const MISDEEDS: &[(&str, &str, Option<&str>, &str)] = &[
    (
        "raise",
        "return turn.mvoes[0]",
        Some("panicked"),
        "AttributeError: 'Turn' object has no attribute 'mvoes'",
    ),
    ("raise in a helper", "return helper(turn)", Some("panicked"), "in helper: return 1 // 0"),
    ("return nothing", "pass", Some("panicked"), "choose_move returned None"),
    ("return text", "return 'a1'", Some("panicked"), "choose_move returned 'a1'"),
    ("return a number that none has", "return -1", Some("panicked"), "choose_move returned -1 instead of"),
    (
        "raise what cannot be encoded",
        "raise ValueError('\\udc80')",
        Some("panicked"),
        "ValueError: \\udc80 (bot.py, line 8",
    ),
    (
        "raise what cannot be told",
        "\n        class E(Exception):\n            def __str__(self): return self.text\n        raise E",
        Some("panicked"),
        "E: it cannot say what is wrong: its __str__ fails (bot.py, line 11",
    ),
    (
        "fill memory",
        "x = []\n        while True: x.append(bytearray(1 << 20))",
        Some("out-of-memory"),
        "memory",
    ),
    ("loop", "while True: pass", Some("timed-out"), "no answer"),
    ("sleep", "import time; time.sleep(60)", Some("timed-out"), "no answer"),
    ("sys.exit", "import sys; sys.exit(3)", Some("panicked"), "sys.exit(3)"),
    ("os._exit", "import os; os._exit(3)", Some("exited"), "exit code 3"),
    ("recursion", "return self.choose_move(turn)", Some("panicked"), "RecursionError"),
    (
        "subprocess",
        "import subprocess; subprocess.run(['id'])",
        Some("forbidden-call"),
        "made the forbidden system call",
    ),
    ("fork", "import os; os.fork()", Some("forbidden-call"), "clone"),
    ("write a file", "open('/dev/shm/x', 'w')", Some("forbidden-call"), "openat"),
    ("socket", "import socket; socket.socket()", Some("forbidden-call"), "socket"),
    ("ctypes", "import ctypes; ctypes.string_at(0)", Some("crashed"), "segmentation fault"),
    ("kill the referee", "import os; os.kill(os.getppid(), 9)", Some("forbidden-call"), "kill"),
    ("play elsewhere", "return turn.moves[0] + 1000", Some("illegal-move"), ""),
    ("resign", "from arbiter_bot import Resign; raise Resign", Some("resigned"), "resigned"),
    (
        "read a file",
        "\n        try: open('/etc/passwd')\n        except PermissionError: return turn.moves[0]",
        None,
        "",
    ),
    (
        "asyncio",
        "\n        import asyncio\n        try: asyncio.run(asyncio.sleep(0))\n        except PermissionError: return turn.moves[0]",
        None,
        "",
    ),
    (
        "threads",
        "\n        import threading\n        t = threading.Thread(target=print); t.start(); t.join(); return turn.moves[0]",
        None,
        "",
    ),
    (
        "signal handlers",
        "\n        import signal\n        signal.signal(signal.SIGTERM, print); signal.signal(signal.SIGSYS, signal.SIG_IGN); return turn.moves[0]",
        None,
        "",
    ),
    (
        "numbers as those of numpy",
        "\n        class N:\n            def __index__(self): return int(turn.moves[0])\n        turn.position.apply(N()); return N()",
        None,
        "",
    ),
    ("import late", "\n        import json, re, random, dataclasses; return turn.moves[0]", None, ""),
    ("print", "print('x' * 100000); return turn.moves[0]", None, ""),
];

#[test]
fn a_python_bot_prints_in_any_language() {
    let source = FIRST.replace("        return", "        print('Ich wähle', '♟')\n        return");
    let Some(folder) = folder_with("python-print", &source) else { return };
    let run = arbiter(&folder, &["ask", "./bot.py", "--game", "othello", "--debug"]);
    run.and_says("Ich wähle ♟");
    run.expect(0);
}

#[test]
fn whatever_a_python_bot_does_wrong_it_loses_its_own_game_with_a_sentence_that_says_why() {
    let Some(folder) = folder_with("python-misdeeds", FIRST) else { return };
    for (name, code, fault, said) in MISDEEDS {
        let source = format!(
            "from arbiter_bot import Bot\n\ndef helper(turn):\n    return 1 // 0\n\nclass Bad(Bot):\n    def choose_move(self, turn):\n        {code}\n"
        );
        fs::write(folder.join("bot.py"), source).unwrap();
        let _ = fs::remove_file(folder.join("report.json"));
        let (_, report) =
            report_of(&folder, "./bot.py", &["--move-time", "500ms", "--memory", "128", "--max-errors", "1"]);
        let ending = &report["games"][0]["ending"];
        let found = &ending["fault"];
        assert_eq!(found["kind"].as_str(), *fault, "{name}: {ending}");
        if fault.is_some() {
            assert_eq!(ending["seat"], 0, "{name}: nobody else is harmed");
            let sentence = found["sentence"].as_str().unwrap_or_default();
            assert!(sentence.contains(said), "{name}: {sentence}");
        }
    }
}

#[test]
fn who_checks_a_script_that_crashes_hears_how_to_find_the_line() {
    let crashes =
        FIRST.replace("        return", "        import ctypes; ctypes.string_at(0)\n        return");
    let Some(folder) = folder_with("python-crash", &crashes) else { return };
    let words = ["check", "./bot.py", "--game", "tic-tac-toe", "--only", "first-move"];
    assert!(arbiter(&folder, &words).expect(1).contains("faulthandler.enable()"));
}

/// Imports would otherwise find the bot in place of the module.
#[test]
fn a_script_may_be_called_like_a_module_of_python() {
    let source = FIRST
        .replace("import Bot", "import Bot\nimport random")
        .replace("return turn.moves[0]", "return random.choice(turn.moves)");
    let Some(folder) = folder_with("python-named", FIRST) else { return };
    fs::write(folder.join("random.py"), source).unwrap();
    let (_, report) = report_of(&folder, "./random.py", &[]);
    no_faults(&report);
}

#[test]
fn a_script_that_cannot_begin_is_named_with_its_line_and_exit_code_3() {
    let Some(folder) = folder_with("python-begin", FIRST) else { return };
    for (source, said) in [
        (
            "from arbiter_bot import Bot\n\nclass A(Bot)\n    pass\n",
            "SyntaxError: expected ':' (bot.py, line 3",
        ),
        ("import nothing_like_that\n", "No module named 'nothing_like_that' (bot.py, line 1"),
        ("x = 1\n", "bot.py has no bot"),
        ("raise ValueError('x' * 100_000)\n", "because: ValueError: xxx"),
        ("from arbiter_bot import Bot\nclass A(Bot): pass\nclass B(Bot): pass\n", "several bots, A, B"),
    ] {
        fs::write(folder.join("bot.py"), source).unwrap();
        arbiter(&folder, &["./bot.py", &sample_bot("random"), "--game", "othello"]).says(3, said);
    }
    fs::write(folder.join("bot.py"), "import time\ntime.sleep(600)\n").unwrap();
    arbiter(&folder, &["./bot.py", "--game", "othello"]).says(3, "--prepare-time 30s in a match");
}

#[test]
fn a_script_that_misses_a_module_hears_where_it_is_or_who_has_not_got_it() {
    let Some(folder) = folder_with("python-module", FIRST) else { return };
    let said = |bot: &str| arbiter(&folder, &["inspect", bot]).err;
    for name in ["mine.py", "bot.py"] {
        fs::write(folder.join(name), "import helper\n").unwrap();
    }
    let nowhere = said("mine.py");
    assert!(nowhere.contains("CPython 3.") && nowhere.contains("--python DIR names"), "{nowhere}");
    fs::write(folder.join("helper.py"), "").unwrap();
    let beside = said("mine.py");
    assert!(
        beside.contains("helper.py lies beside it: put both into a folder, the bot as bot.py"),
        "{beside}"
    );
    assert!(!beside.contains("--python") && !beside.contains("try:"), "{beside}");
    let inside = said("bot.py");
    assert!(inside.contains("name the folder of both in place of bot.py"), "{inside}");
}

/// Packages ask whether their files are there before they read them.
#[test]
fn a_python_bot_may_look_at_what_it_may_read() {
    let source = "import os\nfrom arbiter_bot import Bot\n\n\nclass Looks(Bot):\n    def choose_move(self, turn):\n        \
                  assert os.path.isfile(os.__file__) and not os.path.exists(os.__file__ + '.no')\n        \
                  assert not os.path.exists('/etc/passwd')\n        return turn.moves[0]\n";
    let Some(folder) = folder_with("python-looks", source) else { return };
    no_faults(&report_of(&folder, "./bot.py", &[]).1);
}

/// Otherwise a bot of several files could not play, or would find files of the machine instead of its own.
#[test]
fn a_folder_and_a_zip_archive_are_bots_and_read_their_own_files() {
    let Some(folder) = folder_with("python-folder", FIRST) else { return };
    let bot = folder.join("deep");
    fs::create_dir_all(bot.join("parts")).unwrap();
    let source = "from arbiter_bot import Bot, read_file\nfrom parts.choice import pick\n\n\nclass Deep(Bot):\n    \
                  version = read_file('data/version.txt').decode().strip()\n\n    def choose_move(self, turn):\n        \
                  return pick(turn.moves)\n";
    fs::write(bot.join("bot.py"), source).unwrap();
    fs::write(bot.join("parts/choice.py"), "def pick(moves):\n    return moves[-1]\n").unwrap();
    fs::create_dir(bot.join("data")).unwrap();
    fs::write(bot.join("data/version.txt"), "7.1\n").unwrap();
    let inspected = arbiter(&folder, &["inspect", "./deep"]).expect(0);
    assert!(inspected.contains("7.1") && inspected.contains("runs in  CPython"), "{inspected}");
    let (_, report) = report_of(&folder, "./deep", &["--games", "2"]);
    no_faults(&report);
    // An archive as other programs make it, packed, is the same bot, also with the name of its folder in it.
    let zipped = "import zipfile\nfor name, root in [('deep', ''), ('hand-in', 'Anna/hand in/')]:\n    \
                  z = zipfile.ZipFile(name + '.zip', 'w', zipfile.ZIP_DEFLATED)\n    \
                  for f in ['bot.py', 'parts/choice.py', 'data/version.txt']: z.write('deep/' + f, root + f)\n    \
                  z.writestr('__MACOSX/bot.py', '')\n    z.close()\n";
    let made = Command::new("python3").args(["-c", zipped]).current_dir(&folder).status();
    assert!(made.expect("python3 is there").success());
    for bot in ["./deep.zip", "./hand-in.zip"] {
        let inspected = arbiter(&folder, &["inspect", bot]).expect(0);
        assert!(inspected.contains("7.1"), "{bot}: {inspected}");
    }
}

/// A file that is there would otherwise be called missing, or be cut without a word.
#[test]
fn a_file_of_an_archive_that_cannot_be_read_is_named_with_the_reason() {
    const READS: &str = "from arbiter_bot import Bot, read_file\n\n\nclass Reads(Bot):\n    def choose_move(self, turn):\n        \
                         read_file('net.bin')\n        return turn.moves[0]\n";
    const ARCHIVES: &str = "import zipfile\nfor name, how, net in [('bomb', 8, bytes(300 << 20)), ('damaged', 0, b'weights')]:\n    \
                            with zipfile.ZipFile(name + '.zip', 'w', how) as z: z.write('bot.py'); z.writestr('net.bin', net)\n\
                            whole = open('damaged.zip', 'rb').read()\n\
                            open('damaged.zip', 'wb').write(whole.replace(b'weights', b'WEIGHTS'))\n";
    let Some(folder) = folder_with("python-archive", READS) else { return };
    let made = Command::new("python3").args(["-c", ARCHIVES]).current_dir(&folder).status();
    assert!(made.expect("python3 is there").success());
    fs::write(folder.join("none.zip"), "import os\n").unwrap();
    arbiter(&folder, &["inspect", "./none.zip"]).says(3, "it is no zip archive");
    for (bot, kind, said) in [
        ("./bomb.zip", "out-of-memory", "there is no memory for net.bin"),
        ("./damaged.zip", "panicked", "net.bin cannot be read: Invalid checksum"),
    ] {
        let _ = fs::remove_file(folder.join("report.json"));
        let (_, report) = report_of(&folder, bot, &["--memory", "128", "--move-time", "60s"]);
        let ending = &report["games"][0]["ending"];
        assert_eq!((&ending["seat"], &ending["fault"]["kind"]), (&0.into(), &kind.into()), "{ending}");
        assert!(ending["fault"]["output"].as_str().is_some_and(|output| output.contains(said)), "{ending}");
    }
}

/// What editors are told and what is there at play drift apart otherwise.
#[test]
fn every_name_that_editors_are_told_of_is_there_and_the_other_way_round() {
    let source = r#"
import ast
import arbiter_bot
from arbiter_bot import Bot, read_file

tree = ast.parse(read_file("arbiter_bot.pyi"))
told = {}
for node in tree.body:
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        told[node.name] = node
    elif isinstance(node, ast.AnnAssign):
        told[node.target.id] = node
public = lambda names: {name for name in names if not name.startswith("_")}
there = public(vars(arbiter_bot))
differences = there ^ public(told)
for name, node in told.items():
    if isinstance(node, ast.ClassDef) and name in there:
        own = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        own |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
        found = {one for base in getattr(arbiter_bot, name).__mro__ for one in vars(base)}
        differences |= {name + "." + one for one in public(own) - found}
        differences |= {name + "." + one for one in public(vars(getattr(arbiter_bot, name))) - own}
differences -= {"Bot.game"}


class Told(Bot):
    version = " ".join(sorted(differences)) or "the same"

    def choose_move(self, turn):
        return turn.moves[0]
"#;
    let Some(folder) = folder_with("python-names", source) else { return };
    let bot = folder.join("told");
    fs::create_dir(&bot).unwrap();
    fs::copy(folder.join("bot.py"), bot.join("bot.py")).unwrap();
    let pyi =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugin-api/python/python/arbiter_bot/__init__.pyi");
    fs::copy(pyi, bot.join("arbiter_bot.pyi")).unwrap();
    let said = arbiter(&folder, &["inspect", "./told", "--json"]).json();
    assert_eq!(said["version"], "the same");
}

/// Otherwise whoever has no Python could not play at all, or would be told nothing of use.
#[test]
fn without_python_a_script_is_refused_with_a_clear_sentence_and_all_other_bots_play() {
    let random = sample_bot("random");
    let folder = scratch("python-none");
    fs::write(folder.join("bot.py"), FIRST).unwrap();
    let without = |words: &[&str]| {
        let run = command(&folder, words).env("PATH", folder.join("nothing")).output().unwrap();
        Run::from(run)
    };
    let run = without(&["./bot.py", &random, "--game", "tic-tac-toe"]);
    run.says(3, "bots in Python cannot run here: there is no python3 on the PATH");
    without(&[&random, &random, "--game", "tic-tac-toe", "--quiet"]).expect(0);
    let run = without(&["./bot.py", &random, "--game", "tic-tac-toe", "--python", "./no-such-python"]);
    run.says(3, "no-such-python: there is no such program; --python names");
}

/// Otherwise whoever forgot the PATH of a timer would look for a copy of the season that is not damaged.
#[test]
fn a_league_whose_python_has_gone_does_not_blame_the_copies_of_its_bots() {
    let Some(folder) = folder_with("python-league", FIRST) else { return };
    let league = ["league", ".", "--once", "--game", "tic-tac-toe", "--pairs", "1", "--max-pairs", "1"];
    arbiter(&folder, &league).expect(0);
    fs::copy(sample_bot("random"), folder.join("new.so")).unwrap();
    let run = command(&folder, &league).env("PATH", folder.join("nothing")).output().unwrap();
    Run::from(run).says(3, "is in the league and cannot run here now");
}

/// Otherwise networks and books could only be compiled into bots.
#[test]
fn a_native_bot_reads_the_payload_that_is_named_beside_it_or_in_a_tournament_file() {
    let random = sample_bot("random");
    let folder = scratch("payload");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugin-api");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-fvisibility=hidden", "-I"]).arg(source.join("include"));
    cc.arg(source.join("examples/book.c")).arg("-o").arg(folder.join("book.so"));
    assert!(cc.status().expect("these tests need a C compiler").success());
    fs::write(folder.join("book.txt"), "f5 d6 c4 d3").unwrap();
    let (_, report) = report_of(&folder, "./book.so+book.txt", &["--game", "othello"]);
    assert_eq!(report["games"][0]["plies"][0]["move"], "f5");
    let payload = &report["plan"]["players"][0]["payload"];
    assert_eq!(payload["name"], "book.txt");
    assert_eq!(payload["sha256"], "baee56ed6ce4946025c4baf632aa922ba7288e297beee3f52eff5ab75cd6a197");
    arbiter(&folder, &["verify", "report.json"]).expect(0);
    // In our own process it reads the same, and without the file it plays the first move there is.
    let ask = |bot: &str| arbiter(&folder, &["ask", bot, "--game", "othello"]).expect(0).trim().to_owned();
    assert_eq!((ask("./book.so+book.txt").as_str(), ask("./book.so").as_str()), ("f5", "d3"));
    let _ = fs::remove_file(folder.join("report.json"));
    let (_, report) = report_of(&folder, "./book.so+book.txt", &["--game", "othello", "--in-process"]);
    assert_eq!(report["games"][0]["plies"][0]["move"], "f5");
    // A file of the whole name wins.
    fs::copy(folder.join("book.so"), folder.join("book.so+book.txt")).unwrap();
    assert_eq!(ask("./book.so+book.txt"), "d3");
    fs::remove_file(folder.join("book.so+book.txt")).unwrap();
    arbiter(&folder, &["inspect", "./book.so+no.txt"]).says(3, "no.txt");
    let cup = format!(
        "game = \"othello\"\nbots = [{{ file = \"./book.so\", payload = \"./book.txt\" }}, {random:?}]\nseed = \"cup\"\nopenings = \"none\"\n"
    );
    fs::write(folder.join("cup.toml"), cup).unwrap();
    arbiter(&folder, &["tournament", "--file", "cup.toml", "--output", "cup.json", "--quiet"]).expect(0);
    let report = json(folder.join("cup.json"));
    let players = report["plan"]["players"].as_array().unwrap();
    assert!(players.iter().any(|player| player["payload"]["name"] == "book.txt"), "{players:?}");
}

#[test]
fn an_interpreter_that_is_asked_leaves_nobody_behind() {
    let Some(folder) = folder_with("python-children", FIRST) else { return };
    let interpreter = folder.join("python3");
    let minutes = ten_minutes();
    script(&interpreter, &format!("#!/bin/sh\nsleep {minutes} > /dev/null 2>&1 &\nexit 1\n"));
    let run = arbiter(&folder, &["inspect", "./bot.py", "--python", interpreter.to_str().unwrap()]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert_eq!(sleepers(&minutes), 0, "a child of the interpreter outlives it");
}

/// A teacher types the recipe for a course as it stands: nobody may be left out without a word.
#[test]
fn the_recipe_for_a_course_takes_libraries_scripts_and_folders() {
    let Some(folder) = folder_with("python-course", FIRST) else { return };
    let bots = folder.join("course/bots");
    fs::create_dir_all(bots.join("ben")).unwrap();
    fs::copy(sample_bot("greedy"), bots.join("libgreedy.so")).unwrap();
    fs::write(bots.join("ana.py"), FIRST).unwrap();
    fs::write(bots.join("ben/bot.py"), FIRST.replace("First", "Ben").replace("moves[0]", "wrong")).unwrap();
    for block in &blocks("arbiter/RECIPES.md", "sh")[..2] {
        let said = shell(&folder, block).expect(0);
        let told: &[&str] = if block.contains("arbiter again") {
            &["panicked"]
        } else {
            &["Greedy", "First", "Ben", "30 games"]
        };
        assert!(told.iter().all(|word| said.contains(word)), "{block}\n{said}");
    }
}
