//! What can be set.

use super::lines::Variant;
use crate::options::{Given, OptionError, OptionInfo, OptionKind, OptionValue, Options};

pub(super) static OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "n",
        kind: OptionKind::Number(3, 9),
        default: "4",
        about: "size of the board and length of a line",
    },
    OptionInfo {
        name: "variant",
        kind: OptionKind::Word(&["3d", "top"]),
        default: "3d",
        about: "what counts as a line: tokens in space, or tops as seen from above",
    },
    OptionInfo {
        name: "earthquake",
        kind: OptionKind::Flag,
        default: "false",
        about: "whether stacks may collapse after every turn",
    },
    OptionInfo {
        name: "earthquake_rate",
        kind: OptionKind::Number(1, 100),
        default: "100",
        about: "with earthquakes: the chance that a stack collapses, in per cent of the chance that the rules give",
    },
    OptionInfo {
        name: "removal",
        kind: OptionKind::Word(&["any", "own", "off"]),
        default: "any",
        about: "which tops may be removed: any, one's own, or none",
    },
    OptionInfo {
        name: "ko",
        kind: OptionKind::Flag,
        default: "true",
        about: "whether the token just placed is safe from removal for one turn",
    },
    OptionInfo {
        name: "max_turns",
        kind: OptionKind::OffOrFrom(1),
        default: "20 n²",
        about: "the game is drawn after so many turns of both sides together; 0 for no limit",
    },
    OptionInfo {
        name: "repetition",
        kind: OptionKind::OffOrFrom(2),
        default: "3",
        about: "the game is drawn when a position occurs so often, without earthquakes; 0 for off",
    },
];

/// What the options say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Size of the board and length of a line.
    pub(super) n: u16,
    pub(super) variant: Variant,
    /// The chance of a collapse in per cent of the chance that the rules give, 1 to 100; none without earthquakes.
    pub(super) earthquake_rate: Option<u32>,
    pub(super) removal: Removal,
    pub(super) ko: bool,
    pub(super) max_turns: u32,
    pub(super) repetition: u32,
}

/// Which tops may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removal {
    Any,
    Own,
    Off,
}

impl Rules {
    pub(super) fn read(given: &[Given<'_>]) -> Result<(Rules, Options), OptionError> {
        let mut options = Options::read(OPTIONS, given)?;
        let n = options.number("n");
        options.default_to("max_turns", OptionValue::Number(20 * n * n));
        let rules = Rules {
            n: n as u16,
            variant: if options.word("variant") == "top" { Variant::Top } else { Variant::Space },
            earthquake_rate: options.flag("earthquake").then(|| options.number("earthquake_rate")),
            removal: match options.word("removal") {
                "any" => Removal::Any,
                "own" => Removal::Own,
                _ => Removal::Off,
            },
            ko: options.flag("ko"),
            max_turns: options.number("max_turns"),
            repetition: options.number("repetition"),
        };
        Ok((rules, options.sorted(OPTIONS)))
    }

    /// Whether a token that has just been placed is safe for one turn.
    pub(super) fn protects(self) -> bool {
        self.ko && self.removal != Removal::Off
    }
}
