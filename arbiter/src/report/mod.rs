//! What a person wants to know of a match or tournament, from records alone.

mod layout;
mod marks;
mod over_time;
mod remarks;
mod rows;
mod standings;
mod standings_table;
mod summary;
mod tally;

pub(crate) use layout::{count, points, ranges};
pub(crate) use marks::{LEGEND, Mark};
pub(crate) use over_time::{Moment, OverTime};
pub(crate) use remarks::{for_seats, limits, of_rank_points, of_standings, same_files};
pub(crate) use rows::{Export, Rows};
pub(crate) use standings::{Line, Standings};
pub(crate) use standings_table::{
    MOST_SIDE_BY_SIDE, OF_PAIRINGS, leaders_table, rating_range, standings_text,
};
pub(crate) use summary::{
    CSV_HEAD, FEW_GAMES, GameRow, RowsError, Summary, chosen_options, player_name, time_control,
};
pub(crate) use tally::Ledger;

pub use layout::Format;
pub use standings::Circumstances;
pub use summary::{Detail, Style, summary};
pub use tally::Tally;
