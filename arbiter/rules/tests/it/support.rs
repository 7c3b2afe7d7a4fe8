//! What the tests share.

use arbiter_rules::{Chance, Move, MoveList, Position, Random, Setup, SetupError, registry};
use std::path::{Path, PathBuf};

/// Options as tests write them.
pub(crate) type Given<'a> = [(&'a str, &'a str)];

/// The folder with the tests and their data.
pub(crate) fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The start of a game.
pub(crate) fn start(game: &str, options: &Given<'_>) -> Position {
    let setup = Setup { options, ..Setup::default() };
    registry::start(game, &setup).unwrap_or_else(|error| panic!("{game} {options:?}: {error}"))
}

/// What comes of reading a position.
pub(crate) fn try_read(game: &str, options: &Given<'_>, text: &str) -> Result<Position, SetupError> {
    registry::start(game, &Setup { options, position: Some(text), ..Setup::default() })
}

/// A position that must be readable.
pub(crate) fn read(game: &str, options: &Given<'_>, text: &str) -> Position {
    try_read(game, options, text).unwrap_or_else(|error| panic!("{game} {options:?} {text}: {error}"))
}

/// Why a position is refused.
pub(crate) fn read_error(game: &str, options: &Given<'_>, text: &str) -> String {
    match try_read(game, options, text) {
        Ok(position) => panic!("{game} should refuse {text}, but reads {position:?}"),
        Err(error) => error.to_string(),
    }
}

/// Why options are refused.
pub(crate) fn option_error(game: &str, options: &Given<'_>) -> String {
    match registry::start(game, &Setup { options, ..Setup::default() }) {
        Ok(position) => panic!("{game} should refuse {options:?}, but starts {position:?}"),
        Err(error) => {
            assert_eq!(error.code(), "bad-option");
            error.to_string()
        }
    }
}

/// Plays a list of moves, without chance.
pub(crate) fn play(position: &mut Position, moves: &str) {
    for text in position.split_moves(moves) {
        let choice = position.read_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(choice.played, &Chance::NONE).expect("a move that has been read is legal");
    }
}

/// The start of a game, some moves later.
pub(crate) fn after(game: &str, options: &Given<'_>, moves: &str) -> Position {
    let mut position = start(game, options);
    play(&mut position, moves);
    position
}

/// The legal moves in their order.
pub(crate) fn legal(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.to_vec()
}

/// The legal moves in notation, in their order.
pub(crate) fn legal_texts(position: &Position) -> Vec<String> {
    legal(position).into_iter().map(|m| position.move_text(m)).collect()
}

/// The reason and sentence of a refusal, as `code: sentence`.
pub(crate) fn refusal(position: &Position, text: &str) -> String {
    match position.read_move(text) {
        Ok(choice) => panic!("{text} should be refused, but is {:?}", choice.played),
        Err(error) => error.to_string(),
    }
}

/// How a game ended: reason and winner, counted from 1; 0 for a draw.
pub(crate) fn ending(position: &Position) -> (&'static str, usize) {
    let end = position.end().unwrap_or_else(|| panic!("the game should be over: {position:?}"));
    (end.reason.code(), end.outcome.winner().map_or(0, |seat| seat.index() + 1))
}

/// A legal move at random.
pub(crate) fn random_move(position: &Position, random: &mut Random) -> Move {
    position.nth_legal(random.below(position.legal_count()))
}

/// One of the values.
pub(crate) fn pick<'a, T>(values: &'a [T], random: &mut Random) -> &'a T {
    &values[random.below(values.len())]
}

/// Games with option sets that lead into all their corners, each with its seats and the most moves a game can have.
pub(crate) struct Case {
    pub(crate) game: &'static str,
    pub(crate) players: Option<usize>,
    pub(crate) options: Vec<(&'static str, &'static str)>,
    pub(crate) longest: u32,
}

impl Case {
    pub(crate) fn start(&self) -> Position {
        let setup = Setup { players: self.players, options: &self.options, position: None };
        registry::start(self.game, &setup).unwrap_or_else(|error| panic!("{self}: {error}"))
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.game)?;
        self.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))?;
        self.players.map_or(Ok(()), |players| write!(f, " with {players} players"))
    }
}

/// The cases of every registered game.
pub(crate) fn cases() -> Vec<Case> {
    registry::GAMES.iter().flat_map(|info| cases_of(info.id)).collect()
}

/// Options by blanks, `name=value`, and the most moves.
fn cases_of(game: &'static str) -> Vec<Case> {
    let list: &[(&str, u32)] = match game {
        "othello" => &[("", 120)],
        "connect-four" => &[
            ("", 42),
            ("size=1x1", 1),
            ("size=1x20 connect=5", 20),
            ("size=20x1 connect=3", 20),
            ("size=5x4", 20),
            ("size=9x9 connect=5", 81),
            ("size=10x8", 80),
            ("size=20x20 connect=6", 400),
        ],
        "hex" => &[
            ("", 122),
            ("size=1", 1),
            ("size=2", 5),
            ("size=3", 10),
            ("size=5 swap=false", 25),
            ("size=19", 362),
        ],
        "tic-tac-toe" => &[("", 9), ("first=o", 9)],
        "ultimate" => &[("", 81), ("first=o", 81), ("tie_break=boards", 81)],
        "stacks" => &[
            ("", 320),
            ("n=3 variant=top repetition=2", 180),
            ("n=3 variant=top earthquake=true", 180),
            ("n=3 removal=own max_turns=40", 40),
            ("n=4 earthquake=true removal=own max_turns=60", 60),
            ("n=4 variant=top removal=off max_turns=50", 50),
            ("n=3 ko=false max_turns=30", 30),
            ("n=9 variant=top earthquake=true max_turns=120", 120),
        ],
        "chinese-checkers" => return chinese_checkers(),
        other => panic!("{other} needs option sets here"),
    };
    list.iter().map(|&(options, longest)| case(game, None, options, longest)).collect()
}

fn chinese_checkers() -> Vec<Case> {
    let options =
        ["max_rounds=20", "allow_return=false max_rounds=20", "no_blocking=false max_rounds=15 win=filled"];
    let seats = [2, 3, 4, 6].into_iter();
    let with = |players: usize| {
        options.map(|options| case("chinese-checkers", Some(players), options, 20 * players as u32))
    };
    seats.flat_map(with).collect()
}

fn case(game: &'static str, players: Option<usize>, options: &'static str, longest: u32) -> Case {
    let options = options.split_whitespace().filter_map(|option| option.split_once('=')).collect();
    Case { game, players, options, longest }
}
