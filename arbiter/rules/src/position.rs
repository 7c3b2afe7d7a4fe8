//! The same game behind `dyn`: the one trait that the referee sees.

use crate::chance::{Chance, ChanceSource};
use crate::draft::{Draft, DraftResult, DraftView};
use crate::draw::{Charset, Scene};
use crate::game::{Game, GameInfo, Obligation, Score, Setup, SetupError, Shape};
use crate::history::History;
use crate::layout::Layout;
use crate::moves::{Choice, IllegalMove, Move, MoveList, Refusal};
use crate::notation::alternatives;
use crate::options::{OptionError, Options};
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::random::Random;
use crate::seat::Seat;
use std::any::Any;
use std::sync::Arc;

/// A position of any game, with its past.
///
/// ```
/// use arbiter_rules::{MoveList, registry, Setup, Chance};
/// let mut position = registry::start("othello", &Setup::default()).unwrap();
/// let mut moves = MoveList::new();
/// while position.end().is_none() {
///     position.legal_moves(&mut moves);
///     position.play(moves[0], &Chance::NONE).unwrap();
/// }
/// println!("{:?}", position.end().unwrap().outcome.winner());
/// ```
pub trait Position: Send + Sync {
    /// What does not change from one position to the next.
    fn info(&self) -> &'static GameInfo;
    /// Every option with its value.
    fn options(&self) -> &Options;
    /// The shape of the array of cells.
    fn shape(&self) -> Shape;
    /// How many seats the game began with.
    fn seats(&self) -> usize;
    /// Whether a seat is still in the game.
    fn is_in(&self, seat: Seat) -> bool;
    /// The seat that moves next, or `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;
    /// Moves played since the position was set up, passes included.
    fn ply(&self) -> u32;
    /// How the rules ended the game, or `None` while it goes on.
    fn end(&self) -> Option<GameEnd>;

    /// Replaces the list by every legal move in the order of the rules document: `Move::PASS` alone where the seat
    /// must pass, nothing when the game is over.
    fn legal_moves(&self, moves: &mut MoveList);
    /// How many legal moves there are.
    fn legal_count(&self) -> usize;
    /// The n-th legal move, from 0, in an order of the game's own.
    ///
    /// # Panics
    /// When there are not so many.
    fn nth_legal(&self, n: usize) -> Move;
    /// Whether a move is legal, and if not, why.
    ///
    /// # Errors
    /// `game-over`, or the first reason in the order of the rules document.
    fn judge(&self, m: Move) -> Result<(), IllegalMove>;
    /// Judges a path of cells.
    ///
    /// # Errors
    /// As [`judge`](Position::judge).
    fn judge_path(&self, path: &[i64]) -> Result<Choice, IllegalMove>;
    /// Whether a recorded chance event can follow a legal move.
    ///
    /// # Errors
    /// What is impossible about it, as a phrase.
    fn judge_chance(&self, m: Move, chance: &Chance) -> Result<(), String>;
    /// Whether a move can turn pieces over, so that they change sides.
    fn turns_pieces(&self) -> bool;
    /// Whether chance events can follow moves under these options.
    fn has_chance(&self) -> bool;
    /// Draws the chance event that follows a legal move.
    fn draw_chance(&self, m: Move, source: ChanceSource) -> Chance;

    /// Plays a move and the chance event that followed it. The chance event must be one that
    /// [`judge_chance`](Position::judge_chance) accepts.
    ///
    /// # Errors
    /// As [`judge`](Position::judge); the position is unchanged then.
    fn play(&mut self, m: Move, chance: &Chance) -> Result<(), IllegalMove>;
    /// Plays a move that is known to be legal, without judging it again: for searches that play moves of
    /// [`legal_moves`](Position::legal_moves). With any other move the position is worthless afterwards.
    fn play_legal(&mut self, m: Move, chance: &Chance);
    /// Takes back the last move played on this copy; false when there is none.
    fn undo(&mut self) -> bool;
    /// Takes a seat out of the game. Moves before it cannot be taken back. Nothing changes for a seat that does not
    /// exist, is out already, or is the only one left, as it can be in a position that was read from text.
    fn eliminate(&mut self, seat: Seat);
    /// Plays random legal moves to the end of the game, each equally likely, without chance events and without
    /// undo. Returns the number of moves.
    fn playout(&mut self, random: &mut Random) -> u32;
    /// The number of move sequences of exactly `depth` plies: finished games count 0, a pass is a ply, repetition,
    /// limits and chance are left out.
    fn perft(&self, depth: u32) -> u64;

    /// A copy that shares the past and has nothing to undo.
    fn copy(&self) -> Box<dyn Position>;
    /// Becomes a copy of another position without a new allocation; false when it belongs to another game.
    fn copy_from(&mut self, other: &dyn Position) -> bool;
    /// The same position without repetition, limits, chance and past.
    fn without_limits(&self) -> Box<dyn Position>;
    /// A position of the same game with the same options, read from a text, without a past.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read_position(&self, text: &str) -> Result<Box<dyn Position>, SetupError>;

    /// A copy that knows that this was the last move; see [`came_about`](crate::last::came_about), which checks it
    /// against the board.
    ///
    /// # Errors
    /// What the position knows that speaks against it, as a phrase.
    fn after(&self, last: Move) -> Result<Box<dyn Position>, String>;

    /// Equal for equal positions; the past does not count. The lower half serves as a hash.
    fn key(&self) -> u128;
    /// Equal for positions that differ only by turning and mirroring the board.
    fn symmetric_key(&self) -> u128;
    /// Writes every cell: 0 for empty, otherwise the seat that owns the (top) piece, from 1.
    ///
    /// # Panics
    /// When `cells` is not exactly as long as the shape says.
    fn write_cells(&self, cells: &mut [u8]);
    /// The pieces on one cell from bottom to top; empty for a cell that does not exist.
    fn column(&self, cell: u16) -> Vec<u8>;
    /// Appends the same to a list, which need not be a new one each time.
    fn write_column(&self, cell: u16, pieces: &mut Vec<u8>);
    /// Appends the position text.
    fn write_text(&self, text: &mut String);
    /// Appends a move in the notation of the legal list.
    fn write_move(&self, m: Move, text: &mut String);
    /// Appends a legal choice, made in this position, as records keep it.
    fn write_choice(&self, choice: &Choice, text: &mut String);
    /// Reads a move in any notation that people use and judges it.
    ///
    /// # Errors
    /// `game-over`, `not-understood`, or why the move is illegal.
    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove>;
    /// Cuts a list of moves into single moves.
    fn split_moves<'a>(&self, text: &'a str) -> Vec<&'a str>;
    /// The cells that a legal move goes through, first and last included.
    fn path(&self, m: Move) -> Vec<u16>;

    /// Numbers by seat for reports and tie-breaks.
    fn scores(&self) -> Vec<Score>;
    /// The obligation of the seat to move, in games that know one; tier 0 when the game is over.
    fn obligation(&self) -> Option<Obligation>;
    /// The cells that decided the game.
    fn winning_cells(&self) -> Vec<u16>;
    /// What people call a cell.
    fn cell_name(&self, cell: u16) -> String;
    /// The sign of a seat's pieces (`seat` counts from 0).
    fn sign(&self, seat: usize, charset: Charset) -> char;
    /// The sign of a seat's piece on one cell.
    fn sign_on(&self, cell: u16, seat: usize, charset: Charset) -> char;
    /// Where the cells lie on a drawing.
    fn scene(&self, charset: Charset) -> Scene;
    /// Where the cells lie on a picture, and what they look like.
    fn layout(&self) -> Layout;
    /// Lines below a drawing: what the board alone does not show and, while the game goes on, what the next turn is
    /// about.
    fn notes(&self, charset: Charset) -> Vec<String>;

    /// A person touches a cell while choosing a move.
    ///
    /// # Errors
    /// Why nothing can be done with the cell now.
    fn pick(&self, draft: &Draft, cell: u16) -> DraftResult;
    /// A person presses an action, or `finish`.
    ///
    /// # Errors
    /// Why it cannot be done now.
    fn act(&self, draft: &Draft, action: &str) -> DraftResult;
    /// What can be touched next.
    fn draft_view(&self, draft: &Draft) -> DraftView;

    /// For [`copy_from`](Position::copy_from).
    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;
}

impl dyn Position + '_ {
    /// The position text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text);
        text
    }

    /// A move in the notation of the legal list.
    #[must_use]
    pub fn move_text(&self, m: Move) -> String {
        let mut text = String::new();
        self.write_move(m, &mut text);
        text
    }

    /// A legal choice as records keep it.
    #[must_use]
    pub fn choice_text(&self, choice: &Choice) -> String {
        let mut text = String::new();
        self.write_choice(choice, &mut text);
        text
    }

    /// Whether the seat to move has nothing but the pass.
    #[must_use]
    pub fn must_pass(&self) -> bool {
        self.end().is_none() && self.legal_count() == 1 && self.nth_legal(0) == Move::PASS
    }
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

impl std::fmt::Debug for dyn Position + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.info().id, self.text())
    }
}

/// A position of one game with what all games share: the past, undo, seats taken out, the end.
pub(crate) struct Playing<G: Game> {
    game: G,
    info: &'static GameInfo,
    options: Arc<Options>,
    standing: SeatSet,
    ply: u32,
    end: Option<GameEnd>,
    history: History,
    undo: Vec<G::Undo>,
}

impl<G: Game> Playing<G> {
    /// The function behind [`GameInfo::start`].
    pub(crate) fn start(info: &'static GameInfo, setup: &Setup<'_>) -> Result<Box<dyn Position>, SetupError> {
        if let Some(players) = setup.players.filter(|players| !info.seats.contains(players)) {
            let problem = format!("{} is for {} players, not {players}", info.id, alternatives(info.seats));
            return Err(OptionError(problem).into());
        }
        let (game, options) = G::start(info, setup)?;
        Ok(Box::new(Playing::new(game, info, Arc::new(options))))
    }

    fn new(game: G, info: &'static GameInfo, options: Arc<Options>) -> Playing<G> {
        let mut history = History::default();
        if G::REPEATS && game.repetition_limit() > 0 {
            history.push(game.key());
        }
        let (standing, end) = (SeatSet::of(&game), game.ending());
        Playing { game, info, options, standing, ply: 0, end, history, undo: Vec::new() }
    }

    /// A copy with another position of the game in it, and nothing to undo.
    fn with(&self, game: G) -> Playing<G> {
        Playing {
            game,
            options: Arc::clone(&self.options),
            history: self.history.clone(),
            undo: Vec::new(),
            ..*self
        }
    }

    /// Everything that follows from a move that has just been played.
    #[inline]
    fn settle(&mut self) {
        self.ply += 1;
        self.end = self.game.ending();
        if G::REPEATS && self.game.repetition_limit() > 0 {
            let key = self.game.key();
            self.history.push(key);
            if self.end.is_none() && self.history.count(key) >= self.game.repetition_limit() {
                self.end = Some(self.draw(EndReason::Repetition));
            }
        }
        self.end = self.end.or_else(|| self.game.limit());
    }

    /// Moves are made only while the game goes on.
    #[inline]
    fn goes_on(&self) -> Result<(), IllegalMove> {
        self.end.map_or(Ok(()), |end| Err(game_over(end)))
    }

    fn draw(&self, reason: EndReason) -> GameEnd {
        let outcome = Outcome::draw(self.game.seats(), |seat| self.standing.contains(seat));
        GameEnd { outcome, reason }
    }
}

/// Seats as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeatSet(u8);

impl SeatSet {
    /// The seats that are in a game.
    fn of(game: &impl Game) -> SeatSet {
        let seats = Seat::all(game.seats()).filter(|&seat| game.is_in(seat));
        SeatSet(seats.fold(0, |set, seat| set | 1 << seat.index()))
    }

    fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 == 1
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

fn game_over(end: GameEnd) -> IllegalMove {
    let how = end.outcome.winner().map_or("nobody won".to_owned(), |seat| format!("player {seat} won"));
    IllegalMove::new(Refusal::GameOver, format!("The game is over: {how}."))
}

fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.ending().is_some() {
        return 0;
    }
    if depth == 1 {
        return game.legal_count() as u64;
    }
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let mut nodes = 0;
    for &m in moves.iter() {
        let undo = game.play(m, &Chance::NONE);
        nodes += perft(game, depth - 1);
        game.undo(undo);
    }
    nodes
}

impl<G: Game> Position for Playing<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn shape(&self) -> Shape {
        self.game.shape()
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn is_in(&self, seat: Seat) -> bool {
        self.standing.contains(seat)
    }

    fn to_move(&self) -> Option<Seat> {
        if self.end.is_some() { None } else { Some(self.game.to_move()) }
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn end(&self) -> Option<GameEnd> {
        self.end
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        moves.clear();
        if self.end.is_none() {
            self.game.legal_moves(moves);
        }
    }

    fn legal_count(&self) -> usize {
        if self.end.is_some() { 0 } else { self.game.legal_count() }
    }

    fn nth_legal(&self, n: usize) -> Move {
        self.game.nth_legal(n)
    }

    fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        self.goes_on()?;
        self.game.judge(m)
    }

    fn judge_path(&self, path: &[i64]) -> Result<Choice, IllegalMove> {
        self.goes_on()?;
        self.game.judge_path(path)
    }

    fn judge_chance(&self, m: Move, chance: &Chance) -> Result<(), String> {
        self.game.judge_chance(m, chance)
    }

    fn turns_pieces(&self) -> bool {
        G::TURNS
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn draw_chance(&self, m: Move, source: ChanceSource) -> Chance {
        self.game.draw_chance(m, source)
    }

    fn play(&mut self, m: Move, chance: &Chance) -> Result<(), IllegalMove> {
        self.judge(m)?;
        self.play_legal(m, chance);
        Ok(())
    }

    fn play_legal(&mut self, m: Move, chance: &Chance) {
        let undo = self.game.play(m, chance);
        self.undo.push(undo);
        self.settle();
    }

    fn undo(&mut self) -> bool {
        let Some(undo) = self.undo.pop() else { return false };
        if G::REPEATS && self.game.repetition_limit() > 0 {
            self.history.pop();
        }
        self.game.undo(undo);
        self.ply -= 1;
        self.end = None;
        true
    }

    fn eliminate(&mut self, seat: Seat) {
        let others = SeatSet(self.standing.0 & !(1 << seat.index()));
        if self.end.is_some() || others == self.standing || others.is_empty() {
            return;
        }
        self.standing = others;
        self.game.eliminate(seat);
        self.undo.clear();
        self.history.clear();
        if G::REPEATS && self.game.repetition_limit() > 0 {
            self.history.push(self.game.key());
        }
        let mut left = Seat::all(self.seats()).filter(|&seat| self.standing.contains(seat));
        if let (Some(winner), None) = (left.next(), left.next()) {
            let outcome = Outcome::win(self.seats(), winner);
            self.end = Some(GameEnd { outcome, reason: EndReason::LastStanding });
        }
    }

    fn playout(&mut self, random: &mut Random) -> u32 {
        let first = self.ply;
        self.undo.clear();
        while self.end.is_none() {
            let n = random.below(self.game.legal_count());
            self.game.advance(self.game.nth_legal(n));
            self.settle();
        }
        self.ply - first
    }

    fn perft(&self, depth: u32) -> u64 {
        let over = self.end.is_some_and(|end| end.reason == EndReason::LastStanding);
        if over && depth > 0 { 0 } else { perft(&mut self.game.without_limits(), depth) }
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.with(self.game.clone()))
    }

    fn copy_from(&mut self, other: &dyn Position) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Playing<G>>() else { return false };
        if self.options != other.options || self.seats() != other.seats() {
            return false;
        }
        self.game.clone_from(&other.game);
        self.history.clone_from(&other.history);
        self.undo.clear();
        (self.standing, self.ply, self.end) = (other.standing, other.ply, other.end);
        true
    }

    fn without_limits(&self) -> Box<dyn Position> {
        let plain = Playing::new(self.game.without_limits(), self.info, Arc::clone(&self.options));
        Box::new(Playing { standing: self.standing, ..plain })
    }

    fn read_position(&self, text: &str) -> Result<Box<dyn Position>, SetupError> {
        let values: Vec<_> = self.options.iter().map(|(name, value)| (name, value.to_string())).collect();
        let given: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let setup = Setup { players: Some(self.seats()), options: &given, position: Some(text) };
        (self.info.start)(self.info, &setup)
    }

    fn after(&self, last: Move) -> Result<Box<dyn Position>, String> {
        Ok(Box::new(self.with(self.game.after(last)?)))
    }

    fn key(&self) -> u128 {
        self.game.key()
    }

    fn symmetric_key(&self) -> u128 {
        self.game.symmetric_key()
    }

    fn write_cells(&self, cells: &mut [u8]) {
        assert_eq!(cells.len(), self.shape().cells(), "the buffer must have one byte a cell");
        self.game.write_cells(cells);
    }

    fn column(&self, cell: u16) -> Vec<u8> {
        if usize::from(cell) < self.shape().cells() { self.game.column(cell) } else { Vec::new() }
    }

    fn write_column(&self, cell: u16, pieces: &mut Vec<u8>) {
        if usize::from(cell) < self.shape().cells() {
            self.game.write_column(cell, pieces);
        }
    }

    fn write_text(&self, text: &mut String) {
        self.game.write_text(text);
    }

    fn write_move(&self, m: Move, text: &mut String) {
        if m == Move::PASS { text.push_str("pass") } else { self.game.write_move(m, text) }
    }

    fn write_choice(&self, choice: &Choice, text: &mut String) {
        if choice.played == Move::PASS { text.push_str("pass") } else { self.game.write_choice(choice, text) }
    }

    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        self.goes_on()?;
        match text.trim() {
            "pass" => self.game.judge(Move::PASS).map(|()| Move::PASS.into()),
            text => self.game.read_move(text),
        }
    }

    fn split_moves<'a>(&self, text: &'a str) -> Vec<&'a str> {
        self.game.split_moves(text)
    }

    fn path(&self, m: Move) -> Vec<u16> {
        if m == Move::PASS { Vec::new() } else { self.game.path(m) }
    }

    fn scores(&self) -> Vec<Score> {
        self.game.scores(self.end.and_then(|end| end.outcome.winner()))
    }

    fn obligation(&self) -> Option<Obligation> {
        let obligation = self.game.obligation();
        if self.end.is_some() { obligation.map(|_| Obligation::default()) } else { obligation }
    }

    fn winning_cells(&self) -> Vec<u16> {
        self.game.winning_cells()
    }

    fn cell_name(&self, cell: u16) -> String {
        self.game.cell_name(cell)
    }

    fn sign(&self, seat: usize, charset: Charset) -> char {
        self.game.sign(seat, charset)
    }

    fn sign_on(&self, cell: u16, seat: usize, charset: Charset) -> char {
        self.game.sign_on(cell, seat, charset)
    }

    fn scene(&self, charset: Charset) -> Scene {
        self.game.scene(charset)
    }

    fn layout(&self) -> Layout {
        self.game.layout()
    }

    fn notes(&self, charset: Charset) -> Vec<String> {
        let mut notes = self.game.notes(charset);
        if self.end.is_none() {
            notes.extend(self.game.prompt());
        }
        notes
    }

    fn pick(&self, draft: &Draft, cell: u16) -> DraftResult {
        self.goes_on()?;
        self.game.pick(draft, cell)
    }

    fn act(&self, draft: &Draft, action: &str) -> DraftResult {
        self.goes_on()?;
        self.game.act(draft, action)
    }

    fn draft_view(&self, draft: &Draft) -> DraftView {
        if self.end.is_some() { DraftView::default() } else { self.game.draft_view(draft) }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
