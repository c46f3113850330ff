//! The capture holds a connection several times: somebody plays a recording of it in a loop, as `tcpreplay
//! --loop` does, or the file was put together from copies. The first round counts.
//!
//! Each round begins with the same SYN: with its sequence number and its IP identification. Hosts choose both
//! anew (RFC 9293 §3.4.1, `ip_select_ident` of Linux).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "replayed", limits: &[], severity: Severity::Info, detect: Detect::Connection(detect) };

/// Two numbers of 48 bits together agree, after the end.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    if facts.replays == 0 {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ReplayCount, u64::from(facts.replays) + 1));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use tcpwhy_model::{Segment, TcpFlags};
    use tcpwhy_testkit::script;

    use super::super::testing::{connections, fires, is_silent, number};
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn round(end: &str) -> Vec<Segment> {
        let text = format!(
            "0.000 > S 0:0(0) win 65535 <mss 1460>
             0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1:401(400) ack 1
             0.045 < P. 1:1001(1000) ack 401
             0.045 > . 401:401(0) ack 1001
             {end}"
        );
        let mut all = script(&text).segments;
        for (id, segment) in (1..).zip(&mut all) {
            segment.ip.identification = NonZeroU16::new(id);
        }
        all
    }

    const CLOSED: &str =
        "0.050 > F. 401:401(0) ack 1001\n 0.070 < F. 1001:1001(0) ack 402\n 0.070 > . 402:402(0) ack 1002";

    /// So many rounds, twenty seconds apart; `change` is done to all but the first.
    fn rounds(end: &str, count: i64, change: impl Fn(&mut Segment)) -> Vec<Segment> {
        let first = round(end);
        let all = (0..count).flat_map(|n| {
            first
                .iter()
                .copied()
                .map(move |segment| (n, Segment { timestamp: segment.timestamp.plus(n * 20 * SECOND), ..segment }))
        });
        let all = all.map(|(n, mut segment)| {
            if n > 0 {
                change(&mut segment);
            }
            segment
        });
        (1..).zip(all).map(|(number, segment)| Segment { number, ..segment }).collect()
    }

    #[test]
    fn a_recording_in_a_loop_is_one_connection() {
        for end in [CLOSED, "0.050 > R. 401:401(0) ack 1001"] {
            let all = rounds(end, 26, |_| ());
            assert!((number(&fires(RULE.id, &all), "replay_count") - 26.0).abs() < 0.1, "{end}");
            let [found, once] = [&all, &round(end)].map(|all| connections(all).remove(0));
            assert_eq!((found.span, found.packets, found.ending), (once.span, once.packets, once.ending));
            assert_eq!(found.retransmitted_bytes(), 0);
            assert_eq!(found.exchanges.map(|exchanges| exchanges.count), Some(1));
            is_silent(RULE.id, &round(end));
        }
    }

    #[test]
    fn other_connections_are_no_rounds() {
        // Hosts number packets anew, and IPv6 has no numbers.
        is_silent(RULE.id, &rounds(CLOSED, 2, |segment| segment.ip.identification = NonZeroU16::new(77)));
        is_silent(RULE.id, &rounds(CLOSED, 2, |segment| segment.ip.identification = None));
        // A SYN that is repeated before the end.
        is_silent(RULE.id, &rounds("", 2, |_| ()));
        // Another connection of the same ports.
        let others = rounds(CLOSED, 2, |segment| {
            let is_of_client = segment.source.port != 80;
            if is_of_client {
                segment.seq = segment.seq.plus(5_000_000);
            } else {
                segment.ack = segment.ack.plus(5_000_000);
            }
        });
        is_silent(RULE.id, &others);
        assert_eq!(connections(&others).len(), 2);
    }

    /// The answer of a server that says the same is no beginning.
    #[test]
    fn rounds_begin_at_the_client() {
        let all: Vec<_> = rounds(CLOSED, 3, |_| ())
            .into_iter()
            .filter(|segment| segment.flags.contains(TcpFlags::ACK) || segment.timestamp == round(CLOSED)[0].timestamp)
            .collect();
        let found = fires(RULE.id, &all);
        assert!((number(&found, "replay_count") - 2.0).abs() < 0.1, "{found:?}");
    }
}
