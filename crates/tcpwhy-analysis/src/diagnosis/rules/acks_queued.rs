//! ACKs wait in a queue on their way to the sender, although the forward path has room.
//!
//! An upload from the receiver's network fills the queue of its uplink, often in a modem. The ACKs of a
//! download wait behind it. Each round trip is longer, and slow start takes longer in proportion.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Vantage;

pub(super) static RULE: Rule =
    Rule { id: "acks-queued", limits: &[Limit::Path], severity: Severity::Critical, detect: Detect::Half(detect) };

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::AckQueue))?;
    let queue = facts.half.ack_queue().map(|micros| inferred(EvidenceKey::QueueDelayUs, micros));
    finding.evidence.extend(queue);
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.rtt_evidence(Limit::Path));
    finding.fixes = vec![tcpwhy_advice::shape_uploads()];
    // At the sender, the uplink spaces the ACKs, so nothing shows the rate of the forward path.
    let is_rate_seen = facts.half.vantage == Vantage::Receiver;
    finding.prediction = if is_rate_seen { if_removed(facts, Detail::AckQueue.into()) } else { None };
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Cause;
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{fixes, is_silent, summed_up, timeline, with_facts_of};
    use super::*;
    use crate::infer::summary::Summary;

    fn found(vantage: Vantage, parts: &[(i64, Cause)]) -> Option<Finding> {
        let half = Summary { vantage, ..summed_up(timeline(parts)) };
        with_facts_of(&half, Cause::plain(Limit::SlowStart), detect)
    }

    #[test]
    fn acks_that_queue() {
        let (acks, other) = (Cause::from(Detail::AckQueue), Cause::plain(Limit::SlowStart));
        let parts = [(1_000_000_000, acks), (8_000_000_000, other)];
        let finding = found(Vantage::Receiver, &parts).unwrap();
        assert_eq!(fixes(&finding), ["shape-uploads"]);
        assert!(finding.prediction.is_some(), "the data's way was seen");
        assert!(found(Vantage::Sender, &parts).unwrap().prediction.is_none());
        let less = [(1_000_000_000, acks), (9_100_000_000, other)];
        assert!(found(Vantage::Receiver, &less).is_none(), "LEAST_SHARE");
    }

    #[test]
    fn a_queue_of_the_data() {
        is_silent(RULE.id, &Transfer { rate: Some(1_250_000), queue: 600_000, ..Transfer::default() }.run());
    }
}
