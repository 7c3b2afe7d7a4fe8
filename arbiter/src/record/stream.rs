//! A report read game by game, so that its length costs no memory.

use super::file::ReadError;
use super::head::{Foreign, Head};
use super::origin::Origin;
use super::schema::{FORMAT, GameRecord, Machine, PartRecord, Plan};
use super::split::{SplitError, Splitter};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// How much of a file is read at once.
const BUFFER: usize = 256 << 10;

/// Reads a report. One game at a time is in memory; it is shown with the place of its text.
///
/// # Errors
/// What is wrong with the file, and where.
pub(super) fn stream(
    path: &Path,
    visit: &mut dyn FnMut(&Plan, GameRecord, Range<u64>),
) -> Result<Origin, ReadError> {
    let mut read = || {
        let mut json = open(path, 0)?;
        let mut frame = Frame::default();
        let mut waiting = None;
        json.object()?;
        while let Some(key) = json.key()? {
            if key != "games" {
                frame.read(&key, &mut json)?;
            } else if frame.is_known() {
                games(&mut json, &frame.check()?, visit)?;
            } else {
                // Another program has sorted the fields: the games have to wait for the plan.
                waiting = Some(json.place()?);
                json.pass()?;
            }
        }
        if json.peek()?.is_some() {
            return Err(json.wrong("trailing characters").into());
        }
        let plan = frame.check()?;
        if let Some(at) = waiting {
            games(&mut open(path, at)?, &plan, visit)?;
        }
        frame.origin(plan)
    };
    read().map_err(|trouble| trouble.told(path))
}

/// What a report says around its games, without a look at them where arbiter wrote the file.
///
/// # Errors
/// What is wrong with the file, and where.
pub(super) fn origin(path: &Path) -> Result<Origin, ReadError> {
    let read = || {
        let mut json = open(path, 0)?;
        let mut frame = Frame::default();
        json.object()?;
        while let Some(key) = json.key()? {
            if key != "games" {
                frame.read(&key, &mut json)?;
            } else if frame.is_known() {
                break;
            } else {
                json.pass()?;
            }
        }
        let plan = frame.check()?;
        frame.origin(plan)
    };
    read().map_err(|trouble| trouble.told(path))
}

fn open(path: &Path, at: u64) -> Result<Splitter<BufReader<File>>, Trouble> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(at))?;
    Ok(Splitter::new(BufReader::with_capacity(BUFFER, file), at)?)
}

fn games(
    json: &mut Splitter<BufReader<File>>,
    plan: &Plan,
    visit: &mut dyn FnMut(&Plan, GameRecord, Range<u64>),
) -> Result<(), SplitError> {
    json.items(|json| {
        let mut game: GameRecord = json.parse()?;
        game.leave_out_derivable();
        visit(plan, game, json.range());
        Ok(())
    })
}

/// The fields of a report around its games.
#[derive(Default)]
struct Frame {
    head: Head,
    plan: Option<Plan>,
    arbiter: Option<String>,
    machine: Option<Machine>,
    started: Option<String>,
    games_asked: Option<u32>,
    parts: Vec<PartRecord>,
}

impl Frame {
    fn read(&mut self, key: &str, json: &mut Splitter<BufReader<File>>) -> Result<(), Trouble> {
        if self.head.read(key, json)? {
            return Ok(());
        }
        // The fields of another format may be anything; it is named first.
        if let Some(foreign) = self.head.foreign(FORMAT) {
            return Err(foreign.into());
        }
        match key {
            "plan" => self.plan = Some(json.parse()?),
            "arbiter" => self.arbiter = Some(json.parse()?),
            "machine" => self.machine = json.parse()?,
            "started" => self.started = json.parse()?,
            "games_asked" => self.games_asked = Some(json.parse()?),
            "parts" => self.parts = json.parse()?,
            _ => json.skip()?,
        }
        Ok(())
    }

    /// Whether everything is there that games are seen by.
    fn is_known(&self) -> bool {
        self.head.is_whole() && self.plan.is_some() && self.arbiter.is_some() && self.games_asked.is_some()
    }

    /// The plan of a report that this version can read.
    fn check(&mut self) -> Result<Plan, Trouble> {
        self.head.check(FORMAT)?;
        let missing = || Trouble::Missing("plan");
        self.plan.clone().ok_or_else(missing)
    }

    fn origin(self, plan: Plan) -> Result<Origin, Trouble> {
        let Frame { arbiter, machine, started, games_asked, parts, .. } = self;
        let arbiter = arbiter.ok_or(Trouble::Missing("arbiter"))?;
        let games_asked = games_asked.ok_or(Trouble::Missing("games_asked"))?;
        Ok(Origin { plan, arbiter, machine, started, games_asked, shard: None, command: None, parts })
    }
}

/// Why a file is no report.
pub(super) enum Trouble {
    Split(SplitError),
    Foreign(Foreign),
    Missing(&'static str),
}

impl From<SplitError> for Trouble {
    fn from(error: SplitError) -> Trouble {
        Trouble::Split(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Split(SplitError::Read(error))
    }
}

impl From<Foreign> for Trouble {
    fn from(foreign: Foreign) -> Trouble {
        Trouble::Foreign(foreign)
    }
}

impl Trouble {
    /// The error about this file.
    fn told(self, path: &Path) -> ReadError {
        let path = path.to_owned();
        match self {
            Trouble::Split(SplitError::Read(source)) => ReadError::File { path, source },
            Trouble::Split(SplitError::Wrong(problem, at)) => {
                let place = place(&path, at).map_or_else(
                    |_| format!("byte {at}"),
                    |(line, column)| format!("line {line} column {column}"),
                );
                ReadError::NotAReport { path, problem: format!("{problem} at {place}") }
            }
            Trouble::Foreign(foreign) => foreign.told(path),
            Trouble::Missing(field) => {
                ReadError::NotAReport { path, problem: format!("missing field `{field}`") }
            }
        }
    }
}

/// The line and column of a byte, from 1.
fn place(path: &Path, at: u64) -> io::Result<(u64, u64)> {
    let mut file = BufReader::new(File::open(path)?);
    let (mut line, mut column, mut left) = (1, 1, at);
    while left > 0 {
        let chunk = file.fill_buf()?;
        let bytes = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if bytes == 0 {
            break;
        }
        for byte in &chunk[..bytes] {
            (line, column) = if *byte == b'\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        file.consume(bytes);
        left -= bytes as u64;
    }
    Ok((line, column))
}
