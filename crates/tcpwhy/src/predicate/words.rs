//! The filter of `live`, on its command line and its screen.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use std::net::SocketAddr;

use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Cause, HostPattern};
use tcpwhy_watch::LiveConnection;

use super::condition::EndPattern;
use super::subject::Watched;
use super::{Condition, Predicate};
use crate::letters::errors;
use crate::message::{Failure, failure};

/// A word of the filter of `live`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    /// The word in its normalized spelling.
    typed: String,
    meaning: Meaning,
}

#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    /// A condition on connections.
    Predicate(Predicate),
    /// The path of the recording to read; not a condition.
    Recording(PathBuf),
}

/// Suffixes of captures, before that of compression. A pcap is included to report that it is not a recording.
const CAPTURES: [&str; 2] = [".pcapng", ".pcap"];
const COMPRESSED: [&str; 2] = [".gz", ".zst"];

fn is_capture(word: &str) -> bool {
    let name = COMPRESSED.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    CAPTURES.iter().any(|end| name.ends_with(end))
}

/// Parses the pattern of an endpoint: an address with or without a port.
fn end(text: &str) -> Result<EndPattern, Failure> {
    if let Ok(end) = text.parse::<SocketAddr>() {
        return Ok(EndPattern { host: HostPattern::of(end.ip()), port: Some(end.port()) });
    }
    let host = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text).parse()?;
    Ok(EndPattern { host, port: None })
}

impl FromStr for Word {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let (is_turned, term) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if term.is_empty() {
            return Err(failure("live-filter-expected"));
        }
        if !is_turned && !has_known_key(term) && is_capture(term) {
            return Ok(Self::of_recording(term));
        }
        let lower = term.to_lowercase();
        let (typed, condition) = match term.split_once(':') {
            Some(("process", name)) => (lower, Condition::Process(name.to_lowercase())),
            Some(("port", port)) => {
                let port = port.parse().map_err(|_| failure("live-port-expected"))?;
                (format!("port:{port}"), Condition::Ports(port, port))
            }
            Some(("peer", address)) => (lower, Condition::Peer(end(&address.to_lowercase())?)),
            Some(("local", address)) => (lower, Condition::Local(end(&address.to_lowercase())?)),
            Some(("limit", id)) => {
                let limit = id.to_lowercase().replace('-', "_").parse::<Cause>()?;
                (format!("limit:{limit}"), Condition::Limit(limit))
            }
            Some(("cgroup", path)) => (lower, Condition::Cgroup(path.to_lowercase())),
            Some((key, value)) if is_near_key(key, value) => {
                return Err(failure("live-filter-key").with("key", quoted(key)));
            }
            // No known key, so the word is plain text: addresses contain colons, too.
            _ => (lower.clone(), Condition::Text(lower)),
        };
        let predicate = Predicate::from(condition);
        Ok(if is_turned {
            Self { typed: format!("!{typed}"), meaning: Meaning::Predicate(Predicate::Not(Box::new(predicate))) }
        } else {
            Self { typed, meaning: Meaning::Predicate(predicate) }
        })
    }
}

/// The keys of filter words.
const KEYS: [&str; 6] = ["process", "port", "peer", "local", "limit", "cgroup"];

/// Most wrong letters in a misspelt key: one in a key of four or five letters, otherwise two.
fn most_errors(key: &str) -> usize {
    if key.len() > 5 { 2 } else { 1 }
}

/// Whether `term` has a known key.
fn has_known_key(term: &str) -> bool {
    term.split_once(':').is_some_and(|(key, _)| KEYS.contains(&key))
}

/// Whether `key` resembles a known one, or differs only in case. An address, and a host before its port, do
/// not count.
fn is_near_key(key: &str, value: &str) -> bool {
    let (key, is_port) = (key.to_lowercase(), value.parse::<u16>().is_ok());
    let is_word = key.len() > 2 && key.bytes().all(|letter| letter.is_ascii_alphabetic());
    let near = |known: &&&str| errors(&key, known) <= most_errors(known);
    is_word && KEYS.iter().filter(near).any(|known| !is_port || *known == "port")
}

/// The word in the syntax of the filter.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed)
    }
}

impl Word {
    fn of_recording(path: &str) -> Self {
        Self { typed: path.to_owned(), meaning: Meaning::Recording(path.into()) }
    }

    /// Parses a line of words.
    pub(crate) fn parse_all(line: &str) -> Result<Vec<Self>, Failure> {
        line.split_whitespace().map(str::parse).collect()
    }

    /// Parses a word of the command line. Unlike on the screen, the name of an existing file is that file,
    /// unless it looks like the name of a program.
    pub(crate) fn typed(word: &str) -> Result<Self, Failure> {
        let parsed: Self = word.parse()?;
        let is_file = word.contains(['.', std::path::MAIN_SEPARATOR]) && Path::new(word).is_file();
        Ok(match parsed.meaning {
            Meaning::Predicate(Predicate::Is(Condition::Text(_))) if is_file => Self::of_recording(word),
            _ => parsed,
        })
    }

    /// The recording that the word names.
    pub(crate) fn recording(&self) -> Option<&Path> {
        if let Meaning::Recording(path) = &self.meaning { Some(path) } else { None }
    }

    /// Whether all of `words` are true for `connection`, whose shown limit is `limit`.
    pub(crate) fn all_hold(words: &[Self], connection: &LiveConnection, limit: Cause) -> bool {
        let watched = Watched { connection, limit, now: connection.seen()[1] };
        words.iter().all(|word| match &word.meaning {
            Meaning::Predicate(predicate) => predicate.holds(&watched),
            Meaning::Recording(_) => true,
        })
    }
}

/// The connections that match the filter; `limit` returns the shown limit of each.
pub(crate) fn picked<'a>(
    connections: impl Iterator<Item = &'a LiveConnection>,
    words: &'a [Word],
    limit: impl Fn(&LiveConnection) -> Cause,
) -> impl Iterator<Item = &'a LiveConnection> {
    connections.filter(move |connection| words.is_empty() || Word::all_hold(words, connection, limit(connection)))
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;
    use tcpwhy_model::host::{SocketAddress, SocketSample, TcpState};
    use tcpwhy_model::live::{KernelSample, Process, SocketKey};
    use tcpwhy_watch::LiveHost;

    use super::*;

    #[track_caller]
    fn check(line: &str, expected: bool) {
        let end = |address: &str, port| SocketAddress { address: address.parse().ok(), zone: None, port: Some(port) };
        let socket = SocketSample {
            state: Some(TcpState::Established),
            local: end("10.0.0.5", 443),
            peer: end("2001:db8::7", 51_234),
            ..SocketSample::default()
        };
        let key = SocketKey { namespace: 1, cookie: 2 };
        let mut host = LiveHost::new();
        host.observe(KernelSample { time: Timestamp::ZERO, key, socket });
        let process = Process { pid: 77, name: "Nginx".to_owned(), cgroup: Some("/system.slice/nginx".to_owned()) };
        host.assign(key, process);
        let filters = Word::parse_all(line).unwrap();
        let connection = host.connection(key).unwrap();
        assert_eq!(Word::all_hold(&filters, connection, connection.limit_now()), expected, "{line}");
    }

    #[test]
    fn conditions() {
        for line in [
            "",
            "nginx",
            "process:nginx",
            "port:443",
            "port:51234",
            "peer:2001:db8::7",
            "peer:2001:db8:",
            "local:10.0.",
            "local:10.0.0.0/8",
            "local:10.0.0.5:443",
            "cgroup:slice",
        ] {
            check(line, true);
        }
        check("nginx port:443 !port:22 [2001:db8::7]:51234 peer:[2001:db8::7]:51234", true);
        for line in [
            "process:java",
            "port:80",
            "peer:10.",
            "local:10.0.0.50",
            "local:10.0.0.5:44",
            "!nginx",
            "nginx port:80",
            "limit:send_buffer",
            "!10.0.0.5",
        ] {
            check(line, false);
        }
        check("limit:unobserved", true);
    }

    #[test]
    fn written_as_typed() {
        for line in ["nginx", "!port:22", "process:java", "peer:10.0.", "local:::1", "limit:send_buffer", "cgroup:web"]
        {
            assert_eq!(line.parse::<Word>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn a_recording_is_no_condition() {
        let filter: Word = "folder/Night.pcapng.zst".parse().unwrap();
        assert_eq!(filter.recording(), Some(Path::new("folder/Night.pcapng.zst")));
        assert_eq!("night".parse::<Word>().unwrap().recording(), None);
        check("night.pcapng nginx", true);
    }

    #[test]
    fn nonsense() {
        for bad in ["!", "port:x", "port:70000", "limit:bogus", "limit:a", "peer:10.0.0", "local:here"] {
            assert!(Word::parse_all(bad).is_err(), "{bad}");
        }
    }

    /// As plain text, it would match no connection, and negated all of them.
    #[test]
    fn a_key_typed_wrongly_is_an_error() {
        for bad in ["prot:22", "proces:x", "limt:path", "Port:22", "loacl:10.", "per:10.", "prcoss:x", "cgroups:web"] {
            for word in [bad.to_owned(), format!("!{bad}")] {
                let said = Word::parse_all(&word).unwrap_err().to_string();
                assert!(KEYS.iter().all(|key| said.contains(&format!("{key}:"))), "{word}: {said}");
            }
        }
        for text in ["nginx:443", "db:5432", "peers:80", "abcd::1", "[2001:db8::7]:443", "10.0.0.5:22", "web:x", "::1"]
        {
            assert!(Word::parse_all(text).is_ok(), "{text}");
        }
    }
}
