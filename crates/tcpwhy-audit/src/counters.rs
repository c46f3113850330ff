//! Counters that show trouble.

use tcpwhy_model::host::CounterGroup;

use super::HostFacts;
use super::shares::{LEAST_OF, MUCH_RETRANSMITTED, retransmitted};

/// A counter as a share of another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Part of the total, between 0 and 1.
    pub share: f64,
    /// Name of the counter that is the total.
    pub of: &'static str,
}

/// A counter that is not 0.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterLine {
    /// Linux's name; the message catalogues explain it under `counter-NAME`.
    pub name: &'static str,
    /// Count since boot, or since the network namespace was created.
    pub count: u64,
    /// Rate since boot; `None` if that time is unknown.
    pub per_hour: Option<f64>,
    /// Share of the segments or connections that it concerns.
    pub share: Option<Share>,
    /// Count during the interval that was watched; `None` without one.
    pub recent: Option<u64>,
}

use CounterGroup::{Tcp, TcpExt};

/// Counters that are shown when they are not 0, each with the counter of its total, in the order in which
/// data travels.
const NOTABLE: [(CounterGroup, &str, Option<&str>); 40] = [
    (TcpExt, "ListenOverflows", Some("PassiveOpens")),
    (TcpExt, "ListenDrops", Some("PassiveOpens")),
    (TcpExt, "TCPReqQFullDrop", None),
    (TcpExt, "TCPReqQFullDoCookies", None),
    (TcpExt, "SyncookiesSent", None),
    (TcpExt, "SyncookiesFailed", None),
    (TcpExt, "TCPSynRetrans", Some("ActiveOpens")),
    (Tcp, "AttemptFails", Some("ActiveOpens")),
    (Tcp, "EstabResets", None),
    (TcpExt, "TCPBacklogDrop", Some("InSegs")),
    (TcpExt, "TCPRcvQDrop", Some("InSegs")),
    (TcpExt, "PruneCalled", None),
    (TcpExt, "RcvPruned", Some("InSegs")),
    (TcpExt, "OfoPruned", Some("InSegs")),
    (TcpExt, "TCPRcvCollapsed", Some("InSegs")),
    (TcpExt, "TCPOFODrop", Some("InSegs")),
    (TcpExt, "TCPOFOQueue", Some("InSegs")),
    (TcpExt, "TCPToZeroWindowAdv", None),
    (TcpExt, "TCPWantZeroWindowAdv", None),
    (TcpExt, "TCPZeroWindowDrop", Some("InSegs")),
    (TcpExt, "TCPWinProbe", None),
    (TcpExt, "TCPMemoryPressures", None),
    (TcpExt, "TCPMemoryPressuresChrono", None),
    (TcpExt, "TCPAbortOnMemory", None),
    (TcpExt, "TCPTimeWaitOverflow", None),
    (TcpExt, "TCPWqueueTooBig", None),
    (Tcp, "RetransSegs", Some("OutSegs")),
    (TcpExt, "TCPFastRetrans", Some("RetransSegs")),
    (TcpExt, "TCPSlowStartRetrans", Some("RetransSegs")),
    (TcpExt, "TCPLostRetransmit", Some("RetransSegs")),
    (TcpExt, "TCPTimeouts", None),
    (TcpExt, "TCPSpuriousRTOs", Some("TCPTimeouts")),
    (TcpExt, "TCPDSACKRecv", Some("RetransSegs")),
    (TcpExt, "TCPDSACKUndo", None),
    (TcpExt, "TCPSpuriousRtxHostQueues", Some("RetransSegs")),
    (TcpExt, "TCPSACKReorder", None),
    (TcpExt, "TCPAbortOnTimeout", None),
    (TcpExt, "TCPRetransFail", None),
    (TcpExt, "TCPMTUPFail", None),
    (Tcp, "InCsumErrors", Some("InSegs")),
];

impl CounterLine {
    /// The name of every counter that has an explanation in the message catalogues.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NOTABLE.iter().map(|(_, name, _)| *name)
    }
}

pub(super) fn lines(facts: &HostFacts<'_>) -> Vec<CounterLine> {
    let Some(counters) = facts.counters() else { return vec![] };
    let get = |group, name: &str| if group == Tcp { counters.tcp(name) } else { counters.ext(name) };
    let recent = |group, name: &str| {
        let (counters, _) = facts.host.recent.as_ref()?;
        if group == Tcp { counters.tcp(name) } else { counters.ext(name) }
    };
    let hours = facts.hours();
    NOTABLE
        .iter()
        .filter_map(|&(group, name, of)| {
            let count = get(group, name).filter(|&n| n > 0)?;
            let share = of.and_then(|of| {
                let all = counters.tcp(of).or_else(|| counters.ext(of)).filter(|&n| n >= count.max(LEAST_OF))?;
                // A large share of very few segments would be a false alarm.
                if of == "RetransSegs" && !retransmitted(counters).is_above(MUCH_RETRANSMITTED) {
                    return None;
                }
                Some(Share { share: count as f64 / all as f64, of })
            });
            let per_hour = hours.map(|h| count as f64 / h);
            Some(CounterLine { name, count, per_hour, share, recent: recent(group, name) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn counters_with_their_rates_and_shares() {
        let host = Host::with_defaults("6.12")
            .tcp_counter("RetransSegs", 50)
            .tcp_counter("OutSegs", 1000)
            .counter("PruneCalled", 48)
            .counter("TCPRcvCollapsed", 0)
            .recent("PruneCalled", 2);
        let report = host.audit();
        let names: Vec<_> = report.counters.iter().map(|c| c.name).collect();
        assert_eq!(names, ["PruneCalled", "RetransSegs"]);
        assert_eq!((report.counters[0].per_hour, report.counters[0].recent), (Some(2.0), Some(2)));
        assert_eq!(report.counters[1].share, Some(Share { share: 0.05, of: "OutSegs" }));
    }

    #[test]
    fn shares_of_little_are_left_out() {
        let share = |again, out| {
            let host = Host::with_defaults("6.12").tcp_counter("RetransSegs", again).tcp_counter("OutSegs", out);
            let report = host.counter("TCPDSACKRecv", again / 2).audit();
            ["RetransSegs", "TCPDSACKRecv"]
                .map(|name| report.counters.iter().find(|c| c.name == name).unwrap().share.map(|s| s.share))
        };
        assert_eq!(share(200, 10_000), [Some(0.02), Some(0.5)]);
        assert_eq!(share(1000, 1_000_000), [Some(0.001), None]);
        assert_eq!(share(20, 99), [None, None]);
    }

    #[test]
    fn each_is_named_once() {
        let names: std::collections::BTreeSet<_> = CounterLine::names().collect();
        assert_eq!(names.len(), NOTABLE.len());
    }
}
