//! Whether a screen has colours.

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
