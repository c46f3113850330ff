//! Names of addresses, for whoever asks for them.

use std::collections::HashMap;
use std::fmt::Display;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use tcpwhy_model::foreign::visible;

/// Looks an address up.
type Lookup = Box<dyn Fn(IpAddr) -> Option<String> + Send + Sync>;

/// No name in the Domain Name System is longer (RFC 1035 §2.3.4).
const LONGEST: usize = 253;
/// More addresses are not asked for: a stream of connections may have any number.
const MOST: usize = 10_000;

/// Names of addresses; each is looked up once, when it is asked for first.
pub struct Names {
    lookup: Lookup,
    known: Mutex<HashMap<IpAddr, Option<String>>>,
}

impl Names {
    /// By `lookup`, which may take its time.
    pub fn new(lookup: impl Fn(IpAddr) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { lookup: Box::new(lookup), known: Mutex::default() }
    }

    /// The name of `address`, if it has one that is not the address again. Whoever owns the address chose it: where it is printed,
    /// hidden characters are to be made visible.
    pub fn of(&self, address: IpAddr) -> Option<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = known.get(&address) {
            return name.clone();
        }
        if known.len() >= MOST {
            return None;
        }
        let name = (self.lookup)(address).filter(|name| is_name(name));
        known.insert(address, name.clone());
        name
    }

    /// `10.0.0.1`, or `10.0.0.1 [db.example]`.
    pub(crate) fn host(&self, address: IpAddr) -> String {
        beside(&address, None, self.of(address).as_deref())
    }
}

/// `10.0.0.1:80`, or with what it is called there `10.0.0.1:80 [www.example, edge-7.example]`: each name once, hidden characters
/// visible.
pub(crate) fn beside(end: &impl Display, called: Option<&str>, resolved: Option<&str>) -> String {
    let other = resolved.filter(|name| called.is_none_or(|called| !called.eq_ignore_ascii_case(name)));
    let names: Vec<_> = called.into_iter().chain(other).map(visible).collect();
    if names.is_empty() { end.to_string() } else { format!("{end} [{}]", names.join(", ")) }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Names").field("known", &self.known).finish_non_exhaustive()
    }
}

/// Resolvers answer with the address where there is no name.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST && name.parse::<IpAddr>().is_err()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn each_is_asked_for_once() {
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let names = Names::new(move |address| {
            count.fetch_add(1, Ordering::Relaxed);
            match address.to_string().as_str() {
                "192.0.2.1" => Some("db.example".to_owned()),
                "192.0.2.2" => Some("192.0.2.2".to_owned()),
                "192.0.2.3" => Some("a".repeat(300)),
                "192.0.2.5" => Some("a\u{202e}b".to_owned()),
                _ => None,
            }
        });
        let host = |address: &str| names.host(address.parse().unwrap());
        for _ in 0..2 {
            assert_eq!(host("192.0.2.1"), "192.0.2.1 [db.example]");
            for nameless in ["192.0.2.2", "192.0.2.3", "192.0.2.4", "2001:db8::1"] {
                assert_eq!(host(nameless), nameless);
            }
            assert!(!host("192.0.2.5").contains('\u{202e}'));
        }
        assert_eq!(asked.load(Ordering::Relaxed), 6);
    }

    /// However many addresses a capture has, so many are asked for and kept.
    #[test]
    fn addresses_without_end_are_not_asked_for() {
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let names = Names::new(move |address| {
            count.fetch_add(1, Ordering::Relaxed);
            Some(format!("host-{address}"))
        });
        for address in 0..2 * MOST as u32 {
            names.of(IpAddr::from(address.to_be_bytes()));
        }
        assert_eq!(asked.load(Ordering::Relaxed) as usize, MOST);
        assert_eq!(names.of(IpAddr::from([0, 0, 0, 1])).as_deref(), Some("host-0.0.0.1"), "what is known stays known");
    }

    #[test]
    fn each_name_stands_once_and_shows_what_is_hidden() {
        assert_eq!(beside(&"::1", None, None), "::1");
        assert_eq!(beside(&"::1", Some("a.example"), Some("A.Example")), "::1 [a.example]");
        assert_eq!(beside(&"::1", Some("a.example"), Some("b.example")), "::1 [a.example, b.example]");
        assert!(!beside(&"::1", Some("a\u{202e}\u{1b}[31m"), None).contains(['\u{202e}', '\u{1b}']));
    }
}
