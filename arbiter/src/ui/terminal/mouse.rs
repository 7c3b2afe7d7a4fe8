//! What clicks mean.

use super::board::Direction;
use super::keys::Command;
use super::screen::Drawn;
use super::viewer::Mode;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

/// What a click at a place of the screen means: left picks or presses, right finishes, the wheel steps or leafs.
pub(super) fn command(event: &MouseEvent, drawn: &Drawn, mode: Mode, is_page: bool) -> Option<Command> {
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            let button = drawn.button_at(event.column, event.row).cloned();
            let is_board = mode == Mode::Play && !is_page;
            button.or_else(|| {
                drawn.cell_at(event.column, event.row).filter(|_| is_board).map(Command::PickCell)
            })
        }
        MouseEventKind::Down(MouseButton::Right) => Some(Command::Finish),
        MouseEventKind::ScrollUp if is_page => Some(Command::Move(Direction::Up)),
        MouseEventKind::ScrollDown if is_page => Some(Command::Move(Direction::Down)),
        MouseEventKind::ScrollUp if mode == Mode::Play => Some(Command::Earlier),
        MouseEventKind::ScrollDown if mode == Mode::Play => Some(Command::Later),
        MouseEventKind::ScrollUp => Some(Command::Move(Direction::Left)),
        MouseEventKind::ScrollDown => Some(Command::Move(Direction::Right)),
        _ => None,
    }
}
