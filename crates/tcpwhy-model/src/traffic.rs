//! Traffic other than the capture's connections: UDP and other protocols, by flow and time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;

use crate::{ByteSlots, Endpoint, Timestamp};

/// The protocol of a flow, above IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transport {
    /// TCP.
    Tcp,
    /// UDP, and protocols on top of it: QUIC, tunnels that are not decoded.
    Udp,
    /// Another protocol by its number (IANA "Assigned Internet Protocol Numbers").
    Other(u8),
}

/// One direction of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flow {
    /// Transport protocol.
    pub transport: Transport,
    /// Sending end; port 0 if the protocol has none.
    pub from: Endpoint,
    /// Receiving end; port 0 if the protocol has none.
    pub to: Endpoint,
}

/// Sum of many small flows of one protocol to one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crowd {
    /// Number of flows. A flow that continues after it was added here counts again.
    pub flows: u64,
    /// Their bytes.
    pub bytes: ByteSlots,
}

/// Bytes of IP packets by flow and time.
///
/// **Bounded:** the [`Traffic::FLOWS`] largest flows are kept. Smaller ones are summed by protocol and
/// receiving host, for the [`Traffic::HOSTS`] lowest pairs in sort order.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    flows: HashMap<Flow, Kept>,
    crowds: BTreeMap<(Transport, IpAddr), Crowd>,
}

/// Bytes of one flow.
#[derive(Clone, Debug, Default)]
struct Kept {
    total: u64,
    bytes: ByteSlots,
}

impl Traffic {
    /// Maximum number of separate flows. When there are twice as many, the smaller half is summed up.
    pub const FLOWS: usize = 512;
    /// Maximum number of sums of small flows.
    pub const HOSTS: usize = 512;

    /// Adds a packet of `flow` with `bytes`, its IP header included.
    pub fn add(&mut self, flow: Flow, time: Timestamp, bytes: u64) {
        let kept = self.flows.entry(flow).or_default();
        kept.total = kept.total.saturating_add(bytes);
        kept.bytes.add(time, bytes);
        if self.flows.len() > 2 * Self::FLOWS {
            self.shed();
        }
    }

    /// Adds all bytes of `other`.
    pub fn absorb(&mut self, other: Self) {
        for (flow, kept) in other.flows {
            let own = self.flows.entry(flow).or_default();
            own.total = own.total.saturating_add(kept.total);
            own.bytes.absorb(&kept.bytes);
        }
        for (of, crowd) in other.crowds {
            self.add_crowd(of, crowd.flows, &crowd.bytes);
        }
        if self.flows.len() > 2 * Self::FLOWS {
            self.shed();
        }
    }

    /// Whether there are no flows.
    pub fn is_empty(&self) -> bool {
        self.flows.is_empty()
    }

    /// Separate flows, in no particular order.
    pub fn flows(&self) -> impl Iterator<Item = (Flow, &ByteSlots)> {
        self.flows.iter().map(|(flow, kept)| (*flow, &kept.bytes))
    }

    /// Sums of smaller flows, by protocol and receiving host.
    pub fn crowds(&self) -> impl Iterator<Item = (Transport, IpAddr, &Crowd)> {
        self.crowds.iter().map(|((transport, to), crowd)| (*transport, *to, crowd))
    }

    /// Moves all but the largest flows to the sums.
    fn shed(&mut self) {
        let mut flows: Vec<(Flow, Kept)> = self.flows.drain().collect();
        flows.sort_unstable_by_key(|(flow, kept)| (Reverse(kept.total), *flow));
        for (flow, kept) in flows.drain(Self::FLOWS.min(flows.len())..) {
            self.add_crowd((flow.transport, flow.to.address), 1, &kept.bytes);
        }
        self.flows.extend(flows);
    }

    fn add_crowd(&mut self, of: (Transport, IpAddr), flows: u64, bytes: &ByteSlots) {
        let crowd = self.crowds.entry(of).or_default();
        crowd.flows += flows;
        crowd.bytes.absorb(bytes);
        if self.crowds.len() > Self::HOSTS {
            // The lowest keys always stay, so their sums are complete.
            self.crowds.pop_last();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(from: u32, to: u8) -> Flow {
        let end = |address: IpAddr, port| Endpoint { address, port };
        let sender = IpAddr::from((0x0a00_0000 + from).to_be_bytes());
        Flow { transport: Transport::Udp, from: end(sender, 9), to: end(IpAddr::from([192, 0, 2, to]), 53) }
    }

    /// In a flood of single packets, the large flow is kept and every byte is counted.
    #[test]
    fn a_hundred_thousand_flows_stay_bounded() {
        let mut traffic = Traffic::default();
        for n in 0..100_000_u32 {
            let time = Timestamp::from_nanos(i64::from(n) * 10_000);
            traffic.add(flow(n + 1, 1), time, 60);
            if n % 10 == 0 {
                traffic.add(flow(0, 1), time, 1000);
            }
            assert!(traffic.flows.len() <= 2 * Traffic::FLOWS);
        }
        assert_eq!(traffic.crowds.len(), 1);
        let kept: u64 = traffic.flows().map(|(_, bytes)| bytes.total()).sum();
        let crowds: u64 = traffic.crowds().map(|(_, _, crowd)| crowd.bytes.total()).sum();
        assert_eq!(kept + crowds, 100_000 * 60 + 10_000 * 1000);
        let largest = traffic.flows().max_by_key(|(_, bytes)| bytes.total());
        assert_eq!(largest.map(|(flow, bytes)| (flow, bytes.total())), Some((flow(0, 1), 10_000_000)));
    }

    #[test]
    fn hosts_stay_bounded() {
        let mut traffic = Traffic::default();
        for n in 0..20_000_u32 {
            let mut scanned = flow(1, 1);
            scanned.to.address = IpAddr::from(n.to_be_bytes());
            traffic.add(scanned, Timestamp::ZERO, 60);
        }
        assert!(traffic.crowds.len() <= Traffic::HOSTS && traffic.flows.len() <= 2 * Traffic::FLOWS);
    }

    #[test]
    fn what_two_captures_have_adds_up() {
        let (mut one, mut other) = (Traffic::default(), Traffic::default());
        one.add(flow(1, 1), Timestamp::ZERO, 60);
        other.add(flow(1, 1), Timestamp::from_nanos(1_000_000_000), 40);
        other.add(flow(2, 1), Timestamp::ZERO, 30);
        one.absorb(other);
        let mut totals: Vec<_> = one.flows().map(|(flow, bytes)| (flow, bytes.total())).collect();
        totals.sort_unstable();
        assert_eq!(totals, [(flow(1, 1), 100), (flow(2, 1), 30)]);
    }
}
