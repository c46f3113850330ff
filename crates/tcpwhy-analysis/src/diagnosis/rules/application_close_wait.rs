//! The peer had closed and had everything, and this side kept its end open (CLOSE-WAIT, RFC 9293 §3.3.2).
//!
//! Detected by the time from the peer's FIN, or from the last acknowledgment if that came later, to this side's own FIN, its
//! reset, or the end of the capture. Data that still follows the peer's FIN is an answer, and the time before it thinking.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "application-close-wait",
    limits: &[Limit::Application],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// Less of the time is no finding, unless the verdict names it.
const LEAST_SHARE: f64 = 0.15;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::CloseWait))?;
    // What lasts no second is an application that closes.
    finding.seconds.filter(|&s| s >= 1.0)?;
    finding
        .evidence
        .push(exact(EvidenceKey::LongestUs, facts.stretches(Detail::CloseWait).last().copied().unwrap_or(0) / 1000));
    finding.fixes = vec![tcpwhy_advice::close_connection()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    /// The server answers and closes; the client closes at `time`.
    fn closed_at(time: &str) -> String {
        format!(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000>
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000>
     0.020 > . 1:1(0) ack 1
     0.020 > P. 1:101(100) ack 1
     0.040 < P. 1:2001(2000) ack 101 win 65535
     0.040 < F. 2001:2001(0) ack 101 win 65535
     0.041 > . 101:101(0) ack 2002
     {time} > F. 101:101(0) ack 2002
     {time} < . 2002:2002(0) ack 102 win 65535
"
        )
    }

    #[test]
    fn an_application_that_forgets_to_close() {
        let finding = fires(RULE.id, &script(&closed_at("8.040")).segments);
        assert!((7.9e6..8.1e6).contains(&number(&finding, "longest_us")), "{finding:?}");
        assert_eq!(fixes(&finding), ["close-connection"]);
        is_silent("application-idle", &script(&closed_at("8.040")).segments);
    }

    #[test]
    fn one_that_closes_when_it_has_read_all() {
        is_silent(RULE.id, &script(&closed_at("0.300")).segments);
    }
}
