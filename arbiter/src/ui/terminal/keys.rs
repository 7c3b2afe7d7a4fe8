//! Keys, what can be clicked instead of them, and the page that names them.

use super::screen::Drawn;
use super::viewer::Mode;
use arbiter_rules::draft::DraftAction;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// Ctrl and a letter are the control character that a terminal sends for them.
pub(super) const CTRL_C: KeyCode = KeyCode::Char('\x03');
pub(super) const CTRL_U: KeyCode = KeyCode::Char('\x15');
pub(super) const CTRL_W: KeyCode = KeyCode::Char('\x17');
pub(super) const CTRL_Z: KeyCode = KeyCode::Char('\x1a');

/// The key of an event; none where one is let go.
pub(super) fn pressed(key: &KeyEvent) -> Option<KeyCode> {
    match key.code {
        _ if key.kind == KeyEventKind::Release => None,
        KeyCode::Char(c) if key.modifiers.contains(KeyModifiers::CONTROL) => {
            c.is_ascii_alphabetic().then_some(KeyCode::Char(char::from(c as u8 & 0x1f)))
        }
        key => Some(key),
    }
}

/// The key that a click or the wheel stands for: left presses buttons, right finishes, the wheel steps or leafs.
pub(super) fn clicked(event: &MouseEvent, drawn: &Drawn, mode: Mode, is_page: bool) -> Option<KeyCode> {
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => drawn.button_at(event.column, event.row),
        MouseEventKind::Down(MouseButton::Right) => Some(KeyCode::Enter),
        MouseEventKind::ScrollUp if is_page => Some(KeyCode::Up),
        MouseEventKind::ScrollDown if is_page => Some(KeyCode::Down),
        MouseEventKind::ScrollUp if mode == Mode::Play => Some(KeyCode::PageUp),
        MouseEventKind::ScrollDown if mode == Mode::Play => Some(KeyCode::PageDown),
        MouseEventKind::ScrollUp => Some(KeyCode::Left),
        MouseEventKind::ScrollDown => Some(KeyCode::Right),
        _ => None,
    }
}

/// The key that a button names with its first word.
pub(super) fn of_button(label: &str) -> KeyCode {
    match label.split(' ').next().unwrap_or_default() {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Space" => KeyCode::Char(' '),
        "Tab" => KeyCode::Tab,
        "Down" => KeyCode::Down,
        "F1" => KeyCode::F(1),
        "<" => KeyCode::Left,
        ">" => KeyCode::Right,
        letter => KeyCode::Char(letter.chars().next().unwrap_or(' ')),
    }
}

/// The letters beside each other that are arrows too, where none is typed.
pub(super) fn arrow(key: KeyCode) -> KeyCode {
    match key {
        KeyCode::Char('i') => KeyCode::Up,
        KeyCode::Char('k') => KeyCode::Down,
        KeyCode::Char('j') => KeyCode::Left,
        KeyCode::Char('l') => KeyCode::Right,
        key => key,
    }
}

pub(super) fn no_such_key(key: KeyCode) -> String {
    let name = match key {
        KeyCode::Char(c @ '\x01'..='\x1a') => format!("Ctrl-{}", char::from(c as u8 | 0x60)),
        KeyCode::Char(c) => c.escape_debug().to_string(),
        key => key.to_string(),
    };
    format!("No key does '{name}' here. Press ? for the keys.")
}

/// The buttons that help a person at the board, beside those of the move.
pub(super) const STANDING: [&str; 3] = ["? Keys", "F1 Rules", "q Quit"];

/// The page of keys: those that do something now. `actions` are what can be pressed beside the board.
pub(super) fn help(plays: bool, actions: &[DraftAction]) -> String {
    let line = |action: &DraftAction| {
        format!("  {:<21}{}\n", action.id.get(..1).unwrap_or(""), action.label.to_lowercase())
    };
    let actions: String = actions.iter().map(line).collect();
    if plays {
        format!("{CHOOSING}{actions}{PLAYING}{AFTERWARDS}{EVERYWHERE}{MARKS}")
    } else {
        format!("{LOOKING}{EVERYWHERE}{MARKS}")
    }
}

pub(super) const MENU: &str = "\
In this menu
  Up, Down             another line
  Left, Right, Space   another value; a click before or behind it does the same
  letters, digits      typed where a line takes them; Backspace rubs out
  Enter                play
  F1                   rules of the game
  Esc, q               leave

Games have keys of their own, which ? names there.
";

const CHOOSING: &str = "\
In this game
  arrows, or i j k l   move the cursor
  digits               go to a column, row or hole
  Tab, Shift+Tab       next, previous thing to pick
  Space, left click    pick; pick again to press the first button
  Enter, right click   finish the move, or play the cell under the cursor
";

const PLAYING: &str = "  u or Backspace       take back the last part of the move
  Esc                  put the piece down, close a panel
  t                    type a move; Ctrl-U and Ctrl-W rub it out
  h                    marks of what can be picked, on and off
  H                    a hint from a strong bot
  L                    list all legal moves
  PageUp, PageDown     look back, and on again; so does the wheel
  R                    resign
";

const AFTERWARDS: &str = "
After a game
  Left, Right          look at its moves
  a, w, n              play again, with seats swapped, another game
";

const LOOKING: &str = "\
In a replay or live view
  Left, Right          one move back and on
  Up, Down             previous and next game
  Home, End            first, last move
  PageUp, PageDown     ten moves back and on
  Space                play and pause
  .                    back to what is happening now
  + and -              faster and slower
  Tab, Shift+Tab       next, previous event
  t                    type a move number to go to
";

const EVERYWHERE: &str = "
Everywhere
  v                    after a game: the moves that cost most
  y                    copy the text of the position
  d                    what the bot thinks of its moves
  b                    a bar of what the strongest bot thinks
  o                    what bots print, with --show-output
  e                    errors of this game, one by one
  c                    names of rows, columns and cells on and off
  f                    turn the board
  m                    mouse on and off
  g                    save a picture as text
  F1                   rules of this game
  ?                    this page
  q, Ctrl-C            leave
  Ctrl-Z               stop for a while; fg comes back
";

const MARKS: &str = "
Marks
  [ ] cursor     ( ) chosen piece     < > last move
  { } winning    ' just turned        ~ would turn
  ! must leave   * has fallen
  a diamond or * in a cell: where you can go
";
