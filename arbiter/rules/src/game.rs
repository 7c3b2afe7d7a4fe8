//! What the author of a game writes.

use crate::chance::{Chance, ChanceSource};
use crate::draft::{Draft, DraftResult, DraftStep, DraftView};
use crate::draw::{Charset, Scene};
use crate::layout::{Field, Layout, Pieces};
use crate::moves::{Choice, IllegalMove, Move, MoveList, Refusal};
use crate::notation::{cell_name, words};
use crate::options::{Given, OptionError, OptionInfo, Options};
use crate::outcome::GameEnd;
use crate::position::Position;
use crate::seat::Seat;
use std::fmt;

/// Everything about a game that does not change from one position to the next.
#[derive(Debug)]
pub struct GameInfo {
    /// The word after `--game`.
    pub id: &'static str,
    /// The name that people read.
    pub title: &'static str,
    /// Other words that mean this game.
    pub aliases: &'static [&'static str],
    /// Raised whenever the rules decide something differently than before.
    pub version: u32,
    /// How many seats a game may have, the default first.
    pub seats: &'static [usize],
    /// Every option, in the order in which reports list them.
    pub options: &'static [OptionInfo],
    /// Random plies with which games are opened unless somebody says otherwise: enough to tell games apart, few enough
    /// to decide nothing. Even in games for two.
    pub opening_plies: u32,
    /// What moves look like, for error messages: `d3`.
    pub example: &'static str,
    /// The rules for people, in Markdown.
    pub page: &'static str,
    /// Makes a position; callers use [`registry::start`](crate::registry::start).
    pub start: Start,
}

impl GameInfo {
    /// Every option with its values, its default and what it does, in Markdown; empty where there is none.
    #[must_use]
    pub fn options_page(&self) -> String {
        if self.options.is_empty() {
            return String::new();
        }
        let lines = self.options.iter().map(|option| format!("- {option}\n"));
        format!("## Options\n\n{}", lines.collect::<String>())
    }
}

/// Makes a position of one game from what was given.
pub type Start = fn(&'static GameInfo, &Setup<'_>) -> Result<Box<dyn Position>, SetupError>;

/// What a position is made from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'a> {
    /// Seats, or `None` where the default or the text decides.
    pub players: Option<usize>,
    /// Options as they were given.
    pub options: &'a [Given<'a>],
    /// A position text, or `None` for the start.
    pub position: Option<&'a str>,
}

/// Why a position cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// No game has this name.
    UnknownGame(String),
    /// An option, or the number of players, is not possible.
    Option(OptionError),
    /// The position text is wrong.
    Position(crate::notation::ParseError),
}

impl SetupError {
    /// The stable code: `unknown-game`, `bad-option` or `bad-position`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            SetupError::UnknownGame(_) => "unknown-game",
            SetupError::Option(_) => "bad-option",
            SetupError::Position(_) => "bad-position",
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::UnknownGame(sentence) => f.write_str(sentence),
            SetupError::Option(error) => write!(f, "{error}"),
            SetupError::Position(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for SetupError {}

impl From<OptionError> for SetupError {
    fn from(error: OptionError) -> Self {
        SetupError::Option(error)
    }
}

impl From<crate::notation::ParseError> for SetupError {
    fn from(error: crate::notation::ParseError) -> Self {
        SetupError::Position(error)
    }
}

/// The shape of the array of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Cells in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Layers or boards.
    pub depth: u16,
}

impl Shape {
    /// Length of the array of cells.
    #[must_use]
    pub fn cells(self) -> usize {
        usize::from(self.width) * usize::from(self.height) * usize::from(self.depth)
    }
}

/// One number a seat, such as the discs on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The name in reports: `discs`.
    pub name: &'static str,
    /// The numbers by seat.
    pub by_seat: Vec<i64>,
    /// Who is ahead.
    pub best: Best,
}

/// Which end of a score is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Best {
    /// Whoever has most.
    Most,
    /// Whoever has least.
    Least,
}

impl Score {
    /// The place of every seat by this score, from 1; seats with equal numbers share one. Seats for which `is_in` is
    /// false come behind all others.
    #[must_use]
    pub fn ranks(&self, is_in: impl Fn(usize) -> bool) -> Vec<u8> {
        let worth = |seat: usize| match self.best {
            Best::Most => self.by_seat[seat],
            Best::Least => -self.by_seat[seat],
        };
        let is_ahead = |a: usize, b: usize| is_in(a) && (!is_in(b) || worth(a) > worth(b));
        let seats = 0..self.by_seat.len();
        let ahead = |seat: usize| seats.clone().filter(|&other| is_ahead(other, seat)).count() as u8;
        seats.clone().map(|seat| ahead(seat) + 1).collect()
    }
}

/// A rule that cuts down the legal moves of this turn (chinese-checkers: no blocking).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Obligation {
    /// 0 for none; otherwise how far the rule reaches.
    pub tier: u8,
    /// The cells of the pieces that are meant, ascending.
    pub in_the_way: Vec<u16>,
}

/// A game: one value is one position. The author of a game writes this trait; the program sees it through
/// [`Position`], which adds what all games share (the past, undo, seats taken out, the end).
///
/// Calls come with their duty fulfilled: `play` gets legal moves, `to_move`, `legal_moves` and `play` are only
/// called while the game goes on. Passes are moves of the list.
pub trait Game: Clone + Send + Sync + 'static {
    /// Whether positions can come again, so that the past must be kept.
    const REPEATS: bool = false;

    /// Whether a move can turn pieces over, so that they change sides; views say which.
    const TURNS: bool = false;

    /// What `undo` needs to take back one move. A small `Copy` game uses itself.
    type Undo: Clone + Send + Sync + 'static;

    /// Reads options and position text, or sets up the start. The number of players is one that the game allows.
    ///
    /// # Errors
    /// Options that the game does not know, a position text that is wrong.
    fn start(info: &'static GameInfo, setup: &Setup<'_>) -> Result<(Self, Options), SetupError>;

    /// The shape of the array of cells.
    fn shape(&self) -> Shape;

    /// How many seats the game began with.
    fn seats(&self) -> usize;

    /// Whether a seat is in the game: a position text may come from a game that some have left already.
    fn is_in(&self, _seat: Seat) -> bool {
        true
    }

    /// The seat that moves next.
    fn to_move(&self) -> Seat;

    /// The end as the board and the turns so far decide it, tested before repetition.
    fn ending(&self) -> Option<GameEnd>;

    /// The end by a limit on the length of the game, tested after repetition.
    fn limit(&self) -> Option<GameEnd> {
        None
    }

    /// How often a position may occur before the game is drawn; 0 for any number.
    fn repetition_limit(&self) -> u32 {
        0
    }

    /// The same position without repetition, limits and chance: what perft counts.
    fn without_limits(&self) -> Self {
        self.clone()
    }

    /// Appends every legal move in the order of the rules document; `Move::PASS` alone where the seat must pass.
    fn legal_moves(&self, moves: &mut MoveList);

    /// How many moves [`legal_moves`](Game::legal_moves) lists.
    fn legal_count(&self) -> usize {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// The n-th legal move, from 0, in an order that is the same for equal positions but need not be the list's.
    fn nth_legal(&self, n: usize) -> Move {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves[n]
    }

    /// Whether a move is legal, and if not, why: any 64 bits may come.
    ///
    /// # Errors
    /// The first reason in the order of the rules document.
    fn judge(&self, m: Move) -> Result<(), IllegalMove>;

    /// Judges a path of cells as the answer of a bot or a person; an empty one is a pass. Games without paths take
    /// a single cell.
    ///
    /// # Errors
    /// The first reason in the order of the rules document.
    fn judge_path(&self, path: &[i64]) -> Result<Choice, IllegalMove> {
        let &[cell] = path else {
            if path.is_empty() {
                return self.judge(Move::PASS).map(|()| Move::PASS.into());
            }
            let sentence = "In this game a move has one cell, not a path.";
            return Err(IllegalMove::new(Refusal::NotUnderstood, sentence));
        };
        let Ok(cell) = u16::try_from(cell) else {
            return Err(IllegalMove::new(Refusal::OffBoard, format!("There is no cell {cell}.")));
        };
        self.judge(Move::place(cell)).map(|()| Move::place(cell).into())
    }

    /// Plays a legal move and the chance event that followed it.
    fn play(&mut self, m: Move, chance: &Chance) -> Self::Undo;

    /// Plays a legal move that will not be taken back, and nothing follows it.
    fn advance(&mut self, m: Move) {
        self.play(m, &Chance::NONE);
    }

    /// Takes back the last move.
    fn undo(&mut self, undo: Self::Undo);

    /// Whether chance events can follow moves under these options.
    fn has_chance(&self) -> bool {
        false
    }

    /// Draws the chance event that follows a legal move; nothing in games without chance.
    fn draw_chance(&self, _m: Move, _source: ChanceSource) -> Chance {
        Chance::NONE
    }

    /// Whether a chance event as somebody recorded it can follow a legal move. A phrase says why not.
    ///
    /// # Errors
    /// What is impossible about it.
    fn judge_chance(&self, _m: Move, chance: &Chance) -> Result<(), String> {
        if chance.is_empty() { Ok(()) } else { Err("nothing falls in this game".to_owned()) }
    }

    /// Takes a seat out of a game with more than two seats: its pieces, its turns, its right to win.
    fn eliminate(&mut self, _seat: Seat) {}

    /// A key that is equal for the same pieces on the same cells, seat to move, seats in the game and right to
    /// move (forced board, ko). The past does not count. Its lower half serves bots as a hash.
    fn key(&self) -> u128;

    /// The smallest key among all positions that this one becomes by turning and mirroring the board, so that
    /// openings are told apart only where they differ.
    fn symmetric_key(&self) -> u128 {
        self.key()
    }

    /// Writes every cell: 0 for empty, otherwise the seat that owns the (top) piece, from 1.
    fn write_cells(&self, cells: &mut [u8]);

    /// The pieces on one cell from bottom to top, values as in [`write_cells`](Game::write_cells).
    fn column(&self, cell: u16) -> Vec<u8> {
        let mut cells = vec![0; self.shape().cells()];
        self.write_cells(&mut cells);
        cells.get(usize::from(cell)).copied().filter(|&piece| piece != 0).into_iter().collect()
    }

    /// Appends the same to a list, for programs that look at many positions.
    fn write_column(&self, cell: u16, pieces: &mut Vec<u8>) {
        pieces.extend(self.column(cell));
    }

    /// Appends the position text, which [`start`](Game::start) reads back.
    fn write_text(&self, text: &mut String);

    /// The same position, known to have come about by this move of another seat.
    ///
    /// # Errors
    /// What the position knows that speaks against it, as a phrase.
    fn after(&self, _last: Move) -> Result<Self, String> {
        Ok(self.clone())
    }

    /// Appends a move in the notation of the legal list.
    fn write_move(&self, m: Move, text: &mut String);

    /// Appends a legal choice, made in this position, as records keep it.
    fn write_choice(&self, choice: &Choice, text: &mut String) {
        self.write_move(choice.played, text);
    }

    /// Reads a move in any notation that people use and judges it.
    ///
    /// # Errors
    /// `not-understood`, or why the move is illegal.
    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove>;

    /// Cuts a list of moves into single moves: by default at blanks and commas.
    fn split_moves<'a>(&self, text: &'a str) -> Vec<&'a str> {
        words(text).collect()
    }

    /// The cells that a legal move goes through, first and last included.
    fn path(&self, m: Move) -> Vec<u16> {
        if m.from() == m.to() { vec![m.to()] } else { vec![m.from(), m.to()] }
    }

    /// Numbers by seat for reports and tie-breaks; the first list is what bots are told at the end. There is a
    /// winner when the game has ended so, by the rules or because nobody else is in it.
    fn scores(&self, _winner: Option<Seat>) -> Vec<Score> {
        Vec::new()
    }

    /// The obligation of the seat to move, in games that know one.
    fn obligation(&self) -> Option<Obligation> {
        None
    }

    /// The cells that decided the game: a winning line.
    fn winning_cells(&self) -> Vec<u16> {
        Vec::new()
    }

    /// What people call a cell.
    fn cell_name(&self, cell: u16) -> String {
        cell_name(cell, self.shape().width)
    }

    /// The sign of a seat's pieces (`seat` counts from 0).
    fn sign(&self, seat: usize, charset: Charset) -> char;

    /// The sign of a seat's piece on one cell, where pieces of a seat look different from cell to cell.
    fn sign_on(&self, _cell: u16, seat: usize, charset: Charset) -> char {
        self.sign(seat, charset)
    }

    /// Where the cells lie on a drawing.
    fn scene(&self, charset: Charset) -> Scene;

    /// Where the cells lie on a picture, and what they look like. By default wooden squares with names.
    fn layout(&self) -> Layout {
        Layout::lettered(self.shape(), Field::Tiles, Pieces::Discs)
    }

    /// Lines below a drawing: what the board alone does not show.
    fn notes(&self, _charset: Charset) -> Vec<String> {
        Vec::new()
    }

    /// Further lines below a drawing, about the turn that comes next. Only asked for while the game goes on.
    fn prompt(&self) -> Vec<String> {
        Vec::new()
    }

    /// A person touches a cell while choosing a move. By default the cell is the move.
    ///
    /// # Errors
    /// Why nothing can be done with the cell now.
    fn pick(&self, _draft: &Draft, cell: u16) -> DraftResult {
        self.judge(Move::place(cell)).map(|()| DraftStep::Finished(Move::place(cell).into()))
    }

    /// A person presses one of the actions of [`draft_view`](Game::draft_view), or `finish`.
    ///
    /// # Errors
    /// Why it cannot be done now.
    fn act(&self, _draft: &Draft, _action: &str) -> DraftResult {
        Err(IllegalMove::new(Refusal::NotUnderstood, "Choose a cell: that is the whole move."))
    }

    /// What can be touched next.
    fn draft_view(&self, _draft: &Draft) -> DraftView {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let targets = moves.iter().filter(|&&m| m != Move::PASS).map(|m| m.to()).collect();
        DraftView { targets, ..DraftView::default() }
    }
}
