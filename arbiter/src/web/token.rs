//! Who may see and do what: whoever holds a token. It stands behind the `#` of a link, which browsers do not send.

use super::seats::Guest;
use std::io;
use std::net::SocketAddr;
use std::sync::Mutex;

/// Something to open in a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Whom it is for.
    pub whom: String,
    /// The address, with its token.
    pub address: String,
}

/// What a token allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rights {
    /// The numbers of the players that it plays for.
    pub(super) players: Vec<usize>,
}

/// Every token there is.
pub(super) struct Tokens {
    tokens: Vec<(String, String, Rights)>,
    /// What opens the host's page once.
    once: Mutex<Option<String>>,
    code: String,
}

impl Tokens {
    pub(super) fn new(guests: &[Guest]) -> io::Result<Tokens> {
        let all: Vec<usize> = guests.iter().map(|guest| guest.player).collect();
        let mut tokens = Vec::new();
        let mut add = |whom: String, players: Vec<usize>| -> io::Result<()> {
            tokens.push((whom, random()?, Rights { players }));
            Ok(())
        };
        if let [one] = guests {
            add(format!("{} plays", one.name), all)?;
        } else if !guests.is_empty() {
            add("all who play here".to_owned(), all)?;
            for guest in guests {
                add(format!("{} alone", guest.name), vec![guest.player])?;
            }
        }
        add("to watch".to_owned(), Vec::new())?;
        let code = random()?;
        Ok(Tokens { tokens, once: Mutex::new(Some(code.clone())), code })
    }

    pub(super) fn links(&self, address: SocketAddr) -> Vec<Link> {
        let link = |(whom, token, _): &(String, String, Rights)| Link {
            whom: whom.clone(),
            address: format!("http://{address}/#t={token}"),
        };
        self.tokens.iter().map(link).collect()
    }

    pub(super) fn address_for_once(&self, address: SocketAddr) -> String {
        format!("http://{address}/#once={}", self.code)
    }

    /// The host's token for the code that opens it, the first time.
    pub(super) fn redeem(&self, code: &str) -> Option<&str> {
        let mut once = self.once.lock().expect("nobody panics with the code");
        once.take_if(|own| is_same(own, code))?;
        Some(&self.tokens.first()?.1)
    }

    /// What somebody with this token may do. Takes as long for every wrong one.
    pub(super) fn rights(&self, token: &str) -> Option<&Rights> {
        let mut found = None;
        for (_, own, rights) in &self.tokens {
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

    fn tokens() -> Tokens {
        let guest = |player: usize, name: &str| Guest { player, name: name.to_owned() };
        Tokens::new(&[guest(0, "Ana"), guest(2, "Bob")]).unwrap()
    }

    fn token(link: &Link) -> &str {
        link.address.split("#t=").nth(1).unwrap()
    }

    #[test]
    fn a_link_lets_play_for_those_whom_it_names_and_nobody_else() {
        let tokens = tokens();
        let links = tokens.links(([127, 0, 0, 1], 80).into());
        let players: Vec<_> =
            links.iter().map(|link| tokens.rights(token(link)).unwrap().players.clone()).collect();
        assert_eq!(players, [vec![0, 2], vec![0], vec![2], vec![]]);
        assert_eq!(tokens.rights(""), None);
        assert_eq!(tokens.rights(&token(&links[0])[..31]), None);
    }

    #[test]
    fn a_code_on_a_command_line_is_worth_nothing_once_it_has_been_used() {
        let tokens = tokens();
        let address = tokens.address_for_once(([127, 0, 0, 1], 80).into());
        let code = address.split("#once=").nth(1).unwrap();
        assert_eq!(tokens.redeem("wrong"), None);
        assert!(tokens.rights(tokens.redeem(code).unwrap()).is_some());
        assert_eq!(tokens.redeem(code), None);
    }
}
