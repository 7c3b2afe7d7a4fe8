//! The menu on a page: the lines that the terminal's menu has, for whoever has the owner's link. Everybody else waits.

use super::answers::with_pages;
use super::door::{Door, Host};
use super::feed::Game;
use super::socket::{Act, Said, hear, send};
use super::token::{Rights, Tokens, random};
use super::{FAREWELL, accept, runtime};
use crate::player::Refused;
use crate::ui::log::Sitter;
use crate::ui::menu::{Choice, Row};
use crate::ui::with_tables;
use arbiter_rules::Position;
use axum::extract::ws::WebSocket;
use serde_json::{Value, json};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::timeout;

/// Values of a line that are offered to choose from; where there are more, the line is typed.
const MOST_VALUES: usize = 16;

/// The menu, for as long as nothing has been chosen.
pub struct Menu {
    shared: Arc<Shared>,
    runtime: Runtime,
}

struct Shared {
    door: Arc<Door>,
    tokens: Tokens,
    /// Tells pages that connect again that this is no match that they have seen.
    run: String,
    written: Mutex<Written>,
    /// How far it is; pages are told whenever it changes.
    stage: watch::Sender<Stage>,
    /// How many pages are connected.
    pages: watch::Sender<usize>,
}

/// The menu as it stands.
struct Written {
    choice: Choice,
    /// What was wrong with the last choice.
    alert: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Lines are being written.
    Choosing,
    /// Somebody wants to play that.
    Chosen,
    /// It is played.
    Over,
}

impl Menu {
    /// Shows a choice at this door.
    ///
    /// # Errors
    /// A machine without a random source, or that has no room for it.
    pub fn open(door: &Arc<Door>, choice: Choice) -> io::Result<Menu> {
        let shared = Shared {
            door: Arc::clone(door),
            tokens: door.keys.waiting(),
            run: random()?,
            written: Mutex::new(Written { choice, alert: String::new() }),
            stage: watch::Sender::new(Stage::Choosing),
            pages: watch::Sender::new(0),
        };
        Ok(Menu { shared: Arc::new(shared), runtime: runtime()? })
    }

    /// Waits until somebody wants to play what has been chosen, and passes it on.
    ///
    /// # Errors
    /// A door that is gone.
    pub fn run<R>(&self, chosen: impl FnOnce(&Choice) -> R) -> io::Result<R> {
        let listener = self.shared.door.listener()?;
        let router = with_pages(&self.shared);
        let mut stage = self.shared.stage.subscribe();
        self.runtime.block_on(async {
            tokio::select! {
                () = accept(listener, router) => {}
                _ = stage.wait_for(|stage| *stage == Stage::Chosen) => {}
            }
        });
        Ok(chosen(&self.shared.written().choice))
    }

    /// Says what was wrong with the last choice.
    pub fn complain(&self, text: &str) {
        text.clone_into(&mut self.shared.written().alert);
        self.shared.stage.send_replace(Stage::Choosing);
    }
}

/// Pages hear that there is nothing to choose any more: what they find when they connect again is the match.
impl Drop for Menu {
    fn drop(&mut self) {
        self.shared.stage.send_replace(Stage::Over);
        let mut pages = self.shared.pages.subscribe();
        self.runtime.block_on(async {
            let _ = timeout(FAREWELL, pages.wait_for(|pages| *pages == 0)).await;
        });
    }
}

impl Host for Shared {
    fn door(&self) -> &Door {
        &self.door
    }

    fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    async fn talk(self: Arc<Shared>, socket: WebSocket, rights: Rights) {
        self.pages.send_modify(|pages| *pages += 1);
        talk(socket, &self, &rights).await;
        self.pages.send_modify(|pages| *pages -= 1);
    }
}

async fn talk(mut socket: WebSocket, shared: &Shared, rights: &Rights) {
    let mut stage = shared.stage.subscribe();
    let mut is_greeted = false;
    loop {
        let said = tokio::select! {
            biased;
            said = hear(&mut socket) => said,
            changed = stage.changed(), if is_greeted => {
                let is_over = changed.is_err() || *stage.borrow_and_update() == Stage::Over;
                if is_over || !send(&mut socket, &shared.menu(rights).to_string()).await {
                    return;
                }
                continue;
            }
        };
        let Some(said) = said else { return };
        let answer = match said.act {
            Act::Hello => {
                is_greeted = true;
                let mut hello = shared.menu(rights);
                hello["hello"] = json!(shared.run);
                hello
            }
            _ => said.answered(shared.act(rights, &said)),
        };
        if !send(&mut socket, &answer.to_string()).await {
            return;
        }
    }
}

impl Shared {
    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().expect("nobody panics with the choice")
    }

    /// Does what a page says.
    fn act(&self, rights: &Rights, said: &Said) -> Result<(), Refused> {
        match said.act {
            Act::Hello | Act::Beat => return Ok(()),
            _ if !rights.chooses => return Err(Refused::not_the_owner()),
            _ if *self.stage.borrow() != Stage::Choosing => return Err(Refused::stale()),
            Act::Set => self.written().set(&said.row, &said.text)?,
            Act::Start => {
                self.stage.send_replace(Stage::Chosen);
                return Ok(());
            }
            _ => return Err(Refused::stale()),
        }
        self.stage.send_replace(Stage::Choosing);
        Ok(())
    }

    /// The menu as a page shows it; whoever may choose nothing is told no more than that somebody does.
    fn menu(&self, rights: &Rights) -> Value {
        let written = self.written();
        match rights.chooses {
            true => json!({ "menu": written.shown() }),
            false => json!({ "menu": null }),
        }
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
        let nobody: Arc<[Sitter]> = Arc::new([]);
        let start = choice.start().map(|start: Position| Game::new(&Arc::new(start), &nobody).started(1, 0));
        json!({
            "rows": rows,
            "alert": self.alert,
            "game": choice.info().title,
            "rules": with_tables(&choice.rules()),
            "start": start,
        })
    }
}
