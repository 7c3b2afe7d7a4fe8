//! What bots print: the last lines beside the board, all that is kept on a page.

use super::Viewer;
use crate::ui::terminal::page::Page;

/// Lines of each bot that stand beside the board.
const BESIDE: usize = 4;

impl Viewer {
    /// Whether more may be printed at any moment.
    pub(super) fn is_printing(&self) -> bool {
        self.printouts.is_some() && self.story().is_none_or(|story| story.ended.is_none())
    }

    /// The last lines, each bot's under its name.
    pub(super) fn printed(&self) -> Vec<String> {
        let all = self.printouts.iter().flat_map(|printouts| printouts.of_game(self.shown, BESIDE));
        all.flat_map(|(name, lines)| {
            std::iter::once(format!("{name} prints:")).chain(lines.into_iter().map(|line| format!(" {line}")))
        })
        .collect()
    }

    /// Opens the page.
    pub(super) fn open_output(&mut self) {
        if self.printouts.is_none() {
            self.message = "What bots print is shown with --show-output.".to_owned();
            return;
        }
        self.is_about_output = true;
        self.go_on_with_output();
    }

    /// The page goes on with what is printed, until somebody leafs through it.
    pub(super) fn go_on_with_output(&mut self) {
        let Some(printouts) = self.printouts.as_ref().filter(|_| self.is_about_output) else { return };
        let mut text = String::new();
        for (name, lines) in printouts.of_game(self.shown, usize::MAX) {
            text.push_str(&format!("{name}\n"));
            lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
        }
        if text.is_empty() {
            text.push_str("Nothing has been printed in this game.\n");
        }
        self.page = Some(Page::new("What bots print", &text).at_its_end());
    }
}
