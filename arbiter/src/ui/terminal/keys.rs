//! What keys mean, in a game and in a replay.

use super::board::Direction;
use crate::ui::After;
use crate::ui::terminal::screen::Button;
use arbiter_rules::draft::DraftAction;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Move(Direction),
    /// Pick the cell under the cursor, or pause a replay.
    Pick,
    PickCell(u16),
    /// Finish the move, or say yes.
    Finish,
    /// Take back the last part of the unfinished move.
    Undo,
    /// Press the action with this letter.
    Act(char),
    /// Put the piece down, or close what is open.
    Escape,
    /// Type a move, or a number to go to.
    Type,
    /// The next thing that can be picked, the next event worth seeing, the next game that is running.
    Next,
    Previous,
    Hints,
    Legal,
    /// What the bot says, on and off.
    Bot,
    /// What the strongest bot thinks, as a bar.
    Bar,
    /// What a strong bot would play.
    Advice,
    /// Which moves cost most.
    Review,
    Output,
    Errors,
    Coordinates,
    Turn,
    First,
    Last,
    /// Back to what was played before, while one plays too; so many moves, or lines of a page.
    Earlier,
    Later,
    /// Back to what is happening now.
    Live,
    Faster,
    Slower,
    Mouse,
    Save,
    Rules,
    Help,
    /// Give the game up.
    Resign,
    /// Play something else when this is over.
    After(After),
    Quit,
    /// Leave at once, when asked for twice.
    Interrupt,
    /// Stop the program for a while.
    Suspend,
    /// A letter, while something is typed.
    Letter(char),
    /// Take a letter back.
    Rub,
    /// Take a word back.
    RubWord,
    /// Take everything back that was typed.
    RubAll,
    /// The column, row or cell with this number.
    Digit(char),
    /// The text of the position, to be copied.
    Copy,
    /// A key that does nothing.
    Unknown(String),
}

/// What a key means while something is typed: letters are letters.
pub(super) fn while_typing(key: &KeyEvent) -> Option<Command> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        match key.code {
            KeyCode::Char('u') => return Some(Command::RubAll),
            KeyCode::Char('w') => return Some(Command::RubWord),
            _ => {}
        }
    }
    if let Some(command) = everywhere(key) {
        return Some(command);
    }
    Some(match key.code {
        KeyCode::Enter => Command::Finish,
        KeyCode::Esc => Command::Escape,
        KeyCode::Backspace => Command::Rub,
        KeyCode::Char(c) if !c.is_control() => Command::Letter(c),
        _ => return None,
    })
}

/// What a key means otherwise; nothing for a key that is let go.
pub(super) fn command(key: &KeyEvent) -> Option<Command> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if let Some(command) = everywhere(key) {
        return Some(command);
    }
    Some(match key.code {
        KeyCode::Up | KeyCode::Char('i') => Command::Move(Direction::Up),
        KeyCode::Down | KeyCode::Char('k') => Command::Move(Direction::Down),
        KeyCode::Left | KeyCode::Char('j') => Command::Move(Direction::Left),
        KeyCode::Right | KeyCode::Char('l') => Command::Move(Direction::Right),
        KeyCode::Char(' ') => Command::Pick,
        KeyCode::Char('p') => Command::Act('p'),
        KeyCode::Char('r') => Command::Act('r'),
        KeyCode::Char('s') => Command::Act('s'),
        KeyCode::Enter => Command::Finish,
        KeyCode::Backspace | KeyCode::Char('u') => Command::Undo,
        KeyCode::Esc => Command::Escape,
        KeyCode::Char('t') => Command::Type,
        KeyCode::Tab => Command::Next,
        KeyCode::BackTab => Command::Previous,
        KeyCode::Char('h') => Command::Hints,
        KeyCode::Char('L') => Command::Legal,
        KeyCode::Char('d') => Command::Bot,
        KeyCode::Char('b') => Command::Bar,
        KeyCode::Char('H') => Command::Advice,
        KeyCode::Char('v') => Command::Review,
        KeyCode::Char('o') => Command::Output,
        KeyCode::Char('e') => Command::Errors,
        KeyCode::Char('c') => Command::Coordinates,
        KeyCode::Char('f') => Command::Turn,
        KeyCode::Home => Command::First,
        KeyCode::End => Command::Last,
        KeyCode::PageUp => Command::Earlier,
        KeyCode::PageDown => Command::Later,
        KeyCode::Char('.') => Command::Live,
        KeyCode::Char('+' | '=') => Command::Faster,
        KeyCode::Char('-') => Command::Slower,
        KeyCode::Char('m') => Command::Mouse,
        KeyCode::Char('g') => Command::Save,
        KeyCode::F(1) => Command::Rules,
        KeyCode::Char('?') => Command::Help,
        KeyCode::Char('R') => Command::Resign,
        KeyCode::Char('a') => Command::After(After::Again),
        KeyCode::Char('w') => Command::After(After::Swapped),
        KeyCode::Char('n') => Command::After(After::Another),
        KeyCode::Char('q') => Command::Quit,
        KeyCode::Char('y') => Command::Copy,
        KeyCode::Char(c) if c.is_ascii_digit() => Command::Digit(c),
        KeyCode::Char(c) => Command::Unknown(c.escape_debug().to_string()),
        _ => return None,
    })
}

fn everywhere(key: &KeyEvent) -> Option<Command> {
    if !key.modifiers.contains(KeyModifiers::CONTROL) {
        return None;
    }
    match key.code {
        KeyCode::Char('c') => Some(Command::Interrupt),
        KeyCode::Char('z') => Some(Command::Suspend),
        KeyCode::Char(c) => Some(Command::Unknown(format!("Ctrl-{}", c.escape_debug()))),
        _ => None,
    }
}

/// What an unknown key does.
pub(super) fn no_such_key(key: &str) -> String {
    format!("No key does '{key}' here. Press ? for the keys.")
}

/// The buttons that help a person at the board, beside those of the move.
pub(super) fn standing_buttons() -> Vec<Button> {
    vec![
        Button::new("? Keys", Command::Help),
        Button::new("F1 Rules", Command::Rules),
        Button::new("q Quit", Command::Quit),
    ]
}

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
  h                    hints on and off
  H                    a strong bot's advice
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
