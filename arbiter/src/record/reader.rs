//! Reports and journals read alike, game by game, so that their length costs no memory.
//!
//! Arbiter writes every game on a line of its own. So a report is a head, lines, and a tail; head and tail together are
//! the report without its games. A report that another program has formatted is printed anew. The games of a journal,
//! which stand in the order of their ends, are shown by number.

use super::canonical::plan_hash;
use super::error::RecordError;
use super::head::Head;
use super::journal::{Journal, attendance_of, grow, read_header};
use super::lines::{LONGEST, Line, Lines, first_line};
use super::ordered::{Finder, Ordered};
use super::print::{NO_GAMES, Printer};
use super::schema::{FORMAT, FORMAT_VERSION, GameRecord, JournalHeader, MOST_PLAYERS, MatchReport, Plan};
use super::source;
use std::io::{BufRead, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The last line of a report's head.
pub(super) const GAMES: &[u8] = b"\"games\": [";
/// What makes a head a report.
const NO_TAIL: &str = "], \"totals\": [], \"duplicates\": []}";
/// Bytes of the largest report that is read as a whole, or of the largest head or tail of one. A report that somebody
/// has edited shall not fill the memory.
const MOST_AT_ONCE: usize = 2 * LONGEST;

/// A report or a journal that is read game by game.
pub struct Reader {
    file: Arc<Origin>,
    frame: MatchReport,
    header: Option<JournalHeader>,
    games: Games,
}

/// Where games come from.
enum Games {
    Report(Body),
    /// With what finds them again.
    Journal(Ordered, Finder),
}

/// The lines of a report behind its head.
struct Body {
    head: Vec<u8>,
    head_lines: usize,
    lines: Lines<Box<dyn BufRead + Send>>,
    /// The line that has been looked at already.
    ahead: Option<Line>,
    /// How many games have been shown, and whether another one must follow the last.
    games: usize,
    has_comma: bool,
}

/// A game that has been found, but whose text nobody has taken apart yet.
pub struct Unread {
    file: Arc<Origin>,
    line: Line,
}

/// The file of a game.
struct Origin {
    path: PathBuf,
    is_journal: bool,
    /// It has the format that is written today, so that its lines can be copied.
    is_of_today: bool,
}

impl Reader {
    /// Opens a report, packed or not, or a journal, and reads what stands before its games.
    ///
    /// # Errors
    /// A file that cannot be read, is neither, is too new, or is damaged in its head.
    pub fn open(path: &Path) -> Result<Reader, RecordError> {
        let (head, is_open) = Head::of_file(path).map_err(RecordError::file(path))?;
        let reader = if head.is_journal() {
            Reader::of_journal(path)?
        } else {
            if !is_open || head.has_mark() {
                head.check(FORMAT, path, |problem| wrong(path, problem))?;
            }
            Reader::of_report(path)?
        };
        if reader.frame.format != FORMAT {
            return Err(wrong(path, format!("it has no \"format\": \"{FORMAT}\"")));
        }
        check_players(path, &reader.frame.plan)?;
        Ok(reader)
    }

    fn of_journal(path: &Path) -> Result<Reader, RecordError> {
        let (mut lines, mut line) = first_line(path).map_err(RecordError::journal(path))?;
        let mut header = read_header(path, &line)?;
        let mut games = Finder::default();
        while lines.read(&mut line).map_err(RecordError::journal(path))? && line.is_whole() {
            let damaged = |problem: String| RecordError::damaged(path, line.number, problem);
            match attendance_of(&line) {
                Some(attendance) => grow(&mut header, attendance).map_err(damaged)?,
                None => games.add(number_of(&line.text).map_err(|error| damaged(problem_of(&error)))?),
            }
        }
        Reader::in_order(path, header, games)
    }

    /// A journal that this program has written, of which it is known where its games stand.
    pub(super) fn of_written(journal: Journal) -> Result<Reader, RecordError> {
        let (path, games) = journal.into_games();
        Reader::in_order(&path, Journal::header(&path)?, games)
    }

    fn in_order(path: &Path, header: JournalHeader, games: Finder) -> Result<Reader, RecordError> {
        let ordered = games.clone().ordered(path).map_err(RecordError::journal(path))?;
        Ok(Reader::of(path, MatchReport::of_journal(&header), Some(header), Games::Journal(ordered, games)))
    }

    /// Of a journal, another reader of the games that were there when this one was opened, however it has grown since.
    pub fn again(&self) -> Result<Option<Reader>, RecordError> {
        match (&self.games, &self.header) {
            (Games::Journal(_, games), Some(header)) => {
                Reader::in_order(&self.file.path, header.clone(), games.clone()).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn of_report(path: &Path) -> Result<Reader, RecordError> {
        let text = source::open_text(path).map_err(RecordError::file(path))?;
        match Reader::of_lines(path, text)? {
            Some(reader) => Ok(reader),
            None => Reader::of_lines(path, printed(path)?)?.ok_or_else(|| too_large(path)),
        }
    }

    /// A report that has every game on a line of its own; `None` for another one.
    fn of_lines(path: &Path, text: Box<dyn BufRead + Send>) -> Result<Option<Reader>, RecordError> {
        let mut lines = Lines::new(text);
        let (mut head, mut head_lines) = (Vec::new(), 0);
        let mut is_ours = false;
        while !is_ours && head.len() <= MOST_AT_ONCE {
            let Some(line) = lines.next().map_err(RecordError::file(path))? else { break };
            head.extend_from_slice(without_mark(&line));
            head_lines = line.number;
            is_ours = line.text.trim_ascii() == GAMES;
        }
        if is_ours && let Ok(frame) = serde_json::from_slice(&[&head, NO_TAIL.as_bytes()].concat()) {
            let ahead = lines.next().map_err(RecordError::file(path))?;
            if ahead.as_ref().is_none_or(|line| is_game(&line.text) || is_end(&line.text)) {
                let body = Body { head, head_lines, lines, ahead, games: 0, has_comma: false };
                return Ok(Some(Reader::of(path, frame, None, Games::Report(body))));
            }
        }
        Ok(None)
    }

    fn of(path: &Path, frame: MatchReport, header: Option<JournalHeader>, games: Games) -> Reader {
        let is_of_today = frame.format_version == FORMAT_VERSION;
        let file = Origin { path: path.to_owned(), is_journal: header.is_some(), is_of_today };
        Reader { file: Arc::new(file), frame, header, games }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The report without its games. What follows the games in a report is only known at the [end](Reader::end); a journal
    /// has nothing after its games.
    pub fn frame(&self) -> &MatchReport {
        &self.frame
    }

    /// What is played.
    pub fn plan(&self) -> &Plan {
        &self.frame.plan
    }

    /// The first line of a journal.
    pub fn header(&self) -> Option<&JournalHeader> {
        self.header.as_ref()
    }

    /// Equal for parts of the same tournament.
    pub fn plan_hash(&self) -> String {
        plan_hash(&self.frame.plan, &self.frame.arbiter)
    }

    /// The report without its games, once all of them have been shown.
    ///
    /// # Errors
    /// What is wrong in the file after the games.
    pub fn end(mut self) -> Result<MatchReport, RecordError> {
        self.by_ref().try_for_each(|game| game.map(drop))?;
        match self.games {
            Games::Report(body) => body.end(&self.file.path),
            Games::Journal(..) => Ok(self.frame),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Unread, RecordError>;

    fn next(&mut self) -> Option<Result<Unread, RecordError>> {
        let path = &self.file.path;
        let line = match &mut self.games {
            Games::Journal(games, _) => games.next().map_err(RecordError::journal(path)),
            Games::Report(body) => body.next(path),
        };
        Some(line.transpose()?.map(|line| Unread { file: Arc::clone(&self.file), line }))
    }
}

impl Body {
    /// The line of the next game; nothing where the games end.
    fn next(&mut self, path: &Path) -> Result<Option<Line>, RecordError> {
        let Some(line) = self.look(path)? else { return Ok(None) };
        if is_end(&line.text) {
            self.ahead = Some(line);
            return Ok(None);
        }
        if self.games > 0 && !self.has_comma {
            return Err(wrong(path, format!("expected a comma before line {}", line.number)));
        }
        self.games += 1;
        self.has_comma = line.text.trim_ascii_end().ends_with(b",");
        Ok(Some(line))
    }

    fn look(&mut self, path: &Path) -> Result<Option<Line>, RecordError> {
        match self.ahead.take() {
            Some(line) => Ok(Some(line)),
            None => self.lines.next().map_err(RecordError::file(path)),
        }
    }

    /// The report of head and tail.
    fn end(mut self, path: &Path) -> Result<MatchReport, RecordError> {
        let mut text = std::mem::take(&mut self.head);
        if self.has_comma {
            return Err(wrong(path, format!("EOF or no game after line {}", self.head_lines + self.games)));
        }
        let head = text.len();
        while let Some(line) = self.look(path)? {
            text.extend_from_slice(&line.text);
            if text.len() - head > MOST_AT_ONCE {
                return Err(wrong(path, format!("more than {} MiB follow its games", MOST_AT_ONCE >> 20)));
            }
        }
        serde_json::from_slice(&text).map_err(|error| {
            let games = if error.line() > self.head_lines { self.games } else { 0 };
            let place = format!("at line {} column {}", error.line() + games, error.column());
            wrong(path, format!("{} {place}", problem_of(&error)))
        })
    }
}

impl Unread {
    /// The number of the game, without a look at the rest of it where arbiter wrote the line.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn number(&self) -> Result<u32, RecordError> {
        number_of(&self.line.text).map_err(|error| self.problem(&error))
    }

    /// The game.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn game(self) -> Result<GameRecord, RecordError> {
        let game = serde_json::from_slice::<GameRecord>(game_text(&self.line.text));
        let mut game = game.map_err(|error| self.problem(&error))?;
        game.leave_out_derivable();
        Ok(game)
    }

    /// Its text, as it stands in the file where that is what is written today.
    pub(super) fn text(self) -> Result<Vec<u8>, RecordError> {
        if !self.file.is_of_today {
            return Ok(serde_json::to_vec(&self.game()?).expect("a game is plain data"));
        }
        let mut text = self.line.text;
        let (indent, length) = (text.len() - text.trim_ascii_start().len(), game_text(&text).len());
        text.truncate(indent + length);
        text.drain(..indent);
        Ok(text)
    }

    /// The error that the game comes after one with a larger number.
    pub(super) fn out_of_order(&self, number: u32, last: u32) -> RecordError {
        wrong(&self.file.path, format!("game {number} stands behind game {last}"))
    }

    fn problem(&self, error: &serde_json::Error) -> RecordError {
        let line = &self.line;
        if self.file.is_journal {
            return RecordError::damaged(&self.file.path, line.number, problem_of(error));
        }
        let indent = line.text.len() - line.text.trim_ascii_start().len();
        let (number, column) = (line.number, indent + error.column());
        wrong(&self.file.path, format!("{} at line {number} column {column}", problem_of(error)))
    }
}

impl MatchReport {
    /// A report without games, and without what they add up to.
    pub fn of_journal(header: &JournalHeader) -> MatchReport {
        MatchReport {
            format: FORMAT.to_owned(),
            format_version: header.format_version,
            arbiter: header.arbiter.clone(),
            plan: header.plan.clone(),
            machine: Some(header.machine.clone()),
            started: Some(header.started.clone()),
            games_asked: header.games_asked,
            ..MatchReport::default()
        }
    }
}

/// A report that somebody has formatted in another way, as arbiter prints it.
fn printed(path: &Path) -> Result<Box<dyn BufRead + Send>, RecordError> {
    let text = source::open_text(path).map_err(RecordError::file(path))?;
    let mut whole = Vec::new();
    let read = text.take(MOST_AT_ONCE as u64 + 1).read_to_end(&mut whole);
    read.map_err(RecordError::file(path))?;
    if whole.len() > MOST_AT_ONCE {
        return Err(too_large(path));
    }
    let text = String::from_utf8(whole).map_err(|_| wrong(path, "it is not UTF-8 text"))?;
    // Editors of some systems put a byte order mark before everything they save.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.is_empty() {
        return Err(wrong(path, "it is empty"));
    }
    let report: MatchReport = serde_json::from_str(text).map_err(|error| wrong(path, error.to_string()))?;
    let mut text = Vec::new();
    let printed = Printer::begin(&report, &mut text).and_then(|mut printer| {
        report.games.iter().try_for_each(|game| printer.game(game))?;
        printer.end(&report)
    });
    printed.map_err(RecordError::file(path))?;
    // Where there are no games, their list is printed on one line.
    let text = String::from_utf8(text).expect("JSON is text").replacen(NO_GAMES, "\n  \"games\": [\n  ]", 1);
    Ok(Box::new(Cursor::new(text)))
}

fn too_large(path: &Path) -> RecordError {
    let most = MOST_AT_ONCE >> 20;
    let problem = format!(
        "it does not have every game on a line of its own, as arbiter writes it, and more than {most} MiB"
    );
    wrong(path, problem)
}

/// Refuses plans with more players than memory shall be spent on.
pub(super) fn check_players(path: &Path, plan: &Plan) -> Result<(), RecordError> {
    let players = plan.players.len();
    if players <= MOST_PLAYERS {
        return Ok(());
    }
    Err(wrong(path, format!("it has {players} players, and no tournament has more than {MOST_PLAYERS}")))
}

/// The number of a game, which arbiter writes first.
pub(super) fn number_of(line: &[u8]) -> serde_json::Result<u32> {
    let text = game_text(line);
    let digits = text.strip_prefix(b"{\"number\":").unwrap_or_default();
    let end = digits.iter().position(|byte| *byte == b',').unwrap_or(0);
    match std::str::from_utf8(&digits[..end]).ok().and_then(|digits| digits.parse().ok()) {
        Some(number) => Ok(number),
        None => serde_json::from_slice::<GameRecord>(text).map(|game| game.number),
    }
}

/// A line without the comma behind its game.
fn game_text(line: &[u8]) -> &[u8] {
    let text = line.trim_ascii();
    text.strip_suffix(b",").unwrap_or(text)
}

/// Whether a line may hold a whole game.
fn is_game(line: &[u8]) -> bool {
    let text = game_text(line);
    text.starts_with(b"{") && text.ends_with(b"}")
}

/// Whether the list of games ends with a line.
fn is_end(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"]")
}

fn without_mark(line: &Line) -> &[u8] {
    let mark = if line.at == 0 { "\u{feff}" } else { "" };
    line.text.strip_prefix(mark.as_bytes()).unwrap_or(&line.text)
}

fn wrong(path: &Path, problem: impl Into<String>) -> RecordError {
    RecordError::NotAReport { path: path.to_owned(), problem: problem.into() }
}

/// What is wrong, without the place: the parser has seen one line only, or a text without its games.
pub(super) fn problem_of(error: &serde_json::Error) -> String {
    let problem = error.to_string();
    problem.split(" at line ").next().unwrap_or_default().to_owned()
}
