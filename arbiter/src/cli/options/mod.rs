//! Options that several verbs share, each with what it does.

pub(super) mod adviser;
pub(super) mod anchor;
pub(super) mod isolation;
pub(super) mod json_lines;
pub(super) mod people;
pub(super) mod pictures;
pub(super) mod position;
pub(super) mod printing;
pub(super) mod runtimes;
pub(super) mod time;
pub(super) mod tournament_file;

use crate::ui::terminal::Palette;
use clap::{Args, ColorChoice};

/// Whether a screen has colours.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ColourArgs {
    /// Use colours [default: as the terminal, NO_COLOR and CLICOLOR_FORCE say]
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto, hide_default_value = true, help_heading = "Output")]
    color: ColorChoice,
}

impl ColourArgs {
    /// The colours of this terminal.
    pub(crate) fn palette(self) -> Palette {
        Palette::of_environment(match self.color {
            ColorChoice::Auto => None,
            ColorChoice::Always => Some(true),
            ColorChoice::Never => Some(false),
        })
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
