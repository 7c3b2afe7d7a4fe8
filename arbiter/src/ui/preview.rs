//! What a move would change, before it is made.

use super::words::turned;
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::{Chance, Position};

/// What the move that the cursor points at would change.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview {
    pub(crate) landing: Option<u16>,
    pub(crate) turned: Vec<u16>,
}

/// What would happen if the person picked this cell now.
pub(crate) fn preview(position: &Position, draft: &Draft, cell: u16) -> Preview {
    let Ok(DraftStep::Finished(choice)) = position.pick(draft, cell) else { return Preview::default() };
    let mut after = position.clone();
    if after.play(choice.played, &Chance::NONE).is_err() {
        return Preview::default();
    }
    let path = position.path(choice.played);
    Preview { landing: path.last().copied(), turned: turned(position, &after, &path) }
}
