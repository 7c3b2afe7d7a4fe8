//! The full-screen view: play, watch, look back. Games tell it everything through the log; people act through the
//! desk.
#![expect(
    clippy::disallowed_methods,
    reason = "a screen goes at the pace of people, and saves a new file where they say"
)]

mod board;
mod canvas;
mod colours;
mod keys;
mod marks;
mod menu;
mod page;
mod painting;
mod screen;
mod session;
mod side;
mod viewer;

pub(crate) use colours::{Look, Palette};
pub(crate) use menu::{Chosen, Menu};
pub(crate) use screen::broken;
pub use session::{LateStderr, Session};
pub(crate) use session::{Signal, restore};
pub(crate) use viewer::{Company, Mode, Viewer};

use super::Leaving;
use std::io;
use std::time::{Duration, Instant};
use viewer::Wish;

/// The shortest time between two pictures that nobody asked for.
const FRAME: Duration = Duration::from_millis(33);

/// Shows games until the person leaves or there is nothing more to see.
pub(crate) fn show(session: &mut Session, viewer: &mut Viewer) -> io::Result<()> {
    let mut drawn: Option<Instant> = None;
    // The first picture is of a game, where one begins at once.
    let mut signal = if viewer.story().is_none() { session.wait(FRAME) } else { Signal::Changed };
    loop {
        match &signal {
            Signal::Input(event, at) => viewer.input(event, *at),
            Signal::Stop => viewer.leaving = Leaving::AtOnce,
            Signal::Changed | Signal::Nothing => {}
        }
        match viewer.wish.take() {
            Some(Wish::Suspend) => {
                viewer.look_away();
                session.suspend()?;
                viewer.look_back();
            }
            Some(Wish::ToggleMouse) => viewer.has_mouse(session.toggle_mouse()?),
            Some(Wish::Copy(text)) => session.copy(&text)?,
            None => {}
        }
        viewer.hear();
        if !viewer.tick() || viewer.leaving != Leaving::No || viewer.is_empty() {
            return Ok(());
        }
        let since = drawn.map_or(FRAME, |drawn| drawn.elapsed());
        // What is there already is obeyed first, so that a flood of keys is not a flood of pictures.
        if since < FRAME
            && let Some(next) = session.waiting()
        {
            signal = next;
            continue;
        }
        if matches!(signal, Signal::Changed) && since < FRAME && viewer.may_wait() {
            signal = session.wait(FRAME - since);
            if !matches!(signal, Signal::Changed | Signal::Nothing) {
                continue;
            }
            viewer.hear();
        }
        // What is pressed from now on may have been pressed because of this picture; what came before was not.
        let begun = Instant::now();
        session.draw(|area, buf| viewer.draw(area, buf))?;
        viewer.was_shown(begun);
        drawn = Some(Instant::now());
        signal = session.wait(viewer.until_next_drawing());
    }
}
