//! What a bot may use.

use std::time::Duration;

/// What a bot may use, outside its clock. None of these times counts on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Processor cores that it is told it may keep busy.
    pub threads: u32,
    /// Time for its process to start and for its library to load.
    pub load: Duration,
    /// Whether its process is stopped outside its turns, so that it cannot think on its opponents' time.
    pub stop_between_turns: bool,
    /// Time for each of `create`, `new_game`, `game_over` and `destroy`.
    pub call: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 1 << 30,
            threads: 1,
            load: Duration::from_secs(10),
            call: Duration::from_secs(5),
            stop_between_turns: false,
        }
    }
}
