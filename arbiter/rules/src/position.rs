//! A position as everybody but its author sees it: a game with a past.

use crate::chance::Chance;
use crate::draft::{Draft, DraftResult, DraftView};
use crate::draw::Charset;
use crate::game::{AnyGame, Extras, Obligation, Score};
use crate::history::History;
use crate::info::{GameInfo, Setup, SetupError};
use crate::moves::{Choice, IllegalMove, Move, MoveList, Refusal};
use crate::notation::alternatives;
use crate::options::{OptionError, Options};
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::random::Random;
use crate::seat::Seat;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A position of any game, with its past. What the game says of itself ([`Game`](crate::Game),
/// [`Notation`](crate::Notation), [`Appearance`](crate::Appearance), [`Extras`]) can be asked of a position too; what
/// depends on the past, or on whether the game is over, is answered here.
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
pub struct Position {
    game: Box<dyn AnyGame>,
    info: &'static GameInfo,
    options: Arc<Options>,
    past: Past,
    /// The game before each move that can be taken back, oldest first; from `played` on, memory to be used again.
    before: Vec<Box<dyn AnyGame>>,
    /// How many moves can be taken back.
    played: usize,
}

/// What all games share of what has happened.
#[doc(hidden)]
#[derive(Clone)]
pub struct Past {
    ply: u32,
    pub(crate) end: Option<GameEnd>,
    standing: SeatSet,
    /// The keys of positions, in games in which they can come again.
    keys: History,
}

impl Past {
    fn new(game: &dyn AnyGame) -> Past {
        let mut past =
            Past { ply: 0, end: game.ending(), standing: SeatSet::of(game), keys: History::default() };
        past.remember(game);
        past
    }

    fn remember(&mut self, game: &dyn AnyGame) {
        if game.repetition_limit() > 0 {
            self.keys.push(game.key());
        }
    }

    /// Everything that follows from a move that has just been played.
    #[inline]
    pub(crate) fn settle(&mut self, game: &impl Extras) {
        self.ply += 1;
        self.end = game.ending();
        let limit = game.repetition_limit();
        if limit > 0 {
            let key = game.key();
            self.keys.push(key);
            if self.end.is_none() && self.keys.count(key) >= limit {
                let outcome = Outcome::draw(game.seats(), |seat| self.standing.contains(seat));
                self.end = Some(GameEnd { outcome, reason: EndReason::Repetition });
            }
        }
        self.end = self.end.or_else(|| game.limit());
    }
}

/// Seats as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeatSet(u8);

impl SeatSet {
    /// The seats that are in a game.
    fn of(game: &dyn AnyGame) -> SeatSet {
        let seats = Seat::all(game.seats()).filter(|&seat| game.is_in(seat));
        SeatSet(seats.fold(0, |set, seat| set | 1 << seat.index()))
    }

    fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 == 1
    }

    /// The end of a game of so many seats of which these are left, where that is only one.
    fn last(self, seats: usize) -> Option<GameEnd> {
        let mut left = Seat::all(seats).filter(|&seat| self.contains(seat));
        let winner = left.next().filter(|_| left.next().is_none())?;
        Some(GameEnd { outcome: Outcome::win(seats, winner), reason: EndReason::LastStanding })
    }
}

impl Position {
    /// The function behind [`GameInfo::start`].
    pub(crate) fn start(info: &'static GameInfo, setup: &Setup<'_>) -> Result<Position, SetupError> {
        if let Some(players) = setup.players.filter(|players| !info.seats.contains(players)) {
            let problem = format!("{} is for {} players, not {players}", info.id, alternatives(info.seats));
            return Err(OptionError(problem).into());
        }
        let (game, options) = (info.set_up)(setup)?;
        let past = Past::new(&*game);
        Ok(Position { game, info, options: Arc::new(options), past, before: Vec::new(), played: 0 })
    }

    /// What does not change from one position to the next.
    #[must_use]
    pub fn info(&self) -> &'static GameInfo {
        self.info
    }

    /// Every option with its value.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether a seat is still in the game.
    #[must_use]
    pub fn is_in(&self, seat: Seat) -> bool {
        self.past.standing.contains(seat)
    }

    /// The seat that moves next, or `None` when the game is over.
    #[must_use]
    pub fn to_move(&self) -> Option<Seat> {
        if self.past.end.is_some() { None } else { Some(self.game.to_move()) }
    }

    /// Moves played since the position was set up, passes included.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.past.ply
    }

    /// How the rules ended the game, or `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        self.past.end
    }

    /// Replaces the list by every legal move in the order of the rules document: `Move::PASS` alone where the seat
    /// must pass, nothing when the game is over.
    pub fn legal_moves(&self, moves: &mut MoveList) {
        moves.clear();
        if self.past.end.is_none() {
            self.game.legal_moves(moves);
        }
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn legal_count(&self) -> usize {
        if self.past.end.is_some() { 0 } else { self.game.legal_count() }
    }

    /// Whether the seat to move has nothing but the pass.
    #[must_use]
    pub fn must_pass(&self) -> bool {
        self.legal_count() == 1 && self.nth_legal(0) == Move::PASS
    }

    /// Moves are made only while the game goes on.
    fn goes_on(&self) -> Result<(), IllegalMove> {
        self.past.end.map_or(Ok(()), |end| Err(game_over(end)))
    }

    /// Whether a move is legal, and if not, why.
    ///
    /// # Errors
    /// `game-over`, or the first reason in the order of the rules document.
    pub fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        self.goes_on()?;
        self.game.judge(m)
    }

    /// Judges a path of cells.
    ///
    /// # Errors
    /// As [`judge`](Position::judge).
    pub fn judge_path(&self, path: &[i64]) -> Result<Choice, IllegalMove> {
        self.goes_on()?;
        self.game.judge_path(path)
    }

    /// Plays a move and the chance event that followed it. The chance event must be one that
    /// [`judge_chance`](Extras::judge_chance) accepts.
    ///
    /// # Errors
    /// As [`judge`](Position::judge); the position is unchanged then.
    pub fn play(&mut self, m: Move, chance: &Chance) -> Result<(), IllegalMove> {
        self.judge(m)?;
        self.play_legal(m, chance);
        Ok(())
    }

    /// Plays a move that is known to be legal, without judging it again: for searches that play moves of
    /// [`legal_moves`](Position::legal_moves). With any other move the position is worthless afterwards.
    pub fn play_legal(&mut self, m: Move, chance: &Chance) {
        match self.before.get_mut(self.played) {
            Some(spare) => assert!(spare.become_copy(&*self.game), "a position is of one game"),
            None => self.before.push(self.game.boxed()),
        }
        self.played += 1;
        self.game.play_on(&mut self.past, m, chance);
    }

    /// Plays a move as [`play`](Position::play) does, for good: neither it nor any move before it can be taken back, and
    /// nothing is kept for that.
    ///
    /// # Errors
    /// As [`judge`](Position::judge); the position is unchanged then.
    pub fn play_for_good(&mut self, m: Move, chance: &Chance) -> Result<(), IllegalMove> {
        self.judge(m)?;
        self.played = 0;
        self.game.play_on(&mut self.past, m, chance);
        Ok(())
    }

    /// Takes back the last move played on this copy; false when there is none.
    ///
    /// ```
    /// use arbiter_rules::{Chance, Setup, registry};
    ///
    /// let mut position = registry::start("hex", &Setup::default()).unwrap();
    /// let start = position.text();
    /// position.play_legal(position.nth_legal(0), &Chance::NONE);
    /// assert!(position.undo());
    /// assert_eq!(position.text(), start);
    /// assert!(!position.undo());
    /// ```
    pub fn undo(&mut self) -> bool {
        let Some(last) = self.played.checked_sub(1) else { return false };
        if self.game.repetition_limit() > 0 {
            self.past.keys.pop();
        }
        self.played = last;
        std::mem::swap(&mut self.game, &mut self.before[last]);
        self.past.ply -= 1;
        self.past.end = None;
        true
    }

    /// Takes a seat out of the game. Moves before it cannot be taken back. Nothing changes for a seat that does not
    /// exist or is out already, and once the game is over. The only one left, as it can be in a position that was read from text,
    /// stays and has won.
    pub fn eliminate(&mut self, seat: Seat) {
        let others = SeatSet(self.past.standing.0 & !(1 << seat.index()));
        if self.past.end.is_some() || others == self.past.standing {
            return;
        }
        if let Some(end) = self.past.standing.last(self.seats()) {
            self.past.end = Some(end);
            return;
        }
        self.past.standing = others;
        self.game.eliminate(seat);
        self.played = 0;
        self.past.keys.clear();
        self.past.remember(&*self.game);
        self.past.end = others.last(self.seats());
    }

    /// Plays random legal moves to the end of the game, each equally likely, without chance events and without
    /// undo. Returns the number of moves.
    pub fn playout(&mut self, random: &mut Random) -> u32 {
        let first = self.past.ply;
        self.played = 0;
        self.game.play_out(&mut self.past, random);
        self.past.ply - first
    }

    /// The number of move sequences of exactly `depth` plies: finished games count 0, a pass is a ply, repetition,
    /// limits and chance are left out.
    ///
    /// ```
    /// use arbiter_rules::{Setup, registry};
    ///
    /// let start = registry::start("othello", &Setup::default()).unwrap();
    /// assert_eq!(start.perft(4), 244);
    /// ```
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        let over = self.past.end.is_some_and(|end| end.reason == EndReason::LastStanding);
        if over && depth > 0 {
            return 0;
        }
        let mut game = self.game.boxed();
        game.lift_limits();
        game.count_sequences(depth)
    }

    /// Becomes a copy of another position without a new allocation; false when it belongs to another game.
    pub fn copy_from(&mut self, other: &Position) -> bool {
        if self.options != other.options
            || self.seats() != other.seats()
            || !self.game.become_copy(&*other.game)
        {
            return false;
        }
        let Past { ply, end, standing, ref keys } = other.past;
        self.past.keys.clone_from(keys);
        (self.past.ply, self.past.end, self.past.standing, self.played) = (ply, end, standing, 0);
        true
    }

    /// A copy for another thread. Copies share their options, and count who does; those of this one count for themselves,
    /// so that threads that make many copies do not wait for each other.
    #[must_use]
    pub fn for_thread(&self) -> Position {
        Position { options: Arc::new(Options::clone(&self.options)), ..self.clone() }
    }

    /// The same position without repetition, limits, chance and past.
    #[must_use]
    pub fn without_limits(&self) -> Position {
        let mut game = self.game.boxed();
        game.lift_limits();
        let past = Past { standing: self.past.standing, ..Past::new(&*game) };
        Position { game, past, options: Arc::clone(&self.options), before: Vec::new(), played: 0, ..*self }
    }

    /// A position of the same game with the same options, read from a text, without a past.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read_position(&self, text: &str) -> Result<Position, SetupError> {
        let values: Vec<_> = self.options.iter().map(|(name, value)| (name, value.to_string())).collect();
        let given: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Position::start(
            self.info,
            &Setup { players: Some(self.seats()), options: &given, position: Some(text) },
        )
    }

    /// Learns that this was the last move; see [`came_about`](crate::last::came_about), which checks it against the
    /// board.
    ///
    /// # Errors
    /// Why that move cannot have led here, as a phrase.
    pub fn came_by(&mut self, last: Move) -> Result<(), String> {
        self.game.came_by(last)
    }

    /// Writes every cell: 0 for empty, otherwise the seat that owns the (top) piece, from 1.
    ///
    /// # Panics
    /// When `cells` is not exactly as long as the shape says.
    pub fn write_cells(&self, cells: &mut [u8]) {
        assert_eq!(cells.len(), self.shape().cells(), "the buffer must have one byte a cell");
        self.game.write_cells(cells);
    }

    /// Every cell, as [`write_cells`](Position::write_cells) writes it.
    #[must_use]
    pub fn cells(&self) -> Vec<u8> {
        let mut cells = vec![0; self.shape().cells()];
        self.game.write_cells(&mut cells);
        cells
    }

    /// The pieces on one cell from bottom to top; empty for a cell that does not exist.
    #[must_use]
    pub fn column(&self, cell: u16) -> Vec<u8> {
        let mut pieces = Vec::new();
        self.write_column(cell, &mut pieces);
        pieces
    }

    /// Appends the same to a list, which need not be a new one each time.
    pub fn write_column(&self, cell: u16, pieces: &mut Vec<u8>) {
        if usize::from(cell) < self.shape().cells() {
            self.game.write_column(cell, pieces);
        }
    }

    /// The position text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text);
        text
    }

    /// Appends a move in the notation of the legal list.
    pub fn write_move(&self, m: Move, text: &mut String) {
        if m == Move::PASS { text.push_str(PASS) } else { self.game.write_move(m, text) }
    }

    /// A move in the notation of the legal list.
    #[must_use]
    pub fn move_text(&self, m: Move) -> String {
        let mut text = String::new();
        self.write_move(m, &mut text);
        text
    }

    /// A legal choice, made in this position, as records keep it.
    #[must_use]
    pub fn choice_text(&self, choice: &Choice) -> String {
        let mut text = String::new();
        self.write_choice(choice, &mut text);
        text
    }

    /// Appends the same to a text.
    pub fn write_choice(&self, choice: &Choice, text: &mut String) {
        if choice.played == Move::PASS { text.push_str(PASS) } else { self.game.write_choice(choice, text) }
    }

    /// Reads a move in any notation that people use and judges it.
    ///
    /// # Errors
    /// `game-over`, `not-understood`, or why the move is illegal.
    pub fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        self.goes_on()?;
        match text.trim() {
            PASS => self.game.judge(Move::PASS).map(|()| Move::PASS.into()),
            text => self.game.read_move(text),
        }
    }

    /// The cells that a legal move goes through, first and last included.
    #[must_use]
    pub fn path(&self, m: Move) -> Vec<u16> {
        if m == Move::PASS { Vec::new() } else { self.game.path(m) }
    }

    /// Numbers by seat for reports and tie-breaks.
    #[must_use]
    pub fn scores(&self) -> Vec<Score> {
        self.game.scores(self.past.end.and_then(|end| end.outcome.winner()))
    }

    /// The obligation of the seat to move, in games that know one; tier 0 when the game is over.
    #[must_use]
    pub fn obligation(&self) -> Option<Obligation> {
        let obligation = self.game.obligation();
        if self.past.end.is_some() { obligation.map(|_| Obligation::default()) } else { obligation }
    }

    /// Lines below a drawing: what the board alone does not show and, while the game goes on, what the next turn is
    /// about.
    pub fn notes(&self, charset: Charset) -> Vec<String> {
        let mut notes = self.game.notes(charset);
        if self.past.end.is_none() {
            notes.extend(self.game.prompt());
        }
        notes
    }

    /// A person touches a cell while choosing a move.
    ///
    /// # Errors
    /// Why nothing can be done with the cell now.
    pub fn pick(&self, draft: &Draft, cell: u16) -> DraftResult {
        self.goes_on()?;
        self.game.pick(draft, cell)
    }

    /// A person presses an action, or `finish`.
    ///
    /// # Errors
    /// Why it cannot be done now.
    pub fn act(&self, draft: &Draft, action: &str) -> DraftResult {
        self.goes_on()?;
        self.game.act(draft, action)
    }

    /// What can be touched next.
    pub fn draft_view(&self, draft: &Draft) -> DraftView {
        if self.past.end.is_some() { DraftView::default() } else { self.game.draft_view(draft) }
    }
}

/// What a passed turn is called in every game.
const PASS: &str = "pass";

fn game_over(end: GameEnd) -> IllegalMove {
    let how = end.outcome.winner().map_or("nobody won".to_owned(), |seat| format!("player {seat} won"));
    IllegalMove::new(Refusal::GameOver, format!("The game is over: {how}."))
}

/// Questions to the game itself. There is no `DerefMut`: the game and its past change together.
impl Deref for Position {
    type Target = dyn AnyGame;

    fn deref(&self) -> &dyn AnyGame {
        &*self.game
    }
}

/// A copy shares the past and has nothing to undo.
impl Clone for Position {
    fn clone(&self) -> Position {
        Position {
            game: self.game.boxed(),
            options: Arc::clone(&self.options),
            past: self.past.clone(),
            before: Vec::new(),
            played: 0,
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Position) {
        if !self.copy_from(other) {
            *self = other.clone();
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.info.id, self.text())
    }
}
