//! Who may see and do what: whoever holds a token. It stands behind the `#` of a link, which browsers do not send.

use parking_lot::Mutex;
use std::collections::hash_map::{Entry, HashMap};
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Somebody who plays through a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guest {
    /// The number of the player, from 0, in the order of the command line.
    pub player: usize,
    /// The name by which the link is known from match to match.
    pub name: String,
    /// How the player is called in this one, made harmless.
    pub called: String,
}

/// Something to open in a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub whom: String,
    /// The address, with its token.
    pub address: String,
}

impl Link {
    pub(super) fn new(whom: &str, address: SocketAddr, token: &str) -> Link {
        Link { whom: whom.to_owned(), address: format!("http://{address}/#t={token}") }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rights {
    /// The numbers of the players that it plays for.
    pub(super) players: Vec<usize>,
    /// Whether it chooses what is played.
    pub(super) chooses: bool,
}

/// The tokens of a door. They stay the same from match to match, so that everybody's page does.
pub(super) struct Keys {
    owner: String,
    watch: String,
    /// Those of guests, by their names.
    guests: Mutex<HashMap<String, String>>,
    /// What opens the owner's page once, and whether it has.
    code: String,
    is_redeemed: AtomicBool,
}

impl Keys {
    pub(super) fn new() -> io::Result<Keys> {
        Ok(Keys {
            owner: random()?,
            watch: random()?,
            guests: Mutex::default(),
            code: random()?,
            is_redeemed: AtomicBool::new(false),
        })
    }

    pub(super) fn owner_and_watch(&self) -> [&str; 2] {
        [&self.owner, &self.watch]
    }

    pub(super) fn code(&self) -> &str {
        &self.code
    }

    /// The owner's token for the code that opens it, the first time.
    pub(super) fn redeem(&self, code: &str) -> Option<&str> {
        let is_first = is_same(&self.code, code) && !self.is_redeemed.swap(true, Ordering::Relaxed);
        is_first.then_some(&*self.owner)
    }

    /// The tokens of a match with these guests. While it is chosen what is played there are none, and all but the owner wait.
    pub(super) fn tokens(&self, guests: &[Guest]) -> io::Result<Tokens> {
        let all: Vec<usize> = guests.iter().map(|guest| guest.player).collect();
        let whom = match guests {
            [] => "to watch".to_owned(),
            [one] => format!("{} plays", one.called),
            _ => "all who play here".to_owned(),
        };
        let mut tokens = vec![(whom, self.owner.clone(), Rights { players: all, chooses: true })];
        if guests.len() > 1 {
            for guest in guests {
                let rights = Rights { players: vec![guest.player], chooses: false };
                tokens.push((format!("{} alone", guest.called), self.of_guest(&guest.name)?, rights));
            }
        }
        tokens.push(("to watch".to_owned(), self.watch.clone(), Rights::default()));
        // Who has played before and does not now watches.
        let plays = |name: &str| guests.len() > 1 && guests.iter().any(|guest| guest.name == name);
        let known = self.guests.lock();
        let others = known.iter().filter(|(name, _)| !plays(name));
        tokens.extend(others.map(|(_, token)| (String::new(), token.clone(), Rights::default())));
        Ok(Tokens(tokens))
    }

    fn of_guest(&self, name: &str) -> io::Result<String> {
        Ok(match self.guests.lock().entry(name.to_owned()) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => new.insert(random()?).clone(),
        })
    }
}

/// Whom a token is for, empty where no link is shown; the token, and what it allows.
type Held = (String, String, Rights);

pub(super) struct Tokens(Vec<Held>);

impl Tokens {
    /// The links, the owner's first. Where nobody plays, whoever has it only watches, and one link is enough.
    pub(super) fn links(&self, address: SocketAddr) -> Vec<Link> {
        let plays = self.0.iter().any(|(_, _, rights)| !rights.players.is_empty());
        let count = if plays { self.0.len() } else { 1 };
        let told = self.0.iter().filter(|(whom, _, _)| !whom.is_empty()).take(count);
        told.map(|(whom, token, _)| Link::new(whom, address, token)).collect()
    }

    /// Those who play, each with a token of its own, where there are several.
    pub(super) fn alone(&self) -> impl Iterator<Item = (&str, &str)> {
        let alone = self.0.iter().filter(|(_, _, rights)| !rights.chooses && !rights.players.is_empty());
        alone.map(|(whom, token, _)| (whom.as_str(), token.as_str()))
    }

    /// What somebody with this token may do. Takes as long for every wrong one.
    pub(super) fn rights(&self, token: &str) -> Option<&Rights> {
        let mut found = None;
        for (_, own, rights) in &self.0 {
            if is_same(own, token) {
                found = Some(rights);
            }
        }
        found
    }
}

/// Compares without telling by its time where two texts differ.
fn is_same(own: &str, other: &str) -> bool {
    own.len() == other.len()
        && own.bytes().zip(other.bytes()).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

/// 128 random bits.
pub(super) fn random() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guests() -> [Guest; 2] {
        let guest =
            |(player, name): (usize, &str)| Guest { player, name: name.to_owned(), called: name.to_owned() };
        [(0, "Ana"), (2, "Bob")].map(guest)
    }

    fn token(link: &Link) -> &str {
        link.address.split("#t=").nth(1).unwrap()
    }

    #[test]
    fn a_link_lets_play_for_those_whom_it_names_and_nobody_else() {
        let tokens = Keys::new().unwrap().tokens(&guests()).unwrap();
        let links = tokens.links(([127, 0, 0, 1], 80).into());
        let rights: Vec<_> = links.iter().map(|link| tokens.rights(token(link)).unwrap().clone()).collect();
        let players: Vec<_> = rights.iter().map(|rights| rights.players.clone()).collect();
        assert_eq!(players, [vec![0, 2], vec![0], vec![2], vec![]]);
        assert_eq!(
            rights.iter().map(|rights| rights.chooses).collect::<Vec<_>>(),
            [true, false, false, false]
        );
        assert_eq!(tokens.rights(""), None);
        assert_eq!(tokens.rights(&token(&links[0])[..31]), None);
    }

    #[test]
    fn everybody_keeps_a_link_from_match_to_match_and_only_the_owner_chooses_in_between() {
        let keys = Keys::new().unwrap();
        let address = ([127, 0, 0, 1], 80).into();
        let first = keys.tokens(&guests()).unwrap().links(address);
        let [ana, bob] = guests();
        let swapped = [Guest { player: 1, ..bob }, ana];
        let second = keys.tokens(&swapped).unwrap();
        let of = |link: &Link| second.rights(token(link)).cloned().unwrap_or_default();
        assert_eq!(
            first.iter().map(|link| of(link).players).collect::<Vec<_>>(),
            [vec![1, 0], vec![0], vec![1], vec![]]
        );
        let waiting = keys.tokens(&[]).unwrap();
        let choosing: Vec<_> =
            first.iter().map(|link| waiting.rights(token(link)).unwrap().chooses).collect();
        assert_eq!(choosing, [true, false, false, false]);
    }

    #[test]
    fn a_code_on_a_command_line_is_worth_nothing_once_it_has_been_used() {
        let keys = Keys::new().unwrap();
        assert_eq!(keys.redeem("wrong"), None);
        let own = keys.redeem(keys.code()).unwrap();
        assert!(keys.tokens(&[]).unwrap().rights(own).unwrap().chooses);
        assert_eq!(keys.redeem(keys.code()), None);
    }
}
