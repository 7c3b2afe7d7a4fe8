//! Positions and turns as text.

use super::INFO;
use super::board::{Branch, HOLES, ROW_LENGTHS, holes};
use super::pawns::Pawns;
use super::seats::Branches;
use crate::info::Setup;
use crate::moves::IllegalMove;
use crate::naming::shown;
use crate::notation::ParseError;

/// The players in a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Players {
    /// The branches that the game began with.
    pub(super) seated: Branches,
    /// The branches still in the game.
    pub(super) standing: Branches,
    pub(super) to_move: Branch,
}

/// Stands for all numbers of empty holes beyond it.
const TOO_LONG: u32 = 9999;

/// Pawns that a branch has.
const PAWNS: u32 = 10;

/// The position to begin with: the start for a number of players, or what a text says.
pub(super) fn set_up(setup: &Setup<'_>) -> Result<(Pawns, Players), ParseError> {
    let seated = |players| Branches::of_players(players).expect("the number of players has been checked");
    match (setup.position, setup.players) {
        (Some(text), players) => read(text, players.map(seated)),
        (None, players) => {
            let seated = seated(players.unwrap_or(INFO.seats[0]));
            Ok((start(seated), Players { seated, standing: seated, to_move: Branch::ALL[0] }))
        }
    }
}

/// Every branch full of its own pawns.
fn start(seated: Branches) -> Pawns {
    let mut pawns = Pawns::NONE;
    for branch in seated.iter() {
        holes(branch.start()).for_each(|hole| pawns.toggle(branch, hole));
    }
    pawns
}

/// A field of a text and the offset of its first character.
type Field<'a> = (usize, &'a str);

fn read(text: &str, seated: Option<Branches>) -> Result<(Pawns, Players), ParseError> {
    let fields: Vec<Field<'_>> = split(0, text, ' ').collect();
    let &[board, branches, mover] = fields.as_slice() else {
        return Err(ParseError::whole(
            "expected 17 rows, one blank, the branches in the game, one blank, and the branch to move",
        ));
    };
    let standing = read_branches(branches)?;
    let seated = seated.unwrap_or_else(|| smallest_game(standing));
    if let Some(stranger) = standing.iter().find(|&branch| !seated.contains(branch)) {
        let (count, letter) = (seated.count(), stranger.letter());
        let problem = format!("branch {letter} does not play in a game for {count} players ({seated})");
        return Err(ParseError::at(branches.0, problem));
    }
    let pawns = read_board(board, standing)?;
    Ok((pawns, Players { seated, standing, to_move: read_mover(mover, standing)? }))
}

/// Cuts a text that begins at an offset.
fn split(start: usize, text: &str, separator: char) -> impl Iterator<Item = Field<'_>> {
    let mut next = start;
    text.split(separator).map(move |part| {
        let start = next;
        next += part.chars().count() + 1;
        (start, part)
    })
}

/// The game for the fewest players in which all these branches play.
fn smallest_game(standing: Branches) -> Branches {
    let mut games = INFO.seats.iter().filter_map(|&players| Branches::of_players(players));
    games.find(|seated| seated.contains_all(standing)).expect("six players have all branches")
}

fn read_branches((start, field): Field<'_>) -> Result<Branches, ParseError> {
    let mut standing = Branches::NONE;
    let mut last = None;
    for (offset, letter) in field.chars().enumerate() {
        let Some(branch) = Branch::from_letter(letter) else {
            let problem = format!("expected a branch A to F, not '{}'", letter.escape_debug());
            return Err(ParseError::at(start + offset, problem));
        };
        if last >= Some(branch.index()) {
            let problem = format!("branch {letter} is out of turn: branches come once each, in order");
            return Err(ParseError::at(start + offset, problem));
        }
        last = Some(branch.index());
        standing = standing.with(branch);
    }
    if standing == Branches::NONE {
        return Err(ParseError::at(start, "no branch is in the game"));
    }
    Ok(standing)
}

fn read_mover((start, field): Field<'_>, standing: Branches) -> Result<Branch, ParseError> {
    let mut letters = field.chars();
    match (letters.next().and_then(Branch::from_letter), letters.next()) {
        (Some(branch), None) if standing.contains(branch) => Ok(branch),
        _ => {
            let field = shown(field);
            let problem = format!("expected one of {standing} for the branch to move, not '{field}'");
            Err(ParseError::at(start, problem))
        }
    }
}

fn read_board((start, field): Field<'_>, standing: Branches) -> Result<Pawns, ParseError> {
    let rows: Vec<Field<'_>> = split(start, field, '/').collect();
    if rows.len() != ROW_LENGTHS.len() {
        let problem = format!("the board has {} rows instead of {}", rows.len(), ROW_LENGTHS.len());
        return Err(ParseError::at(start, problem));
    }
    let (mut pawns, mut first) = (Pawns::NONE, 0);
    for (number, (row, length)) in rows.into_iter().zip(ROW_LENGTHS).enumerate() {
        let mut filled = 0;
        for item in items(row) {
            match item? {
                Item::Gap(holes) => filled += holes,
                Item::Pawn(..) if filled >= length => filled += 1,
                Item::Pawn(at, branch) => {
                    let hole = first + filled;
                    check_pawn(&pawns, branch, hole, standing)
                        .map_err(|problem| ParseError::at(at, problem))?;
                    pawns.toggle(branch, hole);
                    filled += 1;
                }
            }
        }
        if filled != length {
            let problem = format!("row {number} has {filled} holes instead of {length}");
            return Err(ParseError::at(row.0, problem));
        }
        first += length;
    }
    Ok(pawns)
}

/// Whether a branch may have one pawn more, on this hole.
fn check_pawn(pawns: &Pawns, branch: Branch, hole: usize, standing: Branches) -> Result<(), String> {
    let letter = branch.letter();
    if !standing.contains(branch) {
        Err(format!("a pawn of {letter}, but only {standing} are in the game"))
    } else if pawns.of(branch).count_ones() == PAWNS {
        Err(format!("more than {PAWNS} pawns of {letter}"))
    } else if branch.wings() >> hole & 1 == 1 {
        let rule = "pawns rest in their start, in the hexagon and in their target only";
        Err(format!("a pawn of {letter} in hole {hole}: {rule}"))
    } else {
        Ok(())
    }
}

/// What a row is made of.
enum Item {
    /// So many empty holes.
    Gap(usize),
    /// A pawn, and the offset of its letter.
    Pawn(usize, Branch),
}

/// Cuts a row into numbers and letters.
fn items((start, row): Field<'_>) -> impl Iterator<Item = Result<Item, ParseError>> {
    let mut letters = row.chars().enumerate().peekable();
    std::iter::from_fn(move || {
        let (offset, letter) = letters.next()?;
        let Some(mut number) = letter.to_digit(10) else {
            let Some(branch) = Branch::from_letter(letter) else {
                let problem =
                    format!("expected a number or a branch A to F, not '{}'", letter.escape_debug());
                return Some(Err(ParseError::at(start + offset, problem)));
            };
            return Some(Ok(Item::Pawn(start + offset, branch)));
        };
        if number == 0 {
            return Some(Err(ParseError::at(start + offset, "a number of empty holes never begins with 0")));
        }
        while let Some(digit) = letters.peek().and_then(|(_, letter)| letter.to_digit(10)) {
            number = (10 * number + digit).min(TOO_LONG);
            letters.next();
        }
        Some(Ok(Item::Gap(number as usize)))
    })
}

/// Appends the text of a position.
pub(super) fn write(pawns: &Pawns, standing: Branches, to_move: Branch, text: &mut String) {
    let mut all = 0..HOLES;
    for (row, length) in ROW_LENGTHS.into_iter().enumerate() {
        if row > 0 {
            text.push('/');
        }
        let mut gap = 0;
        for hole in all.by_ref().take(length) {
            match pawns.owner(hole) {
                None => gap += 1,
                Some(branch) => {
                    write_gap(&mut gap, text);
                    text.push(branch.letter());
                }
            }
        }
        write_gap(&mut gap, text);
    }
    text.push(' ');
    text.extend(standing.iter().map(Branch::letter));
    text.push(' ');
    text.push(to_move.letter());
}

/// Appends a number of empty holes, if there are any, and starts counting anew.
fn write_gap(gap: &mut usize, text: &mut String) {
    if *gap > 0 {
        text.push_str(&gap.to_string());
    }
    *gap = 0;
}

/// A turn as people write it.
pub(super) enum Turn {
    /// `16-39-60`.
    Path(Vec<i64>),
    /// `16>60`.
    Result(i64, i64),
}

/// Reads a path or a result. Numbers below 0 and beyond all bounds are numbers too, off the board.
pub(super) fn read_turn(text: &str) -> Result<Turn, IllegalMove> {
    let number = |word: &str| {
        let wrong = if word.trim_matches('-').is_empty() { text } else { word };
        read_number(word).ok_or_else(|| IllegalMove::not_understood(wrong, INFO.example))
    };
    match text.split_once('>') {
        Some((from, to)) => Ok(Turn::Result(number(from)?, number(to)?)),
        None => Ok(Turn::Path(numbers(text).map(number).collect::<Result<_, _>>()?)),
    }
}

/// Cuts at each `-` that follows a number; any other is the sign of the next one.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let digits = text.strip_prefix('-').unwrap_or(text);
        let sign = text.len() - digits.len();
        match digits.find('-') {
            Some(end) => {
                rest = Some(&digits[end + 1..]);
                Some(&text[..sign + end])
            }
            None => rest.take(),
        }
    })
}

/// A whole number, which stops at the largest there is.
fn read_number(word: &str) -> Option<i64> {
    let (digits, sign) = match word.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (word, 1),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| sign * digits.parse().unwrap_or(i64::MAX))
}

/// A path as records keep it; a pass has none.
pub(super) fn path_text(path: &[u16]) -> String {
    let holes: Vec<_> = path.iter().map(u16::to_string).collect();
    holes.join("-")
}
