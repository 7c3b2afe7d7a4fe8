//! Tournament and league files: options that are written down, as TOML or JSON. They become words of the command line, so that
//! everything typed or written is checked in one place.

use crate::cli::Failure;
use crate::cli::parsing::parse;
use crate::cli::said::Said;
use crate::program::Command;
use crate::record::read_text;
use clap::error::{ContextKind, ErrorKind};
use clap::{Args, Parser};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// A parser for arguments that come from a file or from another verb instead of the command line.
#[derive(Parser)]
#[command(disable_help_flag = true)]
struct Written<A: Args> {
    #[command(flatten)]
    args: A,
}

pub(crate) fn from_words<A: Args>(
    verb: &str,
    words: impl Iterator<Item = impl Into<OsString>>,
) -> Result<(A, Said), clap::Error> {
    let program = std::iter::once(format!("arbiter {verb}").trim_end().into());
    parse::<Written<A>>(program.chain(words.map(Into::into))).map(|(written, said)| (written.args, said))
}

/// What the command line says of a mistake, without how to use it.
pub(crate) fn first_line(error: &clap::Error) -> String {
    first(&error.to_string()).trim_start_matches("error: ").to_owned()
}

fn first(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The arguments of a file for a verb. It overrules what is usual, and what is typed overrules it.
pub(crate) fn with_file<A: Args>(
    path: &Path,
    verb: &str,
    usual: impl IntoIterator<Item = OsString>,
    typed: impl IntoIterator<Item = OsString>,
) -> Result<(A, Said), Failure> {
    let Table(table) = read(path, verb)?;
    let of_file = words(path, verb, &table)?.into_iter().map(OsString::from);
    parsed(path, verb, usual.into_iter().chain(of_file).chain(typed))
}

fn parsed<A: Args>(
    path: &Path,
    verb: &str,
    words: impl Iterator<Item = OsString>,
) -> Result<(A, Said), Failure> {
    from_words(verb, words).map_err(|error| {
        Failure::usage(format!("{}: {}", path.display(), mistake(&error)))
            .hint(format!("arbiter {verb} --help shows a file's keys"))
    })
}

/// The table of a league's file that says how its finals are played; what it does not say is as in the league.
const FINALS: &str = "finals";
/// Keys of leagues that are no tournament's, or mean something else there.
const OF_LEAGUES: [&str; 9] =
    ["once", "season", "pairs", "max-pairs", "withdraw-after", "until-round", "every", "mark", "anchor"];
/// How many go on to the finals of a league whose file does not say.
const TOP: u64 = 8;

/// How the finals of a league are played, as its file says.
pub(crate) struct Finals {
    file: PathBuf,
    pub(crate) top: usize,
    words: Vec<String>,
}

impl Finals {
    pub(crate) fn of(file: &Path) -> Result<Finals, Failure> {
        let Table(mut table) = read(file, "league")?;
        let own = table.remove(FINALS);
        table.retain(|key, _| !OF_LEAGUES.contains(&key.replace('_', "-").as_str()));
        let no_table = |what: &str| {
            let failure = Failure::usage(format!("{}: {what}", file.display()));
            failure.hint("[finals] with top = 8, and options of `arbiter tournament --help` as keys")
        };
        let own = own.map(Map::deserialize).transpose();
        let own = own.map_err(|_| no_table("finals is no table"))?.unwrap_or_default();
        let top = own.get("top").map_or(Some(TOP), Value::as_u64).filter(|top| *top >= 2);
        let top = top.ok_or_else(|| no_table("finals.top is no number from 2 on"))? as usize;
        table.extend(own.into_iter().filter(|(key, _)| key != "top"));
        Ok(Finals { file: file.to_owned(), top, words: words(file, "tournament", &table)? })
    }

    /// The arguments of the tournament between these bots. The file overrules what is in `usual`.
    pub(crate) fn args<A: Args>(self, usual: Vec<String>, bots: Vec<OsString>) -> Result<(A, Said), Failure> {
        let words = usual.into_iter().chain(self.words).map(OsString::from);
        parsed(&self.file, "tournament", words.chain(bots))
    }
}

/// What is wrong with the words of a file, in the file's own terms.
fn mistake(error: &clap::Error) -> String {
    let said = |kind| error.get(kind).map(|value| value.to_string().trim_start_matches('-').to_owned());
    if let (ErrorKind::UnknownArgument, Some(key)) = (error.kind(), said(ContextKind::InvalidArg)) {
        let similar = said(ContextKind::SuggestedArg).map(|similar| format!(" (did you mean {similar}?)"));
        return format!("there is no key '{key}'{}", similar.unwrap_or_default());
    }
    first_line(error)
}

/// Keys and values, each key once: JSON alone would take the last of several.
struct Table(Map<String, Value>);

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Table, D::Error> {
        from.deserialize_map(Keys)
    }
}

struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = Table;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a table of keys and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Table, A::Error> {
        let mut table = Map::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            if table.contains_key(&key) {
                return Err(A::Error::custom(format!("{key} is there twice")));
            }
            table.insert(key, value);
        }
        Ok(Table(table))
    }
}

fn read(path: &Path, verb: &str) -> Result<Table, Failure> {
    let what = format!("read the {verb} file");
    let text =
        read_text(path).map_err(Failure::cannot(&what, path, "the path of a file that can be read"))?;
    let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
    let table = if is_json {
        serde_json::from_str(&text).map_err(|error| error.to_string())
    } else {
        // The first line says where it is.
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            format!("{}: {}", first(&error.to_string()), error.message().trim_end())
        })
    };
    table.map_err(|problem: String| {
        let failure = Failure::usage(format!("{} is no {verb} file", path.display()));
        let hint = format!("TOML or JSON with the options of `arbiter {verb} --help` as keys");
        failure.cause(&problem).hint(hint)
    })
}

/// The command line that says what a file says. Relative paths in the file are seen from the file's folder.
fn words(path: &Path, verb: &str, table: &Map<String, Value>) -> Result<Vec<String>, Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let (mut words, mut bots) = (Vec::new(), Vec::new());
    for (key, value) in table {
        let done = match key.as_str() {
            "bots" => add_bots(value, folder, &mut bots, &mut words),
            "options" => Map::deserialize(value)
                .map_err(|_| "expected a table of options".to_owned())
                .and_then(|options| add_options("-O", "", &options, &mut words)),
            // The finals are read by `Finals::of`, when the league is over.
            FINALS if verb == "league" => Ok(()),
            _ => add_option(key, value, folder, &mut words),
        };
        done.map_err(|problem| {
            let failure = Failure::usage(format!("{}: {key}: {problem}", path.display()));
            failure.hint(format!("arbiter {verb} --help shows a file's keys"))
        })?;
    }
    bots.extend(words);
    Ok(bots)
}

/// Keys whose values are paths.
const PATHS: [&str; 5] = ["openings", "results", "output", "after", "python"];

fn add_option(key: &str, value: &Value, folder: &Path, words: &mut Vec<String>) -> Result<(), String> {
    if key == "file" {
        return Err("a file does not name another".to_owned());
    }
    let key = key.replace('_', "-");
    let is_path = PATHS.contains(&key.as_str());
    match value {
        Value::Bool(true) => words.push(format!("--{key}")),
        Value::Bool(false) => {}
        // Two numbers of one option.
        Value::Array(items) if key.starts_with("sprt") => {
            let numbers: Vec<String> = items.iter().map(plain).collect::<Result<_, _>>()?;
            words.push(format!("--{key}={}", numbers.join(",")));
        }
        Value::Array(items) => {
            for item in items {
                words.push(format!("--{key}={}", located(&plain(item)?, is_path, folder)?));
            }
        }
        one => words.push(format!("--{key}={}", located(&plain(one)?, is_path, folder)?)),
    }
    Ok(())
}

fn add_options(
    option: &str,
    place: &str,
    options: &Map<String, Value>,
    words: &mut Vec<String>,
) -> Result<(), String> {
    for (name, value) in options {
        words.extend([option.to_owned(), format!("{place}{name}={}", plain(value)?)]);
    }
    Ok(())
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a file or a table")]
struct BotTable {
    file: String,
    name: Option<Value>,
    payload: Option<String>,
    #[serde(default)]
    options: Map<String, Value>,
    time: Option<Value>,
}

fn add_bots(
    value: &Value,
    folder: &Path,
    bots: &mut Vec<String>,
    words: &mut Vec<String>,
) -> Result<(), String> {
    let Value::Array(entries) = value else { return Err("expected a list of files".to_owned()) };
    for (place, entry) in (1..).zip(entries) {
        let bot = match entry {
            Value::String(file) => Ok(BotTable { file: file.clone(), ..BotTable::default() }),
            table => BotTable::deserialize(table).map_err(|problem| format!("bot {place}: {problem}")),
        }?;
        let named = located_bot(&bot.file, folder)?;
        bots.push(match &bot.payload {
            None => named,
            Some(_) if Command::is_meant(&bot.file) => {
                return Err(format!("bot {place} is a program, and brings its own files"));
            }
            Some(payload) => format!("{named}+{}", located(payload, true, folder)?),
        });
        add_options("-B", &format!("{place}:"), &bot.options, words)?;
        for (value, option) in [(&bot.name, "--name"), (&bot.time, "--time-odds")] {
            if let Some(value) = value {
                words.extend([option.to_owned(), format!("{place}:{}", plain(value)?)]);
            }
        }
    }
    Ok(())
}

/// A path of the file, as seen from here. Words such as `none` and `random:8` are no paths.
fn located(text: &str, is_path: bool, folder: &Path) -> Result<String, String> {
    if !is_path || !text.contains(['.', '/']) { Ok(text.to_owned()) } else { seen_from_here(text, folder) }
}

/// The same for a bot's file or a folder of bots: what lies there comes before a bot of that name that came with arbiter. The
/// command of a program stays as it is: it runs in the folder of arbiter.
fn located_bot(named: &str, folder: &Path) -> Result<String, String> {
    let is_path = !Command::is_meant(named);
    let is_there = is_path && !named.is_empty() && folder.join(named).exists();
    if is_there { seen_from_here(named, folder) } else { located(named, is_path, folder) }
}

fn seen_from_here(path: &str, folder: &Path) -> Result<String, String> {
    // What is nearly the path would be another file.
    let path = folder.join(path).into_os_string().into_string();
    path.map_err(|path| format!("{} is no UTF-8, as paths of a file have to be", path.display()))
}

fn plain(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(on) => Ok(on.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err("expected a word, a number, true or false".to_owned())
        }
    }
}
