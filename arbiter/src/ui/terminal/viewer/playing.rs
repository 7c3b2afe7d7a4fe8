//! What commands do for somebody who plays.

use super::{Leaving, Question, Viewer};
use crate::player::{Refused, Touch};
use crate::ui::terminal::board::{Board, Direction};
use crate::ui::terminal::keys::{Command, no_such_key};
use arbiter_rules::Seat;
use arbiter_rules::draft::{DraftAction, DraftStep};

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
            Command::Earlier | Command::Later if !is_over => {
                self.step_by(if *command == Command::Earlier { -1 } else { 1 });
                self.ply = self.ply.filter(|&ply| ply < self.newest());
            }
            // Any other key comes back from an earlier picture.
            _ if !is_over && self.ply.take().is_some() => {}
            Command::Earlier | Command::Later => self.step(command),
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
            Command::Finish => self.finish(),
            Command::Digit(digit) => self.go_to_number(*digit),
            Command::Undo => self.touch(&Touch::Back),
            Command::Escape => self.touch(&Touch::Clear),
            Command::Next => self.next_target(1),
            Command::Previous => self.next_target(-1),
            Command::Resign if self.turn().is_none() => self.alert = self.why_not().sentence,
            Command::Resign => {
                self.question = Some(Question::Resign);
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

    /// Finishes the move; where it is not ready for that, the cell under the cursor is picked, which is a whole move in most
    /// games.
    fn finish(&mut self) {
        let is_ready = self.turn().is_some_and(|turn| {
            turn.view.can_finish
                || turn.draft.cells.last() == Some(&self.cursor) && turn.view.actions.is_empty()
        });
        if is_ready { self.touch(&Touch::Finish) } else { self.pick() }
    }

    /// What can be pressed beside the board now, or once the cell under the cursor is picked.
    pub(super) fn actions(&self) -> Vec<DraftAction> {
        let Some((turn, story)) = self.turn().zip(self.story()) else { return Vec::new() };
        let position = &story.now().position;
        match position.pick(&turn.draft, self.cursor) {
            Ok(DraftStep::Unfinished(picked)) if turn.view.actions.is_empty() => {
                position.draft_view(&picked).actions
            }
            _ => turn.view.actions.clone(),
        }
    }

    /// What Enter does now, in a word; nothing where it is refused.
    pub(super) fn what_enter_does(&self) -> Option<&'static str> {
        let (turn, story) = self.turn().zip(self.story())?;
        if turn.view.can_finish {
            return Some("Finish");
        }
        if turn.draft.cells == [self.cursor] {
            return turn.view.actions.first().map(|action| action.label);
        }
        match story.now().position.pick(&turn.draft, self.cursor) {
            Ok(DraftStep::Finished(_)) => Some("Play"),
            Ok(DraftStep::Unfinished(_)) => Some("Choose"),
            Err(_) => None,
        }
    }

    /// Presses the action with this letter, if need be on the cell under the cursor; the rules say why where they refuse it. In a
    /// game without such an action, `p` picks.
    fn press(&mut self, letter: char) {
        let Some((turn, story)) = self.turn().zip(self.story()) else {
            self.alert = self.why_not().sentence;
            return;
        };
        let known = story.now().position.actions().iter().find(|action| action.id.starts_with(letter));
        let is_picked = turn.draft.cells.last().is_none_or(|&picked| picked == self.cursor);
        let is_ready = is_picked && turn.action(letter).is_some() || turn.draft.cells == [self.cursor];
        let Some(action) = known else {
            if letter == 'p' {
                self.touch(&Touch::Pick(self.cursor))
            } else {
                self.alert = no_such_key(&letter.to_string())
            }
            return;
        };
        let picks = !is_ready
            && story
                .now()
                .position
                .pick(&turn.draft, self.cursor)
                .is_ok_and(|step| matches!(step, DraftStep::Unfinished(_)));
        if picks {
            self.touch(&Touch::Pick(self.cursor));
        }
        if self.alert.is_empty() {
            self.touch(&Touch::Act(action.id.to_owned()));
        }
    }

    /// Moves the cursor to the row, column or cell that bears this number, or the number that this digit makes with those before.
    fn go_to_number(&mut self, digit: char) {
        let Some((board, story)) = self.board().zip(self.story()) else { return };
        let position = &story.now().position;
        let find = |number: &str| board.numbered(self.cursor, number, |cell| position.cell_name(cell));
        let longer = format!("{}{digit}", self.number);
        let found = [longer, digit.to_string()].into_iter().find_map(|number| Some((find(&number)?, number)));
        match found {
            Some((cell, number)) => {
                self.number = number;
                self.set_cursor(cell);
            }
            None => {
                self.alert = format!("Nothing on this board is numbered {digit} alone. Type a move with t.")
            }
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
        // A bot that is still getting ready has not been asked.
        let is_bots = |seat: &Seat| !story.seats[seat.index()].is_person;
        let asked = story.asked.map(|asked| asked.seat);
        match (&story.ended, asked.or(story.now().position.to_move().filter(is_bots))) {
            (Some(ended), _) => Refused { code: "game-over", sentence: format!("The game is over. {ended}") },
            (None, Some(seat)) => Refused::not_your_turn(seat),
            (None, None) => Refused::stale(),
        }
    }

    /// The board that is on the screen.
    fn board(&self) -> Option<&Board> {
        self.drawn.board.as_ref().map(|(board, _)| board)
    }

    fn set_cursor(&mut self, cell: u16) {
        let Some(wished) = self.board().map(|board| board.cells[usize::from(cell)].0) else { return };
        (self.cursor, self.wished) = (cell, wished);
    }

    fn move_cursor(&mut self, direction: Direction) {
        let next = self.board().and_then(|board| board.beside(self.cursor, direction, self.wished));
        match (next, direction) {
            (Some(cell), Direction::Left | Direction::Right) => self.set_cursor(cell),
            (Some(cell), Direction::Up | Direction::Down) => self.cursor = cell,
            (None, _) => {}
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
