//! Filters in the syntax of `tcpdump` (pcap-filter(7)), applied to connections: a host, net or port matches
//! either endpoint.

use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

#[cfg(any(test, target_os = "linux"))]
use tcpwhy_model::Endpoint;
use tcpwhy_model::HostPattern;
use tcpwhy_model::foreign::quoted;

use super::{Condition, Predicate};
use crate::message::{Failure, failure};
use crate::wrong::Result;

/// Deepest nesting of parentheses and negations, which no real filter reaches.
const MOST_DEPTH: usize = 100;

/// Most words of a filter, because every joined condition nests one level deeper.
const MOST_WORDS: usize = 2000;

/// A filter in the syntax of `tcpdump`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expression(Predicate);

impl Expression {
    /// Parses the words of a command line; `None` without words.
    pub(crate) fn of_words(words: &[String]) -> Result<Option<Self>> {
        if words.is_empty() {
            return Ok(None);
        }
        let text = words.join(" ");
        text.parse()
            .map(Some)
            .map_err(|why: Failure| failure("filter").with("filter", quoted(&text)).with("why", why).into())
    }

    /// Whether a connection between these endpoints matches.
    #[cfg(any(test, target_os = "linux"))]
    pub(crate) fn holds(&self, endpoints: &[Endpoint; 2]) -> bool {
        self.0.holds(endpoints)
    }

    /// Its conditions.
    pub(super) fn predicate(&self) -> Predicate {
        self.0.clone()
    }
}

impl FromStr for Expression {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let mut parser = Parser { words: words(text), at: 0, qualifier: None, depth: 0 };
        if parser.words.is_empty() {
            return Err(failure("filter-empty"));
        }
        if parser.words.len() > MOST_WORDS {
            return Err(failure("filter-too-long").with("most", MOST_WORDS));
        }
        let expression = parser.sequence()?;
        match parser.next() {
            None => Ok(Self(expression)),
            Some(word) => Err(about("filter-and-or-expected", &word)),
        }
    }
}

/// The failure `id` about this word.
fn about(id: &'static str, word: &str) -> Failure {
    failure(id).with("word", quoted(word))
}

/// Splits `text` into words; parentheses and operators are separate words.
fn words(text: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '(' | ')' | '!' => spaced.extend([' ', c, ' ']),
            _ => spaced.push(c),
        }
    }
    spaced.replace("&&", " && ").replace("||", " || ").split_whitespace().map(str::to_ascii_lowercase).collect()
}

/// The keyword for a value without one: that of the previous value, as in `port 80 or 443`.
#[derive(Clone, Copy)]
enum Qualifier {
    Host,
    Net,
    Port,
    PortRange,
}

struct Parser {
    words: Vec<String>,
    at: usize,
    qualifier: Option<Qualifier>,
    depth: usize,
}

impl Parser {
    fn next(&mut self) -> Option<String> {
        let word = self.words.get(self.at).cloned();
        self.at += 1;
        word
    }

    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(String::as_str)
    }

    /// Parses parts joined by `and` and `or`, which have equal precedence and associate left
    /// (pcap-filter(7)).
    fn sequence(&mut self) -> Result<Predicate, Failure> {
        let mut left = self.part()?;
        loop {
            let join: fn(Box<Predicate>, Box<Predicate>) -> Predicate = match self.peek() {
                Some("and" | "&&") => Predicate::And,
                Some("or" | "||") => Predicate::Or,
                _ => return Ok(left),
            };
            self.at += 1;
            left = join(Box::new(left), Box::new(self.part()?));
        }
    }

    fn part(&mut self) -> Result<Predicate, Failure> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(failure("filter-too-deep"));
        }
        let part = match self.peek() {
            Some("not" | "!") => {
                self.at += 1;
                Predicate::Not(Box::new(self.part()?))
            }
            Some("(") => {
                self.at += 1;
                let inner = self.sequence()?;
                match self.next().as_deref() {
                    Some(")") => inner,
                    Some(word) => return Err(about("filter-closing-expected", word)),
                    None => return Err(failure("filter-not-closed")),
                }
            }
            _ => self.primitive()?,
        };
        self.depth -= 1;
        Ok(part)
    }

    /// Parses the part after a protocol: `tcp port 80` is `tcp and port 80`.
    fn of_protocol(&mut self, protocol: Predicate) -> Result<Predicate, Failure> {
        match self.peek() {
            Some("host" | "net" | "port" | "portrange" | "src" | "dst") => {
                Ok(Predicate::And(Box::new(protocol), Box::new(self.primitive()?)))
            }
            _ => Ok(protocol),
        }
    }

    fn primitive(&mut self) -> Result<Predicate, Failure> {
        let word = self.next().ok_or_else(|| failure("filter-ends"))?;
        let qualifier = match word.as_str() {
            "tcp" => return self.of_protocol(Predicate::Always),
            "ip" => return self.of_protocol(Condition::Version4(true).into()),
            "ip6" => return self.of_protocol(Condition::Version4(false).into()),
            "host" => Qualifier::Host,
            "net" => Qualifier::Net,
            "port" => Qualifier::Port,
            "portrange" => Qualifier::PortRange,
            "src" | "dst" => {
                return Err(failure("filter-direction").with("word", word));
            }
            "and" | "or" | "&&" | "||" | ")" => return Err(about("filter-condition-expected", &word)),
            value => {
                let Some(qualifier) = self.qualifier else {
                    return Err(about("filter-unknown", value));
                };
                return condition(qualifier, value);
            }
        };
        self.qualifier = Some(qualifier);
        let value = self.next().ok_or_else(|| failure("filter-value-expected").with("word", word))?;
        condition(qualifier, &value)
    }
}

fn condition(qualifier: Qualifier, value: &str) -> Result<Predicate, Failure> {
    let port = |text: &str| text.parse::<u16>().map_err(|_| about("filter-port", text));
    match qualifier {
        Qualifier::Host => value
            .parse::<IpAddr>()
            .map(|address| Condition::Host(HostPattern::of(address)).into())
            .map_err(|_| about("filter-address", value)),
        Qualifier::Net => net(value).map(|net| Condition::Host(net).into()),
        Qualifier::Port => port(value).map(|port| Condition::Ports(port, port).into()),
        Qualifier::PortRange => match value.split_once('-') {
            Some((first, last)) if port(first)? <= port(last)? => {
                Ok(Condition::Ports(port(first)?, port(last)?).into())
            }
            _ => Err(about("filter-port-range", value)),
        },
    }
}

/// Parses a net: `10.0.0.0/8`, `fd00::/8`, or `10.1` for `10.1.0.0/16`.
fn net(value: &str) -> Result<HostPattern, Failure> {
    let error = || about("filter-net", value);
    if value.contains('/') {
        return value.parse().map_err(|_| error());
    }
    let bytes: Option<Vec<u8>> = value.split('.').map(|part| part.parse::<u8>().ok()).collect();
    match bytes {
        Some(bytes) if (1..=4).contains(&bytes.len()) => {
            let mut address = [0; 4];
            address[..bytes.len()].copy_from_slice(&bytes);
            Ok(HostPattern::Prefix { address: Ipv4Addr::from(address).into(), len: 8 * bytes.len() as u8 })
        }
        _ => value.parse::<IpAddr>().map(HostPattern::of).map_err(|_| error()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// The expression with all its parentheses.
    fn shown(expression: &Predicate) -> String {
        match expression {
            Predicate::Is(Condition::Host(HostPattern::Prefix { address, len })) => format!("{address}/{len}"),
            Predicate::Is(Condition::Ports(first, last)) => format!("{first}-{last}"),
            Predicate::Is(Condition::Version4(is_4)) => format!("4={is_4}"),
            Predicate::Is(other) => format!("{other:?}"),
            Predicate::Always => "all".into(),
            Predicate::Not(inner) => format!("not {}", shown(inner)),
            Predicate::And(a, b) => format!("({} and {})", shown(a), shown(b)),
            Predicate::Or(a, b) => format!("({} or {})", shown(a), shown(b)),
        }
    }

    #[test]
    fn reads_as_tcpdump_does() {
        for (text, expected) in [
            ("host 10.0.0.1", "10.0.0.1/32"),
            ("host 10.0.0.1 and port 443", "(10.0.0.1/32 and 443-443)"),
            // Both have equal precedence and associate left.
            ("port 80 or port 443 and host 10.0.0.1", "((80-80 or 443-443) and 10.0.0.1/32)"),
            ("port 80 or (port 443 and host ::1)", "(80-80 or (443-443 and ::1/128))"),
            ("not port 22 and tcp", "(not 22-22 and all)"),
            ("!(port 22||portrange 8000-8080)&&ip6", "(not (22-22 or 8000-8080) and 4=false)"),
            ("port 80 or 443 or 8080", "((80-80 or 443-443) or 8080-8080)"),
            ("host 10.0.0.1 and (port 80 or 443)", "(10.0.0.1/32 and (80-80 or 443-443))"),
            ("net 10.0.0.0/8 or fd00::/8", "(10.0.0.0/8 or fd00::/8)"),
            ("net 10.1", "10.1.0.0/16"),
            ("tcp port 80 or 443", "((all and 80-80) or 443-443)"),
            ("ip6 net fd00::/8", "(4=false and fd00::/8)"),
            ("HOST 10.0.0.1 AND NOT IP", "(10.0.0.1/32 and not 4=true)"),
        ] {
            assert_eq!(
                text.parse::<Expression>().as_ref().map(|expression| shown(&expression.0)),
                Ok(expected.into()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_it_cannot_read_it_says() {
        for (text, part) in [
            ("", "empty"),
            ("port", "expected a value after port"),
            ("port http", "not a port number"),
            ("host web1", "not an address"),
            ("src host 10.0.0.1", "a connection has both"),
            ("port 80 port 443", "expected `and` or `or` before \"port\""),
            ("(port 80", "not closed"),
            ("port 80)", "before \")\""),
            ("port 80 and", "ends where"),
            ("and port 80", "expected a condition"),
            ("udp", "unknown word \"udp\""),
            ("portrange 90-80", "not a range"),
            ("net 10.0.0.0/33", "not a network"),
            ("net 1.2.3.4.5", "not a network"),
        ] {
            let error = text.parse::<Expression>().unwrap_err().to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
        }
        for deep in ["(".repeat(100_000), "not ".repeat(100_000), format!("port 1{}", "||1".repeat(40_000))] {
            assert!(deep.parse::<Expression>().is_err());
        }
    }

    /// The expression in filter syntax; `None` if a part has no such form.
    fn typed(expression: &Predicate) -> Option<String> {
        Some(match expression {
            Predicate::Is(Condition::Host(HostPattern::Prefix { address, len })) => format!("net {address}/{len}"),
            Predicate::Is(Condition::Ports(first, last)) => format!("portrange {first}-{last}"),
            Predicate::Is(Condition::Version4(is_4)) => if *is_4 { "ip" } else { "ip6" }.to_owned(),
            Predicate::Is(_) => return None,
            Predicate::Always => "tcp".to_owned(),
            Predicate::Not(inner) => format!("not {}", typed(inner)?),
            Predicate::And(a, b) => format!("({} and ({}))", typed(a)?, typed(b)?),
            Predicate::Or(a, b) => format!("({} or ({}))", typed(a)?, typed(b)?),
        })
    }

    /// Valid and invalid words of filters, in any order.
    fn any_words() -> impl Strategy<Value = String> {
        let known = select(vec![
            "host",
            "net",
            "port",
            "portrange",
            "and",
            "or",
            "not",
            "(",
            ")",
            "!",
            "&&",
            "||",
            "tcp",
            "ip",
            "ip6",
            "src",
            "10.0.0.1",
            "::1",
            "10.1",
            "fd00::/8",
            "10.0.0.0/33",
            "80",
            "65536",
            "8000-8080",
            "9-8",
            "-",
            "1-",
            "\u{202e}",
            "Ｐort",
        ]);
        let word = prop_oneof![9 => known.prop_map(str::to_owned), 1 => any::<String>()];
        vec(word, 0..12).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn any_words_are_a_filter_or_a_line_that_says_why_not(text in any_words(), ends in any::<[(u32, u16); 2]>()) {
            match text.parse::<Expression>() {
                Err(error) => {
                    let error = error.to_string();
                    prop_assert!(!error.is_empty() && !error.contains(['\n', '\u{202e}', '\u{1b}']), "{error}");
                }
                Ok(expression) => {
                    let ends = ends.map(|(address, port)| Endpoint { address: Ipv4Addr::from(address).into(), port });
                    let inverse = Predicate::Not(Box::new(expression.predicate()));
                    prop_assert_ne!(expression.holds(&ends), inverse.holds(&ends));
                    if let Some(typed) = typed(&expression.0) {
                        prop_assert_eq!(typed.parse::<Expression>().map(|again| again.holds(&ends)), Ok(expression.holds(&ends)));
                    }
                }
            }
        }
    }
}
