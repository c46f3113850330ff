//! Connections of one client to one server fail repeatedly in the same way, after about the same bytes.
//!
//! Causes are a limit of a proxy, a request that kills its worker, or a packet that the path drops each time.
//!
//! One failure may be chance, but several after the same bytes are not. Users who leave end connections after
//! varying amounts, which this rule ignores.

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::finding::note;
use crate::diagnosis::pair_facts::{PairFacts, are_cut_alike};
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "cut-alike", limits: &[], severity: Severity::Warning, detect: Detect::Pair(detect) };

/// Several connections rarely end after the same bytes by chance.
const CONFIDENCE: f64 = 0.85;

/// A single failure is not a repetition.
const LEAST_CUTS: u64 = 2;

fn detect(facts: &PairFacts) -> Option<Finding> {
    let cut = facts.cuts.iter().filter(|cut| cut.count >= LEAST_CUTS).max_by_key(|cut| cut.count)?;
    if !are_cut_alike(cut.least, cut.most) {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(cut.nanos as f64 / 1e9);
    finding.evidence = vec![
        exact(EvidenceKey::Client, Value::Word(facts.client.to_string())),
        exact(EvidenceKey::Server, Value::Word(facts.server.to_string())),
        exact(EvidenceKey::ConnectionCount, cut.count),
        exact(EvidenceKey::Cut, Value::Word(cut.rule.to_owned())),
        exact(EvidenceKey::CutLeastBytes, cut.least),
        exact(EvidenceKey::CutMostBytes, cut.most),
    ];
    finding.fixes = cut.fix.iter().cloned().collect();
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Finding, Segment};
    use tcpwhy_testkit::script;

    use super::super::testing::{connections, number};
    use super::*;
    use crate::Pairs;

    /// A download over port `port` that is reset after `bytes`.
    fn cut_after(port: u16, bytes: u32) -> Vec<Segment> {
        let end = 1 + bytes;
        let text = format!(
            "0.000 > S 0:0(0) <mss 1460>
             0.020 < S. 0:0(0) ack 1 <mss 1460>
             0.020 > . 1:1(0) ack 1
             0.030 > P. 1:401(400) ack 1
             0.050 < . 1:{end}({bytes}) ack 401
             0.050 > . 401:401(0) ack {end}
             0.055 < . {end}:{}(1000) ack 401
             0.060 < R. {}:{}(0) ack 401",
            end + 1000,
            end + 1000,
            end + 1000
        );
        let mut all = script(&text).segments;
        let client = all[0].source;
        for segment in &mut all {
            for end in [&mut segment.source, &mut segment.destination] {
                if *end == client {
                    end.port = port;
                }
            }
        }
        all
    }

    fn found(all: &[u32]) -> Vec<Finding> {
        let mut pairs = Pairs::default();
        for (port, &bytes) in (2000..).zip(all) {
            for connection in &connections(&cut_after(port, bytes)) {
                pairs.add(connection);
            }
        }
        pairs.findings().0.into_iter().filter(|finding| finding.rule == RULE.id).collect()
    }

    #[test]
    fn three_that_are_cut_after_the_same_bytes() {
        let all = found(&[50_000, 50_400, 50_000]);
        assert!(matches!(&all[..], [only] if (number(only, "connection_count") - 3.0).abs() < 0.1), "{all:?}");
        assert_eq!(all[0].fixes[0].id, "find-reset");
    }

    #[test]
    fn one_or_after_other_bytes() {
        assert_eq!(found(&[50_000]), []);
        assert_eq!(found(&[50_000, 90_000]), []);
    }
}
