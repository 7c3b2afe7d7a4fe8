//! What happened, in sentences for people. Names are harmless here already.

use super::log::{Moved, Sitter};
use crate::verdict::{Abandoned, Adjudication, ChosenBy, Ending};
use arbiter_rules::draw::Charset;
use arbiter_rules::options::told;
use arbiter_rules::{EndReason, MoveList, Position, Seat};
use unicode_width::UnicodeWidthStr;

/// How sentences call a player: `Player 2 (greedy)`.
pub(super) fn who(seat: Seat, seats: &[Sitter]) -> String {
    match seats.get(seat.index()) {
        Some(Sitter { name, .. }) if name != "human" && *name != format!("Player {seat}") => {
            format!("Player {seat} ({name})")
        }
        _ => format!("Player {seat}"),
    }
}

/// The same with the sign that is played with, where it says more than the number.
pub(super) fn who_is_what(seat: Seat, position: &Position, seats: &[Sitter], charset: Charset) -> String {
    let (who, sign) = (who(seat, seats), position.sign(seat.index(), charset).to_string());
    if sign == seat.to_string() { who } else { format!("{who} plays {sign}") }
}

/// One or two sentences about a move: who played what, which cells turned over, what fell.
pub(super) fn moved(moved: &Moved, turned: &[u16], seats: &[Sitter]) -> Vec<String> {
    let who = who(moved.seat, seats);
    let name = |cell: u16| moved.position.cell_name(cell);
    let played = match moved.by {
        ChosenBy::Rules => format!("{who} has no legal move and passes."),
        ChosenBy::Opening => format!("{who} opens with {}.", moved.text),
        ChosenBy::Player if turned.is_empty() => format!("{who} plays {}.", moved.text),
        ChosenBy::Player => {
            let turned: Vec<_> = turned.iter().map(|&cell| name(cell)).collect();
            format!("{who} plays {}, turning {}.", moved.text, turned.join(" "))
        }
    };
    let fallen = (!moved.chance.is_empty()).then(|| {
        let fallen = moved.chance.fallen.iter().map(|&(cell, tokens)| {
            format!("{} lost {tokens} token{}", name(cell), if tokens == 1 { "" } else { "s" })
        });
        format!("Earthquake: {}.", fallen.collect::<Vec<_>>().join(", "))
    });
    [played].into_iter().chain(fallen).collect()
}

/// The cells whose piece a move has turned over, in games in which that happens.
pub(super) fn turned(before: &Position, after: &Position, path: &[u16]) -> Vec<u16> {
    if !before.turns_pieces() {
        return Vec::new();
    }
    let (old, new) = (before.cells(), after.cells());
    let is_turned = |cell: &u16| {
        let (old, new) = (old[usize::from(*cell)], new[usize::from(*cell)]);
        old != 0 && new != 0 && old != new && !path.contains(cell)
    };
    (0..new.len() as u16).filter(is_turned).collect()
}

/// The options of a game, such as `removal off`, first those that are not at their defaults: there may be little room.
pub(super) fn options(position: &Position) -> Vec<String> {
    let is_default = |name: &str, value: &str| {
        let option = position.info().options.iter().find(|option| option.name == name);
        option.is_none_or(|option| option.is_default(value))
    };
    let mut options: Vec<(bool, String)> = position
        .options()
        .iter()
        .map(|(name, value)| (is_default(name, &value.to_string()), told(name, &value.to_string())))
        .collect();
    options.sort_by_key(|(is_default, _)| *is_default);
    options.into_iter().map(|(_, text)| text).collect()
}

pub(crate) fn legal(position: &Position) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().map(|&m| position.move_text(m)).collect()
}

/// What the next turn is about, in a line; whose it is, is said elsewhere.
pub(crate) fn prompt(position: &Position) -> String {
    let lines = if position.end().is_none() { position.prompt() } else { Vec::new() };
    lines.iter().map(|line| line.trim()).filter(|line| !is_whose_turn(line)).collect::<Vec<_>>().join(" ")
}

/// The rules of a game with every option, and first what the options are in this game.
pub(crate) fn rules_page(position: &Position) -> String {
    let (info, options) = (position.info(), options(position));
    let here =
        if options.is_empty() { String::new() } else { format!("In this game: {}.\n\n", options.join(", ")) };
    format!("{here}{}\n{}", info.page, info.options_page())
}

/// A text with its tables as people read them: columns under each other, without the marks of Markdown.
pub(crate) fn with_tables(text: &str) -> String {
    let is_row = |line: &&str| line.starts_with('|');
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = String::new();
    for part in lines.chunk_by(|one, two| is_row(one) == is_row(two)) {
        if !is_row(&part[0]) {
            part.iter().for_each(|line| shown.push_str(&format!("{line}\n")));
            continue;
        }
        let is_rule = |cell: &&str| !cell.is_empty() && cell.chars().all(|c| c == '-' || c == ':');
        let rows = part.iter().map(|line| cells(line)).filter(|row| !row.iter().all(is_rule));
        let rows: Vec<Vec<&str>> = rows.collect();
        let width = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.width())).max();
        let widths: Vec<usize> = (0..).map_while(width).collect();
        for row in &rows {
            let gap = |(cell, width): (&&str, &usize)| " ".repeat(width + 3 - cell.width());
            let cells = row.iter().zip(&widths).map(|both| both.0.to_string() + &gap(both));
            shown.push_str(&format!("    {}\n", cells.collect::<String>().trim_end()));
        }
    }
    shown
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// The seat of the person who plays, if there is exactly one.
pub(super) fn only_person(seats: &[Sitter]) -> Option<Seat> {
    let mut people = Seat::all(seats.len()).filter(|seat| seats[seat.index()].is_person);
    people.next().filter(|_| people.next().is_none())
}

/// How a game ended, in one sentence, for whoever sits on the `reader`'s seat or for everybody.
pub(crate) fn ended(ending: &Ending, position: &Position, seats: &[Sitter], reader: Option<Seat>) -> String {
    let winner = ending.outcome().and_then(|outcome| outcome.winner());
    let result = match (winner, ending.outcome()) {
        (Some(seat), _) if reader == Some(seat) => "You win".to_owned(),
        (Some(_), _) if reader.is_some_and(|_| seats.len() == 2) => "You lose".to_owned(),
        (Some(seat), _) => format!("{} wins", who(seat, seats)),
        (None, Some(_)) => "The game is drawn".to_owned(),
        (None, None) => "The game was broken off".to_owned(),
    };
    let why = match ending {
        Ending::ByRules(end) => reason(end.reason, position),
        Ending::Forfeit { seat, fault, .. } => {
            format!("player {seat} {}", crate::sanitize::sanitize(&fault.sentence()))
        }
        Ending::Adjudicated { by, .. } => match by {
            Adjudication::MaxPlies(plies) => format!("{plies} plies have been played"),
            Adjudication::Score(plies) => format!("{plies} plies have been played, and the score counts"),
            Adjudication::Repetition(times) => format!("the position has occurred {times} times"),
            Adjudication::AgreedWin(plies) => format!("both players have said so for {plies} plies"),
            Adjudication::AgreedDraw(plies) => {
                format!("both players have said for {plies} plies that neither wins")
            }
        },
        Ending::Abandoned(Abandoned::Interrupted) => "somebody stopped it".to_owned(),
        Ending::Abandoned(Abandoned::Machine { seat, failure }) => {
            format!("player {seat} {}", crate::sanitize::sanitize(&failure.sentence()))
        }
    };
    format!("{result}: {why}.")
}

fn reason(reason: EndReason, position: &Position) -> String {
    let cells = position.winning_cells();
    let line = position.line_name(&cells);
    let counts = || match position.scores().first() {
        Some(score) => {
            let numbers: Vec<_> = score.by_seat.iter().map(i64::to_string).collect();
            format!(", {} {}", numbers.join(" to "), score.name)
        }
        None => String::new(),
    };
    match reason {
        EndReason::Line => line,
        EndReason::Connected => match cells.len() {
            1 => "the sides are connected".to_owned(),
            length => format!("the sides are connected by {length} stones"),
        },
        EndReason::Full => format!("the board is full{}", counts()),
        EndReason::Wipeout => format!("one side has nothing left{}", counts()),
        EndReason::NoMoves => format!("neither side can move{}", counts()),
        EndReason::AllBoardsFinished => "all grids are finished".to_owned(),
        EndReason::BoardCount => format!("all grids are finished, and one side has won more{}", counts()),
        EndReason::LineAfterEarthquake => format!("by the earthquake, {line}"),
        EndReason::BothLines => "both sides have a line".to_owned(),
        EndReason::TurnLimit => "the limit of turns is reached".to_owned(),
        EndReason::Home => "the target is filled".to_owned(),
        EndReason::LastStanding => "all others are out of the game".to_owned(),
        EndReason::Deadlock => "nobody can move".to_owned(),
        EndReason::Repetition => "the position has come too often".to_owned(),
        EndReason::RoundLimit => "the limit of rounds is reached".to_owned(),
    }
}

/// Whose turn it is: `Player 2 (greedy) to move.`
pub(super) fn to_move(seat: Seat, position: &Position, seats: &[Sitter], charset: Charset) -> String {
    let sign = position.sign(seat.index(), charset).to_string();
    // Where pieces are numbers, the number is said once.
    let sign = if sign == seat.to_string() { String::new() } else { format!(" ({sign})") };
    match only_person(seats) == Some(seat) {
        true => format!("Your move{sign}."),
        false => format!("{}{sign} to move.", who(seat, seats)),
    }
}

/// The lines that a board needs below it or beside it; whose turn it is, is said elsewhere.
pub(crate) fn notes(position: &Position, charset: Charset) -> Vec<String> {
    let mut notes = position.notes(charset);
    notes.retain(|note| !is_whose_turn(note));
    notes
}

fn is_whose_turn(note: &str) -> bool {
    note.ends_with(" to move.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Setup, registry};

    #[test]
    fn whose_turn_it_is_is_not_told_where_a_page_says_so_already() {
        let position = registry::start("chinese-checkers", &Setup::default()).unwrap();
        assert_eq!(prompt(&position), "");
    }
}
