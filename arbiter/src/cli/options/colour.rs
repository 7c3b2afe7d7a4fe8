//! Whether a screen has colours.

use crate::ui::terminal::Palette;
use clap::{Args, ValueEnum};

/// Whether a screen has colours.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ColourArgs {
    /// Use colours [default: as the terminal, NO_COLOR and CLICOLOR_FORCE say]
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto, hide_default_value = true, help_heading = "Output")]
    color: Colour,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// As the terminal and the environment say
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColourArgs {
    /// The colours of this terminal.
    pub(crate) fn palette(self) -> Palette {
        Palette::of_environment(match self.color {
            Colour::Auto => None,
            Colour::Always => Some(true),
            Colour::Never => Some(false),
        })
    }
}
