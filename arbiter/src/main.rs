//! The command `arbiter`.

use arbiter::cli::{self, Args};
use arbiter::ui::terminal::LateStderr;
use arbiter::{host, program};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The same program is the process around each bot and each program; nothing of its command line is for people.
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(verb) if verb == host::VERB => return host::child_main(arguments),
        #[cfg(target_os = "linux")]
        Some(verb) if verb == program::VERB => return program::keep(arguments),
        _ => {}
    }
    tracing_subscriber::fmt()
        .with_writer(LateStderr::default)
        .log_internal_errors(false)
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .init();
    cli::run(&Args::parse()).into()
}
