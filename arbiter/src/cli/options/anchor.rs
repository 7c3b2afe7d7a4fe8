//! `--anchor`: ratings on the scale of a bot whose strength is known.

use crate::cli::{ExitCode, Failure};
use crate::report::Standings;

/// A player and its rating.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    name: String,
    elo: f64,
}

/// Reads `greedy=1500`; names may have any signs in them.
pub(crate) fn anchor(text: &str) -> Result<Anchor, String> {
    let form = || "expected NAME=ELO, such as greedy=1500".to_owned();
    let (name, elo) = text.rsplit_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(form)?;
    let elo = elo.trim().parse().ok().filter(|elo: &f64| elo.is_finite()).ok_or_else(form)?;
    Ok(Anchor { name: name.to_owned(), elo })
}

impl Anchor {
    /// The player of that name, and its rating.
    pub(crate) fn of(&self, names: &[String]) -> Option<(usize, f64)> {
        Some((names.iter().position(|name| *name == self.name)?, self.elo))
    }
}

/// Standings with the ratings that follow from an anchor, if there is one.
///
/// # Errors
/// Nobody has that name.
pub(crate) fn anchored(standings: Standings, anchor: Option<&Anchor>) -> Result<Standings, Failure> {
    is_somebody(anchor, standings.names())?;
    let of = anchor.and_then(|anchor| anchor.of(standings.names()));
    Ok(match of {
        Some((player, elo)) => standings.anchored(player, elo),
        None => standings,
    })
}

/// Whether the anchor is one of these.
///
/// # Errors
/// Nobody has that name.
pub(crate) fn is_somebody(anchor: Option<&Anchor>, names: &[String]) -> Result<(), Failure> {
    match anchor.filter(|anchor| anchor.of(names).is_none()) {
        Some(anchor) => Err(nobody(anchor).hint(format!("one of {}", names.join(", ")))),
        None => Ok(()),
    }
}

/// That nobody is called so.
pub(crate) fn nobody(anchor: &Anchor) -> Failure {
    Failure::new(ExitCode::Usage, format!("--anchor: nobody is called '{}'", anchor.name))
}
