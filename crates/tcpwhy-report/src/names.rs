//! Names of addresses, if they are asked for.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use tcpwhy_model::foreign::escape;
use unicode_width::UnicodeWidthStr as _;

use crate::text::Look;

/// A function that resolves an address.
type Lookup = Box<dyn Fn(IpAddr) -> Option<String> + Send + Sync>;

/// Longest name in the Domain Name System, bytes (RFC 1035 §2.3.4).
const LONGEST: usize = 253;
/// Most addresses that are resolved: a stream of connections may have any number of them.
const MOST: usize = 10_000;

/// Names of addresses; each is resolved once, on first use.
pub struct Names {
    lookup: Lookup,
    known: Mutex<HashMap<IpAddr, Option<String>>>,
}

impl Names {
    /// Names that `lookup` resolves. It may be slow.
    pub fn new(lookup: impl Fn(IpAddr) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { lookup: Box::new(lookup), known: Mutex::default() }
    }

    /// The name of `address`, unless it is an address too, which some resolvers return if there is no name.
    /// The owner of the address chose the name, so it is shown as in [`shown_name`].
    pub fn of(&self, address: IpAddr) -> Option<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = known.get(&address) {
            return name.clone();
        }
        if known.len() >= MOST {
            return None;
        }
        let name = (self.lookup)(address).filter(|name| name.len() <= LONGEST && shown_name(name).is_some());
        known.insert(address, name.clone());
        name
    }

    /// An address with its name, if it has one: `10.0.0.1`, or `10.0.0.1 [db.example]`.
    pub(crate) fn host(&self, address: IpAddr) -> Named {
        Named::new(&address, None, self.of(address).as_deref())
    }
}

/// An address with its names. If there is little room, the names are cut, then left out. The address is never
/// replaced, because the sender of the packets or the owner of the address chose the names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    address: String,
    /// Names such as `www.example, edge-7.example`; empty if it has none.
    names: String,
}

impl Named {
    /// Shortest part of a name that can be recognized, columns.
    const SHORTEST: usize = 6;
    /// A space and the brackets, columns.
    const FRAME: usize = 3;
    /// Width in which most names can be recognized, brackets included, columns.
    pub(crate) const READABLE: usize = 12 + Self::FRAME;

    /// `end` with the name that the client used and the resolved name, each once, if they may be shown.
    pub(crate) fn new(end: &impl Display, called: Option<&str>, resolved: Option<&str>) -> Self {
        let called = called.and_then(shown_name);
        let other = resolved.and_then(shown_name);
        let other = other.filter(|name| called.as_ref().is_none_or(|called| !called.eq_ignore_ascii_case(name)));
        let names: Vec<_> = called.into_iter().chain(other).collect();
        Self { address: end.to_string(), names: names.join(", ") }
    }

    /// The address without names.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Width of address and names, columns.
    pub(crate) fn width(&self) -> usize {
        self.address.width() + if self.names.is_empty() { 0 } else { self.names.width() + Self::FRAME }
    }

    /// Address and names in at most `width` columns, or the address alone.
    pub(crate) fn within(&self, look: Look, width: usize) -> String {
        let room = width.saturating_sub(self.address.width() + Self::FRAME);
        if self.width() > width && room < Self::SHORTEST {
            return self.address.clone();
        }
        Self { names: look.shorten(&self.names, room), ..self.clone() }.to_string()
    }
}

/// Writes `10.0.0.1:80` or, with names, `10.0.0.1:80 [www.example, edge-7.example]`.
impl Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.names.is_empty() { f.write_str(&self.address) } else { write!(f, "{} [{}]", self.address, self.names) }
    }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Names").field("known", &self.known).finish_non_exhaustive()
    }
}

/// `name` as it is shown next to an address, made safe because its owner may want to fake another address. A
/// host name is shown unchanged. In any other text, characters that host names cannot have are escaped. So
/// the name is one word without blanks, colons, arrows or letters from right to left. Text that is or
/// contains an address is not shown.
pub fn shown_name(name: &str) -> Option<Cow<'_, str>> {
    if is_host_name(name) {
        return Some(Cow::Borrowed(name));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.chars().all(is_plain) {
        // Rejects `3221225985` and `0x7f.1`, but accepts a label that is too long.
        return (!ends_in_number(name)).then_some(Cow::Borrowed(name));
    }
    let is_address = |text: &str| text.trim_matches('.').parse::<IpAddr>().is_ok();
    let has_port = |text: &str| text.rsplit_once(':').is_some_and(|(address, _)| is_address(address));
    let mut words = name.split(|c: char| !c.is_ascii_hexdigit() && c != '.' && c != ':');
    (!words.any(|word| is_address(word) || has_port(word))).then(|| escape(name, |c| !is_plain(c)))
}

/// Whether `name` can be the name of a host and not an address. Labels consist of letters, digits, hyphens
/// and underscores (RFC 1123 §2.1; underscores are in use). The last label is not a number, because
/// `192.0.2.1`, `3221225985` and `0x7f.1` are addresses (RFC 1123 §2.1; WHATWG URL, "ends in a number"). RFC
/// 6066 §3 does not allow addresses as server names of TLS.
fn is_host_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len()) && label.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    name.len() <= LONGEST && name.split('.').all(is_label) && !ends_in_number(name)
}

/// Whether the last label is a number, or there is no label.
fn ends_in_number(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or_default();
    match last.strip_prefix("0x").or(last.strip_prefix("0X")) {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_hexdigit()),
        None => last.bytes().all(|b| b.is_ascii_digit()),
    }
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
        let host = |address: &str| names.host(address.parse().unwrap()).to_string();
        for _ in 0..2 {
            assert_eq!(host("192.0.2.1"), "192.0.2.1 [db.example]");
            for nameless in ["192.0.2.2", "192.0.2.3", "192.0.2.4", "2001:db8::1"] {
                assert_eq!(host(nameless), nameless);
            }
        }
        assert_eq!(host("192.0.2.5"), r"192.0.2.5 [a\u{202e}b]");
        assert_eq!(asked.load(Ordering::Relaxed), 6);
    }

    /// The number of addresses that are resolved and kept is bounded.
    #[test]
    fn addresses_without_end_are_not_asked_for() {
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let names = Names::new(move |address| {
            count.fetch_add(1, Ordering::Relaxed);
            Some(format!("host-{address}.example"))
        });
        for address in 0..2 * MOST as u32 {
            names.of(IpAddr::from(address.to_be_bytes()));
        }
        assert_eq!(asked.load(Ordering::Relaxed) as usize, MOST);
        assert_eq!(
            names.of(IpAddr::from([0, 0, 0, 1])).as_deref(),
            Some("host-0.0.0.1.example"),
            "what is known stays known"
        );
    }

    #[test]
    fn each_name_is_shown_once() {
        let named = |called, resolved| Named::new(&"::1", called, resolved).to_string();
        assert_eq!(named(None, None), "::1");
        assert_eq!(named(Some("a.example"), Some("A.Example")), "::1 [a.example]");
        assert_eq!(named(Some("a.example"), Some("b.example")), "::1 [a.example, b.example]");
        assert_eq!(named(Some("192.0.2.77"), Some("b.example")), "::1 [b.example]");
        assert_eq!(named(Some("a.example"), Some("b c")), r"::1 [a.example, b\x20c]");
    }

    #[test]
    fn what_can_be_read_as_an_address_is_no_host_name() {
        for name in [
            "db.example",
            "db",
            "DB-1.example.",
            "_dmarc.example",
            "xn--bcher-kva.example",
            "192-0-2-1.example",
            "0xg.0xg",
        ] {
            assert!(is_host_name(name), "{name}");
        }
        let hostile = [
            "192.0.2.77",
            "192.0.2.77.",
            "192.0.2.077",
            "3221225985",
            "0x7f.1",
            "127.0x1",
            "0x",
            "2001:db8::1",
            "[2001:db8::1]",
            "",
            ".",
            "a..b",
            "192.0.2.77:443 → 10.0.0.1",
            "192.0.2.77:443",
            "a b",
            "a]",
            "\u{5d0}] \u{5d1}",
            "a\u{202e}b",
            "a\u{1b}[2J",
            "１９２.0.2.77",
            "b\u{fc}cher.example",
        ];
        for name in hostile {
            assert!(!is_host_name(name), "{name}");
        }
        assert!(!is_host_name(&"a".repeat(64)) && !is_host_name(&"a.".repeat(127 + 1)));
    }

    #[test]
    fn other_text_is_a_word_without_addresses() {
        for (name, shown) in [
            ("a b", r"a\x20b"),
            ("a..b", "a..b"),
            ("\u{5d0}] \u{5d1}", r"\u{5d0}\x5d\x20\u{5d1}"),
            ("a → b:443", r"a\x20\u{2192}\x20b\x3a443"),
            ("b\u{fc}cher.example", r"b\u{fc}cher.example"),
            ("a\\nb", r"a\\nb"),
        ] {
            assert_eq!(shown_name(name).as_deref(), Some(shown));
        }
        let addresses = [
            "192.0.2.77:443 → 10.0.0.1",
            "x 192.0.2.77",
            "(192.0.2.77)",
            "192.0.2.77:443",
            "[2001:db8::1]:443",
            "2001:db8::1",
            "",
        ];
        for name in addresses {
            assert_eq!(shown_name(name), None, "{name}");
        }
    }

    #[test]
    fn names_make_room_and_addresses_stay() {
        let look = Look { width: 80, has_color: false, has_unicode: true };
        let named = Named::new(&"192.0.2.80:443", Some("www.long-name.example"), None);
        assert_eq!(named.within(look, 100), "192.0.2.80:443 [www.long-name.example]");
        assert_eq!(named.within(look, 26), "192.0.2.80:443 [www.…mple]");
        for width in 0..40 {
            let text = named.within(look, width);
            assert!(
                text.starts_with("192.0.2.80:443") && (text == "192.0.2.80:443" || text.width() <= width),
                "{text}"
            );
        }
    }
}
