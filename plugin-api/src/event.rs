//! What a bot is told between its turns and at the end.

use std::fmt;
use std::time::Duration;

use crate::{Game, Host, Move, Outcome, View, raw, read};

/// Something happened: a move of any seat (the bot's too), chance, or a seat left the game.
///
/// ```
/// use arbiter_plugin_api::{Event, Move};
///
/// /// Keeps the moves that the others have chosen themselves.
/// fn listen(event: &Event, us: usize, chosen: &mut Vec<Move>) {
///     if event.seat() != Some(us) && !event.is_forced() {
///         chosen.extend(event.moved());
///     }
/// }
/// ```
pub struct Event<'a> {
    raw: &'a raw::Event,
    game: Game<'a>,
    view: View,
}

impl<'a> Event<'a> {
    /// # Safety
    ///
    /// What is not null is good for `'a`.
    pub(crate) unsafe fn read(at: *const raw::Event) -> Option<Event<'a>> {
        // SAFETY: the caller promises the struct and what it leads to.
        unsafe {
            let raw = read::structure(at)?;
            let game = Game::read(raw.game)?;
            let view = View::read(Host::read(raw.host)?, raw.pos)?;
            Some(Event { raw, game, view })
        }
    }

    /// Who it happened to; `None` if it was chance.
    #[must_use]
    pub fn seat(&self) -> Option<usize> {
        read::seat(self.raw.seat)
    }

    /// The move, if it was one.
    #[must_use]
    pub fn moved(&self) -> Option<Move> {
        (self.raw.r#move != raw::NO_MOVE).then_some(Move::from_raw(self.raw.r#move))
    }

    /// Whether the player did not choose the move: an opening, the only pass.
    #[must_use]
    pub fn is_forced(&self) -> bool {
        self.raw.flags & raw::EVENT_FORCED != 0
    }

    /// Whether this seat is out of a game that goes on without it; [`text`](Event::text) is the reason.
    #[must_use]
    pub fn is_elimination(&self) -> bool {
        self.raw.flags & raw::EVENT_ELIMINATED != 0
    }

    /// Whether chance did it; [`text`](Event::text) tells what.
    #[must_use]
    pub fn is_chance(&self) -> bool {
        self.raw.seat == raw::SEAT_CHANCE
    }

    /// Moves played before this one.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.raw.ply
    }

    /// Time taken.
    #[must_use]
    pub fn time(&self) -> Duration {
        read::span(self.raw.time_ns).unwrap_or_default()
    }

    /// The position after it.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The move as people write it.
    #[must_use]
    pub fn text(&self) -> &'a str {
        // SAFETY: `read` was promised texts good for 'a.
        unsafe { read::text(self.raw.text) }
    }

    /// The game that is being played.
    #[must_use]
    pub fn game(&self) -> &Game<'a> {
        &self.game
    }

    /// The arbiter's clock, log and report.
    #[must_use]
    pub fn host(&self) -> Host {
        self.game.host()
    }
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("seat", &self.seat())
            .field("ply", &self.ply())
            .field("moved", &self.moved())
            .field("text", &self.text())
            .finish_non_exhaustive()
    }
}

/// The game is over.
///
/// ```
/// use arbiter_plugin_api::GameResult;
///
/// fn sentence(result: &GameResult) -> String {
///     let rank = result.rank_of(result.game().seat());
///     format!("{:?}, rank {rank}: {}", result.outcome(), result.reason())
/// }
/// ```
pub struct GameResult<'a> {
    raw: &'a raw::GameResult,
    game: Game<'a>,
    outcomes: &'a [i32],
    ranks: &'a [i32],
    scores: Option<&'a [i32]>,
}

impl<'a> GameResult<'a> {
    /// # Safety
    ///
    /// What is not null is good for `'a`, and as long as its length says.
    pub(crate) unsafe fn read(at: *const raw::GameResult) -> Option<GameResult<'a>> {
        // SAFETY: the caller promises the struct and what it leads to.
        unsafe {
            let raw = read::structure(at)?;
            Some(GameResult {
                raw,
                game: Game::read(raw.game)?,
                outcomes: read::list(raw.outcomes, raw.players)?,
                ranks: read::list(raw.ranks, raw.players)?,
                scores: read::list(raw.scores, raw.players),
            })
        }
    }

    /// How the game ended for the bot.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::from_raw(self.raw.outcome).unwrap_or(Outcome::Loss)
    }

    /// How the game ended for a seat.
    ///
    /// # Panics
    ///
    /// When the game has no such seat.
    #[must_use]
    pub fn outcome_of(&self, seat: usize) -> Outcome {
        Outcome::from_raw(self.outcomes[seat]).unwrap_or(Outcome::Loss)
    }

    /// The rank of a seat: 1 is best, equal numbers are ties.
    ///
    /// # Panics
    ///
    /// When the game has no such seat.
    #[must_use]
    pub fn rank_of(&self, seat: usize) -> i32 {
        self.ranks[seat]
    }

    /// The score of a seat (discs, distance to go), in games that have one.
    ///
    /// # Panics
    ///
    /// When the game has scores but no such seat.
    #[must_use]
    pub fn score_of(&self, seat: usize) -> Option<i32> {
        self.scores.map(|scores| scores[seat])
    }

    /// Why the game ended: `"repetition"`, `"out of time"`.
    #[must_use]
    pub fn reason(&self) -> &'a str {
        // SAFETY: `read` was promised texts good for 'a.
        unsafe { read::text(self.raw.reason) }
    }

    /// The game that was played.
    #[must_use]
    pub fn game(&self) -> &Game<'a> {
        &self.game
    }

    /// The arbiter's clock, log and report.
    #[must_use]
    pub fn host(&self) -> Host {
        self.game.host()
    }
}

impl fmt::Debug for GameResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameResult")
            .field("outcome", &self.outcome())
            .field("ranks", &self.ranks)
            .field("scores", &self.scores)
            .field("reason", &self.reason())
            .finish_non_exhaustive()
    }
}
