//! What the five programs that arbiter replaces gave their users, line by line, each with what shows it now. A line
//! that no check shows is a loss.

use super::terminal::pty::{Setup, Terminal};
use crate::support::{arbiter, arbiter_reading, command, sample_bot, scratch};
use std::path::Path;

/// How a line is shown.
enum Shown {
    /// The program says these words, given arguments and input.
    Says(&'static [&'static str], &'static str, &'static [&'static str]),
    /// The screen shows these words, one after another, given arguments and the keys before each.
    Screen(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// Something that takes more than words.
    Check(fn(&Path)),
    /// A test of its own, by its name in this program or in the library.
    Test(&'static str),
}
use Shown::{Check, Says, Screen, Test};

/// The bot that stands in the arguments for its file.
const GREEDY: &str = "@greedy";

const HOT: &[&str] = &["human", "human", "--game"];

/// Number, what the user had, what shows it.
const TABLE: &[(u8, &str, Shown)] = &[
    (1, "a start menu", Screen(&[], &[("", "What shall be played?"), ("", "[Start]")])),
    (2, "protected typing", Check(long_lines_are_refused)),
    (
        3,
        "rules of every game",
        Test("positions::rules_list_every_game_and_explain_each_with_board_and_options"),
    ),
    (
        4,
        "another grid size",
        Says(&["position", "--game", "connect-four", "-O", "size=5x4"], "", &["1  2  3  4  5"]),
    ),
    (
        5,
        "the grid drawn at once, in plain characters",
        Says(&["position", "--game", "connect-four", "--ascii"], "", &[".  .  .  .  .  .  ."]),
    ),
    (
        6,
        "a sign for each player",
        Screen(&["--game", "connect-four"], &[("", "1 X Player 1"), ("", "2 O Player 2")]),
    ),
    (
        7,
        "the player chooses a column, the token falls",
        Says(&[HOT[0], HOT[1], HOT[2], "connect-four"], "4\nquit\n", &["move 1 4"]),
    ),
    (
        8,
        "a full column is said, and asked again",
        Says(
            &[HOT[0], HOT[1], HOT[2], "connect-four", "-O", "size=4x2"],
            "1\n1\n1\n2\nquit\n",
            &["Column 1 is full: choose another column.", "move 1 2"],
        ),
    ),
    (
        9,
        "two people take turns",
        Says(&[HOT[0], HOT[1], HOT[2], "othello"], "f5\nd6\nquit\n", &["move 1 f5", "move 2 d6"]),
    ),
    (
        10,
        "the winning line is told",
        Says(
            &[HOT[0], HOT[1], HOT[2], "connect-four", "--json"],
            "4\n1\n4\n1\n4\n1\n4\n",
            &["Player 1 wins: 4 in column 4."],
        ),
    ),
    (
        11,
        "a person against a machine",
        Says(&["human", GREEDY, "--game", "connect-four"], "4\nquit\n", &["move 1 4", "move 2 "]),
    ),
    (
        12,
        "the board of three by three",
        Says(&[HOT[0], HOT[1], HOT[2], "tic-tac-toe"], "board\nquit\n", &["board   1 . . ."]),
    ),
    (
        13,
        "moves as letter and number",
        Says(&[HOT[0], HOT[1], HOT[2], "tic-tac-toe"], "b2\nquit\n", &["move 1 b2"]),
    ),
    (
        14,
        "grid, column, row; without the grid where it is forced",
        Says(
            &[HOT[0], HOT[1], HOT[2], "ultimate"],
            "9 b 2\nb 2\n5a1\na1\nquit\n",
            &["move 1 9b2", "move 2 5b2", "move 1 5a1", "move 2 1a1"],
        ),
    ),
    (
        15,
        "nine grids and the main one",
        Says(&["position", "--game", "ultimate", "--ascii"], "", &["main grid", "+-------+-------+-------+"]),
    ),
    (
        16,
        "the prompt says which grid is forced",
        Screen(&["--game", "ultimate"], &[(" ", "You are sent to grid 1.")]),
    ),
    (
        17,
        "a taken cell is said, and asked again",
        Says(
            &[HOT[0], HOT[1], HOT[2], "tic-tac-toe"],
            "b2\nb2\na1\nquit\n",
            &["occupied: b2 is taken", "move 2 a1"],
        ),
    ),
    (
        18,
        "positions as text",
        Says(
            &["position", "--game", "ultimate", "--position", "6xoxOOOX2xo1ox1oXx2xo4oox4ox o"],
            "",
            &["6xoxOOOX2xo1ox1oXx2xo4oox4ox o"],
        ),
    ),
    (
        19,
        "the machine's move is told",
        Screen(&["human", GREEDY, "--game", "tic-tac-toe"], &[(" ", "Player 2 (Greedy) plays ")]),
    ),
    (
        20,
        "the winner is named with the reason",
        Says(&[HOT[0], HOT[1], HOT[2], "tic-tac-toe"], "a1\na2\nb1\nb2\nc1\n", &["end winner 1 reason line"]),
    ),
    (21, "a picture of the board", Test("pictures::a_won_small_grid_is_white_for_o_and_black_for_x")),
    (
        22,
        "a picture of the tree of decisions",
        Test("trees::the_whole_tree_of_a_lost_position_is_the_golden_file"),
    ),
    (
        23,
        "what the machine thought",
        Screen(
            &["human", GREEDY, "--game", "othello"],
            &[("td3\r", "Your move"), ("d", "Bot of player 2:"), ("", "depth 1  score")],
        ),
    ),
    (24, "where pictures go", Test("pictures::smpath_is_the_default_of_pictures_and_stands_in_the_help")),
    (25, "one position in, the best move out", Test("ask::the_best_move_stands_alone_on_standard_output")),
    (26, "clocks", Screen(&["--game", "othello", "--human-time", "5m+5s"], &[("", "5:00")])),
    (
        27,
        "discs counted, legal cells marked, turned discs told",
        Screen(
            &["--game", "othello"],
            &[("", "◆"), ("td3\r", "Player 1 plays d3, turning d4."), ("", "● 4 ○ 1")],
        ),
    ),
    (28, "who cannot move passes, and it is said", Check(a_pass_is_said)),
    (
        29,
        "size, variant and earthquake of stacks",
        Says(
            &["position", "--game", "stacks", "-O", "n=4", "-O", "variant=top", "-O", "earthquake=true"],
            "",
            &["seat 1 to move"],
        ),
    ),
    (
        30,
        "the board from above, the stack under the cursor beside it",
        Screen(
            &["--game", "stacks"],
            &[("p", "Player 2 (O) to move"), ("p", "Stack on a1:"), ("", "top [O]"), ("", "bottom [X]")],
        ),
    ),
    (31, "the cell under the cursor is ringed", Screen(&["--game", "stacks"], &[("", "┌       ┐")])),
    (
        32,
        "what collapsed is ringed, and said",
        Test("terminal::shows::a_replay_goes_back_and_forth_from_game_to_game_and_to_what_is_worth_seeing"),
    ),
    (
        33,
        "whose turn it is, under the board",
        Screen(&["--game", "stacks"], &[("", "Player 1 (X) to move.")]),
    ),
    (
        34,
        "i, j, k and l move the cursor",
        Screen(&["--game", "othello"], &[("lkk", "Cursor on b3"), ("ji", "Cursor on a2")]),
    ),
    (
        35,
        "p puts, r removes, q quits",
        Screen(
            &["--game", "stacks", "-O", "ko=false"],
            &[("p", "1. X +a1"), ("r", "2. O -a1"), ("q", "Leave?")],
        ),
    ),
    (
        36,
        "a wrong command is said",
        Screen(&["--game", "stacks"], &[("x", "No key does 'x' here. Press ? for the keys.")]),
    ),
    (37, "the screen follows every key", Check(only_what_changes_is_sent)),
    (38, "a win by the earthquake is told as one", Check(a_win_by_the_earthquake_is_said)),
    (
        39,
        "people fill the seats that bots leave",
        Says(&[GREEDY, "--game", "chinese-checkers", "--players", "3"], "quit\n", &["players 3 you 2,3"]),
    ),
    (
        40,
        "the same library twice",
        Says(&[GREEDY, GREEDY, "--game", "tic-tac-toe"], "", &["Greedy", "Greedy (2)"]),
    ),
    (
        41,
        "the star for two to six",
        Says(
            &["position", "--game", "chinese-checkers", "--players", "6"],
            "",
            &["5   5   5", "seat 1 to move"],
        ),
    ),
    (
        42,
        "chains of jumps, click by click",
        Test("terminal::games::every_game_is_played_to_its_end_by_mouse_alone"),
    ),
    (43, "names of players", Screen(&["--seat", "1=human:Ana", "--game", "othello"], &[("", "1 ● Ana")])),
    (
        44,
        "a colour for each branch",
        Test("ui::terminal::colours::tests::six_seats_can_be_told_apart_by_people_of_every_sight"),
    ),
    (45, "a demonstration", Says(&["demo", "--text"], "", &["game 1: ", "game 6: "])),
    (46, "no pictures to miss", Says(&["rules", "othello"], "", &["## The board at the start"])),
    (47, "errors of each player are counted", Test("terminal::agreed::every_error_of_a_bot_can_be_opened")),
    (48, "a blocked player passes", Check(a_pass_is_said)),
    (
        49,
        "which pieces must leave",
        Screen(
            &[
                "--game",
                "chinese-checkers",
                "--position",
                "D/DD/DDD/ADDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A",
            ],
            &[("", "Pieces marked ! must leave: "), ("", "▌!")],
        ),
    ),
    (
        50,
        "options of the star, shown with the board",
        Screen(&["--game", "chinese-checkers", "-O", "allow_return=false"], &[("", "allow return off")]),
    ),
    (
        51,
        "one may leave, and what ended is saved",
        Test("terminal::manners::leaving_one_of_three_games_says_how_many_are_saved"),
    ),
    (52, "what is saved", Test("verify::every_forgery_of_games_with_openings_lines_and_draws_is_found")),
];

fn long_lines_are_refused(folder: &Path) {
    let input = format!("{}\nquit\n", "a".repeat(5000));
    let out = arbiter_reading(folder, &[HOT, &["othello"]].concat(), &input).expect(0);
    assert!(out.contains("not-understood: Lines have at most 4096 bytes."), "{out}");
}

fn a_pass_is_said(folder: &Path) {
    let position = "OX------X------------------------------------------------------- O";
    let args = [HOT, &["othello", "--position", position]].concat();
    let out = arbiter_reading(folder, &args, "c1\nquit\n").expect(0);
    assert!(out.contains("pass 1 no-move: seat 1 has no legal move and passes."), "{out}");
    let terminal = Terminal::start(folder, &["--game", "othello", "--position", position], Setup::default());
    terminal.wait_for("to move.");
    terminal.keys("tc1\r");
    terminal.wait_for("Player 1 has no legal move and passes.");
}

fn only_what_changes_is_sent(folder: &Path) {
    let terminal = Terminal::start(folder, &["--game", "othello"], Setup::default());
    terminal.wait_for("Cursor on a1");
    let before = terminal.raw().len();
    terminal.keys("l");
    terminal.wait_for("Cursor on b1");
    let sent = terminal.raw().len() - before;
    assert!(sent < 400, "{sent} bytes for a cursor that moved by one cell");
}

fn a_win_by_the_earthquake_is_said(folder: &Path) {
    let bot = sample_bot("random");
    let args = [&bot, &bot, "--game", "stacks", "-O", "n=3", "-O", "variant=top", "-O", "earthquake=true"];
    let args = [&args[..], &["--games", "200", "--seed", "1", "--json"]].concat();
    let run = command(folder, &args).output().unwrap();
    let out = String::from_utf8(run.stdout).unwrap();
    if !out.contains("by the earthquake") {
        let known = arbiter(folder, &["rules", "stacks"]).out;
        panic!("no game was won by the earthquake: {}\n{known}", String::from_utf8_lossy(&run.stderr));
    }
}

/// The arguments with the files of the bots.
fn with_bots(args: &[&str]) -> Vec<String> {
    let file = |arg: &&str| match *arg {
        GREEDY => sample_bot("greedy"),
        other => other.to_owned(),
    };
    args.iter().map(file).collect()
}

/// What a text says, however it is spread over lines and columns.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether there is a test of this name: of this program, or of the library.
fn is_test(name: &str) -> bool {
    let (modules, test) = name.rsplit_once("::").expect("a test lies in a module");
    let file = format!("{}.rs", modules.trim_end_matches("::tests").replace("::", "/"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = ["tests/it", "src"].map(|folder| std::fs::read_to_string(root.join(folder).join(&file)));
    texts.into_iter().flatten().any(|text| {
        text.contains(&format!("#[test]\nfn {test}(")) || text.contains(&format!("    fn {test}("))
    })
}

#[test]
fn nothing_is_lost_that_the_older_programs_gave() {
    let folder = scratch("features");
    let numbers: Vec<u8> = TABLE.iter().map(|(number, ..)| *number).collect();
    assert_eq!(numbers, (1..=52).collect::<Vec<u8>>(), "a line is missing, or there twice");
    for (number, what, shown) in TABLE {
        match shown {
            Says(args, input, words) => {
                let run = arbiter_reading(&folder, &with_bots(args), input);
                for word in *words {
                    let is_said = run.out.contains(word) || flat(&run.out).contains(&flat(word));
                    assert!(is_said, "{number}, {what}: '{word}' is missing in\n{}{}", run.out, run.err);
                }
            }
            Screen(args, steps) => {
                let args = with_bots(args);
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let terminal = Terminal::start(&folder, &args, Setup::default());
                for (keys, words) in *steps {
                    if !keys.is_empty() {
                        terminal.wait("a question", |screen| {
                            let text = super::terminal::pty::contents(screen);
                            text.contains("[t Type]").then_some(())
                        });
                    }
                    terminal.keys(keys);
                    terminal.wait(&format!("{number}, {what}: {words}"), |screen| {
                        let text = super::terminal::pty::contents(screen);
                        (text.contains(words) || flat(&text).contains(words)).then_some(())
                    });
                }
            }
            Check(check) => check(&folder),
            Test(name) => assert!(is_test(name), "{number}, {what}: there is no test {name}"),
        }
    }
}
