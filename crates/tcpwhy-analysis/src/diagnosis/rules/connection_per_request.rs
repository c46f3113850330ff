//! A client opens a connection to the same server for each request, one after the other, and opening them
//! takes much of its time.
//!
//! A handshake costs a round trip (RFC 9293 §3.5), TLS at least one more (RFC 8446 §2). The rule needs only a
//! few sums per pair of hosts (`pairs`), which single connections provide.

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::finding::note;
use crate::diagnosis::pair_facts::PairFacts;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "connection-per-request", limits: &[], severity: Severity::Info, detect: Detect::Pair(detect) };

/// Other programs of the same client may use the same pair of addresses.
const CONFIDENCE: f64 = 0.85;

/// Minimum number of connections, per connection that was open at a time. Fewer are not a habit.
const LEAST_CONNECTIONS: f64 = 10.0;
/// Minimum share of short connections in the pair. The others may be long for good reasons.
const LEAST_SHORT: f64 = 2.0 / 3.0;
/// Minimum share of the time for opening, as in `connection-setup`: half of it for one request that is
/// answered at once.
const LEAST_SHARE: f64 = 0.3;
/// Minimum time for opening, nanoseconds. Users do not notice less than 0.1 s (Miller, "Response time in
/// man-computer conversational transactions", 1968).
const LEAST_NANOS: f64 = 100e6;
/// Maximum pause between requests, nanoseconds. Servers keep a connection without requests for at least as
/// long (`KeepAliveTimeout` of Apache httpd; nginx: 75 s). After a longer pause the client would have needed
/// a new connection anyway.
const MOST_PAUSE: f64 = 5e9;

fn detect(facts: &PairFacts) -> Option<Finding> {
    let (count, spent) = (facts.short as f64, facts.spent.max(1) as f64);
    let extent = facts.extent.max(1) as f64;
    let at_a_time = (spent / extent).max(1.0);
    let pause = (extent * at_a_time - spent) / count.max(1.0);
    let share = facts.setup as f64 / spent;
    let is_habit = count >= LEAST_CONNECTIONS * at_a_time && count >= LEAST_SHORT * facts.connections as f64;
    if !is_habit || pause > MOST_PAUSE || share <= LEAST_SHARE || (facts.setup as f64) < LEAST_NANOS {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(facts.setup as f64 / 1e9);
    finding.evidence = vec![
        exact(EvidenceKey::Client, Value::Word(facts.client.to_string())),
        exact(EvidenceKey::Server, Value::Word(facts.server.to_string())),
        exact(EvidenceKey::ConnectionCount, facts.short),
        inferred(EvidenceKey::SetupsUs, facts.setup / 1000),
        inferred(EvidenceKey::SetupsShare, share.min(1.0)),
        exact(EvidenceKey::OpenedEveryUs, (extent / count) as u64 / 1000),
        exact(EvidenceKey::BytesEachBytes, facts.bytes / facts.short.max(1)),
        inferred(EvidenceKey::SetupRoundTripCount, u64::from(facts.setup_round_trips)),
    ];
    finding.fixes = vec![tcpwhy_advice::reuse_connection()];
    if facts.setup_round_trips > 1 {
        finding.fixes.push(tcpwhy_advice::resume_tls_sessions());
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use tcpwhy_model::{Segment, Timestamp};
    use tcpwhy_testkit::{Turns, ms};

    use super::super::testing::number;
    use super::*;
    use crate::{Analyzer, Pairs};

    const ONE: Turns =
        Turns { count: 1, request: 100, answer: 500, rtt: 20_000_000, think: 0, rest: 0, is_nagled: false };

    /// `count` connections like `one`, from different ports, each opened `every` nanoseconds after the
    /// previous one.
    fn repeated(one: &Turns, count: u16, every: i64) -> Vec<Segment> {
        let segments = one.run();
        let client = segments[0].source;
        let mut all: Vec<_> = (0..count)
            .flat_map(|n| {
                segments.iter().map(move |segment| {
                    let mut segment = *segment;
                    for end in [&mut segment.source, &mut segment.destination] {
                        end.port = if *end == client { 20_000 + n } else { end.port };
                    }
                    segment.timestamp = Timestamp::from_nanos(segment.timestamp.as_nanos() + i64::from(n) * every);
                    segment
                })
            })
            .collect();
        all.sort_by_key(|segment| segment.timestamp);
        all
    }

    fn found(segments: &[Segment]) -> Vec<Finding> {
        let mut analyzer = Analyzer::new();
        for segment in segments {
            analyzer.observe(segment);
        }
        let mut pairs = Pairs::default();
        analyzer.finish().iter().for_each(|connection| pairs.add(connection));
        pairs.findings().0
    }

    #[test]
    fn one_after_the_other() {
        let findings = found(&repeated(&ONE, 30, ms(50)));
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!((number(&findings[0], "connection_count") - 30.0).abs() < 0.1);
        assert!((0.55e6..0.65e6).contains(&number(&findings[0], "setups_us")), "{findings:?}");
        assert!((0.3..0.55).contains(&number(&findings[0], "setups_share")), "{findings:?}");
        assert!((number(&findings[0], "bytes_each_bytes") - 600.0).abs() < 0.1);
        assert_eq!(findings[0].severity, Severity::Info);
    }

    #[test]
    fn few_rare_near_long_or_parallel_ones_are_no_habit() {
        for segments in [
            repeated(&ONE, 9, ms(50)),
            // A health check every ten seconds.
            repeated(&ONE, 30, ms(10_000)),
            // Users do not notice 0.1 s in all.
            repeated(&Turns { rtt: 2_000_000, ..ONE }, 30, ms(10)),
            repeated(&Turns { think: ms(100), ..ONE }, 30, ms(150)),
            repeated(&Turns { count: 5, ..ONE }, 30, ms(150)),
            repeated(&Turns { answer: 40_000, ..ONE }, 30, ms(200)),
            // A browser opens them at once.
            repeated(&ONE, 20, 100_000),
        ] {
            assert_eq!(found(&segments), []);
        }
    }

    /// Neither the order in which connections finish nor the number of clients may matter.
    #[test]
    fn the_order_does_not_matter_and_clients_are_told_apart() {
        let mut analyzer = Analyzer::new();
        for segment in &repeated(&ONE, 30, ms(50)) {
            analyzer.observe(segment);
        }
        let mut connections = analyzer.finish();
        let told = |connections: &[crate::Connection]| {
            let mut pairs = Pairs::default();
            for connection in connections {
                pairs.add(connection);
            }
            pairs.findings().0
        };
        let forth = told(&connections);
        connections.reverse();
        assert_eq!(told(&connections), forth);
        for (n, connection) in connections.iter_mut().enumerate() {
            connection.endpoints[0].address = IpAddr::from([10, 0, 1, u8::try_from(n).unwrap()]);
        }
        assert_eq!(told(&connections), []);
    }
}
