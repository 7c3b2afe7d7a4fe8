//! The command `arbiter`.

use arbiter::cli::{self, Args};
use arbiter::host;
use arbiter::ui::terminal::LateStderr;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The same program is the process around each bot; nothing of its command line is for people.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|verb| verb == host::VERB) {
        return host::child_main(arguments);
    }
    tracing_subscriber::fmt()
        .with_writer(LateStderr::default)
        .log_internal_errors(false)
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .init();
    cli::run(&Args::parse()).into()
}
