//! `--isolate`: more means of containment, for those who ask for them and where the machine has them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The error for plain processes, which cannot be isolated.
pub(super) const CONTAINED_ONLY: &str = "only contained processes can be isolated, which only Linux has";

/// What is asked for. What cannot be had is an error, never left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// Process and IPC namespaces for each bot. The only other process in there is one of ours that sleeps.
    pub namespaces: bool,
    /// A control group for each bot: memory is counted as it is used, not as it is reserved, and the kernel counts
    /// threads.
    pub cgroup: bool,
}

/// One of the means of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// [`Isolation::namespaces`].
    Namespaces,
    /// [`Isolation::cgroup`].
    Cgroup,
}

/// Something that was asked for and cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct Unavailable {
    /// Which of the means.
    pub means: Means,
    /// What the system says, and where.
    pub problem: String,
}

impl Means {
    /// All of them, in the order in which they are tried: a control group that has to be left first must still be free
    /// of other processes of ours.
    pub const ALL: [Means; 2] = [Means::Cgroup, Means::Namespaces];

    /// The word for it on the command line and in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Means::Namespaces => "namespaces",
            Means::Cgroup => "cgroup",
        }
    }
}

impl Isolation {
    /// These means and no others.
    #[must_use]
    pub fn of(means: &[Means]) -> Isolation {
        let (namespaces, cgroup) = (means.contains(&Means::Namespaces), means.contains(&Means::Cgroup));
        Isolation { namespaces, cgroup }
    }

    /// What is asked for, one after another.
    pub fn means(self) -> impl Iterator<Item = Means> {
        Means::ALL.into_iter().filter(move |means| match means {
            Means::Namespaces => self.namespaces,
            Means::Cgroup => self.cgroup,
        })
    }
}

impl fmt::Display for Isolation {
    /// As on the command line: `namespaces,cgroup`. Nothing where nothing is asked for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.means().map(Means::word).collect();
        f.write_str(&words.join(","))
    }
}
