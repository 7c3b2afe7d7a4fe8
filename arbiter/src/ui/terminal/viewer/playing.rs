//! What commands do for somebody who plays.

use super::{Leaving, Question, Viewer};
use crate::player::{Refused, Touch};
use crate::ui::terminal::board::{Board, Direction};
use crate::ui::terminal::keys::{Command, no_such_key};

/// The message about keys that were pressed before the turn, shown once it has begun.
const EARLY: &str = "What you did before your turn began was not played.";

impl Viewer {
    /// What a command does for somebody who plays.
    pub(super) fn play(&mut self, command: &Command) {
        let is_over = self.story().is_some_and(|story| story.ended.is_some());
        match command {
            // A game that is over is looked at, and then perhaps played again.
            Command::Move(_) | Command::First | Command::Last | Command::Live if is_over => {
                self.step(command)
            }
            Command::After(after) if is_over && !self.has_more() => {
                (self.after, self.leaving) = (Some(*after), Leaving::Asked);
            }
            Command::Move(direction) => self.move_cursor(*direction),
            Command::Pick => self.pick(),
            Command::PickCell(cell) => {
                self.set_cursor(*cell);
                self.pick();
            }
            Command::Act(letter) => self.press(*letter),
            Command::Finish if is_over => self.next_game(),
            Command::Finish => self.touch(&Touch::Finish),
            Command::Undo => self.touch(&Touch::Back),
            Command::Escape => self.touch(&Touch::Clear),
            Command::Next => self.next_target(1),
            Command::Previous => self.next_target(-1),
            Command::Resign => {
                self.question = self.turn().map(|_| Question::Resign);
                self.alert = "Resign? The game is lost then. y/N".to_owned();
            }
            _ => self.alert = "That key is for replays and live views.".to_owned(),
        }
    }

    /// Picks the cell under the cursor, or presses the first action where it has been picked already.
    fn pick(&mut self) {
        let action = self.turn().and_then(|turn| {
            let is_picked = turn.draft.cells == [self.cursor];
            turn.view.actions.first().filter(|_| is_picked).copied()
        });
        match action {
            Some(action) => self.touch(&Touch::Act(action.id.to_owned())),
            None => self.touch(&Touch::Pick(self.cursor)),
        }
    }

    /// Presses the action with this letter, if need be on the cell under the cursor. Where the game has no such action, `p`
    /// picks.
    fn press(&mut self, letter: char) {
        let needs_no_pick = self
            .turn()
            .is_some_and(|turn| turn.draft.cells.last().is_none_or(|&picked| picked == self.cursor));
        let has_action = |viewer: &Viewer| {
            viewer.desk.as_ref().and_then(|desk| desk.turn()).and_then(|turn| turn.action(letter))
        };
        if !needs_no_pick || has_action(self).is_none() {
            let picks_first = letter == 'r' && self.turn().is_some_and(|turn| turn.draft.cells.len() <= 1);
            if letter != 'p' && !picks_first {
                self.alert = no_such_key(&letter.to_string());
                return;
            }
            self.touch(&Touch::Pick(self.cursor));
        }
        if let Some(action) = has_action(self) {
            self.touch(&Touch::Act(action.id.to_owned()));
        } else if letter != 'p' && self.alert.is_empty() {
            self.touch(&Touch::Clear);
            self.alert = no_such_key(&letter.to_string());
        }
    }

    /// Passes a touch on to the desk, and says why if nothing came of it.
    pub(super) fn touch(&mut self, touch: &Touch) {
        // What came before the turn was on the screen was not meant for it.
        let has_seen = |id| self.seen.is_some_and(|(seen, since)| seen == id && self.pressed >= since);
        let done = match (&self.desk, self.turn().map(|turn| turn.id)) {
            (Some(desk), Some(id)) if has_seen(id) => desk.touch(id, touch).map(|_| ()),
            (Some(_), Some(_)) => Err(Refused::stale()),
            _ => Err(self.why_not()),
        };
        if let Err(refused) = done {
            self.missed = matches!(refused.code, "stale" | "not-your-turn").then_some(EARLY);
            self.alert = refused.sentence;
        }
    }

    /// Why nothing can be touched now.
    pub(super) fn why_not(&self) -> Refused {
        let Some(story) = self.story() else { return Refused::stale() };
        match (&story.ended, story.asked) {
            (Some(ended), _) => Refused { code: "game-over", sentence: format!("The game is over. {ended}") },
            (None, Some(asked)) => Refused::not_your_turn(asked.seat),
            (None, None) => Refused::stale(),
        }
    }

    fn board(&self) -> Option<Board> {
        let story = self.story()?;
        let board = Board::of(&story.now().position.scene(self.look.charset));
        Some(board.turned(self.switches.turns))
    }

    fn set_cursor(&mut self, cell: u16) {
        let Some(board) = self.board() else { return };
        self.cursor = cell;
        self.wished = board.cells[usize::from(cell)].0;
    }

    fn move_cursor(&mut self, direction: Direction) {
        let Some(board) = self.board() else { return };
        if let Some(cell) = board.beside(self.cursor, direction, self.wished) {
            self.cursor = cell;
            if matches!(direction, Direction::Left | Direction::Right) {
                self.wished = board.cells[usize::from(cell)].0;
            }
        }
    }

    /// The next cell that can be picked, in the order in which one reads the board.
    fn next_target(&mut self, by: isize) {
        let (Some(board), Some(turn)) = (self.board(), self.turn()) else {
            self.alert = self.why_not().sentence;
            return;
        };
        let mut targets = turn.view.targets.clone();
        targets.sort_by_key(|&cell| {
            let (x, y) = board.cells[usize::from(cell)];
            (y, x)
        });
        if targets.is_empty() {
            return;
        }
        let here = targets.iter().position(|&cell| cell == self.cursor);
        let next = match here {
            Some(here) => (here as isize + by).rem_euclid(targets.len() as isize) as usize,
            None if by > 0 => 0,
            None => targets.len() - 1,
        };
        self.set_cursor(targets[next]);
    }

    fn next_game(&mut self) {
        let next = self.stories.keys().copied().find(|&game| game > self.shown);
        match next {
            Some(game) => {
                self.ply = None;
                self.show_game(game);
            }
            None if self.has_more() => self.message = "The next game has not begun yet.".to_owned(),
            None => self.leaving = Leaving::Asked,
        }
    }
}
