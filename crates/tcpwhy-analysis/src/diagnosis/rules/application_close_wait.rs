//! The peer had closed and had received everything, but this side kept its end open (CLOSE-WAIT, RFC 9293
//! §3.3.2).
//!
//! The time starts with the peer's FIN, or with the last ACK if that came later. It ends with this side's FIN
//! or RST, or with the capture. Data after the peer's FIN is an answer, and the time before it is think time.

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

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.15;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::CloseWait))?;
    // An application normally closes within a second.
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
