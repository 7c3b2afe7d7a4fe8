//! What is taken away from the screen: a picture of the board as text, and the text of a position.

use super::{Viewer, Wish};
use crate::ui::terminal::page::Page;
use arbiter_rules::draw::{Marks, draw};
use std::fs::File;
use std::io::{ErrorKind, Write};

impl Viewer {
    /// Shows the text of the position, and copies it where the terminal can do that.
    pub(super) fn copy(&mut self) {
        let ply = self.ply();
        let Some(story) = self.story() else { return };
        let position = &story.frames[ply].position;
        let (text, game) = (position.text(), position.info().id);
        let lines = [
            text.clone(),
            String::new(),
            "It is copied now, if your terminal allows that; otherwise press m and select it.".to_owned(),
            format!("To look at it again: arbiter position --game {game} --position '{text}'"),
        ];
        self.open(Page::new("The text of this position", &lines.join("\n")));
        self.wish = Some(Wish::Copy(text));
    }

    pub(super) fn save(&mut self) {
        let ply = self.ply();
        let Some(story) = self.story() else { return };
        let frame = &story.frames[ply];
        let marks = Marks { last: frame.last().to_vec(), ..Marks::default() };
        let board = draw(&frame.position, self.look.charset, &marks);
        let picture = format!("{board}{}\n", frame.position.text());
        let name = format!("{}-game{}-ply{ply}", frame.position.info().id, story.game);
        let file = (1..100).find_map(|number| {
            let tail = if number == 1 { String::new() } else { format!("-{number}") };
            let path = format!("{name}{tail}.txt");
            match File::create_new(&path) {
                Ok(file) => Some(Ok((path, file))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
                Err(error) => Some(Err(error)),
            }
        });
        let saved = file
            .map(|file| file.and_then(|(path, mut file)| file.write_all(picture.as_bytes()).map(|()| path)));
        match saved {
            Some(Ok(path)) => self.message = format!("The board is saved in {path}."),
            Some(Err(error)) => self.alert = format!("The board cannot be saved: {error}."),
            None => self.alert = format!("There are 99 pictures of this position: {name}.txt and others."),
        }
    }
}
