//! Options that several verbs share, each with what it does.

mod adviser;
mod anchor;
pub(super) mod isolation;
mod json_lines;
mod not_bots;
pub(super) mod people;
mod pictures;
mod position;
mod printing;
mod runtimes;
pub(super) mod time;
mod tournament_file;

pub(super) use adviser::ReviewArgs;
pub(super) use anchor::{Anchor, anchor, anchored, unknown_anchor};
pub(super) use json_lines::{Fields, Refused, Whole, answer_lines};
pub(super) use not_bots::{LINK, not_bots, tell_not_bots};
pub(super) use people::{At, PeopleArgs, WebArgs};
pub(super) use pictures::{Pictures, PicturesArgs, SCALE, format_of, write_picture};
pub(super) use position::{GameName, Opened, PositionArgs, key_value, start};
pub(super) use printing::{Begins, Printing, PrintingArgs};
pub(super) use runtimes::RuntimeArgs;
pub(super) use tournament_file::{Finals, first_line, from_words, with_file};

use crate::ui::terminal::{Look, Palette};
use arbiter_rules::draw::Charset;
use clap::{Args, ColorChoice};

/// Whether a screen has colours.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ColourArgs {
    /// Use colours [default: as the terminal, NO_COLOR and CLICOLOR_FORCE say]
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto, hide_default_value = true, help_heading = "Output")]
    color: ColorChoice,
}

impl ColourArgs {
    pub(crate) fn look(self, charset: Charset) -> Look {
        let palette = Palette::of_environment(match self.color {
            ColorChoice::Auto => None,
            ColorChoice::Always => Some(true),
            ColorChoice::Never => Some(false),
        });
        Look { palette, charset }
    }
}

/// The argument, and the variable that means the same.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct DebugArg {
    /// Also print what bots think, on standard error: depth, score, nodes, the line they expect, and the value of every
    /// move that they report; `ask` prints what the bot prints, too
    #[arg(long, help_heading = "Output")]
    debug: bool,
}

impl DebugArg {
    /// Whether the command line or the environment asks for it, as `DEBUG=1` did before there was `--debug`. Empty and
    /// `0` mean no.
    pub(crate) fn is_wanted(self) -> bool {
        self.debug || std::env::var_os("DEBUG").is_some_and(|value| !value.is_empty() && value != "0")
    }
}
