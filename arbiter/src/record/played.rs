//! A recorded ply, played again on a board.

use super::schema::PlyRecord;
use arbiter_rules::{Chance, Position};

/// Plays a recorded ply in the position that it was played in. Returns the cells that the piece went through, and what chance
/// did after it.
///
/// # Errors
/// A phrase that says what is wrong with the record.
pub fn play_recorded(position: &mut Position, ply: &PlyRecord) -> Result<(Vec<u16>, Chance), String> {
    let number = position.ply() + 1;
    let problem = |why: String| format!("move {number}, {}: {why}", ply.played);
    let choice = position.read_move(&ply.played).map_err(|why| problem(why.sentence))?;
    let mut chance = Chance::NONE;
    for (name, &tokens) in ply.earthquake.iter().flatten() {
        let cell = (0..position.shape().cells() as u16).find(|&cell| position.cell_name(cell) == *name);
        chance.fallen.push((cell.ok_or_else(|| format!("there is no cell {name}"))?, tokens));
    }
    chance.fallen.sort_unstable();
    position.judge_chance(choice.played, &chance).map_err(problem)?;
    let path = if choice.path.is_empty() { position.path(choice.played) } else { choice.path };
    position.play_legal(choice.played, &chance);
    Ok((path, chance))
}
