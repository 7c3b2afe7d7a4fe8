//! Pieces that fall to where they lie. Only the picture moves: the game and the keys wait for nothing.

use crate::ui::story::Story;
use crate::ui::terminal::marks::Falling;
use arbiter_rules::layout::{Field, Layout};
use std::env;
use std::time::{Duration, Instant};

/// How long a piece is shown in one cell on its way.
const STEP: Duration = Duration::from_millis(35);

pub(super) struct Fall {
    is_wanted: bool,
    /// The game and the picture that were shown last.
    shown: (u32, usize),
    since: Option<Instant>,
}

impl Fall {
    /// Nothing moves for people who have set `NO_MOTION`.
    pub(super) fn of_environment() -> Fall {
        let is_wanted = env::var_os("NO_MOTION").is_none_or(|value| value.is_empty());
        Fall { is_wanted, shown: (0, 0), since: None }
    }

    /// A picture is shown: a piece falls if it is the one after the last.
    pub(super) fn show(&mut self, story: &Story, picture: usize) -> Option<Falling> {
        if self.shown != (story.game, picture) {
            let is_next = self.shown.0 == story.game && self.shown.1 + 1 == picture;
            self.since = (is_next && self.is_wanted).then(Instant::now);
            self.shown = (story.game, picture);
        }
        let frame = &story.frames[picture];
        let (moved, since) = (frame.moved.as_ref()?, self.since?);
        let to = *frame.last().last()?;
        let at = on_the_way(
            &frame.position.layout(),
            to,
            (since.elapsed().as_millis() / STEP.as_millis()) as usize,
        );
        if at.is_none() {
            self.since = None;
        }
        at.map(|at| Falling { seat: moved.seat, to, at })
    }

    pub(super) fn until_next_drawing(&self) -> Option<Duration> {
        let elapsed = self.since?.elapsed().as_nanos() % STEP.as_nanos();
        Some(STEP.saturating_sub(Duration::from_nanos(elapsed as u64)).max(Duration::from_millis(1)))
    }
}

/// Where a piece is after so many steps from the top of an upright rack; nowhere once it has arrived.
fn on_the_way(layout: &Layout, to: u16, steps: usize) -> Option<u16> {
    if layout.field != Field::Rack {
        return None;
    }
    let end = layout.cells[usize::from(to)];
    let above = (0..).zip(&layout.cells).filter(|(_, at)| at.x == end.x && at.y < end.y);
    let mut above: Vec<(i32, u16)> = above.map(|(cell, at)| (at.y, cell)).collect();
    above.sort_unstable();
    above.get(steps).map(|&(_, cell)| cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::{Setup, registry};

    #[test]
    fn a_disc_falls_through_the_cells_above_it_and_stones_do_not_fall() {
        let layout = |game| registry::start(game, &Setup::default()).unwrap().layout();
        let rack = layout("connect-four");
        let way: Vec<u16> = (0..).map_while(|steps| on_the_way(&rack, 31, steps)).collect();
        assert_eq!(way, [3, 10, 17, 24]);
        assert_eq!(on_the_way(&layout("othello"), 63, 0), None);
    }
}
