//! The program that contained bots' processes run: what is on their side of the wire, and nothing else. A process of it is
//! copied for each bot and game, so what it lacks nobody has to copy, map and give back.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The name of the program and the hidden verb, which `arbiter` itself has too.
    arbiter::host::child_main(std::env::args_os().skip(2))
}
