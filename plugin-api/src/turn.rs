//! What a bot is told when it has to move.

use std::fmt;
use std::time::Duration;

use crate::{
    Cell, Error, Game, Host, LogLevel, Move, Position, Report, Result, RootMove, StopLevel, View, raw, read,
};

/// The bot's turn: everything about the position, so that a bot need not remember anything.
///
/// ```
/// use arbiter_plugin_api::{Move, Turn};
///
/// # fn search(turn: &Turn, depth: u32) -> Option<Move> { (depth < 6).then_some(turn.moves()[0]) }
/// /// Searches deeper and deeper: `search` gives `None` when the time is over.
/// fn choose_move(turn: &Turn) -> Move {
///     let mut best = turn.moves()[0];
///     let mut depth = 1;
///     while let Some(better) = search(turn, depth) {
///         best = better;
///         depth += 1;
///     }
///     best
/// }
/// ```
pub struct Turn<'a> {
    raw: &'a raw::Turn,
    game: Game<'a>,
    seat: usize,
    view: View,
    moves: &'a [Move],
    cells: &'a [Cell],
    clocks: &'a [i64],
    history: &'a [Move],
}

impl<'a> Turn<'a> {
    /// # Safety
    ///
    /// What is not null is good for `'a`, and as long as its length says.
    pub(crate) unsafe fn read(at: *const raw::Turn) -> Option<Turn<'a>> {
        // SAFETY: the caller promises the struct and what it leads to. A `Move` is its number and a `Cell` its
        // byte, and nothing else.
        unsafe {
            let raw = read::structure(at)?;
            let game = Game::read(raw.game)?;
            let host = Host::read(raw.host)?;
            Some(Turn {
                raw,
                game,
                seat: read::seat(raw.seat)?,
                view: View::read(host, raw.pos)?,
                moves: read::list(raw.moves.cast(), raw.move_count)?,
                cells: read::list(raw.cells.cast(), raw.cell_count)?,
                clocks: read::list(raw.clocks_ns, raw.players)?,
                history: read::list(raw.history.cast(), raw.history_count)?,
            })
        }
    }

    /// Every legal move; at least one.
    #[must_use]
    pub fn moves(&self) -> &'a [Move] {
        self.moves
    }

    /// The position, to be read.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// A copy of the position, to play on.
    ///
    /// # Panics
    ///
    /// When the arbiter is out of memory.
    #[must_use]
    pub fn position(&self) -> Position {
        self.view.to_position()
    }

    /// The board, in the order of the table in `arbiter_bot.h`.
    #[must_use]
    pub fn cells(&self) -> &'a [Cell] {
        self.cells
    }

    /// The position as text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        // SAFETY: `read` was promised texts good for 'a.
        unsafe { read::text(self.raw.text) }
    }

    /// The bot's own seat, from 0.
    #[must_use]
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// How many seats play.
    #[must_use]
    pub fn players(&self) -> usize {
        self.raw.players as usize
    }

    /// Moves played since the start by all seats, passes included.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.raw.ply
    }

    /// The moves played so far, oldest first.
    #[must_use]
    pub fn history(&self) -> &'a [Move] {
        self.history
    }

    /// How many answers to this very turn were refused.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.raw.attempt
    }

    /// The bot must answer within this time; `None` if there is no limit.
    #[must_use]
    pub fn hard_limit(&self) -> Option<Duration> {
        read::span(self.raw.hard_ns)
    }

    /// A sensible time to spend on this move.
    #[must_use]
    pub fn soft_limit(&self) -> Duration {
        read::span(self.raw.soft_ns).unwrap_or(Duration::MAX)
    }

    /// What a seat has left on its clock; `None` if it never runs out.
    ///
    /// # Panics
    ///
    /// When the game has no such seat.
    #[must_use]
    pub fn clock(&self, seat: usize) -> Option<Duration> {
        read::span(self.clocks[seat])
    }

    /// The game that is being played.
    #[must_use]
    pub fn game(&self) -> &Game<'a> {
        &self.game
    }

    /// The arbiter's clock, log and report, also for other threads.
    #[must_use]
    pub fn host(&self) -> Host {
        self.game.host()
    }

    /// How far the time for this turn has run. Cheap: ask at every node.
    #[must_use]
    pub fn stop_level(&self) -> StopLevel {
        self.host().stop_level()
    }

    /// Whether it is time to answer: the soft time is over, or worse. Cheap: ask at every node.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.host().should_stop()
    }

    /// What is left of the hard limit; `None` if there is none.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.host().time_left()
    }

    /// Tells what the bot has found so far, as often as it likes.
    pub fn report(&self, report: &Report<'_>) {
        self.host().report(report);
    }

    /// Tells what every move is worth after a search of `depth` plies; see [`Host::report_root_moves`].
    ///
    /// ```
    /// # use arbiter_plugin_api::{Move, RootMove, Turn};
    /// fn tell(turn: &Turn, depth: u32, values: &[(Move, i32)]) {
    ///     let list: Vec<_> = values.iter().map(|&(m, score)| RootMove::exact(m, score)).collect();
    ///     turn.report_root_moves(depth, &list);
    /// }
    /// ```
    pub fn report_root_moves(&self, depth: u32, moves: &[RootMove]) {
        self.host().report_root_moves(depth, moves);
    }

    /// Writes to the match log.
    pub fn log(&self, level: LogLevel, text: &str) {
        self.host().log(level, text);
    }

    /// 64 random bits from the arbiter. They start afresh with each game, from [`Game::seed`].
    #[must_use]
    pub fn random(&self) -> u64 {
        let host = self.host();
        // SAFETY: the table is the function's own. A `Turn` cannot leave its thread, so one thread asks.
        unsafe { (host.table().random)(host.as_ptr()) }
    }

    /// Answers with the cells that a piece goes through, the first being where it stands, instead of with a
    /// move. The referee judges the path, right or wrong, when the bot has returned what this gives:
    ///
    /// ```
    /// # use arbiter_plugin_api::{Move, Result, Turn};
    /// fn choose_move(turn: &Turn) -> Result<Move> {
    ///     turn.answer_path(&[10, 31, 48])
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// This arbiter takes no paths, the moves of this game go through no cells, or the path has more than
    /// [`MAX_ANSWER`](raw::MAX_ANSWER) of them.
    pub fn answer_path(&self, cells: &[i32]) -> Result<Move> {
        let host = self.host();
        let table = host.path().ok_or_else(|| Error::unsupported("this arbiter takes no paths"))?;
        // SAFETY: the table is the function's own, and as many cells are there as we say. We are inside
        // choose_move, on its thread: there is no `Turn` elsewhere.
        match unsafe { (table.answer)(host.as_ptr(), cells.as_ptr(), read::c_len(cells.len())) } {
            raw::OK => Ok(Move::NONE),
            raw::ERR_UNSUPPORTED => Err(Error::unsupported("moves of this game go through no cells")),
            raw::ERR_ARGUMENT => Err(Error::failed(format!("a path has at most {} cells", raw::MAX_ANSWER))),
            status => Err(Error::failed(format!("the path was not taken (status {status})"))),
        }
    }
}

impl fmt::Debug for Turn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn")
            .field("seat", &self.seat())
            .field("ply", &self.ply())
            .field("text", &self.text())
            .field("moves", &self.moves())
            .finish_non_exhaustive()
    }
}
