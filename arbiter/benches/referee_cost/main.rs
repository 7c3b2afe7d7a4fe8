//! What the referee costs: a ply, a game, a start, a verdict, and the least that the machine allows beside them.
//!
//! ```text
//! cargo bench -p arbiter --bench referee_cost              # the table, in about two minutes
//! cargo bench -p arbiter --bench referee_cost -- load      # instant bots on a busy machine
//! cargo bench -p arbiter --bench referee_cost -- ply       # plies and ping-pongs, beside other work
//! ```
//!
//! `benches/README.md` explains the figures. What is said of one core is pinned to one. Every round measures each way
//! once, so that a busy machine disturbs all alike; the medians of all rounds are shown. Answers are asserted.
#![expect(clippy::disallowed_methods, reason = "it measures, runs programs, and may panic")]
#![expect(clippy::print_stdout, reason = "a benchmark tells its figures there")]

mod bare;
mod bots;
mod build;
mod instructions;
mod load;
mod program;

use arbiter::host::{self, BotCommand, Host, InProcess, Isolation, Limits, Means, Sandboxed};
use arbiter::player::Player;
use std::error::Error;
use std::time::Duration;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const ROUNDS: usize = 15;
const PROGRAM_ROUNDS: usize = 7;

fn main() -> Result<()> {
    // Cargo adds words of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => everything(),
        ["load"] => load::report(),
        ["ply"] => ply(),
        [bare::PONG, lane, rounds] => bare::pong(lane.parse()?, rounds.parse()?),
        [instructions::PLIES_ONLY, games] => instructions::play(games.parse()?),
        [load::BUSY, core] => load::be_busy(core.parse()?),
        _ => Err(format!("no such benchmark: {}", words.join(" ")).into()),
    }
}

fn everything() -> Result<()> {
    let number = *host::cores().last().ok_or("the system tells no core")?;
    // In a thread of its own: what this one starts later may use all cores.
    let pinned = std::thread::spawn(move || on_one_core(number).map_err(|error| error.to_string()));
    pinned.join().map_err(|_| "the pinned figures failed")??;
    instructions::report()?;
    println!();
    program::report(PROGRAM_ROUNDS)
}

/// The figures of one core that referee and bots share.
fn on_one_core(number: usize) -> Result<()> {
    let host = Host::with_executable(build::PROGRAM);
    let first = build::c_bot("bots/first-c/first.c")?;
    let endless = build::c_bot("arbiter/benches/bots/endless.c")?;
    let bare_start = build::c_program("arbiter/benches/bots/bare_start.c")?;
    let command = BotCommand { core: Some(number), ..BotCommand::new(&host, host.bot(&first)) };
    let endless = BotCommand { core: Some(number), ..BotCommand::new(&host, host.bot(&endless)) };
    let mut isolated = Means::ALL.map(|means| {
        let isolation = Isolation::of(&[means]);
        let limits = Limits { isolation, ..Limits::default() };
        let command = BotCommand { limits, ..command.clone() };
        (means, host.check(isolation).map(|()| command), Vec::new())
    });

    let mut figures: [Vec<f64>; 11] = Default::default();
    let mut one = Sandboxed::start(&command);
    let mut contained = two(&command, |command| Box::new(Sandboxed::start(command)));
    let mut trusted = two(&command, |command| Box::new(InProcess::trusting(command.clone())));
    host::stay_on(number);
    for _ in 0..ROUNDS {
        let [ready, gone] = bots::starts(&command);
        for (_, command, starts) in &mut isolated {
            starts.extend(command.iter().map(|command| bots::starts(command)[0]));
        }
        let [verdict, dead] = bots::kills(&endless);
        let round = [
            bare::calls(&first)?,
            bots::plies(&mut trusted),
            bare::ping(1)?,
            bare::ping(2)?,
            bots::turns(&mut one),
            bots::plies(&mut contained),
            bare::start(&bare_start, &first)?,
            ready,
            gone,
            verdict,
            dead,
        ];
        figures.iter_mut().zip(round).for_each(|(figures, figure)| figures.push(figure));
    }
    let [call, trusted, ping, ring, turn, ply, bare_start, ready, gone, verdict, dead] = figures.map(median);
    let above = |figure: f64| format!("{:.2} above the ping-pong", figure - ping);
    println!("core {number}, medians of {ROUNDS} rounds, in microseconds");
    line("call of a function of a bot in our own process", call, "");
    line("ply of two bots in our own process", trusted, &format!("{:.0} plies/s", 1e6 / trusted));
    line("bare ping-pong of two processes", ping, "as many yields before sleeping as the referee and bots");
    line("the same of one with two others in turn", ring, "as the system picks them, left alone");
    line("turn of a contained bot", turn, &above(turn));
    line("ply of two contained bots", ply, &above(ply));
    line("bare copy that loads the library and ends", bare_start, "");
    line("start of a contained bot, until it is ready", ready, "");
    for (means, command, starts) in isolated {
        let what = format!("the same with --isolate {}", means.word());
        match command {
            Ok(_) => {
                let figure = median(starts);
                line(&what, figure, &format!("{:.0} more", figure - ready));
            }
            Err(error) => println!("{what:<50} {error}"),
        }
    }
    line("from its end until it is gone", gone, "");
    let times = format!("{:.1} x the bare copy", (ready + gone) / bare_start);
    line("start and end of a contained bot", ready + gone, &times);
    line("from a silent bot's deadline to the verdict", verdict, "");
    line("from the verdict until it is gone", dead, "");
    Ok(())
}

/// Plies of contained bots beside ping-pongs, where others work too: by the lower quartile of stretches of less than a
/// millisecond, most of which nobody interrupts.
fn ply() -> Result<()> {
    let number = *host::cores().last().ok_or("the system tells no core")?;
    let host = Host::with_executable(build::PROGRAM);
    let first = build::c_bot("bots/first-c/first.c")?;
    let command = BotCommand { core: Some(number), ..BotCommand::new(&host, host.bot(&first)) };
    let mut contained = two(&command, |command| Box::new(Sandboxed::start(command)));
    host::stay_on(number);
    let mut figures: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        let round = [bare::pings(1)?, bare::pings(2)?, bots::plies_by_game(&mut contained)];
        figures.iter_mut().zip(round).for_each(|(figures, figure)| figures.extend(figure));
    }
    let [ping, ring, ply] = figures.map(lower_quartile);
    println!("core {number}, lower quartiles of stretches in {ROUNDS} rounds, in microseconds");
    line("bare ping-pong of two processes", ping, "");
    line("the same of one with two others in turn", ring, "");
    line("ply of two contained bots", ply, &format!("{:.2} x that", ply / ring));
    Ok(())
}

fn two(command: &BotCommand, start: impl Fn(&BotCommand) -> Box<dyn Player>) -> [Box<dyn Player>; 2] {
    std::array::from_fn(|_| start(command))
}

fn line(what: &str, figure: f64, remark: &str) {
    println!("{}", format!("{what:<50} {figure:>10.4}   {remark}").trim_end());
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn lower_quartile(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 4]
}

fn micros_each(time: Duration, count: u32) -> f64 {
    time.as_secs_f64() * 1e6 / f64::from(count)
}
