//! Pictures of positions: the files of `draw`, and those that matches and replays leave.

use crate::support::{arbiter, command, is_there, json, sample_bot, scratch};
use crate::support::{games, golden};
use arbiter::picture::{Format, PngError, png, render};
use arbiter_rules::registry::{self, GAMES};
use arbiter_rules::{Chance, Position, Random, Setup};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use tiny_skia::Pixmap;

/// A position of each game in its middle, with what it is called in the golden files.
const MIDDLES: &[(&str, &[&str])] = &[
    ("tic-tac-toe", &["--game", "tic-tac-toe", "--moves", "b2 a1 c1"]),
    ("ultimate", &["--game", "ultimate", "--position", "6xoxOOOX2xo1ox1oXx2xo4oox4ox o", "--last", "9c3"]),
    ("othello", &["--game", "othello", "--moves", "f5d6c3d3c4f4"]),
    ("connect-four", &["--game", "connect-four", "--moves", "4152637"]),
    ("stacks", &["--game", "stacks", "-O", "n=3", "--position", "x,oxo,-/-,xo,x/o,-,- x a3"]),
    ("hex", &["--game", "hex", "-O", "size=5", "--moves", "b4 swap c3 b3 c2 c4 d1 c1 b4 a5 b5"]),
    ("chinese-checkers", &["--game", "chinese-checkers", "--moves", "8-16"]),
];

fn drawn(folder: &Path, which: &[&str], file: &str) -> Vec<u8> {
    let run = arbiter(folder, &[&["draw"], which, &["-o", file]].concat());
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""), "{file}");
    fs::read(folder.join(file)).unwrap()
}

/// Positions of every game from the first to the last, by random moves: many early ones, few late ones.
fn moments(game: &str) -> Vec<Position> {
    let info = registry::find(game).unwrap();
    let mut moments = Vec::new();
    for &players in info.seats {
        let setup = Setup { players: Some(players), ..Setup::default() };
        let mut position = registry::start(game, &setup).unwrap();
        let mut random = Random::new(7);
        let (mut steps, mut next) = (0, 0);
        while position.end().is_none() {
            if steps == next {
                moments.push(position.clone());
                next = next * 4 + 5;
            }
            let m = position.nth_legal(random.bits() as usize % position.legal_count());
            position.play(m, &Chance::NONE).unwrap();
            steps += 1;
        }
        moments.push(position);
    }
    moments
}

#[test]
fn every_game_is_drawn_as_the_golden_files_show() {
    let folder = scratch("golden-pictures");
    let games: BTreeSet<&str> = MIDDLES.iter().map(|(game, _)| *game).collect();
    assert_eq!(games, GAMES.iter().map(|info| info.id).collect(), "a game has no golden picture");
    for (game, which) in MIDDLES {
        for format in ["svg", "dot"] {
            let file = format!("{game}.{format}");
            let text = String::from_utf8(drawn(&folder, which, &file)).unwrap();
            golden::compare(&format!("pictures/{file}"), &text);
        }
    }
}

#[test]
fn a_won_small_grid_is_white_for_o_and_black_for_x() {
    let folder = scratch("won-grids");
    let which = ["--game", "ultimate", "--position", "6xoxOOOX2xo1ox1oXx2xo4oox4ox o"];
    let text = String::from_utf8(drawn(&folder, &which, "u.dot")).unwrap();
    assert_eq!(text.matches("BGCOLOR=\"white\"").count(), 3, "{text}");
    assert_eq!(text.matches("BGCOLOR=\"black\"").count(), 2, "{text}");
}

#[test]
fn a_png_shows_the_same_as_the_svg() {
    let folder = scratch("png-pixels");
    let pixels = |which: &[&str], file: &str| {
        Pixmap::decode_png(&drawn(&folder, which, file)).expect("the file is a PNG")
    };
    let colour_at = |pixels: &Pixmap, x: u32, y: u32| {
        let pixel = pixels.pixel(x, y).unwrap();
        (pixel.red(), pixel.green(), pixel.blue())
    };
    // The margin is white, the opening of an empty cell light, and a disc has the colour of its seat.
    let which = ["--game", "connect-four", "--moves", "11"];
    let board = pixels(&which, "c.png");
    assert_eq!((colour_at(&board, 1, 1), board.width()), ((255, 255, 255), 2 * 382));
    let text = String::from_utf8(drawn(&folder, &which, "c.svg")).unwrap();
    let disc = |colour: &str| {
        let line = text.lines().find(|line| line.contains(&format!("fill=\"{colour}\""))).expect("a disc");
        let number = |name: &str| {
            let value = line.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap();
            value.parse::<f32>().unwrap()
        };
        // Beside the sign in its middle; a unit has two pixels.
        (2 * (number("cx") as u32 - 12), 2 * number("cy") as u32)
    };
    let (blue, amber) = (disc("#0059a6"), disc("#e69f00"));
    assert_eq!(colour_at(&board, blue.0, blue.1), (0x00, 0x59, 0xa6));
    assert_eq!(colour_at(&board, amber.0, amber.1), (0xe6, 0x9f, 0x00));
}

#[test]
fn every_moment_of_every_game_becomes_a_picture_of_every_kind() {
    for info in GAMES {
        for position in moments(info.id) {
            for format in Format::ALL {
                let bytes = render(&position, &[], format, 0.2).unwrap();
                assert!(bytes.len() > 300, "{position:?} as {}", format.ending());
            }
            let svg = String::from_utf8(render(&position, &[], Format::Svg, 1.0).unwrap()).unwrap();
            assert!(!svg.contains("<text") && !svg.contains("font"), "no fonts are needed: {position:?}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{position:?}");
        }
    }
}

#[test]
fn graphviz_draws_every_dot_file() {
    if !is_there("dot") {
        return;
    }
    let folder = scratch("graphviz");
    for info in GAMES {
        for (number, position) in moments(info.id).iter().enumerate() {
            let file = folder.join(format!("{}-{number}.dot", info.id));
            fs::write(&file, render(position, &[], Format::Dot, 1.0).unwrap()).unwrap();
            let run = Command::new("dot").arg("-Tsvg").arg(&file).output().unwrap();
            let told = String::from_utf8_lossy(&run.stderr);
            assert!(run.status.success() && told.is_empty(), "{}: {told}", file.display());
        }
    }
}

#[test]
fn matches_and_replays_leave_a_picture_after_every_move() {
    let folder = scratch("pictures-of-a-match");
    let (random, greedy) = (sample_bot("random"), sample_bot("greedy"));
    let play = [&random, &greedy, "--game", "tic-tac-toe", "--games", "2", "--output", "m.json", "--quiet"];
    arbiter(&folder, &[&play[..], &["--pictures", "live"]].concat()).expect(0);
    let names = |name: &str| -> Vec<String> {
        let entries = fs::read_dir(folder.join(name)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let report = json(folder.join("m.json"));
    let mut expected = Vec::new();
    for game in games(&report) {
        let plies = game["plies"].as_array().unwrap().len();
        expected.extend(
            (0..=plies).map(|ply| format!("game-{:0>4}-ply-{ply:04}.svg", game["number"].to_string())),
        );
    }
    assert_eq!(names("live"), expected);
    // The replay draws the same pictures, wherever it is told to.
    let mut by_variable = command(&folder, &["replay", "m.json"]);
    assert!(by_variable.env("SMPATH", "again").output().unwrap().status.success());
    for name in names("again") {
        let read = |place: &str| fs::read_to_string(folder.join(place).join(&name)).unwrap();
        assert!(read("again") == read("live"), "{name}");
    }
    assert_eq!(names("again"), expected);
    let one = ["replay", "m.json", "--game-number", "2", "--ply", "3", "--pictures", "one"];
    arbiter(&folder, &[&one[..], &["--picture-format", "png"]].concat()).expect(0);
    assert_eq!(names("one"), ["game-0002-ply-0003.png"]);
}

#[test]
fn smpath_is_the_default_of_pictures_and_stands_in_the_help() {
    let folder = scratch("smpath");
    let bot = sample_bot("random");
    let ask = ["ask", &bot, "--game", "othello"];
    assert!(command(&folder, &ask).env("SMPATH", "here").output().unwrap().status.success());
    assert_eq!(fs::read_dir(folder.join("here")).unwrap().count(), 2, "before and after the answer");
    let named = [&ask[..], &["--pictures", "there"]].concat();
    assert!(command(&folder, &named).env("SMPATH", "unused").output().unwrap().status.success());
    assert!(folder.join("there").exists() && !folder.join("unused").exists());
    for verb in [&["--help"][..], &["ask", "--help"], &["replay", "--help"]] {
        let help = arbiter(&folder, verb).expect(0);
        assert!(help.contains("SMPATH"), "{verb:?}: {help}");
    }
}

#[test]
fn pictures_that_cannot_be_written_have_their_exit_code() {
    let folder = scratch("no-pictures");
    fs::write(folder.join("file"), "").unwrap();
    let bot = sample_bot("random");
    let cases: &[(&[&str], i32, &str)] = &[
        (&["draw", "--game", "othello", "-o", "x.gif"], 2, "a file that ends in .svg, .png, .dot"),
        (&["draw", "--game", "othello", "-o", "x"], 2, "the ending of x says no format"),
        (&["draw", "--game", "othello", "-o", "missing/x.svg"], 4, "cannot write the picture missing/x.svg"),
        (&["draw", "--game", "othello", "--position", "?", "-o", "x.svg"], 2, "arbiter rules othello"),
        (&["draw", "--game", "othello", "--last", "a1", "-o", "x.svg"], 2, "there is no piece on a1"),
        (
            &[&bot, &bot, "--game", "othello", "--pictures", "file"],
            4,
            "cannot make the folder file for pictures",
        ),
    ];
    for (arguments, code, words) in cases {
        let run = arbiter(&folder, arguments);
        assert_eq!(run.code, *code, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    let huge =
        arbiter::picture::Picture { width: 1e6, height: 10.0, title: String::new(), shapes: Vec::new() };
    assert!(matches!(png(&huge, 1.0), Err(PngError::TooLarge { .. })));
}

/// A folder that goes away while games are played: they go on, and the exit code says that pictures are missing.
#[test]
fn a_match_goes_on_without_its_pictures() {
    let folder = scratch("pictures-gone");
    let bot = sample_bot("random");
    // A folder of that name takes the place of the first picture.
    fs::create_dir_all(folder.join("p/game-0001-ply-0003.svg")).unwrap();
    arbiter(
        &folder,
        &[&bot, &bot, "--game", "tic-tac-toe", "--pictures", "p", "--output", "m.json", "--quiet"],
    )
    .says(4, "cannot write the picture p/game-0001-ply-0003.svg");
    assert!(folder.join("m.json").exists() && folder.join("p/game-0001-ply-0004.svg").exists());
}
