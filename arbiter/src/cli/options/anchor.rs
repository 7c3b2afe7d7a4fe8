//! `--anchor`: ratings on the scale of a bot whose strength is known.

use crate::cli::Failure;
use crate::report::Standings;

#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    name: String,
    elo: f64,
}

/// The largest rating: differences of a few Elo would be lost beside one that is much larger.
const MOST: f64 = 1e6;

/// Reads `greedy=1500`; names may have any signs in them.
pub(crate) fn anchor(text: &str) -> Result<Anchor, String> {
    let form = || "expected NAME=ELO, such as greedy=1500".to_owned();
    let (name, elo) = text.rsplit_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(form)?;
    let elo: f64 = elo.trim().parse().map_err(|_| form())?;
    if !(-MOST..=MOST).contains(&elo) {
        return Err(format!("a rating is a number from -{MOST} to {MOST}"));
    }
    Ok(Anchor { name: name.to_owned(), elo })
}

impl Anchor {
    /// The player of that name, and its rating.
    pub(crate) fn of(&self, names: &[String]) -> Option<(usize, f64)> {
        Some((names.iter().position(|name| *name == self.name)?, self.elo))
    }

    /// The same among these players, of whom it has to be one.
    pub(crate) fn among(&self, names: &[String]) -> Result<(usize, f64), Failure> {
        self.of(names).ok_or_else(|| unknown_anchor(self).hint(format!("one of {}", names.join(", "))))
    }
}

/// Standings with the ratings that follow from an anchor, if there is one.
pub(crate) fn anchored(standings: Standings, anchor: Option<&Anchor>) -> Result<Standings, Failure> {
    let anchor = anchor.map(|anchor| anchor.among(&standings.circumstances.names)).transpose()?;
    Ok(standings.anchored(anchor))
}

pub(crate) fn unknown_anchor(anchor: &Anchor) -> Failure {
    Failure::usage(format!("--anchor: nobody is called '{}'", anchor.name))
}
