//! Every game there is.

use crate::games;
use crate::info::{GameInfo, Setup, SetupError};
use crate::naming::{did_you_mean, shown};
use crate::position::Position;

/// All games, in the order in which they are listed to people.
pub static GAMES: &[&GameInfo] = &[
    &games::chinese_checkers::INFO,
    &games::othello::INFO,
    &games::connect_four::INFO,
    &games::tic_tac_toe::INFO,
    &games::ultimate::INFO,
    &games::stacks::INFO,
    &games::hex::INFO,
];

/// The game with this name or alias.
///
/// ```
/// use arbiter_rules::registry;
///
/// assert_eq!(registry::find("reversi").unwrap().id, "othello");
/// assert!(registry::find("chess").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static GameInfo> {
    GAMES.iter().copied().find(|info| info.id == name || info.aliases.contains(&name))
}

/// A position of the named game.
///
/// # Errors
/// An unknown game, an impossible option or number of players, a wrong position text.
///
/// ```
/// use arbiter_rules::{Setup, registry};
///
/// let board = "......./......./......./......./...o.../...x... x";
/// let position = registry::start("connect-four", &Setup { position: Some(board), ..Setup::default() }).unwrap();
/// assert_eq!(position.legal_count(), 7);
/// let error = registry::start("conect-four", &Setup::default()).unwrap_err();
/// assert!(error.to_string().contains("did you mean connect-four?"));
/// ```
pub fn start(name: &str, setup: &Setup<'_>) -> Result<Position, SetupError> {
    find(name).ok_or_else(|| SetupError::UnknownGame(unknown(name)))?.start(setup)
}

/// One sentence that names the known games and the nearest one.
fn unknown(name: &str) -> String {
    let known: Vec<_> = GAMES.iter().map(|info| info.id).collect();
    let names = GAMES.iter().flat_map(|info| std::iter::once(&info.id).chain(info.aliases));
    let hint = did_you_mean(name, names.copied());
    format!("there is no game '{}'{hint}; known games: {}", shown(name), known.join(", "))
}
