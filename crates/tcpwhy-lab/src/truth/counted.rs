//! The kernel's counters at both ends during a transfer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tcpwhy_model::host::{CounterGroup, Counters};

use tcpwhy_scenario::{End, Scenario};

/// Changes of the kernel's counters in the namespace of each end during the transfer, by the names of
/// `nstat`. They are from `Tcp` of `/proc/net/snmp` and `TcpExt` of `/proc/net/netstat`. Unchanged counters
/// are left out, except those that the scenario expects. It is empty if the counters were unreadable or the
/// recording is older than this field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counted {
    sender: BTreeMap<String, u64>,
    receiver: BTreeMap<String, u64>,
}

impl Counted {
    /// The differences between the counters of the sender and the receiver before and after.
    pub(crate) fn between(scenario: &Scenario, before: &[Option<Counters>; 2], after: &[Option<Counters>; 2]) -> Self {
        let [sender, receiver] = End::BOTH.map(|end| {
            let (Some(before), Some(after)) = (&before[end.index()], &after[end.index()]) else {
                return BTreeMap::new();
            };
            let expected = scenario.expect.counters.at(end);
            let named = |(group, name, count): (CounterGroup, &str, u64)| {
                let name = format!("{}{name}", group.id());
                (count > 0 || expected.contains(&name)).then_some((name, count))
            };
            after.since(before).iter().filter_map(named).collect()
        });
        Self { sender, receiver }
    }

    /// The counters of one end, by the names of `nstat`.
    pub const fn at(&self, end: End) -> &BTreeMap<String, u64> {
        match end {
            End::Sender => &self.sender,
            End::Receiver => &self.receiver,
        }
    }

    /// The counters of one end in the form of an audit; `None` if they are not known.
    pub fn counters(&self, end: End) -> Option<Counters> {
        let mut counters = Counters::default();
        for (name, count) in self.at(end) {
            if let Some((group, name)) = CounterGroup::split(name) {
                counters.set(group, name, *count);
            }
        }
        (!counters.is_empty()).then_some(counters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_scenario::bundled;

    fn counters(pruned: u64, segments: u64) -> Counters {
        let mut counters = Counters::default();
        counters.set(CounterGroup::TcpExt, "PruneCalled", pruned);
        counters.set(CounterGroup::TcpExt, "TCPRcvCollapsed", 7);
        counters.set(CounterGroup::TcpExt, "OfoPruned", 9);
        counters.set(CounterGroup::Tcp, "InSegs", segments);
        counters
    }

    #[test]
    fn what_stood_still_is_left_out_unless_it_is_expected() {
        let mut scenario = bundled::get("sndbuf-16k").unwrap();
        scenario.expect.counters.receiver = vec!["TcpExtTCPRcvCollapsed".to_owned()];
        let counted = Counted::between(
            &scenario,
            &[None, Some(counters(5, 100))],
            &[Some(counters(1, 1)), Some(counters(12, 1100))],
        );
        assert!(counted.at(End::Sender).is_empty() && counted.counters(End::Sender).is_none());
        let known: Vec<_> = counted.at(End::Receiver).iter().map(|(name, count)| (name.as_str(), *count)).collect();
        assert_eq!(known, [("TcpExtPruneCalled", 7), ("TcpExtTCPRcvCollapsed", 0), ("TcpInSegs", 1000)]);
        let counters = counted.counters(End::Receiver).unwrap();
        assert_eq!((counters.ext("PruneCalled"), counters.tcp("InSegs")), (Some(7), Some(1000)));
        let text = serde_json::to_string(&counted).unwrap();
        assert_eq!(serde_json::from_str::<Counted>(&text).unwrap(), counted);
    }

    #[test]
    fn older_recordings_know_nothing() {
        let truth: crate::truth::Truth = serde_json::from_str(r#"{ "name": "old" }"#).unwrap();
        assert_eq!(truth.counted, Counted::default());
    }
}
