//! What a step finds, in words.

use super::Step;
use crate::verdict::MachineFailure;
use std::fmt;

/// How bad a finding is, from good to bad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// As it should be.
    #[default]
    Ok,
    /// Worth knowing.
    Note,
    /// It will do harm one day.
    Warning,
    /// It loses games.
    Fail,
}

impl Level {
    /// The worst of some findings.
    pub(crate) fn of(findings: &[Finding]) -> Level {
        findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Ok)
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Level::Ok => "ok",
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Fail => "FAIL",
        }
    }
}

/// A sentence of `arbiter_bot.h`, and where it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The struct and field, function or paragraph.
    pub(crate) place: &'static str,
    /// Its very words.
    pub(crate) says: &'static str,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: \"{}\"", self.place, self.says)
    }
}

/// Which steps would end like the one that ended with a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Perhaps no other.
    #[default]
    Step,
    /// Those of the same game, which cannot even begin.
    Game,
    /// All of them: the bot cannot even be created.
    Every,
}

/// One thing that a step found. Texts may hold words of the bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) level: Level,
    /// What was asked of the bot; empty where nothing was.
    pub(crate) asked: Box<str>,
    pub(crate) did: Box<str>,
    /// The end of what it had printed by then.
    pub(crate) printed: Box<str>,
    pub(crate) rule: Option<Rule>,
    /// What to do; empty where there is nothing to do.
    pub(crate) advice: Box<str>,
    /// What the machine did, where that ended the step: it says nothing of the bot.
    pub(crate) machine: Option<Box<MachineFailure>>,
    pub(crate) reach: Reach,
    /// Whether the bot refused the step or resigned at once, so that nothing of it was tried.
    pub(crate) is_untried: bool,
}

impl Finding {
    /// A finding that only says something.
    pub(super) fn saying(level: Level, did: impl Into<Box<str>>) -> Finding {
        Finding { level, did: did.into(), ..Finding::default() }
    }

    /// The finding of a step that the machine ended.
    pub(super) fn stopped_by(failure: &MachineFailure) -> Finding {
        Finding {
            machine: Some(Box::new(failure.clone())),
            ..Finding::saying(Level::Fail, failure.sentence())
        }
    }

    pub(super) fn when(self, asked: impl Into<Box<str>>) -> Finding {
        Finding { asked: asked.into(), ..self }
    }

    /// Adds the rule that it is about, where there is one.
    pub(super) fn by(self, rule: Option<Rule>) -> Finding {
        Finding { rule, ..self }
    }

    pub(super) fn advise(self, advice: impl Into<Box<str>>) -> Finding {
        Finding { advice: advice.into(), ..self }
    }

    pub(super) fn by_the_step(self, step: &Step) -> Finding {
        self.by(step.rule).advise(step.hint)
    }
}
