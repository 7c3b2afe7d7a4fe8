//! The command `arbiter`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|verb| verb == arbiter::host::VERB) {
        return arbiter::host::child_main(args);
    }
    ExitCode::SUCCESS
}
