//! Learns the network by which positions of ultimate tic-tac-toe are evaluated.
//!
//! ```sh
//! cargo run --release -p bot-alphabeta --example learn-ultimate -- play GAMES LOOKS SEED FILE
//! cargo run --release -p bot-alphabeta --example learn-ultimate -- fit ROUNDS SHARE NET FILE...
//! ```
//!
//! `play` has `alphabeta` play games against itself with the network that it has, searching 128 positions for each of the
//! looks and 128 more for each move; the first moves, and a few later ones, are drawn at random. The positions go to FILE, at
//! 42 bytes each.
//!
//! `fit` makes a network of such files, from random numbers on: in ROUNDS through all positions (5 are enough for some
//! millions) it is fitted to how the games ended, and by SHARE (0 to 1; 0.6 is good) to what the search thought. It is
//! written to NET. Copied to `bots/engine/src/evaluation/ultimate/net.bin` and built in, it plays the games of the next
//! turn. With `RUSTFLAGS="-C target-cpu=native"` both go faster.
#![expect(clippy::print_stdout, reason = "it is a program of its own")]

mod fit;
mod play;
mod sample;

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use play::Table;
use sample::Sample;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["play", games, looks, seed, file] => play(games.parse()?, looks.parse()?, seed.parse()?, file),
        ["fit", rounds, share, net, files @ ..] => fit(rounds.parse()?, share.parse()?, net, files),
        _ => Err("give play GAMES LOOKS SEED FILE, or fit ROUNDS SHARE NET FILE...".into()),
    }
}

fn play(games: u32, looks: u64, seed: u64, file: &str) -> Result<(), Box<dyn Error>> {
    let mut table = Table::new(looks, seed);
    let mut file = File::create(file)?;
    let mut ends = [0; 3];
    for game in 1..=games {
        let samples = table.play();
        let mut bytes = Vec::new();
        samples.iter().for_each(|sample| sample.write(&mut bytes));
        file.write_all(&bytes)?;
        if let Some(last) = samples.last() {
            ends[(2.0 * last.result) as usize] += 1;
        }
        if game % 1000 == 0 {
            println!("{game} games: the last to think lost, drew, won {ends:?}");
        }
    }
    Ok(())
}

fn fit(rounds: usize, share: f32, net: &str, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut samples = Vec::new();
    for file in files {
        samples.extend(Sample::all_of(Path::new(file))?);
    }
    println!("{} positions", samples.len());
    std::fs::write(net, fit::as_bytes(&fit::fit(&samples, share, rounds)))?;
    Ok(())
}
