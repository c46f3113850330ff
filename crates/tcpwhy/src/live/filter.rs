//! The one filter language of command line and screen.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use std::net::SocketAddr;

use tcpwhy_model::Cause;
use tcpwhy_model::host::SocketAddress;
use tcpwhy_watch::LiveConnection;

use crate::host_pattern::HostPattern;
use crate::message::{Failure, failure};

/// A condition on connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    is_turned: bool,
    term: Term,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Process(String),
    Port(u16),
    Peer(End),
    Local(End),
    Limit(Cause),
    Cgroup(String),
    /// Anything that a line shows.
    Text(String),
    /// No condition, but what is to be looked at.
    Recording(PathBuf),
}

/// What names of captures end with, before that of compression. That of a pcap says that it is no recording.
const CAPTURES: [&str; 2] = [".pcapng", ".pcap"];
const COMPRESSED: [&str; 2] = [".gz", ".zst"];

fn is_capture(word: &str) -> bool {
    let name = COMPRESSED.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    CAPTURES.iter().any(|end| name.ends_with(end))
}

/// One end of a connection: a host as everywhere, and a port if one was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct End {
    typed: String,
    host: HostPattern,
    port: Option<u16>,
}

impl FromStr for End {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let typed = text.to_lowercase();
        if let Ok(end) = typed.parse::<SocketAddr>() {
            return Ok(Self { typed, host: HostPattern::of(end.ip()), port: Some(end.port()) });
        }
        let host = typed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&typed).parse()?;
        Ok(Self { typed, host, port: None })
    }
}

impl End {
    fn holds(&self, end: &SocketAddress) -> bool {
        end.address.is_some_and(|address| self.host.matches(address))
            && self.port.is_none_or(|port| end.port == Some(port))
    }
}

impl FromStr for Filter {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let (is_turned, term) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if term.is_empty() {
            return Err(failure("live-filter-expected"));
        }
        let term = match term.split_once(':') {
            Some(("process", name)) => Term::Process(name.to_lowercase()),
            Some(("port", port)) => Term::Port(port.parse().map_err(|_| failure("live-port-expected"))?),
            Some(("peer", address)) => Term::Peer(address.parse()?),
            Some(("local", address)) => Term::Local(address.parse()?),
            Some(("limit", id)) => Term::Limit(id.to_lowercase().replace('-', "_").parse()?),
            Some(("cgroup", path)) => Term::Cgroup(path.to_lowercase()),
            _ if !is_turned && is_capture(term) => Term::Recording(term.into()),
            // Addresses have colons too.
            _ => Term::Text(term.to_lowercase()),
        };
        Ok(Self { is_turned, term })
    }
}

/// As it is typed.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_turned {
            f.write_str("!")?;
        }
        match &self.term {
            Term::Process(name) => write!(f, "process:{name}"),
            Term::Port(port) => write!(f, "port:{port}"),
            Term::Peer(end) => write!(f, "peer:{}", end.typed),
            Term::Local(end) => write!(f, "local:{}", end.typed),
            Term::Limit(id) => write!(f, "limit:{id}"),
            Term::Cgroup(path) => write!(f, "cgroup:{path}"),
            Term::Text(text) => f.write_str(text),
            Term::Recording(path) => path.display().fmt(f),
        }
    }
}

impl Filter {
    /// The conditions of a line that was typed.
    pub(crate) fn parse_all(line: &str) -> Result<Vec<Self>, Failure> {
        line.split_whitespace().map(str::parse).collect()
    }

    /// A word of the command line. Other than on the screen, one that is the name of a file there is, and does not look like the name
    /// of a program, is that file: who types it does not mean connections.
    pub(crate) fn typed(word: &str) -> Result<Self, Failure> {
        let filter: Self = word.parse()?;
        let is_file = word.contains(['.', std::path::MAIN_SEPARATOR]) && Path::new(word).is_file();
        Ok(match filter.term {
            Term::Text(_) if is_file && !filter.is_turned => {
                Self { is_turned: false, term: Term::Recording(word.into()) }
            }
            _ => filter,
        })
    }

    /// The recording that it names.
    pub(crate) fn recording(&self) -> Option<&Path> {
        if let Term::Recording(path) = &self.term { Some(path) } else { None }
    }

    /// Whether all of `filters` hold of `connection`, of which `limit` is shown.
    pub(crate) fn all_hold(filters: &[Self], connection: &LiveConnection, limit: Cause) -> bool {
        filters.iter().all(|filter| filter.holds(connection, limit))
    }

    fn holds(&self, connection: &LiveConnection, limit: Cause) -> bool {
        let process = || connection.process().map(|process| process.name.to_lowercase()).unwrap_or_default();
        let holds = match &self.term {
            Term::Process(name) => process().contains(name),
            Term::Port(port) => [connection.local(), connection.peer()].iter().any(|end| end.port == Some(*port)),
            Term::Peer(end) => end.holds(connection.peer()),
            Term::Local(end) => end.holds(connection.local()),
            Term::Limit(wanted) => wanted.covers(limit),
            Term::Cgroup(path) => {
                let cgroup = connection.process().and_then(|process| process.cgroup.as_ref());
                cgroup.is_some_and(|cgroup| cgroup.to_lowercase().contains(path))
            }
            Term::Recording(_) => true,
            Term::Text(text) => {
                let pid = connection.process().map(|process| process.pid.to_string()).unwrap_or_default();
                let line = format!("{} {pid} {} {} {limit}", process(), connection.local(), connection.peer());
                line.to_lowercase().contains(text)
            }
        };
        holds != self.is_turned
    }
}

/// The connections that the filter picks.
pub(super) fn picked<'a>(
    connections: impl Iterator<Item = &'a LiveConnection>,
    filters: &'a [Filter],
) -> impl Iterator<Item = &'a LiveConnection> {
    connections.filter(move |connection| Filter::all_hold(filters, connection, connection.limit_now()))
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
        let filters = Filter::parse_all(line).unwrap();
        let connection = host.connection(key).unwrap();
        assert_eq!(Filter::all_hold(&filters, connection, connection.limit_now()), expected, "{line}");
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
            assert_eq!(line.parse::<Filter>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn a_recording_is_no_condition() {
        let filter: Filter = "folder/Night.pcapng.zst".parse().unwrap();
        assert_eq!(filter.recording(), Some(Path::new("folder/Night.pcapng.zst")));
        assert_eq!("night".parse::<Filter>().unwrap().recording(), None);
        check("night.pcapng nginx", true);
    }

    #[test]
    fn nonsense() {
        for bad in ["!", "port:x", "port:70000", "limit:bogus", "limit:a", "peer:10.0.0", "local:here"] {
            assert!(Filter::parse_all(bad).is_err(), "{bad}");
        }
    }
}
