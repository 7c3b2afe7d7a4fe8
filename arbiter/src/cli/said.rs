//! What a command line says, argument by argument: commands that play the same again are made of it.

use crate::sanitize::quoted;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use std::ffi::{OsStr, OsString};

/// Headings of arguments that say how things are run and shown, and not what is played.
const OF_THE_RUN: [&str; 2] = ["Output", "Several machines"];

#[derive(Clone, Debug, Default)]
pub(crate) struct Said(Vec<Argument>);

#[derive(Clone, Debug)]
struct Argument {
    /// As clap knows it: the name of its field.
    id: String,
    is_of_the_run: bool,
    words: Vec<OsString>,
}

impl Said {
    /// What was said to a command or to its verb, in the order of the help.
    pub(super) fn of(command: &Command, matches: &ArgMatches) -> Said {
        if let Some((verb, matches)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(verb)
        {
            return Said::of(command, matches);
        }
        let is_said = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let said = command.get_arguments().filter(|arg| is_said(arg.get_id().as_str())).map(|arg| {
            let id = arg.get_id().as_str();
            let values: Vec<&OsStr> = matches.get_raw(id).into_iter().flatten().collect();
            let short = arg.get_short().map(|short| format!("-{short}"));
            let name = arg.get_long().map(|long| format!("--{long}")).or(short).map(OsString::from);
            let words = match name {
                None => values.into_iter().map(OsString::from).collect(),
                Some(name) if !arg.get_action().takes_values() => vec![name],
                Some(name) => values.into_iter().flat_map(|value| named(&name, value)).collect(),
            };
            let is_of_the_run = arg.get_help_heading().is_some_and(|heading| OF_THE_RUN.contains(&heading));
            Argument { id: id.to_owned(), is_of_the_run, words }
        });
        Said(said.collect())
    }

    pub(crate) fn has_any(&self, ids: &[&str]) -> bool {
        self.0.iter().any(|argument| ids.contains(&&*argument.id))
    }

    pub(crate) fn words_without(&self, ids: &[&str]) -> Vec<OsString> {
        let kept = self.0.iter().filter(|argument| !ids.contains(&&*argument.id));
        kept.flat_map(|argument| argument.words.iter().cloned()).collect()
    }

    /// The command that does the same with this verb, but for these arguments, and for how it is run and shown.
    pub(crate) fn command(&self, verb: &str, but: &[&str]) -> String {
        let kept = Said(self.0.iter().filter(|argument| !argument.is_of_the_run).cloned().collect());
        let program = ["arbiter", verb].into_iter().filter(|word| !word.is_empty()).map(OsString::from);
        line(&program.chain(kept.words_without(but)).collect::<Vec<_>>())
    }
}

/// An option and its value, in one word where the value looks like another option.
pub(crate) fn named(name: &OsStr, value: &OsStr) -> Vec<OsString> {
    if !value.as_encoded_bytes().starts_with(b"-") {
        return vec![name.to_owned(), value.to_owned()];
    }
    let mut word = name.to_owned();
    word.push("=");
    word.push(value);
    vec![word]
}

/// Words as a shell reads them.
pub(crate) fn line(words: &[OsString]) -> String {
    words.iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}
