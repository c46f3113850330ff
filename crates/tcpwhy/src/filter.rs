//! Which connections are presented.

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use tcpwhy_analysis::Connection;
use tcpwhy_model::{Cause, Severity, Span};
use tcpwhy_report::principal_half;

use crate::expression::Expression;

/// A host as typed: an address, a CIDR prefix or the beginning of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostPattern {
    /// Addresses whose first `len` bits are those of `address`.
    Prefix { address: IpAddr, len: u8 },
    /// Addresses that are written with this beginning: `10.0.`.
    Beginning(String),
}

impl FromStr for HostPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, len) = match text.split_once('/') {
            Some((address, len)) => (address, Some(len)),
            None => (text, None),
        };
        match (address.parse::<IpAddr>(), len) {
            (Ok(address), None) => Ok(Self::of(address)),
            (Ok(address), Some(len)) => match len.parse() {
                Ok(len) if len <= bits(address) => Ok(Self::Prefix { address, len }),
                _ => Err(format!("the prefix length must be 0 to {}", bits(address))),
            },
            (Err(_), None)
                if text.ends_with(['.', ':']) && text.chars().all(|c| c.is_ascii_hexdigit() || ".:".contains(c)) =>
            {
                Ok(Self::Beginning(text.to_ascii_lowercase()))
            }
            _ => Err("expected an address (10.0.0.1), a prefix (10.0.0.0/8, fd00::/8) or a beginning (10.0.)".into()),
        }
    }
}

impl HostPattern {
    /// This address alone.
    pub(crate) const fn of(address: IpAddr) -> Self {
        Self::Prefix { address, len: bits(address) }
    }

    pub(crate) fn matches(&self, host: IpAddr) -> bool {
        match self {
            Self::Beginning(text) => host.to_string().starts_with(text),
            &Self::Prefix { address, len } => {
                if address.is_ipv4() != host.is_ipv4() {
                    return false;
                }
                let differing = left_aligned(address) ^ left_aligned(host);
                differing.leading_zeros() >= u32::from(len)
            }
        }
    }
}

const fn bits(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

fn left_aligned(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(a) => u128::from(a.to_bits()) << 96,
        IpAddr::V6(a) => Ipv6Addr::to_bits(a),
    }
}

/// All conditions; an empty list is no condition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) hosts: Vec<HostPattern>,
    pub(crate) ports: Vec<u16>,
    pub(crate) min_bytes: Option<u64>,
    pub(crate) connection: Option<u64>,
    /// As `tcpdump` takes it.
    pub(crate) expression: Option<Expression>,
    /// Limits, one of which the verdict names.
    pub(crate) limits: Vec<Cause>,
    /// Not less than this.
    pub(crate) severity: Option<Severity>,
    /// When they had packets.
    pub(crate) range: Option<Span>,
}

impl Filter {
    /// Whether `connection`, which has number `id` in the report, is to be shown. `id` is `None` while it is not known, which
    /// is never the case when one is asked for by number.
    pub(crate) fn admits(&self, connection: &Connection, id: Option<u64>) -> bool {
        let has_host = |p: &HostPattern| connection.endpoints.iter().any(|e| p.matches(e.address));
        let has_port = |p: &u16| connection.endpoints.iter().any(|e| e.port == *p);
        let bytes = || connection.halves.iter().map(|h| h.bytes).sum::<u64>();
        self.connection.is_none_or(|n| id == Some(n))
            && (self.hosts.is_empty() || self.hosts.iter().any(has_host))
            && (self.ports.is_empty() || self.ports.iter().any(has_port))
            && self.min_bytes.is_none_or(|min| bytes() >= min)
            && self.expression.as_ref().is_none_or(|expression| expression.admits(connection))
            && (self.limits.is_empty()
                || verdict_cause(connection).is_some_and(|c| self.limits.iter().any(|l| l.covers(c))))
            && self.severity.is_none_or(|least| severity(connection) >= Some(least))
            && self.range.is_none_or(|range| was_open_in(connection.span, range))
    }
}

/// What the report says that held it back.
fn verdict_cause(connection: &Connection) -> Option<Cause> {
    principal_half(connection)?.verdict.cause
}

/// How much what is said of it matters: of the direction that the report speaks of first, or of the connection as a whole.
fn severity(connection: &Connection) -> Option<Severity> {
    let of_verdict = principal_half(connection).and_then(|half| half.verdict.severity);
    of_verdict.max(connection.findings.iter().map(|finding| finding.severity).max())
}

/// Whether a connection whose packets lie in `span`, the last one included, was open in `range`, its end not included. One that
/// was silent all the while was open too.
fn was_open_in(span: Span, range: Span) -> bool {
    span.end() >= range.start() && span.start() < range.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, host: &str) -> bool {
        pattern.parse::<HostPattern>().unwrap().matches(host.parse().unwrap())
    }

    #[test]
    fn hosts() {
        assert!(matches("10.0.0.1", "10.0.0.1"));
        assert!(!matches("10.0.0.1", "10.0.0.2"));
        assert!(matches("10.0.0.0/8", "10.200.3.4"));
        assert!(!matches("10.0.0.0/8", "11.0.0.1"));
        assert!(matches("0.0.0.0/0", "203.0.113.9"));
        assert!(!matches("0.0.0.0/0", "::1"));
        assert!(matches("fd00::/8", "fd12::1"));
        assert!(matches("10.0.", "10.0.5.6"));
        assert!(!matches("10.0.", "10.10.5.6"));
        for bad in ["10.0.0.0/33", "host.example", "10.0", "", "fd00::/129"] {
            assert!(bad.parse::<HostPattern>().is_err(), "{bad}");
        }
    }
}
