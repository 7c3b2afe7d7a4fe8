//! Pages in browsers: where they are, and who opens them.

use crate::cli::options::people::{At, WebArgs};
use crate::cli::plan::Plan;
use crate::cli::{ExitCode, Failure};
use crate::player::Desk;
use crate::sanitize::sanitize;
use crate::ui::log::Log;
use crate::ui::{AfterPass, rules_page, talk};
use crate::web::{Guest, Server, Show};
use std::io::{self, BufRead};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Begins to answer the browsers of a match, and says where.
///
/// # Errors
/// A port that is taken.
pub(crate) fn open(plan: &Plan, web: &WebArgs, log: &Arc<Log>, desk: &Arc<Desk>) -> Result<Server, Failure> {
    let guest =
        |(player, place): (usize, &crate::cli::plan::Place)| Guest { player, name: sanitize(&place.name) };
    let show = Show {
        log: Arc::clone(log),
        desk: Arc::clone(desk),
        guests: plan.games.people_at(At::Web).map(guest).collect(),
        start: plan.games.start.clone(),
        games: plan.games.most_games(),
        asks_after_pass: plan.view.people.after_pass() == AfterPass::OnEnter,
        title: plan.games.start.info().title.to_owned(),
        rules: rules_page(&plan.games.start),
    };
    serve(show, web)
}

/// Begins to answer browsers that want to see this, and says where.
///
/// # Errors
/// A port that is taken.
pub(crate) fn serve(show: Show, web: &WebArgs) -> Result<Server, Failure> {
    let server = Server::start(show, web.port).map_err(|error| cannot_answer(web.port, &error))?;
    let links = server.links();
    let width = links.iter().map(|link| link.whom.chars().count()).max().unwrap_or(0);
    talk("Open in a browser on this machine:");
    for link in links {
        talk(&format!("  {:width$}  {}", link.whom, link.address));
    }
    if web.open {
        start_browser(&server.address_for_once());
    }
    Ok(server)
}

/// A port that is taken.
pub(crate) fn cannot_answer(port: Option<u16>, error: &io::Error) -> Failure {
    let where_to = port.map_or_else(String::new, |port| format!(" on port {port}"));
    let failure = Failure::new(ExitCode::File, format!("cannot answer browsers{where_to}")).because(error);
    failure.hint("another --port, or none for any that is free")
}

/// Lets people read the links before the screen covers them.
pub(crate) fn wait_for_enter() {
    talk("Enter begins.");
    let mut line = String::new();
    // Whoever cannot type anything has no screen either.
    drop(io::stdin().lock().read_line(&mut line));
}

/// Opens an address in the browser of whoever sits here.
fn start_browser(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let started =
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match started {
        // It ends by itself; a thread that reaps it would be one more.
        Ok(child) => drop(child),
        Err(error) => talk(&format!("cannot start a browser: {error}; open the link yourself")),
    }
}
