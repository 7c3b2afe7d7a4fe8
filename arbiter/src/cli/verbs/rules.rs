//! `arbiter rules`: the games, and the rules of one.

use crate::cli::options::{GameName, start};
use crate::cli::{Failure, Output};
use crate::ui::with_tables;
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::registry::GAMES;
use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct RulesArgs {
    /// Explain this game
    #[arg(value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: Option<String>,
    /// Write and draw with plain ASCII characters
    #[arg(long)]
    ascii: bool,
}

pub(crate) fn rules(args: &RulesArgs, out: &mut Output) -> Result<(), Failure> {
    match &args.game {
        None => list(out),
        Some(game) => explain(game, if args.ascii { Charset::Ascii } else { out.charset() }, out),
    }
}

fn list(out: &mut Output) -> Result<(), Failure> {
    for info in GAMES {
        let seats: Vec<_> = info.seats.iter().map(usize::to_string).collect();
        let options: Vec<_> = info.options.iter().map(|option| option.name).collect();
        let options = if options.is_empty() { "no options".to_owned() } else { options.join(", ") };
        out.line(&format!("{:<17} {:<22} {:<10} seats   {options}", info.id, info.title, seats.join(", ")))?;
    }
    Ok(())
}

fn explain(game: &str, charset: Charset, out: &mut Output) -> Result<(), Failure> {
    let position = start(game, None, &[], None)?;
    let info = position.info();
    out.text(&written(&with_tables(info.page), charset))?;
    out.text("\n## The board at the start\n\n")?;
    for line in draw(&position, charset, &Marks::default()).lines() {
        out.line(format!("    {line}").trim_end())?;
    }
    out.text("\n")?;
    out.text(&written(&info.options_page(), charset))
}

/// A text with its few signs beyond 7 bits written out where only 7 bits may be used.
fn written(text: &str, charset: Charset) -> String {
    const SIGNS: [(&str, &str); 4] = [("×", "x"), ("−", "-"), ("²", "^2"), ("…", "...")];
    match charset {
        Charset::Unicode => text.to_owned(),
        Charset::Ascii => SIGNS.iter().fold(text.to_owned(), |text, (sign, plain)| text.replace(sign, plain)),
    }
}
