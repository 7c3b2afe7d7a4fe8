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

pub use layout::{Format, count, points, ranges};
pub use marks::{LEGEND, Mark};
pub use over_time::{Moment, OverTime};
pub use remarks::{for_seats, limits, of_rank_points, same_files};
pub use rows::{Export, Rows};
pub use standings::{Circumstances, Line, Standings};
pub use standings_table::{MOST_SIDE_BY_SIDE, leaders_table, rating_range, standings_text};
pub use summary::{
    CSV_HEAD, Detail, FEW_GAMES, RowsError, Style, Summary, chosen_options, player_name, summary,
    time_control,
};
pub use tally::{Ledger, Meeting, SeatSum, Tally};
