//! A small segment waited for the ACK of the data before it, which the receiver may have delayed in addition.
//!
//! Nagle's algorithm (RFC 1122 §4.2.3.4) holds a partial segment while any data is unacknowledged. The
//! receiver may delay an ACK by up to 500 ms (§4.2.3.2), on Linux by 40 to 200 ms (`TCP_ATO_MIN`,
//! `TCP_DELACK_MAX`). A program that writes twice and then reads waits for both each time.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "nagle-delayed-ack",
    limits: &[Limit::AckDelay],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.limit == Limit::AckDelay)?;
    let turns = facts.half.held_writes.max(1);
    let delay = facts.seconds_of(Limit::AckDelay) / f64::from(turns);
    finding.evidence.push(inferred(EvidenceKey::TurnCount, turns));
    finding.evidence.push(inferred(EvidenceKey::DelayUs, (delay * 1e6) as u64));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.fixes = vec![tcpwhy_advice::set_tcp_nodelay(), tcpwhy_advice::coalesce_writes(), tcpwhy_advice::quickack()];
    finding.prediction = if_removed(facts, Detail::DelayedAck.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Turns, ms};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    fn turns() -> Turns {
        Turns { rtt: ms(1), is_nagled: true, ..Turns::default() }
    }

    #[test]
    fn write_write_read() {
        let finding = fires(RULE.id, &turns().run());
        assert_eq!(finding.severity, Severity::Critical);
        assert!((95.0..=100.0).contains(&number(&finding, "turn_count")), "{finding:?}");
        assert!((38_000.0..42_000.0).contains(&number(&finding, "delay_us")), "{finding:?}");
        assert_eq!(fixes(&finding)[..2], ["set-tcp-nodelay", "coalesce-writes"]);
        assert!(finding.prediction.is_some_and(|p| p.seconds.value < 1.0));
    }

    #[test]
    fn one_write_a_turn() {
        is_silent(RULE.id, &Turns { is_nagled: false, ..turns() }.run());
    }
}
