//! Facts about an end that became silent.

use std::net::IpAddr;

use tcpwhy_model::EvidenceKey;

use crate::outcome::{Connection, Vantage};

/// The rule that reports an end that became silent.
pub(crate) const SILENT_RULE: &str = "peer-silent";

/// An end that became silent, with additional facts about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The host whose packets stopped.
    pub host: IpAddr,
    /// Length of the silence, nanoseconds.
    pub nanos: i64,
    /// The additional fact.
    pub kind: OutageKind,
}

/// Facts about an end that became silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutageKind {
    /// The host answered again on a later connection.
    Returned,
    /// The capture was made at that host, and shows the packets that arrived there.
    SilentHere,
}

impl OutageKind {
    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Returned => "returned",
            Self::SilentHere => "silent_here",
        }
    }
}

impl Outage {
    /// Returns the outage of `connection`, if it failed because of one.
    pub fn of(connection: &Connection) -> Option<Self> {
        let finding = connection.failure().filter(|finding| finding.rule == SILENT_RULE)?;
        let half = connection.halves.iter().find(|half| half.findings.iter().any(|one| one == finding))?;
        let is_over = finding.evidence.iter().any(|evidence| evidence.key == EvidenceKey::OutageUs);
        let kind = match half.vantage {
            _ if is_over => OutageKind::Returned,
            Vantage::Receiver => OutageKind::SilentHere,
            Vantage::Sender | Vantage::Middle | Vantage::Unknown => return None,
        };
        let host = connection.endpoints[half.sender.peer().index()].address;
        Some(Self { host, nanos: (finding.seconds.unwrap_or(0.0) * 1e9) as i64, kind })
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Basis, Cause, Detail, Evidence, Severity, Value};

    use super::super::testing::{connection, finding, half};
    use super::*;
    use crate::outcome::Role;

    #[test]
    fn a_silent_end_is_known_where_it_returns_or_is_captured() {
        use Vantage::{Middle, Receiver, Sender, Unknown};
        let of = |rule, vantage, is_over| {
            let mut found = finding(rule, Severity::Warning, 0, None);
            if is_over {
                let (key, value, basis) = (EvidenceKey::OutageUs, Value::from(1_u64), Basis::WireExact);
                found.evidence.push(Evidence { key, value, basis });
            }
            let mut half = half(Role::Client, None, &[(10, Cause::from(Detail::Rto))], vec![found]);
            half.vantage = vantage;
            let connection = connection(vec![half]);
            Outage::of(&connection).map(|outage| (outage.kind, outage.host == connection.endpoints[1].address))
        };
        let expected = |kind| Some((kind, of(SILENT_RULE, Receiver, true).is_some_and(|found| found.1)));
        for (rule, vantage, is_over, kind) in [
            (SILENT_RULE, Receiver, false, expected(OutageKind::SilentHere)),
            (SILENT_RULE, Sender, false, None),
            (SILENT_RULE, Middle, false, None),
            (SILENT_RULE, Unknown, false, None),
            (SILENT_RULE, Sender, true, expected(OutageKind::Returned)),
            (SILENT_RULE, Receiver, true, expected(OutageKind::Returned)),
            ("idle-timeout", Receiver, true, None),
        ] {
            assert_eq!(of(rule, vantage, is_over), kind, "{rule} {vantage:?} {is_over}");
        }
    }
}
