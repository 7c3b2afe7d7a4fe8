//! Every game there is.

use crate::game::{GameInfo, Setup, SetupError};
use crate::games;
use crate::position::Position;

/// All games, in the order in which they are listed to people.
pub static GAMES: &[&GameInfo] = &[&games::othello::INFO, &games::chinese_checkers::INFO];

/// The game with this name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static GameInfo> {
    GAMES.iter().copied().find(|info| info.id == name || info.aliases.contains(&name))
}

/// A position of the named game.
///
/// # Errors
/// An unknown game, an impossible option or number of players, a wrong position text.
pub fn start(name: &str, setup: &Setup<'_>) -> Result<Box<dyn Position>, SetupError> {
    let info = find(name).ok_or_else(|| SetupError::UnknownGame(unknown(name)))?;
    (info.start)(info, setup)
}

/// One sentence that names the known games and the nearest one.
fn unknown(name: &str) -> String {
    let known: Vec<_> = GAMES.iter().map(|info| info.id).collect();
    let names = GAMES.iter().flat_map(|info| std::iter::once(&info.id).chain(info.aliases));
    let nearest = names.map(|known| (distance(name, known), known)).min();
    let hint = match nearest {
        Some((typos, known)) if typos <= known.len() / 2 => format!(" (did you mean {known}?)"),
        _ => String::new(),
    };
    format!("there is no game '{}'{hint}; known games: {}", name.escape_debug(), known.join(", "))
}

/// How many letters must be changed, added or left out to turn one word into the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &b) in b.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
