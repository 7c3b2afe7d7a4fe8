//! The menu on a page: the lines that the terminal's menu has, for whoever has the owner's link. Everybody else waits.

use super::Answering;
use super::door::{Door, Host, News, Room};
use super::feed::Game;
use super::socket::{Act, Said};
use super::token::Rights;
use crate::player::Refused;
use crate::ui::menu::{Choice, Row};
use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;

/// Values of a line that are offered to choose from; where there are more, the line is typed.
const MOST_VALUES: usize = 16;

/// The menu, for as long as nothing has been chosen.
pub(crate) struct Menu {
    choosing: Arc<Choosing>,
    thread: Answering,
}

struct Choosing {
    room: Room,
    written: Mutex<Written>,
    decided: Condvar,
}

struct Written {
    choice: Choice,
    alert: String,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Choosing,
    Chosen,
    /// It is played, or nobody answers pages any more.
    Over,
}

impl Menu {
    /// Shows a choice at this door.
    pub(crate) fn open(door: &Arc<Door>, choice: Choice) -> io::Result<Menu> {
        let room = Room::new(Arc::clone(door), door.keys.tokens(&[])?)?;
        let written = Mutex::new(Written { choice, alert: String::new(), stage: Stage::Choosing });
        let choosing = Arc::new(Choosing { room, written, decided: Condvar::new() });
        Ok(Menu { thread: Answering::start(&choosing)?, choosing })
    }

    /// Waits until somebody wants to play what has been chosen. Pages are answered while that is looked at, and can change
    /// nothing until somebody [complains](Menu::complain). An error says that nobody answers pages any more.
    pub(crate) fn chosen(&self) -> io::Result<Choice> {
        let mut written = self.choosing.written.lock();
        self.choosing.decided.wait_while(&mut written, |written| written.stage == Stage::Choosing);
        match written.stage {
            Stage::Chosen => Ok(written.choice.clone()),
            Stage::Choosing | Stage::Over => Err(io::Error::other("its pages are answered no more")),
        }
    }

    pub(crate) fn complain(&self, text: &str) {
        self.choosing.change(|written| {
            text.clone_into(&mut written.alert);
            written.stage = Stage::Choosing;
        });
    }
}

/// Pages hear that there is nothing to choose any more: what they find when they connect again is the match.
impl Drop for Menu {
    fn drop(&mut self) {
        self.choosing.nobody_answers();
        self.thread.join();
    }
}

impl Choosing {
    /// Changes the menu, and tells everybody.
    fn change<R>(&self, change: impl FnOnce(&mut Written) -> R) -> R {
        let done = change(&mut self.written.lock());
        self.decided.notify_all();
        self.room.grown.send_modify(|number| *number += 1);
        done
    }

    /// The menu as a page shows it; whoever may choose nothing is told no more than that somebody does.
    fn shown(&self, rights: &Rights) -> Value {
        json!({ "menu": rights.chooses.then(|| self.written.lock().shown()) })
    }
}

impl Host for Choosing {
    fn room(&self) -> &Room {
        &self.room
    }

    fn hello(&self, rights: &Rights, _: u64) -> (Value, u64) {
        let number = *self.room.grown.borrow();
        let mut hello = self.shown(rights);
        hello["hello"] = json!(self.room.run);
        (hello, number)
    }

    fn news(&self, rights: &Rights, from: u64) -> News {
        let number = *self.room.grown.borrow();
        match self.written.lock().stage {
            Stage::Over => return News::End,
            _ if number == from => return News::Nothing,
            Stage::Choosing | Stage::Chosen => {}
        }
        News::Message(self.shown(rights).to_string(), number)
    }

    fn act(&self, rights: &Rights, said: &Said) -> Result<(), Refused> {
        match said.act {
            Act::Hello | Act::Beat => Ok(()),
            _ if !rights.chooses => Err(Refused::not_the_owner()),
            _ if self.written.lock().stage != Stage::Choosing => Err(Refused::stale()),
            Act::Set => self.change(|written| written.set(&said.row, &said.text)),
            Act::Start => {
                self.change(|written| written.stage = Stage::Chosen);
                Ok(())
            }
            _ => Err(Refused::stale()),
        }
    }

    fn nobody_answers(&self) {
        self.change(|written| written.stage = Stage::Over);
    }

    async fn end(&self) {
        let is_over = |_: &u64| self.written.lock().stage == Stage::Over;
        let _ = self.room.grown.subscribe().wait_for(is_over).await;
    }
}

impl Written {
    /// Writes a line anew: with one of its values, in the words in which it is shown, or with what was typed.
    fn set(&mut self, row: &str, text: &str) -> Result<(), Refused> {
        let row = self.choice.row(row).ok_or_else(Refused::stale)?;
        self.alert.clear();
        let refused =
            || Refused { code: "not-understood", sentence: "That cannot be written here.".to_owned() };
        self.choice.write(row, text).then_some(()).ok_or_else(refused)
    }

    fn shown(&self) -> Value {
        let choice = &self.choice;
        let line = |row: &Row| {
            let line = choice.line(*row);
            let words: Vec<_> = choice.offers(*row).into_iter().map(|offer| offer.words).collect();
            // What can be typed is typed, where there are too many values to look through, or none but the usual one.
            let is_offered = match choice.takes(*row, '1') {
                true => (2..=MOST_VALUES).contains(&words.len()),
                false => !words.is_empty(),
            };
            let (values, here) = is_offered.then(|| (words, choice.here(*row))).unzip();
            json!({
                "id": row.to_string(),
                "name": line.name,
                "range": line.range,
                "about": choice.about(*row),
                "values": values,
                "here": here,
                "text": choice.text(*row),
                "value": line.value,
            })
        };
        let rows: Vec<Value> = choice.rows().iter().map(line).collect();
        let start = choice.start().map(|start| Game::new(&start.into(), &Arc::default()).started(1, 0));
        json!({
            "rows": rows,
            "alert": self.alert,
            "game": choice.info().title,
            "rules": choice.rules(),
            "start": start,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// The program would otherwise wait for ever for what nobody can say any more.
    #[test]
    fn a_menu_that_has_lost_its_pages_ends_the_wait_for_a_choice() {
        let door = Arc::new(Door::open(None).unwrap());
        let menu = Menu::open(&door, Choice::new(Vec::new(), false, &[])).unwrap();
        menu.choosing.nobody_answers();
        let (sender, told) = channel();
        std::thread::spawn(move || sender.send(menu.chosen().is_err()));
        assert_eq!(told.recv_timeout(Duration::from_secs(60)), Ok(true));
    }
}
