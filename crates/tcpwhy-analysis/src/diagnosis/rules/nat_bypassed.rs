//! Segments of a connection reached the client from an address other than its server's, and the client
//! answered with RST. These segments had bypassed the NAT between the two.
//!
//! Connection tracking forwards segments that it regards as invalid (out of its known window) without
//! translation. The client has no connection with the server's real address and answers with RST (RFC 9293
//! §3.10.7.1), which ends the connection at the server. The capture shows such stray segments as a connection
//! of the same client port without a SYN. A client may use one port for two servers at the same time, but
//! those connections start with SYNs.

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::finding::note;
use crate::diagnosis::pair_facts::PairFacts;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "nat-bypassed", limits: &[], severity: Severity::Critical, detect: Detect::Pair(detect) };

/// A segment of an old connection of the same port, with another server, would look the same.
const CONFIDENCE: f64 = 0.85;

fn detect(facts: &PairFacts) -> Option<Finding> {
    let stray = facts.stray?;
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence = vec![
        exact(EvidenceKey::Client, Value::Word(facts.client.to_string())),
        exact(EvidenceKey::Server, Value::Word(facts.server.to_string())),
        exact(EvidenceKey::StrayFrom, Value::Word(stray.from.to_string())),
        inferred(EvidenceKey::ConnectionCount, stray.connections),
    ];
    finding.fixes = vec![tcpwhy_advice::track_liberally()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use tcpwhy_model::Segment;
    use tcpwhy_testkit::script;

    use super::super::testing::connections;
    use super::*;
    use crate::Pairs;

    /// A capture at the client: its RST answers the server's last segments.
    fn main() -> Vec<Segment> {
        script(
            "0.000 > S 0:0(0) <mss 1460>
             0.020 < S. 0:0(0) ack 1 <mss 1460>
             0.020 > . 1:1(0) ack 1
             0.030 > P. 1:401(400) ack 1
             0.050 < P. 1:1001(1000) ack 401
             0.050 > . 401:401(0) ack 1001
             0.090 > P. 401:801(400) ack 1001
             0.110 < R 1001:1001(0)",
        )
        .segments
    }

    /// A segment from another host to that port of the client, and the client's answer.
    fn stray(answer: &str, at: &str) -> Vec<Segment> {
        let mut all = script(&format!("{at} < P. 1001:2001(1000) ack 401\n{answer}")).segments;
        for segment in &mut all {
            for end in [&mut segment.source, &mut segment.destination] {
                if end.port == 80 {
                    end.address = IpAddr::from([10, 244, 1, 7]);
                }
            }
        }
        all
    }

    fn found(packets: &[&[Segment]]) -> Vec<Finding> {
        let mut pairs = Pairs::default();
        let mut all: Vec<Segment> = packets.concat();
        all.sort_by_key(|segment| segment.timestamp);
        for connection in &connections(&all) {
            pairs.add(connection);
        }
        pairs.findings().0.into_iter().filter(|finding| finding.rule == RULE.id).collect()
    }

    #[test]
    fn a_segment_from_behind_the_nat_is_reset() {
        let all = found(&[&main(), &stray("0.0601 > R 401:401(0)", "0.060")]);
        assert!(matches!(&all[..], [only] if only.fixes[0].id == "track-liberally"), "{all:?}");
        let from = all[0].evidence.iter().find(|e| e.key == EvidenceKey::StrayFrom).map(|e| e.value.clone());
        assert_eq!(from, Some(Value::Word("10.244.1.7:80".to_owned())));
    }

    #[test]
    fn no_stray_or_one_that_belongs_elsewhere() {
        assert_eq!(found(&[&main()]), []);
        // The client acknowledges the segment, so it belongs to a connection of its own.
        assert_eq!(found(&[&main(), &stray("0.0601 > . 401:401(0) ack 2001", "0.060")]), []);
        // Long after the connection.
        assert_eq!(found(&[&main(), &stray("9.0601 > R 401:401(0)", "9.060")]), []);
    }
}
