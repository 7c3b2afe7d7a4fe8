//! People on the command line: who they are, and what they have agreed on.

use super::time;
use crate::cli::parsing::whole;
use crate::player::{HumanOptions, TimeControl};
use crate::sanitize::sanitize;
use crate::ui::AfterPass;
use clap::Args;
use std::time::Duration;

/// The word that stands for a person in place of a bot's file.
pub(crate) const HUMAN: &str = "human";

/// Arguments about the people who play.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "People")]
pub(crate) struct PeopleArgs {
    /// A clock for people, who have none otherwise: 5m+5s
    #[arg(long, value_name = "BASE+INC", value_parser = time::clock)]
    pub(crate) human_time: Option<TimeControl>,
    /// A person who is away for longer than this (stopped with Ctrl-Z, in a window too small for the board, or with no page
    /// open) loses the game; no clock runs meanwhile [default: any time]
    #[arg(long, value_name = "TIME", value_parser = time::positive)]
    pub(crate) human_away: Option<Duration>,
    /// A move that is touched waits until Enter or Finish plays it, and can be taken back until then
    #[arg(long)]
    confirm: bool,
    /// Wait for Enter after every pass [default: a pass is shown for 1.5 s]
    #[arg(long)]
    ask_pass: bool,
    /// The only legal move plays itself
    #[arg(long)]
    auto_forced: bool,
    /// People may take their moves back: `u` with nothing to undo, on the screen and on a page, `back` in lines. The report says
    /// how often they did
    #[arg(long)]
    pub(crate) casual: bool,
    /// Illegal moves of people count as errors, as a bot's do
    #[arg(long)]
    count_slips: bool,
}

impl PeopleArgs {
    pub(crate) fn human_options(&self) -> HumanOptions {
        HumanOptions {
            counts_slips: self.count_slips,
            confirms: self.confirm,
            plays_forced: self.auto_forced,
            takes_back: self.casual,
        }
    }

    /// When a pass makes way for the next move on the screen.
    pub(crate) fn after_pass(&self) -> AfterPass {
        if self.ask_pass { AfterPass::OnEnter } else { AfterPass::Soon }
    }
}

/// Where a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Here,
    Web,
}

/// A person as the command line names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Person<'a> {
    pub(crate) name: &'a str,
    pub(crate) at: Option<At>,
}

/// How the command line names a person. `human (2)` is the second of those without a name.
pub(crate) fn named(name: &str, at: At) -> String {
    let at = if at == At::Web { "@web" } else { "@here" };
    if is_nameless(name) { format!("{HUMAN}{at}") } else { format!("{HUMAN}{at}:{name}") }
}

fn is_nameless(name: &str) -> bool {
    name == HUMAN || name.starts_with("human (")
}

/// How a person in a seat, counted from 0, is called while these people play: by the seat, if several have no name.
pub(crate) fn seated<'a>(name: &str, seat: usize, people: impl Iterator<Item = &'a str>) -> String {
    match is_nameless(name) && people.filter(|name| is_nameless(name)).count() > 1 {
        true => format!("Player {}", seat + 1),
        false => sanitize(name),
    }
}

/// A person, if the word stands for one: `human`, `human:Ana`, `human@web`, `human@here:Ana`.
pub(crate) fn person(who: &str) -> Option<Person<'_>> {
    let rest = who.strip_prefix(HUMAN)?;
    let place = |word, at| rest.strip_prefix(word).map(|rest| (rest, Some(at)));
    let (rest, at) = place("@web", At::Web).or_else(|| place("@here", At::Here)).unwrap_or((rest, None));
    let name = match rest.strip_prefix(':') {
        None if rest.is_empty() => HUMAN,
        name => name.filter(|name| !name.is_empty())?,
    };
    Some(Person { name, at })
}

/// Pages on which people play and watch.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "People")]
pub(crate) struct WebArgs {
    /// Play and watch in a browser on this machine: prints links to open. People sit there, `human@here` excepted
    #[arg(long)]
    pub(crate) web: bool,
    /// The port of the pages, for a tunnel such as `ssh -L 8080:127.0.0.1:8080` [default: any that is free]
    #[arg(long, value_name = "PORT", value_parser = whole::<u16>(1..))]
    pub(crate) port: Option<u16>,
    /// Open the page in the browser at once
    #[arg(long)]
    pub(crate) open: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_from_files_by_how_they_are_named() {
        for (who, name) in [
            ("human", Some(("human", None))),
            ("human:Ana", Some(("Ana", None))),
            ("human:ana@example.org", Some(("ana@example.org", None))),
            ("human@web", Some(("human", Some(At::Web)))),
            ("human@here:Ana", Some(("Ana", Some(At::Here)))),
            ("human@web:", None),
            ("human@webAna", None),
            ("human:", None),
            ("humanoid.so", None),
            ("./human", None),
        ] {
            assert_eq!(person(who).map(|person| (person.name, person.at)), name, "{who}");
        }
    }
}
