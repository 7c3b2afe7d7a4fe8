//! Pages in browsers: where they are, and who opens them.
//!
//! A match that the command line names has a door of its own. The menu has one for all the matches that are chosen there.

use crate::cli::Failure;
use crate::cli::options::people::seated;
use crate::cli::options::{At, Begins, WebArgs};
use crate::cli::plan::{EntrantPlan, Plan};
use crate::player::Desk;
use crate::ui::log::Log;
use crate::ui::{AfterPass, rules_page, talk};
use crate::web::{Door, Guest, Link, Server, Show};
use std::io::{self, BufRead};
use std::process::{Command, Stdio};
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

pub(crate) const HERE: &str = "Open in a browser on this machine:";

/// Begins to answer the browsers of a match, and says where: at a door that is open already, or at one of its own.
pub(crate) fn open(
    plan: &Plan,
    web: &WebArgs,
    door: Option<&Arc<Door>>,
    begins: Begins,
    log: &Arc<Log>,
    desk: &Arc<Desk>,
) -> Result<Server, Failure> {
    let entrants = &plan.games.entrants;
    let people = || entrants.iter().filter(|of| of.person().is_some()).map(|of| of.name.as_str());
    let guest = |(player, entrant): (usize, &EntrantPlan)| Guest {
        player,
        name: entrant.name.clone(),
        called: seated(&entrant.name, player, people()),
    };
    let show = Show {
        log: Arc::clone(log),
        desk: Arc::clone(desk),
        guests: plan.games.people_at(At::Web).map(guest).collect(),
        games: plan.games.most_games(),
        asks_after_pass: plan.view.people.after_pass() == AfterPass::OnEnter,
        title: plan.games.start.info().title.to_owned(),
        rules: rules_page(&plan.games.start),
    };
    let Some(door) = door else {
        let where_to = match begins {
            Begins::Anew => HERE.to_owned(),
            Begins::WithEarlierGames => format!("The links of before open nothing any more. {HERE}"),
        };
        return serve(show, web, &where_to);
    };
    let server = Server::start(show, door).map_err(cannot_answer(web.port))?;
    tell("Open in a browser on this machine, one for each:", &server.links_of_guests());
    Ok(server)
}

/// Opens a door for the menu and all that is chosen there, and says where.
pub(crate) fn open_for_all(web: &WebArgs) -> Result<Arc<Door>, Failure> {
    let door = Door::open(web.port).map_err(cannot_answer(web.port))?;
    invite(web, HERE, &door, &door.links());
    Ok(Arc::new(door))
}

/// Begins to answer browsers that want to see this, and says where.
pub(crate) fn serve(show: Show, web: &WebArgs, where_to: &str) -> Result<Server, Failure> {
    let door = Arc::new(Door::open(web.port).map_err(cannot_answer(web.port))?);
    let server = Server::start(show, &door).map_err(cannot_answer(web.port))?;
    invite(web, where_to, &door, &server.links());
    Ok(server)
}

/// Says who comes in by which link, and opens the owner's page where that is asked for.
fn invite(web: &WebArgs, where_to: &str, door: &Door, links: &[Link]) {
    tell(where_to, links);
    if web.open {
        start_browser(&door.address_for_once());
    }
}

pub(crate) fn tell(what: &str, links: &[Link]) {
    let width = links.iter().map(|link| link.whom.width()).max().unwrap_or(0);
    if !links.is_empty() {
        talk(what);
    }
    for link in links {
        let room = width - link.whom.width();
        talk(&format!("  {}{:room$}  {}", link.whom, "", link.address));
    }
}

/// For `map_err`: a port that is taken.
pub(crate) fn cannot_answer(port: Option<u16>) -> impl Fn(io::Error) -> Failure {
    move |error| {
        let where_to = port.map_or_else(String::new, |port| format!(" on port {port}"));
        let failure = Failure::file(format!("cannot answer browsers{where_to}")).because(&error);
        failure.hint("another --port, or none for any that is free")
    }
}

/// Lets people read the links before the screen covers them.
pub(crate) fn wait_for_enter() {
    talk("Enter begins.");
    let mut line = String::new();
    // Whoever cannot type anything has no screen either.
    drop(io::stdin().lock().read_line(&mut line));
}

/// Opens an address in the browser of whoever sits here.
#[expect(clippy::disallowed_methods, reason = "a browser is to outlive the match")]
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
