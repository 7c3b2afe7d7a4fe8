//! `arbiter stats`: the mathematics of tournaments for anybody's numbers.

mod batch;
mod question;

use crate::cli::options::answer_lines;
use crate::cli::{Failure, Output};
use clap::Args;

const HELP: &str = r#"One JSON object a line goes in, one comes out. "kind" says what is asked:

  elo-summary    model ("trinomial", "pentanomial"),
                 counts (of the units, from worst to best)
  sprt           model ("logistic", "normalized"), elo0, elo1, alpha, beta,
                 counts
  bradley-terry  players, prior_lambda, first_seat_term,
                 games (each [first player, second player, score of the first,
                 unit])
  plackett-luce  players, prior_lambda,
                 results (of each game the places, each a list of players)
  swiss-round    scores, seed_order (best seed first), played (pairs),
                 had_bye (for each player)

Players count from 0. Other fields are ignored. "inf" and "-inf" stand for what
is infinite, null for what is unknown. A line with a mistake is answered with an
object that holds only "error" (code, field, message), and the next line is
read; the exit code stays 0.

Examples:
  echo '{"kind":"elo-summary","model":"trinomial","counts":[0,0,10]}' |
         arbiter stats --batch
  echo '{"kind":"sprt","model":"logistic","elo0":0,"elo1":5,"alpha":0.05,
         "beta":0.05,"counts":[9,70,210,95,16]}' |
         tr -d '\n' | arbiter stats --batch
  echo '{"kind":"bradley-terry","players":2,"prior_lambda":0.1,
         "first_seat_term":false,"games":[[0,1,1,0],[1,0,0.5,0]]}' |
         tr -d '\n' | arbiter stats --batch
  arbiter stats --batch < questions.jsonl > answers.jsonl"#;

#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct StatsArgs {
    /// Read one JSON object a line from standard input, answer each with one line
    #[arg(long, required = true)]
    batch: bool,
}

pub(crate) fn stats(_: &StatsArgs, out: &mut Output) -> Result<(), Failure> {
    answer_lines(out, "field", batch::answer)
}
