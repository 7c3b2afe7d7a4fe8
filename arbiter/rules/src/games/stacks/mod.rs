//! Stacks: tokens pile up on a square board until somebody has a line; earthquakes may topple them.
//!
//! [`options`] says what can be set, [`board`] keeps the tokens, [`lines`] finds lines, [`earthquake`] draws chance,
//! [`notation`] reads and writes, [`drawing`] lays out the board; here is the turn.

mod board;
mod drawing;
mod earthquake;
mod lines;
mod notation;
mod options;

use crate::appearance::Appearance;
use crate::chance::{Chance, ChanceSource};
use crate::draft::{Draft, DraftAction, DraftResult, DraftStep, DraftView, Input};
use crate::draw::{Charset, Scene};
use crate::game::{Extras, Game, Shape};
use crate::info::{GameInfo, Setup, SetupError, set_up};
use crate::layout::{Field, Layout, Pieces};
use crate::moves::{Choice, IllegalMove, Move, MoveKind, MoveList, Refusal};
use crate::notation::{Notation, cell_name};
use crate::options::Options;
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::random::key_of;
use crate::seat::Seat;
use board::Board;
use lines::Variant;
use options::{OPTIONS, Removal, Rules};

/// Stacks as the registry lists it.
pub(crate) static INFO: GameInfo = GameInfo {
    id: "stacks",
    title: "Stacks",
    aliases: &[],
    version: 1,
    seats: &[2],
    options: OPTIONS,
    trials: &[
        &[("n", "3"), ("variant", "top"), ("removal", "own")],
        &[("n", "3"), ("variant", "3d")],
        &[("n", "5"), ("variant", "3d"), ("removal", "off")],
        &[("n", "6"), ("variant", "top"), ("ko", "false")],
        &[("n", "7"), ("variant", "3d"), ("repetition", "0")],
        &[("n", "8"), ("variant", "top"), ("max_turns", "0")],
        &[("n", "9"), ("variant", "top")],
        &[("n", "9"), ("variant", "3d")],
    ],
    opening_plies: |_| 4,
    example: "+b2 or -b2",
    page: include_str!("../stacks.md"),
    set_up: set_up::<Stacks>,
};

/// A position.
#[derive(Debug)]
pub(crate) struct Stacks {
    rules: Rules,
    board: Board,
    to_move: Seat,
    /// The cell whose top has just been placed and is protected by ko.
    fresh: Option<u16>,
    /// Turns made since the game began or the position was set up.
    turns: u32,
    end: Option<GameEnd>,
}

impl Clone for Stacks {
    fn clone(&self) -> Stacks {
        Stacks { board: self.board.clone(), ..*self }
    }

    /// Keeps the memory of the board.
    fn clone_from(&mut self, other: &Stacks) {
        self.board.clone_from(&other.board);
        (self.rules, self.to_move, self.fresh) = (other.rules, other.to_move, other.fresh);
        (self.turns, self.end) = (other.turns, other.end);
    }
}

impl Stacks {
    /// Puts a token down or takes one off, and makes the first line test.
    fn make(&mut self, m: Move) {
        let cell = m.to();
        if is_placement(m) {
            self.board.push(cell, self.to_move);
        } else {
            self.board.pop(cell);
        }
        self.fresh = (is_placement(m) && self.rules.protects()).then_some(cell);
        self.end = if self.may_have_lines(m) { self.line_test(EndReason::Line) } else { None };
    }

    /// Whether the line test can find something: a new line goes through the token that has been put down or
    /// uncovered. Before the first turn there may be lines already, in a position that was set up.
    fn may_have_lines(&self, m: Move) -> bool {
        let top = self.board.height(m.to()).checked_sub(1);
        let may_make_lines = self.rules.variant == Variant::Top || is_placement(m);
        let new_line = top.is_some_and(|level| {
            may_make_lines && lines::through(&self.board, self.rules.variant, m.to(), level).is_some()
        });
        new_line || self.turns == 0
    }

    /// Looks for lines of both seats; `reason` is why a single one ends the game.
    fn line_test(&self, reason: EndReason) -> Option<GameEnd> {
        match lines::all(&self.board, self.rules.variant) {
            [None, None] => None,
            [Some(_), None] => Some(GameEnd { outcome: Outcome::win(2, Seat::FIRST), reason }),
            [None, Some(_)] => Some(GameEnd { outcome: Outcome::win(2, Seat::SECOND), reason }),
            [Some(_), Some(_)] => {
                Some(GameEnd { outcome: Outcome::draw(2, |_| true), reason: EndReason::BothLines })
            }
        }
    }

    /// The cells from which the seat to move may remove the top.
    fn removable(&self) -> u128 {
        let fresh = self.fresh.map_or(0, |cell| 1 << cell);
        let tops = match self.rules.removal {
            Removal::Any => self.board.tops(Seat::FIRST) | self.board.tops(Seat::SECOND),
            Removal::Own => self.board.tops(self.to_move),
            Removal::Off => 0,
        };
        tops & !fresh
    }

    /// The share of everything but the tokens in a key.
    fn turn_key(&self, fresh: Option<u16>) -> u128 {
        let fresh = fresh.map_or(0, |cell| u64::from(cell) + 1);
        key_of([1 << 63 | fresh << 1 | self.to_move.index() as u64])
    }

    /// The key of one of the eight images of this position.
    fn image_key(&self, symmetry: u16) -> u128 {
        let last = self.board.n - 1;
        let image = |cell: u16| {
            let (mut row, mut column) = (cell / self.board.n, cell % self.board.n);
            if symmetry & 1 != 0 {
                column = last - column;
            }
            if symmetry & 2 != 0 {
                row = last - row;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            row * self.board.n + column
        };
        self.board.hash_under(image) ^ self.turn_key(self.fresh.map(image))
    }
}

fn is_placement(m: Move) -> bool {
    m.kind() == Some(MoveKind::Place)
}

/// Cells of a set, ascending.
fn cells(mut set: u128) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u16)?;
        set &= set - 1;
        Some(cell)
    })
}

impl Game for Stacks {
    fn start(setup: &Setup<'_>) -> Result<(Stacks, Options), SetupError> {
        let (rules, options) = Rules::read(setup.options)?;
        let start = Stacks {
            rules,
            board: Board::empty(rules.n),
            to_move: Seat::FIRST,
            fresh: None,
            turns: 0,
            end: None,
        };
        let position = match setup.position {
            Some(text) => notation::read(text, start)?,
            None => start,
        };
        Ok((position, options))
    }

    fn shape(&self) -> Shape {
        Shape { width: self.board.n, height: self.board.n, depth: 1 }
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    /// Games end after turns only: a position that was set up is never over.
    fn ending(&self) -> Option<GameEnd> {
        self.end
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        (0..self.board.cells()).for_each(|cell| moves.push(Move::place(cell)));
        cells(self.removable()).for_each(|cell| moves.push(Move::remove(cell)));
    }

    fn legal_count(&self) -> usize {
        usize::from(self.board.cells()) + self.removable().count_ones() as usize
    }

    fn nth_legal(&self, n: usize) -> Move {
        let placements = usize::from(self.board.cells());
        if n < placements {
            return Move::place(n as u16);
        }
        Move::remove(
            cells(self.removable()).nth(n - placements).expect("n is below the count of legal moves"),
        )
    }

    fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        let (cell, name) = (m.to(), || cell_name(m.to(), self.board.n));
        let (reason, sentence) = if m != Move::place(cell) && m != Move::remove(cell) {
            let sentence = "A move in this game places a token on a stack or removes one.";
            (Refusal::NotUnderstood, sentence.to_owned())
        } else if cell >= self.board.cells() {
            let last = self.board.cells() - 1;
            (Refusal::OffBoard, format!("There is no cell {cell}: cells are numbered 0 to {last}."))
        } else if is_placement(m) {
            return Ok(());
        } else if self.rules.removal == Removal::Off {
            (Refusal::RemovalOff, "In this game nothing is removed.".to_owned())
        } else if self.board.height(cell) == 0 {
            (Refusal::EmptyStack, format!("The stack on {} is empty: there is nothing to remove.", name()))
        } else if self.rules.removal == Removal::Own && self.board.top(cell) != Some(self.to_move) {
            (Refusal::NotYourToken, format!("The top of {} is not yours.", name()))
        } else if self.fresh == Some(cell) {
            let rule = "it may be removed from the next turn on";
            (Refusal::JustPlaced, format!("The token on {} has just been placed: {rule}.", name()))
        } else {
            return Ok(());
        };
        Err(IllegalMove { reason, sentence })
    }

    fn play(&mut self, m: Move, chance: &Chance) {
        self.make(m);
        if self.end.is_none() && !chance.is_empty() {
            for &(cell, count) in &chance.fallen {
                (0..count).for_each(|_| self.board.pop(cell));
                self.fresh = self.fresh.filter(|&fresh| fresh != cell);
            }
            self.end = self.line_test(EndReason::LineAfterEarthquake);
        }
        self.turns += 1;
        self.to_move = self.to_move.opponent();
    }

    fn key(&self) -> u128 {
        self.board.hash() ^ self.turn_key(self.fresh)
    }

    fn symmetric_key(&self) -> u128 {
        (0..8).map(|symmetry| self.image_key(symmetry)).min().expect("there are eight symmetries")
    }

    fn write_cells(&self, cells: &mut [u8]) {
        for (cell, content) in (0..).zip(cells) {
            *content = self.board.top(cell).map_or(0, |seat| seat.index() as u8 + 1);
        }
    }

    fn write_text(&self, text: &mut String) {
        notation::write(self, text);
    }

    /// The line of the winner; where both seats have one, both.
    fn winning_cells(&self) -> Vec<u16> {
        if self.end.is_none() {
            return Vec::new();
        }
        let lines = lines::all(&self.board, self.rules.variant);
        cells(lines.into_iter().flatten().fold(0, |all, line| all | line.cells)).collect()
    }
}

impl Extras for Stacks {
    fn limit(&self) -> Option<GameEnd> {
        let reached = self.rules.max_turns > 0 && self.turns >= self.rules.max_turns;
        reached.then(|| GameEnd { outcome: Outcome::draw(2, |_| true), reason: EndReason::TurnLimit })
    }

    fn repetition_limit(&self) -> u32 {
        if self.has_chance() { 0 } else { self.rules.repetition }
    }

    fn lift_limits(&mut self) {
        self.rules = Rules { earthquake_rate: None, max_turns: 0, repetition: 0, ..self.rules };
    }

    fn has_chance(&self) -> bool {
        self.rules.earthquake_rate.is_some()
    }

    fn draw_chance(&self, m: Move, source: ChanceSource) -> Chance {
        let Some(rate) = self.rules.earthquake_rate else { return Chance::NONE };
        let mut after = self.clone();
        after.make(m);
        if after.end.is_some() {
            Chance::NONE
        } else {
            earthquake::draw(&after.board, rate, self.turns + 1, source)
        }
    }

    fn judge_chance(&self, m: Move, chance: &Chance) -> Result<(), String> {
        if chance.is_empty() {
            return Ok(());
        }
        if !self.has_chance() {
            return Err("there are no earthquakes in this game".to_owned());
        }
        let mut after = self.clone();
        after.make(m);
        if after.end.is_some() {
            return Err("the game ends before an earthquake".to_owned());
        }
        for &(cell, count) in &chance.fallen {
            if cell >= self.board.cells() {
                return Err(format!("there is no cell {cell}"));
            }
            let (name, height) = (cell_name(cell, self.board.n), after.board.height(cell));
            if !(1..=height).contains(&count) {
                return Err(format!("{count} tokens cannot fall off {name}, which has {height}"));
            }
        }
        match chance.fallen.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            Some(pair) => {
                let name = cell_name(pair[1].0, self.board.n);
                Err(format!("{name} is listed twice or after a later cell"))
            }
            None => Ok(()),
        }
    }

    fn write_column(&self, cell: u16, pieces: &mut Vec<u8>) {
        pieces.extend(self.board.stack(cell).map(|seat| seat.index() as u8 + 1));
    }
}

impl Notation for Stacks {
    fn write_move(&self, m: Move, text: &mut String) {
        notation::write_move(m, self.board.n, text);
    }

    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        let m = notation::read_move(text, self.board.n)?;
        self.judge(m).map(|()| m.into())
    }
}

impl Appearance for Stacks {
    fn scene(&self, _: Charset) -> Scene {
        drawing::scene(&self.board)
    }

    fn layout(&self) -> Layout {
        Layout { piles: true, ..Layout::lettered(self.shape(), Field::Tiles, Pieces::Discs) }
    }

    /// Levels count from the bottom, as the stacks are written.
    fn line_name(&self, cells: &[u16]) -> String {
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return "a line".to_owned() };
        let (first, last) = (self.cell_name(*first), self.cell_name(*last));
        let n = self.board.n;
        let line = lines::all(&self.board, self.rules.variant).into_iter().flatten().next();
        match line.and_then(|line| line.levels).map(|levels| levels.map(|level| level + 1)) {
            Some([low, high]) if first == last => format!("{n} in a line on {first}, levels {low} to {high}"),
            Some([low, high]) if low == high => format!("{n} in a line on level {low}, {first} to {last}"),
            Some([low, high]) => format!("{n} in a line, {first} on level {low} to {last} on level {high}"),
            None => format!("{n} in a line, {first} to {last}"),
        }
    }

    fn notes(&self, charset: Charset) -> Vec<String> {
        drawing::tall_stacks(&self.board, |seat| self.sign(seat.index(), charset))
    }

    fn prompt(&self) -> Vec<String> {
        let protected = |cell| {
            let name = cell_name(cell, self.board.n);
            format!("  The token on {name} has just been placed: it may not be removed now.")
        };
        self.fresh.map(protected).into_iter().collect()
    }
}

const PLACE: DraftAction = DraftAction { id: "place", label: "Place" };
const REMOVE: DraftAction = DraftAction { id: "remove", label: "Remove" };

impl Input for Stacks {
    /// Chooses a stack, or another one.
    fn pick(&self, _: &Draft, cell: u16) -> DraftResult {
        self.judge(Move::place(cell)).map(|()| DraftStep::Unfinished(Draft { cells: vec![cell] }))
    }

    fn actions(&self) -> &'static [DraftAction] {
        &[PLACE, REMOVE]
    }

    fn act(&self, draft: &Draft, action: &str) -> DraftResult {
        let &[cell] = draft.cells.as_slice() else {
            return Err(IllegalMove::new(Refusal::NotUnderstood, "Choose a stack first."));
        };
        let m = match action {
            "place" => Move::place(cell),
            "remove" => Move::remove(cell),
            _ => {
                let sentence = "Place a token on the stack, or remove its top.";
                return Err(IllegalMove::new(Refusal::NotUnderstood, sentence));
            }
        };
        self.judge(m).map(|()| DraftStep::Finished(m.into()))
    }

    fn draft_view(&self, draft: &Draft) -> DraftView {
        let actions = match draft.cells[..] {
            [cell] if self.judge(Move::remove(cell)).is_ok() => vec![PLACE, REMOVE],
            [_] => vec![PLACE],
            _ => Vec::new(),
        };
        DraftView { targets: (0..self.board.cells()).collect(), actions, ..DraftView::default() }
    }
}
