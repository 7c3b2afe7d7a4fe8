//! The command `arbiter`.

use arbiter::cli;
use arbiter::host;
use arbiter::ui::terminal::LateStderr;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

fn main() -> ExitCode {
    // Two verbs that no help names: this program is also the process around each bot, and the one around each program.
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(verb) if verb == host::VERB => return host::child_main(arguments),
        #[cfg(target_os = "linux")]
        Some(verb) if verb == arbiter::program::VERB => return arbiter::program::keep(arguments),
        _ => {}
    }
    begin_logs();
    cli::run().into()
}

/// Logs what `RUST_LOG` asks for, such as `arbiter=debug`; errors alone where it asks for nothing.
fn begin_logs() {
    let wanted = std::env::var("RUST_LOG").ok().filter(|wanted| !wanted.is_empty());
    let wanted = wanted.as_deref().unwrap_or("error").parse::<Targets>();
    let targets = wanted.as_ref().map_or_else(|_| Targets::new().with_default(Level::ERROR), Targets::clone);
    let lines = fmt::layer().with_writer(LateStderr::default).log_internal_errors(false);
    // Left alone it would write colours into files too.
    let lines = if io::stderr().is_terminal() { lines } else { lines.with_ansi(false) };
    tracing_subscriber::registry().with(targets).with(lines).init();
    if let Err(error) = wanted {
        tracing::error!("RUST_LOG is left out: {error}; try arbiter=debug");
    }
}
