//! The SYN or its answer was lost or ignored: the client asks again after 1 s, 2 s, 4 s … (RFC 6298 §2.1, `TCP_TIMEOUT_INIT`;
//! since Linux 6.5 the first four repeats come a second apart, `tcp_syn_linear_timeouts`).

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "syn-retries",
    limits: &[Limit::Handshake],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.02, |c| c.detail == Some(Detail::SynRto))?;
    let setup = facts.seconds_of(Limit::Handshake);
    finding.evidence.push(exact("setup_us", (setup * 1e6) as u64));
    finding.evidence.push(exact("retry_count", u64::from(facts.syn_repeats.max(1))));
    finding.fixes = vec![advice::fix_loss(), advice::raise_backlog(), advice::check_firewall()];
    finding.prediction = if_removed(facts, Detail::SynRto.into());
    Some(finding)
}
