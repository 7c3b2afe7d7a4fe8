//! `arbiter position` and `arbiter perft`: the tools of authors of bots and games.

use super::batch;
use super::exit_code::ExitCode;
use super::failure::Failure;
use super::game_name::GameName;
use super::output::Output;
use crate::tournament::OpeningList;
use arbiter_rules::draft::Draft;
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::last::came_about;
use arbiter_rules::{Chance, Move, MoveList, Position, Setup, SetupError, registry};
use clap::Args;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Which position is meant.
#[derive(Args, Debug)]
pub(super) struct PositionArgs {
    /// Which game
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: String,
    /// Seats in the game
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// An option of the game; `arbiter rules GAME` lists them
    #[arg(short = 'O', value_name = "KEY=VALUE", value_parser = key_value)]
    options: Vec<(String, String)>,
    /// Position text instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Moves to play first
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
}

/// Arguments of `arbiter position`.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbiter position --game othello --moves f5d6c3\n  arbiter position --game othello --file problems.obf"
)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    which: Option<PositionArgs>,
    /// Show every position of a file, as --openings takes it: one a line, as moves or as a position; Othello also in OBF
    /// and GGF
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    file: Option<PathBuf>,
    /// Print one JSON object, of a file one a line
    #[arg(long)]
    json: bool,
    /// Draw with plain ASCII characters
    #[arg(long)]
    ascii: bool,
    /// Read one JSON object a line from standard input, answer each with one line
    #[arg(long, exclusive = true)]
    batch: bool,
}

/// Arguments of `arbiter perft`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  arbiter perft --game othello --depth 9")]
pub(super) struct PerftArgs {
    #[command(flatten)]
    which: PositionArgs,
    /// Length of the move sequences that are counted
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Also print the count behind each legal move
    #[arg(long)]
    split: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads `key=value`.
pub(super) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("expected KEY=VALUE".to_owned()),
    }
}

/// A position that was asked for, or why it cannot be.
pub(super) fn start(
    game: &str,
    players: Option<usize>,
    options: &[(String, String)],
    position: Option<&str>,
) -> Result<Position, Failure> {
    let given: Vec<_> = options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let setup = Setup { players, options: &given, position };
    registry::start(game, &setup).map_err(|error| {
        let failure = Failure::new(ExitCode::Usage, error.to_string());
        match error {
            SetupError::UnknownGame(_) => failure.hint("arbiter rules"),
            SetupError::Option(_) | SetupError::Position(_) => failure.hint(format!("arbiter rules {game}")),
        }
    })
}

/// A position, and the cells of the move that led to it.
pub(super) struct Opened {
    pub(super) position: Position,
    pub(super) last: Vec<u16>,
}

impl PositionArgs {
    /// Sets the position up and plays the moves.
    pub(super) fn open(&self, limits: Limits) -> Result<Opened, Failure> {
        let mut position = start(&self.game, self.players, &self.options, self.position.as_deref())?;
        if limits == Limits::LeftOut {
            position = position.without_limits();
        }
        let mut last = Vec::new();
        let moves = position.split_moves(self.moves.as_deref().unwrap_or_default());
        for (index, text) in moves.into_iter().enumerate() {
            let hint = match position.end() {
                Some(_) => "--moves without it and all that follow",
                None => "a legal move in its place; arbiter position with the moves before it lists them",
            };
            let refused = |why| {
                let message = format!("move {} of --moves, {text}, is refused", index + 1);
                let failure = Failure::new(ExitCode::Usage, message).because(&why);
                failure.hint(hint)
            };
            let played = position.read_move(text).map_err(refused)?.played;
            last = ends(&position.path(played));
            position.play(played, &Chance::NONE).map_err(refused)?;
        }
        Ok(Opened { position, last })
    }

    /// The same, where somebody says what the last move was.
    pub(super) fn open_after(&self, last: Option<&str>, limits: Limits) -> Result<Opened, Failure> {
        let opened = self.open(limits)?;
        let Some(last) = last else { return Ok(opened) };
        let known = came_about(&opened.position, last).map_err(|error| {
            let failure = Failure::new(ExitCode::Usage, "--last does not fit the position").because(&error);
            failure.hint("the move that led to the position, or no --last")
        })?;
        let cells =
            if known.last == Move::PASS { Vec::new() } else { vec![known.last.from(), known.last.to()] };
        Ok(Opened { last: cells, position: known.position })
    }
}

/// The first and the last cell of a path.
fn ends(path: &[u16]) -> Vec<u16> {
    path.first().into_iter().chain(path.last()).copied().collect()
}

/// Whether repetition, limits and chance are part of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Limits {
    InForce,
    LeftOut,
}

/// Runs `arbiter position`.
///
/// # Errors
/// An impossible position, or output that cannot be written.
pub(super) fn show(args: &ShowArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let Some(which) = &args.which else { return answer_lines(out, batch::answer) };
    let opened = which.open(Limits::InForce)?;
    let Some(file) = &args.file else {
        show_one(args, &opened, out)?;
        return Ok(ExitCode::Done);
    };
    for (index, position) in positions(file, &opened.position)?.into_iter().enumerate() {
        if index > 0 && !args.json {
            out.line("")?;
        }
        show_one(args, &Opened { position, last: Vec::new() }, out)?;
    }
    Ok(ExitCode::Done)
}

/// The positions of a file.
fn positions(file: &Path, start: &Position) -> Result<Vec<Position>, Failure> {
    let text = fs::read_to_string(file).map_err(|error| {
        let failure = Failure::new(ExitCode::File, format!("cannot read {}", file.display()));
        failure.because(&error).hint("--file with the path of a file that can be read")
    })?;
    OpeningList::positions(&text, start).map_err(|error| {
        let message = format!("there is a mistake in {}", file.display());
        let failure = Failure::new(ExitCode::Usage, message).because(&error);
        failure.hint("one position a line, as moves from the start or as a position")
    })
}

/// Prints a position.
fn show_one(args: &ShowArgs, Opened { position, last }: &Opened, out: &mut Output) -> Result<(), Failure> {
    if args.json {
        return out.line(&describe(position).to_string());
    }
    let charset = if args.ascii { Charset::Ascii } else { out.charset() };
    let must = position.draft_view(&Draft::default()).must;
    out.text(&draw(position, charset, &Marks { targets: targets(position), last: last.clone(), must }))?;
    out.line(&position.text())?;
    match (position.to_move(), position.end()) {
        (Some(seat), _) => out.line(&format!("seat {seat} to move: {}", legal(position).join(" "))),
        (None, Some(end)) => {
            let who = end.outcome.winner().map_or("draw".to_owned(), |seat| format!("seat {seat} has won"));
            out.line(&format!("{who} ({})", end.reason))
        }
        (None, None) => Ok(()),
    }
}

/// Answers each line of standard input with one line.
///
/// # Errors
/// Input that cannot be read, or output that cannot be written.
pub(super) fn answer_lines(out: &mut Output, answer: fn(&[u8]) -> Value) -> Result<ExitCode, Failure> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        let bytes =
            read.map_err(|error| Failure::new(ExitCode::File, "cannot read standard input").because(&error))?;
        if bytes == 0 {
            return Ok(ExitCode::Done);
        }
        out.line(&answer(&line).to_string())?;
        out.flush()?;
    }
}

/// Runs `arbiter perft`.
///
/// # Errors
/// An impossible position, or output that cannot be written.
pub(super) fn perft(args: &PerftArgs, out: &mut Output) -> Result<ExitCode, Failure> {
    let Opened { mut position, .. } = args.which.open(Limits::LeftOut)?;
    let start = Instant::now();
    let mut split = Vec::new();
    if args.split && args.depth > 0 {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        for &m in moves.iter() {
            position.play(m, &Chance::NONE).expect("it is from the legal list");
            split.push((m, position.perft(args.depth - 1)));
            position.undo();
        }
    }
    let nodes = if split.is_empty() {
        position.perft(args.depth)
    } else {
        split.iter().map(|(_, nodes)| nodes).sum()
    };
    let seconds = start.elapsed().as_secs_f64();
    let name = |m: Move| position.move_text(m);
    if args.json {
        let mut answer = json!({ "depth": args.depth, "nodes": nodes, "seconds": seconds });
        if args.split {
            answer["split"] = split.iter().map(|&(m, nodes)| (name(m), json!(nodes))).collect();
        }
        out.line(&answer.to_string())?;
    } else {
        for &(m, nodes) in &split {
            out.line(&format!("{}: {nodes}", name(m)))?;
        }
        out.line(&format!("depth {}: {nodes} move sequences in {seconds:.3} s", args.depth))?;
    }
    Ok(ExitCode::Done)
}

/// The legal list in the notation of the rules document.
pub(super) fn legal(position: &Position) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().map(|&m| position.move_text(m)).collect()
}

fn targets(position: &Position) -> Vec<u16> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().filter(|&&m| m != Move::PASS).map(|m| m.to()).collect()
}

/// A position as one JSON object.
pub(super) fn describe(position: &Position) -> Value {
    let options: serde_json::Map<_, _> = position
        .options()
        .iter()
        .map(|(name, value)| (name.to_owned(), json!(crate::record::schema::OptionValue::from(value))))
        .collect();
    let mut object = json!({
        "game": position.info().id,
        "options": options,
        "players": position.seats(),
        "position": position.text(),
        "to_move": position.to_move().map(|seat| seat.index()),
        "ply": position.ply(),
        "legal": legal(position),
        "result": result(position),
    });
    add_obligation(position, &mut object);
    object
}

pub(super) fn add_obligation(position: &Position, object: &mut Value) {
    if let Some(obligation) = position.obligation() {
        object["obligation"] = json!({ "tier": obligation.tier, "in_the_way": obligation.in_the_way });
    }
}

fn result(position: &Position) -> Value {
    let Some(end) = position.end() else { return Value::Null };
    let scores = position.scores();
    let score = match scores.is_empty() {
        true => Value::Null,
        false => scores.into_iter().map(|score| (score.name.to_owned(), json!(score.by_seat))).collect(),
    };
    json!({
        "ranks": end.outcome.ranks(),
        "winner": end.outcome.winner().map(|seat| seat.index()),
        "reason": end.reason.code(),
        "score": score,
    })
}
