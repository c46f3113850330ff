//! Data left as the application wrote it: no ACK released the sends, and neither a window nor the buffer was
//! full.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "application-paced",
    limits: &[Limit::Application],
    // This cause is what remains without evidence of another; nothing shows the pace to be a fault.
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    if facts.grants {
        return None;
    }
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| {
        c.limit == Limit::Application && matches!(c.detail, Some(Detail::PacedWrites) | None)
    })?;
    let seconds = facts.seconds_of_detail(Detail::PacedWrites);
    let bytes = facts.half.moved.bytes_under(Limit::Application);
    let rate = if seconds > 0.0 && bytes > 0.0 { bytes / seconds } else { facts.goodput() };
    finding.evidence.push(inferred(EvidenceKey::RateBitsPerS, rate * 8.0));
    if let Some(flight) = facts.flight(Limit::Application) {
        finding.evidence.push(inferred(EvidenceKey::FlightBytes, flight));
    }
    if let Some(window) = facts.window(Limit::Application) {
        finding.evidence.push(inferred(EvidenceKey::WindowBytes, window));
    }
    finding.evidence.extend(facts.rtt_evidence(Limit::Application));
    finding.fixes = vec![tcpwhy_advice::write_more_ahead(), tcpwhy_advice::profile_application()];
    finding.prediction = if_removed(facts, Detail::PacedWrites.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, Writer, mbit, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn writes_at_their_own_pace() {
        let paced = Transfer { writer: Writer::Paced { bytes: 10_000, every: ms(7) }, ..Transfer::default() };
        let finding = fires(RULE.id, &paced.run());
        assert_eq!(finding.severity, Severity::Warning);
        assert!((10e6..13e6).contains(&number(&finding, "rate_bits_per_s")), "{finding:?}");
    }

    #[test]
    fn a_path_that_is_busy() {
        is_silent(RULE.id, &Transfer { rate: Some(mbit(10)), ..Transfer::default() }.run());
    }
}
