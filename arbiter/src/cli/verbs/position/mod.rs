//! `arbiter position`: a board and its legal moves.

mod batch;

use crate::cli::options::{Opened, PositionArgs, answer_lines};
use crate::cli::{Failure, Output};
use crate::record::read_text;
use crate::record::schema::OptionValue;
use crate::tournament::OpeningList;
use crate::ui::legal;
use arbiter_rules::draft::Draft;
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::{Move, MoveList, Position};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbiter position --game othello --moves f5d6c3\n  arbiter position --game othello --file problems.obf\n  echo '{\"game\":\"othello\",\"moves\":\"f5d6c3\"}' | arbiter position --batch\n\nKeys of --batch: game, players, options, position, moves, seed (of chance), each_ply (true: every ply on the way). Seats and plies count from 0. A line with a mistake is answered with an object that holds only \"error\" (code, message, ply), and the next line is read; the exit code stays 0."
)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    which: Option<PositionArgs>,
    /// Show every position of a file, as --openings takes it: one a line, as moves or as a position; Othello also in OBF
    /// and GGF
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "last"])]
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

pub(crate) fn show(args: &ShowArgs, out: &mut Output) -> Result<(), Failure> {
    let Some(which) = &args.which else { return answer_lines(out, "ply", batch::answer) };
    let opened = which.open()?;
    let Some(file) = &args.file else { return show_one(args, &opened, out) };
    for (index, position) in positions(file, &opened.position)?.into_iter().enumerate() {
        if index > 0 && !args.json {
            out.line("")?;
        }
        show_one(args, &Opened { position, last: Vec::new() }, out)?;
    }
    Ok(())
}

fn positions(file: &Path, start: &Position) -> Result<Vec<Position>, Failure> {
    let hint = "--file with the path of a file that can be read";
    let text = read_text(file).map_err(Failure::cannot("read", file, hint))?;
    OpeningList::positions(&text, start).map_err(|error| {
        let failure = Failure::usage(format!("there is a mistake in {}", file.display())).because(&error);
        failure.hint("one position a line, as moves from the start or as a position")
    })
}

fn show_one(args: &ShowArgs, Opened { position, last }: &Opened, out: &mut Output) -> Result<(), Failure> {
    if args.json {
        return out.json(&describe(position));
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

fn targets(position: &Position) -> Vec<u16> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().filter(|&&m| m != Move::PASS).map(|m| m.to()).collect()
}

/// A position as one JSON object.
fn describe(position: &Position) -> Value {
    let options: serde_json::Map<_, _> = position
        .options()
        .iter()
        .map(|(name, value)| (name.to_owned(), json!(OptionValue::from(value))))
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

fn add_obligation(position: &Position, object: &mut Value) {
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
