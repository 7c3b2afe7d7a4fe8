//! The mathematics of matches and tournaments: ratings with honest errors, stopping rules, Swiss pairings, tie-breaks.
//!
//! Pure functions of plain numbers: no files, no clocks, no threads, no games. Results are sums over *units* (a pair of
//! games with the seats swapped, or a rotation group), added up as whole numbers before anything is calculated, and
//! every transcendental function comes from `libm`; so neither the order in which results arrive nor the machine
//! changes a bit of what comes out. `README.md` beside this file has the formulas with their sources; `arbiter stats --batch`
//! answers questions with these functions alone.
//!
//! | question | answer |
//! | --- | --- |
//! | how did two bots do? | [`EloSummary::of`] a [`Counts`] |
//! | does one beat another, asked again and again? | [`Wealth`] |
//! | may we stop? | [`Sprt`], fed unit by unit through [`SprtRun`] |
//! | how strong is everybody, with two seats? | [`bradley_terry()`] of [`TwoSeatUnits`] |
//! | the same with more seats? | [`plackett_luce()`] of [`RankedUnits`] |
//! | how sure is that? | [`Ratings::interval`], [`Ratings::superiority`] |
//! | who meets whom next? | [`swiss_round`]; in a league [`Ladder::round`] |
//! | who is where? | [`tie_breaks()`] |

mod bradley_terry;
mod counts;
mod elo_summary;
mod fit;
mod interval;
mod ladder;
mod likelihood;
mod matching;
mod matrix;
mod normalized;
mod plackett_luce;
mod ratings;
mod scale;
mod spread;
mod sprt;
mod swiss;
mod tie_breaks;
mod unique;
mod units;
mod wealth;

pub use bradley_terry::{FirstSeatTerm, bradley_terry};
pub use counts::{Counts, CountsError};
pub use elo_summary::EloSummary;
pub use interval::Interval;
pub use ladder::{Enough, Ladder, Roster};
pub use plackett_luce::plackett_luce;
pub use ratings::{Estimate, RatingError, Ratings, WEAK_PRIOR};
pub use scale::{Z95, normal_cdf};
pub use sprt::{Decision, EloModel, Sprt, SprtError, SprtRun};
pub use swiss::{MAX_HALF_POINTS, MAX_SWISS_PLAYERS, SwissCost, SwissPlayer, SwissRound, swiss_round};
pub use tie_breaks::{Encounter, TieBreakOrder, TieBreaks, tie_breaks};
pub use units::{MAX_TIED, RankedUnits, ResultsError, Score, TwoSeatGame, TwoSeatUnits};
pub use wealth::Wealth;
